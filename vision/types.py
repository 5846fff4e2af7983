"""How the camera sees the board: the calibration that every other step of vision rests on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from models.board import ICF, BoardSpec
from models.detector import contract
from models.errors import BadInput
from models.homography import transform

MARGIN_MM: Final = contract.MARGIN_MM
"""What the rectified picture shows beyond the cushions (mm), so that hands and pockets are seen."""
MIN_SIDE_PX: Final = 160
"""Below this a board's pieces are a few pixels and nothing can be told."""
RECTIFIED_PX: Final = contract.BOARD_PX
"""Side of the rectified picture (px)."""

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Kind: TypeAlias = Literal["tournament", "lines", "plain", "unknown"]
"""What lies along a board's cushions: base lines as the laws place them, other lines, none, or never looked at."""


class NoBoard(BadInput):
    """A picture or a video in which no board was found."""


BY_HAND: Final = ("given by hand",)
"""Reasons of a calibration that rests on a person's corners."""


@dataclass(frozen=True)
class Calibration:
    """How the camera sees the board.

    Attributes
    ----------
    corners : ndarray, shape (4, 2)
        Corners of the playing surface in (undistorted) picture pixels: upper left, upper right, lower right,
        lower left. May lie outside the picture.
    size : tuple of int
        Width and height of the picture (px).
    board : BoardSpec
    confidence : float
        0 to 1.
    reasons : tuple of str
        What the confidence rests on, one line each.
    distortion : float
        First radial coefficient k1 of the lens, coordinates normalised by half the picture's diagonal; 0 for none.
    kind : str
        What is printed or drawn along the cushions.
    """

    corners: Array
    size: tuple[int, int]
    board: BoardSpec = ICF
    confidence: float = 1.0
    reasons: tuple[str, ...] = ()
    distortion: float = 0.0
    kind: Kind = "unknown"

    def turned(self) -> float:
        """How far the board is turned in the picture, clockwise (degrees, -45 to 45): four quarters look alike."""
        edge = np.roll(self.corners, -1, 0) - self.corners
        quarter = np.array([1, -1j, -1, 1j])
        return float(np.degrees(np.angle(((edge[:, 0] + 1j * edge[:, 1]) * quarter).sum())))

    def homography(self) -> Array:
        """3 x 3 matrix from picture pixels to board millimetres."""
        target = self.board.corners().astype(np.float32)
        return np.asarray(cv2.getPerspectiveTransform(self.corners.astype(np.float32), target), np.float64)

    def scale(self) -> float:
        """Pixels per millimetre of the rectified picture."""
        return RECTIFIED_PX / (self.board.side + 2 * MARGIN_MM)

    def square(self, x: float, y: float, half: float) -> tuple[slice, slice]:
        """Rows and columns of the rectified picture that lie no farther than `half` from a board point along either axis (mm)."""
        k = self.scale()
        x0, y0, x1, y1 = (round((v + MARGIN_MM) * k) for v in (x - half, y - half, x + half, y + half))
        return slice(y0, y1 + 1), slice(x0, x1 + 1)

    def rectifier(self) -> Array:
        """3 x 3 matrix from undistorted picture pixels to pixels of the rectified picture."""
        k = self.scale()
        to_px = np.array([[k, 0, k * MARGIN_MM], [0, k, k * MARGIN_MM], [0, 0, 1]])
        return np.asarray(to_px @ self.homography(), dtype=np.float64)

    def rectify(self, image: Image) -> Image:
        """The board from straight above, `RECTIFIED_PX` square, a margin of `MARGIN_MM` round the playing surface."""
        if not self.distortion:
            return np.asarray(cv2.warpPerspective(image, self.rectifier(), (RECTIFIED_PX, RECTIFIED_PX), flags=cv2.INTER_LINEAR), np.uint8)
        return np.asarray(cv2.remap(image, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8)

    @cached_property
    def _maps(self) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
        n = RECTIFIED_PX
        grid = np.stack(np.meshgrid(np.arange(n), np.arange(n)), -1).reshape(-1, 2).astype(np.float64)
        source = self.distort(transform(np.asarray(np.linalg.inv(self.rectifier()), np.float64), grid)).astype(np.float32)
        # Fixed-point maps are remapped about twice as fast; a 32nd of a pixel is exact enough.
        x, y = source[:, 0].reshape(n, n), source[:, 1].reshape(n, n)
        a, b = cv2.convertMaps(x, y, cv2.CV_16SC2)
        return np.asarray(a, np.int16), np.asarray(b, np.uint16)

    def distort(self, pixels: Array) -> Array:
        """Where the lens puts undistorted `pixels`, shape (n, 2), in the picture."""
        return bent(pixels, self.size, self.distortion)

    def undistort(self, pixels: Array) -> Array:
        """Where picture `pixels`, shape (n, 2), would lie without the lens's distortion."""
        return straightened(pixels, self.size, self.distortion)

    def outline(self) -> Array:
        """The playing surface's corners in the picture itself, shape (4, 2), upper left first, clockwise (px)."""
        return self.distort(self.corners)

    def to_board(self, pixels: Array) -> Array:
        """Picture pixels, shape (n, 2), to board millimetres, shape (n, 2)."""
        return transform(self.homography(), self.undistort(pixels))

    def to_picture(self, mm: Array) -> Array:
        """Board millimetres, shape (n, 2), to picture pixels, shape (n, 2)."""
        return self.distort(transform(np.asarray(np.linalg.inv(self.homography()), np.float64), mm))


def bent(pixels: Array, size: tuple[int, int], k1: float) -> Array:
    """Undistorted pixels, shape (n, 2), to where a lens of radial coefficient `k1` puts them.

    Distance from the picture's middle grows by the factor `1 + k1 r^2`, r in half diagonals of the picture, held at
    r = 2 as a radial polynomial means nothing far outside the picture.
    """
    p = np.asarray(pixels, np.float64).reshape(-1, 2)
    if not k1:
        return p
    centre = (np.array(size) - 1) / 2
    d = p - centre
    r2 = (d**2).sum(1, keepdims=True) / (np.array(size) ** 2).sum() * 4
    return np.asarray(centre + d * (1 + k1 * np.minimum(r2, 4)), np.float64)


def straightened(pixels: Array, size: tuple[int, int], k1: float) -> Array:
    """The inverse of `bent`, by fixed-point iteration: shape (n, 2)."""
    p = np.asarray(pixels, np.float64).reshape(-1, 2)
    if not k1:
        return p
    centre = (np.array(size) - 1) / 2
    d = p - centre
    u = d.copy()
    for _ in range(8):
        u = d / (1 + k1 * np.minimum((u**2).sum(1, keepdims=True) / (np.array(size) ** 2).sum() * 4, 4))
    return np.asarray(centre + u, np.float64)
