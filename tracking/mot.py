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
from models.stroke import FULL_SET, PIECES
from tracking.table import Row

MOST_BYTES: Final = 500_000_000
LARGEST: Final = 1e9
FILLED: Final = 0.5
"""`conf` of a place that was not seen."""
FIELDS: Final = ("frame", "id", "left", "top", "width", "height", "conf")
"""What is read of a line; without `conf` it is 1."""
GONE: Final = ("pocketed", "off")


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

    White pieces are 1 to 9, black ones 10 to 18, the queen is 19 and the striker 20.
    """
    names = [c if n == 1 else f"{c}{k}" for c in PIECES for n in (FULL_SET.get(c, 1),) for k in range(1, n + 1)]  # type: ignore[call-overload]
    number = {name: k for k, name in enumerate(names, 1)}
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
    if table.duplicated(["frame", "id"]).any():
        first = table[table.duplicated(["frame", "id"])].iloc[0]
        raise BadInput(f"{path}: track {first['id']:g} has two boxes in frame {first['frame']:g}")
    a = {name: table[name].to_numpy(np.float64) for name in FIELDS}
    xy = np.c_[a["left"] + a["width"] / 2, a["top"] + a["height"] / 2]
    return MotTracks(a["frame"].astype(int), np.array([f"{v:g}" for v in a["id"]], str), xy, (a["width"] + a["height"]) / 2)


def _fields(path: Path, n: int, line: str) -> list[float]:
    try:
        values = [float(v) for v in line.split(",")[: len(FIELDS)]]
    except ValueError as e:
        raise BadInput(f"{path}: line {n} is not MOT text: numbers with commas between them ({','.join(FIELDS)},x,y,z)") from e
    if len(values) == len(FIELDS) - 1:
        values.append(1.0)
    if len(values) < len(FIELDS) or not all(abs(v) <= LARGEST for v in values):
        raise BadInput(f"{path}: line {n} is not MOT text: {','.join(FIELDS)},x,y,z, each a number up to {LARGEST:g}")
    if values[0] < 1 or values[0] != int(values[0]) or values[4] < 0 or values[5] < 0:
        raise BadInput(f"{path}: line {n} is not MOT text: frames are whole numbers from 1, widths and heights not below 0")
    return values
