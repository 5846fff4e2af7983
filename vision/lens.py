"""The lens: how much it bends the cushions, and pictures and outlines with the bend taken out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.types import Array, Image, straightened

USUAL: Final = 0.04
"""Standard deviation of the coefficient k1 of usual cameras."""
CROOKED: Final = 0.0004
"""Root mean square by which real cushions depart from straight without any lens (part of a side)."""
CONVINCING: Final = 2.5
"""A bend is believed if it explains so much more than none does (squares of `CROOKED`, summed over the sides)."""
LEAST_POINTS: Final = 20
"""Of a side with fewer pixels nothing is said."""
TRIED: Final = np.linspace(-0.2, 0.2, 15)
"""Coefficients tried."""


def undistorted(image: Image, k1: float) -> Image:
    """The picture as a lens without distortion would have taken it, same size; model as in `vision.types.bent`."""
    if not k1:
        return image
    h, w = image.shape[:2]
    f = float(np.hypot(w, h)) / 2
    camera = np.array([[f, 0, (w - 1) / 2], [0, f, (h - 1) / 2], [0, 0, 1]])
    return np.asarray(cv2.undistort(image, camera, np.array([k1, 0.0, 0.0, 0.0])), np.uint8)


def straight_fit(points: Array) -> tuple[Array, Array, float]:
    """The line through points, shape (n, 2): its middle, its direction, and the mean square of their distances from it (px^2)."""
    middle = points.mean(0)
    _, s, v = np.linalg.svd(points - middle, full_matrices=False)
    return middle, v[0], float(s[1] ** 2 / len(points))


def crookedness(sides: Sequence[Array], side_px: float) -> float:
    """How far from straight sides' pixels, shape (n, 2), are: root mean square over what real cushions have."""
    off = [straight_fit(p)[2] for p in sides if len(p) > LEAST_POINTS]
    return float(np.sqrt(np.mean(off))) / (CROOKED * side_px) if off else 0.0


def fit_lens(sides: Sequence[Array], size: tuple[int, int], side_px: float) -> float:
    """The coefficient k1 that makes the sides straightest; near nought unless they ask for more.

    Parameters
    ----------
    sides : sequence of ndarray, shape (n, 2)
        Pixels along each side, as the lens bent them.
    """
    sides = [p for p in sides if len(p) > LEAST_POINTS]
    if len(sides) < 2:
        return 0.0

    def cost(k1: float) -> float:
        off = sum(straight_fit(straightened(p, size, k1))[2] for p in sides)
        return off / (CROOKED * side_px) ** 2 + (k1 / USUAL) ** 2

    costs = np.array([cost(float(k)) for k in TRIED])
    best = int(np.clip(np.argmin(costs), 1, len(TRIED) - 2))
    a, b, _ = np.polyfit(TRIED[best - 1 : best + 2], costs[best - 1 : best + 2], 2)
    k1 = float(np.clip(-b / (2 * a), TRIED[best - 1], TRIED[best + 1])) if a > 0 else float(TRIED[best])
    return k1 if cost(k1) < cost(0.0) - CONVINCING else 0.0
