"""A stroke reconciled with the physics: which disc went where, what fell, what the striker touched, and how sure that is.

First the release is fitted to what was seen (`models.physics.fit_stroke`). From each release that may have been, all discs
are followed through the frames (`follow`), each sighting given to the disc that the physics foresees there; the release
under which all that was seen is likeliest is kept. A break is chaotic, but only from frame to frame is it foreseen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from models.board import BoardSpec
from models.detections import Detections
from models.physics import Dynamics, Observations, State, StrokeFit, fit_stroke
from models.stroke import Piece, PocketName
from tracking.cast import Array
from tracking.follow_stroke import MOVING_NOISE, REST_NOISE, Followed, Launch, follow
from tracking.joint_filter import JointFilter

EARLY: Final = 0.3
"""Seconds after the release by which the likeliest release is chosen."""
SPEED_SHARE, DIRECTION_SHARE = 0.03, 0.01
"""A release is never known better than to this part of its speed and this angle (rad)."""
SEEN_SPEED_SHARE, SEEN_DIRECTION = 0.2, 0.06
"""How well a release is known by the striker's first sightings alone."""
OTHER_SPEEDS: Final = (0.8, 1.0, 1.2, 1.45)
"""Where the first blow is not explained, releases with so many times the speed are tried."""
EXPLAINED: Final = 0.3
"""A fit that explains no more than this after its release (s) has other releases tried beside it."""
LOST_MM: Final = 60.0
"""A place known worse than this is not known (mm)."""


@dataclass(frozen=True)
class Evidence:
    """What is known of a stroke before it is reconciled.

    Attributes
    ----------
    names, classes : tuple of str, length n
        Of the discs on the board before it; the striker last if its place is known.
    before : ndarray, shape (n, 2)
        Where they lay (mm).
    frames : sequence of Detections
        From shortly before the release until all was at rest.
    seen : Observations
        Sightings as the tracker gave them to discs.
    place : ndarray, shape (2,), or None
        Where the striker stood (mm).
    t : float
        When it was struck, about (s).
    velocity : ndarray, shape (2,), or None
        As the first sightings tell it (mm/s).
    """

    names: tuple[str, ...]
    classes: tuple[Piece, ...]
    before: Array
    frames: Sequence[Detections]
    seen: Observations
    place: Array | None
    t: float
    velocity: Array | None

    def state(self, board: BoardSpec) -> State:
        """The discs at rest."""
        return State.resting(self.classes, self.before, board)


@dataclass(frozen=True)
class Reconciled:
    """A stroke explained.

    Attributes
    ----------
    evidence : Evidence
    followed : Followed
    fit : StrokeFit or None
        None where no release explains anything.
    t : float
        The release (s).
    velocity : ndarray, shape (2,), or None
        Of the striker at the release (mm/s).
    """

    evidence: Evidence
    followed: Followed
    fit: StrokeFit | None
    t: float
    velocity: Array | None

    def explained(self) -> bool:
        """Whether the physics explains the whole stroke from its release on."""
        return self.fit is not None and bool(np.isinf(self.fit.explained).all())

    def last_place(self, name: str) -> tuple[Array, float]:
        """Where a disc is at the end, or was when it fell, shape (2,), and its standard deviation (mm)."""
        i = self.evidence.names.index(name)
        return self.followed.means[-1, i, :2], float(self.followed.spread[-1, i])


def reconcile(e: Evidence, board: BoardSpec, dynamics: Dynamics) -> Reconciled:
    """Explain a stroke."""
    state = e.state(board)
    fit = _fit(e, state, board, dynamics, None)
    launches = _launches(e, fit)
    start = _start(e, launches)
    frames = [d for d in e.frames if d.t > start]
    best: Launch | None = launches[0] if launches else None
    if best is not None and len(launches) > 1:
        until = max(launch.t for launch in launches) + EARLY
        early = [d for d in frames if d.t < until]
        best = max(
            launches, key=lambda launch: follow(early, JointFilter(state, board, dynamics, start), e.classes, board, launch).log_likelihood
        )
    joint = JointFilter(state, board, dynamics, start)
    followed = follow(frames, joint, e.classes, board, best)
    again = _fit(e, state, board, dynamics, followed) if best is not None else None
    if again is not None and (fit is None or again.log_likelihood >= fit.log_likelihood or again.explained_until >= fit.explained_until):
        fit = again
    if best is None:
        return Reconciled(e, followed, None, e.t, None)
    if fit is not None and fit.explained_until > fit.release.time + EXPLAINED:
        r = fit.release
        return Reconciled(e, followed, fit, r.time, r.speed * np.array([np.cos(r.direction), np.sin(r.direction)]))
    return Reconciled(e, followed, fit, best.t, followed.launch_velocity if followed.launch_velocity is not None else best.v)


def _fit(e: Evidence, state: State, board: BoardSpec, dynamics: Dynamics, followed: Followed | None) -> StrokeFit | None:
    """The release fitted, to the tracker's sightings or to those of a stroke that was followed; None if nothing tells it."""
    if e.place is None:
        return None
    seen = e.seen if followed is None else sightings(e, followed)
    try:
        return fit_stroke(seen, state, board, dynamics, striker=len(state) - 1)
    except ValueError:  # nothing was seen to move
        return None


def sightings(e: Evidence, followed: Followed) -> Observations:
    """Which disc was seen where, as it was followed."""
    frame, disc = np.nonzero(followed.seen >= 0)
    at = {det.t: det for det in e.frames}
    rows = []
    for k, i in zip(frame.tolist(), disc.tolist(), strict=True):
        det = at[float(followed.t[k])]
        j = int(followed.seen[k, i])
        moves = np.hypot(*followed.means[k, i, 2:]) > 0
        rows.append((det.t, i, det.x[j], det.y[j], MOVING_NOISE if moves else REST_NOISE))
    table = np.array(rows).reshape(-1, 5)
    return Observations(table[:, 0], table[:, 1].astype(np.intp), *table[:, 2:].T)


def _launches(e: Evidence, fit: StrokeFit | None) -> list[Launch]:
    """Releases that may have been, the likeliest first; none where nobody saw the striker."""
    if e.place is None:
        return []
    striker = len(e.names) - 1
    out = []
    if fit is not None:
        r = fit.release
        v = r.speed * np.array([np.cos(r.direction), np.sin(r.direction)])
        if r.speed > 0:
            out.append(
                _launch(striker, r.time, v, max(SPEED_SHARE, fit.error("speed") / r.speed), max(DIRECTION_SHARE, fit.error("direction")))
            )
    if e.velocity is not None and np.hypot(*e.velocity) > 0:
        out.append(_launch(striker, e.t, e.velocity, SEEN_SPEED_SHARE, SEEN_DIRECTION))
    if fit is not None and np.isfinite(fit.explained).all() and fit.explained_until < fit.release.time + EXPLAINED:
        out += [replace_speed(launch, factor, e) for launch in out[:2] for factor in OTHER_SPEEDS if factor != 1.0]
    return out


def _launch(striker: int, t: float, v: Array, speed_share: float, direction: float) -> Launch:
    speed = float(np.hypot(*v))
    u = v / speed
    across = np.array([-u[1], u[0]])
    cov = np.outer(u, u) * (speed_share * speed) ** 2 + np.outer(across, across) * (min(direction, 0.3) * speed) ** 2
    return Launch(striker, t, np.asarray(v, np.float64), cov)


def replace_speed(launch: Launch, factor: float, e: Evidence) -> Launch:
    """A release faster or slower by a factor, by which the striker is where it was when first seen on its way, or shortly after."""
    own = e.seen.where((e.seen.disc == launch.striker) & (e.seen.t > launch.t + 1e-3))
    first = float(own.t.min()) if len(own) else launch.t + 0.03
    t = first - (first - launch.t) / factor
    return replace(launch, t=t, v=launch.v * factor, cov=launch.cov * factor**2)


def _start(e: Evidence, launches: Sequence[Launch]) -> float:
    """From where on frames are followed (s): the last still ones before every release that may have been."""
    first = min([launch.t for launch in launches], default=e.t)
    earlier = [d.t for d in e.frames if d.t < first - 1e-3]
    return earlier[-3] if len(earlier) >= 3 else (earlier[0] if earlier else e.frames[0].t - 0.03)


def pocket_of(xy: Array, v: Array, board: BoardSpec) -> PocketName:
    """The pocket that a disc at `xy` with velocity `v` was about to fall into: the nearest now or a moment later."""
    ahead = xy + v * 0.05
    return min((board.nearest_pocket(float(p[0]), float(p[1])) for p in (xy, ahead)), key=lambda n: n[1])[0]
