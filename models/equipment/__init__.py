"""Equipment: boards, pieces and strikers as commented TOML, those of the law books and a club's own.

board = read_equipment("uk").board        # or read_equipment("club.toml")

The figures of the ICF board live in `models/board.py` and `models/physics/dynamics.py` and nowhere else; every other
book says only what differs from the book that it is `like`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from models.board import ICF, BoardSpec
from models.equipment.limits import BOARD, CONTACT, CONTACTS, DISCS, SURFACE, Limit, misfit
from models.errors import BadInput
from models.physics.dynamics import Contact, Dynamics

EQUIPMENT: Final = ("icf", "uk", "bc", "22s")
"""What is shipped."""
MAX_BYTES: Final = 100_000
"""A file of equipment is a page; a longer one is something else."""

_FOLDER: Final = Path(__file__).parent
_TABLES: Final[Mapping[str, Mapping[str, Limit]]] = {
    "board": BOARD, "pieces": DISCS, "striker": DISCS, "surface": SURFACE, **dict.fromkeys(CONTACTS, CONTACT),
}  # fmt: skip
_PREFIX: Final = {"board": "", "pieces": "piece_", "striker": "striker_"}
"""What the keys of a table are called in `BoardSpec`."""
_HEAD: Final = ("title", "like")
_FOLLOWING: Final = ("pocket_inset", "corner_radius")
"""What changes along with a pocket's radius where a file leaves it out: the pocket goes on meeting both cushions."""


@dataclass(frozen=True)
class Equipment:
    """A board with its pieces and striker, and how they slide and bounce.

    Attributes
    ----------
    id : str
        Of what is shipped its id, of a file its name without `.toml`.
    title : str
        What people call it.
    """

    id: str
    title: str
    board: BoardSpec
    dynamics: Dynamics


def read_equipment(name: str | Path) -> Equipment:
    """Shipped equipment by its id, or a club's own from a TOML file (docs/equipment.md).

    Raises
    ------
    BadInput
        If there is no such equipment or file, or the file has a key that is not known, a value of a wrong type, or
        figures that cannot be together; the line names file, line and key.
    """
    if str(name) in EQUIPMENT:
        return _shipped(str(name))
    path = Path(name)
    if path.suffix.lower() != ".toml":
        raise BadInput(f"unknown equipment {str(name)!r}: known are {', '.join(EQUIPMENT)}, or a file that ends in .toml")
    return _read(path, path.stem)


@cache
def _shipped(name: str) -> Equipment:
    return _read(_FOLDER / f"{name}.toml", name, shipped=True)


def _read(path: Path, name: str, *, shipped: bool = False) -> Equipment:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as e:  # ValueError: a zero byte in the name
        raise BadInput(f"{path}: {getattr(e, 'strerror', None) or 'cannot be read'}") from e
    if len(data) > MAX_BYTES:
        raise BadInput(f"{path}: more than {MAX_BYTES} bytes are too many for equipment")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as e:
        raise BadInput(f"{path}: is not UTF-8 text") from e
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        raise BadInput(f"{path}: {e}") from e
    except (ValueError, RecursionError) as e:  # numbers of thousands of digits, brackets by the thousand
        raise BadInput(f"{path}: is not TOML that can be read") from e
    return _File(path, text).equipment(tables, name, shipped)


@dataclass(frozen=True)
class _File:
    """A file being read: it knows the line of a key for what it has to complain of."""

    path: Path
    text: str

    def equipment(self, data: Mapping[str, Any], name: str, shipped: bool) -> Equipment:
        for key in data:
            if key not in (*_HEAD, *_TABLES):
                raise self._bad("", key, f"unknown key {_shown(key)} (known: title, like, and the tables {', '.join(_TABLES)})")
        title, like = data.get("title", name), data.get("like", EQUIPMENT[0])
        if not isinstance(title, str) or not title.strip() or not title.isprintable():
            raise self._bad("", "title", "title is a text of one line in quotes")
        if not isinstance(like, str) or like not in EQUIPMENT:
            raise self._bad("", "like", f"like is one of {', '.join(EQUIPMENT)}")
        base = Equipment(name, title, ICF, Dynamics()) if shipped and like == EQUIPMENT[0] else _shipped(like)
        given = {table: self._numbers(data, table, limits) for table, limits in _TABLES.items()}
        board = replace(base.board, name=name, **_board_changes(base.board, given))
        wrong = misfit(board)
        if wrong is not None:
            table, key = next((k for k in wrong.keys if k[1] in given[k[0]]), wrong.keys[0])
            raise self._bad(table, key, f"[{table}] {key}: {wrong.text}")
        return Equipment(name, title.strip(), board, _dynamics(base.dynamics, given))

    def _numbers(self, data: Mapping[str, Any], table: str, known: Mapping[str, Limit]) -> dict[str, float]:
        """The numbers of a table, each within its limit."""
        values = data.get(table, {})
        if not isinstance(values, dict):
            raise self._bad("", table, f"{table} is a table: [{table}]")
        for key, value in values.items():
            if key not in known:
                raise self._bad(table, key, f"[{table}] has no key {_shown(key)} (known: {', '.join(known)})")
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not known[key].least <= value <= known[key].most:
                raise self._bad(table, key, f"[{table}] {key} = {_shown(value)}: want {known[key]}")
        return {key: float(value) for key, value in values.items()}

    def _bad(self, table: str, key: str, what: str) -> BadInput:
        line = self._line(table, key)
        return BadInput(f"{self.path}: {f'line {line}: ' if line else ''}{what}")

    def _line(self, table: str, key: str) -> int:
        """The line of a key, or of its table where the key is written in another way; 0 where neither is found."""
        here, found = "", 0
        for number, line in enumerate(self.text.split("\n"), 1):
            if header := re.match(r"\s*\[+\s*[\"']?([^\"'\]]*?)[\"']?\s*\]", line):
                here = header[1]
                if here == (table or key):
                    found = found or number
            elif re.match(rf"\s*[\"']?{re.escape(key if here == table else table)}[\"']?\s*[=.]", line) and here in ("", table):
                found = number
                if here == table:
                    return number
        return found


def _board_changes(base: BoardSpec, given: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    changes: dict[str, Any] = {f"{prefix}{key}": v for table, prefix in _PREFIX.items() for key, v in given[table].items()}
    if "pocket_radius" in changes:
        wider = changes["pocket_radius"] - base.pocket_radius
        for key in _FOLLOWING:
            changes.setdefault(key, max(getattr(base, key) + wider, 0.0))
    return changes


def _dynamics(base: Dynamics, given: Mapping[str, Mapping[str, float]]) -> Dynamics:
    changes: dict[str, Any] = dict(given["surface"])
    for pair in CONTACTS:
        contact: Contact = getattr(base, pair)
        changes[pair] = replace(contact, **given[pair])
    return replace(base, **changes)


def _shown(value: object) -> str:
    """A key or a value as it fits one line."""
    try:
        text = repr(value)
    except ValueError:  # a whole number of thousands of digits
        text = "this"
    return text if len(text) <= 60 else f"{text[:60]}..."


__all__ = ["BOARD", "CONTACT", "CONTACTS", "DISCS", "EQUIPMENT", "SURFACE", "Contact", "Equipment", "read_equipment"]
