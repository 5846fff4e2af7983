"""Positions and events for the referee's tests: south has white and is at turn unless told otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.stroke import SEATS, Board, Call, Event, Match, Piece, Placing, Player, Seat, Start, Stroke
from referee.board import apply
from referee.engine import next_board, open_match, rule_match
from referee.lawbook_files import load_lawbook
from referee.laws import LawBook
from referee.rulings import Ruling, Rulings
from referee.state import BoardState

ICF = load_lawbook("icf")


def hit(*pocketed: Piece, by: Seat = "south", bad: bool = False, improper: tuple[str, ...] = (), **more: Any) -> Stroke:
    """A stroke; `bad` makes it improper."""
    return Stroke(by=by, pocketed=pocketed, improper=("pushed",) if bad else improper, **more)


def many(piece: Piece, n: int) -> tuple[Piece, ...]:
    return (piece,) * n


def call(what: str, by: Seat = "south") -> Call:
    return Call(call=what, by=by)


def place(*pieces: Any, by: Seat = "north") -> Placing:
    return Placing(by=by, pieces=pieces)


def a_match(*boards: Board, seats: tuple[Seat, ...] = ("south", "north"), first: Seat = "south", **options: Any) -> Match:
    players = tuple(Player(s, s.capitalize()) for s in seats)
    return Match(laws="icf", players=players, first_break=first, boards=boards, options=options)


def rack(book: LawBook = ICF, doubles: bool = False, **options: Any) -> BoardState:
    """A board before the break."""
    match = a_match(seats=SEATS if doubles else ("south", "north"), **options)
    return next_board(open_match(match, book), Board())[0]


def board(
    white: int = 6,
    black: int = 6,
    queen: str = "on_board",
    *,
    turn: Seat = "south",
    dues: Mapping[Seat, int] | None = None,
    scores: Mapping[Seat, int] | None = None,
    book: LawBook = ICF,
    doubles: bool = False,
) -> BoardState:
    """A board in play."""
    start = Start(white=white, black=black, queen=queen, breaker="south", turn=turn, dues=dues or {}, scores=scores or {})
    match = a_match(seats=SEATS if doubles else ("south", "north"))
    return next_board(open_match(match, book), Board(start=start))[0]


def play(state: BoardState, *events: Event) -> BoardState:
    for event in events:
        state = apply(state, event)
    return state


def ruled(state: BoardState, *events: Event) -> Ruling:
    """The last ruling after some events."""
    return play(state, *events).rulings[-1]


def reading(**switches: str | bool) -> LawBook:
    """The ICF book with other readings."""
    return ICF.with_options(switches)


def lies(ruling: Ruling) -> tuple[int, int, str]:
    """What lies on the board after a ruling."""
    return ruling.white, ruling.black, str(ruling.queen)


def out(ruling: Ruling) -> tuple[int, int, int]:
    """White, black and Queen that come out."""
    return ruling.out["white"], ruling.out["black"], ruling.out["queen"]


def seated(book: LawBook, *seats: Seat, start: Start | None = None, **options: Any) -> BoardState:
    """A board by any book with any players (south and north if none are given), from the rack or from a position."""
    return next_board(open_match(a_match(seats=seats or ("south", "north"), **options), book), Board(start=start))[0]


def matched(book: LawBook, *boards: Board, seats: tuple[Seat, ...] = ("south", "north"), **options: Any) -> Rulings:
    """The rulings on a match by any book."""
    return rule_match(a_match(*boards, seats=seats, **options), book)


def found(ruling: Ruling) -> tuple[tuple[int, int, str], tuple[int, int, int], Seat | None]:
    """What lies on the board, what comes out, and who strikes next."""
    return lies(ruling), out(ruling), ruling.turn


def asked(ruling: Ruling) -> list[tuple[str, Seat | None, int]]:
    """What is to be put back, by whom (None: the umpire) and how many."""
    return [(e.piece, e.by, e.n) for e in ruling.placings]


def flagged(ruling: Ruling) -> list[str]:
    """The kinds of a ruling's flags."""
    return [f.kind for f in ruling.flags]
