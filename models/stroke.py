"""The domain types: what every stage says about a match.

Facts are frozen dataclasses. Distances are board millimetres, origin at the upper left corner of the
playing surface as the camera sees it, x right, y down; times are seconds of the video's own
presentation time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

Seat: TypeAlias = Literal["south", "east", "north", "west"]
Colour: TypeAlias = Literal["white", "black", "queen"]
Piece: TypeAlias = Literal["white", "black", "queen", "striker"]
PocketName: TypeAlias = Literal["NW", "NE", "SE", "SW"]

SEATS: Final[tuple[Seat, ...]] = ("south", "east", "north", "west")
"""Seats anticlockwise from above (the order of the turn, ICF law 49b)."""
OPPOSITE: Final[Mapping[Seat, Seat]] = dict(zip(SEATS, SEATS[2:] + SEATS[:2], strict=True))
COLOURS: Final[tuple[Colour, ...]] = ("white", "black", "queen")
PIECES: Final[tuple[Piece, ...]] = ("white", "black", "queen", "striker")
POCKETS: Final[tuple[PocketName, ...]] = ("NW", "NE", "SE", "SW")
FULL_SET: Final[Mapping[Colour, int]] = {"white": 9, "black": 9, "queen": 1}

IMPROPER: Final[tuple[str, ...]] = (
    "off_baseline",
    "partial_base_circle",
    "pushed",
    "elbow",
    "moved_piece",
    "backward",
    "body",
)
CALLS: Final[tuple[str, ...]] = (
    "foul",
    "technical_foul",
    "talking",
    "timeout",
    "out_of_turn",
    "left_seat",
    "disturbed",
    "interrupted",
    "abusive",
    "refused",
    "demand",
    "forgo",
    "concede",
    "replay",
    "play",
)


@dataclass(frozen=True)
class Player:
    """Who sits where."""

    seat: Seat
    name: str


@dataclass(frozen=True)
class Pocketed:
    """One disc that fell, seen by the camera."""

    cls: Piece
    pocket: PocketName
    t: float


@dataclass(frozen=True)
class Correction:
    """A reviewer's word on an event.

    Attributes
    ----------
    was : mapping
        The event's fields as they were in the log's JSON before, those that the correction changed; None for a field that was
        left out. An empty one: the event was not there, the reviewer put it in.
    because : str
        The reviewer's reason.
    """

    was: Mapping[str, object] = field(hash=False)
    because: str


@dataclass(frozen=True)
class Stroke:
    """One stroke as it happened on the table.

    `pocketed` is in the order of falling. The fields from `rest` to `pocketed_at` are known only when a camera saw it.
    `corrections`, here and in other events, are the oldest first.
    """

    by: Seat
    pocketed: tuple[Piece, ...] = ()
    touched: bool = True
    off_board: tuple[Piece, ...] = ()
    improper: tuple[str, ...] = ()
    seconds: float | None = None
    t: float | None = None
    rest: float | None = None
    striker: tuple[float, float] | None = None
    velocity: tuple[float, float] | None = None
    confidence: float | None = None
    pocketed_at: tuple[Pocketed, ...] = ()
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True)
class Placing:
    """Pieces that a hand put back on the board."""

    by: Seat
    pieces: tuple[Colour, ...]
    t: float | None = None
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True)
class Call:
    """What no camera sees, said by the umpire."""

    call: str
    by: Seat
    t: float | None = None
    corrections: tuple[Correction, ...] = ()


Event: TypeAlias = Stroke | Placing | Call


@dataclass(frozen=True)
class Deleted:
    """An event that a reviewer took out of a board: it stood before the event that now has the number `before` (from 1)."""

    event: Event
    before: int
    because: str


@dataclass(frozen=True)
class Start:
    """How a board stands that does not begin with the rack; None: as at the break."""

    white: int | None = None
    black: int | None = None
    queen: str | None = None
    breaker: Seat | None = None
    turn: Seat | None = None
    dues: Mapping[Seat, int] = field(default_factory=dict)
    scores: Mapping[Seat, int] = field(default_factory=dict)
    taken: Mapping[Seat, Mapping[Colour, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Board:
    """One board: break (or `start`) to finish. `deleted` are in the order in which they stood."""

    events: tuple[Event, ...] = ()
    start: Start | None = None
    deleted: tuple[Deleted, ...] = ()


@dataclass(frozen=True)
class Match:
    """A whole stroke log."""

    laws: str
    players: tuple[Player, ...]
    first_break: Seat
    boards: tuple[Board, ...]
    options: Mapping[str, int | float | str | bool] = field(default_factory=dict)
