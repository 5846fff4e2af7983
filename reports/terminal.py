"""The score sheet in the terminal."""

from __future__ import annotations

import sys
from typing import Final, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.card import BoardCard, Card, Json, to_decide
from reports.filling import build_card
from reports.words import clock

PIPED_WIDTH: Final = 120
"""Columns where the output is no terminal."""
_PLAIN: Final = str.maketrans({"–": "-", "†": "+", "…": "..."})


def print_scoresheet(log: Json, rulings: Json, file: TextIO | None = None) -> None:
    """Print the score card and each board's strokes.

    Without colours and box-drawing characters where the output is no terminal or cannot show them; letters that its encoding
    lacks become question marks.

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
    card = build_card(log, rulings)
    for game in card.games:
        show.card(card, game.boards, f"Game {game.number}")
    for note in card.footnotes:
        show.line(note)
    for board in card.boards:
        show.strokes(board)
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
        table = self.table(title)
        table.add_column("Board", justify="right")
        table.add_column("Break by")
        for side in card.sides:
            table.add_column(self.text(f"{side.name}: Q"), justify="right")
            for what in ("pcs", "pts", "total"):
                table.add_column(what, justify="right")
        table.add_column("Result")
        for b in boards:
            cells = [self.text(v) for c in b.cells for v in (c.queen, c.men, c.points, c.total)]
            table.add_row(str(b.in_game), self.text(b.break_by), *cells, self.text(b.result))
        self.console.print(table)

    def strokes(self, board: BoardCard) -> None:
        table = self.table(f"Board {board.number}")
        for name, side in (("No.", "right"), ("Time", "right")):
            table.add_column(name, justify=side)  # type: ignore[arg-type]
        for name in ("Player", "What fell", "Foul, dues, cover", "W B", "Ruling"):
            table.add_column(name)
        for row in board.rows:
            number = f"{row.n or ''}{' ?' if row.low else ''}"
            left = f"{row.board['white']} {row.board['black']}" if row.board else ""
            ruling = f"{row.text} [{', '.join(row.clauses)}]" if row.clauses else row.text
            cells = (number, clock(row.t), row.player, row.action, "; ".join(row.charge), left, ruling)
            table.add_row(*(self.text(c) for c in cells))
        self.console.print(table)
