"""What a reviewer corrected, and why, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reports.card import Json, Side, seat_name
from reports.words import clean, code_words, tally

_SHOWN = ("by", "pocketed", "touched", "off_board", "improper", "seconds", "pieces", "call")
"""Fields of an event that a reviewer can change."""


def corrections_of(sides: Sequence[Side], event: Json) -> tuple[str, ...]:
    """A line for each correction of an event, the oldest first."""
    return tuple(_line(sides, c) for c in event.get("corrections") or ())


def deletions_of(sides: Sequence[Side], board: Json) -> tuple[str, ...]:
    """A line for each event that was taken out of a board."""
    lines = []
    for gone in board.get("deleted") or ():
        event = gone["event"]
        what = ", ".join(_field(sides, f, event[f]) for f in _SHOWN if f != "by" and event.get(f) not in (None, [], True))
        told = f"a {clean(event['type'])} by {seat_name(sides, event['by'])}" + (f" ({what})" if what else "")
        lines.append(f"Before event {gone['before']} the reviewer took out {told}: {clean(gone['because'])}")
    return tuple(lines)


def _line(sides: Sequence[Side], correction: Json) -> str:
    was, because = correction["was"], clean(correction["because"])
    if not was:
        return f"Put in by the reviewer: {because}"
    fields = [_field(sides, f, was[f]) for f in _SHOWN if f in was]
    return f"Corrected, was {'; '.join(fields)}: {because}"


def _field(sides: Sequence[Side], name: str, value: Any) -> str:
    if name == "by":
        return f"by {seat_name(sides, value)}"
    if name == "touched":
        return "no piece touched" if value is False else "a piece touched"
    if name == "seconds":
        return "no time known" if value is None else f"{value:g} s"
    if name in ("pocketed", "pieces"):
        return (tally(value or ()) or "nothing") + (" pocketed" if name == "pocketed" else "")
    if name == "off_board":
        return f"{tally(value or ()) or 'nothing'} off the board"
    if name == "improper":
        return ", ".join(map(code_words, value or ())) or "a proper stroke"
    return code_words(value)
