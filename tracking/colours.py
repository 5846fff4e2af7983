"""How surely the class of a piece is known from all its looks: blurred whites and blacks look alike, and so may an odd queen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from models.stroke import PIECES
from tracking.cast import Track
from tracking.follow_stroke import UNLIKELY

CLASS_NATS: Final = 3.0
"""Two pieces that might have changed classes at so little a cost (nats) may have."""
UNLIKE: Final = 0.05
"""A piece that looks less than this like its class is none that is known."""


def class_margin(track: Track, tracks: Sequence[Track]) -> float:
    """By how much less likely it is, as they looked, that a piece and one of another class changed classes (nats)."""
    own, least = PIECES.index(track.cls), np.inf
    for other in tracks:
        k = PIECES.index(other.cls)
        if "striker" not in (track.cls, other.cls) and k != own and track.shown.any() and other.shown.any():
            p, q = (np.log(np.maximum(t.shown / t.shown.sum(), UNLIKELY)) for t in (track, other))
            least = min(least, float(p[own] + q[k] - p[k] - q[own]))
    return least


def unlike(track: Track) -> bool:
    """Whether a piece does not look like what it must be, as a queen that is as black as the black pieces."""
    return track.cls != "striker" and bool(track.shown[PIECES.index(track.cls)] < UNLIKE * track.shown.sum())
