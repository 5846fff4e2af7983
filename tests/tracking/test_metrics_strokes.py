"""The facts of strokes against the truth."""

from __future__ import annotations

import math

import pytest

from models.stroke import Placing, Pocketed, Stroke
from tracking.metrics_strokes import faults, figures, hold, placings

TRUE = (
    Stroke("south", (), True, t=1.0, striker=(370.0, 622.0), velocity=(0.0, -2.0)),
    Stroke("north", ("white", "striker"), True, t=5.0, pocketed_at=(Pocketed("white", "SW", 5.5), Pocketed("striker", "SE", 5.7))),
    Stroke("south", (), False, t=9.0),
)


def test_what_agrees_is_right() -> None:
    held = hold(TRUE, TRUE)
    found = figures([held])
    assert (held.right, held.board_right, faults(held)) == (3, True, [])
    counts = ("strokes_found", "strokes_right", "side_right", "pocketed_right", "pockets_right", "touched_right", "sure")
    assert [found[name] for name in counts] == [3] * len(counts)
    assert (found["strokes_invented"], found["wrong_unflagged"], found["sure_right"], found["boards_right"]) == (0, 0, 1.0, 1)


def test_what_is_wrong_of_each_stroke_is_told() -> None:
    got = (
        Stroke("north", (), True, t=1.2, striker=(373.0, 626.0), velocity=(0.3, -2.2), confidence=0.95),
        Stroke("north", ("striker", "white"), True, t=5.0, confidence=0.6, pocketed_at=(Pocketed("white", "NW", 5.5),)),
        Stroke("south", ("black",), True, t=10.5, confidence=0.9),
    )
    held = hold(TRUE, got)
    found = figures([held])
    assert (found["strokes_found"], found["strokes_right"], found["strokes_invented"]) == (2, 1, 1)
    assert (found["side_right"], found["pocketed_right"], found["pockets_right"], found["touched_right"]) == (1, 2, 1, 2)
    assert found["release_error_s"] == pytest.approx(0.1)
    assert found["striker_error_mm"] == 5.0
    assert found["speed_error"] == pytest.approx(math.hypot(0.3, 2.2) / 2 - 1)
    assert found["direction_error_deg"] == pytest.approx(math.degrees(math.atan2(0.3, 2.2)))
    assert (found["sure"], found["sure_right"], found["wrong_unflagged"], found["right_flagged"]) == (1, 0.0, 2, 1)
    assert faults(held) == [
        "stroke 1 at 1.0 s (0.95): side north for south",
        "stroke 3 at 9.0 s: not found",
        "stroke invented at 10.5 s (0.90)",
    ]


def test_each_stroke_is_taken_for_the_true_one_that_it_is_nearest_to() -> None:
    held = hold(TRUE[:2], (Stroke("south", t=0.6), Stroke("south", t=1.3), Stroke("north", t=4.9)))
    assert [h.got and h.got.t for h in held.held] == [1.3, 4.9]
    assert [g.t for g in held.invented] == [0.6]


def test_nothing_found_and_nothing_to_find() -> None:
    none, empty = figures([hold(TRUE, ())]), figures([hold((), TRUE)])
    assert (none["strokes_found"], none["strokes_right"], none["strokes_invented"]) == (0, 0, 0)
    assert math.isnan(none["release_error_s"]) and math.isnan(none["sure_right"])
    assert (empty["strokes"], empty["strokes_invented"], empty["wrong_unflagged"]) == (0, 3, 3)


def test_a_log_written_by_hand_has_no_times_and_finds_nothing() -> None:
    assert figures([hold(TRUE, (Stroke("south"),))])["strokes_found"] == 0


def test_placings_are_counted_by_piece() -> None:
    true = (Placing("north", ("white", "black")), Placing("south", ("white",)))
    assert placings(true, (Placing("south", ("white", "white", "queen")),)) == (3, 2, 1)
