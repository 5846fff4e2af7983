"""Placings seen on the table against what the laws ask."""

from __future__ import annotations

from models.stroke import Piece, Seat
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
    assert [(d.kind, d.event, d.clauses) for d in remarks(state)] == [
        ("placed_wrong_colour", 2, ("82b",)),
        ("placed_too_few", 3, ("81", "83")),
    ]


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


def asked(state: BoardState) -> list[tuple[str, str | None, int]]:
    return [(e.piece, e.by, e.n) for e in state.rulings[-1].placings]


def test_8_1_dues_are_paid_in_the_middle_of_a_turn() -> None:
    state = play(rack(), hit("striker"), hit(by="north"), hit("white"))
    assert (asked(state), state.turn, lies(state.rulings[-1])) == ([("white", "north", 1)], "south", (9, 9, "on_board"))


def test_8_1_nothing_is_paid_by_a_stroke_that_makes_nothing_available() -> None:
    state = play(rack(), hit("striker"), hit("black", by="north"))
    assert (state.dues, asked(state)) == ((1, 0), [])


def test_8_2_in_doubles_the_player_to_the_right_of_the_one_at_turn_places() -> None:
    right: dict[Seat, Seat] = {"south": "east", "east": "north", "north": "west", "west": "south"}
    for by, neighbour in right.items():
        own: Piece = "white" if by in ("south", "north") else "black"
        assert asked(play(board(turn=by, doubles=True), hit("striker", by=by))) == [(own, neighbour, 1)]
        assert asked(play(board(turn=by, doubles=True), hit("striker", own, by=by))) == [(own, neighbour, 2)]
        assert asked(play(board(turn=by, doubles=True), call("technical_foul", by))) == [(own, neighbour, 1)]


def test_8_2_in_doubles_a_due_is_placed_when_the_piece_becomes_available() -> None:
    state = play(rack(doubles=True), hit("striker"), hit(by="east"))
    assert asked(play(state, hit("white", by="north"))) == [("white", "west", 1)]


def test_8_2_who_makes_the_opponents_due_available_places_it_himself() -> None:
    assert asked(play(rack(), hit("striker"), hit("white", by="north"))) == [("white", "north", 1)]
    assert asked(play(rack(doubles=True), hit("striker"), hit("white", by="east"))) == [("white", "east", 1)]


def test_8_3_where_it_was_placed_is_the_umpires_to_call() -> None:
    state = play(board(), hit("white", "striker"), place("white", "white"), call("foul", "north"))
    assert (lies(state.rulings[-1]), state.turn) == ((7, 7, "on_board"), "south")


def test_8_5_to_forgo_is_all_or_nothing() -> None:
    state = play(board(), hit("striker", "white", bad=True), call("forgo", "north"))
    assert (lies(state.rulings[-1]), state.dues, state.rulings[-1].clauses) == ((6, 6, "on_board"), (0, 0), ("87a",))
    state = play(board(), hit("striker", bad=True), place("white"), call("forgo", "north"))
    assert (state.white, kinds(state)) == (8, ["nothing_to_waive"])
    state = play(board(), hit("striker"), call("forgo", "south"))
    assert (state.white, kinds(state)) == (7, ["nothing_to_waive"])


def test_8_6_who_declines_loses_the_right() -> None:
    state = play(board(), hit("striker"), place(), hit(by="north"))
    assert (lies(state.rulings[-1]), kinds(state)) == ((6, 6, "on_board"), ["placed_too_few"])


def test_8_7_more_is_owed_than_there_is() -> None:
    state = play(board(8, 9), hit("striker", bad=True))
    assert (asked(state), state.dues, lies(state.rulings[-1])) == ([("white", "north", 1)], (1, 0), (9, 9, "on_board"))
    state = play(state, place("white"), hit(by="north"), hit("white"))
    assert (asked(state), state.dues) == ([("white", "north", 1)], (0, 0))


def test_8_7_what_is_overlooked_until_the_next_stroke_is_forfeited() -> None:
    state = play(board(8, 9), hit("striker", bad=True), place("white"), hit(by="north"), hit("white"), place(), hit())
    assert (lies(state.rulings[-1]), state.dues) == ((8, 9, "on_board"), (0, 0))
    assert [(d.kind, d.clauses) for d in remarks(state)] == [("placed_too_few", ("81", "83"))]


def test_8_8_a_wrong_colour_overlooked_is_valid() -> None:
    state = play(board(), hit("striker"), place("black"), hit(by="north"))
    assert lies(state.rulings[-1]) == (6, 7, "on_board")
    assert ("placed_wrong_colour", ("82b",)) in [(d.kind, d.clauses) for d in remarks(state)]


def test_8_8_in_doubles_too() -> None:
    state = play(board(doubles=True), hit("striker"), place("black", by="east"), hit(by="east"))
    assert lies(state.rulings[-1]) == (6, 7, "on_board")


def test_8_9_dues_of_the_two_sides_are_each_placed() -> None:
    state = play(rack(), hit("striker"), hit("striker", by="north"))
    assert state.dues == (1, 1)
    state = play(state, hit("black", "white"))
    assert (sorted(asked(state), key=str), state.dues) == ([("black", "south", 1), ("white", "north", 1)], (0, 0))
    assert lies(state.rulings[-1]) == (9, 9, "on_board")


def test_8_10_the_umpire_places_the_queen_and_what_left_the_board() -> None:
    assert asked(play(board(queen="pending:south"), hit())) == [("queen", None, 1)]
    assert asked(play(board(), hit(off_board=("black",)))) == [("black", None, 1)]
    assert asked(play(board(queen="pending:south"), hit("striker"))) == [("white", "north", 1), ("queen", None, 1)]
