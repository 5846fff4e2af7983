"""What the referee says: rulings, results, and their form as JSON (contract `carromeye-rulings/1`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from models.stroke import Colour, Seat
from referee.language import ENGLISH, Language
from referee.texts import Message

FORMAT: Final = "carromeye-rulings/1"
Slam: TypeAlias = Literal["white", "black"]


class Queen(NamedTuple):
    """Where the Queen is.

    On the board; pocketed by `seat` and still to be covered; pocketed too early by `seat`, to be put back when his turn ends;
    covered by `seat`; or not in the game.
    """

    state: Literal["on_board", "pending", "early", "covered", "none"] = "on_board"
    seat: Seat | None = None

    def to_json(self) -> str | None:
        return None if self.state == "none" else str(self)

    def __str__(self) -> str:
        return self.state if self.seat is None else f"{self.state.replace('early', 'pending')}:{self.seat}"


@dataclass(frozen=True, slots=True)
class Flag:
    """What the umpire must decide, because the book is silent or the facts are uncertain: its kind and the values of its sentence."""

    kind: str
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The sentence in English."""
        return ENGLISH.flag(self.kind, self.values)

    def to_json(self, language: Language = ENGLISH) -> dict[str, Any]:
        return {"kind": self.kind, "text": language.flag(self.kind, self.values)}


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """Where the table differs from what the laws ask.

    Attributes
    ----------
    event : int
        The event, counted from 1, that shows it.
    kind : str
        What it is (a key of `texts.DISCREPANCIES`).
    """

    event: int
    kind: str
    values: Mapping[str, object] = field(default_factory=dict)
    clauses: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The sentence in English."""
        return ENGLISH.discrepancy(self.kind, self.values)

    def to_json(self, language: Language = ENGLISH) -> dict[str, Any]:
        text = language.discrepancy(self.kind, self.values)
        return {"event": self.event, "kind": self.kind, "text": text, "clauses": list(self.clauses)}


class Expected(NamedTuple):
    """A piece that the laws ask to be put back; `by` None: by the umpire."""

    piece: Colour
    by: Seat | None
    n: int


class Ruling(NamedTuple):
    """The ruling on one stroke or call.

    Attributes
    ----------
    event : int
        Number of the event in its board, from 1.
    counted : bool
        Whether it counts as a foul in the statistics.
    out : mapping
        What comes out of the pockets and goes back on the board.
    dues : mapping
        What each side, named by its first seat, owes after the event.
    white, black : int
        On the board once `out` is placed.
    scores : mapping
        Points of each side so far in the game.
    says : tuple of Message
        What it says, sentence by sentence.
    placings : tuple of Expected
        Who has to put what back: `out`, and what left the board.
    """

    event: int
    by: Seat
    call: str | None
    fouls: tuple[str, ...]
    counted: bool
    out: Mapping[Colour, int]
    dues: Mapping[Seat, int]
    white: int
    black: int
    queen: Queen
    turn: Seat | None
    continues: bool
    scores: Mapping[Seat, int]
    clauses: tuple[str, ...]
    says: tuple[Message, ...]
    placings: tuple[Expected, ...] = ()
    flags: tuple[Flag, ...] = ()
    discrepancies: tuple[Discrepancy, ...] = ()

    @property
    def text(self) -> str:
        """What it says, in English."""
        return ENGLISH.text(self.says)

    def to_json(self, language: Language = ENGLISH) -> dict[str, Any]:
        early = {"queen_early": True} if self.queen.state == "early" else {}
        return {
            "event": self.event,
            "by": self.by,
            **({"call": self.call} if self.call else {}),
            "fouls": list(self.fouls),
            "out": dict(self.out),
            "dues": dict(self.dues),
            "board": {"white": self.white, "black": self.black, "queen": self.queen.to_json(), **early},
            "turn": self.turn,
            "continues": self.continues,
            "scores": dict(self.scores),
            "clauses": list(self.clauses),
            "text": language.text(self.says),
            "sentences": language.sentences(self.says),
            "placings": [{"by": e.by or "umpire", "piece": e.piece, "n": e.n} for e in self.placings],
            "flags": [f.to_json(language) for f in self.flags],
            "discrepancies": [d.to_json(language) for d in self.discrepancies],
        }


@dataclass(frozen=True, slots=True)
class Result:
    """How a board ended.

    Attributes
    ----------
    winner : Seat or None
        The winning side, named by its first seat; None for a board that is replayed, or that nobody has won.
    pieces, queen_points : int
        What the winner's points are made of: the loser's pieces left, and the Queen's worth where she counts.
    says : tuple of Message
        How it ended, sentence by sentence.
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
    says: tuple[Message, ...]
    clauses: tuple[str, ...]
    award: tuple[Literal["game", "match"], Seat] | None = None

    @property
    def reason(self) -> str:
        """How it ended, in English."""
        return ENGLISH.text(self.says)

    def to_json(self, language: Language = ENGLISH) -> dict[str, Any]:
        return {
            "winner": self.winner,
            "points": dict(self.points),
            "demandable": dict(self.demandable),
            "pieces": self.pieces,
            "queen_points": self.queen_points,
            "slam": self.slam,
            "replay": self.replay,
            "award": None if self.award is None else {"what": self.award[0], "to": self.award[1]},
            "reason": language.text(self.says),
            "sentences": language.sentences(self.says),
            "clauses": list(self.clauses),
        }


@dataclass(frozen=True, slots=True)
class BoardRulings:
    """The rulings on one board; `game` and `board` count from 1, `board` within the game; `notices` say what is to be done after it."""

    game: int
    board: int
    breaker: Seat
    rulings: tuple[Ruling, ...]
    result: Result | None
    flags: tuple[Flag, ...] = ()
    notices: tuple[Flag, ...] = ()

    def to_json(self, language: Language = ENGLISH) -> dict[str, Any]:
        return {
            "game": self.game,
            "board": self.board,
            "breaker": self.breaker,
            "rulings": [r.to_json(language) for r in self.rulings],
            "result": None if self.result is None else self.result.to_json(language),
            "flags": [f.to_json(language) for f in self.flags],
            "notices": [f.to_json(language) for f in self.notices],
        }


@dataclass(frozen=True, slots=True)
class Rulings:
    """The rulings on a match.

    Attributes
    ----------
    scores : mapping
        Points of each side in the last game played.
    fouls : mapping
        Strokes of each seat with an offence that rulings list among their `fouls`, as the book counts them (22s.1).
    flawless : tuple of Seat
        Sides that have won a game without such a stroke.
    """

    laws: str
    boards: tuple[BoardRulings, ...]
    scores: Mapping[Seat, int]
    games: Mapping[Seat, int]
    winner: Seat | None
    fouls: Mapping[Seat, int] = field(default_factory=dict)
    flawless: tuple[Seat, ...] = ()

    def to_json(self, language: Language = ENGLISH) -> dict[str, Any]:
        """The JSON value of `rulings.json`; sentences in a language."""
        return {
            "format": FORMAT,
            "laws": self.laws,
            "boards": [b.to_json(language) for b in self.boards],
            "match": {
                "scores": dict(self.scores),
                "games": dict(self.games),
                "winner": self.winner,
                "statistics": {"fouls": dict(self.fouls), "flawless": list(self.flawless)},
            },
        }
