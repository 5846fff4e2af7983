"""How well tracks agree with the truth: the tracking community's measures, over discs whose places are known in millimetres.

Two discs agree by the distance of their centres, not by the overlap of boxes: the similarity is 1 - d / reach and 0
from `reach` on, with a reach of `REACH_RADII` radii of a piece. Two pieces that touch have then a similarity of 0 to each
other's place, and 0.5, which CLEAR and IDF1 ask for, is one radius. Classes play no part: a track of a wrong class that is in
its place agrees (`tracking.metrics_play` asks for classes).

Sources: HOTA, DetA, AssA, LocA: Luiten et al., "HOTA: A Higher Order Metric for Evaluating Multi-Object Tracking", IJCV
2021. IDF1: Ristani et al., "Performance Measures and a Data Set for Multi-Target, Multi-Camera Tracking", ECCVW 2016.
Identity switches and MOTA: Bernardin and Stiefelhagen, "Evaluating Multiple Object Tracking Performance: The CLEAR MOT
Metrics", 2008. Fragmentations: Milan et al., "MOT16", 2016.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

ALPHAS: Final = np.arange(1, 20) / 20
"""Localisation thresholds of HOTA: least similarities at which a pair counts as a detection."""
AGREES: Final = 0.5
"""Least similarity of a pair for IDF1 and CLEAR."""
REACH_RADII: Final = 2.0
"""Distance at which two centres have nothing to do with each other (radii of a piece)."""
_TINY: Final = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Seen:
    """What lies on the board at one moment, in truth or by a tracker.

    Attributes
    ----------
    ids : tuple of str, length n
        Identities, none twice.
    xy : ndarray, shape (n, 2)
        Centres (mm).
    """

    ids: tuple[str, ...]
    xy: Array


@dataclass(frozen=True)
class Hota:
    """HOTA and its parts. What several sequences give is added up, as TrackEval combines sequences.

    Attributes
    ----------
    found, every : ndarray, shape (19,)
        At each of `ALPHAS`: pairs; pairs, discs of the truth without a track and tracks without a disc together.
    association, closeness : ndarray, shape (19,)
        Sums over the pairs: how well their two identities go together (Jaccard index), and their similarity.
    """

    found: Array
    every: Array
    association: Array
    closeness: Array

    def __add__(self, other: Hota) -> Hota:
        return Hota(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def deta(self) -> Array:
        """Detection accuracy at each threshold, shape (19,)."""
        return _share(self.found, self.every)

    @property
    def assa(self) -> Array:
        """Association accuracy, shape (19,)."""
        return np.where(self.every > 0, _share(self.association, self.found, 0.0), 1.0)

    @property
    def loca(self) -> Array:
        """Localisation accuracy, shape (19,)."""
        return _share(self.closeness, self.found)

    @property
    def hota(self) -> Array:
        """HOTA, shape (19,)."""
        return np.asarray(np.sqrt(self.deta * self.assa), np.float64)

    def figures(self) -> dict[str, float]:
        """The means over the thresholds; `hota_50`: HOTA at a similarity of 0.5, one radius."""
        means = {name: float(getattr(self, name).mean()) for name in ("hota", "deta", "assa", "loca")}
        return means | {"hota_50": float(self.hota[ALPHAS.searchsorted(AGREES)])}


@dataclass(frozen=True)
class Identity:
    """IDF1's parts: sightings under the right identity, all of the truth, all that was tracked."""

    right: int
    true: int
    tracked: int

    def __add__(self, other: Identity) -> Identity:
        return Identity(self.right + other.right, self.true + other.true, self.tracked + other.tracked)

    @property
    def idf1(self) -> float:
        """Harmonic mean of identity recall and precision; 1 where there is nothing to track and nothing tracked."""
        n = self.true + self.tracked
        return 2 * self.right / n if n else 1.0


@dataclass(frozen=True)
class Switch:
    """At moment `at` the truth's disc `index` (of that moment's) is under another track than when it was last tracked."""

    at: int
    index: int


@dataclass(frozen=True)
class Clear:
    """CLEAR MOT.

    Attributes
    ----------
    found, missed, false : int
        Pairs, discs of the truth without a track, and tracks without a disc, over all moments.
    switches : tuple of Switch
    fragmentations : int
        Times that a disc is tracked again after it was not while it lay on the board.
    """

    found: int
    missed: int
    false: int
    switches: tuple[Switch, ...]
    fragmentations: int

    def __add__(self, other: Clear) -> Clear:
        return Clear(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def mota(self) -> float:
        """Tracking accuracy: 1 less the share of misses, false tracks and switches."""
        true = self.found + self.missed
        return 1 - (self.missed + self.false + len(self.switches)) / true if true else float(not self.false)


class Compared:
    """Truth and tracks side by side at the same moments, their identities numbered and their similarities known.

    Parameters
    ----------
    truth, tracks : sequence of Seen
        One of each for every moment.
    reach : float
        Distance (mm) from which on the similarity is 0.

    Raises
    ------
    ValueError
        If there are not as many of the one as of the other, or the reach is not above 0.
    """

    def __init__(self, truth: Sequence[Seen], tracks: Sequence[Seen], reach: float) -> None:
        if len(truth) != len(tracks) or not reach > 0:
            raise ValueError("truth and tracks must be of the same moments, and the reach above 0")
        self._size, self.rows = _numbered(truth)
        self._tracks, self.columns = _numbered(tracks)
        self.similarity = [_similarity(a.xy, b.xy, reach) for a, b in zip(truth, tracks, strict=True)]

    def __len__(self) -> int:
        return len(self.similarity)

    def lengths(self) -> tuple[Array, Array]:
        """At how many moments each identity of the truth, and each track, is there."""
        return _counts(self.rows, self._size), _counts(self.columns, self._tracks)


def hota(c: Compared) -> Hota:
    """Higher order tracking accuracy: detection and association weighed alike, over all thresholds of localisation.

    Pairs are assigned once for each moment, by similarity times how well the two identities go together over the whole
    sequence, as the authors' own implementation (TrackEval) does it.
    """
    ours, theirs = c.lengths()
    together = np.zeros((len(ours), len(theirs)))
    for rows, columns, s in zip(c.rows, c.columns, c.similarity, strict=True):
        union = s.sum(0)[None] + s.sum(1)[:, None] - s
        together[np.ix_(rows, columns)] += np.divide(s, union, out=np.zeros_like(s), where=union > _TINY)
    alignment = together / np.maximum(ours[:, None] + theirs[None] - together, _TINY)
    pairs = np.zeros((len(ALPHAS), len(ours), len(theirs)))
    found, closeness = np.zeros(len(ALPHAS)), np.zeros(len(ALPHAS))
    for rows, columns, s in zip(c.rows, c.columns, c.similarity, strict=True):
        i, j = linear_sum_assignment(-alignment[np.ix_(rows, columns)] * s)
        for a, alpha in enumerate(ALPHAS):
            good = s[i, j] >= alpha - _TINY
            pairs[a, rows[i[good]], columns[j[good]]] += 1
            found[a] += good.sum()
            closeness[a] += s[i[good], j[good]].sum()
    union = ours[None, :, None] + theirs[None, None] - pairs
    return Hota(found, ours.sum() + theirs.sum() - found, (pairs * pairs / np.maximum(union, 1)).sum((1, 2)), closeness)


def identity(c: Compared) -> Identity:
    """IDF1: every identity of the truth goes with one track at most, over the whole sequence, so that the most agrees."""
    ours, theirs = c.lengths()
    agree = np.zeros((len(ours), len(theirs)))
    for rows, columns, s in zip(c.rows, c.columns, c.similarity, strict=True):
        agree[np.ix_(rows, columns)] += s >= AGREES
    i, j = linear_sum_assignment(-agree)
    return Identity(int(agree[i, j].sum()), int(ours.sum()), int(theirs.sum()))


def clear(c: Compared) -> Clear:
    """CLEAR MOT: moment by moment, pairs of the moment before kept as long as they agree.

    A disc that leaves the truth for a while and comes back is no fragmentation; that one is counted only where it lay on
    the board untracked.
    """
    last: dict[int, int] = {}
    before: dict[int, int] = {}
    untracked: set[int] = set()
    switches: list[Switch] = []
    found = missed = false = fragments = 0
    for at, (rows, columns, s) in enumerate(zip(c.rows, c.columns, c.similarity, strict=True)):
        kept = np.array([before.get(int(r), -1) for r in rows], np.intp)[:, None] == columns[None]
        score = np.where(s >= AGREES - _TINY, s + 1000.0 * kept, 0.0)
        i, j = linear_sum_assignment(-score)
        good = score[i, j] > 0
        before = {}
        for index, k in zip(i[good].tolist(), columns[j[good]].tolist(), strict=True):
            r = int(rows[index])
            before[r] = k
            if last.get(r, k) != k:
                switches.append(Switch(at, index))
            if r in untracked:
                fragments += r in last
                untracked.discard(r)
        last |= before
        untracked |= {int(r) for r in rows} - before.keys()
        found, missed, false = found + len(before), missed + len(rows) - len(before), false + len(columns) - len(before)
    return Clear(found, missed, false, tuple(switches), fragments)


def matched(truth: Array, tracks: Array, within: float) -> tuple[Indices, Indices, Array]:
    """The pairs of two sets of centres that lie nearer than `within` mm to each other, as many as can be, near ones first.

    Parameters
    ----------
    truth, tracks : ndarray, shapes (n, 2) and (m, 2)

    Returns
    -------
    i, j : ndarray of int, shape (k,)
    distance : ndarray, shape (k,)
        Millimetres.
    """
    d = np.hypot(*(truth[:, None] - tracks[None]).transpose(2, 0, 1))
    i, j = linear_sum_assignment(np.where(d < within, d, 1e3 * within))
    i, j = i[d[i, j] < within], j[d[i, j] < within]
    return i, j, np.asarray(d[i, j], np.float64)


def _share(part: Array, whole: Array, of_nothing: float = 1.0) -> Array:
    return np.asarray(np.where(whole > 0, part / np.maximum(whole, _TINY), of_nothing), np.float64)


def _numbered(frames: Sequence[Seen]) -> tuple[int, list[Indices]]:
    number: dict[str, int] = {}
    rows = [np.array([number.setdefault(name, len(number)) for name in f.ids], np.intp) for f in frames]
    return len(number), rows


def _counts(rows: Sequence[Indices], n: int) -> Array:
    return np.bincount(np.concatenate(rows), minlength=n).astype(np.float64) if rows else np.zeros(n)


def _similarity(a: Array, b: Array, reach: float) -> Array:
    return np.asarray(np.maximum(1 - np.hypot(*(a[:, None] - b[None]).transpose(2, 0, 1)) / reach, 0.0), np.float64)
