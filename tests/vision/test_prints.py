"""What is printed on a board is told from pieces that lie there."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.board import ICF, rack
from vision.exposure import wood_light
from vision.pieces import Seen, disc_colours
from vision.prints import base_circles, printed, prints_on
from vision.types import MARGIN_MM, RECTIFIED_PX, Array, Calibration, Image

FLAT = Calibration(np.array([[0, 0], [740, 0], [740, 740], [0, 740]], np.float64), (740, 740))
K = FLAT.scale()
RED, WOOD, PINK = (40, 40, 190), (140, 180, 215), (170, 60, 200)
PLACES = np.array([(x, y) for a, b in ((176.0, 142.0), (142.0, 176.0)) for x in (a, 740 - a) for y in (b, 740 - b)])
"""Not where the laws have them: many boards are not of the laws' measures."""
MIDDLE = np.array([[370.0, 370.0]])


def painted(at: Array, colour: tuple[int, int, int], radius: float, picture: Image) -> Image:
    for x, y in at:
        cv2.circle(picture, (round((x + MARGIN_MM) * K), round((y + MARGIN_MM) * K)), round(radius * K), colour, -1, cv2.LINE_AA)
    return picture


def board(prints: bool = True, shade: float = 1.0) -> Image:
    picture = np.full((RECTIFIED_PX, RECTIFIED_PX, 3), WOOD, np.uint8)
    if prints:
        painted(np.concatenate([PLACES, MIDDLE]), RED, 12.7, picture)
    half = np.linspace(1.0, shade, RECTIFIED_PX)[None, :, None]
    return np.asarray((picture * half).clip(0, 255), np.uint8)


def seen(picture: Image, at: Array, r: Array | None = None, score: float = 0.7) -> Seen:
    r = np.full(len(at), 15.9) if r is None else r
    boxes = np.c_[(at + MARGIN_MM) * K, 2 * r * K, 2 * r * K]
    no_hands = np.zeros((0, 5))
    return Seen(
        x=at[:, 0], y=at[:, 1], r=r, w=2 * r, h=2 * r, colour=disc_colours(picture, boxes), score=np.full(len(at), score), hands=no_hands,
        light=wood_light(picture, ICF.side, np.c_[at, r], no_hands),
    )  # fmt: skip


@pytest.mark.parametrize("shade", [1.0, 0.7])
def test_the_base_circles_are_found_where_they_are_in_any_light(shade: float) -> None:
    picture = board(shade=shade)
    found = base_circles(picture, FLAT, seen(picture, np.array([(300.0, 500.0)])))
    assert found is not None
    assert max(np.linalg.norm(PLACES - p, axis=1).min() for p in found[0]) < 6


def test_lines_darker_than_the_base_circles_are_not_taken_for_them() -> None:
    picture = board(prints=False)
    for a in (108.0, 632.0):
        for (x0, y0), (x1, y1) in (((80.0, a), (660.0, a)), ((a, 80.0), (a, 660.0))):
            ends = [(round((x + MARGIN_MM) * K), round((y + MARGIN_MM) * K)) for x, y in ((x0, y0), (x1, y1))]
            cv2.line(picture, *ends, (10, 10, 10), round(7 * K), cv2.LINE_AA)
    painted(PLACES, (104, 102, 171), 12.7, picture)
    found = base_circles(picture, FLAT, seen(picture, np.array([(300.0, 500.0)])))
    assert found is not None
    assert max(np.linalg.norm(PLACES - p, axis=1).min() for p in found[0]) < 6


@pytest.mark.parametrize("shade", [1.0, 0.7])
def test_a_printed_disc_is_print_and_a_piece_on_it_is_none(shade: float) -> None:
    picture = board(shade=shade)
    at = np.concatenate([PLACES[:1], MIDDLE, [(500.0, 300.0), (250.0, 480.0)]])
    painted(at[2:], (200, 230, 240), 15.9, picture)
    assert printed(picture, FLAT, seen(picture, at)).tolist() == [True, True, False, False]
    painted(at[:2], PINK, 15.9, picture)
    assert not printed(picture, FLAT, seen(picture, at)).any()


def test_a_grey_piece_in_the_middle_is_no_print_however_large_it_seems() -> None:
    ink, grey = (104, 102, 171), (100, 102, 128)
    picture = painted(np.concatenate([PLACES, MIDDLE]), ink, 12.7, board(prints=False))
    at = np.concatenate([MIDDLE, [(500.0, 300.0), (250.0, 480.0)]])
    painted(at[:1], grey, 17.5, painted(at[1:], (200, 230, 240), 15.9, picture))
    assert not printed(picture, FLAT, seen(picture, at, np.array([17.5, 15.9, 15.9]), score=0.6)).any()


def test_pieces_on_most_base_circles_are_no_print() -> None:
    picture = painted(PLACES[:6], (30, 30, 30), 15.9, board())
    assert not printed(picture, FLAT, seen(picture, PLACES[:6])).any()


def test_the_middle_of_a_rack_is_a_piece_though_it_has_the_inks_colour() -> None:
    _, at = rack()
    picture = painted(at[1:], (30, 30, 30), 15.9, board())
    assert not printed(picture, FLAT, seen(picture, at)).any()


def test_on_a_board_without_base_circles_nothing_is_taken_for_print() -> None:
    picture = painted(MIDDLE, RED, 15.9, board(prints=False))
    assert base_circles(picture, FLAT, seen(picture, MIDDLE)) is None
    assert not printed(picture, FLAT, seen(picture, MIDDLE)).any()
    assert not printed(picture, FLAT, seen(picture, np.zeros((0, 2)))).any()


def test_a_middle_of_the_inks_hue_is_print_unless_the_network_is_sure_of_it() -> None:
    picture = painted(MIDDLE, (5, 5, 170), 15.9, board())
    assert printed(picture, FLAT, seen(picture, MIDDLE, score=0.5)).all()
    assert not printed(picture, FLAT, seen(picture, MIDDLE, score=0.9)).any()


def test_a_queen_of_the_inks_colour_in_the_middle_is_no_print_if_the_network_is_sure_and_she_has_a_pieces_size() -> None:
    picture = painted(np.array([(500.0, 300.0), (250.0, 480.0)]), (30, 30, 30), 15.9, painted(MIDDLE, RED, 15.9, board()))
    at = np.concatenate([MIDDLE, [(500.0, 300.0), (250.0, 480.0)], PLACES[:1]])
    assert printed(picture, FLAT, seen(picture, at, score=0.9)).tolist() == [False, False, False, True]
    assert printed(picture, FLAT, seen(picture, at, score=0.6)).tolist() == [True, False, False, True]
    small = np.array([12.7, 15.9, 15.9, 12.7])
    assert printed(picture, FLAT, seen(picture, at, small, score=0.9)).tolist() == [True, False, False, True]
    assert printed(picture, FLAT, seen(picture, at[:1], score=0.9)).all()


def test_discs_of_the_woods_colour_are_pieces_where_others_of_it_surely_are() -> None:
    at = np.array([(300.0, 200.0), (500.0, 300.0), (250.0, 480.0)])
    picture = painted(at, (146, 184, 217), 15.9, board(prints=False))
    discs = seen(picture, at)
    assert printed(picture, FLAT, replace(discs, score=np.array([0.4, 0.8, 0.6]))).tolist() == [True, False, True]
    assert not printed(picture, FLAT, replace(discs, score=np.array([0.4, 0.8, 0.8]))).any()


def test_an_ornament_has_mirror_images_and_a_piece_has_none() -> None:
    at = np.array([(370.0, 220.0), (220.0, 520.0)])
    images = np.array([(370.0, 220.0), (370.0, 520.0), (220.0, 370.0), (520.0, 370.0)])
    picture = painted(at[1:], (30, 30, 30), 15.9, painted(images, (30, 30, 30), 12.7, board(prints=False)))
    assert printed(picture, FLAT, seen(picture, at, score=0.5)).tolist() == [True, False]
    assert not printed(picture, FLAT, seen(picture, at, score=0.9)).any()


def test_a_rack_has_mirror_images_and_is_none() -> None:
    _, at = rack()
    picture = painted(at[1:], (30, 30, 30), 15.9, board(prints=False))
    assert not printed(picture, FLAT, seen(picture, at[1:], score=0.5)).any()


def test_pieces_that_the_network_hardly_saw_do_not_hide_the_base_circles() -> None:
    picture = board()
    faint = seen(picture, PLACES, score=0.1)
    assert base_circles(picture, FLAT, faint) is not None
    assert printed(picture, FLAT, faint).all()


@pytest.mark.parametrize("shade", [1.0, 0.7])
def test_bare_wood_in_a_ring_of_pieces_is_no_disc(shade: float) -> None:
    _, at = rack()
    at = at + np.array([150.0, 120.0])
    ring = at[1:7]
    light = np.array([(600.0, 200.0)])
    wood, paler = at[:1], tuple(min(255, v + 30) for v in WOOD)
    picture = painted(ring, (30, 30, 30), 15.9, painted(light, paler, 15.9, np.full((RECTIFIED_PX, RECTIFIED_PX, 3), WOOD, np.uint8)))
    picture = np.asarray((picture * np.linspace(1.0, shade, RECTIFIED_PX)[None, :, None]).clip(0, 255), np.uint8)
    everything = np.concatenate([wood, light, ring])
    assert printed(picture, FLAT, seen(picture, everything, score=0.6)).tolist() == [True] + [False] * 7
    assert not printed(picture, FLAT, seen(picture, everything, score=0.85)).any()


def test_over_a_video_the_bare_board_tells_print_from_what_lies_on_it() -> None:
    prints = prints_on(cv2.resize(board(), (320, 320), interpolation=cv2.INTER_AREA), FLAT)
    assert len(prints.at) == 9
    picture = painted(PLACES[:1], (30, 30, 30), 15.9, board())
    at = np.concatenate([PLACES[:2], MIDDLE, [(300.0, 500.0)]])
    assert prints.shows(seen(picture, at, score=0.4)).tolist() == [False, True, True, False]
    assert not prints.shows(seen(picture, at, score=0.9)).any()
    assert prints.shows(seen(picture, np.zeros((0, 2)))).shape == (0,)


def test_a_board_without_print_hides_no_piece() -> None:
    prints = prints_on(board(prints=False), FLAT)
    assert not len(prints.at)
    assert not prints.shows(seen(board(), PLACES, score=0.4)).any()


def test_a_piece_that_never_moves_is_no_print() -> None:
    prints = prints_on(painted(MIDDLE, PINK, 15.9, board()), FLAT)
    assert len(prints.at) == 8
    assert not prints.shows(seen(painted(MIDDLE, PINK, 15.9, board()), MIDDLE, score=0.4)).any()
