"""The law books "gamerules" and "gamerules-3", clause by clause (told in Slovak and in Gujarati)."""

from __future__ import annotations

from typing import Any

import pytest

from models.errors import BadInput
from models.stroke import SEATS, Board, Event, Piece, Seat, Start
from referee.board import apply
from referee.lawbook_files import load_lawbook
from referee.state import BoardState
from tests.referee import boards
from tests.referee.boards import asked, call, flagged, found, hit, lies, many, matched, out, play, rack, ruled, seated

GR = load_lawbook("gamerules")
G3 = load_lawbook("gamerules-3")
THREE: tuple[Seat, ...] = ("south", "east", "north")


def board(white: int = 6, black: int = 6, queen: str = "on_board", **more: Any) -> BoardState:
    return boards.board(white, black, queen, book=GR, **more)


def won(by: Seat, left: int, queen: str = "on_board") -> Board:
    """A board that a side finishes with white, the Queen covered by the other unless told otherwise."""
    other: Seat = "north" if by == "south" else "south"
    start = Start(1, left, f"covered:{other}" if queen == "on_board" else queen, breaker=by, turn=by)
    return Board(events=(hit("white", by=by),), start=start)


def test_gr_1_two_or_four_play_and_the_first_has_white() -> None:
    assert ruled(rack(GR), hit("white")).continues
    assert ruled(rack(GR), hit("black")).fouls == ("opponents_piece",)
    assert seated(GR, *SEATS).table.sides == ("south", "east")
    with pytest.raises(BadInput, match="law book gamerules is for 2 or 4 players, the log has 3"):
        seated(GR, *THREE)


def test_gr_1_partners_share_a_colour() -> None:
    r = ruled(boards.board(book=GR, doubles=True), hit(), hit(by="east"), hit("white", by="north"))
    assert (r.turn, r.fouls, lies(r)) == ("north", (), (5, 6, "on_board"))


def test_gr_2_three_tries_to_break() -> None:
    miss = hit(touched=False)
    for tries in (1, 2):
        r = ruled(rack(GR), *(miss,) * tries)
        assert (found(r), r.continues, r.fouls, r.clauses) == (((9, 9, "on_board"), (0, 0, 0), "south"), True, (), ("gr.2",))
    r = ruled(rack(GR), miss, miss, miss)
    assert (r.turn, r.fouls, r.dues) == ("north", ("failed_break",), {"south": 1, "north": 0})
    assert {"gr.2", "gr.6", "gr.7"} <= set(r.clauses)


@pytest.mark.parametrize("how", ["off_baseline", "partial_base_circle", "pushed", "elbow", "body", "moved_piece"])
def test_gr_3_an_improper_stroke_is_a_foul(how: str) -> None:
    r = ruled(board(), hit("white", improper=(how,)))
    assert (found(r), r.fouls) == (((6, 6, "on_board"), (1, 0, 0), "north"), (how,))
    assert {"gr.3", "gr.6", "gr.7"} <= set(r.clauses)


@pytest.mark.parametrize("fell", [("white",), ("queen",), ("white", "white"), ("queen", "white")])
def test_gr_4_own_piece_or_queen_strike_again(fell: tuple[Piece, ...]) -> None:
    r = ruled(board(), hit(*fell))
    assert (r.turn, r.continues, r.fouls, out(r)) == ("south", True, (), (0, 0, 0))


def test_gr_4_nothing_pocketed_or_a_foul_ends_the_turn() -> None:
    for stroke in (hit(), hit(touched=False)):
        r = ruled(board(), stroke)
        assert (found(r), r.fouls, r.clauses) == (((6, 6, "on_board"), (0, 0, 0), "north"), (), ("gr.4",))
    assert "gr.4" in ruled(board(), hit("white")).clauses
    assert ruled(board(), hit("white", "striker")).turn == "north"


def test_gr_5_taken_before_an_own_piece_she_goes_back_at_the_end_of_the_turn() -> None:
    state = play(rack(GR), hit("queen"), hit("white"))
    assert (out(state.rulings[0]), state.turn, state.rulings[0].clauses) == ((0, 0, 0), "south", ("gr.5",))
    r = ruled(state, hit())
    assert (found(r), asked(r)) == (((8, 9, "on_board"), (0, 0, 1), "north"), [("queen", "north", 1)])
    assert "gr.5" in r.clauses


def test_gr_5_another_own_piece_covers_her() -> None:
    state = play(board(), hit("queen"))
    assert (str(state.queen), state.turn) == ("pending:south", "south")
    r = ruled(state, hit("white"))
    assert (found(r), "gr.5" in r.clauses) == (((5, 6, "covered:south"), (0, 0, 0), "south"), True)
    r = ruled(state, hit())
    assert (found(r), asked(r), "gr.5" in r.clauses) == (((6, 6, "on_board"), (0, 0, 1), "north"), [("queen", "north", 1)], True)


def test_gr_5_in_one_stroke_with_an_own_piece_is_for_the_umpire() -> None:
    r = ruled(board(), hit("queen", "white"))
    assert (lies(r), flagged(r)) == ((5, 6, "covered:south"), ["queen_with_own"])
    r = ruled(rack(GR), hit("queen", "white"))
    assert (lies(r), flagged(r)) == ((8, 9, "pending:south"), ["queen_with_first_own"])


def test_gr_6_one_own_piece_returns_placed_by_the_opponent() -> None:
    r = ruled(board(), hit("striker"))
    assert (found(r), asked(r)) == (((7, 6, "on_board"), (1, 0, 0), "north"), [("white", "north", 1)])
    assert "gr.6" in r.clauses


def test_gr_6_whatever_else_returns_is_placed_by_the_opponent_too() -> None:
    r = ruled(board(), hit("queen", "black"))
    assert set(asked(r)) == {("white", "north", 1), ("black", "north", 1), ("queen", "north", 1)}


def test_gr_6_nothing_to_pay_with_is_for_the_umpire() -> None:
    r = ruled(board(9, 6), hit("striker"))
    assert (found(r), r.dues["south"]) == (((9, 6, "on_board"), (0, 0, 0), "north"), 1)
    assert r.flags, "the book does not say what happens where no piece has been pocketed"


def test_gr_6_paid_once_a_piece_is_pocketed() -> None:
    r = ruled(board(9, 6), hit("striker"), hit(by="north"), hit("white"), hit())
    assert (found(r), r.dues["south"]) == (((9, 6, "on_board"), (1, 0, 0), "north"), 0)


@pytest.mark.parametrize("off", ["white", "black", "queen"])
def test_gr_7_a_piece_off_the_board(off: Piece) -> None:
    r = ruled(board(), hit("white", off_board=(off,)))
    assert (found(r), r.fouls) == (((6, 6, "on_board"), (1, 0, 0), "north"), ("piece_off_board",))
    assert {"gr.6", "gr.7"} <= set(r.clauses)


def test_gr_7_the_striker_off_the_board_is_for_the_umpire() -> None:
    r = ruled(board(), hit(off_board=("striker",)))
    assert r.fouls or r.flags, "the book names pieces that leave the board; whether the striker is one, it does not say"


def test_gr_7_the_striker_pocketed_and_a_piece_touched() -> None:
    r = ruled(board(), hit("white", "striker"))
    assert (found(r), r.fouls) == (((6, 6, "on_board"), (1, 0, 0), "north"), ("striker_pocketed",))
    assert {"gr.6", "gr.7"} <= set(r.clauses)
    r = ruled(board(), call("foul"))
    assert (found(r), "gr.7" in r.clauses) == (((7, 6, "on_board"), (1, 0, 0), "north"), True)


def test_gr_7_two_fouls_in_one_stroke_cost_one_piece_and_are_for_the_umpire() -> None:
    r = ruled(board(), hit("striker", off_board=("black",)))
    assert (found(r), set(r.fouls), flagged(r)) == (
        ((7, 6, "on_board"), (1, 0, 0), "north"), {"striker_pocketed", "piece_off_board"}, ["one_penalty"],
    )  # fmt: skip


def test_gr_8_the_opponents_piece_returns() -> None:
    r = ruled(board(), hit("black"))
    assert (found(r), r.fouls) == (((7, 6, "on_board"), (1, 1, 0), "north"), ("opponents_piece",))
    assert {"gr.6", "gr.7", "gr.8"} <= set(r.clauses)
    assert found(ruled(board(), hit("black", "black"))) == ((7, 6, "on_board"), (1, 2, 0), "north")


@pytest.mark.parametrize("fell", [("queen", "black"), ("white", "black", "queen")])
def test_gr_8_and_the_queen_if_she_fell(fell: tuple[Piece, ...]) -> None:
    r = ruled(board(), hit(*fell))
    assert found(r) == ((7 - fell.count("white"), 6, "on_board"), (1, 1, 1), "north")


def test_gr_8_a_cover_together_with_the_opponents_piece() -> None:
    r = ruled(board(), hit("queen"), hit("white", "black"))
    assert found(r) == ((6, 6, "on_board"), (1, 1, 1), "north")


def test_gr_8_the_other_pieces_stay_down() -> None:
    assert found(ruled(board(), hit("white", "white", "black"))) == ((5, 6, "on_board"), (1, 1, 0), "north")


def test_gr_9_all_own_pieces_before_the_queen() -> None:
    state = play(board(1, 4), hit("white"))
    r = state.rulings[-1]
    assert (found(r), r.fouls, state.over) == (((2, 4, "on_board"), (2, 0, 0), "north"), ("own_last",), False)
    assert "gr.9" in r.clauses
    assert found(ruled(board(2, 4), hit("white", "white"))) == ((2, 4, "on_board"), (2, 0, 0), "north")


@pytest.mark.parametrize("queen", ["on_board", "covered:south", "covered:north"])
def test_gr_9_the_opponents_last_piece_returns_with_the_penalty_piece(queen: str) -> None:
    state = play(board(5, 1, queen), hit("black"))
    assert (found(state.rulings[-1]), state.over) == (((6, 1, queen), (1, 1, 0), "north"), False)
    assert "gr.9" in state.rulings[-1].clauses


def test_gr_9_both_last_pieces_in_one_stroke() -> None:
    state = play(board(1, 1, "covered:south"), hit("white", "black"))
    assert (found(state.rulings[-1]), state.over) == (((1, 1, "covered:south"), (1, 1, 0), "north"), False)


def test_gr_11_either_side_ends_the_board_and_the_queen_counts_only_for_him_who_pocketed_her() -> None:
    for queen, points in (("covered:south", 9), ("covered:north", 4)):
        state = play(board(1, 4, queen), hit("white"))
        assert state.result
        assert (state.result.winner, state.result.points) == ("south", {"south": points, "north": 0})
        assert "gr.11" in state.result.clauses
    state = play(board(4, 1, "covered:south", turn="north"), hit("black", by="north"))
    assert state.result
    assert (state.result.winner, state.result.points) == ("north", {"south": 0, "north": 4})


def test_gr_11_the_queen_counts_at_any_score() -> None:
    state = play(board(1, 4, "covered:south", scores={"south": 24}), hit("white"))
    assert state.result
    assert (state.result.points["south"], state.scores) == (9, (33, 0))


def test_gr_12_25_points_win_the_match() -> None:
    r = matched(GR, won("south", 9, "covered:south"), won("south", 9, "covered:south"))
    assert (r.scores, r.winner) == ({"south": 28, "north": 0}, "south")
    with pytest.raises(BadInput, match="the match was over after board 2"):
        matched(GR, won("south", 9, "covered:south"), won("south", 9, "covered:south"), Board())
    assert matched(GR, won("south", 9, "covered:south"), won("south", 9)).winner is None


def test_gr_12_after_eight_boards_the_higher_total_wins() -> None:
    eight = [won("south" if k % 2 else "north", 2 + k % 2) for k in range(8)]
    assert matched(GR, *eight[:7]).winner is None
    r = matched(GR, *eight)
    assert (r.scores, r.winner) == ({"south": 12, "north": 8}, "south")


def test_gr_12_a_tie_after_eight_boards_goes_on() -> None:
    eight = [won("south" if k % 2 else "north", 2) for k in range(8)]
    assert matched(GR, *eight).winner is None
    r = matched(GR, *eight, won("north", 1))
    assert (r.winner, r.boards[8].board) == ("north", 9)
    assert [f.kind for f in matched(GR, *eight, Board()).boards[8].flags] == ["extra_board"]
    r = matched(GR, *eight, extra_board=False)
    assert (r.winner, r.games) == (None, {"south": 0, "north": 0})
    with pytest.raises(BadInput, match="the match was over after board 8: it was drawn"):
        matched(GR, *eight, Board(), extra_board=False)


def test_gr_12_the_break_alternates() -> None:
    assert [b.breaker for b in matched(GR, *[Board()] * 3).boards] == ["south", "north", "south"]


def three(white: int = 6, black: int = 6, queen: str = "on_board", *, turn: Seat = "south", **start: Any) -> BoardState:
    return seated(G3, *THREE, start=Start(white, black, queen, turn=turn, **start))


def test_g3_1_points_for_whoever_pockets() -> None:
    for fell, points in ((("white",), 2), (("black",), 1), (("queen",), 5), (("white", "black", "black"), 4), (("queen", "white"), 7)):
        r = ruled(seated(G3, *THREE), hit(*fell))
        assert (r.scores, r.turn, r.fouls, out(r)) == ({"south": points, "east": 0, "north": 0}, "south", (), (0, 0, 0))
        assert "g3.1" in r.clauses


def test_g3_1_three_play_in_turn() -> None:
    state, order = seated(G3, *THREE), []
    for _ in range(4):
        assert state.turn
        order.append(state.turn)
        state = apply(state, hit(by=state.turn))
    assert order == ["south", "east", "north", "south"]
    with pytest.raises(BadInput, match="law book gamerules-3 is for 3 players, the log has 2"):
        seated(G3)


def test_g3_2_the_target_ends_the_board_in_the_middle() -> None:
    state = play(three(scores={"east": 22}, turn="east"), hit("white", by="east"))
    assert (state.over, state.rulings[-1].scores["east"]) == (False, 24)
    state = play(state, hit("black", by="east"))
    assert state.result
    assert (state.result.winner, lies(state.rulings[-1]), "g3.2" in state.result.clauses) == ("east", (5, 5, "on_board"), True)
    r = matched(G3, Board(events=(hit("white"),), start=Start(scores={"south": 23})), seats=THREE)
    assert (r.winner, r.scores) == ("south", {"south": 25, "east": 0, "north": 0})


def test_g3_2_a_board_ends_when_it_is_empty() -> None:
    state = play(three(1, 0, scores={"north": 3}, turn="north"), hit("white", by="north"))
    assert not state.over
    state = play(state, hit("queen", by="north"))
    assert state.result
    assert (state.result.points, state.rulings[-1].scores["north"]) == ({"south": 0, "east": 0, "north": 7}, 10)
    assert "g3.2" in state.result.clauses


def test_g3_2_after_eight_boards_the_highest_total_wins() -> None:
    def last(by: Seat, black: int) -> Board:
        return Board(events=(hit(*many("black", black), by=by),), start=Start(0, black, "covered:south", breaker=by, turn=by))

    eight = [last(THREE[k % 3], 1 + k % 3) for k in range(8)]
    r = matched(G3, *eight, seats=THREE)
    assert (r.scores, r.winner) == ({"south": 3, "east": 6, "north": 6}, None)
    r = matched(G3, *eight[:7], last("north", 3), seats=THREE)
    assert (r.scores, r.winner) == ({"south": 3, "east": 4, "north": 9}, "north")


def test_g3_2_the_break_goes_round() -> None:
    assert [b.breaker for b in matched(G3, *[Board()] * 4, seats=THREE).boards] == ["south", "east", "north", "south"]


@pytest.mark.parametrize(
    ("event", "foul"),
    [
        (hit("striker"), "striker_pocketed"),
        (hit(off_board=("white",)), "piece_off_board"),
        (hit(off_board=("queen",)), "piece_off_board"),
        (hit(bad=True), "pushed"),
        (hit(improper=("moved_piece",)), "moved_piece"),
        (call("foul"), "foul"),
    ],
)
def test_g3_3_a_foul_ends_the_turn_and_one_piece_won_returns_with_its_points(event: Event, foul: str) -> None:
    state = play(seated(G3, *THREE), hit("black"), hit("white"))
    r = ruled(state, event)
    assert (found(r), r.fouls, r.scores) == (((9, 8, "on_board"), (1, 0, 0), "east"), (foul,), {"south": 1, "east": 0, "north": 0})
    assert "g3.3" in r.clauses


def test_g3_3_the_most_recent_piece_returns_and_others_keep_theirs() -> None:
    state = play(seated(G3, *THREE), hit("white"), hit("black"), hit(), hit("white", by="east"), hit(by="east"), hit(by="north"))
    r = ruled(state, hit("striker"))
    assert (found(r), r.scores) == (((7, 9, "on_board"), (0, 1, 0), "east"), {"south": 2, "east": 2, "north": 0})
    r = ruled(seated(G3, *THREE), hit("white"), hit("queen"), hit("striker"))
    assert (found(r), r.scores["south"]) == (((8, 9, "on_board"), (0, 0, 1), "east"), 2)


def test_g3_3_with_the_striker_the_piece_of_the_stroke_comes_back() -> None:
    r = ruled(three(taken={"south": {"black": 2}}), hit("white", "striker"))
    assert (found(r), r.scores["south"]) == (((6, 6, "on_board"), (1, 0, 0), "east"), 2)


def test_g3_3_pieces_won_before_the_log_began() -> None:
    state = three(taken={"south": {"white": 2}, "east": {"black": 1}})
    r = ruled(state, hit("striker"))
    assert (found(r), r.scores, r.flags) == (((7, 6, "on_board"), (1, 0, 0), "east"), {"south": 2, "east": 1, "north": 0}, ())
    r = ruled(three(taken={"south": {"white": 1, "black": 1, "queen": 1}}, queen="covered:south"), hit("striker"))
    assert (found(r), r.scores["south"], flagged(r)) == (((6, 7, "covered:south"), (0, 1, 0), "east"), 7, ["winner_unknown"])


def test_g3_3_a_foul_does_not_win() -> None:
    state = play(three(scores={"south": 24}), hit("white", "striker"))
    assert (state.over, state.rulings[-1].scores["south"], lies(state.rulings[-1])) == (False, 24, (6, 6, "on_board"))


def test_g3_3_three_tries_to_break() -> None:
    miss = hit(touched=False)
    assert ruled(seated(G3, *THREE), miss, miss).turn == "south"
    r = ruled(seated(G3, *THREE), miss, miss, miss)
    assert (found(r), r.fouls, "g3.3" in r.clauses) == (((9, 9, "on_board"), (0, 0, 0), "east"), ("failed_break",), True)


def test_g3_3_nothing_won_to_give_back_is_for_the_umpire() -> None:
    r = ruled(three(), hit("striker"))
    assert (found(r), bool(r.flags)) == (((6, 6, "on_board"), (0, 0, 0), "east"), True)


def test_g3_3_the_striker_off_the_board_is_for_the_umpire() -> None:
    r = ruled(seated(G3, *THREE), hit("white", off_board=("striker",)))
    assert r.fouls or r.flags, "of what leaves the board the source names pieces only"


def test_g3_3_the_queen_scores_when_pocketed() -> None:
    r = ruled(seated(G3, *THREE), hit("queen"), hit())
    assert (lies(r), r.scores["south"], r.turn) == ((9, 9, "covered:south"), 5, "east")


def test_g3_3_nobody_wins_what_one_of_three_loses() -> None:
    for what in ("abusive", "concede"):
        state = play(three(), call(what))
        assert (state.over, bool(state.rulings[-1].flags)) == (False, True)


def test_g3_3_the_last_piece_with_the_striker_leaves_a_piece() -> None:
    state = play(three(0, 1, "covered:east"), hit("black", "striker"))
    assert (found(state.rulings[-1]), state.over) == (((0, 1, "covered:east"), (0, 1, 0), "east"), False)
