"""The trajectories as rows: one per piece and processed frame (the columns of trajectories.parquet)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from models.homography import Homography
from tracking.cast import Track

COLUMNS = ("frame", "t", "piece", "cls", "x", "y", "vx", "vy", "state", "observed")


@dataclass
class Row:
    """One piece in one frame; millimetres, millimetres a second."""

    frame: int
    t: float
    piece: str
    cls: str
    x: float
    y: float
    vx: float
    vy: float
    state: str
    observed: bool


def rows_of(tracks: list[Track], frame: int, t: float) -> list[Row]:
    """The rows of one frame. A striker in a hand and pieces that were never on the board have none."""
    rows = []
    for track in tracks:
        if track.state == "away" or track.xy[0] != track.xy[0]:
            continue
        state = "hidden" if track.state == "lost" else track.state
        x, y = track.last[0] if track.state == "moving" and track.observed else track.xy
        rows.append(Row(frame, t, track.id, track.cls, float(x), float(y), float(track.v[0]), float(track.v[1]), state, track.observed))
    return rows


def correct(rows: list[Row], piece: str, since: float, state: str, xy: tuple[float, float] | None = None) -> None:
    """Write into buffered rows what became known later: that `piece` was in `state` (at `xy`) from `since` on."""
    for row in rows:
        if row.piece == piece and row.t >= since:
            row.state, row.observed = state, False
            row.vx = row.vy = 0.0
            if xy is not None:
                row.x, row.y = xy


def corrected(table: pd.DataFrame, correction: Homography, side: float) -> pd.DataFrame:
    """Rows, as a table with `COLUMNS`, whose places were as the calibration has them, where they are; on a board with `side` mm.

    What fell lies in its pocket, which no calibration moves.
    """
    lie = (table.state != "pocketed").to_numpy()
    xy, v = (np.array(table[[*own]], np.float64) for own in (("x", "y"), ("vx", "vy")))
    v[lie] = correction.velocities(xy[lie], v[lie])
    xy[lie] = np.clip(correction.points(xy[lie]), 0.0, side)
    return table.assign(x=xy[:, 0], y=xy[:, 1], vx=v[:, 0], vy=v[:, 1])
