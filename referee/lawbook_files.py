"""Law books read from their files: those that come with the program, and a club's own."""

from __future__ import annotations

import codecs
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from io import StringIO
from itertools import takewhile
from pathlib import Path
from typing import Any, Final
from unicodedata import category

from models.errors import BadInput
from models.files import read_bytes
from referee.cited import CITED
from referee.laws import (
    CLAUSES_SECTION,
    OFFENCES,
    OFFENCES_SECTION,
    SECTIONS,
    LawBook,
    Offence,
    settings,
    shown,
    what_does_not_fit,
    what_is_wrong,
)

_FOLDER: Final = Path(__file__).with_name("lawbooks")
_CLAUSE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.\-]*")
_UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""How a file begins that was written by `>` in a Windows PowerShell."""
_MOST: Final = 1_000_000
"""Bytes of a file that are read; the largest law book of ours has a hundredth of that."""
_HEADER: Final = re.compile(r"\s*\[\[?([^\[\]]*)\]")
_KEY: Final = re.compile(r"\s*([\w\-\"']+(?:\s*\.\s*[\w\-\"']+)*)\s*=")
_WIDE: Final = 600
"""Letters of a line at most: some parsers need ages for keys of thousands of parts."""
_FEW: Final = 30
"""Known keys are listed in a complaint if they are no more than this."""


def known_lawbooks() -> tuple[str, ...]:
    """Ids of the law books that come with the program."""
    return tuple(sorted(p.stem for p in _FOLDER.glob("*.toml")))


def lawbook_text(name: str) -> str:
    """A law book that comes with the program as its commented file.

    Raises
    ------
    BadInput
        If there is none of that id.
    """
    if name not in known_lawbooks():
        raise BadInput(f"unknown law book {name!r}; known: {', '.join(known_lawbooks())}")
    return (_FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def is_file_of_rules(laws: str) -> bool:
    """Whether a law book is named by its file: what ends in `.toml` or names a folder; all else is an id."""
    return laws.endswith(".toml") or "/" in laws or "\\" in laws


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
    if isinstance(id_or_path, Path) or is_file_of_rules(text):
        return _read(Path(folder or ".") / id_or_path)
    if text not in known_lawbooks():
        raise BadInput(f"unknown law book {text!r}; known: {', '.join(known_lawbooks())}, or the path of a file of house rules (.toml)")
    return _bundled(text)


@cache
def _bundled(name: str) -> LawBook:
    return _read(_FOLDER / f"{name}.toml")


def _read(path: Path) -> LawBook:
    try:
        raw = read_bytes(path, _MOST)
        text = StringIO(raw.decode("utf-16" if raw.startswith(_UTF_16) else "utf-8-sig"), newline=None).read()
    except UnicodeDecodeError as e:
        raise BadInput(f"law book {path}: it is not text in UTF-8") from e
    except BadInput as e:
        raise BadInput(str(e).replace("cannot read ", "cannot read law book ", 1)) from e
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > _WIDE:
            raise BadInput(f"law book {path}: line {number}: more than {_WIDE} letters; write it in several lines")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        raise BadInput(f"law book {path}: not TOML: {e}; words need quotes, numbers none") from e
    except (ValueError, RecursionError) as e:
        raise BadInput(f"law book {path}: not TOML: a number of thousands of digits, or lists in thousands of lists") from e
    return _Reader(path, text).book(data)


@dataclass(frozen=True)
class _Reader:
    """One file being read: knows the line of a key for what it has to complain of."""

    path: Path
    text: str

    def book(self, data: dict[str, Any]) -> LawBook:
        self._keys(data, "", ("id", "name", *SECTIONS, OFFENCES_SECTION, CLAUSES_SECTION))
        for key in ("id", "name"):
            if not isinstance(data[key], str) or not data[key].strip():
                raise self._bad("", key, "is not a name in quotes")
            if any(category(c) in ("Cc", "Cs", "Zl", "Zp") for c in data[key]):
                raise self._bad("", key, "has a control character; a name is one line of letters")
        parts: dict[str, Any] = {attribute: self._section(data, name, cls) for name, (attribute, cls) in SECTIONS.items()}
        book = LawBook(id=data["id"], name=data["name"], offences=self._offences(data), clauses=self._clauses(data), **parts)
        wrong = what_does_not_fit(book)
        if wrong:
            raise self._bad(*wrong)
        return book

    def _section(self, data: dict[str, Any], name: str, cls: Any) -> Any:
        table = self._table(data, name)
        self._keys(table, name, tuple(settings(cls)))
        for key, value in table.items():
            self._check(cls, name, key, value)
        return cls(**{k: tuple(v) if isinstance(v, list) else v for k, v in table.items()})

    def _offences(self, data: dict[str, Any]) -> dict[str, Offence]:
        table = self._table(data, OFFENCES_SECTION)
        self._keys(table, OFFENCES_SECTION, OFFENCES, all_needed=False)
        offences = {}
        for name, row in table.items():
            if not isinstance(row, dict):
                raise self._bad(OFFENCES_SECTION, name, 'is not a cost; write {pieces = 1, turn = "lost"} or the like')
            for key, value in row.items():
                if key not in settings(Offence):
                    raise self._bad(OFFENCES_SECTION, name, f"unknown key {key!r} (known: {', '.join(settings(Offence))})", key)
                self._check(Offence, OFFENCES_SECTION, key, value, at=name)
            offences[name] = Offence(**row)
        return offences

    def _clauses(self, data: dict[str, Any]) -> dict[str, tuple[str, ...]]:
        table = self._table(data, CLAUSES_SECTION)
        self._keys(table, CLAUSES_SECTION, tuple(CITED), all_needed=False)
        for key, value in table.items():
            if not isinstance(value, list) or not value or not all(isinstance(c, str) and _CLAUSE.fullmatch(c) for c in value):
                raise self._bad(CLAUSES_SECTION, key, f"{shown(value)} is not a list of clause numbers in quotes")
        return {k: tuple(v) for k, v in table.items()}

    def _check(self, cls: type, section: str, key: str, value: object, at: str | None = None) -> None:
        wrong = what_is_wrong(cls, key, value)
        if wrong:
            inner = (key,) if at else ()
            raise self._bad(section, at or key, f"{f'{key}: ' if at else ''}{shown(value)} {wrong}", *inner)

    def _table(self, data: dict[str, Any], name: str) -> dict[str, Any]:
        if not isinstance(data[name], dict):
            raise self._bad("", name, f"is not a section; write [{name}]")
        return dict(data[name])

    def _keys(self, table: Mapping[str, Any], section: str, known: tuple[str, ...], all_needed: bool = True) -> None:
        for key in table:
            if key not in known:
                raise self._bad(section, key, f"unknown key (known: {', '.join(known)})" if len(known) <= _FEW else "unknown key")
        for key in known if all_needed else ():
            if key not in table:
                raise BadInput(f"law book {self.path}: {section and f'[{section}] '}{key} is missing")

    def _bad(self, section: str, key: str, what: str, *inner: str) -> BadInput:
        where = f"[{section}] {key}" if section else key
        path = tuple(k for k in (section, key, *inner) if k)
        return BadInput(f"law book {self.path}: line {self._line(path)}: {where}: {what}")

    def _line(self, path: tuple[str, ...]) -> int:
        """The line where a key is given, however it is written; that of the section around it if it is not."""
        here: tuple[str, ...] = ()
        best, found = 0, 1
        for number, line in enumerate(self.text.split("\n"), 1):
            if header := _HEADER.match(line):
                here = full = _keys(header[1])
            elif key := _KEY.match(line):
                full = (*here, *_keys(key[1]))
            else:
                continue
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(full, path, strict=False)))
            if same == min(len(full), len(path)) and same > best:
                best, found = same, number
        return found


def _keys(dotted: str) -> tuple[str, ...]:
    return tuple(k.strip().strip("\"'") for k in dotted.split("."))
