"""The detector at work: the trained network on OpenCV's own runtime, no further package needed."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.detector.contract import DISC, HAND, PIXEL_CENTRE, WEIGHTS
from models.detector.run import SCORE, Network, decode
from vision.types import Array, Image

MIN_SCORE: Final = SCORE
"""What scores less is not reported of a single picture."""


@dataclass(frozen=True)
class Boxes:
    """What the network finds in one rectified picture.

    Attributes
    ----------
    boxes : ndarray, shape (n, 4)
        Centre x, centre y, width, height (px of the rectified picture, whose first pixel's middle is 0, 0).
    score : ndarray, shape (n,)
    """

    boxes: Array
    score: Array


class Detector:
    """Finds discs and hands in the rectified picture of a board.

    Parameters
    ----------
    weights : Path
        An ONNX file as `models.detector.contract` says: the input (1, 3, n, n), RGB 0 to 1, the output (1, 6, cells).
    min_score : float
        What scores less is not reported. Over a video, where a disc is known to lie or expected to come, less will do.
    all_sides : bool
        Whether the network looks at the board from each of its four sides, and what it sees is averaged: that takes four
        times as long, but chance has less of a say in scores and places. Weights whose output is no square grid look once.

    Raises
    ------
    BadInput
        If the weights are missing or are no such network.
    """

    def __init__(self, weights: Path = WEIGHTS, min_score: float = MIN_SCORE, all_sides: bool = False) -> None:
        self._min_score, self._all_sides = min_score, all_sides
        self._network = Network(weights)

    def __call__(self, rectified: Image) -> tuple[Boxes, Boxes]:
        """Discs and hands in a rectified picture (BGR, square)."""
        raw = self._network.raw(rectified)
        if self._all_sides and isqrt(raw.shape[1]) ** 2 == raw.shape[1]:
            raw = _averaged([raw, *(_turned_back(self._network.raw(_turned(rectified, q)), q, len(rectified)) for q in (1, 2, 3))])
        found = decode(raw, self._min_score)
        boxes = np.c_[(found.boxes[:, :2] + found.boxes[:, 2:]) / 2 - PIXEL_CENTRE, found.boxes[:, 2:] - found.boxes[:, :2]]
        return tuple(Boxes(boxes[found.cls == cls], found.score[found.cls == cls]) for cls in (DISC, HAND))  # type: ignore[return-value]


def _turned(picture: Image, quarters: int) -> Image:
    return np.ascontiguousarray(np.rot90(picture, quarters))


def _turned_back(raw: NDArray[np.float32], quarters: int, side: int) -> NDArray[np.float32]:
    """What the network says of a picture of `side` px that was turned, with the cells and boxes where they are without that."""
    n = isqrt(raw.shape[1])
    out = np.rot90(raw.reshape(-1, n, n), -quarters, axes=(1, 2)).reshape(raw.shape).copy()
    for _ in range(quarters):
        out[:4] = np.stack([side - out[1], out[0], out[3], out[2]])
    return out


def _averaged(raw: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Mean scores of several looks, and boxes that each look has the more say in the surer it is."""
    looks = np.stack(raw)
    sure = np.maximum(looks[:, 4:].max(axis=1, keepdims=True), np.float32(1e-6))
    boxes = (looks[:, :4] * sure).sum(axis=0) / sure.sum(axis=0)
    return np.concatenate([boxes, looks[:, 4:].mean(axis=0)])
