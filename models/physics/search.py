"""The search for a release: how the fit of a stroke goes on from first guesses to the last sighting.

The first tenth of a second is fitted first, as its motions depend smoothly on the release; then the horizon is moved on by
a half each time, while what was seen stays explained.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Final

import numpy as np

from models.physics.explained import inliers, limits
from models.physics.levenberg import Minima, Prior, Target, draws, minimise, mixture
from models.physics.observations import Array, Mask, Observations
from models.physics.release import DIRECTION, SPEED, SPIN, TIME, Unknowns, places
from models.physics.state import State

STARTS: Final = 8
"""First guesses from which the fit goes down."""
RIVALS: Final = 3
RIVAL_NATS: Final = 12.0
"""So many releases are followed for a while, if they are not worse than the best by more than so many nats."""
SOFT: Final = 5.0
"""The first descent takes the noise to be so many times what it is."""
GROWTH: Final = 1.5
"""The horizon moves on by this factor, counted from the release."""
LEAST_HORIZON: Final = 0.02
"""A horizon is at least so long (s), wherever the release was guessed."""
ROUNDS, CONTENT = 8, 0.02
"""Steps of a descent at most, and the gain (nats) that is not worth another."""
ROUGH_ROUNDS, ROUGH_CONTENT = 6, 0.5
NODE_ROUNDS: Final = 3
DRAWS: Final = 48
DRAW_WIDTH: Final = 2.0
"""Where a horizon is not explained, so many releases are tried that lie about the present one, by so many standard deviations."""
SPINS: Final = np.array([-20.0, -10.0, 10.0, 20.0])
"""Changes of the spin (rad/s) that are tried with them."""
NODES, FARTHEST = 10, 30.0
"""At so many smaller and so many larger spins, up to this far off (rad/s), the other numbers are fitted anew."""
SEED: Final = 7
MOVED_MM: Final = 0.5
"""A disc that the stroke moves less is not looked for a better place."""
CROWD: Final = 4
CROWD_GAP: Final = 1.0
"""So many discs that lie no further apart (mm) pass a blow on in a way that hangs on gaps nobody can see: no places are looked for."""

SPEED_PRIOR: Final = (2000.0, 3000.0)
"""Mean and standard deviation of the speeds of strokes (mm/s), for those that nothing shows."""
SPIN_PRIOR: Final = 15.0
"""Standard deviation of a striker's spin (rad/s): a flick off the middle of the nail; 15 is 0.3 m/s at the rim. An assumption."""
STEPS: Final = (5e-4, 10.0, 1e-3, 2.0)
"""Changes of time (s), speed (mm/s), direction (rad) and spin (rad/s) that can be felt."""
PLACE_STEP, FRICTION_STEP = 0.1, 0.01
"""The same of places (mm) and of logarithms of factors of friction."""


@dataclass(frozen=True)
class Evidence:
    """What a fit goes by.

    Attributes
    ----------
    seen : Observations
        In time order.
    sigma : ndarray, shape (K,)
        Noise that the fit allows each sighting (mm).
    counts : ndarray of bool, shape (K,)
        Which sightings may be fitted.
    still : ndarray
        The board and its discs at rest, as the core reads them.
    area : float
        Where a wrong sighting may lie (mm^2).
    spread : ndarray, shape (n,)
        How well the places at rest are known (mm).
    friction_sigma : float
        How well the frictions are, as a part of them.
    when : tuple of float
        Mean and standard deviation of the release's time (s).
    direction : float
        About which the directions lie (rad).
    """

    seen: Observations
    sigma: Array
    counts: Mask
    still: Array
    area: float
    spread: Array
    friction_sigma: float
    when: tuple[float, float]
    direction: float

    def predictor(self, unknowns: Unknowns, chosen: Mask) -> Callable[[Array], Array]:
        """From vectors, shape (B, P), to places of the chosen sightings, shape (B, K, 2), in mm."""
        disc, still = self.seen.disc[chosen], self.still
        frames, frame = np.unique(self.seen.t[chosen], return_inverse=True)

        def predict(thetas: Array) -> Array:
            found = places(unknowns.numbers(thetas, still), len(unknowns.state), frames - thetas[:, :1])
            return found[:, frame, disc]

        return predict

    def prior(self, unknowns: Unknowns) -> Prior:
        """Of all that is looked for."""
        mean = unknowns.start([self.when[0], SPEED_PRIOR[0], self.direction, 0.0])
        sd = np.full(len(unknowns), self.friction_sigma)
        sd[[TIME, SPEED, DIRECTION, SPIN]] = self.when[1], SPEED_PRIOR[1], np.pi, SPIN_PRIOR
        sd[4 : 4 + 2 * len(unknowns.placed)] = np.repeat(self.spread[list(unknowns.placed)], 2)
        return Prior(mean, sd)

    def target(self, unknowns: Unknowns, chosen: Mask, soft: float = 1.0) -> Target:
        """The least squares of the chosen sightings, their noise taken to be `soft` times what it is."""
        steps = np.full(len(unknowns), FRICTION_STEP)
        steps[:4], steps[4 : 4 + 2 * len(unknowns.placed)] = STEPS, PLACE_STEP
        seen, sigma = self.seen.places()[chosen], soft * self.sigma[chosen]
        return Target(self.predictor(unknowns, chosen), seen, sigma, self.area, self.prior(unknowns), steps)


def crowded(state: State) -> Mask:
    """Which discs lie in a rack or another heap of at least `CROWD`, shape (n,)."""
    at = state.positions()
    gap = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) - state.radius[:, None] - state.radius
    joined = np.nan_to_num(gap, nan=np.inf) <= CROWD_GAP
    while True:
        further = (joined.astype(np.intp) @ joined) > 0
        if (further == joined).all():
            found: Mask = joined.sum(axis=1) >= CROWD
            return found
        joined = further


class Search:
    """The fit of a stroke under way: what is looked for, what was found, and which sightings still count.

    Attributes
    ----------
    unknowns : Unknowns
    theta : ndarray, shape (M, P)
        The best vector first, then rivals.
    limit : ndarray, shape (n,)
        Until when each disc is explained (s); inf if to the end.
    """

    def __init__(self, evidence: Evidence, unknowns: Unknowns) -> None:
        self.evidence, self.unknowns = evidence, unknowns
        self.theta = np.empty((0, len(unknowns)))
        self.information = np.empty((0, 0))
        self.limit = np.full(len(unknowns.state), inf)
        self.until = -inf
        self._loose = np.flatnonzero((evidence.spread > 0) & ~crowded(unknowns.state))
        self._rng = np.random.default_rng(SEED)

    def begin(self, starts: Array, until: float) -> None:
        """Fit what was seen up to `until`, first roughly."""
        self.until = until
        rough = minimise(self._target(SOFT), starts, ROUGH_ROUNDS, ROUGH_CONTENT)
        self._take(minimise(self._target(), rough.theta, ROUNDS, CONTENT), STARTS)
        self._look_for_places()
        self._descend()
        self._vary()

    def extend(self) -> None:
        """Move the horizon on to the last sighting, or to where nothing that moves is explained."""
        last = float(self.evidence.seen.t[-1])
        while self.until < last:
            self.until = min(last, self.theta[0, TIME] + GROWTH * max(self.until - self.theta[0, TIME], LEAST_HORIZON))
            self._look_for_places()
            self._descend()
            found = self._limits()
            if (found < self.limit).any():
                self._vary()
                found = self._limits()
            self.limit = np.minimum(self.limit, found)
            if (self.limit < inf).any() and not self._more_to_come():
                break
        self.until = last
        self.limit = self._limits()
        self._look_for_places()
        self._descend()
        self._vary()
        self.limit = self._limits()

    def _descend(self) -> None:
        self._take(minimise(self._target(), self.theta, ROUNDS, CONTENT), RIVALS)

    def _take(self, found: Minima, most: int) -> None:
        """Keep the best, and those that are not much worse and not the same."""
        keep: list[int] = []
        for k in np.flatnonzero(found.cost <= found.cost[0] + RIVAL_NATS):
            apart = [(found.theta[k] - found.theta[j]) @ found.information[j] @ (found.theta[k] - found.theta[j]) > 1.0 for j in keep]
            if all(apart) and len(keep) < most:
                keep.append(int(k))
        self.theta, self.information = found.theta[keep], found.information[keep[0]]

    def _vary(self) -> None:
        """Go down again from beside the best: from other spins, as small changes are not always felt, and from others about it."""
        beside = draws(self.theta[0], self.information, DRAW_WIDTH, DRAWS, self._rng)
        target = self._target()
        order = np.argsort(target.cost(beside)[0], kind="stable")
        spun = np.tile(self.theta[0], (len(SPINS), 1))
        spun[:, SPIN] += SPINS
        self._take(minimise(target, np.concatenate([self.theta, spun, beside[order[:RIVALS]]]), ROUNDS, CONTENT), RIVALS)

    def spread_over_spins(self) -> Array:
        """Covariance about the best, shape (P, P), all spins considered; a spin that turns out better takes its place.

        A spin is often felt only beyond a threshold, at which its slope says nothing.
        """
        near = min(0.5 / float(np.sqrt(self.information[SPIN, SPIN])), FARTHEST / 10)
        further = np.geomspace(near, FARTHEST, NODES)
        start = np.tile(self.theta[0], (2 * NODES + 1, 1))
        start[:, SPIN] += np.concatenate([-further[::-1], [0.0], further])
        found = mixture(self._target(), start, SPIN, NODE_ROUNDS, CONTENT)
        self.theta[0] = found.best
        return found.about(found.best)

    def predicted(self) -> Array:
        """Where the best says that the sightings should be, shape (K, 2), in mm."""
        everything = np.ones(len(self.evidence.seen), bool)
        found: Array = self.evidence.predictor(self.unknowns, everything)(self.theta[:1])[0]
        return found

    def _target(self, soft: float = 1.0) -> Target:
        t, disc = self.evidence.seen.t, self.evidence.seen.disc
        return self.evidence.target(self.unknowns, self.evidence.counts & (t <= self.until) & (t <= self.limit[disc]), soft)

    def _more_to_come(self) -> bool:
        """Whether a disc that the stroke moves and that is still explained is seen after the horizon."""
        seen, rest = self.evidence.seen, self.unknowns.state.positions()
        off = np.hypot(*(self.predicted() - rest[seen.disc]).T)
        return bool(((seen.t > self.until) & ~(off <= MOVED_MM) & (self.limit[seen.disc] == inf)).any())

    def _limits(self) -> Array:
        """Until when each disc is explained, of what was seen up to the horizon."""
        early = self.evidence.seen.t <= self.until
        seen = self.evidence.seen.where(early)
        residual = seen.places() - self.evidence.predictor(self.unknowns, early)(self.theta[:1])[0]
        return limits(seen, inliers(residual, seen.sigma), len(self.unknowns.state))

    def _look_for_places(self) -> None:
        """Look for the places of those discs, not known exactly, that the stroke moves up to the horizon."""
        if not len(self._loose):
            return
        times = np.array([[max(self.until - self.theta[0, TIME], 0.0)]])
        numbers = self.unknowns.numbers(self.theta[:1], self.evidence.still)
        found = places(numbers, len(self.unknowns.state), times)[0, 0]
        at = self.unknowns.struck(self.theta[0]).positions()
        off = np.hypot(*(found - at).T)
        moved = [int(i) for i in self._loose if not off[i] <= MOVED_MM and not np.isnan(at[i, 0])]
        placed = tuple(dict.fromkeys([*self.unknowns.placed, *moved]))
        if placed != self.unknowns.placed:
            wider = replace(self.unknowns, placed=placed)
            old, new = self.unknowns.names(), wider.names()
            theta = np.tile(wider.start(np.zeros(4)), (len(self.theta), 1))
            theta[:, [new.index(name) for name in old]] = self.theta
            self.unknowns, self.theta = wider, theta
