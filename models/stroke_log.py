"""The stroke log: read strictly, written so that a person can edit it.

A log that breaks the form is refused with one line: where (board, event), what, and what would be right.
What the laws have to say about a well-formed log is the referee's business, not this module's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from models import log_form as form
from models.errors import BadInput
from models.files import read_bytes, write_text
from models.stroke import (
    CALLS,
    COLOURS,
    FULL_SET,
    IMPROPER,
    PIECES,
    POCKETS,
    SEATS,
    Board,
    Call,
    Colour,
    Correction,
    Deleted,
    Event,
    Match,
    Piece,
    Placing,
    Player,
    Pocketed,
    PocketName,
    Seat,
    Start,
    Stroke,
)

FORMAT: Final = "carromeye-strokes/1"
SINGLE: Final[tuple[Piece, ...]] = ("queen", "striker")

_MATCH_KEYS: Final = ("format", "laws", "options", "players", "first_break", "boards")
_START_KEYS: Final = ("white", "black", "queen", "breaker", "turn", "dues", "scores", "taken")
_EVENT_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "stroke": (
        "by", "pocketed", "touched", "off_board", "improper", "seconds", "t",
        "rest", "striker", "velocity", "confidence", "pocketed_at",
    ),
    "placing": ("by", "pieces", "t"),
    "call": ("call", "by", "t"),
}  # fmt: skip
"""What each type of event may have, beside `type` and `corrections`."""


MOST_BYTES: Final = 50_000_000
MOST_EVENTS: Final = 5_000
"""Of one board; a long one has two hundred."""
MOST_POINTS: Final = 1_000_000
LONGEST_NAME: Final = 60
MATCH_FORMAT: Final = "carromeye-match/1"
"""What a review's `match.json` calls itself: people take it for the log."""


def read_log(path: Path | str) -> Match:
    """Read a stroke log from a file.

    Raises
    ------
    BadInput
        If the file cannot be read, is not JSON, or is not a stroke log; the line names the file.
    """
    path = Path(path)
    try:
        text = read_bytes(path, MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as e:
        raise BadInput(f"{path}: not a stroke log: it is not text in UTF-8") from e
    try:
        obj = json.loads(text, parse_constant=form.no_constant, object_pairs_hook=form.no_duplicates)
    except json.JSONDecodeError as e:
        raise BadInput(f"{path}: not JSON: line {e.lineno}, column {e.colno}: {e.msg}") from e
    except (ValueError, RecursionError) as e:
        raise BadInput(f"{path}: not JSON: {e}") from e
    except BadInput as e:
        raise BadInput(f"{path}: {e}") from e
    if isinstance(obj, dict) and obj.get("format") == MATCH_FORMAT:
        raise BadInput(f"{path}: this says how a video was reviewed; the stroke log is strokes.json beside it")
    try:
        return parse_log(obj)
    except BadInput as e:
        raise BadInput(f"{path}: {e}") from e


def parse_log(obj: object) -> Match:
    """A stroke log's JSON value as a match.

    Raises
    ------
    BadInput
        At the first thing that is not of the form.
    """
    log = form.table(obj, "log", _MATCH_KEYS)
    if log.get("format") != FORMAT:
        raise BadInput(f"format: {form.shown(log.get('format'))} is not {FORMAT!r}")
    laws = form.text(form.needed(log, "laws", "log"), "laws")
    players = _players(form.needed(log, "players", "log"))
    seats = tuple(p.seat for p in players)
    first = _seat(form.needed(log, "first_break", "log"), seats, "first_break")
    boards = tuple(_board(b, seats, f"board {k}") for k, b in enumerate(form.listed(form.needed(log, "boards", "log"), "boards"), 1))
    return Match(laws=laws, players=players, first_break=first, boards=boards, options=_options(log.get("options")))


def log_to_json(match: Match) -> dict[str, Any]:
    """A match as a stroke log's JSON value; `parse_log` gives the match back."""
    out: dict[str, Any] = {"format": FORMAT, "laws": match.laws}
    if match.options:
        out["options"] = dict(match.options)
    out["players"] = [{"seat": p.seat, "name": p.name} for p in match.players]
    out["first_break"] = match.first_break
    out["boards"] = [_board_to_json(b) for b in match.boards]
    return out


def write_log(match: Match, path: Path | str) -> None:
    """Write a stroke log, one event a line, whole or not at all.

    Raises
    ------
    BadInput
        If the file cannot be written.
    """
    log = log_to_json(match)
    boards = log.pop("boards")
    head = ",\n".join(f"  {_line(k)}: {_line(v)}" for k, v in log.items())
    shown = []
    for board in boards:
        parts = [f'"start": {_line(board["start"])}'] if "start" in board else []
        parts += [_lines(key, board[key]) for key in ("events", "deleted") if key in board]
        shown.append("    {" + ",\n     ".join(parts) + "}")
    body = "[\n" + ",\n".join(shown) + "\n  ]" if shown else "[]"
    write_text(Path(path), f'{{\n{head},\n  "boards": {body}\n}}\n')


def _lines(key: str, items: Sequence[Any]) -> str:
    """A list under its key, one item a line."""
    return f'"{key}": [\n       ' + ",\n       ".join(map(_line, items)) + "\n     ]" if items else f'"{key}": []'


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _board_to_json(board: Board) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if board.start is not None:
        start = {k: getattr(board.start, k) for k in _START_KEYS}
        out["start"] = {k: _plain(v) for k, v in start.items() if v is not None and v != {}}
    out["events"] = [_event_to_json(e) for e in board.events]
    if board.deleted:
        out["deleted"] = [{"before": d.before, "event": _event_to_json(d.event), "because": d.because} for d in board.deleted]
    return out


def _event_to_json(event: Event) -> dict[str, Any]:
    if isinstance(event, Placing):
        out: dict[str, Any] = {"type": "placing", "by": event.by, "pieces": list(event.pieces)}
    elif isinstance(event, Call):
        out = {"type": "call", "call": event.call, "by": event.by}
    else:
        out = {"type": "stroke", "by": event.by, "pocketed": list(event.pocketed), "touched": event.touched}
        out |= {"off_board": list(event.off_board), "improper": list(event.improper), "seconds": event.seconds}
    out["t"] = event.t
    if isinstance(event, Stroke):
        out |= {"rest": event.rest, "striker": _plain(event.striker), "velocity": _plain(event.velocity), "confidence": event.confidence}
        if event.pocketed_at:
            out["pocketed_at"] = [{"cls": p.cls, "pocket": p.pocket, "t": p.t} for p in event.pocketed_at]
    if event.corrections:
        out["corrections"] = [{"was": dict(c.was), "because": c.because} for c in event.corrections]
    return {k: v for k, v in out.items() if v is not None}


def _plain(value: object) -> Any:
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _players(obj: object) -> tuple[Player, ...]:
    players = []
    for k, item in enumerate(form.listed(obj, "players"), 1):
        where = f"players: player {k}"
        entry = form.table(item, where, ("seat", "name"))
        seat = form.one_of(form.needed(entry, "seat", where), SEATS, f"{where}: seat", "seat")
        players.append(Player(seat=seat, name=form.text(entry.get("name", seat.capitalize()), f"{where}: name")))
    seats = [p.seat for p in players]
    if len(set(seats)) != len(seats):
        twice = next(s for s in seats if seats.count(s) > 1)
        raise BadInput(f"players: two players sit at {twice!r}; each seat is taken once")
    if not seats:
        raise BadInput(f"players: nobody plays; a match has 1 to {len(SEATS)}")
    return tuple(players)


def _options(obj: object) -> dict[str, int | float | str | bool]:
    if obj is None:
        return {}
    if not isinstance(obj, dict):
        raise BadInput(f"options: {form.shown(obj)} is not an object of names and values")
    for name, value in obj.items():
        if not isinstance(value, int | float | str | bool):
            plain = name.isascii() and name.isprintable() and len(name) <= LONGEST_NAME
            raise BadInput(f"options: {name if plain else form.shown(name)}: {form.shown(value)} is not a number, a text or true or false")
    return dict(obj)


def _board(obj: object, seats: Sequence[Seat], where: str) -> Board:
    board = form.table(obj, where, ("start", "events", "deleted"))
    start = None if board.get("start") is None else _start(board["start"], seats, f"{where}, start")
    listed = form.listed(form.needed(board, "events", where), f"{where}: events")
    if len(listed) > MOST_EVENTS:
        raise BadInput(f"{where}: events: {len(listed)} of them; a board has no more than {MOST_EVENTS}")
    events = tuple(_event(e, seats, f"{where}, event {k}") for k, e in enumerate(listed, 1))
    return Board(events=events, start=start, deleted=_deleted(board.get("deleted", []), len(events), seats, where))


def _deleted(obj: object, events: int, seats: Sequence[Seat], where: str) -> tuple[Deleted, ...]:
    """The events taken out of a board that now has so many `events`."""
    deleted: list[Deleted] = []
    for k, item in enumerate(form.listed(obj, f"{where}: deleted"), 1):
        at = f"{where}, deleted {k}"
        entry = form.table(item, at, ("before", "event", "because"))
        before = form.count(form.needed(entry, "before", at), events + 1, f"{at}: before")
        least = deleted[-1].before if deleted else 1
        if before < least:
            raise BadInput(f"{at}: before: {before} is below {least}; events are counted from 1, deleted ones stand in their order")
        deleted.append(Deleted(_event(form.needed(entry, "event", at), seats, f"{at}: event"), before, form.reason(entry, at)))
    return tuple(deleted)


def _placed(obj: object, where: str) -> tuple[Colour, ...]:
    pieces = form.listed(obj, where)
    most = sum(FULL_SET.values())
    if len(pieces) > most:
        raise BadInput(f"{where}: {len(pieces)} of them; there are {most}")
    return form.words(pieces, COLOURS, where, "piece")


def _start(obj: object, seats: Sequence[Seat], where: str) -> Start:
    entry = {k: v for k, v in form.table(obj, where, _START_KEYS).items() if v is not None}
    taken = {
        seat: form.counts(v, COLOURS, f"{where}: taken.{seat}", "piece")
        for seat, v in _by_seat(entry.get("taken", {}), seats, f"{where}: taken").items()
    }
    for colour in COLOURS:
        if sum(t.get(colour, 0) for t in taken.values()) > FULL_SET[colour]:
            raise BadInput(f"{where}: taken: more {colour} pieces than the {FULL_SET[colour]} there are")
    return Start(
        white=form.count(entry["white"], FULL_SET["white"], f"{where}: white") if "white" in entry else None,
        black=form.count(entry["black"], FULL_SET["black"], f"{where}: black") if "black" in entry else None,
        queen=_queen(entry["queen"], seats, f"{where}: queen") if "queen" in entry else None,
        breaker=_seat(entry["breaker"], seats, f"{where}: breaker") if "breaker" in entry else None,
        turn=_seat(entry["turn"], seats, f"{where}: turn") if "turn" in entry else None,
        dues=form.counts(entry.get("dues", {}), seats, f"{where}: dues", "seat", MOST_POINTS),
        scores=form.counts(entry.get("scores", {}), seats, f"{where}: scores", "seat", MOST_POINTS),
        taken=taken,
    )


def _queen(obj: object, seats: Sequence[Seat], where: str) -> str:
    text = form.text(obj, where)
    state, _, seat = text.partition(":")
    if text == "on_board" or (state in ("pending", "covered") and seat in seats):
        return text
    raise BadInput(f"{where}: {text!r} is not on_board, pending:SEAT or covered:SEAT with SEAT one of {', '.join(seats)}")


def _event(obj: object, seats: Sequence[Seat], where: str) -> Event:
    if not isinstance(obj, dict):
        raise BadInput(f"{where}: {form.shown(obj)} is not an event")
    kind = form.one_of(form.needed(obj, "type", where), tuple(_EVENT_KEYS), f"{where}: type", "event")
    entry = form.table(obj, where, ("type", *_EVENT_KEYS[kind], "corrections"))
    event = _READERS[kind](entry, seats, where)
    if "corrections" not in entry:
        return event
    return replace(event, corrections=_corrections(entry, event, seats, where))


def _corrections(entry: Mapping[str, Any], event: Event, seats: Sequence[Seat], where: str) -> tuple[Correction, ...]:
    """Corrections are undone from the newest on: each must leave an event that differs in every field that it names."""
    kind, corrections = entry["type"], []
    items = form.listed(entry["corrections"], f"{where}: corrections")
    for k, item in reversed([*enumerate(items, 1)]):
        at = f"{where}, correction {k}"
        given = form.table(item, at, ("was", "because"))
        was = form.table(form.needed(given, "was", at), f"{at}: was", _EVENT_KEYS[kind])
        if not was and k > 1:
            raise BadInput(f"{at}: was: it is empty, which says that the event was put in; only the first correction can")
        entry = {name: value for name, value in {**entry, **was}.items() if value is not None}
        earlier = _READERS[kind](entry, seats, f"{at}: was")
        before, after = _event_to_json(earlier), _event_to_json(event)
        for name in was:
            if before.get(name) == after.get(name):
                raise BadInput(f"{at}: was: {name} is {form.shown(after.get(name))} after it too; it names only what was changed")
        corrections.append(Correction({name: before.get(name) for name in was}, form.reason(given, at)))
        event = earlier
    return tuple(reversed(corrections))


def _placing(entry: Mapping[str, Any], seats: Sequence[Seat], where: str) -> Placing:
    return Placing(
        by=_seat(form.needed(entry, "by", where), seats, f"{where}: by"),
        pieces=_placed(form.needed(entry, "pieces", where), f"{where}: pieces"),
        t=form.number(entry, "t", where),
    )


def _call(entry: Mapping[str, Any], seats: Sequence[Seat], where: str) -> Call:
    call = form.one_of(form.needed(entry, "call", where), CALLS, f"{where}: call", "call")
    return Call(call=call, by=_seat(form.needed(entry, "by", where), seats, f"{where}: by"), t=form.number(entry, "t", where))


def _stroke(entry: Mapping[str, Any], seats: Sequence[Seat], where: str) -> Stroke:
    pocketed = form.words(form.needed(entry, "pocketed", where), PIECES, f"{where}: pocketed", "piece")
    off_board = form.words(entry.get("off_board", []), PIECES, f"{where}: off_board", "piece")
    for piece in SINGLE:
        if (pocketed + off_board).count(piece) > 1:
            raise BadInput(f"{where}: the {piece} leaves the board twice; there is one")
    touched = entry.get("touched", True)
    if not isinstance(touched, bool):
        raise BadInput(f"{where}: touched: {form.shown(touched)} is not true or false")
    improper = form.words(entry.get("improper", []), IMPROPER, f"{where}: improper", "reason")
    confidence = form.number(entry, "confidence", where)
    if confidence is not None and not 0 <= confidence <= 1:
        raise BadInput(f"{where}: confidence: {confidence} is not between 0 and 1")
    seconds = form.number(entry, "seconds", where)
    if seconds is not None and seconds < 0:
        raise BadInput(f"{where}: seconds: {seconds} is below 0")
    return Stroke(
        by=_seat(form.needed(entry, "by", where), seats, f"{where}: by"),
        pocketed=pocketed,
        touched=touched,
        off_board=off_board,
        improper=improper,
        seconds=seconds,
        t=form.number(entry, "t", where),
        rest=form.number(entry, "rest", where),
        striker=form.pair(entry, "striker", where),
        velocity=form.pair(entry, "velocity", where),
        confidence=confidence,
        pocketed_at=tuple(
            _pocketed(p, f"{where}: pocketed_at") for p in form.listed(entry.get("pocketed_at", []), f"{where}: pocketed_at")
        ),
    )


_READERS: Final[Mapping[str, Callable[[Mapping[str, Any], Sequence[Seat], str], Event]]] = {
    "stroke": _stroke,
    "placing": _placing,
    "call": _call,
}


def _pocketed(obj: object, where: str) -> Pocketed:
    entry = form.table(obj, where, ("cls", "pocket", "t"))
    t = form.number(entry, "t", where)
    if t is None:
        raise BadInput(f"{where}: t is missing")
    cls: Piece = form.one_of(form.needed(entry, "cls", where), PIECES, f"{where}: cls", "piece")
    pocket: PocketName = form.one_of(form.needed(entry, "pocket", where), POCKETS, f"{where}: pocket", "pocket")
    return Pocketed(cls=cls, pocket=pocket, t=t)


def _seat(obj: object, seats: Sequence[Seat], where: str) -> Seat:
    seat = form.one_of(obj, SEATS, where, "seat")
    if seat not in seats:
        raise BadInput(f"{where}: nobody sits at {seat!r} (players: {', '.join(seats)})")
    return seat


def _by_seat(obj: object, seats: Sequence[Seat], where: str) -> dict[Seat, Any]:
    if not isinstance(obj, dict):
        raise BadInput(f"{where}: {form.shown(obj)} is not an object of seats")
    return {_seat(k, seats, where): v for k, v in obj.items()}


__all__ = ["FORMAT", "log_to_json", "parse_log", "read_log", "write_log"]
