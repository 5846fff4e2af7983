"""What the umpire should look at whatever the ruling: doubtful sight, a clock run over, a fall that cannot be."""

from __future__ import annotations

from typing import Final

from models.stroke import Stroke
from referee.settle import Note
from referee.state import BoardState

SURE: Final = 0.6
"""Below this confidence (0 to 1) the video's word on a stroke is flagged."""


def flag_doubts(state: BoardState, stroke: Stroke, note: Note) -> None:
    """Flag what makes a stroke doubtful."""
    clock = state.book.match.clock_s
    if stroke.seconds is not None and 0 < clock < stroke.seconds:
        note.flag("over_clock", seconds=stroke.seconds, clock=clock)
    if stroke.confidence is not None and stroke.confidence < SURE:
        note.flag("unsure", confidence=stroke.confidence)
    if state.queen.state in ("pending", "early") and state.queen.seat != stroke.by:
        note.flag("pending_elsewhere", name=state.table.names[state.queen.seat] if state.queen.seat else "")
    if not stroke.touched and len(stroke.pocketed) > ("striker" in stroke.pocketed):
        note.flag("hanging")
    if "striker" in stroke.pocketed and "striker_cannot_fall" in state.book.clauses:
        note.cite("striker_cannot_fall")
        note.flag("striker_cannot_fall")
