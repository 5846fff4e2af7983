"""Where pieces lie: from a review, from a film's truth, or from a list."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from models.errors import BadInput
from models.stroke import Piece

PIECE_CLASSES: Final = ("white", "black", "queen")
MOST: Final = 63
"""Pieces that the physics takes beside a striker."""
NO_LIST: Final = "is neither a review, a film's truth.json nor a list of pieces (cls, x, y)"


@dataclass(frozen=True)
class Places:
    """Classes, and centres in mm, shape (n, 2)."""

    classes: tuple[Piece, ...]
    places: NDArray[np.float64]


def read_places(path: Path, before: int | None) -> Places:
    """Where the pieces lie before stroke `before` (1 is the first; none: at the end).

    Parameters
    ----------
    path : Path
        A review's folder or its strokes.json, a film's truth.json, or pieces: CSV with the columns cls, x, y, or a JSON list of them.

    Raises
    ------
    BadInput
        If it is none of these, or has no such stroke.
    """
    if path.is_dir():
        path = path / "strokes.json"
    try:
        text = path.read_text(encoding="utf-8")
        data: Any = list(csv.DictReader(text.splitlines())) if path.suffix.lower() == ".csv" else json.loads(text)
    except OSError as e:
        raise BadInput(f"{path}: {e.strerror or 'cannot be read'}") from e
    except (ValueError, RecursionError) as e:
        raise BadInput(f"{path}: {NO_LIST}") from e
    try:
        if isinstance(data, list):
            if before is not None:
                raise BadInput(f"{path}: a list of pieces has no strokes: leave --before out")
            return _places(path, ((d["cls"], d["x"], d["y"]) for d in data))
        if "samples" in data:
            t = _moment(path, [float(s["t"]) for s in data["strokes"]], before)
            samples = [s for s in data["samples"] if s["t"] <= t] or data["samples"][:1]
            return _places(path, (d[1:4] for d in samples[-1]["discs"]))
        strokes = [e for b in data["boards"] for e in b["events"] if e["type"] == "stroke"]
        return _from_review(path, _moment(path, [float(s["t"]) for s in strokes], before))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as e:
        raise BadInput(f"{path}: {NO_LIST}") from e


def _moment(path: Path, times: list[float], before: int | None) -> float:
    if before is None:
        return float("inf")
    if not 1 <= before <= len(times):
        raise BadInput(f"{path}: no stroke {before}: it has {len(times)}")
    return times[before - 1]


def _from_review(path: Path, t: float) -> Places:
    import pandas as pd

    table = path.with_name("trajectories.parquet")
    try:
        rows = pd.read_parquet(table, engine="fastparquet", columns=["t", "cls", "x", "y", "state"])
    except Exception as e:  # fastparquet has no error of its own for a file that is none
        raise BadInput(f"{table}: has no trajectories that can be read; the positions are read from there") from e
    rows = rows[rows["t"] < t] if (rows["t"] < t).any() else rows
    last = rows[rows["t"] == rows["t"].max()]
    lying = last[~last["state"].isin(["pocketed", "off"]) & last["x"].notna()]
    return _places(path, zip(lying["cls"], lying["x"], lying["y"], strict=True))


def _places(path: Path, found: Iterable[Any]) -> Places:
    """Pieces without the striker, checked."""
    classes: list[Piece] = []
    places = []
    for cls, x, y in found:
        if cls == "striker":
            continue
        if cls not in PIECE_CLASSES:
            raise BadInput(f"{path}: no piece {cls!r}: want {', '.join(PIECE_CLASSES)}")
        place = float(x), float(y)
        if not all(isfinite(v) for v in place):
            raise BadInput(f"{path}: a {cls} at {place}: want millimetres")
        classes.append(cast(Piece, cls))
        places.append(place)
    if len(classes) > MOST:
        raise BadInput(f"{path}: {len(classes)} pieces: at most {MOST}")
    return Places(tuple(classes), np.array(places, np.float64).reshape(-1, 2))
