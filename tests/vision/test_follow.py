"""A bumped camera is noticed at once, followed or found again, and said; arms, pieces and lamps are no bump."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.scene.bump import Move, Relit, Takes, centred
from tests.vision.boards import board_picture
from vision.course import Course
from vision.follow import Follower, exact, in_picture
from vision.landmarks import Landmarks, same_views, turned_like
from vision.marks import Marks, reduced, reduced_mask, small_grey
from vision.survey import survey
from vision.types import Array, Calibration, Image
from vision.video import read_video, video_info

SIZE = (480, 480)
RATE = 10.0
BUMP = 1.0


def worn(picture: Image, seed: int = 3) -> Image:
    """A board's picture with the specks and the grain that real ones have."""
    rng = np.random.default_rng(seed)
    out = picture.copy()
    for x, y, r, grey in rng.uniform((10, 10, 1, 40), (SIZE[0] - 10, SIZE[1] - 10, 3, 220), (220, 4)):
        cv2.circle(out, (int(x), int(y)), int(r), (grey * 0.7, grey * 0.85, grey), -1, cv2.LINE_AA)
    return out


@pytest.fixture(scope="module")
def board() -> tuple[Image, Calibration]:
    picture, corners = board_picture(SIZE, tilt=5.0, fill=0.6)
    return worn(picture), Calibration(corners, SIZE)


def follower(board: tuple[Image, Calibration]) -> Follower:
    image, calibration = board
    return Follower(
        Course(calibration), reduced(calibration.rectify(image)), reduced_mask(in_picture(calibration)), Landmarks(image, calibration)
    )


def frames(image: Image, moves: Sequence[Move] = (), lights: Sequence[Relit] = (), seconds: float = 3.0) -> list[tuple[float, Image]]:
    still = ((k / RATE, image) for k in range(round(seconds * RATE)))
    return list(Takes(SIZE, np.eye(3), moves, lights).frames(still))


def error(found: Calibration, corners: Array) -> float:
    """The largest error of a corner, as a part of a side."""
    side = float(np.hypot(*(corners[1] - corners[0])))
    return float(np.hypot(*(found.outline() - corners).T).max()) / side


def moved(corners: Array, matrix: Array) -> Array:
    return np.asarray(cv2.perspectiveTransform(corners[None], matrix)[0], np.float64)


BUMPS = {
    "2 % of a side": centred(SIZE, shift=(6, 2)),
    "10 % of a side": centred(SIZE, shift=(20, 22)),
    "3 degrees": centred(SIZE, 3),
    "20 degrees": centred(SIZE, 20),
    "upside down": centred(SIZE, 180),
    "nearer": centred(SIZE, 2, 1.2),
    "leaning": np.array([[1, 0.02, 4], [0, 1.04, -6], [0, 2e-4, 1.0]]),
}


@pytest.mark.parametrize("name", BUMPS)
@pytest.mark.parametrize("seconds", [0.0, 0.5])
def test_a_bump_is_noticed_and_the_same_corners_are_found_again(board: tuple[Image, Calibration], name: str, seconds: float) -> None:
    image, calibration = board
    eye = follower(board)
    for t, picture in frames(image, [Move(BUMP, seconds, BUMPS[name])]):
        eye.look(picture, t, still=False)
    assert eye.course.at(BUMP) is calibration
    after = moved(calibration.corners, BUMPS[name])
    late = eye.course.at(BUMP + 1.0)
    assert late is not None and error(late, after) < 0.01
    (bump,) = eye.course.bumps
    assert BUMP < bump.t < BUMP + 0.5 and bump.until is not None and bump.until < BUMP + 1.2
    assert "was moved, by" in eye.course.warnings()[0]


def test_a_picture_that_shows_no_board_is_no_evidence_and_the_board_is_found_afterwards(board: tuple[Image, Calibration]) -> None:
    image, calibration = board
    eye = follower(board)
    hand = np.full_like(image, 90)
    seen = []
    for t, picture in frames(image, [Move(BUMP, 0.0, BUMPS["20 degrees"])], seconds=4.0):
        seen.append(eye.look(hand if BUMP < t < 2.0 else picture, t, still=False) is not None)
    assert all(seen[:11]) and not any(seen[11:20]) and all(seen[-10:])
    (bump,) = eye.course.bumps
    assert bump.blind and eye.course.at(1.5) is None
    assert error(eye.calibration, moved(calibration.corners, BUMPS["20 degrees"])) < 0.01


def test_where_the_board_is_not_found_again_that_is_said(board: tuple[Image, Calibration]) -> None:
    image, _ = board
    eye = follower(board)
    for t, picture in frames(image):
        eye.look(picture if t < BUMP else np.full_like(image, 90), t, still=True)
    eye.finish(3.0)
    assert eye.course.warnings() == ["at 1.0 s: the camera or the board was moved, and from then on the board was not found again"]


@pytest.mark.parametrize(("first", "now", "found"), [(1.0, 0.85, True), (1.0, 0.75, False), (0.75, 0.75, True), (0.75, 0.68, False)])
def test_a_board_seen_quite_otherwise_is_taken_if_it_is_about_as_sure_as_the_first(
    board: tuple[Image, Calibration], monkeypatch: pytest.MonkeyPatch, first: float, now: float, found: bool
) -> None:
    image, calibration = board
    eye = follower((image, replace(calibration, confidence=first)))
    other, corners = board_picture(SIZE, tilt=5.0, fill=0.5, roll=15.0, wood=(60, 70, 90), frame=(170, 180, 190), lines=False)
    monkeypatch.setattr("vision.follow.calibrate_frames", lambda frames: Calibration(corners, SIZE, confidence=now))
    other = worn(other, 7)
    seen = [eye.look(image if t < BUMP else other, t, still=True) is not None for t, _ in frames(image, seconds=4.0)]
    assert seen[-1] is found
    assert (eye.course.at(4.0) is not None) is found


def test_an_arm_pieces_and_a_lamp_are_no_bump(board: tuple[Image, Calibration]) -> None:
    image, calibration = board
    eye = follower(board)
    rng = np.random.default_rng(0)
    for t, picture in frames(image, lights=[Relit(0.8, (0.6, 0.55, 0.5), 0.5)]):
        over = picture.copy()
        for x, y in rng.uniform(120, 360, (12, 2)):
            cv2.circle(over, (int(x), int(y)), 6, (20, 20, 20), -1, cv2.LINE_AA)
        cv2.line(over, (470, 470), (int(330 - 60 * t), int(260 - 30 * t)), (70, 100, 150), 70)
        assert eye.look(over, t, still=False) is not None
    assert eye.course.bumps == [] and eye.course.at(3.0) is calibration


def test_a_stand_that_swings_back_is_followed_without_a_word(board: tuple[Image, Calibration]) -> None:
    image, calibration = board
    eye = follower(board)
    there, back = centred(SIZE, shift=(6, 0)), centred(SIZE, shift=(-6, 0))
    for t, picture in frames(image, [Move(1.0, 0.2, there), Move(1.2, 0.2, back)]):
        eye.look(picture, t, still=False)
        assert error(eye.calibration, calibration.corners + np.array([6 * np.clip(1 - abs(t - 1.2) / 0.2, 0, 1), 0])) < 0.006
    assert eye.course.bumps == []


def test_views_are_told_apart_whatever_lies_over_them(board: tuple[Image, Calibration]) -> None:
    image, _ = board
    shots = [p for _, p in frames(image, [Move(BUMP, 0.0, BUMPS["2 % of a side"])], seconds=1.6)]
    cv2.line(shots[4], (470, 470), (200, 240), (70, 100, 150), 70)
    assert same_views(shots) == [list(range(11)), list(range(11, 16))]


def test_a_calibration_about_right_is_made_exact_and_a_wrong_one_is_refused(board: tuple[Image, Calibration]) -> None:
    image, calibration = board
    marks = Marks(small_grey(calibration.rectify(image)))
    near = Calibration(calibration.corners + np.array([[5, 3], [4, -2], [6, 2], [3, 3]]), SIZE)
    found = exact(image, near, marks, 0.2)
    assert found is not None and error(found, calibration.corners) < 0.004
    assert exact(image, Calibration(np.roll(calibration.corners, 1, axis=0) + 30, SIZE), marks, 0.2) is None


def test_the_corners_keep_their_order_when_the_picture_turns(board: tuple[Image, Calibration]) -> None:
    _, calibration = board
    for degrees in (-40, 20, 40):
        turned = Calibration(moved(calibration.corners, centred(SIZE, degrees)), SIZE)
        again = turned_like(Calibration(np.roll(turned.corners, 1, axis=0), SIZE), calibration)
        assert np.allclose(again.corners, turned.corners)


def test_no_bump_is_reported_over_a_match_of_real_hands(shared: Path) -> None:
    info = video_info(shared / "real" / "clips" / "surco" / "clip.mp4")
    scene = survey(info)
    assert scene.landmarks is not None
    eye = Follower(scene.course, scene.bare, scene.known, scene.landmarks)
    for frame in read_video(info):
        if frame.index % 12 == 0:
            assert eye.look(frame.image(), frame.t, still=False) is not None
    assert scene.course.bumps == []
