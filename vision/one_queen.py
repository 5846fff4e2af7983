"""A printed disc that even the network takes for the queen: there is but one of her.

Many boards have a disc of her colour and size in the middle. Where one is seen in a known print's place while the queen
lies elsewhere it is the print, and whatever looks just like it in that place is so afterwards: she shows her rim there.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.stroke import PIECES
from vision.palette import Palette
from vision.pieces import Seen, is_round
from vision.prints import HALF_SURE, Prints
from vision.types import Calibration, Image

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

LIKELY: Final = 0.5
"""Probability from which a disc is the queen by its look."""
LOOKS: Final = 3
"""Still pictures in a row that must show both."""
CORE_MM: Final = 13.0
"""Half the width of the square in which a print is looked at: a little of a piece's rim is in it."""
SAME: Final = 9.0
"""Mean difference (levels of 255) below which it looks as it did."""


class OneQueen:
    """Knows the prints that were seen beside the queen.

    Parameters
    ----------
    prints : Prints
        Where they are.
    """

    def __init__(self, prints: Prints, calibration: Calibration) -> None:
        self._prints, self._calibration = prints, calibration
        self._looks = np.zeros(len(prints.at), np.intp)
        self._known: dict[int, Floats] = {}

    def moved(self, calibration: Calibration) -> None:
        """The camera or the board was moved: how prints look is to be seen anew."""
        self._calibration, self._known = calibration, {}

    def printed(self, rectified: Image, seen: Seen, palette: Palette, *, still: bool) -> Mask:
        """Which discs are print, shape (n,) of bool.

        Parameters
        ----------
        rectified : ndarray of uint8, shape (m, m, 3)
            In the light of the bare board (BGR).
        still : bool
            Nothing moves.
        """
        out = np.zeros(len(seen), np.bool_)
        if not len(self._prints.at) or not len(seen):
            return out
        red = palette.probabilities(seen.colour, seen.r, is_round(seen.w, seen.h))[:, PIECES.index("queen")] > LIKELY
        lies_on = self._prints.under(seen)
        beside = bool((red & (lies_on < 0) & (seen.score >= HALF_SURE)).any())
        both = np.zeros(len(self._looks), np.bool_)
        for i in np.flatnonzero(red & (lies_on >= 0)):
            k = int(lies_on[i])
            look = self._look(rectified, k)
            known = self._known.get(k)
            out[i] = known is not None and float(np.abs(look - known).mean()) < SAME
            both[k] = beside
            if still and beside and self._looks[k] >= LOOKS - 1:
                self._known[k], out[i] = look, True
        if still:
            self._looks = np.where(both, self._looks + 1, 0)
        return out

    def _look(self, rectified: Image, k: int) -> Floats:
        x, y = self._prints.at[k]
        return rectified[self._calibration.square(float(x), float(y), CORE_MM)].astype(np.float32)
