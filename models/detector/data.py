"""Batches of crops for the network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.detector.crops import Crop

Batch: TypeAlias = dict[str, Any]
"""Tensors by name, see `batches`."""


def read_crop(picture: Path) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A crop, BGR, and its labels, shape (n, 5): class, centre x, y, width, height in fractions of the crop."""
    text = picture.with_suffix(".txt").read_text(encoding="utf-8").split()
    image = cv2.imread(str(picture), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError(f"{picture}: not a picture")
    return np.asarray(image, np.uint8), np.array(text, np.float32).reshape(-1, 5)


def augment(image: NDArray[np.uint8], labels: NDArray[np.float32], rng: Generator) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Flips, quarter turns and a change of hue, so that a crop that comes again looks new."""
    labels = labels.copy()
    if rng.random() < 0.5:
        image, labels[:, 1] = image[:, ::-1], 1 - labels[:, 1]
    if rng.random() < 0.5:
        image, labels[:, 2] = image[::-1], 1 - labels[:, 2]
    if rng.random() < 0.5:
        image, labels = image.transpose(1, 0, 2), labels[:, [0, 2, 1, 4, 3]]
    if rng.random() < 0.4:
        hsv = cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_BGR2HSV)
        h, s, v = np.arange(256), np.arange(256) * rng.uniform(0.6, 1.4), np.arange(256) * rng.uniform(0.75, 1.2)
        table = np.stack([(h + rng.integers(-90, 90) * (rng.random() < 0.3)) % 180, np.clip(s, 0, 255), np.clip(v, 0, 255)], -1)
        image = np.asarray(cv2.cvtColor(cv2.LUT(hsv, table.astype(np.uint8)[None]), cv2.COLOR_HSV2BGR), np.uint8)
    return np.ascontiguousarray(image), labels


def batches(shards: list[Path], size: int, rng: Generator, fresh: bool = True) -> Iterator[Batch]:
    """One pass over the crops of `shards` in random order, in the form of ultralytics' losses.

    Each batch has ``img`` (b, 3, h, w) RGB 0 to 255, ``cls`` (n, 1), ``bboxes`` (n, 4) and ``batch_idx`` (n,). `fresh` augments.
    """
    paths = [p for s in shards for p in sorted(s.glob("*.jpg"))]
    order = rng.permutation(len(paths))
    for start in range(0, len(paths) - size + 1, size):
        chosen = [read_crop(paths[k]) for k in order[start : start + size]]
        yield assemble([augment(image, rows, rng) for image, rows in chosen] if fresh else chosen)


def assemble(crops: Sequence[tuple[NDArray[np.uint8], NDArray[np.float32]]]) -> Batch:
    """One batch of crops with their labels (see `read_crop`), in the form of `batches`."""
    import torch

    rows = np.concatenate([labels for _, labels in crops])
    index = np.repeat(np.arange(len(crops), dtype=np.float32), [len(labels) for _, labels in crops])
    return {
        "img": torch.from_numpy(np.stack([image[..., ::-1].transpose(2, 0, 1) for image, _ in crops])),
        "cls": torch.from_numpy(rows[:, :1].copy()),
        "bboxes": torch.from_numpy(rows[:, 1:].copy()),
        "batch_idx": torch.from_numpy(index),
    }


def labels_of(crop: Crop) -> NDArray[np.float32]:
    """A crop's boxes as labels, in fractions of its side; see `read_crop`."""
    b, side = crop.boxes, len(crop.picture)
    out = np.c_[
        b[:, 0], (b[:, 1] + b[:, 3]) / 2 / side, (b[:, 2] + b[:, 4]) / 2 / side, (b[:, 3] - b[:, 1]) / side, (b[:, 4] - b[:, 2]) / side
    ]
    return np.asarray(out, np.float32)
