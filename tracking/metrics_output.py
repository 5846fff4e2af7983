"""What a tracker put out, at the moments at which the truth is known; and both as the measures of `tracking.metrics` take them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from models.errors import BadInput
from models.stroke import PIECES
from tracking.metrics import Compared, Seen, matched
from tracking.metrics_truth import Sample, Truth

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Names = NDArray[np.str_]
_T = TypeVar("_T")

COLUMNS: Final = ("t", "piece", "cls", "x", "y", "state")
"""Columns of `trajectories.parquet` that are held against the truth."""
GONE: Final = ("pocketed", "off")
"""States of a piece that is not on the board."""
STATES: Final = ("rest", "moving", "hidden", *GONE)
SAME_FRAME: Final = 0.6
"""A row is of the sample's own frame if its time differs by less (frames)."""
OVER_S: Final = 1.0
"""So long (s) after its last stroke's rest the samples of a board count that another follows: then hands lay it out anew."""


@dataclass(frozen=True)
class Shown:
    """All rows of one moment.

    Attributes
    ----------
    ids, cls : ndarray of str, shape (n,)
        `cls` is empty where the output tells none.
    xy : ndarray, shape (n, 2)
    on, pocketed : ndarray of bool, shape (n,)
        On the board; in a pocket.
    """

    ids: Names
    cls: Names
    xy: Array
    on: Mask
    pocketed: Mask


NOTHING: Final = Shown(np.array([], str), np.array([], str), np.zeros((0, 2)), np.zeros(0, bool), np.zeros(0, bool))


class Output:
    """The rows of `trajectories.parquet` by moment.

    Parameters
    ----------
    table : DataFrame
        With the columns `COLUMNS`; an empty class says that none is told, a table without the column `state` that pieces
        which are not there any more were pocketed or taken away.
    rate : float
        Frames a second of the film.

    Raises
    ------
    BadInput
        If a column is missing, a value is no number, class or state, or a piece is there twice at one time.
    """

    def __init__(self, table: pd.DataFrame, rate: float) -> None:
        table = _checked(table)
        self.tells_states = "state" in table.columns
        order = np.argsort(table["t"].to_numpy(np.float64), kind="stable")
        table = table.iloc[order]
        t = table["t"].to_numpy(np.float64)
        self.times, begin = np.unique(t, return_index=True)
        self._ends = np.append(begin, len(t))
        self._rate = rate
        state = table["state"].to_numpy(str) if self.tells_states else np.full(len(t), "rest")
        xy = np.c_[table["x"].to_numpy(np.float64), table["y"].to_numpy(np.float64)]
        self._all = Shown(
            table["piece"].to_numpy(str), table["cls"].to_numpy(str), xy, ~np.isin(state, GONE), np.asarray(state == "pocketed", bool)
        )

    def at(self, t: float) -> Shown:
        """The rows of the frame at `t`; where it was not looked at, the last rows before it stand: nothing moved since."""
        k = int(np.searchsorted(self.times, t))
        near = [i for i in (k - 1, k) if 0 <= i < len(self.times)]
        i = min(near, key=lambda i: abs(self.times[i] - t), default=-1)
        if i < 0 or abs(self.times[i] - t) >= SAME_FRAME / self._rate:
            i = k - 1
        if i < 0:
            return NOTHING
        own = slice(self._ends[i], self._ends[i + 1])
        a = self._all
        return Shown(a.ids[own], a.cls[own], a.xy[own], a.on[own], a.pocketed[own])


@dataclass(frozen=True)
class Pair:
    """One sample of the truth and what the output has then; only what counts (see `paired`)."""

    sample: Sample
    shown: Shown


def paired(truth: Truth, output: Output) -> tuple[Pair, ...]:
    """Truth and output at every sample that counts.

    While a hand shows between strokes the striker may be carried in it and does not count, on either side; pieces under a
    hand do. What is cleared away and laid out between two boards does not count.
    """
    return tuple(_without_carried(Pair(s, output.at(s.t)), truth) for s in truth.samples if not _between_boards(truth, s.t))


def compared(truth: Truth, pairs: Sequence[Pair], reach: float, *, states: bool = True) -> Compared:
    """Truth and output for `tracking.metrics`.

    An identity lasts from the rack to the pocket. Which of several pocketed pieces of a colour is put back nobody can see:
    a piece that is put back is a new identity, in the truth and where the output had it pocketed. The striker is one anew
    after every stroke, as it is taken up and put down by a hand; and every board's discs are. Of an output that tells no
    states, a track that is there again where such an identity begins is a new one too.
    """
    boards, strokes = list(truth.boards), _taken_up(truth)
    true, tracks = _Lives(), _Lives()
    ours: list[Seen] = []
    theirs: list[Seen] = []
    begun: set[str] = set()
    here: set[str] = set()
    for pair in pairs:
        s, shown = pair.sample, pair.shown
        board, stroke = bisect_right(boards, s.t), bisect_right(strokes, s.t)
        there = set(s.ids)
        true.fall(true.known - there)
        names = tuple(_name(i, c, board, stroke, true) for i, c in zip(s.ids, s.cls, strict=True))
        ours.append(Seen(names, s.xy))
        tracks.fall(set(shown.ids[shown.pocketed].tolist()))
        if not states:
            i, j, _ = matched(s.xy, shown.xy, reach)
            tracks.fall({str(shown.ids[b]) for a, b in zip(i, j, strict=True) if names[a] not in begun} - here)
        begun, here = begun | set(names), set(shown.ids.tolist())
        on = zip(shown.ids[shown.on].tolist(), shown.cls[shown.on].tolist(), strict=True)
        theirs.append(Seen(tuple(_name(i, c, board, stroke, tracks) for i, c in on), shown.xy[shown.on]))
    return Compared(ours, theirs, reach)


class _Lives:
    """How often each disc has come back on the board."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self._fallen: set[str] = set()
        self._lives: dict[str, int] = {}

    def fall(self, ids: set[str]) -> None:
        self._fallen |= ids

    def of(self, disc: str) -> int:
        self.known.add(disc)
        if disc in self._fallen:
            self._fallen.discard(disc)
            self._lives[disc] = self._lives.get(disc, 0) + 1
        return self._lives.get(disc, 0)


def _name(disc: str, cls: str, board: int, stroke: int, lives: _Lives) -> str:
    return f"{board} {disc} {stroke}" if cls == "striker" else f"{board} {disc} {lives.of(disc)}"


def _taken_up(truth: Truth) -> list[float]:
    """Between which strokes the striker changed hands: the middles between one's rest and the next one's release (s)."""
    s = truth.strokes
    return [((a.rest or 0.0) + (b.t or 0.0)) / 2 for a, b in pairwise(s)]


def _between_boards(truth: Truth, t: float) -> bool:
    k = bisect_right(truth.boards, t)
    if k == 0 or k == len(truth.boards):
        return k == 0 and len(truth.boards) > 1
    rests = [s.rest or 0.0 for s in truth.strokes if (s.t or 0.0) < truth.boards[k]]
    return bool(rests) and t > max(rests) + OVER_S


def in_stroke(truth: Truth, t: float) -> bool:
    """Whether a stroke is under way, from its release until all lies still."""
    k = bisect_right(truth.strokes, t, key=lambda s: s.t or 0.0)
    return k > 0 and t <= (truth.strokes[k - 1].rest or 0.0)


def _without_carried(pair: Pair, truth: Truth) -> Pair:
    s, shown = pair.sample, pair.shown
    if not s.hand or in_stroke(truth, s.t):
        return pair
    striker = np.array([c == "striker" for c in s.cls], bool)
    rest = ~striker
    spare = shown.cls == "striker"
    if striker.any() and shown.on.any():
        # An output that tells no classes has the striker too: the track that is no piece's and lies on it.
        on = np.flatnonzero(shown.on)
        _, taken, _ = matched(s.xy[rest], shown.xy[on], truth.board.piece_radius)
        left = np.delete(on, taken)
        spare[left[(np.hypot(*(shown.xy[left] - s.xy[striker][0]).T) < truth.board.striker_radius)]] = True
    kept = Sample(s.frame, s.t, s.hand, _where(s.ids, rest), _where(s.cls, rest), s.xy[rest])
    return Pair(kept, Shown(*(getattr(shown, f)[~spare] for f in ("ids", "cls", "xy", "on", "pocketed"))))


def _where(values: tuple[_T, ...], mask: Mask) -> tuple[_T, ...]:
    return tuple(v for v, keep in zip(values, mask, strict=True) if keep)


def _checked(table: pd.DataFrame) -> pd.DataFrame:
    for name in COLUMNS[:-1]:
        if name not in table.columns:
            raise BadInput(f"trajectories: the column {name} is missing")
    for name in ("t", "x", "y"):
        if not pd.api.types.is_numeric_dtype(table[name]) or not np.isfinite(table[name].to_numpy(np.float64)).all():
            raise BadInput(f"trajectories: the column {name} has something that is no number")
    table = table.assign(piece=table["piece"].astype(str), cls=table["cls"].astype(str))
    for name, known in (("cls", (*PIECES, "")), ("state", STATES)):
        if name in table.columns and not table[name].isin(known).all():
            odd = table[name][~table[name].isin(known)].iloc[0]
            raise BadInput(f"trajectories: {name} {str(odd)[:40]!r} is not one of {', '.join(k for k in known if k)}")
    if table.duplicated(["t", "piece"]).any():
        first = table[table.duplicated(["t", "piece"])].iloc[0]
        raise BadInput(f"trajectories: the piece {str(first['piece'])[:40]!r} is there twice at {float(first['t']):.3f} s")
    return table
