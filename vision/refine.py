"""The surface's corners from everything that was measured at once.

The seen ends of the wood, the lines along the cushions, the square's perspective and the height of the frame are
put together by least squares (Levenberg and Marquardt, reweighted against outliers): a side whose foot the frame
hides, or that lies outside the picture, follows from the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from models.board import ICF
from vision.cushions import FOCAL_SPREAD, RISE_SPREAD, USUAL_FOCAL, USUAL_RISE, normalised, stand, upper_edges
from vision.edges import moved
from vision.markings import line_places
from vision.types import Array

EDGE_SIGMA: Final = 0.0007
"""Error of a fitted edge (part of a side)."""
EDGE_PX: Final = 0.5
"""The same (px): whichever is larger counts. Shadows and faces blur into an edge."""
TOP_SIGMA: Final = 0.003
"""Error of a cushion's upper edge: it is rounded (part of a side)."""
PRINTED_SIGMA: Final = 0.0008
"""Least error of a line printed along a cushion (part of a side)."""
DRAWN_SIGMA: Final = 0.004
"""Largest error of one drawn by hand (part of a side)."""
PLACE_SIGMA: Final = 0.002
"""How far base lines lie from where the laws put them (part of a side)."""
SQUARE_SIGMA: Final = 0.004
"""How far a surface is seen from a square: cropped pictures, unequal sides (part of a side)."""
FACE_DOUBT: Final = 0.12
"""A cushion's face of which only one edge is seen: by this part of its width that edge may be mistaken for the wood's end."""
FACE_SPREAD: Final = 0.3
"""By this part of their faces' widths all such edges together may lie outwards: one board's cushions are alike."""
FACE_PX: Final = 2.5
"""A face so narrow (px) blurs into one edge, which lies about its middle."""
ASIDE_SIGMA: Final = 0.001
"""How far a board's print lies beside its middle (part of a side)."""
USUAL_LINE: Final = ICF.base_outer / ICF.side
"""Distance of a base line from its cushion (part of a side)."""
LOOSE: Final = 0.03
"""How far a side may be moved if nothing else is known (part of a side)."""
OUTLIER: Final = 2.0
"""Residuals beyond this many standard deviations lose weight."""
SMOOTH: Final = 0.0004
"""Over this the hidden strip's width sets in smoothly (part of a side)."""
ROUNDS: Final = 12

_ASIDE: Final = np.array([[0.0, -1.0, 0.0, 1.0], [1.0, 0.0, -1.0, 0.0]])
"""What a print aside to the right, or downwards, adds to the distance of its lines from the four sides."""


@dataclass(frozen=True)
class Measured:
    """What was measured along an outline's four sides, all as parts of a side, inwards positive; NaN for nothing.

    Attributes
    ----------
    wood : ndarray, shape (4, 2)
        Where the wood's visible end lies, per side and end.
    doubt : ndarray, shape (4,)
        Factor of that measurement's error.
    top : ndarray, shape (4, 2)
        Where the cushion's upper edge lies outside of the wood.
    lines : ndarray, shape (4, 2)
        How much farther inwards than the common distance the lines along the cushion lie, per side and half.
    at : float
        That common distance.
    place : float
        How much farther inwards that common distance is than the one that the laws ask for.
    rise : float
        Height of the cushions, as far as it is known.
    rise_sigma : float
    """

    wood: Array
    doubt: Array
    top: Array
    lines: Array
    at: float = USUAL_LINE
    place: float = float("nan")
    rise: float = USUAL_RISE
    rise_sigma: float = RISE_SPREAD


@dataclass(frozen=True)
class Refined:
    """The outcome.

    Attributes
    ----------
    corners : ndarray, shape (4, 2)
        Where wood and cushions meet (px).
    seen : ndarray, shape (4, 2)
        The outline of what is seen of the wood (px).
    rise : float
        Height of the cushions (part of a side).
    error : float
        Standard deviation of the worst corner, from the measurements' spread (part of a side).
    miss : float
        Root of the mean squared weighted residual of the seen edges: about 1 if all fits.
    """

    corners: Array
    seen: Array
    rise: float
    error: float
    miss: float


def refine(corners: Array, size: tuple[int, int], measured: Measured) -> Refined:
    """Find the square that explains the measurements best.

    Parameters
    ----------
    corners : ndarray, shape (4, 2)
        The outline along which was measured (px).
    size : tuple of int
        Width and height of the picture (px).
    """
    corners = np.asarray(corners, np.float64)
    side_px = float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean())
    base_sigma = max(EDGE_SIGMA, EDGE_PX / side_px) * measured.doubt
    has_wood, has_top, has_lines = (np.isfinite(v) for v in (measured.wood, measured.top, measured.lines))
    wood, top, lines = (np.nan_to_num(v) for v in (measured.wood, measured.top, measured.lines))
    known_place = np.isfinite(measured.place)

    def model(p: Array) -> tuple[Array, Array]:
        offsets = p[:, :8].reshape(-1, 4, 2)
        outline = moved(corners, offsets)
        centre, departure = stand(normalised(outline, size), np.exp(p[:, 8]))
        return upper_edges(centre, p[:, 9]), departure

    def residuals(p: Array, line_sigma: float, edge_sigma: Array) -> Array:
        n = len(p)
        offsets = p[:, :8].reshape(n, 4, 2)
        edge, departure = model(p)
        hidden = (edge + np.sqrt(edge**2 + SMOOTH**2)) / 2
        face = edge - hidden
        shown = hidden + face * (np.exp(-((face * side_px / FACE_PX) ** 2)) / 2 + p[:, 13:14] * ~has_top.all(axis=1))
        places = line_places(corners, measured.at, lines, moved(corners, offsets))
        return np.concatenate([
            np.where(has_wood, (offsets + shown[..., None] - wood) / edge_sigma[:, None], 0).reshape(n, 8),
            np.where(has_lines, (places - (p[:, 10:11] + p[:, 11:13] @ _ASIDE)[..., None]) / line_sigma, 0).reshape(n, 8),
            np.where(has_top, (offsets + face[..., None] - top) / TOP_SIGMA, 0).reshape(n, 8),
            departure / SQUARE_SIGMA,
            (p[:, 8:9] - np.log(USUAL_FOCAL)) / FOCAL_SPREAD,
            (p[:, 9:10] - measured.rise) / measured.rise_sigma,
            (p[:, 10:11] + measured.place) / PLACE_SIGMA if known_place else p[:, 10:11] / LOOSE,
            p[:, :8] / LOOSE,
            p[:, 11:13] / ASIDE_SIGMA,
            p[:, 13:] / FACE_SPREAD,
        ], axis=1)  # fmt: skip

    p = np.concatenate([np.where(has_wood, wood, 0).ravel(), [np.log(USUAL_FOCAL), measured.rise, 0.0, 0.0, 0.0, 0.0]])
    step = np.diag(np.r_[np.full(8, 1e-5), 1e-3, *np.full(4, 1e-5), 1e-3])
    line_sigma, damping = DRAWN_SIGMA, 1e-3
    weight = np.ones(0)

    def linear(p: Array) -> tuple[Array, Array, Array]:
        """Residuals, their derivatives and the edges' errors at a point."""
        face = np.where(has_top.all(axis=1), 0, np.maximum(-model(p[None])[0][0], 0))
        edge_sigma = np.hypot(base_sigma, FACE_DOUBT * face)
        r = residuals(np.vstack([p, p + step]), line_sigma, edge_sigma)
        return r[0], (r[1:] - r[0]).T / np.diag(step), edge_sigma

    for _ in range(ROUNDS):
        r, jacobian, edge_sigma = linear(p)
        weight = np.ones(len(r))
        weight[:24] = 1 / (1 + (r[:24] / OUTLIER) ** 2)
        normal = jacobian.T @ (jacobian * weight[:, None])
        p = p + np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -jacobian.T @ (weight * r))
        p[8], p[9] = np.clip(p[8], np.log(0.5), np.log(9.0)), np.clip(p[9], 0.0, 0.06)
        if has_lines.any():
            # How evenly the lines were drawn shows in how well they agree with the edges that are seen.
            off = residuals(p[None], 1.0, edge_sigma)[0, 8:16][has_lines.ravel()]
            line_sigma = float(np.clip(1.4826 * np.median(np.abs(off)), PRINTED_SIGMA, DRAWN_SIGMA))
    r, jacobian, _ = linear(p)
    covariance = np.linalg.inv(jacobian.T @ (jacobian * weight[:, None]))
    ends = np.sqrt(np.maximum(np.diag(covariance)[:8], 0)).reshape(4, 2)
    # Corner k lies at the start of side k and at the end of the side before.
    error = float(np.hypot(ends[:, 0], np.roll(ends[:, 1], 1)).max())
    edge = model(p[None])[0][0]
    offsets = p[:8].reshape(1, 4, 2)
    seen = moved(corners, offsets + np.maximum(edge, 0)[None, :, None])[0]
    fits = r[:8][has_wood.ravel()]
    miss = float(np.sqrt(np.mean(fits**2))) if len(fits) else 0.0
    return Refined(moved(corners, offsets)[0], seen, float(p[9]), error, miss)
