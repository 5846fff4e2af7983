"""A board found again in a picture taken from elsewhere, by what is printed on it and lies on it.

Scale-invariant features (SIFT, Lowe 2004) of a picture whose calibration is known are matched with another
picture's; those on the board's plane tell where its corners have gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.homography import transform
from vision.marks import Marks, farthest, small_grey
from vision.types import MARGIN_MM, Array, Calibration, Image, NoBoard

LONGEST_PX: Final = 800
"""Longer side of the picture in which features are sought (px)."""
FEATURES: Final = 1200
RATIO: Final = 0.8
"""A match counts if it is this much nearer than the second best (Lowe's test)."""
AGREE_PX: Final = 2.5
"""Matches on one plane agree to within this (px)."""
ENOUGH: Final = 16
"""Matches that must agree."""
SMALLEST: Final = 0.4
"""Least change of the board's size in the picture; the inverse is the largest."""
SAME_VIEW_PX: Final = 1.2
"""Two pictures are of one view if their corners lie no farther apart (px of `vision.marks.VIEW_PX`)."""


class Landmarks:
    """The features on and round a board in a picture whose calibration is known."""

    def __init__(self, image: Image, calibration: Calibration) -> None:
        self._calibration = calibration
        at, self._looks = _features(image)
        mm = calibration.to_board(at) if len(at) else np.zeros((0, 2))
        near = ((mm > -MARGIN_MM) & (mm < calibration.board.side + MARGIN_MM)).all(axis=1)
        self._at, self._looks = calibration.undistort(at[near]), self._looks[near]

    def find(self, image: Image) -> Calibration | None:
        """The calibration of another picture of the board by the same camera, the corners in the same order; None if not sure."""
        known = self._calibration
        at, looks = _features(image)
        if len(self._at) < ENOUGH or len(at) < ENOUGH:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(self._looks, looks, k=2)
        good = [p[0] for p in pairs if len(p) == 2 and p[0].distance < RATIO * p[1].distance]
        if len(good) < ENOUGH:
            return None
        start = self._at[[m.queryIdx for m in good]]
        end = known.undistort(at[[m.trainIdx for m in good]])
        scale = max(1.0, max(known.size) / LONGEST_PX)
        matrix, inliers = cv2.findHomography(start, end, cv2.USAC_MAGSAC, AGREE_PX * scale, maxIters=4000)
        if matrix is None or inliers.sum() < ENOUGH:
            return None
        corners = transform(np.asarray(matrix, np.float64), known.corners)
        return replace(known, corners=corners) if _likely(known.corners, corners) else None


def _features(image: Image) -> tuple[Array, NDArray[np.float32]]:
    """Places (px, shape (n, 2)) and descriptors, shape (n, 128), of a picture's features."""
    k = min(1.0, LONGEST_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA) if k < 1 else image
    points, looks = cv2.SIFT.create(nfeatures=FEATURES, contrastThreshold=0.02).detectAndCompute(
        cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), None
    )
    at = np.array([p.pt for p in points], np.float64).reshape(-1, 2)
    return (at + 0.5) / k - 0.5, np.zeros((0, 128), np.float32) if looks is None else np.asarray(looks, np.float32)


def _likely(before: Array, after: Array) -> bool:
    """Whether an outline is convex, seen from the same side, and of a size near the one before."""

    def turns(c: Array) -> Array:
        s = np.roll(c, -1, axis=0) - c
        return np.asarray(s[:, 0] * np.roll(s, -1, axis=0)[:, 1] - s[:, 1] * np.roll(s, -1, axis=0)[:, 0])

    if not np.isfinite(after).all() or (turns(after) <= 0).any():
        return False
    ratio = float(np.sqrt(turns(after).sum() / turns(before).sum()))
    return SMALLEST < ratio < 1 / SMALLEST


def same_views(images: Sequence[Image]) -> list[list[int]]:
    """Which pictures are of one view of the camera: their indices, the view with most pictures first.

    Raises
    ------
    NoBoard
        If there is no picture.
    """
    if not images:
        raise NoBoard("no board found in the video: no picture")
    edge = float(len(small_grey(images[0])) - 1)
    corners = np.array([[0, 0], [edge, 0], [edge, edge], [0, edge]])
    views: list[tuple[Marks, list[int]]] = []
    for i, image in enumerate(images):
        small = small_grey(image)
        # The last view first: cameras seldom go back.
        for marks, own in reversed(views):
            shift = marks.shift(small)
            if shift is not None and farthest(shift.matrix, corners) < SAME_VIEW_PX:
                own.append(i)
                break
        else:
            views.append((Marks(small), [i]))
    return sorted((own for _, own in views), key=len, reverse=True)


def turned_like(found: Calibration, before: Calibration) -> Calibration:
    """A calibration with its corners in the order that is turned least against the one before."""

    def away(k: int) -> float:
        a, b = (c - c.mean(axis=0) for c in (np.roll(found.corners, -k, axis=0), before.corners))
        return float(np.hypot(*(a / np.hypot(*a.T)[:, None] - b / np.hypot(*b.T)[:, None]).T).sum())

    return replace(found, corners=np.roll(found.corners, -min(range(4), key=away), axis=0))
