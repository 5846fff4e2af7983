"""Colours as they would be in one light: bright or dim, shaded or sunlit, through a clear lens or a veiled one.

The bare wood round a disc tells how much light falls there, the darkest things in the picture how much light the lens
spreads over all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import percentile_filter

from vision.types import MARGIN_MM, Array, Image

Mask = NDArray[np.bool_]

WOOD: Final = 65.0
"""L* of the wood to which colours are levelled."""
LEAST_WOOD: Final = 8.0
"""Wood is not taken for darker (L*): levels so low hold no more than noise."""
VEIL: Final = 0.6
"""Part of the darkest light that is taken off."""
DARKEST: Final = 0.5
"""Percentile that is the darkest light: pockets, black pieces and frames are more than twice as much of a picture."""
BRIGHTEST: Final = 99.0
"""Percentile that is the brightest."""
WHITEST: Final = 105.0
"""L* that the brightest may have where the wood has `WOOD`: lamps mirrored in varnish are lighter than white."""
CELLS: Final = 16
"""Cells along a side of the board in which the light is measured."""
CELL_PX: Final = 4
"""Samples along a side of a cell."""
AROUND: Final = 1.3
"""So many radii round a disc's middle the wood is hidden or in its shadow."""
LOCAL: Final = 0.7
"""Exponent of the light's ratio between places: part of what looks like light is the wood's own figure."""
SHADE_CELL_MM: Final = 5.0
"""Side of the cells in which shade is measured."""
SHADE_MM: Final = 90.0
"""Side of the squares in each of which there is bare wood beside print and pieces, ..."""
BARE_SHARE: Final = 25.0
"""... and part of them (percent) that is bare at least: in stars and lettering it is more."""
SHADE: Final = 0.5
"""Exponent of the light's ratio between shade and not: print may be as wide, and pieces stand above what a hard shadow falls on."""
DEEPEST, GLARING = 0.08, 1.3
"""Least and most of the usual light that is believed to fall anywhere: more is glare, which lights the varnish and no pieces."""


@dataclass(frozen=True)
class WoodLight:
    """How much light falls on a board with `side` mm.

    Attributes
    ----------
    field : ndarray, shape (n, n)
        L* of the bare wood over the playing surface; rows go down, columns right.
    dark : float
        L* of the darkest in the picture.
    """

    side: float
    field: Array
    dark: float

    def at(self, xy: Array) -> Array:
        """L* of the wood at points, shape (n, 2), mm: shape (n,)."""
        return _at(self.field, self.side, xy)

    def taken_off(self, colour: Array, xy: Array) -> Array:
        """Colours, L*a*b*, shape (n, 3), seen at `xy` (mm) as they would be in even light of usual strength."""
        return in_usual_light(colour, self.at(xy), self.dark)

    def even(self) -> WoodLight:
        """The same light, as strong everywhere as it is for the most part."""
        return WoodLight(self.side, np.full((1, 1), np.median(self.field)), self.dark)


@dataclass(frozen=True)
class Shade:
    """What lasting shade there is on a board with `side` mm: a wall's, a stand's, a lamp's that hangs to one side.

    Attributes
    ----------
    part : ndarray, shape (n, n)
        Of the light that falls on most of it, as far as that is taken off; rows go down, columns right.
    veil : float
        Light, 0 to 1, that the lens spreads over the whole picture.
    """

    side: float
    part: Array
    veil: float

    def taken_off(self, colour: Array, xy: Array) -> Array:
        """Colours, L*a*b*, shape (n, 3), seen at `xy` (mm) as they would be outside of the shade."""
        light = _light(colour)
        more = (1 / _at(self.part, self.side, xy) - 1)[:, None]
        return _colour(light + more * np.maximum(light - self.veil, 0.0))


def even_light(side: float) -> WoodLight:
    """Even light of usual strength on a board with `side` mm: nothing is to be taken off."""
    return WoodLight(side, np.full((1, 1), WOOD), 0.0)


def cie_lab(picture: Image) -> Array:
    """A picture, BGR, in CIE L*a*b*, L* 0 to 100: shape (h, w, 3)."""
    return np.asarray(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float64)


def no_shade(side: float) -> Shade:
    """None on a board with `side` mm."""
    return Shade(side, np.ones((1, 1)), 0.0)


def shade_on(bare: Image, known: Mask, side: float) -> Shade:
    """The shade on a board of which it is known how it looks bare.

    Print darkens a board as shade does, but wood shows beside it: in every neighbourhood its lighter part counts.

    Parameters
    ----------
    bare : ndarray of uint8, shape (n, n, 3)
        The rectified board with `side` mm without what lies or reaches over it for a time, BGR.
    known : ndarray of bool, shape (n, n)
        Where it is known.
    """
    k = len(bare) / (side + 2 * MARGIN_MM)
    surface = (slice(round(MARGIN_MM * k), round((MARGIN_MM + side) * k)),) * 2
    if not known[surface].any():
        return no_shade(side)
    lightness = cie_lab(bare)[:, :, 0]
    dark = float(np.percentile(lightness[known], DARKEST))
    wood = np.where(known, lightness, np.median(lightness[surface][known[surface]]))[surface]
    n = round(side / SHADE_CELL_MM)
    cells = cv2.resize(wood, (n, n), interpolation=cv2.INTER_AREA)
    lit = percentile_filter(cells, 100 - BARE_SHARE, size=int(SHADE_MM / SHADE_CELL_MM) // 2 * 2 + 1, mode="nearest")
    light = _power((cv2.GaussianBlur(lit, (0, 0), 2.0) + 16) / 116)
    veil = min(VEIL * float(_power(np.array(dark + 16) / 116)), float(light.min()) / 2)
    usual = float(np.median(light)) - veil
    if usual <= 0:
        return no_shade(side)
    return Shade(side, np.clip((light - veil) / usual, DEEPEST, GLARING) ** SHADE, veil)


def in_usual_light(colour: Array, wood: Array, dark: float) -> Array:
    """Colours, L*a*b*, shape (n, 3), as they would be where the wood has L* `WOOD`.

    Parameters
    ----------
    wood : ndarray, shape (n,)
        L* of the wood round each.
    dark : float
        L* of the darkest in the picture.
    """
    veil = VEIL * float(_power(np.array(min(dark, float(wood.min(initial=100.0)) / 2) + 16) / 116))
    gain = _power(np.array((WOOD + 16) / 116)) / (_power((np.maximum(wood, LEAST_WOOD) + 16) / 116) - veil)
    light = _light(colour)
    return _colour(np.maximum(light - veil, 0.05 * light) * gain[:, None])


def _light(colour: Array) -> Array:
    """X, Y, Z over the white's of colours, L*a*b*, shape (n, 3)."""
    y = (colour[:, :1] + 16) / 116
    return _power(np.concatenate([y + colour[:, 1:2] / 500, y, y - colour[:, 2:] / 200], axis=1))


def _colour(light: Array) -> Array:
    """The inverse of `_light`."""
    x, y, z = _root(light).T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


def _at(field: Array, side: float, xy: Array) -> Array:
    """The value of a field over a playing surface with `side` mm at points, shape (n, 2), mm: shape (n,)."""
    if not len(xy):
        return np.zeros(0)
    spot = (np.asarray(xy) / side * len(field) - 0.5).astype(np.float32)
    got = cv2.remap(field.astype(np.float32), spot[None, :, 0], spot[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(got[0], np.float64)


def _power(f: Array) -> Array:
    """Light, 0 to 1, of the values that L*a*b* is made of (CIE 15)."""
    return np.where(f > 6 / 29, f**3, 3 * (6 / 29) ** 2 * (f - 4 / 29))


def _root(t: Array) -> Array:
    return np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)


def wood_light(rectified: Image, side: float, discs: Array, hands: Array) -> WoodLight:
    """Measure the light on the wood between what lies and reaches over it.

    Parameters
    ----------
    rectified : ndarray of uint8, shape (n, n, 3)
        The rectified picture of a board with `side` mm, BGR.
    discs : ndarray, shape (n, 3)
        Centre x, y and radius (mm).
    hands : ndarray, shape (k, 5)
        Boxes (mm) x0, y0, x1, y1, and their scores.
    """
    k = len(rectified) / (side + 2 * MARGIN_MM)
    first, last = round(MARGIN_MM * k), round((MARGIN_MM + side) * k)
    n = CELLS * CELL_PX
    coarse = np.ascontiguousarray(rectified[first:last:3, first:last:3])
    surface = np.asarray(cv2.resize(coarse, (n, n), interpolation=cv2.INTER_AREA), np.uint8)
    light, everywhere = cie_lab(surface)[:, :, 0], cie_lab(rectified[::8, ::8])[:, :, 0]
    # What lies outside of the camera's picture is black in the rectified one.
    dark = float(np.percentile(everywhere[everywhere > 0], DARKEST)) if everywhere.any() else 0.0
    hidden = np.zeros((n, n), np.uint8)
    for x, y, r in discs * n / side:
        cv2.circle(hidden, (round(16 * x - 8), round(16 * y - 8)), round(16 * AROUND * r), (1,), -1, cv2.LINE_8, 4)
    for x0, y0, x1, y1 in hands[:, :4] * n / side:
        cv2.rectangle(hidden, (int(x0), int(y0)), (int(np.ceil(x1)), int(np.ceil(y1))), (1,), -1)
    bare = (light > 0) & (hidden == 0)
    if not bare.any():
        return WoodLight(side, np.full((1, 1), WOOD), dark)
    usual = float(np.median(light[bare]))
    # Dark wood in a well exposed picture stays dark: nothing can be lighter than white.
    bright = float(np.percentile(everywhere, BRIGHTEST))
    held = max(usual, (bright + 16) * (WOOD + 16) / (WHITEST + 16) - 16)
    cells = np.where(bare, light, np.nan).reshape(CELLS, CELL_PX, CELLS, CELL_PX).transpose(0, 2, 1, 3).reshape(CELLS, CELLS, -1)
    enough = np.isfinite(cells).mean(axis=2) > 0.25
    cells[~enough] = usual
    field = cv2.medianBlur(np.nanmedian(cells, axis=2).astype(np.float32), 3)
    # A cell that was hidden has its neighbours' light.
    near = cv2.GaussianBlur(np.where(enough, field, 0).astype(np.float32), (0, 0), 1.5) / np.maximum(
        cv2.GaussianBlur(enough.astype(np.float32), (0, 0), 1.5), 1e-3
    )
    field = np.where(enough, field, near).astype(np.float64)
    return WoodLight(side, np.asarray(held * (field / usual) ** LOCAL, np.float64), dark)
