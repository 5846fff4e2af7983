"""The break (3.1 to 3.8 of the ICF decision table)."""

from __future__ import annotations

from dataclasses import replace

from referee.laws import LawBook
from referee.state import BoardState
from tests.referee.boards import ICF, call, hit, lies, many, out, play, rack, ruled

MISS = hit(touched=False)
MISS_NORTH = hit(by="north", touched=False)


def test_3_1_the_breaker_has_white() -> None:
    assert lies(ruled(rack(), hit("white"))) == (8, 9, "on_board")
    assert ruled(rack(), hit("white")).turn == "south"


def test_3_2_a_touch_makes_the_break() -> None:
    r = ruled(rack(), MISS, hit())
    assert (r.turn, r.clauses) == ("north", ("48",))
    assert play(rack(), hit()).broken


def test_3_2_what_falls_was_touched() -> None:
    assert play(rack(), hit("white", touched=False)).broken


def test_3_3_three_chances() -> None:
    state = rack()
    for _ in range(2):
        state = play(state, MISS)
        r = state.rulings[-1]
        assert (r.turn, r.continues, out(r), r.clauses) == ("south", True, (0, 0, 0), ("45a",))
    assert "116" in ruled(rack(), hit(touched=False, off_board=("striker",))).clauses


def test_3_4_the_break_passes_to_and_fro_with_colours_as_they_are() -> None:
    state = play(rack(), MISS, MISS, MISS)
    r = state.rulings[-1]
    assert (r.turn, r.continues, r.dues, r.clauses) == ("north", False, {"south": 0, "north": 0}, ("45b",))
    state = play(state, MISS_NORTH, MISS_NORTH, MISS_NORTH)
    assert (state.turn, state.broken) == ("south", False)
    state = play(state, MISS, MISS, MISS)
    r = ruled(state, hit("black", by="north"))
    assert (r.turn, lies(r)) == ("north", (9, 8, "on_board"))


def test_3_5_a_foul_that_touches_nothing_costs_the_turn_only() -> None:
    for stroke in (hit("striker", touched=False), hit(bad=True, touched=False)):
        r = ruled(rack(), stroke)
        assert (r.turn, r.dues, out(r), r.clauses) == ("north", {"south": 0, "north": 0}, (0, 0, 0), ("45c",))


def test_3_5_once_broken_the_ordinary_laws_hold() -> None:
    r = ruled(rack(), hit(), hit("striker", by="north", touched=False))
    assert (r.dues, r.clauses) == ({"south": 0, "north": 1}, ("72a", "72c"))


def early(book: LawBook = ICF) -> BoardState:
    return rack(book)._replace(awaits_play=True)


def test_3_7_break_before_play() -> None:
    r = ruled(early(), hit("white", "black", "queen"))
    assert (lies(r), out(r), r.dues["south"], r.turn, r.fouls) == ((9, 8, "on_board"), (1, 0, 1), 1, "north", ("before_play",))
    assert r.clauses == ("47", "72c")


def test_3_7_break_before_play_in_the_older_edition() -> None:
    book = replace(ICF, breaking=replace(ICF.breaking, before_play="all"))
    assert (lies(ruled(early(book), hit("white", "black", "queen")))) == (9, 9, "on_board")


def test_3_7_break_before_play_that_touches_nothing() -> None:
    r = ruled(early(), hit(touched=False))
    assert (r.turn, r.dues["south"], r.clauses) == ("north", 1, ("47", "72c"))


def test_3_7_break_before_play_that_pockets_all_of_the_others() -> None:
    assert play(early(), hit(*many("black", 9))).result


def test_3_7_after_play_the_break_is_proper() -> None:
    r = ruled(early(), call("play"), hit("white"))
    assert (r.turn, r.clauses) == ("south", ("48",))


def test_a_foul_before_the_break_is_owed() -> None:
    r = ruled(rack(), call("technical_foul"))
    assert (r.turn, r.dues, r.clauses) == ("south", {"south": 1, "north": 0}, ("63a", "72c"))


def test_3_4_in_doubles_the_break_passes_to_the_right() -> None:
    state = rack(doubles=True)
    order = []
    for _ in range(5):
        order.append(state.turn)
        for _ in range(3):
            state = play(state, hit(by=state.turn or "south", touched=False))
    assert order == ["south", "east", "north", "west", "south"]
    assert lies(ruled(state, hit("black", by="east"))) == (9, 8, "on_board")


def test_3_5_the_next_breaker_has_three_chances_of_his_own() -> None:
    for lost in (hit("striker", touched=False), hit(bad=True, touched=False)):
        state = play(rack(), MISS, lost, MISS_NORTH, MISS_NORTH)
        assert (state.turn, state.broken, state.rulings[-1].clauses) == ("north", False, ("45a",))
        assert play(state, MISS_NORTH).turn == "south"


def test_3_6_only_after_play_and_within_the_clock() -> None:
    r = ruled(rack(), call("play"))
    assert (r.turn, r.clauses, out(r), r.flags) == ("south", ("46",), (0, 0, 0), ())
    late = ruled(rack(), call("play"), call("timeout"))
    assert (late.turn, late.dues, "63a" in late.clauses) == ("south", {"south": 1, "north": 0}, True)
    assert [f.kind for f in ruled(rack(), call("play"), hit(seconds=16.0)).flags] == ["over_clock"]


def test_3_7_a_break_before_play_that_touches_nothing_breaks_nothing() -> None:
    """3.2: the break is made once a piece is touched, so the opponent has the three chances of 3.3."""
    state = play(early(), MISS, MISS_NORTH)
    assert (state.turn, state.rulings[-1].clauses) == ("north", ("45a",))


def test_3_7_with_nothing_of_his_own_he_owes_the_one_for_the_foul() -> None:
    r = ruled(early(), hit("black"))
    assert (lies(r), out(r), r.dues["south"], r.turn) == ((9, 8, "on_board"), (0, 0, 0), 1, "north")
