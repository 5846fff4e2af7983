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

from vision.types import Array, Calibration

DISC_HEIGHT: Final = 7.5
"""Height of a disc (mm): ICF pieces have 7 to 9, clubs' thin plastic ones 5.5, strikers up to 9.5."""
FOCALS: Final = np.geomspace(0.3, 4.0, 60)
"""Focal lengths that are tried (part of the picture's diagonal)."""
USUAL: Final = 0.85
"""Usual focal length: phones' main cameras have 0.6 to 0.7, films are cropped, and many zoom."""
SPREAD: Final = 0.4
"""Standard deviation of its logarithm."""
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
    size = np.array(calibration.size, np.float64)
    diagonal = float(np.hypot(*size))
    to_px = np.linalg.inv(calibration.homography())
    to_px[:2] -= np.outer((size - 1) / 2, to_px[2])
    columns = to_px[None] / np.stack([FOCALS * diagonal, FOCALS * diagonal, np.ones_like(FOCALS)], 1)[:, :, None]
    a, b, t = columns[:, :, 0], columns[:, :, 1], columns[:, :, 2]
    la, lb = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    skew = (np.log(la / lb) / SQUARE) ** 2 + ((a * b).sum(1) / (la * lb) / SQUARE) ** 2
    cost = (skew + (np.log(FOCALS / USUAL) / SPREAD) ** 2) / 2
    weight = np.exp(cost.min() - cost)
    weight /= weight.sum()
    # The rotation nearest to the two columns; its third axis points away from the camera, into the board.
    u, _, v = np.linalg.svd(np.stack([a / la[:, None], b / lb[:, None]], 2), full_matrices=False)
    turn = u @ v
    down = np.cross(turn[:, :, 0], turn[:, :, 1])
    scaled = t / np.sqrt(la * lb)[:, None]
    # A board seen from above has its far half behind the picture's plane never: its middle lies before the camera.
    ahead = np.sign(scaled[:, 2] + calibration.board.side / 2 * (turn[:, 2, 0] + turn[:, 2, 1]))
    height = np.maximum((down * scaled).sum(1) * ahead, 1.0)
    foot = -np.einsum("nij,ni->nj", turn, scaled)
    return Lean(float((weight / height).sum()), np.asarray((weight[:, None] * foot / height[:, None]).sum(0), np.float64))


def seen_at(calibration: Calibration, mm: Array) -> Array:
    """Where in the picture the middles of discs that stand at `mm`, shape (n, 2), are seen: pixels, shape (n, 2)."""
    return calibration.to_picture(mm + lean_of(calibration)(mm) * DISC_HEIGHT / 2)
