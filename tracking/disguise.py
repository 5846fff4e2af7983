"""A striker that looks like a piece: known by what is done with it, then by its size.

No look tells a white striker from a white piece when it is hardly larger. But what a hand sets down between the base lines
while every piece of its colour is accounted for is the striker; from then on size and motion tell the two apart.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Final

import numpy as np

from models.detections import Detections
from models.stroke import PIECES, Piece
from tracking.cast import Array

SIZE_SIGMA: Final = 0.045
"""Standard deviation of a measured radius of a disc at rest, as a part of it."""
UNKNOWN: Final = 0.7
"""Probability that what looks like nothing known is the striker, if that does: a piece may for a moment."""
MEMORY: Final = 60
"""Sizes that are remembered."""
STRIKER: Final = PIECES.index("striker")


class Disguise:
    """What is known of a striker that looks like a piece; nothing until `learn` was called."""

    def __init__(self) -> None:
        self._looks: list[Piece | None] = []
        self._striker: deque[float] = deque(maxlen=MEMORY)
        self._pieces: deque[float] = deque(maxlen=MEMORY)

    def learn(self, looks: Piece | None, r: float) -> None:
        """The striker, radius `r` mm, looks like a piece of class `looks`; None: like nothing that is known of the match."""
        if looks not in self._looks:
            self._looks.append(looks)
        self._striker.append(r)

    def see_piece(self, r: float) -> None:
        """A piece at rest was measured, radius `r` mm."""
        self._pieces.append(r)

    def off(self, det: Detections) -> Detections:
        """The detections with the striker's share in what looks like it."""
        if not self._looks or not len(det):
            return det
        share = self._share(det)
        prob = det.prob.copy()
        for looks in self._looks:
            if looks is None:
                prob[:, STRIKER] += UNKNOWN * share * np.maximum(1 - prob.sum(axis=1), 0.0)
            else:
                k = PIECES.index(looks)
                prob[:, STRIKER] += share * prob[:, k]
                prob[:, k] *= 1 - share
        return replace(det, prob=prob)

    def _share(self, det: Detections) -> Array:
        """Probability of each disc to be the striker rather than the piece it looks like, by its size."""
        striker = float(np.median(self._striker))
        piece = float(np.median(self._pieces)) if self._pieces else striker
        off = [(np.log(det.r / r) / SIZE_SIGMA) ** 2 / 2 for r in (striker, piece)]
        return np.asarray(np.where(det.streaks(), 0.5, 1 / (1 + np.exp(np.clip(off[0] - off[1], -30, 30)))), np.float64)
