"""What one frame of a video shows: the form in which vision hands discs and hands to tracking."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.stroke import PIECES, Piece

Array = NDArray[np.float64]


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
    before: float
    still: bool = False

    def __len__(self) -> int:
        return len(self.x)

    @property
    def xy(self) -> Array:
        """Centres, shape (n, 2), mm."""
        return np.stack([self.x, self.y], axis=1)

    def cls(self) -> list[Piece]:
        """The likeliest class of each disc."""
        return [PIECES[i] for i in self.prob.argmax(axis=1)]
