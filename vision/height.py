"""What has height looks displaced: how far, for a camera of which only the calibration is known.

A point `z` mm above the board covers a point of the board that lies farther from the camera's foot, by
`z / (H - z)` of its distance from there, `H` being the camera's height (similar triangles). Foot and height follow
from the homography once the focal length is known, and that follows from the board's being square where the camera
is tilted (Zhang 2000, "A flexible new technique for camera calibration", section 3.1: both columns of the
homography have one length and a right angle between them). A camera straight above says nothing of its focal
length; then what is usual for cameras decides. Both are weighed as likelihood and prior.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.cushions import FOCAL_SPREAD, FOCALS, USUAL_FOCAL, normalised, stand
from vision.types import Array, Calibration

DISC_HEIGHT: Final = 7.5
"""Height of a disc (mm): ICF pieces have 7 to 9, clubs' thin plastic ones 5.5, strikers up to 9.5."""
SQUARE: Final = 0.008
"""Standard deviation of lengths' ratio and of the right angle's cosine by the corners' errors."""


@dataclass(frozen=True)
class Lean:
    """How far what has height is seen displaced, in board millimetres per millimetre of height.

    Attributes
    ----------
    outward : float
        One over the camera's height (1/mm).
    foot : ndarray, shape (2,)
        The camera's foot on the board's plane over its height.
    """

    outward: float
    foot: Array

    def __call__(self, mm: Array) -> Array:
        """At board points, shape (n, 2): displacement per height, shape (n, 2)."""
        return np.asarray(self.outward * np.asarray(mm, np.float64).reshape(-1, 2) - self.foot, np.float64)


def lean_of(calibration: Calibration) -> Lean:
    """The displacement that is to be expected under a calibration: the mean over focal lengths as likely as they are."""
    seen = normalised(calibration.corners[None], calibration.size)
    centre, departure = stand(np.repeat(seen, len(FOCALS), axis=0), FOCALS)
    cost = (((departure / SQUARE) ** 2).sum(1) + (np.log(FOCALS / USUAL_FOCAL) / FOCAL_SPREAD) ** 2) / 2
    weight = np.exp(cost.min() - cost)
    weight /= weight.sum()
    foot, height = centre[:, :2] * calibration.board.side, np.maximum(centre[:, 2] * calibration.board.side, 1.0)
    return Lean(float((weight / height).sum()), np.asarray((weight[:, None] * foot / height[:, None]).sum(0), np.float64))


def seen_at(calibration: Calibration, mm: Array) -> Array:
    """Where in the picture the middles of discs that stand at `mm`, shape (n, 2), are seen: pixels, shape (n, 2)."""
    return calibration.to_picture(mm + lean_of(calibration)(mm) * DISC_HEIGHT / 2)
