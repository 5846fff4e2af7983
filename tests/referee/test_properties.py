"""What holds in every board: pieces are conserved, dues are never negative, one side is to strike or the board is over."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from models.stroke import CALLS, COLOURS, SEATS, Board, Call, Event, Piece, Placing, Stroke
from models.stroke_log import log_to_json, parse_log
from referee.board import apply, can
from referee.engine import rule_match
from referee.placings import close_placings
from referee.state import BoardState
from tests.referee.boards import ICF, a_match, board, hit, many, rack

MIDDLES: Final[tuple[Mapping[str, object], ...]] = (
    {"white": 1, "black": 1, "queen": "on_board"},
    {"white": 1, "black": 2, "queen": "pending:south"},
    {"white": 2, "black": 1, "queen": "covered:north"},
    {"white": 9, "black": 3, "queen": "on_board", "dues": {"south": 2, "north": 1}},
    {"white": 9, "black": 9, "queen": "covered:south", "dues": {"north": 3}},
)


def sound(before: BoardState, event: Event, after: BoardState) -> None:
    """The invariants of one step."""
    assert 0 <= after.white <= 9
    assert 0 <= after.black <= 9
    assert all(d >= 0 for d in after.dues)
    assert (after.turn is None) == after.over
    assert after.over or min(after.white, after.black) > 0
    assert (after.queen.seat is None) == (after.queen.state == "on_board")
    if isinstance(event, Placing):
        assert len(after.rulings) == len(before.rulings)
        return
    assert len(after.rulings) == len(before.rulings) + 1
    ruling = after.rulings[-1]
    assert ruling.clauses or ruling.discrepancies
    assert ruling.text or ruling.discrepancies
    assert all(0 <= n <= 9 for n in ruling.out.values())
    if isinstance(event, Stroke):
        before = close_placings(before)
        fell = {c: event.pocketed.count(c) for c in ("white", "black")}
        assert after.white == before.white - fell["white"] + ruling.out["white"]
        assert after.black == before.black - fell["black"] + ruling.out["black"]
        on = int(before.queen.state == "on_board") - event.pocketed.count("queen") + ruling.out["queen"]
        assert on == int(after.queen.state == "on_board")
    if after.result and after.result.winner:
        loser = next(s for s in after.table.sides if s != after.result.winner)
        assert after.result.points[loser] == 0
        assert after.result.award or 1 <= after.result.points[after.result.winner] <= ICF.points.most


def an_event(state: BoardState, random: Random) -> Event:
    """Anything that can happen on a table, mostly by the one at turn."""
    by = random.choice((*[state.turn or "south"] * 4, *state.table.order))
    kind = random.randrange(10)
    if kind == 0:
        return Call(random.choice(("foul", "technical_foul", "talking", "timeout", "forgo", "play")), by)
    if kind == 1:
        return Placing(by, tuple(random.choices(COLOURS, k=random.randrange(4))))
    state = close_placings(state)
    pocketed: list[Piece] = ["striker"] if random.random() < 0.2 else []
    pocketed += ["queen"] if state.queen.state == "on_board" and random.random() < 0.3 else []
    off: list[Piece] = []
    for colour in ("white", "black"):
        left = state.on_board(colour)
        fell = random.randint(0, min(random.choice((0, 1, 3, 9)), left))
        pocketed += [colour] * fell
        off += [colour] if fell < left and random.random() < 0.1 else []
    random.shuffle(pocketed)
    improper = ("pushed",) if random.random() < 0.2 else ()
    return Stroke(by, tuple(pocketed), random.random() < 0.8, tuple(off), improper)


@given(st.integers(0, 2**32 - 1), st.booleans())
@settings(max_examples=60, deadline=None)
def test_random_boards_conserve_pieces_and_rule_the_same_again(seed: int, doubles: bool) -> None:
    random = Random(seed)
    state = first = rack(doubles=doubles)
    played: list[Event] = []
    while len(played) < 40 and not state.over:
        event = an_event(state, random)
        after = apply(state, event)
        sound(state, event, after)
        played.append(event)
        state = after
    again = first
    for event in played:
        again = apply(again, event)
    assert again == state
    match = a_match(Board(tuple(played)), seats=SEATS if doubles else ("south", "north"))
    log = json.loads(json.dumps(log_to_json(match)))
    assert rule_match(parse_log(log), ICF).to_json() == rule_match(match, ICF).to_json()


def outcomes(state: BoardState) -> list[Stroke]:
    """Every stroke of the one at turn: up to two of each colour, Queen, striker, proper or not, touched or not."""
    strokes = []
    for white, black, queen, striker, bad, touched in product(range(3), range(3), (0, 1), (0, 1), (False, True), (True, False)):
        pocketed = many("white", white) + many("black", black) + many("queen", queen) + many("striker", striker)
        stroke = hit(*pocketed, by=state.turn or "south", bad=bad, touched=touched)
        if can(state, stroke):
            strokes.append(stroke)
    return strokes


def test_every_stroke_from_the_break_and_from_the_middle_is_ruled_soundly() -> None:
    for start in (rack(), rack(doubles=True), *(board(**m) for m in MIDDLES)):  # type: ignore[arg-type]
        for first in outcomes(start):
            after = apply(start, first)
            sound(start, first, after)
            if not after.over:
                for second in outcomes(after)[::11]:
                    sound(after, second, apply(after, second))


def test_every_call_from_the_middle_is_ruled_soundly() -> None:
    for start in (rack(), *(board(**m) for m in MIDDLES)):  # type: ignore[arg-type]
        for what, by in product(CALLS, ("south", "north")):
            call = Call(what, by)  # type: ignore[arg-type]
            if can(start, call):
                sound(start, call, apply(start, call))


def test_points_by_the_one_formula_that_all_ends_follow() -> None:
    for start in (board(**m) for m in MIDDLES):  # type: ignore[arg-type]
        for stroke in outcomes(start):
            result = apply(start, stroke).result
            if result and result.winner:
                assert result.points[result.winner] == min(12, max(1, result.pieces + result.queen_points))
                assert result.queen_points in (0, 3)
