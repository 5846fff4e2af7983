"""Labelled pictures as rectified boards, and the classes of the discs on boards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.board import ICF
from models.detector.contract import BOARD_PX, DISC, HAND, MARGIN_MM, PIXEL_CENTRE
from models.detector.examples import Example, light_of, on_surface, px_per_mm
from models.detector.labels import Labels
from vision.calibration import find_board
from vision.detector import Boxes, Detector
from vision.palette import evenly_lit, palette_of
from vision.picture import read_picture
from vision.pieces import Seen, is_round, see
from vision.types import Array, Calibration, Image

ROUND: Final = 1.15
"""A labelled disc longer than wide by this factor moves."""
MATCH: Final = re.compile(r"_t\d+")
"""What `carromeye label` puts between a video's name and the rest of a frame's."""


@dataclass(frozen=True)
class LabelledBoard:
    """A rectified board with its labels.

    Attributes
    ----------
    picture : ndarray of uint8, shape (`BOARD_PX`, `BOARD_PX`, 3)
        BGR.
    boxes : ndarray, shape (n, 5)
        Class, x0, y0, x1, y1 (px from the picture's edge).
    kinds : tuple of str
        White, black, queen or striker of each; empty where not known.
    name : str
    """

    picture: Image
    boxes: Array
    kinds: tuple[str, ...]
    name: str


def rectified(labels: Labels) -> LabelledBoard:
    """A labelled picture as the network takes it: a square picture is a rectified board, in any other the board is found.

    Raises
    ------
    BadInput
        If it is no picture, or no square one and no board is found in it.
    """
    image = read_picture(labels.picture)
    h, w = image.shape[:2]
    cx, cy, bw, bh = (labels.boxes[:, 1:] * (w, h, w, h)).T.reshape(4, -1)
    if w == h:
        picture, boxes = image, np.stack([cx - bw / 2, cy - bh / 2, cx + bw / 2, cy + bh / 2], axis=1)
    else:
        calibration = find_board(image, str(labels.picture))
        picture = calibration.rectify(image)
        boxes = _through(calibration, np.stack([cx, cy, bw, bh], axis=1), len(picture))
    picture, boxes = _at_size(picture, boxes)
    return LabelledBoard(picture, np.c_[labels.boxes[:, 0], boxes], labels.kinds, labels.picture.stem)


def _through(calibration: Calibration, boxes: Array, side: int) -> Array:
    """Boxes (centre, size) of a picture as boxes (corners) of its rectified board, by the middles of their sides."""
    out = np.zeros((len(boxes), 4))
    k = calibration.scale()
    for i, (cx, cy, w, h) in enumerate(boxes):
        around = np.array([[cx - w / 2, cy], [cx + w / 2, cy], [cx, cy - h / 2], [cx, cy + h / 2]]) - PIXEL_CENTRE
        px = (calibration.to_board(around) + MARGIN_MM) * k + PIXEL_CENTRE
        out[i] = (*px.min(axis=0), *px.max(axis=0))
    return np.clip(out, 0, side)


def _at_size(picture: Image, boxes: Array) -> tuple[Image, Array]:
    """A rectified board and its boxes at `BOARD_PX`."""
    k = BOARD_PX / len(picture)
    if k == 1:
        return picture, boxes
    return np.asarray(cv2.resize(picture, (BOARD_PX, BOARD_PX), interpolation=cv2.INTER_AREA), np.uint8), boxes * k


def example_of(board: LabelledBoard) -> Example:
    """What is asked of a detector on a labelled board. A disc with a long box moves; hands are taken to rest."""
    own = board.boxes[:, 0] == DISC
    discs = board.boxes[own, 1:]
    keep = on_surface(discs, px_per_mm(board.picture))
    kinds = np.array(board.kinds, dtype=object)[own][keep] if len(board.kinds) else np.zeros(0, object)
    size = discs[keep, 2:] - discs[keep, :2]
    moving = np.asarray(size.max(axis=1, initial=0) > ROUND * size.min(axis=1, initial=np.inf), np.bool_)
    return Example(
        picture=board.picture, discs=discs[keep], hands=board.boxes[board.boxes[:, 0] == HAND, 1:], spare=np.zeros((0, 4)),
        classes=tuple(str(k) for k in kinds), moving=moving, rest=not moving.any(),
        conditions={"light": light_of(board.picture), "motion": "discs" if moving.any() else "none"},
        name=board.name, match=MATCH.split(board.name)[0] if MATCH.search(board.name) else board.name,
    )  # fmt: skip


def examples(labels: Sequence[Labels]) -> Iterator[Example]:
    """The labelled pictures as examples."""
    for one in labels:
        yield example_of(rectified(one))


class Eye(Detector):
    """A detector that keeps the boxes which it gave last: what is seen on a board no longer knows its box."""

    def __call__(self, rectified: Image) -> tuple[Boxes, Boxes]:
        """Discs and hands in a rectified picture."""
        self.discs, self.hands = super().__call__(rectified)
        return self.discs, self.hands


def look(image: Image, board: Image, calibration: Calibration, eye: Eye) -> tuple[Seen, Array, Array]:
    """Discs and hands in a picture and its rectified board.

    Returns
    -------
    seen : Seen
    discs, hands : ndarray, shape (n, 4) and (k, 4)
        x0, y0, x1, y1 (px of the rectified board, from its edge); discs in the order of `seen`.
    """
    seen = see(image, board, calibration, eye)
    middle = (np.stack([seen.x, seen.y], axis=1) + MARGIN_MM) * calibration.scale()
    away = np.linalg.norm(middle[:, None] - eye.discs.boxes[None, :, :2], axis=2)
    own = away.argmin(axis=1) if len(seen) else np.zeros(0, int)
    return seen, _edges(eye.discs.boxes[own]), _edges(eye.hands.boxes)


def _edges(boxes: Array) -> Array:
    middle = boxes[:, :2] + PIXEL_CENTRE
    return np.concatenate([middle - boxes[:, 2:] / 2, middle + boxes[:, 2:] / 2], axis=1)


def flat(side: int) -> Calibration:
    """The calibration of a rectified board taken for a camera's picture, `side` px wide."""
    return Calibration((ICF.corners() + MARGIN_MM) * side / (ICF.side + 2 * MARGIN_MM), (side, side))


def kinds_of(seen: Sequence[Seen]) -> list[NDArray[np.int_]]:
    """The likeliest class (index into `PIECES`) of every disc on boards of one match, -1 for none."""
    palette = palette_of([evenly_lit(s) for s in seen])
    out = []
    for s in map(evenly_lit, seen):
        p = palette.probabilities(s.colour, s.r, is_round(s.w, s.h))
        out.append(np.asarray(np.where(p.sum(axis=1) > 0, p.argmax(axis=1), -1), np.int_))
    return out
