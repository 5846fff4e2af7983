"""Who sits where, who plays with whom, and in which order the turn goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from models.errors import BadInput
from models.stroke import OPPOSITE, SEATS, Match, Seat
from referee.laws import LawBook

_V = TypeVar("_V")


@dataclass(frozen=True, slots=True)
class Table:
    """The seats of a match.

    Attributes
    ----------
    order : tuple of Seat
        The players in the order of the turn.
    sides : tuple of Seat
        The sides, each named by its first seat in the log's order; partners sit opposite.
    names : mapping
        A player's name by seat.
    """

    order: tuple[Seat, ...]
    sides: tuple[Seat, ...]
    side_of: Mapping[Seat, Seat]
    names: Mapping[Seat, str]

    def after(self, seat: Seat) -> Seat:
        """Who is at turn when the turn of `seat` is over."""
        return self.order[(self.order.index(seat) + 1) % len(self.order)]

    def index(self, seat: Seat) -> int:
        """Number of the side of a seat."""
        return self.sides.index(self.side_of[seat])

    def opponent(self, seat: Seat) -> Seat:
        """The other side where there are two; else the next."""
        return next(s for s in self.sides if s != self.side_of[seat])

    def side_names(self, side: Seat) -> str:
        """The players of a side, by name."""
        return " & ".join(name for seat, name in self.names.items() if self.side_of[seat] == side)

    def by_side(self, values: Sequence[_V]) -> dict[Seat, _V]:
        """Values in the order of the sides as a mapping."""
        return dict(zip(self.sides, values, strict=True))


def seat_players(match: Match, book: LawBook) -> Table:
    """The table of a match.

    Raises
    ------
    BadInput
        If the law book is not for so many players.
    """
    allowed = book.match.players
    if len(match.players) not in allowed:
        counts = " or ".join(map(str, sorted(allowed)))
        raise BadInput(f"players: law book {book.id} is for {counts} players, the log has {len(match.players)}")
    seats = [p.seat for p in match.players]
    round_table = SEATS if book.match.direction == "anticlockwise" else tuple(reversed(SEATS))
    order = tuple(s for s in round_table if s in seats)
    side_of: dict[Seat, Seat] = {}
    for seat in seats:
        partner = OPPOSITE[seat]
        side_of[seat] = partner if len(seats) == 4 and partner in side_of else seat
    sides = tuple(s for s in seats if side_of[s] == s)
    return Table(order=order, sides=sides, side_of=side_of, names={p.seat: p.name for p in match.players})
