"""Maps of a plane seen in perspective."""

from __future__ import annotations

import numpy as np
import pytest

from models.homography import Homography

SQUARE = np.array([[0.0, 0.0], [740.0, 0.0], [740.0, 740.0], [0.0, 740.0]])
SEEN = SQUARE + np.array([[3.0, -12.0], [-20.0, 5.0], [7.0, 9.0], [-4.0, 15.0]])
TILTED = Homography.between(SQUARE, SEEN)


def test_four_points_go_where_they_were_asked_to_and_come_back() -> None:
    assert TILTED.points(SQUARE) == pytest.approx(SEEN, abs=1e-9)
    assert TILTED.inverse.points(SEEN) == pytest.approx(SQUARE, abs=1e-9)


def test_lines_stay_lines() -> None:
    a, b, c = TILTED.points([[10.0, 20.0], [200.0, 310.0], [390.0, 600.0]])
    assert np.cross(np.append(b - a, 0), np.append(c - a, 0))[2] == pytest.approx(0.0, abs=1e-6)


def test_velocities_are_the_change_of_places() -> None:
    at, v = np.array([[100.0, 600.0], [700.0, 30.0]]), np.array([[900.0, -400.0], [0.0, 1500.0]])
    step = 1e-5
    told = (TILTED.points(at + step * v) - TILTED.points(at - step * v)) / (2 * step)
    assert TILTED.velocities(at, v) == pytest.approx(told, abs=1e-3)
    assert TILTED.velocities(at[0], v[0]) == pytest.approx(told[0], abs=1e-3)


def test_nothing_moves_by_the_identity() -> None:
    assert Homography.identity().points(SEEN) == pytest.approx(SEEN)
    assert Homography.identity().points(np.zeros((0, 2))).shape == (0, 2)
