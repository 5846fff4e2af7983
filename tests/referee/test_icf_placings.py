"""Placings seen on the table against what the laws ask."""

from __future__ import annotations

from referee.rulings import Discrepancy
from referee.state import BoardState
from tests.referee.boards import board, call, hit, lies, place, play, rack


def remarks(state: BoardState) -> list[Discrepancy]:
    return [d for r in state.rulings for d in r.discrepancies]


def kinds(state: BoardState) -> list[str]:
    return [d.kind for d in remarks(state)]


TWO_OUT = (hit("striker", "white"),)
"""South's piece and one due come back, south goes on."""


def test_as_asked() -> None:
    state = play(board(), *TWO_OUT)
    assert state.expected_counts == {"white": 2}
    state = play(state, place("white"))
    assert state.expected_counts == {"white": 1}
    state = play(state, place("white"), hit())
    assert (lies(state.rulings[-1]), kinds(state)) == ((7, 6, "on_board"), [])


def test_where_the_log_has_none_they_are_taken_as_placed() -> None:
    state = play(board(), *TWO_OUT, hit())
    assert (lies(state.rulings[-1]), kinds(state)) == ((7, 6, "on_board"), [])


def test_82b_a_wrong_colour_unnoticed_stands() -> None:
    state = play(board(), *TWO_OUT, place("white", "black"))
    assert kinds(state) == ["placed_wrong_colour"]
    state = play(state, hit())
    assert lies(state.rulings[-1]) == (6, 7, "on_board")
    assert [(d.kind, d.event, d.clauses) for d in remarks(state)] == [("placed_wrong_colour", 2, ("82b",)), ("placed_too_few", 3, ("83",))]


def test_83_what_is_overlooked_until_the_next_stroke_is_forfeited() -> None:
    state = play(board(), *TWO_OUT, place("white"), hit())
    assert (lies(state.rulings[-1]), kinds(state)) == ((6, 6, "on_board"), ["placed_too_few"])


def test_an_empty_placing_says_that_nothing_was_put_back() -> None:
    state = play(board(), hit("striker"), place(), hit(by="north"))
    assert (lies(state.rulings[-1]), kinds(state)) == ((6, 6, "on_board"), ["placed_too_few"])


def test_the_last_piece_of_a_side_is_counted_all_the_same() -> None:
    state = play(board(1, 6, "covered:south"), hit("white", bad=True), place(), hit(by="north"))
    assert (lies(state.rulings[-1]), kinds(state)) == ((2, 6, "covered:south"), ["placed_too_few"])


def test_one_too_many() -> None:
    state = play(board(), *TWO_OUT, place("white", "white", "white"), hit())
    assert (lies(state.rulings[-1]), kinds(state)) == ((8, 6, "on_board"), ["placed_too_many"])


def test_a_placing_pays_what_is_owed() -> None:
    state = play(board(5, 5, dues={"north": 1}), hit(), place("black"))
    assert (state.black, state.dues, kinds(state)) == (6, (0, 0), [])


def test_more_than_there_are_is_not_counted() -> None:
    state = play(board(9, 6), hit(), place("white", "queen"), hit(by="north"))
    assert (lies(state.rulings[-1]), kinds(state)) == ((9, 6, "on_board"), ["placed_impossible", "placed_impossible"])


def test_the_queen_not_put_back() -> None:
    state = play(board(9, 6), hit("queen"), place(), hit(by="north"))
    assert (lies(state.rulings[-1]), kinds(state)) == ((9, 6, "on_board"), ["placed_queen_missing"])


def test_before_the_first_ruling_the_next_one_shows_it() -> None:
    state = play(rack(), place("white"), hit())
    assert [(d.kind, d.event) for d in state.rulings[0].discrepancies] == [("placed_impossible", 1)]


def test_what_is_asked_by_a_call_adds_to_what_a_stroke_asked() -> None:
    state = play(board(), hit("striker"), call("technical_foul", "north"))
    assert state.expected_counts == {"white": 1, "black": 1}
    state = play(state, place("black", "white"), hit(by="north"))
    assert (lies(state.rulings[-1]), kinds(state)) == ((7, 7, "on_board"), [])


def test_after_the_end_nothing_is_asked() -> None:
    state = play(board(1, 4, "covered:south"), hit("white"), place("white", "black"))
    assert (state.white, state.black, kinds(state)) == (0, 4, [])
