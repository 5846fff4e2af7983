"""A crop that comes again looks new, and its boxes go with it."""

from __future__ import annotations

import numpy as np
import pytest

from models.detector.augment import Labels, augment, filmed, relit, scaled, turned
from models.detector.contract import DISC, HAND

SIDE = 100


def picture() -> np.ndarray:
    """A white bar on black."""
    image = np.zeros((SIDE, SIDE, 3), np.uint8)
    image[10:20, 60:90] = 255
    return image


BAR: Labels = np.array([[DISC, 0.75, 0.15, 0.3, 0.1]], np.float32)


def inside(image: np.ndarray, box: np.ndarray) -> np.ndarray:
    x, y, w, h = box * len(image)
    return image[round(y - h / 2) : round(y + h / 2), round(x - w / 2) : round(x + w / 2)]


@pytest.mark.parametrize("seed", range(16))
def test_turning_moves_the_boxes_with_the_picture(seed: int) -> None:
    image, labels = turned(picture(), BAR, np.random.default_rng(seed))
    part = inside(np.ascontiguousarray(image), labels[0, 1:])
    assert part.shape[:2] in ((10, 30), (30, 10))
    assert part.min() == 255


@pytest.mark.parametrize("factor", [0.6, 0.8, 1.0, 1.3])
@pytest.mark.parametrize("seed", range(6))
def test_scaling_moves_the_boxes_with_the_picture(seed: int, factor: float) -> None:
    image, labels = scaled(picture(), BAR, np.random.default_rng(seed), 80, factor)
    assert image.shape == (80, 80, 3)
    for box in labels[:, 1:]:
        middle = box[:2] * 80
        assert inside(image, box).mean() > 200
        ys, xs = np.nonzero(image[..., 0] > 127)
        assert np.abs(middle - [(xs.min() + xs.max() + 1) / 2, (ys.min() + ys.max() + 1) / 2]).max() < 1


def test_what_is_mostly_cut_off_has_no_box() -> None:
    corner = np.array([[DISC, 0.995, 0.995, 0.2, 0.2], [HAND, 0.995, 0.995, 0.2, 0.2]], np.float32)
    for seed in range(20):
        _, labels = scaled(picture(), corner, np.random.default_rng(seed), 80, 1.0)
        assert not len(labels) or (labels[:, 3:] * 80 > 10).all()


def test_light_and_camera_change_the_picture_and_leave_its_form() -> None:
    image = np.full((64, 64, 3), 120, np.uint8)
    image[20:40, 20:40] = (30, 90, 200)
    for change in (relit, filmed):
        others = [change(image, np.random.default_rng(k)) for k in range(12)]
        assert all(o.shape == image.shape and o.dtype == np.uint8 for o in others)
        assert sum(not np.array_equal(o, image) for o in others) > 6


def test_the_same_seed_gives_the_same_crop() -> None:
    first, again = (augment(picture(), BAR, np.random.default_rng(5), 80, 0.8) for _ in range(2))
    assert np.array_equal(first[0], again[0]) and np.array_equal(first[1], again[1])
    assert first[0].shape == (80, 80, 3)
