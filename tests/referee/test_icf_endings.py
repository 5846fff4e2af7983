"""The board-ending strokes, one test for each row of the ICF decision table (6.1 to 6.18), named after it.

South strikes and has white; `end` gives the winner, the points, what may be claimed, and the kinds of flags.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.stroke import Piece, Seat
from referee.laws import LawBook
from tests.referee.boards import ICF, board, call, hit, lies, many, out, play, ruled

HIGH: dict[Seat, int] = {"south": 22, "north": 22}
GOES_ON = None
End = tuple[str, int, int, tuple[str, ...]]


def end(white: int, black: int, queen: str, *pocketed: Piece, bad: bool = False, high: bool = False, book: LawBook = ICF) -> End | None:
    """How a stroke ends the board, before and after 22 points; None if it does not."""
    state = play(board(white, black, queen, scores=HIGH if high else {}, book=book), hit(*pocketed, bad=bad))
    result = state.result
    if result is None:
        assert state.turn is not None
        return GOES_ON
    assert state.turn is None
    assert result.winner
    loser = next(s for s in state.table.sides if s != result.winner)
    assert (result.points[loser], result.demandable[loser]) == (0, 0)
    kinds = tuple(f.kind for f in state.rulings[-1].flags)
    return result.winner, result.points[result.winner], result.demandable[result.winner], kinds


UNLISTED = ("unlisted_end",)


def test_6_1_own_last_with_the_queen_covered_before() -> None:
    assert end(1, 4, "covered:south", "white") == ("south", 7, 0, ())
    assert end(1, 4, "covered:south", "white", high=True) == ("south", 4, 0, ())
    assert end(1, 9, "covered:south", "white") == ("south", 12, 0, ())
    assert end(1, 4, "covered:south", "white", bad=True) is GOES_ON


def test_6_1_own_last_covers_the_queen() -> None:
    assert end(1, 4, "pending:south", "white") == ("south", 7, 0, ())
    assert end(1, 4, "pending:south", "white", "black") == ("south", 6, 0, ())
    assert end(1, 4, "on_board", "queen", "white") == ("south", 7, 0, ())
    assert lies(ruled(board(1, 4, "pending:south"), hit("white"))) == (0, 4, "covered:south")
    assert end(1, 4, "pending:south", "white", bad=True) is GOES_ON
    assert end(1, 4, "on_board", "queen", "white", bad=True) is GOES_ON


def test_6_1_improper_the_piece_comes_back_and_the_umpire_is_told() -> None:
    r = ruled(board(1, 4, "covered:south"), hit("white", bad=True))
    assert (lies(r), out(r), r.turn, [f.kind for f in r.flags]) == ((2, 4, "covered:south"), (2, 0, 0), "north", ["last_goes_on"])


def test_6_1_all_nine_with_the_queen_in_one_stroke() -> None:
    assert end(9, 9, "on_board", *many("white", 9), "queen") == ("south", 12, 0, ())


def test_6_2_own_last_with_the_queen_covered_by_the_opponent() -> None:
    assert end(1, 4, "covered:north", "white") == ("south", 4, 0, ())
    assert end(1, 4, "covered:north", "white", bad=True) is GOES_ON


def test_6_3_own_last_before_the_queen() -> None:
    assert end(1, 4, "on_board", "white") == ("north", 3, 0, ())
    assert end(1, 4, "on_board", "white", high=True) == ("north", 1, 0, ())
    assert end(1, 4, "on_board", "white", bad=True) == ("north", 3, 1, ())


def test_6_4_the_others_last_before_the_queen() -> None:
    assert end(5, 1, "on_board", "black") == ("north", 8, 0, ())
    assert end(5, 1, "on_board", "black", high=True) == ("north", 5, 0, ())
    assert end(5, 1, "on_board", "black", bad=True) == ("north", 8, 1, ())
    assert end(5, 1, "on_board", "black", "white") == ("north", 7, 0, ())


def test_6_4_own_by_an_improper_stroke_is_for_the_umpire() -> None:
    assert end(5, 1, "on_board", "black", "white", bad=True) == ("north", 7, 1, ("own_by_losing_stroke",))


def test_6_5_the_others_last_when_covering() -> None:
    assert end(5, 1, "pending:south", "black") == ("north", 8, 0, ())
    assert end(5, 1, "pending:south", "black", high=True) == ("north", 5, 0, ())
    assert end(5, 1, "pending:south", "black", bad=True) == ("north", 8, 1, ())
    assert end(5, 1, "pending:south", "black", "white") == ("north", 7, 0, UNLISTED)


def test_6_6_the_others_last_with_the_queen() -> None:
    assert end(5, 1, "on_board", "black", "queen") == ("north", 8, 0, UNLISTED)
    assert end(5, 1, "on_board", "black", "queen", bad=True) == ("north", 8, 1, UNLISTED)


def test_6_7_the_others_last_with_the_queen_covered() -> None:
    assert end(4, 1, "covered:north", "black") == ("north", 7, 0, UNLISTED)
    assert end(4, 1, "covered:north", "black", high=True) == ("north", 4, 0, UNLISTED)
    assert end(4, 1, "covered:south", "black") == ("north", 4, 0, UNLISTED)
    assert end(4, 1, "covered:south", "black", bad=True) == ("north", 4, 1, UNLISTED)


def test_6_8_both_last_when_covering() -> None:
    assert end(1, 1, "pending:south", "white", "black") == ("south", 3, 0, ())
    assert end(1, 1, "pending:south", "white", "black", high=True) == ("south", 1, 0, ())
    assert end(1, 1, "pending:south", "white", "black", bad=True) == ("north", 3, 1, ())
    assert end(1, 1, "pending:south", "white", "black", bad=True, high=True) == ("north", 1, 1, ())


def test_6_9_both_last_and_the_queen() -> None:
    assert end(1, 1, "on_board", "white", "black", "queen") == ("south", 3, 0, ())
    assert end(1, 1, "on_board", "white", "black", "queen", high=True) == ("south", 1, 0, ())
    assert end(1, 1, "on_board", "white", "black", "queen", bad=True) == ("north", 3, 1, ())


def test_6_10_both_last_before_the_queen() -> None:
    assert end(1, 1, "on_board", "white", "black") == ("north", 3, 0, ())
    assert end(1, 1, "on_board", "white", "black", high=True) == ("north", 1, 0, ())
    assert end(1, 1, "on_board", "white", "black", bad=True) == ("north", 3, 1, ())


def test_6_11_both_last_with_the_queen_covered() -> None:
    assert end(1, 1, "covered:south", "white", "black") == ("south", 3, 0, UNLISTED)
    assert end(1, 1, "covered:south", "white", "black", high=True) == ("south", 1, 0, UNLISTED)
    assert end(1, 1, "covered:north", "white", "black") == ("south", 1, 0, UNLISTED)


def test_6_11_improper_by_the_formula_c6() -> None:
    assert end(1, 1, "covered:south", "white", "black", bad=True) == ("north", 1, 1, UNLISTED)
    assert end(1, 1, "covered:north", "white", "black", bad=True) == ("north", 3, 1, UNLISTED)
    assert end(1, 1, "covered:north", "white", "black", bad=True, high=True) == ("north", 1, 1, UNLISTED)


def test_6_12_own_last_and_striker_before_the_queen() -> None:
    assert end(1, 3, "on_board", "white", "striker") == ("north", 3, 1, ())
    assert end(1, 3, "on_board", "white", "striker", high=True) == ("north", 1, 1, ())
    assert end(1, 3, "on_board", "white", "striker", bad=True) == ("north", 3, 2, ())


@pytest.mark.parametrize("queen", ["covered:south", "covered:north", "pending:south"])
def test_6_13_own_last_and_striker_with_the_queen_covered_or_pending_goes_on(queen: str) -> None:
    r = ruled(board(1, 3, queen), hit("white", "striker"))
    assert (lies(r), out(r), r.turn, [f.kind for f in r.flags]) == ((2, 3, queen), (2, 0, 0), "south", ["last_goes_on"])
    after = "on_board" if queen.startswith("pending") else queen
    r = ruled(board(1, 3, queen), hit("white", "striker", bad=True))
    assert (lies(r), r.turn) == ((3, 3, after), "north")


def test_6_13_own_last_queen_and_striker_goes_on() -> None:
    r = ruled(board(1, 3), hit("white", "queen", "striker"))
    assert (lies(r), out(r), r.turn) == ((2, 3, "on_board"), (2, 0, 1), "south")


def test_6_14_both_last_queen_and_striker() -> None:
    assert end(1, 1, "on_board", "white", "black", "queen", "striker") == ("north", 3, 1, ())
    assert end(1, 1, "on_board", "white", "black", "queen", "striker", high=True) == ("north", 1, 1, ())
    assert end(1, 1, "on_board", "white", "black", "queen", "striker", bad=True) == ("north", 3, 2, ())
    assert end(1, 1, "pending:south", "white", "black", "striker") == ("north", 3, 1, UNLISTED)


def test_6_15_both_last_and_striker_with_the_queen_covered() -> None:
    assert end(1, 1, "covered:south", "white", "black", "striker") == ("north", 1, 1, ())
    assert end(1, 1, "covered:south", "white", "black", "striker", bad=True) == ("north", 1, 2, ())


def test_6_16_both_last_and_striker_with_the_queen_covered_by_the_opponent() -> None:
    assert end(1, 1, "covered:north", "white", "black", "striker") == ("north", 3, 1, ())
    assert end(1, 1, "covered:north", "white", "black", "striker", high=True) == ("north", 1, 1, ())
    assert end(1, 1, "covered:north", "white", "black", "striker", bad=True) == ("north", 3, 2, ())
    older = replace(ICF, points=replace(ICF.points, double_last_above="queen"))
    assert end(1, 1, "covered:north", "white", "black", "striker", high=True, book=older) == ("north", 3, 1, ())


def test_6_16_both_last_and_striker_before_the_queen() -> None:
    assert end(1, 1, "on_board", "white", "black", "striker") == ("north", 3, 1, UNLISTED)


def test_6_17_the_others_last_and_striker_before_the_queen() -> None:
    assert end(5, 1, "on_board", "black", "striker") == ("north", 8, 1, ())
    assert end(5, 1, "on_board", "black", "striker", high=True) == ("north", 5, 1, ())
    assert end(5, 1, "on_board", "black", "striker", bad=True) == ("north", 8, 2, ())


def test_6_18_the_others_last_and_striker_with_the_queen_covered() -> None:
    assert end(5, 1, "covered:north", "black", "striker") == ("north", 8, 1, UNLISTED)
    assert end(5, 1, "covered:south", "black", "striker") == ("north", 5, 1, UNLISTED)
    assert end(5, 1, "covered:south", "black", "striker", bad=True) == ("north", 5, 2, UNLISTED)
    assert end(5, 1, "pending:south", "black", "striker") == ("north", 8, 1, UNLISTED)


def test_52b_the_queen_counts_up_to_21_points() -> None:
    for points, got in ((21, 7), (22, 4)):
        result = play(board(1, 4, "covered:south", scores={"south": points}), hit("white")).result
        assert result
        assert (result.points["south"], result.pieces, result.queen_points) == (got, 4, got - 4)


def test_55_dues_at_the_end_are_written_off() -> None:
    r = ruled(board(1, 9, "covered:south", dues={"north": 2}), hit("white"))
    assert (r.dues, "55" in r.clauses, r.scores) == ({"south": 0, "north": 0}, True, {"south": 12, "north": 0})


def test_55_twelve_is_the_most_even_with_what_is_claimed() -> None:
    assert end(9, 1, "on_board", "black", "striker") == ("north", 12, 0, ())


def test_87b_the_extra_point_is_given_only_if_claimed() -> None:
    state = play(board(1, 3), hit("white", "striker"), call("demand", "north"))
    assert state.result
    assert (state.result.points, state.result.demandable) == ({"south": 0, "north": 4}, {"south": 0, "north": 0})
    assert state.rulings[-1].scores == {"south": 0, "north": 4}
    assert "87b" in state.result.clauses


def test_87b_nothing_to_claim_is_a_discrepancy() -> None:
    for by in ("south", "north"):
        r = ruled(board(1, 3, "covered:south"), hit("white"), call("demand", by))
        assert [d.kind for d in r.discrepancies] == ["nothing_to_claim"]
        assert r.scores == {"south": 6, "north": 0}


def test_87b_a_book_may_give_it_always() -> None:
    always = replace(ICF, points=replace(ICF.points, extra="always"))
    assert end(1, 3, "on_board", "white", "striker", bad=True, book=always) == ("north", 5, 0, ())


def test_12_1_white_slam() -> None:
    start = board(9, 9)
    state = play(start, hit(*many("white", 8)), hit("queen"), hit("white"))
    assert state.result
    assert (state.result.slam, "26a" in state.result.clauses) == ("white", True)


def test_12_1_no_white_slam_in_a_second_turn_or_without_the_whole_board() -> None:
    second = play(board(9, 9), hit(), hit(by="north"), hit(*many("white", 8)), hit("queen"), hit("white"))
    assert second.result
    assert second.result.slam is None
    joined = play(board(1, 9, "covered:south"), hit("white"))
    assert joined.result
    assert joined.result.slam is None


def test_12_1_no_white_slam_with_the_queen_the_opponents() -> None:
    state = play(board(9, 9), hit("white", "queen"), hit(), hit("black", by="north"), hit("queen", by="north"), hit("black", by="north"))
    state = play(state, hit(by="north"), hit(*many("white", 8)))
    assert state.result
    assert (state.result.winner, state.result.slam) == ("south", None)


def test_12_2_black_slam_with_or_without_the_queen() -> None:
    state = play(board(9, 9), hit("white", "white", "queen"), hit("black"), hit(*many("black", 8), by="north"))
    assert state.result
    assert (state.result.winner, state.result.points["north"], state.result.slam) == ("north", 7, "black")
    assert "26b" in state.result.clauses


def test_12_2_no_black_slam_in_a_second_turn() -> None:
    first = (hit("white", "white", "queen"), hit(), hit("black", by="north"), hit(by="north"), hit())
    state = play(board(9, 9), *first, hit(*many("black", 8), by="north"))
    assert state.result
    assert (state.result.winner, state.result.slam) == ("north", None)
