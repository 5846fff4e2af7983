"""Corrections of a stroke log: the reviewer's word beside the log's own, so that both calls are kept and each can be undone.

What a reviewer writes is one line::

    board 1 event 14 pocketed=white,queen touched=yes because=a hand hid the queen
    board 1 event 14 delete because=the player only moved a chair
    board 1 event 14 insert call by=north call=foul because=heard by the umpire

Events are counted from 1, in the log as the corrections before left it; `insert` puts an event in before the one named.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, cast

from models.errors import BadInput
from models.log_form import shown
from models.stroke import Match
from models.stroke_log import log_to_json, parse_log

Json: TypeAlias = dict[str, Any]

FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "stroke": ("by", "pocketed", "touched", "off_board", "improper", "seconds"),
    "placing": ("by", "pieces"),
    "call": ("by", "call"),
}
"""What a reviewer can correct, by type of event."""
GRAMMAR: Final = "board N event N FIELD=VALUE ... because=WHY; or delete, or insert stroke, placing or call, before the fields"

_LISTS: Final = ("pocketed", "off_board", "improper", "pieces")
_YES_NO: Final = {"yes": True, "true": True, "no": False, "false": False}
_NOTHING: Final = ("", "none")
_HEAD = re.compile(r"\s*board\s+([0-9]{1,9})\s+event\s+([0-9]{1,9})(?:\s+(.*))?", re.DOTALL)
_BECAUSE = re.compile(r"(?:^|\s)because=(.*)", re.DOTALL)
_FIELD = re.compile(r"(?:^|(?<=\s))([a-z_]+)=")
_NUMBER = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?")
_LONGEST: Final = 120
"""So many letters of a correction are shown in a refusal."""


@dataclass(frozen=True)
class Edit:
    """A correction as a reviewer asks for it.

    Attributes
    ----------
    board, event : int
        Counted from 1, in the log that it is applied to.
    what : {"change", "delete", "insert"}
        What is done to the event; an insertion is made before it.
    kind : str or None
        Type of the event to insert; None for other edits.
    fields : mapping
        New values as the log's JSON has them; None: left out.
    because : str
        The reason.
    """

    board: int
    event: int
    what: Literal["change", "delete", "insert"]
    kind: str | None
    fields: Mapping[str, object]
    because: str


@dataclass(frozen=True)
class Change:
    """A correction as a log keeps it, both calls side by side.

    Attributes
    ----------
    board, event : int
        Counted from 1, in the corrected log; of a deleted event, the event that it stood before.
    what : {"change", "delete", "insert"}
        What was done.
    was, now : dict
        The fields before and after in the form of the log's JSON, None where one was left out; the whole event where it was
        deleted or inserted, beside an empty one.
    because : str
        The reason.
    """

    board: int
    event: int
    what: Literal["change", "delete", "insert"]
    was: Json
    now: Json
    because: str


def parse_correction(text: str) -> Edit:
    """Read one correction.

    Raises
    ------
    BadInput
        If it is not of the form; the line shows it and says what would be right.
    """
    try:
        return _edit(text)
    except BadInput as e:
        raise BadInput(f"correction {shown(text, _LONGEST)}: {e}") from None


def correct(match: Match, edit: Edit) -> Match:
    """A log with one correction more; whether the laws can rule on it is the referee's business.

    Raises
    ------
    BadInput
        If there is no such board, event or field, if the value is there already, or if it is none that a log can have.
    """
    log = log_to_json(match)
    boards, where = log["boards"], f"board {edit.board}"
    if not 1 <= edit.board <= len(boards):
        raise BadInput(f"{where}: there is no such board; the log has {_so_many(len(boards), 'board')}")
    board: Json = boards[edit.board - 1]
    where, last = f"{where}, event {edit.event}", len(board["events"]) + (edit.what == "insert")
    if not 1 <= edit.event <= last:
        insert = f"; an event can be inserted before event 1 to {last}" if edit.what == "insert" else ""
        raise BadInput(f"{where}: there is no such event; the board has {_so_many(len(board['events']), 'event')}{insert}")
    {"change": _change, "delete": _delete, "insert": _insert}[edit.what](board, edit, where)
    return parse_log(log)


def changes(match: Match) -> tuple[Change, ...]:
    """Every correction that a log keeps, in the order of its events; those of one event the oldest first."""
    found: list[Change] = []
    for number, board in enumerate(log_to_json(match)["boards"], 1):
        for place, event, deleted in _in_order(board):
            if deleted:
                found.append(Change(number, place, "delete", event, {}, deleted["because"]))
            else:
                found += reversed([*_undone(number, place, event)])
    return tuple(found)


def before_corrections(match: Match) -> tuple[Match, tuple[tuple[int | None, ...], ...]]:
    """The log as it was before any correction.

    Returns
    -------
    match : Match
        The log without the reviewer's word.
    numbers : tuple of tuple of int or None
        For each board and each event of the corrected log, the number (from 1) that the event had; None if it was inserted.
    """
    log = log_to_json(match)
    numbers = []
    for board in log["boards"]:
        events: list[Json] = []
        had: list[int | None] = []
        for _, event, deleted in _in_order(board):
            inserted = False
            for correction in reversed(event.pop("corrections", [])):
                inserted = not correction["was"]
                event = _present(event | correction["was"])
            if not inserted:
                events.append(event)
            if not deleted:
                had.append(None if inserted else len(events))
        board["events"] = events
        board.pop("deleted", None)
        numbers.append(tuple(had))
    return parse_log(log), tuple(numbers)


def _edit(text: str) -> Edit:
    reason = _BECAUSE.search(text)
    if not reason:
        raise BadInput("because=WHY is missing at its end")
    because = reason[1].strip()
    if not because:
        raise BadInput("because= is empty; say why, at the end")
    head = _HEAD.fullmatch(text[: reason.start()])
    if not head:
        raise BadInput(f"write {GRAMMAR}")
    board, event, rest = int(head[1]), int(head[2]), (head[3] or "").strip()
    if rest == "delete":
        return Edit(board, event, "delete", None, {}, because)
    first, _, after = rest.partition(" ")
    if first != "insert":
        return Edit(board, event, "change", None, _fields(rest), because)
    kind, _, after = after.strip().partition(" ")
    if kind not in FIELDS:
        raise BadInput(f"unknown event {kind!r} to insert (known: {', '.join(FIELDS)})")
    return Edit(board, event, "insert", kind, _fields(after), because)


def _fields(text: str) -> Json:
    junk, *parts = _FIELD.split(text.strip())
    if junk.strip():
        raise BadInput(f"{junk.strip()!r} is no FIELD=VALUE; write {GRAMMAR}")
    fields: Json = {}
    for name, value in zip(parts[::2], map(str.strip, parts[1::2]), strict=True):
        if name in fields:
            raise BadInput(f"{name} is given twice")
        fields[name] = _value(name, value)
    if not fields:
        raise BadInput(f"it names no field; {_known()}")
    return fields


def _value(name: str, value: str) -> object:
    if name not in {f for names in FIELDS.values() for f in names}:
        raise BadInput(f"unknown field {name!r}; {_known()}")
    if name in _LISTS:
        return [] if value in _NOTHING else [item.strip() for item in value.split(",")]
    if name == "touched":
        if value not in _YES_NO:
            raise BadInput(f"touched: {value!r} is not one of {', '.join(_YES_NO)}")
        return _YES_NO[value]
    if name == "seconds":
        if value in _NOTHING:
            return None
        if not _NUMBER.fullmatch(value):
            raise BadInput(f"seconds: {value!r} is not a number such as 9.5, or none")
        return float(value) if "." in value else int(value)
    return value


def _known() -> str:
    return "; ".join(f"a {kind} has {', '.join(names)}" for kind, names in FIELDS.items())


def _change(board: Json, edit: Edit, where: str) -> None:
    events = board["events"]
    entry: Json = events[edit.event - 1]
    kind = entry["type"]
    _check_fields(kind, edit.fields, where)
    for name, value in edit.fields.items():
        if entry.get(name) == value:
            raise BadInput(f"{where}: {name} is {_told(value)} already")
    new: Json = {**entry, **edit.fields}
    if "pocketed" in edit.fields and "pocketed_at" in entry:
        new["pocketed_at"] = _still_pocketed(entry["pocketed_at"], new["pocketed"])
    was = {name: entry.get(name) for name, value in new.items() if entry.get(name) != value}
    corrections = [*entry.get("corrections", []), {"was": was, "because": edit.because}]
    events[edit.event - 1] = _present(new) | {"corrections": corrections}


def _delete(board: Json, edit: Edit, where: str) -> None:
    entry = board["events"].pop(edit.event - 1)
    deleted = [*_deleted(board)]
    earlier = [d for d in deleted if d["before"] <= edit.event]
    later = [d | {"before": d["before"] - 1} for d in deleted if d["before"] > edit.event]
    board["deleted"] = [*earlier, {"before": edit.event, "event": entry, "because": edit.because}, *later]


def _insert(board: Json, edit: Edit, where: str) -> None:
    kind = cast(str, edit.kind)
    _check_fields(kind, edit.fields, where)
    entry = {"type": kind} | _present(edit.fields) | {"corrections": [{"was": {}, "because": edit.because}]}
    board["events"].insert(edit.event - 1, entry)
    for deleted in _deleted(board):
        deleted["before"] += deleted["before"] > edit.event


def _check_fields(kind: str, fields: Mapping[str, object], where: str) -> None:
    for name in fields:
        if name not in FIELDS[kind]:
            raise BadInput(f"{where}: a {kind} has no {name} to correct (it has {', '.join(FIELDS[kind])})")


def _still_pocketed(falls: Sequence[Json], pocketed: Sequence[str]) -> list[Json]:
    """The falls seen of what is said to be pocketed: of too many alike, the first."""
    left, still = Counter(pocketed), []
    for fall in falls:
        if left[fall["cls"]]:
            left[fall["cls"]] -= 1
            still.append(fall)
    return still


def _undone(board: int, event: int, entry: Json) -> Iterator[Change]:
    """The corrections of one event, the newest first."""
    for correction in reversed(entry.pop("corrections", [])):
        was = correction["was"]
        if not was:
            yield Change(board, event, "insert", {}, entry, correction["because"])
        else:
            yield Change(board, event, "change", was, {name: entry.get(name) for name in was}, correction["because"])
        entry = _present(entry | was)


def _in_order(board: Json) -> Iterator[tuple[int, Json, Json | None]]:
    """A board's events with the deleted ones among them where they stood: number, event, and the record if it was deleted."""
    deleted = [*_deleted(board)]
    for number, event in enumerate([*board["events"], None], 1):
        for record in deleted:
            if record["before"] == number:
                yield number, record["event"], record
        if event is not None:
            yield number, event, None


def _deleted(board: Json) -> list[Json]:
    return cast("list[Json]", board.get("deleted", []))


def _present(fields: Mapping[str, object]) -> Json:
    """Without what is left out."""
    return {name: value for name, value in fields.items() if value is not None}


def _told(value: object) -> str:
    """A value as a reviewer writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ",".join(value) or "none"
    return "none" if value is None else str(value)


def _so_many(n: int, what: str) -> str:
    return f"{n or 'no'} {what}{'' if n == 1 else 's'}"
