"""Where the cushions are, told by the discs that turned at them.

A calibration finds the surface's corners to some millimetres: shadows, a frame's face that looks like wood, a lens. A disc turns
where its rim meets the cushion, whatever that looks like: its ways before and after, straight and slowed by a friction that is
known well enough for a tenth of a second, meet there. Many such turns tell where a side lies, and four sides by which homography
the calibration is off. Neither the release nor what else the stroke did needs to be explained for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from models.board import BoardSpec
from models.detections import Detections
from models.homography import Homography
from models.physics import Dynamics
from tracking.cast import Array
from tracking.follow_stroke import streak_noise
from tracking.reconcile import Reconciled

FAR_MM: Final = 45.0
"""A disc whose rim turns farther from where a cushion is thought to be, to either side of it, did not turn at it (mm)."""
LEAST_SPEED: Final = 120.0
"""Slower towards the cushion or away from it discs turn too gently (mm/s)."""
GAIN: Final = 1.05
"""No disc leaves a cushion faster than this part of how it came: sightings are not exact."""
ALONG_SPEED: Final = 80.0
"""Along it a cushion slows a disc if anything; by more than this (mm/s) only another disc can speed it up or turn it about."""
SIGHTINGS: Final = 4
"""Of a disc's way before a turn, or after it, at most; and two at least."""
WAY_S: Final = 0.16
"""And within so long (s)."""
GAP_S: Final = 0.075
"""Sightings further apart than this are not of one way (s)."""
FOLD_S: Final = 0.009
"""So near a turn (s) a sighting is a folded streak, whose middle is no place of the disc."""
CENTRE_SIGMA: Final = 1.0
"""Error of the centre of a disc on its way (mm); a streak's grows with its length."""
STRAIGHT: Final = 2.0
"""Sightings that lie off a straight way by more than so many times their error, root mean square, are of no such way."""
MEET_MM: Final = 5.0
"""The ways before and after meet along the cushion to within this (mm)."""
CLEAR_MM: Final = 4.0
"""A disc with another so near its rim may have turned at that one (mm)."""
TURN_SIGMA: Final = 0.7
"""Error of a turn beside that of its sightings: the disc's radius, its spin (mm)."""
CALIBRATION_SIGMA: Final = np.array([2.0, 1.0])
"""How well a calibration mostly knows where the middle of a side lies, and by how much farther inwards its far end does (mm).

Some are far off: as with Cauchy's distribution, many turns outweigh that.
"""
ENOUGH: Final = 4
"""Fewer turns do not tell that a side is far off: one of them may be none."""
HEAVY: Final = 2.0
"""A turn that is off by more than so many standard deviations loses weight."""
ROUNDS: Final = 12
LATEST: Final = 400
"""So many turns at one side are remembered."""


@dataclass(frozen=True)
class Turn:
    """A disc turned at a cushion.

    Attributes
    ----------
    side : int
        Upper, right, lower, left.
    along : float
        Where along it: 0 at its end with the smaller coordinate, 1 at the other.
    inwards : float
        How far inwards of where it is thought to be the cushion then is (mm).
    sigma : float
        (mm)
    t : float
        When (s).
    """

    side: int
    along: float
    inwards: float
    sigma: float
    t: float


@dataclass(frozen=True)
class Way:
    """A disc's straight way at a moment: distance from a side and place along it, each with its rate of change.

    Attributes
    ----------
    away, along : ndarray, shape (2,)
        (mm, mm/s)
    cov : ndarray, shape (2, 2)
        Of either.
    off : float
        Root mean square residual, over the sightings' errors.
    """

    away: Array
    along: Array
    cov: Array
    off: float


@dataclass(frozen=True)
class Sightings:
    """Sightings of one disc as a side has them: when (s), how far from it and where along it (mm), and their error (mm)."""

    t: Array
    away: Array
    along: Array
    sigma: Array

    def way(self, own: Sequence[int], at: float, slowing: float) -> Way:
        """The straight way through some of them, at the time `at` (s), slowed by `slowing` (mm/s^2)."""
        t, away, along = self.t[own] - at, self.away[own], self.along[own]
        basis = np.stack([np.ones_like(t), t], axis=1)
        weighted = basis * self.sigma[own, None] ** -2
        cov = np.asarray(np.linalg.inv(basis.T @ weighted), np.float64)
        fit = cov @ weighted.T
        late = 0.5 * slowing * t * t
        p, q = fit @ away, fit @ along
        for _ in range(2):
            u = np.array([p[1], q[1]]) / max(float(np.hypot(p[1], q[1])), 1e-9)
            p, q = fit @ (away + late * u[0]), fit @ (along + late * u[1])
        miss = np.hypot(away + late * u[0] - basis @ p, along + late * u[1] - basis @ q) / self.sigma[own]
        return Way(p, q, cov, float(np.sqrt(np.mean(miss**2))))

    def straight(self, k: int, step: int, at: float, slowing: float) -> Way | None:
        """The longest straight way from sighting `k` on, or back from it with a `step` of -1; None if there is none."""
        own = [k]
        while len(own) < SIGHTINGS:
            j = own[-1] + step
            if not 0 <= j < len(self.t) or abs(self.t[j] - self.t[own[-1]]) > GAP_S or abs(self.t[j] - self.t[k]) > WAY_S:
                break
            own.append(j)
        while len(own) > 1:
            way = self.way(own, at, slowing)
            if way.off < STRAIGHT:
                return way
            own.pop()
        return None

    def turn(self, k: int, slowing: float) -> tuple[float, float, float, float] | None:
        """When the disc turned between sightings `k` and `k` + 1 (s), how far from the side with what error, and where along it (mm)."""
        at = float(self.t[k] + self.t[k + 1]) / 2
        back, on = k, k + 1
        while True:
            before, after = self.straight(back, -1, at, slowing), self.straight(on, 1, at, slowing)
            if before is None or after is None:
                return None
            (a, av), (b, bv) = before.away, after.away
            if av > -LEAST_SPEED or bv < LEAST_SPEED or bv > -GAIN * av:
                return None
            t = (b - a) / (av - bv)
            folded = [abs(self.t[j] - at - t) < FOLD_S for j in (back, on)]
            if not any(folded):
                break
            back, on = back - folded[0], on + folded[1]
            if back < 0 or on >= len(self.t):
                return None
        if not self.t[back] < at + t < self.t[on] or not _slowed(before.along[1], after.along[1]):
            return None
        places = before.along[0] + before.along[1] * t, after.along[0] + after.along[1] * t
        if abs(places[0] - places[1]) > MEET_MM:
            return None
        w = np.array([1.0, t]) / (av - bv)
        variance = bv**2 * (w @ before.cov @ w) + av**2 * (w @ after.cov @ w)
        return at + t, a + av * t, float(np.sqrt(variance + TURN_SIGMA**2)), sum(places) / 2


def _slowed(before: float, after: float) -> bool:
    """Whether a cushion can have changed a speed along it so."""
    return abs(after) < abs(before) + ALONG_SPEED and after * np.sign(before) > -ALONG_SPEED


def turns(r: Reconciled, board: BoardSpec, dynamics: Dynamics) -> list[Turn]:
    """Which discs turned at cushions in a stroke, and where; as the calibration has it."""
    at = {det.t: det for det in r.raw.frames}
    out: list[Turn] = []
    for i, cls in enumerate(r.evidence.classes):
        seen = [(at[float(t)], int(j)) for t, j in zip(r.followed.t, r.followed.seen[:, i], strict=True) if j >= 0]
        radius = board.radius(cls)
        slowing = dynamics.friction(cls)
        for side in range(4):
            own: list[Turn] = []
            s = _sightings(seen, side, board.side)
            near = (s.away < radius + FAR_MM) & (s.away > radius - FAR_MM)
            for k in range(1, len(s.t) - 2):
                if not ((near[k] or near[k + 1]) and s.away[k] < s.away[k - 1] and s.away[k + 2] > s.away[k + 1]):
                    continue
                found = s.turn(k, slowing)
                if found is None or abs(found[1] - radius) > FAR_MM or not _clear(r, i, found[0], radius, board):
                    continue
                t, away, sigma, along = found
                turn = Turn(side, along / board.side, away - radius, sigma, t)
                # a turn at a sighting is found before it and after it
                if own and t - own[-1].t < GAP_S:
                    own[-1] = min(own[-1], turn, key=lambda x: x.sigma)
                else:
                    own.append(turn)
            out += own
    return out


def _sightings(seen: Sequence[tuple[Detections, int]], side: int, length: float) -> Sightings:
    x, y = np.array([det.xy[j] for det, j in seen]).reshape(-1, 2).T
    streak = np.array([streak_noise(det)[j] for det, j in seen])
    away, along = ((y, x), (length - x, y), (length - y, x), (x, y))[side]
    return Sightings(np.array([det.t for det, _ in seen]), away, along, np.hypot(CENTRE_SIGMA, streak))


def _clear(r: Reconciled, i: int, t: float, radius: float, board: BoardSpec) -> bool:
    """Whether no other disc was so near disc `i` at `t` (s) that it may have turned at that one."""
    k = int(np.argmin(np.abs(r.followed.t - t)))
    others = np.array([j != i and r.followed.fell[j] > t for j in range(len(r.evidence.classes))])
    radii = np.array([board.radius(c) for c in r.evidence.classes])
    gaps = np.hypot(*(r.followed.means[k, :, :2] - r.followed.means[k, i, :2]).T) - radii - radius
    return bool(gaps[others].min(initial=np.inf) > CLEAR_MM)


class Cushions:
    """What is known of where a board's cushions are.

    Parameters
    ----------
    board : BoardSpec
    """

    def __init__(self, board: BoardSpec) -> None:
        self._board = board
        self._turns: tuple[list[Turn], ...] = ([], [], [], [])
        self.correction = Homography.identity()

    def take(self, r: Reconciled, board: BoardSpec, dynamics: Dynamics) -> None:
        """Learn from a stroke."""
        new = turns(r, board, dynamics)
        for turn in new:
            own = self._turns[turn.side]
            own.append(turn)
            del own[:-LATEST]
        if new:
            s = self._board.side
            up, right, low, left = (side_line(own) for own in self._turns)
            ends = [
                [[0, up[0]], [s, up[1]]],
                [[s - right[0], 0], [s - right[1], s]],
                [[0, s - low[0]], [s, s - low[1]]],
                [[left[0], 0], [left[1], s]],
            ]
            upper, right_, lower, left_ = (np.cross([*a, 1.0], [*b, 1.0]) for a, b in ends)
            corners = [np.cross(a, b) for a, b in ((left_, upper), (upper, right_), (right_, lower), (lower, left_))]
            found = Homography.between([c[:2] / c[2] for c in corners], self._board.corners())
            # turns that contradict each other tell nothing
            if self._moved(found) < FAR_MM:
                self.correction = found

    def moved(self) -> float:
        """How far the corner that was moved most is from where the calibration has it (mm)."""
        return self._moved(self.correction)

    def _moved(self, correction: Homography) -> float:
        corners = self._board.corners()
        return float(np.hypot(*(correction.points(corners) - corners).T).max())

    def count(self) -> int:
        """Turns that were seen so far."""
        return sum(len(own) for own in self._turns)


def side_line(turns: Sequence[Turn]) -> Array:
    """How far inwards of where it is thought to be a side lies at its two ends, shape (2,), in mm: least squares, reweighted."""
    along, y, sigma = (np.array([getattr(b, name) for b in turns]) for name in ("along", "inwards", "sigma"))
    x = np.stack([np.ones_like(along), 2 * along - 1], axis=1)
    few = len(y) < ENOUGH
    middle, tilt = p = np.array([0.0 if few else np.median(y), 0.0])
    for _ in range(ROUNDS):
        weight = 1 / (sigma**2 + ((y - x @ p) / HEAVY) ** 2)
        before = np.diag(1 / (CALIBRATION_SIGMA**2 + (0.0 if few else p**2)))
        middle, tilt = p = np.linalg.solve(x.T @ (x * weight[:, None]) + before, x.T @ (weight * y))
    return np.array([middle - tilt, middle + tilt])
