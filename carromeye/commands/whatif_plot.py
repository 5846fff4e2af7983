"""The picture of a stroke: where the discs lay, how they ran, and where they ended."""

from __future__ import annotations

from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from models.board import BoardSpec
from models.equipment import Equipment
from models.files import replacing
from models.physics import Motion

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from carromeye.commands.whatif import WhatIf

SUFFIXES: Final = (".png", ".svg", ".pdf")
INCHES: Final = 8.0
DPI: Final = 130
FRAME: Final = 60.0
"""Width of the frame that is drawn (mm)."""
WOOD, RIM, LINE = "#e8cf9f", "#5d3a1f", "#8a6a3f"
FACE: Final = {"white": "#fbf6e6", "black": "#2c2a28", "queen": "#c8203c", "striker": "#3a6ea8"}
PATH: Final = {"white": "#b08a2e", "black": "#2c2a28", "queen": "#c8203c", "striker": "#3a6ea8"}


def draw(out: Path, what: WhatIf, motion: Motion, kit: Equipment) -> None:
    """Draw the stroke into a PNG, SVG or PDF file.

    Raises
    ------
    BadInput
        If the file cannot be written.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(INCHES, INCHES + 0.5))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.01, 0.01, 0.98, 0.92))
    _board(axes, kit.board)
    _stroke(axes, motion)
    for f in motion.pocketed:
        x, y = kit.board.pockets()[f.pocket]
        inwards = 1 if y < kit.board.side / 2 else -1
        axes.annotate(f"{motion.state_before.cls[f.index]} {f.t:.2f} s", (x, y - inwards * (FRAME - 6)), ha="center", va="center",
                      color="white", fontsize=9, weight="bold")  # fmt: skip
    aim = "straight ahead" if what.angle == 0 else f"{abs(what.angle):g}° {'right' if what.angle > 0 else 'left'}"
    axes.set_title(f"{what.by.capitalize()}, x = {what.along:g} mm, {aim}, {what.speed:g} m/s", fontsize=13)
    with replacing(out) as part:
        figure.savefig(part, dpi=DPI, format=out.suffix[1:].lower())


def _board(axes: Axes, b: BoardSpec) -> None:
    from matplotlib.patches import Circle, Rectangle

    s, c = b.side, b.side / 2
    axes.add_patch(Rectangle((-FRAME, -FRAME), s + 2 * FRAME, s + 2 * FRAME, color=RIM))
    axes.add_patch(Rectangle((0, 0), s, s, color=WOOD))
    half = b.base_length / 2 - b.base_circle_radius
    for across in (b.base_outer, b.base_inner):
        for p in (across, s - across):
            axes.plot([c - half, c + half], [p, p], color=LINE, lw=1)
            axes.plot([p, p], [c - half, c + half], color=LINE, lw=1)
    m = b.base_middle
    for end in (c - half, c + half):
        for x, y in ((end, m), (end, s - m), (m, end), (s - m, end)):
            axes.add_patch(Circle((x, y), b.base_circle_radius, fill=False, color=LINE, lw=1))
            axes.add_patch(Circle((x, y), b.base_disc_radius, color="#c96a5a", alpha=0.5, lw=0))
    for radius in (b.centre_radius, b.outer_radius):
        axes.add_patch(Circle((c, c), radius, fill=False, color=LINE, lw=1))
    for x, y in b.pockets().values():
        axes.add_patch(Circle((x, y), b.pocket_radius, color="#1b120a"))
    axes.set_xlim(-FRAME, s + FRAME)
    axes.set_ylim(s + FRAME, -FRAME)
    axes.set_aspect("equal")
    axes.axis("off")


def _stroke(axes: Axes, motion: Motion) -> None:
    from matplotlib.patches import Circle

    before = motion.state_before
    for i, (cls, course) in enumerate(zip(before.cls, motion.courses, strict=True)):
        if len(course.t) == 0 or np.isnan(before.x[i]):
            continue
        # between two events a disc runs straight: its rows are the corners of its way
        way = np.vstack([course.rows[:, :2], motion.positions(min(course.gone - 1e-9, motion.duration))[0, i]])
        moved = float(np.hypot(*(way[-1] - way[0]))) > 0.5 or len(course.t) > 2
        if moved:
            axes.add_patch(Circle((before.x[i], before.y[i]), before.radius[i], fill=False, ls="--", lw=1, color=PATH[cls]))
            axes.plot(*way.T, color=PATH[cls], lw=2.2 if cls == "striker" else 1.5, alpha=0.85, zorder=3)
        if not np.isnan(motion.final.x[i]):
            end = (motion.final.x[i], motion.final.y[i])
            axes.add_patch(Circle(end, before.radius[i], facecolor=FACE[cls], edgecolor="#4a3a28", lw=1, zorder=4, alpha=0.95))
    striker = len(before) - 1
    speed = hypot(before.vx[striker], before.vy[striker])
    x, y = before.x[striker], before.y[striker]
    dx, dy = before.vx[striker] / speed, before.vy[striker] / speed
    r = before.radius[striker]
    axes.annotate(
        "", (x + dx * 3 * r, y + dy * 3 * r), (x, y), arrowprops={"arrowstyle": "-|>", "color": PATH["striker"], "lw": 2.5}, zorder=6
    )
    if motion.first_contact is not None:
        ghost = motion.positions(motion.first_contact[1])[0, striker]
        axes.add_patch(Circle(ghost, r, fill=False, lw=1.2, ls=":", color=PATH["striker"], zorder=5))
