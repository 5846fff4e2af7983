"""What stands still: table, playing surface, pockets, frame and the light on them, as canvases in board millimetres."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.board import BoardSpec
from models.scene.ageing import age, varnish, wear
from models.scene.lamps import LIGHT_MM, add_mirrored, light_map
from models.scene.looks import Style
from models.scene.pen import Pen
from models.scene.surface import draw_markings, draw_pockets
from models.scene.texture import FONTS, cover, noise, wood

EDGE_MM: Final = 3.0
"""How far canvases reach beyond what is seen of them (mm)."""
TABLE_RESOLUTION: Final = 0.5
FRAME_RESOLUTION: Final = 0.8
"""Pixels per millimetre of these canvases over those of the playing surface."""
SMEAR_PX: Final = 4
"""Grid of what is smeared over the frame (px)."""
MOST_TABLE_PX: Final = 1500
"""Side of the table's canvas at most."""


@dataclass(frozen=True)
class Canvas:
    """A square picture, uint8 BGR, that begins at (`origin`, `origin`) mm and has `px_per_mm`."""

    picture: NDArray[np.uint8]
    px_per_mm: float
    origin: float


@dataclass(frozen=True)
class Scenery:
    """Canvases under their light: `table`, playing `surface` and the `frame`'s wood (only its ring is seen).

    `light` (m, m, 3) is the light's factor on a grid of `LIGHT_MM` that begins at (`origin`, `origin`) mm.
    """

    table: Canvas
    surface: Canvas
    frame: Canvas
    light: NDArray[np.float32]
    origin: float

    def light_at(self, x: float, y: float) -> NDArray[np.float32]:
        """Factor of the light at a point (mm), shape (3,)."""
        n = self.light.shape[0] - 1
        i, j = int((y - self.origin) / LIGHT_MM), int((x - self.origin) / LIGHT_MM)
        return np.asarray(self.light[min(max(i, 0), n), min(max(j, 0), n)], np.float32)


def build(style: Style, board: BoardSpec, rng: Generator, px_per_mm: float, around: float, reach: float) -> Scenery:
    """Draw the canvases.

    Parameters
    ----------
    px_per_mm : float
        Of the playing surface.
    around, reach : float
        How far the light and the table are drawn beyond the playing surface (mm).
    """
    light = light_map(style.light, board, rng, around)

    surface = _surface(style, board, rng, px_per_mm, light, -around)
    frame = _frame(style, board, rng, FRAME_RESOLUTION * px_per_mm)
    table = _table(style, board, rng, min(TABLE_RESOLUTION * px_per_mm, MOST_TABLE_PX / (board.side + 2 * reach)), reach)
    return Scenery(_lit(table, light, -around), surface, _lit(frame, light, -around), light, -around)


def _lit(canvas: Canvas, light: NDArray[np.float32], origin: float) -> Canvas:
    """A canvas under the light, which beyond its map is as at the map's edge."""
    n = canvas.picture.shape[0]
    # Pixel i of the canvas lies at this place of the light's grid.
    scale, start = 1 / (canvas.px_per_mm * LIGHT_MM), (canvas.origin - origin) / LIGHT_MM
    to_grid = np.array([[scale, 0.0, start], [0.0, scale, start]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    factor = cv2.warpAffine(light, to_grid, (n, n), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return replace(canvas, picture=np.asarray(cv2.multiply(canvas.picture, factor, dtype=cv2.CV_8U), np.uint8))


def _surface(style: Style, board: BoardSpec, rng: Generator, k: float, light: NDArray[np.float32], origin: float) -> Canvas:
    n = int((board.side + 2 * EDGE_MM) * k)
    bare = varnish(wood(rng, style.wood, (n, n), k), style.wood, board, rng, k, EDGE_MM)
    out = bare.copy()
    pen = Pen(out, k, -EDGE_MM, rng, style.markings.jitter)
    draw_markings(pen, style.markings, board, rng)
    if style.markings.faint:
        out = np.asarray(cv2.addWeighted(out, 1 - style.markings.faint, bare, style.markings.faint, 0), np.uint8)
    out = age(wear(out, bare, style.wood, rng, k), style.wood, board, rng, k, -EDGE_MM)
    draw_pockets(out, style.pockets, board, rng, k, -EDGE_MM)
    if style.surround.cable:
        _cable(Pen(out, k, -EDGE_MM, rng), board, rng)
    shaded = light * _frame_shade(style, board, light.shape[0], origin)
    canvas = _lit(Canvas(out, k, -EDGE_MM), shaded, origin)
    return replace(canvas, picture=add_mirrored(canvas.picture, style.light, k, -EDGE_MM))


def _table(style: Style, board: BoardSpec, rng: Generator, k: float, reach: float) -> Canvas:
    n = int((board.side + 2 * reach) * k)
    out = np.clip(cover(rng, style.surround, (n, n), k), 0, 255).astype(np.uint8)
    return Canvas(_under_frame(out, style, board, k, -reach), k, -reach)


def _frame_shade(style: Style, board: BoardSpec, m: int, origin: float) -> NDArray[np.float32]:
    """Shadow of the frame on the surface and the dark along its foot, shape (m, m, 1)."""
    grid = np.arange(m, dtype=np.float32) * LIGHT_MM + origin
    light, high = style.light, style.frame.height
    lamp = np.array([np.cos(light.azimuth), np.sin(light.azimuth)]) * light.slant * high
    shade = np.ones((m, m), np.float32)
    soft = max(2.0, light.softness + 0.2 * high)
    for axis in (0, 1):
        d = grid
        low, top = max(0.0, float(lamp[axis])), max(0.0, float(-lamp[axis]))
        # Light from the side where x or y is small leaves the shadow of that side's wall.
        fall = _fall((d - top) / soft) * (top > 1) + _fall((board.side - d - low) / soft) * (low > 1)
        foot = np.exp(-np.clip(d, 0, None) / (0.5 * high)) + np.exp(-np.clip(board.side - d, 0, None) / (0.5 * high))
        line = (1 - light.shadow * np.clip(fall, 0, 1)) * (1 - 0.35 * light.ambient_shadow * np.clip(foot, 0, 1))
        shade *= line[None, :] if axis == 0 else line[:, None]
    inside = ((grid > -4) & (grid < board.side + 4)).astype(np.float32)
    keep = inside[None] * inside[:, None]
    return np.asarray((shade * keep + 1 - keep)[..., None], np.float32)


def _fall(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """A soft step from 1 down to 0 at `x` = 0."""
    return np.asarray(0.5 - 0.5 * np.tanh(x / 2), np.float32)


def _under_frame(out: NDArray[np.uint8], style: Style, board: BoardSpec, k: float, origin: float) -> NDArray[np.uint8]:
    """The table with the frame's shadow on it."""
    n, q = out.shape[0], 5
    small = np.zeros((n // q, n // q), np.float32)
    a = int((-style.frame.width - origin) * k / q)
    b = int((board.side + style.frame.width - origin) * k / q)
    cv2.rectangle(small, (a, a), (b, b), (1.0,), -1)
    d = -np.array([np.cos(style.light.azimuth), np.sin(style.light.azimuth)]) * 30 * style.light.slant * k / q
    moved = cv2.warpAffine(small, np.array([[1, 0, d[0]], [0, 1, d[1]]]), small.shape[::-1])
    dark = cv2.GaussianBlur(np.maximum(small, moved), (0, 0), max(0.5, 14 * k / q)) * np.float32(0.3 + 0.4 * style.light.shadow)
    factor = cv2.resize(1 - dark, (n, n), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(out, cv2.merge([factor] * 3), dtype=cv2.CV_8U), np.uint8)


def _frame(style: Style, board: BoardSpec, rng: Generator, k: float) -> Canvas:
    look = style.frame
    origin = -look.width - EDGE_MM
    n = int((board.side - 2 * origin) * k)
    half = n // 2
    value = 1 + 0.1 * noise(rng, (half, half), (150 * k / 2, 6 * k / 2), 2)
    base = np.clip(value[..., None] * np.asarray(look.colour, np.float32), 0, 255).astype(np.uint8)
    canvas = np.asarray(cv2.resize(base, (n, n)), np.uint8)
    pen = Pen(canvas, k, origin, rng)
    s, w = board.side, look.width
    if look.inlay:
        for d in (-0.35 * w, -0.5 * w, -0.65 * w):
            reach = float(rng.uniform(100, 320))
            for line in ([[s / 2 - reach, d], [s / 2 + reach, d]], [[s / 2 - reach, s - d], [s / 2 + reach, s - d]]):
                pen.line(line, look.inlay_colour, 0.05 * w)
                pen.line(np.array(line)[:, ::-1], look.inlay_colour, 0.05 * w)
        for p in ((s / 2 - 170, -0.5 * w), (s / 2 + 170, -0.5 * w), (s / 2 - 170, s + 0.5 * w), (s / 2 + 170, s + 0.5 * w)):
            pen.circle(p[0], p[1], 0.17 * w, look.inlay_colour)
            pen.circle(p[1], p[0], 0.17 * w, look.inlay_colour)
    if look.label:
        font = int(rng.choice(FONTS))
        for y, turns in ((-0.5 * w, 0), (s + 0.5 * w, int(rng.choice([0, 2])))):
            pen.text(look.label, s / 2, y, 0.3 * w, turns, look.inlay_colour, font)
    for e in ([[-w, -w], [0, 0]], [[s, 0], [s + w, -w]], [[s, s], [s + w, s + w]], [[-w, s + w], [0, s]]):
        pen.line(e, tuple(0.6 * c for c in look.colour), 1.0)  # type: ignore[arg-type]
    if look.scratches > 0.1:
        long, wide = float(rng.uniform(6, 70)) * k / 2, float(rng.uniform(4, 30)) * k / 2
        patch = noise(rng, (half, half), (long, wide) if rng.random() < 0.5 else (wide, long), 4)
        chip = np.clip((patch + 1.5 * look.scratches - 2.4) * 3, 0, 1)
        worn = np.asarray(cv2.resize(np.asarray(chip, np.float32), (n, n)), np.float32)
        bare = np.full_like(canvas, np.clip(np.asarray(look.lip) * 1.2 + 25, 0, 255))
        canvas = np.asarray(cv2.blendLinear(canvas, bare, 1 - worn, worn), np.uint8)
    levels = _smears(style, board, rng, k, origin, n // SMEAR_PX)
    if look.gloss > 0.1:
        shine = noise(rng, (n // SMEAR_PX, n // SMEAR_PX), (90 * k / 8, 90 * k / 8), 2)
        levels += np.clip(shine - 0.6, 0, 2) * np.float32(70 * look.gloss)
    grey = cv2.resize(levels.astype(np.int16), (n, n), interpolation=cv2.INTER_LINEAR)
    return Canvas(np.asarray(cv2.add(canvas, cv2.merge([grey] * 3), dtype=cv2.CV_8U), np.uint8), k, origin)


def _smears(style: Style, board: BoardSpec, rng: Generator, k: float, origin: float, size: int) -> NDArray[np.float32]:
    """Powder wiped over the frame, lamps in its lacquer and stickers: levels, on a grid of `SMEAR_PX`."""
    q, w = SMEAR_PX, style.frame.width
    layer = np.zeros((size, size), np.float32)
    for _ in range(style.frame.smears):
        along, off = rng.uniform(-w, board.side + w), rng.uniform(-w, 4)
        x, y = [(along, off), (along, board.side - off), (off, along), (board.side - off, along)][int(rng.integers(4))]
        c = (int((x - origin) * k / q), int((y - origin) * k / q))
        axes = (max(1, int(rng.gamma(2, 9) * k / q)), max(1, int(rng.gamma(2, 4) * k / q)))
        cv2.ellipse(layer, c, axes, float(rng.uniform(0, 180)), 0, 360, (float(rng.uniform(-110, 160)),), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(layer, (0, 0), float(rng.uniform(0.4, 4)) * k / q + 0.3), np.float32)


def _cable(pen: Pen, board: BoardSpec, rng: Generator) -> None:
    """A cable or string across a corner of the board."""
    t = np.linspace(0, 1, 60)[:, None]
    p = rng.uniform(-60, board.side + 60, (4, 2))
    p[0] = (rng.uniform(-80, board.side + 80), board.side + 80)
    curve = (1 - t) ** 3 * p[0] + 3 * (1 - t) ** 2 * t * p[1] + 3 * (1 - t) * t**2 * p[2] + t**3 * p[3]
    v = float(rng.uniform(10, 200))
    pen.line(np.add(curve, (2, 3)), (40.0, 40.0, 40.0), 3.0)
    pen.line(curve, (v, float(rng.uniform(10, 200)), float(rng.uniform(10, 220))), float(rng.uniform(1.5, 5)))
