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
from models.homography import Homography
from models.physics import Dynamics, Observations, RollingShutter, State, StrokeFit, fit_stroke, simulate
from models.physics.search import crowded
from models.stroke import Piece, PocketName
from tracking.cast import Array
from tracking.follow_stroke import MOVING_NOISE, REST_NOISE, Followed, Launch, follow
from tracking.joint_filter import JointFilter
from tracking.kalman import DECELERATION

SPEED_SHARE, DIRECTION_SHARE = 0.03, 0.01
"""A release is never known better than to this part of its speed and this angle (rad)."""
SEEN_SPEED_SHARE, SEEN_DIRECTION = 0.2, 0.06
"""How well a release is known by the striker's first sightings alone."""
OTHER_SPEEDS: Final = (0.8, 1.2, 1.45)
"""Where the first blow is not explained, releases with so many times the speed are tried."""
BEGUN: Final = 0.1
"""A release is explained if the fit explains all for longer than this after it (s)."""
POCKET_MM: Final = 2.5
"""How well the radius of a pocket is known (mm): boards differ, and nets hide the edge."""
HANGS_MM: Final = 10.0
"""A disc that would not have slid farther beyond a pocket's edge than this may hang over it instead (mm)."""
EXPLAINED: Final = 0.3
"""A fit that explains no more than this after its release (s) has other releases tried beside it."""
FITTED_MM: Final = 10.0
"""How well a fitted stroke tells where a disc comes to rest (mm)."""
SAME_TIME: Final = 0.05
"""Times no further apart are the same (s): a frame and a half."""
GONE_S: Final = 0.09
"""For so long a disc must have been missed, no hand over it, to be gone (s)."""
MOVED_MM: Final = 5.0
"""A disc that went no further has not moved (mm)."""
NEAR_POCKET: Final = 10.0
"""A disc whose way led so near beyond a pocket's edge may have fallen (mm): edges are not known better."""
LOST_MM: Final = 60.0
"""A place known worse than this is not known (mm)."""
AT_ONCE: Final = RollingShutter()
"""A camera that reads all of its picture at once."""
IN_PLACE: Final = Homography.identity()
"""The correction of a calibration that is right."""


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
    others : ndarray, shape (k, 2)
        Where something is seen that is none of the discs (mm).
    """

    names: tuple[str, ...]
    classes: tuple[Piece, ...]
    before: Array
    frames: Sequence[Detections]
    seen: Observations
    place: Array | None
    t: float
    velocity: Array | None
    others: Array

    def state(self, board: BoardSpec) -> State:
        """The discs at rest."""
        return State.resting(self.classes, self.before, board)

    def corrected(self, correction: Homography) -> Evidence:
        """The same with all places where they are by a correction of the calibration."""
        frames = []
        for det in self.frames:
            x, y = correction.points(det.xy).T
            frames.append(replace(det, x=x, y=y))
        x, y = correction.points(self.seen.places()).T
        place = None if self.place is None else correction.points(self.place)
        velocity = self.velocity if self.velocity is None or self.place is None else correction.velocities(self.place, self.velocity)
        return replace(
            self,
            before=correction.points(self.before),
            frames=frames,
            seen=Observations(self.seen.t, self.seen.disc, x, y, self.seen.sigma),
            place=place,
            velocity=velocity,
            others=correction.points(self.others),
        )


@dataclass(frozen=True)
class Fallen:
    """By which pocket, and when (s); `sure` if the physics has it fall, and not only come near."""

    pocket: PocketName
    t: float
    sure: bool = True


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
    falls : tuple, length n
        Where and when each disc fell as the physics has it: pocket and time (s); None for one that did not.
    rack : bool
        Discs lay so close together that what a blow does to them hangs on gaps that nobody sees.
    raw : Evidence
        As the calibration has it; all else is corrected.
    correction : Homography
        From there.
    """

    evidence: Evidence
    followed: Followed
    fit: StrokeFit | None
    t: float
    velocity: Array | None
    falls: tuple[Fallen | None, ...]
    rack: bool
    raw: Evidence
    correction: Homography

    def explained(self) -> bool:
        """Whether the physics explains the whole stroke from its release on."""
        return self.fit is not None and bool(np.isinf(self.fit.explained).all())

    def borne_out(self) -> bool:
        """Whether the release is explained, but for a rack's that no release does, and what follows holds no surprise."""
        begun = self.fit is not None and (self.rack or self.fit.explained_until > self.fit.release.time + BEGUN)
        return self.explained() or (begun and self.followed.surprises == 0)

    def last_place(self, name: str) -> tuple[Array, float]:
        """Where a disc is at the end, or was when it fell, shape (2,), and its standard deviation (mm)."""
        i = self.evidence.names.index(name)
        at, spread = self.followed.means[-1, i, :2], float(self.followed.spread[-1, i])
        if self.fit is not None and np.isinf(self.fit.explained[i]) and self.followed.missed[i] >= GONE_S:
            # the stroke as a whole tells more of a disc that nobody sees than the frames one by one
            told = self.fit.positions(float(self.followed.t[-1]))[0, i]
            if np.isfinite(told[0]):
                return told, min(spread, FITTED_MM)
        return at, spread


def reconcile(
    raw: Evidence, board: BoardSpec, dynamics: Dynamics, shutter: RollingShutter = AT_ONCE, correction: Homography = IN_PLACE
) -> Reconciled:
    """Explain a stroke.

    Parameters
    ----------
    raw : Evidence
        As the calibration has it.
    board, dynamics, shutter
        Of the match.
    correction : Homography
        From where the calibration has places to where they are.
    """
    e = raw.corrected(correction)
    state = e.state(board)
    fit = _fit(e.seen, e, state, board, dynamics, shutter)
    launches = _launches(e, fit)
    start = _start(e, launches)
    frames = [d for d in e.frames if d.t > start]
    followed = follow(frames, JointFilter(state, board, dynamics, start), e.classes, board, launches, e.others, shutter)
    best = followed.launch
    # a rack's blow hangs on gaps that nobody sees: fitted again it costs seconds, and the release is no better known
    rack = bool(crowded(state).any())
    if best is not None and not rack and not _settled(e, followed, fit):
        again = _fit(sightings(e, followed), e, state, board, dynamics, shutter)
        if again is not None and (fit is None or again.explained_until >= fit.explained_until):
            fit = again
    hinging = _hinging(fit, board, dynamics) if fit is not None else frozenset()
    falls = tuple(_fall(i, followed, fit, board, hinging) for i in range(len(e.names)))
    if best is None:
        return Reconciled(e, followed, None, e.t, None, falls, rack, raw, correction)
    if fit is not None and fit.explained_until > fit.release.time + EXPLAINED:
        r = fit.release
        return Reconciled(e, followed, fit, r.time, r.velocity(), falls, rack, raw, correction)
    v = followed.launch_velocity if followed.launch_velocity is not None else best.v
    return Reconciled(e, followed, fit, best.t, v, falls, rack, raw, correction)


def anew(
    r: Reconciled, board: BoardSpec, dynamics: Dynamics, shutter: RollingShutter, correction: Homography = IN_PLACE
) -> Reconciled | None:
    """A stroke followed once more, with what was learnt of the match since.

    None if that has other discs fall or end elsewhere: the settled boards have told who lies where.
    """
    e = r.raw.corrected(correction)
    launches = [launch for launch in (r.followed.launch,) if launch is not None]
    start = _start(e, launches)
    joint = JointFilter(e.state(board), board, dynamics, start)
    followed = follow([d for d in e.frames if d.t > start], joint, e.classes, board, launches, e.others, shutter)
    lie = np.isinf(followed.fell)
    if not np.array_equal(lie, np.isinf(r.followed.fell)):
        return None
    ends = correction.inverse.points(followed.means[-1, lie, :2]), r.correction.inverse.points(r.followed.means[-1, lie, :2])
    apart = np.hypot(*(ends[0] - ends[1]).T)
    # the fit is of what was known then, and of the places that it was known by
    return replace(r, evidence=e, followed=followed, fit=None, correction=correction) if (apart < FITTED_MM).all() else None


def _settled(e: Evidence, followed: Followed, fit: StrokeFit | None) -> bool:
    """Whether a fit to the tracker's sightings explains all, and following the discs has given them no others."""
    if fit is None or not np.isinf(fit.explained).all():
        return False
    given = {(float(t), int(i), float(x)) for t, i, x in zip(e.seen.t, e.seen.disc, e.seen.x, strict=True)}
    own = sightings(e, followed)
    return all((float(t), int(i), float(x)) in given for t, i, x in zip(own.t, own.disc, own.x, strict=True) if t > fit.release.time)


def _hinging(fit: StrokeFit, board: BoardSpec, dynamics: Dynamics) -> frozenset[int]:
    """Discs of which it hangs on the pockets' size, within what is known of it, whether they fall or come to rest at a pocket's edge.

    What would come to rest elsewhere if it did not fall is seen there.
    """
    fallen: list[frozenset[int]] = []
    near: set[int] = set()
    for more in (-POCKET_MM, 0.0, POCKET_MM):
        other = replace(board, pocket_radius=board.pocket_radius + more, pocket_inset=board.pocket_inset + more)
        motion = simulate(fit.state, other, dynamics)
        fallen.append(frozenset(f.index for f in motion.pocketed))
        ends = motion.positions([motion.duration])[0]
        near |= {i for i, end in enumerate(ends) if other.nearest_pocket(*end.tolist())[1] < other.pocket_radius + HANGS_MM}
    return (frozenset().union(*fallen) - fallen[0].intersection(*fallen)) & near


def _fall(i: int, followed: Followed, fit: StrokeFit | None, board: BoardSpec, hinging: frozenset[int]) -> Fallen | None:
    """Whether disc `i` fell: as the fit has it, as the filter has it, or because it came to a pocket and was not seen again."""
    seen = np.flatnonzero(followed.seen[:, i] >= 0)
    last = int(seen[-1]) if len(seen) else 0
    since = float(followed.t[last])
    if fit is not None and fit.explained[i] >= since - SAME_TIME:
        for f in fit.motion.pocketed:
            # a fit that explains a disc to its end has weighed stray sightings after its fall
            if f.index == i and (np.isinf(fit.explained[i]) or fit.release.time + f.t >= since - SAME_TIME):
                sure = i not in hinging and _runs_in(followed, i, fit.release.time + f.t, board)
                return Fallen(f.pocket, fit.release.time + f.t, sure)
    if np.isfinite(followed.fell[i]):
        k = max(int(np.searchsorted(followed.t, followed.fell[i])) - 1, 0)
        pocket = pocket_of(followed.means[k, i, :2], followed.means[k, i, 2:], board)
        return Fallen(pocket, float(followed.fell[i]), i not in hinging and _runs_in(followed, i, float(followed.fell[i]), board))
    way = followed.means[last:, i]
    moved = float(np.hypot(*(followed.means[:, i, :2] - followed.means[0, i, :2]).T).max()) > MOVED_MM
    if followed.missed[i] < GONE_S or not moved:
        return None
    for k in range(len(way) - 1):
        for name, centre in board.pockets().items():
            gap, part = _gap(way[k, :2], way[k + 1, :2], np.array(centre))
            if gap < board.pocket_radius + NEAR_POCKET + 2 * min(float(followed.spread[last + k, i]), NEAR_POCKET):
                t = followed.t[last + k : last + k + 2]
                return Fallen(name, float(t[0] + part * (t[1] - t[0])), sure=False)
    return None


def _runs_in(followed: Followed, i: int, t: float, board: BoardSpec) -> bool:
    """Whether a disc that fell at `t` was fast enough for that to be beyond doubt."""
    k = max(int(np.searchsorted(followed.t, t)) - 1, 0)
    x, y, vx, vy = followed.means[k, i]
    to_edge = board.nearest_pocket(float(x), float(y))[1] - board.pocket_radius
    return float(vx * vx + vy * vy) / (2 * DECELERATION) - max(to_edge, 0.0) > HANGS_MM


def _gap(a: Array, b: Array, centre: Array) -> tuple[float, float]:
    """Distance of a point from the way from `a` to `b`, and at which part of it."""
    way = b - a
    part = float(np.clip((centre - a) @ way / max(float(way @ way), 1e-9), 0.0, 1.0))
    return float(np.hypot(*(a + part * way - centre))), part


def _fit(seen: Observations, e: Evidence, state: State, board: BoardSpec, dynamics: Dynamics, shutter: RollingShutter) -> StrokeFit | None:
    """The release fitted to sightings, as the tracker gave them to discs or as these were followed; None if nothing tells it."""
    if e.place is None:
        return None
    try:
        return fit_stroke(shutter.on_time(seen, board.side), state, board, dynamics, striker=len(state) - 1)
    except ValueError:  # nothing was seen to move
        return None


def sightings(e: Evidence, followed: Followed) -> Observations:
    """Which disc was seen where, as it was followed; at the times of the frames."""
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
        if r.speed > 0:
            share = max(SPEED_SHARE, fit.error("speed") / r.speed)
            out.append(_launch(striker, r.time, r.velocity(), share, max(DIRECTION_SHARE, fit.error("direction"))))
    if e.velocity is not None and np.hypot(*e.velocity) > 0:
        out.append(_launch(striker, e.t, e.velocity, SEEN_SPEED_SHARE, SEEN_DIRECTION))
    if fit is not None and np.isfinite(fit.explained).all() and fit.explained_until < fit.release.time + EXPLAINED:
        out += [_at_speed(launch, factor, e) for launch in out[:2] for factor in OTHER_SPEEDS]
    return out


def _launch(striker: int, t: float, v: Array, speed_share: float, direction: float) -> Launch:
    speed = float(np.hypot(*v))
    u = v / speed
    across = np.array([-u[1], u[0]])
    cov = np.outer(u, u) * (speed_share * speed) ** 2 + np.outer(across, across) * (min(direction, 0.3) * speed) ** 2
    return Launch(striker, t, np.asarray(v, np.float64), cov)


def _at_speed(launch: Launch, factor: float, e: Evidence) -> Launch:
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


def pocket_of(xy: Array, v: Array, board: BoardSpec, later: float = 0.05) -> PocketName:
    """The pocket that a disc at `xy` with velocity `v` was about to fall into: the nearest now or a moment `later` (s)."""
    ahead = xy + v * later
    return min((board.nearest_pocket(float(p[0]), float(p[1])) for p in (xy, ahead)), key=lambda n: n[1])[0]
