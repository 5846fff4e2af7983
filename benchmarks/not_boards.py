"""Pictures with straight lines, squares, circles and wood in them, but no carrom board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator

from models.board import ICF
from models.scene.camera import look
from vision.types import Array, Image

SIZES: Final = ((640, 480), (1280, 720), (960, 960), (720, 1280), (1440, 1080), (1080, 1920), (1920, 1080))
FLAT_PX: Final = 900
"""Side of the flat drawing of a square thing (px)."""


def _colour(rng: Generator, low: int = 15, high: int = 240) -> tuple[float, ...]:
    return tuple(float(v) for v in rng.integers(low, high, 3))


def _noise(rng: Generator, size: tuple[int, int], cell: tuple[float, float]) -> Array:
    """Smooth noise of standard deviation about 1, shape (h, w); `cell` is its grain in px along x and y."""
    w, h = size
    small = rng.normal(0, 1, (max(2, int(h / cell[1])), max(2, int(w / cell[0])))).astype(np.float32)
    return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC), np.float64)


def _plain(rng: Generator, size: tuple[int, int]) -> Image:
    canvas = np.array(_colour(rng)) + 6 * _noise(rng, size, (60, 60))[..., None]
    return np.asarray(np.clip(canvas, 0, 255), np.uint8)


def _wood(rng: Generator, size: tuple[int, int]) -> Image:
    base = np.array([rng.uniform(40, 130), rng.uniform(80, 170), rng.uniform(120, 220)])
    grain = 8 * _noise(rng, size, (size[0] / 3, 5)) + 6 * _noise(rng, size, (150, 40)) + 3 * _noise(rng, size, (30, 2))
    return np.asarray(np.clip(base + grain[..., None], 0, 255), np.uint8)


def _carpet(rng: Generator, size: tuple[int, int]) -> Image:
    canvas = np.array(_colour(rng, 30, 200)) + 16 * _noise(rng, size, (2, 2))[..., None] + 8 * _noise(rng, size, (25, 25))[..., None]
    return np.asarray(np.clip(canvas, 0, 255), np.uint8)


def _square(rng: Generator, size: tuple[int, int], fill: float) -> Array:
    camera = look(size, ICF, float(rng.uniform(0, 25)), float(rng.uniform(0, 360)), float(rng.uniform(-45, 45)), 1400.0, fill)
    return camera.corners()


def _laid(rng: Generator, ground: Image, flat: Image, fill: float) -> Image:
    """A flat square drawing lying on a ground, seen in perspective, with its shadow."""
    size = (ground.shape[1], ground.shape[0])
    corners = _square(rng, size, fill).astype(np.float32)
    n = flat.shape[0]
    h = cv2.getPerspectiveTransform(np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float32) - 0.5, corners)
    mask = cv2.warpPerspective(np.full((n, n), 255, np.uint8), h, size, flags=cv2.INTER_AREA).astype(np.float64)[..., None] / 255
    shadow = cv2.GaussianBlur(np.roll(mask[..., 0], (6, 8), (0, 1)), (0, 0), 9)[..., None]
    seen = cv2.warpPerspective(flat, h, size, flags=cv2.INTER_AREA)
    return np.asarray(ground * (1 - 0.5 * shadow) * (1 - mask) + seen * mask, np.uint8)


def _table(rng: Generator, size: tuple[int, int]) -> Image:
    return _laid(rng, _carpet(rng, size), _wood(rng, (FLAT_PX, FLAT_PX)), 0.7)


def _tiles(rng: Generator, size: tuple[int, int]) -> Image:
    canvas = _plain(rng, size)
    w, h = size
    step, lean, joint = int(rng.integers(60, 260)), float(rng.uniform(-0.3, 0.3)), _colour(rng)
    for d in range(-h - w, w + h, step):
        cv2.line(canvas, (d, 0), (int(d + lean * h), h), joint, 3, cv2.LINE_AA)
        cv2.line(canvas, (0, d), (w, int(d - lean * w)), joint, 3, cv2.LINE_AA)
    return canvas


def _cells(rng: Generator, n: int, frame: int, wooden: bool) -> Image:
    """A board of n x n cells within a frame `frame` cells wide."""
    unit = FLAT_PX // (n + 2 * frame)
    flat = np.asarray(cv2.resize(_wood(rng, (FLAT_PX, FLAT_PX)), (unit * (n + 2 * frame),) * 2), np.uint8)
    light, dark = np.array(_colour(rng, 120, 240)), np.array(_colour(rng, 20, 110))
    for i in range(n):
        for j in range(n):
            part = flat[(i + frame) * unit : (i + frame + 1) * unit, (j + frame) * unit : (j + frame + 1) * unit]
            tone = (1.25 if (i + j) % 2 else 0.5) * part if wooden else light if (i + j) % 2 else dark
            part[:] = np.clip(tone, 0, 255)
    return flat


def _chess(rng: Generator, size: tuple[int, int]) -> Image:
    return _laid(rng, _plain(rng, size), _cells(rng, 8, 1, bool(rng.integers(2))), 0.75)


def _draughts(rng: Generator, size: tuple[int, int]) -> Image:
    n = 10
    flat = _cells(rng, n, 1, True)
    unit = flat.shape[0] // (n + 2)
    for i in range(n):
        for j in range(n):
            if (i + j) % 2 == 0 and i not in (4, 5) and rng.random() < 0.8:
                at = (int((j + 1.5) * unit), int((i + 1.5) * unit))
                cv2.circle(flat, at, int(0.4 * unit), (40, 40, 45) if i < 5 else (200, 220, 230), -1, cv2.LINE_AA)
    return _laid(rng, _wood(rng, size), flat, 0.75)


def _crokinole(rng: Generator, size: tuple[int, int]) -> Image:
    flat = _wood(rng, (FLAT_PX, FLAT_PX))
    c = FLAT_PX // 2
    if rng.integers(2):
        flat[:] = flat * 0.35
        cv2.circle(flat, (c, c), int(0.47 * FLAT_PX), tuple(float(v) for v in rng.integers(120, 230, 3)), -1, cv2.LINE_AA)
    for part in (0.44, 0.3, 0.16):
        cv2.circle(flat, (c, c), int(part * FLAT_PX), (25, 25, 30), 3, cv2.LINE_AA)
    for k in range(8):
        a = k * np.pi / 4 + 0.39
        cv2.circle(flat, (int(c + 0.16 * FLAT_PX * np.cos(a)), int(c + 0.16 * FLAT_PX * np.sin(a))), 9, (60, 60, 70), -1, cv2.LINE_AA)
    cv2.circle(flat, (c, c), 16, (15, 15, 15), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 16))):
        at = tuple(int(v) for v in rng.integers(150, FLAT_PX - 150, 2))
        cv2.circle(flat, at, 20, _colour(rng), -1, cv2.LINE_AA)
    return _laid(rng, _carpet(rng, size), flat, 0.72)


def _rings(rng: Generator, size: tuple[int, int]) -> Image:
    canvas = _plain(rng, size)
    for radius in range(int(0.48 * min(size)), 10, -int(rng.integers(12, 60))):
        cv2.circle(canvas, (size[0] // 2, size[1] // 2), radius, _colour(rng), -1, cv2.LINE_AA)
    return canvas


def _picture_frame(rng: Generator, size: tuple[int, int]) -> Image:
    flat = np.full((FLAT_PX, FLAT_PX, 3), _colour(rng), np.uint8)
    for part in (0.07, 0.11, 0.2):
        a = int(part * FLAT_PX)
        cv2.rectangle(flat, (a, a), (FLAT_PX - a, FLAT_PX - a), _colour(rng), -1)
    a = int(0.23 * FLAT_PX)
    flat[a:-a, a:-a] = cv2.resize(rng.integers(0, 255, (9, 9, 3)).astype(np.uint8), (FLAT_PX - 2 * a,) * 2, interpolation=cv2.INTER_CUBIC)
    return _laid(rng, _plain(rng, size), flat, 0.8)


def _clutter(rng: Generator, size: tuple[int, int]) -> Image:
    canvas = _wood(rng, size)
    for _ in range(40):
        p, q = rng.integers(0, size), rng.integers(0, size)
        if rng.random() < 0.5:
            cv2.rectangle(canvas, p.tolist(), q.tolist(), _colour(rng), int(rng.integers(-1, 6)) or 1, cv2.LINE_AA)
        else:
            cv2.circle(canvas, p.tolist(), int(rng.integers(5, 120)), _colour(rng), -1, cv2.LINE_AA)
    return canvas


def _tray(rng: Generator, size: tuple[int, int]) -> Image:
    """As near to a carrom board as can be: a framed square of wood, lines along its sides, discs on it; but no pockets."""
    flat = _wood(rng, (FLAT_PX, FLAT_PX))
    rim = int(rng.uniform(0.05, 0.1) * FLAT_PX)
    wall = np.ones((FLAT_PX, FLAT_PX), bool)
    wall[rim:-rim, rim:-rim] = False
    flat[wall] = (flat[wall] * rng.uniform(0.2, 0.45)).astype(np.uint8)
    if rng.random() < 0.6:
        a = int(rng.uniform(0.12, 0.2) * FLAT_PX) + rim
        cv2.rectangle(flat, (a, a), (FLAT_PX - a, FLAT_PX - a), (30, 30, 35), 3, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 12))):
        at = tuple(int(v) for v in rng.integers(rim + 60, FLAT_PX - rim - 60, 2))
        cv2.circle(flat, at, 18, _colour(rng), -1, cv2.LINE_AA)
    return _laid(rng, _carpet(rng, size), flat, 0.75)


def _rug(rng: Generator, size: tuple[int, int]) -> Image:
    flat = _carpet(rng, (FLAT_PX, FLAT_PX))
    for part in (0.03, 0.05, 0.14, 0.16):
        a = int(part * FLAT_PX)
        cv2.rectangle(flat, (a, a), (FLAT_PX - a, FLAT_PX - a), _colour(rng), int(rng.integers(4, 20)))
    cv2.circle(flat, (FLAT_PX // 2, FLAT_PX // 2), int(0.2 * FLAT_PX), _colour(rng), int(rng.integers(4, 20)), cv2.LINE_AA)
    for x in (0.1, 0.9):
        for y in (0.1, 0.9):
            cv2.circle(flat, (int(x * FLAT_PX), int(y * FLAT_PX)), int(0.03 * FLAT_PX), _colour(rng), -1, cv2.LINE_AA)
    return _laid(rng, _wood(rng, size), flat, 0.8)


def _ludo(rng: Generator, size: tuple[int, int]) -> Image:
    flat = np.full((FLAT_PX, FLAT_PX, 3), 235, np.uint8)
    u = FLAT_PX // 15
    for (i, j), tone in zip(((0, 0), (9, 0), (9, 9), (0, 9)), ((60, 60, 220), (60, 180, 60), (40, 200, 230), (220, 130, 40)), strict=True):
        cv2.rectangle(flat, (i * u, j * u), ((i + 6) * u, (j + 6) * u), tone, -1)
        cv2.rectangle(flat, ((i + 1) * u, (j + 1) * u), ((i + 5) * u, (j + 5) * u), (245, 245, 245), -1)
        for x, y in ((2, 2), (4, 2), (2, 4), (4, 4)):
            cv2.circle(flat, ((i + x) * u, (j + y) * u), int(0.7 * u), tone, -1, cv2.LINE_AA)
    for k in range(16):
        cv2.line(flat, (6 * u, k * u), (9 * u, k * u), (60, 60, 60), 1)
        cv2.line(flat, (k * u, 6 * u), (k * u, 9 * u), (60, 60, 60), 1)
    return _laid(rng, _wood(rng, size), flat, 0.78)


def _window(rng: Generator, size: tuple[int, int]) -> Image:
    outside = rng.integers(90, 255, (7, 7, 3)).astype(np.uint8)
    flat = np.asarray(cv2.resize(outside, (FLAT_PX, FLAT_PX), interpolation=cv2.INTER_CUBIC), np.uint8)
    bar, tone = int(rng.integers(20, 60)), _colour(rng, 120, 250)
    cv2.rectangle(flat, (0, 0), (FLAT_PX, FLAT_PX), tone, 2 * bar)
    for k in range(1, int(rng.integers(1, 4))):
        at = k * FLAT_PX // 3
        cv2.line(flat, (at, 0), (at, FLAT_PX), tone, bar)
        cv2.line(flat, (0, at), (FLAT_PX, at), tone, bar)
    return _laid(rng, _plain(rng, size), flat, 0.78)


def _planks(rng: Generator, size: tuple[int, int]) -> Image:
    canvas = _wood(rng, size).astype(np.float64)
    width = int(rng.integers(40, 150))
    for k, x in enumerate(range(0, size[1], width)):
        canvas[x : x + width] *= rng.uniform(0.8, 1.15)
        canvas[x : x + 2] *= 0.5
        for y in range(int(rng.integers(0, 300)), size[0], int(rng.integers(200, 600))):
            canvas[x : x + width, y : y + 2] *= 0.5
        if k % 3 == 0:
            canvas[x : x + width] += 8
    return np.asarray(np.clip(canvas, 0, 255), np.uint8)


def _box_of_holes(rng: Generator, size: tuple[int, int]) -> Image:
    """A square lid with a screw or a cut-out near each corner: the corners' dark rounds alone make no board."""
    flat = _wood(rng, (FLAT_PX, FLAT_PX))
    away, radius = rng.uniform(0.09, 0.16) * FLAT_PX, int(rng.uniform(0.015, 0.035) * FLAT_PX)
    for x in (away, FLAT_PX - away):
        for y in (away, FLAT_PX - away):
            cv2.circle(flat, (int(x), int(y)), radius, (25, 25, 28), -1, cv2.LINE_AA)
    cv2.putText(flat, "FRAGILE", (250, 470), cv2.FONT_HERSHEY_DUPLEX, 3, (40, 40, 40), 6, cv2.LINE_AA)
    return _laid(rng, _carpet(rng, size), flat, 0.7)


KINDS: Final[dict[str, Callable[[Generator, tuple[int, int]], Image]]] = {
    "table": _table, "tiles": _tiles, "chessboard": _chess, "rings": _rings, "crokinole": _crokinole, "picture frame": _picture_frame,
    "clutter": _clutter, "tray": _tray, "carpet": _carpet, "rug": _rug, "draughts": _draughts, "ludo": _ludo, "window": _window,
    "planks": _planks, "box": _box_of_holes, "plain": _plain,
}  # fmt: skip
"""What the pictures show."""


def other(seed: int) -> tuple[Image, str]:
    """A picture without a board, and what it shows instead."""
    rng = np.random.default_rng([seed, 12])
    kind = list(KINDS)[seed % len(KINDS)]
    canvas = KINDS[kind](rng, SIZES[int(rng.integers(len(SIZES)))]).astype(np.float64)
    h, w = canvas.shape[:2]
    light = 1 + 0.12 * _noise(rng, (w, h), (w / 2, h / 2))[..., None]
    soft = cv2.GaussianBlur(canvas * light, (0, 0), float(rng.uniform(0.4, 1.6)))
    return np.asarray(np.clip(soft + rng.normal(0, rng.uniform(0, 6), canvas.shape), 0, 255), np.uint8), kind
