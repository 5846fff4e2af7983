"""Strikers that look like pieces or like nothing known, and things on the board that are no pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from models.board import ICF
from models.detections import Detections
from models.stroke import PIECES, Placing, Stroke
from tests.tracking.played import Played
from tracking.disguise import Disguise
from tracking.watcher import BoardWatcher

STRIKER, WHITE = PIECES.index("striker"), PIECES.index("white")


def white_striker(det: Detections) -> Detections:
    """The striker looks like a white piece; only its size differs."""
    prob = det.prob.copy()
    own = prob[:, STRIKER] > 0.5
    prob[own] = [0.95, 0.02, 0.02, 0.01]
    return replace(det, prob=prob)


def odd_striker(det: Detections) -> Detections:
    """The striker looks like nothing that is known."""
    prob = det.prob.copy()
    prob[prob[:, STRIKER] > 0.5] = 0.01
    return replace(det, prob=prob)


def with_sticker(det: Detections) -> Detections:
    """Something white lies at one place all the time that is no piece."""
    at = np.array([150.0, 420.0])
    if len(det) and np.hypot(*(det.xy - at).T).min() < 40:
        return det
    more = {"x": 150.0, "y": 420.0, "r": 15.9, "w": 31.8, "h": 31.8, "score": 0.4}
    grown = {name: np.append(getattr(det, name), value) for name, value in more.items()}
    return replace(det, prob=np.vstack([det.prob, [0.9, 0.03, 0.03, 0.04]]), **grown)


def watched(played: Played, seen_as: Callable[[Detections], Detections]) -> tuple[list[Stroke], list[Placing]]:
    watcher = BoardWatcher(ICF, ("south", "north"))
    events = [e for det in frames(played, seen_as) for e in watcher.step(det)] + watcher.finish()
    return [e for e in events if isinstance(e, Stroke)], [e for e in events if isinstance(e, Placing)]


def frames(played: Played, seen_as: Callable[[Detections], Detections]) -> Iterator[Detections]:
    return (seen_as(det) for det in played.frames())


@pytest.mark.parametrize("seen_as", [white_striker, odd_striker, with_sticker])
def test_strokes_are_right_all_the_same(seen_as: Callable[[Detections], Detections]) -> None:
    played = Played(5, strokes=8)
    strokes, placings = watched(played, seen_as)
    assert len(strokes) == len(played.truth)
    right = [
        (g.by, sorted(g.pocketed), g.touched) == (w.by, sorted(w.pocketed), w.touched) for g, w in zip(strokes, played.truth, strict=True)
    ]
    assert all(ok or (g.confidence or 0) < 0.9 for ok, g in zip(right, strokes, strict=True))
    assert sum(right) >= len(right) - 1
    assert sorted(c for p in placings for c in p.pieces) == sorted(played.placed)


def plain(r: list[float], width: float = 1.0) -> Detections:
    det = next(Played(0).frames())
    n = len(r)
    prob = np.tile([0.9, 0.05, 0.03, 0.02], (n, 1))
    size = 2 * np.array(r)
    return replace(
        det, x=np.linspace(100, 600, n), y=np.full(n, 300.0), r=np.array(r), w=size * width, h=size, prob=prob, score=np.full(n, 0.9)
    )


def test_size_tells_a_white_striker_from_a_white_piece() -> None:
    disguise = Disguise()
    det = plain([15.9, 20.0])
    np.testing.assert_array_equal(disguise.off(det).prob, det.prob)  # nothing is known yet
    for _ in range(10):
        disguise.see_piece(15.9)
    disguise.learn("white", 20.0)
    found = disguise.off(det).prob
    assert found[0, WHITE] > 0.85 and found[1, STRIKER] > 0.85
    np.testing.assert_allclose(found.sum(axis=1), det.prob.sum(axis=1))


def test_a_streak_has_no_size_and_may_be_either() -> None:
    disguise = Disguise()
    disguise.see_piece(15.9)
    disguise.learn("white", 20.0)
    found = disguise.off(plain([15.9], width=1.6)).prob[0]
    assert found[WHITE] == pytest.approx(found[STRIKER], abs=0.05)
