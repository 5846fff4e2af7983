"""What a simulation gives back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.physics.dynamics import Dynamics
from models.physics.state import State
from models.stroke import POCKETS, PocketName

Array = NDArray[np.float64]
EventKind: TypeAlias = Literal["disc", "cushion", "pocket", "rest", "off"]

KINDS: Final[dict[int, EventKind]] = {0: "pocket", 3: "rest", 4: "disc", 5: "cushion", 6: "off"}
"""The core's numbers of what is told."""


@dataclass(frozen=True)
class Event:
    """Something that changed the motion of a disc.

    Attributes
    ----------
    t : float
        Seconds from the start.
    kind : str
        "disc": two discs met; "cushion"; "pocket": it fell; "rest": it came to rest; "off": it left over the frame.
    who : tuple of int
        The disc and the other disc; -1 where there is no other.
    impulse : float
        Along the normal (N s); 0 for pocket, rest and off.
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
        When it left the board (s); inf if it did not.
    """

    t: Array
    rows: Array
    friction: float
    spin_friction: float
    gone: float

    def at(self, times: Array) -> Array:
        """x, y, vx, vy, spin at `times`, shape (T, 5); NaN once it has left the board."""
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
    final : State
        All at rest (or as they are at t_max); a disc that left the board has NaN for its place.
    duration : float
        When the last disc came to rest or left the board (s).
    events : tuple of Event
        In time order; contacts of the same moment in the order in which the blow went through them.
    first_contact : tuple of int and float, or None
        The first disc that the striker touched, and when (s).
    pocketed : tuple of Fall
        In the order of falling.
    off_board : tuple of int
        Discs that left over the frame, in their order.
    courses : tuple of Course
        Each disc's motion.
    """

    state_before: State
    duration: float
    _events: Array
    _rows: Array
    _decelerations: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, state: State, dynamics: Dynamics, events: Array, rows: Array, duration: float) -> Motion:
        """From the core's tables: events (t, kind, i, j, impulse, which), shape (E, 6), and rows (disc, t, x, y, vx, vy, spin), (R, 7)."""
        decelerations = tuple(
            (dynamics.friction(c) * f, dynamics.spin_friction(c, r) * f)
            for c, f, r in zip(state.cls, state.friction.tolist(), state.radius.tolist(), strict=True)
        )
        return cls(state, duration, events, rows, decelerations)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        return tuple(Event(t, KINDS[int(k)], (int(i), int(j)), p) for t, k, i, j, p, _ in self._events.tolist())

    @cached_property
    def first_contact(self) -> tuple[int, float] | None:
        cls = self.state_before.cls
        for e in self.events:
            if e.kind == "disc" and "striker" in (cls[e.who[0]], cls[e.who[1]]):
                return (e.who[0] if cls[e.who[1]] == "striker" else e.who[1]), e.t
        return None

    @cached_property
    def pocketed(self) -> tuple[Fall, ...]:
        return tuple(Fall(int(i), POCKETS[int(p)], t) for t, k, i, _, _, p in self._events.tolist() if KINDS[int(k)] == "pocket")

    @cached_property
    def off_board(self) -> tuple[int, ...]:
        return tuple(e.who[0] for e in self.events if e.kind == "off")

    @cached_property
    def courses(self) -> tuple[Course, ...]:
        gone = {e.who[0]: e.t for e in self.events if e.kind in ("pocket", "off")}
        order = np.argsort(self._rows[:, 0], kind="stable")
        rows = self._rows[order]
        ends = np.searchsorted(rows[:, 0], np.arange(len(self.state_before) + 1))
        absent = np.isnan(self.state_before.x)
        return tuple(
            Course(part[:, 1], part[:, 2:], friction, spin_friction, -np.inf if absent[i] else gone.get(i, np.inf))
            for i, (friction, spin_friction) in enumerate(self._decelerations)
            for part in (rows[ends[i] : ends[i + 1]],)
        )

    @cached_property
    def final(self) -> State:
        return self.state(self.duration)

    def touched(self, index: int) -> tuple[int, ...]:
        """The discs that disc `index` touched, in the order of the first touches."""
        others = (e.who[0] if e.who[1] == index else e.who[1] for e in self.events if e.kind == "disc" and index in e.who)
        return tuple(dict.fromkeys(others))

    def positions(self, times: ArrayLike) -> Array:
        """Centres at `times` (s), shape (T, n, 2) in mm; NaN once a disc has left the board."""
        return self._at(times)[:, :, :2]

    def velocities(self, times: ArrayLike) -> Array:
        """Velocities at `times` (s), shape (T, n, 2) in mm/s; NaN once a disc has left the board."""
        return self._at(times)[:, :, 2:4]

    def state(self, t: float) -> State:
        """The discs at time `t` (s)."""
        x, y, vx, vy, spin = self._at([t])[0].reshape(-1, 5).T
        b = self.state_before
        return State(b.cls, x, y, vx, vy, spin, b.radius, b.mass, b.friction)

    def _at(self, times: ArrayLike) -> Array:
        ts = np.atleast_1d(np.asarray(times, np.float64))
        return np.stack([c.at(ts) for c in self.courses], axis=1) if self.courses else np.empty((len(ts), 0, 5))
