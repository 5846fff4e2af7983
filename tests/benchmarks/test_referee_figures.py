"""The referee's figures: the positions, the boards that are timed and the pinned counts; not the figures themselves."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks import referee
from benchmarks.referee_positions import MIDDLES, Position, opened, positions
from benchmarks.referee_rates import STROKES, rate, strokes_of
from benchmarks.referee_walk import COLUMNS, key
from models.stroke import Stroke
from referee.board import apply
from referee.lawbook_files import known_lawbooks, load_lawbook


@pytest.mark.parametrize("laws", known_lawbooks())
def test_positions_differ_and_are_in_play(laws: str) -> None:
    found = positions(load_lawbook(laws))
    assert len(found) == MIDDLES + 1
    assert len({name for name, _ in found}) == len(found)
    assert len({key(state, 1) for _, state in found}) == len(found)
    assert not any(state.over for _, state in found)


def test_the_positions_have_what_is_hard() -> None:
    found = [state for laws in known_lawbooks() for _, state in positions(load_lawbook(laws))]
    assert {s.queen.state for s in found} == {"on_board", "pending", "early", "covered", "none"}
    assert {len(s.table.order) for s in found} == {1, 2, 3, 4}
    assert {s.tries for s in found} == {0, 1, 2}
    assert any(s.aside for s in found)
    assert any(s.awaits_play for s in found)
    assert any(sum(s.dues) > 1 for s in found)
    assert any(s.queen_in_turn and s.queen.state == "covered" for s in found)


def test_timed_boards_are_played_to_their_end_or_to_the_last_stroke() -> None:
    for laws in known_lawbooks():
        state = opened(load_lawbook(laws), Position("rack", players=min(load_lawbook(laws).match.players)))
        strokes = strokes_of(state, random.Random(1))
        for stroke in strokes:
            assert isinstance(stroke, Stroke)
            state = apply(state, stroke)
        assert state.over or len(strokes) == STROKES


def test_rates_are_of_the_strokes_told() -> None:
    seen = rate(load_lawbook("icf"), boards=1, tries=1)
    assert seen.laws == "icf"
    assert seen.strokes > 0
    assert seen.rulings > seen.in_json > 0


def test_counts_of_other_books_are_kept_when_some_are_pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "PERFT", tmp_path / "perft.toml")
    first = {"uk": {"whole": [[1] * len(COLUMNS)], "quick": [[2] * len(COLUMNS)]}}
    second = {"icf": {"whole": [[3] * len(COLUMNS)], "quick": [[4] * len(COLUMNS)]}}
    referee.pin(first)
    referee.pin(second)
    assert referee.pinned() == {**first, **second}
