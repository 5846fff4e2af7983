"""Rulings as tables to read: with lines and colours on a terminal, plain columns elsewhere."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from models.stroke import Call, Event, Match, Placing, Seat, Stroke
from referee.rulings import BoardRulings, Result, Ruling, Rulings

_HEADER: Final = ("event", "stroke", "by", "what", "out", "W", "B", "Queen", "owed", "next", "ruling", "laws")
"""Columns; `stroke` counts the strokes of the board as the score sheet does."""
_UNRULED: Final = ("",) * (len(_HEADER) - 4)
_PAIR: Final = 4
"""Players in doubles."""
_QUEEN: Final[Mapping[str, str]] = {
    "on_board": "on board",
    "pending": "to be covered",
    "early": "taken too early",
    "covered": "covered",
    "none": "-",
}


def print_rulings(match: Match, rulings: Rulings, book_name: str) -> None:
    """Print a match's rulings, one table a board."""
    names = {p.seat: p.name for p in match.players}
    print(f"{book_name} ({rulings.laws}): {', '.join(f'{n} ({s})' for s, n in names.items())}")
    for number, (board, ruled) in enumerate(zip(match.boards, rulings.boards, strict=True), 1):
        print(f"\nBoard {number} (game {ruled.game}, board {ruled.board}), break by {names[ruled.breaker]}")
        rows = [*_rows(board.events, ruled.rulings, names)]
        if rows:
            _print_table(rows)
        for line in _remarks(ruled):
            print(f"  ! {line}")
        print("  " + outcome(ruled.result, match))
    print(f"\nPoints: {by_side(rulings.scores, match)}. Games: {by_side(rulings.games, match)}.")
    if rulings.winner:
        print(f"Match won by {side_name(rulings.winner, match)}.")


def outcome(result: Result | None, match: Match) -> str:
    """How a board ended, in a sentence or two."""
    if result is None:
        return "Not finished."
    laws = f" (laws {', '.join(result.clauses)})" if result.clauses else ""
    others = {s: n for s, n in result.points.items() if n and s != result.winner}
    told = f" {by_side(others, match)}." if others else ""
    if result.winner is None:
        return f"{result.reason}{laws}{told}"
    points = result.points.get(result.winner, 0)
    line = f"{side_name(result.winner, match)} wins {points} {'point' if points == 1 else 'points'}.{told} {result.reason}{laws}"
    extra = result.demandable.get(result.winner, 0)
    return f"{line} {extra} more may be claimed." if extra else line


def by_side(points: Mapping[Seat, int], match: Match) -> str:
    """Numbers beside the names of the sides."""
    return ", ".join(f"{side_name(side, match)} {n}" for side, n in points.items())


def side_name(side: Seat, match: Match) -> str:
    """A side's players: one, or the two who sit opposite."""
    names = {p.seat: p.name for p in match.players}
    if len(match.players) < _PAIR:
        return names[side]
    opposite: Mapping[Seat, Seat] = {"south": "north", "north": "south", "east": "west", "west": "east"}
    return f"{names[side]} and {names[opposite[side]]}"


def tally(pieces: Mapping[Any, int]) -> str:
    """Things with their numbers, the number left out where there is one."""
    return " ".join(f"{n} {c}" if n > 1 else str(c) for c, n in pieces.items())


def _rows(events: Sequence[Event], rulings: Sequence[Ruling], names: Mapping[Seat, str]) -> Iterator[tuple[str, ...]]:
    by_event = {r.event: r for r in rulings}
    strokes = 0
    for number, event in enumerate(events, 1):
        strokes += isinstance(event, Stroke)
        shown = (str(number), str(strokes) if isinstance(event, Stroke) else "", names[event.by], _what(event))
        ruling = by_event.get(number)
        if ruling is None:
            yield shown + _UNRULED
            continue
        yield (
            *shown,
            tally({c: n for c, n in ruling.out.items() if n}),
            str(ruling.white),
            str(ruling.black),
            _queen(ruling, names),
            " ".join(f"{names[s]} {n}" for s, n in ruling.dues.items() if n),
            names[ruling.turn] if ruling.turn else "-",
            ruling.text,
            " ".join(ruling.clauses),
        )


def _queen(ruling: Ruling, names: Mapping[Seat, str]) -> str:
    words, seat = _QUEEN[ruling.queen.state], ruling.queen.seat
    return f"{words} by {names[seat]}" if seat else words


def _what(event: Event) -> str:
    if isinstance(event, Placing):
        return f"places {tally(Counter(event.pieces))}"
    if isinstance(event, Call):
        return event.call.replace("_", " ")
    parts = [tally(Counter(event.pocketed)) or ("nothing" if event.touched else "nothing touched")]
    if event.off_board:
        parts.append(f"off the board: {tally(Counter(event.off_board))}")
    if event.improper:
        parts.append(f"improper: {', '.join(event.improper).replace('_', ' ')}")
    return "; ".join(parts)


def _remarks(board: BoardRulings) -> Iterator[str]:
    for flag in board.flags:
        yield flag.text
    for ruling in board.rulings:
        for flag in ruling.flags:
            yield f"event {ruling.event}: {flag.text}"
        for found in ruling.discrepancies:
            laws = f" ({', '.join(found.clauses)})" if found.clauses else ""
            yield f"event {found.event}: {found.text}{laws}"


def _print_table(rows: Sequence[tuple[str, ...]]) -> None:
    if not sys.stdout.isatty():
        widths = [max(len(row[k]) for row in (_HEADER, *rows)) for k in range(len(_HEADER))]
        for row in (_HEADER, *rows):
            print("  " + "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip())
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*_HEADER, header_style="bold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)
