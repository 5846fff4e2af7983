"""How good an exported network is: what it finds, misses and invents on boards whose truth is known.

Counted is what lies on the playing surface; pockets and frame are masked by whoever runs the network. A disc that is
hidden by more than half need not be found (see `models.detector.examples`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.detector.average_precision import HIT, IGNORED, MISS, THRESHOLDS, average_precision, verdicts
from models.detector.contract import CLASSES, DISC, HAND
from models.detector.examples import Boxes, Example, on_surface, px_per_mm
from models.detector.run import SCORE, Found, Network, iou

LEAST_SCORE: Final = 0.005
"""Boxes that score less have no part in average precision."""
ALL: Final = (*CLASSES, "background")
"""Rows and columns of the confusion."""


@dataclass(frozen=True)
class Outcome:
    """What became of one example.

    Attributes
    ----------
    example : Example
        Without its picture, so that many can be kept.
    found : Found
        Everything on the playing surface down to `LEAST_SCORE`, and hands.
    verdict : ndarray, shape (n, 10)
        Of each found box at each overlap, against the truth of its own class.
    pairs : tuple of (int, int)
        Found discs that score `SCORE` or more (indices into `found`) with the disc that each is.
    missed : tuple of int
        Indices of the example's discs that none was paired with.
    invented : tuple of int
        Indices into `found` of discs that are none, at `SCORE` or more.
    errors_mm : ndarray, shape (pairs,)
        Distance of the centres.
    confusion : ndarray, shape (3, 3)
        Counts; true class down, found class across, in the order of `ALL`.
    beyond : int
        Discs found off the playing surface or in pockets.
    """

    example: Example
    found: Found
    verdict: NDArray[np.int8]
    pairs: tuple[tuple[int, int], ...]
    missed: tuple[int, ...]
    invented: tuple[int, ...]
    errors_mm: NDArray[np.float64]
    confusion: NDArray[np.int64]
    beyond: int


def outcome(found: Found, example: Example) -> Outcome:
    """Hold what a network found, down to `LEAST_SCORE`, against the truth."""
    scale = px_per_mm(example.picture)
    keep = (found.cls != DISC) | on_surface(found.boxes, scale)
    beyond = int((~keep & (found.score >= SCORE)).sum())
    found = Found(found.boxes[keep], found.cls[keep], found.score[keep])
    verdict = np.zeros((len(found.cls), len(THRESHOLDS)), np.int8)
    none = np.zeros((0, 4))
    for cls, truth, spare in ((DISC, example.discs, example.spare), (HAND, example.hands, none)):
        own = found.cls == cls
        verdict[own] = verdicts(found.boxes[own], truth, spare)
    sure = np.flatnonzero((found.cls == DISC) & (found.score >= SCORE))
    matched = pair(found.boxes[sure], example.discs)
    pairs = tuple((int(sure[i]), j) for i, j in matched)
    taken = {j for _, j in pairs}
    centres = [(found.boxes[i, :2] + found.boxes[i, 2:] - example.discs[j, :2] - example.discs[j, 2:]) / 2 for i, j in pairs]
    return Outcome(
        example=replace(example, picture=example.picture[:0].copy()), found=found, verdict=verdict, pairs=pairs,
        missed=tuple(j for j in range(len(example.discs)) if j not in taken),
        invented=tuple(int(i) for i in sure if verdict[i, 0] == MISS),
        errors_mm=np.linalg.norm(np.array(centres).reshape(-1, 2), axis=1) / scale,
        confusion=_confusion(found, example), beyond=beyond,
    )  # fmt: skip


def pair(found: Boxes, truth: Boxes, threshold: float = float(THRESHOLDS[0])) -> list[tuple[int, int]]:
    """Pairs (found, true) of boxes that overlap by `threshold` or more; `found` is best first, each used once."""
    free, out = list(range(len(truth))), []
    for i, box in enumerate(found):
        if not free:
            break
        overlap = iou(box, truth[free])
        k = int(overlap.argmax())
        if overlap[k] >= threshold:
            out.append((i, free.pop(k)))
    return out


def _confusion(found: Found, example: Example) -> NDArray[np.int64]:
    """Boxes of any class paired by place; what is spared has no part."""
    truth = np.concatenate([example.discs, example.hands])
    cls = np.repeat([DISC, HAND], [len(example.discs), len(example.hands)])
    sure = np.flatnonzero(found.score >= SCORE)
    out = np.zeros((3, 3), np.int64)
    pairs = pair(found.boxes[sure], truth)
    for i, j in pairs:
        out[cls[j], found.cls[sure[i]]] += 1
    for j in set(range(len(truth))) - {j for _, j in pairs}:
        out[cls[j], 2] += 1
    for i in set(range(len(sure))) - {i for i, _ in pairs}:
        if verdicts(found.boxes[sure[i]][None], truth[:0], example.spare)[0, 0] != IGNORED:
            out[2, found.cls[sure[i]]] += 1
    return out


def outcomes(network: Network, examples: Iterable[Example], done: Callable[[int], None] = lambda _: None) -> list[Outcome]:
    """Run the network over examples; `done` is told how many have been looked at."""
    out = []
    for number, example in enumerate(examples, 1):
        out.append(outcome(network(example.picture, score=LEAST_SCORE), example))
        done(number)
    return out


def figures(of: Sequence[Outcome]) -> dict[str, float]:
    """The figures of some boards; NaN where there was nothing to measure.

    Returns
    -------
    dict
        Recall and precision at a score of `SCORE` and an overlap of 0.5, centre errors in mm, counts, and average
        precision over all scores. ``rest`` are the discs of pictures in which nothing moves, ``moving`` all those of
        the others, ``streak`` the discs that move themselves.
    """
    rest, moving = [o for o in of if o.example.rest], [o for o in of if not o.example.rest]
    streaks = [bool(o.example.moving[j]) for o in of for j in range(len(o.example.discs))]
    found_streaks = [(o.example.moving[j], e) for o in of for (_, j), e in zip(o.pairs, o.errors_mm, strict=True)]
    hits = sum(bool(m) for m, _ in found_streaks)
    empty = [o for o in of if not len(o.example.discs) and not len(o.example.spare)]
    ap = [_ap(of, cls) for cls in (DISC, HAND)]
    known = np.array([a for a in ap if not np.isnan(a).any()]).reshape(-1, len(THRESHOLDS))
    hand = sum((o.confusion[HAND] for o in of), np.zeros(3, np.int64))
    hand_hits, hand_found = _at_score(of, HAND)
    return {
        "boards": len(of),
        **_discs("rest", rest),
        **_discs("moving", moving),
        "streaks": sum(streaks),
        "streak_recall": hits / sum(streaks) if any(streaks) else np.nan,
        "streak_error_mm": _quantile([e for m, e in found_streaks if m], 50),
        **_discs("disc", of),
        "masked_per_board": sum(o.beyond for o in of) / max(1, len(of)),
        "hands": int(hand.sum()),
        "hand_recall": hand_hits / hand.sum() if hand.sum() else np.nan,
        "hand_precision": hand_hits / hand_found if hand_found else np.nan,
        "empty_boards": len(empty),
        "invented_per_empty_board": sum(len(o.invented) for o in empty) / len(empty) if empty else np.nan,
        "disc_ap50": float(ap[DISC][0]),
        "hand_ap50": float(ap[HAND][0]),
        "map50": float(known[:, 0].mean()) if len(known) else np.nan,
        "map50_95": float(known.mean()) if len(known) else np.nan,
    }


def _discs(name: str, of: Sequence[Outcome]) -> dict[str, float]:
    true, hits, invented = sum(len(o.example.discs) for o in of), sum(len(o.pairs) for o in of), sum(len(o.invented) for o in of)
    errors = [float(e) for o in of for e in o.errors_mm]
    return {
        name: true,
        f"{name}_recall": hits / true if true else np.nan,
        f"{name}_precision": hits / (hits + invented) if hits + invented else np.nan,
        f"{name}_error_mm": _quantile(errors, 50),
        f"{name}_error_p95_mm": _quantile(errors, 95),
    }


def _at_score(of: Sequence[Outcome], cls: int) -> tuple[int, int]:
    """How many boxes of a class at `SCORE` or more are right, and how many there are."""
    sure = [o.verdict[(o.found.cls == cls) & (o.found.score >= SCORE), 0] for o in of]
    return sum(int((v == HIT).sum()) for v in sure), sum(int((v != IGNORED).sum()) for v in sure)


def _ap(of: Sequence[Outcome], cls: int) -> NDArray[np.float64]:
    own = [o.found.cls == cls for o in of]
    score = np.concatenate([np.zeros(0), *(o.found.score[k] for o, k in zip(of, own, strict=True))])
    verdict = np.concatenate([np.zeros((0, len(THRESHOLDS)), np.int8), *(o.verdict[k] for o, k in zip(of, own, strict=True))])
    return average_precision(score, verdict, sum(len(o.example.discs if cls == DISC else o.example.hands) for o in of))


def _quantile(values: Sequence[float], percent: float) -> float:
    return float(np.percentile(values, percent)) if len(values) else np.nan


def by_condition(of: Sequence[Outcome]) -> dict[str, dict[str, dict[str, float]]]:
    """`figures` of the boards under each value of each condition."""
    names = sorted({(k, v) for o in of for k, v in o.example.conditions.items()})
    out: dict[str, dict[str, dict[str, float]]] = {}
    for k, v in names:
        out.setdefault(k, {})[v] = figures([o for o in of if o.example.conditions.get(k) == v])
    return out


def evaluate(network: Network, examples: Iterable[Example]) -> dict[str, float]:
    """`figures` of a network over examples, such as `models.detector.examples.unseen`'s."""
    return figures(outcomes(network, examples))
