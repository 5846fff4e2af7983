"""What a simulation gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.physics.state import State
from models.stroke import PocketName

Array = NDArray[np.float64]
EventKind: TypeAlias = Literal["disc", "cushion", "pocket", "rest"]


@dataclass(frozen=True)
class Event:
    """Something that changed the motion of a disc.

    Attributes
    ----------
    t : float
        Seconds from the start.
    kind : str
    who : tuple of int
        The disc and the other disc; -1 where there is no other.
    impulse : float
        Along the normal (N s); 0 for pocket and rest.
    """

    t: float
    kind: EventKind
    who: tuple[int, int]
    impulse: float = 0.0


@dataclass(frozen=True)
class Fall:
    """Disc `index` fell into `pocket` at `t` seconds."""

    index: int
    pocket: PocketName
    t: float


@dataclass(frozen=True)
class Course:
    """The motion of one disc in pieces: from `t[k]` on it has place, velocity and spin of row k and decelerates.

    Attributes
    ----------
    t : ndarray, shape (k,)
    rows : ndarray, shape (k, 5)
        x, y (mm), vx, vy (mm/s), spin (rad/s).
    friction, spin_friction : float
        (mm/s^2), (rad/s^2)
    gone : float
        When it fell (s); inf if it did not.
    """

    t: Array
    rows: Array
    friction: float
    spin_friction: float
    gone: float

    def at(self, times: Array) -> Array:
        """x, y, vx, vy, spin at `times`, shape (T, 5); NaN once it has fallen."""
        k = np.clip(np.searchsorted(self.t, times, side="right") - 1, 0, None)
        row, dt = self.rows[k], np.maximum(times - self.t[k], 0.0)
        speed = np.hypot(row[:, 2], row[:, 3])
        moving = np.minimum(dt, speed / self.friction)
        kept = np.where(speed > 0, 1 - self.friction * moving / np.where(speed > 0, speed, 1.0), 0.0)
        way = moving * (1 + kept) / 2
        out = np.empty((len(times), 5))
        out[:, :2] = row[:, :2] + row[:, 2:4] * way[:, None]
        out[:, 2:4] = row[:, 2:4] * kept[:, None]
        out[:, 4] = np.sign(row[:, 4]) * np.maximum(np.abs(row[:, 4]) - self.spin_friction * dt, 0.0)
        out[times >= self.gone] = np.nan
        return out


@dataclass(frozen=True)
class Motion:
    """Everything that followed from a state.

    Attributes
    ----------
    events : tuple of Event
        In time order.
    final : State
        All at rest (or as they are at t_max); a fallen disc has NaN for its place.
    first_contact : tuple of int and float, or None
        The first disc that the striker touched, and when (s).
    touched : bool
        Whether the striker touched any disc.
    pocketed : tuple of Fall
        In the order of falling.
    duration : float
        When the last disc came to rest or fell (s).
    """

    events: tuple[Event, ...]
    final: State
    first_contact: tuple[int, float] | None
    touched: bool
    pocketed: tuple[Fall, ...]
    duration: float
    courses: tuple[Course, ...]

    def positions(self, times: ArrayLike) -> Array:
        """Centres at `times` (s), shape (T, n, 2) in mm; NaN once a disc has fallen."""
        return self._at(times)[:, :, :2]

    def velocities(self, times: ArrayLike) -> Array:
        """Velocities at `times` (s), shape (T, n, 2) in mm/s; NaN once a disc has fallen."""
        return self._at(times)[:, :, 2:4]

    def state(self, t: float) -> State:
        """The discs at time `t` (s)."""
        x, y, vx, vy, spin = self._at([t])[0].T
        f = self.final
        return State(f.cls, x, y, vx, vy, spin, f.radius, f.mass)

    def _at(self, times: ArrayLike) -> Array:
        ts = np.atleast_1d(np.asarray(times, np.float64))
        return np.stack([c.at(ts) for c in self.courses], axis=1) if self.courses else np.empty((len(ts), 0, 5))
