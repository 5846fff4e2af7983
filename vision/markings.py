"""What is printed or drawn along the cushions: the same on all four sides, wherever it lies.

Tournament boards carry their base lines at known millimetres, home-made ones where their maker drew them. Either
way the four sides are alike, so an edge that was taken for the cushion wrongly shows as a side whose lines lie
nearer or farther than the others'.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.board import ICF
from models.homography import transform
from vision.lines import levelled
from vision.quads import side_coordinates, square_to_quad
from vision.types import Array, Image, Kind

SIDE_PX: Final = 480
"""Side of the rectified surface (px)."""
NEAR: Final = 0.05
"""Lines are looked for from this distance of the cushion (part of a side)."""
FAR: Final = 0.27
"""To this distance (part of a side)."""
REACH: Final = 0.035
"""Largest error of a side that is looked for (part of a side)."""
THICK: Final = 0.014
"""Anything thicker than this is no line (part of a side)."""
HALVES: Final = ((0.24, 0.48), (0.52, 0.76))
"""The parts of a side, along it, that are looked at one by one: between the base circles, without the middle."""
PLACED: Final = 0.008
"""Base lines so near to where the laws put them are a tournament board's (part of a side)."""
TRUSTED: Final = 0.55
"""A stretch of lines that agrees so well with the others is measured by."""
IN_PICTURE: Final = 0.9
"""So much of a stretch must lie in the picture for its lines to be compared."""
CAP: Final = 24.0
"""Contrast of a line counts up to this (levels of 255)."""


@dataclass(frozen=True)
class Markings:
    """Lines along the four sides.

    Attributes
    ----------
    shift : ndarray, shape (4, 2)
        How much farther inwards than the common distance the lines lie, per side and half, clockwise (part of a side).
    trust : ndarray, shape (4, 2)
        Agreement of that half's lines with the others', 0 to 1.
    profile : ndarray, shape (n,)
        The common profile of lines from `NEAR` to `FAR`.
    """

    shift: Array
    trust: Array
    profile: Array

    def seen(self) -> bool:
        """Whether lines are seen well enough to say anything about the sides."""
        return bool(np.sum(self.trust > TRUSTED) >= 6)

    def at(self) -> Array:
        """Distances of the common lines from the outline (part of a side), strongest first."""
        p = self.profile
        top = np.flatnonzero((p[1:-1] > p[:-2]) & (p[1:-1] >= p[2:]) & (p[1:-1] > 0.3 * p.max())) + 1
        return np.asarray(NEAR + (top[np.argsort(p[top])[::-1]] + 0.5) / SIDE_PX, np.float64)

    def strongest(self) -> float:
        """Distance of the strongest common line from the outline (part of a side)."""
        return float(NEAR + (np.argmax(self.profile) + 0.5) / SIDE_PX)

    def kind(self) -> Kind:
        """What lies along the cushions: base lines as the laws of the game place them, other lines, or none to be sure of."""
        if not self.seen():
            return "plain"
        return "tournament" if abs(self.place()) < PLACED else "lines"

    def place(self, tolerance: float = 0.012) -> float:
        """How much farther inwards the base lines lie than on a tournament board (part of a side); NaN if no such pair is seen."""
        at = np.sort(self.at()[:4])
        outer, inner = ICF.base_outer / ICF.side, ICF.base_inner / ICF.side
        pairs = [(a, b) for a in at for b in at if abs((b - a) - (inner - outer)) < 0.004]
        off = [((a - outer) + (b - inner)) / 2 for a, b in pairs]
        nearest = min(off, key=abs, default=np.nan)
        return float(nearest) if abs(nearest) < tolerance else float("nan")


def line_profiles(image: Image, corners: Array) -> NDArray[np.float64]:
    """Contrast of lines parallel to the cushions by distance: shape (8, n), per side and half; dark and bright lines alike."""
    s = SIDE_PX
    target = np.array([[0, 0], [s, 0], [s, s], [0, s]], np.float32) - 0.5
    h = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), target)
    grey = cv2.warpPerspective(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), h, (s, s), flags=cv2.INTER_LINEAR)
    level = levelled(np.asarray(grey, np.uint8))
    seen = cv2.warpPerspective(np.full(image.shape[:2], 255, np.uint8), h, (s, s), flags=cv2.INTER_NEAREST) > 0
    # Only the upper band of each of the four turned pictures is needed: the sides, one after the other.
    out = []
    low, high = int(NEAR * s), int(FAR * s)
    kernel = np.ones((int(THICK * s) | 1, 1), np.uint8)
    for k in range(4):
        band = np.ascontiguousarray(np.rot90(level, k)[low - 10 : high + 10])
        dark, bright = cv2.morphologyEx(band, cv2.MORPH_BLACKHAT, kernel), cv2.morphologyEx(band, cv2.MORPH_TOPHAT, kernel)
        view = np.rot90(seen, k)[low:high]
        for a, b in HALVES:
            part = slice(int(a * s), int(b * s))
            if view[:, part].all(axis=1).mean() < IN_PICTURE:
                # Of two lines alike the one that is still in the picture would be taken for the other.
                out.append(np.zeros(high - low))
                continue
            pair = [np.minimum(v[10:-10, part], CAP).mean(1) for v in (dark, bright)]
            out.append(max(pair, key=lambda v: float(v.max() - np.median(v))))
    profile = np.array(out, np.float64)
    return np.maximum(profile - np.median(profile, axis=1, keepdims=True) - 0.4, 0.0)


def markings(image: Image, corners: Array) -> Markings:
    """Compare the lines along the four sides of an outline, shape (4, 2), in a BGR picture."""
    raw = line_profiles(image, corners)
    reach = int(REACH * SIDE_PX)
    energy = np.linalg.norm(raw, axis=1)
    shift = np.zeros(8)
    trust = np.zeros(8)
    common = raw[int(np.argsort(energy)[5])]
    for blur in (2.5, 1.6, 1.2, 1.0):
        soft = np.array([cv2.GaussianBlur(p[:, None], (1, 15), 1, sigmaY=blur)[:, 0] for p in raw])
        model = cv2.GaussianBlur(common[:, None], (1, 15), 1, sigmaY=blur)[:, 0]
        padded = np.pad(model, reach)
        windows = np.lib.stride_tricks.sliding_window_view(padded, len(model))
        norm = np.maximum(np.linalg.norm(windows, axis=1), 1e-6)
        match = (soft @ windows.T) / norm / np.maximum(np.linalg.norm(soft, axis=1, keepdims=True), 1e-6)
        match *= np.minimum(norm / max(float(np.linalg.norm(model)), 1e-6), 1.0)
        best = np.argmax(match, axis=1)
        trust = match[np.arange(8), best]
        inner = np.clip(best, 1, match.shape[1] - 2)
        left, top, right = (match[np.arange(8), inner + d] for d in (-1, 0, 1))
        curve = left + right - 2 * top
        fine = inner + np.where(curve < -1e-9, np.clip(0.5 * (left - right) / np.where(curve < -1e-9, curve, -1.0), -1, 1), 0.0)
        shift = reach - fine
        weight = np.where(trust > 0.4, trust, 0.0)
        if weight.sum() < 1e-6:
            break
        shift = shift - float(np.average(shift, weights=weight))
        rows = np.arange(raw.shape[1])
        aligned = np.array([np.interp(rows + d, rows, p) for d, p in zip(shift, raw, strict=True)])
        common = np.average(aligned, axis=0, weights=weight)
    return Markings(shift=(shift / SIDE_PX).reshape(4, 2), trust=np.clip(trust, 0, 1).reshape(4, 2), profile=common)


def line_places(corners: Array, at: float, shift: Array, outlines: Array) -> Array:
    """How much farther inwards than `at` the lines measured along one outline lie in others.

    An outline with one corner off has another perspective: lines that are uneven in it may be even in the right one, and
    the other way round. So what is kept of a line is where it lies in the picture.

    Parameters
    ----------
    corners : ndarray, shape (4, 2)
        The outline along which was measured (px).
    at : float
        Common distance of a line (part of a side).
    shift : ndarray, shape (4, 2)
        How much farther inwards it lies in that outline, per side and half.
    outlines : ndarray, shape (n, 4, 2)

    Returns
    -------
    ndarray, shape (n, 4, 2)
        Per side and half (part of a side).
    """
    along = np.array([(a + b) / 2 for a, b in HALVES])
    points = np.concatenate([side_coordinates(k, along, at + shift[k]) for k in range(4)])
    picture = transform(square_to_quad(np.asarray(corners, np.float64)[None])[0], points)
    back = np.linalg.inv(square_to_quad(outlines))
    p = np.einsum("nij,pj->npi", back, np.c_[picture, np.ones(8)])
    x, y = np.moveaxis((p[..., :2] / p[..., 2:]).reshape(-1, 4, 2, 2), -1, 0)
    return np.asarray(np.stack([y[:, 0], 1 - x[:, 1], 1 - y[:, 2], x[:, 3]], 1) - at, np.float64)
