"""The umpire's score card as a page that prints on A4 and as a table for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from models.files import replacing, write_text
from reports.card import BoardCard, Card, Cell, Json, cell_text, to_decide
from reports.filling import build_card
from reports.pages import render
from reports.words import clean

HEAD: Final = (
    ("title", "Championship"),
    ("date", "Date"),
    ("match_no", "Match no."),
    ("round", "Round"),
    ("umpire", "Umpire"),
    ("toss", "Toss won by"),
)
"""Entries of `meta` that the card's head shows where they are given, with their labels."""
CARD_COLUMNS: Final = ("row", "game", "board", "board_in_game", "break_by", "result", "winner", "clauses")
STROKE_COLUMNS: Final = (
    "left_white", "left_black", "left_queen", "event", "stroke", "time_s", "player", "pocketed", "touched", "action", "foul_dues_cover",
    "ruling", "next_player", "confidence", "low_confidence", "corrections", "flags", "discrepancies", "notices",
)  # fmt: skip
"""Columns before and behind those of the sides."""
_FORMULA: Final = tuple("=+-@＝＋－＠\t\r\n|%")
"""Beginnings that make a spreadsheet take a cell's text for a formula or a command."""


def write_scoresheet(out_dir: Path, log: Json, rulings: Json, meta: Json) -> tuple[Path, Path]:
    """Write `scoresheet.html` and `scoresheet.csv` into `out_dir`.

    Parameters
    ----------
    log, rulings : mapping
        The JSON objects of `strokes.json` and `rulings.json`.
    meta : mapping
        The object of `match.json`, or any part of it: `video` (`name`), `laws` (see `reports.book.Book`), `warnings`, `versions`, and
        `title`, `date`, `match_no`, `round`, `umpire`, `toss` for the head.

    Returns
    -------
    html, csv : Path

    Raises
    ------
    BadInput
        If the rulings are not of this log or the folder cannot be written to.
    """
    card = build_card(log, rulings, meta)
    page, table = out_dir / "scoresheet.html", out_dir / "scoresheet.csv"
    write_text(page, scoresheet_html(card, meta))
    with replacing(table) as part, part.open("w", encoding="utf-8-sig", newline="") as f:
        writer = csv.writer(f, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerows([spreadsheet_safe(v) for v in row] for row in csv_rows(card))
    return page, table


def video_name(meta: Json) -> str:
    """The video's file name as `meta` gives it; empty for a log written by hand."""
    video = meta.get("video") or {}
    return clean(video.get("name") or Path(str(video.get("path", ""))).name)


def scoresheet_html(card: Card, meta: Json) -> str:
    """The page as text."""
    head = [("Player" if len(s.seats) == 1 else "Players", f"{s.name} ({', '.join(s.seats)})") for s in card.sides]
    head += [(label, clean(meta[key])) for key, label in HEAD if meta.get(key)]
    head += [("Law book", card.book.name)]
    head += [("Played to", card.book.aim)] if card.book.aim else []
    head += [("Video", video_name(meta) or "none: log written by hand")]
    if len(head) % 2:
        head.append(("", ""))
    version = (meta.get("versions") or {}).get("carromeye", "")
    return render(
        "scoresheet.html",
        {
            "card": card,
            "head": list(zip(head[::2], head[1::2], strict=True)),
            "decide": list(to_decide(card)),
            "cell_text": cell_text,
            "warnings": [clean(w) for w in meta.get("warnings") or ()],
            "review": "review.html" if video_name(meta) else "",
            "made": f"Made by CarromEye {clean(version)}.".replace(" .", "."),
        },
    )


def csv_rows(card: Card) -> Iterator[list[Any]]:
    """One table: its header, a row per board (`row` = `board`), then a row per event (`stroke`, `placing`, `call`).

    Columns that do not apply to a row are empty. Each side has a name, the figures that its law book counts, and its total, under
    its seats; numbers only. `covered` says who has covered the Queen, who may be credited to the other side, or to nobody.
    """
    figures = _figures(card)
    per_side = [f"{'_'.join(s.seats)}_{what}" for s in card.sides for what in ("name", *figures)]
    columns = [*CARD_COLUMNS, *per_side, *STROKE_COLUMNS]
    yield list(columns)
    for row in _dicts(card):
        yield [row.get(c, "") for c in columns]


def _dicts(card: Card) -> Iterator[dict[str, Any]]:
    for game in card.games:
        for board in game.boards:
            yield {**_board_row(card, game.number, board), "row": "board"}
    for game in card.games:
        for board in game.boards:
            for row in board.rows:
                yield {
                    "row": row.kind,
                    "game": game.number,
                    "board": board.number,
                    "board_in_game": board.in_game,
                    "stroke": row.n if row.n is not None else "",
                    "time_s": round(row.t, 3) if row.t is not None else "",
                    "player": row.player,
                    "pocketed": ", ".join(row.pocketed),
                    "touched": "" if row.touched is None else "yes" if row.touched else "no",
                    "event": row.event,
                    "action": row.action,
                    "foul_dues_cover": "; ".join(row.charge),
                    **_left(row.board),
                    **{f"{'_'.join(s.seats)}_total": n for s, n in zip(card.sides, row.scores, strict=True)},
                    "clauses": ", ".join(row.clauses),
                    "ruling": row.text,
                    "next_player": row.next_player,
                    "confidence": round(row.confidence, 3) if row.confidence is not None else "",
                    "low_confidence": "yes" if row.low else "",
                    "corrections": "; ".join(row.corrections),
                    "flags": "; ".join(row.flags),
                    "discrepancies": "; ".join(row.discrepancies),
                }


def _board_row(card: Card, game: int, board: BoardCard) -> dict[str, Any]:
    row: dict[str, Any] = {
        "game": game,
        "board": board.number,
        "board_in_game": board.in_game,
        "break_by": board.break_by,
        **_left(board.left),
        "result": board.result,
        "winner": board.winner,
        "clauses": ", ".join(board.clauses),
        "corrections": "; ".join(board.deleted),
        "flags": "; ".join(board.flags),
        "notices": "; ".join(board.notices),
    }
    for side, cell in zip(card.sides, board.cells, strict=True):
        key = "_".join(side.seats)
        row |= {f"{key}_name": side.name} | {f"{key}_{what}": _figure(cell, what) for what in _figures(card)}
    return row


def _figures(card: Card) -> list[str]:
    """Keys of a side's figures; the total stands in every table, so that tables of several matches go together."""
    keys = [c.key for c in card.columns]
    keys += ["total"] * ("total" not in keys)
    return [k for key in keys for k in ((key, "covered") if key == "queen" and card.book.owned else (key,))]


def _figure(cell: Cell, what: str) -> int | str:
    if what == "covered":
        return "yes" if cell.covered else ""
    value = getattr(cell, what)
    return "" if value is None else int(value)


def _left(board: Json | None) -> dict[str, Any]:
    return {f"left_{c}": "" if board[c] is None else board[c] for c in ("white", "black", "queen")} if board else {}


def spreadsheet_safe(value: object) -> object:
    """Text that a spreadsheet would take for a formula gets a leading apostrophe; numbers stay numbers."""
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA):
        return "'" + value
    return value
