"""The stroke outcome matrix, one test for each row of the ICF decision table (5.1 to 5.36), named after it.

South has white, six on the board of each colour unless said otherwise; `out` is white, black, Queen.
"""

from __future__ import annotations

from tests.referee.boards import ICF, board, call, hit, lies, out, place, play, rack, reading, ruled

TURN_LOST = ICF.with_options({"offences.opponents_piece.turn": "lost", "offences.opponents_piece.foul": False})
"""The other reading of C1."""


def test_5_1_proper_nothing() -> None:
    r = ruled(board(), hit())
    assert (lies(r), out(r), r.turn, r.continues, r.fouls, r.clauses) == ((6, 6, "on_board"), (0, 0, 0), "north", False, (), ("48",))


def test_5_2_own_stays_and_turn_continues() -> None:
    r = ruled(board(), hit("white", "white"))
    assert (lies(r), out(r), r.turn, r.continues) == ((4, 6, "on_board"), (0, 0, 0), "south", True)


def test_5_3_other_stays_no_due_turn_passes() -> None:
    r = ruled(board(), hit("black"))
    assert (lies(r), out(r), r.turn, r.dues, r.fouls) == ((6, 5, "on_board"), (0, 0, 0), "north", {"south": 0, "north": 0}, ())


def test_5_4_own_and_other_continue() -> None:
    r = ruled(board(), hit("black", "white"))
    assert (lies(r), out(r), r.turn) == ((5, 5, "on_board"), (0, 0, 0), "south")


def test_5_4_own_and_other_the_other_reading_c1() -> None:
    r = ruled(
        board(book=TURN_LOST),
        hit("black", "white"),
    )
    assert (lies(r), r.turn) == ((5, 5, "on_board"), "north")


def test_5_5_striker_alone_costs_one_due() -> None:
    r = ruled(board(), hit("striker"))
    assert (lies(r), out(r), r.turn, r.fouls, r.clauses) == ((7, 6, "on_board"), (1, 0, 0), "north", ("striker_pocketed",), ("72a",))


def test_5_5_due_is_owed_until_a_piece_is_available() -> None:
    state = play(board(9, 8), hit("striker"))
    r = state.rulings[-1]
    assert (lies(r), out(r), r.dues, r.clauses) == ((9, 8, "on_board"), (0, 0, 0), {"south": 1, "north": 0}, ("72a", "72c"))
    r = ruled(state, hit(by="north"), hit("white"))
    assert (lies(r), out(r), r.dues, r.turn, r.clauses) == ((9, 8, "on_board"), (1, 0, 0), {"south": 0, "north": 0}, "south", ("48", "78a"))


def test_5_6_improper_striker_alone_costs_two() -> None:
    r = ruled(board(), hit("striker", bad=True))
    assert (lies(r), out(r), r.turn, r.fouls, r.clauses) == (
        (8, 6, "on_board"),
        (2, 0, 0),
        "north",
        ("striker_pocketed", "pushed"),
        ("72b",),
    )


def test_5_7_striker_and_own_comes_back_with_a_due_and_continues() -> None:
    r = ruled(board(), hit("white", "striker"))
    assert (lies(r), out(r), r.turn, r.clauses) == ((7, 6, "on_board"), (2, 0, 0), "south", ("73",))


def test_5_8_striker_and_other() -> None:
    r = ruled(board(), hit("black", "striker"))
    assert (lies(r), out(r), r.turn, r.clauses) == ((7, 5, "on_board"), (1, 0, 0), "north", ("74",))


def test_5_9_striker_own_and_other() -> None:
    r = ruled(board(), hit("black", "striker", "white"))
    assert (lies(r), out(r), r.turn, r.clauses) == ((7, 5, "on_board"), (2, 0, 0), "south", ("75",))


def test_5_10_improper_other_stays_one_penalty() -> None:
    r = ruled(board(), hit("black", bad=True))
    assert (lies(r), out(r), r.turn, r.clauses) == ((7, 5, "on_board"), (1, 0, 0), "north", ("76",))


def test_5_10_improper_other_and_striker() -> None:
    r = ruled(board(), hit("black", "striker", bad=True))
    assert (lies(r), out(r), r.turn, r.clauses) == ((8, 5, "on_board"), (2, 0, 0), "north", ("72b", "76"))


def test_5_11_improper_own_comes_back_with_one_penalty() -> None:
    r = ruled(board(), hit("white", bad=True))
    assert (lies(r), out(r), r.turn, r.clauses) == ((7, 6, "on_board"), (2, 0, 0), "north", ("77a", "64b"))


def test_5_12_improper_striker_and_own() -> None:
    r = ruled(board(), hit("white", "striker", bad=True))
    assert (lies(r), out(r), r.turn, r.clauses) == ((8, 6, "on_board"), (3, 0, 0), "north", ("77b",))


def test_5_13_improper_nothing() -> None:
    r = ruled(board(), hit(bad=True))
    assert (lies(r), out(r), r.turn, r.clauses) == ((7, 6, "on_board"), (1, 0, 0), "north", ("64a",))


def test_5_14_queen_waits_for_the_cover() -> None:
    r = ruled(board(), hit("queen"))
    assert (lies(r), out(r), r.turn) == ((6, 6, "pending:south"), (0, 0, 0), "south")


def test_5_15_queen_before_any_own_piece() -> None:
    r = ruled(board(9, 6), hit("queen"))
    assert (lies(r), out(r), r.turn, r.clauses) == ((9, 6, "on_board"), (0, 0, 1), "north", ("95a",))


def test_5_15_own_pieces_that_the_opponent_pocketed_give_no_right() -> None:
    r = ruled(rack(), hit("black"), hit("queen", by="north"))
    assert (lies(r), out(r), r.turn, r.clauses) == ((9, 8, "on_board"), (0, 0, 1), "south", ("95a",))


def test_5_16_queen_with_a_due_outstanding() -> None:
    r = ruled(board(9, 6, dues={"south": 1}), hit("queen"))
    assert (lies(r), out(r), r.dues["south"], r.turn, r.clauses) == ((9, 6, "on_board"), (0, 0, 1), 1, "north", ("95b",))


def test_5_16_queen_and_own_with_a_due_outstanding_c4() -> None:
    r = ruled(board(9, 6, dues={"south": 1}), hit("queen", "white"))
    assert (lies(r), out(r), r.dues["south"], r.turn) == ((9, 6, "on_board"), (1, 0, 1), 0, "north")
    assert [f.kind for f in r.flags] == ["queen_own_with_due"]
    r = ruled(board(9, 6, dues={"south": 1}, book=reading(with_due="continue")), hit("queen", "white"))
    assert (out(r), r.turn) == ((1, 0, 1), "south")


def test_5_16_queen_own_and_striker_with_a_due_outstanding() -> None:
    r = ruled(board(9, 6, dues={"south": 1}), hit("queen", "white", "striker"))
    assert (lies(r), out(r), r.dues["south"], r.turn) == ((9, 6, "on_board"), (1, 0, 1), 2, "north")


def test_5_16_queen_and_striker_with_a_due_outstanding() -> None:
    r = ruled(board(8, 6, dues={"south": 2}), hit("queen", "striker"))
    assert (out(r)[2], r.turn) == (1, "north")


def test_5_17_queen_and_own_is_covered_whatever_the_order() -> None:
    for pocketed in (("queen", "white"), ("white", "queen")):
        r = ruled(board(), hit(*pocketed))
        assert (lies(r), out(r), r.turn, r.clauses) == ((5, 6, "covered:south"), (0, 0, 0), "south", ("97a",))


def test_5_17_queen_own_and_other() -> None:
    r = ruled(board(), hit("queen", "white", "black"))
    assert (lies(r), r.turn) == ((5, 5, "covered:south"), "south")


def test_5_18_queen_and_one_own_with_nine_must_still_be_covered() -> None:
    r = ruled(rack(), hit("queen", "white"))
    assert (lies(r), out(r), r.turn, r.clauses) == ((8, 9, "pending:south"), (0, 0, 0), "south", ("97b",))
    assert lies(ruled(rack(), hit("queen", "white"), hit("white"))) == (7, 9, "covered:south")


def test_5_18_with_the_turn_lost_there_is_nothing_left_to_cover() -> None:
    r = ruled(
        board(9, 6, book=TURN_LOST),
        hit("queen", "white", "black"),
    )
    assert (lies(r), out(r), r.turn) == ((8, 5, "on_board"), (0, 0, 1), "north")


def test_5_19_queen_and_two_own_with_nine_is_covered() -> None:
    r = ruled(rack(), hit("white", "queen", "white"))
    assert (lies(r), out(r), r.turn, r.clauses) == ((7, 9, "covered:south"), (0, 0, 0), "south", ("97b",))


NINE_AGAIN = (hit(by="south"), hit(by="north"), hit("white"), hit("striker"), hit(by="north"))
"""South pockets a piece and pays it back as a due."""


def test_5_20_the_right_to_the_queen_is_kept_when_nine_are_back() -> None:
    r = ruled(rack(), *NINE_AGAIN, hit("queen"))
    assert (lies(r), r.turn) == ((9, 9, "pending:south"), "south")


def test_5_20_queen_and_one_own_when_nine_are_back_c5() -> None:
    r = ruled(rack(), *NINE_AGAIN, hit("queen", "white"))
    assert (lies(r), r.turn, [f.kind for f in r.flags]) == ((8, 9, "pending:south"), "south", ["queen_own_at_nine_again"])
    r = ruled(rack(reading(nine_again="covered")), *NINE_AGAIN, hit("queen", "white"))
    assert lies(r) == (8, 9, "covered:south")


def test_5_21_queen_and_other_is_for_the_umpire_c2() -> None:
    r = ruled(board(), hit("queen", "black"))
    assert (lies(r), out(r), r.turn, [f.kind for f in r.flags]) == ((6, 5, "pending:south"), (0, 0, 0), "south", ["queen_and_other"])
    r = ruled(board(book=reading(with_opponents_piece="turn_lost")), hit("queen", "black"))
    assert (lies(r), out(r), r.turn) == ((6, 5, "on_board"), (0, 0, 1), "north")


def test_5_22_queen_and_striker_with_nine() -> None:
    r = ruled(rack(), hit("queen", "striker"))
    assert (lies(r), out(r), r.dues["south"], r.turn, r.clauses) == ((9, 9, "on_board"), (0, 0, 1), 1, "north", ("95d", "72c"))


def test_5_23_queen_and_striker_continues() -> None:
    r = ruled(board(), hit("queen", "striker"))
    assert (lies(r), out(r), r.turn, r.clauses, r.flags) == ((7, 6, "on_board"), (1, 0, 1), "south", ("99a",), ())


def test_5_23_without_an_own_piece_pocketed_is_for_the_umpire() -> None:
    r = ruled(rack(), hit("black"), hit("white", by="north"), hit("queen", "striker"))
    assert (lies(r), out(r), r.turn) == ((9, 8, "on_board"), (1, 0, 1), "south")
    assert [f.kind for f in r.flags] == ["queen_striker_before_own"]


def test_5_23_queen_striker_and_other() -> None:
    r = ruled(board(), hit("queen", "striker", "black"))
    assert (lies(r), out(r), r.turn, [f.kind for f in r.flags]) == ((7, 5, "on_board"), (1, 0, 1), "south", ["queen_and_other"])
    r = ruled(board(book=reading(with_opponents_piece="turn_lost")), hit("queen", "striker", "black"))
    assert r.turn == "north"


def test_5_24_queen_and_striker_improper() -> None:
    r = ruled(board(), hit("queen", "striker", bad=True))
    assert (lies(r), out(r), r.turn, r.clauses) == ((8, 6, "on_board"), (2, 0, 1), "north", ("99b",))


def test_5_25_queen_own_and_striker_continues() -> None:
    r = ruled(board(), hit("queen", "white", "striker"))
    assert (lies(r), out(r), r.turn, r.clauses) == ((7, 6, "on_board"), (2, 0, 1), "south", ("98a",))


def test_5_25_queen_own_and_striker_with_nine_c3() -> None:
    r = ruled(rack(), hit("queen", "white", "striker"))
    assert (lies(r), out(r), r.dues["south"], r.turn) == ((9, 9, "on_board"), (1, 0, 1), 1, "south")
    assert [f.kind for f in r.flags] == ["queen_own_striker_at_nine"]
    r = ruled(rack(reading(with_own_and_striker_at_nine="turn_lost")), hit("queen", "white", "striker"))
    assert (out(r), r.turn) == ((1, 0, 1), "north")


def test_5_26_queen_own_and_striker_improper() -> None:
    r = ruled(board(), hit("queen", "white", "striker", bad=True))
    assert (lies(r), out(r), r.turn, r.clauses) == ((8, 6, "on_board"), (3, 0, 1), "north", ("98b",))


def test_5_27_queen_improper() -> None:
    r = ruled(board(), hit("queen", bad=True))
    assert (lies(r), out(r), r.turn, r.clauses) == ((7, 6, "on_board"), (1, 0, 1), "north", ("64b",))
    r = ruled(board(), hit("queen", "white", bad=True))
    assert (lies(r), out(r), r.turn) == ((7, 6, "on_board"), (2, 0, 1), "north")


def test_5_28_cover() -> None:
    r = ruled(board(queen="pending:south"), hit("white"))
    assert (lies(r), out(r), r.turn, r.clauses) == ((5, 6, "covered:south"), (0, 0, 0), "south", ("96",))
    r = ruled(board(queen="pending:south"), hit("black", "white"))
    assert (lies(r), r.turn) == ((5, 5, "covered:south"), "south")


def test_5_29_cover_failed() -> None:
    for pocketed, black in (((), 6), (("black",), 5)):
        r = ruled(board(queen="pending:south"), hit(*pocketed))
        assert (lies(r), out(r), r.turn, r.clauses) == ((6, black, "on_board"), (0, 0, 1), "north", ("96",))


def test_5_30_cover_with_the_striker_alone() -> None:
    r = ruled(board(queen="pending:south"), hit("striker"))
    assert (lies(r), out(r), r.turn, r.clauses) == ((7, 6, "on_board"), (1, 0, 1), "north", ("100a",))
    r = ruled(board(queen="pending:south"), hit("striker", bad=True))
    assert (lies(r), out(r), r.turn, r.clauses) == ((8, 6, "on_board"), (2, 0, 1), "north", ("100b",))


def test_5_31_cover_with_striker_and_own_gives_one_more_stroke() -> None:
    state = play(board(queen="pending:south"), hit("striker", "white"))
    r = state.rulings[-1]
    assert (lies(r), out(r), r.turn, r.clauses) == ((7, 6, "pending:south"), (2, 0, 0), "south", ("101a",))
    assert lies(ruled(state, hit("white"))) == (6, 6, "covered:south")
    r = ruled(state, hit())
    assert (lies(r), out(r), r.turn) == ((7, 6, "on_board"), (0, 0, 1), "north")


def test_5_32_cover_with_striker_and_own_improper() -> None:
    r = ruled(board(queen="pending:south"), hit("striker", "white", bad=True))
    assert (lies(r), out(r), r.turn, r.clauses) == ((8, 6, "on_board"), (3, 0, 1), "north", ("101b",))


def test_5_33_cover_with_own_improper() -> None:
    r = ruled(board(queen="pending:south"), hit("white", bad=True))
    assert (lies(r), out(r), r.turn, r.clauses) == ((7, 6, "on_board"), (2, 0, 1), "north", ("64b", "77a", "96"))
    assert [f.kind for f in r.flags] == ["cover_improper_own"]


def test_5_33_cover_with_nothing_improper() -> None:
    r = ruled(board(queen="pending:south"), hit(bad=True))
    assert (lies(r), out(r), r.turn, r.clauses) == ((7, 6, "on_board"), (1, 0, 1), "north", ("64a", "96"))


def test_5_34_failed_cover_with_a_due_placed_but_not_the_queen() -> None:
    state = play(board(queen="pending:south"), hit("striker"), place("white"), hit(by="north"))
    assert lies(state.rulings[-1]) == (7, 6, "covered:south")
    result = play(board(1, 5, "pending:south"), hit(), place(), hit(by="north"), hit("white")).result
    assert result
    assert result.points["south"] == 8


def test_5_34_in_doubles() -> None:
    state = play(board(queen="pending:south", doubles=True), hit(), place(), hit(by="east"))
    assert lies(state.rulings[-1]) == (6, 6, "covered:south")


def test_5_34_failed_cover_overlooked_is_recorded_as_covered() -> None:
    state = play(board(queen="pending:south"), hit(), place(), hit(by="north"))
    assert lies(state.rulings[-1]) == (6, 6, "covered:south")
    seen = state.rulings[0].discrepancies[0]
    assert (seen.kind, seen.clauses, seen.event) == ("placed_queen_missing", ("96",), 3)


def test_5_35_striker_off_the_board_is_no_foul() -> None:
    r = ruled(board(), hit("white", off_board=("striker",)))
    assert (lies(r), out(r), r.turn, r.fouls, r.clauses) == ((5, 6, "on_board"), (0, 0, 0), "south", (), ("48", "116"))
    assert ruled(board(), hit(off_board=("striker",))).turn == "north"


def test_5_36_played_on_noticed_the_turn_ends() -> None:
    """Noticed by the umpire, or by the opponent who strikes: no board is lost by it, and nobody else was out of turn."""
    state = play(board(), hit("black"), hit("white"), call("out_of_turn"))
    assert (state.result, state.turn, lies(state.rulings[-1])) == (None, "north", (5, 5, "on_board"))
    state = play(board(), hit("black"), hit("white"), hit(by="north"))
    assert (state.turn, [d.kind for d in state.rulings[-1].discrepancies]) == ("south", [])


def test_5_36_playing_on_after_other_strokes_is_out_of_turn() -> None:
    r = ruled(board(), hit(), hit("white"))
    assert [d.clauses for d in r.discrepancies] == [("51",)]


def test_5_36_played_on_unnoticed_after_pocketing_the_opponents() -> None:
    r = ruled(board(), hit("black"), hit("white"))
    assert (lies(r), r.turn) == ((5, 5, "on_board"), "south")
    assert [(d.kind, d.clauses) for d in r.discrepancies] == [("played_on", ("125b",))]


def test_9_1_what_leaves_the_board_goes_back_to_the_centre() -> None:
    r = ruled(board(), hit(off_board=("white",)))
    assert (lies(r), out(r), r.turn, r.fouls) == ((6, 6, "on_board"), (0, 0, 0), "north", ())
    assert [(e.piece, e.by, e.n) for e in r.placings] == [("white", None, 1)]
    assert "65a" in r.clauses


def test_9_2_queen_and_a_piece_off_the_board() -> None:
    assert "65b" in ruled(board(), hit(off_board=("white", "queen"))).clauses


def test_9_3_both_colours_off_the_board() -> None:
    assert "65c" in ruled(board(), hit("white", off_board=("white", "black", "striker"))).clauses


def test_8_2_the_opponent_places_and_in_doubles_the_player_to_the_right() -> None:
    assert [(e.piece, e.by, e.n) for e in ruled(board(), hit("striker", "white")).placings] == [("white", "north", 2)]
    assert [e.by for e in ruled(board(doubles=True), hit("striker")).placings] == ["east"]
    r = ruled(board(9, 9, dues={"north": 1}, doubles=False), hit("black"))
    assert [(e.piece, e.by, e.n) for e in r.placings] == [("black", "south", 1)]
    assert (lies(r), r.dues["north"]) == ((9, 9, "on_board"), 0)


def test_8_9_dues_of_the_two_sides_never_cancel_each_other() -> None:
    r = ruled(board(9, 9, dues={"north": 1}), hit("striker"))
    assert r.dues == {"south": 1, "north": 1}


def test_the_contracts_own_example() -> None:
    state = play(board(5, 3, dues={"north": 1}, scores={"south": 22, "north": 10}), hit("white", "striker"))
    r = state.rulings[-1]
    assert (lies(r), out(r), r.turn, r.clauses) == ((6, 3, "on_board"), (2, 0, 0), "south", ("73",))
    assert (r.dues, r.scores) == ({"south": 0, "north": 1}, {"south": 22, "north": 10})
    assert play(state, place("white", "white"), call("talking", "north")).rulings[0].discrepancies == ()
