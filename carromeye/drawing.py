"""From board millimetres to what is drawn over a frame."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from carromeye.trajectories import read_frames
from models.board import BoardSpec
from models.stroke import PIECES
from reports.overlay import Mark
from tracking.table import Row
from vision.course import Course
from vision.height import seen_at
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
            self._marks = [] if calibration is None or not on_board else self._drawn(on_board, calibration)
        return self._marks

    def _drawn(self, rows: Sequence[Row], calibration: Calibration) -> list[Mark]:
        """The marks of pieces, where the camera sees them: their height displaces them."""
        middles = np.array([(row.x, row.y) for row in rows])
        trails = [np.array([p for _, p in self._trails.get(row.piece, ())]).reshape(-1, 2) for row in rows]
        px, *ways = np.split(seen_at(calibration, np.concatenate([middles, *trails])), np.cumsum([len(rows), *map(len, trails)])[:-1])
        radii = [radius_px(xy, _radius(row.cls, calibration.board), calibration) for row, xy in zip(rows, middles, strict=True)]
        return [_mark(row, at, r, way) for row, at, r, way in zip(rows, px, radii, ways, strict=True)]


def _mark(row: Row, at: Array, r: float, way: Array) -> Mark:
    number = row.piece.removeprefix(row.cls)
    return Mark(
        row.cls, float(at[0]), float(at[1]), r, id=int(number) if number else None, moving=row.state == "moving", observed=row.observed,
        trail=way if len(way) > 1 else None,
    )  # fmt: skip


def _radius(cls: str, board: BoardSpec) -> float:
    return board.radius(next(p for p in PIECES if p == cls))
