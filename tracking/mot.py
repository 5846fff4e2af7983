"""Tracks as MOTChallenge text, the form that other people's trackers and measures read and write.

A line is `frame,id,left,top,width,height,conf,x,y,z`, frames from 1. What is written is board millimetres: the box of a disc
is the square about its centre with its radius, on the playing surface as seen from straight above, origin at its upper left
corner; `conf` is 1 for what was seen and 0.5 for what was filled in; x, y and z are -1, as they are for every tracker that
follows boxes. What is read may be in millimetres or in pixels.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from models.board import BoardSpec
from models.errors import BadInput
from models.files import read_bytes, write_text
from tracking.metrics import Compared, Seen, clear, hota, identity
from tracking.metrics_output import GONE
from tracking.metrics_report import track_figures
from tracking.metrics_truth import Truth
from tracking.table import Row

SUFFIXES: Final = (".txt", ".csv")
"""Endings of the files' names."""
MOST_BYTES: Final = 500_000_000
LARGEST: Final = 1e9
FILLED: Final = 0.5
"""`conf` of a place that was not seen."""
FIELDS: Final = ("frame", "id", "left", "top", "width", "height", "conf")
"""What is read of a line; without `conf` it is 1."""
NAMES: Final = (*(f"{c}{k + 1}" for c in ("white", "black") for k in range(9)), "queen", "striker")
"""The cast in the order of the numbers that are written."""


@dataclass(frozen=True)
class MotTracks:
    """Tracks read from MOT text, one struct of arrays over n boxes, in order of their frames.

    Attributes
    ----------
    frame : ndarray of int, shape (n,)
        From 1.
    id : ndarray of str, shape (n,)
    xy : ndarray, shape (n, 2)
        Centres of the boxes.
    size : ndarray, shape (n,)
        Mean of width and height.
    """

    frame: np.ndarray
    id: np.ndarray
    xy: np.ndarray
    size: np.ndarray


def mot_text(rows: Iterable[Row], board: BoardSpec) -> str:
    """Trajectories as MOT text; pieces that are pocketed or off the board have no line.

    White pieces are 1 to 9, black ones 10 to 18, the queen is 19 and the striker 20 (`NAMES`).
    """
    number = {name: k for k, name in enumerate(NAMES, 1)}
    lines = []
    for row in rows:
        if row.state in GONE:
            continue
        r = board.striker_radius if row.cls == "striker" else board.piece_radius
        box = f"{row.x - r:.2f},{row.y - r:.2f},{2 * r:.2f},{2 * r:.2f}"
        lines.append(f"{row.frame + 1},{number[row.piece]},{box},{1 if row.observed else FILLED:g},-1,-1,-1\n")
    return "".join(lines)


def write_mot(path: Path, rows: Iterable[Row], board: BoardSpec) -> None:
    """Write trajectories as MOT text, see `mot_text`.

    Raises
    ------
    BadInput
        If the file cannot be written.
    """
    write_text(path, mot_text(rows, board))


def read_mot(path: Path) -> MotTracks:
    """Read MOT text. Boxes whose `conf` is 0 are left out: in a truth they mark what does not count.

    Raises
    ------
    BadInput
        If the file cannot be read or a line is not of the form; the line is named.
    """
    try:
        text = read_bytes(path, MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as e:
        raise BadInput(f"{path}: not MOT text: it is not text in UTF-8") from e
    values = [_fields(path, n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not values:
        raise BadInput(f"{path}: not MOT text: no line has a box")
    table = pd.DataFrame(values, columns=list(FIELDS))
    table = table[table["conf"] != 0].sort_values("frame", kind="stable")
    if not len(table):
        raise BadInput(f"{path}: no box counts: conf is 0 in every line")
    if table.duplicated(["frame", "id"]).any():
        first = table[table.duplicated(["frame", "id"])].iloc[0]
        raise BadInput(f"{path}: track {first['id']:.17g} has two boxes in frame {first['frame']:g}")
    a = {name: table[name].to_numpy(np.float64) for name in FIELDS}
    xy = np.c_[a["left"] + a["width"] / 2, a["top"] + a["height"] / 2]
    return MotTracks(a["frame"].astype(int), np.array([f"{v:.17g}" for v in a["id"]], str), xy, (a["width"] + a["height"]) / 2)


def table_of(tracks: MotTracks, truth: Truth) -> pd.DataFrame:
    """Tracks in board millimetres as `tracking.metrics_output.Output` takes them: their frames get the times that the truth has.

    Classes and states are not told by MOT text.
    """
    at, t = np.array([(s.frame + 1, s.t) for s in truth.samples], np.float64).T
    frame = tracks.frame.astype(np.float64)
    # Before the first sample and after the last one time goes on at the film's rate.
    beyond = np.minimum(frame - at[0], 0) + np.maximum(frame - at[-1], 0)
    times = np.interp(frame, at, t) + beyond / truth.rate
    return pd.DataFrame({"t": times, "piece": tracks.id, "cls": "", "x": tracks.xy[:, 0], "y": tracks.xy[:, 1]})


def tracks_of(table: pd.DataFrame, board: BoardSpec) -> MotTracks:
    """The rows of `trajectories.parquet` of what is on the board, as if they had been read from MOT text."""
    on = table[~table["state"].isin(GONE)].sort_values("frame", kind="stable")
    size = np.where(on["cls"] == "striker", 2 * board.striker_radius, 2 * board.piece_radius)
    return MotTracks(on["frame"].to_numpy(int) + 1, on["piece"].to_numpy(str), on[["x", "y"]].to_numpy(np.float64), size)


def compare(truth: MotTracks, tracks: MotTracks) -> dict[str, float]:
    """The figures that two MOT texts allow, over all frames that one of them has.

    The reach of the similarity is the median size of the truth's boxes, two radii of a piece.
    """
    frames = np.union1d(truth.frame, tracks.frame)
    both = Compared(_by_frame(truth, frames), _by_frame(tracks, frames), float(np.median(truth.size)))
    return track_figures([hota(both)], [identity(both)], [clear(both)])


def _by_frame(tracks: MotTracks, frames: np.ndarray) -> list[Seen]:
    order = np.argsort(tracks.frame, kind="stable")
    ends = np.searchsorted(tracks.frame[order], frames, side="right")
    begins = np.searchsorted(tracks.frame[order], frames, side="left")
    own = [order[a:b] for a, b in zip(begins, ends, strict=True)]
    return [Seen(tuple(tracks.id[k].tolist()), tracks.xy[k]) for k in own]


def _fields(path: Path, n: int, line: str) -> list[float]:
    try:
        values = [float(v) for v in line.split(",")[: len(FIELDS)]]
    except ValueError as e:
        raise BadInput(f"{path}: line {n} is not MOT text: numbers with commas between them ({','.join(FIELDS)},x,y,z)") from e
    if len(values) == len(FIELDS) - 1:
        values.append(1.0)
    if len(values) < len(FIELDS) or not all(abs(v) <= LARGEST for v in values):
        raise BadInput(f"{path}: line {n} is not MOT text: {','.join(FIELDS)},x,y,z, each a number up to {LARGEST:g}")
    if values[0] < 1 or values[0] != int(values[0]) or values[4] <= 0 or values[5] <= 0:
        raise BadInput(f"{path}: line {n} is not MOT text: frames are whole numbers from 1, widths and heights above 0")
    return values
