"""The motion gate: a match is mostly a still board, so only frames in which something moves are looked at."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.homography import transform
from vision.types import Calibration, Image

GATE_PX: Final = 160
"""Side of the grey picture in which motion is sought; a piece is then about 7 px wide."""
CELL_PX: Final = 4
"""Side of the cells over which differences are averaged, so that noise falls and a moving edge stays."""
NOISE_FACTOR: Final = 5.0
"""A cell moves when it differs by this many times the noise of a still picture."""
FLOOR: Final = 2.0
"""Least difference (grey levels of 255) that counts, whatever the noise; compression alone makes about 1."""
MEMORY: Final = 0.02
"""Weight of a still frame in the running noise figure."""


class MotionGate:
    """Says of each frame whether anything moves on the board or at its rim.

    The picture is reduced to a small grey square round the board; the difference to the frame before and to the
    last frame that was looked at (so that slow creep is not missed) is averaged over cells and held against the
    running noise of still frames.
    """

    def __init__(self, calibration: Calibration) -> None:
        board = calibration.board.side
        margin = 0.12 * board
        rim = np.array([[-margin, -margin], [board + margin, board + margin], [board + margin, -margin], [-margin, board + margin]])
        px = transform(np.asarray(np.linalg.inv(calibration.homography()), np.float64), rim)
        w, h = calibration.size
        x0, y0 = np.clip(px.min(axis=0), 0, [w - 2, h - 2]).astype(int)
        x1, y1 = np.clip(px.max(axis=0), [x0 + 1, y0 + 1], [w, h]).astype(int)
        self._window = (slice(y0, y1), slice(x0, x1))
        self._before: NDArray[np.float32] | None = None
        self._looked: NDArray[np.float32] | None = None
        self._noise = 1.0

    def moves(self, grey: Image) -> bool:
        """Whether the frame (its whole luma picture) differs from the one before or from the last one that did."""
        small = cv2.resize(grey[self._window], (GATE_PX, GATE_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
        if self._before is None or self._looked is None:
            self._before = self._looked = small
            return True
        moved = self._differs(small, self._before, learn=True) or self._differs(small, self._looked, learn=False)
        self._before = small
        if moved:
            self._looked = small
        return moved

    def _differs(self, a: NDArray[np.float32], b: NDArray[np.float32], *, learn: bool) -> bool:
        difference = a - b
        # A lamp's flicker or the camera's exposure lifts the whole picture alike; that is no motion.
        difference -= np.median(difference)
        n = GATE_PX // CELL_PX
        cells = np.abs(difference).reshape(n, CELL_PX, n, CELL_PX).mean(axis=(1, 3))
        moved = bool(cells.max() > max(FLOOR, NOISE_FACTOR * self._noise))
        if learn and not moved:
            self._noise += MEMORY * (float(np.percentile(cells, 90)) - self._noise)
        return moved
