"""Lines that fit an output: columns, paragraphs, and rows with words below or beside them."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final
from unicodedata import category, east_asian_width

from reports.words import escaped

PIPED_WIDTH: Final = 120
"""Columns where the output is no terminal."""
ROOM_BESIDE: Final = 60
"""Words stand beside a row where so many columns are left for them, else below it."""
NARROWEST: Final = 8
"""No column of a table is made narrower (columns)."""
GAP: Final = 2
"""Between two columns, and before the first (columns)."""
_BREAKS: Final = re.compile(r"[ \t\r\n]+")
"""Where a line may end: not at the spaces that keep words together."""
_ABOVE_OTHERS: Final = ("Mn", "Me", "Cf")
"""Categories of characters that take no column of their own."""
_WIDE: Final = ("W", "F")
"""East Asian characters that take two."""


def width() -> int:
    """The columns of the output."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPED_WIDTH


def say(line: str = "", bold: bool = False) -> None:
    """Print a line, what is invisible in it as escapes; headings are bold on a terminal."""
    line = escaped(line)
    if not bold or not sys.stdout.isatty():
        print(line)
        return
    from rich.console import Console
    from rich.text import Text

    Console(highlight=False).print(Text(line, "bold"), soft_wrap=True)


def paragraph(text: str, indent: int = 0, hang: int = GAP) -> None:
    """Print a text in whole words, lines after the first indented by `hang` columns more."""
    first, *more = wrapped(text, width() - indent, hang)
    say(" " * indent + first)
    for line in more:
        say(" " * (indent + hang) + line)


def columns(text: str) -> int:
    """The columns that a text takes, what is invisible in it as escapes; signs above and below others take none."""
    return sum((category(c) not in _ABOVE_OTHERS) * (1 + (east_asian_width(c) in _WIDE)) for c in escaped(text))


def wrapped(text: str, room: int, hang: int = 0) -> list[str]:
    """A text in lines of whole words, what is invisible in them as escapes; a word longer than a line has one to itself.

    Parameters
    ----------
    room : int
        Columns of the first line; the others have `hang` fewer.
    """
    lines: list[str] = []
    line, left = "", room
    for word in map(escaped, _BREAKS.split(text.strip())):
        if line and columns(line) + 1 + columns(word) > left:
            lines.append(line)
            line, left = word, room - hang
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]


def table_lines(header: Sequence[str], rows: Sequence[tuple[Sequence[str], str, Sequence[str]]], heading: str, room: int) -> Iterator[str]:
    """A table whose rows have words to tell: beside them where there is room, else below.

    Parameters
    ----------
    rows : sequence of (cells, words, remarks)
        Cells as many as the header has; what is told of the row; remarks, which stand on lines of their own. Columns without
        any cell are left out.
    heading : str
        Of the words, where they stand beside.
    room : int
        Columns of the output.
    """
    used = [k for k in range(len(header)) if any(cells[k] for cells, _, _ in rows)]
    shown = [[header[k] for k in used], *([cells[k] for k in used] for cells, _, _ in rows)]
    widths = _widths(shown, room)
    start = GAP + sum(w + GAP for w in widths)
    beside = room - start >= ROOM_BESIDE
    below = 2 * GAP + widths[0]
    yield from _row(shown[0], widths, [heading] if beside else [])
    for cells, (_, words, remarks) in zip(shown[1:], rows, strict=True):
        at = start if beside else below
        told = wrapped(words, room - at) if words else []
        for remark in remarks:
            first, *more = wrapped(remark, room - at, GAP)
            told += [first, *(" " * GAP + line for line in more)]
        yield from _row(cells, widths, told if beside else [])
        if not beside:
            yield from (" " * below + line for line in told)


def _widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """Widths of columns: as their cells need, the widest made narrower until all fit."""
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    while sum(widths) + GAP * len(widths) > room and max(widths) > NARROWEST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _row(cells: Sequence[str], widths: Sequence[int], beside: Sequence[str]) -> Iterator[str]:
    parts = [wrapped(cell, w) for cell, w in zip(cells, widths, strict=True)]
    for line in zip_longest(*parts, beside, fillvalue=""):
        aligned = (cell + " " * (w - columns(cell)) for cell, w in zip(line, widths, strict=False))
        yield (" " * GAP + (" " * GAP).join([*aligned, *line[len(widths) :]])).rstrip()
