"""Centres and radii of discs at rest, fitted to their outlines on the picture itself.

The network sees boards of 640 px, on which a pixel is 1.3 mm. Here each disc's outline is sampled along rays from its
expected centre in the camera's own picture, and a circle is fitted to the edges found there, weighted least squares
within a window that narrows (as snakes are: Kass, Witkin, Terzopoulos 1988). What is seen of a disc that has height
is not a circle: on the side towards the camera's foot the flank shows below the face, so the edge of either may be
found there (Lean of the flank: `vision.height`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.height import DISC_HEIGHT, lean_of
from vision.types import Array, Calibration, Image

Levels = NDArray[np.float32]

RAYS: Final = 48
STEP_MM: Final = 0.5
"""Distance of the samples along a ray."""
REACH_MM: Final = 6.0
"""How far inside and outside of the expected outline edges are looked for."""
SOFT_MM: Final = 0.5
"""Standard deviation of the smoothing along a ray."""
NOISE: Final = 0.5
"""Change of colour from sample to sample (levels of 255) that is no edge."""
NARROW_MM: Final = 1.5
"""An edge counts fully if none nearer on its ray is stronger."""
STRONG: Final = 30.0
"""Change of colour from sample to sample that counts a quarter as much as the strongest edge."""
FIRST_MM: Final = (2.5, 2.0, 1.5)
"""Half width (standard deviation) of the window round the fitted outline in which edges count, pass by pass."""
THEN_MM: Final = (2.0, 1.5, 1.0)
"""The same of the passes that know the usual radius."""
BOX_WEIGHT: Final = 0.05
"""Weight of the network's box against rays whose edge is as strong as can be."""
ONE_SIZE_WEIGHT: Final = 2.0
"""Weight of the usual radius for discs that have nearly that."""
ONE_SIZE: Final = 0.08
"""Part of the usual radius by which a piece's may seem to differ."""
FARTHEST_MM: Final = 5.0
"""A fit that leaves the box by more has found something else."""
LEAST_SUPPORT: Final = 0.02
"""Mean strength of the edges along the outline below which the fit says nothing."""
BEVEL_MM: Final = 0.9
"""How far a fit leaves out a bevel that is dark on one side alone: turned from the light it is as dark as the shadow beside it. Fits of
rendered discs are off by 0.8 to 1.0 times what `_lit` says."""
BEVEL_INSIDE_MM: Final = 3.0
"""The face is looked at so far inside of the outline."""
LEAST_CHANGE: Final = 5.0
"""Change of the level at an outline that noise makes."""
FLANK_MM: Final = 0.6
"""A flank that shows less than this is not told from the face."""

_TURN = np.arange(RAYS) * 2 * np.pi / RAYS
_RAY: Final = np.stack([np.cos(_TURN), np.sin(_TURN)], 1)
_DESIGN: Final = np.concatenate([_RAY, np.ones((RAYS, 1))], 1)
"""How far the outline lies along each ray, by middle (x, y) and radius."""
_PRODUCTS: Final = np.einsum("ai,aj->aij", _DESIGN, _DESIGN).reshape(RAYS, 9)
_OFFSETS: Final = np.arange(-REACH_MM, REACH_MM + STEP_MM / 2, STEP_MM)
_AT_OUTLINE: Final = np.abs(_OFFSETS) < 1.5 * STEP_MM
_INSIDE: Final = np.abs(_OFFSETS + BEVEL_INSIDE_MM) < 1.5 * STEP_MM
_NEAR_OUTLINE: Final = np.abs(_OFFSETS[1:-1]) < BEVEL_INSIDE_MM
_DIAGONAL: Final = [0, 1, 2]


@dataclass(frozen=True)
class Outlines:
    """Where discs lie, one struct of arrays; millimetres on the board.

    Attributes
    ----------
    xy : ndarray, shape (n, 2)
        Where each disc stands: the parallax of its height is taken out.
    r : ndarray, shape (n,)
    fitted : ndarray of bool, shape (n,)
        Whether the outline was found; else place and radius are the network's.
    """

    xy: Array
    r: Array
    fitted: NDArray[np.bool_]


def outlines(picture: Image, calibration: Calibration, seen: Array, r: Array, at_rest: NDArray[np.bool_]) -> Outlines:
    """Fit the outlines of discs.

    Parameters
    ----------
    picture : ndarray of uint8, shape (height, width, 3)
        BGR, as the camera took it.
    seen : ndarray, shape (n, 2)
        Where the middles of the discs seem to lie on the board, flank and all (mm).
    r : ndarray, shape (n,)
        Radii (mm).
    at_rest : ndarray of bool, shape (n,)
        Which are round; a streak has no outline to fit.
    """
    lean = lean_of(calibration)(seen) * DISC_HEIGHT
    middle, radius, fitted = seen.copy(), r.copy(), np.zeros(len(r), bool)
    if at_rest.any():
        m, q, ok = _fit(_edges(_sampled(picture, calibration, seen[at_rest], r[at_rest])), r[at_rest], lean[at_rest])
        which = np.flatnonzero(at_rest)[ok]
        middle[which] += m[ok]
        radius[which], fitted[which] = q[ok], True
        if len(which):
            middle[which] -= BEVEL_MM * _lit(_sampled(picture, calibration, middle[which], radius[which]))
    return Outlines(middle - lean / 2, radius, fitted)


def _sampled(picture: Image, calibration: Calibration, centre: Array, r: Array) -> Levels:
    """Smoothed levels along the rays, shape (n, `RAYS`, samples, 3); the outline expected is in the middle."""
    n = len(centre)
    p = calibration.to_picture(np.concatenate([centre + step for step in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))])).reshape(3, n, 2)
    ray = np.einsum("nij,aj->nai", np.stack([p[1] - p[0], p[2] - p[0]], -1), _RAY)
    at = p[0][:, None, None] + ray[:, :, None] * (r[:, None] + _OFFSETS)[:, None, :, None]
    flat = at.reshape(n * RAYS, -1, 2).astype(np.float32)
    sampled = cv2.remap(picture, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    smooth = cv2.GaussianBlur(sampled, (0, 0), sigmaX=SOFT_MM / STEP_MM, sigmaY=1e-3).reshape(n, RAYS, -1, 3)
    return np.asarray((np.roll(smooth, 1, 1) + 2 * smooth + np.roll(smooth, -1, 1)) / 4, np.float32)


def _edges(levels: Levels) -> Array:
    """Strength of edges across the rays, 0 to 1, shape (n, `RAYS`, samples)."""
    change = np.zeros(levels.shape[:3], np.float32)
    change[:, :, 1:-1] = np.linalg.norm(levels[:, :, 2:] - levels[:, :, :-2], axis=3) / 2
    # A shadow's border and a halo are broad, an outline is narrow: what is weaker than its neighbours on the ray counts less.
    near = np.ones((1, 2 * round(NARROW_MM / STEP_MM) + 1), np.uint8)
    highest = cv2.dilate(change.reshape(-1, levels.shape[2]), near).reshape(change.shape)
    change = np.maximum(change * change / np.maximum(highest, 1e-6) - NOISE, 0)
    return np.asarray(change / (change + STRONG), np.float64) ** 2


def _lit(levels: Levels) -> Array:
    """From which side discs are lit, and how much of the change at their outlines that makes, shape (n, 2).

    It is how much more the level rises over the bevel on that side, against how much it changes at the outline on all sides.
    """
    grey = np.asarray(levels.mean(axis=3), np.float64)
    rise = grey[:, :, _AT_OUTLINE].mean(axis=2) - grey[:, :, _INSIDE].mean(axis=2)
    change = np.abs(grey[:, :, 2:] - grey[:, :, :-2])[:, :, _NEAR_OUTLINE].sum(axis=2).mean(axis=1) / 2 + LEAST_CHANGE
    return np.asarray(rise @ _RAY * (2 / RAYS) / change[:, None], np.float64)


def _fit(edges: Array, r: Array, lean: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Middles relative to the expected ones, radii, and whether there was enough to go by."""
    along = lean @ _RAY.T
    free, _ = _circles(edges, along, np.zeros((len(r), 3)), FIRST_MM, None)
    radius = r + free[:, 2]
    # A piece and a striker alone have two sizes; what lies between them is nobody's.
    usual = float(np.sort(radius)[(len(radius) - 1) // 2])
    prior = np.where(np.abs(radius / usual - 1) < ONE_SIZE, usual, radius) - r
    found, support = _circles(edges, along, free, THEN_MM, prior)
    return found[:, :2], r + found[:, 2], (support > LEAST_SUPPORT) & (np.hypot(*found[:, :2].T) < FARTHEST_MM)


def _circles(edges: Array, along: Array, found: Array, windows: tuple[float, ...], prior: Array | None) -> tuple[Array, Array]:
    """Weighted least squares of each circle's middle and growth from `found`, shape (n, 3), pass by pass.

    Also the mean strength of the edges near the outline, shape (n,). `along` is each ray's part of the face's lean, shape (n, `RAYS`).
    """
    half = np.abs(along) / 2
    shows = ((along < 0) & (2 * half > FLANK_MM))[:, :, None]
    pull = BOX_WEIGHT * RAYS
    mass = np.zeros_like(along)
    for window in windows:
        circle = (found @ _DESIGN.T)[:, :, None]
        # Where the flank shows, the outer part of the ray may hold its foot and the inner part the face's edge.
        away = _OFFSETS - circle - np.where(shows & (circle > _OFFSETS), -half[:, :, None], half[:, :, None])
        weight = edges * np.exp(away * away * (-0.5 / window**2))
        mass, moment = weight.sum(2) * STEP_MM, np.einsum("nas,nas->na", weight, away) * STEP_MM
        normal, right = (mass @ _PRODUCTS).reshape(-1, 3, 3), moment @ _DESIGN - pull * found
        normal[:, _DIAGONAL, _DIAGONAL] += pull
        if prior is not None:
            normal[:, 2, 2] += ONE_SIZE_WEIGHT * RAYS
            right[:, 2] -= ONE_SIZE_WEIGHT * RAYS * (found[:, 2] - prior)
        found = found + np.linalg.solve(normal, right[:, :, None])[:, :, 0]
    return found, mass.mean(1)
