"""From board millimetres to what is drawn over a frame."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from carromeye.trajectories import read_frames
from models.board import BoardSpec
from models.stroke import PIECES
from reports.overlay import Mark
from tracking.table import Row
from vision.course import Course
from vision.types import Array, Calibration

TRAIL_SECONDS: Final = 0.5
"""How much of a moving piece's way is drawn behind it."""


def radius_px(xy: Array, r: float, calibration: Calibration) -> float:
    """Radius in the picture (px, mean of four directions) of a disc of `r` mm at `xy`."""
    rim = xy + r * np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]])
    return float(np.hypot(*(calibration.to_picture(rim) - calibration.to_picture(xy[None])).T).mean())


class Marks:
    """What to draw at each time of a reviewed video, read from its trajectories as time goes on."""

    def __init__(self, trajectories: Path, course: Course) -> None:
        self._frames: Iterator[tuple[float, list[Row]]] = read_frames(trajectories)
        self._course = course
        self._calibration: Calibration | None = None
        self._next = next(self._frames, None)
        self._now: list[Row] = []
        self._trails: dict[str, deque[tuple[float, Array]]] = {}
        self._marks: list[Mark] = []

    def at(self, t: float) -> list[Mark]:
        """The pieces on the board at time `t` (s), none while it is not known where the board is; times must rise from call to call."""
        calibration = self._course.at(t)
        changed = calibration is not self._calibration
        self._calibration = calibration
        while self._next is not None and self._next[0] <= t + 1e-6:
            self._now, changed = self._next[1], True
            for row in self._now:
                if row.state == "moving":
                    self._trails.setdefault(row.piece, deque()).append((row.t, np.array([row.x, row.y])))
            self._next = next(self._frames, None)
        for piece, trail in list(self._trails.items()):
            while trail and trail[0][0] < t - TRAIL_SECONDS:
                trail.popleft()
                changed = True
            if not trail:
                del self._trails[piece]
        if changed:
            on_board = [row for row in self._now if row.state not in ("pocketed", "off")]
            self._marks = [] if calibration is None else [self._mark(row, calibration) for row in on_board]
        return self._marks

    def _mark(self, row: Row, calibration: Calibration) -> Mark:
        xy = np.array([row.x, row.y])
        px = calibration.to_picture(xy[None])[0]
        trail = self._trails.get(row.piece)
        points = calibration.to_picture(np.array([p for _, p in trail])) if trail and len(trail) > 1 else None
        number = row.piece.removeprefix(row.cls)
        return Mark(
            row.cls, float(px[0]), float(px[1]), radius_px(xy, _radius(row.cls, calibration.board), calibration),
            id=int(number) if number else None, moving=row.state == "moving", observed=row.observed, trail=points,
        )  # fmt: skip


def _radius(cls: str, board: BoardSpec) -> float:
    return board.radius(next(p for p in PIECES if p == cls))
