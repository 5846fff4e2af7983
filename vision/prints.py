"""Discs that are printed on the board: base circles and the middle of the centre circle.

Boards have eight base circles that look alike, at places that are each other's mirror images, and mostly a disc of the
same ink in the middle. The places differ from board to board, so they are looked for: the disc that is seen eight
times, or where the pieces leave it bare, is print, and so is one of its ink in the middle, but for the middle of a
rack, where the queen belongs.
"""

from __future__ import annotations

import warnings
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.exposure import cie_lab
from vision.palette import racks_middles
from vision.pieces import Seen, disc_colours
from vision.types import MARGIN_MM, Array, Calibration, Image

Mask = NDArray[np.bool_]

NEAR_MM: Final = 9.0
"""Nearer to a printed disc's middle than this a disc may be the print: calibrations are not exact."""
ALIKE: Final = 15.0
"""Distance in L*a*b* within which two places show the same ink."""
LESS_ALIKE: Final = 24.0
"""The same where the disc has not the pieces' size: nothing but the colour speaks for a queen that has it."""
OTHER_SIZE: Final = 0.06
"""Part of the usual radius by which it differs then."""
STANDS_OFF: Final = 22.0
"""Distance in L*a*b* by which an ink differs from the wood."""
LEAST: Final = 4
"""So many of the base circles must be bare and look alike for their ink to be known."""
BARE_MM: Final = 26.0
"""A place is bare if no disc was seen nearer."""
ALONG_MM: Final = (110.0, 210.0)
"""How far base circles' middles lie from one cushion."""
ACROSS_MM: Final = (85.0, 160.0)
"""And from the other."""
STEP_MM: Final = 4.0
CORE_MM: Final = 8.0
"""Radius (mm) that even small base discs have."""
SMOOTH_MM: Final = 4.0
"""Standard deviation of the smoothing in which a printed disc is one colour and a line is pale."""


def base_circles(rectified: Image, calibration: Calibration, seen: Seen) -> tuple[Array, Array] | None:
    """Where the base circles are and their ink.

    Returns
    -------
    at : ndarray, shape (8, 2)
        Middles (mm).
    ink : ndarray, shape (3,)
        L*a*b* in even light.
    """
    side, k = calibration.board.side, calibration.scale()
    smooth = cv2.GaussianBlur(rectified, (0, 0), SMOOTH_MM * k)
    u, v = (g.ravel() for g in np.meshgrid(np.arange(*ALONG_MM, STEP_MM), np.arange(*ACROSS_MM, STEP_MM)))
    apart = u > v + 12
    u, v = u[apart], v[apart]
    mirrored = [(x, y) for a, b in ((u, v), (v, u)) for x in (a, side - a) for y in (b, side - b)]
    at = np.stack([np.stack(p, axis=1) for p in mirrored], axis=1)
    px = ((at + MARGIN_MM) * k).astype(np.float32)
    sampled = cv2.remap(smooth, px[:, :, 0], px[:, :, 1], cv2.INTER_LINEAR)
    lab = cie_lab(np.asarray(sampled, np.uint8)).reshape(-1, 3)
    even = seen.light.taken_off(lab, at.reshape(-1, 2)).reshape(*at.shape[:2], 3)
    discs = np.stack([seen.x, seen.y], axis=1)
    bare = (np.linalg.norm(at[:, :, None] - discs, axis=3) > BARE_MM).all(axis=2)
    wood = np.median(even[bare], axis=0) if bare.any() else np.zeros(3)
    shown = np.where(bare[:, :, None], even, np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        middle = np.nanmedian(shown, axis=1)
    alike = (np.linalg.norm(shown - middle[:, None], axis=2) < ALIKE).sum(axis=1)
    off = np.where((alike >= LEAST) & (alike >= 0.75 * bare.sum(axis=1)), np.linalg.norm(middle - wood, axis=1), 0.0)
    best = int(np.argmax(np.nan_to_num(off)))
    if off[best] < STANDS_OFF:
        return None
    core = np.c_[(at[best] + MARGIN_MM) * k, np.full((8, 2), 2 * CORE_MM * k)]
    colours = seen.light.taken_off(disc_colours(rectified, core), at[best])
    return at[best], np.asarray(np.median(colours[bare[best]], axis=0), np.float64)


def printed(rectified: Image, calibration: Calibration, seen: Seen) -> Mask:
    """Which of the discs seen in a picture are print, shape (n,) of bool."""
    none = np.zeros(len(seen), np.bool_)
    found = base_circles(rectified, calibration, seen) if len(seen) else None
    if found is None:
        return none
    places, ink = found
    at = np.stack([seen.x, seen.y], axis=1)
    places = np.concatenate([places, np.full((1, 2), calibration.board.side / 2)])
    near = np.linalg.norm(at[:, None] - places, axis=2).min(axis=1) < NEAR_MM
    odd = np.abs(np.log(seen.r / np.median(seen.r[~near]))) > OTHER_SIZE if (~near).any() else none
    alike = np.linalg.norm(seen.light.taken_off(seen.colour, at) - ink, axis=1) < np.where(odd, LESS_ALIKE, ALIKE)
    return np.asarray(near & alike & ~racks_middles(none.astype(int), at, calibration.board), np.bool_)
