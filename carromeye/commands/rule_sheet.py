"""The score sheet of a stroke log that has no video, or that a reviewer has corrected."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from carromeye.record import Record
from models.errors import BadInput
from models.files import output_folder
from models.stroke import Match
from models.stroke_log import log_to_json
from referee.engine import rule_match
from referee.laws import LawBook

OF_A_REVIEW: Final = "match.json"
"""A folder with this file is a review's: its sheet goes with the other files there."""
NAMES: Final = ("scoresheet.html", "scoresheet.csv")


def sheet_folder(folder: Path) -> bool:
    """Make the folder of a sheet; whether a sheet is there already.

    Raises
    ------
    BadInput
        If it is a review's, cannot be written to, or has folders in the places of the files.
    """
    if (folder / OF_A_REVIEW).exists():
        raise BadInput(f"{folder} is a review's folder and its own score sheet would be overwritten; name another for --sheet")
    output_folder(folder)
    for name in NAMES:
        if (folder / name).is_dir():
            raise BadInput(f"cannot write {folder / name}: a folder is there")
    return any((folder / name).exists() for name in NAMES)


def write_sheet(folder: Path, match: Match, book: LawBook) -> tuple[Path, ...]:
    """Write the score sheet of a match, in English: both files, or none.

    Raises
    ------
    BadInput
        If the folder cannot be written to.
    """
    from reports.scoresheet import write_scoresheet

    meta = {"laws": Record(match.laws, book, given=match).laws_facts()}
    try:
        with TemporaryDirectory(prefix=".scoresheet", dir=folder) as made:
            written = write_scoresheet(Path(made), log_to_json(match), rule_match(match, book).to_json(), meta)
            return tuple(path.replace(folder / path.name) for path in written)
    except OSError as e:
        raise BadInput(f"cannot write to folder {folder}: {e.strerror or e}") from e
