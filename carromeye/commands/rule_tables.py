"""Rulings as tables to read, in a reader's language: with lines and colours on a terminal, plain columns elsewhere."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Final
from unicodedata import category

from models.stroke import Call, Event, Match, Placing, Seat, Stroke
from referee.language import ENGLISH, Language
from referee.rulings import BoardRulings, Result, Ruling, Rulings
from referee.texts import TABLE

_HEADER: Final = ("event", "stroke", "by", "what", "out", "W", "B", "Queen", "owed", "next", "ruling", "laws")
"""Columns, by their keys in the catalogue; `stroke` counts the strokes of the board as the score sheet does."""
_UNRULED: Final = ("",) * (len(_HEADER) - 4)
_PAIR: Final = 4
"""Players in doubles."""
_ABOVE_OTHERS: Final = ("Mn", "Me", "Cf")
"""Categories of characters that take no column of their own."""


def print_rulings(match: Match, rulings: Rulings, book_name: str, language: Language = ENGLISH) -> None:
    """Print a match's rulings, one table a board."""
    names = {p.seat: p.name for p in match.players}
    print(f"{book_name} ({rulings.laws}): {', '.join(f'{n} ({term(s, language)})' for s, n in names.items())}")
    for number, (board, ruled) in enumerate(zip(match.boards, rulings.boards, strict=True), 1):
        print("\n" + language.table("board", number=number, game=ruled.game, board=ruled.board, name=names[ruled.breaker]))
        rows = [*_rows(board.events, ruled.rulings, names, language)]
        if rows:
            _print_table([tuple(map(language.table, _HEADER)), *rows])
        for line in _remarks(ruled, language):
            print(f"  ! {line}")
        print("  " + outcome(ruled.result, match, language))
        for notice in ruled.notices:
            print("  " + language.flag(notice.kind, notice.values))
    print("\n" + points_and_games("points", rulings, match, language))
    if rulings.winner:
        print(language.table("match_won", side=side_name(rulings.winner, match, language)))


def named(match: Match, language: Language) -> Match:
    """A match whose players without a name of their own are called by their seats in a language."""
    players = (replace(p, name=term(p.seat, language).capitalize()) if p.name == p.seat.capitalize() else p for p in match.players)
    return replace(match, players=tuple(players))


def outcome(result: Result | None, match: Match, language: Language = ENGLISH) -> str:
    """How a board ended, in a sentence or two."""
    if result is None:
        return language.table("unfinished")
    others = {s: n for s, n in result.points.items() if n and s != result.winner}
    told = f"{by_side(others, match, language)}." if others else ""
    laws = language.table("by_laws", clauses=", ".join(result.clauses)) if result.clauses else ""
    reason = language.text(result.says)
    if result.winner is None:
        return _joined(reason, laws, told)
    points, extra = result.points.get(result.winner, 0), result.demandable.get(result.winner, 0)
    won = language.table("wins_one" if points == 1 else "wins", side=side_name(result.winner, match, language), n=points)
    return _joined(won, told, reason, laws, language.table("claimable", n=extra) if extra else "")


def points_and_games(key: str, rulings: Rulings, match: Match, language: Language = ENGLISH) -> str:
    """The standing of a match, by the sentence under a key."""
    return language.table(key, points=by_side(rulings.scores, match, language), games=by_side(rulings.games, match, language))


def by_side(points: Mapping[Seat, int], match: Match, language: Language = ENGLISH) -> str:
    """Numbers beside the names of the sides."""
    return ", ".join(f"{side_name(side, match, language)} {n}" for side, n in points.items())


def side_name(side: Seat, match: Match, language: Language = ENGLISH) -> str:
    """A side's players: one, or the two who sit opposite."""
    names = {p.seat: p.name for p in match.players}
    if len(match.players) < _PAIR:
        return names[side]
    opposite: Mapping[Seat, Seat] = {"south": "north", "north": "south", "east": "west", "west": "east"}
    return language.table("pair", first=names[side], second=names[opposite[side]])


def tally(pieces: Mapping[Any, int], language: Language = ENGLISH) -> str:
    """Things with their numbers, the number left out where there is one."""
    each = [language.table("count", n=n, piece=term(c, language)) if n > 1 else term(c, language) for c, n in pieces.items()]
    return reduce(lambda first, second: language.table("beside", first=first, second=second), each) if each else ""


def term(name: str, language: Language = ENGLISH) -> str:
    """A word of the stroke log as it is read; what is none, as it is."""
    return language.table(name) if name in TABLE else name.replace("_", " ")


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _rows(events: Sequence[Event], rulings: Sequence[Ruling], names: Mapping[Seat, str], language: Language) -> Iterator[tuple[str, ...]]:
    by_event = {r.event: r for r in rulings}
    strokes = 0
    for number, event in enumerate(events, 1):
        strokes += isinstance(event, Stroke)
        shown = (str(number), str(strokes) if isinstance(event, Stroke) else "", names[event.by], _what(event, language))
        ruling = by_event.get(number)
        if ruling is None:
            yield shown + _UNRULED
            continue
        yield (
            *shown,
            tally({c: n for c, n in ruling.out.items() if n}, language),
            str(ruling.white),
            str(ruling.black),
            _queen(ruling, names, language),
            " ".join(f"{names[s]} {n}" for s, n in ruling.dues.items() if n),
            names[ruling.turn] if ruling.turn else "-",
            language.text(ruling.says),
            " ".join(ruling.clauses),
        )


def _queen(ruling: Ruling, names: Mapping[Seat, str], language: Language) -> str:
    state, seat = ruling.queen.state, ruling.queen.seat
    return "-" if state == "none" else language.table(state, name=names[seat] if seat else "-")


def _what(event: Event, language: Language) -> str:
    if isinstance(event, Placing):
        return language.table("places", what=tally(Counter(event.pieces), language))
    if isinstance(event, Call):
        return term(event.call, language)
    parts = [tally(Counter(event.pocketed), language) or language.table("nothing" if event.touched else "nothing_touched")]
    if event.off_board:
        parts.append(language.table("off_the_board", what=tally(Counter(event.off_board), language)))
    if event.improper:
        parts.append(language.table("improper_stroke", what=", ".join(term(name, language) for name in event.improper)))
    return "; ".join(parts)


def _remarks(board: BoardRulings, language: Language) -> Iterator[str]:
    for flag in board.flags:
        yield language.flag(flag.kind, flag.values)
    for ruling in board.rulings:
        for flag in ruling.flags:
            yield language.table("at_event", event=ruling.event, what=language.flag(flag.kind, flag.values))
        for found in ruling.discrepancies:
            said = language.table("at_event", event=found.event, what=language.discrepancy(found.kind, found.values))
            yield f"{said} ({', '.join(found.clauses)})" if found.clauses else said


def _print_table(rows: Sequence[tuple[str, ...]]) -> None:
    """The first row is the header."""
    if not sys.stdout.isatty():
        widths = [max(map(_columns, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            print("  " + "  ".join(cell + " " * (w - _columns(cell)) for cell, w in zip(row, widths, strict=True)).rstrip())
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*rows[0], header_style="bold")
    for row in rows[1:]:
        table.add_row(*map(Text, row))
    Console().print(table)


def _columns(cell: str) -> int:
    """The columns that a text takes; signs above and below others take none."""
    return sum(category(c) not in _ABOVE_OTHERS for c in cell)
