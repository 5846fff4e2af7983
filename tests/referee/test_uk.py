"""The law book "uk", clause by clause (the federation rules told in Bulgarian)."""

from __future__ import annotations

from typing import Any

import pytest

from models.errors import BadInput
from models.stroke import SEATS, Board, Piece, Start
from referee.board import apply
from referee.lawbook_files import load_lawbook
from referee.state import BoardState
from tests.referee import boards
from tests.referee.boards import asked, call, flagged, found, hit, lies, many, matched, out, place, play, rack, ruled, seated

UK = load_lawbook("uk")


def board(white: int = 6, black: int = 6, queen: str = "on_board", **more: Any) -> BoardState:
    return boards.board(white, black, queen, book=UK, **more)


def won(white: int = 1, black: int = 4, queen: str = "covered:south", **scores: int) -> Board:
    """A board that south finishes with white."""
    start = Start(white, black, queen, breaker="south", turn="south", scores=scores)  # type: ignore[arg-type]
    return Board(events=tuple(hit("white") for _ in range(white)), start=start)


def test_uk_2_the_breaker_has_white() -> None:
    assert found(ruled(rack(UK), hit("white"))) == ((8, 9, "on_board"), (0, 0, 0), "south")
    state = seated(UK, start=Start(breaker="north"))
    assert state.turn == "north"
    r = ruled(state, hit("white", by="north"))
    assert (r.turn, r.fouls) == ("north", ())
    assert "opponents_piece" in ruled(state, hit("black", by="north")).fouls


@pytest.mark.parametrize("fell", [("white",), ("white", "white"), ("queen",), ("queen", "white")])
def test_uk_3_own_pieces_and_the_queen_give_another_stroke(fell: tuple[Piece, ...]) -> None:
    r = ruled(board(), hit(*fell))
    assert (r.turn, r.continues, r.fouls, out(r)) == ("south", True, (), (0, 0, 0))


def test_uk_3_nothing_or_a_foul_ends_the_turn() -> None:
    r = ruled(board(), hit())
    assert (found(r), r.fouls) == (((6, 6, "on_board"), (0, 0, 0), "north"), ())
    assert {"uk.3"} <= set(r.clauses)
    assert "uk.3" in ruled(board(), hit("white")).clauses
    assert ruled(board(), hit("white", "striker")).turn == "north"
    assert ruled(board(), hit("white", bad=True)).turn == "north"


@pytest.mark.parametrize("how", ["off_baseline", "partial_base_circle", "pushed", "elbow", "moved_piece", "backward"])
def test_uk_4_an_improper_stroke_is_a_foul(how: str) -> None:
    r = ruled(board(), hit("white", improper=(how,)))
    assert (found(r), r.fouls) == (((6, 6, "on_board"), (1, 0, 0), "north"), (how,))
    assert {"uk.4", "uk.11", "uk.12"} <= set(r.clauses)


def test_uk_5_three_tries_to_break() -> None:
    miss = hit(touched=False)
    state = play(rack(UK), miss)
    for r in (state.rulings[-1], ruled(state, miss)):
        assert (found(r), r.continues, r.fouls, r.clauses) == (((9, 9, "on_board"), (0, 0, 0), "south"), True, (), ("uk.5",))
    r = ruled(state, miss, miss)
    assert (r.turn, r.fouls, r.dues) == ("north", ("failed_break",), {"south": 1, "north": 0})
    assert {"uk.5", "uk.11", "uk.12", "uk.16"} <= set(r.clauses)


def test_uk_5_a_break_that_touches_a_piece_is_one() -> None:
    r = ruled(rack(UK), hit(touched=False), hit(touched=False), hit())
    assert (r.turn, r.fouls, r.dues["south"]) == ("north", (), 0)
    assert not ruled(rack(UK), hit(touched=False), hit(touched=False), hit(), hit(touched=False, by="north")).continues


def test_uk_5_a_foul_at_the_break_costs_as_any_other() -> None:
    r = ruled(rack(UK), hit("striker", touched=False))
    assert (r.turn, r.fouls, r.dues["south"], "uk.12" in r.clauses) == ("north", ("striker_pocketed",), 1, True)


def test_uk_5_the_opponent_has_three_tries_of_his_own() -> None:
    miss = hit(touched=False, by="north")
    r = ruled(rack(UK), *(hit(touched=False) for _ in range(3)), miss, miss)
    assert (r.turn, r.continues) == ("north", True)


def test_uk_6_missing_every_piece_is_no_foul() -> None:
    r = ruled(board(), hit(touched=False))
    assert (found(r), r.fouls, r.dues["south"]) == (((6, 6, "on_board"), (0, 0, 0), "north"), (), 0)
    assert "uk.6" in r.clauses


def test_uk_7_the_queen_before_any_own_piece_returns_when_the_turn_ends() -> None:
    state = play(rack(UK), hit("queen"))
    r = state.rulings[-1]
    assert (out(r), r.turn, r.continues, r.fouls, r.clauses) == ((0, 0, 0), "south", True, (), ("uk.7",))
    assert "comes back when the turn ends" in r.text
    r = ruled(state, hit())
    assert found(r) == ((9, 9, "on_board"), (0, 0, 1), "north")
    assert "uk.7" in r.clauses


def test_uk_7_own_pieces_after_her_do_not_cover_her() -> None:
    state = play(rack(UK), hit("queen"), hit("white"))
    assert (state.turn, state.queen.state == "covered") == ("south", False)
    assert found(ruled(state, hit("white"), hit())) == ((7, 9, "on_board"), (0, 0, 1), "north")


def test_uk_7_a_foul_ends_that_turn_too() -> None:
    r = ruled(rack(UK), hit("queen"), hit("white"), hit("striker"))
    assert found(r) == ((9, 9, "on_board"), (1, 0, 1), "north")


def test_uk_7_an_own_piece_that_the_opponent_pocketed_gives_no_right() -> None:
    state = play(rack(UK), hit(), hit("white", by="north"))
    assert state.turn == "south"
    r = ruled(state, hit("queen"), hit())
    assert (lies(r), out(r)) == ((8, 9, "on_board"), (0, 0, 1))


def test_uk_7_a_piece_lost_again_by_a_foul_was_pocketed() -> None:
    state = play(rack(UK), hit("white"), hit("striker"), hit(by="north"), hit("queen"))
    assert (str(state.queen), state.turn) == ("pending:south", "south")
    assert lies(ruled(state, hit("white"))) == (8, 9, "covered:south")


@pytest.mark.parametrize("fell", [("queen", "white"), ("white", "queen")])
def test_uk_8_queen_and_own_piece_in_one_stroke(fell: tuple[Piece, ...]) -> None:
    r = ruled(board(), hit(*fell))
    assert (found(r), r.flags) == (((5, 6, "covered:south"), (0, 0, 0), "south"), ())
    assert "uk.8" in r.clauses


def test_uk_8_with_the_first_own_piece_she_is_not_covered_yet() -> None:
    state = play(rack(UK), hit("queen", "white"))
    assert (str(state.queen), state.turn) == ("pending:south", "south")
    assert {"uk.8", "uk.9"} <= set(state.rulings[-1].clauses)
    assert lies(ruled(state, hit("white"))) == (7, 9, "covered:south")
    assert found(ruled(state, hit())) == ((8, 9, "on_board"), (0, 0, 1), "north")


def test_uk_9_the_next_stroke_must_cover_her() -> None:
    state = play(board(), hit("queen"))
    assert (str(state.queen), state.turn, state.rulings[-1].clauses) == ("pending:south", "south", ("uk.9",))
    r = ruled(state, hit("white"))
    assert (found(r), "uk.9" in r.clauses) == (((5, 6, "covered:south"), (0, 0, 0), "south"), True)


def test_uk_9_not_covered_she_returns_placed_by_the_opponent() -> None:
    for miss in (hit(), hit(touched=False)):
        r = ruled(board(), hit("queen"), miss)
        assert (found(r), asked(r), r.fouls) == (((6, 6, "on_board"), (0, 0, 1), "north"), [("queen", "north", 1)], ())
        assert "uk.9" in r.clauses


def test_uk_9_a_foul_on_the_covering_stroke() -> None:
    r = ruled(board(), hit("queen"), hit("striker"))
    assert (found(r), r.fouls) == (((7, 6, "on_board"), (1, 0, 1), "north"), ("striker_pocketed",))
    assert {"uk.9", "uk.12"} <= set(r.clauses)


def test_uk_9_in_a_later_turn_she_may_be_taken_again() -> None:
    state = play(board(), hit("queen"), hit(), hit(by="north"), hit("queen"), hit("white"))
    assert lies(state.rulings[-1]) == (5, 6, "covered:south")


def test_uk_10_nobody_wins_before_she_is_covered() -> None:
    state = play(board(1, 4), hit("white"))
    assert not state.over
    for queen, points in (("covered:south", 9), ("covered:north", 4)):
        result = play(board(1, 4, queen), hit("white")).result
        assert result
        assert (result.winner, result.points) == ("south", {"south": points, "north": 0})
        assert "uk.10" in result.clauses


def test_uk_10_the_cover_with_the_last_piece_wins() -> None:
    for state in (play(board(1, 3), hit("queen"), hit("white")), play(board(1, 3), hit("queen", "white"))):
        assert state.result
        assert (state.result.winner, state.result.points["south"]) == ("south", 8)


def test_uk_11_one_pocketed_own_piece_returns_placed_by_the_opponent() -> None:
    r = ruled(board(), hit("striker"))
    assert (found(r), asked(r), r.fouls) == (((7, 6, "on_board"), (1, 0, 0), "north"), [("white", "north", 1)], ("striker_pocketed",))
    assert "uk.11" in r.clauses
    r = ruled(board(turn="north"), hit("striker", by="north"))
    assert (found(r), asked(r)) == (((6, 7, "on_board"), (0, 1, 0), "south"), [("black", "south", 1)])


def test_uk_11_two_fouls_in_one_stroke_cost_one_piece_and_are_for_the_umpire() -> None:
    r = ruled(board(), hit("striker", "black"))
    assert (found(r), set(r.fouls)) == (((7, 5, "on_board"), (1, 0, 0), "north"), {"striker_pocketed", "opponents_piece"})
    assert flagged(r) == ["one_penalty"]


def test_uk_11_every_piece_is_placed_by_the_opponent_of_its_owner() -> None:
    assert set(asked(ruled(board(5, 1), hit("black")))) == {("white", "north", 1), ("black", "south", 1)}


@pytest.mark.parametrize("off", ["striker", "white", "black", "queen"])
def test_uk_12_striker_or_any_piece_off_the_board(off: Piece) -> None:
    r = ruled(board(), hit(off_board=(off,)))
    assert (found(r), len(r.fouls)) == (((7, 6, "on_board"), (1, 0, 0), "north"), 1)
    assert r.fouls == (("striker_off_board",) if off == "striker" else ("piece_off_board",))
    assert {"uk.11", "uk.12"} <= set(r.clauses)


def test_uk_12_touching_a_piece_is_a_foul_that_the_umpire_calls() -> None:
    r = ruled(board(), call("foul"))
    assert (found(r), r.fouls) == (((7, 6, "on_board"), (1, 0, 0), "north"), ("foul",))
    assert {"uk.11", "uk.12"} <= set(r.clauses)
    assert found(ruled(board(), hit("queen"), call("foul"))) == ((7, 6, "on_board"), (1, 0, 1), "north")


def test_uk_13_the_opponents_piece_stays_down() -> None:
    r = ruled(board(), hit("black"))
    assert (found(r), r.fouls) == (((7, 5, "on_board"), (1, 0, 0), "north"), ("opponents_piece",))
    assert {"uk.11", "uk.12", "uk.13"} <= set(r.clauses)
    r = ruled(board(), hit("black", "white", "black"))
    assert found(r) == ((6, 4, "on_board"), (1, 0, 0), "north")


@pytest.mark.parametrize("fell", [("queen", "black"), ("black", "queen"), ("white", "queen", "black")])
def test_uk_13_with_the_queen_she_returns_too(fell: tuple[Piece, ...]) -> None:
    r = ruled(board(), hit(*fell))
    assert found(r) == ((7 - fell.count("white"), 5, "on_board"), (1, 0, 1), "north")
    assert (asked(r), "uk.13" in r.clauses) == ([("white", "north", 1), ("queen", "north", 1)], True)


def test_uk_13_she_fell_in_the_same_turn() -> None:
    r = ruled(board(), hit("queen"), hit("black"))
    assert (found(r), "uk.13" in r.clauses) == (((7, 5, "on_board"), (1, 0, 1), "north"), True)
    r = ruled(board(), hit("queen"), hit("white", "black"))
    assert (found(r), "uk.13" in r.clauses) == (((6, 5, "on_board"), (1, 0, 1), "north"), True)
    r = ruled(board(), hit("queen"), hit("white"), hit("black"))
    assert (found(r), flagged(r)) == (((6, 5, "on_board"), (1, 0, 1), "north"), ["covered_in_turn"])
    assert "uk.13" in r.clauses


def test_uk_13_a_queen_taken_too_early_returns_with_the_foul() -> None:
    for strokes in ((hit("queen", "black"),), (hit("queen"), hit("black"))):
        r = ruled(rack(UK), *strokes)
        assert (found(r), r.dues["south"]) == (((9, 8, "on_board"), (0, 0, 1), "north"), 1)
        assert {"uk.13", "uk.16"} <= set(r.clauses)


def test_uk_13_covered_in_an_earlier_turn_she_stays_down() -> None:
    r = ruled(board(queen="covered:south"), hit("black"))
    assert lies(r) == (7, 5, "covered:south")
    r = ruled(board(), hit("queen"), hit("white"), hit(), hit(by="north"), hit("black"))
    assert (lies(r), r.flags) == ((6, 5, "covered:south"), ())


@pytest.mark.parametrize("queen", ["on_board", "covered:south", "covered:north"])
def test_uk_14_the_opponents_last_piece_returns_with_the_penalty_piece(queen: str) -> None:
    state = play(board(5, 1, queen), hit("black"))
    r = state.rulings[-1]
    assert (found(r), state.over) == (((6, 1, queen), (1, 1, 0), "north"), False)
    assert "uk.14" in r.clauses


def test_uk_14_of_two_only_the_last_one_returns() -> None:
    assert found(ruled(board(5, 2), hit("black", "black"))) == ((6, 1, "on_board"), (1, 1, 0), "north")


def test_uk_14_with_the_queen() -> None:
    assert found(ruled(board(5, 1), hit("queen", "black"))) == ((6, 1, "on_board"), (1, 1, 1), "north")


def test_uk_14_both_last_pieces_in_one_stroke() -> None:
    state = play(board(1, 1, "covered:south"), hit("white", "black"))
    assert (found(state.rulings[-1]), state.over) == (((1, 1, "covered:south"), (1, 1, 0), "north"), False)
    state = play(board(1, 1), hit("white", "black"))
    assert (found(state.rulings[-1]), state.over) == (((2, 1, "on_board"), (2, 1, 0), "north"), False)


@pytest.mark.parametrize("own", [1, 2])
def test_uk_15_own_last_piece_before_the_queen(own: int) -> None:
    state = play(board(own, 4), hit(*many("white", own)))
    r = state.rulings[-1]
    assert (found(r), r.fouls, state.over) == (((2, 4, "on_board"), (2, 0, 0), "north"), ("own_last",), False)
    assert (asked(r), "uk.15" in r.clauses) == ([("white", "north", 2)], True)


def test_uk_15_with_the_striker_it_is_still_one_penalty_piece() -> None:
    r = ruled(board(1, 4), hit("white", "striker"))
    assert (found(r), flagged(r)) == (((2, 4, "on_board"), (2, 0, 0), "north"), ["one_penalty"])


def test_uk_15_a_cover_that_the_opponents_piece_spoils() -> None:
    r = ruled(board(1, 4, "pending:south"), hit("white", "black"))
    assert found(r) == ((2, 3, "on_board"), (2, 0, 1), "north")


def test_uk_15_a_foul_with_the_last_piece_after_the_queen_keeps_the_board_open() -> None:
    state = play(board(1, 4, "covered:south"), hit("white", "striker"))
    assert (found(state.rulings[-1]), state.over) == (((1, 4, "covered:south"), (1, 0, 0), "north"), False)


def test_uk_16_nothing_to_pay_with_is_owed() -> None:
    r = ruled(board(9, 6), hit("striker"))
    assert (found(r), r.dues, "uk.16" in r.clauses) == (((9, 6, "on_board"), (0, 0, 0), "north"), {"south": 1, "north": 0}, True)


def test_uk_16_the_next_own_piece_is_taken_out_at_the_end_of_that_turn() -> None:
    state = play(board(9, 6), hit("striker"), hit(by="north"), hit("white"))
    r = state.rulings[-1]
    assert (found(r), r.dues["south"]) == (((8, 6, "on_board"), (0, 0, 0), "south"), 1)
    r = ruled(state, hit())
    assert (found(r), r.dues["south"], asked(r)) == (((9, 6, "on_board"), (1, 0, 0), "north"), 0, [("white", "north", 1)])
    assert "uk.16" in r.clauses


def test_uk_16_his_foul_later_finds_something_to_pay_both_with() -> None:
    r = ruled(board(9, 6, dues={"south": 1}), hit("white", "white"), hit("striker"))
    assert (found(r), r.dues["south"]) == (((9, 6, "on_board"), (2, 0, 0), "north"), 0)
    r = ruled(board(9, 6, dues={"south": 1}), hit("white"), hit("striker"))
    assert (found(r), r.dues["south"]) == (((9, 6, "on_board"), (1, 0, 0), "north"), 1)


def test_uk_16_an_own_piece_pocketed_by_the_opponent_pays_it() -> None:
    r = ruled(board(9, 6, turn="north", dues={"south": 1}), hit("white", by="north"))
    assert (found(r), r.dues, asked(r)) == (
        ((9, 7, "on_board"), (1, 1, 0), "south"), {"south": 0, "north": 0}, [("white", "north", 1), ("black", "south", 1)],
    )  # fmt: skip


def paid() -> BoardState:
    """South's debt is to be paid now: the turn in which he pocketed a piece has ended."""
    return play(board(9, 6, dues={"south": 1}), hit("white"), hit())


def test_uk_16_placed_before_the_next_turn() -> None:
    state = play(paid(), place("white"), hit(by="north"))
    assert (lies(state.rulings[-1]), [r.discrepancies for r in state.rulings if r.discrepancies]) == ((9, 6, "on_board"), [])
    assert state.rulings[-1].dues["south"] == 0


def test_uk_16_not_placed_before_the_next_turn_it_lapses() -> None:
    state = play(paid(), place(), hit(by="north"))
    assert (lies(state.rulings[-1]), state.rulings[-1].dues["south"]) == ((8, 6, "on_board"), 0)
    found_out = [d for r in state.rulings for d in r.discrepancies]
    assert [(d.kind, d.clauses) for d in found_out] == [("placed_too_few", ("uk.16",))]
    assert lies(ruled(state, hit("white"), hit())) == (7, 6, "on_board")


def test_uk_16_where_the_log_has_no_placings_it_is_taken_as_placed() -> None:
    assert lies(ruled(paid(), hit(by="north"))) == (9, 6, "on_board")


def test_uk_16_two_debts_are_paid_one_by_one() -> None:
    r = ruled(board(9, 6, dues={"south": 2}), hit("white"), hit())
    assert (found(r), r.dues["south"]) == (((9, 6, "on_board"), (1, 0, 0), "north"), 1)


def test_uk_18_a_point_for_each_piece_and_five_for_the_queen() -> None:
    for queen, before, points in (("south", 0, 9), ("south", 23, 9), ("south", 24, 4), ("north", 0, 4)):
        result = play(board(1, 4, f"covered:{queen}", scores={"south": before}), hit("white")).result
        assert result
        assert (result.points, "uk.18" in result.clauses) == ({"south": points, "north": 0}, True)


def test_uk_18_a_board_brings_14_at_most() -> None:
    result = play(board(1, 9, "covered:south"), hit("white")).result
    assert result
    assert result.points["south"] == 14


def test_uk_18_black_wins_by_the_whites_left() -> None:
    result = play(board(3, 1, "covered:north", turn="north"), hit("black", by="north")).result
    assert result
    assert (result.winner, result.points) == ("north", {"south": 0, "north": 8})


def test_uk_19_29_points_win_the_match_and_the_total_is_capped() -> None:
    r = matched(UK, won(south=22))
    assert (r.winner, r.scores) == ("south", {"south": 29, "north": 0})
    r = matched(UK, won(south=19))
    assert (r.winner, r.scores["south"]) == (None, 28)
    r = matched(UK, won(black=5, south=24))
    assert (r.winner, r.scores["south"]) == ("south", 29)
    with pytest.raises(BadInput, match="the match was over"):
        matched(UK, won(south=22), Board())


def test_uk_19_followed_over_several_boards() -> None:
    south = (hit("white"), hit(by="south"))
    first = Board(events=(hit("white"),), start=Start(1, 4, "covered:south", turn="south"))
    second = Board(events=(hit("white", by="north"),), start=Start(1, 6, "covered:north", turn="north"))
    r = matched(UK, first, second, Board(events=south))
    assert [b.breaker for b in r.boards] == ["south", "north", "south"]
    assert ([b.result.points for b in r.boards if b.result], r.scores) == (
        [{"south": 9, "north": 0}, {"south": 0, "north": 11}], {"south": 9, "north": 11},
    )  # fmt: skip


def test_uk_20_turns_pass_clockwise_between_partners_opposite() -> None:
    state, order = boards.board(book=UK, doubles=True), []
    for _ in range(5):
        assert state.turn
        order.append(state.turn)
        state = apply(state, hit(by=state.turn))
    assert order == ["south", "west", "north", "east", "south"]
    state = play(boards.board(book=UK, doubles=True), hit(), hit(by="west"), hit("white", by="north"))
    assert (state.turn, state.rulings[-1].fouls) == ("north", ())


def test_uk_20_the_neighbour_places_what_the_pair_pays() -> None:
    r = ruled(boards.board(book=UK, doubles=True), hit("striker"))
    assert (asked(r), r.turn) == ([("white", "west", 1)], "west")


def test_uk_20_partners_share_the_queen_the_dues_and_the_points() -> None:
    state = play(boards.board(1, 3, "covered:north", book=UK, doubles=True), hit("white"))
    assert state.result
    assert (state.result.winner, state.result.points) == ("south", {"south": 8, "east": 0})
    r = ruled(boards.board(9, 3, book=UK, doubles=True), hit("striker"), hit(by="west"), hit("white", by="north"), hit(by="north"))
    assert (found(r), r.dues) == (((9, 3, "on_board"), (1, 0, 0), "east"), {"south": 0, "east": 0})


def test_uk_20_two_or_four_play() -> None:
    assert seated(UK, *SEATS).table.sides == ("south", "east")
    with pytest.raises(BadInput, match="law book uk is for 2 or 4 players, the log has 3"):
        seated(UK, "south", "east", "north")


@pytest.mark.parametrize("what", ["talking", "timeout", "out_of_turn", "left_seat", "disturbed", "interrupted", "abusive", "refused"])
def test_uk_a_call_on_which_the_book_is_silent_is_for_the_umpire(what: str) -> None:
    r = ruled(board(), call(what))
    assert (found(r), flagged(r), r.fouls) == (((6, 6, "on_board"), (0, 0, 0), "south"), ["silent_call"], ())
