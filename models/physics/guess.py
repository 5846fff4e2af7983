"""A first guess of a release: many strokes are simulated for a tenth of a second, and those kept that look like what was seen.

What is tried comes from the first sightings: the striker's line and its lengths, if it was seen on its way; the lines on
which it must have met the first pieces that moved; and all round, in case it was a cushion first. A release lies
between two frames, so each stroke is compared with what was seen at many offsets in time, which costs next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final

import numpy as np

from models.physics.likelihood import score
from models.physics.observations import Array, Indices, Mask, Observations
from models.physics.release import Unknowns, friction_of, places
from models.physics.search import Evidence

MOVED_MM: Final = 5.0
"""A disc seen this far from where it lay, or 5 sigma if that is more, has moved."""
MOVED_SIGMAS: Final = 5.0
LOOK_BACK: Final = 0.5
"""A striker that nobody saw waiting was released no longer before the first motion (s): behind a hand, slowly."""
WINDOW, LONG_WINDOW = 0.1, 0.25
"""The guess looks so far beyond the first motion (s), and so far if the first try leads nowhere."""
WINDOW_FRAMES: Final = 40.0
"""As many frames as an even rate of so many a second would have in that time it looks at, at least."""
SIGNS: Final = 6
"""And up to so many sightings of discs that have moved."""
SOFT_MM: Final = 10.0
"""A guess this far off is a good one."""
SPEEDS: Final = np.geomspace(250.0, 7500.0, 18)
"""Of strokes (mm/s): a push to the hardest flick."""
FAN: Final = np.radians(1.5)
CIRCLE: Final = np.radians(5.0)
"""Steps of direction, about what moved first and all round."""
OFFSET: Final = 0.004
MOST_OFFSETS: Final = 40
"""Step of the release's time (s), and how many at most."""
FIRST: Final = 3
"""How many of the first sightings of the striker, and of the first pieces to move, are believed."""
CONTENT: Final = 0.8
"""Where so much of the first motion is explained, the strokes all round are not tried."""
CLOSE: Final = 2.0
"""A sighting is explained softly if it is no further off than so many times its softened noise."""
JITTER: Final = 12
JITTER_SPEED, JITTER_DIRECTION, JITTER_TIME = 0.12, np.radians(1.5), 0.004
SEED: Final = 5
AT_ONCE: Final = 200_000
"""Places that are computed at a time, for the memory's sake."""


@dataclass(frozen=True)
class Opening:
    """The first that was seen to move.

    Attributes
    ----------
    moved : ndarray of bool, shape (K,)
        Which sightings are off the place where the disc lay.
    earliest, latest : float
        Between these the striker was released (s).
    pieces : float
        When a disc other than the striker was first seen to move (s); inf if never.
    until : float
        End of the window that the guess looks at (s).
    """

    moved: Mask
    earliest: float
    latest: float
    pieces: float
    until: float


def opening(
    seen: Observations, rest: Array, spread: Array, striker: int, when: tuple[float, float] | None, window: float = WINDOW
) -> Opening:
    """When things began to move.

    Parameters
    ----------
    seen : Observations
        In time order.
    rest : ndarray, shape (n, 2)
        Where the discs lay (mm).
    spread : ndarray, shape (n,)
        How well that is known (mm).
    striker : int
    when : tuple of float, or None
        Mean and standard deviation of the release's time, if it is known otherwise (s).
    window : float
        How far beyond the first motion to look (s).

    Raises
    ------
    ValueError
        If nothing moved.
    """
    off = np.hypot(*(seen.places() - rest[seen.disc]).T)
    moved = off > np.maximum(MOVED_MM, MOVED_SIGMAS * np.hypot(seen.sigma, spread[seen.disc]))
    firsts = {int(i): _lasting(seen.t[seen.disc == i], moved[seen.disc == i]) for i in np.unique(seen.disc[moved])}
    fleeting = {int(i): float(t) for i, t in zip(seen.disc[moved], seen.t[moved], strict=True)}
    firsts = {i: t for i, t in firsts.items() if t < inf} or fleeting
    if not firsts:
        raise ValueError("nothing was seen to move")
    waiting = seen.t[(seen.disc == striker) & ~moved & (seen.t < firsts.get(striker, inf))]
    # what seems to move while the striker still waits was wrongly seen
    believed = {i: t for i, t in firsts.items() if not len(waiting) or t > waiting.max()} or firsts
    latest = min(believed.values())
    pieces = min((t for i, t in believed.items() if i != striker), default=inf)
    waiting = waiting[waiting < latest]
    earliest = float(waiting.max()) if len(waiting) else latest - LOOK_BACK
    later = np.unique(seen.t[seen.t >= latest])
    signs = np.sort(seen.t[moved & (seen.t >= latest)])
    until = max(latest + window, float(signs[min(SIGNS, len(signs)) - 1]), float(later[min(round(WINDOW_FRAMES * window), len(later)) - 1]))
    if when is not None:
        low, high = when[0] - 2.5 * when[1], when[0] + 2.5 * when[1]
        earliest, latest = (max(earliest, low), min(latest, high)) if max(earliest, low) <= min(latest, high) else (low, high)
    return Opening(moved, earliest, latest, pieces, until)


def _lasting(t: Array, moved: Mask) -> float:
    """The first time from which on a disc is off its place and stays so; inf if never. A wrong sighting among right ones does not count."""
    for k in np.flatnonzero(moved):
        if len(moved) - k > 1 and moved[k : k + 2].all() and moved[k : k + 4].mean() >= 0.75:
            return float(t[k])
    return inf


def guesses(evidence: Evidence, unknowns: Unknowns, start: Opening, wanted: int, thorough: bool = False) -> Array:
    """The likeliest releases.

    Parameters
    ----------
    evidence : Evidence
    unknowns : Unknowns
    start : Opening
    wanted : int
    thorough : bool
        Try all there is, though something is found that explains what was seen.

    Returns
    -------
    ndarray, shape (<= wanted, 4)
        Time, speed, direction and spin, the likeliest first.
    """
    early = np.flatnonzero(evidence.counts & (evidence.seen.t <= start.until))
    seen, moved, still = evidence.seen.where(early), start.moved[early], evidence.still
    window = _Window(seen, evidence.sigma[early], moved, unknowns, still, evidence.area)
    home = np.array([unknowns.state.x[unknowns.striker], unknowns.state.y[unknowns.striker]])
    friction = friction_of(still, unknowns.striker)
    own = np.flatnonzero((seen.disc == unknowns.striker) & moved)[:FIRST]
    lines = _lines(home, seen.places()[own], seen.t[own], friction)
    pool = [window.rank(lines, 2 * wanted)] if len(lines) else []
    offsets = np.linspace(start.earliest, start.latest, int(np.clip((start.latest - start.earliest) / OFFSET, 2, MOST_OFFSETS)))
    directions = _fan(home, seen, np.flatnonzero(moved), unknowns)
    if len(directions):
        pool.append(window.grid(directions, offsets, 2 * wanted))
    if not pool or window.share(window.rank(np.concatenate(pool), 1)[0]) < CONTENT:
        pool.append(window.grid(np.arange(-np.pi, np.pi, CIRCLE), offsets, 2 * wanted))
    best = window.rank(np.concatenate(pool), wanted)
    rng = np.random.default_rng(SEED)
    spread = np.array([JITTER_TIME, 0.0, JITTER_DIRECTION, 0.0])
    near = np.repeat(best, JITTER, axis=0)
    noise = rng.normal(size=near.shape)
    near = near + noise * spread
    near[:, 1] *= np.exp(JITTER_SPEED * noise[:, 1])
    return window.rank(np.concatenate([best, near]), wanted)


def _lines(home: Array, at: Array, t: Array, friction: float) -> Array:
    """Releases by which the striker, meeting nothing, is where it was seen: at one sighting with any speed, or at two."""
    rows = []
    for i in range(len(at)):
        way = float(np.hypot(*(at[i] - home)))
        direction = float(np.arctan2(*(at[i] - home)[::-1]))
        for speed in np.geomspace(SPEEDS[0], SPEEDS[-1], 2 * len(SPEEDS)):
            rest = speed**2 - 2 * friction * way
            if rest > 0:
                rows.append((t[i] - (speed - np.sqrt(rest)) / friction, speed, direction, 0.0))
        for j in range(i + 1, len(at)):
            further, gap = float(np.hypot(*(at[j] - home))), float(t[j] - t[i])
            there = (further - way) / gap + friction * gap / 2 if gap > 0 else 0.0  # speed at the first of the two
            if there > 0:
                speed = float(np.sqrt(there**2 + 2 * friction * way))
                line = float(np.arctan2(*(at[j] - home)[::-1]))
                rows += [(t[i] - (speed - there) / friction, speed, a, 0.0) for a in (direction, line)]
    return np.array(rows).reshape(-1, 4)


def _fan(home: Array, seen: Observations, moved: Indices, unknowns: Unknowns) -> Array:
    """Directions in which the striker can meet one of the first pieces that moved, and in which it was first seen."""
    state = unknowns.state
    found: list[Array] = []
    for k in moved[seen.disc[moved] == unknowns.striker][:FIRST]:
        found.append(np.arctan2(seen.y[k] - home[1], seen.x[k] - home[0])[None])
    pieces = list(dict.fromkeys(int(i) for i in seen.disc[moved] if i != unknowns.striker))[:FIRST]
    for i in pieces:
        dx, dy = state.x[i] - home[0], state.y[i] - home[1]
        reach = state.radius[i] + state.radius[unknowns.striker]
        half = np.arcsin(min(1.0, reach / max(float(np.hypot(dx, dy)), reach)))
        count = int(np.ceil(2 * half / FAN)) + 1
        found.append(np.arctan2(dy, dx) + np.linspace(-half, half, count))
    return np.concatenate(found) if found else np.empty(0)


class _Window:
    """What was seen early, ready to be compared with strokes."""

    def __init__(self, seen: Observations, sigma: Array, moved: Mask, unknowns: Unknowns, still: Array, area: float) -> None:
        self.unknowns, self.still, self.area, self.moved = unknowns, still, area, moved
        self.frames, self.frame = np.unique(seen.t, return_inverse=True)
        self.disc, self.at = seen.disc, seen.places()
        self.sigma = np.hypot(sigma, SOFT_MM)

    def fit(self, releases: Array, times: Array) -> Array:
        """Log density of what was seen, shape (B, O): strokes of B directions and speeds, released at O times, shape (B, O)."""
        step = max(1, AT_ONCE // (times.shape[1] * len(self.frames) * len(self.unknowns.state)))
        parts = [self._density(releases[k : k + step], times[k : k + step]) for k in range(0, len(releases), step)]
        return np.concatenate(parts)

    def _density(self, releases: Array, times: Array) -> Array:
        found: Array = score(self.at - self._predicted(releases, times), self.sigma, self.area)[0].sum(axis=2)
        return found

    def _predicted(self, releases: Array, times: Array) -> Array:
        """Where the sightings should be, shape (B, O, K, 2)."""
        start = np.tile(self.unknowns.start(np.zeros(4)), (len(releases), 1))
        start[:, :4] = releases
        when = (self.frames[None, None] - times[:, :, None]).reshape(len(releases), -1)
        order = np.argsort(when, axis=1)
        numbers = self.unknowns.numbers(start, self.still)
        found = places(numbers, len(self.unknowns.state), np.take_along_axis(when, order, 1))
        back = np.argsort(order, axis=1).reshape(*times.shape, -1)[:, :, self.frame]
        predicted: Array = found[np.arange(len(releases))[:, None, None], back, self.disc]
        return predicted

    def rank(self, releases: Array, wanted: int) -> Array:
        value = self.fit(releases, releases[:, :1])[:, 0]
        return releases[np.argsort(-value, kind="stable")[:wanted]]

    def grid(self, directions: Array, offsets: Array, wanted: int) -> Array:
        """The best of all directions with all speeds at all times; of each direction and speed one time."""
        speed, direction = (v.ravel() for v in np.meshgrid(SPEEDS, directions))
        rows = np.stack([np.zeros(len(speed)), speed, direction, np.zeros(len(speed))], axis=1)
        value = self.fit(rows, np.tile(offsets, (len(rows), 1)))
        rows[:, 0] = offsets[np.argmax(value, axis=1)]
        return rows[np.argsort(-value.max(axis=1), kind="stable")[:wanted]]

    def share(self, release: Array) -> float:
        """Part of what was seen to move that a release explains, softly."""
        off = np.hypot(*(self.at - self._predicted(release[None], release[None, :1])[0, 0])[self.moved].T)
        return float((off <= CLOSE * self.sigma[self.moved]).mean()) if self.moved.any() else 0.0
