"""Boards, games and the match (section 10 of the ICF decision table), doubles, and what a log may not do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from models.errors import BadInput
from models.stroke import SEATS, Board, Event, Seat, Start
from referee.engine import close_board, next_board, open_match, rule_match, state_after
from referee.rulings import Rulings
from tests.referee.boards import ICF, a_match, board, call, hit, lies, many, out, play, rack, ruled


def won(by: Seat, left: int, *, scores: dict[Seat, int] | None = None, breaker: Seat | None = None, queen: str | None = None) -> Board:
    """A board that `by` wins by its opponent's pieces left; white if it breaks, the Queen the loser's unless told otherwise."""
    breaker = breaker or by
    loser: Seat = "north" if by == "south" else "south"
    white, black = (1, left) if by == breaker else (left, 1)
    start = Start(white, black, queen or f"covered:{loser}", breaker=breaker, turn=by, scores=scores or {})
    return Board(events=(hit("white" if by == breaker else "black", by=by),), start=start)


def rule(*boards: Board, first: Seat = "south", **options: Any) -> Rulings:
    return rule_match(a_match(*boards, first=first, **options), ICF)


def test_10_1_first_to_25_wins_the_game() -> None:
    r = rule(won("south", 9), won("south", 9), won("north", 2), won("south", 8))
    assert (r.scores, r.games, r.winner) == ({"south": 25, "north": 2}, {"south": 1, "north": 0}, None)
    assert [(b.game, b.board) for b in r.boards] == [(1, 1), (1, 2), (1, 3), (1, 4)]


def test_10_1_the_leader_wins_after_eight_boards() -> None:
    r = rule(*[won("south" if k % 2 else "north", 2 + k % 2) for k in range(8)])
    assert (r.scores, r.games) == ({"south": 12, "north": 8}, {"south": 1, "north": 0})


def test_10_1_a_tie_after_eight_boards_needs_an_extra_board() -> None:
    eight = [won("south" if k % 2 else "north", 2) for k in range(8)]
    r = rule(*eight)
    assert (r.games, r.scores) == ({"south": 0, "north": 0}, {"south": 8, "north": 8})
    r = rule(*eight, won("north", 1))
    assert (r.boards[8].board, r.games, r.boards[8].flags) == (9, {"south": 0, "north": 1}, ())
    r = rule(*eight, Board())
    assert [f.kind for f in r.boards[8].flags] == ["extra_board"]


def test_10_1_without_an_extra_board_the_game_is_drawn() -> None:
    r = rule(*[won("south" if k % 2 else "north", 2) for k in range(8)], Board(), extra_board=False)
    assert (r.games, r.boards[8].game, r.scores) == ({"south": 0, "north": 0}, 2, {"south": 0, "north": 0})


def test_10_2_no_limit_of_boards() -> None:
    r = rule(*[won("south" if k % 2 else "north", 1) for k in range(10)], max_boards=0)
    assert (r.games, r.boards[9].board) == ({"south": 0, "north": 0}, 10)


def test_10_3_best_of_three() -> None:
    game = (won("south", 9), won("south", 9), won("south", 9))
    lost = (won("north", 9), won("north", 9), won("north", 9))
    r = rule(*game, *lost, *game)
    assert (r.games, r.winner, [b.game for b in r.boards]) == ({"south": 2, "north": 1}, "south", [1, 1, 1, 2, 2, 2, 3, 3, 3])
    with pytest.raises(BadInput, match="board 7: the match was over after board 6: South has won it"):
        rule(*game, *game, Board())


def test_10_3_a_single_game() -> None:
    assert rule(won("south", 9), won("south", 9), won("south", 9), games=1).winner == "south"


def test_10_4_the_queen_counts_up_to_21() -> None:
    for before, after in ((21, 26), (22, 24)):
        assert rule(won("south", 2, scores={"south": before}, queen="covered:south"), target=30).scores["south"] == after


def test_10_5_the_total_stops_at_the_target() -> None:
    assert rule(won("south", 9, scores={"south": 20})).scores == {"south": 25, "north": 0}
    assert rule(won("south", 9, scores={"south": 20}), total_capped=False).scores == {"south": 29, "north": 0}


def breakers(r: Rulings) -> list[Seat]:
    return [b.breaker for b in r.boards]


def test_3_8_the_break_alternates_and_the_games_are_opened_in_turn() -> None:
    quick = Board(events=(call("concede", "north"),))
    lost = Board(events=(call("concede", "south"),))
    open_board = Board()
    assert breakers(rule(open_board, open_board, open_board)) == ["south", "north", "south"]
    assert breakers(rule(quick, lost, open_board, open_board)) == ["south", "north", "south", "north"]
    assert breakers(rule(open_board, open_board, open_board, quick, open_board)) == ["south", "north", "south", "north", "north"]


def test_3_8_in_doubles_the_break_goes_to_the_right() -> None:
    match = a_match(*[Board()] * 5, seats=SEATS, first="north")
    assert breakers(rule_match(match, ICF)) == ["north", "west", "south", "east", "north"]


def test_11_a_replayed_board_does_not_count_and_has_the_same_breaker() -> None:
    r = rule(Board(events=(hit("white"), call("replay", "north"))), won("south", 9, breaker="south"), Board())
    assert [(b.board, b.breaker) for b in r.boards] == [(1, "south"), (1, "south"), (2, "north")]
    assert r.boards[0].result
    assert r.boards[0].result.replay


def test_11_8_a_concession_ends_the_game() -> None:
    r = rule(Board(events=(call("concede", "north"),)), Board())
    assert (r.games, r.boards[1].game, r.winner) == ({"south": 1, "north": 0}, 2, None)


def test_11_9_misconduct_ends_the_match() -> None:
    assert rule(Board(events=(call("refused", "north"),))).winner == "south"
    r = rule(replace(won("south", 9), events=(hit("white"), call("abusive", "south"))))
    assert (r.winner, r.scores) == ("north", {"south": 9, "north": 0})


def test_143_distractions_count_through_the_match() -> None:
    twice = Board(events=(call("interrupted", "north"), call("interrupted", "north")))
    assert rule(twice, Board(events=(call("interrupted", "south"), call("interrupted", "north")))).winner == "south"


def test_an_unfinished_board_brings_nothing() -> None:
    r = rule(Board(events=(hit("white"),)), Board())
    assert ([f.kind for f in r.boards[0].flags], r.boards[1].board, r.scores) == (["unfinished"], 2, {"south": 0, "north": 0})


def test_points_given_in_the_middle_of_a_log_are_used_and_shown() -> None:
    r = rule(won("south", 9), won("south", 1, scores={"south": 11}))
    assert (r.scores["south"], [f.kind for f in r.boards[1].flags]) == (12, ["start_scores"])


def test_points_that_end_the_game_are_refused() -> None:
    with pytest.raises(BadInput, match="board 1, start: scores: 25 points end the game, which is to 25"):
        rule(won("south", 1, scores={"south": 25}))


def test_demand_and_target() -> None:
    start = Start(1, 3, "on_board", breaker="south", turn="south", scores={"north": 21})
    events: tuple[Event, ...] = (hit("white", "striker"),)
    assert rule(Board(events, start)).games == {"south": 0, "north": 0}
    assert rule(Board((*events, call("demand", "north")), start)).games == {"south": 0, "north": 1}


# doubles


def test_10_9_the_turn_goes_anticlockwise() -> None:
    state = rack(doubles=True)
    order = []
    for _ in range(5):
        order.append(state.turn)
        state = play(state, hit(by=state.turn or "south"))
    assert order == ["south", "east", "north", "west", "south"]
    assert rack(doubles=True, direction="clockwise").table.order == ("west", "north", "east", "south")


def test_10_9_cover_duty_stays_with_the_player() -> None:
    state = play(board(doubles=True), hit("queen"))
    assert (str(state.queen), state.turn) == ("pending:south", "south")


def test_10_10_partners_share_colour_dues_and_right() -> None:
    r = ruled(board(9, 6, doubles=True, dues={"north": 1}), hit(by="south"), hit("white", by="north"))
    assert (lies(r), out(r), r.dues) == ((9, 6, "on_board"), (1, 0, 0), {"south": 0, "east": 0})
    state = play(rack(doubles=True), hit("white"), hit(), hit(by="east"), hit("queen", by="north"))
    assert (str(state.queen), state.turn) == ("pending:north", "north")
    result = play(board(1, 4, "covered:north", doubles=True), hit("white")).result
    assert result
    assert (result.winner, result.points) == ("south", {"south": 7, "east": 0})


def test_pair_scores_must_agree() -> None:
    with pytest.raises(BadInput, match="a pair has one score"):
        board(doubles=True, scores={"south": 3, "north": 4})
    assert board(doubles=True, scores={"north": 4}).before == (4, 0)


# what cannot be


def test_more_than_there_are_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^board 1, event 2: 2 white pocketed, but 1 white on the board$"):
        play(board(1, 5), hit("black"), hit("white", "white", by="north"))
    with pytest.raises(BadInput, match=r"^board 1, event 1: 5 white pocketed and 2 off the board, but 6 white on the board$"):
        play(board(), hit(*many("white", 5), off_board=("white", "white")))
    with pytest.raises(BadInput, match=r"^board 1, event 1: 1 queen pocketed, but the queen is covered:north$"):
        play(board(queen="covered:north"), hit("queen"))


def test_a_stroke_after_the_end_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^board 2, event 2: a stroke by south after the board was over \(event 1 ended it\)$"):
        rule(Board(), Board((hit("white"), hit()), Start(1, 4, "covered:south", breaker="south")))


def test_a_start_that_is_no_board_in_play_is_refused() -> None:
    with pytest.raises(BadInput, match="board 1, start: black: 0 left means that the board is over"):
        rule(Board(start=Start(black=0)))
    with pytest.raises(BadInput, match="board 1, start: queen: pending:south asks for the cover by south, but the turn is given to north"):
        rule(Board(start=Start(queen="pending:south", turn="north")))


def test_a_start_gives_the_turn_to_the_one_who_has_to_cover() -> None:
    assert board(queen="pending:south").turn == "south"
    match = a_match(Board(start=Start(white=8, queen="pending:north")))
    assert state_after(match, ICF, 0).turn == "north"


def test_three_players_are_refused() -> None:
    with pytest.raises(BadInput, match="law book icf is for 2 or 4 players, the log has 3"):
        rule_match(a_match(seats=("south", "east", "north")), ICF)


def test_options_override_the_book() -> None:
    with pytest.raises(BadInput, match="options: unknown setting 'taget' of law book icf: did you mean target"):
        rule(taget=21)
    with pytest.raises(BadInput, match="options: target: -1 is not a whole number from 0 to 10000"):
        rule(target=-1)
    with pytest.raises(BadInput, match="options: max_boards: target and max_boards are both 0: no game would end"):
        rule(target=0, max_boards=0)
    with pytest.raises(BadInput, match="options: unknown setting 'players'"):
        rule(players=2)
    r = rule(Board((hit("queen", "black"),), Start(6, 6)), with_opponents_piece="turn_lost")
    assert r.boards[0].rulings[0].turn == "north"


def test_3_7_a_log_in_which_play_comes_after_the_first_stroke() -> None:
    r = rule(Board(events=(hit("white"), call("play"), hit(by="north"))))
    assert r.boards[0].rulings[0].fouls == ("before_play",)
    r = rule(Board(events=(call("play"), hit("white"))))
    assert r.boards[0].rulings[1].fouls == ()
    r = rule(Board(events=(hit("white"), hit(), call("play"))))
    assert r.boards[0].rulings[0].fouls == ()


def test_after_n_events() -> None:
    match = a_match(won("south", 9), Board((hit("white", by="north"), hit("striker", "white", by="north"))))
    state = state_after(match, ICF, 1, 1)
    assert (state.turn, state.white, state.black, state.before) == ("north", 8, 9, (9, 0))
    state = state_after(match, ICF, 1)
    assert (state.turn, state.white, state.expected_counts) == ("north", 9, {"white": 2})
    assert state_after(match, ICF, 0, 0).rulings == ()


def test_the_points_of_a_game_are_kept_until_the_next_one_begins() -> None:
    end = won("south", 5, scores={"south": 20})
    assert rule(end).scores == {"south": 25, "north": 0}
    assert state_after(a_match(end, Board(), Board()), ICF, 1).before == (0, 0)
    assert state_after(a_match(end, Board(), Board()), ICF, 2).before == (0, 0)


def test_the_match_can_be_followed_board_by_board() -> None:
    match = a_match(won("south", 9), won("north", 3))
    state = open_match(match, ICF)
    for b in match.boards:
        state = close_board(state, play(next_board(state, b)[0], *b.events))
    assert (state.scores, state.board, state.breaker) == ((9, 3), 3, "south")


def notices(r: Rulings) -> list[tuple[int, int, tuple[str, ...]]]:
    """Game and board, and what is to be done after it."""
    return [(b.game, b.board, tuple(f.kind for f in b.notices)) for b in r.boards]


GAME = (won("south", 9),) * 3
LOST = (won("north", 9),) * 3


def test_10_6_sides_are_changed_after_each_game() -> None:
    r = rule(*GAME, *LOST, Board())
    assert notices(r) == [(1, 1, ()), (1, 2, ()), (1, 3, ("change_sides",)), (2, 1, ()), (2, 2, ()), (2, 3, ("change_sides",)), (3, 1, ())]


def test_10_6_after_the_match_nothing_is_changed() -> None:
    assert notices(rule(*GAME, *GAME))[-1] == (2, 3, ())


def pair_won(by: Seat, left: int) -> Board:
    """A board in doubles that the pair of `by` wins by its opponent's pieces left."""
    loser: Seat = "east" if by == "south" else "south"
    return Board(events=(hit("white", by=by),), start=Start(1, left, f"covered:{loser}", breaker=by, turn=by))


def test_10_6_in_doubles_each_moves_one_place_to_the_right() -> None:
    r = rule_match(a_match(*[pair_won("south", 9)] * 3, *[pair_won("east", 9)] * 3, Board(), seats=SEATS), ICF)
    assert [n for _, _, n in notices(r)] == [(), (), ("change_places",), (), (), ("change_places",), ()]
    assert "one place to the right" in r.boards[2].notices[0].text


def test_10_7_in_the_third_game_after_the_fourth_board() -> None:
    third = (won("south", 1), won("north", 1), won("south", 1), won("north", 1), won("north", 1), Board())
    r = rule(*GAME, *LOST, *third)
    assert [n for g, _, n in notices(r) if g == 3] == [(), (), (), ("change_sides_decider",), (), ()]


def test_10_7_in_the_third_game_at_13_points() -> None:
    third = (won("south", 9), won("south", 3), won("north", 1), won("south", 1), won("north", 1), Board())
    r = rule(*GAME, *LOST, *third)
    assert [n for g, _, n in notices(r) if g == 3] == [(), (), (), ("change_sides_decider",), (), ()]
    r = rule(*GAME, *LOST, won("south", 9), won("south", 4), won("north", 1), won("north", 1), Board())
    assert [n for g, _, n in notices(r) if g == 3] == [(), ("change_sides_decider",), (), (), ()]


def test_10_7_from_the_quarter_finals_on_only_at_13_points() -> None:
    third = (*[won("south" if k % 2 else "north", 1) for k in range(6)], won("south", 9), won("south", 1), Board())
    r = rule(*GAME, *LOST, *third, decider_change_boards=0, max_boards=0)
    assert [n for g, _, n in notices(r) if g == 3] == [*[()] * 7, ("change_sides_decider",), ()]


def test_10_7_not_in_the_first_two_games_nor_in_a_single_one() -> None:
    four = (won("south", 4), won("south", 4), won("north", 1), won("south", 6), Board())
    assert [n for _, _, n in notices(rule(*four))] == [()] * 5
    assert [n for _, _, n in notices(rule(*four, games=1))] == [()] * 5


def test_10_7_a_replayed_board_is_no_board() -> None:
    replayed = Board(events=(call("replay"),))
    r = rule(*GAME, *LOST, won("south", 1), won("north", 1), won("south", 1), replayed, won("north", 1), Board())
    assert [n for g, _, n in notices(r) if g == 3] == [(), (), (), (), ("change_sides_decider",), ()]


def test_3_8_over_three_games() -> None:
    south, north = Board(events=(call("concede", "north"),)), Board(events=(call("concede", "south"),))
    assert breakers(rule(south, north, Board(), Board())) == ["south", "north", "south", "north"]
    assert breakers(rule(south, north, south, first="north")) == ["north", "south", "north"]
    doubles = a_match(south, Board(events=(call("concede", "east"),)), Board(), seats=SEATS, first="west")
    assert breakers(rule_match(doubles, ICF)) == ["west", "south", "west"]


def test_10_1_the_toss_of_the_extra_board_is_the_start_of_the_log() -> None:
    eight = [won("south" if k % 2 else "north", 2) for k in range(8)]
    r = rule(*eight, won("north", 1, breaker="north"), Board())
    assert ([f.kind for f in r.boards[8].flags], r.boards[8].breaker, r.boards[9].game) == ([], "north", 2)
    assert r.boards[9].breaker == ("north" if r.boards[0].breaker == "south" else "south")


def test_10_1_25_points_end_the_game_before_the_eighth_board() -> None:
    r = rule(*[won("south", 6)] * 4, won("south", 1), Board())
    assert (r.boards[4].game, r.boards[5].game, r.games["south"]) == (1, 2, 1)


def test_10_5_totals_as_they_are_written_down() -> None:
    assert rule(won("north", 4, scores={"south": 23, "north": 22})).scores == {"south": 23, "north": 25}
    assert rule(won("south", 9, scores={"south": 24, "north": 24})).scores == {"south": 25, "north": 24}


def test_10_8_and_11_9_the_interval_overrun_is_a_call() -> None:
    assert rule(*GAME, *LOST, Board(events=(call("refused", "south"),))).winner == "north"


def test_12_3_slams_bring_no_points() -> None:
    slam = rule(Board(events=(hit("white", "white", "queen"), hit(*many("white", 7)))))
    result = slam.boards[0].result
    assert result
    assert (result.slam, result.points["south"], result.pieces, result.queen_points) == ("white", 12, 9, 3)
    without = rule(Board(events=(hit("white", "white", "queen"), hit(*many("white", 7)))), slams=False).boards[0].result
    assert without
    assert (without.slam, without.points["south"]) == (None, 12)
