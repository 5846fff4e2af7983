"""What became of every disc in a stroke: the ledger of settled boards before and after it, and the physics between them.

The settled boards were seen, so they decide what lies where. Which of the discs of a class lies where, and by which pocket
and when one fell, the physics tells (`reconcile`). Where the two contradict each other the stroke is less sure.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from models.board import BoardSpec
from models.detections import Detections
from models.physics import Observations
from models.stroke import Piece, PocketName
from tracking.cast import Array, Track
from tracking.colours import CLASS_NATS, class_margin, unlike
from tracking.figures import LEARN_AT, Figures
from tracking.follow_stroke import MOVING_NOISE, REST_NOISE
from tracking.joint_filter import SLOW
from tracking.reconcile import LOST_MM, Evidence, Reconciled, anew, reconcile
from tracking.release import Release
from tracking.table import Row

LEAD: Final = 0.35
"""Seconds before a release from which on a stroke is looked at."""
MEMORY: Final = 1.5
"""Seconds of frames that are kept between strokes."""
HELD_S: Final = 45.0
"""So long the trajectories of the first strokes wait for what is learnt of the match (s)."""
TRAIL: Final = 0.3
"""Seconds after all came to rest until which it is."""
SAME_MM: Final = 12.0
"""A disc that is foreseen no further from where one lies is that one."""
FAR_MM: Final = 40.0
"""A disc that ends so far outside every pocket (mm), by the physics, did not fall, though it is not seen."""
KNOWN_MM: Final = 15.0
"""Its place must be known so well for that (mm)."""
NATS_PER_MM: Final = 0.15
"""What it costs that a disc lies elsewhere than foreseen."""
MOST_NATS: Final = 25.0
UNFORESEEN_FALL: Final = 3.0
"""What it costs that a disc fell which is not foreseen to."""
OTHERWISE: Final = 0.1
"""What it costs that the tracker had it otherwise, where nothing else tells (nats)."""
MISS_PER_MM, MOST_MISS = 0.05, 10.0
"""What it costs for each millimetre that a disc stayed outside every pocket, and at most (nats)."""
VAGUE: Final = 8.0
"""Of a place known to so many times what one at rest is, millimetres begin to cost less."""
CONTRADICTED, CLOSE_CALL = 0.6, 0.85
"""What is left of the confidence where ledger and physics differ, and where it might well have been otherwise."""
UNFINISHED: Final = 0.6
"""What is left of it where the video ends before all has come to rest."""
MOST_SURE: Final = 0.97
CLOSE_NATS: Final = 4.0
"""A way in which other discs fell that is so little less likely (nats) might well have been."""
BLIND_S: Final = 0.25
"""A striker that nobody saw for longer on its way may have done something else (s)."""
MOVED_MM: Final = 2.5
"""A piece that lies this far from where it lay before the stroke was moved by it."""
BARELY_MM: Final = 2.0
"""A touch that moves a piece by less is hardly seen."""


@dataclass(frozen=True)
class Look:
    """A frame, and which of its detections the tracker gave to which disc; the names of those that moved."""

    det: Detections
    given: Mapping[str, int]
    moving: frozenset[str]


@dataclass
class OpenStroke:
    """A stroke under way, or at rest and not yet explained.

    Attributes
    ----------
    before : dict
        Where each piece lay before it.
    motion, rest : float
        When something moved last; when all came to rest, once it has (s).
    moved : set of str
        Pieces seen in motion.
    clear : float
        Seconds of free sight since the last motion.
    doubt : float
        Factor of the confidence.
    looks : list of Look
        From shortly before the release.
    """

    release: Release
    before: dict[str, Array]
    motion: float
    rest: float | None = None
    moved: set[str] = field(default_factory=set)
    clear: float = 0.0
    doubt: float = 1.0
    looks: list[Look] = field(default_factory=list)

    def confidence(self) -> float:
        """How sure the stroke is, 0 to 1."""
        return round(MOST_SURE * self.doubt * (1.0 if self.rest is not None else UNFINISHED), 2)


class Explainer:
    """Explains the strokes of one board.

    Parameters
    ----------
    figures : Figures
        What is known of the board and the discs of this match.
    """

    def __init__(self, figures: Figures) -> None:
        self._figures = figures
        self._recent: deque[Look] = deque()
        self._early: list[tuple[Reconciled, list[Outcome]]] = []
        self._learnt = figures.count >= LEARN_AT[1]

    def see(self, det: Detections, tracks: Sequence[Track], stroke: OpenStroke | None) -> None:
        """Take in a frame."""
        self._figures.see(det, tracks)
        look = Look(det, {t.id: t.sighting for t in tracks if t.sighting >= 0}, frozenset(t.id for t in tracks if t.state == "moving"))
        self._recent.append(look)
        while self._recent[0].det.t < det.t - MEMORY and len(self._recent) > 1:
            self._recent.popleft()
        if stroke is not None and stroke.rest is None:
            stroke.looks.append(look)

    def begin(self, stroke: OpenStroke) -> None:
        """A stroke was released, some frames ago."""
        stroke.looks = [k for k in self._recent if k.det.t > stroke.release.t - LEAD]

    def explain(self, stroke: OpenStroke, tracks: Sequence[Track], others: Array) -> Reconciled | None:
        """The stroke reconciled with the physics; None if it shows nothing to reconcile.

        Parameters
        ----------
        others : ndarray, shape (k, 2)
            Where something is seen that is none of the discs (mm).
        """
        names = [t for t in tracks if t.id in stroke.before and t.cls != "striker"]
        before = [stroke.before[t.id] for t in names]
        ids, classes = [t.id for t in names], [t.cls for t in names]
        place = stroke.release.place
        if place is not None:
            striker = next(t for t in tracks if t.cls == "striker")
            ids.append(striker.id)
            classes.append("striker")
            before.append(place)
        if not ids or len(stroke.looks) < 3:
            return None
        index = {name: i for i, name in enumerate(ids)}
        end = (stroke.rest if stroke.rest is not None else stroke.motion) + TRAIL
        looks = [k for k in stroke.looks if k.det.t <= end]
        seen = [
            (k.det.t, index[name], k.det.x[j], k.det.y[j], MOVING_NOISE if name in k.moving else REST_NOISE)
            for k in looks
            for name, j in k.given.items()
            if name in index
        ]
        table = np.array(seen).reshape(-1, 5)
        evidence = Evidence(
            names=tuple(ids),
            classes=tuple(classes),
            before=np.array(before),
            frames=[k.det for k in looks],
            seen=Observations(table[:, 0], table[:, 1].astype(np.intp), *table[:, 2:].T),
            place=place,
            t=stroke.release.t,
            velocity=stroke.release.velocity,
            others=others,
        )
        f = self._figures
        found = reconcile(evidence, f.board, f.dynamics, f.shutter, f.cushions.correction)
        f.learn(found)
        return found

    def again(self, r: Reconciled, found: list[Outcome]) -> list[tuple[Reconciled, list[Outcome]]]:
        """The first strokes followed once more, this one among them, as soon as anything was learnt of the match; else none."""
        f = self._figures
        if self._learnt:
            return []
        early = [(k, told) for k, told in self._early if r.t - k.t < HELD_S] + [(r, found)]
        self._learnt = f.count >= LEARN_AT[1]
        self._early = [] if self._learnt else early
        again = [(anew(k, f.board, f.dynamics, f.shutter, f.cushions.correction), told) for k, told in early] if self._learnt else []
        return [(k, told) for k, told in again if k is not None]

    def held(self, t: float) -> float:
        """From when on trajectories may still change at `t` (s), since the first strokes are to be followed once more; inf if none is."""
        begin = self._early[0][0].t - LEAD if self._early else np.inf
        return begin if t - begin < HELD_S else np.inf


def identities(r: Reconciled, tracks: Sequence[Track], board: BoardSpec) -> dict[str, str]:
    """Which disc each track has come to follow: from the track's name to the disc's, within each class.

    Parameters
    ----------
    r : Reconciled
    tracks : sequence of Track
        As they are after the stroke: at rest somewhere, or pocketed.
    """
    names = r.evidence.names
    found: dict[str, str] = {}
    for cls in sorted({t.cls for t in tracks if t.id in names and t.cls != "striker"}):
        own = [t for t in tracks if t.cls == cls and t.id in names]
        cost = np.array([[_cost(r, t.id, track, board) for track in own] for t in own])
        for i, k in zip(*linear_sum_assignment(cost), strict=True):
            found[own[k].id] = own[i].id
    return found


def _cost(r: Reconciled, name: str, track: Track, board: BoardSpec) -> float:
    """What it costs that disc `name` ended as `track` did (nats)."""
    same = 0.0 if track.id == name else OTHERWISE
    at, spread = r.last_place(name)
    i = r.evidence.names.index(name)
    fell = r.falls[i] is not None
    if track.state == "pocketed":
        return same if fell else same + UNFORESEEN_FALL + min(max(nearest_miss(r, i, board), 0.0) * MISS_PER_MM, MOST_MISS)
    off = float(np.hypot(*(at - r.correction.points(track.xy)))) * (REST_NOISE / max(REST_NOISE, spread / VAGUE))
    return same + min(off * NATS_PER_MM, MOST_NATS) + (UNFORESEEN_FALL if fell else 0.0)


def nearest_miss(r: Reconciled, i: int, board: BoardSpec) -> float:
    """How far outside a pocket's edge a disc's centre stayed since it was last seen (mm); negative where it went in."""
    seen = np.flatnonzero(r.followed.seen[:, i] >= 0)
    way = r.followed.means[int(seen[-1]) if len(seen) else 0 :, i, :2]
    gaps = [np.hypot(*(way - np.array(p)).T) for p in board.pockets().values()]
    return float(np.min(gaps)) - board.pocket_radius


@dataclass(frozen=True)
class Outcome:
    """How a disc ended as the settled board says, and whether the physics agrees.

    Attributes
    ----------
    pocket, t : str and float, or None
        Where and when it fell (s), if it did.
    agrees : bool
    unseen_at : ndarray, shape (2,), or None
        Where a disc must lie that nobody sees (mm), as the calibration has it.
    sure : bool
        Whether the physics leaves no doubt.
    """

    name: str
    cls: Piece
    pocket: PocketName | None
    t: float | None
    agrees: bool
    unseen_at: Array | None = None
    sure: bool = True


def outcomes(r: Reconciled, tracks: Sequence[Track], board: BoardSpec) -> list[Outcome]:
    """The outcome of every disc that was on the board, tracks named by `identities`."""
    out = []
    by_name = {t.id: t for t in tracks}
    for i, name in enumerate(r.evidence.names):
        track, foreseen = by_name[name], r.falls[i]
        at, spread = r.last_place(name)
        if track.state == "pocketed" or (track.cls == "striker" and foreseen is not None and not track.on_board):
            if foreseen is None and nearest_miss(r, i, board) > FAR_MM and spread < KNOWN_MM:
                out.append(Outcome(name, track.cls, None, None, agrees=False, unseen_at=r.correction.inverse.points(at)))
            elif foreseen is None:
                out.append(Outcome(name, track.cls, track.pocket, track.fell, agrees=False))
            else:
                out.append(Outcome(name, track.cls, foreseen.pocket, foreseen.t, agrees=True, sure=foreseen.sure))
        else:
            lies = float(np.hypot(*(at - r.correction.points(track.xy)))) < max(SAME_MM, spread) or track.cls == "striker"
            out.append(Outcome(name, track.cls, None, None, lies and foreseen is None))
    return out


def belief(r: Reconciled, found: Sequence[Outcome], touched: bool, tracks: Sequence[Track]) -> float:
    """How far the ledger and the physics bear each other out, as a factor of the stroke's confidence.

    A person should look where they contradict each other, where it hangs on a hair whether a disc fell, where what fell looks
    nearly as much like another colour or a piece looks like none that it may be, where the striker was turned aside by something
    that nobody saw, and where nobody saw it for long.
    """
    factor = 1.0
    if any(not o.agrees and (o.pocket is not None or o.unseen_at is not None) for o in found):
        factor *= CONTRADICTED
    if any(not o.sure for o in found) or r.followed.margin < CLOSE_NATS:
        factor *= CLOSE_CALL
    if any(o.pocket is None and not o.agrees and r.falls[r.evidence.names.index(o.name)] is not None for o in found):
        factor *= CONTRADICTED
    fallen = {o.name for o in found if o.pocket is not None}
    margin = min((class_margin(t, tracks) for t in tracks if t.id in fallen), default=np.inf)
    if margin < CLASS_NATS or any(unlike(t) for t in tracks):
        factor *= CLOSE_CALL
    if (not touched and not r.explained()) or blind(r) > BLIND_S:
        factor *= CLOSE_CALL
    return factor


def blind(r: Reconciled) -> float:
    """The longest that the striker was on its way without being seen, whatever hid it (s)."""
    if r.evidence.place is None:
        return np.inf
    i, f = len(r.evidence.names) - 1, r.followed
    goes = (f.t >= r.t) & (f.t < f.fell[i]) & (np.hypot(*f.means[:, i, 2:].T) > SLOW)
    if not goes.any():
        return 0.0
    seen = f.t[goes & (f.seen[:, i] >= 0)]
    return float(np.diff([r.t, *seen.tolist(), float(f.t[goes][-1])]).max())


def weighed(r: Reconciled, found: Sequence[Outcome], touched: bool, tracks: Sequence[Track], doubt: float) -> tuple[bool, float]:
    """Whether a piece was touched, as ledger and physics together have it, and what is left of the confidence.

    Parameters
    ----------
    touched : bool
        As the settled boards have it.
    doubt : float
        What the tracker's guesses leave of the confidence. What the physics explains is as sure as that, whatever those were.
    """
    first = touch(r)
    barely = first is not None and not touched
    fell = any(o.pocket is not None and o.t is not None and o.t >= r.t and o.cls != "striker" for o in found)
    touched = touched or (first is not None and first[2] > BARELY_MM) or fell
    left = (1.0 if r.borne_out() else doubt) * belief(r, found, touched, tracks)
    return touched, left * (CLOSE_CALL if barely else 1.0)


def displaced(stroke: OpenStroke, tracks: Sequence[Track]) -> bool:
    """Whether a piece lies elsewhere than before the stroke."""
    lie = [t for t in tracks if t.state == "rest" and t.id in stroke.before and t.cls != "striker"]
    return any(np.hypot(*(t.lay - stroke.before[t.id])) > MOVED_MM for t in lie)


def touch(r: Reconciled) -> tuple[str, float, float] | None:
    """The first piece that the striker touched, when (s), and how far that piece was moved (mm); None if the physics knows of none."""
    if r.fit is None or r.fit.motion.first_contact is None:
        return None
    i, t = r.fit.motion.first_contact
    when = t + r.fit.release.time
    if when > r.fit.explained_until + 0.1:
        return None
    moved = float(np.nanmax(np.hypot(*(r.followed.means[:, i, :2] - r.evidence.before[i]).T)))
    return r.evidence.names[i], when, moved


def write_rows(rows: list[Row], r: Reconciled, found: Sequence[Outcome], board: BoardSpec, renamed: dict[str, str]) -> None:
    """Write into the table what is known now: the stroke's frames anew, later ones with the names that hold; as the calibration has it."""
    frames = {float(t): k for k, t in enumerate(r.followed.t)}
    index = {name: i for i, name in enumerate(r.evidence.names)}
    told = {o.name: o for o in found}
    trusted = {name for name, o in told.items() if o.agrees}
    last, back = float(r.followed.t[-1]) if len(r.followed.t) else -np.inf, r.correction.inverse
    for row in rows:
        # what came before the release was followed under its own name
        name = renamed.get(row.piece, row.piece) if row.t >= r.t else row.piece
        if row.t > last or name not in index or row.t not in frames or name not in trusted:
            if row.t >= r.t:
                row.piece = name
            continue
        row.piece = name
        k, i = frames[row.t], index[name]
        o = told[name]
        at, v = r.followed.means[k, i, :2], r.followed.means[k, i, 2:]
        row.observed = bool(r.followed.seen[k, i] >= 0)
        if not row.observed and r.fit is not None and np.isinf(r.fit.explained[i]):
            fitted = r.fit.positions(row.t)[0, i]
            at = fitted if np.isfinite(fitted[0]) else at
        row.x, row.y = (float(c) for c in back.points(np.clip(at, 0.0, board.side)))
        row.vx, row.vy = (float(c) for c in back.velocities(at, v))
        row.state = "moving" if np.hypot(row.vx, row.vy) > SLOW else "rest"
        if r.followed.spread[k, i] > LOST_MM:
            row.state = "hidden"
        if o.pocket is not None and o.t is not None and row.t >= o.t:
            row.x, row.y = board.pockets()[o.pocket]
            row.vx = row.vy = 0.0
            row.state, row.observed = "pocketed", False
