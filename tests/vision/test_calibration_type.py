"""A calibration's own geometry."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from tests.vision.boards import board_picture
from vision.types import MARGIN_MM, RECTIFIED_PX, Calibration

CORNERS = np.array([[100.0, 80.0], [860.0, 120.0], [830.0, 700.0], [60.0, 690.0]])


@pytest.mark.parametrize("k1", [0.0, -0.12, 0.07])
def test_there_and_back(k1: float) -> None:
    c = Calibration(CORNERS, (960, 720), distortion=k1)
    mm = np.random.default_rng(1).uniform(-50, 790, (40, 2))
    assert np.abs(c.to_board(c.to_picture(mm)) - mm).max() < 1e-3
    assert np.abs(c.to_board(c.outline()) - [[0, 0], [740, 0], [740, 740], [0, 740]]).max() < 1e-3


@pytest.mark.parametrize("k1", [0.0, -0.1])
def test_rectified_picture_shows_points_where_the_scale_says(k1: float) -> None:
    c = Calibration(CORNERS, (960, 720), distortion=k1)
    mm = np.array([[185.0, 555.0]])
    x, y = c.to_picture(mm)[0]
    picture = np.zeros((720, 960, 3), np.uint8)
    picture[round(y) - 3 : round(y) + 4, round(x) - 3 : round(x) + 4] = 255
    v, u = np.nonzero(c.rectify(picture)[..., 0] > 127)
    assert np.abs(np.array([u.mean(), v.mean()]) - (mm[0] + MARGIN_MM) * c.scale()).max() < 1.0
    assert c.rectify(picture).shape == (RECTIFIED_PX, RECTIFIED_PX, 3)


def test_travels_between_processes() -> None:
    c = Calibration(CORNERS, (960, 720), distortion=-0.05)
    c.rectify(board_picture()[0])
    again = pickle.loads(pickle.dumps(c))
    assert np.array_equal(again.to_picture(CORNERS), c.to_picture(CORNERS))
