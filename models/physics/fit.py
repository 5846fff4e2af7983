"""The release of a stroke, from what was seen of it.

The release is that which makes what was seen likeliest (`models.physics.likelihood`), found from the best of many first
guesses (`guess`) by damped least squares (`levenberg`). The first tenth of a second is fitted first, as its motions
depend smoothly on the release; then the horizon is moved on by a half each time, while what was seen stays explained.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from models.board import ICF, BoardSpec
from models.physics.dynamics import Dynamics
from models.physics.engine import simulate
from models.physics.explained import inliers, limits
from models.physics.guess import guesses, opening
from models.physics.levenberg import Minima, Prior, Target, information_at, minimise
from models.physics.likelihood import score
from models.physics.motion import Motion
from models.physics.observations import Array, Mask, Observations
from models.physics.release import DIRECTION, SPEED, SPIN, TIME, Release, Unknowns, places, still_numbers
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
ROUNDS, CONTENT = 8, 0.02
ROUGH_ROUNDS, ROUGH_CONTENT = 6, 0.5
"""Steps of a descent at most, and the gain (nats) that is not worth another; the rough ones of the first descent."""
DRAWS: Final = 48
DRAW_WIDTH: Final = 2.0
"""Where a horizon is not explained, so many releases are tried that lie about the present one, by so many standard deviations."""
SEED: Final = 7
MOVED_MM: Final = 0.5
"""A disc that the stroke moves less is not looked for a better place."""

SPEED_PRIOR: Final = (2000.0, 3000.0)
"""Mean and standard deviation of the speeds of strokes (mm/s), for those that nothing shows."""
SPIN_PRIOR: Final = 15.0
"""Standard deviation of a striker's spin (rad/s): a flick off the middle of the nail; 15 is 0.3 m/s at the rim. An assumption."""
TIME_PRIOR: Final = 1.0
STEPS: Final = (5e-4, 10.0, 1e-3, 2.0)
"""Changes of time (s), speed (mm/s), direction (rad) and spin (rad/s) that can be felt."""
PLACE_STEP, FRICTION_STEP = 0.1, 0.01


@dataclass(frozen=True)
class StrokeFit:
    """A release that explains what was seen, and how well.

    Attributes
    ----------
    release : Release
    striker : int
    names : tuple of str, length P
        What was looked for: "time", "speed", "direction", "spin", then "x3", "y3" for the place of disc 3, then
        "friction_striker" and "friction_piece", as logarithms of factors.
    values : ndarray, shape (P,)
    covariance : ndarray, shape (P, P)
        Of the values; what the sightings do not show has its prior's.
    state : State
        The discs at the release.
    motion : Motion
        What follows, in seconds from the release.
    residuals : ndarray, shape (K, 2)
        Seen less predicted place (mm), in the order of the observations; NaN where the disc should have been gone.
    inlier : ndarray of bool, shape (K,)
        Sightings that agree with the motion within their noise.
    explained : ndarray, shape (n,)
        Until when each disc's sightings are explained (s of video time); inf if to the end.
    explained_until : float
        The least of these, or the time of the last sighting (s of video time).
    log_likelihood : float
        Of all sightings (nats; densities per mm^2). One that is not explained counts as lying anywhere on the board, so that
        fits of the same sightings compare: an alternative that explains more is likelier.
    noise : float
        Typical residual of what is explained, over its sigma; 1 if sigma and physics are right.
    """

    release: Release
    striker: int
    names: tuple[str, ...]
    values: Array
    covariance: Array
    state: State
    motion: Motion
    residuals: Array
    inlier: Mask
    explained: Array
    explained_until: float
    log_likelihood: float
    noise: float

    def error(self, name: str) -> float:
        """Standard error of the value called `name`, in its unit (s, mm/s, rad, rad/s, mm)."""
        k = self.names.index(name)
        return float(np.sqrt(self.covariance[k, k]))

    def positions(self, times: ArrayLike) -> Array:
        """Centres at `times` (s of video time), shape (T, n, 2) in mm: at rest before the release, NaN once a disc has left the board."""
        return self.motion.positions(np.maximum(np.atleast_1d(np.asarray(times, np.float64)) - self.release.time, 0.0))


def fit_stroke(
    observations: Observations,
    state: State,
    board: BoardSpec = ICF,
    dynamics: Dynamics | None = None,
    *,
    striker: int | None = None,
    around: Release | None = None,
    when: tuple[float, float] | None = None,
    place_sigma: ArrayLike = 0.0,
    friction_sigma: float = 0.0,
) -> StrokeFit:
    """Find the release that explains what was seen of a stroke.

    Maximum a posteriori under the t and wrong-sighting mixture of `models.physics.likelihood`; the covariance is the
    inverse of the information there (Gauss-Newton), widened where the residuals are larger than sigma.

    Parameters
    ----------
    observations : Observations
        From shortly before the stroke to its end or any part of it; sightings of discs at rest are of use too.
    state : State
        The discs at rest before the stroke, the striker where it was placed.
    board : BoardSpec
    dynamics : Dynamics, optional
    striker : int, optional
        Which disc is struck; the only one of class "striker" if not given.
    around : Release, optional
        Where to begin, instead of a search: the release of a like stroke, or of the same with other identities.
    when : tuple of float, optional
        Mean and standard deviation of the release's time (s), if it is known otherwise.
    place_sigma : float or array_like, shape (n,)
        How well the places in `state` are known (mm). Those of the discs that the stroke moves are looked for too where this
        is above 0; 0 is exact.
    friction_sigma : float
        How well the two frictions are known, as a part of them; above 0 they are looked for too.

    Returns
    -------
    StrokeFit

    Raises
    ------
    ValueError
        If there is no striker, a sighting of a disc that `state` lacks, a sighting before which nothing moved, or nothing moved at all.
    """
    n = len(state)
    if len(observations) and observations.disc.max() >= n:
        raise ValueError(f"a sighting of disc {observations.disc.max()}, but the state has {n}")
    if striker is None:
        of_class = [i for i, c in enumerate(state.cls) if c == "striker"]
        if len(of_class) != 1:
            raise ValueError(f"{len(of_class)} strikers: say which disc was struck")
        striker = of_class[0]
    if not 0 <= striker < n or np.isnan(state.x[striker]):
        raise ValueError(f"the striker, disc {striker}, is not on the board")
    order = np.argsort(observations.t, kind="stable")
    seen = observations.where(np.ones(len(order), bool)) if (order == np.arange(len(order))).all() else _sorted(observations, order)
    spread = np.array(np.broadcast_to(np.asarray(place_sigma, np.float64), (n,)))
    begin = opening(seen, state.positions(), spread, striker, when)
    unknowns = Unknowns(state, striker, (striker,) if spread[striker] > 0 else (), friction_sigma > 0)
    dynamics = dynamics or Dynamics()
    still = still_numbers(state, board, dynamics)
    releases = guesses(seen, unknowns, still, begin, board.side**2, STARTS) if around is None else _about(around)
    middle = when or ((begin.earliest + begin.latest) / 2, TIME_PRIOR)
    search = _Search(seen, unknowns, still, board.side**2, spread, friction_sigma, middle, float(releases[0, DIRECTION]))
    search.begin(np.array([unknowns.start(r) for r in releases]), begin.until)
    search.extend()
    return search.result(board, dynamics, np.argsort(order, kind="stable"))


def _sorted(seen: Observations, order: Array) -> Observations:
    return Observations(seen.t[order], seen.disc[order], seen.x[order], seen.y[order], seen.sigma[order])


def _about(release: Release) -> Array:
    """A release and some beside it."""
    row = np.array([release.time, release.speed, release.direction, release.spin])
    out = np.tile(row, (STARTS, 1))
    rng = np.random.default_rng(SEED)
    out[1:] += rng.normal(size=(STARTS - 1, 4)) * (0.002, 0.03 * release.speed, 0.01, 0.0)
    return out


class _Search:
    """The fit of a stroke under way: what is looked for, what was found, and which sightings still count."""

    def __init__(
        self,
        seen: Observations,
        unknowns: Unknowns,
        still: Array,
        area: float,
        spread: Array,
        friction_sigma: float,
        when: tuple[float, float],
        direction: float,
    ) -> None:
        self.seen, self.unknowns, self.still, self.area = seen, unknowns, still, area
        self.spread, self.friction_sigma, self.when, self.direction = spread, friction_sigma, when, direction
        self.theta = np.empty((0, len(unknowns)))
        self.information = np.empty((0, 0))
        self.limit = np.full(len(unknowns.state), inf)
        self.until = -inf
        self.rng = np.random.default_rng(SEED)

    def begin(self, starts: Array, until: float) -> None:
        """Fit what was seen up to `until`, first roughly."""
        self.until = until
        rough = minimise(self.target(soft=SOFT), starts, ROUGH_ROUNDS, ROUGH_CONTENT)
        self._take(minimise(self.target(), rough.theta, ROUNDS, CONTENT), STARTS)
        self._look_for_places()
        self._descend()

    def extend(self) -> None:
        """Move the horizon on to the last sighting, or to where nothing that moves is explained."""
        last = float(self.seen.t[-1])
        while self.until < last:
            self.until = min(last, self.theta[0, TIME] + GROWTH * max(self.until - self.theta[0, TIME], 0.02))
            self._look_for_places()
            self._descend()
            found = self._limits()
            if (found < self.limit).any():
                found = self._try_about(found)
            self.limit = np.minimum(self.limit, found)
            if self.limit.max() < inf and not self._moving().any():
                break
        self.until = last
        self.limit = self._limits()
        self._look_for_places()
        self._descend()
        self.limit = self._limits()

    def _descend(self) -> None:
        self._take(minimise(self.target(), self.theta, ROUNDS, CONTENT), RIVALS)

    def _take(self, found: Minima, most: int) -> None:
        """Keep the best, and those that are not much worse and not the same."""
        keep: list[int] = []
        for k in np.flatnonzero(found.cost <= found.cost[0] + RIVAL_NATS):
            apart = [(found.theta[k] - found.theta[j]) @ found.information[j] @ (found.theta[k] - found.theta[j]) > 1.0 for j in keep]
            if all(apart) and len(keep) < most:
                keep.append(int(k))
        self.theta, self.information = found.theta[keep], found.information[keep[0]]

    def _try_about(self, found: Array) -> Array:
        """The limits after trying releases about the present one, if one of them explains more."""
        covariance = np.linalg.inv(self.information)
        root = np.linalg.cholesky(covariance + 1e-12 * np.diag(np.diagonal(covariance)))
        draws = self.theta[0] + DRAW_WIDTH * self.rng.normal(size=(DRAWS, len(self.unknowns))) @ root.T
        target = self.target()
        order = np.argsort(target.cost(draws)[0])
        before = self.theta
        self._take(minimise(target, np.concatenate([self.theta[:1], draws[order[:RIVALS]]]), ROUNDS, CONTENT), RIVALS)
        return found if self.theta is before else self._limits()

    def _used(self) -> Mask:
        return (self.seen.t <= self.until) & (self.seen.t <= self.limit[self.seen.disc])

    def _moving(self) -> Mask:
        """Which sightings, among those that count, are of discs that the stroke moves."""
        rest = self.unknowns.state.positions()
        predicted = self._predictor(np.ones(len(self.seen), bool))(self.theta[:1])[0]
        off = np.hypot(*(predicted - rest[self.seen.disc]).T)
        return (self.seen.t > self.until) & ~(off <= MOVED_MM) & (self.limit[self.seen.disc] == inf)

    def _limits(self) -> Array:
        """Until when each disc is explained, of what was seen up to the horizon."""
        early = self.seen.t <= self.until
        residual = self.seen.places()[early] - self._predictor(early)(self.theta[:1])[0]
        seen = self.seen.where(early)
        return limits(seen, inliers(residual, seen.sigma), len(self.unknowns.state))

    def _look_for_places(self) -> None:
        """Look for the places of those discs, not known exactly, that the stroke moves up to the horizon."""
        loose = np.flatnonzero(self.spread > 0)
        if not len(loose):
            return
        times = np.array([[max(self.until - self.theta[0, TIME], 0.0)]])
        numbers = self.unknowns.numbers(self.theta[:1], self.still)
        found = places(numbers, len(self.unknowns.state), times)[0, 0]
        at = self.unknowns.struck(self.theta[0]).positions()
        off = np.hypot(*(found - at).T)
        moved = [int(i) for i in loose if not off[i] <= MOVED_MM and not np.isnan(at[i, 0])]
        placed = tuple(dict.fromkeys([*self.unknowns.placed, *moved]))
        if placed != self.unknowns.placed:
            wider = replace(self.unknowns, placed=placed)
            old, new = self.unknowns.names(), wider.names()
            theta = np.tile(wider.start(np.zeros(4)), (len(self.theta), 1))
            theta[:, [new.index(name) for name in old]] = self.theta
            self.unknowns, self.theta = wider, theta

    def _predictor(self, chosen: Mask) -> Callable[[Array], Array]:
        """From vectors, shape (B, P), to places of the chosen sightings, shape (B, K, 2)."""
        unknowns, still, disc = self.unknowns, self.still, self.seen.disc[chosen]
        frames, frame = np.unique(self.seen.t[chosen], return_inverse=True)

        def predict(thetas: Array) -> Array:
            found = places(unknowns.numbers(thetas, still), len(unknowns.state), frames - thetas[:, :1])
            return found[:, frame, disc]

        return predict

    def target(self, soft: float = 1.0) -> Target:
        chosen, u = self._used(), self.unknowns
        mean, sd = u.start([self.when[0], SPEED_PRIOR[0], self.direction, 0.0]), np.empty(len(u))
        sd[[TIME, SPEED, DIRECTION, SPIN]] = self.when[1], SPEED_PRIOR[1], np.pi, SPIN_PRIOR
        end = 4 + 2 * len(u.placed)
        sd[4:end] = np.repeat(self.spread[list(u.placed)], 2)
        sd[end:] = self.friction_sigma
        steps = np.concatenate([STEPS, np.full(end - 4, PLACE_STEP), np.full(len(u) - end, FRICTION_STEP)])
        seen = self.seen.where(chosen)
        return Target(self._predictor(chosen), seen.places(), soft * seen.sigma, self.area, Prior(mean, sd), steps)

    def result(self, board: BoardSpec, dynamics: Dynamics, back: Array) -> StrokeFit:
        theta, seen = self.theta[0], self.seen
        information = information_at(self.target(), theta, self.information)
        residual = seen.places() - self._predictor(np.ones(len(seen), bool))(theta[None])[0]
        right = inliers(residual, seen.sigma)
        counts = seen.t <= self.limit[seen.disc]
        square = np.sum(residual[right & counts] ** 2, axis=1) / seen.sigma[right & counts] ** 2
        noise = float(np.sqrt(np.median(square) / (2 * np.log(2)))) if len(square) else 1.0
        log_density = np.where(counts, score(residual, seen.sigma, self.area)[0], -np.log(self.area))
        state = self.unknowns.struck(theta)
        covariance = np.linalg.inv(information) * max(1.0, noise) ** 2
        return StrokeFit(
            release=Release(*(float(v) for v in theta[:4])),
            striker=self.unknowns.striker,
            names=self.unknowns.names(),
            values=theta,
            covariance=covariance,
            state=state,
            motion=simulate(state, board, dynamics),
            residuals=residual[back],
            inlier=right[back],
            explained=self.limit,
            explained_until=float(min(self.limit.min(), seen.t[-1])),
            log_likelihood=float(log_density.sum()),
            noise=noise,
        )
