"""Several boards in one video: where one ends and the next begins."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from carromeye.match_watcher import MatchWatcher
from carromeye.record import Record
from models.detections import Detections
from models.stroke import Placing, Player, Stroke
from referee.lawbook_files import load_lawbook
from tests.tracking.scenes import FEW, Scene

PLAYERS = (Player("south", "Asha"), Player("north", "Bina"))
SCATTERING = (50, -3000)
GENTLE = (30, -900)
"""Breaks (mm/s)."""


def watched(scene: Scene, frames: Iterable[Detections]) -> Record:
    record = Record("icf", load_lawbook("icf"), PLAYERS)
    watcher = MatchWatcher(scene.board, record)
    rows = [(row.frame, row.piece) for det in frames for row in watcher.step(det)]
    rows += [(row.frame, row.piece) for row in watcher.finish()]
    assert len(rows) == len(set(rows))
    return record


def test_a_rack_laid_anew_begins_a_board() -> None:
    scene = Scene(17, pieces=())
    first = chain(scene.quiet(1.0), scene.turn("south", 340, SCATTERING), scene.put_back("north", "white", (600, 600)))
    record = watched(scene, chain(first, scene.clear("north"), scene.lay("north"), scene.turn("north", 340, (30, 900))))
    assert [[(type(e), e.by) for e in b.events] for b in record.boards] == [[(Stroke, "south")], [(Stroke, "north")]]
    assert [b.start for b in record.boards] == [None, None]
    assert [b["breaker"] for b in record.rulings()["boards"]] == ["south", "north"]
    assert [[f["kind"] for f in b["flags"]] for b in record.rulings()["boards"]] == [["unfinished", "unseen"], []]
    assert len(record.warnings) == 1 and record.warnings[0].startswith("board 1: the pieces were laid out anew at ")


def test_a_rack_laid_as_the_video_begins_is_a_break() -> None:
    scene = Scene(18, pieces=FEW[:1])
    record = watched(scene, chain(scene.quiet(1.0), scene.lay("north"), scene.turn("north", 340, (30, 900))))
    assert [b.start for b in record.boards] == [None]
    assert [e.by for e in record.boards[0].events] == ["north"]
    assert record.warnings == []


def test_a_break_that_touches_nothing_is_an_attempt_on_the_same_board() -> None:
    scene = Scene(19, pieces=())
    misses = chain(scene.turn("south", 210, (-300, -700)), scene.turn("south", 540, (300, -700)))
    record = watched(scene, chain(scene.quiet(1.0), misses, scene.turn("south", 340, GENTLE)))
    strokes = [e for b in record.boards for e in b.events if isinstance(e, Stroke)]
    assert len(record.boards) == 1
    assert [s.touched for s in strokes] == [False, False, True]
    assert [r["continues"] for r in record.rulings()["boards"][0]["rulings"][:2]] == [True, True]


def test_a_piece_put_back_stands_before_the_next_stroke() -> None:
    scene = Scene(20)
    frames = chain(scene.quiet(1.0), scene.turns(["south"]), scene.put_back("north", "black", (340, 300)), scene.turns(["north"]))
    record = watched(scene, frames)
    assert [(type(e), e.by) for e in record.boards[0].events] == [(Stroke, "south"), (Placing, "north"), (Stroke, "north")]
