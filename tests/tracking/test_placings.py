"""Which of the discs that come to light were put back on the board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from models.detections import Detections
from models.stroke import Piece, Placing, Stroke
from tests.tracking.scenes import Scene, events_of

PIECES: tuple[tuple[Piece, float, float], ...] = (("white", 600, 140), ("white", 250, 250), ("black", 300, 200), ("queen", 370, 300))
"""The first lies on the way from the west end of the south's base line to the north-east pocket."""


def seen_at(at: tuple[float, float], score: float, frames: Iterator[Detections]) -> Iterator[Detections]:
    """The frames with another score of what lies there."""
    for det in frames:
        there = np.hypot(*(det.xy - at).T) < 8
        yield replace(det, score=np.where(there, score, det.score))


@pytest.mark.parametrize(
    ("cls", "at", "score", "told"),
    [
        ("white", (370, 440), 0.9, True),
        ("white", (370, 440), 0.3, False),
        ("queen", (370, 440), 0.3, True),
        ("white", (75, 344), 0.9, True),
        ("white", (75, 344), 0.4, False),
    ],
)
def test_what_is_faint_or_far_from_the_middle_was_put_back_only_if_it_is_plainly_a_piece(
    cls: Piece, at: tuple[float, float], score: float, told: bool
) -> None:
    scene = Scene(40, pieces=((cls, *PIECES[0][1:]), *PIECES[1 : 4 if cls == "white" else 3]))

    def play() -> Iterator[Detections]:
        yield from scene.quiet(1.0)
        yield from scene.turn("south", 118, (1011, -1011))
        yield from scene.put_back("north", cls, at)
        yield from scene.quiet(4.0)

    events = events_of(scene, seen_at(at, score, play()))
    assert [e.pocketed for e in events if isinstance(e, Stroke)] == [(cls,)]
    assert [e.pieces for e in events if isinstance(e, Placing)] == ([(cls,)] if told else [])
