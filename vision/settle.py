"""Which of several parallel edges is the end of the wood, on all four sides together.

Along a cushion one sees the wood's end, the cushion's upper edge, a shadow, an inlay. The right four make a square
in perspective, have the lines along the cushions at the same distance, and lie where a raised frame of one height
explains the other edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cushions import RISE_SPREAD, USUAL_RISE, likeliest_stand, upper_edges
from vision.edges import Band, Line, Side, bands, moved
from vision.markings import TRUSTED, Markings, line_places
from vision.quads import squareness
from vision.refine import Measured
from vision.types import Array, Image

HIDDEN_PRICE: Final = 1.5
"""Price of passing over an edge that is seen at the picture's border."""
HIDDEN_STEPS: Final = 26
"""Places tried for a side that lies outside the picture."""
BEYOND_SIGMA: Final = 0.02
"""How far outside the picture a side is expected that cannot be seen (part of a side)."""
MARKS_SIGMA: Final = 0.004
"""How far a board's printing may be off its middle (part of a side)."""
OBLIQUE_SIGMA: Final = 0.02
"""How far a true surface may be from a square: lens, cropped picture (part of a side)."""
OUTER_PRICE: Final = 0.8
"""Price of an edge that lies outside of another firm one: the wood ends at the innermost."""
NO_WOOD_PRICE: Final = 1.6
"""Price of an edge on whose inner side there is no wood: an inlay, a frame's upper edge."""
NO_WOOD: Final = 30.0
"""Difference of tone at which it is none."""
WOOD_WEIGHTS: Final = (0.3, 1.0, 1.0)
"""Weights of that difference in CIE L*a*b*: the frame's shadow lies on the wood."""
BEST: Final = 160
"""Choices of four edges whose frame is looked at."""
RISES: Final = np.array([0.0, 0.012, 0.016, 0.020, 0.024, 0.028, 0.032, 0.036, 0.040, 0.046])
"""Heights of the frame tried (part of a side)."""
FLAT_PRICE: Final = 1.0
"""Price of a frame without height."""
FOUND_GAIN: Final = 0.9
"""What it counts to find a cushion's upper edge where the frame's height puts it."""
TOP_TOLERANCE: Final = 0.0025
"""How far the upper edge may be off (part of a side)."""

DOUBT: Final = 7.0
"""By so many times its error a side is doubted of which nothing is straight or firm, or that has no wood on its inner side."""
WHOLE: Final = 0.6
"""A side firm along so much of it is not doubted for that."""


@dataclass(frozen=True)
class Settled:
    """The chosen edges, offsets relative to the outline that was looked along (part of a side, inwards positive).

    Attributes
    ----------
    sides : tuple
        The fitted end of the wood; None for a side outside the picture.
    offsets : ndarray, shape (4, 2)
        Where each side's end of the wood is seen, or guessed.
    top : ndarray, shape (4, 2)
        Where the cushion's upper edge is seen outside of it, NaN if it is not.
    rise : float
        Height of the frame that explains the edges (part of a side).
    found : int
        Upper edges that were found where this height puts them.
    firm : ndarray, shape (4,)
        Part of each side along which the tone steps firmly at the chosen edge (`Line.strength`); 0 where none was chosen.
    foreign : ndarray, shape (4,)
        How far the tone inwards of the chosen edge is from the wood's, 0 to 1: a cushion's face, perhaps, in shadow.
    """

    sides: tuple[Side | None, ...]
    offsets: Array
    top: Array
    rise: float
    found: int
    firm: Array
    foreign: Array


def _foreign(band: Band, line: Line, wood: NDArray[np.float32]) -> float:
    """How far the tone inwards of a line is from the wood's, 0 to 1."""
    return float(np.clip(np.linalg.norm((band.inside(line) - wood) * WOOD_WEIGHTS) / NO_WOOD - 0.3, 0.0, 1.0))


def _choices(band: Band, lines: list[Line], half: float, wood: NDArray[np.float32]) -> list[tuple[float, float, float, int]]:
    """What a side may be: offsets at its ends, price, number of the line (-1 for none)."""
    row: list[tuple[float, float, float, int]] = []
    if band.hidden() or band.at_border():
        # A side beyond the picture: the square and the markings tell how far.
        price = HIDDEN_PRICE * max((x.strength for x in lines), default=0.0)
        row = [(float(d), float(d), price, -1) for d in np.linspace(-4 * half, half, HIDDEN_STEPS)]
    if not lines:
        return row or [(0.0, 0.0, 0.0, -1)]
    strongest = max(x.strength for x in lines)
    inner = max(x.first + x.last for x in lines if x.strength > 0.55 * strongest)
    for n, x in enumerate(lines):
        price = OUTER_PRICE if x.first + x.last < inner - 1e-6 else 0.0
        price += 1.5 * (1.0 - x.strength / strongest) + 0.9 * (1.0 - x.hardness)
        price += NO_WOOD_PRICE * _foreign(band, x, wood)
        row.append((*band.offsets(x), price, n))
    return row


def settle(lab: Image, corners: Array, half: float, marks: Markings) -> Settled:
    """Choose each side's edge among the parallel ones near an outline.

    Parameters
    ----------
    lab : ndarray, shape (h, w, 3)
        The picture in CIE L*a*b*.
    corners : ndarray, shape (4, 2)
    half : float
        How far beside each side its edge is looked for (part of a side).
    marks : Markings
        The lines along the outline's sides.
    """
    size = lab.shape[1], lab.shape[0]
    around = bands(lab, corners, half)
    lines = [[] if band.hidden() else band.search() for band in around]
    tone = np.median([band.wood() for band in around], axis=0).astype(np.float32)
    combos = list(product(*(_choices(band, found, half, tone) for band, found in zip(around, lines, strict=True))))
    offsets = np.array([[c[:2] for c in combo] for combo in combos])
    price = np.array([sum(c[2] for c in combo) for combo in combos], np.float64)
    outlines = moved(corners, offsets)
    side_px = float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean())
    for k, band in enumerate(around):
        if band.hidden() or band.at_border():
            middle = (outlines[:, k] + outlines[:, (k + 1) % 4]) / 2
            beyond = np.maximum(-middle, middle - np.array(size)).max(1) / side_px
            price += (np.maximum(beyond, 0) / BEYOND_SIGMA) ** 2 / 2

    trusted = marks.trust > TRUSTED

    def unlike(quads: Array) -> Array:
        """Price of unequal distances of the lines, shape (n,)."""
        if not marks.seen():
            return np.zeros(len(quads))
        off = (line_places(corners, marks.strongest(), marks.shift, quads) * trusted).sum(2) / np.maximum(trusted.sum(1), 1)
        off -= np.median(off[:, trusted.any(1)], axis=1, keepdims=True)
        return np.asarray(((np.minimum(np.abs(off) / MARKS_SIGMA, 3.0) ** 2) * trusted.any(1)).sum(1) / 2)

    def crooked(quads: Array) -> Array:
        """Price of departing from a square, shape (n,)."""
        return np.asarray(np.minimum(squareness(quads, size) / OBLIQUE_SIGMA, 4.0) ** 2 / 2)

    first = np.argsort(price + crooked(outlines) + unlike(outlines), kind="stable")[:BEST]
    centre, _ = likeliest_stand(outlines[first], size, OBLIQUE_SIGMA / 2)
    m, k = len(first), len(RISES)
    edge = upper_edges(np.repeat(centre, k, axis=0), np.tile(RISES, m))
    seen = np.repeat(offsets[first], k, axis=0)
    wood = seen - np.maximum(edge, 0)[..., None]
    feet = moved(corners, wood)
    cost = np.repeat(price[first], k) + crooked(feet) + unlike(feet)
    cost += np.tile(np.where(RISES > 0, ((RISES - USUAL_RISE) / RISE_SPREAD) ** 2 / 2, FLAT_PRICE), m)
    tops = np.full((m * k, 4), -1)
    for side, (band, found) in enumerate(zip(around, lines, strict=True)):
        gain = np.zeros(m * k)
        apart = np.maximum(2.0 * band.blur * 2 * band.half / 80, TOP_TOLERANCE)
        for n, line in enumerate(found):
            at = np.array(band.offsets(line))
            miss = np.abs(seen[:, side] + edge[:, side, None] - at).max(1)
            fits = (edge[:, side] < -apart) & (miss < TOP_TOLERANCE + 0.1 * np.abs(edge[:, side]))
            better = np.where(fits, line.strength * (0.4 + 0.6 * line.hardness), 0.0)
            tops[better > gain, side] = n
            gain = np.maximum(gain, better)
        cost -= FOUND_GAIN * gain
    best = int(np.argmin(cost))
    chosen = combos[int(first[best // k])]
    sides: list[Side | None] = []
    final, top, firm, foreign = np.zeros((4, 2)), np.full((4, 2), np.nan), np.zeros(4), np.zeros(4)
    for side, (start, stop, _, n) in enumerate(chosen):
        fitted = around[side].fitted(lines[side][n]) if n >= 0 else None
        if n >= 0:
            firm[side], foreign[side] = lines[side][n].strength, _foreign(around[side], lines[side][n], tone)
        sides.append(fitted)
        final[side] = (start, stop) if fitted is None else (fitted.start, fitted.stop)
        if tops[best, side] >= 0:
            upper = around[side].fitted(lines[side][tops[best, side]])
            top[side] = upper.start, upper.stop
    return Settled(tuple(sides), final, top, float(RISES[best % k]), int((tops[best] >= 0).sum()), firm, foreign)


def measured(settled: Settled, marks: Markings, rise: float, rise_sigma: float) -> Measured:
    """What the chosen edges and the lines along them say about the outline that was looked along."""
    firm = np.array([s is not None and s.inliers > 0.2 for s in settled.sides])
    crooked = np.array([0.0 if s is None else 1 - s.inliers * s.seen for s in settled.sides])
    doubt = 1 + DOUBT * (crooked + settled.foreign + np.clip(1 - settled.firm / WHOLE, 0, 1))
    trusted = (marks.trust > TRUSTED) & marks.seen()
    return Measured(
        wood=np.where(firm[:, None], settled.offsets, np.nan), doubt=doubt, top=settled.top,
        lines=np.where(trusted, marks.shift, np.nan), at=marks.strongest(),
        place=marks.place() if marks.seen() else float("nan"), rise=rise, rise_sigma=rise_sigma,
    )  # fmt: skip
