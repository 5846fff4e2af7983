"""Where the walk over the referee's strokes starts: the rack and fifty positions from the middle of a board, for any law book."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from benchmarks.referee_walk import key
from models.stroke import SEATS, Board, Call, Colour, Match, Piece, Player, Seat, Start, Stroke
from referee.board import apply, can
from referee.engine import next_board, open_match
from referee.laws import LawBook
from referee.state import BoardState

MIDDLES: Final = 50
"""Positions beside the rack."""
SINGLES: Final[tuple[Seat, ...]] = ("south", "north")
SEATED: Final[dict[int, tuple[Seat, ...]]] = {1: ("south",), 2: SINGLES, 3: ("south", "east", "north"), 4: SEATS}
"""Who sits where, by the number of players."""
_NO_TARGET: Final = 20
"""A score (points) where the book plays to none."""
Pair = tuple[int, int]
"""For south and north."""
_MISS: Final = Stroke("south", touched=False)


@dataclass(frozen=True)
class Position:
    """A position: how the board stands, and the strokes, all by the one at turn, that lead to it from there."""

    name: str
    start: Start | None = None
    played: tuple[tuple[Piece, ...] | Stroke, ...] = ()
    players: int = 2
    awaits_play: bool = False


def positions(book: LawBook) -> list[tuple[str, BoardState]]:
    """The rack and the positions of a book, by name, no two alike: what a book cannot have is left out and made up for."""
    found: list[tuple[str, BoardState]] = [("rack", opened(book, Position("rack", players=min(book.match.players))))]
    seen = {key(found[0][1], 1)}
    for position in _candidates(book):
        if position.players not in book.match.players:
            continue
        state = opened(book, position)
        if state.over or (look := key(state, 1)) in seen:
            continue
        seen.add(look)
        found.append((position.name, state))
        if len(found) > MIDDLES:
            return found
    raise ValueError(f"law book {book.id}: only {len(found) - 1} positions, {MIDDLES} were asked for")


def opened(book: LawBook, position: Position) -> BoardState:
    """The board of a position."""
    seats = SEATED[position.players]
    # A log where the umpire says "Play" after the first stroke is one where the break came too early.
    events = (Stroke("south"), Call("play", "south")) if position.awaits_play else ()
    match = Match(book.id, tuple(Player(s, s.capitalize()) for s in seats), "south", (), {})
    state = next_board(open_match(match, book), Board(events=events, start=position.start))[0]
    for move in position.played:
        seat = state.turn or "south"
        stroke = move if isinstance(move, Stroke) else Stroke(seat, move)
        if not can(state, stroke):
            break
        state = apply(state, stroke)
    return state


def _candidates(book: LawBook) -> Iterator[Position]:
    yield Position("missed break", played=(_MISS,))
    yield Position("second missed break", played=(_MISS, _MISS))
    yield Position("break before play", awaits_play=True)
    yield Position("rack of four", players=4)
    yield from _owned(book) if book.owned else _open(book)


def _start(white: int, black: int, queen: str = "on_board", turn: Seat = "south", *, dues: Pair = (0, 0), scores: Pair = (0, 0)) -> Start:
    owed = {s: n for s, n in zip(SINGLES, dues, strict=True) if n}
    stood = {s: n for s, n in zip(SINGLES, scores, strict=True) if n}
    return Start(white, black, queen, "south", turn, owed, stood)


def _without_queen(position: Position) -> Position:
    start = position.start
    if start is None:
        return position
    bare = Start(start.white, start.black, None, start.breaker, start.turn, start.dues, start.scores, start.taken)
    return Position(position.name, bare, position.played, position.players)


def _owned(book: LawBook) -> Iterator[Position]:
    every = (*_special(book), *_plain())
    yield from every if book.pieces.with_queen else (_without_queen(p) for p in every)


def _special(book: LawBook) -> Iterator[Position]:
    near = book.match.target - 1 if book.match.target else _NO_TARGET
    limit = min(book.points.queen_up_to, near)
    yield Position("last of both", _start(1, 1))
    yield Position("last of both, queen covered", _start(1, 1, "covered:south"))
    yield Position("last of both, queen of the other", _start(1, 1, "covered:north"))
    yield Position("last of both, to cover", _start(1, 1, "pending:south"))
    yield Position("last own", _start(1, 5))
    yield Position("last own, to cover", _start(1, 4, "pending:south"))
    yield Position("last own, queen covered", _start(1, 3, "covered:south"))
    yield Position("last of the other", _start(6, 1))
    yield Position("last of the other, to cover", _start(3, 1, "pending:south"))
    yield Position("last of the other, his queen", _start(4, 1, "covered:north"))
    yield Position("two of both", _start(2, 2))
    yield Position("two of both, to cover", _start(2, 2, "pending:south"))
    yield Position("nine again", _start(9, 5, dues=(0, 0)))
    yield Position("nine of the other", _start(5, 9, turn="north"))
    yield Position("nine, two owed", _start(9, 3, dues=(2, 1)))
    yield Position("all nine, queen covered, three owed", _start(9, 9, "covered:south", dues=(0, 3)))
    yield Position("nine of both, the other's turn", _start(9, 9, turn="north"))
    yield Position("one owed", _start(8, 6, dues=(1, 0)))
    yield Position("one owed by both", _start(7, 7, dues=(1, 1)))
    yield Position("one owed, to cover", _start(6, 6, "pending:south", dues=(1, 0)))
    yield Position("the other owes two, queen covered", _start(4, 4, "covered:south", dues=(0, 2)))
    yield Position("near the target", _start(2, 2, scores=(near, 0)))
    yield Position("both near the target", _start(1, 2, "covered:south", scores=(near, near)))
    yield Position("last queen that counts", _start(2, 1, scores=(limit, limit)))
    yield Position("first queen that counts no more", _start(1, 2, scores=(min(limit + 1, near), limit)))
    yield Position("to cover, near the target", _start(1, 1, "pending:south", scores=(limit, near)))
    yield Position("queen taken", _start(6, 6), (("queen",),))
    yield Position("queen taken before an own piece", _start(9, 6), (("queen",),))
    yield Position("queen covered in this turn", _start(5, 5, "pending:south"), (("white",),))
    yield Position("queen and own covered in this turn", _start(5, 5), (("queen", "white"),))
    yield Position("own last before the queen", _start(1, 4), (("white",),))
    yield Position("last two before the queen", _start(2, 3), (("white", "white"),))
    yield Position("own last before the queen, the other's turn", _start(4, 1, turn="north"), (("black",),))
    yield Position("four, mid-board", _start(5, 4), players=4)
    yield Position("four, to cover", _start(3, 2, "pending:south"), players=4)
    yield Position("four, partner's queen", _start(2, 2, "covered:north"), players=4)
    yield Position("four, one owed", _start(9, 5, dues=(1, 0)), players=4)


def _plain() -> Iterator[Position]:
    """Few pieces and many, all places of the Queen, either's turn."""
    queens = ("on_board", "covered:north", "covered:south")
    turns: tuple[Seat, ...] = ("south", "north")
    left = ((3, 7), (8, 4), (6, 2), (1, 2), (9, 1), (2, 9), (7, 5), (4, 3), (5, 1), (3, 3), (1, 8))
    for (white, black), turn, queen in product(left, turns, queens):
        yield Position(f"{white} white, {black} black, queen {queen}, {turn}", _start(white, black, queen, turn))


def _open(book: LawBook) -> Iterator[Position]:
    many = max(p for p in book.match.players if p < len(SEATS))
    for players in sorted({many, *book.match.players}):
        seats = SEATED[players]
        for name, white, black, queen, won in _LYING:
            yield Position(f"{name}, {players}", _shared(book, seats, white, black, queen, won), players=players)
        yield Position(f"queen taken, {players}", _shared(book, seats, 5, 5, "on_board", ()), (("queen",),), players)
        yield Position(f"queen won in this turn, {players}", _shared(book, seats, 4, 5, "pending", ()), (("white",),), players)
        for turn, owed in product(seats, (1, 2)) if book.dues.unpaid == "owed" else ():
            yield Position(f"{turn} owes {owed}", Start(7, 8, "on_board", "south", turn, {turn: owed}), players=players)
            yield Position(f"{turn} owes {owed}, last pieces", Start(1, 1, "on_board", "south", turn, {seats[0]: owed}), players=players)
        for turn, (white, black) in product(seats, ((3, 3), (6, 4), (2, 8), (1, 4), (8, 3), (4, 2), (9, 5), (2, 1))):
            start = Start(white, black, "on_board", "south", turn)
            yield Position(f"{white} white, {black} black, {turn} of {players}", start, players=players)


_LYING: Final[tuple[tuple[str, int, int, str, tuple[Colour, ...]], ...]] = (
    ("last of both", 1, 1, "on_board", ()),
    ("last of both, queen won", 1, 1, "covered", ("queen",)),
    ("last of both, to cover", 1, 1, "pending", ()),
    ("last white", 1, 0, "on_board", ("white",)),
    ("last black, queen won", 0, 1, "covered", ("black", "queen")),
    ("only the queen", 0, 0, "on_board", ("white", "black")),
    ("two to go, to cover", 2, 0, "pending", ("white",)),
    ("many won", 3, 6, "on_board", ("white",) * 6 + ("black",) * 2),
    ("most won", 1, 2, "on_board", ("white",) * 8),
    ("mid-board", 5, 5, "covered", ("white", "black", "queen")),
    ("nine black", 4, 9, "on_board", ("white", "white")),
    ("nine white, to cover", 9, 7, "pending", ("black",)),
)
"""Name, white and black left, Queen, and what the first player has won."""


def _shared(book: LawBook, seats: tuple[Seat, ...], white: int, black: int, queen: str, won: tuple[Colour, ...]) -> Start:
    """A position where a piece belongs to whoever pockets it; the rest of what is off the board was won by the last player."""
    first, last = seats[0], seats[-1]
    queen_at = queen if queen == "on_board" else f"{queen}:{first}"
    mine: dict[Colour, int] = {c: won.count(c) for c in ("white", "black", "queen") if c in won}
    rest: dict[Colour, int] = {"white": 9 - white - won.count("white"), "black": 9 - black - won.count("black")}
    theirs: dict[Colour, int] = {c: n for c, n in rest.items() if n > 0}
    taken = {first: mine} if first == last else {first: mine, last: theirs}
    if book.match.target and any(sum(book.worth(c) * n for c, n in t.items()) >= book.match.target for t in taken.values()):
        taken = {first: mine}
    return Start(white, black, queen_at, "south", first, taken=taken)
