"""`carromeye rule`: rule on a stroke log without any video."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from carromeye.commands.rule_corrections import print_review, review
from carromeye.commands.rule_tables import named, print_rulings
from models.corrections import correct, parse_correction
from models.errors import BadInput
from models.files import refuse_same
from models.stroke_log import read_log, write_log
from referee.engine import rule_match
from referee.language import ENGLISH, load_language
from referee.lawbook_files import load_lawbook


def run(
    log: Path, as_json: bool, laws: str | None, corrections: Sequence[str] = (), out: Path | None = None, language: str = ENGLISH.code
) -> None:
    """Print the rulings on a stroke log.

    Parameters
    ----------
    as_json : bool
        As one JSON value (contract `carromeye-rulings/1`); else as tables to read.
    laws : str or None
        Law book, by id or file, instead of the log's own.
    corrections : sequence of str
        The reviewer's corrections, one after the other, before the log is ruled on.
    out : Path or None
        Where the corrected log goes, once it is ruled on.
    language : str
        Code of the language to rule in.

    Raises
    ------
    BadInput
        If the log, a correction, the law book or the language is not right. Nothing is written then.
    """
    spoken = load_language(language)
    edits = [parse_correction(text) for text in corrections]
    if out is not None:
        if not edits:
            raise BadInput("-o is for the corrected log: give a --correct too")
        refuse_same(log, out)
    match = read_log(log)
    book = load_lawbook(laws) if laws is not None else load_lawbook(match.laws, folder=log.parent)
    try:
        for edit in edits:
            match = correct(match, edit)
        shown = named(match, spoken)
        rulings = rule_match(shown, book)
    except BadInput as e:
        raise BadInput(f"{log}: {e}") from e
    if out is not None:
        write_log(match, out)
    made = review(shown, rulings, book)
    if as_json:
        sys.stdout.write(json.dumps(rulings.to_json(spoken) | made.to_json(), ensure_ascii=False, indent=1) + "\n")
        return
    print_rulings(shown, rulings, book.name, spoken)
    print_review(shown, rulings, made, spoken)
    if out is not None:
        print(f"\n{spoken.table('written', path=out)}")
