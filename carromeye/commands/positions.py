"""Where pieces lie: from a review, from a film's truth, from a picture's pieces, or from a list."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from models.errors import BadInput
from models.stroke import COLOURS, Piece

MOST: Final = 63
"""Pieces that the physics takes beside a striker."""
NO_LIST: Final = (
    "is neither a review's strokes.json, a film's truth.json, what `carromeye detect --json` prints, nor a list of pieces (cls, x, y)"
)
LYING: Final = ("rest", "hidden", "moving")
"""States of a trajectory's rows whose piece is on the board."""


@dataclass(frozen=True)
class Places:
    """Classes, and centres in mm, shape (n, 2)."""

    classes: tuple[Piece, ...]
    places: NDArray[np.float64]


def read_places(path: Path, before: int | None) -> Places:
    """Where the pieces lie before stroke `before` (1 is the first; none: at the end). Strikers are left out.

    Parameters
    ----------
    path : Path
        A review's folder or its strokes.json, a film's truth.json, what `carromeye detect --json` printed, or pieces as
        CSV with the columns cls, x, y or as a JSON list of the same.

    Raises
    ------
    BadInput
        If it is none of these, or has no such stroke.
    """
    if path.is_dir():
        path = path / "strokes.json"
    data = _read(path)
    try:
        if isinstance(data, list):
            return _places(path, ((d["cls"], d["x"], d["y"]) for d in _unmoving(path, data, before)))
        if "pieces" in data:
            return _places(path, ((d["cls"], d["x_mm"], d["y_mm"]) for d in _unmoving(path, data["pieces"], before)))
        if "samples" in data:
            t = _moment(path, data["strokes"], before)
            samples = [s for s in data["samples"] if s["t"] <= t] or data["samples"][:1]
            return _places(path, (d[1:4] for d in samples[-1]["discs"]))
        strokes = [e for b in data["boards"] for e in b["events"] if e["type"] == "stroke"]
        return _from_review(path, _moment(path, strokes, before))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as e:
        raise BadInput(f"{path}: {NO_LIST}") from e


def _read(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8-sig")
        return list(csv.DictReader(text.splitlines())) if path.suffix.lower() == ".csv" else json.loads(text)
    except OSError as e:
        raise BadInput(f"{path}: {e.strerror or 'cannot be read'}") from e
    except (ValueError, RecursionError, csv.Error) as e:
        raise BadInput(f"{path}: {NO_LIST}") from e


def _unmoving(path: Path, pieces: Sequence[Any], before: int | None) -> Sequence[Any]:
    if before is not None:
        raise BadInput(f"{path}: a list of pieces has no strokes: leave --before out")
    return pieces


def _moment(path: Path, strokes: Sequence[Mapping[str, Any]], before: int | None) -> float:
    """When stroke `before` was released (s)."""
    if before is None:
        return float("inf")
    if not 1 <= before <= len(strokes):
        raise BadInput(f"{path}: no stroke {before}: it has {len(strokes)}")
    t = strokes[before - 1].get("t")
    if t is None:
        raise BadInput(f"{path}: stroke {before} has no time t: a log written by hand has no positions, a review's has")
    return float(t)


def _from_review(path: Path, t: float) -> Places:
    """Every piece where it lay last before `t`; a piece already seen to move in that frame lies where it did before."""
    from fastparquet import ParquetFile

    table = path.with_name("trajectories.parquet")
    try:
        rows = ParquetFile(str(table)).to_pandas(columns=["t", "piece", "cls", "x", "y", "state"])
    except Exception as e:  # fastparquet has no error of its own for a file that is none
        raise BadInput(f"{table}: has no trajectories that can be read; the positions are read from there") from e
    rows = rows[rows["t"] < t] if (rows["t"] < t).any() else rows[rows["t"] == rows["t"].min()]
    last = rows[rows["t"] == rows["t"].max()]
    lying = last[last["state"].isin(LYING) & last["x"].notna()]
    still = rows[rows["state"] == "rest"].groupby("piece").last()
    found = []
    for piece, cls, x, y, state in zip(lying["piece"], lying["cls"], lying["x"], lying["y"], lying["state"], strict=True):
        if state == "moving" and isfinite(t) and piece in still.index:
            x, y = still.loc[piece, "x"], still.loc[piece, "y"]
        found.append((cls, x, y))
    return _places(path, found)


def _places(path: Path, found: Iterable[Any]) -> Places:
    """Pieces without the striker, checked."""
    classes: list[Piece] = []
    places = []
    for cls, x, y in found:
        if cls == "striker":
            continue
        if cls not in COLOURS:
            raise BadInput(f"{path}: no piece {str(cls)[:40]!r}: want {', '.join(COLOURS)}")
        place = float(x), float(y)
        if not all(isfinite(v) for v in place):
            raise BadInput(f"{path}: a {cls} at {place}: want millimetres")
        classes.append(cast(Piece, cls))
        places.append(place)
    if len(classes) > MOST:
        raise BadInput(f"{path}: {len(classes)} pieces: at most {MOST}")
    return Places(tuple(classes), np.array(places, np.float64).reshape(-1, 2))
