"""What a score card has to know of the law book that was played by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from reports.words import clean, plural

ROOMY: Final = 2
"""Up to so many sides the card's columns have room for whole words."""


@dataclass(frozen=True)
class Book:
    """The settings of a law book that show on paper.

    Attributes
    ----------
    name : str
        As people call it.
    owner : {"side", "who_pockets"}
        Whether a colour belongs to a side, or a piece to the one who pockets it.
    with_queen, cover : bool
        Whether there is a Queen, and whether she must be covered.
    white, black : int
        Points of a piece for the one who pockets it.
    queen : int
        Points that she can bring.
    own_piece : int
        Points of each own piece pocketed, to either side.
    target, max_boards : int
        Points and boards that end a game; 0: none.
    extra_board : bool
        Whether a tie after the last board is played off.
    games : int
        The match is the best of so many games.
    """

    name: str = ""
    owner: str = "side"
    with_queen: bool = True
    cover: bool = True
    white: int = 0
    black: int = 0
    queen: int = 1
    own_piece: int = 0
    target: int = 0
    max_boards: int = 0
    extra_board: bool = True
    games: int = 1

    @property
    def owned(self) -> bool:
        """Whether a colour belongs to a side."""
        return self.owner == "side"

    @property
    def aim(self) -> str:
        """What is played to: `best of 3 games, each to 25 points or 8 boards`; empty where it is not known."""
        boards = "one board" if self.max_boards == 1 else f"{self.max_boards} boards"
        ends = [plural(self.target, "point")] * bool(self.target) + [boards] * bool(self.max_boards)
        end = " or ".join(ends)
        return f"best of {self.games} games, each to {end}" if self.games > 1 and end else end


@dataclass(frozen=True)
class Column:
    """One of a side's columns on the card: its key, its heading and what the heading means."""

    key: str
    label: str
    title: str


def book_of(meta: Mapping[str, Any], sides: int) -> Book:
    """The law book as the entry `laws` of `match.json` tells it.

    Where it names the book only, two sides own a colour each; one or three cannot.
    """
    laws = meta.get("laws")
    if not isinstance(laws, Mapping):
        laws = {"name": laws or ""}
    known = {f.name: laws[f.name] for f in fields(Book) if f.name in laws}
    known.setdefault("owner", "side" if sides == ROOMY else "who_pockets")
    return Book(**known | {"name": clean(laws.get("name") or laws.get("id") or "")})


def card_columns(book: Book, sides: int) -> tuple[Column, ...]:
    """A side's columns, as the umpire of this book fills them in.

    The points of a single board are its total.
    """
    short = sides > ROOMY
    columns = []
    if not book.owned:
        columns += [
            Column("white", "W" if short else "White", f"white pieces pocketed, {plural(book.white, 'point')} each"),
            Column("black", "B" if short else "Black", f"black pieces pocketed, {plural(book.black, 'point')} each"),
        ]
    elif book.own_piece:
        columns.append(Column("own", "Own", f"points of own pieces pocketed, {book.own_piece} each"))
    if book.with_queen:
        columns.append(
            Column("queen", "Q" if short else "Queen", "points of the Queen" if book.owned else f"the Queen, {plural(book.queen, 'point')}")
        )
    if book.owned:
        columns.append(Column("pieces", "Left" if book.own_piece else "Pieces", "opponent's pieces left on the board"))
    columns.append(Column("points", "Pts" if short else "Points", "points of the board"))
    if book.max_boards != 1:
        columns.append(Column("total", "Total", "points of the game so far"))
    return tuple(columns)
