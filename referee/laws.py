"""Law books: what the engine is told by data.

A law book is a commented TOML file: settings of the match, prices of offences, readings of doubtful places, and
the clauses that each ruling cites. The books that come with the program lie in `lawbooks/`; a club's own is a file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from models.errors import BadInput
from referee.texts import RULES

_FOLDER: Final = Path(__file__).with_name("lawbooks")
_CLAUSE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.\-]*")

_T = TypeVar("_T")
_Check = Callable[[object], str | None]
"""What is wrong with a value, in words; None if nothing is."""


def _whole(least: int, most: int) -> Any:
    def check(value: object) -> str | None:
        fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        return None if fits else f"is not a whole number from {least} to {most}"

    return field(metadata={"check": check})


def _real(least: float, most: float) -> Any:
    def check(value: object) -> str | None:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most
        return None if fits else f"is not a number from {least:g} to {most:g}"

    return field(metadata={"check": check})


def _choice(*known: str) -> Any:
    return field(metadata={"check": lambda v: None if isinstance(v, str) and v in known else f"is not one of {', '.join(known)}"})


def _flag() -> Any:
    return field(metadata={"check": lambda v: None if isinstance(v, bool) else "is not true or false"})


def _players() -> Any:
    def check(value: object) -> str | None:
        fits = isinstance(value, list | tuple) and value and all(v in (2, 4) and not isinstance(v, bool) for v in value)
        return None if fits else "is not a list out of 2 and 4"

    return field(metadata={"check": check})


def _odd(most: int) -> Any:
    def check(value: object) -> str | None:
        fits = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most and value % 2
        return None if fits else f"is not an odd number from 1 to {most}"

    return field(metadata={"check": check})


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """Settings of a match, each of which a stroke log's `options` may override by name."""

    players: tuple[int, ...] = _players()
    direction: str = _choice("anticlockwise", "clockwise")
    target: int = _whole(1, 10_000)
    max_boards: int = _whole(0, 1000)
    extra_board: bool = _flag()
    games: int = _odd(99)
    total_capped: bool = _flag()
    clock_s: float = _real(1, 3600)


@dataclass(frozen=True, slots=True)
class BreakRules:
    """The break."""

    chances: int = _whole(1, 99)
    before_play: str = _choice("own", "all")


@dataclass(frozen=True, slots=True)
class Points:
    """What a board brings."""

    queen: int = _whole(0, 100)
    queen_up_to: int = _whole(-1, 10_000)
    least: int = _whole(0, 100)
    most: int = _whole(1, 1000)
    extra: str = _choice("on_demand", "always")
    double_last_above: str = _choice("least", "queen")


@dataclass(frozen=True, slots=True)
class Dues:
    """Pieces that an offence costs."""

    striker_pocketed: int = _whole(0, 9)
    improper: int = _whole(0, 9)
    improper_with_striker: int = _whole(0, 9)
    improper_with_own: int = _whole(0, 9)
    foul: int = _whole(0, 9)
    technical_foul: int = _whole(0, 9)


@dataclass(frozen=True, slots=True)
class Readings:
    """How to read the text where it is doubtful or silent."""

    own_and_other: str = _choice("continue", "turn_lost")
    queen_and_other: str = _choice("continue", "turn_lost")
    queen_own_striker_at_nine: str = _choice("continue", "turn_lost")
    queen_with_due: str = _choice("turn_lost", "continue")
    queen_at_nine_again: str = _choice("pending", "covered")


@dataclass(frozen=True, slots=True)
class LawBook:
    """A law book.

    Attributes
    ----------
    clauses : mapping of str to tuple of str
        The law's numbers that each ruling of the engine cites.
    """

    id: str
    name: str
    match: MatchSettings
    breaking: BreakRules
    points: Points
    dues: Dues
    readings: Readings
    clauses: Mapping[str, tuple[str, ...]]

    def with_options(self, options: Mapping[str, object]) -> LawBook:
        """This book with some settings overridden by name.

        Raises
        ------
        BadInput
            For a name that no setting has, or a value that it cannot take.
        """
        book = self
        for name, value in options.items():
            part = next((p for p in ("match", "readings") if name in _checks(getattr(book, p)) and name != "players"), None)
            if part is None:
                known = ", ".join(k for k in (*_checks(MatchSettings), *_checks(Readings)) if k != "players")
                raise BadInput(f"options: unknown setting {name!r} of law book {self.id} (known: {known})")
            section = getattr(book, part)
            wrong = _checks(section)[name](value)
            if wrong:
                raise BadInput(f"options: {name}: {value!r} {wrong}")
            book = replace(book, **{part: replace(section, **{name: value})})
        return book


_SECTIONS: Final[Mapping[str, tuple[str, type]]] = {
    "match": ("match", MatchSettings),
    "break": ("breaking", BreakRules),
    "points": ("points", Points),
    "dues": ("dues", Dues),
    "readings": ("readings", Readings),
}


def known_lawbooks() -> tuple[str, ...]:
    """Ids of the law books that come with the program."""
    return tuple(sorted(p.stem for p in _FOLDER.glob("*.toml")))


def load_lawbook(id_or_path: str | Path, folder: Path | None = None) -> LawBook:
    """A law book by its id or from a file.

    Parameters
    ----------
    id_or_path : str or Path
        What ends in `.toml` or names a folder is a file, all else an id.
    folder : Path, optional
        Where a relative path starts; the working directory if not given.

    Raises
    ------
    BadInput
        If there is no such book, or the file has an unknown key, lacks one, or gives an impossible value.
    """
    text = str(id_or_path)
    if isinstance(id_or_path, Path) or text.endswith(".toml") or "/" in text or "\\" in text:
        return _read(Path(folder or ".") / id_or_path)
    if text not in known_lawbooks():
        raise BadInput(f"unknown law book {text!r}; known: {', '.join(known_lawbooks())}, or the path of a file of house rules (.toml)")
    return _bundled(text)


@cache
def _bundled(name: str) -> LawBook:
    return _read(_FOLDER / f"{name}.toml")


def _checks(section: Any) -> dict[str, _Check]:
    """The check of each field of a section's class."""
    return {f.name: f.metadata["check"] for f in fields(section)}


def _read(path: Path) -> LawBook:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as e:
        raise BadInput(f"law book {path}: it is not text in UTF-8") from e
    except OSError as e:
        raise BadInput(f"cannot read law book {path}: {e.strerror or e}") from e
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as e:  # TOMLDecodeError, and numbers of thousands of digits
        raise BadInput(f"law book {path}: not TOML: {e}") from e
    return _Reader(path, text).book(data)


@dataclass(frozen=True)
class _Reader:
    """One file being read: knows the line of a key for what it has to complain of."""

    path: Path
    text: str

    def book(self, data: dict[str, Any]) -> LawBook:
        self._keys(data, "", ("id", "name", *_SECTIONS, "clauses"))
        parts: dict[str, Any] = {attribute: self._section(data, name, cls) for name, (attribute, cls) in _SECTIONS.items()}
        for key in ("id", "name"):
            if not isinstance(data[key], str) or not data[key]:
                raise self._bad("", key, "is not a name")
        return LawBook(id=data["id"], name=data["name"], clauses=self._clauses(data), **parts)

    def _section(self, data: dict[str, Any], name: str, cls: type[_T]) -> _T:
        table, checks = self._table(data, name), _checks(cls)
        self._keys(table, name, tuple(checks))
        for key, check in checks.items():
            wrong = check(table[key])
            if wrong:
                raise self._bad(name, key, f"{table[key]!r} {wrong}")
        return cls(**{k: tuple(v) if isinstance(v, list) else v for k, v in table.items()})

    def _clauses(self, data: dict[str, Any]) -> dict[str, tuple[str, ...]]:
        table = self._table(data, "clauses")
        self._keys(table, "clauses", tuple(RULES))
        for key, value in table.items():
            if not isinstance(value, list) or not value or not all(isinstance(c, str) and _CLAUSE.fullmatch(c) for c in value):
                raise self._bad("clauses", key, f"{value!r} is not a list of clause numbers in quotes")
        return {k: tuple(v) for k, v in table.items()}

    def _table(self, data: dict[str, Any], name: str) -> dict[str, Any]:
        if not isinstance(data[name], dict):
            raise self._bad("", name, f"is not a section; write [{name}]")
        return dict(data[name])

    def _keys(self, table: Mapping[str, Any], section: str, known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                raise self._bad(section, key, f"unknown key (known: {', '.join(known)})" if len(known) < 30 else "unknown key")
        for key in known:
            if key not in table:
                raise BadInput(f"law book {self.path}: {section and f'[{section}] '}{key} is missing")

    def _bad(self, section: str, key: str, what: str) -> BadInput:
        where = f"[{section}] {key}" if section else key
        return BadInput(f"law book {self.path}: line {self._line(section, key)}: {where}: {what}")

    def _line(self, section: str, key: str) -> int:
        """The line where a key, or a section, is given; that of its section if it is written in another way."""
        here, found = "", 1
        for number, line in enumerate(self.text.splitlines(), 1):
            if header := re.match(r"\s*\[+\s*([\w.\-]+)\s*\]", line):
                here = header[1]
                if here in (section or key, f"{section}.{key}"):
                    found = number
            if here == section and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
                return number
        return found
