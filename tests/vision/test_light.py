"""The light is told from the wood and taken off; when it changes, pieces that lie still say how their classes look now."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.stroke import PIECES
from vision.light import USUAL, Light, Looks, light_on, resettled
from vision.palette import Palette
from vision.types import RECTIFIED_PX

N = 160
LAMP = Light(np.array([[-0.4, 0.1, 0.0], [-0.3, 0.1, 0.05], [-0.1, 0.1, 0.0]]))
MEAN = np.array([[80.0, 4, 20], [20, 0, 0], [40, 45, 20], [60, 0, -30]])


@pytest.fixture
def wood() -> np.ndarray:
    rng = np.random.default_rng(2)
    grain = cv2.resize(rng.normal(0, 8, (N // 4, 4)).astype(np.float32), (N, N))[..., None]
    return np.asarray(np.array([110, 160, 190], np.float32) + grain, np.float32)


def palette() -> Palette:
    return Palette(MEAN.copy(), np.tile([7.0, 5.0, 5.0], (4, 1)), np.array([16.0, 16, 16, 20]))


def test_a_lamps_factors_are_told_although_an_arm_and_pieces_lie_over_the_wood(wood: np.ndarray) -> None:
    now = wood * LAMP.field(N)
    cv2.line(now, (150, 150), (90, 60), (60.0, 90.0, 120.0), 35)
    for x in range(20, 140, 12):
        cv2.circle(now, (x, 30), 3, (20.0, 20.0, 20.0), -1)
    light = light_on(now, wood, np.ones((N, N), bool))
    assert light is not None and light.apart(LAMP) < 0.02
    plain = light_on(wood, wood, np.ones((N, N), bool))
    assert plain is not None and plain.usual


def test_where_little_of_the_wood_is_seen_nothing_is_told(wood: np.ndarray) -> None:
    now = wood * LAMP.field(N)
    now[:, : round(0.7 * N)] = np.random.default_rng(0).integers(0, 255, (1, round(0.7 * N), 3))
    assert light_on(now, wood, np.ones((N, N), bool)) is None


def test_a_light_taken_off_leaves_the_usual_picture() -> None:
    usual = np.full((RECTIFIED_PX, RECTIFIED_PX, 3), (110, 160, 190), np.uint8)
    lit = np.clip(usual * cv2.resize(LAMP.field(N), (RECTIFIED_PX, RECTIFIED_PX)), 0, 255).astype(np.uint8)
    assert np.abs(LAMP.taken_off(lit).astype(int) - usual).max() <= 4
    assert USUAL.taken_off(lit) is lit


def test_pieces_that_lie_still_tell_the_looks_in_a_new_light() -> None:
    looks = Looks(palette())
    at = np.array([[100.0, 100], [200, 100], [300, 100], [400, 400]])
    prob = np.eye(4)[[0, 1, 2, 0]] * 0.95
    shift = np.array([-6.0, 3, 8])
    for k in range(20):
        t = 0.5 * k
        looks.see(t, USUAL if t < 5 else LAMP)
        # One piece was moved meanwhile; nobody knows which class lies there now.
        now = at if t < 5 else at + np.array([[0.0, 0], [1, 1], [0, -2], [80, 0]])
        looks.rest(now, MEAN[[0, 1, 2, 1 if t >= 5 else 0]] + (shift if t >= 5 else 0), prob)
    assert looks.changes == [5.0]
    assert looks.palette.mean == pytest.approx(MEAN + shift)


def test_a_passing_shadow_changes_nothing() -> None:
    looks = Looks(palette())
    for k in range(40):
        looks.see(k / 10, LAMP if 10 <= k < 14 else USUAL)
    assert looks.changes == []


def test_what_was_not_seen_changes_as_the_others_did_and_nothing_is_made_of_nothing() -> None:
    colour, cls = np.array([[74.0, 4, 20], [70, 4, 20]]), np.array([0, 0])
    new = resettled(palette(), colour, cls)
    assert new.mean[PIECES.index("white")] == pytest.approx([72, 4, 20])
    assert new.mean[1:] == pytest.approx(MEAN[1:] - [8, 0, 0])
    same = palette()
    assert resettled(same, np.zeros((0, 3)), np.zeros(0, int)) is same
