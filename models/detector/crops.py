"""The training set: crops of rendered boards as the calibration would rectify them, with boxes.

They are written in shards: ``00000/000.jpg`` with its ``000.txt`` (YOLO: class, centre x, y, width, height in fractions). A shard
that is there is not made again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.board import ICF, BoardSpec
from models.detector.contract import BOARD_PX, DISC, HAND, MARGIN_MM, PIXEL_CENTRE
from models.detector.states import sample_state
from models.scene.camera import Camera, sample_camera, sample_fault
from models.scene.hand import HandPose
from models.scene.looks import Style
from models.scene.render import MAX_SAMPLES, Box, DrawnDisc, Renderer, Truth
from models.scene.style import sample_style

STORED_PX: Final = 320
PX_PER_MM: Final = BOARD_PX / (ICF.side + 2 * MARGIN_MM)
"""Scale of the rectified board."""
SHARD: Final = 256
STATES_PER_STYLE: Final = 3
AROUND_MM: Final = 110.0
CORNER_ERROR_MM: Final = 2.5
"""Standard deviation of the calibration's error at each corner (mm)."""
HIDDEN: Final = 0.7
"""A disc of which hands hide more than this has no box."""
CLIPPED: Final = 0.25
"""Share of boards of which the camera's picture cuts something off."""
CUT_MM: Final = 83.0
"""How far inward the camera's picture may end (mm from the rectified picture's edge)."""
SEEN: Final = 0.4
"""A box of which the crop holds less than this is left out."""
FLASHES: Final = (3, 5, MAX_SAMPLES)
"""As how many copies a moving disc is seen: lamps that flicker draw few of it, others a streak."""
FLASHES_ODDS: Final = (0.04, 0.06, 0.9)
LEAST_HAND_MM: Final = 27.0
"""Of a hand a square of this side must be seen (mm)."""


@dataclass(frozen=True)
class Crop:
    """A picture (h, w, 3) BGR and its boxes, shape (n, 5): class, x0, y0, x1, y1 (px)."""

    picture: NDArray[np.uint8]
    boxes: NDArray[np.float64]

    def labels(self) -> NDArray[np.float64]:
        """The boxes as YOLO's files have them, shape (n, 5): class, centre x, y, width, height in fractions of the side."""
        b = self.boxes
        rows = np.c_[b[:, 0], (b[:, 1] + b[:, 3]) / 2, (b[:, 2] + b[:, 4]) / 2, b[:, 3] - b[:, 1], b[:, 4] - b[:, 2]]
        rows[:, 1:] /= len(self.picture)
        return np.asarray(rows, np.float64)


@dataclass(frozen=True)
class Board:
    """A rendered whole board and all that is known of it.

    Attributes
    ----------
    picture : ndarray of uint8, shape (`BOARD_PX`, `BOARD_PX`, 3)
        BGR.
    discs : tuple of DrawnDisc
        In the order of the truth's boxes; those that hands hold come last.
    hands : tuple of HandPose
    truth : Truth
        Boxes measured from the picture's edge. What is `hidden` is hidden by hands or lies where the camera's picture ends.
    style : Style
    camera : Camera
        With the fault that this picture has.
    clipped : bool
        The camera's picture ends within the rectified one.
    """

    picture: NDArray[np.uint8]
    discs: tuple[DrawnDisc, ...]
    hands: tuple[HandPose, ...]
    truth: Truth
    style: Style
    camera: Camera
    clipped: bool

    def crop(self) -> Crop:
        """The whole picture with the boxes to be learnt."""
        return Crop(self.picture, boxes_of(self.truth))


def rectified_camera(rng: Generator, board: BoardSpec = ICF) -> Camera:
    """A random camera followed by the rectification of a slightly wrong calibration."""
    seen = sample_camera(rng, (1000, 1000), board)
    k, square = BOARD_PX / (board.side + 2 * MARGIN_MM), board.corners()
    found = square + rng.normal(0, CORNER_ERROR_MM * rng.random(), (4, 2))
    corners = replace(seen, distortion=0.0).project(found)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), ((square + MARGIN_MM) * k).astype(np.float32))
    return replace(seen.seen_through(np.asarray(matrix, np.float64), (BOARD_PX, BOARD_PX)), readout_s=0.0, fault=sample_fault(rng))


def _clipped(rng: Generator) -> NDArray[np.bool_]:
    """What of a rectified board the camera's picture holds, where that ends within the margin; the rest is black."""
    yy, xx = np.mgrid[0:BOARD_PX, 0:BOARD_PX]
    seen = np.ones((BOARD_PX, BOARD_PX), np.bool_)
    for along, across in ((xx, yy), (yy, xx), (BOARD_PX - xx, yy), (BOARD_PX - yy, xx)):
        if rng.random() < 0.4:
            seen &= along > rng.uniform(0, CUT_MM) * PX_PER_MM + (across - BOARD_PX / 2) * rng.normal(0, 0.03)
    return seen


def _unseen_share(seen: NDArray[np.bool_], box: tuple[float, float, float, float]) -> float:
    """How much of a box lies where the camera's picture has ended."""
    x0, y0, x1, y1 = (int(np.clip(v, 0, BOARD_PX)) for v in (box[0], box[1], box[2] + 1, box[3] + 1))
    part = seen[y0:y1, x0:x1]
    return 1 - float(part.mean()) if part.size else 1.0


def _seen_part(seen: NDArray[np.bool_], box: Box) -> Box | None:
    """What is left of a box where the camera's picture has ended."""
    x0, y0, x1, y1 = (int(np.clip(v, 0, BOARD_PX)) for v in (box[0], box[1], box[2] + 1, box[3] + 1))
    part = seen[y0:y1, x0:x1]
    if not part.any():
        return None
    rows, columns = np.flatnonzero(part.any(1)), np.flatnonzero(part.any(0))
    left, top, right, low = x0 + columns[0], y0 + rows[0], x0 + columns[-1] + 1, y0 + rows[-1] + 1
    return (max(box[0], float(left)), max(box[1], float(top)), min(box[2], float(right)), min(box[3], float(low)))


def hand_seen(area: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether so much of hands' boxes is seen (px of the rectified board, squared) that they should be found."""
    return np.asarray(area > (LEAST_HAND_MM * PX_PER_MM) ** 2, np.bool_)


def _from_edge(box: Box) -> Box:
    return (box[0] + PIXEL_CENTRE, box[1] + PIXEL_CENTRE, box[2] + PIXEL_CENTRE, box[3] + PIXEL_CENTRE)


def boxes_of(truth: Truth) -> NDArray[np.float64]:
    """The boxes to be learnt, shape (n, 5)."""
    rows = [(DISC, *b) for b, hidden in zip(truth.discs, truth.hidden, strict=True) if hidden <= HIDDEN]
    rows += [(HAND, *b) for b in truth.hands if b is not None]
    return np.array(rows, np.float64).reshape(-1, 5)


def boards(seed: int, states: int = STATES_PER_STYLE) -> Iterator[Board]:
    """Rendered whole boards of one random style, `states` of them."""
    rng = np.random.default_rng([7301, seed])
    style = sample_style(rng)
    renderer = Renderer(style, rectified_camera(rng), ICF, int(rng.integers(2**31)), AROUND_MM)
    seen = _clipped(rng) if rng.random() < CLIPPED else None
    board = replace(ICF, piece_radius=ICF.piece_radius * style.piece_scale)
    for _ in range(states):
        exposure = float(rng.choice([1 / 30, 1 / 60, 1 / 120]))
        discs, hands = sample_state(rng, style.striker_scale, exposure, board)
        renderer.camera = replace(renderer.camera, fault=sample_fault(rng))
        picture, truth = renderer.compose(discs, hands, exposure, rng, int(rng.choice(FLASHES, p=FLASHES_ODDS)))
        truth = replace(truth, discs=tuple(map(_from_edge, truth.discs)), hands=tuple(b and _from_edge(b) for b in truth.hands))
        if seen is not None:
            picture[~seen] = 0
            away = [_unseen_share(seen, box) for box in truth.discs]
            hidden = tuple(1 - (1 - h) * (1 - a) for h, a in zip(truth.hidden, away, strict=True))
            truth = replace(truth, hidden=hidden, hands=tuple(b and _seen_part(seen, b) for b in truth.hands))
        held = [h.holding for h in hands if h.holding is not None]
        yield Board(picture, (*discs, *held), tuple(hands), truth, style, renderer.camera, seen is not None and not seen.all())


def cut(whole: Crop, rng: Generator) -> Iterator[Crop]:
    """Four crops, one near each corner, turned by quarters."""
    room = BOARD_PX - STORED_PX
    for right in (0, 1):
        for low in (0, 1):
            x, y = (abs(low_high - int(rng.integers(0, room // 3))) for low_high in (right * room, low * room))
            boxes = whole.boxes.copy()
            size = (boxes[:, 3] - boxes[:, 1]) * (boxes[:, 4] - boxes[:, 2])
            boxes[:, 1::2] = np.clip(boxes[:, 1::2] - x, 0, STORED_PX)
            boxes[:, 2::2] = np.clip(boxes[:, 2::2] - y, 0, STORED_PX)
            left = (boxes[:, 3] - boxes[:, 1]) * (boxes[:, 4] - boxes[:, 2])
            small = np.where(boxes[:, 0] == HAND, hand_seen(left), left > SEEN * size)
            yield _quarter(Crop(whole.picture[y : y + STORED_PX, x : x + STORED_PX], boxes[small & (left > 0)]), int(rng.integers(4)))


def _quarter(crop: Crop, turns: int) -> Crop:
    picture, b = np.ascontiguousarray(np.rot90(crop.picture, turns)), crop.boxes.copy()
    for _ in range(turns):
        b = np.c_[b[:, 0], b[:, 2], STORED_PX - b[:, 3], b[:, 4], STORED_PX - b[:, 1]]
    return Crop(picture, b)


def crops(seed: int) -> Iterator[Crop]:
    """Endless crops from `seed` on: the crops of style `seed`, `seed` + 1 and so on."""
    while True:
        for whole in boards(seed):
            yield from cut(whole.crop(), np.random.default_rng([7302, seed]))
        seed += 1


def write_shard(folder: Path, seed: int, number: int = SHARD) -> None:
    """Render `number` crops to `folder`, which appears only when it is whole; another process may render the same at the same time."""
    part = folder.with_name(f".{folder.name}-{os.getpid()}.part")
    try:
        part.mkdir(parents=True)
        for i, crop in zip(range(number), crops(seed), strict=False):
            code = np.asarray(cv2.imencode(".jpg", crop.picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])
            (part / f"{i:03}.jpg").write_bytes(code.tobytes())
            (part / f"{i:03}.txt").write_text(
                "".join(f"{int(r[0])} {r[1]:.5f} {r[2]:.5f} {r[3]:.5f} {r[4]:.5f}\n" for r in crop.labels()), encoding="utf-8"
            )
        if not folder.is_dir():
            part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def render(folder: Path, seed: int, which: Iterable[int], shard: int = SHARD) -> None:
    """Render those of the shards `which` (of `shard` crops) that are missing in `folder`."""
    cv2.setNumThreads(1)
    for i in which:
        path = folder / f"{i:05}"
        if not path.is_dir():
            write_shard(path, seed * 1_000_000 + i * 1000, shard)
