"""The score sheet in the terminal."""

from __future__ import annotations

import sys
from typing import Final, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.card import BoardCard, Card, Json, cell_text, to_decide
from reports.filling import build_card
from reports.words import clock

PIPED_WIDTH: Final = 120
"""Columns where the output is no terminal."""
ROOM_FOR_CHARGES: Final = 100
"""Narrower outputs leave out the column of fouls, dues and covers: the rulings name them too (columns)."""
_PLAIN: Final = str.maketrans({"–": "-", "†": "+", "…": "..."})


def print_scoresheet(log: Json, rulings: Json, meta: Json | None = None, file: TextIO | None = None) -> None:
    """Print the score card and each board's strokes.

    Without colours and box-drawing characters where the output is no terminal or cannot show them; letters that its encoding
    lacks become question marks.

    Parameters
    ----------
    meta : mapping, optional
        The object of `match.json`: its `laws` tell how the points are made.

    Raises
    ------
    BadInput
        If the rulings are not of this log.
    """
    out = file or sys.stdout
    encoding = getattr(out, "encoding", None) or "utf-8"
    live = out.isatty()
    console = Console(file=out, width=None if live else PIPED_WIDTH, highlight=False, markup=False, emoji=False)
    rich_lines = live and encoding.lower().replace("-", "") == "utf8"
    show = _Printer(console, encoding, rich_lines)
    card = build_card(log, rulings, meta)
    for game in card.games:
        show.card(card, game.boards, f"Game {game.number}" if card.by_games else "Score card")
    for note in card.footnotes:
        show.line(note)
    for board in card.boards:
        show.strokes(board)
    match = ", ".join(f"{s.name} {p}" for s, p in zip(card.sides, card.scores, strict=True))
    show.line("")
    games = ", ".join(f"{s.name} {n}" for s, n in zip(card.sides, card.games_won, strict=True))
    show.line(f"Games: {games}. Points of the last game: {match}. {card.end}" if card.by_games else f"Points: {match}. {card.end}", "bold")
    if card.fouls:
        show.line(card.fouls)
    decide = list(to_decide(card))
    if decide:
        show.line("")
        show.line(f"To decide or check ({len(decide)}):", "bold")
        for where, _, what in decide:
            show.line(f"  {where}: {what}")


class _Printer:
    """Puts tables on one console."""

    def __init__(self, console: Console, encoding: str, lines: bool) -> None:
        self.console, self.encoding, self.lines = console, encoding, lines

    def text(self, words: object, style: str = "") -> Text:
        plain = str(words) if self.lines else str(words).translate(_PLAIN)
        return Text(plain.encode(self.encoding, "replace").decode(self.encoding), style)

    def line(self, words: str, style: str = "") -> None:
        self.console.print(self.text(words, style))

    def table(self, title: str) -> Table:
        self.line("")
        self.line(title, "bold")
        return Table(box=box.SIMPLE_HEAD if self.lines else box.ASCII2, safe_box=not self.lines)

    def card(self, card: Card, boards: tuple[BoardCard, ...], title: str) -> None:
        table = self.table(f"{title} ({' / '.join(c.label for c in card.columns)})")
        table.add_column("Board", justify="right")
        table.add_column("Break by")
        for side in card.sides:
            table.add_column(self.text(side.name), justify="right")
        for b in boards:
            cells = [self.text(" / ".join(cell_text(col, c, card.book.owned) for col in card.columns)) for c in b.cells]
            table.add_row(str(b.in_game), self.text(b.break_by), *cells)
        self.console.print(table)
        for b in boards:
            self.line(f"Board {b.in_game}: {b.result}" + (f" [{', '.join(b.clauses)}]" if b.clauses else ""))
            for notice in b.notices:
                self.line(f"  {notice}")

    def strokes(self, board: BoardCard) -> None:
        charged = self.console.width >= ROOM_FOR_CHARGES
        table = self.table(f"{board.name}, stroke by stroke")
        for name in ("Event", "Stroke", "Time"):
            table.add_column(name, justify="right")
        for name in ("Player", "What fell", *(["Foul, dues, cover"] if charged else []), "W B", "Ruling"):
            table.add_column(name, min_width=3 if name == "W B" else None)
        for row in board.rows:
            number = f"{row.n or ''}{' ?' if row.low else ''}"
            left = f"{row.board['white']} {row.board['black']}" if row.board else ""
            said = row.brief if charged else row.told
            ruling = f"{said} [{', '.join(row.clauses)}]" if row.clauses else said
            charge = ["; ".join(row.charge)] if charged else []
            cells = (str(row.event), number, clock(row.t), row.player, row.action, *charge, left, " ".join([ruling, *row.corrections]))
            table.add_row(*(self.text(c) for c in cells))
        self.console.print(table)
        for line in board.deleted:
            self.line(line)
