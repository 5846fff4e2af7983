"""Where exactly the wood meets the cushions: each side fitted to a fraction of a pixel.

Across a cushion one often sees several parallel edges: the frame's outer corner, its lit inner face, a strip of
glue or of shadow, and last the wood. The playing surface ends at the innermost that is a real step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.homography import transform
from vision.quads import side_coordinates, square_to_quad
from vision.types import Array, Image

COLUMNS: Final = 160
"""Places along a side at which the edge is looked for."""
END_PART: Final = 0.09
"""Part of a side left out at each end: there lie the pockets."""
ROWS: Final = 81
"""Samples across the edge (odd)."""
WOOD_ROWS: Final = 16
"""The innermost rows of a band: bare wood, whose unevenness is taken off."""
GRID: Final = 41
"""Offsets tried at each end of a side when a line is searched for (odd)."""
FINEST_ROWS: Final = 2.0
"""Least scale at which an edge is looked for (rows of a band)."""
SHARPNESS_PX: Final = 1.3
"""Scale of an edge in the picture (px)."""
WIDEST: Final = 0.45
"""Largest difference of a line's rows at a side's ends (part of the band's width)."""
LEAST_HALF_PX: Final = 11.0
"""A band reaches at least so far to both sides (px)."""
MOST_LINES: Final = 5
"""Parallel edges of a side that are kept."""
LEAST_STEP: Final = 0.5
"""A step so hard is firm (weighted levels a row)."""
TONE_WEIGHTS: Final = (1.0, 2.5, 2.5)
"""Weights of lightness and of the two hue axes (CIE L*a*b*)."""
FAINT: Final = 0.15
"""A step of this part of a side's hardest is firm."""
SLOPE: Final = 6.0
"""How far inwards a slope is told from a step (in scales of the edge)."""
SOFT: Final = 2.5
"""Scale of the coarser look, against the finer's."""
SOFT_GAIN: Final = 1.0
"""What a step of the coarser look counts. More would take two hard edges, close together, for one between them."""
WEAKEST: Final = 0.2
"""An edge of less mean step, against a firm one, is none."""


@dataclass(frozen=True)
class Line:
    """An edge found in a strip.

    Attributes
    ----------
    first, last : float
        Its row at the first and at the last column.
    strength : float
        Part of its length along which the tone steps firmly.
    hardness : float
        Its mean step against the hardest line's.
    """

    first: float
    last: float
    strength: float
    hardness: float


@dataclass(frozen=True)
class Side:
    """One fitted side.

    Attributes
    ----------
    start, stop : float
        Offset of the edge from the outline that was refined, at the side's two ends, outwards negative (part of a side).
    bow : float
        How far the edge's middle lies inwards of the line through its ends (part of a side).
    inliers : float
        Part of the visible places that agree with the line.
    spread : float
        Standard deviation of those places about the line (part of a side).
    seen : float
        Part of the places that lie in the picture.
    points : ndarray, shape (n, 2)
        The agreeing places: how far along the side, how far inwards of the outline that was refined (part of a side).
    """

    start: float
    stop: float
    bow: float
    inliers: float
    spread: float
    seen: float
    points: Array


def strip(image: Image, h: Array, side: int, half: float) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The picture across a side, `half` (part of a side) to both sides: shape (ROWS, COLUMNS, 3), outermost row first; where seen."""
    along = np.linspace(END_PART, 1 - END_PART, COLUMNS)
    across = np.linspace(-half, half, ROWS)
    p = transform(h, side_coordinates(side, along[None, :], across[:, None]).reshape(-1, 2)).astype(np.float32)
    u, v = p[:, 0].reshape(ROWS, COLUMNS), p[:, 1].reshape(ROWS, COLUMNS)
    seen = (u >= 0) & (v >= 0) & (u <= image.shape[1] - 1) & (v <= image.shape[0] - 1)
    return cv2.remap(image, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32), seen


def tone_steps(band: NDArray[np.float32], seen: NDArray[np.bool_], blur: float) -> NDArray[np.float32]:
    """How hard the tone changes across the side at each place, shape (ROWS, COLUMNS), levels a row; 0 where not seen.

    Darker or brighter does not matter: a bright frame often stands behind a dark gap. Worn and rounded edges are
    softer than the picture, so a coarser look is taken as well.
    """
    step = np.maximum(_steps(band, blur), SOFT_GAIN * _steps(band, SOFT * blur))
    ok = cv2.erode(seen.astype(np.uint8), np.ones((2 * int(2 * blur) + 1, 1), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=1) > 0
    return np.where(ok, step, 0).astype(np.float32)


def _steps(band: NDArray[np.float32], blur: float) -> NDArray[np.float32]:
    # Hue counts more than lightness: an unpainted cushion's face has the wood's lightness.
    level = cv2.GaussianBlur(band, (9, 2 * int(3 * blur) + 1), 1.7, sigmaY=blur)
    slope = np.zeros_like(level)
    slope[1:-1] = (level[2:] - level[:-2]) / 2
    # A shadow falls off slowly: as hard as the tone already changes a little farther inwards, it is no edge.
    near, far = round(2.5 * blur), round(SLOPE * blur)
    inner = cv2.blur(slope, (1, far - near + 1), borderType=cv2.BORDER_REPLICATE)
    shift = min((near + far) // 2, ROWS // 2)
    inner = np.concatenate([inner[shift:], np.repeat(inner[-1:], shift, axis=0)])
    step = np.linalg.norm(np.maximum(np.abs(slope) - 1.5 * np.abs(inner), 0) * np.array(TONE_WEIGHTS, np.float32), axis=2)
    return np.asarray(np.maximum(step - 1.5 * float(np.median(step[-WOOD_ROWS:])), 0), np.float32)


def search(step: NDArray[np.float32], widest: float, apart: float) -> list[Line]:
    """Edges, hardest first, at most `MOST_LINES`, their middles `apart` rows or more."""
    cap = max(LEAST_STEP, FAINT * float(np.percentile(step.max(axis=0), 60)))
    ends = np.linspace(0, ROWS - 1, GRID)
    t = np.linspace(0, 1, COLUMNS)[::2]
    rows = np.round(ends[:, None, None] * (1 - t) + ends[None, :, None] * t).astype(int)
    # Only crests count, one row to each side for the line's own rounding: a hard edge's flanks are not edges of their own.
    crest = step >= cv2.dilate(step, np.ones((2 * round(apart) + 1, 1), np.uint8))
    ridges = np.asarray(cv2.dilate(np.where(crest, step, 0), np.ones((3, 1), np.uint8)), np.float32)
    along = ridges[:, ::2][rows, np.arange(len(t))]
    firm = np.minimum(along, cap).sum(2) / (cap * len(t))
    # Of lines that are firm alike the one that follows the hardest step lies on the edge, not beside it.
    hard = np.minimum(along, 8 * cap).sum(2)
    hard /= max(float(hard.max()), 1e-9)
    total = firm + hard
    total[(np.abs(ends[:, None] - ends[None, :]) > widest * (ROWS - 1)) | (firm < WEAKEST)] = 0
    middle = (ends[:, None] + ends[None, :]) / 2
    found: list[Line] = []
    while len(found) < MOST_LINES and total.max() > 0:
        i, j = np.unravel_index(int(np.argmax(total)), total.shape)
        found.append(Line(float(ends[i]), float(ends[j]), float(firm[i, j]), float(hard[i, j])))
        total[np.abs(middle - middle[i, j]) < apart] = 0
    return found


def fit(step: NDArray[np.float32], seen: NDArray[np.bool_], first: float, last: float, half: float, window: int) -> Side:
    """Fit the edge near the line from row `first` to row `last` to sub-row accuracy, robustly."""
    t = np.linspace(0, 1, COLUMNS)
    centre = np.round(first * (1 - t) + last * t).astype(int)
    rows = np.clip(centre[None, :] + np.arange(-window, window + 1)[:, None], 1, ROWS - 2)
    columns = np.arange(COLUMNS)
    local = step[rows, columns]
    at = rows[np.argmax(local, axis=0), columns]
    top, up, down = step[at, columns], step[at - 1, columns], step[at + 1, columns]
    curve = up + down - 2 * top
    fine = at + np.where(curve < -1e-6, np.clip(0.5 * (up - down) / np.where(curve < -1e-6, curve, -1), -1, 1), 0)
    visible = seen[centre.clip(0, ROWS - 1), columns]
    strong = top > 0.25 * np.percentile(top[visible], 70) if visible.any() else np.zeros(COLUMNS, bool)
    ok = visible & strong & (top > 0)
    if ok.sum() < COLUMNS // 8:
        return Side(*_at_ends(first, last, half), 0.0, 0.0, half, float(visible.mean()), np.zeros((0, 2)))
    basis = np.stack([1 - t, t, 4 * t * (1 - t)], 1)
    weight = ok.astype(float)
    value = np.zeros(3)
    for _ in range(12):
        damped = basis.T @ (basis * weight[:, None]) + np.diag([0, 0, 0.02 * weight.sum()])
        value = np.linalg.solve(damped + 1e-9 * np.eye(3), basis.T @ (weight * fine))
        miss = fine - basis @ value
        scale = max(1.4826 * float(np.median(np.abs(miss[ok]))), 0.25)
        weight = ok * np.maximum(1 - (miss / (4 * scale)) ** 2, 0) ** 2
    good = ok & (np.abs(miss) < max(3 * scale, 1.0))
    per_row = 2 * half / (ROWS - 1)
    start, stop = _at_ends(float(value[0]), float(value[1]), half)
    return Side(
        start=start, stop=stop, bow=float(value[2] * per_row),
        inliers=float(good.sum() / max(visible.sum(), 1)), spread=float(np.std(miss[good]) * per_row) if good.any() else half,
        seen=float(visible.mean()),
        points=np.stack([END_PART + (1 - 2 * END_PART) * t[good], (fine[good] - (ROWS - 1) / 2) * per_row], 1),
    )  # fmt: skip


@dataclass(frozen=True)
class Band:
    """The surroundings of one side of an outline, sampled across it.

    Attributes
    ----------
    step : ndarray, shape (ROWS, COLUMNS)
        How steeply the tone changes towards the wood's.
    seen : ndarray, shape (ROWS, COLUMNS)
    half : float
        What the band reaches to both sides of the outline (part of a side).
    blur : float
        Scale of the edges (rows).
    tone : ndarray, shape (ROWS, COLUMNS, 3)
        The picture itself.
    """

    step: NDArray[np.float32]
    seen: NDArray[np.bool_]
    half: float
    blur: float
    tone: NDArray[np.float32]

    def hidden(self) -> bool:
        """Whether too little of the side lies in the picture to look for an edge."""
        return bool(self.seen[ROWS // 2].mean() < 0.3)

    def at_border(self) -> bool:
        """Whether the picture ends at the side or just beyond it."""
        return bool(self.seen[ROWS // 3].mean() < 0.3)

    def wood(self) -> NDArray[np.float32]:
        """The tone of the innermost rows: bare wood, if the outline is about right; shape (3,)."""
        return np.asarray(np.median(self.tone[-WOOD_ROWS:].reshape(-1, 3), axis=0), np.float32)

    def inside(self, line: Line) -> NDArray[np.float32]:
        """The tone just inwards of a line, shape (3,)."""
        rows = np.linspace(line.first, line.last, COLUMNS) + max(3.0, 2.5 * self.blur)
        return np.asarray(np.median(self.tone[rows.round().astype(int).clip(0, ROWS - 1), np.arange(COLUMNS)], axis=0), np.float32)

    def search(self) -> list[Line]:
        """The edges in the band, strongest first."""
        return search(self.step, WIDEST, max(3.0, 1.5 * self.blur))

    def offsets(self, line: Line) -> tuple[float, float]:
        """A line's offsets at the side's two ends (part of a side, inwards positive)."""
        return _at_ends(line.first, line.last, self.half)

    def fitted(self, line: Line) -> Side:
        """The edge along a line, to a fraction of a sample."""
        return fit(self.step, self.seen, line.first, line.last, self.half, window=max(3, int(2 * self.blur)))


def _at_ends(first: float, last: float, half: float) -> tuple[float, float]:
    # The columns leave END_PART out at both ends of the side.
    grow = END_PART / (1 - 2 * END_PART) * (last - first)
    per_row = 2 * half / (ROWS - 1)
    return (first - grow) * per_row - half, (last + grow) * per_row - half


def bands(image: Image, corners: Array, half: float) -> tuple[Band, ...]:
    """The bands of the four sides (upper, right, lower, left) of an outline, in a picture best in CIE L*a*b*."""
    corners = np.asarray(corners, np.float64)
    h = square_to_quad(corners[None])[0]
    side_px = float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean())
    half = max(half, LEAST_HALF_PX / side_px)
    blur = max(FINEST_ROWS, SHARPNESS_PX * (ROWS - 1) / (2 * half * side_px))
    out = []
    for k in range(4):
        band, seen = strip(image, h, k, half)
        out.append(Band(tone_steps(band, seen, blur), seen, half, blur, band))
    return tuple(out)


def moved(corners: Array, offsets: Array) -> Array:
    """Outlines, shape (n, 4, 2), whose sides lie at `offsets`, shape (n, 4, 2): side, end (part of a side, inwards positive)."""
    h = square_to_quad(np.asarray(corners, np.float64)[None])[0]
    n = len(offsets)
    lines = []
    for k in range(4):
        ends = side_coordinates(k, np.array([[0.0, 1.0]]), offsets[:, k]).reshape(-1, 2)
        p = np.c_[transform(h, ends), np.ones(2 * n)].reshape(n, 2, 3)
        lines.append(np.cross(p[:, 0], p[:, 1]))
    out = np.stack([np.cross(lines[k - 1], lines[k]) for k in range(4)], 1)
    return np.asarray(out[..., :2] / out[..., 2:], np.float64)
