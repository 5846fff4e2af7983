"""Average precision of boxes, as COCO defines it."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.detector.run import iou

Boxes = NDArray[np.float64]

THRESHOLDS: Final = np.linspace(0.5, 0.95, 10)
"""Overlaps (intersection over union) over which mAP50-95 is averaged."""
RECALLS: Final = np.linspace(0, 1, 101)
"""Recalls at which precision is read."""
IGNORED: Final = -1
MISS: Final = 0
HIT: Final = 1


def covered(box: Boxes, by: Boxes) -> float:
    """The largest share of `box`, shape (4,), that one of the boxes `by`, shape (n, 4), covers; 0 if there are none."""
    if not len(by):
        return 0.0
    lo, hi = np.maximum(box[:2], by[:, :2]), np.minimum(box[2:], by[:, 2:])
    return float(np.clip(hi - lo, 0, None).prod(1).max() / max(float((box[2:] - box[:2]).prod()), 1e-9))


def verdicts(found: Boxes, truth: Boxes, ignored: Boxes) -> NDArray[np.int8]:
    """What each found box is at each of `THRESHOLDS`.

    Parameters
    ----------
    found : ndarray, shape (n, 4)
        Best first; each takes the true box left that it overlaps most.
    truth : ndarray, shape (m, 4)
    ignored : ndarray, shape (k, 4)
        What need not be found: a box that misses the truth and lies by half or more in one of these is not counted,
        as COCO has it for crowds.

    Returns
    -------
    ndarray, shape (n, 10)
        `HIT`, `MISS` or `IGNORED`.
    """
    out = np.zeros((len(found), len(THRESHOLDS)), np.int8)
    overlap = np.array([iou(box, truth) for box in found]).reshape(len(found), len(truth))
    spare = np.array([covered(box, ignored) >= 0.5 for box in found], bool)
    for k, threshold in enumerate(THRESHOLDS):
        free = np.ones(len(truth), bool)
        for i in range(len(found)):
            best = int(np.where(free, overlap[i], -1).argmax()) if free.any() else -1
            if best >= 0 and overlap[i, best] >= threshold:
                free[best] = False
                out[i, k] = HIT
            elif spare[i]:
                out[i, k] = IGNORED
    return out


def average_precision(score: NDArray[np.float64], verdict: NDArray[np.int8], true: int) -> NDArray[np.float64]:
    """Average precision at each threshold: the mean, over 101 recalls, of the best precision at that recall or a higher one.

    Source: Lin et al. 2014, Microsoft COCO; the 101 recalls are those of pycocotools.

    Parameters
    ----------
    score : ndarray, shape (n,)
        Scores of all found boxes of a class, over all pictures.
    verdict : ndarray, shape (n, t)
        Of `verdicts`.
    true : int
        How many there are to be found.

    Returns
    -------
    ndarray, shape (t,)
        0 to 1; NaN where there is nothing to be found.
    """
    out = np.full(verdict.shape[1], np.nan)
    if not true:
        return out
    order = np.argsort(-score, kind="stable")
    for k in range(verdict.shape[1]):
        v = verdict[order, k]
        hits = (v[v != IGNORED] == HIT).astype(np.float64)
        recall, precision = hits.cumsum() / true, hits.cumsum() / np.arange(1, len(hits) + 1)
        best = np.append(np.maximum.accumulate(precision[::-1])[::-1], 0.0)
        out[k] = best[np.searchsorted(recall, RECALLS - 1e-12)].mean()
    return out
