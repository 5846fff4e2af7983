"""What is drawn over a frame, and where."""

from __future__ import annotations

import numpy as np
import pytest

from reports.overlay import MOVING, RING, STRIP, Mark, Overlay, draw_marks, draw_overlay, drawable, strip_heights

GROUND = 128


def board(width: int = 960, height: int = 960) -> np.ndarray:
    return np.full((height, width, 3), GROUND, np.uint8)


def changed(picture: np.ndarray) -> np.ndarray:
    return (picture != GROUND).any(axis=2)


def test_text_never_covers_the_picture() -> None:
    frame = np.random.default_rng(1).integers(0, 255, (960, 960, 3), np.uint8)
    out = draw_overlay(frame, Overlay(banner=("Board 1, stroke 2: Bina", "own piece"), footer="Asha 3 : 4 Bina", clock="0:12.3"))
    top, bottom = strip_heights(960)
    assert out.shape == (960 + top + bottom, 960, 3)
    assert (out[top : top + 960] == frame).all()
    for strip in (out[: top // 2], out[top // 2 : top], out[-bottom:]):
        assert (strip > 150).any()


def test_strips_are_there_without_text() -> None:
    out = draw_overlay(board(), Overlay())
    assert (out[: strip_heights(960)[0]] == STRIP).all()


@pytest.mark.parametrize("cls", ["white", "black", "queen", "striker"])
def test_ring_lies_on_the_rim_in_its_class_s_colour(cls: str) -> None:
    picture = board()
    draw_marks(picture, Overlay([Mark(cls, 300.0, 400.0, 20.0)]))
    assert np.abs(picture[400, 321].astype(int) - RING[cls]).max() < 60
    ys, xs = np.nonzero(changed(picture))
    distance = np.hypot(xs - 300, ys - 400)
    assert 17.5 <= distance.min() <= distance.max() <= 25  # the piece itself stays visible


def test_a_place_that_was_not_seen_has_a_dashed_ring() -> None:
    whole, dashed = board(), board()
    draw_marks(whole, Overlay([Mark("white", 300, 400, 20)]))
    draw_marks(dashed, Overlay([Mark("white", 300, 400, 20, observed=False)]))
    around = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    rim = np.round(400 + 21 * np.sin(around)).astype(int), np.round(300 + 21 * np.cos(around)).astype(int)
    assert changed(whole)[rim].all()
    assert 0.4 < changed(dashed)[rim].mean() < 0.75


def test_a_moving_piece_has_a_trail_and_a_second_ring() -> None:
    picture = board()
    trail = np.array([[100, 400], [200, 400], [300, 400.0]])
    draw_marks(picture, Overlay([Mark("black", 300, 400, 20, moving=True, trail=trail)]))
    assert changed(picture)[400, 110]
    assert np.abs(picture[400, 326].astype(int) - MOVING).max() < 120


def test_identity_is_printed_beside_the_piece() -> None:
    bare, named = board(), board()
    draw_marks(bare, Overlay([Mark("white", 300, 400, 20)]))
    draw_marks(named, Overlay([Mark("white", 300, 400, 20, id=17)]))
    ys, xs = np.nonzero((bare != named).any(axis=2))
    assert xs.min() > 305
    assert ys.max() < 395
    assert len(xs) > 60


def test_outline() -> None:
    picture = board()
    draw_marks(picture, Overlay(outline=np.array([[50, 60], [900, 60], [900, 910], [50, 910.0]])))
    assert changed(picture)[60, 400]
    assert changed(picture)[500, 50]
    assert not changed(picture)[500, 500]


def test_what_lies_outside_the_picture_or_nowhere_is_harmless() -> None:
    picture = board(200, 200)
    nowhere = float("nan")
    marks = [Mark("white", -500, 9000, 20, id=1), Mark("black", nowhere, 10, 20), Mark("striker", 10, 10, nowhere)]
    marks.append(Mark("queen", 20, 20, 5, trail=np.array([[nowhere, 1], [nowhere, 2]]), moving=True))
    draw_marks(picture, Overlay(marks))
    assert changed(picture)[:40, :40].any()
    assert not changed(picture)[60:, 60:].any()


def test_a_class_without_a_colour_is_still_drawn() -> None:
    picture = board()
    draw_marks(picture, Overlay([Mark("powder box", 300, 400, 20)]))
    assert changed(picture).any()


@pytest.mark.parametrize("width", [320, 960])
def test_long_lines_are_made_to_fit(width: int) -> None:
    out = draw_overlay(board(width), Overlay(banner=("W" * 150, "x"), footer="M" * 150, clock="1:00:00.0"))
    top, bottom = strip_heights(width)
    assert (out[:top, -4:] == STRIP).all()
    assert (out[-bottom:, -4:] == STRIP).all()
    assert (out[:top, width // 2 :] != STRIP).any()


def test_scaled() -> None:
    overlay = Overlay([Mark("white", 10, 20, 4, trail=np.array([[2.0, 4.0]]))], outline=np.ones((4, 2)))
    half = overlay.scaled(0.5)
    mark = half.pieces[0]
    assert (mark.x, mark.y, mark.r) == (5, 10, 2)
    assert mark.trail is not None
    assert mark.trail.tolist() == [[1.0, 2.0]]
    assert half.outline is not None
    assert (half.outline == 0.5).all()
    assert overlay.scaled(1) is overlay


def test_letters_that_the_drawing_font_has() -> None:
    assert drawable("Asha 22 : 10")
    assert not drawable("आशा")
