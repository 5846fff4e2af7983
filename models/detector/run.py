"""Run the exported network on rectified boards with OpenCV's own runtime."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.detector.contract import CLASSES, INPUT_PX, WEIGHTS
from models.errors import BadInput

SCORE: Final = 0.25
"""What scores less is no detection."""
OVERLAP: Final = 0.45
"""Of two boxes of a class that overlap more than this (intersection over union), the weaker is dropped: discs lie side by side."""
MOST: Final = 2000
"""So many of the best boxes are looked at: a board holds 20 discs, but weights of one's own may see any number."""
FARTHEST: Final = 1e5
"""Edges of boxes are held within this (px), so that every use can count with them."""


@dataclass(frozen=True)
class Found:
    """Boxes, shape (n, 4): x0, y0, x1, y1 (px of the rectified board), `cls` (n,) and `score` (n,), best first."""

    boxes: NDArray[np.float64]
    cls: NDArray[np.int64]
    score: NDArray[np.float64]


def load(weights: Path, input_px: int = INPUT_PX) -> cv2.dnn.Net:
    """An exported network, ready to run.

    Raises
    ------
    BadInput
        If the weights are missing, are no network, or one that takes or gives something else than the contract says.
    """
    if not weights.is_file():
        raise BadInput(f"no detector weights at {weights}")
    try:
        net = cv2.dnn.readNetFromONNX(str(weights))
        if weights != WEIGHTS:
            net.setInput(np.zeros((1, 3, input_px, input_px), np.float32))
            shape = np.asarray(net.forward()).shape
            if len(shape) != 3 or shape[:2] != (1, 4 + len(CLASSES)):
                raise BadInput(f"{weights}: a network, but no detector of {'s and '.join(CLASSES)}s: its output has the shape {shape}")
    except cv2.error:
        raise BadInput(f"{weights}: is no network that can be run, or takes no picture of {input_px} x {input_px}") from None
    return net


class Network:
    """The exported network, which takes boards of `input_px`."""

    def __init__(self, weights: Path = WEIGHTS, input_px: int = INPUT_PX) -> None:
        self._net, self._input_px = load(weights, input_px), input_px

    def raw(self, board: NDArray[np.uint8]) -> NDArray[np.float32]:
        """The network's output, shape (4 + classes, cells), for a rectified board, BGR, square, in whose pixels the boxes are given."""
        side, taken = len(board), (self._input_px, self._input_px)
        if side != self._input_px:
            board = np.asarray(cv2.resize(board, taken, interpolation=cv2.INTER_AREA), np.uint8)
        self._net.setInput(cv2.dnn.blobFromImage(board, 1 / 255, taken, swapRB=True))
        out = np.asarray(self._net.forward(), np.float32)
        out = out.reshape(out.shape[-2:])
        out[:4] *= side / self._input_px
        return out

    def __call__(self, board: NDArray[np.uint8], score: float = SCORE, overlap: float = OVERLAP) -> Found:
        """What lies on a rectified board."""
        return decode(self.raw(board), score, overlap)


def decode(raw: NDArray[np.float32], score: float = SCORE, overlap: float = OVERLAP) -> Found:
    """Boxes from the network's output, shape (4 + classes, cells), weaker overlapping boxes of the same class dropped.

    What is no box, without a size or not finite, is dropped as well.
    """
    best = raw[4 : 4 + len(CLASSES)]
    cls, value = best.argmax(0), best.max(0)
    keep = np.flatnonzero((value >= score) & np.isfinite(raw[:4]).all(0) & (raw[2:4] > 0).all(0))
    keep = keep[np.argsort(-value[keep], kind="stable")[:MOST]]
    cx, cy, w, h = raw[:4, keep].astype(np.float64)
    boxes = np.clip(np.stack([cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2], -1), -FARTHEST, FARTHEST)
    cls, value = cls[keep], value[keep]
    chosen: list[int] = []
    for i in range(len(keep)):
        same = [j for j in chosen if cls[j] == cls[i]]
        if not same or iou(boxes[i], boxes[same]).max() <= overlap:
            chosen.append(i)
    return Found(boxes[chosen], np.asarray(cls[chosen], np.int64), np.asarray(value[chosen], np.float64))


def iou(box: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Intersection over union of one box with others, shape (n, 4)."""
    lo, hi = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    inter = np.clip(hi - lo, 0, None).prod(1)
    area = (box[2:] - box[:2]).prod() + (others[:, 2:] - others[:, :2]).prod(1) - inter
    return np.asarray(inter / np.maximum(area, 1e-9), np.float64)
