"""What equipment can be: the limits of each figure of an equipment book, and how the figures must fit each other.

The limits are wide: they keep out slips of the unit and of the pen, not unusual boards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot, inf, sqrt
from typing import Final

from models.board import BoardSpec


@dataclass(frozen=True)
class Limit:
    """The least and the greatest value of a figure, and its unit."""

    least: float
    most: float
    unit: str = ""

    def __str__(self) -> str:
        """The limit in words."""
        unit = f" {self.unit}" if self.unit else ""
        if self.most == inf:
            return f"a number of at least {self.least:g}{unit}"
        return f"a number from {self.least:g} to {self.most:g}{unit}"


def _mm(least: float, most: float) -> Limit:
    return Limit(least, most, "mm")


BOARD: Final[Mapping[str, Limit]] = {
    "side": _mm(200, 2000),
    "pocket_radius": _mm(5, 500),
    "pocket_inset": _mm(0, 500),
    "corner_radius": _mm(0, 500),
    "base_outer": _mm(1, 1000),
    "base_inner": _mm(1, 1000),
    "base_length": _mm(10, 2000),
    "base_circle_radius": _mm(1, 200),
    "base_disc_radius": _mm(0, 200),
    "centre_radius": _mm(0, 500),
    "outer_radius": _mm(1, 1000),
}
"""`[board]`: the fields of `BoardSpec` that are of the board."""
DISCS: Final[Mapping[str, Limit]] = {"radius": _mm(3, 100), "mass": Limit(1e-4, 0.2, "kg")}
"""`[pieces]` and `[striker]`."""
SURFACE: Final[Mapping[str, Limit]] = {
    "friction_piece": Limit(10, 20_000, "mm/s^2"),
    "friction_striker": Limit(10, 20_000, "mm/s^2"),
    "fall_time": Limit(1e-4, 1, "s"),
    "jump_speed": Limit(100, inf, "mm/s"),
}
"""`[surface]`: the numbers of `Dynamics`."""
CONTACT: Final[Mapping[str, Limit]] = {"restitution": Limit(0, 1), "friction": Limit(0, 2)}
"""`[piece_piece]` and the other pairs: the fields of `Contact`."""
CONTACTS: Final = ("piece_piece", "striker_piece", "piece_cushion", "striker_cushion")
"""The pairs of `Dynamics`."""

LARGEST_PIECE: Final = 1.25
"""Pieces are at most so many times as wide as the striker."""
LARGEST_STRIKER: Final = 4.0
"""A striker is at most so many times as wide as a piece."""
RACK_RADIUS: Final = 5.0
"""Radius of the circle about the rack of nineteen, in radii of a piece: the outer ring's centres lie at four."""

Key = tuple[str, str]


@dataclass(frozen=True)
class Misfit:
    """Figures that cannot be together.

    Attributes
    ----------
    keys : tuple of (str, str)
        Section and key of each figure that has a part in it.
    text : str
        What is wrong and what would be right.
    """

    keys: tuple[Key, ...]
    text: str


def misfit(board: BoardSpec) -> Misfit | None:
    """The first thing about a board that cannot be; None if it can be played on."""
    b = board
    half = b.side / 2
    side, pocket, inset = ("board", "side"), ("board", "pocket_radius"), ("board", "pocket_inset")
    piece, striker = ("pieces", "radius"), ("striker", "radius")
    inner, outer, corner = ("board", "base_inner"), ("board", "base_outer"), ("board", "corner_radius")
    length, circle = ("board", "base_length"), ("board", "base_circle_radius")
    ends = b.side - 2 * b.base_outer
    deepest = _nearest_to_pocket(b, b.piece_radius)
    checks: tuple[tuple[bool, tuple[Key, ...], str], ...] = (
        (
            b.pocket_inset + b.pocket_radius < half / 2,
            (pocket, inset, side),
            f"pockets of radius {b.pocket_radius:g} mm, {b.pocket_inset:g} mm from the cushions, are too large: "
            f"they reach beyond a quarter of a side of {b.side:g} mm",
        ),
        (
            b.pocket_radius > b.piece_radius,
            (piece, pocket),
            f"no piece of radius {b.piece_radius:g} mm falls into a pocket of radius {b.pocket_radius:g} mm; pockets are wider than pieces",
        ),
        (
            b.piece_radius <= LARGEST_PIECE * b.striker_radius,
            (piece, striker),
            f"pieces of radius {b.piece_radius:g} mm are larger by far than a striker of radius {b.striker_radius:g} mm",
        ),
        (
            b.striker_radius <= LARGEST_STRIKER * b.piece_radius,
            (striker, piece),
            f"a striker of radius {b.striker_radius:g} mm is larger by far than pieces of radius {b.piece_radius:g} mm",
        ),
        (
            b.base_outer < b.base_inner < half,
            (inner, outer, side),
            f"the base lines, {b.base_outer:g} and {b.base_inner:g} mm from the cushion, want outer < inner < {half:g} mm, half the side",
        ),
        (
            b.base_middle >= b.striker_radius,
            (outer, inner, striker),
            f"a striker of radius {b.striker_radius:g} mm on both base lines, {b.base_middle:g} mm from the cushion, stands in the cushion",
        ),
        (
            RACK_RADIUS * b.piece_radius <= half - b.base_inner,
            (piece, inner, side),
            f"nineteen pieces of radius {b.piece_radius:g} mm do not fit between base lines {b.side - 2 * b.base_inner:g} mm apart",
        ),
        (
            4 * b.base_circle_radius < b.base_length <= ends,
            (length, circle, side, outer),
            f"base lines {b.base_length:g} mm long are not longer than their two circles ({4 * b.base_circle_radius:g} mm) "
            f"and at most the {ends:g} mm between the outer base lines",
        ),
        (
            b.base_disc_radius <= b.base_circle_radius,
            (("board", "base_disc_radius"), circle),
            f"the disc of radius {b.base_disc_radius:g} mm does not fit into its base circle of radius {b.base_circle_radius:g} mm",
        ),
        (
            b.centre_radius < b.outer_radius < half,
            (("board", "outer_radius"), ("board", "centre_radius"), side),
            f"the circles of radius {b.centre_radius:g} and {b.outer_radius:g} mm want centre < outer < {half:g} mm, half the side",
        ),
        (
            deepest < b.pocket_radius,
            (corner, inset, pocket),
            f"a piece in a corner of radius {b.corner_radius:g} mm stays {deepest:.1f} mm from the pocket's centre, and a pocket of radius "
            f"{b.pocket_radius:g} mm takes none",
        ),
    )  # fmt: skip
    return next((Misfit(keys, text) for fits, keys, text in checks if not fits), None)


def _nearest_to_pocket(board: BoardSpec, radius: float) -> float:
    """How near the centre of a disc comes to that of a pocket (mm), held off by the cushions and the frame's round corner."""
    inset, corner = board.pocket_inset, board.corner_radius
    # along the diagonal, from the corner of the cushions' lines
    stop = sqrt(2) * radius if corner <= radius else sqrt(2) * corner - (corner - radius)
    return max(0.0, stop - hypot(inset, inset))
