"""What is drawn sits on the pieces as they are seen, and follows the board when the camera is moved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from carromeye.drawing import Marks
from carromeye.trajectories import TrajectoryWriter
from models.board import ICF
from models.scene.camera import look
from tracking.table import Row
from vision.course import Course
from vision.height import DISC_HEIGHT
from vision.types import Calibration

SQUARE = np.array([[0.0, 0], [370, 0], [370, 370], [0, 370]])


def written(folder: Path, rows: list[Row]) -> Path:
    path = folder / "trajectories.parquet"
    writer = TrajectoryWriter(path)
    writer.add(rows)
    writer.close()
    return path


def test_marks_move_with_the_calibration_and_are_gone_while_there_is_none(tmp_path: Path) -> None:
    rows = [Row(k, float(k), "white1", "white", 370.0, 370.0, 0.0, 0.0, "rest", True) for k in range(2)]
    first = Calibration(SQUARE, (370, 370))
    course = Course(first)
    course.set(2.0, None)
    course.set(3.0, Calibration(SQUARE + np.array([20.0, 10.0]), (370, 370)))
    marks = Marks(written(tmp_path, rows), course)
    seen = [[(m.x, m.y) for m in marks.at(t)] for t in (0.0, 1.0, 2.5, 3.0)]
    assert seen[2] == []
    assert seen[0] == seen[1] == [pytest.approx((185.0, 185.0), abs=0.1)]
    assert seen[3] == [pytest.approx((205.0, 195.0), abs=0.1)]


def test_rings_and_trails_sit_on_the_pieces_as_a_leaning_camera_sees_them(tmp_path: Path) -> None:
    size = (1440, 1080)
    camera = replace(look(size, ICF, 20.0, 200.0, 10.0, 0.75 * float(np.hypot(*size)) / (0.75 * min(size)) * ICF.side), distortion=0.0)
    way = [(690.0, 100.0 + 300.0 * t) for t in (0.0, 0.2, 0.4)]
    rows = []
    for k, (x, y) in enumerate(way):
        rows += [Row(k, 0.2 * k, "black3", "black", x, y, 0.0, 300.0, "moving", True)]
        rows += [Row(k, 0.2 * k, "queen", "queen", 600.0, 690.0, 0.0, 0.0, "rest", True)]
        rows += [Row(k, 0.2 * k, "white1", "white", 0.0, 0.0, 0.0, 0.0, "pocketed", True)]
    marks = Marks(written(tmp_path, rows), Course(Calibration(camera.corners(), size)))
    *_, (black, queen) = (marks.at(0.2 * k) for k in range(len(way)))
    mm = np.array([*way, (600.0, 690.0)])
    tops, feet = (camera.project(mm, z) for z in (DISC_HEIGHT / 2, 0.0))
    assert black.trail is not None and queen.trail is None
    drawn = np.array([*black.trail, (queen.x, queen.y)])
    assert (black.x, black.y, black.id, queen.id) == (*black.trail[-1], 3, None)
    assert np.hypot(*(drawn - tops).T).max() < 0.25 * camera.scale()
    assert np.hypot(*(drawn - feet).T).min() > 0.6 * camera.scale()
