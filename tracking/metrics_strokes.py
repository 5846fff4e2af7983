"""Whether the strokes' facts are right: who struck when, what was touched and what fell, and how sure that was said to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, degrees, dist, hypot
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from models.stroke import Placing, Stroke

REACH_S: Final = 1.0
"""A stroke found within so many seconds of a true one is that one."""
SURE: Final = 0.9
"""A stroke whose confidence is above is said to be right; one below is flagged for a person."""


@dataclass(frozen=True)
class Held:
    """A true stroke and what was found of it.

    Attributes
    ----------
    got : Stroke or None
    wrong : tuple of str
        What is wrong of the facts that a ruling rests on, one line each; empty where the stroke is wholly right.
    """

    number: int
    true: Stroke
    got: Stroke | None
    wrong: tuple[str, ...]


@dataclass(frozen=True)
class Strokes:
    """The true strokes, and those that were found where none was."""

    held: tuple[Held, ...]
    invented: tuple[Stroke, ...]

    @property
    def right(self) -> int:
        """Strokes that are wholly right."""
        return sum(not h.wrong for h in self.held)

    @property
    def board_right(self) -> bool:
        """All are right, and none is invented."""
        return self.right == len(self.held) and not self.invented


def hold(true: Sequence[Stroke], got: Sequence[Stroke]) -> Strokes:
    """Find to each true stroke the one found nearest in time, and compare them.

    A stroke is wholly right if its side, what fell (classes, in any order) and whether a piece was touched are.
    """
    apart = np.array([[abs((g.t if g.t is not None else np.inf) - (s.t or 0.0)) for g in got] for s in true]).reshape(len(true), len(got))
    i, j = linear_sum_assignment(np.where(apart < REACH_S, apart, 1e6))
    pairs = {int(a): int(b) for a, b in zip(i, j, strict=True) if apart[a, b] < REACH_S}
    held = []
    for k, s in enumerate(true):
        g = got[pairs[k]] if k in pairs else None
        held.append(Held(k + 1, s, g, ("not found",) if g is None else _differences(s, g)))
    return Strokes(tuple(held), tuple(g for k, g in enumerate(got) if k not in pairs.values()))


def figures(strokes: Sequence[Strokes]) -> dict[str, float]:
    """The figures over one film or several; shares and medians of nothing are NaN.

    `release_error_s`, `striker_error_mm`, `speed_error` (a share) and `direction_error_deg` are medians over the strokes
    found. `sure_right` is the share of right ones among those above `SURE`, invented strokes being wrong;
    `wrong_unflagged` counts the wrong and the invented ones that are not below it.
    """
    held = [h for s in strokes for h in s.held]
    both = [(h.true, h.got) for h in held if h.got is not None]
    invented = [g for s in strokes for g in s.invented]
    sure = [not h.wrong for h in held if h.got is not None and _confidence(h.got) > SURE] + [
        False for g in invented if _confidence(g) > SURE
    ]
    speeds = [(s.velocity, g.velocity) for s, g in both if s.velocity and g.velocity and hypot(*s.velocity)]
    return {
        "strokes": len(held),
        "strokes_found": len(both),
        "strokes_invented": len(invented),
        "strokes_right": sum(not h.wrong for h in held),
        "boards_right": sum(s.board_right for s in strokes),
        "side_right": sum(g.by == s.by for s, g in both),
        "pocketed_right": sum(Counter(g.pocketed) == Counter(s.pocketed) for s, g in both),
        "pockets_right": sum(_falls(g) == _falls(s) for s, g in both),
        "touched_right": sum(g.touched == s.touched for s, g in both),
        "release_error_s": _median([abs((g.t or 0.0) - (s.t or 0.0)) for s, g in both]),
        "striker_error_mm": _median([dist(g.striker, s.striker) for s, g in both if g.striker and s.striker]),
        "speed_error": _median([abs(hypot(*g) / hypot(*s) - 1) for s, g in speeds]),
        "direction_error_deg": _median([_angle(s, g) for s, g in speeds]),
        "velocity_told": len(speeds),
        "sure": len(sure),
        "sure_right": sum(sure) / len(sure) if sure else float("nan"),
        "wrong_unflagged": sum(bool(h.wrong) and h.got is not None and _confidence(h.got) >= SURE for h in held)
        + sum(_confidence(g) >= SURE for g in invented),
        "right_flagged": sum(not h.wrong and h.got is not None and _confidence(h.got) < SURE for h in held),
    }


def placings(true: Sequence[Placing], got: Sequence[Placing]) -> tuple[int, int, int]:
    """Pieces put back by hand: how many truly were, how many of them were found, how many were invented."""
    want, have = (Counter(c for p in events for c in p.pieces) for events in (true, got))
    return want.total(), (want & have).total(), (have - want).total()


def faults(strokes: Strokes) -> list[str]:
    """What is wrong, one line each, for people."""
    lines = [
        f"stroke {h.number} at {h.true.t or 0.0:.1f} s{'' if h.got is None else f' ({_confidence(h.got):.2f})'}: {', '.join(h.wrong)}"
        for h in strokes.held
        if h.wrong
    ]
    return lines + [f"stroke invented at {g.t or 0.0:.1f} s ({_confidence(g):.2f})" for g in strokes.invented]


def _differences(true: Stroke, got: Stroke) -> tuple[str, ...]:
    facts = (
        ("side", got.by, true.by),
        ("pocketed", sorted(got.pocketed), sorted(true.pocketed)),
        ("touched", got.touched, true.touched),
    )
    return tuple(f"{what} {mine} for {truly}" for what, mine, truly in facts if mine != truly)


def _confidence(stroke: Stroke) -> float:
    return 1.0 if stroke.confidence is None else stroke.confidence


def _falls(stroke: Stroke) -> Counter[tuple[str, str]]:
    return Counter((f.cls, f.pocket) for f in stroke.pocketed_at)


def _angle(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Between two directions (degrees)."""
    return abs(degrees(atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])))


def _median(values: Sequence[float]) -> float:
    return float(np.median(values)) if values else float("nan")
