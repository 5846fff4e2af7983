"""Section 14 of the ICF decision table: every contested or silent point, C1 to C22, in each of its readings.

A reading is a setting of the law book, as a log's `options` give it.
"""

from __future__ import annotations

import re
from typing import Final

import pytest

from models.stroke import Board, Event, Piece, Seat, Start
from referee.engine import rule_match
from referee.laws import LawBook
from referee.rulings import Ruling
from referee.state import BoardState
from tests.referee.boards import ICF, a_match, board, call, hit, lies, many, out, place, play, rack, reading, ruled

NOT_HIS: Final = {"south": 0, "north": 0}


def flags(r: Ruling) -> list[str]:
    return [f.kind for f in r.flags]


def points(state: BoardState) -> tuple[str | None, int, int]:
    """The winner, his points and what he may claim."""
    assert state.result
    winner = state.result.winner
    assert winner
    return winner, state.result.points[winner], state.result.demandable[winner]


def early(book: LawBook = ICF) -> BoardState:
    """A board whose break comes before "Play"."""
    return rack(book)._replace(awaits_play=True)


def test_c1_own_and_other_the_turn_goes_on() -> None:
    for pocketed in (hit("white", "black"), hit("black", "white", "white")):
        r = ruled(board(), pocketed)
        assert (r.turn, out(r), r.fouls, flags(r)) == ("south", (0, 0, 0), (), [])


def test_c1_own_and_other_the_turn_is_lost() -> None:
    book = ICF.with_options({"offences.opponents_piece.turn": "lost", "offences.opponents_piece.foul": False})
    r = ruled(board(book=book), hit("white", "black"))
    assert (lies(r), r.turn, out(r), r.dues, r.fouls) == ((5, 5, "on_board"), "north", (0, 0, 0), NOT_HIS, ())
    assert ruled(board(book=book), hit("white")).turn == "south"


def test_c2_queen_and_other_only() -> None:
    r = ruled(board(), hit("queen", "black"))
    assert (lies(r), r.turn, flags(r)) == ((6, 5, "pending:south"), "south", ["queen_and_other"])
    r = ruled(board(book=reading(with_opponents_piece="turn_lost")), hit("queen", "black"))
    assert (lies(r), out(r), r.turn, flags(r)) == ((6, 5, "on_board"), (0, 0, 1), "north", ["queen_and_other"])


def test_c3_queen_own_and_striker_with_nine_on_the_board() -> None:
    r = ruled(rack(), hit("queen", "white", "striker"))
    assert (lies(r), out(r), r.dues["south"], r.turn) == ((9, 9, "on_board"), (1, 0, 1), 1, "south")
    assert "98a" in r.clauses
    r = ruled(rack(reading(with_own_and_striker_at_nine="turn_lost")), hit("queen", "white", "striker"))
    assert (lies(r), out(r), r.dues["south"], r.turn) == ((9, 9, "on_board"), (1, 0, 1), 1, "north")
    assert "95d" in r.clauses


def test_c4_queen_and_own_while_a_due_is_owed() -> None:
    owing: dict[Seat, int] = {"south": 1}
    r = ruled(board(9, 6, dues=owing), hit("queen", "white"))
    assert (lies(r), out(r), r.dues["south"], r.turn) == ((9, 6, "on_board"), (1, 0, 1), 0, "north")
    assert {"95b", "78a"} <= set(r.clauses)
    r = ruled(board(9, 6, dues=owing, book=reading(with_due="continue")), hit("queen", "white"))
    assert (out(r), r.dues["south"], r.turn) == ((1, 0, 1), 0, "south")
    assert ruled(board(9, 6, dues=owing), hit("queen")).turn == "north"


def test_c5_queen_and_one_own_with_nine_back_after_dues() -> None:
    nine_again = (hit(), hit(by="north"), hit("white"), hit("striker"), hit(by="north"))
    r = ruled(rack(), *nine_again, hit("queen", "white"))
    assert (lies(r), r.turn) == ((8, 9, "pending:south"), "south")
    r = ruled(rack(reading(nine_again="covered")), *nine_again, hit("queen", "white"))
    assert (lies(r), r.turn) == ((8, 9, "covered:south"), "south")
    r = ruled(rack(), *nine_again, hit("queen", "white", "white"))
    assert lies(r) == (7, 9, "covered:south")


def test_c6_improper_both_last_with_the_queen_covered_by_the_formula() -> None:
    for queen, high, wanted in (("south", 0, 1), ("north", 0, 3), ("north", 22, 1)):
        state = play(board(1, 1, f"covered:{queen}", scores={"north": high}), hit("white", "black", bad=True))
        assert points(state) == ("north", wanted, 1)


def test_c7_improper_with_striker() -> None:
    strokes: tuple[tuple[tuple[Piece, ...], int], ...] = ((("striker",), 2), (("white", "striker"), 3), (("queen", "striker"), 2))
    for pocketed, came_out in strokes:
        r = ruled(board(), hit(*pocketed, bad=True))
        assert (out(r)[0], r.turn) == (came_out, "north")
        older = ICF.with_options({"offences.improper_with_striker.pieces": 1})
        r = ruled(board(book=older), hit(*pocketed, bad=True))
        assert (out(r)[0], r.turn) == (came_out - 1, "north")


def test_c8_foul_while_pocketing_one_more_or_only_what_fell() -> None:
    strokes: tuple[tuple[tuple[Piece, ...], int, int], ...] = ((("white",), 2, 0), (("queen",), 1, 1), (("queen", "white"), 2, 1))
    for pocketed, whites, queen in strokes:
        r = ruled(board(), hit(*pocketed, bad=True))
        assert (out(r), r.turn) == ((whites, 0, queen), "north")
        older = ICF.with_options({"offences.improper_with_own.pieces": 0})
        r = ruled(board(book=older), hit(*pocketed, bad=True))
        assert (out(r), r.turn) == ((whites - 1, 0, queen), "north")
        assert ruled(board(book=older), hit(bad=True)).out["white"] == 1


def test_c9_break_before_play() -> None:
    r = ruled(early(), hit("white", "white", "black", "queen"))
    assert (lies(r), out(r), r.dues["south"], r.turn) == ((9, 8, "on_board"), (2, 0, 1), 1, "north")
    r = ruled(early(reading(before_play="all")), hit("white", "white", "black", "queen"))
    assert (lies(r), out(r), r.dues["south"], r.turn) == ((9, 9, "on_board"), (2, 1, 1), 1, "north")


def test_c9_break_before_play_all_nine_of_a_colour_come_back_in_the_older_edition() -> None:
    for stroke in (hit(*many("white", 9)), hit(*many("black", 9))):
        r = ruled(early(reading(before_play="all")), stroke)
        assert (lies(r), r.dues["south"], r.turn) == ((9, 9, "on_board"), 1, "north")


@pytest.mark.parametrize(("most", "wins"), [(8, 1), (0, 0)])
def test_c10_the_cap_of_eight_boards(most: int, wins: int) -> None:
    eight = [Board((hit("white"),), Start(1, 1 + k % 2, "covered:north", breaker="south", turn="south")) for k in range(8)]
    r = rule_match(a_match(*eight, max_boards=most), ICF)
    assert (r.games["south"], r.scores["south"]) == (wins, 12)


def test_c11_both_last_and_striker_with_the_queen_the_opponents_above_21() -> None:
    above: dict[Seat, int] = {"north": 22}
    state = board(1, 1, "covered:north", scores=above)
    assert points(play(state, hit("white", "black", "striker"))) == ("north", 1, 1)
    state = board(1, 1, "covered:north", scores=above, book=reading(double_last_above="queen"))
    assert points(play(state, hit("white", "black", "striker"))) == ("north", 3, 1)


def test_c12_queen_before_any_own_piece() -> None:
    r = ruled(rack(), hit("queen"))
    assert (lies(r), out(r), r.turn) == ((9, 9, "on_board"), (0, 0, 1), "north")
    goes_on = rack(reading(early="goes_on"))
    r = ruled(goes_on, hit("queen"))
    assert (out(r), r.turn) == ((0, 0, 0), "south")
    r = ruled(goes_on, hit("queen"), hit("white"))
    assert (lies(r), out(r), r.turn) == ((8, 9, "pending:south"), (0, 0, 0), "south")
    r = ruled(goes_on, hit("queen"), hit("white"), hit())
    assert (lies(r), out(r), r.turn) == ((8, 9, "on_board"), (0, 0, 1), "north")


def test_c13_own_last_before_the_queen() -> None:
    assert points(play(board(1, 4), hit("white"))) == ("north", 3, 0)
    back = ICF.with_options({"own_last_before_queen": "returns", "offences.own_last.pieces": 1, "offences.own_last.turn": "lost"})
    r = ruled(board(1, 4, book=back), hit("white"))
    assert (lies(r), out(r), r.turn) == ((2, 4, "on_board"), (2, 0, 0), "north")
    assert points(play(board(1, 4, book=reading(lost_board="queen_and_pieces")), hit("white"))) == ("north", 7, 0)


def test_c14_opponents_piece_pocketed() -> None:
    r = ruled(board(), hit("black"))
    assert (lies(r), out(r), r.turn) == ((6, 5, "on_board"), (0, 0, 0), "north")
    r = ruled(board(book=ICF.with_options({"offences.opponents_piece.pieces": 1})), hit("black"))
    assert (lies(r), out(r), r.turn) == ((7, 5, "on_board"), (1, 0, 0), "north")
    r = ruled(board(book=reading(opponents_piece="returns")), hit("black"))
    assert (lies(r), out(r), r.turn) == ((6, 6, "on_board"), (0, 1, 0), "north")


def test_c15_striker_and_own() -> None:
    r = ruled(board(), hit("white", "white", "striker"))
    assert (lies(r), out(r), r.turn) == ((7, 6, "on_board"), (3, 0, 0), "south")
    r = ruled(board(book=ICF.with_options({"offences.striker_pocketed.turn": "lost"})), hit("white", "white", "striker"))
    assert (lies(r), out(r), r.turn) == ((7, 6, "on_board"), (3, 0, 0), "north")


@pytest.mark.parametrize(
    ("settings", "before", "wanted"),
    [
        ({}, 21, 7),
        ({}, 22, 4),
        ({"points.queen": 5, "queen_up_to": 28, "target": 29, "most": 14}, 28, 9),
        ({"queen_up_to": 24, "target": 29}, 24, 7),
        ({"queen_up_to": 24, "target": 29}, 25, 4),
        ({"points.queen": 5, "queen_up_to": 18, "target": 29}, 18, 9),
        ({"points.queen": 5, "queen_up_to": 18, "target": 29}, 19, 4),
        ({"points.queen": 2, "cover": "none", "target": 23, "max_boards": 4, "most": 11}, 20, 6),
    ],
)
def test_c16_the_queens_value_the_cut_off_and_the_target(settings: dict[str, str | int], before: int, wanted: int) -> None:
    book = ICF.with_options(settings)
    state = play(board(1, 4, "covered:south", scores={"south": before}, book=book), hit("white"))
    assert points(state) == ("south", wanted, 0)


def test_c16_without_a_cover_the_queen_counts_when_pocketed() -> None:
    state = play(board(book=reading(cover="none")), hit("queen"), hit())
    assert (lies(state.rulings[-1]), state.turn) == ((6, 6, "covered:south"), "north")


def test_c17_a_tie_after_the_last_board() -> None:
    sides: tuple[tuple[Seat, Seat], ...] = (("south", "north"), ("north", "south"))
    eight = [Board((hit("white", by=by),), Start(1, 2, f"covered:{loser}", breaker=by, turn=by)) for by, loser in sides * 4]
    extra = rule_match(a_match(*eight, Board()), ICF)
    assert (extra.boards[8].game, extra.boards[8].board, [f.kind for f in extra.boards[8].flags]) == (1, 9, ["extra_board"])
    drawn = rule_match(a_match(*eight, extra_board=False, games=1), ICF)
    assert (drawn.winner, drawn.games) == (None, NOT_HIS)


def test_c18_twelve_at_most_with_what_is_claimed() -> None:
    for left, wanted, extra in ((9, 12, 0), (8, 11, 1), (7, 10, 2)):
        state = play(board(left, 1), hit("black", "striker", bad=True))
        assert points(state) == ("north", wanted, extra)
        if extra:
            assert points(play(state, call("demand", "north"))) == ("north", wanted + extra, 0)


def test_c18_twelve_at_most_where_they_are_always_given() -> None:
    for left, wanted in ((9, 12), (8, 12), (7, 12), (6, 11)):
        assert points(play(board(left, 1, book=reading(extra="always")), hit("black", "striker", bad=True))) == ("north", wanted, 0)


def test_c19_what_may_be_claimed_is_asked_for() -> None:
    state = play(board(1, 3), hit("white", "striker", bad=True))
    assert (points(state), state.scores) == (("north", 3, 2), (0, 3))
    state = play(state, call("demand", "north"))
    assert (points(state), state.scores) == (("north", 5, 0), (0, 5))
    assert points(play(board(1, 3, book=reading(extra="always")), hit("white", "striker", bad=True))) == ("north", 5, 0)
    assert points(play(board(1, 3, book=reading(extra="never")), hit("white", "striker", bad=True))) == ("north", 3, 0)


def test_c20_a_hanging_piece_that_falls_is_pocketed_and_whose_turn_it_credits_is_for_the_umpire() -> None:
    """A log says it as a fall in a stroke that touched no piece."""
    state = play(board(), hit(), hit("black", by="north", touched=False))
    r = state.rulings[-1]
    assert lies(r) == (6, 5, "on_board")
    assert any("hang" in f.text for f in r.flags), "the book is silent on whose turn it credits"
    assert any("hang" in f.text for f in ruled(board(), hit("queen", touched=False)).flags)


def test_c21_time_run_out_is_a_violation_like_any_other() -> None:
    before = ruled(board(), call("timeout"))
    assert (out(before), before.turn, flags(before)) == ((1, 0, 0), "south", ["timeout"])
    after = ruled(board(), hit("white"), call("timeout"))
    assert (out(after), after.turn, flags(after)) == ((1, 0, 0), "north", ["timeout"])
    free = ICF.with_options({"offences.timeout.ruled_as": "itself"})
    r = ruled(board(book=free), call("timeout"))
    assert (out(r), r.turn) == ((0, 0, 0), "south")


def told(state: BoardState) -> list[str]:
    return [d.text for r in state.rulings for d in r.discrepancies]


def test_c22_failed_cover_overlooked_should_have_come_back_stands_as_covered() -> None:
    """5.34."""
    state = play(board(queen="pending:south"), hit(), place(), hit(by="north"))
    assert lies(state.rulings[-1]) == (6, 6, "covered:south")
    assert any("should have been put back" in t and "next stroke" in t and "stands" in t and "covered" in t for t in told(state))


def test_c22_too_few_placed_should_have_been_placed_stands_as_forfeited() -> None:
    """8.7."""
    state = play(board(), hit("white", "striker"), place("white"), hit())
    assert lies(state.rulings[-1]) == (6, 6, "on_board")
    assert any("hould have been put back" in t and "next stroke" in t and "stands" in t and "lapsed" in t for t in told(state))


def test_c22_wrong_colour_placed_should_have_been_white_stands_as_black() -> None:
    """8.8."""
    state = play(board(), hit("striker"), place("black"), hit(by="north"))
    assert lies(state.rulings[-1]) == (6, 7, "on_board")
    assert any("wrong colour" in t and "black" in t and "next stroke" in t and "stands" in t for t in told(state))
    assert any("hould have been put back" in t and "white" in t for t in told(state))


def test_c22_out_of_turn_should_have_lost_the_board_stands_as_played() -> None:
    """11.1."""
    state = play(board(), hit("black", by="north"), hit(by="north"), call("out_of_turn", "north"))
    assert (state.result, lies(state.rulings[-1])) == (None, (6, 5, "on_board"))
    assert any("should have lost the board" in t and "next stroke" in t and "stands" in t for t in told(state))


def test_c22_played_on_noticed_after_the_next_stroke_stands() -> None:
    """11.1, the same player having struck again though nothing had fallen."""
    state = play(board(), hit(), hit(), hit(by="north"), call("out_of_turn", "south"))
    assert state.result is None
    assert any("stands" in t for t in told(state))


BOTH: Final = re.compile(r"\bone reading\b.*\b(the other|else)\b|\bone reading\b.*\banother\b")

SILENT: Final[dict[str, tuple[BoardState, Event]]] = {
    "queen_and_other": (board(), hit("queen", "black")),
    "queen_own_striker_at_nine": (rack(), hit("queen", "white", "striker")),
    "queen_own_with_due": (board(9, 6, dues={"south": 1}), hit("queen", "white")),
    "queen_striker_before_own": (play(rack(), hit("black"), hit("white", by="north")), hit("queen", "striker")),
    "timeout": (board(), call("timeout")),
    "cover_improper_own": (board(queen="pending:south"), hit("white", bad=True)),
    "unlisted_end": (board(5, 1), hit("black", "queen")),
    "last_goes_on": (board(1, 4, "covered:south"), hit("white", bad=True)),
}
"""Where the laws are silent or say two things, by the flag that the ruling carries: a board and the event."""


@pytest.mark.parametrize("kind", SILENT)
def test_a_flag_names_both_readings(kind: str) -> None:
    flag = next(f for f in ruled(*SILENT[kind]).flags if f.kind == kind)
    assert BOTH.search(flag.text), flag.text
