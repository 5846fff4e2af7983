"""Which sighting is whose, at the least cost altogether."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from models.detections import Detections
from models.stroke import PIECES
from tracking.cast import Array, Track

MIN_CLASS: Final = 0.02
"""Probability of its own class below which a round sighting cannot be a disc's."""
CLASS_WEIGHT: Final = 20.0
"""What a factor e in class probability is worth beside distance (mm)."""


def distances(tracks: Sequence[Track], det: Detections) -> Array:
    """From each track to each sighting (mm), shape (tracks, sightings)."""
    if not tracks or not len(det):
        return np.full((len(tracks), len(det)), np.inf)
    at = np.array([t.filter.xy if t.filter is not None and t.state == "moving" else t.xy for t in tracks])
    return np.asarray(np.hypot(at[:, None, 0] - det.x[None], at[:, None, 1] - det.y[None]), np.float64)


def locked(cost: Array, tracks: Sequence[Track], det: Detections, lock: bool = True) -> Array:
    """Add what the looks cost; with `lock`, a round sighting that cannot be of the track's class is out."""
    if not cost.size:
        return cost
    prob = det.prob[:, [PIECES.index(t.cls) for t in tracks]].T
    streak = det.streaks()
    cost = cost - CLASS_WEIGHT * np.log(np.maximum(prob, 0.005 if streak.any() else 1e-4))
    return np.where((prob < MIN_CLASS) & ~streak[None], np.inf, cost) if lock else cost


def assign(cost: Array, free: np.ndarray) -> list[tuple[int, int]]:
    """Optimal pairs at finite cost among the free columns; the columns taken are marked."""
    if not cost.size or not free.any():
        return []
    columns = np.flatnonzero(free)
    sub = np.where(np.isfinite(cost[:, columns]), cost[:, columns], 1e6)
    pairs = []
    for i, k in zip(*linear_sum_assignment(sub), strict=True):
        if sub[i, k] < 1e6:
            pairs.append((int(i), int(columns[k])))
            free[columns[k]] = False
    return pairs
