"""Batches of crops for the network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.detector.augment import augment
from models.detector.contract import BOARD_PX, INPUT_PX
from models.errors import BadInput

Batch: TypeAlias = dict[str, Any]
"""Tensors by name, see `batches`."""


def read_crop(picture: Path) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A crop, BGR, and its labels, shape (n, 5): class, centre x, y, width, height in fractions of the crop.

    Raises
    ------
    BadInput
        If either is missing or damaged.
    """
    image = cv2.imread(str(picture), cv2.IMREAD_COLOR)
    try:
        labels = np.array(picture.with_suffix(".txt").read_text(encoding="utf-8").split(), np.float32).reshape(-1, 5)
    except (OSError, ValueError):
        labels = None
    if image is None or labels is None:
        raise BadInput(f"{picture}: this rendered crop or its labels are damaged; remove the folder {picture.parent}, it is rendered again")
    return np.asarray(image, np.uint8), labels


def batches(shards: list[Path], size: int, rng: Generator, input_px: int = INPUT_PX) -> Iterator[Batch]:
    """One pass over the crops of `shards` in random order, in the form of ultralytics' losses, for a network that takes `input_px`.

    Each batch has ``img`` (b, 3, n, n) RGB 0 to 255, ``cls`` (n, 1), ``bboxes`` (n, 4) and ``batch_idx`` (n,).
    """
    paths = [p for s in shards for p in sorted(s.glob("*.jpg"))]
    order = rng.permutation(len(paths))
    for start in range(0, len(paths) - size + 1, size):
        chosen = [read_crop(paths[k]) for k in order[start : start + size]]
        yield assemble([fresh(image, rows, rng, input_px) for image, rows in chosen])


def fresh(
    image: NDArray[np.uint8], labels: NDArray[np.float32], rng: Generator, input_px: int = INPUT_PX
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A stored crop as the network learns from it: changed (`models.detector.augment`), at the scale of a board of `input_px`."""
    factor = input_px / BOARD_PX
    return augment(image, labels, rng, round(len(image) * factor), factor)


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
