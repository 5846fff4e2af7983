"""ByteTrack and OC-SORT of the PyPI package `trackers`, run over our detections with the settings that serve them best.

They get the same frames, the boxes in board millimetres. Both ask for overlapping boxes, which a fast disc's are not from one
frame to the next: the settings tried have generalised overlaps among them, which grade boxes that do not touch. As no tracker
of theirs keeps to classes, a setting runs one for each class: then pieces of two colours cannot be taken for each other.
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
OVERLAPS: Final = (("IoU", 0.1), ("IoU", 0.3), ("GIoU", -0.6), ("DIoU", -0.6))
"""Measures of overlap and the least that associates."""
SCORES: Final = (0.25, 0.5)
"""Least score of a detection that is tracked."""


@dataclass(frozen=True)
class Setting:
    """How a peer is run.

    Attributes
    ----------
    buffer : int
        Frames that a lost track is kept.
    overlap, least : str, float
        Measure of overlap and the least that associates.
    score : float
        Least score of a detection that is tracked.
    by_class : bool
        A tracker for each class.
    """

    buffer: int
    overlap: str
    least: float
    score: float
    by_class: bool

    def __str__(self) -> str:
        kept = f"lost tracks kept for {self.buffer} frames"
        return f"{self.overlap} from {self.least:g}, score from {self.score:g}, {kept}{', by class' if self.by_class else ''}"


def available() -> bool:
    """Whether the package is installed."""
    try:
        import trackers
    except ImportError:
        return False
    return bool(trackers)


def settings() -> Iterator[Setting]:
    """All settings that are tried."""
    for buffer, (overlap, least), score, by_class in product(BUFFERS, OVERLAPS, SCORES, (False, True)):
        yield Setting(buffer, overlap, least, score, by_class)


def tracked(peer: str, setting: Setting, frames: Sequence[Detections]) -> pd.DataFrame:
    """The trajectories that a peer makes of detections, with the columns of `trajectories.parquet` that it can tell.

    A track's class is the one that most of its sightings look like.
    """
    groups = range(len(PIECES)) if setting.by_class else (None,)
    trackers = [_tracker(peer, setting) for _ in groups]
    rows: list[tuple[int, float, str, float, float]] = []
    looks: dict[str, Counter[str]] = {}
    for det in frames:
        likely = det.prob.argmax(axis=1) if len(det) else np.zeros(0, int)
        for group, tracker in zip(groups, trackers, strict=True):
            own = np.flatnonzero((det.score >= min(setting.score, 0.1)) & ((likely == group) | (group is None)))
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
        "high_conf_det_threshold": setting.score,
        "iou": getattr(trackers, setting.overlap)(),
    }
    if peer == "ByteTrack":
        return trackers.ByteTrackTracker(track_activation_threshold=setting.score, **common)
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
