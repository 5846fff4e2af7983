"""Lasting shade on a board, and colours out of it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.exposure import Shade, cie_lab, no_shade, shade_on
from vision.types import MARGIN_MM

N, SIDE = 320, 740.0
K = N / (SIDE + 2 * MARGIN_MM)
LIT, SHADED = np.array([[150.0, 370.0]]), np.array([[600.0, 370.0]])
ALL = np.ones((N, N), bool)


def board(shade: float = 0.3) -> np.ndarray:
    """A board that gets full light on most of its left and `shade` of it on the right; its frame is black."""
    picture = np.zeros((N, N, 3), np.float32)
    first, last = round(MARGIN_MM * K), round((MARGIN_MM + SIDE) * K)
    picture[first:last, first:last] = (0.25, 0.4, 0.55)
    picture[:, round((MARGIN_MM + 480) * K) :] *= shade
    return encoded(picture)


def encoded(light: np.ndarray) -> np.ndarray:
    """Levels, sRGB (IEC 61966-2-1), of parts of the light."""
    return np.asarray(np.where(light > 0.0031308, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055, 12.92 * light) * 255, np.uint8)


def colour(light: tuple[float, float, float]) -> np.ndarray:
    """L*a*b* of parts of the light, BGR: shape (1, 3)."""
    return cie_lab(encoded(np.array(light, np.float32)).reshape(1, 1, 3))[0]


def test_colours_come_nearer_to_what_they_are_out_of_the_shade() -> None:
    shade = shade_on(board(), ALL, SIDE)
    white, in_shade = colour((0.6, 0.7, 0.7)), colour((0.18, 0.21, 0.21))
    assert shade.taken_off(white, LIT) == pytest.approx(white, abs=0.5)
    lifted = shade.taken_off(in_shade, SHADED)
    assert np.abs(lifted - white).max() < 0.6 * np.abs(in_shade - white).max()
    assert lifted[0, 0] < white[0, 0]


def test_print_and_what_lay_there_all_the_time_are_no_shade() -> None:
    picture = board(shade=1.0)
    for x, y in ((200, 200), (370, 370), (500, 250)):
        cv2.circle(picture, (round((x + MARGIN_MM) * K), round((y + MARGIN_MM) * K)), round(16 * K), (20, 20, 20), -1)
    assert shade_on(picture, ALL, SIDE).part == pytest.approx(1.0, abs=0.1)


def test_where_the_board_is_not_known_there_is_no_shade() -> None:
    picture, known = board(shade=1.0), ALL.copy()
    picture[:, :100], known[:, :100] = 0, False
    assert shade_on(picture, known, SIDE).part == pytest.approx(1.0, abs=0.1)
    assert shade_on(picture, np.zeros_like(known), SIDE).part == pytest.approx(1.0)


@pytest.mark.parametrize("shade", [no_shade(SIDE), Shade(SIDE, np.ones((4, 4)), 0.05)])
def test_without_shade_colours_stay(shade: Shade) -> None:
    seen = np.array([[80.0, 5.0, 12.0], [30.0, -3.0, 2.0]])
    assert shade.taken_off(seen, np.array([[10.0, 20.0], [730.0, 400.0]])) == pytest.approx(seen, abs=0.01)
    assert shade.taken_off(np.zeros((0, 3)), np.zeros((0, 2))).shape == (0, 3)
