"""Arms are told from pieces and cover what they hide."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.detections import COVER_CELLS, Detections
from vision.arms import ArmFinder
from vision.types import MARGIN_MM, RECTIFIED_PX, Calibration, Image

CALIBRATION = Calibration(np.array([[0.0, 0], [740, 0], [740, 740], [0, 740]]), (740, 740))
K = CALIBRATION.scale()
NOTHING = np.zeros((0, 5))


def px(*mm: float) -> tuple[int, ...]:
    return tuple(round((v + MARGIN_MM) * K) for v in mm)


def bare() -> Image:
    image = np.full((RECTIFIED_PX, RECTIFIED_PX, 3), (120, 170, 200), np.uint8)
    cv2.circle(image, px(370, 370), round(85 * K), (0, 0, 0), 2)
    return image


def with_pieces(image: Image, places: list[tuple[float, float]]) -> tuple[Image, np.ndarray]:
    for place in places:
        cv2.circle(image, px(*place), round(15.9 * K), (30, 30, 30), -1)
    return image, np.array([[x, y, 15.9] for x, y in places]).reshape(-1, 3)


def hides(cover: np.ndarray, x: float, y: float) -> bool:
    empty = np.zeros(0)
    det = Detections(0, 0.0, empty, empty, empty, empty, empty, np.zeros((0, 4)), empty, NOTHING, cover, 0.0)
    return det.hides(np.array([x, y]), 740.0, 0.0)


@pytest.fixture
def finder() -> ArmFinder:
    return ArmFinder([bare() for _ in range(3)], CALIBRATION)


def test_pieces_are_no_arm_even_in_a_heap(finder: ArmFinder) -> None:
    heap = [(300 + 32.0 * i, 300 + 32.0 * j) for i in range(4) for j in range(4)]
    image, discs = with_pieces(bare(), [*heap, (16, 500)])
    cover, arms = finder(image, NOTHING, discs)
    assert cover.shape == (COVER_CELLS, COVER_CELLS)
    assert not cover.any() and not len(arms)


def test_an_arm_from_outside_hides_what_lies_under_it_and_no_more(finder: ArmFinder) -> None:
    image, discs = with_pieces(bare(), [(200, 200)])
    cv2.line(image, px(500, 800), px(450, 600), (60, 80, 120), round(60 * K))
    cover, arms = finder(image, NOTHING, discs)
    assert hides(cover, 470, 680) and not hides(cover, 200, 200) and not hides(cover, 300, 680)
    (x0, y0, x1, y1, _) = arms[0]
    assert x0 < 440 and x1 > 500 and y0 < 610 and y1 > 780


def test_a_large_arm_that_ends_on_the_board_is_one(finder: ArmFinder) -> None:
    image = bare()
    cv2.line(image, px(400, 600), px(400, 250), (60, 80, 120), round(50 * K))
    cover, arms = finder(image, NOTHING, np.zeros((0, 3)))
    assert len(arms) == 1 and hides(cover, 400, 400)


def test_a_small_hand_counts_when_the_detector_says_so(finder: ArmFinder) -> None:
    image = bare()
    cv2.ellipse(image, px(400, 400), (round(30 * K), round(20 * K)), 0, 0, 360, (60, 80, 120), -1)
    assert not len(finder(image, NOTHING, np.zeros((0, 3)))[1])
    cover, arms = finder(image, np.array([[365.0, 375, 435, 425, 0.8]]), np.zeros((0, 3)))
    assert len(arms) == 1 and arms[0, 4] == 0.8 and hides(cover, 400, 400)


def test_the_cameras_exposure_is_no_arm(finder: ArmFinder) -> None:
    brighter = np.clip(bare().astype(int) + 25, 0, 255).astype(np.uint8)
    assert not finder(brighter, NOTHING, np.zeros((0, 3)))[0].any()


def test_a_lamp_is_no_arm_once_its_light_is_taken_off(finder: ArmFinder) -> None:
    lamp = np.array([0.5, 0.6, 0.8]) * np.linspace(0.8, 1.2, RECTIFIED_PX)[None, :, None]
    image = np.clip(bare() * lamp, 0, 255).astype(np.uint8)
    assert finder(image, NOTHING, np.zeros((0, 3)))[0].any()
    assert not finder(finder.relit(image), NOTHING, np.zeros((0, 3)))[0].any()
    assert not finder.light.usual


def test_what_the_picture_does_not_hold_is_no_arm(finder: ArmFinder) -> None:
    image, seen = bare(), np.ones((RECTIFIED_PX, RECTIFIED_PX), bool)
    image[:, :90], seen[:, :90] = 0, False
    assert finder(image, NOTHING, np.zeros((0, 3)))[0].any()
    finder.moved(seen)
    assert not finder(image, NOTHING, np.zeros((0, 3)))[0].any()


def test_a_sun_stripe_that_stays_is_part_of_the_scene_but_a_piece_is_not(finder: ArmFinder) -> None:
    image, discs = with_pieces(bare(), [(600, 600)])
    image[:, 200:330] = np.clip(image[:, 200:330].astype(int) + 50, 0, 255)
    assert finder(image, NOTHING, discs)[0].any()
    for t in range(8):
        finder.learn(image, discs, float(t))
    assert finder(image, NOTHING, discs)[0].any()
    for t in range(8, 15):
        finder.learn(image, discs, float(t))
    assert not finder(image, NOTHING, discs)[0].any()
    again = bare()
    again[:, 200:330] = np.clip(again[:, 200:330].astype(int) + 50, 0, 255)
    assert not finder(again, NOTHING, np.zeros((0, 3)))[0].any()
