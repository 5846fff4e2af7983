"""Sections 5 and 6 of the ICF decision table as two functions of their own, and the engine against them on every stroke there is.

`in_play` and `at_the_end` are written from the rows alone: what they say of a stroke is compared with the ruling, singles and
doubles, white and black, either side of 21 points.
"""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

import pytest

from models.stroke import Piece, Seat, Stroke
from referee.state import BoardState
from tests.referee.boards import board, hit, many, play

NINE: Final = 9
CAP: Final = 12


class Wanted(NamedTuple):
    """What the rows ask: own pieces of the stroke that come out, where the Queen goes, dues and penalties, the turn."""

    own_out: int
    queen: str
    extra: int
    goes_on: bool


def in_play(n: int, m: int, q: bool, s: bool, bad: bool, *, queen: str, nine: bool, right: bool, due: bool) -> Wanted:
    """Rows 5.1 to 5.33, with the readings suggested in C1 to C5."""
    costs = (2 if bad else 1) if s else int(bad)
    back = n if s or bad else 0
    if queen == "pending":
        if s and n and not bad:
            return Wanted(n, "pending", 1, True)  # 5.31
        covers = n > 0 and not s and not bad
        return Wanted(back, "covered" if covers else "on_board", costs, covers)  # 5.28 to 5.30, 5.32, 5.33
    if not q:
        return Wanted(back, queen, costs, n > 0 and not bad)  # 5.1 to 5.13
    if due:
        return Wanted(back, "on_board", costs, False)  # 5.16, C4
    if bad:
        return Wanted(back, "on_board", costs, False)  # 5.24, 5.26, 5.27
    if s:
        return Wanted(back, "on_board", 1, n > 0 or not nine)  # 5.22, 5.23, 5.25, C3
    if n:
        return Wanted(0, "pending" if nine and n == 1 else "covered", 0, True)  # 5.17 to 5.20, C5
    return Wanted(0, "pending", 0, True) if right else Wanted(0, "on_board", 0, False)  # 5.14, 5.15, 5.21 by C2


STROKES: Final = tuple(product((0, 1, 2), (0, 1, 2), (False, True), (False, True), (False, True)))
"""Own and opponent's pieces, the Queen, the striker, improper."""
QUEENS: Final = ("on_board", "pending", "covered", "covered_by_other")


@pytest.mark.parametrize("doubles", [False, True])
@pytest.mark.parametrize("by", ["south", "north"])
@pytest.mark.parametrize("queen", QUEENS)
def test_section_5_every_stroke(by: Seat, queen: str, doubles: bool) -> None:
    for own, due in ((6, False), (NINE, False), (NINE, True)):
        for n, m, q, s, bad in STROKES:
            if q and queen != "on_board":
                continue
            start = position(by, own, queen, due, doubles)
            want = in_play(n, m, q, s, bad, queen=queen, nine=own == NINE, right=own < NINE, due=due)
            got = play(start, stroke(start, by, n, m, q, s, bad))
            owed = due + want.extra
            fresh = want.extra > 0 or n > 0
            paid = min(owed, NINE - own + n - want.own_out) if fresh else 0
            colour = start.colour(by)
            r = got.rulings[-1]
            what = f"{own} own, due {due}, Queen {queen}: {n} own, {m} other, queen {q}, striker {s}, improper {bad}"
            assert got.on_board(colour) == own - n + want.own_out + paid, what
            assert got.on_board("black" if colour == "white" else "white") == 6 - m, what
            assert r.out[colour] == want.own_out + paid, what
            assert got.queen.state == want.queen.removesuffix("_by_other"), what
            assert got.dues[start.table.index(by)] == owed - paid, what
            assert got.turn == (by if want.goes_on else start.table.after(by)), what
            assert r.continues is want.goes_on, what
            assert bool(r.fouls) == (s or bad), what


def position(by: Seat, own: int, queen: str, due: bool, doubles: bool) -> BoardState:
    """A board with `by` at turn; in doubles north is south's partner, east the opponent."""
    other: Seat = "east" if doubles else "north" if by == "south" else "south"
    mine = by == "south" or doubles
    where = {"on_board": queen, "pending": f"pending:{by}", "covered": f"covered:{by}", "covered_by_other": f"covered:{other}"}[queen]
    white, black = (own, 6) if mine else (6, own)
    return board(white, black, where, turn=by, dues={by: int(due)}, doubles=doubles)


def stroke(start: BoardState, by: Seat, n: int, m: int, q: bool, s: bool, bad: bool) -> Stroke:
    """A stroke by `by` that pockets so many of his own and of his opponent's."""
    own: Piece = start.colour(by)
    other: Piece = "black" if own == "white" else "white"
    return hit(*many(other, m), *many(own, n), *many("queen", q), *many("striker", s), by=by, bad=bad)


class End(NamedTuple):
    """Whether the striker wins, the points, and what may be claimed."""

    wins: bool
    points: int
    extra: int


def at_the_end(
    a: int, b: int, own_last: bool, other_last: bool, *, queen: str, q: bool, s: bool, bad: bool, low: bool, other_low: bool
) -> End | None:
    """Rows 6.1 to 6.18 by the one formula: `a` and `b` pieces left after the stroke; None where the board goes on."""
    on_board = queen == "on_board" and not q
    if own_last and not on_board and not other_last and (s or bad):
        return None  # 6.1 improper, 6.13
    wins = own_last and not on_board and not s and not bad
    if wins:
        queen_counts = queen in ("pending", "covered") or q
        return End(True, min(CAP, max(1, b + 3 * (queen_counts and low))), 0)
    points = min(CAP, max(1, a + 3 * (queen != "covered" and other_low)))
    extra = (2 if bad else 1) if s else int(bad)
    return End(False, points, min(extra, CAP - points))


ENDS: Final = ((1, 4, True, False), (1, 9, True, False), (5, 1, False, True), (9, 1, False, True), (1, 1, True, True))
"""Own and opponent's pieces before the stroke, and whose last one falls."""


@pytest.mark.parametrize("scores", [{"south": 21, "north": 22}, {"south": 22, "north": 21}, {}, {"south": 22, "north": 22}])
@pytest.mark.parametrize("doubles", [False, True])
def test_section_6_every_end(scores: dict[Seat, int], doubles: bool) -> None:
    other: Seat = "east" if doubles else "north"
    points: dict[Seat, int] = {"south": scores.get("south", 0), other: scores.get("north", 0)}
    for (own, others, own_last, other_last), queen, q, s, bad in product(ENDS, QUEENS, (False, True), (False, True), (False, True)):
        if q and queen != "on_board":
            continue
        where = {"covered_by_other": f"covered:{other}", "on_board": queen}.get(queen, f"{queen}:south")
        fell = (*many("black", other_last), *many("white", own_last), *many("queen", q), *many("striker", s))
        state = play(board(own, others, where, scores=points, doubles=doubles), hit(*fell, bad=bad))
        want = at_the_end(
            own - own_last, others - other_last, own_last, other_last,
            queen=queen, q=q, s=s, bad=bad, low=points["south"] <= 21, other_low=points[other] <= 21,
        )  # fmt: skip
        what = f"{own}-{others}, Queen {where}, {fell}, improper {bad}"
        if want is None:
            assert state.result is None, what
            continue
        assert state.result is not None, what
        winner: Seat = "south" if want.wins else other
        loser = other if want.wins else "south"
        assert state.result.winner == winner, what
        assert state.result.points == {winner: want.points, loser: 0}, what
        assert state.result.demandable == {winner: want.extra, loser: 0}, what
        assert state.turn is None, what
