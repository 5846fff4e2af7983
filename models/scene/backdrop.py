"""The empty board in the camera's picture: surface, surroundings and the faces and top of the frame."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.board import BoardSpec
from models.scene.camera import Camera
from models.scene.looks import Style
from models.scene.scenery import Canvas, Scenery

Image = NDArray[np.uint8]

OVERFILL_PX: Final = 0.6
"""By so much more than the outline does OpenCV fill a smooth-edged polygon, on each side (px)."""


def draw_empty(style: Style, camera: Camera, board: BoardSpec, scenery: Scenery) -> tuple[Image, NDArray[np.float32]]:
    """The picture of the empty board, uint8 BGR, shape (height, width, 3), and where its frame's top is seen, 0 to 1, (height, width)."""
    look = style.frame
    side, high = board.side, look.height
    picture = _seen(camera, scenery.table, 0.0)
    _walls(picture, style, camera, board, scenery)
    picture = _blend(
        picture, _seen(camera, scenery.surface, 0.0), np.asarray(_filled(camera, 0.0, side, 0.0), np.float32) / np.float32(255)
    )
    ring, hole = _filled(camera, -look.width, side + look.width, high), _filled(camera, 0.0, side, high)
    frame = np.asarray(cv2.subtract(ring, hole), np.float32) / np.float32(255)
    return _blend(picture, _seen(camera, scenery.frame, high), frame), frame


def _seen(camera: Camera, canvas: Canvas, z: float) -> Image:
    return camera.view(canvas.picture, z, canvas.px_per_mm, canvas.origin)


def _blend(under: Image, over: Image, share: NDArray[np.float32]) -> Image:
    """`over` laid over `under` by its `share`."""
    return np.asarray(cv2.blendLinear(under, over, 1 - share, share), np.uint8)


def _edge(camera: Camera, low: float, high: float, z: float) -> NDArray[np.int32]:
    """A square's outline in the picture, fixed point with 4 bits, shape (n, 1, 2)."""
    t = np.linspace(low, high, 9)
    a, b = np.full(9, low), np.full(9, high)
    side = np.r_[np.c_[t, a], np.c_[b, t], np.c_[t[::-1], b], np.c_[a, t[::-1]]]
    p = np.clip(camera.project(side, z), -2e4, 2e4)
    return np.asarray(np.round(p * 16).astype(np.int32).reshape(-1, 1, 2), np.int32)


def _filled(camera: Camera, low: float, high: float, z: float) -> Image:
    """Where a square at height `z` is seen, 0 to 255."""
    outline = _edge(camera, low, high, z)
    middle = outline.mean(axis=0)
    # OpenCV fills beyond the outline by `OVERFILL_PX` all round.
    keep = 1 - 2 * OVERFILL_PX / max(float(np.sqrt(cv2.contourArea(outline))) / 16, 4 * OVERFILL_PX)
    mask = np.zeros(camera.size[::-1], np.uint8)
    cv2.fillPoly(mask, [np.round(middle + (outline - middle) * keep).astype(np.int32)], (255,), cv2.LINE_AA, 4)
    return mask


def _walls(picture: Image, style: Style, camera: Camera, board: BoardSpec, scenery: Scenery) -> None:
    """The frame's inner and outer faces, in place."""
    side, look, light = board.side, style.frame, style.light
    for low, top, colour in ((-look.width, side + look.width, look.colour), (0.0, side, look.lip)):
        a = _edge(camera, low, top, 0.0).reshape(4, 9, 2)
        b = _edge(camera, low, top, look.height).reshape(4, 9, 2)
        for q, normal in enumerate((np.pi / 2, np.pi, -np.pi / 2, 0.0)):
            face = 0.75 + 0.35 * float(np.cos(light.azimuth - normal)) * light.slant
            x, y = ((side / 2, 0.0), (side, side / 2), (side / 2, side), (0.0, side / 2))[q]
            lit = np.asarray(colour) * face * scenery.light_at(x, y)
            outline = [np.r_[a[q], b[q][::-1]].reshape(-1, 1, 2)]
            cv2.fillPoly(picture, outline, tuple(float(v) for v in np.clip(lit, 0, 255)), cv2.LINE_AA, 4)
