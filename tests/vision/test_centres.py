"""Centres are found to parts of a pixel, and where the disc stands rather than where its height makes it seem to lie."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.board import ICF
from models.scene.camera import Camera, look
from models.scene.hand import HandPose
from models.scene.render import DrawnDisc, Renderer
from models.scene.style import sample_style
from vision.centres import _edges, outlines
from vision.height import DISC_HEIGHT, lean_of, seen_at
from vision.types import Array, Calibration, Image

SIZE = (1280, 960)
AT = np.array([(150.0, 160), (370, 370), (401.8, 370), (385.9, 342.5), (610, 200), (180, 560), (520, 600), (560, 60), (60, 380)])


def calibrated(camera: Camera) -> Calibration:
    return Calibration(camera.corners(), camera.size)


def rendered(camera: Camera, seed: int, hands: tuple[HandPose, ...] = ()) -> Image:
    discs = [DrawnDisc(("white", "black")[k % 2], float(x), float(y)) for k, (x, y) in enumerate(AT)]
    style = replace(sample_style(np.random.default_rng(seed)), piece_scale=1.0)
    return Renderer(style, camera, seed=seed).frame(discs, hands)


def expected(calibration: Calibration) -> Array:
    """What the network would say: the middles as they seem to lie, each wrong by 1.2 mm, which nine of ten of its boxes keep within."""
    turn = np.arange(len(AT)) * 2.4
    return AT + lean_of(calibration)(AT) * DISC_HEIGHT / 2 + 1.2 * np.stack([np.cos(turn), np.sin(turn)], 1)


@pytest.mark.parametrize("tilt", [0, 20])
@pytest.mark.parametrize("seed", [1, 5, 8])
def test_centres(tilt: float, seed: int) -> None:
    camera = look(SIZE, ICF, tilt, 70.0, 3.0, 1300.0)
    calibration = calibrated(camera)
    found = outlines(rendered(camera, seed), calibration, expected(calibration), np.full(len(AT), 15.0), np.ones(len(AT), bool))
    assert found.fitted.all()
    off = np.hypot(*(found.xy - AT).T)
    assert np.median(off) < 0.9 and off.max() < 2.0
    assert np.abs(found.r - ICF.piece_radius).max() < 1.2


def test_half_of_a_disc_under_a_hand_does_not_lead_it_astray() -> None:
    camera = look(SIZE, ICF, 0.0, 0.0, 0.0, 1500.0)
    hand = HandPose((float(AT[5, 0]), float(AT[5, 1]) + 10), -np.pi / 2, "south")
    calibration = calibrated(camera)
    found = outlines(rendered(camera, 1, (hand,)), calibration, expected(calibration), np.full(len(AT), 15.9), np.ones(len(AT), bool))
    assert np.hypot(*(found.xy[5] - AT[5])) < 2.5


def test_a_piece_and_a_striker_alone_keep_their_sizes() -> None:
    camera = look(SIZE, ICF, 0.0, 0.0, 0.0, 1300.0)
    calibration = calibrated(camera)
    style = replace(sample_style(np.random.default_rng(1)), piece_scale=1.0, striker_scale=1.12)
    picture = Renderer(style, camera, seed=1).frame([DrawnDisc("white", 260.0, 290.0), DrawnDisc("striker", 500.0, 480.0)])
    at = np.array([(260.0, 290.0), (500.0, 480.0)])
    found = outlines(picture, calibration, at, np.array([15.9, 17.8]), np.ones(2, bool))
    assert np.abs(found.r - ICF.piece_radius * np.array([1.0, 1.12])).max() < 0.6


def test_what_is_no_outline_is_left_where_the_network_saw_it() -> None:
    calibration = calibrated(look(SIZE))
    flat = np.full((SIZE[1], SIZE[0], 3), 128, np.uint8)
    found = outlines(flat, calibration, expected(calibration), np.full(len(AT), 15.0), np.ones(len(AT), bool))
    assert not found.fitted.any() and (found.r == 15).all()
    assert np.abs(found.xy - (expected(calibration) - lean_of(calibration)(expected(calibration)) * DISC_HEIGHT / 2)).max() < 1e-9
    streaks = outlines(rendered(look(SIZE), 1), calibration, expected(calibration), np.full(len(AT), 15.0), np.zeros(len(AT), bool))
    assert not streaks.fitted.any()


def covered(at: Array, soft: float, radius: float = ICF.piece_radius) -> NDArray[np.float32]:
    """How much of each pixel, 110 px outside of the board's corner the first, discs cover; `soft` is their outlines' blur (px)."""
    mask = np.zeros((960, 960), np.float32)
    for x, y in at + 110:
        cv2.circle(mask, (round(16 * x), round(16 * y)), round(16 * radius), (1.0,), -1, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), soft)[..., None], np.float32)


@pytest.mark.parametrize(("level", "least"), [(40, 0.3), (215, 0.5), (240, 0.7)])
def test_light_from_one_side_hardly_moves_a_centre(level: int, least: float) -> None:
    """The shadow falls to the right, and on the right the discs' bevels are dark: light discs' faces lie to the left of their middles."""
    at = np.array([(x, y) for x in (150.0, 370.0, 590.0) for y in (150.0, 370.0, 590.0)])
    wood = np.array([150, 190, 225]) * (1 - 0.5 * covered(at + np.array([4.0, 0.0]), 4.0))
    to_the_right = (np.arange(960) - 110)[:, None] - at[:, 0]
    turned = np.clip(to_the_right[np.arange(960), np.abs(to_the_right).argmin(axis=1)] / ICF.piece_radius, 0, 1)
    bevelled = wood + (level * (1 - 0.6 * turned[None, :, None]) - wood) * covered(at, 1.0)
    picture = np.asarray(bevelled + (level - bevelled) * covered(at, 1.0, 13.2), np.uint8)
    calibration = Calibration(np.array([(110, 110), (850, 110), (850, 850), (110, 850)], np.float64), (960, 960))
    found = outlines(picture, calibration, at, np.full(9, ICF.piece_radius), np.ones(9, bool))
    off = found.xy + lean_of(calibration)(at) * DISC_HEIGHT / 2 - at
    assert found.fitted.all() and np.hypot(*off.mean(axis=0)) < least


def test_a_broad_change_counts_less_beside_a_narrow_edge() -> None:
    level = 4.0 * np.arange(25) + 60.0 * (np.arange(25) >= 12)
    strength = _edges(np.tile(level[None, None, :, None], (1, 48, 1, 3)).astype(np.float32))[0, 0]
    assert strength[11] == strength[12] > 0.3
    assert strength[13:15].max() < 0.1 * strength[18:22].min() < 0.01 * strength[12]


@pytest.mark.parametrize("tilt", [0, 12, 25])
def test_lean(tilt: float) -> None:
    """A disc's top is seen where a camera of usual focal length, which is told the truth, sees it."""
    size = (1440, 1080)
    distance = 0.75 * float(np.hypot(*size)) / (0.75 * min(size)) * ICF.side
    camera = replace(look(size, ICF, tilt, 200.0, 10.0, distance), distortion=0.0)
    calibration = calibrated(camera)
    true = camera.project(AT, DISC_HEIGHT / 2)
    assert np.hypot(*(seen_at(calibration, AT) - true).T).max() < 0.25 * camera.scale()
    assert np.hypot(*(camera.project(AT) - true).T).max() > (0.9 if tilt == 0 else 1.2) * camera.scale()
