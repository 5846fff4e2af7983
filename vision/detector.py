"""The detector at work: the trained network on OpenCV's own runtime, no further package needed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.detector.contract import DISC, HAND, INPUT_PX, PIXEL_CENTRE, WEIGHTS
from models.detector.run import load
from vision.types import Array, Image

MIN_SCORE: Final = 0.25
MAX_OVERLAP: Final = 0.45
"""Two discs lie side by side, never in one another: boxes that overlap more (IoU) are one disc seen twice."""


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
        self._net = load(weights)

    def __call__(self, rectified: Image) -> tuple[Boxes, Boxes]:
        """Discs and hands in a rectified picture (BGR, square)."""
        blob = cv2.dnn.blobFromImage(rectified, 1 / 255, (INPUT_PX, INPUT_PX), swapRB=True)
        self._net.setInput(blob)
        out = np.asarray(self._net.forward(), np.float64)[0]
        out[:4] *= len(rectified) / INPUT_PX
        out[:2] -= PIXEL_CENTRE
        return self._pick(out, DISC), self._pick(out, HAND)

    def _pick(self, out: Array, cls: int) -> Boxes:
        score = out[4 + cls]
        keep = score >= self._min_score
        boxes, score = out[:4, keep].T, score[keep]
        if not len(score):
            return Boxes(np.zeros((0, 4)), np.zeros(0))
        corner = np.c_[boxes[:, :2] - boxes[:, 2:] / 2, boxes[:, 2:]]
        chosen = np.asarray(cv2.dnn.NMSBoxes(corner.tolist(), score.tolist(), self._min_score, MAX_OVERLAP), int).ravel()
        return Boxes(boxes[chosen], score[chosen])
