"""The detector at work: the trained network on OpenCV's own runtime, no further package needed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from models.detector.contract import DISC, HAND, PIXEL_CENTRE, WEIGHTS
from models.detector.run import SCORE, Network
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

    Raises
    ------
    BadInput
        If the weights are missing or are no such network.
    """

    def __init__(self, weights: Path = WEIGHTS, min_score: float = MIN_SCORE) -> None:
        self._min_score = min_score
        self._network = Network(weights)

    def __call__(self, rectified: Image) -> tuple[Boxes, Boxes]:
        """Discs and hands in a rectified picture (BGR, square)."""
        found = self._network(rectified, self._min_score)
        boxes = np.c_[(found.boxes[:, :2] + found.boxes[:, 2:]) / 2 - PIXEL_CENTRE, found.boxes[:, 2:] - found.boxes[:, :2]]
        return tuple(Boxes(boxes[found.cls == cls], found.score[found.cls == cls]) for cls in (DISC, HAND))  # type: ignore[return-value]
