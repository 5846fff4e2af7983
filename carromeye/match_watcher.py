"""A match watched: detections in, frame by frame; trajectories out, and strokes and placings into the record of the match."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from carromeye.record import Record
from models.board import BoardSpec
from models.detections import Detections
from models.homography import Homography
from models.stroke import Event, Placing, Stroke
from tracking.figures import Figures
from tracking.opening import RackWatch
from tracking.placement import Placements
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
        self._placements, self._figures = Placements(board), Figures(board)
        self._watcher = BoardWatcher(board, record.seats, placements=self._placements, figures=self._figures)
        self._racks: RackWatch | None = None
        self._began = False
        self._last = -np.inf
        self._placings: list[Placing] = []

    def step(self, det: Detections) -> list[Row]:
        """Take in one frame; give the trajectories that are now certain."""
        self._take(self._watcher.step(det))
        rows = list(self._watcher.rows())
        if self._record.over and self._began:
            rows += self._next_board()
        elif self._laid_anew(det):
            # What hands took away since the last stroke was the old board, what they put down is the new rack.
            self._placings = []
            self._watcher.notes = [(t, text) for t, text in self._watcher.notes if t <= self._last]
            if self._began:
                self._record.given_up(det.t)
            rows += self._next_board()
        return rows

    def finish(self) -> list[Row]:
        """The video ends here, or is left; give what is left of the trajectories."""
        self._take(self._watcher.finish())
        self._put_back()
        self._close()
        return list(self._watcher.rows())

    def learnt(self) -> dict[str, float]:
        """The match's friction, restitution and striker, see `Figures.told`."""
        return self._figures.told()

    def correction(self) -> Homography:
        """From where the calibration has what lies on the board, and with it the trajectories, to where it is."""
        return self._figures.cushions.correction

    def _next_board(self) -> list[Row]:
        """The next board begins with the next rack; until then nothing on the board is play. Gives the last trajectories of this one."""
        self._take(self._watcher.finish())
        self._close()
        rows = list(self._watcher.rows())
        self._watcher = BoardWatcher(self._board, self._record.seats, rack_only=True, placements=self._placements, figures=self._figures)
        self._racks = None
        self._began, self._placings = False, []
        return rows

    def _laid_anew(self, det: Detections) -> bool:
        if self._watcher.opening is None:
            return False
        self._racks = self._racks or RackWatch(self._board, scattered=not self._watcher.rack)
        return self._racks.step(det)

    def _take(self, events: Sequence[Event]) -> None:
        record, opening = self._record, self._watcher.opening
        for event in events:
            if isinstance(event, Placing):
                # Not before the next stroke is it sure that it was none of a rack's.
                self._placings.append(event)
                continue
            self._put_back()
            if not (self._began or record.ended) and isinstance(event, Stroke) and opening is not None:
                self._began = record.open(self._watcher.rack, opening, event.by)
            if self._began and not record.over:
                record.add(event)
            self._last = event.t if event.t is not None else self._last
        if events and self._began:
            self._on_events()

    def _put_back(self) -> None:
        for placing in self._placings:
            if self._began and not self._record.over:
                self._record.add(placing)
        self._placings = []

    def _close(self) -> None:
        if self._began:
            self._record.close(self._watcher.unseen())
        self._record.warnings += [f"at {t:.1f} s: {text}" for t, text in self._watcher.notes]
