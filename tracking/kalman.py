"""A Kalman filter for one sliding disc, in real seconds."""

from __future__ import annotations

from typing import Final

import numpy as np
from filterpy.kalman import KalmanFilter
from numpy.typing import NDArray

Array = NDArray[np.float64]

DECELERATION: Final = 1280.0
"""Deceleration of a sliding disc (mm/s2), measured on one match clip; along the velocity until rest."""
POSITION_NOISE: Final = 2.0
"""Standard deviation of a detected centre in motion (mm)."""
ACCELERATION_NOISE: Final = 6000.0
"""Standard deviation of unmodelled acceleration (mm/s2): grazes, spin, an uneven surface."""
START_SPEED_NOISE: Final = 800.0
"""Standard deviation of the velocity of a disc whose motion has just begun (mm/s)."""


def slide(x: Array, v: Array, dt: float, deceleration: float = DECELERATION) -> tuple[Array, Array]:
    """Where a sliding disc is after `dt` seconds (closed form: constant deceleration along the velocity until rest).

    Parameters
    ----------
    x, v : ndarray, shape (2,)
        Millimetres, millimetres a second.

    Returns
    -------
    x, v : ndarray, shape (2,)
    """
    speed = float(np.hypot(*v))
    if speed == 0:
        return x, v
    t = min(dt, speed / deceleration)
    u = v / speed
    return x + u * (speed * t - deceleration * t * t / 2), u * (speed - deceleration * t)


class DiscFilter:
    """State (x, y, vx, vy) of one disc in motion: filterpy's Kalman filter with the dynamics of `slide`."""

    def __init__(self, xy: Array, v: Array) -> None:
        kf = KalmanFilter(dim_x=4, dim_z=2)
        kf.x = np.concatenate([xy, v]).astype(float)
        kf.P = np.diag([POSITION_NOISE**2] * 2 + [START_SPEED_NOISE**2] * 2)
        kf.H = np.eye(2, 4)
        kf.R = np.eye(2) * POSITION_NOISE**2
        self._kf = kf

    def predict(self, dt: float) -> None:
        """Move on by `dt` seconds."""
        x, v = slide(self._kf.x[:2], self._kf.x[2:], dt)
        f = np.eye(4)
        f[0, 2] = f[1, 3] = dt
        g = np.array([[dt * dt / 2, 0], [0, dt * dt / 2], [dt, 0], [0, dt]])
        self._kf.predict(F=f, Q=g @ g.T * ACCELERATION_NOISE**2)
        self._kf.x = np.concatenate([x, v])

    def distance(self, xy: Array) -> Array:
        """Mahalanobis distance of each of `xy`, shape (n, 2), to the prediction, shape (n,)."""
        s = self._kf.P[:2, :2] + self._kf.R
        d = xy - self._kf.x[:2]
        return np.asarray(np.sqrt(np.einsum("ni,ij,nj->n", d, np.linalg.inv(s), d)), np.float64)

    def update(self, xy: Array) -> None:
        """Take in a detected centre."""
        self._kf.update(np.asarray(xy, float))

    @property
    def xy(self) -> Array:
        """Centre (mm), shape (2,)."""
        return np.asarray(self._kf.x[:2], np.float64)

    @property
    def v(self) -> Array:
        """Velocity (mm/s), shape (2,)."""
        return np.asarray(self._kf.x[2:], np.float64)
