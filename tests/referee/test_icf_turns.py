"""Sides, turns, the clock, what makes a stroke improper, fouls, and pieces that fall or leave otherwise (sections 2, 4, 7 and 9)."""

from __future__ import annotations

import pytest

from models.stroke import SEATS, Piece, Seat, Stroke
from tests.referee.boards import ICF, board, call, hit, lies, out, place, play, rack, ruled


def improper(reason: str, *pocketed: Piece) -> Stroke:
    return Stroke(by="south", pocketed=pocketed, improper=(reason,))


def test_2_3_partners_sit_opposite() -> None:
    table = rack(doubles=True).table
    assert {s: table.side_of[s] for s in SEATS} == {"south": "south", "north": "south", "east": "east", "west": "east"}
    assert rack().table.sides == ("south", "north")


def test_4_1_the_turn_goes_on_while_own_pieces_fall() -> None:
    state = play(board(), hit("white"), hit("white", "white"), hit("queen"), hit("white"))
    assert [r.turn for r in state.rulings] == ["south"] * 4
    assert play(state, hit()).turn == "north"


def test_4_2_a_stroke_that_touches_nothing_is_a_stroke() -> None:
    r = ruled(board(), hit(touched=False))
    assert (r.turn, r.fouls, out(r)) == ("north", (), (0, 0, 0))


@pytest.mark.parametrize(("seconds", "over"), [(None, False), (15.0, False), (15.1, True)])
def test_4_4_fifteen_seconds(seconds: float | None, over: bool) -> None:
    r = ruled(board(), hit("white", seconds=seconds))
    assert ([f.kind for f in r.flags] == ["over_clock"], r.turn, out(r)) == (over, "south", (0, 0, 0))


def test_4_4_other_clocks() -> None:
    state = play(rack(clock_s=10), hit(seconds=10.5))
    assert [f.kind for f in state.rulings[0].flags] == ["over_clock"]
    assert not play(rack(clock_s=0), hit(seconds=100.0)).rulings[0].flags


def test_4_5_time_run_out_is_a_technical_foul_before_the_first_stroke_and_a_foul_after_it() -> None:
    assert "63a" in ruled(board(), call("timeout")).clauses
    assert "64a" in ruled(board(), hit("white"), call("timeout")).clauses


def test_4_6_struck_before_the_opponent_lifted_his_striker() -> None:
    r = ruled(board(), hit(), call("technical_foul", "north"), hit("black", by="north"))
    assert (lies(r), r.turn) == ((6, 6, "on_board"), "north")


@pytest.mark.parametrize("reason", ["off_baseline", "partial_base_circle"])
def test_4_7_the_strikers_place(reason: str) -> None:
    r = ruled(board(), improper(reason, "white"))
    assert (r.fouls, out(r), r.turn) == ((reason,), (2, 0, 0), "north")


def test_4_8_pushed_is_improper() -> None:
    assert ruled(board(), improper("pushed")).fouls == ("pushed",)


def test_4_8_back_shots_are_allowed() -> None:
    r = ruled(board(), improper("backward", "white"))
    assert (r.fouls, out(r), r.turn) == ((), (0, 0, 0), "south")


@pytest.mark.parametrize("reason", ["elbow", "body"])
def test_4_9_elbow_and_body_over_the_board(reason: str) -> None:
    assert ruled(board(), improper(reason)).fouls == (reason,)


def test_4_10_support_and_clothes_on_the_board() -> None:
    assert ruled(board(), improper("body", "white")).turn == "north"
    assert ruled(board(), hit("white"), call("foul")).turn == "north"


def test_4_11_no_law_forbids_a_piece_behind_the_base_line() -> None:
    assert set(ICF.pieces.improper) == {"off_baseline", "partial_base_circle", "pushed", "elbow", "moved_piece", "body"}


def test_4_12_partners_may_not_talk() -> None:
    for what in (call("talking", "south"), call("talking", "north")):
        r = ruled(board(doubles=True), what)
        assert (out(r), "131" in r.clauses) == ((1, 0, 0), True)


def test_7_1_is_placed_by_the_opponent_and_the_stroke_that_follows_is_the_turns_first() -> None:
    state = play(board(), call("technical_foul"))
    assert [(e.piece, e.by, e.n) for e in state.rulings[0].placings] == [("white", "north", 1)]
    assert "63a" in ruled(state, call("timeout")).clauses


def test_7_3_a_turn_joined_when_the_queen_waits_for_her_cover_has_begun() -> None:
    """`pending:south` says that south's last stroke pocketed her: a violation now is after the first stroke of his turn."""
    r = ruled(board(queen="pending:south"), call("timeout"))
    assert (lies(r), r.turn, "64a" in r.clauses) == ((7, 6, "on_board"), "north", True)


@pytest.mark.parametrize("reason", ["off_baseline", "partial_base_circle", "pushed", "elbow", "moved_piece", "body"])
def test_7_4_a_foul_while_pocketing(reason: str) -> None:
    r = ruled(board(), improper(reason, "white", "queen"))
    assert (lies(r), out(r), r.turn, r.fouls) == ((7, 6, "on_board"), (2, 0, 1), "north", (reason,))
    assert "64b" in r.clauses


def test_7_5_named_fouls_of_the_one_at_turn_come_as_calls() -> None:
    r = ruled(board(), hit("white"), call("foul"))
    assert (lies(r), r.turn) == ((6, 6, "on_board"), "north")


def test_7_5_a_foul_of_the_placer() -> None:
    """82a, 85, 86, 88b, 89b, 114: the placer is not at turn, which does not change."""
    state = play(board(), hit("white", "striker"), place("white", "white"), call("foul", "north"))
    assert (lies(state.rulings[-1]), out(state.rulings[-1]), state.turn) == ((7, 7, "on_board"), (0, 1, 0), "south")


def test_7_5_a_wrong_piece_that_is_noticed_does_not_stand() -> None:
    """82a: noticed before the next stroke it is a foul of the placer, and the right piece is placed."""
    state = play(board(), hit("white", "striker"), place("white", "black"), call("foul", "north"), place("white", "black"), hit())
    assert lies(state.rulings[-1]) == (7, 7, "on_board")


def test_7_6_a_due_is_paid_as_soon_as_there_is_a_piece() -> None:
    state = play(rack(), hit("striker"), hit(by="north"))
    assert state.dues == (1, 0)
    state = play(state, hit("white", "white"))
    assert (lies(state.rulings[-1]), state.dues, state.turn) == ((8, 9, "on_board"), (0, 0), "south")


def test_9_1_what_left_the_board_was_touched() -> None:
    state = play(rack(), hit(touched=False, off_board=("white",)))
    assert (state.broken, state.turn) == (True, "north")
    assert "45a" not in state.rulings[-1].clauses


def test_9_1_no_foul_and_the_turn_by_what_was_pocketed() -> None:
    for off in ("white", "black", "queen"):
        r = ruled(board(), hit("white", off_board=(off,)))
        assert (lies(r), r.fouls, r.turn, [(e.piece, e.by) for e in r.placings]) == ((5, 6, "on_board"), (), "south", [(off, None)])
        assert ruled(board(), hit(off_board=(off,))).turn == "north"


@pytest.mark.parametrize("pocketed", ["white", "black"])
def test_9_8_and_9_9_what_falls_when_the_striker_is_lifted_is_pocketed(pocketed: Piece) -> None:
    """A log writes it under `pocketed` like any other; the striker that drops then costs a due."""
    r = ruled(board(), hit(pocketed))
    assert r.turn == ("south" if pocketed == "white" else "north")
    assert out(ruled(board(), hit("striker"))) == (1, 0, 0)


def test_9_10_a_hanging_piece_that_falls_is_properly_pocketed() -> None:
    r = ruled(board(), hit("white", touched=False))
    assert (lies(r), out(r), r.fouls) == ((5, 6, "on_board"), (0, 0, 0), ())


@pytest.mark.parametrize("by", ["south", "east", "north", "west"])
def test_10_9_in_doubles_a_turn_that_goes_on_stays_with_the_player(by: Seat) -> None:
    own: Piece = "white" if by in ("south", "north") else "black"
    other: Piece = "black" if own == "white" else "white"
    start = board(turn=by, doubles=True)
    right = {"south": "east", "east": "north", "north": "west", "west": "south"}[by]
    assert ruled(start, hit(own, by=by)).turn == by
    assert ruled(start, hit(other, by=by)).turn == right
    r = ruled(start, hit("striker", by=by))
    assert (r.turn, [e.by for e in r.placings]) == (right, [right])
    assert str(ruled(start, hit("queen", by=by)).queen) == f"pending:{by}"
    assert str(ruled(start, hit("queen", by=by), hit(own, by=by)).queen) == f"covered:{by}"
