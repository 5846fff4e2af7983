"""Changes that make a rendered crop new each time that it is learnt from: turned, scaled, in another light, through another camera.

They are cheap beside the rendering and go beyond what one renderer draws: real cameras clip, sharpen, smear and compress
in ways of their own.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.detector.contract import DISC

Image: TypeAlias = NDArray[np.uint8]
"""BGR, shape (n, n, 3)."""
Labels: TypeAlias = NDArray[np.float32]
"""Rows of class, centre x, centre y, width, height in fractions of the picture's side."""

SCALE: Final = (0.82, 1.2)
"""Range of the change of scale: boards differ in size though their pieces don't, and a calibration errs."""
RESCALED: Final = 0.6
"""Part of the crops whose scale is changed."""
KEPT: Final = 0.4
"""A disc of which less than this part is left in the picture has no box."""
LEAST_HAND_PX2: Final = 250.0
"""Nor has a hand of which less is left (px, squared)."""
RELIT: Final = 0.7
"""Part of the crops whose light is changed."""
FILMED: Final = 0.4
"""Part of the crops that are seen through another camera."""
HUE_TURN: Final = 0.12
"""Part of the relit crops whose hues are all turned, to colours that no board of ours has."""


def augment(image: Image, labels: Labels, rng: Generator, size: int, factor: float) -> tuple[Image, Labels]:
    """A changed crop of `size` x `size` px, drawn about `factor` times as large as it is stored, and its labels."""
    image, labels = turned(image, labels, rng)
    image, labels = scaled(image, labels, rng, size, factor)
    if rng.random() < RELIT:
        image = relit(image, rng)
    if rng.random() < FILMED:
        image = filmed(image, rng)
    return np.ascontiguousarray(image), labels


def turned(image: Image, labels: Labels, rng: Generator) -> tuple[Image, Labels]:
    """Flips and quarter turns."""
    labels = labels.copy()
    if rng.random() < 0.5:
        image, labels[:, 1] = image[:, ::-1], 1 - labels[:, 1]
    if rng.random() < 0.5:
        image, labels[:, 2] = image[::-1], 1 - labels[:, 2]
    if rng.random() < 0.5:
        image, labels = image.transpose(1, 0, 2), labels[:, [0, 2, 1, 4, 3]]
    return image, labels


def scaled(image: Image, labels: Labels, rng: Generator, size: int, factor: float) -> tuple[Image, Labels]:
    """The crop about `factor` times as large, cut or filled with black to `size` px."""
    n, k = len(image), factor * (float(rng.uniform(*SCALE)) if rng.random() < RESCALED else 1.0)
    # Larger than the picture: any part of it; smaller: anywhere in it.
    room = size - n * k
    shift = rng.uniform(min(room, 0), max(room, 0), 2)
    # Shrinking by interpolation alone would leave out pixels.
    small = cv2.resize(np.ascontiguousarray(image), None, fx=k, fy=k, interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR)
    matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
    out = np.asarray(cv2.warpAffine(small, matrix, (size, size), flags=cv2.INTER_LINEAR), np.uint8)
    low = (labels[:, 1:3] - labels[:, 3:] / 2) * n * k + shift
    high = (labels[:, 1:3] + labels[:, 3:] / 2) * n * k + shift
    whole = (high - low).prod(1)
    low, high = np.clip(low, 0, size), np.clip(high, 0, size)
    left = (high - low).prod(1)
    keep = (left > 0) & np.where(labels[:, 0] == DISC, left > KEPT * whole, left > LEAST_HAND_PX2)
    boxes = np.concatenate([labels[:, :1], (low + high) / 2 / size, (high - low) / size], axis=1)
    return out, boxes[keep].astype(np.float32)


def relit(image: Image, rng: Generator) -> Image:
    """Another exposure, white balance, contrast and saturation, at times with whites or blacks cut off."""
    levels = np.arange(256, dtype=np.float32) / 255
    gain = rng.uniform(0.6, 1.35) * (1 + rng.normal(0, 0.05, 3))
    gamma, lift = rng.uniform(0.7, 1.4), rng.uniform(-0.08, 0.08)
    table = np.clip(levels[:, None] ** gamma * gain + lift, 0, 1) * 255
    out = np.asarray(cv2.LUT(np.ascontiguousarray(image), table.astype(np.uint8)[None]), np.uint8)
    if rng.random() < 0.5:
        turn = int(rng.integers(-90, 90)) if rng.random() < 2 * HUE_TURN else int(rng.integers(-5, 6))
        h, s = (np.arange(256) + turn) % 180, np.clip(np.arange(256) * rng.uniform(0.4, 1.5), 0, 255)
        mapped = cv2.LUT(cv2.cvtColor(out, cv2.COLOR_BGR2HSV), np.stack([h, s, np.arange(256)], -1).astype(np.uint8)[None])
        out = np.asarray(cv2.cvtColor(mapped, cv2.COLOR_HSV2BGR), np.uint8)
    return out


def filmed(image: Image, rng: Generator) -> Image:
    """Another camera: defocus, a coarse sensor, sharpening, smearing, noise or compression."""
    kind = rng.choice(6, p=[0.25, 0.15, 0.2, 0.1, 0.15, 0.15])
    if kind == 0:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.5)), np.uint8)
    if kind == 1:
        k = rng.uniform(0.45, 0.9)
        small = cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.resize(small, image.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.uint8)
    if kind == 2:
        soft, amount = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.6, 2.0)), rng.uniform(0.3, 1.8)
        return np.asarray(cv2.addWeighted(image, 1 + amount, soft, -amount, 0), np.uint8)
    if kind == 3:
        return np.asarray(cv2.bilateralFilter(image, 5, rng.uniform(15, 60), 3), np.uint8)
    if kind == 4:
        noise = rng.standard_normal(image.shape, dtype=np.float32) * np.float32(rng.uniform(2, 14))
        return np.asarray(np.clip(image + noise, 0, 255), np.uint8)
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(12, 60))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
