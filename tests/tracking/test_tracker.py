"""The tracker frame by frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.board import ICF
from tests.tracking.seen import Seen
from tracking.cast import Track
from tracking.tracker import LOST_AFTER, Tracker

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
