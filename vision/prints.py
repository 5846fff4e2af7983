"""Discs that are printed on the board: base circles, the middle of the centre circle, and whatever has mirror images.

Boards have eight base circles that look alike, at places that are each other's mirror images, and mostly a disc of the
same ink in the middle. The places differ from board to board, so they are looked for: the disc that is seen eight
times, or where the pieces leave it bare, is print, and so is one of its ink in the middle, but for the middle of a
rack, where the queen belongs. Other ornaments are the same on every side of the board as well: a disc whose mirror
images show its colour too is one of them. And a ring of print or of pieces holds bare wood that looks like a disc.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detector import MIN_SCORE
from vision.exposure import Shade, cie_lab, wood_light
from vision.palette import racks_middles
from vision.pieces import Seen, disc_colours
from vision.types import MARGIN_MM, RECTIFIED_PX, Array, Calibration, Image

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
MIDDLE_MM: Final = 12.0
"""Nearer to the board's middle than this a disc of the ink's hue may be the print, if the network was not sure of it."""
HUE: Final = 20.0
"""Difference of hue (degrees) within which a disc may be of the ink: that was measured paler, with lines over it and wood round it."""
COLOURFUL: Final = 15.0
"""Chroma from which there is a hue."""
SURELY: Final = 0.78
"""Score from which the network is sure of a disc."""
HALF_SURE: Final = 0.6
"""Score from which a disc is no ornament: pieces may lie on base circles of nearly their colour."""
MIRRORED: Final = 0.55
"""Part of a disc's mirror images that must show its colour for it to be an ornament: some may be hidden."""
FEWEST: Final = 3
"""So many of what the network hardly saw are enough."""
WOODEN: Final = 6.0
"""Distance in L*a*b* from the wood round it within which a disc is wood,"""
MOST_SURE: Final = 0.75
"""unless its score is more,"""
LIKE_WOOD: Final = 10.0
"""or others of this distance from it and from the wood"""
SIBLINGS: Final = 2
"""score more: so many, as a middle of a ring may do so by chance."""
ROUND_MM: Final = 110.0
"""So far away is round it."""
SPOTS: Final = 24
"""Spots along a side where the wood is looked at."""
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
    spots = (at[:, :, None] + CORE_MM * np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)])).reshape(len(at), -1, 2)
    px = ((spots + MARGIN_MM) * k).astype(np.float32)
    sampled = cie_lab(np.asarray(cv2.remap(smooth, px[:, :, 0], px[:, :, 1], cv2.INTER_LINEAR), np.uint8))
    shades = seen.light.taken_off(sampled.reshape(-1, 3), spots.reshape(-1, 2)).reshape(*at.shape[:2], 5, 3)
    even = shades[:, :, 0]
    # A disc is as wide as this both ways; where lines cross it is not.
    uneven = np.linalg.norm(shades[:, :, 1:] - even[:, :, None], axis=3).max(axis=2)
    discs = np.stack([seen.x, seen.y], axis=1)[seen.score >= MIN_SCORE]
    bare = (np.linalg.norm(at[:, :, None] - discs, axis=3) > BARE_MM).all(axis=2)
    wood = np.median(even[bare], axis=0) if bare.any() else np.zeros(3)
    shown = np.where(bare[:, :, None], even, np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        middle = np.nanmedian(shown, axis=1)
        varied = np.nanmedian(np.where(bare, uneven, np.nan), axis=1)
    alike = (np.linalg.norm(shown - middle[:, None], axis=2) < ALIKE).sum(axis=1)
    off = np.where((alike >= LEAST) & (alike >= 0.75 * bare.sum(axis=1)), np.linalg.norm(middle - wood, axis=1), 0.0)
    best = int(np.argmax(np.where(off > STANDS_OFF, off - varied, -np.inf)))
    if not off[best] > max(STANDS_OFF, varied[best]):
        return None
    core = np.c_[(at[best] + MARGIN_MM) * k, np.full((8, 2), 2 * CORE_MM * k)]
    colours = seen.light.taken_off(disc_colours(rectified, core), at[best])
    return at[best], np.asarray(np.median(colours[bare[best]], axis=0), np.float64)


@dataclass(frozen=True)
class Prints:
    """The base circles of a board, and its middle if that is of their ink, as the bare board of a video shows them.

    Attributes
    ----------
    at : ndarray, shape (n, 2)
        Middles (mm).
    colour : ndarray, shape (n, 3)
        L*a*b*, in the light of the bare board.
    """

    at: Array
    colour: Array

    def out_of(self, shade: Shade) -> Prints:
        """In the colours that they would have outside of a lasting shade."""
        return Prints(self.at, shade.taken_off(self.colour, self.at))

    def shows(self, seen: Seen) -> Mask:
        """Which discs of a picture, off which the light was taken, are these rather than what lies on them, shape (n,) of bool.

        What the network is sure of is a piece: the queen may have the ink's colour.
        """
        return np.asarray((self.under(seen) >= 0) & (seen.score < SURELY), np.bool_)

    def under(self, seen: Seen) -> NDArray[np.intp]:
        """In which print's place, and of its colour, each disc is, shape (n,); -1 if in none."""
        if not len(self.at) or not len(seen):
            return np.full(len(seen), -1)
        near = np.linalg.norm(np.stack([seen.x, seen.y], axis=1)[:, None] - self.at, axis=2) < NEAR_MM
        alike = np.linalg.norm(seen.colour[:, None] - self.colour, axis=2) < ALIKE
        both = near & alike
        return np.asarray(np.where(both.any(axis=1), both.argmax(axis=1), -1), np.intp)


def prints_on(bare: Image, calibration: Calibration) -> Prints:
    """The printed discs of a bare board.

    Parameters
    ----------
    bare : ndarray of uint8, shape (n, n, 3)
        The rectified board without what lies on it for a time, of any size, BGR.
    """
    side, none = calibration.board.side, np.zeros(0)
    picture = np.asarray(cv2.resize(bare, (RECTIFIED_PX, RECTIFIED_PX), interpolation=cv2.INTER_LINEAR), np.uint8)
    hands = np.zeros((0, 5))
    light = wood_light(picture, side, np.zeros((0, 3)), hands)
    found = base_circles(picture, calibration, Seen(none, none, none, none, none, np.zeros((0, 3)), none, hands, light))
    if found is None:
        return Prints(np.zeros((0, 2)), np.zeros((0, 3)))
    at = np.concatenate([found[0], np.full((1, 2), side / 2)])
    colour = disc_colours(picture, np.c_[(at + MARGIN_MM) * calibration.scale(), np.full((len(at), 2), 2 * CORE_MM * calibration.scale())])
    # Where a piece lay all the time, or nothing is printed, the bare board has another colour.
    own = np.linalg.norm(light.taken_off(colour, at) - found[1], axis=1) < LESS_ALIKE
    return Prints(at[own], colour[own])


def printed(rectified: Image, calibration: Calibration, seen: Seen) -> Mask:
    """Which of the discs seen in a picture are print or bare wood, shape (n,) of bool."""
    if not len(seen):
        return np.zeros(0, np.bool_)
    at = np.stack([seen.x, seen.y], axis=1)
    even = seen.light.taken_off(seen.colour, at)
    racked = racks_middles(np.zeros(len(seen), int), at, calibration.board)
    wood = _wood_round(rectified, calibration, seen)
    off = np.linalg.norm(even - wood, axis=1)
    print_ = _of_ink(rectified, calibration, seen, even) | (_ornaments(rectified, calibration, seen, even) & (off > STANDS_OFF))
    return np.asarray((print_ | _bare(seen, even, off)) & ~racked, np.bool_)


def _bare(seen: Seen, even: Array, off: Array) -> Mask:
    """Which discs are bare wood, from which they are `off`; not those that look as pieces do of which the network is sure."""
    sure = (seen.score >= MOST_SURE) & (off < LIKE_WOOD)
    siblings = (np.linalg.norm(even[:, None] - even[sure], axis=2) < LIKE_WOOD).sum(axis=1)
    return np.asarray((off < WOODEN) & (seen.score < MOST_SURE) & (siblings < SIBLINGS), np.bool_)


def _wood_round(rectified: Image, calibration: Calibration, seen: Seen) -> Array:
    """The colour of the bare wood round each disc in even light, shape (n, 3)."""
    side, k = calibration.board.side, calibration.scale()
    spots = np.stack(np.meshgrid(*2 * [(np.arange(SPOTS) + 0.5) * side / SPOTS]), axis=-1).reshape(-1, 2)
    shown = disc_colours(rectified, np.c_[(spots + MARGIN_MM) * k, np.full((len(spots), 2), 2 * CORE_MM * k)])
    away = np.linalg.norm(spots[:, None] - np.stack([seen.x, seen.y], axis=1), axis=2)
    bare = (away > BARE_MM).all(axis=1)
    own = bare[:, None] & (away < ROUND_MM)
    own[:, ~own.any(axis=0)] = True
    return np.stack([np.median(seen.light.taken_off(shown, spots)[o], axis=0) for o in own.T])


def _of_ink(rectified: Image, calibration: Calibration, seen: Seen, even: Array) -> Mask:
    """Which discs are base circles or of their ink in the middle; `even` are their colours in even light."""
    none = np.zeros(len(seen), np.bool_)
    found = base_circles(rectified, calibration, seen)
    if found is None:
        return none
    places, ink = found
    at = np.stack([seen.x, seen.y], axis=1)
    middle = np.full((1, 2), calibration.board.side / 2)
    near = np.linalg.norm(at[:, None] - np.concatenate([places, middle]), axis=2).min(axis=1) < NEAR_MM
    odd = np.abs(np.log(seen.r / np.median(seen.r[~near]))) > OTHER_SIZE if (~near).any() else none
    turn = np.degrees(np.arctan2(even[:, 2], even[:, 1]) - np.arctan2(ink[2], ink[1]))
    hue = (np.abs((turn + 180) % 360 - 180) < HUE) & (np.minimum(np.hypot(*even[:, 1:].T), np.hypot(*ink[1:])) > COLOURFUL)
    less = odd & (hue | (np.hypot(*ink[1:]) < COLOURFUL))
    alike = np.linalg.norm(even - ink, axis=1) < np.where(less, LESS_ALIKE, ALIKE)
    central = np.linalg.norm(at - middle, axis=1) < MIDDLE_MM
    # The queen is put back there, and many are of the ink's red: one of a piece's size that the network is sure of is she.
    queen = central & (seen.score >= SURELY) & ~odd & (~near).any()
    return np.asarray((near & alike & ~queen) | (hue & central & (seen.score < SURELY)), np.bool_)


def _ornaments(rectified: Image, calibration: Calibration, seen: Seen, even: Array) -> Mask:
    """Which discs have mirror images of their colour; not in the middle, where racks have them too."""
    side, k = calibration.board.side, calibration.scale()
    x, y, r = seen.x, seen.y, seen.r
    mirrored = [np.stack(p, axis=1) for a, b in ((x, y), (y, x)) for p in ((a, b), (side - a, b), (a, side - b), (side - a, side - b))]
    at = np.stack(mirrored[1:], axis=1)
    other = np.linalg.norm(at - np.stack([x, y], axis=1)[:, None], axis=2) > 2 * r[:, None]
    flat = at.reshape(-1, 2)
    boxes = np.c_[(flat + MARGIN_MM) * k, np.repeat(2 * r * k, 7), np.repeat(2 * r * k, 7)]
    shown = seen.light.taken_off(disc_colours(rectified, boxes), flat).reshape(*at.shape[:2], 3)
    alike = (np.linalg.norm(shown - even[:, None], axis=2) < ALIKE) & other
    outside = ~calibration.board.by_outer_circle(np.stack([x, y], axis=1))
    enough = np.where(seen.score < MIN_SCORE, FEWEST, np.maximum(MIRRORED * other.sum(axis=1), 2))
    return np.asarray(outside & (seen.score < HALF_SURE) & (alike.sum(axis=1) >= enough), np.bool_)
