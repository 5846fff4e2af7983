"""One Kalman filter for all discs of a board, its process model the physics: collisions are foreseen, not lost.

A divided-difference filter (Nørgaard, Poulsen and Ravn 2000, "New developments in state estimation for nonlinear systems"):
the state is carried on by the physics core together with variations of it, along the columns of the covariance's square
root, and their differences say how uncertainty spreads through collisions and from disc to disc. So a disc that nobody sees
is followed by what it did to others. The smoother is Rauch, Tung and Striebel's.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.board import BoardSpec
from models.physics import Dynamics, State, propagate
from tracking.cast import Array

Mask = NDArray[np.bool_]
Indices = NDArray[np.intp]

SPREAD: Final = np.sqrt(3.0)
"""Width of the variations in standard deviations: the best for a normal distribution (ibid.)."""
REST_SIGMA: Final = 0.8
"""How well a disc at rest is known (mm)."""
FRICTION_SHARE: Final = 0.15
"""How well friction is known at one place of the board, as a part of it."""
CREEP: Final = 0.05
"""A disc at rest may seem to creep by so much from frame to frame (mm)."""
BLOW_SHARE: Final = 0.06
"""How well a blow's change of velocity is known, as a part of it: spin, dust, a rim that is not quite round."""
SLOW: Final = 2.0
"""Below this a disc rests (mm/s)."""
REACH: Final = 3.0
"""Resting discs nearer to what moves than so many of its ways in a step may be hit in it."""
REACH_MM: Final = 90.0
"""And those within this of it (mm)."""
PLACE_FLOOR, VELOCITY_FLOOR = 0.3, 10.0
"""What is unknown of a moving disc after any step (mm, mm/s), so that no direction is ever taken for certain."""
MOST_PLACE, MOST_VELOCITY = 150.0, 1200.0
"""A disc known worse than this (mm, mm/s) is lost: what bound it to others says nothing any more."""
SECONDS: Final = 0.03
"""What makes velocities comparable with places in the smoother (s)."""
SLACK: Final = 0.1
"""How far a prediction is never believed (mm)."""
TRUSTED: Final = 6.0
"""What comes later moves an estimate by no more than so many standard deviations."""
SURVIVOR: Final = 300.0
"""How badly the velocity of a disc is known that came out of a pocket (mm/s)."""
JITTER: Final = 1e-6
"""Added to a covariance before its square root is taken (mm^2, mm^2/s^2)."""


@dataclass
class Step:
    """What the smoother needs of one frame: means, shape (n, 4), and covariances, (4n, 4n), before and after its sightings.

    Attributes
    ----------
    cross : ndarray, shape (4n, 4n)
        Covariance of the frame before, after its sightings, with this one, before its own.
    """

    t: float
    foreseen: Array
    foreseen_cov: Array
    cross: Array
    mean: Array
    cov: Array


class JointFilter:
    """All discs of a board in motion.

    Parameters
    ----------
    state : State
        Which discs there are; NaN for those that are not on the board.
    board : BoardSpec
    dynamics : Dynamics
    t : float
        Time of the start (s).

    Attributes
    ----------
    mean : ndarray, shape (n, 4)
        x, y (mm), vx, vy (mm/s).
    cov : ndarray, shape (4n, 4n)
    fell : ndarray, shape (n,)
        When a disc left the board (s); inf if it did not.
    steps : list of Step
    doubtful : dict
        Discs that at the last step may have left the board or not, and what else may be: None if it left; mean, shape (4,),
        and covariance, (4, 4), if it did not.
    """

    def __init__(self, state: State, board: BoardSpec, dynamics: Dynamics, t: float) -> None:
        self._state, self._board, self._dynamics = state, board, dynamics
        self._friction = np.array([dynamics.friction(c) for c in state.cls])
        self.t = t
        self.mean = np.stack([state.x, state.y, state.vx, state.vy], axis=1)
        self.here: Mask = np.asarray(~np.isnan(state.x), np.bool_)
        self.cov: Array = np.diag(np.outer(self.here, [REST_SIGMA**2, REST_SIGMA**2, 0.0, 0.0]).ravel())
        self.fell: Array = np.where(self.here, np.inf, -np.inf)
        self.steps: list[Step] = []
        self.doubtful: dict[int, tuple[Array, Array] | None] = {}

    def copy(self) -> JointFilter:
        """A filter that goes on by itself."""
        out = copy(self)
        out.mean, out.cov, out.here, out.fell = self.mean.copy(), self.cov.copy(), self.here.copy(), self.fell.copy()
        out.steps = [*self.steps[:-1], *(replace(s, mean=s.mean.copy(), cov=s.cov.copy(), cross=s.cross.copy()) for s in self.steps[-1:])]
        out.doubtful = {}
        return out

    def block(self, i: int) -> Array:
        """Covariance of disc `i`, shape (4, 4)."""
        return self.cov[4 * i : 4 * i + 4, 4 * i : 4 * i + 4]

    def launch(self, i: int, t: float, v: Array, cov: Array) -> None:
        """Disc `i` sets off at `t` (s): velocity, shape (2,), and its covariance, (2, 2); mm/s."""
        if t > self.t + 1e-3:
            self.predict(t)
        self.mean[i, 2:] = v
        k = slice(4 * i + 2, 4 * i + 4)
        self.cov[k] = 0.0
        self.cov[:, k] = 0.0
        self.cov[k, k] = cov
        if self.steps:
            self.steps[-1].mean, self.steps[-1].cov = self.mean.copy(), self.cov.copy()

    def restart(self, i: int, mean: Array, cov: Array) -> None:
        """Disc `i` is known anew: x, y, vx, vy, shape (4,), and their covariance, (4, 4); what bound it to others is forgotten."""
        k = slice(4 * i, 4 * i + 4)
        self.mean[i] = mean
        self.cov[k] = 0.0
        self.cov[:, k] = 0.0
        self.cov[k, k] = cov
        if self.steps:
            self.steps[-1].mean[i] = mean
            self.steps[-1].cov = self.cov.copy()
            self.steps[-1].cross[:, k] = 0.0
        self.here[i] = True
        self.fell[i] = np.inf

    def speeds(self) -> Array:
        """Of all discs, shape (n,); mm/s."""
        return np.asarray(np.hypot(self.mean[:, 2], self.mean[:, 3]), np.float64)

    def predict(self, t: float) -> None:
        """Carry all on to `t` (s)."""
        dt = max(t - self.t, 1e-3)
        before, here = self.mean.copy(), self.here
        root = self._root(self._stirred(dt))
        start = np.broadcast_to(self.mean, (1 + 2 * root.shape[1], *self.mean.shape)).copy()
        shifts = (SPREAD * root.T).reshape(-1, *self.mean.shape)
        start[1 : 1 + len(shifts)] += shifts
        start[1 + len(shifts) :] -= shifts
        there = propagate(self._now(), start, dt, self._board, self._dynamics)
        middle = there[0]
        gone = here & np.isnan(middle[:, 0])
        self.doubtful = self._doubtful(there, gone)
        # what a variation loses in a pocket says nothing of how the others spread
        there = np.where(np.isnan(there), np.where(np.isnan(middle), 0.0, middle)[None], there)
        flat = there.reshape(len(there), -1)
        up, down = flat[1 : 1 + len(shifts)], flat[1 + len(shifts) :]
        first = (up - down).T / (2 * SPREAD)
        second = (up + down - 2 * flat[0]).T * np.sqrt(SPREAD**2 - 1) / (2 * SPREAD**2)
        cov = first @ first.T + second @ second.T
        # the columns that were not varied stay as they were
        still = self.cov - root @ root.T
        cross = root @ first.T + still
        cov += still
        cov += self._noise(before, np.where(np.isnan(middle), before, middle), dt)
        self.t = t
        self.mean = np.where(np.isnan(middle), before, middle)
        self.cov = (cov + cov.T) / 2
        self.steps.append(Step(t, self.mean.copy(), self.cov.copy(), cross, self.mean.copy(), self.cov.copy()))
        for i in np.flatnonzero(gone):
            self.lose(int(i), t)

    def _doubtful(self, there: Array, gone: Mask) -> dict[int, tuple[Array, Array] | None]:
        out: dict[int, tuple[Array, Array] | None] = {}
        lost = np.isnan(there[1:, :, 0])
        for i in np.flatnonzero(self.here & lost.any(axis=0) & ~lost.all(axis=0)):
            if not gone[i]:
                out[int(i)] = None
            else:
                kept = there[1:][~lost[:, i], i]
                mean = kept.mean(axis=0)
                out[int(i)] = mean, np.diag(np.maximum(kept.var(axis=0), [1.0, 1.0, SURVIVOR**2, SURVIVOR**2]))
        return out

    def lose(self, i: int, t: float) -> None:
        """Disc `i` left the board at `t` (s)."""
        self.fell[i], self.here[i] = t, False
        k = slice(4 * i, 4 * i + 4)
        self.cov[k] = 0.0
        self.cov[:, k] = 0.0

    def update(self, discs: Indices, seen: Array, sigma: Array, delays: Array) -> None:
        """Take in sightings.

        Parameters
        ----------
        discs : ndarray of int, shape (k,)
        seen : ndarray, shape (k, 2)
            Centres (mm).
        sigma : ndarray, shape (k,)
            Along each axis (mm).
        delays : ndarray, shape (k,)
            How much later than the filter's time they were made (s).
        """
        if len(discs):
            rows, late = (4 * discs[:, None] + np.arange(2)).ravel(), np.repeat(delays, 2)
            gain_to = self.cov[:, rows] + late * self.cov[:, rows + 2]
            s = gain_to[rows] + late[:, None] * gain_to[rows + 2] + np.diag(np.repeat(sigma**2, 2))
            gain = np.linalg.solve(s, gain_to.T).T
            flat = self.mean.ravel() + gain @ (seen - self.mean[discs, :2] - delays[:, None] * self.mean[discs, 2:]).ravel()
            self.mean = flat.reshape(self.mean.shape)
            cov = self.cov - gain @ gain_to.T
            self.cov = (cov + cov.T) / 2
            # what rests stays where it was seen, whatever its neighbours do
            slow = self.speeds() < SLOW
            self.mean[slow, 2:] = 0.0
        self._forget()
        self.steps[-1].mean, self.steps[-1].cov = self.mean.copy(), self.cov.copy()

    def _forget(self) -> None:
        """Discs that are lost are bound to nothing."""
        variance = np.diag(self.cov).reshape(-1, 4)
        lost = (variance[:, :2].max(axis=1) > MOST_PLACE**2) | (variance[:, 2:].max(axis=1) > MOST_VELOCITY**2)
        for i in np.flatnonzero(lost):
            k = slice(4 * i, 4 * i + 4)
            own = np.minimum(variance[i], [MOST_PLACE**2] * 2 + [MOST_VELOCITY**2] * 2)
            self.cov[k] = 0.0
            self.cov[:, k] = 0.0
            self.cov[k, k] = np.diag(own)

    def smooth(self) -> tuple[Array, Array]:
        """All frames in the light of the later ones: means, shape (F, n, 4), and standard deviations of the places, (F, n); mm."""
        count = len(self.steps)
        means = np.stack([s.mean for s in self.steps])
        covs = [s.cov for s in self.steps]
        scale = np.tile([1.0, 1.0, SECONDS, SECONDS], means.shape[1])
        for k in range(count - 2, -1, -1):
            later = self.steps[k + 1]
            active = np.flatnonzero(np.diag(later.foreseen_cov) > JITTER)
            if not len(active):
                continue
            unit = scale[active]
            p = later.foreseen_cov[np.ix_(active, active)] * np.outer(unit, unit) + SLACK**2 * np.eye(len(active))
            gain = np.linalg.solve(p, (later.cross[:, active] * unit).T).T * unit
            off = (means[k + 1] - later.foreseen).ravel()[active]
            shift = (gain @ off).reshape(means[k].shape)
            cov = covs[k] + gain @ (covs[k + 1] - later.foreseen_cov)[np.ix_(active, active)] @ gain.T
            # where the two do not belong together, as after a blow nobody foresaw, what was known at the time stands
            own = np.sqrt(np.maximum(np.diag(covs[k]), SLACK**2)).reshape(-1, 4)
            wild = (np.abs(shift) > TRUSTED * own).any(axis=1)
            shift[wild] = 0.0
            kept = np.repeat(wild, 4)
            cov[kept] = covs[k][kept]
            cov[:, kept] = covs[k][:, kept]
            means[k] += shift
            covs[k] = cov
        spread = np.sqrt(np.maximum(np.stack([np.diag(c) for c in covs]).reshape(count, -1, 4)[:, :, :2].max(axis=2), 0.0))
        return means, spread

    def _now(self) -> State:
        s = self._state
        x, y = (np.where(self.here, self.mean[:, k], np.nan) for k in (0, 1))
        zero = np.zeros(len(s))
        return State(s.cls, x, y, zero, zero, zero, s.radius, s.mass, s.friction)

    def _stirred(self, dt: float) -> Mask:
        """Discs that move or may be hit within `dt`, shape (n,)."""
        speed = self.speeds()
        moving = self.here & (speed > SLOW)
        at = self.mean[:, :2]
        apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1))
        near = apart < np.maximum(REACH * speed * dt, REACH_MM)[:, None]
        found: Mask = self.here & (moving | near[moving].any(axis=0))
        return found

    def _root(self, stirred: Mask) -> Array:
        """Columns whose products sum up to the covariance of the stirred discs, shape (4n, c)."""
        spread = np.repeat(stirred, 4) & (np.diag(self.cov) > JITTER)
        k = np.flatnonzero(spread)
        values, vectors = np.linalg.eigh(self.cov[np.ix_(k, k)]) if len(k) else (np.zeros(0), np.zeros((0, 0)))
        keep = values > JITTER
        root = np.zeros((len(self.cov), int(keep.sum())))
        root[k] = vectors[:, keep] * np.sqrt(values[keep])
        return root

    def _noise(self, before: Array, after: Array, dt: float) -> Array:
        """What the physics does not know, shape (4n, 4n)."""
        out: Array = np.zeros(self.cov.shape)
        speed = np.hypot(before[:, 2], before[:, 3])
        there = np.hypot(after[:, 2], after[:, 3])
        moves = self.here & ((speed > SLOW) | (there > SLOW))
        change = np.hypot(*(after[:, 2:] - before[:, 2:]).T)
        blow = np.maximum(change - self._friction * dt, 0.0)
        sigma_v = np.hypot(FRICTION_SHARE * self._friction * dt, BLOW_SHARE * blow)
        for i in np.flatnonzero(self.here):
            k = slice(4 * i, 4 * i + 4)
            if moves[i]:
                g = np.array([[dt / 2, 0], [0, dt / 2], [1, 0], [0, 1]]) * sigma_v[i]
                out[k, k] = g @ g.T + np.diag([PLACE_FLOOR**2] * 2 + [VELOCITY_FLOOR**2] * 2)
            else:
                out[k, k] = np.diag([CREEP**2, CREEP**2, 0.0, 0.0])
        return out
