"""Equipment: boards, pieces and strikers as commented TOML, those of the law books and a club's own.

board = read_equipment("uk").board        # or read_equipment("club.toml")
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite
from pathlib import Path
from typing import Any, Final

from models.board import ICF, BoardSpec
from models.errors import BadInput
from models.physics.dynamics import Dynamics

HERE: Final = Path(__file__).parent
EQUIPMENT: Final = ("icf", "uk", "bc", "22s")
"""What is shipped."""
MAX_BYTES: Final = 100_000

_LENGTH, _MASS, _DECELERATION, _SECONDS, _SPEED, _SHARE, _COEFFICIENT = (
    (1.0, 5000.0), (1e-4, 0.2), (1.0, 20_000.0), (1e-4, 1.0), (1.0, inf), (0.0, 1.0), (0.0, 2.0),
)  # fmt: skip
"""What values may be: mm, kg, mm/s^2, s, mm/s, and two without a unit."""

BOARD: Final = {
    "side": _LENGTH, "pocket_radius": _LENGTH, "pocket_inset": _LENGTH, "corner_radius": (0.0, 5000.0), "base_outer": _LENGTH,
    "base_inner": _LENGTH, "base_length": _LENGTH, "base_circle_radius": _LENGTH, "base_disc_radius": _LENGTH,
    "centre_radius": _LENGTH, "outer_radius": _LENGTH,
}  # fmt: skip
DISCS: Final = {"radius": _LENGTH, "mass": _MASS}
SURFACE: Final = {"friction_piece": _DECELERATION, "friction_striker": _DECELERATION, "fall_time": _SECONDS, "jump_speed": _SPEED}
CONTACTS: Final = ("piece_piece", "striker_piece", "piece_cushion", "striker_cushion")
CONTACT: Final = {"restitution": _SHARE, "friction": _COEFFICIENT}
_TABLES: Final = ("board", "pieces", "striker", "surface", *CONTACTS)
Range = tuple[float, float]


@dataclass(frozen=True)
class Equipment:
    """A board with its pieces and striker, and how they slide and bounce."""

    id: str
    title: str
    board: BoardSpec
    dynamics: Dynamics


def read_equipment(name: str | Path) -> Equipment:
    """Shipped equipment by its id, or a club's own from a TOML file.

    Raises
    ------
    BadInput
        If there is no such equipment or file, or the file names a key that is not known or a value that cannot be.
    """
    if str(name) in EQUIPMENT:
        return _read(HERE / f"{name}.toml", str(name))
    path = Path(name)
    if path.suffix != ".toml":
        raise BadInput(f"unknown equipment {str(name)!r}: known are {', '.join(EQUIPMENT)}, or a file that ends in .toml")
    return _read(path, path.stem)


def _read(path: Path, identity: str) -> Equipment:
    try:
        data = path.read_bytes()
        if len(data) > MAX_BYTES:
            raise BadInput(f"{path}: {len(data)} bytes are too many for equipment")
        tables = tomllib.loads(data.decode("utf-8"))
    except OSError as e:
        raise BadInput(f"{path}: {e.strerror or 'cannot be read'}") from e
    except UnicodeDecodeError as e:
        raise BadInput(f"{path}: is not UTF-8 text") from e
    except (tomllib.TOMLDecodeError, RecursionError) as e:
        raise BadInput(f"{path}: {e}") from e
    title, like = tables.pop("title", identity), tables.pop("like", "icf")
    if not isinstance(title, str) or like not in EQUIPMENT:
        raise BadInput(f"{path}: title is a text and like one of {', '.join(EQUIPMENT)}")
    base = Equipment("icf", "", ICF, Dynamics()) if identity == like or identity in EQUIPMENT else read_equipment(like)
    for key in tables:
        if key not in _TABLES:
            raise BadInput(f"{path}: unknown key {key!r} (known: title, like, and the tables {', '.join(_TABLES)})")
    discs = {f"{prefix}_{key}": v for prefix, table in (("piece", "pieces"), ("striker", "striker"))
             for key, v in _numbers(path, tables, table, DISCS).items()}  # fmt: skip
    board = replace(base.board, name=identity, **_numbers(path, tables, "board", BOARD), **discs)
    contacts: dict[str, Any] = {
        c: replace(getattr(base.dynamics, c), **found) for c in CONTACTS if (found := _numbers(path, tables, c, CONTACT))
    }
    dynamics = replace(base.dynamics, **_numbers(path, tables, "surface", SURFACE), **contacts)
    _fit(path, board)
    return Equipment(identity, title, board, dynamics)


def _numbers(path: Path, tables: Mapping[str, Any], table: str, known: Mapping[str, Range]) -> dict[str, Any]:
    """The numbers of a table, each within its range."""
    values = tables.get(table, {})
    if not isinstance(values, dict):
        raise BadInput(f"{path}: {table} is a table: [{table}]")
    for key, value in values.items():
        if key not in known:
            raise BadInput(f"{path}: [{table}] has no key {key!r} (known: {', '.join(known)})")
        low, high = known[key]
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not (isfinite(value) or value == high) or not low <= value <= high:
            raise BadInput(f"{path}: [{table}] {key} = {value!r}: want a number from {low:g} to {high:g}")
    return {key: float(value) for key, value in values.items()}


def _fit(path: Path, board: BoardSpec) -> None:
    """Refuse what cannot lie on one board."""
    half = board.side / 2
    for wrong, why in (
        (8 * board.piece_radius > half, "19 pieces do not fit the middle of the board"),
        (board.striker_radius > half / 4, "the striker is too large for the board"),
        (not board.base_outer < board.base_inner < half, "the base lines are in the wrong order: base_outer, base_inner, the middle"),
        (board.base_length > board.side, "the base lines are longer than the board"),
        (board.pocket_radius > half / 4 or board.pocket_inset > half / 2, "the pockets are too large or too far from the corners"),
        (board.corner_radius > half, "the corners are rounder than the board"),
    ):
        if wrong:
            raise BadInput(f"{path}: {why}")


__all__ = ["BOARD", "CONTACT", "CONTACTS", "DISCS", "EQUIPMENT", "SURFACE", "Equipment", "read_equipment"]
