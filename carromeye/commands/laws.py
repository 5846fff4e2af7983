"""`carromeye laws`: the law books that come with the program, as files to copy, and a look over a club's own."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from carromeye.commands.laws_compare import Difference, differences, nearest
from carromeye.commands.laws_idle import idle_settings
from models.errors import BadInput
from models.files import write_text
from referee.lawbook_files import known_lawbooks, lawbook_text, load_lawbook
from referee.laws import LawBook
from reports.words import escaped

_HEADER: Final = ("id", "name", "players", "won by", "source")
_SOURCE: Final = re.compile(r'# The law book "[^"]*": (.*)')
_FILE: Final = ".toml"
"""A law book's file is told from an id by its name's end."""


def run_list(as_json: bool) -> None:
    """Print the law books that come with the program: id, name, how many play, how it is won, where its rules are from.

    Parameters
    ----------
    as_json : bool
        As a JSON list; else as a table to read.
    """
    books = [load_lawbook(name) for name in known_lawbooks()]
    if as_json:
        rows = [
            {
                "id": b.id,
                "name": b.name,
                "players": list(b.match.players),
                "target": b.match.target,
                "max_boards": b.match.max_boards,
                "games": b.match.games,
                "source": _source(b.id),
            }
            for b in books
        ]
        sys.stdout.write(json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
        return
    _print_table(_HEADER, [(b.id, b.name, " or ".join(map(str, b.match.players)), won_by(b), _source(b.id)) for b in books])


def run_show(name: str, out: Path | None) -> None:
    """Write a law book's commented file, to standard output as it lies.

    Parameters
    ----------
    name : str
        Its id.
    out : Path or None
        A new file for it instead.

    Raises
    ------
    BadInput
        If there is no such book, or `out` exists, or would not be taken for a law book by its name.
    """
    text = lawbook_text(name)
    if out is None:
        # Bytes: neither a console's letters nor its ends of lines may change the file.
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.buffer.flush()
        return
    if out.suffix != _FILE:
        raise BadInput(f"{out}: name a file that ends in {_FILE}: only such a name is taken for a law book of your own")
    if out.exists() or out.is_symlink():
        raise BadInput(f"{out} exists and is not overwritten; name another file, or remove it first")
    write_text(out, text)
    print(f"{out}: a copy of the law book {name}. Edit it, then look it over: carromeye laws check {out}")


def run_check(path: Path, against: str | None) -> None:
    """Say that a file of house rules is in order, what differs from the law book it was copied from, and what has no effect.

    Parameters
    ----------
    against : str or None
        Id or file of the book to compare with; if not given the bundled book of the same id, else the one that differs least.

    Raises
    ------
    BadInput
        If the file is not in order.
    """
    book = load_lawbook(path)
    base = load_lawbook(against) if against is not None else _same_or_nearest(book)
    found = differences(base, book)
    print(f"{path}: in order. {escaped(book.name)} ({book.id}), compared with {escaped(base.name)} ({base.id}):")
    for difference in found:
        print(f"  {escaped(str(difference))}")
    if not found:
        print("  nothing differs.")
    if book.id in known_lawbooks() and differences(load_lawbook(book.id), book):
        print(f'  ! id: rulings will say "{book.id}", as by the book that comes with the program; give your rules an id of their own')
    before = {s for settings in idle_settings(base).values() for s in settings}
    for reason, settings in idle_settings(book).items():
        new = _worth_saying(settings, before, found)
        if new:
            print(f"  ! without effect, {reason}: {', '.join(new)}")


def won_by(book: LawBook) -> str:
    """How a match by this book is won, in words."""
    match = book.match
    boards = f"{match.max_boards} {'board' if match.max_boards == 1 else 'boards'}" if match.max_boards else ""
    game = " or ".join(filter(None, (f"{match.target} points" if match.target else "", boards)))
    return f"{game}, best of {match.games} games" if match.games > 1 else game


def _source(name: str) -> str:
    """The first line of a book's file says whose rules they are."""
    found = _SOURCE.match(lawbook_text(name))
    return found[1].rstrip(".") if found else ""


def _same_or_nearest(book: LawBook) -> LawBook:
    books = [load_lawbook(name) for name in known_lawbooks()]
    return next((b for b in books if b.id == book.id), None) or nearest(book, books)


def _worth_saying(settings: Sequence[str], before: set[str], found: Sequence[Difference]) -> list[str]:
    """Of settings without effect those that were changed, or had an effect in the book they come from."""
    changed = {d.setting for d in found}
    return [s for s in settings if s in changed or s not in before]


def _print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if not sys.stdout.isatty():
        widths = [max(len(row[k]) for row in (header, *rows)) for k in range(len(header))]
        for row in (header, *rows):
            print("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip())
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*header, header_style="bold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)
