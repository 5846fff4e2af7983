"""The tracker frame by frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.board import ICF
from models.stroke import PIECES, Piece
from tests.tracking.seen import Seen
from tracking.cast import State, Track
from tracking.newcomers import PLAIN_DISC
from tracking.tracker import HARDLY, LOST_AFTER, Tracker

PLACES = np.array([[370.0, 300.0], [200.0, 200.0], [400.0, 622.6]])


def test_one_look_after_a_quiet_stretch_is_not_seconds_without_a_disc() -> None:
    seen = Seen(("white", "black", "striker"), PLACES, (0.0, -900.0), t0=50.0)
    tracks = [Track(name, cls, xy) for name, cls, xy in zip(("white1", "black1", "striker"), seen.classes, PLACES, strict=True)]
    for track, xy in zip(tracks, PLACES, strict=True):
        track.put(xy, 0.0)
    tracker = Tracker(ICF, tracks, ("south", "north"))
    frames = seen.frames()
    for det in frames[:5]:
        tracker.step(det)
    later = replace(frames[120], before=frames[119].t)
    lists = {name: getattr(later, name)[1:] for name in ("x", "y", "r", "w", "h", "prob", "score")}
    tracker.step(replace(later, **lists))
    assert LOST_AFTER < tracks[0].absent < 0.3  # looked for, and not yet gone
    tracker.step(frames[121])
    assert tracks[0].state == "rest" and tracks[0].absent == 0.0
    assert all(t.state == "rest" for t in tracks)


def test_a_moving_disc_that_is_lost_stays_on_the_board() -> None:
    seen = Seen(("white", "striker"), PLACES[[0, 2]], (-700.0, -2500.0), noise=0.0, t0=0.1)
    tracks = [Track(name, cls, xy) for name, cls, xy in zip(("white1", "striker"), seen.classes, PLACES[[0, 2]], strict=True)]
    for track, xy in zip(tracks, PLACES[[0, 2]], strict=True):
        track.put(xy, 0.0)
    tracker = Tracker(ICF, tracks, ("south", "north"))
    for det in seen.frames():
        gone = det.t > 0.25  # the striker is not seen any more, near a cushion or not
        keep = np.ones(len(det), bool) if not gone else det.prob[:, 3] < 0.5
        lists = {name: getattr(det, name)[keep] for name in ("x", "y", "r", "w", "h", "prob", "score")}
        tracker.step(replace(det, **lists))
    striker = tracker.striker
    assert striker.state == "lost" and (striker.v == 0).all()
    assert (striker.xy >= 0).all() and (striker.xy <= ICF.side).all()


def cast_of(classes: tuple[Piece, ...], places: np.ndarray) -> Tracker:
    tracks = [Track(f"{cls}{k}", cls, xy) for k, (cls, xy) in enumerate(zip(classes, places, strict=True))]
    for track, xy in zip(tracks, places, strict=True):
        track.put(xy, 0.0)
    return Tracker(ICF, tracks, ("south", "north"))


@pytest.mark.parametrize(
    ("look", "score", "lost"), [(0.1, 0.4, True), (0.1, PLAIN_DISC + 0.1, False), (0.1, HARDLY - 0.05, False), (0.3, 0.4, False)]
)
def test_what_is_hardly_seen_and_looks_like_no_class_is_no_piece(look: float, score: float, lost: bool) -> None:
    seen = Seen(("white", "striker"), PLACES[[0, 2]], (0.0, -900.0), t0=9.0)
    tracker = cast_of(("white", "striker"), PLACES[[0, 2]])
    for det in seen.frames()[:30]:
        own = det.prob[:, PIECES.index("white")] > 0.5
        prob, scores = det.prob.copy(), det.score.copy()
        prob[own], scores[own] = [look, 0.0, 0.0, 0.0], score
        tracker.step(replace(det, prob=prob, score=scores))
    assert (tracker.tracks[0].state == "lost") == lost  # and it is not found again in the same place


@pytest.mark.parametrize(("queen", "found"), [("pocketed", True), ("rest", False)])
def test_a_queen_that_is_hardly_seen_where_she_is_put_back_is_looked_at(queen: State, found: bool) -> None:
    tracker = cast_of(("queen", "striker"), PLACES[[1, 2]])
    tracker.tracks[0].state = queen
    seen = Seen(("queen", "striker"), np.array([[370.0, 370.0], [400.0, 622.6]]), (0.0, -900.0), t0=9.0)
    for det in seen.frames()[:20]:
        tracker.step(replace(det, score=np.where(det.prob[:, PIECES.index("queen")] > 0.5, 0.12, 0.9)))
    assert any(np.hypot(*(n.xy - 370.0)) < 3 for n in tracker.newcomers.list) == found


def test_what_lies_in_the_middle_may_be_print() -> None:
    tracker = cast_of(("white", "black", "striker"), np.array([[372.0, 369.0], [380.0, 371.0], [400.0, 622.6]]))
    assert tracker.printed("white") is tracker.tracks[0]
    assert tracker.printed("black") is None


@pytest.mark.parametrize(("always", "lost"), [(True, False), (False, True)])
def test_a_queen_who_always_looked_black_was_not_led_astray(always: bool, lost: bool) -> None:
    tracker = cast_of(("queen", "striker"), np.array([[370.0, 370.0], [400.0, 622.6]]))
    queen = tracker.tracks[0]
    seen = Seen(("queen", "striker"), np.array([[370.0, 370.0], [400.0, 622.6]]), (0.0, -900.0), t0=9.0)
    for k, det in enumerate(seen.frames()[:50]):
        prob = det.prob.copy()
        if always or k >= 25:
            prob[prob[:, PIECES.index("queen")] > 0.5] = [0.0, 1.0, 0.0, 0.0]
        tracker.step(replace(det, prob=prob))
        if k > 20:
            queen.path.append((det.t, queen.xy))  # as one that has moved
    assert (queen.state == "lost") == lost
