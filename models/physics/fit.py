"""The release of a stroke, from what was seen of it.

The release is that which makes what was seen likeliest (`models.physics.likelihood`), found from the best of many first
guesses (`guess`) by damped least squares (`levenberg`) over a growing horizon (`search`). Where not even the first blow is
explained, as that into a rack with gaps, the momentum has to do (`first_blow`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from models.board import ICF, BoardSpec
from models.physics.dynamics import Dynamics
from models.physics.engine import simulate
from models.physics.explained import inliers
from models.physics.first_blow import fit_momentum
from models.physics.guess import LONG_WINDOW, WINDOW, Opening, guesses, opening
from models.physics.likelihood import score
from models.physics.motion import Motion
from models.physics.observations import Array, Indices, Mask, Observations
from models.physics.release import DIRECTION, Release, Unknowns, still_numbers
from models.physics.search import SEED, STARTS, Evidence, Search, crowded
from models.physics.state import State

PLACE_SIGMA: Final = 0.5
"""How well the place of a settled disc is known (mm), unless told otherwise."""
FRICTION_SIGMA: Final = 0.05
"""How well a board's friction is known, as a part of it, unless told otherwise: it changes with the powder and the weather."""
TIME_SIGMA: Final = 1.0
"""How far off the first guess a release may lie (s)."""
ENOUGH: Final = 0.5
"""Part of the first motion that a release must explain for what follows to be believed."""


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
    place_sigma: ArrayLike = PLACE_SIGMA,
    friction_sigma: float = FRICTION_SIGMA,
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
    seen = observations.where(order)
    spread = np.array(np.broadcast_to(np.asarray(place_sigma, np.float64), (n,)))
    dynamics = dynamics or Dynamics()
    still = still_numbers(state, board, dynamics)
    unknowns = Unknowns(state, striker, (striker,) if spread[striker] > 0 else (), friction_sigma > 0)
    best: Search | None = None
    best_share = -1.0
    heap, window = crowded(state), WINDOW
    for thorough in (False, True):
        start = opening(seen, state.positions(), spread, striker, when, window)
        evidence = Evidence(
            seen=seen,
            sigma=seen.sigma,
            counts=np.ones(len(seen), bool),
            still=still,
            area=board.side**2,
            spread=spread,
            friction_sigma=friction_sigma,
            when=when or ((start.earliest + start.latest) / 2, TIME_SIGMA),
            direction=0.0,
        )
        search, share = _search(evidence, unknowns, start, None if thorough else around, thorough)
        if share > best_share:
            best, best_share = search, share
        if share >= ENOUGH:
            break
        # what a heap does is not explained any better for being looked at longer
        window = WINDOW if heap[seen.disc[start.moved & (seen.t <= start.until)]].any() else LONG_WINDOW
    assert best is not None
    by_momentum = fit_momentum(evidence, unknowns, start) if best_share < ENOUGH and start.pieces < inf else None
    if by_momentum is not None:
        best = Search(evidence, unknowns)
        best.theta, best.limit = by_momentum[0][None], np.full(n, np.max(seen.t[seen.t < start.pieces], initial=-inf))
        spread = by_momentum[1]
    else:
        spread = best.spread_over_spins()
    return _result(best, spread, board, dynamics, np.argsort(order, kind="stable"))


def _search(evidence: Evidence, unknowns: Unknowns, start: Opening, around: Release | None, thorough: bool) -> tuple[Search, float]:
    """The search, and the part of the first motion that it explains."""
    seen, sigma = evidence.seen, evidence.sigma
    releases = guesses(evidence, unknowns, start, STARTS, thorough) if around is None else _beside(around)
    search = Search(replace(evidence, direction=float(releases[0, DIRECTION])), unknowns)
    search.begin(np.array([unknowns.start(r) for r in releases]), start.until)
    first = start.moved & (seen.t <= start.until) & evidence.counts

    def share() -> float:
        return float(inliers(seen.places()[first] - search.predicted()[first], sigma[first]).mean()) if first.any() else 1.0

    if share() >= ENOUGH:
        search.extend()
    return search, share()


def _beside(release: Release) -> Array:
    """A release and some beside it, shape (STARTS, 4)."""
    out = np.tile([release.time, release.speed, release.direction, release.spin], (STARTS, 1))
    rng = np.random.default_rng(SEED)
    out[1:] += rng.normal(size=(STARTS - 1, 4)) * (0.002, 0.03 * release.speed, 0.01, 0.0)
    return out


def _result(search: Search, spread: Array, board: BoardSpec, dynamics: Dynamics, back: Indices) -> StrokeFit:
    theta, evidence = search.theta[0], search.evidence
    seen = evidence.seen
    residual = seen.places() - search.predicted()
    right, counts = inliers(residual, seen.sigma), seen.t <= search.limit[seen.disc]
    square = np.sum(residual[right & counts] ** 2, axis=1) / seen.sigma[right & counts] ** 2
    noise = float(np.sqrt(np.median(square) / (2 * np.log(2)))) if len(square) else 1.0
    log_density = np.where(counts, score(residual, seen.sigma, evidence.area)[0], -np.log(evidence.area))
    state = search.unknowns.struck(theta)
    return StrokeFit(
        release=Release(*(float(v) for v in theta[:4])),
        striker=search.unknowns.striker,
        names=search.unknowns.names(),
        values=theta,
        covariance=spread * max(1.0, noise) ** 2,
        state=state,
        motion=simulate(state, board, dynamics),
        residuals=residual[back],
        inlier=right[back],
        explained=search.limit,
        explained_until=float(min(search.limit.min(), seen.t[-1])),
        log_likelihood=float(log_density.sum()),
        noise=noise,
    )
