"""The sightings of a stroke given to the discs that made them, frame after frame, as the physics foresees them.

Association is optimal (Hungarian) over all discs at once and class-locked; the gate is each disc's own covariance, which
the physics spreads where discs meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from models.board import BoardSpec
from models.detections import Detections
from models.stroke import PIECES, Piece
from tracking.cast import Array
from tracking.joint_filter import SLOW, JointFilter
from tracking.tracker import MAX_SPEED, STREAK, UNEXPECTED

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
LEAST_MOVED_MM: Final = 8.0
"""A disc seen this far off has been moved by something that was not foreseen."""
UNFORESEEN: Final = 9.0
"""What such a motion costs (nats)."""
UNFORESEEN_SPEED: Final = 900.0
"""How well the velocity of such a disc is known (mm/s)."""
UNSEEN_FRAMES: Final = 2
"""A disc is not looked for elsewhere before it was missed in so many frames where it should be, unless a sighting there is another's."""


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
    surprises : int
        Motions that nothing explains.
    launch_velocity : ndarray, shape (2,), or None
        Of the striker when it set off, in the light of all frames (mm/s).
    """

    t: Array
    means: Array
    spread: Array
    seen: np.ndarray
    fell: Array
    log_likelihood: float
    surprises: int
    launch_velocity: Array | None = None


def noise_of(det: Detections, speeds: Array) -> Array:
    """Standard deviation of each sighting for discs of some speeds, shape (n discs, m sightings); mm."""
    streak = STREAK_NOISE * np.maximum(np.hypot(det.w, det.h) / np.sqrt(2) - 2 * det.r, 0.0)
    base = np.where(speeds > SLOW, MOVING_NOISE, REST_NOISE)
    return np.asarray(np.hypot(base[:, None], streak[None]), np.float64)


def look_cost(det: Detections, classes: Sequence[Piece]) -> Array:
    """What it costs that a sighting is of a class (nats), shape (n discs, m sightings)."""
    streak = np.maximum(det.w, det.h) > STREAK * np.minimum(det.w, det.h)
    floor = np.where(streak, STREAK_UNLIKELY, UNLIKELY)
    prob = det.prob[:, [PIECES.index(c) for c in classes]].T if len(det) else np.zeros((len(classes), 0))
    return np.asarray(-np.log(np.maximum(prob, floor[None])), np.float64)


@dataclass(frozen=True)
class Launch:
    """The striker sets off: when (s), with what velocity, shape (2,), and its covariance, (2, 2); mm/s."""

    striker: int
    t: float
    v: Array
    cov: Array


def follow(
    frames: Sequence[Detections], joint: JointFilter, classes: Sequence[Piece], board: BoardSpec, launch: Launch | None = None
) -> Followed:
    """Follow all discs through the frames after the filter's time."""
    seen = np.full((len(frames), len(classes)), -1)
    total, surprises = 0.0, 0
    sent: tuple[int, int] | None = None
    missed = np.zeros(len(classes), np.intp)
    last = joint.mean[:, :2].copy()
    when = np.full(len(classes), joint.t)
    times = {det.t for det in frames}
    for k, det in enumerate(frames):
        if launch is not None and det.t > launch.t:
            joint.launch(launch.striker, launch.t, launch.v, launch.cov)
            sent, launch = (len(joint.steps) - 1, launch.striker), None
        joint.predict(det.t)
        hidden = np.array([det.hides(xy, board.side) for xy in joint.mean[:, :2]], bool)
        good = np.array([s >= UNEXPECTED and not det.hides(xy, board.side, 0.0) for s, xy in zip(det.score, det.xy, strict=True)], bool)
        cost = _costs(det, joint, classes, hidden)
        taken, gain = _assign(cost)
        total += gain
        lost = joint.here & (taken < 0) & ~hidden
        missed = np.where(lost, missed + 1, np.where(hidden, missed, 0))
        found = taken >= 0
        free = good.copy()
        free[taken[found]] = False
        total += float(np.log(CLUTTER) * free.sum())
        joint.update(np.flatnonzero(found), det.xy[taken[found]], noise_of(det, joint.speeds())[found, taken[found]])
        for i, j in _unforeseen(det, joint, classes, free, missed, last, when):
            dt = det.t - when[i]
            v = (det.xy[j] - last[i]) / max(dt, 1e-3)
            joint.restart(i, np.array([*det.xy[j], *v]), np.diag([MOVING_NOISE**2] * 2 + [UNFORESEEN_SPEED**2] * 2))
            taken[i], missed[i] = j, 0
            total -= UNFORESEEN
            surprises += 1
        found = taken >= 0
        last[found], when[found] = det.xy[taken[found]], det.t
        seen[k] = taken
    means, spread = joint.smooth()
    speed = None if sent is None or sent[0] < 0 else means[sent[0], sent[1], 2:].copy()
    own = [k for k, s in enumerate(joint.steps) if s.t in times]
    means, spread = means[own], spread[own]
    return Followed(np.array([f.t for f in frames]), means, spread, seen, joint.fell.copy(), total, surprises, speed)


def _costs(det: Detections, joint: JointFilter, classes: Sequence[Piece], hidden: np.ndarray) -> Array:
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
        off = det.xy - joint.mean[i, :2]
        p = joint.block(i)[:2, :2]
        a, b, c = p[0, 0] + noise[i] ** 2, p[0, 1], p[1, 1] + noise[i] ** 2
        det2 = a * c - b * b
        square = (c * off[:, 0] ** 2 - 2 * b * off[:, 0] * off[:, 1] + a * off[:, 1] ** 2) / det2
        square = np.where(np.hypot(*off.T) < NEAR_MM, np.minimum(square, GATE**2), square)
        value = 0.5 * square + 0.5 * np.log(det2) + np.log(2 * np.pi) + looks[i] - np.log(1 - chance) + np.log(CLUTTER)
        cost[i, :m] = np.where(square <= GATE**2, value, np.inf)
    return cost


def _assign(cost: Array) -> tuple[np.ndarray, float]:
    """Which sighting each disc has, shape (n,), -1 for none; and the log-likelihood."""
    n = len(cost)
    m = cost.shape[1] - n
    finite = np.where(np.isfinite(cost), cost, 1e6)
    rows, columns = linear_sum_assignment(finite)
    taken = np.full(n, -1)
    for i, j in zip(rows, columns, strict=True):
        if j < m and np.isfinite(cost[i, j]):
            taken[i] = j
    return taken, -float(np.sum(np.minimum(finite[rows, columns], 50.0)))


def _unforeseen(
    det: Detections, joint: JointFilter, classes: Sequence[Piece], free: np.ndarray, missed: np.ndarray, last: Array, when: Array
) -> list[tuple[int, int]]:
    """Discs that must have been struck by something that was not foreseen: missed where they should be, seen elsewhere."""
    discs = np.flatnonzero((missed >= UNSEEN_FRAMES) | (~joint.here & np.isfinite(joint.fell) & (det.t - joint.fell < 0.5)))
    loose = np.flatnonzero(free)
    if not len(discs) or not len(loose):
        return []
    looks = look_cost(det, classes)
    way = np.hypot(*(last[discs][:, None] - det.xy[loose][None]).transpose(2, 0, 1))
    off = np.hypot(*(joint.mean[discs, None, :2] - det.xy[loose][None]).transpose(2, 0, 1))
    reach = MAX_SPEED * np.maximum(det.t - when[discs], 1e-3)[:, None]
    cost = off / 30.0 + looks[np.ix_(discs, loose)]
    cost = np.where((way < reach) & (looks[np.ix_(discs, loose)] < 2.5), cost, 1e6)
    return [(int(discs[a]), int(loose[b])) for a, b in zip(*linear_sum_assignment(cost), strict=True) if cost[a, b] < 1e6]
