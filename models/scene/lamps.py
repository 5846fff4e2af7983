"""Light on the board: its slow change over it, sun through windows, shadows of what stands by, lamps mirrored in the varnish."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.board import BoardSpec
from models.scene.looks import Cast, Lamp, Light, Sun
from models.scene.texture import noise

LIGHT_MM: Final = 4.0
"""Grid of the light map (mm)."""
BRIGHTEST: Final = 2.1
"""Greatest factor of the light."""
_MIRROR_MM: Final = 3.0
"""Grid on which mirrored lamps are drawn (mm)."""

Field = NDArray[np.float32]


def light_map(light: Light, board: BoardSpec, rng: Generator, around: float) -> Field:
    """Factor of the light over the board, shape (m, m, 3), on a grid of `LIGHT_MM` that begins `around` mm outside the surface."""
    m = int((board.side + 2 * around) / LIGHT_MM) + 1
    yy, xx = (np.mgrid[0:m, 0:m].astype(np.float32) * np.float32(LIGHT_MM) - np.float32(around)) / np.float32(board.side) - np.float32(0.5)
    u = xx * np.cos(light.azimuth) + yy * np.sin(light.azimuth)
    value = 1 + 0.55 * light.gradient * u - 0.25 * light.gradient * (xx**2 + yy**2)
    value += 0.06 * light.gradient * noise(rng, (m, m), (m / 3, m / 3), 1)
    if light.stripes:
        v = xx * np.cos(light.stripe_angle) + yy * np.sin(light.stripe_angle)
        at, wide = rng.uniform(-0.4, 0.4), rng.uniform(0.05, 0.3)
        value += light.stripes / (1 + np.exp(np.minimum((np.abs(v - at) - wide) / 0.006, 80))) - 0.4 * light.stripes
    if light.blinds:
        v = yy * np.cos(light.stripe_angle * 0.3) + xx * np.sin(light.stripe_angle * 0.3)
        value -= light.blinds * (0.5 + 0.5 * np.sin(v * rng.uniform(20, 70))) * np.clip(noise(rng, (m, m), (m / 2, m / 2), 1) + 0.6, 0, 1)
    for sun in light.suns:
        value += (_sun(sun, m, around) - 0.3) * sun.strength
    for cast in light.casts:
        value *= 1 - cast.strength * _cast(cast, m, around)
    return np.asarray(np.clip(value, 0.22, BRIGHTEST)[..., None] * np.asarray(light.tint, np.float32), np.float32)


def _box(x: float, y: float, long: float, wide: float, turn: float) -> NDArray[np.float64]:
    """Corners of a turned oblong (mm), shape (4, 2)."""
    u, v = np.array([np.cos(turn), np.sin(turn)]) * long, np.array([-np.sin(turn), np.cos(turn)]) * wide
    return np.array([x, y]) + np.stack([-u - v, u - v, u + v, -u + v])


def _fill(mask: NDArray[np.uint8], mm: NDArray[np.float64], origin: float, grid: float, level: int = 255) -> None:
    p = np.round((mm - origin) / grid * 16).astype(np.int32).reshape(-1, 1, 2)
    cv2.fillPoly(mask, [p], (level,), cv2.LINE_AA, 4)


def _sun(sun: Sun, m: int, around: float) -> Field:
    """What a window lets onto the board, 0 to 1; the bars of its frame are dark."""
    mask = np.zeros((m, m), np.uint8)
    _fill(mask, _box(sun.x, sun.y, sun.long, sun.wide, sun.turn), -around, LIGHT_MM)
    for k in range(sun.bars):
        along = sun.long * (2 * (k + 1) / (sun.bars + 1) - 1)
        x, y = sun.x + along * np.cos(sun.turn), sun.y + along * np.sin(sun.turn)
        _fill(mask, _box(x, y, 7.0, sun.wide + 9, sun.turn), -around, LIGHT_MM, 30)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), 1.2), np.float32) / np.float32(255)


def _cast(cast: Cast, m: int, around: float) -> Field:
    """The shadow of something out of the picture, 0 to 1."""
    mask = np.zeros((m, m), np.uint8)
    u, v = np.array([np.cos(cast.turn), np.sin(cast.turn)]), np.array([-np.sin(cast.turn), np.cos(cast.turn)])
    at = np.array([cast.x, cast.y])

    def line(a: NDArray[np.float64], b: NDArray[np.float64], wide: float) -> None:
        p, q = (np.round((e + around) / LIGHT_MM * 16).astype(int).tolist() for e in (a, b))
        cv2.line(mask, p, q, (255,), max(1, int(cast.size * wide / LIGHT_MM)), cv2.LINE_AA, 4)

    if cast.shape == "arm":
        line(at, at + 900 * u, 75.0)
        for k in (-1.5, -0.5, 0.5, 1.5):
            line(at, at - cast.size * (95 * u + 22 * k * v), 19.0)
        line(at, at - cast.size * 45 * u, 85.0)
    elif cast.shape == "head":
        c = np.round((at + around) / LIGHT_MM).astype(int).tolist()
        axes = int(95 * cast.size / LIGHT_MM), int(75 * cast.size / LIGHT_MM)
        cv2.ellipse(mask, c, axes, float(np.degrees(cast.turn)), 0, 360, (255,), -1, cv2.LINE_AA)
        line(at, at + 200 * u, 90.0)
        line(at + 230 * u - 110 * v * cast.size, at + 230 * u + 110 * v * cast.size, 130.0)
        line(at + 230 * u, at + 900 * u, 300.0)
    else:
        _fill(mask, _box(cast.x, cast.y, 75 * cast.size, 37 * cast.size, cast.turn), -around, LIGHT_MM)
        line(at, at + 900 * u, 16.0)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.5, cast.soft / LIGHT_MM)), np.float32) / np.float32(255)


def add_mirrored(lit: NDArray[np.uint8], light: Light, px_per_mm: float, origin: float) -> NDArray[np.uint8]:
    """A lit canvas that begins at (`origin`, `origin`) mm with the lamps that are mirrored in the varnish."""
    if not light.mirrored:
        return lit
    n = lit.shape[0]
    m = int(n / px_per_mm / _MIRROR_MM)
    total = np.zeros((m, m, 3), np.float32)
    for lamp in light.mirrored:
        total += (lamp.strength * _mirrored(lamp, m, origin))[..., None] * np.asarray(lamp.tint, np.float32)
    levels = np.clip(total, 0, 255).astype(np.uint8)
    return np.asarray(cv2.add(lit, cv2.resize(levels, (n, n), interpolation=cv2.INTER_LINEAR)), np.uint8)


def _mirrored(lamp: Lamp, m: int, origin: float) -> Field:
    """The lamp's picture, 0 to 1, shape (m, m)."""
    if lamp.shape in ("rectangle", "tube", "window"):
        mask = np.zeros((m, m), np.uint8)
        _fill(mask, _box(lamp.x, lamp.y, lamp.long, lamp.wide, lamp.turn), origin, _MIRROR_MM)
        if lamp.shape == "window":
            _fill(mask, _box(lamp.x, lamp.y, 4.0, lamp.wide + 6, lamp.turn), origin, _MIRROR_MM, 40)
            _fill(mask, _box(lamp.x, lamp.y, lamp.long + 6, 4.0, lamp.turn), origin, _MIRROR_MM, 40)
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.4, lamp.soft / _MIRROR_MM)), np.float32) / np.float32(255)
    grid = np.arange(m, dtype=np.float32) * np.float32(_MIRROR_MM) + np.float32(origin)
    dx, dy = grid[None] - np.float32(lamp.x), grid[:, None] - np.float32(lamp.y)
    c, s = np.float32(np.cos(lamp.turn)), np.float32(np.sin(lamp.turn))
    d = np.hypot(dx * c + dy * s, (dy * c - dx * s) * np.float32(lamp.long / lamp.wide)) / np.float32(lamp.long)
    if lamp.shape == "soft":
        return np.asarray(np.exp(-(d**2)), np.float32)
    if lamp.shape == "ring":
        return np.asarray(np.exp(-(((d - 0.8) / 0.16) ** 2)), np.float32)
    return np.asarray(0.5 - 0.5 * np.tanh((d - 0.6) * lamp.long / lamp.soft), np.float32)
