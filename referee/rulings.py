"""What the referee says: rulings, results, and their form as JSON (contract `carromeye-rulings/1`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from models.stroke import Colour, Seat

FORMAT: Final = "carromeye-rulings/1"
Slam: TypeAlias = Literal["white", "black"]


@dataclass(frozen=True, slots=True)
class Queen:
    """Where the Queen is: on the board, pocketed by `seat` and still to be covered, or covered by `seat`."""

    state: Literal["on_board", "pending", "covered"] = "on_board"
    seat: Seat | None = None

    def __str__(self) -> str:
        return self.state if self.seat is None else f"{self.state}:{self.seat}"


@dataclass(frozen=True, slots=True)
class Flag:
    """What the umpire must decide, because the book is silent or the facts are uncertain."""

    kind: str
    text: str

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "text": self.text}


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """Where the table differs from what the laws ask.

    Attributes
    ----------
    event : int
        The event, counted from 1, that shows it.
    kind : str
        The rule of the law book that speaks of it (a key of its `[clauses]`), or `placed_impossible`, `nothing_to_claim`,
        `nothing_to_waive`, `noticed_late`.
    """

    event: int
    kind: str
    text: str
    clauses: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"event": self.event, "kind": self.kind, "text": self.text, "clauses": list(self.clauses)}


@dataclass(frozen=True, slots=True)
class Expected:
    """A piece that the laws ask to be put back; `by` None: by the umpire."""

    piece: Colour
    by: Seat | None
    n: int


@dataclass(frozen=True, slots=True)
class Ruling:
    """The ruling on one stroke or call.

    Attributes
    ----------
    event : int
        Number of the event in its board, from 1.
    out : mapping
        What comes out of the pockets and goes back on the board.
    dues : mapping
        What each side, named by its first seat, owes after the event.
    white, black : int
        On the board once `out` is placed.
    scores : mapping
        Points of each side so far in the game.
    placings : tuple of Expected
        Who has to put what back: `out`, and what left the board.
    """

    event: int
    by: Seat
    call: str | None
    fouls: tuple[str, ...]
    out: Mapping[Colour, int]
    dues: Mapping[Seat, int]
    white: int
    black: int
    queen: Queen
    turn: Seat | None
    continues: bool
    scores: Mapping[Seat, int]
    clauses: tuple[str, ...]
    text: str
    placings: tuple[Expected, ...] = ()
    flags: tuple[Flag, ...] = ()
    discrepancies: tuple[Discrepancy, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "event": self.event,
            "by": self.by,
            **({"call": self.call} if self.call else {}),
            "fouls": list(self.fouls),
            "out": dict(self.out),
            "dues": dict(self.dues),
            "board": {"white": self.white, "black": self.black, "queen": str(self.queen)},
            "turn": self.turn,
            "continues": self.continues,
            "scores": dict(self.scores),
            "clauses": list(self.clauses),
            "text": self.text,
            "placings": [{"by": e.by or "umpire", "piece": e.piece, "n": e.n} for e in self.placings],
            "flags": [f.to_json() for f in self.flags],
            "discrepancies": [d.to_json() for d in self.discrepancies],
        }


@dataclass(frozen=True, slots=True)
class Result:
    """How a board ended.

    Attributes
    ----------
    winner : Seat or None
        The winning side, named by its first seat; None for a board that is replayed.
    pieces, queen_points : int
        What `points` is made of: the loser's pieces left, and the Queen's worth where she counts.
    demandable : mapping
        Extra points that a side may still claim.
    award : tuple or None
        "game" or "match", and the side that it is given to whatever the points, after a concession or misconduct.
    """

    winner: Seat | None
    points: Mapping[Seat, int]
    demandable: Mapping[Seat, int]
    pieces: int
    queen_points: int
    slam: Slam | None
    replay: bool
    reason: str
    clauses: tuple[str, ...]
    award: tuple[Literal["game", "match"], Seat] | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "winner": self.winner,
            "points": dict(self.points),
            "demandable": dict(self.demandable),
            "pieces": self.pieces,
            "queen_points": self.queen_points,
            "slam": self.slam,
            "replay": self.replay,
            "award": None if self.award is None else {"what": self.award[0], "to": self.award[1]},
            "reason": self.reason,
            "clauses": list(self.clauses),
        }


@dataclass(frozen=True, slots=True)
class BoardRulings:
    """The rulings on one board; `game` and `board` count from 1, `board` within the game."""

    game: int
    board: int
    breaker: Seat
    rulings: tuple[Ruling, ...]
    result: Result | None
    flags: tuple[Flag, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "board": self.board,
            "breaker": self.breaker,
            "rulings": [r.to_json() for r in self.rulings],
            "result": None if self.result is None else self.result.to_json(),
            "flags": [f.to_json() for f in self.flags],
        }


@dataclass(frozen=True, slots=True)
class Rulings:
    """The rulings on a match; `scores` are those of the last game played."""

    laws: str
    boards: tuple[BoardRulings, ...]
    scores: Mapping[Seat, int]
    games: Mapping[Seat, int]
    winner: Seat | None

    def to_json(self) -> dict[str, Any]:
        """The JSON value of `rulings.json`."""
        return {
            "format": FORMAT,
            "laws": self.laws,
            "boards": [b.to_json() for b in self.boards],
            "match": {"scores": dict(self.scores), "games": dict(self.games), "winner": self.winner},
        }
