"""Whether the pieces are where they truly are, in the two measures that count for a board game, and a few that explain them.

The measures are those of Hamer's snooker tracker (University of Amsterdam, 2019): the share of the pieces that are right
just before each stroke, and the share of the ways of moved pieces that are right.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from models.stroke import Pocketed, Stroke
from tracking.kalman import DECELERATION
from tracking.metrics import Array, Clear, matched
from tracking.metrics_output import Output, Pair, Shown
from tracking.metrics_truth import Sample, Truth

WITHIN_MM: Final = 10.0
"""A piece is where it should be if its centre is nearer than this (mm)."""
MOVED_MM: Final = 5.0
"""A piece that ends up further than this from where it lay was moved by the stroke (mm)."""
CONTACT_S: Final = 0.35
"""A switch of identities within so long after a contact (s) is laid to it."""
START: Final = 20.0
"""A disc that lay still and has at least this speed (mm/s) was struck."""
JERK: Final = 150.0
"""One in motion was if its velocity changes by so much (mm/s) more than friction explains."""


@dataclass(frozen=True)
class Places:
    """How the places agree over all samples: pairs within `WITHIN_MM`, and how many of them are of the right class.

    Attributes
    ----------
    found, missed, false, right_class, classed : int
        `classed` are the pairs of which the output tells a class.
    errors : ndarray, shape (found,)
        Distances of the centres (mm).
    """

    found: int
    missed: int
    false: int
    right_class: int
    classed: int
    errors: Array


@dataclass(frozen=True)
class Settled:
    """One board just before a stroke, or at its end.

    Attributes
    ----------
    t : float
        Time of the sample (s).
    end : bool
        After the board's last stroke.
    pieces, right, extra : int
        Pieces on the board (the striker is none), those that the output has within `WITHIN_MM` in the right class, and those
        that it has too many.
    """

    t: float
    end: bool
    pieces: int
    right: int
    extra: int

    @property
    def whole(self) -> bool:
        """Everything is right."""
        return self.right == self.pieces and not self.extra


@dataclass(frozen=True)
class Way:
    """How a disc was moved by a stroke, and what is wrong with the output's way of it.

    Attributes
    ----------
    stroke : int
        Number of the stroke, from 1.
    id, cls : str
        The truth's.
    wrong : str
        Empty if all is right, else the first that is wrong: `before` (no piece there before the stroke), `class`, `lost` or
        `identity` (at rest after it no piece, or another one, is there), `pocketed` (it fell, but is not said to have),
        `pocket`, `fell` (it did not, but is said to have), `path` (more than `WITHIN_MM` off on the way).
    t : float
        When (s).
    off : float
        The largest distance on the way while it can be told (mm).
    """

    stroke: int
    id: str
    cls: str
    wrong: str
    t: float
    off: float


def places(pairs: Sequence[Pair]) -> Places:
    """How places and classes agree over all samples."""
    found = missed = false = right = classed = 0
    errors = []
    for pair in pairs:
        s, on = pair.sample, np.flatnonzero(pair.shown.on)
        i, j, d = matched(s.xy, pair.shown.xy[on], WITHIN_MM)
        cls = pair.shown.cls[on][j]
        found, missed, false = found + len(i), missed + len(s.ids) - len(i), false + len(on) - len(j)
        right += int((cls == np.array(s.cls, str)[i]).sum())
        classed += int((cls != "").sum())
        errors.append(d)
    return Places(found, missed, false, right, classed, np.concatenate(errors) if errors else np.zeros(0))


def settled(truth: Truth, output: Output) -> tuple[Settled, ...]:
    """The boards before each stroke, in the last sample before its release, and after the last stroke of each board."""
    out = []
    for k, stroke in enumerate(truth.strokes):
        out.append(_settled(_before(truth, stroke), output, end=False))
        last = k + 1 == len(truth.strokes) or _board(truth, truth.strokes[k + 1]) != _board(truth, stroke)
        after = _after(truth, stroke)
        if last and after is not None:
            out.append(_settled(after, output, end=True))
    return tuple(out)


def ways(truth: Truth, output: Output) -> tuple[Way, ...]:
    """The way of every disc that each stroke moved: by more than `MOVED_MM`, or off the board; the striker's too.

    A way is right if the class is, if the disc lies under one track before and after, or is said to be pocketed where it
    fell, and if that track is within `WITHIN_MM` of it in every sample in between while it is on the board.
    """
    out = []
    for n, stroke in enumerate(truth.strokes, 1):
        before, after = _before(truth, stroke), _after(truth, stroke)
        if after is None:
            continue  # the film ends before the board lies still
        during = [s for s in truth.samples if (stroke.t or 0.0) <= s.t <= (stroke.rest or 0.0)]
        falls = dict(_falls(truth, stroke, [before, *during, after]))
        for disc in moved(before, after):
            out.append(_way(n, disc, (before, during, after), falls.get(disc), output, truth))
    return tuple(out)


def moved(before: Sample, after: Sample) -> list[str]:
    """Identities of the discs that lie elsewhere afterwards, or nowhere."""
    at = dict(zip(after.ids, after.xy, strict=True))
    return [i for i, xy in zip(before.ids, before.xy, strict=True) if i not in at or np.hypot(*(at[i] - xy)) > MOVED_MM]


def switches_at_contacts(pairs: Sequence[Pair], clear: Clear) -> int:
    """How many switches of identities fall within `CONTACT_S` after a contact of the disc that they befall.

    A contact, with a disc or a cushion, is where a disc starts to move (`START`) or changes its velocity from one sample to
    the next (`JERK`).
    """
    found = 0
    for switch in clear.switches:
        t, disc = pairs[switch.at].sample.t, pairs[switch.at].sample.ids[switch.index]
        found += any(c <= t <= c + CONTACT_S for c in _contacts(pairs, disc, t - 2 * CONTACT_S, t))
    return found


def _contacts(pairs: Sequence[Pair], disc: str, since: float, until: float) -> Iterator[float]:
    """Times (s) of a disc's contacts: of the first sample after which its velocity is another."""
    at = [(p.sample.t, p.sample.xy[p.sample.ids.index(disc)]) for p in pairs if since <= p.sample.t <= until and disc in p.sample.ids]
    v = [((a[0] + b[0]) / 2, a[0], (b[1] - a[1]) / max(b[0] - a[0], 1e-3)) for a, b in pairwise(at)]
    for (t0, _, v0), (t1, begin, v1) in pairwise(v):
        if np.hypot(*(v1 - v0)) > (DECELERATION * (t1 - t0) + JERK if v0.any() else START):
            yield begin


def _settled(sample: Sample, output: Output, *, end: bool) -> Settled:
    shown, piece = output.at(sample.t), np.array(sample.cls, str) != "striker"
    on = np.flatnonzero(shown.on)
    i, j, _ = matched(sample.xy, shown.xy[on], WITHIN_MM)
    told = shown.cls[on][j]
    right = piece[i] & ((told == np.array(sample.cls, str)[i]) | (told == ""))
    extra = np.delete(shown.cls[on], j) != "striker"
    return Settled(sample.t, end, int(piece.sum()), int(right.sum()), int(extra.sum()))


def _way(n: int, disc: str, samples: tuple[Sample, list[Sample], Sample], fall: Pocketed | None, output: Output, truth: Truth) -> Way:
    before, during, after = samples
    k = before.ids.index(disc)
    cls = before.cls[k]
    track, told = _track_at(output.at(before.t), before, disc)
    if track is None:
        return Way(n, disc, cls, "before", before.t, float("nan"))
    if told not in (cls, ""):
        return Way(n, disc, cls, "class", before.t, float("nan"))
    off, worst = 0.0, before.t
    for s in during:
        if disc in s.ids:
            falling = fall is not None and fall.t - s.t < 1 / truth.rate
            d = _distance(output.at(s.t), track, s.xy[s.ids.index(disc)], falling=falling)
            off, worst = max((off, worst), (d, s.t))
    wrong = _wrong_end(disc, track, fall, after, output, truth)
    if wrong:
        return Way(n, disc, cls, wrong, after.t, off)
    return Way(n, disc, cls, "path" if off >= WITHIN_MM else "", worst, off)


def _wrong_end(disc: str, track: str, fall: Pocketed | None, after: Sample, output: Output, truth: Truth) -> str:
    # when a disc fell is known to a frame
    shown = output.at(after.t if fall is None else max(after.t, fall.t + 1 / truth.rate))
    own = np.flatnonzero(shown.ids == track)
    if disc in after.ids:
        if len(own) and shown.pocketed[own[0]]:
            return "fell"
        found, _ = _track_at(shown, after, disc)
        return "" if found == track else "lost" if found is None else "identity"
    if not output.tells_states or fall is None:
        return "pocketed" if len(own) and shown.on[own[0]] else ""
    if not len(own) or not shown.pocketed[own[0]]:
        return "pocketed"
    return "" if truth.board.nearest_pocket(*shown.xy[own[0]].tolist())[0] == fall.pocket else "pocket"


def _track_at(shown: Shown, sample: Sample, disc: str) -> tuple[str | None, str]:
    """The track on a disc of the truth and its class; None without one."""
    on = np.flatnonzero(shown.on)
    i, j, _ = matched(sample.xy, shown.xy[on], WITHIN_MM)
    own = np.flatnonzero(i == sample.ids.index(disc))
    return (str(shown.ids[on[j[own[0]]]]), str(shown.cls[on[j[own[0]]]])) if len(own) else (None, "")


def _distance(shown: Shown, track: str, xy: Array, *, falling: bool) -> float:
    """How far off a track is; when a disc fell is known to a frame, and one that is `falling` may be said to have."""
    own = np.flatnonzero((shown.ids == track) & (shown.on | shown.pocketed))
    if falling and len(own) and shown.pocketed[own[0]]:
        return 0.0
    return float(np.hypot(*(shown.xy[own[0]] - xy))) if len(own) else float("inf")


def _falls(truth: Truth, stroke: Stroke, samples: Sequence[Sample]) -> list[tuple[str, Pocketed]]:
    """Which disc fell into which pocket: the truth names classes only, so by when and where each was last seen."""
    last = {i: (s.t, xy, c) for s in samples for i, c, xy in zip(s.ids, s.cls, s.xy, strict=True)}
    gone = [i for i in last if i not in samples[-1].ids]
    if not gone or not stroke.pocketed_at:
        return []
    pockets = truth.board.pockets()
    cost = np.full((len(gone), len(stroke.pocketed_at)), 1e9)
    for a, disc in enumerate(gone):
        t, xy, cls = last[disc]
        for b, fall in enumerate(stroke.pocketed_at):
            if fall.cls == cls:
                # Seconds weigh as what a disc slides in them.
                cost[a, b] = np.hypot(*(xy - pockets[fall.pocket])) + 1000 * abs(fall.t - t)
    rows, columns = linear_sum_assignment(cost)
    return [(gone[a], stroke.pocketed_at[b]) for a, b in zip(rows, columns, strict=True) if cost[a, b] < 1e9]


def _before(truth: Truth, stroke: Stroke) -> Sample:
    k = bisect_right(truth.samples, stroke.t or 0.0, key=lambda s: s.t)
    return truth.samples[max(k - 1, 0)]


def _after(truth: Truth, stroke: Stroke) -> Sample | None:
    k = bisect_right(truth.samples, stroke.rest or 0.0, key=lambda s: s.t)
    return truth.samples[k] if k < len(truth.samples) else None


def _board(truth: Truth, stroke: Stroke) -> int:
    return bisect_right(truth.boards, stroke.t or 0.0)
