"""A stroke played by the physics core as frames of detections: what a reconciliation starts from, with its truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.board import ICF
from models.detections import COVER_CELLS, Detections
from models.physics import Dynamics, Motion, Observations, RollingShutter, State, simulate
from models.stroke import PIECES, Piece
from tracking.reconcile import AT_ONCE, Evidence

STRIKER = PIECES.index("striker")


@dataclass
class Seen:
    """Discs, the last of which is struck at `t0`; seen every 1 / `rate` s with noise, and not at all at some times.

    Attributes
    ----------
    unseen : mapping of int to (float, float)
        From when to when (s of video time) a disc is not seen.
    shutter : RollingShutter
        The camera's.
    """

    classes: Sequence[Piece]
    places: np.ndarray
    velocity: tuple[float, float]
    rate: float = 30.0
    noise: float = 0.5
    misses: float = 0.0
    t0: float = 0.317
    seed: int = 0
    unseen: dict[int, tuple[float, float]] | None = None
    dynamics: Dynamics | None = None
    shutter: RollingShutter = AT_ONCE

    def __post_init__(self) -> None:
        self.state = State.resting(self.classes, self.places, ICF)
        self.motion: Motion = simulate(self.state.struck(len(self.classes) - 1, *self.velocity), ICF, self.dynamics)
        self.times = np.arange(0.0, self.t0 + self.motion.duration + 0.4, 1 / self.rate)

    def at(self, t: float) -> np.ndarray:
        """Where the discs truly are, shape (n, 2); NaN for what has fallen."""
        return self.motion.positions([max(t - self.t0, 0.0)])[0]

    def frames(self) -> list[Detections]:
        rng = np.random.default_rng(self.seed)
        return [self._frame(k, float(t), rng) for k, t in enumerate(self.times)]

    def _frame(self, number: int, t: float, rng: np.random.Generator) -> Detections:
        rows = []
        late = np.nan_to_num(self.shutter.delays(self.at(t), ICF.side))
        places = [self.at(t + late[i])[i] for i in range(len(self.classes))]
        for i, (cls, xy) in enumerate(zip(self.classes, places, strict=True)):
            begin, end = (self.unseen or {}).get(i, (np.inf, np.inf))
            if np.isnan(xy[0]) or begin <= t < end or rng.random() < self.misses:
                continue
            prob = np.full(4, 0.01)
            prob[PIECES.index(cls)] = 0.97
            rows.append([*(xy + rng.normal(0, self.noise, 2)), ICF.radius(cls), *prob])
        a = np.array(rows).reshape(-1, 7)
        cover = np.zeros((COVER_CELLS, COVER_CELLS), bool)
        size = 2 * a[:, 2]
        return Detections(
            number, t, a[:, 0], a[:, 1], a[:, 2], size, size, a[:, 3:], np.full(len(a), 0.9), np.zeros((0, 5)), cover, t - 1 / self.rate
        )

    def evidence(self, frames: Sequence[Detections] | None = None, known: bool = True) -> Evidence:
        """What the tracker would hand on: every sighting given to the disc that lies nearest to it, or none at all."""
        frames = frames if frames is not None else self.frames()
        rows = []
        for det in frames if known else []:
            true = self.at(det.t)
            for x, y, prob in zip(det.x, det.y, det.prob, strict=True):
                off = np.hypot(true[:, 0] - x, true[:, 1] - y)
                off[[c != PIECES[int(prob.argmax())] for c in self.classes]] = np.inf
                rows.append((det.t, int(np.nanargmin(off)), x, y, 1.0))
        table = np.array(rows).reshape(-1, 5)
        names = [f"{c}{i}" for i, c in enumerate(self.classes)]
        return Evidence(
            names=tuple(names),
            classes=tuple(self.classes),
            before=np.asarray(self.places, float),
            frames=frames,
            seen=Observations(table[:, 0], table[:, 1].astype(int), *table[:, 2:].T),
            place=np.asarray(self.places[-1], float),
            t=self.t0,
            velocity=np.array(self.velocity) if known else None,
            others=np.zeros((0, 2)),
        )
