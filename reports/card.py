"""The umpire's score card as plain facts: what the sheet, the page, the table and the terminal all show.

Layout: ICF Laws of Carrom, umpire's score card (its last page).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from reports.book import Book, Column
from reports.words import SEAT_WORDS, clean, clock

UNSURE: Final = "unsure"
"""Kind of the referee's flag on a stroke that the video is not sure of."""
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
        The ruling in the referee's words.
    told, brief : str
        The same without what fell, and without what `charge` says too.
    doubt : str
        That the camera was not sure (`confidence` below `LOW_CONFIDENCE`), where no flag says so.
    low : bool
        The camera was not sure.
    corrections : tuple of str
        What a reviewer corrected, and why.
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
    told: str
    brief: str
    next_player: str
    confidence: float | None
    doubt: str
    low: bool
    flags: tuple[str, ...]
    discrepancies: tuple[str, ...]
    corrections: tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """One side's figures of a card row; None where nothing is written down.

    Attributes
    ----------
    queen : int or None
        Points credited for the Queen; where a piece belongs to the one who pockets it, 1 to the one who has her.
    covered : bool
        This side has pocketed and covered her.
    pieces : int or None
        The opponent's pieces left that count.
    own : int or None
        Points of own pieces pocketed.
    white, black : int or None
        Pieces pocketed, where they belong to the one who pockets them.
    points, total : int
        What the board brings, and the game so far.
    won : bool
        This side has won the board.
    """

    total: int
    points: int | None = None
    queen: int | None = None
    covered: bool = False
    pieces: int | None = None
    own: int | None = None
    white: int | None = None
    black: int | None = None
    won: bool = False


@dataclass(frozen=True)
class BoardCard:
    """One row of the card and its table of strokes.

    Attributes
    ----------
    number, in_game : int
        Number of the board in the match and in its game, from 1; a board that is replayed keeps its number in the game.
    name : str
        `Board 5`, or `Board 5 (game 2, board 1)`.
    break_by : str
        Name of the breaker; empty where it is not known.
    cells : tuple of Cell
        One per side.
    state : str
        `won`, `replayed`, `nobody` (played out, won by nobody) or `open` (the log ends before the board does: never a win).
    before : tuple of int
        The sides' points before the board.
    left : mapping
        What lies on the board at its end, as the rulings give it.
    notices : tuple of str
        What is to be done after the board.
    deleted : tuple of str
        Events that a reviewer took out, and why.
    """

    number: int
    in_game: int
    name: str
    break_by: str
    cells: tuple[Cell, ...]
    state: str
    before: tuple[int, ...]
    winner: str
    result: str
    left: Mapping[str, Any]
    rows: tuple[Row, ...]
    flags: tuple[str, ...]
    notices: tuple[str, ...]
    deleted: tuple[str, ...]
    clauses: tuple[str, ...]
    slam: str


@dataclass(frozen=True)
class Game:
    """Boards from nil to the game's end."""

    number: int
    boards: tuple[BoardCard, ...]


@dataclass(frozen=True)
class Card:
    """A whole match.

    Attributes
    ----------
    columns : tuple of Column
        Those that each side has.
    end : str
        Who has won, in a sentence; that nobody has yet; or nothing, where one plays alone.
    fouls : str
        Fouls by player and games without any, as the law book counts them; empty where there were none of either.
    """

    book: Book
    sides: tuple[Side, ...]
    columns: tuple[Column, ...]
    games: tuple[Game, ...]
    scores: tuple[int, ...]
    games_won: tuple[int, ...]
    winner: str
    end: str
    fouls: str
    footnotes: tuple[str, ...]

    @property
    def boards(self) -> tuple[BoardCard, ...]:
        """All boards in order."""
        return tuple(b for g in self.games for b in g.boards)

    @property
    def by_games(self) -> bool:
        """Whether the match is more than one game."""
        return self.book.games > 1 or len(self.games) > 1


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
            if row.doubt:
                yield where, anchor, f"{row.doubt}: {row.action}."


def row_name(row: Row) -> str:
    """`stroke 7 (event 9)`, `placing (event 10)`: both numbers as `carromeye rule` gives them."""
    return f"{row.kind}{f' {row.n}' if row.n else ''} (event {row.event})"


def cell_text(column: Column, cell: Cell, owned: bool) -> str:
    """What stands in a cell of the card: `Nil` for nothing, a dash where nothing is written down."""
    value = getattr(cell, column.key)
    if value is None:
        return "–"
    if column.key == "queen" and owned:
        if value:
            return str(value) if cell.covered else f"{value}†"
        return "(Q)" if cell.covered else "Nil"
    return "Nil" if column.key in ("pieces", "own") and not value else str(value)


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
