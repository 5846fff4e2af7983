"""The figures of a card row, for every way in which law books make points.

A winner's points are the loser's pieces left and the Queen; or to these come each side's own pieces pocketed (bi.10);
or a piece is worth so much to the one who pockets it (g3.1, 22f.1).
"""

from __future__ import annotations

from collections.abc import Sequence

from reports.book import Book
from reports.card import Cell, Json, Side


def cells_of(book: Book, sides: Sequence[Side], start: Json, lay: Json, verdict: Json, before: tuple[int, ...]) -> tuple[Cell, ...]:
    """One cell per side.

    Parameters
    ----------
    start : mapping
        The board's `start` in the log.
    lay : mapping
        What lay on the board before its first event.
    verdict : mapping
        The board's rulings and result.
    before : tuple of int
        The sides' points before the board.
    """
    judged, result = verdict["rulings"], verdict.get("result")
    totals = tuple(s.of(judged[-1].get("scores")) for s in sides) if judged else before
    if result and result.get("replay"):
        return tuple(Cell(t) for t in totals)
    covered = _covered((judged[-1]["board"] if judged else lay)["queen"])
    if not book.owned:
        return _won_by_pieces(sides, start, lay, verdict, totals, before, covered)
    if not result:
        return tuple(Cell(t) for t in totals)
    cells = []
    for side, total in zip(sides, totals, strict=True):
        won = result.get("winner") in side.seats
        points = side.of(result.get("points"))
        pieces, queen = (int(result.get("pieces") or 0), int(result.get("queen_points") or 0)) if won else (0, 0)
        hers = covered in side.seats and book.with_queen
        own = points - pieces - queen if book.own_piece and not result.get("award") else None
        cells.append(Cell(total, points, queen, hers, pieces, own, won=won))
    return tuple(cells)


def _won_by_pieces(
    sides: Sequence[Side], start: Json, lay: Json, verdict: Json, totals: tuple[int, ...], before: tuple[int, ...], covered: str
) -> tuple[Cell, ...]:
    """What each side has pocketed: what left the board by its strokes, less what came back by them."""
    winner = (verdict.get("result") or {}).get("winner")
    won = {side: dict.fromkeys(("white", "black"), 0) for side in sides}
    for seat, taken in (start.get("taken") or {}).items():
        for side in sides:
            for c in won[side]:
                won[side][c] += int(taken.get(c, 0)) if seat in side.seats else 0
    earlier = lay
    for ruling in verdict["rulings"]:
        side = next(s for s in sides if ruling["by"] in s.seats)
        for c in won[side]:
            won[side][c] += int(earlier[c]) - int(ruling["board"][c])
        earlier = ruling["board"]
    return tuple(
        Cell(t, t - b, int(covered in s.seats), covered in s.seats, white=won[s]["white"], black=won[s]["black"], won=winner in s.seats)
        for s, t, b in zip(sides, totals, before, strict=True)
    )


def _covered(queen: str | None) -> str:
    """The seat that has covered the Queen; empty if none has."""
    state, _, seat = str(queen).partition(":")
    return seat if state == "covered" else ""
