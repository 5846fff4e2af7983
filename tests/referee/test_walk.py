"""Every stroke that can happen, from the rack and fifty positions of each law book: sound, and as many of each kind as are pinned."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import Any, Final

import pytest

from benchmarks.referee import DEPTH, EVERY, WALKS, differences, pinned, walk
from benchmarks.referee_positions import MIDDLES, positions
from benchmarks.referee_walk import COLUMNS, key, outcomes
from models.stroke import Stroke
from referee.board import apply, can
from referee.lawbook_files import known_lawbooks, load_lawbook
from referee.state import BoardState
from tests.referee.boards import board, hit

BOOKS: Final = known_lawbooks()
ALIKE: Final = 6
"""Pairs of states with the same key that are compared for each law book."""


@pytest.mark.parametrize("laws", BOOKS)
def test_every_stroke_is_ruled_soundly_and_counted_as_pinned(laws: str) -> None:
    """In part: `python -m benchmarks.referee walk` goes all of it; after a ruling was changed for a reason, --pin."""
    walked = walk(laws, EVERY)
    assert walked.faults == {}
    assert differences(laws, "quick", walked.levels, pinned()[laws]["quick"]) == []


def test_every_book_is_pinned_to_the_full_depth() -> None:
    counts = pinned()
    assert sorted(counts) == sorted(BOOKS)
    for laws in BOOKS:
        whole, quick = (counts[laws][kind] for kind in WALKS)
        assert len(whole) == DEPTH
        assert whole[0] == quick[0], "the first strokes are all made by both"
        assert whole[0][COLUMNS.index("states")] == MIDDLES + 1
        assert all(len(row) == len(COLUMNS) for row in (*whole, *quick))


def test_a_changed_count_is_told() -> None:
    row = [0] * len(COLUMNS)
    walked = walk("22s-disc-pool", EVERY, depth=1)
    assert differences("22s-disc-pool", "quick", walked.levels, None) == ["22s-disc-pool, quick: no counts in perft.toml"]
    assert f"22s-disc-pool, quick, stroke 1: states {MIDDLES + 1}, it was 0" in differences("22s-disc-pool", "quick", walked.levels, [row])


def test_outcomes_are_all_that_a_log_can_say_of_a_stroke() -> None:
    start = board(5, 1)
    strokes = [*outcomes(start)]
    assert len(strokes) == len(set(strokes))
    assert all(can(start, s) for s in strokes)
    assert max(s.pocketed.count("white") for s in strokes) == 2
    assert max(s.pocketed.count("black") for s in strokes) == 1
    for part in (("queen",), ("striker",), ("white", "white", "black", "queen", "striker")):
        assert any(s.pocketed == part for s in strokes)
    assert {s.off_board for s in strokes} == {(), ("striker",), ("white",), ("black",)}


@pytest.mark.parametrize("laws", BOOKS)
def test_a_stroke_by_which_a_piece_fell_has_touched_one(laws: str) -> None:
    for _, start in positions(load_lawbook(laws)):
        strokes = [hit("white", by=start.turn or "south", touched=touched) for touched in (True, False)]
        if can(start, strokes[0]):
            seen, unseen = (apply(start, stroke).rulings[-1] for stroke in strokes)
            assert [f for f in unseen.flags if f.kind != "hanging"] == [*seen.flags]
            assert unseen._replace(flags=()) == seen._replace(flags=())


@pytest.mark.parametrize("laws", BOOKS)
def test_states_with_the_same_key_are_ruled_on_alike(laws: str) -> None:
    alike: dict[Any, list[BoardState]] = defaultdict(list)
    for _, start in islice(positions(load_lawbook(laws)), 0, None, 5):
        for stroke in islice(outcomes(start), 0, None, 3):
            after = apply(start, stroke)
            if not after.over:
                alike[key(after, 1)].append(after)
    pairs = [(same[0], same[-1]) for same in alike.values() if len(same) > 1]
    assert pairs
    for one, other in pairs[:: max(1, len(pairs) // ALIKE)]:
        for stroke in outcomes(one):
            assert ruled(one, stroke) == ruled(other, stroke)


def ruled(state: BoardState, stroke: Stroke) -> Any:
    after = apply(state, stroke)
    ruling = after.rulings[-1].to_json()
    del ruling["event"]
    if not state.book.owned:  # points won before tell nothing unless the board can end by them
        del ruling["scores"]
    return ruling, after.result and after.result.to_json()
