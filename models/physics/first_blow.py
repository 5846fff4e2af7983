"""The release of a stroke whose first blow is not explained, from the momentum of all that moved.

How a blow goes through a rack hangs on gaps that nobody sees, and a release fitted to where the pieces went would be wrong by
far. But however it goes, the momentum stays: until a disc reaches a cushion, the sum of the masses times the ways of all
discs goes on as the striker's alone did, but for friction. So the striker's line before the blow and that sum after it
give direction, speed and time, and ask nothing of the rack.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from models.physics.guess import Opening
from models.physics.levenberg import minimise, mixture
from models.physics.observations import Array, Indices, Mask
from models.physics.release import DIRECTION, NAMES, SPEED, TIME, Unknowns, friction_of
from models.physics.search import CONTENT, ROUNDS, Evidence
from models.physics.state import State

LONGEST: Final = 0.15
"""The sum is followed for so long after the blow (s), if no disc reaches a cushion before."""
STRAY_MM, STRAY_PART = 40.0, 0.5
"""A disc seen further off its line than this, and than this part of its way, was wrongly seen; collisions turn lines, so it is much."""
UNSEEN_MM, UNSEEN_PART = 5.0, 0.2
"""How far off a disc is that was not seen but drawn from its other sightings: mm, and part of its way."""
FASTEST: Final = 1.3
"""The fastest piece of a break, as a multiple of the striker's speed: until it can be at a cushion, none has been."""
PASSES: Final = 3
"""Ways of discs that were not seen hang on when the blow was, which the fit tells: it is made so many times."""
MOST_HELD: Final = 0.5
"""At least so much of the momentum goes over to the pieces: what says that there was no blow yet while they rest."""
BRIEF: Final = 2e-3
"""No time that is divided by is shorter (s)."""
TIMES: Final = 24
SPEED_PARTS: Final = np.array([0.7, 1.0, 1.6, 2.5])
"""The fit begins at so many times of the release, and at these multiples of the speed that the momentum tells."""


@dataclass(frozen=True)
class Sum:
    """The ways of all discs, weighed by their masses over the striker's.

    Attributes
    ----------
    t : ndarray, shape (F,)
        Frames after the blow (s).
    way : ndarray, shape (F, 2)
        (mm)
    sigma : ndarray, shape (F,)
        (mm)
    drag : ndarray, shape (2,)
        What friction takes from its speed (mm/s^2).
    """

    t: Array
    way: Array
    sigma: Array
    drag: Array


def fit_momentum(evidence: Evidence, unknowns: Unknowns, start: Opening) -> tuple[Array, Array] | None:
    """The release, by the striker's line and the momentum, and its covariance; None if no frame shows enough of the discs.

    Between the last sighting of the striker at rest and the next, early and slow may be as likely as late and fast, and the
    likeliest is then at an end: so the middle of the posterior is given.

    Parameters
    ----------
    evidence : Evidence
    unknowns : Unknowns
    start : Opening
        With the time at which pieces were first seen to move.
    """
    seen, striker = evidence.seen, unknowns.striker
    before = (seen.disc == striker) & (seen.t < start.pieces)
    resting = float(seen.t[seen.t < start.pieces].max(initial=start.earliest))
    blow, fast, starts = (resting + start.pieces) / 2, 0.0, np.empty((0, len(unknowns)))
    for _ in range(PASSES):
        total = _sum(evidence, unknowns, start, blow, fast)
        if total is None:
            return None
        momentum = _Momentum(unknowns, evidence.still, seen.t[before], total, resting)
        target = replace(
            evidence.target(unknowns, before),
            predict=momentum,
            seen=np.concatenate([seen.places()[before], total.way, np.zeros((1, 2))]),
            sigma=np.concatenate([seen.sigma[before], total.sigma, total.sigma[:1]]),
        )
        if not len(starts):
            starts = _starts(unknowns, total, start)
        best = minimise(target, starts, 3 * ROUNDS, CONTENT).theta[:1]
        when, fast = (float(v[0]) for v in momentum.blow(best))
        blow = float(np.clip(when, resting, start.pieces))
    starts[:, len(NAMES) :] = best[0, len(NAMES) :]
    found = mixture(target, np.concatenate([starts, best]), TIME, 3 * ROUNDS, CONTENT)
    middle = found.theta[np.searchsorted(np.cumsum(found.weight), 0.5)]
    return middle, found.about(middle)


def _starts(unknowns: Unknowns, total: Sum, start: Opening) -> Array:
    speed = float(np.hypot(*total.way[0])) / max(float(total.t[0]) - start.earliest, BRIEF)
    direction = float(np.arctan2(*total.way[-1][::-1]))
    rows = [(t, speed * part, direction) for t in np.linspace(start.earliest, start.latest, TIMES) for part in SPEED_PARTS]
    starts = np.tile(unknowns.start(np.zeros(len(NAMES))), (len(rows), 1))
    starts[:, [TIME, SPEED, DIRECTION]] = rows
    return starts


class _Momentum:
    """Where the striker is before the blow, and how the sum of all ways goes on; what `levenberg` fits."""

    def __init__(self, unknowns: Unknowns, still: Array, t: Array, total: Sum, resting: float) -> None:
        self.unknowns, self.t, self.total, self.resting = unknowns, t, total, resting
        self.friction = friction_of(still, unknowns.striker)

    def __call__(self, thetas: Array) -> Array:
        """Rows as in `fit_momentum`: the striker's sightings, the sums, the pieces' before the blow; shape (B, K, 2)."""
        home, along, begin, speed = self._home(thetas), _along(thetas), thetas[:, TIME], thetas[:, SPEED]
        blow, fast = self.blow(thetas)
        line = home[:, None] + along[:, None] * self._way(self.t, begin, speed)[:, :, None]
        since = np.maximum(self.total.t - blow[:, None], 0.0)
        until = np.minimum(self.total.t, blow[:, None])
        ways = along[:, None] * (self._way(until, begin, speed) + fast[:, None] * since)[:, :, None]
        ways = ways - 0.5 * self.total.drag * since[:, :, None] ** 2
        early = along * (MOST_HELD * fast * np.maximum(self.resting - blow, 0.0))[:, None]
        found: Array = np.concatenate([line, ways, early[:, None]], axis=1)
        return found

    def _home(self, thetas: Array) -> Array:
        if self.unknowns.striker in self.unknowns.placed:
            k = 4 + 2 * self.unknowns.placed.index(self.unknowns.striker)
            return thetas[:, k : k + 2]
        return np.tile(self.unknowns.state.positions()[self.unknowns.striker], (len(thetas), 1))

    def blow(self, thetas: Array) -> tuple[Array, Array]:
        """When the striker meets the first piece (s), inf if never, and how fast (mm/s), each of shape (B,)."""
        begin, speed = thetas[:, TIME], thetas[:, SPEED]
        reach = _first_piece(self.unknowns.state, self.unknowns.striker, self._home(thetas), _along(thetas))
        left = speed**2 - 2 * self.friction * reach
        fast = np.sqrt(np.maximum(left, 0.0))
        return np.where((left > 0) & (speed > 0), begin + (speed - fast) / self.friction, np.inf), fast

    def _way(self, t: Array, begin: Array, speed: Array) -> Array:
        """How far the striker has gone (mm), shape (B, T)."""
        since = np.clip(t - begin[:, None], 0.0, np.maximum(speed, 0.0)[:, None] / self.friction)
        found: Array = speed[:, None] * since - 0.5 * self.friction * since**2
        return found


def _along(thetas: Array) -> Array:
    """Unit vectors of the release, shape (B, 2)."""
    return np.stack([np.cos(thetas[:, DIRECTION]), np.sin(thetas[:, DIRECTION])], axis=1)


def _first_piece(state: State, striker: int, home: Array, along: Array) -> Array:
    """How far the striker goes until it meets a piece (mm), shape (B,); inf if it meets none."""
    pieces = np.delete(np.arange(len(state)), striker)
    to = state.positions()[pieces] - home[:, None]
    ahead = np.einsum("bic,bc->bi", to, along)
    gap = (state.radius[pieces] + state.radius[striker]) ** 2 - (np.sum(to**2, axis=2) - ahead**2)
    way = np.where((gap >= 0) & (ahead > 0), ahead - np.sqrt(np.maximum(gap, 0.0)), np.inf)
    found: Array = np.nan_to_num(way, nan=np.inf, posinf=np.inf).min(axis=1, initial=np.inf)
    return np.maximum(found, 0.0)


def _sum(evidence: Evidence, unknowns: Unknowns, start: Opening, blow: float, fast: float) -> Sum | None:
    """The weighed ways after the blow with a speed of `fast`, of frames up to which no disc has reached a cushion."""
    seen, state, striker = evidence.seen, unknowns.state, unknowns.striker
    frames = np.unique(seen.t[(seen.t >= start.pieces) & (seen.t <= start.pieces + LONGEST)])
    here = np.flatnonzero(~np.isnan(state.x))
    side = float(np.sqrt(evidence.area))
    room = float(np.minimum(state.positions(), side - state.positions())[np.setdiff1d(here, striker)].min(initial=side))
    free_until = room / (FASTEST * fast) if fast > 0 else np.inf
    ways, sigmas, speeds = np.zeros((len(frames), len(state), 2)), np.zeros((len(frames), len(state))), np.zeros((len(state), 2))
    for i in here:
        own = np.flatnonzero((seen.disc == i) & np.isin(seen.t, frames))
        at, t = seen.places()[own] - (state.x[i], state.y[i]), seen.t[own]
        if i != striker:
            kept = _near_line(at, t - blow)
            at, t, own = np.concatenate([np.zeros((1, 2)), at[kept]]), np.concatenate([[blow], t[kept]]), own[kept]
        elif not len(own):
            return None
        ways[:, i] = _drawn(frames, t, at)
        speeds[i] = (at[-1] - at[0]) / max(float(t[-1] - t[0]), BRIEF)
        # one that is seen next when it may have come back from a cushion can have been anywhere
        next_seen = np.concatenate([t, [np.inf]])[np.searchsorted(t, frames)]
        lost = (next_seen - blow > free_until) * FASTEST * fast * np.maximum(frames - blow, 0.0) / 2
        sigmas[:, i] = UNSEEN_MM + UNSEEN_PART * np.hypot(*(ways[:, i] - at[0]).T) + lost
        sigmas[np.searchsorted(frames, seen.t[own]), i] = seen.sigma[own]
    free = _inside(state, here, ways, side) & (frames - blow <= free_until)
    free[0] = True
    count = len(frames) if free.all() else int(np.argmin(free))
    weight = np.nan_to_num(state.mass / state.mass[striker])
    sigma = np.sqrt((sigmas**2 * weight**2).sum(axis=1))
    friction = np.array([friction_of(evidence.still, i) for i in range(len(state))])
    fast = np.hypot(*speeds.T)[:, None]
    drag = (weight * friction) @ np.divide(speeds, fast, out=np.zeros_like(speeds), where=fast > 0)
    return Sum(frames[:count], (ways * weight[:, None]).sum(axis=1)[:count], sigma[:count], drag)


def _drawn(frames: Array, t: Array, at: Array) -> Array:
    """The way at each frame from some known, shape (F, 2): straight between them, and straight on after the last."""
    way = np.stack([np.interp(frames, t, at[:, c]) for c in (0, 1)], axis=1)
    if len(t) > 1 and t[-1] > t[-2]:
        way += (at[-1] - at[-2]) * (np.maximum(frames - t[-1], 0.0) / (t[-1] - t[-2]))[:, None]
    return way


def _near_line(at: Array, since: Array) -> Mask:
    """Which of the ways of a piece, at some times since the blow, lie near its line."""
    if not len(at):
        return np.zeros(0, bool)
    speed = np.median(at / np.maximum(since, BRIEF)[:, None], axis=0)
    off = np.hypot(*(at - speed * since[:, None]).T)
    near: Mask = np.asarray(off <= np.maximum(STRAY_MM, STRAY_PART * np.hypot(*at.T)), np.bool_)
    return near


def _inside(state: State, here: Indices, ways: Array, side: float) -> Mask:
    """In which frames no disc has come to a cushion, shape (F,)."""
    at = state.positions()[here] + ways[:, here]
    radius = state.radius[here][:, None]
    found: Mask = np.asarray(((at > radius) & (at < side - radius)).all(axis=(1, 2)), np.bool_)
    return found
