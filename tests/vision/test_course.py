"""Which calibration holds when, and how a move is told."""

from __future__ import annotations

import numpy as np
import pytest

from vision.course import Bump, Course, moved_back, moved_mm
from vision.types import Calibration

SQUARE = np.array([[10.0, 20], [380, 20], [380, 390], [10, 390]])
FIRST = Calibration(SQUARE, (400, 400))
SECOND = Calibration(SQUARE + np.array([5.0, 0.0]), (400, 400))


def test_each_time_has_the_calibration_that_held_then() -> None:
    course = Course(FIRST)
    course.set(0.0, FIRST)
    course.set(2.0, None)
    course.set(3.0, SECOND)
    course.set(3.5, SECOND)
    assert [course.at(t) for t in (-1.0, 0.0, 1.99, 2.0, 2.5, 3.0, 99.0)] == [FIRST, FIRST, FIRST, None, None, SECOND, SECOND]


def test_a_move_is_told_in_millimetres_of_the_board() -> None:
    assert moved_mm(FIRST, SECOND) == pytest.approx(10.0, abs=1e-3)  # 370 px are 740 mm
    shift = np.array([[1, 0, 10.0], [0, 1, 0], [0, 0, 1]])
    assert moved_back(FIRST, shift).corners == pytest.approx(SECOND.corners, abs=1e-3)


def test_a_course_moves_back_as_a_whole() -> None:
    course = Course(FIRST)
    course.set(2.0, None)
    course.set(3.0, SECOND)
    moved = course.moved_back(np.array([[1, 0, 10.0], [0, 1, 0], [0, 0, 1]]))
    first, none, second = (moved.at(t) for t in (0.0, 2.5, 4.0))
    assert first is not None and none is None and second is not None
    assert first.corners == pytest.approx(FIRST.corners + np.array([5.0, 0.0]), abs=1e-3)
    assert second.corners == pytest.approx(SECOND.corners + np.array([5.0, 0.0]), abs=1e-3)
    assert course.at(0.0) is FIRST and moved.bumps == course.bumps


def test_a_move_is_one_sentence() -> None:
    assert (
        Bump(3.04, 3.5, 12.4).text()
        == "at 3.0 s: the camera or the board was moved, by 12 mm at a corner; the board was followed and lay still at 3.5 s"
    )
    assert Bump(3.0, 5.0, 80.0, blind=True).text().endswith("by 80 mm at a corner; the board was found again at 5.0 s")
    assert "not found again" in Bump(3.0, None, float("nan"), blind=True).text()
