"""Which disc is which: the look of each class, settled for a match by clustering with the counts as a prior.

"White" is cream, tan or brown wood, the queen red, pink or magenta, the striker any colour and 1.2 to 2.2 times a
piece, so no class has a fixed look. What holds everywhere: at most nine white, nine black, one queen and one striker
at a time; white is lighter than black; the queen is the reddest, or the one piece of another colour (`vision.odd`);
the striker is the largest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.board import ICF, BoardSpec
from models.stroke import PIECES
from vision.detector import MIN_SCORE
from vision.odd import odd_queens
from vision.pieces import Seen, is_round
from vision.types import Array

Mask = NDArray[np.bool_]
Ints = NDArray[np.int_]

STRIKER_RATIO: Final = 1.13
"""A striker is at least this many times as wide as a piece (ICF: 41.3 to 31.8 mm is 1.30; club boards from 1.2)."""
PIECE_RATIO: Final = 1.08
"""Up to so many times the median radius a piece may be measured: where printing touches it, or a shadow."""
MIN_QUEEN_GAP: Final = 9.0
"""Redness (CIE L*a*b* units) by which the queen stands off the reddest other piece."""
MIN_LIGHT_GAP: Final = 12.0
"""L* by which white stands off black; with less the pieces seen are of one colour."""
ALIKE: Final = 18.0
"""Distance in L*a*b* within which two sightings may be of the same disc."""
MIDDLE_GREY: Final = 45.0
"""L* below which a lone colour is taken for black."""
SPREAD_FLOOR: Final = np.array([7.0, 5.0, 5.0])
"""Least standard deviation of a class's L*, a*, b*: light and shade on one board differ by this much."""
RADIUS_SPREAD: Final = 0.07
"""Standard deviation of a measured radius over the true one."""
OUTLIER: Final = 2e-6
"""Likelihood of a look under no class at all (printed discs, fingers): a class at four standard deviations has less."""

RELIABLE: Final = 0.5
"""Score above which a disc may speak for its class's look."""
ONLY_ONE: Final = 0.8
"""Probability that the one piece-sized disc that is neither white nor black is the queen, where no rack tells."""


@dataclass(frozen=True)
class Palette:
    """The look of each class.

    Attributes
    ----------
    mean, spread : ndarray, shape (4, 3)
        L*a*b* of each class in the order of `PIECES` and its standard deviation; NaN where the class was not seen.
    radius : ndarray, shape (4,)
        Radius of each class (mm); NaN where not seen.
    queen_sure : float
        Probability that what is taken for the queen's look is hers.
    """

    mean: Array
    spread: Array
    radius: Array
    queen_sure: float = 1.0

    def probabilities(self, colour: Array, radius: Array, round_: Mask) -> Array:
        """Probability of each class for n discs, shape (n, 4); what is missing to 1 is the probability of none of them.

        Parameters
        ----------
        colour : ndarray, shape (n, 3)
        radius : ndarray, shape (n,)
            Millimetres.
        round_ : ndarray of bool, shape (n,)
            Whether the radius can be trusted (the disc is not a streak).
        """
        n = len(colour)
        like = np.zeros((n, len(PIECES)))
        piece = float(np.nanmean(self.radius[:3])) if np.isfinite(self.radius[:3]).any() else np.nan
        for k, name in enumerate(PIECES):
            if np.isnan(self.mean[k, 0]):
                continue
            z = (colour - self.mean[k]) / self.spread[k]
            p = np.exp(-0.5 * np.minimum((z**2).sum(axis=1), 60.0)) / np.prod(self.spread[k])
            r = self.radius[k] if name == "striker" else piece
            if np.isfinite(r):
                zr = np.where(round_, (radius / r - 1) / RADIUS_SPREAD, 0.0)
                p = p * np.exp(-0.5 * np.minimum(zr**2, 40.0))
            like[:, k] += p
        prob = np.asarray(like / (like.sum(axis=1, keepdims=True) + OUTLIER), np.float64)
        prob[:, PIECES.index("queen")] *= self.queen_sure
        return prob


def redness(colour: Array) -> Array:
    """How red, pink or magenta a colour is rather than brown: a* less half of what b* exceeds zero, shape (n,)."""
    return np.asarray(colour[:, 1] - 0.5 * np.maximum(colour[:, 2], 0), np.float64)


def palette_of(seen: Sequence[Seen], board: BoardSpec = ICF) -> Palette:
    """Settle the look of each class from the discs of several pictures; streaks and doubtful discs have no say.

    Strikers come in more looks than pieces do and are seldom seen, so the detector's word on large discs is taken sooner.
    """
    sure = [(s.score > RELIABLE) & is_round(s.w, s.h) for s in seen]
    usual = np.median(np.concatenate([s.r[k] for s, k in zip(seen, sure, strict=True)])) if any(k.any() for k in sure) else np.inf
    keep = [k | ((s.score > MIN_SCORE) & is_round(s.w, s.h) & (s.r > STRIKER_RATIO * usual)) for s, k in zip(seen, sure, strict=True)]
    colour = np.concatenate([s.colour[k] for s, k in zip(seen, keep, strict=True)])
    radius = np.concatenate([s.r[k] for s, k in zip(seen, keep, strict=True)])
    picture = np.repeat(np.arange(len(seen)), [int(k.sum()) for k in keep])
    at = np.concatenate([np.stack([s.x[k], s.y[k]], axis=1) for s, k in zip(seen, keep, strict=True)])
    return settle_palette(colour, radius, picture, at=at, board=board)


def settle_palette(
    colour: Array, radius: Array, picture: Ints, queen: bool = True, at: Array | None = None, board: BoardSpec = ICF
) -> Palette:
    """Cluster the discs of one or several pictures of a match into its classes.

    Parameters
    ----------
    colour : ndarray, shape (n, 3)
        L*a*b* of every disc at rest.
    radius : ndarray, shape (n,)
        Millimetres.
    picture : ndarray of int, shape (n,)
        Which picture each disc was seen in: a class's count holds per picture.
    queen : bool
        Whether a queen can be on the board at all.
    at : ndarray, shape (n, 2), optional
        Centres on the board (mm); a queen that is not red is told by them.
    """
    mean, spread, size = np.full((4, 3), np.nan), np.tile(SPREAD_FLOOR, (4, 1)), np.full(4, np.nan)
    if not len(colour):
        return Palette(mean, spread, size)
    member, sure = np.full(len(colour), -1), 1.0
    striker = _strikers(colour, radius, picture)
    member[striker] = PIECES.index("striker")
    pieces = np.flatnonzero(~striker)
    if queen:
        red = _queens(colour[pieces], picture[pieces])
        if at is not None:
            odd, racked = odd_queens(colour[pieces], radius[pieces], picture[pieces], at[pieces], board)
            # The rack's middle is hers whatever else is red; without a rack what is red comes first.
            if odd.any() and (not red.any() or (racked and not (odd & red).any())):
                red, sure = odd, 1.0 if racked else ONLY_ONE
        member[pieces[red]] = PIECES.index("queen")
        pieces = pieces[~red]
    light = _light(colour[pieces, 0])
    member[pieces] = np.where(light, PIECES.index("white"), PIECES.index("black"))
    for k in range(4):
        own = member == k
        if own.any():
            mean[k] = np.median(colour[own], axis=0)
            spread[k] = np.maximum(SPREAD_FLOOR, 1.48 * np.median(np.abs(colour[own] - mean[k]), axis=0))
            size[k] = np.median(radius[own])
    return Palette(mean, spread, size, sure)


def _per_picture(mask: Mask, picture: Ints) -> int:
    """The most members that a picture has."""
    return int(np.bincount(picture[mask]).max()) if mask.any() else 0


def _strikers(colour: Array, radius: Array, picture: Ints) -> Mask:
    """Discs clearly larger than the rest and of one look, at most one a picture."""
    ratio = radius / np.median(radius)
    mask = ratio > STRIKER_RATIO
    large = np.flatnonzero(mask)
    if len(large):
        # One striker plays a whole board: of all looks among what seems large, the one seen often and largest is the striker's.
        alike = np.linalg.norm(colour[large, None] - colour[None, large], axis=2) < ALIKE
        weight = [float((np.median(ratio[large[a]]) - PIECE_RATIO) * a.sum()) for a in alike]
        mask[large[~alike[int(np.argmax(weight))]]] = False
    for p in np.unique(picture[mask]):
        own = np.flatnonzero(mask & (picture == p))
        mask[own] = False
        mask[own[radius[own].argmax()]] = True
    return mask


def _queens(colour: Array, picture: Ints) -> Mask:
    """The reddest discs, where a clear gap parts them from the rest; at most one a picture."""
    mask = np.zeros(len(colour), bool)
    if not len(colour):
        return mask
    red = redness(colour)
    order = np.argsort(red)[::-1]
    gaps = red[order][:-1] - red[order][1:]
    best, best_gap = 0, MIN_QUEEN_GAP
    for k, gap in enumerate(gaps, start=1):
        if _per_picture(np.isin(np.arange(len(red)), order[:k]), picture) > 1:
            break
        if gap > best_gap:
            best, best_gap = k, gap
    mask[order[:best]] = True
    return mask


def _light(lightness: Array) -> Mask:
    """Which discs are white: two clusters of L*; where there is one, a middle grey parts them."""
    if not len(lightness):
        return np.zeros(0, bool)
    low, high = float(lightness.min()), float(lightness.max())
    for _ in range(30):
        upper = lightness > (low + high) / 2
        if upper.all() or not upper.any():
            break
        low, high = float(lightness[~upper].mean()), float(lightness[upper].mean())
    split = (low + high) / 2 if high - low > MIN_LIGHT_GAP else MIDDLE_GREY
    return np.asarray(lightness > split)
