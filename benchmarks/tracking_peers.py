"""ByteTrack and OC-SORT of the PyPI package `trackers`, run over our detections with the settings that serve them best.

They get the same frames, the boxes in board millimetres. Both ask for overlapping boxes, which a fast disc's are not from one
frame to the next: the settings tried have a generalised overlap among them, which grades boxes that do not touch. Neither keeps
to classes: they are run as they are, and once more with a tracker for each class, so that pieces of two colours cannot be taken
for each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np
import pandas as pd

from models.detections import Detections
from models.stroke import PIECES

PEERS: Final = ("ByteTrack", "OC-SORT")
BUFFERS: Final = (30, 120)
"""Frames that a lost track is kept: their own default, and four seconds, as long as a hand may stay."""
OVERLAPS: Final = (("IoU", 0.1), ("GIoU", -0.6), ("GIoU", -0.9))
"""Measures of overlap and the least that associates; others were tried and are worse."""
SCORE: Final = 0.25
"""Least score of a detection that is tracked: what our tracker asks of a newcomer; with 0.5 they are worse."""
LOW_SCORE: Final = 0.1
"""Least score of a detection that ByteTrack may keep a track alive with (its second stage)."""


@dataclass(frozen=True)
class Setting:
    """How a peer is run.

    Attributes
    ----------
    buffer : int
        Frames that a lost track is kept.
    overlap, least : str, float
        Measure of overlap and the least that associates.
    """

    buffer: int
    overlap: str
    least: float

    def __str__(self) -> str:
        return f"{self.overlap} from {self.least:g}, lost tracks kept for {self.buffer} frames"


def available() -> bool:
    """Whether the package is installed."""
    try:
        import trackers
    except ImportError:
        return False
    return bool(trackers)


def settings() -> Iterator[Setting]:
    """All settings that are tried."""
    for buffer, (overlap, least) in product(BUFFERS, OVERLAPS):
        yield Setting(buffer, overlap, least)


def tracked(peer: str, setting: Setting, frames: Sequence[Detections], *, by_class: bool) -> pd.DataFrame:
    """The trajectories that a peer makes of detections, with the columns of `trajectories.parquet` that it can tell.

    A track's class is the one that most of its sightings look like. With `by_class` there is a tracker for each class.
    """
    groups = range(len(PIECES)) if by_class else (None,)
    trackers = [_tracker(peer, setting) for _ in groups]
    rows: list[tuple[int, float, str, float, float]] = []
    looks: dict[str, Counter[str]] = {}
    for det in frames:
        likely = det.prob.argmax(axis=1) if len(det) else np.zeros(0, int)
        for group, tracker in zip(groups, trackers, strict=True):
            own = np.flatnonzero((det.score >= LOW_SCORE) & ((likely == group) | (group is None)))
            for k, number in _update(tracker, det, own):
                name = f"{number}" if group is None else f"{PIECES[group]}{number}"
                rows.append((det.frame, det.t, name, float(det.x[k]), float(det.y[k])))
                looks.setdefault(name, Counter())[PIECES[likely[k]]] += 1
    table = pd.DataFrame(rows, columns=["frame", "t", "piece", "x", "y"])
    return table.assign(cls=table["piece"].map({name: c.most_common(1)[0][0] for name, c in looks.items()}).astype(str))


def _tracker(peer: str, setting: Setting) -> Any:
    import trackers

    common = {
        "lost_track_buffer": setting.buffer,
        "minimum_consecutive_frames": 1,
        "minimum_iou_threshold": setting.least,
        "high_conf_det_threshold": SCORE,
        "iou": getattr(trackers, setting.overlap)(),
    }
    if peer == "ByteTrack":
        return trackers.ByteTrackTracker(track_activation_threshold=SCORE, **common)
    return trackers.OCSORTTracker(**common)


def _update(tracker: Any, det: Detections, own: np.ndarray) -> Iterator[tuple[int, int]]:
    """Feed one frame; index and track of each detection that is tracked."""
    import supervision

    half = np.stack([det.w, det.h], axis=1)[own] / 2
    boxes = np.c_[det.xy[own] - half, det.xy[own] + half]
    given = supervision.Detections(xyxy=boxes, confidence=det.score[own], class_id=own.astype(int))
    out = tracker.update(given)
    if out.tracker_id is None or out.class_id is None:
        return
    for k, number in zip(out.class_id.tolist(), out.tracker_id.tolist(), strict=True):
        if number >= 0:
            yield k, number
