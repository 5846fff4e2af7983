"""What makers print and owners stick on a playing surface: sun bursts, flowers, badges, photographs, stickers, numbers, bands."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.scene.looks import Picture
from models.scene.pen import Pen
from models.scene.texture import FONTS, noise

_SHIFT: Final = 4


def draw_picture(pen: Pen, look: Picture, rng: Generator) -> None:
    """Draw one picture with a steady pen, letting the wood through where it does not cover."""
    n = max(12, int(2 * look.size * pen.k)) | 1
    patch, mask = np.zeros((n, n, 3), np.uint8), np.zeros((n, n), np.uint8)
    draw = {"sun": _sun, "flower": _flower, "badge": _badge, "photo": _photo, "sticker": _badge, "number": _number, "band": _band}
    draw[look.kind](patch, mask, look, rng)
    turn = cv2.getRotationMatrix2D(((n - 1) / 2, (n - 1) / 2), float(np.degrees(look.turn)), 1.0)
    patch, mask = np.asarray(cv2.warpAffine(patch, turn, (n, n)), np.uint8), np.asarray(cv2.warpAffine(mask, turn, (n, n)), np.uint8)
    left, top = (round((v - pen.origin) * pen.k - n / 2) for v in (look.x, look.y))
    h, w = pen.canvas.shape[:2]
    x0, y0, x1, y1 = max(0, left), max(0, top), min(w, left + n), min(h, top + n)
    cover = 1.0 if look.kind == "sticker" else look.cover
    a = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) * np.float32(cover / 255)
    part = pen.canvas[y0:y1, x0:x1]
    part[:] = (part * (1 - a) + patch[y0 - top : y1 - top, x0 - left : x1 - left] * a).astype(np.uint8)


def _fill(patch: NDArray[np.uint8], mask: NDArray[np.uint8], points: NDArray[np.float64], colour: tuple[float, ...]) -> None:
    p = [np.round(points * 2**_SHIFT).astype(np.int32).reshape(-1, 1, 2)]
    cv2.fillPoly(patch, p, colour, cv2.LINE_8, _SHIFT)
    cv2.fillPoly(mask, p, (255,), cv2.LINE_AA, _SHIFT)


def _sun(patch: NDArray[np.uint8], mask: NDArray[np.uint8], look: Picture, rng: Generator) -> None:
    """Rays round a disc."""
    c = (patch.shape[0] - 1) / 2
    rays, inner = int(rng.integers(6, 25)), float(rng.uniform(0.2, 0.6)) * c
    for k in range(rays):
        a = 2 * np.pi * k / rays
        wide = np.pi / rays * 0.9
        long = c * (1.0 if k % 2 else 0.8)
        tip = np.array([[c + long * np.cos(a), c + long * np.sin(a)]])
        foot = np.array([[c + inner * np.cos(a + t), c + inner * np.sin(a + t)] for t in (-wide, wide)])
        _fill(patch, mask, np.r_[tip, foot], look.colours[k % 2])
    circle = (int(c), int(c)), int(inner * 0.9)
    cv2.circle(patch, *circle, look.colours[2], -1)
    cv2.circle(mask, *circle, (255,), -1 if rng.random() < 0.6 else 2, cv2.LINE_AA)


def _flower(patch: NDArray[np.uint8], mask: NDArray[np.uint8], look: Picture, rng: Generator) -> None:
    """Petals in one or two rings."""
    c = (patch.shape[0] - 1) / 2
    petals = int(rng.integers(4, 13))
    for ring, reach in enumerate((0.62, 0.36)[: int(rng.integers(1, 3))]):
        for k in range(petals):
            a = 2 * np.pi * (k + 0.5 * ring) / petals
            at = (int(c + reach * c * np.cos(a)), int(c + reach * c * np.sin(a)))
            axes = (max(1, int(0.34 * c)), max(1, int(c * 1.7 * reach / petals)))
            cv2.ellipse(patch, at, axes, float(np.degrees(a)), 0, 360, look.colours[ring], -1)
            cv2.ellipse(mask, at, axes, float(np.degrees(a)), 0, 360, (255,), -1, cv2.LINE_AA)
    cv2.circle(patch, (int(c), int(c)), max(1, int(0.22 * c)), look.colours[2], -1)
    cv2.circle(mask, (int(c), int(c)), max(1, int(0.22 * c)), (255,), -1, cv2.LINE_AA)


def _badge(patch: NDArray[np.uint8], mask: NDArray[np.uint8], look: Picture, rng: Generator) -> None:
    """A round, oval or square badge with a border and a word."""
    n = patch.shape[0]
    c, kind = (n - 1) // 2, int(rng.integers(3))
    border = max(1, n // 16)
    if kind == 2:
        high = int(c * rng.uniform(0.35, 0.95))
        box = (border, c - high), (n - border, c + high)
        cv2.rectangle(patch, *box, look.colours[0], -1)
        cv2.rectangle(patch, *box, look.colours[1], border)
        cv2.rectangle(mask, *box, (255,), -1)
    else:
        axes = (c - border, int((c - border) * (1.0 if kind == 0 else rng.uniform(0.4, 0.7))))
        cv2.ellipse(patch, (c, c), axes, 0, 0, 360, look.colours[0], -1)
        cv2.ellipse(patch, (c, c), axes, 0, 0, 360, look.colours[1], border, cv2.LINE_AA)
        cv2.ellipse(mask, (c, c), axes, 0, 0, 360, (255,), -1, cv2.LINE_AA)
    _word(patch, look.words, look.colours[2], 1.3 * c, rng)


def _word(patch: NDArray[np.uint8], words: str, colour: tuple[float, ...], wide: float, rng: Generator) -> None:
    """A word in the middle, `wide` px from end to end."""
    font = int(rng.choice(FONTS))
    (w, _), _ = cv2.getTextSize(words, font, 1.0, 1)
    scale = min(wide / max(w, 1), wide / 30)
    thick = max(1, int(scale * 2))
    (w, h), _ = cv2.getTextSize(words, font, scale, thick)
    c = patch.shape[0] // 2
    cv2.putText(patch, words, (c - w // 2, c + h // 2), font, scale, colour, thick, cv2.LINE_AA)


def _photo(patch: NDArray[np.uint8], mask: NDArray[np.uint8], look: Picture, rng: Generator) -> None:
    """Blobs of three colours as a printed photograph has them, in a circle or an oblong."""
    n = patch.shape[0]
    fields = [noise(rng, (n, n), (n / 3, n / 3), 3) for _ in look.colours]
    weights = np.exp(2.0 * np.stack(fields, -1))
    weights /= weights.sum(-1, keepdims=True)
    patch[:] = np.clip(weights @ np.asarray(look.colours, np.float32), 0, 255).astype(np.uint8)
    c = n // 2
    if rng.random() < 0.5:
        cv2.circle(mask, (c, c), c - 1, (255,), -1, cv2.LINE_AA)
    else:
        high = int(c * rng.uniform(0.5, 0.95))
        cv2.rectangle(mask, (1, c - high), (n - 2, c + high), (255,), -1)


def _number(patch: NDArray[np.uint8], mask: NDArray[np.uint8], look: Picture, rng: Generator) -> None:
    """A number, written or stamped."""
    patch[:] = np.asarray(look.colours[0], np.float32).astype(np.uint8)
    ink = np.zeros((*mask.shape, 3), np.uint8)
    _word(ink, look.words, (255.0, 255.0, 255.0), 0.8 * mask.shape[0], rng)
    mask[:] = ink[..., 0]
    if rng.random() < 0.4:
        c = mask.shape[0] // 2
        cv2.circle(mask, (c, c), c - 2, (255,), max(1, c // 12), cv2.LINE_AA)


def _band(patch: NDArray[np.uint8], mask: NDArray[np.uint8], look: Picture, rng: Generator) -> None:
    """Stripes side by side."""
    n = patch.shape[0]
    for k, y in enumerate(np.linspace(0.3 * n, 0.6 * n, int(rng.integers(2, 6)))):
        box = (0, int(y)), (n - 1, int(y + 0.06 * n))
        cv2.rectangle(patch, *box, look.colours[k % 3], -1)
        cv2.rectangle(mask, *box, (255,), -1)
