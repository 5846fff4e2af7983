"""Strokes, placings and counts from simulated sight: no pictures, but noise, misses, hands and wrong looks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from models.board import ICF
from models.stroke import Placing, Stroke
from tests.tracking.played import Played
from tracking.explain import HELD_S
from tracking.table import Row
from tracking.watcher import BoardWatcher


def watched(played: Played) -> tuple[list[Stroke], list[Placing], list[Row], BoardWatcher]:
    watcher = BoardWatcher(ICF, ("south", "north"))
    events, rows = [], []
    for det in played.frames():
        events += watcher.step(det)
        rows += list(watcher.rows())
    events += watcher.finish()
    rows += list(watcher.rows())
    strokes = [e for e in events if isinstance(e, Stroke)]
    return strokes, [e for e in events if isinstance(e, Placing)], rows, watcher


@pytest.mark.parametrize(
    "played",
    [
        Played(5, strokes=12),
        Played(12, strokes=12),
        Played(3, strokes=6, rate=24),
        Played(3, strokes=6, rate=60),
        Played(10, strokes=6, jitter=0.4),
        Played(7, strokes=8, misses=0.12),
    ],
    ids=["with dues", "striker falls", "24 fps", "60 fps", "variable rate", "many misses"],
)
def test_every_stroke_is_right(played: Played) -> None:
    strokes, placings, _, watcher = watched(played)
    assert len(strokes) == len(played.truth)
    for got, want in zip(strokes, played.truth, strict=True):
        assert got.t is not None and abs(got.t - want.t) < 0.1
        assert (got.by, sorted(got.pocketed), got.touched) == (want.by, sorted(want.pocketed), want.touched)
        assert got.striker is not None and math.dist(got.striker, want.striker) < 3
    assert sorted(c for p in placings for c in p.pieces) == sorted(played.placed)
    assert watcher.counts() == played.left


def test_the_velocity_at_release_is_measured_before_the_first_contact() -> None:
    played = Played(0, strokes=10, noise=0.3, misses=0.0, rate=60)
    strokes, _, _, _ = watched(played)
    error = [
        abs(math.hypot(*got.velocity) / math.hypot(*want.velocity) - 1)
        for got, want in zip(strokes, played.truth, strict=True)
        if got.velocity is not None
    ]
    assert np.median(error) < 0.06


def test_no_piece_is_in_two_places_and_none_is_lost_from_the_table() -> None:
    _, _, rows, _ = watched(Played(5, strokes=6))
    frames: dict[int, list[Row]] = {}
    for row in rows:
        frames.setdefault(row.frame, []).append(row)
    assert frames
    for own in frames.values():
        names = [r.piece for r in own]
        assert len(names) == len(set(names))
        assert sum(r.cls != "striker" for r in own) == 19
        lying = np.array([(r.x, r.y) for r in own if r.state == "rest"]).reshape(-1, 2)
        apart = np.hypot(*(lying[:, None] - lying[None]).transpose(2, 0, 1)) + 1e3 * np.eye(len(lying))
        assert apart.min(initial=np.inf) > ICF.piece_radius


def test_a_board_that_is_joined_late_begins_with_what_lies_on_it() -> None:
    played = Played(5, strokes=9)
    frames = list(played.frames())
    third = [d for d in frames if d.t > played.truth[6].t - 2.5 and not len(d.hands)]
    watcher = BoardWatcher(ICF, ("south", "north"))
    events = [e for d in frames if d.t >= third[0].t for e in watcher.step(d)] + watcher.finish()
    assert not watcher.rack
    assert [e.by for e in events if isinstance(e, Stroke)] == [t.by for t in played.truth[6:]]
    assert watcher.opening is not None
    assert sum(watcher.opening.values()) == 19 - sum(len([p for p in t.pocketed if p != "striker"]) for t in played.truth[:6]) + sum(
        1 for _ in played.placed[: sum("striker" in t.pocketed for t in played.truth[:6])]
    )


def test_an_empty_view_gives_no_stroke() -> None:
    played = Played(1, strokes=1)
    frames = [d for d in played.frames() if d.t < 1.0]
    watcher = BoardWatcher(ICF, ("south", "north"))
    assert [e for d in frames for e in watcher.step(d)] + watcher.finish() == []
    assert watcher.rack


def test_trajectories_wait_for_what_is_learnt_and_come_once() -> None:
    watcher = BoardWatcher(ICF, ("south", "north"))
    waited: list[float] = []
    rows: list[Row] = []
    for det in Played(5, strokes=14).frames():
        watcher.step(det)
        new = list(watcher.rows())
        waited += [det.t - row.t for row in new]
        rows += new
    watcher.finish()
    rows += list(watcher.rows())
    times = [row.t for row in rows]
    assert times == sorted(times)
    assert len({(row.t, row.piece) for row in rows}) == len(rows)
    assert 5.0 < max(waited) < HELD_S + 12.0
    assert waited[-1] < 5.0
