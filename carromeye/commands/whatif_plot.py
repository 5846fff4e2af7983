"""The picture of a stroke: where the discs lay, how they ran, what fell, and where the rest ended."""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, pi, sin
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from carromeye.commands.whatif import AHEAD, aim, happenings, summary, way
from carromeye.commands.whatif_board import FRAME, draw_board, draw_ruler
from models.equipment import Equipment
from models.files import replacing
from models.physics import Motion

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from carromeye.commands.whatif import WhatIf

SUFFIXES: Final = (".png", ".svg", ".pdf")
SIZE: Final = (8.4, 10.0)
"""Of the page (inches)."""
DPI: Final = 150
FACE: Final = {"white": "#fdf8e8", "black": "#2b2927", "queen": "#cf1f3f", "striker": "#2f6fb3"}
EDGE: Final = {"white": "#7a5a2a", "black": "#111111", "queen": "#7d0f24", "striker": "#163d69"}
"""Colours of discs and their outlines by class."""
WAY: Final = {
    "white": ("#fffdf3", "#8a6428"),
    "black": ("#2b2927", "#f3e3c0"),
    "queen": ("#cf1f3f", "#fff3e0"),
    "striker": ("#2f6fb3", "#eef5ff"),
}
"""Colours of ways and of their casing, which keeps them apart on wood and where they cross."""
GHOST: Final[dict[str, Any]] = {"fc": (0.18, 0.44, 0.7, 0.22), "ec": EDGE["striker"], "ls": (0, (3, 2))}
"""The striker where it first met a piece."""
OFF: Final[dict[str, Any]] = {"marker": "x", "ms": 11, "mew": 2.5, "color": "#cf1f3f"}
"""Where a disc left over the frame."""
STRIKER_WIDTH, PIECE_WIDTH, CASING = 2.6, 1.5, 1.3
"""Widths of ways, and how much wider their casing is (points)."""
ARROW: Final = (36.0, 12.0)
"""Length of the release's arrow: at standstill, and for each m/s (mm)."""
LONG_LEG: Final = 45.0
"""A leg of a way that is longer has an arrow head in its middle (mm)."""
SHRUNK: Final = 0.5
"""A fallen disc is drawn in its pocket at so much of its size."""
HEAD_LETTERS: Final = 60
"""So many fit above the picture at full size."""
ROWS, ROW = 4, 0.142
"""What happens is told in two columns of so many lines, each so high (inches)."""
INK: Final = "#2a2420"


def draw(out: Path, what: WhatIf, motion: Motion, kit: Equipment) -> None:
    """Draw the stroke into a PNG, SVG or PDF file, the board to scale, south at the bottom.

    Raises
    ------
    BadInput
        If the file cannot be written.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, facecolor="white")
    width, height = SIZE
    axes = figure.add_axes((0.02, 1 - (0.96 * width + 0.62) / height, 0.96, 0.96 * width / height))
    draw_board(axes, kit.board)
    draw_ruler(axes, kit.board, what.by, what.along)
    _ways(axes, motion)
    _discs(axes, motion)
    _fallen(axes, motion, kit)
    _contact(axes, motion)
    _release(axes, what, motion)
    head = f"{what.by.capitalize()} from x = {what.along:g} mm, {aim(what)}"
    figure.text(
        0.5, 1 - 0.3 / height, head, ha="center", va="center", fontsize=min(14.0, 14.0 * HEAD_LETTERS / len(head)), weight="bold", color=INK
    )
    _legend(figure.add_axes((0.02, 0.0, 0.3, 1.12 / height)), bool(motion.off_board))
    _words(figure, happenings(motion), summary(motion, what, kit))
    with replacing(out) as part:
        kind = out.suffix[1:].lower()
        figure.savefig(part, dpi=DPI, format=kind, metadata={"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[kind])


def _words(figure: Figure, told: list[str], end: list[str]) -> None:
    """What happens in two columns below the board, and how it ended below them."""
    if len(told) > 2 * ROWS:
        told = [*told[: 2 * ROWS - 1], f"... and {len(told) - 2 * ROWS + 1} more"]
    looks: dict[str, Any] = {"ha": "left", "va": "top", "fontsize": 7.5, "color": INK, "linespacing": 1.3}
    for k, column in enumerate((told[:ROWS], told[ROWS:])):
        figure.text(0.31 + 0.36 * k, 1.14 / SIZE[1], "\n".join(column), **looks)
    used = min(len(told), ROWS) * ROW
    figure.text(0.31, (1.14 - used) / SIZE[1], "\n".join(end), **looks)


def _ways(axes: Axes, motion: Motion) -> None:
    """Every way in its class's colour, cased, with heads that tell its direction; the striker's on top."""
    for i, cls in enumerate(motion.state_before.cls):
        corners = way(motion, i)
        if len(corners) < 2 or not np.ptp(corners, axis=0).any():
            continue
        colour, casing = WAY[cls]
        width, z = (STRIKER_WIDTH, 4.0) if cls == "striker" else (PIECE_WIDTH, 3.0)
        style: dict[str, Any] = {"solid_capstyle": "round", "solid_joinstyle": "round"}
        axes.plot(*corners.T, color=casing, lw=width + CASING, zorder=z, **style)
        axes.plot(*corners.T, color=colour, lw=width, zorder=z + 0.1, **style)
        for a, b in pairwise(corners):
            if hypot(*(b - a)) > LONG_LEG:
                _head(axes, a, b, colour, casing, z + 0.2)


def _head(axes: Axes, a: NDArray[np.float64], b: NDArray[np.float64], colour: str, casing: str, z: float) -> None:
    """An arrow head in the middle of a leg."""
    from matplotlib.patches import Polygon

    along = (b - a) / hypot(*(b - a))
    across = np.array([-along[1], along[0]])
    tip = (a + b) / 2 + 6 * along
    axes.add_patch(Polygon([tip, tip - 11 * along + 5 * across, tip - 11 * along - 5 * across], fc=colour, ec=casing, lw=0.7, zorder=z))


def _discs(axes: Axes, motion: Motion) -> None:
    """Hollow where a disc lay, filled where it ended."""
    from matplotlib.patches import Circle

    before, final = motion.state_before, motion.final
    for i, cls in enumerate(before.cls):
        if np.isnan(before.x[i]):
            continue
        here = not np.isnan(final.x[i])
        if not here or hypot(final.x[i] - before.x[i], final.y[i] - before.y[i]) > 1:
            axes.add_patch(Circle((before.x[i], before.y[i]), before.radius[i], fc="none", ec=EDGE[cls], lw=1.1, zorder=2.5))
        if here:
            place = (final.x[i], final.y[i])
            axes.add_patch(Circle(place, before.radius[i], fc=FACE[cls], ec=EDGE[cls], lw=1.1, zorder=5))
            axes.add_patch(
                Circle(place, 0.55 * before.radius[i], fc="none", ec=EDGE[cls] if cls != "black" else "#6a655f", lw=0.7, zorder=5)
            )


def _fallen(axes: Axes, motion: Motion, kit: Equipment) -> None:
    """What fell: small in its pocket, and when, on the frame beside it."""
    from matplotlib.patches import Circle

    cls, board = motion.state_before.cls, kit.board
    for name, (x, y) in board.pockets().items():
        own = [f for f in motion.pocketed if f.pocket == name]
        for k, f in enumerate(own):
            r = SHRUNK * motion.state_before.radius[f.index]
            turn = 2 * pi * k / max(len(own), 1)
            off = 0.0 if len(own) == 1 else min(board.pocket_radius - r, r / sin(pi / len(own)))
            place = (x + off * cos(turn), y + off * sin(turn))
            axes.add_patch(Circle(place, r, fc=FACE[cls[f.index]], ec="#e8d6b0", lw=0.8, zorder=6))
        text = "   ".join(f"{cls[f.index]} {f.t:.2f} s" for f in own[:3]) + (f"   and {len(own) - 3} more" if len(own) > 3 else "")
        middle = board.side / 2
        left, top = x < middle, y < middle
        axes.text(
            -FRAME + 8 if left else board.side + FRAME - 8, -FRAME * 0.72 if top else board.side + FRAME * 0.72, text,
            ha="left" if left else "right", va="center", fontsize=9.5, weight="bold", color="#fff6e2", zorder=8,
        )  # fmt: skip
    for i in motion.off_board:
        x, y = way(motion, i)[-1]
        axes.plot([x], [y], zorder=8, **OFF)


def _contact(axes: Axes, motion: Motion) -> None:
    """The ghost: the striker where it first met a piece, the piece, and the line through both, along which the piece is sent."""
    from matplotlib.patches import Circle

    if motion.first_contact is None:
        return
    first, t = motion.first_contact
    striker = motion.state_before.cls.index("striker")
    at = motion.positions(t)[0]
    ghost, piece, r = at[striker], at[first], motion.state_before.radius[striker]
    axes.add_patch(Circle(ghost, r, lw=1.3, zorder=6, **GHOST))
    normal = (piece - ghost) / hypot(*(piece - ghost))
    axes.plot(*np.array([ghost, piece + normal * 40]).T, color=EDGE["striker"], lw=0.9, ls=(0, (2, 2)), zorder=6)
    axes.plot(*(ghost + normal * r), marker="o", ms=3.5, color="#e87b00", mec="white", mew=0.6, zorder=7)


def _release(axes: Axes, what: WhatIf, motion: Motion) -> None:
    """The arrow of the release, its length with the speed, and the speed beside its foot."""
    before = motion.state_before
    striker = before.cls.index("striker")
    place = np.array([before.x[striker], before.y[striker]])
    ahead = np.array([before.vx[striker], before.vy[striker]])
    ahead /= hypot(*ahead)
    r = before.radius[striker]
    tip = place + ahead * (ARROW[0] + ARROW[1] * what.speed)
    axes.annotate("", tuple(tip), tuple(place), arrowprops=_arrow(0.9, shrinkA=0, shrinkB=0), zorder=7)
    x, y = place - np.array(AHEAD[what.by], float) * (r + 14)
    side = {"east": "left", "west": "right"}.get(what.by, "center")
    x += {"left": -8, "right": 8}.get(side, 0)
    axes.text(x, y, f"{what.speed:g} m/s", ha=side, va="center", fontsize=10.5, weight="bold", color="#6b3f00", zorder=8)


def _arrow(size: float, **more: float) -> dict[str, Any]:
    head = f"simple,head_length={size},head_width={size},tail_width={0.3 * size:.2f}"
    return {"arrowstyle": head, "fc": "#f2a01e", "ec": "#6b3f00", "lw": 0.9, **more}


def _legend(axes: Axes, off: bool) -> None:
    """What the marks mean."""
    from matplotlib.patches import Circle

    axes.set(xlim=(0, 100), ylim=(-4, 40), aspect="equal", anchor="NW")
    axes.axis("off")
    entries: tuple[tuple[str, dict[str, Any]], ...] = (
        ("where a piece lay", {"fc": "none", "ec": EDGE["black"]}),
        ("where it ended", {"fc": FACE["white"], "ec": EDGE["white"]}),
        ("the striker as it first met a piece", GHOST),
        ("how the striker was sent off", {}),
    )
    for k, (text, looks) in enumerate(entries):
        y = 35 - 10 * k
        if looks:
            axes.add_patch(Circle((8, y), 3.6, lw=1.1, **looks))
        else:
            axes.annotate("", (13, y), (3, y), arrowprops=_arrow(0.65))
        axes.text(17, y, text, va="center", fontsize=7.5, color=INK)
    if off:
        axes.plot([58], [25], **(OFF | {"ms": 7, "mew": 1.8}))
        axes.text(63, 25, "over the frame", va="center", fontsize=7.5, color=INK)
