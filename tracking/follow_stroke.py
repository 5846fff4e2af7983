"""The sightings of a stroke given to the discs that made them, frame after frame, as the physics foresees them.

Association is optimal (Hungarian) over all discs at once and class-locked; the gate is each disc's own covariance, which
the physics spreads where discs meet. What may have been otherwise, from which release the striker came and whether a disc
fell that came to a pocket's edge, is followed both ways until one way is far less likely (multiple hypotheses: Reid 1979).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from models.board import BoardSpec
from models.detections import Detections
from models.physics import RollingShutter
from models.stroke import PIECES, Piece
from tracking.cast import Array
from tracking.joint_filter import SLOW, Indices, JointFilter, Mask
from tracking.tracker import MAX_SPEED, UNEXPECTED

GATE: Final = 5.0
"""Mahalanobis distance beyond which a sighting is another disc's."""
NEAR_MM: Final = 6.0
"""A sighting this near to where a disc is foreseen is never outside its gate (mm)."""
REST_NOISE: Final = 1.0
MOVING_NOISE: Final = 2.0
"""Standard deviations of the centres of discs at rest and in motion (mm)."""
STREAK_NOISE: Final = 0.12
"""And what a streak's length adds, as a part of it: where its middle lies is told by its ends."""
UNLIKELY: Final = 1e-3
"""No look tells a class with more certainty than this leaves."""
STREAK_UNLIKELY: Final = 0.05
"""The same of a streak, whose colours are mixed with the board's."""
MISSED: Final = 0.02
MISSED_MOVING: Final = 0.15
"""Chances that a disc at rest and one in motion are not seen where no hand is."""
CLUTTER: Final = 2e-7
"""Density of what is seen though nothing is there (mm^-2)."""
UNFORESEEN: Final = 9.0
"""What it costs that a disc was moved by something that was not foreseen (nats)."""
UNFORESEEN_SPEED: Final = 900.0
"""How well the velocity of such a disc is known (mm/s)."""
MOST: Final = 4
"""So many ways are followed at once."""
HOPELESS: Final = 25.0
"""A way that is less likely than the best by so many nats is given up."""
ANOTHER_FALL: Final = 0.15
"""A disc that did not fall now is not asked again for so long (s)."""
REAPPEARS: Final = 0.5
"""What fell does not come out of its pocket later than this (s)."""
UNDECIDED: Final = 0.1
"""Until so long after the first release that may have been, all of them are followed (s)."""
OFF_MM: Final = 30.0
"""So far off where it is foreseen costs a nat (mm)."""
LOOKS_LIKE: Final = 2.5
"""A sighting that is of a class for more nats than this is not looked at as one of it."""
NEVER, DEAR = 1e6, 50.0
"""Costs of what cannot be, and the most that one disc may cost a way (nats)."""
UNSEEN_S: Final = 0.05
"""A disc is not looked for elsewhere before it was missed for so long where it should be (s)."""


def streak_noise(det: Detections) -> Array:
    """What each sighting's streak adds to its standard deviation, shape (m,); mm."""
    return np.asarray(STREAK_NOISE * np.maximum(np.hypot(det.w, det.h) / np.sqrt(2) - 2 * det.r, 0.0), np.float64)


def noise_of(det: Detections, speeds: Array) -> Array:
    """Standard deviation of each sighting for discs of some speeds, shape (n discs, m sightings); mm."""
    base = np.where(speeds > SLOW, MOVING_NOISE, REST_NOISE)
    return np.asarray(np.hypot(base[:, None], streak_noise(det)[None]), np.float64)


def look_cost(det: Detections, classes: Sequence[Piece]) -> Array:
    """What it costs that a sighting is of a class (nats), shape (n discs, m sightings)."""
    streak = det.streaks()
    floor = np.where(streak, STREAK_UNLIKELY, UNLIKELY)
    prob = det.prob[:, [PIECES.index(c) for c in classes]].T if len(det) else np.zeros((len(classes), 0))
    return np.asarray(-np.log(np.maximum(prob, floor[None])), np.float64)


@dataclass
class Followed:
    """A stroke followed from the release.

    Attributes
    ----------
    t : ndarray, shape (F,)
        Times of the frames (s).
    means : ndarray, shape (F, n, 4)
        x, y (mm), vx, vy (mm/s) in the light of all frames.
    spread : ndarray, shape (F, n)
        Standard deviation of the places (mm).
    seen : ndarray of int, shape (F, n)
        Which sighting of the frame is each disc's; -1 if none.
    fell : ndarray, shape (n,)
        When the physics lets a disc leave the board (s); inf if not.
    log_likelihood : float
        Of all frames (nats).
    margin : float
        By how much (nats) it is likelier than the likeliest way in which other discs fell; inf where there is none.
    surprises : int
        Motions that nothing explains.
    missed : ndarray, shape (n,)
        For how long at the end a disc was missed though no hand was over it (s).
    launch : Launch or None
        The release from which it was followed.
    launch_velocity : ndarray, shape (2,), or None
        Of the striker when it set off, in the light of all frames (mm/s).
    """

    t: Array
    means: Array
    spread: Array
    seen: Indices
    fell: Array
    log_likelihood: float
    margin: float
    surprises: int
    missed: Array
    launch: Launch | None
    launch_velocity: Array | None


@dataclass(frozen=True)
class Launch:
    """The striker sets off: when (s), with what velocity, shape (2,), and its covariance, (2, 2); mm/s."""

    striker: int
    t: float
    v: Array
    cov: Array


@dataclass
class Way:
    """One way in which it may have been, so far."""

    joint: JointFilter
    launch: Launch | None
    missed: Array
    t: float
    last: Array
    when: Array
    seen: list[Indices] = field(default_factory=list)
    total: float = 0.0
    surprises: int = 0
    sent: int | None = None
    asked: dict[int, float] = field(default_factory=dict)

    def copy(self) -> Way:
        """A way that goes on by itself."""
        return replace(
            self,
            joint=self.joint.copy(),
            missed=self.missed.copy(),
            last=self.last.copy(),
            when=self.when.copy(),
            seen=list(self.seen),
            asked=dict(self.asked),
        )

    def predict(self, t: float) -> list[Way]:
        """Carry it on to `t` (s); give the ways that branch off where a disc may have fallen or not."""
        if self.launch is not None and self.sent is None and t > self.launch.t:
            self.joint.launch(self.launch.striker, self.launch.t, self.launch.v, self.launch.cov)
            self.sent = len(self.joint.steps) - 1
        self.joint.predict(t)
        out = []
        for i, other in self.joint.doubtful.items():
            if self.asked.get(i, -np.inf) < t - ANOTHER_FALL:
                self.asked[i] = t
                way = self.copy()
                if other is None:
                    way.joint.lose(i, t)
                else:
                    way.joint.restart(i, *other)
                out.append(way)
        return out

    def fallen(self) -> frozenset[int]:
        """Which discs fell."""
        return frozenset(np.flatnonzero(np.isfinite(self.joint.fell)).tolist())


def follow(
    frames: Sequence[Detections],
    start: JointFilter,
    classes: Sequence[Piece],
    board: BoardSpec,
    launches: Sequence[Launch],
    others: Array,
    shutter: RollingShutter,
) -> Followed:
    """Follow all discs through the frames after the filter's time.

    Parameters
    ----------
    frames : sequence of Detections
    start : JointFilter
        All at rest.
    classes : sequence of str, length n
    board : BoardSpec
    launches : sequence of Launch
        Releases that may have been; none if nobody saw the striker.
    others : ndarray, shape (k, 2)
        Where something is seen that is none of the discs (mm).
    shutter : RollingShutter
        The camera's: a frame's sightings are not all of one moment.
    """
    n = len(classes)
    begun: list[Launch | None] = list(launches)
    ways = [Way(start.copy(), launch, np.zeros(n), start.t, start.mean[:, :2].copy(), np.full(n, start.t)) for launch in begun or [None]]
    begin = min([launch.t for launch in launches], default=start.t)
    known = [np.asarray(xy, np.float64) for xy in others]
    for det in frames:
        good = np.array([s >= UNEXPECTED and not det.hides(xy, board.side, 0.0) for s, xy in zip(det.score, det.xy, strict=True)], bool)
        foreign = np.zeros(len(det), bool)
        if known:
            foreign = np.hypot(*(det.xy[:, None] - np.array(known)[None]).transpose(2, 0, 1)).min(axis=1, initial=np.inf) <= NEAR_MM
            good &= ~foreign
        ways += [branch for way in ways for branch in way.predict(det.t)]
        delays = shutter.delays(det.xy, board.side)
        free = [_take(way, det, classes, board, good, foreign, delays) for way in ways]
        best = max(way.total for way in ways)
        if det.t <= begin:
            # what lies there before anything moves, and is none of the discs, is none afterwards
            known += [np.asarray(xy, np.float64) for xy in det.xy[free[int(np.argmax([way.total for way in ways]))]]]
        ways = sorted((way for way in ways if way.total > best - HOPELESS), key=lambda way: -way.total)
        if det.t > begin + UNDECIDED:
            ways = ways[:MOST]
    best_way = ways[0]
    rivals = [best_way.total - way.total for way in ways[1:] if way.fallen() != best_way.fallen()]
    return _followed(best_way, frames, min(rivals, default=np.inf))


def _followed(way: Way, frames: Sequence[Detections], margin: float) -> Followed:
    joint = way.joint
    means, spread = joint.smooth()
    times = {det.t for det in frames}
    speed = means[way.sent, way.launch.striker, 2:].copy() if way.launch is not None and way.sent is not None and way.sent >= 0 else None
    own = [k for k, s in enumerate(joint.steps) if s.t in times]
    return Followed(
        t=np.array([f.t for f in frames]),
        means=means[own],
        spread=spread[own],
        seen=np.array(way.seen),
        fell=joint.fell.copy(),
        log_likelihood=way.total,
        margin=margin,
        surprises=way.surprises,
        missed=way.missed,
        launch=way.launch,
        launch_velocity=speed,
    )


def _take(way: Way, det: Detections, classes: Sequence[Piece], board: BoardSpec, good: Mask, foreign: Mask, delays: Array) -> Mask:
    """Give a frame's sightings to the discs of one way; tell which are left, shape (m,) of bool."""
    joint = way.joint
    mouths = np.array(list(board.pockets().values()))
    in_mouth = np.hypot(*(joint.mean[:, None, :2] - mouths).transpose(2, 0, 1)).min(axis=1) < board.pocket_radius
    # who hangs over a pocket's edge looks as if it lay in the net
    hidden = in_mouth | np.array([det.hides(xy, board.side) for xy in joint.mean[:, :2]], bool)
    cost = _costs(det, joint, classes, hidden, delays)
    # who passes by what lies there is not it, nor who looks unlike it
    unlike = (joint.speeds() > SLOW)[:, None] | (look_cost(det, classes) > LOOKS_LIKE)
    cost[:, : len(det)][unlike & foreign] = np.inf
    taken, gain = _assign(cost)
    way.total += gain
    lost = joint.here & (taken < 0) & ~hidden
    way.missed = np.where(lost, way.missed + (det.t - way.t), np.where(hidden, way.missed, 0.0))
    way.t = det.t
    found = taken >= 0
    free = good.copy()
    free[taken[found]] = False
    way.total += float(np.log(CLUTTER) * free.sum())
    own = taken[found]
    joint.update(np.flatnonzero(found), det.xy[own], noise_of(det, joint.speeds())[found, own], delays[own])
    for i, j in _unforeseen(det, way, classes, free):
        v = (det.xy[j] - way.last[i]) / max(det.t - way.when[i], 1e-3)
        joint.restart(i, np.array([*det.xy[j], *v]), np.diag([MOVING_NOISE**2] * 2 + [UNFORESEEN_SPEED**2] * 2))
        taken[i], way.missed[i], free[j] = j, 0.0, False
        way.total -= UNFORESEEN
        way.surprises += 1
    found = taken >= 0
    way.last[found], way.when[found] = det.xy[taken[found]], det.t
    way.seen.append(taken)
    return free


def _costs(det: Detections, joint: JointFilter, classes: Sequence[Piece], hidden: Mask, delays: Array) -> Array:
    """Shape (n, m + n): negative log of each pair's likelihood, and of each disc's being missed; inf for what cannot be."""
    n, m = len(classes), len(det)
    cost = np.full((n, m + n), np.inf)
    speeds = joint.speeds()
    noise = noise_of(det, speeds)
    looks = look_cost(det, classes)
    for i in range(n):
        if not joint.here[i]:
            cost[i, m + i] = 0.0
            continue
        chance = MISSED_MOVING if speeds[i] > SLOW else MISSED
        cost[i, m + i] = 0.0 if hidden[i] else -np.log(chance)
        if not m:
            continue
        off = det.xy - joint.mean[i, :2] - delays[:, None] * joint.mean[i, 2:]
        p, late = joint.block(i), delays
        a = p[0, 0] + 2 * late * p[0, 2] + late**2 * p[2, 2] + noise[i] ** 2
        b = p[0, 1] + late * (p[0, 3] + p[1, 2]) + late**2 * p[2, 3]
        c = p[1, 1] + 2 * late * p[1, 3] + late**2 * p[3, 3] + noise[i] ** 2
        det2 = np.maximum(a * c - b * b, 1e-3)
        square = (c * off[:, 0] ** 2 - 2 * b * off[:, 0] * off[:, 1] + a * off[:, 1] ** 2) / det2
        square = np.where(np.hypot(*off.T) < NEAR_MM, np.minimum(square, GATE**2), square)
        value = 0.5 * square + 0.5 * np.log(det2) + np.log(2 * np.pi) + looks[i] - np.log(1 - chance) + np.log(CLUTTER)
        cost[i, :m] = np.where(square <= GATE**2, value, np.inf)
    return cost


def _assign(cost: Array) -> tuple[Indices, float]:
    """Which sighting each disc has, shape (n,), -1 for none; and the log-likelihood."""
    n = len(cost)
    m = cost.shape[1] - n
    finite = np.where(np.isfinite(cost), cost, NEVER)
    rows, columns = linear_sum_assignment(finite)
    taken = np.full(n, -1)
    for i, j in zip(rows, columns, strict=True):
        if j < m and np.isfinite(cost[i, j]):
            taken[i] = j
    return taken, -float(np.sum(np.minimum(finite[rows, columns], DEAR)))


def _unforeseen(det: Detections, way: Way, classes: Sequence[Piece], free: Mask) -> list[tuple[int, int]]:
    """Discs that must have been struck by something that was not foreseen: missed where they should be, seen elsewhere."""
    joint = way.joint
    discs = np.flatnonzero((way.missed >= UNSEEN_S) | (~joint.here & np.isfinite(joint.fell) & (det.t - joint.fell < REAPPEARS)))
    loose = np.flatnonzero(free)
    if not len(discs) or not len(loose):
        return []
    looks = look_cost(det, classes)
    gone = np.hypot(*(way.last[discs][:, None] - det.xy[loose][None]).transpose(2, 0, 1))
    off = np.hypot(*(joint.mean[discs, None, :2] - det.xy[loose][None]).transpose(2, 0, 1))
    reach = MAX_SPEED * np.maximum(det.t - way.when[discs], 1e-3)[:, None]
    cost = off / OFF_MM + looks[np.ix_(discs, loose)]
    cost = np.where((gone < reach) & (looks[np.ix_(discs, loose)] < LOOKS_LIKE), cost, NEVER)
    return [(int(discs[a]), int(loose[b])) for a, b in zip(*linear_sum_assignment(cost), strict=True) if cost[a, b] < NEVER]
