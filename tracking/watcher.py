"""A board watched: detections in, strokes and placings out, with the ledger that decides what was pocketed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from models.board import BoardSpec
from models.detections import Detections
from models.stroke import COLOURS, OPPOSITE, PIECES, Colour, Event, Placing, Pocketed, PocketName, Seat, Stroke
from tracking.cast import Newcomer, Track
from tracking.conduct import ConductWatch
from tracking.explain import LEAD, Explainer, OpenStroke, Outcome, displaced, identities, outcomes, weighed, write_rows
from tracking.figures import Figures
from tracking.newcomers import ARM_NEAR_MM, PLAIN_DISC, PLAIN_LOOK
from tracking.opening import CLEAR_SIGHT, Opening
from tracking.placement import Placements
from tracking.reconcile import pocket_of
from tracking.release import CONTACT_MM, Release, ReleaseWatch, seat_of
from tracking.table import Row, correct, rows_of
from tracking.tracker import Tracker, way_to_pocket

REST_TIME: Final = 0.25
"""Seconds without motion after which a stroke is complete (all at rest, ICF law 123)."""
FLYING: Final = 400.0
"""Speed (mm/s) of a piece that no hand gives it unless by a striker."""
FLIGHT: Final = 0.15
"""Seconds that a striker flies, about, before a piece is seen to move."""
AFTERMATH: Final = 1.0
"""Seconds after the last motion of a stroke before what moves can be another's."""
ARM_MEMORY: Final = 2.5
"""Seconds that an arm may be gone when the stroke it made is seen."""
LONGEST: Final = 12.0
"""No stroke takes longer (s)."""
AHEAD: Final = 0.15
"""A disc that was not seen to fall is taken to have fallen where it was or would have been so much later (s)."""
GONE_TIME: Final = 0.25
"""Seconds that a disc on its way into a pocket must stay unseen to be pocketed."""
CLEAR_TIME: Final = 0.6
"""Seconds of free sight after a stroke within which a lost piece must turn up, else it was pocketed."""
TAKEN_TIME: Final = 0.6
"""Seconds after which a striker that is not seen where it lay was taken up."""
SEEN_AFTER: Final = 0.1
"""A disc seen on the board this long after all came to rest was not pocketed by the stroke (s)."""
PATIENCE: Final = 6.0
"""Seconds after which a hand that stays over the board is no longer waited for."""
MISSING: Final = 2.0
"""Seconds of sight after which a piece that is gone though no stroke was played is no later stroke's."""


class BoardWatcher:
    """Follows one board.

    Parameters
    ----------
    board : BoardSpec
    seats : tuple of str
        The seats that play.
    rack_only : bool
        Wait for a rack; what lies on the board before that is no play.
    placements : Placements
        Those of the boards before, on the same board.
    figures : Figures
        What is known of the match's board and discs; a match hands it on from board to board.

    Attributes
    ----------
    rack : bool
        The board began with the pieces laid out for the break.
    opening : dict
        Pieces of each colour at the start; None until it has been seen.
    """

    def __init__(
        self,
        board: BoardSpec,
        seats: tuple[Seat, ...],
        rack_only: bool = False,
        placements: Placements | None = None,
        figures: Figures | None = None,
    ) -> None:
        self.board, self.seats = board, seats
        self.rack = False
        self.opening: dict[str, int] | None = None
        self.notes: list[tuple[float, str]] = []
        self._opening = Opening(board, rack_only)
        self._tracker: Tracker | None = None
        self._release = ReleaseWatch(board, seats)
        self._conduct = ConductWatch(board, placements or Placements(board))
        self._stroke: OpenStroke | None = None
        self._last_by: Seat | None = None
        self._rows: list[Row] = []
        self._explainer = Explainer(figures or Figures(board))
        self._ended = False
        self._rested = -np.inf

    # -- frames in --------------------------------------------------------------------------------------------

    def step(self, det: Detections) -> list[Event]:
        """Take in one frame; give the events that are now certain, in order."""
        if self._tracker is None:
            self._open(det)
            return []
        tracker = self._tracker
        elapsed = det.t - tracker.t
        det = tracker.disguise.off(det)
        tracker.step(det)
        self._conduct.step(det, tracker, playing=self._stroke is not None and self._stroke.rest is None)
        events: list[Event] = []
        self._rows += rows_of(tracker.tracks, det.frame, det.t)
        striker = tracker.striker
        held, touched = (striker.on_board and det.hides(striker.last[0], self.board.side, mm) for mm in (0.0, CONTACT_MM))
        moving = [t for t in tracker.tracks if t.state == "moving" and t.cls != "striker" and not det.hides(t.xy, self.board.side)]
        if self._stroke is None or self._stroke.rest is not None:
            release = self._release.step(striker, det.t, det.before, held, touched, bool(moving)) if striker.on_board else None
            release = release or self._unseen_striker(det, moving)
            if release is not None:
                events += self._finish()
                self._begin(release, det.t)
        self._explainer.see(det, tracker.tracks, self._stroke)
        if self._stroke is not None:
            self._follow(det, moving, elapsed)
        self._striker(det)
        self._settle_lost(det)
        events += self._arrivals(det)
        if self._stroke is not None and self._explained(det):
            events += self._finish()
        return events

    def finish(self) -> list[Event]:
        """The video ends here."""
        self._ended = True
        return self._finish() if self._tracker is not None else []

    def unseen(self) -> dict[Colour, int]:
        """Pieces of each colour that a rack must have but that were seen neither there nor since."""
        if self._tracker is None or not self.rack:
            return dict.fromkeys(COLOURS, 0)
        return {c: sum(bool(np.isnan(t.xy[0])) for t in self._tracker.tracks if t.cls == c) for c in COLOURS}

    def rows(self) -> Iterator[Row]:
        """The trajectories since the last call, as far as they are certain.

        A stroke is noticed some frames after its release; the first ones are followed once more when something was learnt of the match.
        """
        if self._stroke is None:
            until = np.inf
            if self._tracker is not None and not self._ended:
                until = min(self._tracker.t - LEAD, self._explainer.held(self._tracker.t))
            if self._rows and self._rows[0].t > until:
                return
            yield from (row for row in self._rows if row.t <= until)
            self._rows = [row for row in self._rows if row.t > until]

    def counts(self) -> dict[str, int]:
        """Pieces of each colour that lie on the board now; empty before the opening was seen."""
        return self._tracker.counts() if self._tracker is not None else {}

    # -- the opening ------------------------------------------------------------------------------------------

    def _open(self, det: Detections) -> None:
        opened = self._opening.step(det)
        if opened is None:
            return
        self._tracker = Tracker(self.board, opened.tracks, self.seats)
        self._tracker.t = det.t
        self.rack = opened.rack
        self.opening = self._tracker.counts()
        for f in opened.frames:
            self._rows += rows_of(opened.tracks, f.frame, f.t)

    def _unseen_striker(self, det: Detections, moving: list[Track]) -> Release | None:
        """Pieces that fly about though no hand is near were struck: by a striker that glare or the hand hid."""
        assert self._tracker is not None
        if self._stroke is not None and det.t - self._stroke.motion < AFTERMATH:
            return None
        loose = [k for k in moving if np.hypot(*k.v) > FLYING and len(k.places) > 1 and not det.hides(k.xy, self.board.side, ARM_NEAR_MM)]
        if not loose:
            return None
        by = self._tracker.arm_side(loose[0].xy, ARM_MEMORY)
        return None if by is None else Release(by, det.t - FLIGHT, None, None, sure=False)

    # -- a stroke ---------------------------------------------------------------------------------------------

    def _begin(self, release: Release, t: float) -> None:
        assert self._tracker is not None
        before = {k.id: k.lay for k in self._tracker.tracks if k.on_board and k.cls != "striker"}
        self._tracker.began = min(self._tracker.began, release.t)
        self._stroke = OpenStroke(release, before, t, doubt=1.0 if release.sure else 0.8)
        self._explainer.begin(self._stroke)
        self._conduct.begin(release)
        self._release.forget()

    def _follow(self, det: Detections, moving: list[Track], elapsed: float) -> None:
        assert self._stroke is not None and self._tracker is not None
        stroke, striker = self._stroke, self._tracker.striker
        stroke.clear += elapsed if det.sight(self.board.side) > CLEAR_SIGHT else 0.0
        if stroke.rest is not None:
            return
        stroke.moved |= {t.id for t in moving}
        lost = any(t.state == "lost" and det.t - t.seen < REST_TIME for t in self._tracker.tracks)
        if moving or lost or striker.state == "moving":
            stroke.motion, stroke.clear = det.t, 0.0
        if det.t - stroke.motion >= REST_TIME or det.t - stroke.release.t > LONGEST:
            stroke.rest = self._rested = stroke.motion
            self._release.forget(striker.xy if striker.on_board else None)

    def _striker(self, det: Detections) -> None:
        """The striker between strokes: taken up by a hand, or fallen."""
        assert self._tracker is not None
        striker, stroke = self._tracker.striker, self._stroke
        if striker.state != "lost":
            return
        if stroke is not None and stroke.rest is None:
            return
        if det.t - striker.seen < TAKEN_TIME:
            return  # it may have been struck too fast to be seen
        if stroke is None or striker.seen > stroke.motion + REST_TIME:
            self._take_up(striker)

    def _take_up(self, striker: Track) -> None:
        striker.state = "away"
        self._release.forget()

    # -- the ledger -------------------------------------------------------------------------------------------

    def _settle_lost(self, det: Detections) -> None:
        assert self._tracker is not None
        for track in self._tracker.tracks:
            if track.state == "lost":
                self._settle(track, det)

    def _settle(self, track: Track, det: Detections) -> None:
        way = way_to_pocket(*track.last, self.board) if self._in_stroke(track) else None
        unseen = det.t - track.seen
        if way is not None and unseen > way[1] + GONE_TIME and not det.hides(track.last[0], self.board.side):
            self._pocket(track, way[0], track.seen + way[1])
        elif self._stroke is None or not self._in_stroke(track):
            if track.cls != "striker" and track.absent > MISSING:
                track.state = "off"
                self.notes.append((det.t, f"a {track.cls} piece left its place while no stroke was played"))
        elif self._stroke.rest is not None and (
            (self._stroke.clear > CLEAR_TIME and track.absent > CLEAR_TIME) or det.t - self._stroke.rest > PATIENCE
        ):
            # Not on the board, though the sight is free: it fell, by the pocket that its way led nearest to.
            name = pocket_of(*track.last, self.board, AHEAD)
            self._stroke.doubt *= 0.6
            self._pocket(track, name, track.seen)

    def _in_stroke(self, track: Track) -> bool:
        """Whether the stroke under way can have moved it: it was not seen lying there since."""
        return self._stroke is not None and self._lost_in(track, self._stroke)

    @staticmethod
    def _lost_in(track: Track, stroke: OpenStroke) -> bool:
        return stroke.rest is None or track.seen <= stroke.rest + SEEN_AFTER

    def _pocket(self, track: Track, pocket: PocketName, t: float) -> None:
        track.state, track.pocket, track.fell = "pocketed", pocket, t
        track.v = np.zeros(2)
        track.xy = np.array(self.board.pockets()[pocket], np.float64)
        correct(self._rows, track.id, t, "pocketed", (float(track.xy[0]), float(track.xy[1])))

    # -- arrivals ---------------------------------------------------------------------------------------------

    def _arrivals(self, det: Detections) -> list[Event]:
        """Newcomers that lie still: pieces found again, or put back by a hand."""
        assert self._tracker is not None
        events: list[Event] = []
        for new in self._tracker.newcomers.settled():
            track, placed = self._whose(new, det)
            if track is None:
                continue
            self._tracker.newcomers.list.remove(new)
            if not placed:
                self._found(track, new)
                continue
            events += self._finish()
            track.put(new.xy, det.t)
            self._conduct.placed(track.id, det.t)
            by = new.by or (self.seats[0] if self._last_by is None else OPPOSITE[self._last_by])
            events.append(Placing(by, (track.cls,), new.first))  # type: ignore[arg-type]
        return events

    def _whose(self, new: Newcomer, det: Detections) -> tuple[Track | None, bool]:
        """The member of the cast that a newcomer is, and whether a hand put it back."""
        assert self._tracker is not None
        mean = self._tracker.newcomers.look_of(new)
        for k in np.argsort(-mean):
            cls = PIECES[k]
            if mean[k] < PLAIN_LOOK or cls not in COLOURS:
                continue
            missing = self._tracker.missing(cls, new.first)
            if missing:
                return min(missing, key=lambda t: float(np.hypot(*(t.last[0] - new.xy)))), False
            printed = self._tracker.printed(cls) if new.flew else None
            if printed is not None:
                self._tracker.newcomers.ignore(printed.xy, np.mean(printed.looks, axis=0) if printed.looks else None)
                return printed, False
            if self._tracker.absent_of(cls, "hidden") and det.t - new.first < PATIENCE:
                return None, False
            if not self._tracker.striker.on_board and seat_of(new.xy, self.board, self.seats) is not None:
                # Between the base lines, while the striker is in a hand: more likely that than a piece, whatever the shade.
                return None, False
            fallen = [t for t in self._tracker.absent_of(cls, "pocketed") if new.first > max(t.fell or -np.inf, new.after(k, self._rested))]
            # the laws have pieces put back in the middle: at the base lines and beyond, and what is faint, must be plain for long
            put = new.plainly(k) or bool((cls == "queen" or new.score >= PLAIN_DISC) and self.board.within_base_lines(new.xy))
            if fallen and put and (self._stroke is None or self._stroke.rest is not None):
                return max(fallen, key=lambda t: t.fell or -1.0), True
        return None, False

    def _found(self, track: Track, new: Newcomer) -> None:
        if track.state == "lost" and self._stroke is not None:
            self._stroke.moved.add(track.id)
        correct(self._rows, track.id, new.first, "rest", (float(new.xy[0]), float(new.xy[1])))
        track.put(new.xy, new.seen)

    # -- strokes out ------------------------------------------------------------------------------------------

    def _explained(self, det: Detections) -> bool:
        assert self._stroke is not None and self._tracker is not None
        if self._stroke.rest is None:
            return False
        return not any(t.state == "lost" and self._in_stroke(t) for t in self._tracker.tracks) and self._stroke.clear > CLEAR_TIME / 2

    def _finish(self) -> list[Event]:
        """Close the stroke that is under way, whatever is still open about it."""
        if self._stroke is None or self._tracker is None:
            return []
        stroke, self._stroke = self._stroke, None
        for track in self._tracker.tracks:
            if track.state == "lost" and track.cls != "striker" and self._lost_in(track, stroke):
                self._pocket(track, pocket_of(*track.last, self.board, AHEAD), track.seen)
                stroke.doubt *= 0.6
            elif track.state == "lost" and track.cls == "striker":
                self._take_up(track)
        self._last_by = stroke.release.by
        return [self._told(stroke)]

    def _told(self, stroke: OpenStroke) -> Stroke:
        """The stroke as the ledger and the physics tell it."""
        assert self._tracker is not None
        tracks = self._tracker.tracks
        fallen = [
            Pocketed(t.cls, t.pocket, t.fell)
            for t in tracks
            if t.state == "pocketed" and t.pocket is not None and t.fell is not None and t.fell >= stroke.release.t
        ]
        touched = bool(stroke.moved) or any(f.cls != "striker" for f in fallen) or displaced(stroke, tracks)
        when, v = stroke.release.t, stroke.release.velocity
        explained = self._explainer.explain(stroke, tracks, self._tracker.newcomers.others(stroke.release.t))
        if explained is not None:
            renamed = identities(explained, tracks, self.board)
            for track in tracks:
                track.id = renamed.get(track.id, track.id)
            found = outcomes(explained, tracks, self.board)
            write_rows(self._rows, explained, found, self.board, renamed)
            for earlier, told in self._explainer.again(explained, found):
                write_rows(self._rows, earlier, told, self.board, {})
            self._revive(found)
            fallen = [Pocketed(o.cls, o.pocket, o.t) for o in found if o.pocket is not None and o.t is not None and o.t >= explained.t]
            when, v = explained.t, explained.velocity
            touched, stroke.doubt = weighed(explained, found, touched, tracks, stroke.doubt)
        fallen.sort(key=lambda f: f.t)
        rest = max([stroke.rest if stroke.rest is not None else stroke.motion, *(f.t for f in fallen)])
        place = stroke.release.place
        if explained is not None and place is not None:
            place = explained.correction.points(place)
        conduct = self._conduct.finish(stroke.release, v, rest)
        return Stroke(
            by=stroke.release.by,
            pocketed=tuple(f.cls for f in fallen),
            touched=touched,
            improper=conduct.improper,
            seconds=conduct.seconds,
            t=round(float(when), 3),
            rest=round(float(rest), 3),
            striker=None if place is None else (round(float(place[0]), 1), round(float(place[1]), 1)),
            velocity=None if v is None else (round(float(v[0]) / 1000, 3), round(float(v[1]) / 1000, 3)),
            confidence=stroke.confidence(),
            pocketed_at=tuple(Pocketed(f.cls, f.pocket, round(float(f.t), 3)) for f in fallen),
        )

    def _revive(self, found: list[Outcome]) -> None:
        """Discs that were taken to have fallen but by the physics lie where nobody sees them."""
        assert self._tracker is not None
        places = {o.name: o.unseen_at for o in found if o.unseen_at is not None}
        for track in self._tracker.tracks:
            if track.id in places and track.cls == "striker":
                self._take_up(track)
            elif track.id in places:
                xy = np.asarray(places[track.id], np.float64)
                correct(self._rows, track.id, track.seen if track.fell is None else track.fell, "hidden", (float(xy[0]), float(xy[1])))
                track.put(xy, track.seen)
                track.state, track.observed = "hidden", False
