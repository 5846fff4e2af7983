"""Discs and hands of one picture of a board: found by the network, placed in millimetres, their look measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.board import BoardSpec
from models.detections import STREAK
from vision.centres import outlines
from vision.detector import Boxes, Detector
from vision.exposure import Shade, WoodLight, cie_lab, wood_light
from vision.types import MARGIN_MM, Array, Calibration, Image

Mask = NDArray[np.bool_]

INNER: Final = 0.6
"""Part of a disc's radius within which its colour is taken: the rim is shaded and shows the board."""
PATCH: Final = 13
"""Samples across a disc when its colour is taken."""
POCKET_MOUTH: Final = 0.75
"""A disc whose centre is nearer to a pocket's centre than this part of the pocket's radius lies in its net. There are pockets narrower
by a tenth than the board's, and a disc may hang over the edge of those."""
BEYOND: Final = 0.01
"""How far beyond the cushions a disc's edge may seem to lie by an inexact calibration (part of a side)."""
OVERLAP: Final = 0.72
"""Part of two radii' sum below which two centres cannot be apart: discs lie side by side."""


@dataclass(frozen=True)
class Seen:
    """The discs and hands of one picture, one struct of arrays; millimetres, as in `models.detections.Detections`.

    Attributes
    ----------
    x, y : ndarray, shape (n,)
        Where each disc stands on the board: the parallax of its height is taken out.
    colour : ndarray, shape (n, 3)
        Median CIE L*a*b* of each disc's inner part (L* 0 to 100).
    light : WoodLight
        How much of it falls on the board.
    """

    x: Array
    y: Array
    r: Array
    w: Array
    h: Array
    colour: Array
    score: Array
    hands: Array
    light: WoodLight

    def __len__(self) -> int:
        return len(self.x)

    def only(self, keep: Mask) -> Seen:
        """Without the discs that are not to be kept."""
        lists = {name: getattr(self, name)[keep] for name in ("x", "y", "r", "w", "h", "colour", "score")}
        return replace(self, **lists)

    def out_of(self, shade: Shade) -> Seen:
        """In the colours that the discs would have outside of a lasting shade."""
        colour = shade.taken_off(self.colour, np.stack([self.x, self.y], axis=1))
        return replace(self, colour=colour, light=self.light.even())


def see(picture: Image, rectified: Image, calibration: Calibration, detector: Detector, light: WoodLight | None = None) -> Seen:
    """Find the discs and hands in a picture and in what the calibration makes of it (both BGR).

    Parameters
    ----------
    light : WoodLight, optional
        What falls on the board, where it is known; else it is measured.
    """
    discs, hands = detector(rectified)
    k = calibration.scale()
    box = _to_mm(discs, k)
    r = box[:, 2:].min(axis=1) / 2 if len(box) else np.zeros(0)
    keep = playable(box[:, 0], box[:, 1], r, calibration.board)
    keep[keep] = apart(box[keep], discs.score[keep])
    box, r, score = box[keep], r[keep], discs.score[keep]
    place = outlines(picture, calibration, box[:, :2], r, is_round(box[:, 2], box[:, 3]))
    hand = _to_mm(hands, k)
    edges = np.c_[hand[:, :2] - hand[:, 2:] / 2, hand[:, :2] + hand[:, 2:] / 2, hands.score]
    return Seen(
        x=place.xy[:, 0], y=place.xy[:, 1], r=place.r, w=box[:, 2], h=box[:, 3],
        colour=disc_colours(rectified, discs.boxes[keep]), score=score, hands=edges,
        light=light or wood_light(rectified, calibration.board.side, np.c_[box[:, :2], r], edges),
    )  # fmt: skip


def _to_mm(found: Boxes, scale: float) -> Array:
    return np.concatenate([found.boxes[:, :2] / scale - MARGIN_MM, found.boxes[:, 2:] / scale], axis=1)


def playable(x: Array, y: Array, r: Array, board: BoardSpec) -> Mask:
    """Whether discs can lie on the playing surface, between the cushions and not in a pocket; shape (n,) of bool."""
    room = r - BEYOND * board.side
    inside = (np.minimum(x, y) > room) & (np.maximum(x, y) < board.side - room)
    for px, py in board.pockets().values():
        inside &= np.hypot(x - px, y - py) > POCKET_MOUTH * board.pocket_radius
    return np.asarray(inside, np.bool_)


def apart(boxes: Array, score: Array) -> Mask:
    """Which discs to keep so that none lies in another: of two that would, the surer one; shape (n,) of bool."""
    r = boxes[:, 2:].min(axis=1) / 2 if len(boxes) else np.zeros(0)
    keep = np.ones(len(boxes), bool)
    for i in np.argsort(-score):
        if keep[i]:
            near = np.hypot(*(boxes[:, :2] - boxes[i, :2]).T) < OVERLAP * (r + r[i])
            near[i] = False
            keep &= ~(near & (score <= score[i]))
    return keep


def disc_colours(picture: Image, boxes: Array) -> Array:
    """Median CIE L*a*b* of the inner part of each disc.

    Parameters
    ----------
    picture : ndarray of uint8, shape (height, width, 3)
        BGR.
    boxes : ndarray, shape (n, 4)
        Centre x, centre y, width, height (px).

    Returns
    -------
    ndarray, shape (n, 3)
        L* 0 to 100, a* and b*.
    """
    if not len(boxes):
        return np.zeros((0, 3))
    grid = np.linspace(-1, 1, PATCH)
    gx, gy = np.meshgrid(grid, grid)
    disc = np.hypot(gx, gy) <= 1
    r = INNER * boxes[:, 2:].min(axis=1) / 2
    mx = (boxes[:, :1] + r[:, None] * gx[disc]).astype(np.float32)
    my = (boxes[:, 1:2] + r[:, None] * gy[disc]).astype(np.float32)
    sampled = cv2.remap(picture, mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.median(cie_lab(np.asarray(sampled, np.uint8)), axis=1), np.float64)


def is_round(w: Array, h: Array) -> Mask:
    """Whether boxes are a disc at rest's rather than a streak's, shape (n,) of bool."""
    return np.asarray(np.maximum(w, h) < STREAK * np.maximum(np.minimum(w, h), 1e-9), np.bool_)
