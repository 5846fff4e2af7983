"""The geometry of a raised frame, and corners from everything that is measured."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.board import ICF
from models.scene.camera import look
from vision.cushions import likeliest_stand, normalised, stand, upper_edges
from vision.markings import line_places, markings
from vision.refine import USUAL_LINE, Measured, refine

SIZE = (1200, 900)
HIGH_MM = 24.0
SIDE = ICF.side


def seen_outline(tilt: float, azimuth: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The surface's corners, the outline of the wood that the frame leaves to be seen (px), and the hidden strips (part of a side)."""
    camera = look(SIZE, ICF, tilt, azimuth, 0.0, 1800.0, 0.8)
    eye = np.linalg.svd(camera.matrix)[2][-1]
    x, y, z = eye[:3] / eye[3]
    lateral = np.array([-y, x - SIDE, y - SIDE, -x])
    hidden = np.maximum(lateral * HIGH_MM / (z - HIGH_MM), 0.0)
    n, e, s, w = hidden
    outline = camera.project([[w, n], [SIDE - e, n], [SIDE - e, SIDE - s], [w, SIDE - s]]) - 0.5
    return camera.corners() - 0.5, outline, hidden / SIDE


def test_where_the_camera_stands() -> None:
    camera = look(SIZE, ICF, 20.0, 30.0, 12.0, 1500.0, 0.7)
    focal = 0.7 * 900 / SIDE * 1500.0 / (np.hypot(*SIZE) / 2)
    centre, departure = stand(normalised(camera.corners()[None] - 0.5, SIZE), np.array([focal]))
    eye = np.linalg.svd(camera.matrix)[2][-1]
    assert np.abs(centre[0] * SIDE - eye[:3] / eye[3]).max() < 1.0
    assert np.abs(departure).max() < 1e-3


def test_upper_edges_are_seen_where_the_camera_projects_them() -> None:
    camera = look(SIZE, ICF, 22.0, 90.0, 0.0, 1700.0, 0.8)
    eye = np.linalg.svd(camera.matrix)[2][-1]
    centre = (eye[:3] / eye[3] / SIDE)[None]
    edge = upper_edges(centre, np.array([HIGH_MM / SIDE]))[0]
    foot = np.array([[SIDE / 2, SIDE - edge[2] * SIDE]])
    assert np.abs(camera.project(foot) - camera.project([[SIDE / 2, SIDE]], HIGH_MM)).max() < 0.2
    assert edge[2] > 0 > edge[0]


def test_no_usual_lens_makes_a_square_of_a_rectangle() -> None:
    camera = look(SIZE, ICF, 25.0, 200.0, 0.0, 1500.0, 0.8)
    rectangle = np.array([[0, 0], [SIDE, 0], [SIDE, 0.9 * SIDE], [0, 0.9 * SIDE]])
    seen = np.stack([camera.corners(), camera.project(rectangle)]) - 0.5
    _, departure = likeliest_stand(seen, SIZE, 0.004)
    assert departure[0] < 0.01
    assert departure[1] > 0.05


@pytest.mark.parametrize("azimuth", [90.0, 0.0, 270.0])
def test_a_hidden_foot_is_found_by_the_lines(azimuth: float) -> None:
    corners, outline, hidden = seen_outline(24.0, azimuth)
    assert hidden.max() > 0.006
    # Lines printed evenly appear nearer to an edge that hides a strip.
    lines = np.repeat((hidden.mean() - hidden)[:, None], 2, axis=1)
    measured = Measured(
        wood=np.zeros((4, 2)),
        doubt=np.ones(4),
        top=np.full((4, 2), np.nan),
        lines=lines,
        place=float(-hidden.mean()),
        rise=HIGH_MM / SIDE,
    )
    side_px = np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean()
    before = np.linalg.norm(outline - corners, axis=1).max() / side_px
    refined = refine(outline, SIZE, measured)
    after = np.linalg.norm(refined.corners - corners, axis=1).max() / side_px
    assert before > 0.006
    assert after < 0.0015
    assert np.linalg.norm(refined.seen - outline, axis=1).max() / side_px < 0.0015


def test_a_side_outside_the_picture_follows_from_the_lines() -> None:
    corners = look(SIZE, ICF, 0.0, 0.0, 0.0, 1800.0, 0.8).corners() - 0.5
    guess = corners.copy()
    guess[:2, 1] += 0.02 * (corners[1, 0] - corners[0, 0])
    wood = np.zeros((4, 2))
    wood[0] = np.nan
    lines = line_places(corners, USUAL_LINE, np.zeros((4, 2)), guess[None])[0]
    measured = Measured(wood=wood, doubt=np.ones(4), top=np.full((4, 2), np.nan), lines=lines, place=0.0)
    side_px = corners[1, 0] - corners[0, 0]
    assert np.linalg.norm(refine(guess, SIZE, measured).corners - corners, axis=1).max() / side_px < 0.003


def _measured(place: float, wood: np.ndarray, lines: np.ndarray) -> Measured:
    return Measured(wood=wood, doubt=np.ones(4), top=np.full((4, 2), np.nan), lines=lines, place=place)


def test_edges_that_are_seen_outweigh_a_print_beside_the_middle() -> None:
    corners = look(SIZE, ICF, 0.0, 0.0, 0.0, 1800.0, 0.8).corners() - 0.5
    lines = np.repeat(np.array([0.004, -0.003, -0.004, 0.003])[:, None], 2, axis=1)
    refined = refine(corners, SIZE, _measured(0.0, np.zeros((4, 2)), lines))
    side_px = corners[1, 0] - corners[0, 0]
    assert np.linalg.norm(refined.corners - corners, axis=1).max() / side_px < 0.0025


def test_upper_edges_taken_on_all_sides_are_told_by_where_the_print_lies() -> None:
    corners = look(SIZE, ICF, 0.0, 0.0, 0.0, 1800.0, 0.8).corners() - 0.5
    side_px = corners[1, 0] - corners[0, 0]
    outwards = 0.008
    outline = corners + outwards * side_px * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    refined = refine(outline, SIZE, _measured(outwards, np.zeros((4, 2)), np.zeros((4, 2))))
    assert np.linalg.norm(refined.corners - corners, axis=1).max() / side_px < 0.006


def test_lines_that_the_picture_cuts_off_are_not_compared() -> None:
    side = 600
    picture = np.full((side, side, 3), 190, np.uint8)
    for at in (0.14, 0.18):
        a, b = round(at * side), round((1 - at) * side)
        cv2.rectangle(picture, (a, a), (b, b), (20, 20, 20), 2)
    corners = np.array([[0, 0], [side, 0], [side, side], [0, side]]) - 0.5
    whole = markings(picture, corners)
    assert whole.trust.min() > 0.8
    # Of the lower pair the inner line alone is left: it may not be taken for the outer.
    cut = markings(picture[: round(0.84 * side)], corners)
    assert cut.trust[2].max() == 0
    assert cut.seen()
    assert np.abs(cut.shift[[0, 1, 3]]).max() < 0.002
