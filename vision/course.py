"""How the camera saw the board in the course of a video: one calibration after the other, and when it was moved."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from models.homography import transform
from vision.types import Array, Calibration

WORTH_TELLING_MM: Final = 3.0
"""A move of less (mm at a corner) is followed without a word."""


@dataclass(frozen=True)
class Bump:
    """The camera or the board was moved.

    Attributes
    ----------
    t : float
        When it was noticed (s).
    until : float or None
        When the board had been found again and lay still (s); None if it was not.
    moved : float
        How far the corner that moved most did (mm on the board); NaN if the board was not found again.
    blind : bool
        For a part of the time in between it was not known where the board is.
    """

    t: float
    until: float | None
    moved: float
    blind: bool = False

    def text(self) -> str:
        """One sentence for people."""
        if self.until is None:
            return f"at {self.t:.1f} s: the camera or the board was moved, and from then on the board was not found again"
        text = f"at {self.t:.1f} s: the camera or the board was moved, by {self.moved:.0f} mm at a corner"
        return f"{text}; the board was {'found again' if self.blind else 'followed and lay still'} at {self.until:.1f} s"


def moved_mm(before: Calibration, after: Calibration) -> float:
    """How far apart two calibrations put the corner that they differ most in (mm on the board)."""
    away = transform(after.homography(), before.corners) - before.board.corners()
    return float(np.hypot(*away.T).max())


@dataclass
class Course:
    """The calibrations of a video and the times from which they hold.

    Attributes
    ----------
    first : Calibration
        What holds from the beginning.
    bumps : list of Bump
    """

    first: Calibration
    bumps: list[Bump] = field(default_factory=list)
    _times: list[float] = field(default_factory=list)
    _held: list[Calibration | None] = field(default_factory=list)

    def set(self, t: float, calibration: Calibration | None) -> None:
        """From `t` (s) on a calibration holds, or with None nothing is known; times must not fall."""
        if calibration is not self.at(t):
            self._times.append(t)
            self._held.append(calibration)

    def at(self, t: float) -> Calibration | None:
        """The calibration that holds at `t` (s); None while it is not known."""
        k = bisect_right(self._times, t)
        return self._held[k - 1] if k else self.first

    def moved_back(self, matrix: Array) -> Course:
        """The same, all of it `moved_back`."""
        held = [None if c is None else moved_back(c, matrix) for c in self._held]
        return Course(moved_back(self.first, matrix), self.bumps, list(self._times), held)

    def warnings(self) -> list[str]:
        """What the reader of the results should know of the moves."""
        return [b.text() for b in self.bumps]


def moved_back(calibration: Calibration, matrix: Array) -> Calibration:
    """The calibration of a board that is seen `matrix` (3 x 3, from millimetres as they should be to where they seem) off its place."""
    seen = transform(matrix, calibration.board.corners())
    return replace(calibration, corners=transform(np.asarray(np.linalg.inv(calibration.homography()), np.float64), seen))
