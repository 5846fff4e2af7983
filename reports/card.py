"""The umpire's score card as plain facts: what the sheet, the page, the table and the terminal all show.

Layout: ICF Laws of Carrom, umpire's score card (its last page).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from reports.words import SEAT_WORDS, clean, clock

UNSURE: Final = "not sure of this stroke"
"""What the referee's flag on an unsure stroke says."""
LOW_CONFIDENCE: Final = 0.75
"""Strokes below this confidence carry a mark (0 to 1)."""

Json: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Side:
    """One player, or a pair of partners.

    Attributes
    ----------
    seats : tuple of str
        The seats, first the one under which the rulings count.
    names : tuple of str
        As given, made safe to show; the seat's word where there is none.
    """

    seats: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """`Asha`, or `Asha / Bina` of a pair."""
        return " / ".join(self.names)

    def of(self, values: Mapping[str, int] | None) -> int:
        """This side's figure in a mapping by seat; 0 if there is none."""
        return next((int(values[s]) for s in self.seats if s in values), 0) if values else 0


@dataclass(frozen=True)
class Row:
    """One event of a board with its ruling, in words.

    Attributes
    ----------
    kind : str
        `stroke`, `placing` or `call`.
    event : int
        Number of the event within the board, from 1.
    n : int or None
        Number of the stroke within the board, from 1; None for other events.
    t, rest : float or None
        Release (or time of the event) and when all is at rest (s of video time).
    action : str
        What was seen: what fell, what was placed, what was called.
    pocketed : tuple of str
        The discs that fell, in order.
    fell_at : tuple of (str, str, float)
        Disc, pocket and time (s) of each fall that the camera saw.
    charge : tuple of str
        Foul, what comes out, dues, cover; one line each.
    left, queen : str
        What lies on the board after the event, in words, and the Queen's state; empty where nothing was ruled.
    board : mapping or None
        The same as the ruling gives it.
    scores : tuple of int
        The sides' points after the event.
    points : str
        The same in words where it changed; else empty.
    text : str
        The ruling.
    low : bool
        The camera was not sure (`confidence` below `LOW_CONFIDENCE`).
    """

    kind: str
    event: int
    n: int | None
    t: float | None
    rest: float | None
    seat: str
    player: str
    action: str
    pocketed: tuple[str, ...]
    fell_at: tuple[tuple[str, str, float], ...]
    touched: bool | None
    charge: tuple[str, ...]
    left: str
    queen: str
    board: Mapping[str, Any] | None
    scores: tuple[int, ...]
    points: str
    clauses: tuple[str, ...]
    text: str
    next_player: str
    confidence: float | None
    low: bool
    flags: tuple[str, ...]
    discrepancies: tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """One side's four columns of a card row, as printed."""

    queen: str
    men: str
    points: str
    total: int


@dataclass(frozen=True)
class BoardCard:
    """One row of the card and its table of strokes.

    Attributes
    ----------
    number, in_game : int
        Number of the board in the match and in its game, from 1.
    break_by : str
        Name of the breaker; empty where it is not known.
    cells : tuple of Cell
        One per side.
    state : str
        `won`, `replayed` or `open` (the log ends before the board does: never a win).
    before : tuple of int
        The sides' points before the board.
    left : mapping
        What lies on the board at its end, as the rulings give it.
    """

    number: int
    in_game: int
    break_by: str
    cells: tuple[Cell, ...]
    state: str
    before: tuple[int, ...]
    winner: str
    result: str
    left: Mapping[str, Any]
    rows: tuple[Row, ...]
    flags: tuple[str, ...]
    clauses: tuple[str, ...]
    slam: str


@dataclass(frozen=True)
class Game:
    """Boards from nil to the game's end."""

    number: int
    boards: tuple[BoardCard, ...]


@dataclass(frozen=True)
class Card:
    """A whole match."""

    laws: str
    sides: tuple[Side, ...]
    games: tuple[Game, ...]
    scores: tuple[int, ...]
    games_won: tuple[int, ...]
    winner: str
    footnotes: tuple[str, ...]

    @property
    def boards(self) -> tuple[BoardCard, ...]:
        """All boards in order."""
        return tuple(b for g in self.games for b in g.boards)


def to_decide(card: Card) -> Iterator[tuple[str, str, str]]:
    """Where, the row's anchor, and what: everything that the machine leaves to the umpire."""
    for board in card.boards:
        for flag in board.flags:
            yield f"Board {board.number}", f"board-{board.number}", flag
        for row in board.rows:
            at = f" at {clock(row.t)}" if row.t is not None else ""
            where, anchor = f"Board {board.number}, {row_name(row)}{at}", row_anchor(board, row)
            for what in (*row.flags, *row.discrepancies):
                yield where, anchor, what
            if row.low and not any(UNSURE in flag for flag in row.flags):  # the referee may have said so itself
                yield where, anchor, f"the camera was not sure (confidence {row.confidence:.2f}): {row.action}."


def row_name(row: Row) -> str:
    """`stroke 7`, `placing` or `call`."""
    return f"{row.kind} {row.n}" if row.n else row.kind


def row_anchor(board: BoardCard, row: Row) -> str:
    """The row's id in the pages."""
    return f"b{board.number}e{row.event}"


def names_by_seat(sides: Sequence[Side]) -> dict[str, str]:
    """Each seat's name."""
    return {seat: name for side in sides for seat, name in zip(side.seats, side.names, strict=True)}


def seat_name(sides: Sequence[Side], seat: object) -> str:
    """The name of the player at a seat, or the seat's word."""
    return names_by_seat(sides).get(str(seat)) or SEAT_WORDS.get(str(seat), clean(seat))


def side_name(sides: Sequence[Side], seat: object) -> str:
    """The name of the side that a seat belongs to; empty for None."""
    return next((s.name for s in sides if seat in s.seats), "") if seat else ""
