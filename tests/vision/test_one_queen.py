"""A print that passes for the queen is told from her once both have been seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from tests.vision.test_missed import CALIBRATION, EDGE, PALETTE, RED, SIDE, R, bare, lab, seen_discs, with_disc
from vision.one_queen import LOOKS, OneQueen
from vision.pieces import Seen
from vision.prints import Prints
from vision.types import Image

MIDDLE, ELSEWHERE = (370.0, 370.0), (500.0, 200.0)
PRINTS = Prints(np.array([MIDDLE]), lab(RED)[None])


def board() -> Image:
    image = bare()
    cv2.circle(image, (EDGE + SIDE // 2, EDGE + SIDE // 2), round(R), RED, -1, cv2.LINE_AA)
    return image


def queens(*at: tuple[float, float]) -> Seen:
    seen = seen_discs(*at)
    return replace(seen, colour=np.tile(lab(RED), (len(at), 1)))


def looked(queen: OneQueen, image: Image, *at: tuple[float, float], still: bool = True, times: int = 1) -> list[bool]:
    """Which of the discs at these places are print, at the last look."""
    rectified = CALIBRATION.rectify(image)
    return [queen.printed(rectified, queens(*at), PALETTE, still=still).tolist() for _ in range(times)][-1]


def test_the_only_one_is_the_queen() -> None:
    queen = OneQueen(PRINTS, CALIBRATION)
    assert looked(queen, board(), MIDDLE, times=10) == [False]


def test_of_two_the_one_in_the_prints_place_is_it_and_stays_so_when_she_has_fallen() -> None:
    queen, image = OneQueen(PRINTS, CALIBRATION), with_disc(board(), ELSEWHERE)
    assert looked(queen, image, MIDDLE, ELSEWHERE, times=LOOKS - 1) == [False, False]
    assert looked(queen, image, MIDDLE, ELSEWHERE) == [True, False]
    assert looked(queen, board(), MIDDLE, times=5) == [True]
    assert looked(queen, board(), MIDDLE, still=False) == [True]


def test_looks_while_something_moves_tell_nothing() -> None:
    queen, image = OneQueen(PRINTS, CALIBRATION), with_disc(board(), ELSEWHERE)
    assert looked(queen, image, MIDDLE, ELSEWHERE, still=False, times=10) == [False, False]


def test_the_queen_put_back_onto_it_is_seen() -> None:
    queen = OneQueen(PRINTS, CALIBRATION)
    looked(queen, with_disc(board(), ELSEWHERE), MIDDLE, ELSEWHERE, times=LOOKS)
    back = with_disc(board(), (MIDDLE[0] + 1, MIDDLE[1]), RED)
    cv2.circle(back, (EDGE + SIDE // 2 + 1, EDGE + SIDE // 2), round(0.7 * R), (110, 100, 235), 3, cv2.LINE_AA)
    assert looked(queen, back, MIDDLE, times=3) == [False]


def test_after_a_bump_it_is_to_be_seen_anew() -> None:
    queen = OneQueen(PRINTS, CALIBRATION)
    looked(queen, with_disc(board(), ELSEWHERE), MIDDLE, ELSEWHERE, times=LOOKS)
    queen.moved(CALIBRATION)
    assert looked(queen, board(), MIDDLE) == [False]
