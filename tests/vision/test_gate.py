"""The motion gate sees a piece move and overlooks noise and a flickering lamp."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.gate import MotionGate
from vision.types import Calibration, Image


@pytest.fixture
def calibration() -> Calibration:
    return Calibration(np.array([[110.0, 60], [590, 60], [590, 540], [110, 540]]), (700, 600))


def picture(rng: np.random.Generator, x: float = 300.0, light: float = 0.0, noise: float = 2.0) -> Image:
    image = np.full((600, 700), 150.0)
    cv2.circle(image, (round(x), 300), 10, 60.0, -1)
    return np.clip(image + light + rng.normal(0, noise, image.shape), 0, 255).astype(np.uint8)


def test_noise_and_flicker_are_no_motion(calibration: Calibration) -> None:
    rng = np.random.default_rng(0)
    gate = MotionGate(calibration)
    assert gate.moves(picture(rng))
    assert not any(gate.moves(picture(rng, light=4.0 * (k % 3))) for k in range(40))


def test_a_moving_piece_and_a_slow_one_are_seen(calibration: Calibration) -> None:
    rng = np.random.default_rng(0)
    gate = MotionGate(calibration)
    gate.moves(picture(rng))
    assert gate.moves(picture(rng, x=306))
    for _ in range(5):
        gate.moves(picture(rng, x=306))
    slow = [gate.moves(picture(rng, x=306 + 0.5 * k)) for k in range(1, 20)]
    assert any(slow)


def test_motion_beyond_the_rim_does_not_matter(calibration: Calibration) -> None:
    rng = np.random.default_rng(0)
    gate = MotionGate(calibration)
    gate.moves(picture(rng))
    for k in range(10):
        image = picture(rng)
        image[:, :30] = 20 * k
        assert not gate.moves(image)
