"""The review page: the annotated video beside the list of strokes."""

from __future__ import annotations

from pathlib import Path

from models.files import write_text
from reports.card import Card, Json, to_decide
from reports.filling import build_card
from reports.pages import render
from reports.scoresheet import video_name
from reports.words import clean


def write_review_page(out_dir: Path, log: Json, rulings: Json, meta: Json, drawn: bool = True) -> Path:
    """Write `review.html` into `out_dir`; it plays `review.mp4` from the same folder and needs nothing else.

    Parameters
    ----------
    log, rulings : mapping
        The JSON objects of `strokes.json` and `rulings.json`.
    meta : mapping
        The object of `match.json`, or any part of it.
    drawn : bool
        Whether there is an annotated video; a review that was stopped has none.

    Raises
    ------
    BadInput
        If the rulings are not of this log or the folder cannot be written to.
    """
    path = out_dir / "review.html"
    write_text(path, review_html(build_card(log, rulings, meta), meta, drawn))
    return path


def review_html(card: Card, meta: Json, drawn: bool = True) -> str:
    """The page as text."""
    values = {
        "card": card,
        "drawn": drawn,
        "video": video_name(meta),
        "decide": list(to_decide(card)),
        "warnings": [clean(w) for w in meta.get("warnings") or ()],
    }
    return render("review.html", values, script="review_script.html" if drawn else None)
