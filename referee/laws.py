"""Law books: what the engine is told by data.

A law book is a commented TOML file: settings of the match, what pieces and the Queen bring, what each offence costs, and
the clauses that each ruling cites. The books that come with the program lie in `lawbooks/`; a club's own is a file
(`lawbook_files.py` reads both). Every setting carries its own check, so that a wrong value is refused wherever it comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cache
from typing import Any, Final

from models.errors import BadInput
from models.stroke import CALLS, IMPROPER, Colour

Check = Callable[[object], str | None]
"""What is wrong with a value, in words; None if nothing is."""


def _whole(least: int, most: int, default: Any = MISSING) -> Any:
    def check(value: object) -> str | None:
        fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        return None if fits else f"is not a whole number from {least} to {most}"

    return field(default=default, metadata={"check": check, "takes": f"{least} to {most}"})


def _real(least: float, most: float) -> Any:
    def check(value: object) -> str | None:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most
        return None if fits else f"is not a number from {least:g} to {most:g}"

    return field(metadata={"check": check, "takes": f"a number from {least:g} to {most:g}"})


def _choice(*known: str, default: Any = MISSING) -> Any:
    def check(value: object) -> str | None:
        return None if isinstance(value, str) and value in known else f"is not one of {', '.join(known)}"

    return field(default=default, metadata={"check": check, "takes": ", ".join(f'"{k}"' for k in known)})


def _flag(default: Any = MISSING) -> Any:
    def check(value: object) -> str | None:
        return None if isinstance(value, bool) else "is not true or false"

    return field(default=default, metadata={"check": check, "takes": "true, false"})


def _list_of(what: str, *known: object, empty: bool = False) -> Any:
    def check(value: object) -> str | None:
        if not isinstance(value, list | tuple) or not (value or empty):
            return f"is not a list out of {what}"
        fits = all(isinstance(v, str | int) and not isinstance(v, bool) and v in known for v in value) and len(set(value)) == len(value)
        return None if fits else f"is not a list out of {what}"

    return field(metadata={"check": check, "takes": f"a list out of {what}"})


def _odd(most: int) -> Any:
    def check(value: object) -> str | None:
        fits = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most and value % 2
        return None if fits else f"is not an odd number from 1 to {most}"

    return field(metadata={"check": check, "takes": f"an odd number from 1 to {most}"})


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """Boards, games and the match."""

    players: tuple[int, ...] = _list_of("1, 2, 3, 4", 1, 2, 3, 4)
    direction: str = _choice("anticlockwise", "clockwise")
    turn_passes: bool = _flag()
    target: int = _whole(0, 10_000)
    max_boards: int = _whole(0, 1000)
    extra_board: bool = _flag()
    games: int = _odd(99)
    total_capped: bool = _flag()
    change_sides: str = _choice("never", "each_board", "each_game")
    decider_change_boards: int = _whole(0, 1000)
    decider_change_points: int = _whole(0, 10_000)
    clock_s: float = _real(0, 3600)
    expired_clocks: int = _whole(0, 99)
    strokes: int = _whole(0, 10_000)
    idle_passes: int = _whole(0, 99)
    concede_off_turn: bool = _flag()


@dataclass(frozen=True, slots=True)
class PieceRules:
    """Whose the pieces are."""

    owner: str = _choice("side", "who_pockets")
    white: int = _whole(0, 1000)
    black: int = _whole(0, 1000)
    with_queen: bool = _flag()
    opponents_piece: str = _choice("stays", "returns")
    improper: tuple[str, ...] = _list_of(", ".join(IMPROPER), *IMPROPER, empty=True)


@dataclass(frozen=True, slots=True)
class BreakRules:
    """The break."""

    chances: int = _whole(0, 99)
    fouls_cost: bool = _flag()
    before_play: str = _choice("own", "all", "ignored")


@dataclass(frozen=True, slots=True)
class QueenRules:
    """The Queen and her cover."""

    right: str = _choice("own_piece", "any_time")
    early: str = _choice("turn_lost", "goes_on")
    cover: str = _choice("next_stroke", "none")
    with_own: str = _choice("covered", "pending")
    with_first_own: str = _choice("pending_unless_two", "pending", "covered")
    nine_again: str = _choice("pending", "covered")
    with_opponents_piece: str = _choice("continue", "turn_lost")
    with_due: str = _choice("turn_lost", "continue", "allowed")
    with_own_and_striker_at_nine: str = _choice("continue", "turn_lost")
    by_foul: str = _choice("out", "counts")
    by_opponents_piece: str = _choice("out", "counts")
    placed_by: str = _choice("umpire", "opponent")


@dataclass(frozen=True, slots=True)
class Ends:
    """A side's last piece."""

    own_last_before_queen: str = _choice("board_lost", "returns", "set_aside")
    others_last_before_queen: str = _choice("board_lost", "returns")
    others_last_after_queen: str = _choice("ends", "returns")
    lost_board: str = _choice("queen", "queen_and_pieces")


@dataclass(frozen=True, slots=True)
class Points:
    """What a board brings."""

    piece_left: int = _whole(0, 100)
    own_piece: int = _whole(0, 100)
    queen: int = _whole(0, 1000)
    queen_up_to: int = _whole(-1, 10_000)
    least: int = _whole(0, 100)
    most: int = _whole(1, 10_000)
    extra: str = _choice("on_demand", "always", "never")
    double_last_above: str = _choice("least", "queen")
    slams: bool = _flag()


@dataclass(frozen=True, slots=True)
class Dues:
    """How a due or penalty is paid."""

    paid: str = _choice("at_once", "end_of_turn")
    unpaid: str = _choice("owed", "lapses")
    most_per_stroke: int = _whole(0, 18)
    pieces_placed_by: str = _choice("owners_opponent", "opponent")


@dataclass(frozen=True, slots=True)
class Offence:
    """What an offence costs.

    Attributes
    ----------
    pieces : int
        Pieces of his own that come back.
    turn : {"kept", "lost"}
        "kept": the turn goes on if what fell lets it.
    fell : {"stays", "own_returns", "all_returns"}
        What becomes of the pieces of that stroke.
    points : int
        Points off his score, which never falls below 0.
    loses : {"nothing", "board", "game", "match"}
        What is lost by it at once.
    ruled_as : {"itself", "violation", "no_touch"}
        For calls: "violation" is a technical foul before the first stroke of a turn and a foul after it, "no_touch" a
        stroke that touches nothing.
    doubt : {"none", "unnamed", "to_opponent"}
        What is flagged with it: that the book names no penalty; that it gives the penalty piece to the opponent, for whom it may
        count.
    foul : bool
        Whether rulings list it among their `fouls`.
    counted : bool
        Whether it counts as a foul in the statistics, and a game with it is not flawless (22s.1).
    """

    pieces: int = _whole(0, 9, 0)
    turn: str = _choice("kept", "lost", default="kept")
    fell: str = _choice("stays", "own_returns", "all_returns", default="stays")
    points: int = _whole(0, 1000, 0)
    loses: str = _choice("nothing", "board", "game", "match", default="nothing")
    ruled_as: str = _choice("itself", "violation", "no_touch", default="itself")
    doubt: str = _choice("none", "unnamed", "to_opponent", default="none")
    foul: bool = _flag(True)
    counted: bool = _flag(True)


OFFENCES: Final[tuple[str, ...]] = (
    "striker_pocketed",
    "striker_with_own",
    "striker_off_board",
    "piece_off_board",
    "no_touch",
    "opponents_piece",
    "own_last",
    "failed_break",
    "improper",
    "improper_with_own",
    "improper_with_striker",
    "foul",
    "technical_foul",
    "talking",
    "timeout",
    "interrupted",
    "third_interruption",
    "out_of_turn",
    "left_seat",
    "disturbed",
    "abusive",
    "refused",
)
"""Offences that a book may give a cost; one that it does not name costs nothing."""
CALLED: Final = tuple(o for o in OFFENCES if o in CALLS)
"""Those of them that the umpire calls."""


@dataclass(frozen=True, slots=True)
class LawBook:
    """A law book.

    Attributes
    ----------
    offences : mapping of str to Offence
        What each offence costs; one that is missing is none.
    clauses : mapping of str to tuple of str
        The law's numbers that each ruling of the engine cites.
    """

    id: str
    name: str
    match: MatchSettings
    pieces: PieceRules
    breaking: BreakRules
    queen: QueenRules
    ends: Ends
    points: Points
    dues: Dues
    offences: Mapping[str, Offence]
    clauses: Mapping[str, tuple[str, ...]]

    @property
    def owned(self) -> bool:
        """Whether a colour belongs to a side; else a piece belongs to the one who pockets it."""
        return self.pieces.owner == "side"

    def worth(self, piece: Colour) -> int:
        """Points of a piece for the one who pockets it."""
        return self.points.queen if piece == "queen" else self.pieces.white if piece == "white" else self.pieces.black

    def with_options(self, options: Mapping[str, object]) -> LawBook:
        """This book with some settings overridden: by name, or as `section.name` and `offences.OFFENCE.name`.

        Raises
        ------
        BadInput
            For a name that no setting has, or a value that it cannot take.
        """
        book = self
        for name, value in options.items():
            book = _with_option(book, name, value)
        wrong = what_does_not_fit(book)
        if wrong:
            raise BadInput(f"options: {wrong[1]}: {wrong[2]}")
        return book


SECTIONS: Final[Mapping[str, tuple[str, type]]] = {
    "match": ("match", MatchSettings),
    "pieces": ("pieces", PieceRules),
    "break": ("breaking", BreakRules),
    "queen": ("queen", QueenRules),
    "ends": ("ends", Ends),
    "points": ("points", Points),
    "dues": ("dues", Dues),
}
"""Sections of a file, the attribute each becomes and its class."""
OFFENCES_SECTION: Final = "offences"
CLAUSES_SECTION: Final = "clauses"

_LONG: Final = 60


@cache
def settings(section: Any) -> Mapping[str, Field[Any]]:
    """The settings of a section, by name; `metadata` holds its `check` and, in words, what it `takes`."""
    return {f.name: f for f in fields(section)}


def what_is_wrong(section: Any, name: str, value: object) -> str | None:
    """What is wrong with the value of a setting, in words; None if nothing is."""
    wrong: str | None = settings(section)[name].metadata["check"](value)
    return wrong


def shown(value: object) -> str:
    """A wrong value as a complaint repeats it: not without end."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, tables in a thousand tables
        return "a value beyond all measure"
    return text if len(text) <= _LONG else f"{text[:_LONG]}..."


def what_does_not_fit(book: LawBook) -> tuple[str, str, str] | None:
    """What no single setting shows, a book that no board could be played by: section, key and what is wrong; None if it fits."""
    match = book.match
    if book.owned and not set(match.players) <= {2, 4}:
        return "match", "players", 'only 2 or 4 where a colour belongs to a side (owner = "side")'
    if not book.owned and book.ends.own_last_before_queen != "board_lost":
        return "ends", "own_last_before_queen", 'has no meaning where owner = "who_pockets"; write "board_lost"'
    if not match.target and not match.max_boards:
        return "match", "max_boards", "target and max_boards are both 0: no game would end"
    if book.points.least > book.points.most:
        return "points", "least", f"{book.points.least} is more than most, {book.points.most}"
    return None


def _options() -> Iterator[tuple[str, str, str]]:
    """Every option's name, section and key; settings are called by their name alone, or with their section's."""
    for section, (_, cls) in SECTIONS.items():
        for key, setting in settings(cls).items():
            if "a list" not in setting.metadata["takes"]:
                yield key, section, key
                yield f"{section}.{key}", section, key


def _with_option(book: LawBook, name: str, value: object) -> LawBook:
    if name.startswith(f"{OFFENCES_SECTION}."):
        return _with_offence(book, name, value)
    known = {option: (section, key) for option, section, key in _options()}
    if name not in known:
        near = get_close_matches(name, known, n=1)
        meant = f"did you mean {near[0]}? " if near else ""
        raise BadInput(f"options: unknown setting {shown(name)} of law book {book.id}: {meant}`carromeye laws show` lists them")
    section, key = known[name]
    attribute, cls = SECTIONS[section]
    wrong = what_is_wrong(cls, key, value)
    if wrong:
        raise BadInput(f"options: {name}: {shown(value)} {wrong}")
    return replace(book, **{attribute: replace(getattr(book, attribute), **{key: value})})


def _with_offence(book: LawBook, name: str, value: object) -> LawBook:
    _, _, rest = name.partition(".")
    offence, _, key = rest.partition(".")
    if offence not in OFFENCES:
        raise BadInput(f"options: {shown(name)}: unknown offence {shown(offence)} (known: {', '.join(OFFENCES)})")
    if key not in settings(Offence):
        raise BadInput(f"options: {shown(name)}: an offence has {', '.join(settings(Offence))}")
    wrong = what_is_wrong(Offence, key, value)
    if wrong:
        raise BadInput(f"options: {name}: {shown(value)} {wrong}")
    changed = replace(book.offences.get(offence, Offence()), **{key: value})  # type: ignore[arg-type]
    return replace(book, offences={**book.offences, offence: changed})
