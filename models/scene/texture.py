"""Procedural textures: noise of several octaves, wood, cloth and floors."""

from __future__ import annotations

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.scene.looks import Bgr, Surround, Wood

Image: TypeAlias = NDArray[np.uint8]
Field: TypeAlias = NDArray[np.float32]

FONTS: Final = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
)  # fmt: skip
"""What words are written in."""


def noise(rng: Generator, size: tuple[int, int], cell: tuple[float, float], octaves: int = 3) -> Field:
    """Smooth noise of about unit amplitude.

    Parameters
    ----------
    size : (width, height) in px
    cell : (x, y) in px
        Size of the coarsest blobs; each further octave halves both and weighs half as much.
    """
    w, h = size
    out = np.zeros((h, w), np.float32)
    weight = 1.0
    for k in range(octaves):
        n = max(2, min(w, int(w / cell[0] * 2**k) + 2)), max(2, min(h, int(h / cell[1] * 2**k) + 2))
        small = rng.standard_normal((n[1], n[0]), dtype=np.float32)
        out += weight * cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR)
        weight *= 0.5
    return out


def tint(field: Field, colour: Bgr) -> Field:
    """A grey field as a colour picture: `field` times `colour`, shape (h, w, 3)."""
    return np.asarray(field[..., None] * np.asarray(colour, np.float32), np.float32)


def _stained(field: Field, colour: Bgr) -> Image:
    """A grey field in a colour, uint8, shape (h, w, 3)."""
    return np.asarray(cv2.merge([cv2.convertScaleAbs(field, alpha=c) for c in colour]), np.uint8)


def wood(rng: Generator, look: Wood, size: tuple[int, int], px_per_mm: float) -> Image:
    """The bare wood or felt, uint8, shape (h, w, 3)."""
    w, h = size
    k = px_per_mm
    if look.felt:
        nap = 0.06 * noise(rng, size, (1.5 * k, 1.5 * k), 1) + 0.05 * look.blotch * noise(rng, size, (90 * k, 90 * k), 3)
        return _stained(np.asarray(1 + nap, np.float32), look.base)
    along, across = 260 * k, 5 * k
    cell = (across, along) if look.upright else (along, across)
    grain = noise(rng, size, cell, 2)
    fine = noise(rng, size, (1.6 * k, 60 * k) if look.upright else (60 * k, 1.6 * k), 1)
    half = (w // 4, h // 4)
    figure = noise(rng, half, (90 * k / 4, 240 * k / 4) if look.upright else (240 * k / 4, 90 * k / 4), 3)
    rings = np.sin(figure * float(rng.uniform(3, 14)))
    blotch = noise(rng, half, (120 * k / 4, 120 * k / 4), 4)
    slow = cv2.resize(0.045 * look.grain * rings + 0.05 * look.blotch * blotch, size, interpolation=cv2.INTER_LINEAR)
    value = 1 + 0.05 * look.grain * grain + 0.035 * look.grain * fine + slow
    if look.figure:
        flames = np.clip(np.sin(figure * float(rng.uniform(8, 26))) ** 2 - 0.45, 0, 1)
        value *= 1 - 0.55 * look.figure * cv2.resize(np.asarray(flames, np.float32), size, interpolation=cv2.INTER_LINEAR)
    out = _stained(np.asarray(value, np.float32), look.base)
    # Where wood is darker it is browner.
    out[..., 0] = cv2.subtract(out[..., 0], np.asarray(100 * look.blotch * slow, np.float32), dtype=cv2.CV_8U)
    return out


def cover(rng: Generator, look: Surround, size: tuple[int, int], px_per_mm: float) -> Field:
    """What the board lies on, shape (h, w, 3), levels 0 to 255."""
    w, h = size
    k = px_per_mm
    a, b, c = (np.asarray(col, np.float32) for col in look.colours)
    cell = max(4.0, look.cell * k)
    grit = 1 + 0.05 * noise(rng, size, (2 * k, 2 * k), 1) + 0.06 * noise(rng, size, (120 * k, 120 * k), 2)
    if look.cover in ("plain", "dark"):
        value = grit * (0.25 if look.cover == "dark" else 1)
        return tint(np.asarray(value, np.float32), look.colours[0])
    angle = float(rng.choice([0.0, rng.uniform(-0.8, 0.8)]))
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    cos, sin = float(np.cos(angle)) / cell, float(np.sin(angle)) / cell
    u, v = xx * cos + yy * sin, yy * cos - xx * sin
    iu, iv = np.floor(u), np.floor(v)
    if look.cover == "tiles":
        joint = (np.minimum(u - iu, v - iv) < 0.03).astype(np.float32)
        out = (1 - 0.4 * joint)[..., None] * a
    elif look.cover == "planks":
        shade = 0.85 + 0.3 * rng.random(997, np.float32)[np.int32(iv * 7) % 997]
        joint = ((v - iv) < 0.04).astype(np.float32)
        out = (shade * (1 - 0.5 * joint) * (1 + 0.08 * noise(rng, size, (80 * k, 3 * k), 2)))[..., None] * a
    elif look.cover == "marble":
        bend = noise(rng, size, (150 * k, 150 * k), 4)
        vein = np.exp(-((np.sin(1.5 * bend + (xx + yy) / (220 * k)) / 0.12) ** 2)) + 0.3 * noise(rng, size, (60 * k, 60 * k), 3)
        pale = 0.35 * a + 150
        out = pale + (b - pale) * np.clip(0.35 * vein, 0, 1)[..., None]
    elif look.cover == "grass":
        blades = noise(rng, size, (3 * k, 14 * k), 2) + noise(rng, size, (14 * k, 3 * k), 2)
        out = np.clip(0.75 + 0.25 * blades, 0.1, 1.6)[..., None] * np.asarray((40.0, 0.4 * a[1] + 70, 60.0), np.float32)
    elif look.cover == "carpet":
        curl = np.sin(4 * noise(rng, size, (0.8 * cell, 0.8 * cell), 2))
        line = np.abs(np.sin(np.pi * u)) * np.abs(np.sin(np.pi * v))
        pick = np.clip(1.6 * curl, -1, 1)[..., None] * 0.5 + 0.5
        out = (
            np.where((line < 0.12)[..., None], c, a * pick + b * (1 - pick))
            * (1 + 0.14 * noise(rng, size, (2.5 * k, 2.5 * k), 1))[..., None]
        )
    elif look.cover == "checks":
        across, down = (u - iu < 0.5).astype(np.float32), (v - iv < 0.5).astype(np.float32)
        thin = (np.minimum(np.abs(u - iu - 0.25), np.abs(v - iv - 0.25)) < 0.03).astype(np.float32)[..., None]
        mix = (0.5 * across + 0.5 * down)[..., None]
        out = (a * mix + b * (1 - mix)) * (1 - thin) + c * thin
    elif look.cover == "weave":
        q = 3.5 * k
        t = 0.5 + 0.25 * (np.sin(xx / q * 3.1416) * np.sin(yy / q * 3.1416)) + 0.2 * noise(rng, size, (cell, cell), 2)
        out = np.clip(t, 0, 1)[..., None] * (a - b) + b
    else:
        pick = rng.random(997, np.float32)[np.int32(iu * 31 + iv * 57) % 997]
        fu, fv = u - iu - 0.5, v - iv - 0.5
        rad, ang = np.hypot(fu, fv), np.arctan2(fv, fu)
        motif = rad < 0.22 + 0.12 * np.cos(ang * int(rng.integers(2, 7)) + pick * 6)
        out = np.where(motif[..., None], c, np.where((pick > 0.5)[..., None], a, b))
        edge = np.maximum(np.abs(fu), np.abs(fv)) > 0.46
        out = np.where(edge[..., None], 0.5 * (a + c), out)
    return np.asarray(out * grit[..., None], np.float32)
