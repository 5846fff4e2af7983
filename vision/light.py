"""The light on the board: told from its bare wood, taken off the pictures, watched for changes.

A lamp, the sun and the camera's own exposure and white balance multiply what every place of the board shows by
factors that are the same, or change evenly, over the board. The wood tells them; arms and pieces do not fit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.palette import SPREAD_FLOOR, Palette
from vision.types import Array, Image

Mask = NDArray[np.bool_]
Floats = NDArray[np.float32]

CELLS: Final = 20
"""Cells along a side of the rectified picture in which the light is measured."""
DARK: Final = 12.0
"""A level below this is mostly noise and tells nothing."""
CLIPPED: Final = 248.0
"""A level above this may have been cut off and tells nothing."""
FITS: Final = 0.08
"""A cell fits a light if its levels do to within this (natural logarithm)."""
MOST: Final = 0.5
"""Part of the cells that must fit."""
EVEN_LIGHT: Final = 0.04
"""A light within this (natural logarithm) of the usual one is the usual one."""
OTHER_LIGHT: Final = 0.14
"""A light that differs more (natural logarithm) is another."""
CHANGED_S: Final = 0.6
"""Seconds after which another light is no passing shadow."""
SAME_PLACE_MM: Final = 4.0
"""A disc this near to where a piece lay is that piece."""
SURE: Final = 0.8
"""Probability of its class from which a piece may speak for it in another light."""
LOOKS: Final = 3
"""Pictures at rest from which the classes are settled in a new light."""


@dataclass(frozen=True)
class Light:
    """Factors of blue, green and red against the usual light, even or falling off evenly across the board.

    Attributes
    ----------
    log : ndarray, shape (3, 3)
        Natural logarithm of each channel's factor in the middle of the rectified picture, and how much it grows
        from there to the right and to the lower edge; one row a channel (blue, green, red).
    """

    log: Array

    @property
    def usual(self) -> bool:
        """Whether nothing is to be done about it."""
        return self.apart(USUAL) < EVEN_LIGHT

    def apart(self, other: Light) -> float:
        """The largest difference of the two lights' logarithms on the board."""
        d = np.abs(self.log - other.log)
        return float((d[:, 0] + d[:, 1] + d[:, 2]).max())

    def field(self, n: int) -> Floats:
        """Factors over the rectified picture, shape (n, n, 3)."""
        u = (np.arange(n) + 0.5) * 2 / n - 1
        across, down = self.log[:, 1] * u[:, None], self.log[:, 2] * u[:, None]
        return np.exp(self.log[:, 0] + across[None] + down[:, None]).astype(np.float32)

    def taken_off(self, rectified: Image) -> Image:
        """A rectified picture (BGR) as it would be in the usual light."""
        if self.usual:
            return rectified
        n = len(rectified)
        field = cv2.resize(1 / self.field(CELLS), (n, n), interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.multiply(rectified, field, dtype=cv2.CV_8U), np.uint8)


USUAL: Final = Light(np.zeros((3, 3)))


def light_on(now: Floats, bare: Floats, usable: Mask) -> Light | None:
    """The light in a picture, from what should be bare wood; None where too little of it fits.

    Parameters
    ----------
    now, bare : ndarray, shape (n, n, 3)
        The rectified picture and the bare scene in the usual light (BGR levels), n a multiple of `CELLS`.
    usable : ndarray of bool, shape (n, n)
        The playing surface, as far as the picture holds it.
    """
    k = len(now) // CELLS
    cells = usable.reshape(CELLS, k, CELLS, k).all(axis=(1, 3))
    a, b = (cv2.resize(p, (CELLS, CELLS), interpolation=cv2.INTER_AREA)[cells] for p in (now, bare))
    ok = np.logical_and.reduce([(p > DARK).all(axis=1) & (p < CLIPPED).all(axis=1) for p in (a, b)])
    if ok.sum() < MOST * max(cells.sum(), 1):
        return None
    ratio = np.log(a[ok] / b[ok]).astype(np.float64)
    y, x = (np.argwhere(cells)[ok].T + 0.5) * 2 / CELLS - 1
    design = np.c_[np.ones(len(x)), x, y]
    log = np.zeros((3, 3))
    log[:, 0] = np.median(ratio, axis=0)
    reach = 4 * FITS
    for _ in range(4):
        fits = (np.abs(ratio - design @ log.T) < reach).all(axis=1)
        if fits.sum() < MOST * len(ratio):
            return None
        log = np.linalg.lstsq(design[fits], ratio[fits], rcond=None)[0].T
        reach = max(FITS, reach / 2)
    fits = (np.abs(ratio - design @ log.T) < reach).all(axis=1)
    return Light(log) if fits.sum() >= MOST * len(ratio) else None


class Looks:
    """The look of each class as the light changes: settled anew by the pieces that lie where they lay before.

    Attributes
    ----------
    palette : Palette
        What holds now, for pictures off which the light was taken.
    changes : list of float
        When the light changed (s).
    """

    def __init__(self, palette: Palette) -> None:
        self.palette, self.changes = palette, list[float]()
        self._light: Light | None = None
        self._other_since: float | None = None
        self._places: tuple[Array, NDArray[np.int_]] = (np.zeros((0, 2)), np.zeros(0, int))
        self._wanted = 0
        self._gathered: list[tuple[Array, NDArray[np.int_]]] = []

    def see(self, t: float, light: Light) -> None:
        """The light of the picture at `t` (s)."""
        if self._light is None:
            self._light = light
        if light.apart(self._light) < OTHER_LIGHT:
            self._other_since = None
            return
        self._other_since = t if self._other_since is None else self._other_since
        if t - self._other_since >= CHANGED_S:
            self.changes.append(self._other_since)
            self._light, self._other_since = light, None
            self._wanted, self._gathered = LOOKS, []

    def rest(self, xy: Array, colour: Array, prob: Array) -> None:
        """The discs of a picture at rest: centres (mm), colours and probabilities of the classes."""
        if self._wanted:
            places, cls = self._places
            if len(places) and len(xy):
                apart = np.hypot(*(xy[:, None] - places[None]).transpose(2, 0, 1))
                same = apart.min(axis=1) < SAME_PLACE_MM
                self._gathered.append((colour[same], cls[apart.argmin(axis=1)[same]]))
            self._wanted -= 1
            if not self._wanted and self._gathered:
                self.palette = resettled(
                    self.palette, np.concatenate([c for c, _ in self._gathered]), np.concatenate([k for _, k in self._gathered])
                )
            return
        if self._other_since is None:
            sure = prob.max(axis=1) > SURE
            self._places = (xy[sure], prob[sure].argmax(axis=1))


def resettled(palette: Palette, colour: Array, cls: NDArray[np.int_]) -> Palette:
    """A palette for a new light from discs whose classes are known; what is not among them changes as the others did.

    Parameters
    ----------
    colour : ndarray, shape (n, 3)
        L*a*b*.
    cls : ndarray of int, shape (n,)
        Index in `models.stroke.PIECES`.
    """
    known = [k for k in range(4) if (cls == k).any() and np.isfinite(palette.mean[k, 0])]
    if not known:
        return palette
    mean, spread = palette.mean.copy(), palette.spread.copy()
    for k in known:
        own = colour[cls == k]
        mean[k] = np.median(own, axis=0)
        least = SPREAD_FLOOR if len(own) > LOOKS else np.maximum(SPREAD_FLOOR, spread[k])
        spread[k] = np.maximum(least, 1.48 * np.median(np.abs(own - mean[k]), axis=0))
    shift = np.median([mean[k] - palette.mean[k] for k in known], axis=0)
    for k in set(range(4)) - set(known):
        mean[k] = palette.mean[k] + shift
    return replace(palette, mean=mean, spread=spread)
