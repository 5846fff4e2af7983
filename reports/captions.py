"""What the annotated video says at each moment: the current stroke's banner and the score line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reports.card import BoardCard, Card, Json, Row
from reports.filling import build_card
from reports.overlay import drawable
from reports.rows import standing
from reports.words import SEAT_WORDS, listed

LEAD: Final = 0.5
"""The banner names a stroke from this long before its release (s)."""
REST_UNKNOWN: Final = 3.0
"""A stroke whose rest is not known is taken to last this long (s)."""


@dataclass(frozen=True)
class _Moment:
    begin: float
    rest: float
    board: BoardCard
    row: Row
    score: tuple[int, ...]
    left: Json


class Captions:
    """Banner and score line by video time.

    Parameters
    ----------
    log, rulings : mapping
        The JSON objects of `strokes.json` and `rulings.json`; events without a time are left out.
    meta : mapping, optional
        The object of `match.json`: its `laws` tell how the points are made.

    Raises
    ------
    BadInput
        If the rulings are not of this log.
    """

    def __init__(self, log: Json, rulings: Json, meta: Json | None = None) -> None:
        self._card = build_card(log, rulings, meta)
        self._names = {seat: _shown(name, seat) for side in self._card.sides for seat, name in zip(side.seats, side.names, strict=True)}
        self._moments = sorted(_moments(self._card), key=lambda m: m.begin)
        self._begins = [m.begin for m in self._moments]

    def at(self, t: float) -> tuple[tuple[str, ...], str]:
        """Banner lines (none, or the stroke and its ruling) and score line at video time `t` (s).

        What fell is shown as it falls, the ruling and the new score once all is at rest.
        """
        k = bisect_right(self._begins, t) - 1
        if k < 0:
            first = self._moments[0] if self._moments else None
            board = first.board if first else self._card.boards[0] if self._card.boards else None
            return (), self._score(board.before, None) if board else ""
        m = self._moments[k]
        done = t >= m.rest
        head = f"Board {m.board.number}, "
        who = self._names.get(m.row.seat, m.row.player)
        if m.row.kind == "stroke":
            head += f"stroke {m.row.n}: {who}{_fell(m.row, t, done)}"
        else:
            head += f"{who} {m.row.action}" if m.row.kind == "placing" else f"{m.row.action} ({who})"
        clauses = f" [{', '.join(m.row.clauses)}]" if m.row.clauses else ""
        banner = (head, f"{m.row.told}{clauses}") if done and m.row.told else (head,)
        earlier = self._moments[k - 1] if k and self._moments[k - 1].board is m.board else None
        if done:
            return banner, self._score(m.score, m.left)
        return banner, self._score(earlier.score, earlier.left) if earlier else self._score(m.board.before, None)

    def _score(self, score: Sequence[int], left: Json | None) -> str:
        sides = self._card.sides
        names = [" / ".join(self._names[s] for s in side.seats) for side in sides]
        line = (
            f"{names[0]} {score[0]} : {score[1]} {names[1]}"
            if len(sides) == 2
            else ", ".join(f"{n} {p}" for n, p in zip(names, score, strict=True))
        )
        return f"{line}   |   {standing(left, self._names, self._card.book.cover)}" if left else line


def _moments(card: Card) -> list[_Moment]:
    moments = []
    for board in card.boards:
        left: Json | None = None
        for row in board.rows:
            left = row.board or left
            if row.t is None:
                continue
            rest = row.rest if row.rest is not None else row.t + (REST_UNKNOWN if row.kind == "stroke" else 0.0)
            begin = row.t - (LEAD if row.kind == "stroke" else 0.0)
            moments.append(_Moment(begin, rest, board, row, row.scores, left or {}))
    return moments


def _fell(row: Row, t: float, done: bool) -> str:
    """What has fallen by `t`, with the pockets where the camera saw them."""
    seen = [(cls, pocket) for cls, pocket, at in row.fell_at if done or at <= t]
    if seen and (not done or len(seen) == len(row.pocketed)):
        _, more, rest = row.action.partition("; ")  # what left the board, what was wrong with the stroke
        return " - " + ", ".join(f"{listed([cls])} {pocket}" for cls, pocket in seen) + (more + rest if done else "")
    if not done:
        return ""
    return f" - {row.action}"


def _shown(name: str, seat: str) -> str:
    """The name, or the seat's word where the drawing font lacks a letter of it."""
    return name if drawable(name) else SEAT_WORDS.get(seat, seat)
