"""The law books of the 22Softwares modes, clause by clause (told in Tamil)."""

from __future__ import annotations

from typing import Any

import pytest

from models.errors import BadInput
from models.stroke import IMPROPER, SEATS, Board, Event, Piece, Seat, Start, Stroke
from referee.lawbook_files import load_lawbook
from referee.laws import LawBook
from referee.state import BoardState
from tests.referee import boards
from tests.referee.boards import asked, call, flagged, found, hit, lies, many, matched, out, play, rack, ruled, seated

CLASSIC, GAME_29, POOL, FREESTYLE, TAL_GACH, DAILY = (
    load_lawbook(f"22s-{mode}") for mode in ("classic", "29", "disc-pool", "freestyle", "tal-gach", "daily")
)
MODES = (CLASSIC, GAME_29, POOL, FREESTYLE, TAL_GACH, DAILY)
every_mode = pytest.mark.parametrize("book", MODES, ids=lambda b: b.id)
OFF: tuple[Piece, ...] = ("striker",)


def off(*fell: Piece, by: Seat = "south") -> Stroke:
    """A stroke whose striker leaves the board."""
    return hit(*fell, by=by, off_board=OFF)


def board(white: int = 6, black: int = 6, queen: str = "on_board", book: LawBook = CLASSIC, **more: Any) -> BoardState:
    return boards.board(white, black, queen, book=book, **more)


def open_board(book: LawBook, white: int = 6, black: int = 6, queen: str | None = None, **start: Any) -> BoardState:
    return seated(book, start=Start(white, black, queen, turn="south", **start))


@every_mode
def test_22_1_at_most_one_foul_striker_off_the_board_before_no_touch(book: LawBook) -> None:
    state = seated(book)
    assert ruled(state, hit(touched=False, off_board=OFF)).fouls == ("striker_off_board",)
    assert ruled(state, off()).fouls == ("striker_off_board",)
    assert ruled(state, hit(touched=False)).fouls == ("no_touch",)
    assert ruled(state, hit()).fouls == ()


@every_mode
def test_22_1_a_piece_off_the_board_is_for_the_umpire(book: LawBook) -> None:
    r = ruled(seated(book), hit(off_board=("white",)))
    assert (r.white, r.fouls, "To the centre circle: white" in r.text) == (9, (), True)
    assert r.flags, "the makers tell of pieces thrown up, not of what becomes of one that stays off"


@every_mode
def test_22_2_the_striker_cannot_be_pocketed(book: LawBook) -> None:
    state = seated(book)
    r, plain = ruled(state, hit("striker")), ruled(state, hit())
    assert (found(r), r.fouls, r.scores) == (found(plain), (), plain.scores)
    assert ("22.2" in r.clauses, flagged(r)) == (True, ["striker_cannot_fall"])
    assert ruled(state, hit("white", "striker")).turn == ruled(state, hit("white")).turn == "south"


@every_mode
def test_22_5_any_direction_is_allowed(book: LawBook) -> None:
    for reason in IMPROPER:
        r = ruled(seated(book), hit("white", improper=(reason,)))
        assert (r.white, r.black, out(r), r.turn, r.fouls) == (8, 9, (0, 0, 0), "south", ())


def test_22c_1_striker_off_the_board() -> None:
    r = ruled(board(), off("white", "black", "white"))
    assert (found(r), r.fouls, r.clauses) == (((7, 6, "on_board"), (3, 1, 0), "north"), ("striker_off_board",), ("22c.1",))
    r = ruled(board(), off())
    assert (found(r), asked(r)[0][0]) == (((7, 6, "on_board"), (1, 0, 0), "north"), "white")


def test_22c_1_the_queen_of_that_stroke_and_a_pending_cover() -> None:
    r = ruled(board(), off("queen"))
    assert found(r) == ((7, 6, "on_board"), (1, 0, 1), "north")
    assert "22c.1" in r.clauses
    r = ruled(board(), hit("queen"), off("white"))
    assert found(r) == ((7, 6, "on_board"), (2, 0, 1), "north")
    assert "22c.1" in r.clauses
    assert lies(ruled(board(queen="covered:south"), off())) == (7, 6, "covered:south")


def test_22c_1_nothing_won_yet_nothing_is_owed() -> None:
    r = ruled(rack(CLASSIC), off("white"))
    assert (found(r), r.dues) == (((9, 9, "on_board"), (1, 0, 0), "north"), {"south": 0, "north": 0})


def test_22c_1_last_pieces_come_back_too() -> None:
    for queen in ("on_board", "covered:south"):
        state = play(board(1, 1, queen), off("white", "black"))
        assert (found(state.rulings[-1]), state.over) == (((2, 1, queen), (2, 1, 0), "north"), False)


def test_22c_1_in_doubles_the_team_pays() -> None:
    state = boards.board(7, 6, book=CLASSIC, doubles=True)
    r = ruled(state, hit(), hit(by="east"), off(by="north"))
    assert (found(r), r.fouls) == (((8, 6, "on_board"), (1, 0, 0), "west"), ("striker_off_board",))


def test_22c_2_no_touch_passes_the_turn_and_nothing_returns() -> None:
    r = ruled(board(), hit(touched=False))
    assert (found(r), r.fouls, r.clauses) == (((6, 6, "on_board"), (0, 0, 0), "north"), ("no_touch",), ("22c.2",))


def test_22c_2_but_a_pending_cover_fails() -> None:
    for miss in (hit(touched=False), hit()):
        r = ruled(board(), hit("queen"), miss)
        assert (found(r), "22c.2" in r.clauses) == (((6, 6, "on_board"), (0, 0, 1), "north"), True)
    state = play(board(), hit("queen"))
    assert (str(state.queen), state.turn) == ("pending:south", "south")
    assert lies(ruled(state, hit("white"))) == (5, 6, "covered:south")


def test_22c_3_the_opponents_piece_stays_down_and_the_turn_ends() -> None:
    r = ruled(board(), hit("black"))
    assert (found(r), r.fouls, r.clauses) == (((6, 5, "on_board"), (0, 0, 0), "north"), (), ("22c.3",))
    r = ruled(board(), hit("black", "white"))
    assert (found(r), r.fouls, "22c.3" in r.clauses) == (((5, 5, "on_board"), (0, 0, 0), "north"), (), True)


def test_22c_3_with_the_cover_she_is_covered_and_the_turn_ends() -> None:
    r = ruled(board(), hit("queen"), hit("white", "black"))
    assert found(r) == ((5, 5, "covered:south"), (0, 0, 0), "north")


def test_22c_3_with_the_queen_alone_is_for_the_umpire() -> None:
    r = ruled(board(), hit("queen", "black"))
    assert (r.turn, r.fouls, bool(r.flags)) == ("north", (), True)


@pytest.mark.parametrize("pending", [False, True])
def test_22c_3_his_last_piece_while_the_queen_is_in_play_returns(pending: bool) -> None:
    state = play(board(5, 1, "pending:south" if pending else "on_board"), hit("black"))
    r = state.rulings[-1]
    assert (found(r), r.fouls, state.over) == (((5, 1, "on_board"), (0, 1, int(pending)), "north"), (), False)
    assert "22c.3" in r.clauses


@pytest.mark.parametrize("who", ["south", "north"])
def test_22c_3_his_last_piece_after_the_queen_counts_for_him(who: str) -> None:
    state = play(board(5, 1, f"covered:{who}"), hit("black"))
    assert state.result
    assert (state.result.winner, "22c.3" in state.result.clauses) == ("north", True)


@pytest.mark.parametrize("own", [1, 2])
def test_22c_4_own_last_piece_before_the_queen_is_covered(own: int) -> None:
    state = play(board(own, 4), hit(*many("white", own)))
    r = state.rulings[-1]
    assert (found(r), r.fouls, state.over) == (((1, 4, "on_board"), (1, 0, 0), "north"), (), False)
    assert "22c.4" in r.clauses


def test_22c_4_as_the_cover_it_wins() -> None:
    state = play(board(1, 4), hit("queen"), hit("white"))
    assert state.result
    assert state.result.winner == "south"


def test_22c_4_both_last_pieces_before_the_queen() -> None:
    state = play(board(1, 1), hit("white", "black"))
    assert (found(state.rulings[-1]), state.over) == (((1, 1, "on_board"), (1, 1, 0), "north"), False)


def test_22c_4_a_game_is_one_board() -> None:
    start = Start(1, 4, "covered:south", turn="south")
    r = matched(CLASSIC, Board(events=(hit("white"),), start=start))
    assert (r.winner, r.games) == ("south", {"south": 1, "north": 0})


def test_22n_1_fouls_as_in_classic() -> None:
    assert found(ruled(board(book=GAME_29), off("white", "black"))) == ((7, 6, "on_board"), (2, 1, 0), "north")
    r = ruled(board(book=GAME_29), hit("queen"), hit(touched=False))
    assert (found(r), r.fouls) == (((6, 6, "on_board"), (0, 0, 1), "north"), ("no_touch",))
    assert found(ruled(board(book=GAME_29), hit("white", "black"))) == ((5, 5, "on_board"), (0, 0, 0), "north")
    assert found(ruled(board(5, 1, book=GAME_29), hit("black"))) == ((5, 1, "on_board"), (0, 1, 0), "north")


def test_22n_1_the_opponents_pieces_left_to_29() -> None:
    def won(by: Seat, left: int) -> Board:
        return Board(events=(hit("white", by=by),), start=Start(1, left, f"covered:{by}", breaker=by, turn=by))

    r = matched(GAME_29, won("south", 9), won("north", 4), won("south", 9), won("south", 9))
    assert (r.scores, r.winner) == ({"south": 27, "north": 4}, None)
    assert r.boards[0].result
    assert (r.boards[0].result.points["south"], "22n.1" in r.boards[0].result.clauses) == (9, True)
    assert matched(GAME_29, *[won("south", 9)] * 3, won("south", 2)).winner == "south"
    r = matched(GAME_29, *[won("south", 9)] * 3, won("north", 9), Board())
    assert [b.breaker for b in r.boards[3:]] == ["north", "south"]


def test_22n_1_none_left_bring_nothing() -> None:
    state = play(board(1, 1, "covered:south", book=GAME_29), hit("white", "black"))
    assert state.result
    assert (state.result.winner, state.result.points["south"]) == ("south", 0)


def test_22n_2_the_last_piece_is_set_aside_while_he_plays_for_the_queen() -> None:
    state = play(board(1, 4, book=GAME_29), hit("white"))
    r = state.rulings[-1]
    assert (out(r), r.turn, r.continues, r.fouls, state.over) == ((0, 0, 0), "south", True, (), False)
    assert "22n.2" in r.clauses
    state = play(state, hit("queen"))
    assert state.result
    assert (state.result.winner, state.result.points) == ("south", {"south": 4, "north": 0})


@pytest.mark.parametrize(("miss", "more"), [(hit(), 0), (hit(touched=False), 0), (hit("black"), 0), (call("timeout"), 0), (off(), 1)])
def test_22n_2_it_returns_if_he_fails(miss: Event, more: int) -> None:
    r = ruled(board(1, 4, book=GAME_29), hit("white"), miss)
    assert (lies(r)[0], r.out["white"], r.turn, r.queen.state) == (1 + more, 1 + more, "north", "on_board")
    assert "22n.2" in r.clauses


def test_22n_2_with_the_opponents_piece_the_turn_ends_and_it_returns() -> None:
    r = ruled(board(1, 4, book=GAME_29), hit("white", "black"))
    assert (found(r), "22n.2" in r.clauses) == (((1, 3, "on_board"), (1, 0, 0), "north"), True)


def test_22n_2_as_the_cover_it_ends_the_board() -> None:
    state = play(board(1, 4, book=GAME_29), hit("queen"), hit("white"))
    assert state.result
    assert state.result.points == {"south": 4, "north": 0}


def test_22n_3_the_queen_before_any_own_piece() -> None:
    state = play(rack(GAME_29), hit("queen"))
    r = state.rulings[-1]
    assert (out(r), r.turn, r.fouls, "22n.3" in r.clauses) == ((0, 0, 0), "south", (), True)
    r = ruled(state, hit("white"), hit())
    assert (found(r), "22n.3" in r.clauses) == (((8, 9, "on_board"), (0, 0, 1), "north"), True)
    assert found(ruled(state, hit(touched=False))) == ((9, 9, "on_board"), (0, 0, 1), "north")
    assert found(ruled(state, hit("white"), off())) == ((9, 9, "on_board"), (1, 0, 1), "north")


def test_22d_1_a_foul_only_ends_the_turn() -> None:
    r = ruled(open_board(POOL), off("white", "black"))
    assert ((r.white, r.black), out(r), r.turn, r.fouls) == ((5, 5), (0, 0, 0), "north", ("striker_off_board",))
    assert "22d.1" in r.clauses
    r = ruled(open_board(POOL), hit(touched=False))
    assert ((r.white, r.black), out(r), r.turn, r.fouls, r.clauses) == ((6, 6), (0, 0, 0), "north", ("no_touch",), ("22d.1",))


def test_22d_1_there_is_no_queen() -> None:
    r = ruled(seated(POOL), hit("white"))
    assert (r.to_json()["board"]["queen"], r.turn) == (None, "south")
    with pytest.raises(BadInput, match="without a queen"):
        play(seated(POOL), hit("queen"))
    with pytest.raises(BadInput, match="without a queen"):
        seated(POOL, start=Start(queen="on_board"))


def test_22d_1_first_to_clear_his_colour_wins() -> None:
    for stroke, winner in ((hit("white"), "south"), (off("white"), "south"), (hit("black"), "north"), (off("black"), "north")):
        state = play(open_board(POOL, 1, 1), stroke)
        assert state.result
        assert (state.result.winner, "22d.1" in state.result.clauses) == (winner, True)
        assert "Queen" not in state.result.reason
        assert not state.rulings[-1].flags
    assert matched(POOL, Board(events=(hit("white"),), start=Start(1, 4, turn="south"))).winner == "south"


def test_22d_1_both_last_discs_in_one_stroke_are_for_the_umpire() -> None:
    assert flagged(ruled(open_board(POOL, 1, 1), hit("white", "black")))


def test_22f_1_points_for_whoever_pockets() -> None:
    r = ruled(seated(FREESTYLE), hit("white", "black", "black"))
    assert (r.scores, r.turn, "22f.1" in r.clauses) == ({"south": 40, "north": 0}, "south", True)
    r = ruled(seated(FREESTYLE), hit(), hit("white", by="north"))
    assert r.scores == {"south": 0, "north": 20}


def test_22f_1_the_queen_counts_once_covered() -> None:
    state = play(seated(FREESTYLE), hit("queen"))
    assert (state.rulings[-1].scores["south"], str(state.queen), state.turn) == (0, "pending:south", "south")
    r = ruled(state, hit("black"))
    assert (r.scores["south"], lies(r), "22f.1" in r.clauses) == (60, (9, 8, "covered:south"), True)
    r = ruled(state, hit())
    assert (found(r), r.scores["south"], "22f.1" in r.clauses) == (((9, 9, "on_board"), (0, 0, 1), "north"), 0, True)


def test_22f_1_the_board_is_over_when_it_is_empty_and_the_leader_wins() -> None:
    start = Start(1, 1, "covered:north", turn="south", taken={"south": {"white": 3}, "north": {"queen": 1, "black": 1}})
    r = matched(FREESTYLE, Board(events=(hit("white", "black"),), start=start))
    assert (r.scores, r.winner) == ({"south": 90, "north": 60}, "south")


def test_22f_1_equal_points_are_a_draw() -> None:
    start = Start(0, 1, "covered:north", turn="south", taken={"south": {"white": 2}, "north": {"queen": 1}})
    board = Board(events=(hit("black"),), start=start)
    r = matched(FREESTYLE, board)
    assert (r.scores, r.winner, r.games) == ({"south": 50, "north": 50}, None, {"south": 0, "north": 0})
    assert r.boards[0].result
    assert (r.boards[0].result.winner, r.boards[0].result.points) == (None, {"south": 50, "north": 50})
    with pytest.raises(BadInput, match="it was drawn"):
        matched(FREESTYLE, board, Board())


def test_22f_1_the_queen_as_the_very_last_is_for_the_umpire() -> None:
    state = play(open_board(FREESTYLE, 0, 1), hit("black"), hit("queen"))
    assert flagged(state.rulings[-1]) == ["queen_with_nothing_left"]


def test_22f_2_a_foul_cancels_the_stroke_and_returns_the_most_recent_piece() -> None:
    state = play(seated(FREESTYLE), hit("white"), hit("black"))
    r = ruled(state, off("white", "queen"))
    assert (found(r), r.scores["south"], r.fouls) == (((8, 9, "on_board"), (1, 1, 1), "north"), 20, ("striker_off_board",))
    assert "22f.2" in r.clauses


def test_22f_2_no_touch_costs_the_turn_only() -> None:
    r = ruled(seated(FREESTYLE), hit("white"), hit(touched=False))
    assert (found(r), r.scores["south"], r.fouls, r.clauses) == (
        ((8, 9, "on_board"), (0, 0, 0), "north"), 20, ("no_touch",), ("22f.2",),
    )  # fmt: skip


def test_22f_2_the_piece_that_fell_last_is_the_most_recent_one() -> None:
    state = play(seated(FREESTYLE), hit("queen"), hit("white"))
    r = ruled(state, off())
    assert (found(r), r.scores["south"]) == (((9, 9, "covered:south"), (1, 0, 0), "north"), 50)


def test_22f_2_his_own_most_recent_piece_not_the_opponents() -> None:
    r = ruled(seated(FREESTYLE), hit("white"), hit(), hit("black", by="north"), hit(by="north"), off())
    assert (found(r), r.scores) == (((9, 8, "on_board"), (1, 0, 0), "north"), {"south": 0, "north": 10})
    r = ruled(seated(FREESTYLE), hit(), hit("black", by="north"), hit(by="north"), off())
    assert (found(r), r.scores, r.dues["south"]) == (((9, 8, "on_board"), (0, 0, 0), "north"), {"south": 0, "north": 10}, 0)


def test_22f_2_the_cover_by_a_foul_fails() -> None:
    r = ruled(seated(FREESTYLE), hit("black"), hit("queen"), off("white"))
    assert (found(r), r.scores["south"]) == (((9, 9, "on_board"), (1, 1, 1), "north"), 0)


def test_22f_2_pieces_won_before_the_log_began() -> None:
    r = ruled(open_board(FREESTYLE, taken={"south": {"black": 3}}), off())
    assert (lies(r), r.scores["south"], r.flags) == ((6, 7, "on_board"), 20, ())
    r = ruled(open_board(FREESTYLE, taken={"south": {"black": 1, "white": 2}}), off())
    assert (lies(r), r.scores["south"], flagged(r)) == ((6, 7, "on_board"), 40, ["winner_unknown"])


def test_22t_1_first_to_170_points() -> None:
    won = Board(events=(hit("white"),), start=Start(5, 5, turn="south", scores={"south": 150}))
    r = matched(TAL_GACH, won)
    assert (r.winner, r.scores["south"]) == ("south", 170)
    assert r.boards[0].result
    assert "22t.1" in r.boards[0].result.clauses
    state = play(open_board(TAL_GACH, scores={"south": 140}), hit("white"))
    assert (state.over, state.turn, state.rulings[-1].scores["south"]) == (False, "south", 160)


def test_22t_1_reached_in_the_middle_of_a_turn_by_covering_the_queen() -> None:
    state = play(open_board(TAL_GACH, scores={"south": 100}), hit("queen"))
    assert not state.over
    state = play(state, hit("white"))
    assert state.result
    assert (state.result.winner, state.rulings[-1].scores["south"]) == ("south", 170)


@pytest.mark.parametrize("foul", [off("white", "black", "queen"), off(), hit(touched=False)])
def test_22t_1_fouls_pass_the_turn_and_points_stay(foul: Stroke) -> None:
    fell = foul.pocketed
    r = ruled(seated(TAL_GACH), hit("white"), foul)
    assert (found(r), r.scores["south"], len(r.fouls)) == (
        ((8, 9, "on_board"), (fell.count("white"), fell.count("black"), fell.count("queen")), "north"), 20, 1,
    )  # fmt: skip
    assert "22t.1" in r.clauses


def test_22t_2_a_stroke_with_a_foul_never_wins() -> None:
    start = Start(5, 5, turn="south", scores={"south": 160})
    r = matched(TAL_GACH, Board(events=(off("white"),), start=start))
    assert (r.winner, r.boards[0].result, r.scores["south"]) == (None, None, 160)
    assert "22t.2" in r.boards[0].rulings[0].clauses
    r = matched(TAL_GACH, Board(events=(hit("queen"), off("white", "white")), start=start))
    assert (r.winner, r.scores["south"], lies(r.boards[0].rulings[1])) == (None, 160, (5, 5, "on_board"))


def alone(**options: Any) -> BoardState:
    return seated(DAILY, "south", **options)


def test_22y_1_one_player_strikes_on() -> None:
    state = play(alone(strokes=5), hit(), hit("white"), hit("black"))
    assert (state.turn, state.over, lies(state.rulings[-1])) == ("south", False, (8, 8, "on_board"))


def test_22y_1_striker_off_the_board_puts_the_pieces_back_and_the_stroke_counts() -> None:
    state = play(alone(strokes=2), hit("white"))
    before = state.rulings[-1].scores
    state = play(state, off("white", "black"))
    r = state.rulings[-1]
    assert (lies(r), r.fouls, r.scores, state.over) == ((8, 9, "on_board"), ("striker_off_board",), before, True)
    assert "22y.1" in r.clauses
    r = ruled(alone(strokes=3), hit("white"), off("white", "queen"))
    assert (found(r), r.continues) == (((8, 9, "on_board"), (1, 0, 1), "south"), True)


def test_22y_1_no_touch_costs_a_stroke_and_nothing_else() -> None:
    r = ruled(alone(strokes=3), hit("white"), hit(touched=False))
    assert (found(r), r.fouls, r.clauses) == (((8, 9, "on_board"), (0, 0, 0), "south"), ("no_touch",), ("22y.1",))
    state = play(alone(strokes=2), hit(touched=False), hit(touched=False))
    assert state.over


def test_22y_1_the_limit_ends_the_game_unsolved() -> None:
    r = matched(DAILY, Board(events=(hit("white"), hit(), hit())), seats=("south",), strokes=3)
    assert r.boards[0].result
    assert (r.boards[0].result.winner, "22y.1" in r.boards[0].result.clauses) == (None, True)
    assert (r.winner, r.flawless) == (None, ())
    with pytest.raises(BadInput, match="after the board was over"):
        play(alone(strokes=1), hit("white"), hit("white"))


def test_22y_1_all_pieces_down_within_the_limit_win() -> None:
    start = Start(1, 0, "covered:south")
    r = matched(DAILY, Board(events=(hit(), hit("white")), start=start), seats=("south",), strokes=2)
    assert (r.winner, r.flawless) == ("south", ("south",))


@every_mode
def test_22o_1_an_expired_clock_is_a_stroke_that_touched_nothing(book: LawBook) -> None:
    state = seated(book)
    r, missed = ruled(state, call("timeout")), ruled(state, hit(touched=False))
    assert (found(r), r.scores, r.fouls) == (found(missed), missed.scores, missed.fouls)
    assert "22o.1" in r.clauses


def test_22o_1_an_expired_covering_stroke_returns_the_queen() -> None:
    for book in (CLASSIC, GAME_29):
        r = ruled(board(book=book), hit("queen"), call("timeout"))
        assert (found(r), "22o.1" in r.clauses) == (((6, 6, "on_board"), (0, 0, 1), "north"), True)


@every_mode
def test_22o_1_the_clock_is_an_option_of_every_mode(book: LawBook) -> None:
    assert flagged(ruled(seated(book, clock_s=10), hit("white", seconds=12.5))) == ["over_clock"]
    assert not ruled(seated(book, clock_s=20), hit("white", seconds=12.5)).flags
    assert not ruled(seated(book), hit("white", seconds=99.0)).flags


def test_22o_1_in_the_daily_challenge_it_costs_a_stroke() -> None:
    assert play(alone(strokes=2), call("timeout"), hit()).over


@pytest.mark.parametrize("book", [b for b in MODES if b is not DAILY], ids=lambda b: b.id)
def test_22o_2_two_expired_clocks_in_a_row_lose_the_game(book: LawBook) -> None:
    out_of_time, other = call("timeout"), hit(by="north")
    r = matched(book, Board(events=(out_of_time, other, out_of_time)))
    assert r.winner == "north"
    assert r.boards[0].result
    assert "22o.2" in r.boards[0].result.clauses
    assert matched(book, Board(events=(out_of_time, other, hit(), other, out_of_time))).winner is None
    assert matched(book, Board(events=(out_of_time, call("timeout", "north"), hit(), call("timeout", "north")))).winner == "south"


def test_22o_2_by_the_same_player_not_by_his_partner() -> None:
    first = play(boards.board(book=CLASSIC, doubles=True), call("timeout"), hit(by="east"), call("timeout", "north"))
    assert not first.over
    lost = play(first, hit(by="west"), call("timeout"))
    assert lost.result
    assert lost.result.award == ("game", "east")


def test_22o_2_alone_the_game_is_lost_too() -> None:
    state = play(alone(strokes=9), call("timeout"), call("timeout"))
    assert state.result
    assert (state.result.winner, "22o.2" in state.result.clauses) == (None, True)
    r = matched(DAILY, Board(events=(call("timeout"), call("timeout"))), seats=("south",), strokes=9)
    assert r.winner is None


def statistics(book: LawBook, *events: Event, seats: tuple[Seat, ...] = ("south", "north"), **start: Any) -> dict[str, Any]:
    at = Start(turn="south", **start)
    shown = matched(book, Board(events=events, start=at), seats=seats).to_json()["match"]["statistics"]
    assert isinstance(shown, dict)
    return shown


def test_22s_1_fouls_count_striker_off_the_board_only() -> None:
    events = (off(), hit(touched=False, by="north"), hit(touched=False), off("black", by="north"), off("white"))
    assert statistics(CLASSIC, *events)["fouls"] == {"south": 2, "north": 1}
    assert statistics(CLASSIC, call("timeout"), hit("white", by="north"))["fouls"] == {"south": 0, "north": 0}
    seen = statistics(CLASSIC, hit(), hit(by="east"), off(by="north"), seats=SEATS)
    assert seen["fouls"] == {"south": 0, "east": 0, "north": 1, "west": 0}


def test_22s_1_flawless_is_a_game_won_without_such_a_foul() -> None:
    last: dict[str, Any] = {"white": 1, "black": 3, "queen": "covered:south"}
    assert statistics(CLASSIC, hit("white"), **last)["flawless"] == ["south"]
    assert statistics(CLASSIC, hit(touched=False), off(by="north"), hit("white"), **last)["flawless"] == ["south"]
    assert statistics(CLASSIC, off(), hit(by="north"), hit("white", "white"), **last)["flawless"] == []


def test_22s_1_flawless_of_a_game_of_several_boards() -> None:
    won = Board(events=(hit("white"),), start=Start(1, 9, "covered:south", breaker="south", turn="south"))
    fouled = Board(events=(off(), hit(by="north"), hit("white", "white")), start=won.start)
    assert matched(GAME_29, won, won, won, won).flawless == ("south",)
    assert matched(GAME_29, won, fouled, won, won).flawless == ()


@every_mode
def test_22s_1_a_call_on_which_the_makers_are_silent_is_for_the_umpire(book: LawBook) -> None:
    for what in ("foul", "talking", "interrupted", "refused", "left_seat"):
        r = ruled(seated(book), call(what))
        assert (out(r), r.turn, flagged(r)) == ((0, 0, 0), "south", ["silent_call"])
