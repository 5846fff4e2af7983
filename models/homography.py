"""Planes seen in perspective: the maps between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def transform(matrix: Array, points: Array) -> Array:
    """Apply a 3 x 3 projective `matrix` to `points`, shape (n, 2)."""
    p = np.c_[np.asarray(points, float).reshape(-1, 2), np.ones(len(points))] @ matrix.T
    return np.asarray(p[:, :2] / p[:, 2:], np.float64)


@dataclass(frozen=True, eq=False)
class Homography:
    """A projective map of a plane, given by its 3 x 3 `matrix`."""

    matrix: Array

    @classmethod
    def identity(cls) -> Homography:
        """All stays where it is."""
        return cls(np.eye(3))

    @classmethod
    def between(cls, start: ArrayLike, end: ArrayLike) -> Homography:
        """The one that takes four points, shape (4, 2), to four others; no three of either may lie on a line."""
        rows, right = [], []
        for (x, y), (u, v) in zip(np.asarray(start, np.float64), np.asarray(end, np.float64), strict=True):
            rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
            right += [u, v]
        return cls(np.append(np.linalg.solve(np.array(rows), np.array(right)), 1.0).reshape(3, 3))

    @cached_property
    def inverse(self) -> Homography:
        """The way back."""
        return Homography(np.asarray(np.linalg.inv(self.matrix), np.float64))

    def points(self, places: ArrayLike) -> Array:
        """Where points go, shape (..., 2)."""
        p = np.asarray(places, np.float64)
        return transform(self.matrix, p.reshape(-1, 2)).reshape(p.shape)

    def velocities(self, places: ArrayLike, v: ArrayLike) -> Array:
        """What becomes of velocities at `places`, both of shape (..., 2)."""
        p, u = np.asarray(places, np.float64), np.asarray(v, np.float64)
        m = self.matrix
        weight = p @ m[2, :2] + m[2, 2]
        return np.asarray((u @ m[:2, :2].T - self.points(p) * (u @ m[2, :2])[..., None]) / weight[..., None], np.float64)
