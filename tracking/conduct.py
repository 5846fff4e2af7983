"""What a player does around a stroke, as far as an overhead camera shows it: placement, pushing, direction, the clock, pieces moved.

A foul that was none costs more trust than one that nobody saw: whatever is near a limit, was half hidden or can be
explained otherwise is not called. What a camera above the board cannot tell (elbow, body, arrow) is never called.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from models.board import BoardSpec
from models.detections import Detections
from models.stroke import Seat
from tracking.cast import Array, Track
from tracking.placement import Placements, offsets
from tracking.release import AWAY_MM, CONTACT_MM, Release
from tracking.tracker import Tracker, hand_side

FIRM: Final = 3
"""Sightings at one place that make it the place where a disc lay."""
SAME_MM: Final = 3.0
"""A disc at rest is seen within this of where it lies, a finger over its rim or none."""
DISPLACED_MM: Final = 14.0
"""A piece that lies this far from where it lay was moved (mm)."""
CARRIED_MM: Final = 80.0
"""One that lies farther from it was carried: put back, tidied up, or the striker taken for a piece (mm)."""
UNDER_MM: Final = 20.0
"""An arm this near to a piece may move it (mm)."""
FEW: Final = 2
"""If more pieces lie elsewhere than these, the board was knocked or the camera moved, and no piece was."""
PLACE_TIME: Final = 2.0
"""Seconds before a release over which the striker's place is measured."""
PUSH_MM: Final = 150.0
"""A striker that a hand accompanies so far from its place was pushed (mm): a finger that flicks reaches a third of it."""
PUSH_SIGHTINGS: Final = 4
PUSH_TIME: Final = 1.5
"""Seconds around a release within which a push is looked for."""
UNSLOWED: Final = 0.9
"""Speed in the second half of that way, as a part of the first half's, at least: a struck striker is slowed by the board."""
BACKWARD: Final = np.sin(np.radians(10.0))
"""Sine of the angle by which a stroke must point to the player's own side to be called backward."""
BLIND_SIGHT: Final = 0.1
BLIND_TIME: Final = 2.0
"""If less of the board was to be seen for longer (s), a stroke or a placing may have been missed, and the clock says nothing."""
MEMORY: Final = 150
"""Sightings of the striker that are kept."""


@dataclass(frozen=True)
class Conduct:
    """What was seen of a player's conduct: reasons of `models.stroke.IMPROPER`, and seconds on the clock (None: not known)."""

    improper: tuple[str, ...] = ()
    seconds: float | None = None


@dataclass(frozen=True)
class _Sighting:
    t: float
    xy: Array
    rest: bool
    touched: bool


@dataclass
class _Lying:
    """A piece between two strokes: where it lay, how often it was seen there, which seats' arms were over it since.

    `other`, `since` and `seen_there` are of another place at which it lies now.
    """

    xy: Array
    seen: int = 1
    arms: set[Seat | None] = field(default_factory=set)
    other: Array | None = None
    since: float = np.inf
    seen_there: int = 0


class ConductWatch:
    """Watches what players do between and around strokes; one for each board.

    Parameters
    ----------
    board : BoardSpec
    placements : Placements
        Those of the match so far, to which this board's are added.
    """

    def __init__(self, board: BoardSpec, placements: Placements) -> None:
        self._board = board
        self._placements = placements
        self._path: deque[_Sighting] = deque(maxlen=MEMORY)
        self._radii: deque[float] = deque(maxlen=MEMORY)
        self._lying: dict[str, _Lying] = {}
        self._moved: dict[str, tuple[float, set[Seat | None]]] = {}
        self._put: set[str] = set()
        self._clock = _Clock()
        self._before = Conduct()

    def step(self, det: Detections, tracker: Tracker, *, playing: bool) -> None:
        """Take in one frame, after the tracker.

        Parameters
        ----------
        playing : bool
            A stroke is under way: what moves is moved by it.
        """
        self._clock.step(det, tracker.striker, self._board.side, playing)
        self._see_striker(det, tracker.striker)
        if playing:
            self._lying.clear()
            self._moved.clear()
            self._put.clear()
            return
        for track in tracker.tracks:
            if track.cls != "striker" and track.id not in self._put:
                self._see_piece(det, track)

    def placed(self, piece: str, t: float) -> None:
        """A hand put a piece back, at `t` (s)."""
        self._put.add(piece)
        self._lying.pop(piece, None)
        self._moved.pop(piece, None)
        self._clock.placed = t

    def begin(self, release: Release) -> None:
        """A stroke is released; what was done before it is certain."""
        improper: tuple[str, ...] = ()
        place = self._place(release)
        if place is not None:
            radius = max([self._board.striker_radius, *([float(np.median(self._radii))] if self._radii else [])])
            improper = self._placements.judge(release.by, place, radius)
            if 0 < len(self._moved) <= FEW and all(t < release.t and arms == {release.by} for t, arms in self._moved.values()):
                improper = (*improper, "moved_piece")
        self._before = Conduct(improper, self._clock.seconds(release))

    def finish(self, release: Release, velocity: Array | None, rest: float) -> Conduct:
        """The stroke is over.

        Parameters
        ----------
        velocity : ndarray, shape (2,), or None
            At its release, as it is now known (mm/s).
        rest : float
            When all came to rest (s).
        """
        self._clock.over(release.by, rest)
        improper = list(self._before.improper)
        if release.place is not None:
            way = [s for s in self._path if release.t - PUSH_TIME < s.t < release.t + PUSH_TIME]
            if _pushed(way, release.place):
                improper.append("pushed")
            if velocity is not None and self._backward(release, velocity, way):
                improper.append("backward")
        return Conduct(tuple(improper), self._before.seconds)

    # -- the striker ------------------------------------------------------------------------------------------

    def _see_striker(self, det: Detections, striker: Track) -> None:
        if not (striker.on_board and striker.observed):
            return
        xy = striker.xy if striker.state == "rest" else striker.last[0]
        rest = striker.state == "rest"
        self._path.append(_Sighting(det.t, xy, rest, det.hides(xy, self._board.side, CONTACT_MM)))
        if rest and len(det):
            self._radii.append(float(det.r[np.hypot(*(det.xy - xy).T).argmin()]))

    def _place(self, release: Release) -> Array | None:
        """Where the striker lay before a release, if that was plainly seen."""
        if release.place is None:
            return None
        at = [
            s.xy
            for s in self._path
            if s.rest and release.t - PLACE_TIME < s.t < release.t + 1e-3 and np.hypot(*(s.xy - release.place)) < SAME_MM
        ]
        return np.median(at, axis=0) if len(at) >= FIRM else None

    def _backward(self, release: Release, velocity: Array, way: list[_Sighting]) -> bool:
        """Both the velocity and the first sighting under way must point to the player's own side."""
        assert release.place is not None
        _, here = offsets(release.place, release.by, self._board)
        _, there = offsets(release.place + velocity, release.by, self._board)
        if there - here > -BACKWARD * np.hypot(*velocity):
            return False
        gone = [s for s in way if s.t >= release.t - 0.02 and np.hypot(*(s.xy - release.place)) > AWAY_MM]
        if not gone:
            return False
        _, seen = offsets(gone[0].xy, release.by, self._board)
        return bool(seen - here < -BACKWARD * np.hypot(*(gone[0].xy - release.place)))

    # -- pieces -----------------------------------------------------------------------------------------------

    def _see_piece(self, det: Detections, track: Track) -> None:
        lying, side = self._lying.get(track.id), self._board.side
        if lying is not None and det.hides(lying.xy, side, UNDER_MM):
            lying.arms.add(hand_side(lying.xy, det.hands, self._board))
        if track.state != "rest" or not track.observed or det.hides(track.xy, side):
            return
        if lying is None:
            self._lying[track.id] = _Lying(track.xy)
        elif lying.seen < FIRM:
            same = np.hypot(*(track.xy - lying.xy)) < SAME_MM
            self._lying[track.id] = _Lying(lying.xy, lying.seen + 1, lying.arms) if same else _Lying(track.xy)
        elif DISPLACED_MM < np.hypot(*(track.xy - lying.xy)) < CARRIED_MM:
            self._see_elsewhere(det, track, lying)
        else:
            lying.other = None

    def _see_elsewhere(self, det: Detections, track: Track, lying: _Lying) -> None:
        """A piece lies elsewhere: it was moved, if nothing lies any more where it lay."""
        if lying.other is None or np.hypot(*(track.xy - lying.other)) > SAME_MM:
            lying.other, lying.since, lying.seen_there = track.xy, det.t, 0
        lying.seen_there += 1
        empty = not det.hides(lying.xy, self._board.side) and np.hypot(*(det.xy - lying.xy).T).min() > DISPLACED_MM
        if lying.seen_there >= FIRM and empty:
            self._moved[track.id] = (lying.since, lying.arms)
            self._lying[track.id] = _Lying(track.xy, FIRM)


@dataclass
class _Clock:
    """When the time for the next stroke began to run (ICF laws 50, 88 and 124).

    For the same player when the last stroke was complete; for another when the striker was taken from the board; for either when
    a placing was done. When an umpire says "Play" before a break no camera hears.
    """

    by: Seat | None = None
    rest: float | None = None
    placed: float = -np.inf
    taken: float | None = None
    _lies: Array | None = None
    _there: float = -np.inf
    _was_playing: bool = False
    _dark: float | None = None
    _blind: bool = False

    def step(self, det: Detections, striker: Track, side: float, playing: bool) -> None:
        if det.sight(side) > BLIND_SIGHT:
            self._dark = None
        elif self._dark is None:
            self._dark = det.t
        self._blind = self._blind or (self._dark is not None and det.t - self._dark > BLIND_TIME)
        if playing:
            self._was_playing, self.taken = True, None
            return
        if self._was_playing:
            self._was_playing = False
            self._lies, self._there = (striker.xy, det.t) if striker.on_board else (None, det.t)
        if self.taken is None:
            if self._lies is None:
                self.taken = self._there
            elif striker.observed and np.hypot(*(striker.last[0] - self._lies)) < DISPLACED_MM:
                self._there = det.t
            elif striker.observed or not striker.on_board:
                self.taken = self._there

    def over(self, by: Seat, rest: float) -> None:
        """A stroke by `by` was complete at `rest` (s)."""
        self.by, self.rest = by, rest
        self._blind = False

    def seconds(self, release: Release) -> float | None:
        """Seconds on the clock at a release."""
        if self.rest is None or self._blind:
            return None
        began = self.rest
        if release.by != self.by:
            if self.taken is None:
                return None
            began = max(began, self.taken)
        return round(max(release.t - max(began, self.placed), 0.0), 1)


def _pushed(way: list[_Sighting], place: Array) -> bool:
    """Whether a hand went along with the striker: touched it in every sighting, far from its place, without its slowing down."""
    gone = [s for s in way if np.hypot(*(s.xy - place)) > AWAY_MM]
    touched: list[_Sighting] = []
    for s in gone:
        if not s.touched or s.rest or (touched and np.hypot(*(s.xy - place)) <= np.hypot(*(touched[-1].xy - place))):
            break
        touched.append(s)
    if len(touched) < PUSH_SIGHTINGS or np.hypot(*(touched[-1].xy - place)) < PUSH_MM:
        return False
    middle = len(touched) // 2
    return _speed(touched[middle:]) > UNSLOWED * _speed(touched[: middle + 1])


def _speed(way: list[_Sighting]) -> float:
    return float(np.hypot(*(way[-1].xy - way[0].xy))) / max(way[-1].t - way[0].t, 1e-3)
