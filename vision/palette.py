"""The look of each class, settled for a match, and how likely a disc is of which class.

"White" is cream, tan or brown wood, the queen red, pink or magenta, the striker any colour and 1.06 to 2.3 times a
piece, so no class has a fixed look: `vision.casting` finds out which look is whose. Where that stays open (one colour
alone, a queen or a small striker of no telling colour) the classes share a look, and no disc of it is sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.board import ICF, BoardSpec
from models.stroke import FULL_SET, PIECES, Piece
from vision.casting import BLACK, NONE, QUEEN, WHITE, cast, grouped
from vision.detector import MIN_SCORE
from vision.exposure import even_light
from vision.pieces import Seen, is_round
from vision.types import Array

Mask = NDArray[np.bool_]
Ints = NDArray[np.int_]

SPREAD_FLOOR: Final = np.array([7.0, 5.0, 5.0])
"""Least standard deviation of a class's L*, a*, b*: light and shade on one board differ by this much."""
LEAST_CONTRAST: Final = 0.2
"""Part of it to which a dim or veiled picture's contrast may shrink it."""
RADIUS_SPREAD: Final = 0.05
"""Standard deviation of a measured radius over the true one."""
GLARE: Final = 1.0
"""Standard deviations of L* beyond which the distance of a lighter disc grows no more with its square (Huber 1964): glare has no bounds."""
OUTLIER: Final = 2e-6
"""Likelihood of a look under no class at all (printed discs, fingers): a class at four standard deviations has less."""
RELIABLE: Final = 0.5
"""Score from which a disc speaks for its class's look with full weight."""
RACK_DISCS: Final = 14
"""Discs within the outer circle that make a rack, though a few were not seen."""
MIDDLE_MM: Final = 10.0
"""How far from the middle of its rack the queen may lie."""


CERTAIN: Final = 0.7
"""Score from which a disc is one whatever it looks like."""
LARGE: Final = 1.12
"""Radius over a piece's from which such a disc is the striker."""
FAR: Final = 6.0
"""Distance from white and from black, in standard deviations, at which it is the queen."""
FAINT: Final = 0.08
"""Least score of a disc that is believed for its look's sake."""
TELLING: Final = 0.8
"""Probability of being a piece of the one or the other colour from which it is believed."""
RED_CHROMA: Final = 25.0
"""Least chroma of a queen, ..."""
RED_HUES: Final = (-60.0, 50.0)
"""... and her hues (degrees in a*, b*): from magenta and pink to red."""
ONE_SIZE: Final = 0.08
"""Difference of radii (logarithm) up to which a disc is of the pieces' size."""
CLEAR: Final = 0.85
"""Part of its radius by which its middle lies off the cushions: their edges and shadows look like discs."""
TOUCHING: Final = 0.7
"""The same where the network saw it, but was not sure: a calibration is not exact."""
DOUBTFUL: Final = 0.5
"""A disc that scores less must look like one of the match's."""
LEAST_LIKE: Final = 0.1
"""The least probability, of all classes together, at which it does."""


@dataclass(frozen=True)
class Palette:
    """The look of each class.

    Attributes
    ----------
    mean, spread : ndarray, shape (4, 3)
        L*a*b* of each class in the order of `PIECES` and its standard deviation; NaN where the class was not seen.
    radius : ndarray, shape (4,)
        Radius of each class (mm); NaN where not seen.
    share : ndarray, shape (4, 4)
        Probability that what has the look of the class of the row is of the class of the column.
    """

    mean: Array
    spread: Array
    radius: Array
    share: Array = field(default_factory=lambda: np.eye(len(PIECES)))

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
            lighter = np.maximum(z[:, 0] - GLARE, 0.0)
            p = np.exp(-0.5 * np.minimum((z**2).sum(axis=1) - lighter**2, 60.0)) / np.prod(self.spread[k])
            r = self.radius[k] if name == "striker" else piece
            if np.isfinite(r):
                zr = np.where(round_, (radius / r - 1) / RADIUS_SPREAD, 0.0)
                p = p * np.exp(-0.5 * np.minimum(zr**2, 40.0))
            like[:, k] += p
        return np.asarray(like / (like.sum(axis=1, keepdims=True) + OUTLIER) @ self.share, np.float64)


def left_over(seen: Seen, palette: Palette, taken: Sequence[tuple[Piece, int]], board: BoardSpec = ICF) -> list[tuple[Piece, int]]:
    """Classes for discs that the network is sure of, though they have the look of no class that has room, and for a `faint_queen`.

    That is a guess: a sticker, mirrored lamp or shadow spoils a look, and a set's queen and striker may have any.

    Parameters
    ----------
    taken : sequence of (class, index)
        The discs that have a class.

    Returns
    -------
    list of (class, index)
        In the order of their scores; only discs that lie still, and, but for that queen, not in the middle of the board, where most boards
        have a printed one.
    """
    room = {c: (1 if c == "striker" else FULL_SET[c]) - sum(t == c for t, _ in taken) for c in PIECES}
    open_ = (seen.score >= CERTAIN) & is_round(seen.w, seen.h) & (np.hypot(seen.x - board.side / 2, seen.y - board.side / 2) > MIDDLE_MM)
    open_ |= faint_queen(seen, palette)
    open_[[j for _, j in taken]] = False
    piece = float(np.nanmedian(palette.radius[:3])) if np.isfinite(palette.radius[:3]).any() else board.piece_radius
    unlike = np.linalg.norm((seen.colour[:, None] - palette.mean) / palette.spread, axis=2)
    out: list[tuple[Piece, int]] = []
    for j in sorted(np.flatnonzero(open_), key=lambda j: -seen.score[j]):
        near: list[Piece] = sorted(
            (c for c in ("white", "black") if room[c] > 0), key=lambda c: float(np.nan_to_num(unlike[j, PIECES.index(c)], nan=FAR))
        )
        if seen.r[j] > LARGE * piece and room["striker"] > 0:
            cls: Piece = "striker"
        elif room["queen"] > 0 and (not near or not unlike[j, PIECES.index(near[0])] < FAR):
            cls = "queen"
        elif near:
            cls = near[0]
        else:
            continue
        room[cls] -= 1
        out.append((cls, int(j)))
    return out


def credible(seen: Seen, palette: Palette, side: float = ICF.side) -> Mask:
    """Which discs of a picture are to be believed, shape (n,) of bool.

    What the network hardly saw, in glare, blur or shade, is a piece if it looks just as those do that it did see; what it
    saw without being sure, a piece if it looks like any. (Two thresholds: hysteresis, Canny 1986.)
    """
    round_ = is_round(seen.w, seen.h)
    prob = palette.probabilities(seen.colour, seen.r, round_)
    faint = (seen.score >= FAINT) & round_ & (prob[:, [WHITE, BLACK]].sum(axis=1) >= TELLING)
    edge = np.minimum(np.minimum(seen.x, seen.y), side - np.maximum(seen.x, seen.y)) / seen.r
    faint = (faint | faint_queen(seen, palette)) & (edge > CLEAR)
    clear = (seen.score > MIN_SCORE) & ((seen.score > DOUBTFUL) | ((prob.sum(axis=1) > LEAST_LIKE) & (edge > TOUCHING)))
    return np.asarray(faint | clear, np.bool_)


def faint_queen(seen: Seen, palette: Palette) -> Mask:
    """Which disc that the network hardly saw is the queen, if it saw none: the surest of a piece's size in her colours; shape (n,) of bool.

    The queen is one alone: there is no other that she could look like.
    """
    none = np.zeros(len(seen), np.bool_)
    piece = palette.radius[[WHITE, BLACK]]
    if np.isfinite(palette.radius[QUEEN]) or not np.isfinite(piece).any():
        return none
    hue, chroma = np.degrees(np.arctan2(seen.colour[:, 2], seen.colour[:, 1])), np.hypot(*seen.colour[:, 1:].T)
    like = (seen.score >= FAINT) & is_round(seen.w, seen.h) & (chroma > RED_CHROMA) & (hue > RED_HUES[0]) & (hue < RED_HUES[1])
    like &= np.abs(np.log(seen.r / np.nanmean(piece))) < ONE_SIZE
    if not like.any():
        return none
    none[int(np.argmax(np.where(like, seen.score, 0.0)))] = True
    return none


def evenly_lit(seen: Seen) -> Seen:
    """What was seen in a picture, in the colours that the discs would have in even light of usual strength."""
    even = seen.light.taken_off(seen.colour, np.stack([seen.x, seen.y], axis=1))
    return replace(seen, colour=even, light=even_light(seen.light.side))


def palette_of(seen: Sequence[Seen], board: BoardSpec = ICF) -> Palette:
    """Settle the look of each class from the discs of several pictures; streaks and doubtful discs have no say."""
    keep = [(s.score > MIN_SCORE) & is_round(s.w, s.h) for s in seen]
    parts = [
        (s.colour[k], s.r[k], np.stack([s.x[k], s.y[k]], axis=1), s.score[k], evenly_lit(s).colour[k])
        for s, k in zip(seen, keep, strict=True)
    ]
    colour, radius, at, score, even = (np.concatenate(p) for p in zip(*parts, strict=True))
    picture = np.repeat(np.arange(len(seen)), [int(k.sum()) for k in keep])
    return settle_palette(colour, radius, picture, at, np.minimum(score / RELIABLE, 1.0), even, board)


def settle_palette(
    colour: Array,
    radius: Array,
    picture: Ints,
    at: Array | None = None,
    weight: Array | None = None,
    even: Array | None = None,
    board: BoardSpec = ICF,
) -> Palette:
    """Find the classes of a match among the discs of one or several of its pictures.

    Parameters
    ----------
    colour : ndarray, shape (n, 3)
        L*a*b* of every disc at rest, as they are seen; the looks are given in these.
    radius : ndarray, shape (n,)
        Millimetres.
    picture : ndarray of int, shape (n,)
        Which picture each disc was seen in: a class's count holds per picture.
    at : ndarray, shape (n, 2), optional
        Centres on the board (mm); in the middle of a rack lies the queen.
    weight : ndarray, shape (n,), optional
        How sure each is to be a disc, 0 to 1.
    even : ndarray, shape (n, 3), optional
        The colours in even light of usual strength, by which the classes are told; as seen if left out.
    """
    mean, spread, size = np.full((4, 3), np.nan), np.tile(SPREAD_FLOOR, (4, 1)), np.full(4, np.nan)
    share = np.eye(len(PIECES))
    if not len(colour):
        return Palette(mean, spread, size)
    weight = np.ones(len(colour)) if weight is None else weight
    even = colour if even is None else even
    racked = np.zeros(len(colour), bool) if at is None else racks_middles(picture, at, board)
    groups = grouped(even, np.log(radius / board.piece_radius), picture, weight, racked)
    best, likely = cast(groups)
    for c in range(len(PIECES)):
        own = best[groups.of] == c
        if own.any():
            mean[c] = np.median(colour[own], axis=0)
            # What is like no class was left out, so glare and shade have their say here.
            spread[c] = np.sqrt(np.average((colour[own] - mean[c]) ** 2, axis=0, weights=weight[own]))
            size[c] = np.median(radius[own])
            share[c] = np.average(likely[groups.of[own], :NONE], axis=0, weights=weight[own])
    return Palette(mean, np.maximum(spread, SPREAD_FLOOR * _contrast(colour, even)), size, share)


def _contrast(colour: Array, even: Array) -> float:
    """How much less colours differ than in even light of usual strength, at most 1."""
    seen, usual = (float(np.ptp(np.percentile(c[:, 0], [5, 95]))) for c in (colour, even))
    return float(np.clip(seen / usual, LEAST_CONTRAST, 1.0)) if usual > 0 else 1.0


def racks_middles(picture: Ints, at: Array, board: BoardSpec) -> Mask:
    """Which discs lie in the middle of a rack, shape (n,) of bool."""
    inside = board.by_outer_circle(at)
    racks = [p for p in np.unique(picture) if inside[picture == p].sum() >= RACK_DISCS]
    return np.asarray((np.hypot(*(at - board.side / 2).T) < MIDDLE_MM) & np.isin(picture, racks), np.bool_)
