"""The playing surface as it is printed, drawn, worn, powdered and pocketed."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.board import BoardSpec
from models.scene.looks import Bgr, Markings, Pockets
from models.scene.pen import Pen
from models.scene.pictures import draw_picture
from models.scene.texture import FONTS, noise

ARROW_FROM_MM: Final = 72.0
ARROW_TO_MM: Final = 268.0
"""Where the arrows on the diagonals begin and end, along each axis from the corner (ICF: clear of the pockets, not past the arcs)."""
ARC_RADIUS_MM: Final = 31.75


def _turned(points: NDArray[np.float64], quarter: int, side: float) -> NDArray[np.float64]:
    """Points turned by quarters about the board's middle."""
    c = side / 2
    d = points - c
    for _ in range(quarter % 4):
        d = np.c_[-d[:, 1], d[:, 0]]
    return np.asarray(d + c, np.float64)


def draw_markings(pen: Pen, m: Markings, board: BoardSpec, rng: Generator) -> None:
    """Print or draw the pictures, lines, circles, arrows, ornaments and words."""
    for picture in m.pictures:
        if picture.kind != "sticker":
            draw_picture(pen, picture, rng)
    if m.home_drawn:
        _home_lines(pen, m, board, rng)
    else:
        _base_lines(pen, m, board)
    if m.arrows and not m.home_drawn:
        _arrows(pen, m, board, rng)
    _centre(pen, m, board, rng)
    if m.ornaments:
        _ornaments(pen, m, board, rng)
    font = int(rng.choice(FONTS))
    for quarter, words in enumerate(m.texts):
        if words:
            depth = board.base_inner + 24 if m.text_inside else board.base_middle
            at = _turned(np.array([[board.side / 2 + rng.uniform(-60, 60), board.side - depth]]), quarter, board.side)[0]
            pen.text(words, at[0], at[1], float(rng.uniform(6, 13)), -quarter, m.text_ink, font)
    if m.scribble:
        at = rng.uniform(60, board.side - 60, 2)
        pen.line(at + np.cumsum(rng.normal(0, 6, (int(rng.integers(10, 40)), 2)), 0), m.ink, 0.6)
    for picture in m.pictures:
        if picture.kind == "sticker":
            draw_picture(pen, picture, rng)


def _base_lines(pen: Pen, m: Markings, board: BoardSpec) -> None:
    half = board.base_length / 2 - board.base_circle_radius
    c, s = board.side / 2, board.side
    for q in range(4):
        for depth, width in ((board.base_outer, m.outer_width), (board.base_inner, m.inner_width)):
            pen.line(_turned(np.array([[c - half, s - depth], [c + half, s - depth]]), q, s), m.ink, width)
    for q in range(4):
        for sign in (-1, 1):
            x, y = _turned(np.array([[c + sign * half, s - board.base_middle]]), q, s)[0]
            if m.base_circles:
                pen.circle(x, y, board.base_circle_radius * m.circle_scale, m.ink, m.disc_ring)
                pen.circle(x, y, board.base_disc_radius * m.circle_scale * (1 if m.disc_ring < 1.7 else 0.85), m.red)
    for q in range(4):
        corner = c - half - 20
        x, y = _turned(np.array([[corner, corner]]), q, s)[0]
        if m.corner_dot == "full":
            pen.circle(x, y, 6.35, m.ink)
        elif m.corner_dot != "none":
            pen.circle(x, y, 6.35, m.ink, m.thin)
            if m.corner_dot == "half":
                a = np.radians(np.linspace(45, 225, 20) + 90 * q)
                pen.polygon(np.c_[x + 6.35 * np.cos(a), y + 6.35 * np.sin(a)], m.ink)


def _home_lines(pen: Pen, m: Markings, board: BoardSpec, rng: Generator) -> None:
    s, over = board.side, float(rng.choice([0.0, rng.uniform(5, 35)]))
    depths = [board.base_outer, board.base_inner]
    if rng.random() < 0.5:
        depths.append(board.base_outer + 5)
    skew = rng.normal(0, m.jitter, (4, 2))
    for i, d in enumerate(depths):
        reach = over if i == 0 else 0.0
        for q in range(4):
            e = skew[q]
            ends = np.array([[d - reach, s - d + e[0]], [s - d + reach, s - d + e[1]]])
            pen.line(_turned(ends, q, s), m.ink, m.outer_width if i == 0 else m.thin * 0.7)
    if m.arrows:
        a, b = rng.uniform(60, 95), rng.uniform(150, 280)
        for q in range(4):
            pen.line(_turned(np.array([[a, a], [b, b]]), q, s), m.ink, m.thin * 0.7)
    if m.base_circles:
        half = board.base_length / 2 - board.base_circle_radius
        for q in range(4):
            for sign in (-1, 1):
                x, y = _turned(np.array([[s / 2 + sign * half, s - board.base_middle]]), q, s)[0]
                pen.circle(x, y, board.base_circle_radius, m.ink, m.thin)


def _arrows(pen: Pen, m: Markings, board: BoardSpec, rng: Generator) -> None:
    s = board.side
    a, b = ARROW_FROM_MM + rng.uniform(-8, 8), ARROW_TO_MM + rng.uniform(-15, 6)
    filled, tail = bool(rng.random() < 0.6), bool(rng.random() < 0.3)
    mid = b - (ARC_RADIUS_MM + rng.uniform(-4, 2)) / np.sqrt(2)
    for q in range(4):
        pen.line(_turned(np.array([[a, a], [b, b]]), q, s), m.ink, m.thin)
        x, y = _turned(np.array([[a, a]]), q, s)[0]
        pen.arrowhead(x, y, 225 + 90 * q, 9, m.ink, filled)
        if tail:
            x, y = _turned(np.array([[b, b]]), q, s)[0]
            pen.arrowhead(x, y, 225 + 90 * q, 8, m.ink, True)
        if m.arcs == "none":
            continue
        x, y = _turned(np.array([[mid, mid]]), q, s)[0]
        start, end = (270 + 90 * q - 360, 180 + 90 * q) if m.arcs == "arcs" else (90 * q, 360 + 90 * q)
        pen.arc(x, y, ARC_RADIUS_MM, start, end, m.ink, m.thin)
        for angle, turn in ((start, -90), (end, 90)):
            r = np.radians(angle)
            pen.arrowhead(x + ARC_RADIUS_MM * np.cos(r), y + ARC_RADIUS_MM * np.sin(r), angle + turn, 6, m.ink, filled)


def _centre(pen: Pen, m: Markings, board: BoardSpec, rng: Generator) -> None:
    c = board.side / 2
    big, small = board.outer_radius * m.centre_scale, board.centre_radius
    if m.centre != "plain" or rng.random() < 0.5:
        pen.circle(c, c, big, m.ink, m.thin)
        if m.double_ring:
            pen.circle(c, c, big - float(rng.uniform(4, 16)), m.ink, m.thin * float(rng.uniform(0.6, 2)))
    if m.centre == "star":
        _star(pen, m, c, big, small, rng)
    elif m.centre == "rosette":
        inner = big * float(rng.uniform(0.72, 0.85))
        pen.circle(c, c, inner, m.ink, m.thin * 2)
        for q in range(4):
            a = np.radians(45 + 90 * q)
            pen.arc(
                c + inner * 1.25 * np.cos(a), c + inner * 1.25 * np.sin(a), inner * 0.9, 90 * q + 175, 90 * q + 275, m.ink, m.thin * 1.5
            )
            b = np.radians(90 * q)
            pen.circle(c + inner * 0.72 * np.cos(b), c + inner * 0.72 * np.sin(b), float(rng.uniform(5, 8)), m.ink, m.thin * 1.5)
            pen.circle(c + small * 1.7 * np.cos(b), c + small * 1.7 * np.sin(b), 5, m.ink)
        pen.circle(c, c, small * 1.5, m.ink, m.thin)
    elif m.centre == "rings":
        pen.circle(c, c, big * float(rng.uniform(0.5, 0.8)), m.ink, m.thin)
    if m.centre_disc:
        pen.circle(c, c, small * float(rng.uniform(0.85, 1.05)), m.red)
    elif rng.random() < 0.6:
        pen.circle(c, c, small, m.ink, m.thin)


def _star(pen: Pen, m: Markings, c: float, big: float, small: float, rng: Generator) -> None:
    points, inner = 8, small * float(rng.uniform(0.95, 1.6))
    light: Bgr = m.red if rng.random() < 0.8 else m.ink
    for k in range(points):
        a = 2 * np.pi * k / points
        tip = np.array([c + big * np.cos(a), c + big * np.sin(a)])
        sides = [np.array([c + inner * np.cos(a + t), c + inner * np.sin(a + t)]) for t in (-np.pi / points, np.pi / points)]
        middle = np.array([c, c])
        pen.polygon([tip, sides[0], middle], light if k % 2 == 0 else m.ink)
        pen.line([sides[0], tip, sides[1]], m.ink, m.thin)
        pen.line([middle, tip], m.ink, m.thin)


def _ornaments(pen: Pen, m: Markings, board: BoardSpec, rng: Generator) -> None:
    kind, s = int(rng.integers(4)), board.side
    at = float(rng.uniform(45, 95))
    for q in range(4):
        if kind == 0:
            x, y = _turned(np.array([[at, at]]), q, s)[0]
            pen.circle(x, y, float(rng.uniform(5, 13)), m.text_ink, m.thin)
        elif kind == 1:
            x, y = _turned(np.array([[s / 2, at]]), q, s)[0]
            for k in range(6):
                a = k * np.pi / 3
                pen.circle(x + 9 * np.cos(a), y + 9 * np.sin(a), 4, m.text_ink)
        elif kind == 2:
            x, y = _turned(np.array([[s / 2, 220.0]]), q, s)[0]
            pen.circle(x, y, 15, m.red if q % 2 else m.ink, m.thin * 2)
            pen.circle(x, y, 9, m.text_ink)
        else:
            pen.line(_turned(np.array([[at, at + 60], [at, at], [at + 60, at]]), q, s), m.text_ink, 2.0)


def draw_pockets(canvas: NDArray[np.uint8], look: Pockets, board: BoardSpec, rng: Generator, px_per_mm: float, origin: float) -> None:
    """Cut the pockets into the surface, in place."""
    s = board.side
    quarter = look.style == "quarter_net"
    r = look.radius
    big = float(rng.uniform(1.9, 2.7)) * r
    rim = float(rng.uniform(0.3, 1.0))
    for q in range(4):
        at = np.array([[0.0, 0.0]]) if quarter else np.array([[r, r]])
        x, y = _turned(at, q, s)[0]
        reach = big if quarter else r
        hole = np.zeros(canvas.shape[:2], np.uint8)
        Pen(hole, px_per_mm, origin, rng).circle(x, y, reach, (255, 255, 255))
        lo, hi = int((min(x - reach, s) - 3 - origin) * px_per_mm), int((x + reach + 3 - origin) * px_per_mm)
        to, bo = int((y - reach - 3 - origin) * px_per_mm), int((y + reach + 3 - origin) * px_per_mm)
        lo, to = max(0, lo), max(0, to)
        m = hole[to:bo, lo:hi]
        h, w = m.shape
        yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
        middle_x, middle_y = (x - origin) * px_per_mm - lo, (y - origin) * px_per_mm - to
        inside = _bottom(look, rng, (w, h), px_per_mm)
        lean = 4 * px_per_mm * np.array([np.cos(q * 1.57 + 0.8), np.sin(q * 1.57 + 0.8)])
        away = np.hypot(xx - middle_x + lean[0], yy - middle_y + lean[1]) / (reach * px_per_mm)
        inside *= (1 - rim * np.clip(away - 0.25, 0, 1) ** 1.5)[..., None]
        a = (m.astype(np.float32) / 255)[..., None]
        part = canvas[to:bo, lo:hi]
        part[:] = np.clip(part * (1 - a) + inside * a, 0, 255).astype(np.uint8)
        if look.style == "cup":
            Pen(canvas, px_per_mm, origin, rng).circle(x, y, reach, look.net, float(rng.uniform(2, 4.5)))
        elif rng.random() < 0.5:
            Pen(canvas, px_per_mm, origin, rng).circle(x, y, reach, tuple(0.5 * v for v in look.colour), 1.0)  # type: ignore[arg-type]


def _bottom(look: Pockets, rng: Generator, size: tuple[int, int], k: float) -> NDArray[np.float32]:
    """What is seen through a pocket."""
    w, h = size
    grit = 1 + 0.12 * noise(rng, size, (10 * k, 10 * k), 2)
    out = grit[..., None] * np.asarray(look.colour, np.float32)
    if look.style in ("net_dark", "net_light", "quarter_net"):
        yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
        bend = 2.5 * k * noise(rng, size, (14 * k, 14 * k), 1)
        q = float(rng.uniform(2.0, 5.5)) * k
        mesh = np.maximum(np.cos((xx + yy + bend) / q), np.cos((xx - yy - bend) / q))
        lo = 0.55 if look.style == "net_dark" else -0.1
        thread = np.clip((mesh - lo) * 3, 0, 1) * (0.7 + 0.3 * np.clip(grit, 0, 2))
        part = np.clip(noise(rng, size, (30 * k, 30 * k), 1) + (0.3 if look.style == "net_dark" else 1.6), 0, 1)
        a = (thread * part)[..., None]
        out = out * (1 - a) + np.asarray(look.net, np.float32) * a
    return np.asarray(out, np.float32)
