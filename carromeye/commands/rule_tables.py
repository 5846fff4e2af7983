"""Rulings as tables to read: with lines and colours on a terminal, plain columns elsewhere."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from models.stroke import Call, Event, Match, Placing, Seat
from referee.rulings import BoardRulings, Result, Ruling, Rulings

_HEADER: Final = ("#", "by", "what", "out", "W", "B", "Queen", "owed", "next", "ruling", "laws")
_PAIR: Final = 4
"""Players in doubles."""


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
        print("  " + _outcome(ruled.result, names, match))
    sides = [f"{_side(s, names, match)} {n}" for s, n in rulings.scores.items()]
    print(f"\nPoints: {', '.join(sides)}. Games: {', '.join(f'{_side(s, names, match)} {n}' for s, n in rulings.games.items())}.")
    if rulings.winner:
        print(f"Match won by {_side(rulings.winner, names, match)}.")


def _rows(events: Sequence[Event], rulings: Sequence[Ruling], names: dict[Seat, str]) -> Iterator[tuple[str, ...]]:
    by_event = {r.event: r for r in rulings}
    for number, event in enumerate(events, 1):
        ruling = by_event.get(number)
        if ruling is None:
            yield (str(number), names[event.by], _what(event), "", "", "", "", "", "", "", "")
            continue
        yield (
            str(number),
            names[event.by],
            _what(event),
            _tally({c: n for c, n in ruling.out.items() if n}),
            str(ruling.white),
            str(ruling.black),
            str(ruling.queen).replace("on_board", "on board"),
            " ".join(f"{names[s]} {n}" for s, n in ruling.dues.items() if n),
            names[ruling.turn] if ruling.turn else "-",
            ruling.text,
            " ".join(ruling.clauses),
        )


def _what(event: Event) -> str:
    if isinstance(event, Placing):
        return f"places {_tally(Counter(event.pieces))}"
    if isinstance(event, Call):
        return event.call.replace("_", " ")
    parts = [_tally(Counter(event.pocketed)) or ("nothing" if event.touched else "nothing touched")]
    if event.off_board:
        parts.append(f"off the board: {_tally(Counter(event.off_board))}")
    if event.improper:
        parts.append(f"improper: {', '.join(event.improper).replace('_', ' ')}")
    return "; ".join(parts)


def _tally(counts: Mapping[Any, int]) -> str:
    return " ".join(f"{n} {c}" if n > 1 else str(c) for c, n in counts.items())


def _remarks(board: BoardRulings) -> Iterator[str]:
    for flag in board.flags:
        yield flag.text
    for ruling in board.rulings:
        for flag in ruling.flags:
            yield f"event {ruling.event}: {flag.text}"
        for found in ruling.discrepancies:
            laws = f" ({', '.join(found.clauses)})" if found.clauses else ""
            yield f"event {found.event}: {found.text}{laws}"


def _outcome(result: Result | None, names: dict[Seat, str], match: Match) -> str:
    if result is None:
        return "Not finished."
    laws = f" (laws {', '.join(result.clauses)})"
    if result.winner is None:
        return f"{result.reason}{laws}"
    points = result.points[result.winner]
    line = f"{_side(result.winner, names, match)} wins {points} {'point' if points == 1 else 'points'}. {result.reason}{laws}"
    extra = result.demandable[result.winner]
    return f"{line} {extra} more may be claimed." if extra else line


def _side(side: Seat, names: dict[Seat, str], match: Match) -> str:
    """A side's players: one, or the two who sit opposite."""
    if len(match.players) < _PAIR:
        return names[side]
    opposite = {"south": "north", "north": "south", "east": "west", "west": "east"}[side]
    return f"{names[side]} and {next(n for s, n in names.items() if s == opposite)}"


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
