"""A board in play: immutable, every event gives a new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from models.errors import BadInput
from models.stroke import COLOURS, FULL_SET, SEATS, Colour, Piece, Seat, Start
from referee.laws import LawBook
from referee.rulings import Discrepancy, Expected, Queen, Result, Ruling
from referee.table import Table

Counts = tuple[int, ...]
"""A number for each side, in the order of `Table.sides`."""


_ZEROS: Final[Mapping[int, Counts]] = {n: (0,) * n for n in range(1, len(SEATS) + 1)}


@dataclass(frozen=True, slots=True)
class WrongStroke:
    """A stroke out of turn and what it found: the board is lost by that if it is noticed before the next stroke (51).

    `played_on`: after pocketing an opponent's piece, which costs the turn only (125b).
    """

    by: Seat
    left: int
    queen: Queen
    played_on: bool = False


class BoardState(NamedTuple):
    """A board after some events.

    Attributes
    ----------
    breaker : Seat
        Who breaks; his side has white.
    white, black : int
        Pieces on the board, those counted in that the laws ask to be put back.
    turn : Seat or None
        Who strikes next; None once the board is over.
    dues : tuple of int
        What each side owes.
    before : tuple of int
        Points of each side before the board.
    broken : bool
        Whether a piece has been touched; `tries` are the chances that the one at turn has used.
    struck : bool
        Whether the one at turn has struck in this turn: a violation before is a technical foul.
    right : frozenset of Seat
        Sides that have pocketed an own piece, which is the right to the Queen.
    turns : tuple of int
        Turns that each side has begun; `whole` tells whether the board was seen from the break.
    idle : tuple of int
        Turns running that each side let pass without touching a piece.
    expected : tuple of Expected
        What the last ruling asks to be put back, less what has been seen put back.
    placing : bool
        Whether placings were seen since the last stroke.
    offered : tuple of int
        Dues of each side that the last ruling paid and that may still be waived.
    uncovered : Seat or None
        Whose cover failed with the last stroke, so that the Queen comes back.
    interruptions : mapping
        How often each seat has distracted its opponent in the match.
    event : int
        Number of the last event.
    remarks : tuple of Discrepancy
        Discrepancies seen before the first ruling, to be shown with it.
    gained : tuple of int
        Points of each side won and lost in this board so far: by pieces where the one who pockets a piece has it, by
        offences that cost points.
    taken : tuple of (Seat, Colour)
        Pieces won, oldest first, where the one who pockets a piece has it.
    aside : int
        Last own pieces of the one at turn, set aside until he takes the Queen.
    queen_in_turn : bool
        Whether the Queen fell in this turn.
    misplaced : (int, int)
        White and black pieces placed since the last stroke that were not asked for.
    pocketed_other : bool
        Whether the last stroke pocketed an opponent's piece.
    unordered : int
        Pieces at the beginning of `taken` whose order is not known.
    strokes : int
        Strokes of this board.
    expired : mapping
        Clocks that each seat has let expire running.
    """

    book: LawBook
    table: Table
    number: int
    breaker: Seat
    white: int
    black: int
    queen: Queen
    turn: Seat | None
    dues: Counts
    before: Counts
    broken: bool
    right: frozenset[Seat]
    turns: Counts
    whole: bool
    awaits_play: bool = False
    tries: int = 0
    struck: bool = False
    idle: Counts = ()
    last: Seat | None = None
    expected: tuple[Expected, ...] = ()
    placing: bool = False
    offered: Counts = ()
    uncovered: Seat | None = None
    wrong: WrongStroke | None = None
    interruptions: Mapping[Seat, int] = {}
    event: int = 0
    rulings: tuple[Ruling, ...] = ()
    remarks: tuple[Discrepancy, ...] = ()
    result: Result | None = None
    gained: Counts = ()
    taken: tuple[tuple[Seat, Colour], ...] = ()
    aside: int = 0
    queen_in_turn: bool = False
    misplaced: tuple[int, int] = (0, 0)
    pocketed_other: bool = False
    unordered: int = 0
    strokes: int = 0
    expired: Mapping[Seat, int] = {}

    def after(self, seat: Seat) -> Seat:
        """Who is at turn when the turn of `seat` is over; where turns do not pass, the same player."""
        return self.table.after(seat) if self.book.match.turn_passes else seat

    def colour(self, seat: Seat) -> Colour:
        """The colour of a seat's side."""
        return "white" if self.table.side_of[seat] == self.table.side_of[self.breaker] else "black"

    def side_with(self, colour: Colour) -> Seat:
        """The side whose pieces have a colour."""
        white = self.table.side_of[self.breaker]
        return white if colour == "white" else self.table.opponent(white)

    def on_board(self, piece: Piece) -> int:
        """How many of a class lie on the board."""
        if piece == "white":
            return self.white
        if piece == "black":
            return self.black
        return int(piece == "striker" or self.queen.state == "on_board")

    def left(self, seat: Seat) -> int:
        """Pieces that a seat's side has on the board."""
        return self.on_board(self.colour(seat))

    def put_back_aside(self) -> tuple[int, int]:
        """White and black on the board once what the one at turn has set aside is back."""
        if not self.aside or self.turn is None:
            return self.white, self.black
        return (self.white + self.aside, self.black) if self.colour(self.turn) == "white" else (self.white, self.black + self.aside)

    def pocketed(self, colour: Colour) -> int:
        """How many of a colour are in the pockets; those set aside are not."""
        aside = self.aside if self.turn is not None and self.aside and self.colour(self.turn) == colour else 0
        return FULL_SET[colour] - self.on_board(colour) - aside

    @property
    def no_dues(self) -> Counts:
        """Nothing for any side."""
        return _ZEROS[len(self.table.sides)]

    @property
    def expected_counts(self) -> dict[Colour, int]:
        """What is still to be put back, by colour; what left the board is counted in."""
        counts = {c: sum(e.n for e in self.expected if e.piece == c) for c in COLOURS}
        return {c: n for c, n in counts.items() if n}

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def scores(self) -> Counts:
        """Points of each side in the game, those of this board counted in once they are won."""
        if self.result is None and not any(self.gained):
            return self.before
        total = [b + g for b, g in zip(self.before, self.gained, strict=True)]
        if self.result is not None and self.book.owned:
            total = [t + self.result.points[s] for t, s in zip(total, self.table.sides, strict=True)]
        match = self.book.match
        if match.total_capped and match.target:
            total = [min(t, max(match.target, b)) for t, b in zip(total, self.before, strict=True)]
        return tuple(max(0, t) for t in total)


def open_board(
    book: LawBook,
    table: Table,
    breaker: Seat,
    start: Start | None = None,
    before: Counts | None = None,
    *,
    number: int = 1,
    awaits_play: bool = False,
    interruptions: Mapping[Seat, int] | None = None,
    expired: Mapping[Seat, int] | None = None,
) -> BoardState:
    """A board before its first event.

    Parameters
    ----------
    breaker : Seat
        Who breaks; overridden by `start`.
    start : Start, optional
        How a board stands that does not begin with the rack.
    before : tuple of int, optional
        Points of each side before the board; overridden by `start`.
    number : int
        Number of the board in the log, for messages.
    awaits_play : bool
        Whether the umpire has yet to say "Play" (47).

    Raises
    ------
    BadInput
        If `start` describes no position of a board in play.
    """
    start = start or Start()
    breaker = start.breaker or breaker
    where = f"board {number}, start"
    start = start if book.owned else _with_taken(start, where)
    white = FULL_SET["white"] if start.white is None else start.white
    black = FULL_SET["black"] if start.black is None else start.black
    queen = _queen(start.queen, book, where)
    turn = start.turn or (queen.seat if queen.state == "pending" else None) or breaker
    white_turn = table.side_of[turn] == table.side_of[breaker]
    aside = _aside(book, (white, black) if white_turn else (black, white), queen)
    for colour, n in (("white", white), ("black", black)) if book.owned else ():
        if not n and not (aside and (colour == "white") == white_turn):
            raise BadInput(f"{where}: {colour}: 0 left means that the board is over; a board in play has 1 to {FULL_SET[colour]}")  # type: ignore[index]
    if queen.state == "pending" and queen.seat != turn:
        raise BadInput(f"{where}: queen: {queen} asks for the cover by {queen.seat}, but the turn is given to {turn}")
    dues = tuple(sum(n for s, n in start.dues.items() if table.side_of[s] == side) for side in table.sides)
    whole = (white, black, queen, turn, sum(dues)) == (FULL_SET["white"], FULL_SET["black"], Queen(), breaker, 0)
    right: set[Seat] = set()
    if queen.state == "pending" and book.owned and _taken_early(book, white if white_turn else black):
        queen = Queen("early", queen.seat)
    if book.owned:
        white_side = table.side_of[breaker]
        sides = ((white_side, white), (table.opponent(white_side), black))
        right = {side for side, n in sides if n < FULL_SET["white"]}
    elif not white + black and queen.state != "on_board":
        raise BadInput(f"{where}: no piece is left: the board is over; a board in play has at least one")
    # Nobody knows in which order they were won: the dearest first, so that the cheapest is the first to be given back.
    taken = tuple((seat, c) for seat, won in start.taken.items() for c in sorted(won, key=book.worth, reverse=True) for _ in range(won[c]))
    zeros = _ZEROS[len(table.sides)]
    worth = [sum(book.worth(c) for s, c in taken if table.side_of[s] == side) for side in table.sides]
    return BoardState(
        book=book,
        table=table,
        number=number,
        breaker=breaker,
        white=white,
        black=black,
        queen=queen,
        turn=turn,
        dues=dues,
        before=_scores(start, table, before or zeros, where),
        broken=not whole,
        right=frozenset(right),
        turns=tuple(int(side == table.side_of[turn]) for side in table.sides),
        whole=whole,
        awaits_play=awaits_play and book.breaking.before_play != "ignored",
        idle=zeros,
        offered=zeros,
        interruptions=interruptions or {},
        gained=zeros if book.owned else tuple(worth),
        taken=() if book.owned else taken,
        unordered=len(taken),
        struck=queen.state == "pending",
        aside=aside,
        queen_in_turn=queen.state == "pending",
        expired=expired or {},
    )


def _with_taken(start: Start, where: str) -> Start:
    """What has been taken is not on the board: counts that are left out follow from it, given ones must agree."""
    left: dict[str, int] = {}
    for colour, given in (("white", start.white), ("black", start.black)):
        taken = sum(won.get(colour, 0) for won in start.taken.values())  # type: ignore[call-overload]
        if taken + (given or 0) > FULL_SET[colour]:  # type: ignore[index]
            raise BadInput(f"{where}: {colour}: {given or 0} on the board and {taken} taken; there are {FULL_SET[colour]}")  # type: ignore[index]
        left[colour] = FULL_SET[colour] - taken if given is None else given  # type: ignore[index]
    holders = [seat for seat, won in start.taken.items() if won.get("queen")]
    queen = start.queen
    if len(holders) > 1 or (holders and queen not in (None, f"covered:{holders[0]}")):
        raise BadInput(f"{where}: queen: {queen or 'taken'} and taken by {' and '.join(holders)}; there is one")
    if holders:
        queen = f"covered:{holders[0]}"
    return replace(start, white=left["white"], black=left["black"], queen=queen)


def _taken_early(book: LawBook, own: int) -> bool:
    """A Queen taken with all nine on the board, in a book by which she cannot be covered then and comes back when the turn ends."""
    return book.queen.right == "own_piece" and book.queen.early == "goes_on" and own == FULL_SET["white"]


def _aside(book: LawBook, left: tuple[int, int], queen: Queen) -> int:
    """The last own piece of the one at turn may be set aside while he plays for the Queen (22n.2); `left` are his pieces and theirs."""
    own, other = left
    return int(book.ends.own_last_before_queen == "set_aside" and not own and other > 0 and queen.state == "on_board")


def _queen(text: str | None, book: LawBook, where: str) -> Queen:
    if not book.pieces.with_queen:
        if text is not None:
            raise BadInput(f"{where}: queen: law book {book.id} is played without a queen; leave it out")
        return Queen("none")
    if text is None or text == "on_board":
        return Queen()
    state, _, seat = text.partition(":")
    return Queen(state, seat)  # type: ignore[arg-type]


def _scores(start: Start, table: Table, before: Counts, where: str) -> Counts:
    given: dict[Seat, int] = {}
    for seat, points in start.scores.items():
        side = table.side_of[seat]
        if given.setdefault(side, points) != points:
            raise BadInput(f"{where}: scores: partners {side} and {seat} have different points; a pair has one score")
    return tuple(given.get(side, b) for side, b in zip(table.sides, before, strict=True))
