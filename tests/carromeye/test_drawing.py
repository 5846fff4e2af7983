"""What is drawn follows the board when the camera is moved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from carromeye.drawing import Marks
from carromeye.trajectories import TrajectoryWriter
from tracking.table import Row
from vision.course import Course
from vision.types import Calibration

SQUARE = np.array([[0.0, 0], [370, 0], [370, 370], [0, 370]])


def test_marks_move_with_the_calibration_and_are_gone_while_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "trajectories.parquet"
    writer = TrajectoryWriter(path)
    writer.add([Row(k, float(k), "white1", "white", 100.0, 200.0, 0.0, 0.0, "rest", True) for k in range(2)])
    writer.close()
    first = Calibration(SQUARE, (400, 400))
    course = Course(first)
    course.set(2.0, None)
    course.set(3.0, Calibration(SQUARE + np.array([20.0, 10.0]), (400, 400)))
    marks = Marks(path, course)
    seen = [[(m.x, m.y) for m in marks.at(t)] for t in (0.0, 1.0, 2.5, 3.0)]
    assert seen[2] == []
    assert seen[0] == seen[1] == [pytest.approx((50.0, 100.0))]
    assert seen[3] == [pytest.approx((70.0, 110.0))]
