"""The trajectories as rows: one per piece and processed frame (the columns of trajectories.parquet)."""

from __future__ import annotations

from dataclasses import dataclass

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
