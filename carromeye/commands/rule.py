"""`carromeye rule`: rule on a stroke log without any video."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from carromeye.commands.rule_corrections import print_review, review
from carromeye.commands.rule_sheet import sheet_folder, write_sheet
from carromeye.commands.rule_tables import named, print_rulings
from models.corrections import Edit, correct, parse_correction
from models.errors import BadInput
from models.files import refuse_same
from models.stroke import Match, Stroke
from models.stroke_log import read_log, write_log
from referee.engine import rule_match, state_after
from referee.language import ENGLISH, load_language
from referee.lawbook_files import is_file_of_rules, load_lawbook
from referee.laws import LawBook

_PLACE: Final = re.compile(r"board (\d+), event (\d+): ")
"""How a refusal names the event that it is about."""
_NUMBERED: Final = " (numbered as corrected)"


def run(
    log: Path,
    as_json: bool,
    laws: str | None,
    corrections: Sequence[str] = (),
    out: Path | None = None,
    language: str = ENGLISH.code,
    sheet: Path | None = None,
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
    sheet : Path or None
        Folder for the score sheet, corrections included.

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
        if laws is not None:
            refuse_same(Path(laws), out)
    match = read_log(log)
    try:
        book = load_lawbook(laws) if laws is not None else load_lawbook(match.laws, folder=log.parent)
    except BadInput as e:
        raise BadInput(f"{e}" if laws is not None else f"{log}: laws: {e}") from e
    if out is not None and is_file_of_rules(match.laws):
        refuse_same(log.parent / match.laws, out)
    try:
        match = _corrected(match, edits)
        shown = named(match, spoken)
        try:
            rulings = rule_match(shown, book)
        except BadInput as e:
            raise BadInput(f"{e}{_as_corrected(str(e), match, book) if edits else ''}") from e
    except BadInput as e:
        raise BadInput(f"{log}: {e}") from e
    again = sheet is not None and sheet_folder(sheet)
    if out is not None:
        write_log(_moved(match, log.parent, out.parent), out)
    written = write_sheet(sheet, match, book) if sheet is not None else ()
    made = review(shown, rulings, book)
    if as_json:
        sys.stdout.write(json.dumps(rulings.to_json(spoken) | made.to_json(), ensure_ascii=False, indent=1) + "\n")
        return
    print_rulings(shown, rulings, book.name, spoken)
    print_review(shown, rulings, made, spoken)
    if out is not None:
        print(f"\n{spoken.table('written', path=out)}")
    if written:
        print("\n" + spoken.table("sheet_again" if again else "sheet", files=", ".join(map(str, written))))


def _moved(match: Match, here: Path, there: Path) -> Match:
    """The log as it is written into another folder: a law book named by its path is still found."""
    if not is_file_of_rules(match.laws) or Path(match.laws).is_absolute() or here.resolve() == there.resolve():
        return match
    return replace(match, laws=os.path.relpath((here / match.laws).resolve(), there.resolve()))


def _corrected(match: Match, edits: Sequence[Edit]) -> Match:
    for k, edit in enumerate(edits):
        try:
            match = correct(match, edit)
        except BadInput as e:
            raise BadInput(f"{e}{_NUMBERED if k else ''}") from e
    return match


def _as_corrected(refusal: str, match: Match, book: LawBook) -> str:
    """How the events of a refusal are numbered, and what takes out one that the corrections leave behind the end of its board."""
    place = _PLACE.match(refusal)
    if not place:
        return ""
    board, event = map(int, place.groups())
    events = match.boards[board - 1].events
    if not isinstance(events[event - 1], Stroke) or not state_after(match, book, board - 1, event - 1).over:
        return _NUMBERED
    after = sum(isinstance(e, Stroke) for e in events[event:])
    more = f", and {after} {'stroke' if after == 1 else 'strokes'} more after it" if after else ""
    return f'{_NUMBERED}; to take it out: --correct "board {board} event {event} delete because=WHY"{more}'
