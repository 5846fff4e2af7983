"""How the values of a stroke log are read: each reader gives the value typed, or refuses it in one line that says where it stands."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar, cast
from unicodedata import category

from models.errors import BadInput

LARGEST: Final = 1e9
"""No time, place or speed of a match is larger."""

_S = TypeVar("_S", bound=str)


def table(obj: object, where: str, keys: Sequence[str]) -> dict[str, Any]:
    """An object that has no other keys than `keys`."""
    if not isinstance(obj, dict):
        raise BadInput(f"{where}: {shown(obj)} is not an object")
    for key in obj:
        if key not in keys:
            raise BadInput(f"{where}: unknown field {shown(key)} (known: {', '.join(keys)})")
    return obj


def needed(entry: Mapping[str, Any], key: str, where: str) -> Any:
    """The value of a key that must be there."""
    if entry.get(key) is None:
        raise BadInput(f"{where}: {key} is missing")
    return entry[key]


def listed(obj: object, where: str) -> list[Any]:
    """A list."""
    if not isinstance(obj, list):
        raise BadInput(f"{where}: {shown(obj)} is not a list")
    return obj


def text(obj: object, where: str) -> str:
    """A text of one line."""
    if not isinstance(obj, str):
        raise BadInput(f"{where}: {shown(obj)} is not a text")
    if any(category(c) in ("Cc", "Cs") for c in obj):
        raise BadInput(f"{where}: {shown(obj)} has a control character")
    return obj


def one_of(obj: object, known: Sequence[_S], where: str, what: str) -> _S:
    """One of the known words; `what` says in a refusal what they are."""
    if not isinstance(obj, str) or obj not in known:
        raise BadInput(f"{where}: unknown {what} {shown(obj)} (known: {', '.join(known)})")
    return known[known.index(cast(_S, obj))]


def words(obj: object, known: Sequence[_S], where: str, what: str) -> tuple[_S, ...]:
    """A list of known words."""
    return tuple(one_of(word, known, where, what) for word in listed(obj, where))


def reason(entry: Mapping[str, Any], where: str) -> str:
    """Why something was corrected: the text under `because`, which is not empty."""
    because = text(needed(entry, "because", where), f"{where}: because")
    if not because.strip():
        raise BadInput(f"{where}: because is empty; it says why")
    return because


def counts(obj: object, names: Sequence[_S], where: str, what: str, most: int | None = None) -> dict[_S, int]:
    """Whole numbers by name, each up to `most` if there is a most."""
    if not isinstance(obj, dict):
        raise BadInput(f"{where}: {shown(obj)} is not an object of numbers")
    return {one_of(k, names, where, what): count(v, most, f"{where}.{k}") for k, v in obj.items()}


def count(obj: object, most: int | None, where: str) -> int:
    """A whole number from 0, up to `most` if there is a most."""
    if isinstance(obj, bool) or not isinstance(obj, int) or obj < 0 or (most is not None and obj > most):
        raise BadInput(f"{where}: {shown(obj)} is not a whole number {'from 0 up' if most is None else f'from 0 to {most}'}")
    return obj


def number(entry: Mapping[str, Any], key: str, where: str) -> float | None:
    """The number under a key, None where it is left out."""
    value = entry.get(key)
    return None if value is None else real(value, f"{where}: {key}")


def real(value: object, where: str) -> float:
    """A number of a size that a match can have."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > LARGEST:
        raise BadInput(f"{where}: {shown(value)} is not a number up to {LARGEST:g}")
    return value


def pair(entry: Mapping[str, Any], key: str, where: str) -> tuple[float, float] | None:
    """The two numbers under a key, None where they are left out."""
    value = entry.get(key)
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        raise BadInput(f"{where}: {key}: {shown(value)} is not a pair of numbers")
    return real(value[0], f"{where}: {key}"), real(value[1], f"{where}: {key}")


def no_constant(name: str) -> float:
    """Refuses NaN and its kin (for json's `parse_constant`)."""
    raise BadInput(f"not JSON: {name} is not a number")


def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object none of whose keys is given twice (for json's `object_pairs_hook`)."""
    out = dict(pairs)
    if len(out) != len(pairs):
        twice = next(k for k, n in Counter(k for k, _ in pairs).items() if n > 1)
        raise BadInput(f"field {shown(twice)} is given twice in one object")
    return out


def shown(obj: object, most: int = 60) -> str:
    """A value as the log has it, cut to fit one line."""
    try:
        text = repr(obj) if isinstance(obj, str) else json.dumps(obj, default=str)
    except (ValueError, RecursionError):  # a number of thousands of digits, lists in a thousand lists
        return "a value beyond all measure"
    return text if len(text) <= most else text[: most - 1] + "…"
