"""`carromeye rule`: rule on a stroke log without any video."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from models.errors import BadInput
from models.stroke_log import read_log
from referee.engine import rule_match
from referee.laws import load_lawbook


def run(log: Path, as_json: bool, laws: str | None) -> None:
    """Print the rulings on a stroke log.

    Parameters
    ----------
    as_json : bool
        As one JSON value (contract `carromeye-rulings/1`); else as tables to read.
    laws : str or None
        Law book, by id or file, instead of the log's own.

    Raises
    ------
    BadInput
        If the log or the law book is not right.
    """
    match = read_log(log)
    book = load_lawbook(laws) if laws is not None else load_lawbook(match.laws, folder=log.parent)
    try:
        rulings = rule_match(match, book)
    except BadInput as e:
        raise BadInput(f"{log}: {e}") from e
    if as_json:
        sys.stdout.write(json.dumps(rulings.to_json(), ensure_ascii=False, indent=1) + "\n")
        return
    from carromeye.commands.rule_tables import print_rulings

    print_rulings(match, rulings, book.name)
