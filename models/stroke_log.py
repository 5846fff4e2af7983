"""The stroke log: read strictly, written so that a person can edit it.

A log that breaks the form is refused with one line: where (board, event), what, and what would be right.
What the laws have to say about a well-formed log is the referee's business, not this module's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar, cast
from unicodedata import category

from models.errors import BadInput
from models.files import write_text
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
PLAYER_COUNTS: Final = (2, 3, 4)
SINGLE: Final[tuple[Piece, ...]] = ("queen", "striker")
LARGEST: Final = 1e9
"""No time, place or speed of a match is larger."""

_MATCH_KEYS: Final = ("format", "laws", "options", "players", "first_break", "boards")
_START_KEYS: Final = ("white", "black", "queen", "breaker", "turn", "dues", "scores", "taken")
_STROKE_KEYS: Final = (
    "type", "by", "pocketed", "touched", "off_board", "improper", "seconds", "t",
    "rest", "striker", "velocity", "confidence", "pocketed_at",
)  # fmt: skip
_S = TypeVar("_S", bound=str)


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
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as e:
        raise BadInput(f"{path}: not a stroke log: it is not text in UTF-8") from e
    except OSError as e:
        raise BadInput(f"cannot read {path}: {e.strerror or e}") from e
    try:
        obj = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
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
    log = _table(obj, "log", _MATCH_KEYS)
    if log.get("format") != FORMAT:
        raise BadInput(f"format: {_shown(log.get('format'))} is not {FORMAT!r}")
    laws = _text(_needed(log, "laws", "log"), "laws")
    players = _players(_needed(log, "players", "log"))
    seats = tuple(p.seat for p in players)
    first = _seat(_needed(log, "first_break", "log"), seats, "first_break")
    boards = tuple(_board(b, seats, f"board {k}") for k, b in enumerate(_list(_needed(log, "boards", "log"), "boards"), 1))
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
    head = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in log.items())
    shown = []
    for board in boards:
        start = f'"start": {json.dumps(board["start"], ensure_ascii=False)},\n     ' if "start" in board else ""
        events = ",\n       ".join(json.dumps(e, ensure_ascii=False) for e in board["events"])
        shown.append(f'    {{{start}"events": [\n       {events}\n     ]}}' if events else f'    {{{start}"events": []}}')
    body = "[\n" + ",\n".join(shown) + "\n  ]" if shown else "[]"
    write_text(Path(path), f'{{\n{head},\n  "boards": {body}\n}}\n')


def _board_to_json(board: Board) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if board.start is not None:
        start = {k: getattr(board.start, k) for k in _START_KEYS}
        out["start"] = {k: _plain(v) for k, v in start.items() if v is not None and v != {}}
    out["events"] = [_event_to_json(e) for e in board.events]
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
    return {k: v for k, v in out.items() if v is not None}


def _plain(value: object) -> Any:
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _players(obj: object) -> tuple[Player, ...]:
    players = []
    for k, item in enumerate(_list(obj, "players"), 1):
        where = f"players: player {k}"
        entry = _table(item, where, ("seat", "name"))
        seat = _one_of(_needed(entry, "seat", where), SEATS, f"{where}: seat", "seat")
        players.append(Player(seat=seat, name=_text(entry.get("name", seat.capitalize()), f"{where}: name")))
    seats = [p.seat for p in players]
    if len(set(seats)) != len(seats):
        twice = next(s for s in seats if seats.count(s) > 1)
        raise BadInput(f"players: two players sit at {twice!r}; each seat is taken once")
    if len(seats) not in PLAYER_COUNTS:
        raise BadInput(f"players: {len(seats)} of them; a match has 2, 3 or 4")
    return tuple(players)


def _options(obj: object) -> dict[str, int | float | str | bool]:
    if obj is None:
        return {}
    if not isinstance(obj, dict):
        raise BadInput(f"options: {_shown(obj)} is not an object of names and values")
    for name, value in obj.items():
        if not isinstance(value, int | float | str | bool):
            raise BadInput(f"options: {name}: {_shown(value)} is not a number, a text or true or false")
    return dict(obj)


def _board(obj: object, seats: Sequence[Seat], where: str) -> Board:
    board = _table(obj, where, ("start", "events"))
    start = None if board.get("start") is None else _start(board["start"], seats, f"{where}, start")
    events = _list(_needed(board, "events", where), f"{where}: events")
    return Board(events=tuple(_event(e, seats, f"{where}, event {k}") for k, e in enumerate(events, 1)), start=start)


def _start(obj: object, seats: Sequence[Seat], where: str) -> Start:
    entry = {k: v for k, v in _table(obj, where, _START_KEYS).items() if v is not None}
    taken = {
        seat: _counts(v, COLOURS, f"{where}: taken.{seat}", "piece")
        for seat, v in _by_seat(entry.get("taken", {}), seats, f"{where}: taken").items()
    }
    for colour in COLOURS:
        if sum(t.get(colour, 0) for t in taken.values()) > FULL_SET[colour]:
            raise BadInput(f"{where}: taken: more {colour} pieces than the {FULL_SET[colour]} there are")
    return Start(
        white=_count(entry["white"], FULL_SET["white"], f"{where}: white") if "white" in entry else None,
        black=_count(entry["black"], FULL_SET["black"], f"{where}: black") if "black" in entry else None,
        queen=_queen(entry["queen"], seats, f"{where}: queen") if "queen" in entry else None,
        breaker=_seat(entry["breaker"], seats, f"{where}: breaker") if "breaker" in entry else None,
        turn=_seat(entry["turn"], seats, f"{where}: turn") if "turn" in entry else None,
        dues=_counts(entry.get("dues", {}), seats, f"{where}: dues", "seat"),
        scores=_counts(entry.get("scores", {}), seats, f"{where}: scores", "seat"),
        taken=taken,
    )


def _queen(obj: object, seats: Sequence[Seat], where: str) -> str:
    text = _text(obj, where)
    state, _, seat = text.partition(":")
    if text == "on_board" or (state in ("pending", "covered") and seat in seats):
        return text
    raise BadInput(f"{where}: {text!r} is not on_board, pending:SEAT or covered:SEAT with SEAT one of {', '.join(seats)}")


def _event(obj: object, seats: Sequence[Seat], where: str) -> Event:
    if not isinstance(obj, dict):
        raise BadInput(f"{where}: {_shown(obj)} is not an event")
    kind = _one_of(_needed(obj, "type", where), ("stroke", "placing", "call"), f"{where}: type", "event")
    if kind == "stroke":
        return _stroke(obj, seats, where)
    if kind == "placing":
        entry = _table(obj, where, ("type", "by", "pieces", "t"))
        pieces = tuple(_one_of(p, COLOURS, f"{where}: pieces", "piece") for p in _list(_needed(entry, "pieces", where), f"{where}: pieces"))
        return Placing(by=_seat(_needed(entry, "by", where), seats, f"{where}: by"), pieces=pieces, t=_number(entry, "t", where))
    entry = _table(obj, where, ("type", "call", "by", "t"))
    call = _one_of(_needed(entry, "call", where), CALLS, f"{where}: call", "call")
    return Call(call=call, by=_seat(_needed(entry, "by", where), seats, f"{where}: by"), t=_number(entry, "t", where))


def _stroke(obj: object, seats: Sequence[Seat], where: str) -> Stroke:
    entry = _table(obj, where, _STROKE_KEYS)
    pocketed = _pieces(_needed(entry, "pocketed", where), f"{where}: pocketed")
    off_board = _pieces(entry.get("off_board", []), f"{where}: off_board")
    for piece in SINGLE:
        if (pocketed + off_board).count(piece) > 1:
            raise BadInput(f"{where}: the {piece} leaves the board twice; there is one")
    touched = entry.get("touched", True)
    if not isinstance(touched, bool):
        raise BadInput(f"{where}: touched: {_shown(touched)} is not true or false")
    improper = tuple(_one_of(r, IMPROPER, f"{where}: improper", "reason") for r in _list(entry.get("improper", []), f"{where}: improper"))
    confidence = _number(entry, "confidence", where)
    if confidence is not None and not 0 <= confidence <= 1:
        raise BadInput(f"{where}: confidence: {confidence} is not between 0 and 1")
    seconds = _number(entry, "seconds", where)
    if seconds is not None and seconds < 0:
        raise BadInput(f"{where}: seconds: {seconds} is below 0")
    return Stroke(
        by=_seat(_needed(entry, "by", where), seats, f"{where}: by"),
        pocketed=pocketed,
        touched=touched,
        off_board=off_board,
        improper=improper,
        seconds=seconds,
        t=_number(entry, "t", where),
        rest=_number(entry, "rest", where),
        striker=_pair(entry, "striker", where),
        velocity=_pair(entry, "velocity", where),
        confidence=confidence,
        pocketed_at=tuple(_pocketed(p, f"{where}: pocketed_at") for p in _list(entry.get("pocketed_at", []), f"{where}: pocketed_at")),
    )


def _pieces(obj: object, where: str) -> tuple[Piece, ...]:
    return tuple(_one_of(p, PIECES, where, "piece") for p in _list(obj, where))


def _pocketed(obj: object, where: str) -> Pocketed:
    entry = _table(obj, where, ("cls", "pocket", "t"))
    t = _number(entry, "t", where)
    if t is None:
        raise BadInput(f"{where}: t is missing")
    cls: Piece = _one_of(_needed(entry, "cls", where), PIECES, f"{where}: cls", "piece")
    pocket: PocketName = _one_of(_needed(entry, "pocket", where), POCKETS, f"{where}: pocket", "pocket")
    return Pocketed(cls=cls, pocket=pocket, t=t)


def _table(obj: object, where: str, keys: Sequence[str]) -> dict[str, Any]:
    if not isinstance(obj, dict):
        raise BadInput(f"{where}: {_shown(obj)} is not an object")
    for key in obj:
        if key not in keys:
            raise BadInput(f"{where}: unknown field {key!r} (known: {', '.join(keys)})")
    return obj


def _needed(entry: Mapping[str, Any], key: str, where: str) -> Any:
    if entry.get(key) is None:
        raise BadInput(f"{where}: {key} is missing")
    return entry[key]


def _list(obj: object, where: str) -> list[Any]:
    if not isinstance(obj, list):
        raise BadInput(f"{where}: {_shown(obj)} is not a list")
    return obj


def _text(obj: object, where: str) -> str:
    if not isinstance(obj, str):
        raise BadInput(f"{where}: {_shown(obj)} is not a text")
    if any(category(c) in ("Cc", "Cs") for c in obj):
        raise BadInput(f"{where}: {_shown(obj)} has a control character")
    return obj


def _one_of(obj: object, known: Sequence[_S], where: str, what: str) -> _S:
    if not isinstance(obj, str) or obj not in known:
        raise BadInput(f"{where}: unknown {what} {_shown(obj)} (known: {', '.join(known)})")
    return known[known.index(cast(_S, obj))]


def _seat(obj: object, seats: Sequence[Seat], where: str) -> Seat:
    seat = _one_of(obj, SEATS, where, "seat")
    if seat not in seats:
        raise BadInput(f"{where}: nobody sits at {seat!r} (players: {', '.join(seats)})")
    return seat


def _by_seat(obj: object, seats: Sequence[Seat], where: str) -> dict[Seat, Any]:
    if not isinstance(obj, dict):
        raise BadInput(f"{where}: {_shown(obj)} is not an object of seats")
    return {_seat(k, seats, where): v for k, v in obj.items()}


def _counts(obj: object, names: Sequence[_S], where: str, what: str) -> dict[_S, int]:
    if not isinstance(obj, dict):
        raise BadInput(f"{where}: {_shown(obj)} is not an object of numbers")
    return {_one_of(k, names, where, what): _count(v, None, f"{where}.{k}") for k, v in obj.items()}


def _count(obj: object, most: int | None, where: str) -> int:
    if isinstance(obj, bool) or not isinstance(obj, int) or obj < 0 or (most is not None and obj > most):
        raise BadInput(f"{where}: {_shown(obj)} is not a whole number {'from 0 up' if most is None else f'from 0 to {most}'}")
    return obj


def _number(entry: Mapping[str, Any], key: str, where: str) -> float | None:
    value = entry.get(key)
    return None if value is None else _real(value, f"{where}: {key}")


def _real(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > LARGEST:
        raise BadInput(f"{where}: {_shown(value)} is not a number up to {LARGEST:g}")
    return value


def _pair(entry: Mapping[str, Any], key: str, where: str) -> tuple[float, float] | None:
    value = entry.get(key)
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        raise BadInput(f"{where}: {key}: {_shown(value)} is not a pair of numbers")
    return _real(value[0], f"{where}: {key}"), _real(value[1], f"{where}: {key}")


def _no_constant(name: str) -> float:
    raise BadInput(f"not JSON: {name} is not a number")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        names = [k for k, _ in pairs]
        raise BadInput(f"field {next(k for k in names if names.count(k) > 1)!r} is given twice in one object")
    return out


def _shown(obj: object, most: int = 60) -> str:
    """A value as the log has it, cut to fit one line."""
    text = repr(obj) if isinstance(obj, str) else json.dumps(obj, default=str)
    return text if len(text) <= most else text[: most - 1] + "…"


__all__ = ["FORMAT", "log_to_json", "parse_log", "read_log", "write_log"]
