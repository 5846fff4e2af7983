"""What sends a stroke off, the numbers by which a fit describes it, and where the discs then are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import cos, sin
from typing import Final

import numpy as np

from models.board import BoardSpec
from models.physics.dynamics import Dynamics
from models.physics.engine import _numbers
from models.physics.machine import HEAD, PER_DISC, machine
from models.physics.observations import Array
from models.physics.state import State

TIME, SPEED, DIRECTION, SPIN = range(4)
NAMES: Final = ("time", "speed", "direction", "spin")
T_MAX_AT: Final = HEAD - 1
"""Which of a stroke's numbers is the time after which the core stops."""
X, Y, VX, VY, TURN = range(5)
"""Which of a disc's numbers are place, velocity and spin."""
FRICTIONS: Final = slice(7, 9)
"""Which are its decelerations, of sliding and of spin."""


@dataclass(frozen=True)
class Release:
    """The striker leaves the finger.

    Attributes
    ----------
    time : float
        When (s of video time).
    speed : float
        (mm/s)
    direction : float
        Of its motion, from x to y (rad).
    spin : float
        (rad/s), positive from x to y.
    """

    time: float
    speed: float
    direction: float
    spin: float = 0.0

    def velocity(self) -> Array:
        """Of the striker, shape (2,), in mm/s."""
        return np.array([self.speed * cos(self.direction), self.speed * sin(self.direction)])

    def strike(self, state: State, striker: int) -> State:
        """The discs of `state` at the release, the one at index `striker` sent off."""
        vx, vy = self.velocity()
        return state.struck(striker, float(vx), float(vy), self.spin)


@dataclass(frozen=True)
class Unknowns:
    """Which numbers a fit looks for: the release's four, then x and y of each disc in `placed`, then what scales the frictions.

    Attributes
    ----------
    state : State
        At rest, before the stroke.
    striker : int
    placed : tuple of int
        Discs whose places are looked for too.
    sliding : bool
        Whether the frictions of the striker and of the pieces are looked for, each as the logarithm of a factor.
    """

    state: State
    striker: int
    placed: tuple[int, ...] = ()
    sliding: bool = False

    def names(self) -> tuple[str, ...]:
        """What each number is: "time", "speed", "direction", "spin", "x3", "y3", "friction_striker", "friction_piece"."""
        places = [f"{axis}{i}" for i in self.placed for axis in "xy"]
        return (*NAMES, *places, *(("friction_striker", "friction_piece") if self.sliding else ()))

    def __len__(self) -> int:
        return 4 + 2 * len(self.placed) + 2 * self.sliding

    def start(self, release: Sequence[float] | Array) -> Array:
        """The vector of the release's four numbers, the places of the state and its frictions."""
        places = [v for i in self.placed for v in (self.state.x[i], self.state.y[i])]
        return np.array([*release, *places, *([0.0, 0.0] if self.sliding else [])], np.float64)

    def struck(self, theta: Array) -> State:
        """The discs at the release that the vector `theta` describes."""
        s = Release(*(float(v) for v in theta[:4])).strike(self.state, self.striker)
        k = list(self.placed)
        x, y, friction = s.x.copy(), s.y.copy(), s.friction.copy()
        x[k], y[k] = self._places(theta).T
        if self.sliding:
            factors = np.full(len(s), np.exp(theta[-1]))
            factors[self.striker] = np.exp(theta[-2])
            friction *= factors
        return replace(s, x=x, y=y, friction=friction)

    def numbers(self, thetas: Array, still: Array) -> Array:
        """The strokes that the vectors describe, as the core reads them.

        Parameters
        ----------
        thetas : ndarray, shape (B, P)
        still : ndarray, shape (N,) or (B, N)
            The board and the discs at rest (`still_numbers`), one for all strokes or for each its own.
        """
        out = np.array(np.broadcast_to(still, (len(thetas), still.shape[-1])))
        discs = out[:, HEAD:].reshape(len(thetas), len(self.state), PER_DISC)
        speed, direction = thetas[:, SPEED], thetas[:, DIRECTION]
        discs[:, self.striker, VX] = speed * np.cos(direction)
        discs[:, self.striker, VY] = speed * np.sin(direction)
        discs[:, self.striker, TURN] = thetas[:, SPIN]
        if self.placed:
            discs[:, list(self.placed), X : Y + 1] = self._places(thetas)
        if self.sliding:
            factors = np.repeat(np.exp(thetas[:, -1:]), len(self.state), axis=1)
            factors[:, self.striker] = np.exp(thetas[:, -2])
            discs[:, :, FRICTIONS] *= factors[:, :, None]
        return out

    def _places(self, thetas: Array) -> Array:
        return thetas[..., 4 : 4 + 2 * len(self.placed)].reshape(*thetas.shape[:-1], len(self.placed), 2)


def still_numbers(state: State, board: BoardSpec, dynamics: Dynamics) -> Array:
    """A board and its discs at rest, as the core reads them."""
    return _numbers(state, board, dynamics, 0.0)


def friction_of(still: Array, disc: int) -> float:
    """Deceleration of a disc (mm/s^2), from the numbers that the core reads."""
    return float(still[HEAD + PER_DISC * disc + FRICTIONS.start])


def places(numbers: Array, discs: int, times: Array) -> Array:
    """Where the discs of many strokes are; what `sample` does, without the way through `State`, which takes longer than a small stroke.

    Parameters
    ----------
    numbers : ndarray, shape (B, N)
        As the core reads them.
    discs : int
    times : ndarray, shape (B, T)
        Seconds from each stroke's release, rising; before it the discs rest.

    Returns
    -------
    ndarray, shape (B, T, discs, 2)
        (mm); NaN once a disc has left the board, and all of a stroke that cannot be simulated.
    """
    strokes, moments = times.shape
    numbers[:, T_MAX_AT] = np.maximum(times[:, -1], 0.0) if moments else 0.0
    out = np.empty((strokes, moments, discs, 2))
    core = machine()
    step = max(core.most_strokes(discs, moments), 1)
    for k in range(0, strokes, step):
        out[k : k + step], failed = core.sample(numbers[k : k + step], discs, times[k : k + step])
        if failed and step > 1:
            for b in range(k, min(k + step, strokes)):
                out[b : b + 1], failed = core.sample(numbers[b : b + 1], discs, times[b : b + 1])
                if failed:
                    out[b] = np.nan
        elif failed:
            out[k] = np.nan
    return out
