"""Discs on a board at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.board import ICF, BoardSpec
from models.stroke import Piece

Array = NDArray[np.float64]


@dataclass(frozen=True)
class State:
    """A struct of arrays over n discs; a disc that is not on the board has NaN for its place.

    Attributes
    ----------
    cls : tuple of str, length n
    x, y : ndarray, shape (n,)
        Centres (mm).
    vx, vy : ndarray, shape (n,)
        Velocities (mm/s).
    spin : ndarray, shape (n,)
        Spin about the vertical (rad/s), positive from x to y, which is clockwise as the camera sees it.
    radius : ndarray, shape (n,)
        (mm)
    mass : ndarray, shape (n,)
        (kg)
    friction : ndarray, shape (n,)
        Each disc's deceleration as a multiple of its class's.
    """

    cls: tuple[Piece, ...]
    x: Array
    y: Array
    vx: Array
    vy: Array
    spin: Array
    radius: Array
    mass: Array
    friction: Array

    def __len__(self) -> int:
        return len(self.cls)

    @classmethod
    def resting(cls, classes: Sequence[Piece], positions: ArrayLike, board: BoardSpec = ICF) -> State:
        """Discs at rest.

        Parameters
        ----------
        classes : sequence of str, length n
        positions : array_like, shape (n, 2)
            Centres (mm).
        """
        p = np.asarray(positions, np.float64).reshape(-1, 2)
        if len(p) != len(classes):
            raise ValueError(f"{len(classes)} classes but {len(p)} positions")
        zero = np.zeros(len(p))
        radius = np.array([board.radius(c) for c in classes], np.float64)
        mass = np.array([board.mass(c) for c in classes], np.float64)
        return cls(tuple(classes), p[:, 0].copy(), p[:, 1].copy(), zero, zero.copy(), zero.copy(), radius, mass, np.ones(len(p)))

    def struck(self, index: int, vx: float, vy: float, spin: float = 0.0) -> State:
        """The same discs with disc `index` sent off at (vx, vy) mm/s and `spin` rad/s."""
        a, b, s = self.vx.copy(), self.vy.copy(), self.spin.copy()
        a[index], b[index], s[index] = vx, vy, spin
        return replace(self, vx=a, vy=b, spin=s)

    def positions(self) -> Array:
        """Centres, shape (n, 2), in mm."""
        return np.stack([self.x, self.y], axis=1)

    def energy(self) -> float:
        """Kinetic energy of the discs on the board (J)."""
        here = ~np.isnan(self.x)
        speed2 = (self.vx**2 + self.vy**2)[here] * 1e-6
        turning = 0.25 * self.mass[here] * (self.radius[here] * 1e-3 * self.spin[here]) ** 2
        return float(np.sum(0.5 * self.mass[here] * speed2 + turning))
