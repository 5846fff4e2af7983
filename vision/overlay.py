"""A calibration drawn into its picture, for a person to judge at a glance."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.types import Array, Calibration, Image

MAGENTA: Final = (230, 0, 230)
CYAN: Final = (230, 200, 0)
YELLOW: Final = (0, 215, 255)
SUB: Final = 4
"""Bits of sub-pixel precision in drawing."""


def _path(image: Image, points: Array, closed: bool, colour: tuple[int, int, int], width: int) -> None:
    fixed = np.round(points * (1 << SUB)).astype(np.int32)[None]
    cv2.polylines(image, [fixed[0]], closed, (0, 0, 0), width + max(2, width // 2), cv2.LINE_AA, SUB)
    cv2.polylines(image, [fixed[0]], closed, colour, width, cv2.LINE_AA, SUB)


def draw_calibration(image: Image, calibration: Calibration) -> Image:
    """Outline, pockets and base lines where the calibration has them, and a legend: a copy of the picture, with a strip of text below."""
    board = calibration.board
    canvas = image.copy()
    shortest = min(image.shape[:2])
    thin = max(1, round(shortest / 900))

    def curve(mm: Array, closed: bool, colour: tuple[int, int, int], width: int) -> None:
        _path(canvas, calibration.to_picture(mm), closed, colour, width)

    a, b, s = board.base_outer, board.base_inner, board.side
    start, stop = (s - board.base_length) / 2 + board.base_circle_radius, (s + board.base_length) / 2 - board.base_circle_radius
    for d in (a, b):
        for line in ([[start, d], [stop, d]], [[start, s - d], [stop, s - d]], [[d, start], [d, stop]], [[s - d, start], [s - d, stop]]):
            ends = np.asarray(line, float)
            curve(ends[0] + (ends[1] - ends[0]) * np.linspace(0, 1, 25)[:, None], False, YELLOW, thin)
    turn = np.linspace(0, 2 * np.pi, 73)[:-1]
    ring = np.stack([np.cos(turn), np.sin(turn)], 1)
    for centre in board.pockets().values():
        curve(np.asarray(centre) + board.pocket_radius * ring, True, CYAN, thin)
    corners = np.array([[0, 0], [s, 0], [s, s], [0, s]], float)
    t = np.linspace(0, 1, 40, endpoint=False)[:, None]
    curve(np.vstack([corners[k] * (1 - t) + corners[(k + 1) % 4] * t for k in range(4)]), True, MAGENTA, 2 * thin)
    arm = 0.035 * s * np.array([[-1, 0], [1, 0], [0, 0], [0, -1], [0, 1]])
    for corner in corners:
        curve(corner + arm, False, MAGENTA, thin)
    return _with_legend(canvas, calibration)


def _with_legend(canvas: Image, calibration: Calibration) -> Image:
    w = canvas.shape[1]
    lines = [
        f"confidence {calibration.confidence:.2f}",
        *calibration.reasons,
        "magenta: playing surface   blue: pockets   yellow: base lines (ICF)",
    ]
    size = max(0.35, w / 1500)
    longest = max(cv2.getTextSize(x, cv2.FONT_HERSHEY_SIMPLEX, size, 1)[0][0] for x in lines)
    size *= min(1.0, 0.96 * w / longest)
    weight = max(1, round(size * 1.4))
    height = int(34 * size)
    legend = np.full((height * len(lines) + height // 2, w, 3), 24, np.uint8)
    good = calibration.confidence
    for n, text in enumerate(lines):
        colour = (0, int(90 + 150 * good), int(255 * (1 - good))) if n == 0 else (225, 225, 225)
        cv2.putText(legend, text, (int(0.015 * w), int(height * (n + 0.85))), cv2.FONT_HERSHEY_SIMPLEX, size, colour, weight, cv2.LINE_AA)
    return np.vstack([canvas, legend])
