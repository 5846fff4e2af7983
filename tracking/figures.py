"""The figures of the board and the discs of a match, learnt from its strokes.

Friction and restitution change from board to board, with the powder and the weather, and strikers with their owner. Whatever
was reconciled says more about them (`models.physics.fit_board`), so that later strokes are explained for longer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from models.board import BoardSpec
from models.detections import Detections
from models.physics import Dynamics, RollingShutter, StrokeFit, fit_board
from models.physics.board_fit import SHUTTER_SIGMA
from tracking.cast import Array, Track
from tracking.cushions import Cushions
from tracking.reconcile import Reconciled, sightings

LEARN_AT: Final = (2, 4, 7, 12, 20, 30)
"""After so many strokes that tell something the figures are fitted anew."""
AT_ONCE: Final = 3
"""To so many of the latest: what they were fitted to before is in the figures from which they begin."""
TELLING: Final = 0.15
"""A stroke tells something of the figures if it is explained for longer than this after its release (s)."""
MANY: Final = 5
"""Discs that move in a stroke that is too much to fit in passing."""
TWICE_TOLD: Final = 1.3
"""What was found of the camera is known so much worse than it seems: some strokes may have told it twice."""
SIZES: Final = 200
"""Sizes of discs that are remembered."""
LEAST_SIZES: Final = 5
SMALLEST, LARGEST = 1.0, 2.2
"""Strikers are between so many times as large as a piece."""
STRIKER_SHARE: Final = 0.02
"""A striker whose size differs by less than this part from what is assumed has that size."""


class Figures:
    """What is known of a match's board so far.

    Parameters
    ----------
    board : BoardSpec
        As assumed.

    Attributes
    ----------
    board : BoardSpec
        With the striker's size as it was seen.
    dynamics : Dynamics
    shutter : RollingShutter
        The camera's.
    cushions : Cushions
        Where they are, and so by how much the calibration is off.
    count : int
        Strokes so far that told something of them.
    """

    def __init__(self, board: BoardSpec) -> None:
        self.board, self.dynamics, self.shutter = board, Dynamics(), RollingShutter()
        self.cushions = Cushions(board)
        self._told: deque[Reconciled] = deque(maxlen=AT_ONCE)
        self.count = 0
        self._shutter_sigma: Array = np.full(2, SHUTTER_SIGMA)
        self._striker: deque[float] = deque(maxlen=SIZES)
        self._pieces: deque[float] = deque(maxlen=SIZES)

    def see(self, det: Detections, tracks: Sequence[Track]) -> None:
        """Take in the sizes of discs at rest."""
        if not det.still:
            return
        for track in tracks:
            if track.state == "rest" and track.sighting >= 0:
                (self._striker if track.cls == "striker" else self._pieces).append(float(det.r[track.sighting]))
        if len(self._striker) >= LEAST_SIZES and len(self._pieces) >= LEAST_SIZES:
            ratio = float(np.clip(np.median(self._striker) / np.median(self._pieces), SMALLEST, LARGEST))
            size = ratio * self.board.piece_radius
            if abs(size / self.board.striker_radius - 1) > STRIKER_SHARE:
                self.board = replace(self.board, striker_radius=size)

    def told(self) -> dict[str, float]:
        """What is known so far, as numbers by name: decelerations (mm/s^2), restitutions, the striker's radius (mm),
        the shutter (s), turns at cushions, and how far they moved the corner that they moved most (mm)."""
        d = self.dynamics
        return {
            "strokes": self.count,
            "striker_radius": round(self.board.striker_radius, 2),
            "friction_piece": round(d.friction_piece, 1),
            "friction_striker": round(d.friction_striker, 1),
            "restitution_striker_piece": round(d.striker_piece.restitution, 3),
            "restitution_piece_cushion": round(d.piece_cushion.restitution, 3),
            "restitution_striker_cushion": round(d.striker_cushion.restitution, 3),
            "rolling_shutter_x": round(self.shutter.x, 4),
            "rolling_shutter_y": round(self.shutter.y, 4),
            "cushion_turns": self.cushions.count(),
            "corners_moved": round(self.cushions.moved(), 2),
        }

    def learn(self, r: Reconciled) -> None:
        """Take in a stroke that was reconciled."""
        self.cushions.take(r, self.board, self.dynamics)
        if r.fit is None or r.fit.explained_until < r.fit.release.time + TELLING or _moved(r) > MANY:
            return
        self._told.append(r)
        self.count += 1
        if self.count not in LEARN_AT:
            return
        known = [(k.raw.corrected(self.cushions.correction), k.followed) for k in self._told]
        strokes = [(sightings(e, followed), e.state(self.board)) for e, followed in known]
        fits: Sequence[StrokeFit | None] = [k.fit for k in self._told]
        try:
            if self.count == LEARN_AT[0]:
                # on a board whose friction is not known yet, a shutter would be found that makes up for it
                found = fit_board(strokes, self.board, self.dynamics, fits=fits, rounds=1)
                self.dynamics, fits = found.dynamics, found.strokes
            found = fit_board(
                strokes, self.board, self.dynamics, fits=fits, rounds=1, shutter=self.shutter, shutter_sigma=self._shutter_sigma
            )
        except ValueError:  # nothing in them tells anything
            return
        self.dynamics, self.shutter = found.dynamics, found.shutter
        # boards change with the powder, the camera stays: what earlier strokes told of it counts
        self._shutter_sigma = np.minimum(TWICE_TOLD * found.errors[-2:], SHUTTER_SIGMA)


def _moved(r: Reconciled) -> int:
    """How many discs a stroke moved."""
    way = r.followed.means[:, :, :2] - r.evidence.before
    return int((np.hypot(way[..., 0], way[..., 1]).max(axis=0) > 1.0).sum())
