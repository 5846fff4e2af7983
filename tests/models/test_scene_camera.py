"""Cameras: where points land, and what the picture's faults do."""

import cv2
import numpy as np
import pytest

from models.board import ICF
from models.scene.camera import Fault, degrade, look, overhead, sample_camera


def test_overhead_camera_sees_a_square_right_way_up() -> None:
    camera = overhead((900, 900), fill=0.8)
    corners = camera.corners()
    assert np.allclose(corners, [[90, 90], [810, 90], [810, 810], [90, 810]], atol=0.01)
    assert camera.scale() == pytest.approx(720 / ICF.side, rel=1e-4)


@pytest.mark.parametrize("azimuth", [0, 90, 200, 300])
def test_the_near_side_of_a_tilted_board_looks_longer(azimuth: float) -> None:
    camera = look((1000, 1000), tilt=20, azimuth=azimuth)
    corners = camera.corners()
    eye = np.array([np.cos(np.radians(azimuth)), np.sin(np.radians(azimuth))])
    sides = np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1)
    outward = np.array([[-1, 0], [0, -1], [1, 0], [0, 1]])
    # sides[i] runs from corner i - 1 to corner i: west, north, east, south.
    nearest, farthest = int((outward @ eye).argmax()), int((outward @ eye).argmin())
    assert sides[nearest] > sides[farthest] * 1.05


@pytest.mark.parametrize("seed", range(12))
def test_sampled_cameras_keep_the_corners_in_order_and_in_view(seed: int) -> None:
    camera = sample_camera(np.random.default_rng(seed), (960, 720))
    corners = camera.corners()
    area = cv2.contourArea(corners.astype(np.float32), oriented=True)
    assert area > 0.3 * 720**2
    assert corners[0].sum() < corners[2].sum()
    assert corners[0, 0] < corners[1, 0]
    assert corners[1, 1] < corners[2, 1]
    assert (corners > -60).all()


@pytest.mark.parametrize("k1", [-0.08, 0.0, 0.07])
def test_undistort_undoes_distort(k1: float) -> None:
    camera = look((800, 600))
    camera = type(camera)(camera.matrix, camera.size, k1)
    points = np.random.default_rng(1).uniform(0, 600, (50, 2))
    assert np.allclose(camera.undistort(camera.distort(points)), points, atol=1e-3)


def test_points_above_the_board_move_away_from_the_foot_of_the_camera() -> None:
    camera = look((800, 800), distance=1000)
    low, high = camera.project([[100, 370]]), camera.project([[100, 370]], 20.0)
    assert high[0, 0] < low[0, 0]
    # A point z above the plane at distance d from the axis seems to stand d / (1 - z / distance) from it.
    assert (400 - high[0, 0]) / (400 - low[0, 0]) == pytest.approx(1 / (1 - 20 / 1000), rel=1e-6)


def test_a_faultless_camera_changes_nothing() -> None:
    picture = np.random.default_rng(2).integers(0, 256, (60, 80, 3), dtype=np.uint8)
    assert (degrade(picture, Fault(), np.random.default_rng(0)) == picture).all()


def test_faults_blur_darken_and_add_noise() -> None:
    rng = np.random.default_rng(3)
    picture = np.zeros((64, 64, 3), np.uint8)
    picture[:, 32:] = 200
    edge = lambda p: float(np.abs(np.diff(p[32, :, 0].astype(float))).max())  # noqa: E731
    assert edge(degrade(picture, Fault(defocus=2), rng)) < 0.4 * edge(picture)
    assert degrade(picture, Fault(gain=0.5), rng).max() == 100
    grey = np.full((64, 64, 3), 128, np.uint8)
    noisy = degrade(grey, Fault(noise=8), rng)
    assert 5 < noisy.astype(float).std() < 12
    assert degrade(picture, Fault(shrink=0.5, quality=60), rng).shape == picture.shape
