"""Pieces and strikers as small pictures: colour and print, which turn with the disc, and relief, which does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.scene.looks import Bgr, DiscLook
from models.scene.texture import FONTS

EDGE_PX: Final = 3
"""Empty pixels round a sprite's disc."""
LEAST_LEAN_PX: Final = 0.5
"""A disc that leans less shows nothing of its side."""
WALL_PX: Final = 2.2
"""Step in which a disc's side is built up."""


@dataclass(frozen=True)
class Sprite:
    """A disc of `radius` px in the middle of square pictures.

    `colour` (n, n, 3) turns with the disc; `shade` (n, n) is its relief under the lamp; `alpha` (n, n) is
    less than 1 where the board is seen through it; `soft` (m, m) is the shadow's alpha, whose disc has the same radius.
    """

    colour: NDArray[np.float32]
    shade: NDArray[np.float32]
    alpha: NDArray[np.float32]
    soft: NDArray[np.float32]
    radius: float
    side: Bgr
    height: float


def make_sprite(look: DiscLook, radius_px: float, softness_px: float, azimuth: float, rng: Generator) -> Sprite:
    """The sprite of one disc.

    Parameters
    ----------
    radius_px : float
        Radius of the disc in the sprite.
    softness_px : float
        Standard deviation of the shadow's edge.
    azimuth : float
        Where the light comes from (rad).
    """
    n = 2 * (int(np.ceil(radius_px)) + EDGE_PX) + 1
    c = (n - 1) / 2
    yy, xx = np.mgrid[0:n, 0:n].astype(np.float32) - np.float32(c)
    r = np.hypot(xx, yy) / np.float32(radius_px)
    alpha = np.clip((1 - r) * radius_px + 0.5, 0, 1)
    base = np.clip(np.asarray(look.colour, np.float32) + rng.normal(0, look.scatter, 1) + rng.normal(0, look.scatter / 4, 3), 3, None)
    grit = cv2.resize(rng.standard_normal((max(3, n // 3), max(2, n // 12)), dtype=np.float32), (n, n)) * look.turned * 0.06
    if look.grain:
        bow = rng.uniform(0.3, 1.2) * np.sin(xx / radius_px * 2 + rng.uniform(0, 6)) + yy / radius_px * rng.uniform(6, 16)
        grit = grit + look.grain * 0.09 * np.sin(bow + 0.8 * np.sin(2.3 * bow))
    colour = np.asarray((1 + grit)[..., None] * base, np.float32)
    profile = _relief(look, r, rng)
    _turn_rings(colour, look, r, rng, radius_px)
    _paint(colour, look, (xx / radius_px, yy / radius_px), rng, radius_px, c)
    gy, gx = np.gradient(profile)
    lx, ly = float(np.cos(azimuth)), float(np.sin(azimuth))
    slope = (gx * lx + gy * ly) * radius_px
    u, v = xx / radius_px - 0.4 * lx, yy / radius_px - 0.4 * ly
    shade = 1 - look.relief * 0.16 * slope + look.gloss * 0.35 * np.exp(-5 * (u**2 + v**2))
    shade -= 0.25 * look.relief * np.clip(r - 0.9, 0, 1) * 10 * (0.3 + 0.7 * (slope > 0))
    if look.shine:
        p, q = xx / radius_px - 0.45 * lx, yy / radius_px - 0.45 * ly
        long, wide = float(rng.uniform(6, 14)), float(rng.uniform(20, 80))
        shade += look.shine * np.exp(-long * (q * lx - p * ly) ** 2 - wide * (p * lx + q * ly) ** 2)
    seen = np.asarray(alpha * (1 - look.clear * np.clip((0.93 - r) * radius_px + 0.5, 0, 1)), np.float32)
    m = n + 2 * int(np.ceil(3 * softness_px))
    soft = np.zeros((m, m), np.float32)
    o = (m - n) // 2
    soft[o : o + n, o : o + n] = alpha * np.float32(1 - 0.7 * look.clear)
    soft = np.asarray(cv2.GaussianBlur(soft, (0, 0), max(0.3, softness_px)), np.float32)
    side = tuple(float(v) for v in 0.55 * (base if look.groove != "rim" else np.asarray(look.second)))
    shade = np.asarray(np.clip(shade, 0.3, 2.2), np.float32)
    return Sprite(colour, shade, seen, soft, radius_px, (side[0], side[1], side[2]), look.height)


def assembled(sprite: Sprite, turn: float, lean: NDArray[np.float64], lit: NDArray[np.float32]) -> NDArray[np.float32]:
    """A disc as it stands under the camera: colour times alpha, and alpha, shape (m, m, 4), its face in the middle.

    Parameters
    ----------
    turn : float
        Of colour and print (rad).
    lean : ndarray, shape (2,)
        From the foot's centre to the face's (px of the sprite).
    lit : ndarray, shape (3,)
        Factor of the light.
    """
    far = float(np.hypot(*lean))
    pad, n = int(np.ceil(far)) + 1, sprite.alpha.shape[0]
    m, c = n + 2 * pad, (n - 1) / 2
    size = (m, m)
    cos, sin = float(np.cos(turn)), float(np.sin(turn))
    rotate = np.array([[cos, -sin, c - c * cos + c * sin + pad], [sin, cos, c - c * sin - c * cos + pad]])
    # Shifted by whole pixels, so that the face's edge stays as sharp as it is.
    face, tone = cv2.copyMakeBorder(sprite.alpha, *(pad,) * 4, cv2.BORDER_CONSTANT), cv2.copyMakeBorder(sprite.shade, *(pad,) * 4, 0)
    colour = cv2.warpAffine(sprite.colour, rotate, size, borderMode=cv2.BORDER_REPLICATE)
    out = np.empty((m, m, 4), np.float32)
    out[..., :3], out[..., 3] = colour * (tone * face)[..., None] * lit, face
    if far > LEAST_LEAN_PX:
        flank, walls = np.zeros((m, m), np.float32), int(np.ceil(far / WALL_PX))
        for i in range(walls):
            down = 1 - i / walls
            foot = np.array([[1.0, 0.0, pad - lean[0] * down], [0.0, 1.0, pad - lean[1] * down]])
            np.maximum(flank, cv2.warpAffine(sprite.alpha, foot, size), out=flank)
        flank *= 1 - np.asarray(face, np.float32)
        out[..., :3] += flank[..., None] * (np.asarray(sprite.side, np.float32) * lit)
        out[..., 3] += flank
    return out


def _relief(look: DiscLook, r: NDArray[np.float32], rng: Generator) -> NDArray[np.float32]:
    """Height over the radius, in units where a slope of 1 is steep."""
    h = -(np.clip(r - 0.88, 0, 1) ** 2) * 12
    if look.groove in ("rings", "spot", "crown", "turned"):
        for _ in range(int(rng.integers(1, 5))):
            at, wide = rng.uniform(0.2, 0.88), rng.uniform(0.025, 0.08)
            h = h - rng.uniform(0.04, 0.16) * np.exp(-(((r - at) / wide) ** 2))
    if look.groove == "dish":
        h = h - 0.25 * np.clip(0.78 - r, 0, 0.15) / 0.15
    if look.groove == "crown":
        h = h + 0.3 * np.clip(0.5 - r, 0, 0.1) / 0.1
    return np.asarray(h, np.float32)


def _turn_rings(colour: NDArray[np.float32], look: DiscLook, r: NDArray[np.float32], rng: Generator, radius: float) -> None:
    """Two-tone rims, middle spots and rings turned on the lathe, in place."""
    second = np.asarray(look.second, np.float32)
    if look.groove == "spot":
        a = np.clip((float(rng.uniform(0.12, 0.3)) - r) * radius + 0.5, 0, 1) * 0.8
    elif look.groove == "rim":
        a = np.clip((r - float(rng.uniform(0.6, 0.86))) * radius + 0.5, 0, 1)
    elif look.groove == "rings":
        a = np.exp(-(((r - float(rng.uniform(0.3, 0.8))) / 0.05) ** 2)) * 0.4
    elif look.groove == "turned":
        a = np.zeros_like(r)
        for _ in range(int(rng.integers(2, 6))):
            at, wide = float(rng.uniform(0.15, 0.9)), float(rng.uniform(0.02, 0.09))
            a = np.maximum(a, np.clip((wide - np.abs(r - at)) * radius + 0.5, 0, 1) * float(rng.uniform(0.3, 1.0)))
    else:
        return
    colour += (second - colour) * np.asarray(a, np.float32)[..., None]


def _paint(
    colour: NDArray[np.float32],
    look: DiscLook,
    uv: tuple[NDArray[np.float32], NDArray[np.float32]],
    rng: Generator,
    radius: float,
    c: float,
) -> None:
    """Prints, inlays and holes, in place; `uv` are places over the radius."""
    if look.printed == "none":
        return
    second, (u, v) = np.asarray(look.second, np.float32), uv
    if look.printed in ("halves", "flag"):
        edge = 0.0 if look.printed == "halves" else -0.3
        colour += (second - colour) * np.clip((v - edge) * radius + 0.5, 0, 1)[..., None]
        if look.printed == "flag":
            third = np.asarray(rng.uniform(20, 255, 3), np.float32)
            colour += (third - colour) * np.clip((v - 0.3) * radius + 0.5, 0, 1)[..., None]
        return
    if look.printed == "gems":
        n, at = int(rng.integers(3, 9)), float(rng.uniform(0.35, 0.75))
        for k in range(n):
            a = 2 * np.pi * k / n
            gem = np.clip((float(rng.uniform(0.1, 0.16)) - np.hypot(u - at * np.cos(a), v - at * np.sin(a))) * radius + 0.5, 0, 1)[
                ..., None
            ]
            colour += (np.asarray(rng.uniform(20, 300, 3), np.float32) - colour) * gem
        return
    mask = _stamp(look, rng, radius, c, colour.shape[0])
    colour += (second - colour) * (mask.astype(np.float32) / 255 * np.float32(rng.uniform(0.5, 1)))[..., None]


def _lines(mask: NDArray[np.uint8], points: NDArray[np.float64], thick: float, closed: bool = False) -> None:
    p = np.round(points * 16).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(mask, [p], closed, (255,), max(1, int(thick)), cv2.LINE_AA, 4)


def _stamp(look: DiscLook, rng: Generator, radius: float, c: float, n: int) -> NDArray[np.uint8]:
    """The print of one colour as a mask of `n` px."""
    mask = np.zeros((n, n), np.uint8)
    centre = (int(c), int(c))
    if look.printed == "ring":
        cv2.circle(mask, centre, int(radius * rng.uniform(0.3, 0.85)), (255,), max(1, int(radius * rng.uniform(0.04, 0.2))), cv2.LINE_AA)
    elif look.printed in ("two_tone", "hole"):
        share = rng.uniform(0.4, 0.8) if look.printed == "two_tone" else rng.uniform(0.15, 0.4)
        cv2.circle(mask, centre, max(1, int(radius * share)), (255,), -1, cv2.LINE_AA)
    elif look.printed == "cross":
        reach, wide = radius * rng.uniform(0.5, 0.9), radius * rng.uniform(0.1, 0.25)
        _lines(mask, np.array([[c - reach, c], [c + reach, c]]), wide)
        _lines(mask, np.array([[c, c - reach], [c, c + reach]]), wide)
    elif look.printed == "flower":
        petals, t = int(rng.integers(4, 9)), np.linspace(0, 2 * np.pi, 90)
        q = radius * (0.5 + 0.25 * np.cos(petals * t))
        _lines(mask, np.c_[c + q * np.cos(t), c + q * np.sin(t)], radius * 0.1, True)
    elif look.printed == "spiral":
        t = np.linspace(0.8, float(rng.uniform(9, 17)), 90)
        q = (0.85 * radius / t[-1]) * t
        _lines(mask, np.c_[c + q * np.cos(t), c + q * np.sin(t)], radius * 0.12)
    elif look.printed == "star":
        a = np.arange(10) * np.pi / 5
        q = radius * np.where(np.arange(10) % 2, 0.3, 0.75)
        p = np.c_[c + q * np.cos(a), c + q * np.sin(a)]
        cv2.fillPoly(mask, [np.round(p * 16).astype(np.int32).reshape(-1, 1, 2)], (255,), cv2.LINE_AA, 4)
    elif look.printed == "letters":
        word = str(rng.choice(["S", "A", "C", "K", "8", "CB", "MK", "7", "R", "10"]))
        font = int(rng.choice(FONTS))
        (w, h), _ = cv2.getTextSize(word, font, radius / 24, max(1, int(radius / 9)))
        cv2.putText(mask, word, (int(c - w / 2), int(c + h / 2)), font, radius / 24, (255,), max(1, int(radius / 9)), cv2.LINE_AA)
    else:
        for _ in range(int(rng.integers(3, 8))):
            _lines(mask, c + rng.uniform(-0.5, 0.5, (4, 2)) * radius, radius * 0.09)
        cv2.circle(mask, centre, int(radius * 0.72), (255,), max(1, int(radius * 0.05)), cv2.LINE_AA)
    return mask
