"""Static marks of a picture, followed into other pictures whatever lies over some of them.

Marks (corners of lines, grain, pockets, the frame) are looked for near their places by sparse optical flow (Lucas
and Kanade 1981, with pyramids). Arms and pieces hide some; a camera or a board that was moved moves all alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.homography import transform
from vision.types import MARGIN_MM, Array, Image

Mask = NDArray[np.bool_]
Points = NDArray[np.float32]

VIEW_PX: Final = 320
"""Side of the grey picture in which marks are followed (px)."""
MARKS: Final = 120
"""Marks that are followed at most."""
QUALITY: Final = 0.02
"""Least contrast of a mark, against the best one's."""
APART_PX: Final = 10
"""Least distance between two marks (px)."""
WINDOW_PX: Final = 15
"""Side of the patch that is compared (px)."""
LEVELS: Final = 3
"""Levels of the pyramid above the picture itself: marks are found up to about 25 px off."""
STEPS: Final = 8
"""Steps of the search on each level."""
EVEN_PX: Final = 21
"""Side of the neighbourhood whose light is taken off (px): lamps come and go."""
CONTRAST_FLOOR: Final = 6.0
"""Standard deviation (levels) below which a neighbourhood counts as blank."""
AGREE_PX: Final = 0.75
"""Marks that move alike do so to within this (px)."""
STILL_PX: Final = 0.5
"""A mark this near to its place has not moved (px)."""
UNMOVED: Final = 0.5
"""Part of the marks that must not have moved for the picture not to have."""
ENOUGH: Final = 14
"""Fewer marks than this say nothing."""
PLENTY: Final = 40
"""So many marks in all quarters tell a change of perspective; fewer tell a shift, a turn and a change of size."""
QUARTERS: Final = 3
"""Marks that agree lie in so many quarters of the picture."""


@dataclass(frozen=True)
class Shift:
    """Where the marks went.

    Attributes
    ----------
    matrix : ndarray, shape (3, 3)
        From where they were to where they are (px).
    share : float
        Part of all marks that agree on it.
    """

    matrix: Array
    share: float


def even(grey: Image) -> Image:
    """A grey picture with the light taken off: every neighbourhood has the same mean and, unless it is blank, contrast."""
    g = grey.astype(np.float32)
    mean = cv2.blur(g, (EVEN_PX, EVEN_PX))
    spread = np.sqrt(np.maximum(cv2.blur(g * g, (EVEN_PX, EVEN_PX)) - mean * mean, 0))
    return np.asarray(np.clip(128 + 50 * (g - mean) / (spread + CONTRAST_FLOOR), 0, 255), np.uint8)


def reduced(picture: Image, side: int = VIEW_PX) -> Image:
    """A picture reduced to a square of `side` px."""
    return np.asarray(cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def reduced_mask(mask: Mask, side: int = VIEW_PX) -> Mask:
    """A mask reduced to a square of `side` px: true where all of a place is."""
    return np.asarray(reduced(mask.astype(np.uint8) * 255, side) == 255, np.bool_)


def surface_mask(board_mm: float, side: int = VIEW_PX) -> Mask:
    """Where a rectified picture of `side` px shows the playing surface of a board with `board_mm`, shape (side, side)."""
    edge = round(MARGIN_MM * side / (board_mm + 2 * MARGIN_MM))
    mask = np.zeros((side, side), np.bool_)
    mask[edge : side - edge, edge : side - edge] = True
    return mask


def small_grey(picture: Image) -> Image:
    """A picture (BGR) as marks are followed in it: grey, `VIEW_PX` square, with the light taken off."""
    return even(np.asarray(cv2.cvtColor(reduced(picture), cv2.COLOR_BGR2GRAY), np.uint8))


class Marks:
    """The marks of one picture.

    Parameters
    ----------
    reference : ndarray of uint8, shape (`VIEW_PX`, `VIEW_PX`)
        As `small_grey` makes it.
    seen : ndarray of bool, same shape, optional
        Where marks may lie.
    """

    def __init__(self, reference: Image, seen: Mask | None = None) -> None:
        self._reference = reference
        seen = np.ones(reference.shape, bool) if seen is None else seen
        inside = cv2.erode(seen.astype(np.uint8), np.ones((WINDOW_PX, WINDOW_PX), np.uint8), borderValue=0)
        found = cv2.goodFeaturesToTrack(reference, MARKS, QUALITY, APART_PX, mask=inside, blockSize=5)
        self._at: Points = np.zeros((0, 2), np.float32) if found is None else np.asarray(found.reshape(-1, 2), np.float32)

    def shift(self, picture: Image) -> Shift | None:
        """Where the marks are in another picture (`small_grey`); None where too few of them agree."""
        if len(self._at) < ENOUGH:
            return None
        to, found, _ = cv2.calcOpticalFlowPyrLK(
            self._reference, picture, self._at, self._at.copy(), winSize=(WINDOW_PX, WINDOW_PX), maxLevel=LEVELS,
            criteria=(cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, STEPS, 0.03), minEigThreshold=1e-3,
        )  # fmt: skip
        known = found.ravel().astype(bool)
        start, end = self._at[known], np.asarray(to.reshape(-1, 2)[known], np.float32)
        unmoved = float((np.hypot(*(end - start).T) < STILL_PX).sum()) / len(self._at)
        if unmoved >= UNMOVED:
            return Shift(np.eye(3), unmoved)
        return self._agreed(start, end)

    def _agreed(self, start: Points, end: Points) -> Shift | None:
        if len(start) < ENOUGH:
            return None
        plain, inliers = cv2.estimateAffinePartial2D(start, end, method=cv2.RANSAC, ransacReprojThreshold=2 * AGREE_PX)
        if plain is None:
            return None
        matrix, agree = np.r_[plain, [[0, 0, 1]]], inliers.ravel().astype(bool)
        if agree.sum() >= PLENTY and _quarters(start[agree]) == 4:
            leant, inliers = cv2.findHomography(start, end, cv2.USAC_MAGSAC, AGREE_PX)
            if leant is not None and inliers.sum() >= PLENTY:
                matrix, agree = leant, inliers.ravel().astype(bool)
        if agree.sum() < ENOUGH or _quarters(start[agree]) < QUARTERS:
            return None
        return Shift(np.asarray(matrix, np.float64), float(agree.sum()) / len(self._at))


def _quarters(at: Points) -> int:
    return len({(bool(x > VIEW_PX / 2), bool(y > VIEW_PX / 2)) for x, y in at})


def farthest(matrix: Array, corners: Array) -> float:
    """How far a 3 x 3 `matrix` moves the one of `corners`, shape (n, 2), that it moves most."""
    return float(np.hypot(*(transform(matrix, corners) - corners).T).max())


def in_mm(matrix: Array, side: float) -> Array:
    """A `Shift.matrix` between rectified pictures as one between board millimetres, on a board with `side` mm."""
    k = VIEW_PX / (side + 2 * MARGIN_MM)
    to_px = np.array([[k, 0, k * MARGIN_MM], [0, k, k * MARGIN_MM], [0, 0, 1]])
    return np.asarray(np.linalg.inv(to_px) @ matrix @ to_px, np.float64)
