"""Calls of the umpire under the ICF laws (sections 7, 8 and 11 of the decision table)."""

from __future__ import annotations

import pytest

from models.stroke import CALLS
from referee.board import can
from tests.referee.boards import board, call, hit, lies, out, place, play, rack, ruled


def test_7_1_technical_foul_keeps_the_turn() -> None:
    r = ruled(board(), call("technical_foul"))
    assert (lies(r), out(r), r.turn, r.continues, r.fouls, r.clauses) == (
        (7, 6, "on_board"), (1, 0, 0), "south", True, ("technical_foul",), ("63a",),
    )  # fmt: skip
    assert [(e.piece, e.by) for e in r.placings] == [("white", "north")]


def test_7_2_violation_by_a_player_not_at_turn() -> None:
    for what in ("technical_foul", "foul", "talking", "timeout"):
        r = ruled(board(), call(what, "north"))
        assert (lies(r), out(r), r.turn, r.continues) == ((6, 7, "on_board"), (0, 1, 0), "south", False)
        assert "63b" in r.clauses
        assert [(e.piece, e.by) for e in r.placings] == [("black", "south")]


def test_7_3_foul_loses_the_turn() -> None:
    r = ruled(board(), hit("white"), call("foul"))
    assert (lies(r), out(r), r.turn, r.clauses) == ((6, 6, "on_board"), (1, 0, 0), "north", ("64a",))


def test_7_3_foul_with_the_stroke_that_passed_the_turn() -> None:
    r = ruled(board(), hit(), call("foul"))
    assert (lies(r), r.turn, r.clauses) == ((7, 6, "on_board"), "north", ("64a",))


def test_7_3_foul_before_the_queen_is_covered_brings_her_back() -> None:
    r = ruled(board(), hit("queen"), call("foul"))
    assert (lies(r), out(r), r.turn, r.clauses) == ((7, 6, "on_board"), (1, 0, 1), "north", ("64a", "96"))


def test_7_1_technical_foul_leaves_the_queen_pending() -> None:
    assert lies(ruled(board(queen="pending:south"), call("technical_foul"))) == (7, 6, "pending:south")


def test_7_6_no_piece_to_pay_with() -> None:
    r = ruled(board(9, 6), call("foul"))
    assert (out(r), r.dues["south"], r.clauses) == ((0, 0, 0), 1, ("64a", "72c"))


@pytest.mark.parametrize(("what", "law"), [("talking", "131"), ("timeout", "50"), ("interrupted", "129")])
def test_62_to_64_a_violation_is_classed_by_when_it_was(what: str, law: str) -> None:
    before = ruled(board(), call(what))
    assert (before.turn, before.clauses, out(before)) == ("south", (law, "63a"), (1, 0, 0))
    after = ruled(board(), hit("white"), call(what))
    assert (after.turn, after.clauses, out(after)) == ("north", (law, "64a"), (1, 0, 0))


def test_c21_time_run_out_is_for_the_umpire() -> None:
    assert [f.kind for f in ruled(board(), call("timeout")).flags] == ["timeout"]
    assert [f.kind for f in ruled(board(), hit(seconds=15.0)).flags] == []
    assert [f.kind for f in ruled(board(), hit(seconds=15.2)).flags] == ["over_clock"]


def test_143_the_third_distraction_loses_the_match() -> None:
    state = play(board(), call("interrupted", "north"), call("interrupted", "south"), call("interrupted", "north"))
    assert not state.over
    result = play(state, call("interrupted", "north")).result
    assert result
    assert (result.winner, result.award, result.points) == ("south", ("match", "south"), {"south": 0, "north": 0})


@pytest.mark.parametrize("what", ["abusive", "refused"])
def test_143_misconduct_loses_the_match(what: str) -> None:
    result = play(board(), call(what, "south")).result
    assert result
    assert (result.winner, result.award, "143" in result.clauses) == ("north", ("match", "north"), True)


@pytest.mark.parametrize(("what", "law"), [("left_seat", "91"), ("disturbed", "126b")])
def test_11_2_and_11_4_the_board_is_lost_by_the_pieces_and_the_queen(what: str, law: str) -> None:
    result = play(board(5, 3), call(what, "south")).result
    assert result
    assert (result.winner, result.points["north"], result.clauses) == ("north", 8, (law,))
    result = play(board(5, 3, scores={"north": 22}), call(what, "south")).result
    assert result
    assert result.points["north"] == 5


def test_11_2_the_queen_of_the_loser_is_for_the_umpire() -> None:
    state = play(board(5, 3, "covered:south"), call("left_seat"))
    assert state.result
    assert (state.result.points["north"], [f.kind for f in state.rulings[-1].flags]) == (5, ["queen_of_loser"])
    state = play(board(5, 3, "covered:north"), call("left_seat"))
    assert state.result
    assert state.result.points["north"] == 8


def test_11_1_out_of_turn_noticed_before_the_next_stroke_loses_the_board_as_it_lay() -> None:
    state = play(board(5, 3), hit("black", "black", by="north"), call("out_of_turn", "north"))
    assert state.result
    assert (state.result.winner, state.result.points["south"], state.result.clauses) == ("south", 6, ("51",))


def test_11_1_out_of_turn_unnoticed_stands() -> None:
    state = play(board(5, 3), hit("black", by="north"))
    r = state.rulings[-1]
    assert (lies(r), r.turn, [(d.kind, d.clauses) for d in r.discrepancies]) == ((5, 2, "on_board"), "north", [("out_of_turn", ("51",))])
    state = play(state, hit(by="north"), call("out_of_turn", "north"))
    assert not state.over
    assert [d.kind for d in state.rulings[-1].discrepancies] == ["noticed_late"]
    assert state.turn == "south"


def test_11_1_out_of_turn_called_without_a_stroke_in_the_log() -> None:
    result = play(board(5, 3), call("out_of_turn", "north")).result
    assert result
    assert (result.winner, result.points["south"]) == ("south", 6)


def test_11_1_a_queen_pending_elsewhere_is_for_the_umpire() -> None:
    state = play(board(queen="pending:south"), hit("black", by="north"))
    assert [f.kind for f in state.rulings[-1].flags] == ["pending_elsewhere"]
    state = play(state, hit(by="north"))
    assert (str(state.queen), state.turn) == ("pending:south", "south")
    assert lies(ruled(state, hit("white"))) == (5, 5, "covered:south")


def test_11_1_last_piece_out_of_turn_while_the_queen_is_pending_elsewhere() -> None:
    result = play(board(5, 1, "pending:south"), hit("black", by="north")).result
    assert result
    assert (result.winner, result.points["south"], "107" in result.clauses) == ("south", 3, True)


def test_11_5_three_passes_without_a_touch_by_each_side_are_for_the_umpire() -> None:
    state = board()
    for _ in range(2):
        state = play(state, hit(touched=False), hit(touched=False, by="north"))
    state = play(state, hit(touched=False))
    assert not state.rulings[-1].flags
    state = play(state, hit(touched=False, by="north"))
    assert [f.kind for f in state.rulings[-1].flags] == ["passes"]
    assert not play(state, hit(touched=False)).rulings[-1].flags
    assert not play(state, hit("white"), hit(), *[hit(touched=False, by="north")]).rulings[-1].flags


@pytest.mark.parametrize("over", [False, True])
def test_11_7_replay(over: bool) -> None:
    state = play(board(1, 4, "covered:south"), *([hit("white")] if over else []), call("replay"))
    assert state.result
    assert (state.result.winner, state.result.replay, state.result.points) == (None, True, {"south": 0, "north": 0})
    assert state.rulings[-1].scores == {"south": 0, "north": 0}


def test_11_8_concession_gives_the_game() -> None:
    result = play(board(), call("concede", "south")).result
    assert result
    assert (result.winner, result.award) == ("north", ("game", "north"))


def test_11_9_misconduct_after_the_board_keeps_its_points() -> None:
    state = play(board(1, 4, "covered:south"), hit("white"), call("abusive", "south"))
    assert state.result
    assert (state.result.winner, state.result.points["south"], state.result.award) == ("south", 7, ("match", "north"))


def test_87a_to_forgo_a_due_is_all_or_nothing_and_before_it_is_placed() -> None:
    state = play(board(), hit("striker", "white"))
    r = ruled(state, call("forgo", "north"))
    assert (lies(r), r.dues, r.turn, r.clauses) == ((6, 6, "on_board"), {"south": 0, "north": 0}, "south", ("87a",))
    assert play(state, call("forgo", "north")).expected_counts == {"white": 1}
    placed = play(state, place("white", "white"), call("forgo", "north"))
    assert (lies(placed.rulings[-1]), [d.kind for d in placed.rulings[-1].discrepancies]) == ((7, 6, "on_board"), ["nothing_to_waive"])


def test_87a_to_forgo_what_is_owed() -> None:
    assert ruled(board(9, 6, dues={"south": 2}), call("forgo", "north")).dues == {"south": 0, "north": 0}


def test_87a_nothing_to_forgo() -> None:
    for state in (board(), play(board(), hit("striker"), hit(by="north"))):
        assert [d.kind for d in ruled(state, call("forgo", "north")).discrepancies] == ["nothing_to_waive"]


def test_87a_the_due_that_keeps_the_board_alive_cannot_be_waived() -> None:
    state = play(board(1, 6, dues={"south": 1}), hit("queen", "white"))
    assert lies(state.rulings[-1]) == (1, 6, "on_board")
    assert [d.kind for d in ruled(state, call("forgo", "north")).discrepancies] == ["nothing_to_waive"]


def test_play_changes_nothing() -> None:
    r = ruled(board(), call("play"))
    assert (lies(r), r.turn, r.clauses) == ((6, 6, "on_board"), "south", ("46",))


def test_a_claim_before_the_end_has_no_effect() -> None:
    state = play(rack(), call("demand"))
    assert (state.over, [d.kind for d in state.rulings[-1].discrepancies]) == (False, ["nothing_to_claim"])


def test_a_call_after_the_end_has_no_effect() -> None:
    over = play(board(1, 4, "covered:south"), hit("white"))
    late = play(over, call("foul"))
    assert (late.result, lies(late.rulings[-1]), late.dues) == (over.result, lies(over.rulings[-1]), over.dues)
    assert [d.kind for d in late.rulings[-1].discrepancies] == ["after_the_end"]
    assert not can(over, hit())


def test_a_stroke_that_the_video_is_not_sure_of_is_for_the_umpire() -> None:
    assert [f.kind for f in ruled(board(), hit(confidence=0.42)).flags] == ["unsure"]
    assert [f.kind for f in ruled(board(), hit(confidence=0.9)).flags] == []


def test_11_1_a_stroke_out_of_turn_that_ended_the_board_is_noticed_in_time() -> None:
    state = play(board(5, 1, "covered:north"), hit("black", by="north"), call("out_of_turn", "north"))
    assert state.result
    assert (state.result.winner, state.result.points, "51" in state.result.clauses) == ("south", {"south": 1, "north": 0}, True)


def test_11_1_in_doubles_the_partner_strikes_out_of_turn() -> None:
    state = play(board(5, 3, doubles=True), hit("white", by="north"))
    assert [(d.kind, d.clauses) for d in state.rulings[-1].discrepancies] == [("out_of_turn", ("51",))]
    state = play(state, call("out_of_turn", "north"))
    assert state.result
    assert (state.result.winner, state.result.points) == ("east", {"south": 0, "east": 8})


def test_11_1_noticed_after_the_next_stroke_the_same_player_struck_twice() -> None:
    state = play(board(), hit(), hit(), hit(by="north"), call("out_of_turn", "south"))
    assert (state.result, [d.kind for d in state.rulings[-1].discrepancies]) == (None, ["noticed_late"])


@pytest.mark.parametrize("winner_before", [21, 22])
@pytest.mark.parametrize("what", ["out_of_turn", "left_seat", "disturbed"])
def test_11_2_by_the_pieces_and_from_22_points_on_without_the_queen(what: str, winner_before: int) -> None:
    result = play(board(9, 6, scores={"north": winner_before}), call(what)).result
    assert result
    assert result.points == {"south": 0, "north": 12 if winner_before == 21 else 9}


def test_11_3_played_on_during_an_appeal() -> None:
    """No call of its own: `disturbed` brings the same."""
    result = play(board(5, 3), hit("white"), call("disturbed")).result
    assert result
    assert (result.winner, result.points["north"]) == ("north", 7)


def test_11_4_disturbed_beyond_repair() -> None:
    result = play(board(5, 3, doubles=True), call("disturbed", "west")).result
    assert result
    assert (result.winner, result.points, result.clauses) == ("south", {"south": 6, "east": 0}, ("126b",))


def test_11_6_the_striker_cannot_be_placed() -> None:
    result = play(board(), hit("white"), call("replay")).result
    assert result
    assert (result.replay, result.winner, result.clauses) == (True, None, ("140",))


def test_11_10_a_protest_upheld_after_the_board() -> None:
    state = play(board(1, 4, "covered:south"), hit("white"), call("replay", "north"))
    assert state.result
    assert (state.result.replay, state.scores) == (True, (0, 0))


def test_87b_a_partner_may_claim_once() -> None:
    state = play(board(1, 3, doubles=True), hit("white", "striker"), call("demand", "west"), call("demand", "east"))
    assert state.result
    assert state.result.points == {"south": 0, "east": 4}
    assert [d.kind for d in state.rulings[-1].discrepancies] == ["nothing_to_claim"]


def test_46_play_changes_nothing_in_the_middle_of_a_board() -> None:
    state = play(board(queen="pending:south", dues={"north": 1}), call("play"))
    r = state.rulings[-1]
    assert (lies(r), r.turn, r.dues, r.clauses, out(r)) == ((6, 6, "pending:south"), "south", {"south": 0, "north": 1}, ("46",), (0, 0, 0))


@pytest.mark.parametrize("what", [c for c in CALLS if c != "demand"])
def test_every_call_can_come_at_any_time_of_a_board(what: str) -> None:
    for state in (rack(), board(), board(queen="pending:south"), board(9, 6, dues={"south": 2}), board(doubles=True)):
        for by in state.table.order:
            after = play(state, call(what, by))
            r = after.rulings[-1]
            assert (r.call, r.event, r.by) == (what, 1, by)
            assert (after.turn is None) == (after.result is not None)
            assert r.clauses or r.discrepancies
