"""Outlines that are put together from lines, and those round a square of base lines."""

from __future__ import annotations

import numpy as np

from models.board import ICF
from models.scene.camera import look
from vision.quads import BASE_LINES, Quads, grown

SIZE = (640, 480)


def test_a_square_of_base_lines_has_the_board_round_it() -> None:
    camera = look(SIZE, ICF, 20.0, 40.0, 15.0, 1500.0, 0.7)
    a, b = ICF.base_outer, ICF.side - ICF.base_outer
    lines = camera.project([[a, a], [b, a], [b, b], [a, b]])
    found = grown(Quads(lines[None], np.array([0.8]), np.array([0.01])), SIZE)
    side = np.linalg.norm(camera.corners()[1] - camera.corners()[0])
    assert np.abs(found.corners - camera.corners()).max(axis=(1, 2)).min() / side < 0.012
    assert set(found.support) == {0.8}


def test_a_board_too_far_outside_the_picture_is_not_thought_of() -> None:
    lines = np.array([[40.0, 20.0], [480, 20], [480, 460], [40, 460]])
    found = grown(Quads(lines[None], np.array([0.9]), np.array([0.0])), SIZE)
    assert 0 < len(found) < len(BASE_LINES)
    side = np.linalg.norm(found.corners[:, 1] - found.corners[:, 0], axis=1)
    assert (-found.corners[:, 0, 1] < 0.14 * side).all()
