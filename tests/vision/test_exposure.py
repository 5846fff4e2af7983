"""Lasting shade on a board, and colours out of it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.exposure import DEEPEST, GLARING, SHADE, Shade, cie_lab, no_shade, shade_on
from vision.types import MARGIN_MM

N, SIDE = 320, 740.0
K = N / (SIDE + 2 * MARGIN_MM)
LIT, SHADED = np.array([[150.0, 370.0]]), np.array([[600.0, 370.0]])
ALL = np.ones((N, N), bool)


def board(shade: float = 0.3, frame: float = 0.01) -> np.ndarray:
    """A board that gets full light on most of its left and `shade` of it on the right."""
    picture = np.full((N, N, 3), frame, np.float32)
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


COLOURS = {"white": (0.6, 0.7, 0.7), "black": (0.03, 0.03, 0.03), "red": (0.05, 0.04, 0.35)}


@pytest.mark.parametrize("light", COLOURS.values(), ids=COLOURS)
def test_colours_come_nearer_to_what_they_are_out_of_the_shade(light: tuple[float, float, float]) -> None:
    shade = shade_on(board(), ALL, SIDE)
    lit, in_shade = colour(light), colour(tuple(0.3 * v for v in light))  # type: ignore[arg-type]
    assert shade.taken_off(lit, LIT) == pytest.approx(lit, abs=0.5)
    lifted = shade.taken_off(in_shade, SHADED)
    assert np.abs(lifted - lit).max() < 0.75 * np.abs(in_shade - lit).max()
    assert in_shade[0, 0] < lifted[0, 0] < lit[0, 0]


def black_disc(picture: np.ndarray, x: float, y: float, r: float) -> None:
    """Draw a black disc."""
    cv2.circle(picture, (round((x + MARGIN_MM) * K), round((y + MARGIN_MM) * K)), round(r * K), (20, 20, 20), -1)


def test_print_and_what_lay_there_all_the_time_are_no_shade() -> None:
    picture = board(shade=1.0)
    for x, y in ((200, 200), (232, 200), (500, 250)):
        black_disc(picture, x, y, 15.9)
    black_disc(picture, 370, 370, 15.9)
    for k in range(8):  # a star
        tip = (370 + 85 * np.cos(k * np.pi / 4), 370 + 85 * np.sin(k * np.pi / 4))
        a, b = (tuple(round((v + MARGIN_MM) * K) for v in p) for p in ((370, 370), tip))
        cv2.line(picture, a, b, (30, 20, 140), round(8 * K))  # type: ignore[arg-type]
    assert shade_on(picture, ALL, SIDE).part == pytest.approx(1.0, abs=0.12)


def test_glare_is_no_light_on_pieces_and_no_shade_is_deeper_than_can_be() -> None:
    picture = board(shade=1.0) // 3
    cv2.circle(picture, (round((200 + MARGIN_MM) * K), round((370 + MARGIN_MM) * K)), round(90 * K), (250, 250, 250), -1)
    cv2.circle(picture, (round((560 + MARGIN_MM) * K), round((370 + MARGIN_MM) * K)), round(90 * K), (0, 0, 0), -1)
    part = shade_on(picture, ALL, SIDE).part
    assert part.max() == pytest.approx(GLARING**SHADE) and part.min() == pytest.approx(DEEPEST**SHADE)


@pytest.mark.parametrize("level", [0, 1, 2, 255])
def test_a_board_of_one_level_has_no_shade(level: int) -> None:
    assert shade_on(np.full((N, N, 3), level, np.uint8), ALL, SIDE).part == pytest.approx(1.0)


def test_where_the_board_is_not_known_there_is_no_shade() -> None:
    picture, known = board(shade=1.0), ALL.copy()
    picture[:, :100], known[:, :100] = 0, False
    assert shade_on(picture, known, SIDE).part == pytest.approx(1.0, abs=0.1)
    assert shade_on(picture, np.zeros_like(known), SIDE).part == pytest.approx(1.0)


@pytest.mark.parametrize("shade", [no_shade(SIDE), Shade(SIDE, np.ones((4, 4)), 0.2)])
def test_without_shade_colours_stay_through_a_veil_too(shade: Shade) -> None:
    seen = np.array([[80.0, 5.0, 12.0], [30.0, -3.0, 2.0], [10.0, 12.0, 8.0]])
    assert shade.taken_off(seen, np.array([[10.0, 20.0], [730.0, 400.0], [300.0, 300.0]])) == pytest.approx(seen, abs=0.01)
    assert shade.taken_off(np.zeros((0, 3)), np.zeros((0, 2))).shape == (0, 3)
