"""A carrom board drawn to scale, and the ruler of a base line."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING, Final

import numpy as np

from models.board import BoardSpec
from models.stroke import Seat

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FRAME: Final = 66.0
"""Width of the frame that is drawn (mm; ICF 1.3: 63.5 to 76)."""
ARROW_GAP, ARROW_LENGTH, ARROW_ARCH = 50.0, 267.0, 31.75
"""The diagonal arrows: from the pocket's edge, length, radius of the arch at their end (mm; ICF 1.7)."""
TICK, LABEL = 50, 100
"""Marks and numbers of the ruler (mm)."""
WOOD, RIM, RIM_EDGE, LINE, RED, HOLE = "#ecd5a4", "#6a3d20", "#3c2110", "#54402c", "#c8503c", "#1a120b"
PALE: Final = "#f3e3c0"


def draw_board(axes: Axes, board: BoardSpec) -> None:
    """Frame, surface, pockets and markings, in board millimetres, north at the top."""
    from matplotlib.patches import Circle, FancyBboxPatch, Polygon

    s = board.side
    axes.set(xlim=(-FRAME - 2, s + FRAME + 2), ylim=(s + FRAME + 2, -FRAME - 2), aspect="equal")
    axes.axis("off")
    round_outside = f"round,pad=0,rounding_size={FRAME / 3}"
    axes.add_patch(
        FancyBboxPatch((-FRAME, -FRAME), s + 2 * FRAME, s + 2 * FRAME, boxstyle=round_outside, fc=RIM, ec=RIM_EDGE, lw=1.2, zorder=0)
    )
    axes.add_patch(Polygon(_outline(board), fc=WOOD, ec=RIM_EDGE, lw=1.6, zorder=0.5))
    for x, y in board.pockets().values():
        axes.add_patch(Circle((x, y), board.pocket_radius, fc=HOLE, ec=RIM_EDGE, lw=1, zorder=1))
    _base_lines(axes, board)
    _arrows(axes, board)
    c = s / 2
    axes.add_patch(Circle((c, c), board.outer_radius, fc="none", ec=LINE, lw=1.1, zorder=1))
    axes.add_patch(Circle((c, c), board.centre_radius, fc=RED, ec=LINE, lw=0.9, alpha=0.55, zorder=1))


def draw_ruler(axes: Axes, board: BoardSpec, seat: Seat, along: float) -> None:
    """Millimetres along the frame at `seat`, as x counts them, and a mark where the striker stands."""
    s = board.side
    level = across = s if seat in ("south", "east") else 0.0
    out = 1 if across else -1
    upright = seat in ("east", "west")

    def at(x: float, y: float) -> tuple[float, float]:
        return (y, x) if upright else (x, y)

    for mm in range(0, int(s) + 1, TICK):
        long = 9 if mm % LABEL == 0 else 5
        (x0, y0), (x1, y1) = at(mm, level + out * 3), at(mm, level + out * (3 + long))
        axes.plot([x0, x1], [y0, y1], color=PALE, lw=0.9, zorder=2)
        if mm % LABEL == 0:
            axes.text(*at(mm, level + out * (27 if upright else 23)), str(mm), ha="center", va="center", fontsize=7.5, color=PALE, zorder=2)
    foot, left, right = at(along, level + out * 1), at(along - 6, level + out * 14), at(along + 6, level + out * 14)
    axes.fill(*zip(foot, left, right, strict=True), color="#f2a01e", zorder=2.5)


def _outline(board: BoardSpec) -> list[tuple[float, float]]:
    """The frame's inner edge with its round corners, and round the pockets where they cut into it."""
    s, r = board.side, board.corner_radius
    corners = ((r, r, pi), (s - r, r, 1.5 * pi), (s - r, s - r, 0.0), (r, s - r, 0.5 * pi))
    turns = np.linspace(0, pi / 2, 16) if r > 0 else np.zeros(1)
    return [(x + r * cos(start + t), y + r * sin(start + t)) for x, y, start in corners for t in turns]


def _base_lines(axes: Axes, board: BoardSpec) -> None:
    from matplotlib.patches import Circle

    s, c = board.side, board.side / 2
    half, middle = board.base_length / 2 - board.base_circle_radius, board.base_middle
    for distance, width in ((board.base_outer, 2.2), (board.base_inner, 1.0)):
        for p in (distance, s - distance):
            axes.plot([c - half, c + half], [p, p], color=LINE, lw=width, zorder=1, solid_capstyle="butt")
            axes.plot([p, p], [c - half, c + half], color=LINE, lw=width, zorder=1, solid_capstyle="butt")
    for end in (c - half, c + half):
        for x, y in ((end, middle), (end, s - middle), (middle, end), (s - middle, end)):
            axes.add_patch(Circle((x, y), board.base_circle_radius, fc=WOOD, ec=LINE, lw=1, zorder=1.1))
            axes.add_patch(Circle((x, y), board.base_disc_radius, fc=RED, ec="none", alpha=0.75, zorder=1.2))


def _arrows(axes: Axes, board: BoardSpec) -> None:
    """The four diagonal arrows: a line from near each pocket inwards, with an arch at its end."""
    from matplotlib.patches import Arc

    c = board.side / 2
    for x, y in board.pockets().values():
        inwards = np.array([c - x, c - y]) / hypot(c - x, c - y)
        start = np.array([x, y]) + inwards * (board.pocket_radius + ARROW_GAP)
        length = min(ARROW_LENGTH, hypot(c - x, c - y) - board.pocket_radius - ARROW_GAP - board.outer_radius - 2 * ARROW_ARCH)
        if length <= 0:
            continue
        end = start + inwards * length
        axes.plot(*np.array([start, end]).T, color=LINE, lw=0.7, zorder=1)
        tip = 8 * inwards
        side = 3.5 * np.array([-inwards[1], inwards[0]])
        axes.fill(*np.array([start, start + tip + side, start + tip - side]).T, color=LINE, zorder=1)
        towards = np.degrees(np.arctan2(inwards[1], inwards[0]))
        middle = end + inwards * ARROW_ARCH
        axes.add_patch(
            Arc(tuple(middle), 2 * ARROW_ARCH, 2 * ARROW_ARCH, theta1=towards + 60, theta2=towards + 300, color=LINE, lw=0.7, zorder=1)
        )
