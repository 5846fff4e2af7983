"""A calibration drawn into its picture, for a person to judge at a glance."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.calibration import LEAST
from vision.types import BY_HAND, Array, Calibration, Image

MAGENTA: Final = (230, 0, 230)
CYAN: Final = (230, 200, 0)
YELLOW: Final = (0, 215, 255)
VERDICTS: Final = ((0.9, "sure", (70, 220, 60)), (LEAST, "look closely", (0, 150, 255)), (0.0, "do not trust", (60, 60, 255)))
"""From which confidence on it is called what, and in which colour: green, amber, red."""
PAPER: Final = (24, 24, 24)
INK: Final = (228, 228, 228)
SUB: Final = 4
"""Bits of sub-pixel precision in drawing."""
NAMES: Final = ("NW", "NE", "SE", "SW")
"""The corners as the game log calls the pockets: south is the lower side of the picture."""
ROW: Final = (0, 1, 3, 2)
"""The insets' order: as the corners lie, the upper two and then the lower two, each from the left."""
WIDTHS: Final = (720, 1600)
"""Least and largest width of what is drawn (px): smaller pictures are enlarged, larger ones reduced."""
INSET_MM: Final = 75.0
"""What an inset shows to each side of its corner (mm)."""
FONT: Final = cv2.FONT_HERSHEY_SIMPLEX


def _path(image: Image, points: Array, closed: bool, colour: tuple[int, int, int], width: int) -> None:
    fixed = np.round(np.clip(points, -1e6, 1e6) * (1 << SUB)).astype(np.int32)
    cv2.polylines(image, [fixed], closed, (0, 0, 0), width + max(2, width // 2), cv2.LINE_AA, SUB)
    cv2.polylines(image, [fixed], closed, colour, width, cv2.LINE_AA, SUB)


def _words(image: Image, text: str, at: tuple[int, int], size: float, colour: tuple[int, int, int]) -> None:
    weight = max(1, round(1.6 * size))
    cv2.putText(image, text, at, FONT, size, (0, 0, 0), weight + 3, cv2.LINE_AA)
    cv2.putText(image, text, at, FONT, size, colour, weight, cv2.LINE_AA)


def draw_calibration(image: Image, calibration: Calibration) -> Image:
    """The picture with outline, corners' names and middle where the calibration has them; of a tournament board pockets and lines too.

    What is drawn or printed on other boards, and how large their pockets are, the calibration does not know.
    Below it a band of its own: what the four corners look like from near, how sure the calibration is, and why.
    The result is `WIDTHS` wide, whatever the picture's size.
    """
    w = image.shape[1]
    k = float(np.clip(w, *WIDTHS)) / w
    shape = (round(k * w), round(k * image.shape[0]))
    canvas = np.asarray(cv2.resize(image, shape, interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_CUBIC), np.uint8)
    thin = max(1, round(min(shape) / 700))
    _draw_board(canvas, calibration, k, thin)
    size = shape[0] / 1150
    for name, (x, y) in zip(NAMES, _corners(calibration, k, -28.0), strict=True):
        (wide, high), _ = cv2.getTextSize(name, FONT, size, 2)
        x, y = float(np.clip(x, 0.6 * wide, shape[0] - 0.6 * wide)), float(np.clip(y, high, shape[1] - high))
        _words(canvas, name, (round(x - wide / 2), round(y + high / 2)), size, MAGENTA)
    return np.vstack([canvas, _insets(image, calibration, shape[0]), _legend(calibration, shape[0])])


def _corners(calibration: Calibration, k: float, inset_mm: float) -> Array:
    """Points on the diagonals, `inset_mm` inwards of each corner along both axes, in pixels of the enlarged picture."""
    a, b = inset_mm, calibration.board.side - inset_mm
    return (calibration.to_picture(np.array([[a, a], [b, a], [b, b], [a, b]])) + 0.5) * k - 0.5


def _draw_board(canvas: Image, calibration: Calibration, k: float, thin: int) -> None:
    board = calibration.board
    s = board.side

    def curve(mm: Array, closed: bool, colour: tuple[int, int, int], width: int) -> None:
        _path(canvas, (calibration.to_picture(mm) + 0.5) * k - 0.5, closed, colour, width)

    middle = np.array([s / 2, s / 2])
    if calibration.kind == "tournament":
        start, stop = (s - board.base_length) / 2 + board.base_circle_radius, (s + board.base_length) / 2 - board.base_circle_radius
        along = np.linspace(start, stop, 25)
        for d in (board.base_outer, board.base_inner):
            for e in (d, s - d):
                curve(np.stack([along, np.full(25, e)], 1), False, YELLOW, thin)
                curve(np.stack([np.full(25, e), along], 1), False, YELLOW, thin)
        turn = np.linspace(0, 2 * np.pi, 73)[:-1]
        ring = np.stack([np.cos(turn), np.sin(turn)], 1)
        for centre in board.pockets().values():
            curve(np.asarray(centre) + board.pocket_radius * ring, True, CYAN, thin)
        curve(middle + board.outer_radius * ring, True, YELLOW, thin)
    for axis in np.eye(2):
        curve(middle + 12 * np.outer([-1.0, 1.0], axis), False, YELLOW, thin)
    corners = board.corners()
    t = np.linspace(0, 1, 40, endpoint=False)[:, None]
    curve(np.vstack([corners[n] * (1 - t) + corners[(n + 1) % 4] * t for n in range(4)]), True, MAGENTA, 2 * thin)


def _insets(image: Image, calibration: Calibration, width: int) -> Image:
    """The four corners from near, straightened, in a row; the outline drawn one pixel wide so that it hides nothing."""
    gap = max(4, width // 120)
    n = (width - 5 * gap) // 4
    row = np.full((n + 2 * gap, width, 3), PAPER, np.uint8)
    span = np.linspace(-INSET_MM, INSET_MM, n)
    corners = calibration.board.corners()
    for at, (name, (x, y)) in enumerate((NAMES[i], corners[i]) for i in ROW):
        grid = np.stack(np.meshgrid(span + x, span + y), -1).reshape(-1, 2)
        source = calibration.to_picture(grid).astype(np.float32).reshape(n, n, 2)
        part = np.asarray(cv2.remap(image, source[..., 0], source[..., 1], cv2.INTER_LINEAR, borderValue=PAPER), np.uint8)
        middle = (n - 1) / 2
        for axis, inwards in ((0, 1 if x == 0 else -1), (1, 1 if y == 0 else -1)):
            ends = np.full((2, 2), middle)
            ends[1, axis] += inwards * middle
            fixed = np.round(ends * (1 << SUB)).astype(np.int32)
            cv2.polylines(part, [fixed], False, MAGENTA, 1, cv2.LINE_AA, SUB)
        _words(part, name, (6, n - 8), n / 330, MAGENTA)
        row[gap : gap + n, gap + at * (n + gap) : gap + at * (n + gap) + n] = part
    return row


def _legend(calibration: Calibration, width: int) -> Image:
    verdict, colour = next((words, colour) for least, words, colour in VERDICTS if calibration.confidence >= least)
    if calibration.reasons == BY_HAND:
        _, verdict, colour = VERDICTS[1]  # nobody has checked them
    drawn = [("blue: pockets", CYAN), ("yellow: base lines, circle and middle", YELLOW)]
    lines = [
        (f"confidence {calibration.confidence:.2f}: {verdict}", colour),
        *((f"- {reason}", INK) for reason in calibration.reasons),
        (f"- turned by {round(calibration.turned())} degrees in the picture", INK),
        ("magenta: playing surface", MAGENTA),
        *(drawn if calibration.kind == "tournament" else [("yellow: its middle", YELLOW)]),
    ]
    size = width / 1150
    longest = max(cv2.getTextSize(text, FONT, size, 1)[0][0] for text, _ in lines)
    size *= min(1.0, 0.96 * width / longest)
    height = round(40 * size)
    legend = np.full((height * len(lines) + height // 2, width, 3), PAPER, np.uint8)
    for n, (text, colour) in enumerate(lines):
        at = (int(0.015 * width), int(height * (n + 0.85)))
        cv2.putText(legend, text, at, FONT, size, colour, max(1, round(1.6 * size)), cv2.LINE_AA)
    return legend
