"""Plain drawings of boards with known corners, quick to make."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.board import ICF
from models.scene.camera import look

PX: int = 2
"""Pixels a millimetre of the flat drawing."""
FRAME_MM: float = 70.0
AROUND_MM: float = 160.0

Colour = tuple[float, float, float]


def _flat(wood: Colour, frame: Colour, around: Colour, lines: bool, pockets: bool, frame_mm: float, ink: Colour) -> NDArray[np.uint8]:
    s, m = ICF.side, AROUND_MM
    n = int((s + 2 * m) * PX)
    canvas = np.full((n, n, 3), around, np.uint8)

    def px(*mm: float) -> tuple[int, ...]:
        return tuple(round((v + m) * PX) for v in mm)

    cv2.rectangle(canvas, px(-frame_mm, -frame_mm), px(s + frame_mm, s + frame_mm), frame, -1)
    cv2.rectangle(canvas, px(0, 0), px(s, s), wood, -1)
    if pockets:
        for x, y in ICF.pockets().values():
            cv2.circle(canvas, px(x, y), round(ICF.pocket_radius * PX), (25, 22, 20), -1, cv2.LINE_AA)
    if lines:
        low, high = 135.0, s - 135.0
        for d, width in ((ICF.base_outer, 8), (ICF.base_inner, 2)):
            for e in (d, s - d):
                cv2.line(canvas, px(low, e), px(high, e), ink, width, cv2.LINE_AA)
                cv2.line(canvas, px(e, low), px(e, high), ink, width, cv2.LINE_AA)
        cv2.circle(canvas, px(s / 2, s / 2), round(ICF.outer_radius * PX), ink, 2, cv2.LINE_AA)
    return canvas


def board_picture(
    size: tuple[int, int] = (960, 720),
    tilt: float = 0.0,
    azimuth: float = 60.0,
    roll: float = 0.0,
    fill: float = 0.78,
    shift: tuple[float, float] = (0.0, 0.0),
    wood: Colour = (150, 185, 215),
    frame: Colour = (35, 35, 40),
    around: Colour = (120, 90, 70),
    lines: bool = True,
    pockets: bool = True,
    frame_mm: float = FRAME_MM,
    ink: Colour = (30, 30, 30),
    seed: int = 0,
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A picture of a board and the corners of its playing surface, shape (4, 2) in pixels, upper left first."""
    camera = look(size, ICF, tilt, azimuth, roll, 1500.0, fill, shift)
    canvas = np.array([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], float)[:, :2] * (ICF.side + 2 * AROUND_MM)
    flat = _flat(wood, frame, around, lines, pockets, frame_mm, ink)
    h = cv2.getPerspectiveTransform((canvas * PX).astype(np.float32), camera.project(canvas - AROUND_MM).astype(np.float32))
    picture = cv2.warpPerspective(cv2.GaussianBlur(flat, (0, 0), 1.2), h, size, flags=cv2.INTER_AREA, borderValue=around)
    noise = np.random.default_rng(seed).normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8), camera.corners()
