"""Where strikers are placed: on both base lines, over a base circle or clear of it (ICF law 130).

Boards made at home have their lines elsewhere, and a board's corners are found within a millimetre or two. So a seat's
lines are where its player places the striker time after time, and only what lies far beyond them is called.
"""

from __future__ import annotations

from collections import deque
from typing import Final

import numpy as np

from models.board import BoardSpec
from models.stroke import Seat
from tracking.cast import Array

HABIT: Final = 5
"""Placements of a seat that tell where its base lines are."""
USUAL: Final = 0.8
"""Share of them that must lie close together."""
CLOSE_MM: Final = 4.0
"""How close to their median (mm); and how close it must be to where an ICF board has its lines for those to be its lines."""
KEPT: Final = 40
"""Placements of a seat that are kept."""
THICK_MM: Final = 3.25
"""Half the thickness of the outer base line (mm): 5.0 to 6.5 mm by the laws."""
DOUBT_MM: Final = 5.0
"""What the sight of a striker at rest leaves open (mm): it stands higher than the board, and a finger lies over its rim."""
CIRCLES_KEPT: Final = 8
"""Placements, none of them partly on a base circle, after which one that is says something."""


class Placements:
    """The placements of a match, by seat."""

    def __init__(self, board: BoardSpec) -> None:
        self._board = board
        self._off: dict[Seat, deque[float]] = {}
        self._clear, self._partial = 0, 0

    def judge(self, seat: Seat, place: Array, radius: float) -> tuple[str, ...]:
        """What is plainly wrong with a placement, which then counts among those that tell where the lines are.

        Parameters
        ----------
        place : ndarray, shape (2,)
            Centre of the striker at rest before the stroke (mm).
        radius : float
            The striker's (mm).

        Returns
        -------
        tuple of str
            Of `off_baseline` and `partial_base_circle`; nothing where it is near the limit or the lines are not known.
        """
        along, off = offsets(place, seat, self._board)
        line = self._line(seat)
        wrong = []
        on_circle = self._partly_on_circle(along, off - (line or 0.0), radius)
        if line is not None:
            gap = self._board.base_inner - self._board.base_outer
            # Where the lines are not an ICF board's, nothing tells how far they are apart: at most by nothing.
            room = radius - gap / 2 if abs(line) < CLOSE_MM else radius
            if abs(off - line) > room + THICK_MM + DOUBT_MM:
                wrong.append("off_baseline")
            elif on_circle and abs(line) < CLOSE_MM and self._clear >= CIRCLES_KEPT and not self._partial:
                wrong.append("partial_base_circle")
        self._off.setdefault(seat, deque(maxlen=KEPT)).append(off)
        self._partial += on_circle
        self._clear += not on_circle
        return tuple(wrong)

    def _line(self, seat: Seat) -> float | None:
        """How much farther from its cushion than on an ICF board the middle of a seat's base lines is (mm), if it is known."""
        own = self._habit(seat)
        if own is not None:
            return own
        others = [h for s in self._off if s != seat and (h := self._habit(s)) is not None]
        return 0.0 if others and all(abs(h) < CLOSE_MM for h in others) else None

    def _habit(self, seat: Seat) -> float | None:
        off = np.array(self._off.get(seat, ()))
        if len(off) < HABIT:
            return None
        middle = float(np.median(off))
        return middle if np.mean(np.abs(off - middle) < CLOSE_MM) >= USUAL else None

    def _partly_on_circle(self, along: float, off: float, radius: float) -> bool:
        circle = self._board.base_length / 2 - self._board.base_circle_radius
        apart = float(np.hypot(abs(along) - circle, off))
        covers, clear = radius - self._board.base_circle_radius, radius + self._board.base_circle_radius
        return covers + DOUBT_MM < apart < clear - DOUBT_MM


def offsets(xy: Array, seat: Seat, board: BoardSpec) -> tuple[float, float]:
    """A point as a seat sees it: how far from the middle of its base lines along them and, towards the board's middle, across (mm)."""
    x, y = float(xy[0]), float(xy[1])
    along, deep = {
        "south": (x, board.side - y),
        "north": (x, y),
        "west": (y, x),
        "east": (y, board.side - x),
    }[seat]
    return along - board.side / 2, deep - board.base_middle
