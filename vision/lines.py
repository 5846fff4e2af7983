"""Long straight edges of a picture: the material from which the board's outline is put together.

A Hough transform in which every edge pixel votes only along its own gradient. Unlike a segment detector it does not
mind that a hand, a cable or a row of pieces cuts an edge into parts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Array, Image, straightened

RHO_PX: Final = 2.0
"""Width of a bin of the accumulator (px)."""
SPREAD_DEG: Final = 3
"""How far from its gradient's direction a pixel votes (degrees; bins are one degree)."""
NOISE_BLUR_PX: Final = 1.2
"""Blur before the gradient is taken (px): film grain and compression go, edges stay."""

_COS: Final = np.cos(np.radians(np.arange(360)))
_SIN: Final = np.sin(np.radians(np.arange(360)))


@dataclass(frozen=True)
class EdgeField:
    """The gradient of a picture.

    Attributes
    ----------
    x, y : ndarray, shape (n,)
        Edge pixels, coordinates relative to the picture's middle (px).
    angle : ndarray, shape (n,)
        Direction towards the brighter side (degrees, 0 to 360).
    weight : ndarray, shape (n,)
        0 to 1: strength against the strength of the neighbourhood.
    size : tuple of int
        Width and height (px).
    """

    x: Array
    y: Array
    angle: Array
    weight: Array
    size: tuple[int, int]


@dataclass(frozen=True)
class Lines:
    """n lines `x cos a + y sin a = rho`, coordinates relative to the picture's middle, `a` towards the brighter side.

    Attributes
    ----------
    angle : ndarray, shape (n,)
        Degrees, 0 to 360.
    rho : ndarray, shape (n,)
        Signed distance from the picture's middle (px).
    votes : ndarray, shape (n,)
        Summed weight of the pixels on the line (px).
    """

    angle: Array
    rho: Array
    votes: Array

    def __len__(self) -> int:
        return len(self.angle)


def levelled(image: Image) -> NDArray[np.float32]:
    """The picture with dark parts lifted (square root of each channel), 0 to 255: edges in shadow count like those in light."""
    return np.asarray(cv2.LUT(image, (np.sqrt(np.arange(256) / 255.0) * 255.0).astype(np.float32)), np.float32)


def edge_field(image: Image) -> EdgeField:
    """Thin edges of a BGR picture, each pixel by the channel that shows it best."""
    h, w = image.shape[:2]
    soft = cv2.GaussianBlur(levelled(image), (0, 0), NOISE_BLUR_PX)
    gx, gy = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    best = np.argmax(gx * gx + gy * gy, axis=2)[..., None]
    dx, dy = np.take_along_axis(gx, best, 2)[..., 0], np.take_along_axis(gy, best, 2)[..., 0]
    strength = np.hypot(dx, dy)
    around = cv2.boxFilter(strength, -1, (41, 41), borderType=cv2.BORDER_REFLECT)
    # The quietest quarter tells the noise: a patterned cloth must not hide the board's own edges.
    floor = float(np.clip(1.5 * np.percentile(strength, 25), 4.0, 12.0))
    thin = cv2.Canny(np.round(dx * 4).astype(np.int16), np.round(dy * 4).astype(np.int16), 8 * floor, 16 * floor, L2gradient=True)
    thin[:2], thin[-2:], thin[:, :2], thin[:, -2:] = 0, 0, 0, 0
    v, u = np.nonzero(thin)
    s = strength[v, u]
    return EdgeField(
        x=u - (w - 1) / 2, y=v - (h - 1) / 2, angle=np.degrees(np.arctan2(dy[v, u], dx[v, u])) % 360.0,
        weight=np.asarray(s / (s + around[v, u] + floor), np.float64), size=(w, h),
    )  # fmt: skip


def find_lines(field: EdgeField, most: int) -> Lines:
    """The strongest straight edges, at most `most`, strongest first."""
    reach = 0.6 * float(np.hypot(*field.size))
    bins = int(2 * reach / RHO_PX) + 1
    turns = np.arange(-SPREAD_DEG, SPREAD_DEG + 1)
    direction = (np.round(field.angle).astype(np.int64)[:, None] + turns) % 360
    rho = (field.x[:, None] * _COS[direction] + field.y[:, None] * _SIN[direction] + reach) / RHO_PX
    rho = np.clip(rho, 0, bins - 1.001)
    low = rho.astype(np.int64)
    part = (rho - low) * field.weight[:, None]
    at = (direction * bins + low).ravel()
    votes = np.bincount(at, (field.weight[:, None] - part).ravel(), 360 * bins)
    votes[1:] += np.bincount(at, part.ravel(), 360 * bins)[:-1]
    table = np.asarray(votes.reshape(360, bins), np.float32)
    wrapped = np.vstack([table[-6:], table, table[:6]])
    smooth = cv2.GaussianBlur(wrapped, (3, 5), 0)
    peaks = (smooth >= cv2.dilate(smooth, np.ones((9, 5), np.uint8)))[6:-6]
    smooth = smooth[6:-6]
    row, col = np.nonzero(peaks & (smooth > 0))
    order = np.argsort(smooth[row, col])[::-1][:most]
    row, col = row[order], col[order]
    return Lines(angle=row.astype(float), rho=np.asarray(col * RHO_PX - reach, np.float64), votes=np.asarray(smooth[row, col], np.float64))


BENDS: Final = (-0.12, -0.06, 0.0, 0.06, 0.12)
"""Lens coefficients k1 that are tried (see `vision.types.bent`)."""
LEAST_BEND: Final = 0.045
"""A smaller coefficient bends a side by less than what the search for lines allows."""
TOP_LINES: Final = 12
LENS_PIXELS: Final = 9000
"""Edge pixels, the clearest ones, from which the lens is guessed."""


def straightened_field(field: EdgeField, k1: float) -> EdgeField:
    """The edge pixels where a lens without distortion would have put them."""
    if not k1:
        return field
    w, h = field.size
    middle = np.array([(w - 1) / 2, (h - 1) / 2])
    p = np.stack([field.x, field.y], 1)
    a = np.radians(field.angle)
    along = np.stack([-np.sin(a), np.cos(a)], 1)
    q, r = (straightened(p + middle + s * along, field.size, k1) - middle for s in (-1.0, 1.0))
    turn = np.degrees(np.arctan2(r[:, 1] - q[:, 1], r[:, 0] - q[:, 0])) - 90.0
    return EdgeField((q[:, 0] + r[:, 0]) / 2, (q[:, 1] + r[:, 1]) / 2, turn % 360.0, field.weight, field.size)


def find_lens(field: EdgeField) -> float:
    """A first guess at the lens coefficient k1: the one that makes the picture's long edges straightest.

    The straighter a line, the more of its pixels vote for the same bin. The sum of the best lines' squared votes
    is close to a parabola in k1; its vertex is right to about 0.02.
    """
    if not len(field.x):
        return 0.0
    keep_best = np.argsort(field.weight)[-LENS_PIXELS:]
    field = EdgeField(field.x[keep_best], field.y[keep_best], field.angle[keep_best], field.weight[keep_best], field.size)
    gain = []
    for k1 in BENDS:
        f = straightened_field(field, k1)
        # Taking a bend out shrinks or widens the picture, and narrow pictures gather more votes a bin: size is put back.
        keep = float(np.sqrt((field.x**2 + field.y**2).mean() / max((f.x**2 + f.y**2).mean(), 1e-9)))
        f = replace(f, x=f.x * keep, y=f.y * keep)
        gain.append(float((find_lines(f, TOP_LINES).votes ** 2).sum()))
    if gain[0] <= 0:
        return 0.0
    a, b, _ = np.polyfit(BENDS, np.array(gain) / max(gain), 2)
    if a >= 0:
        return 0.0
    vertex = float(np.clip(-b / (2 * a), BENDS[0], BENDS[-1]))
    return vertex if abs(vertex) > LEAST_BEND else 0.0
