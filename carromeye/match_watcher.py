"""A match watched: detections in, frame by frame; trajectories out, and strokes and placings into the record of the match."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from carromeye.record import Record
from models.board import BoardSpec
from models.detections import Detections
from models.stroke import Event, Stroke
from tracking.table import Row
from tracking.watcher import BoardWatcher


class MatchWatcher:
    """Follows the boards of a match one after the other.

    Parameters
    ----------
    board : BoardSpec
    record : Record
        Takes in what happens; its rulings tell when a board is over and the next begins.
    on_events : callable
        Called when something new is in the record.
    """

    def __init__(self, board: BoardSpec, record: Record, on_events: Callable[[], None] = lambda: None) -> None:
        self._board, self._record, self._on_events = board, record, on_events
        self._watcher = BoardWatcher(board, record.seats)
        self._began = False

    def step(self, det: Detections) -> list[Row]:
        """Take in one frame; give the trajectories that are now certain."""
        self._take(self._watcher.step(det))
        rows = list(self._watcher.rows())
        if self._record.over and self._began:
            # The next board begins with the next rack; until then nothing on the board is play.
            self._take(self._watcher.finish())
            self._close()
            self._watcher, self._began = BoardWatcher(self._board, self._record.seats, rack_only=True), False
        return rows

    def finish(self) -> list[Row]:
        """The video ends here, or is left; give what is left of the trajectories."""
        self._take(self._watcher.finish())
        self._close()
        return list(self._watcher.rows())

    def _take(self, events: Sequence[Event]) -> None:
        record, opening = self._record, self._watcher.opening
        for event in events:
            if not (self._began or record.ended) and isinstance(event, Stroke) and opening is not None:
                self._began = record.open(self._watcher.rack, opening, event.by)
            if self._began and not record.over:
                record.add(event)
        if events and self._began:
            self._on_events()

    def _close(self) -> None:
        if self._began:
            self._record.close(self._watcher.unseen())
        self._record.warnings += [f"at {t:.1f} s: {text}" for t, text in self._watcher.notes]
