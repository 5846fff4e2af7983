"""The law books "billard-indien" and "billard-indien-championship", clause by clause (told in French)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from models.errors import BadInput
from models.stroke import SEATS, Board, Piece, Seat, Start
from referee.board import apply
from referee.lawbook_files import load_lawbook
from referee.laws import LawBook
from referee.state import BoardState
from tests.referee import boards
from tests.referee.boards import asked, call, flagged, found, hit, lies, many, matched, out, play, rack, ruled, seated

BI = load_lawbook("billard-indien")
BC = load_lawbook("billard-indien-championship")
both_books = pytest.mark.parametrize("book", [BI, BC], ids=lambda b: b.id)


def board(white: int = 6, black: int = 6, queen: str = "on_board", book: LawBook = BI, **more: Any) -> BoardState:
    return boards.board(white, black, queen, book=book, **more)


def won(by: Seat, left: int, queen: Seat = "south") -> Board:
    """A board that a side finishes with white, with so many black pieces left; `queen` has confirmed her."""
    return Board(events=(hit("white", by=by),), start=Start(1, left, f"covered:{queen}", breaker=by, turn=by))


@both_books
def test_bi_1_two_players_or_two_teams_and_white_breaks(book: LawBook) -> None:
    r = ruled(rack(book), hit("white"))
    assert (found(r), r.clauses) == (((8, 9, "on_board"), (0, 0, 0), "south"), ("bi.3",))
    assert ruled(rack(book), hit("black")).turn == "north"
    assert seated(book, *SEATS).table.sides == ("south", "east")
    with pytest.raises(BadInput, match="is for 2 or 4 players, the log has 3"):
        seated(book, "south", "east", "north")


@both_books
def test_bi_1_a_break_that_misses_is_an_ordinary_miss(book: LawBook) -> None:
    r = ruled(rack(book), hit(touched=False))
    assert (found(r), r.fouls) == (((9, 9, "on_board"), (0, 0, 0), "north"), ())


@both_books
def test_bi_2_any_direction_backwards_too(book: LawBook) -> None:
    r = ruled(board(book=book), hit("white", improper=("backward",)))
    assert (found(r), r.fouls, r.flags) == (((5, 6, "on_board"), (0, 0, 0), "south"), (), ())


@pytest.mark.parametrize("how", ["off_baseline", "partial_base_circle", "pushed", "elbow", "body"])
def test_bi_2_an_improper_stroke_has_no_named_penalty_and_is_for_the_umpire(how: str) -> None:
    r = ruled(board(), hit("white", improper=(how,)))
    assert (found(r), r.fouls, bool(r.flags)) == (((5, 6, "on_board"), (0, 0, 0), "north"), (how,), True)
    assert "bi.2" in r.clauses


@both_books
def test_bi_3_own_pieces_go_on(book: LawBook) -> None:
    for fell in (("white",), ("white", "white"), ("black", "white"), ("white", "black", "black")):
        r = ruled(board(book=book), hit(*fell))
        assert found(r) == ((6 - fell.count("white"), 6 - fell.count("black"), "on_board"), (0, 0, 0), "south")
        assert (r.fouls, r.flags, r.clauses) == ((), (), ("bi.3",))


@both_books
def test_bi_3_the_opponents_piece_only_loses_the_turn_and_stays_down_for_him(book: LawBook) -> None:
    r = ruled(board(book=book), hit("black"))
    assert (found(r), r.fouls, r.clauses) == (((6, 5, "on_board"), (0, 0, 0), "north"), (), ("bi.3",))
    r = ruled(board(book=book), hit())
    assert (found(r), r.fouls) == (((6, 6, "on_board"), (0, 0, 0), "north"), ())


def test_bi_3_his_last_piece_before_the_queen_is_for_the_umpire() -> None:
    state = play(board(5, 1), hit("black"))
    assert (state.over, state.turn, bool(state.rulings[-1].flags)) == (False, "north", True)


def test_bi_3_own_last_piece_before_the_queen_is_for_the_umpire() -> None:
    state = play(board(1, 4), hit("white"))
    assert (lies(state.rulings[-1]), state.over, flagged(state.rulings[-1])) == ((1, 4, "on_board"), False, ["last_comes_back"])


@both_books
def test_bi_4_the_queen_before_an_own_piece_goes_back_and_the_turn_is_lost(book: LawBook) -> None:
    r = ruled(rack(book), hit("queen"))
    assert (found(r), r.clauses, asked(r)) == (((9, 9, "on_board"), (0, 0, 1), "north"), ("bi.4",), [("queen", None, 1)])
    assert "before any own piece" in r.text
    assert found(ruled(rack(book), hit("queen", "black"))) == ((9, 8, "on_board"), (0, 0, 1), "north")


def test_bi_4_with_the_first_own_piece_is_for_the_umpire() -> None:
    r = ruled(rack(BI), hit("queen", "white"))
    assert (lies(r), r.turn, flagged(r)) == ((8, 9, "pending:south"), "south", ["queen_with_first_own"])


@both_books
def test_bi_5_the_next_stroke_must_confirm_her(book: LawBook) -> None:
    state = play(board(book=book), hit("queen"))
    assert (str(state.queen), state.turn, state.rulings[-1].clauses) == ("pending:south", "south", ("bi.5",))
    r = ruled(state, hit("white"))
    assert (found(r), "bi.5" in r.clauses) == (((5, 6, "covered:south"), (0, 0, 0), "south"), True)
    r = ruled(state, hit("white", "black"))
    assert found(r) == ((5, 5, "covered:south"), (0, 0, 0), "south")
    for miss in (hit(), hit(touched=False)):
        r = ruled(state, miss)
        assert (found(r), r.fouls, "bi.5" in r.clauses) == (((6, 6, "on_board"), (0, 0, 1), "north"), (), True)


def test_bi_5_the_opponents_piece_does_not_confirm_her() -> None:
    r = ruled(board(), hit("queen"), hit("black"))
    assert found(r) == ((6, 5, "on_board"), (0, 0, 1), "north")


def test_bi_5_with_an_own_or_the_opponents_piece_in_one_stroke_is_for_the_umpire() -> None:
    assert flagged(ruled(board(), hit("queen", "white"))) == ["queen_with_own"]
    assert flagged(ruled(board(), hit("queen", "black"))) == ["queen_and_other"]


@both_books
def test_bi_6_the_striker_pocketed(book: LawBook) -> None:
    r = ruled(board(book=book), hit("striker"))
    assert (found(r), r.fouls, r.clauses) == (((7, 6, "on_board"), (1, 0, 0), "north"), ("striker_pocketed",), ("bi.6",))
    assert found(ruled(board(book=book), hit("striker", "black"))) == ((7, 5, "on_board"), (1, 0, 0), "north")


@both_books
@pytest.mark.parametrize("own", [1, 2])
def test_bi_6_with_own_pieces_two_come_back(book: LawBook, own: int) -> None:
    r = ruled(board(book=book), hit("striker", *many("white", own)))
    assert (found(r), r.fouls) == (((8 - own, 6, "on_board"), (2, 0, 0), "north"), ("striker_pocketed",))
    assert "bi.6" in r.clauses


def test_bi_6_the_queen_with_the_striker() -> None:
    r = ruled(board(), hit("queen", "striker"))
    assert found(r) == ((7, 6, "on_board"), (1, 0, 1), "north")
    r = ruled(board(), hit("queen"), hit("striker"))
    assert (found(r), {"bi.5", "bi.6"} <= set(r.clauses)) == (((7, 6, "on_board"), (1, 0, 1), "north"), True)


def test_bi_6_a_cover_with_the_striker_is_for_the_umpire() -> None:
    r = ruled(board(), hit("queen"), hit("white", "striker"))
    assert (lies(r)[:2], r.out["white"], r.turn) == ((7, 6), 2, "north")
    assert r.flags, "the source does not say whether a piece that comes back has confirmed her"


def test_bi_6_last_piece_with_the_striker_after_the_queen() -> None:
    state = play(board(1, 4, "covered:south"), hit("white", "striker"))
    assert (found(state.rulings[-1]), state.over) == (((2, 4, "covered:south"), (2, 0, 0), "north"), False)


def test_bi_6_nothing_to_pay_with_is_for_the_umpire() -> None:
    r = ruled(board(9, 6), hit("striker"))
    assert (found(r), r.dues["south"], bool(r.flags)) == (((9, 6, "on_board"), (0, 0, 0), "north"), 1, True)


def test_bi_6_paid_with_the_first_piece_that_falls() -> None:
    r = ruled(board(9, 6), hit("striker"), hit(by="north"), hit("white", "white"))
    assert (found(r), r.dues["south"]) == (((8, 6, "on_board"), (1, 0, 0), "south"), 0)
    r = ruled(board(9, 6), hit("striker", "white"))
    assert (found(r), r.dues["south"]) == (((9, 6, "on_board"), (1, 0, 0), "north"), 1)


@both_books
@pytest.mark.parametrize("off", [("white",), ("black",), ("queen",), ("white", "black"), ("queen", "white")])
def test_bi_7_what_leaves_the_board_goes_to_the_centre(book: LawBook, off: tuple[Piece, ...]) -> None:
    r = ruled(board(book=book), hit("white", off_board=off))
    assert (found(r), r.fouls) == (((5, 6, "on_board"), (0, 0, 0), "south"), ())
    assert ("bi.7" in r.clauses, "To the centre circle" in r.text) == (True, True)
    assert {(p, by) for p, by, _ in asked(r)} == {(p, None) for p in off}
    assert found(ruled(board(book=book), hit(off_board=off))) == ((6, 6, "on_board"), (0, 0, 0), "north")


def test_bi_7_the_striker_off_the_board_is_for_the_umpire() -> None:
    r = ruled(board(), hit(off_board=("striker",)))
    assert (found(r), bool(r.flags)) == (((6, 6, "on_board"), (0, 0, 0), "north"), True)


@both_books
def test_bi_8_four_players_anticlockwise(book: LawBook) -> None:
    state, order = boards.board(book=book, doubles=True), []
    for _ in range(5):
        assert state.turn
        order.append(state.turn)
        state = apply(state, hit(by=state.turn))
    assert order == ["south", "east", "north", "west", "south"]


def test_bi_9_a_board_ends_when_a_side_has_all_its_pieces_and_the_queen_is_confirmed() -> None:
    for queen in ("covered:south", "covered:north"):
        state = play(board(1, 4, queen), hit("white"))
        assert state.result
        assert (state.result.winner, "bi.9" in state.result.clauses) == ("south", True)
    assert play(board(1, 4), hit("queen"), hit("white")).over


def test_bi_9_the_opponent_may_finish_it_for_a_side() -> None:
    state = play(board(4, 1, "covered:south"), hit("black"))
    assert state.result
    assert (state.result.winner, state.result.points) == ("north", {"south": 5, "north": 13})
    assert "bi.9" in state.result.clauses


@both_books
def test_bi_9_after_eight_boards_the_higher_total_wins(book: LawBook) -> None:
    eight = [won("south", 4), won("north", 2, "north")] * 4
    assert matched(book, *eight[:7]).winner is None
    r = matched(book, *eight)
    assert (r.scores, r.winner) == ({"south": 4 * (16 + 7), "north": 4 * (5 + 14)}, "south")
    with pytest.raises(BadInput, match="the match was over after board 8"):
        matched(book, *eight, Board())


def test_bi_9_a_tie_after_eight_boards() -> None:
    eight = [won("south", 4, "south"), won("north", 4, "north")] * 4
    r = matched(BI, *eight)
    assert (r.scores["south"] == r.scores["north"], r.winner) == (True, None)
    assert [f.kind for f in matched(BI, *eight, Board()).boards[8].flags] == ["extra_board"]
    with pytest.raises(BadInput, match="it was drawn"):
        matched(BI, *eight, Board(), extra_board=False)


def test_bi_9_the_break_alternates() -> None:
    assert [b.breaker for b in matched(BI, *[Board()] * 3).boards] == ["south", "north", "south"]


@both_books
@pytest.mark.parametrize(
    ("queen", "left", "points"),
    [
        ("covered:south", 4, (16, 5)),
        ("covered:north", 4, (13, 5)),
        ("covered:south", 9, (21, 0)),
        ("covered:north", 1, (10, 8)),
    ],
)
def test_bi_10_own_pieces_the_queen_and_the_opponents_pieces_left(book: LawBook, queen: str, left: int, points: tuple[int, int]) -> None:
    state = play(board(1, left, queen, book), hit("white"))
    assert state.result
    assert (state.result.winner, state.result.points) == ("south", {"south": points[0], "north": points[1]})
    assert "bi.10" in state.result.clauses
    assert state.rulings[-1].scores == state.result.points


def test_bi_10_both_last_pieces_in_one_stroke() -> None:
    state = play(board(1, 1, "covered:south"), hit("white", "black"))
    assert state.result
    assert (state.result.winner, state.result.points) == ("south", {"south": 12, "north": 9})


def test_bi_10_totals_over_several_boards() -> None:
    r = matched(BI, won("south", 4), won("north", 2, "south"))
    assert r.scores == {"south": 16 + 7, "north": 5 + 11}


def test_bc_1_to_bc_2_nothing_of_them_is_in_a_log() -> None:
    assert {"bc.1", "bc.2"}.isdisjoint(c for cited in BC.clauses.values() for c in cited)


def test_bc_3_15_seconds_for_a_stroke() -> None:
    assert not ruled(board(book=BC), hit("white", seconds=15.0)).flags
    r = ruled(board(book=BC), hit("white", seconds=15.5))
    assert (found(r), flagged(r)) == (((5, 6, "on_board"), (0, 0, 0), "south"), ["over_clock"])
    r = ruled(board(book=BC), call("timeout"))
    assert (found(r), flagged(r), r.clauses) == (((6, 6, "on_board"), (0, 0, 0), "south"), ["silent_call"], ("bc.3",))
    assert ruled(board(book=BC), call("play")).clauses == ("bc.3",)


def test_bc_4_places_change_after_each_board() -> None:
    r = matched(BC, won("south", 4), won("north", 4))
    assert [[f.kind for f in b.notices] for b in r.boards] == [["change_sides"], ["change_sides"]]
    assert [[f.kind for f in b.notices] for b in matched(BI, won("south", 4)).boards] == [[]]


def test_bc_4_in_doubles_one_place_to_the_right() -> None:
    r = matched(BC, won("south", 4), seats=SEATS)
    assert [f.kind for f in r.boards[0].notices] == ["change_places"]
    assert "one place to the right" in r.boards[0].notices[0].text


def test_bc_5_a_piece_that_jumps_off_is_put_to_the_centre_by_the_umpire() -> None:
    r = ruled(board(book=BC), hit(off_board=("black",)))
    assert (asked(r), "bc.5" in r.clauses, r.fouls) == ([("black", None, 1)], True, ())


def test_bc_7_partners_talking() -> None:
    state = boards.board(book=BC, doubles=True)
    r = ruled(state, call("talking"))
    assert (lies(r)[0], r.out["white"], r.turn, r.fouls, r.clauses) == (7, 1, "east", ("talking",), ("bc.7",))
    assert "given_to_opponent" in flagged(r)


def test_bc_7_by_a_pair_not_at_turn() -> None:
    r = ruled(boards.board(book=BC, doubles=True), call("talking", "east"))
    assert (lies(r), r.out["black"], r.turn) == ((6, 7, "on_board"), 1, "south")
    r = ruled(boards.board(book=BC, doubles=True), call("talking", "north"))
    assert (r.out["white"], r.turn) == (1, "east")


def test_bc_7_while_the_queen_is_to_be_confirmed() -> None:
    r = ruled(boards.board(queen="pending:south", book=BC, doubles=True), call("talking"))
    assert (r.queen.state, r.turn) == ("on_board", "east")


def test_bc_8_conceding_only_in_ones_own_turn() -> None:
    state = play(board(book=BC), call("concede", "north"))
    r = state.rulings[-1]
    assert (state.over, [d.kind for d in r.discrepancies], r.clauses) == (False, ["not_his_turn"], ("bc.8",))
    r2 = matched(BC, Board(events=(call("concede", "south"),)))
    assert (r2.winner, r2.boards[0].result is not None) == ("north", True)
    assert play(board(), call("concede", "north")).over


def test_bc_9_an_accepted_protest_replays_the_board() -> None:
    events = (hit("white"), call("replay", "north"))
    r = matched(BC, Board(events=events), Board())
    assert r.boards[0].result
    assert (r.boards[0].result.replay, r.boards[0].result.winner, r.boards[1].breaker) == (True, None, "south")
    assert ("bc.9" in r.boards[0].result.clauses, r.scores) == (True, {"south": 0, "north": 0})
    over = replace(won("south", 4), events=(hit("white"), call("replay", "north")))
    assert matched(BC, over).scores == {"south": 0, "north": 0}


@pytest.mark.parametrize("what", ["abusive", "refused", "left_seat"])
def test_bc_10_disqualified(what: str) -> None:
    r = matched(BC, Board(events=(hit("white"), call(what, "north"))))
    assert (r.winner, r.boards[0].rulings[-1].clauses) == ("south", ("bc.10",))


def test_bc_10_a_third_interruption() -> None:
    again = call("interrupted", "north")
    state = play(board(book=BC), again, call("interrupted", "south"), again)
    assert (state.over, state.turn, out(state.rulings[-1])) == (False, "south", (0, 0, 0))
    assert state.rulings[-1].clauses == ("bc.10",)
    state = play(state, again)
    assert state.result
    assert (state.result.award, state.result.clauses) == (("match", "south"), ("bc.10",))


def test_bc_10_interruptions_are_counted_through_the_match() -> None:
    again = call("interrupted", "north")
    first = replace(won("south", 4), events=(again, again, hit("white")))
    assert matched(BC, first).winner is None
    assert matched(BC, first, Board(events=(again,))).winner == "south"


@pytest.mark.parametrize("what", ["foul", "technical_foul", "out_of_turn", "disturbed"])
def test_bc_10_other_calls_are_for_the_umpire(what: str) -> None:
    r = ruled(board(book=BC), call(what))
    assert (found(r), flagged(r)) == (((6, 6, "on_board"), (0, 0, 0), "south"), ["silent_call"])


@pytest.mark.parametrize("what", ["talking", "interrupted", "abusive", "refused", "left_seat", "timeout"])
def test_bi_the_club_rules_know_none_of_these_calls(what: str) -> None:
    assert flagged(ruled(board(), call(what))) == ["silent_call"]
