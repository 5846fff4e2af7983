"""What a filmed match truly was (`truth.json` beside a film), read strictly: the form is that of `models/scene/truth.py`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from models import log_form as form
from models.board import ICF, BoardSpec
from models.errors import BadInput
from models.files import read_bytes
from models.stroke import COLOURS, PIECES, POCKETS, SEATS, Piece, Placing, Pocketed, Stroke

Array = NDArray[np.float64]

MOST_BYTES: Final = 500_000_000
MOST_FRAMES: Final = 100_000_000
"""No film has more frames."""
MOST_DISCS: Final = 64
"""Of one sample."""


@dataclass(frozen=True)
class Sample:
    """Where the discs truly lie in one frame.

    Attributes
    ----------
    t : float
        Presentation time (s).
    hand : bool
        A hand or an arm shows over the board.
    ids, cls : tuple of str, length n
        Identities and classes.
    xy : ndarray, shape (n, 2)
        Centres (mm).
    """

    frame: int
    t: float
    hand: bool
    ids: tuple[str, ...]
    cls: tuple[Piece, ...]
    xy: Array


@dataclass(frozen=True)
class Truth:
    """A filmed match.

    Attributes
    ----------
    rate : float
        Frames a second.
    board : BoardSpec
        With its true side and radii.
    strokes : tuple of Stroke
        In order of time; each has `t`, `rest`, `striker`, `velocity`, and with what fell `pocketed_at`.
    boards : tuple of float
        When each board was ready to be played (s).
    """

    rate: float
    board: BoardSpec
    strokes: tuple[Stroke, ...]
    placings: tuple[Placing, ...]
    samples: tuple[Sample, ...]
    boards: tuple[float, ...] = (0.0,)


def read_truth(path: Path) -> Truth:
    """Read a film's truth.

    Raises
    ------
    BadInput
        If the file cannot be read or is no such truth; the line says where.
    """
    try:
        obj = json.loads(read_bytes(path, MOST_BYTES).decode("utf-8-sig"), parse_constant=form.no_constant)
        return parse_truth(obj)
    except BadInput as e:
        raise e if str(path) in str(e) else BadInput(f"{path}: {e}") from e
    except UnicodeDecodeError as e:
        raise BadInput(f"{path}: not a film's truth: it is not text in UTF-8") from e
    except json.JSONDecodeError as e:
        raise BadInput(f"{path}: not JSON: line {e.lineno}, column {e.colno}: {e.msg}") from e
    except (ValueError, RecursionError) as e:
        raise BadInput(f"{path}: not JSON: {e}") from e


def parse_truth(obj: object) -> Truth:
    """A truth's JSON value.

    Raises
    ------
    BadInput
        At the first thing that is not of the form.
    """
    if not isinstance(obj, dict) or not {"samples", "strokes"} <= obj.keys():
        raise BadInput("not a film's truth: it has no samples or no strokes")
    rate = _positive(obj, "fps", "truth")
    kit = _object(obj.get("equipment") or {}, "equipment")
    board = replace(
        ICF,
        side=_positive(obj, "side_mm", "truth"),
        piece_radius=_positive({"r_piece": ICF.piece_radius} | kit, "r_piece", "equipment"),
        striker_radius=_positive({"r_striker": ICF.striker_radius} | kit, "r_striker", "equipment"),
    )
    strokes = [_stroke(s, f"stroke {k}") for k, s in enumerate(form.listed(obj["strokes"], "strokes"), 1)]
    placings = [_placing(p, f"placement {k}") for k, p in enumerate(form.listed(obj.get("placements", []), "placements"), 1)]
    samples = [_sample(s, f"sample {k}") for k, s in enumerate(form.listed(obj["samples"], "samples"), 1)]
    if not samples:
        raise BadInput("samples: there is none")
    _ordered([s.t for s in samples], "samples")
    if any(b.frame <= a.frame for a, b in pairwise(samples)):
        raise BadInput("samples: their frames do not rise")
    _ordered([s.t or 0.0 for s in strokes], "strokes")
    boards = [_time(_object(b, f"board {k}"), "t", f"board {k}") for k, b in enumerate(form.listed(obj.get("boards", []), "boards"), 1)]
    _ordered(boards, "boards")
    return Truth(rate, board, tuple(strokes), tuple(placings), tuple(samples), tuple(boards) or (0.0,))


def _stroke(obj: object, where: str) -> Stroke:
    entry = _object(obj, where)
    fallen = tuple(_fallen(f, f"{where}: pocketed") for f in form.listed(form.needed(entry, "pocketed", where), f"{where}: pocketed"))
    touched = form.needed(entry, "touched", where)
    if not isinstance(touched, bool):
        raise BadInput(f"{where}: touched: {form.shown(touched)} is not true or false")
    t, rest = _time(entry, "t", where), _time(entry, "rest", where)
    if rest < t:
        raise BadInput(f"{where}: rest: {rest:g} s is before its release at {t:g} s")
    return Stroke(
        by=form.one_of(form.needed(entry, "by", where), SEATS, f"{where}: by", "seat"),
        pocketed=tuple(f.cls for f in fallen),
        touched=touched,
        t=t,
        rest=rest,
        striker=form.pair(entry, "striker", where),
        velocity=form.pair(entry, "velocity", where),
        pocketed_at=fallen,
    )


def _fallen(obj: object, where: str) -> Pocketed:
    entry = _object(obj, where)
    cls = form.one_of(form.needed(entry, "cls", where), PIECES, where, "piece")
    return Pocketed(cls, form.one_of(form.needed(entry, "pocket", where), POCKETS, where, "pocket"), _time(entry, "t", where))


def _placing(obj: object, where: str) -> Placing:
    entry = _object(obj, where)
    by = form.one_of(form.needed(entry, "by", where), SEATS, where, "seat")
    return Placing(by, (form.one_of(form.needed(entry, "cls", where), COLOURS, where, "piece"),), _time(entry, "t", where))


def _sample(obj: object, where: str) -> Sample:
    entry = _object(obj, where)
    discs = form.listed(form.needed(entry, "discs", where), f"{where}: discs")
    if len(discs) > MOST_DISCS:
        raise BadInput(f"{where}: {len(discs)} discs; there are no more than {MOST_DISCS}")
    for d in discs:
        if not isinstance(d, list) or len(d) != 4:
            raise BadInput(f"{where}: {form.shown(d)} is not a disc: identity, class, x, y")
    ids = tuple(form.text(d[0], where) for d in discs)
    if len(set(ids)) != len(ids):
        raise BadInput(f"{where}: an identity is there twice")
    return Sample(
        form.count(form.needed(entry, "frame", where), MOST_FRAMES, f"{where}: frame"),
        _time(entry, "t", where),
        bool(entry.get("hand", False)),
        ids,
        tuple(form.one_of(d[1], PIECES, where, "piece") for d in discs),
        np.array([[form.real(v, where) for v in d[2:]] for d in discs], np.float64).reshape(-1, 2),
    )


def _object(obj: object, where: str) -> dict[str, Any]:
    if not isinstance(obj, dict):
        raise BadInput(f"{where}: {form.shown(obj)} is not an object")
    return obj


def _time(entry: Mapping[str, Any], key: str, where: str) -> float:
    return form.real(form.needed(entry, key, where), f"{where}: {key}")


def _positive(entry: Mapping[str, Any], key: str, where: str) -> float:
    value = form.real(form.needed(entry, key, where), f"{where}: {key}")
    if value <= 0:
        raise BadInput(f"{where}: {key}: {value:g} is not above 0")
    return value


def _ordered(times: Sequence[float], where: str) -> None:
    if any(b < a for a, b in pairwise(times)):
        raise BadInput(f"{where}: they are not in order of time")
