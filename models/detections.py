"""What one frame of a video shows: the form in which vision hands discs and hands to tracking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.stroke import PIECES, Piece

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

COVER_CELLS: Final = 80
"""Cells along a side of the grid on which it is told what hands and arms hide."""
COVER_MARGIN_MM: Final = 60.0
"""How far the grid reaches beyond the playing surface (mm)."""
STREAK: Final = 1.18
"""Longer over shorter side of a box above which a disc is a streak."""


@dataclass(frozen=True)
class Detections:
    """What one frame shows, one struct of arrays over n discs.

    Attributes
    ----------
    frame : int
        Index of the frame in the video; for reference only, never for timing.
    t : float
        Presentation time (s).
    x, y, r : ndarray, shape (n,)
        Centres and radii in board millimetres. Of a disc blurred by its motion: the middle of the streak.
    w, h : ndarray, shape (n,)
        Width and height of the detected box (mm); a moving disc's box holds its whole streak.
    prob : ndarray, shape (n, 4)
        Probability of each class in the order of `models.stroke.PIECES`, from the look alone.
    score : ndarray, shape (n,)
        The detector's score, 0 to 1.
    hands : ndarray, shape (k, 5)
        Boxes of hands in board millimetres: x0, y0, x1, y1, score.
    cover : ndarray of bool, shape (`COVER_CELLS`, `COVER_CELLS`)
        Where hands, arms or sleeves lie over the board, so that discs may be hidden; rows go down, columns right.
    before : float
        Presentation time of the video's frame before this one (s), looked at or not: what moves, moves since then.
    still : bool
        Nothing moved in the picture since the frame before.
    """

    frame: int
    t: float
    x: Array
    y: Array
    r: Array
    w: Array
    h: Array
    prob: Array
    score: Array
    hands: Array
    cover: Mask
    before: float
    still: bool = False

    def __len__(self) -> int:
        return len(self.x)

    @cached_property
    def xy(self) -> Array:
        """Centres, shape (n, 2), mm."""
        return np.stack([self.x, self.y], axis=1)

    def streaks(self) -> Mask:
        """Which discs are drawn out by their motion, shape (n,)."""
        return np.asarray(np.maximum(self.w, self.h) > STREAK * np.minimum(self.w, self.h), np.bool_)

    def hides(self, xy: Array, side: float, reach: float = 14.0) -> bool:
        """Whether an arm lies over a point or within `reach` mm of it, on a board with `side` mm."""
        k = COVER_CELLS / (side + 2 * COVER_MARGIN_MM)
        x, y = float(xy[0]) + COVER_MARGIN_MM, float(xy[1]) + COVER_MARGIN_MM
        x0, y0, x1, y1 = (min(max(int(v * k), 0), COVER_CELLS - 1) for v in (x - reach, y - reach, x + reach, y + reach))
        sums = self._covered
        return bool(sums[y1 + 1, x1 + 1] - sums[y0, x1 + 1] - sums[y1 + 1, x0] + sums[y0, x0] > 0)

    @cached_property
    def _covered(self) -> NDArray[np.int64]:
        """How many covered cells lie above and left of each cell's corner (summed-area table: Crow 1984)."""
        out = np.zeros((COVER_CELLS + 1, COVER_CELLS + 1), np.int64)
        out[1:, 1:] = self.cover.cumsum(axis=0).cumsum(axis=1)
        return out

    def sight(self, side: float) -> float:
        """Share of the playing surface that no arm hides."""
        edge = round(COVER_MARGIN_MM * COVER_CELLS / (side + 2 * COVER_MARGIN_MM))
        return 1.0 - float(self.cover[edge:-edge, edge:-edge].mean())

    def cls(self) -> list[Piece]:
        """The likeliest class of each disc."""
        return [PIECES[i] for i in self.prob.argmax(axis=1)]
