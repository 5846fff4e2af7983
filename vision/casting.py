"""Who is who among the discs of a match: the likeliest of all ways to give the looks that are there to the classes.

Discs that look alike are one group. Every way to call one group the striker's, one the queen's, and to part the rest
into white and black is weighed: how well each class hangs together in colour and size, whether it has more discs at a
time than the set holds, and what is usual (white is lighter than black, the queen mostly red, pink or magenta, the
striker larger than a piece). Natural logarithms of likelihoods throughout.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.stroke import FULL_SET, PIECES
from vision.types import Array

Ints = NDArray[np.int_]

WHITE, BLACK, QUEEN, STRIKER, NONE = *(PIECES.index(c) for c in ("white", "black", "queen", "striker")), len(PIECES)
ROOM: Final = np.array([1 if c == "striker" else FULL_SET[c] for c in PIECES])
"""Discs of each class on the board at a time."""
SHADE: Final = np.array([8.0, 5.0, 5.0])
"""Standard deviation of L*, a*, b* among the discs of one class: light and shade on one board differ by this much."""
SIZE: Final = 0.03
"""Standard deviation of the logarithm of a fitted radius."""
BADLY: Final = 0.05
"""Share of discs whose outline is fitted badly: print below, a neighbour, a hand."""
BAD_SIZE: Final = 0.07
"""The same as `SIZE` of these."""
ALIKE: Final = 2.6
"""Distance in `SHADE` and `SIZE_ALIKE` between two groups that are still one look."""
SIZE_ALIKE: Final = 0.035
DIMMEST: Final = 16.0
"""Squared distance of L* at which a disc stops to be less like its class: glare and a hand's shadow do that."""
PALEST: Final = 40.0
"""The same of a* and b*, which they change less."""
OWN_LOOK: Final = -float(np.log(100 * 60 * 60 / (SHADE.prod() * (2 * np.pi) ** 1.5)))
"""What a class's own colour costs: one out of all there are, L* within 100, a* and b* within 60."""
LEAST: Final = -9.0
"""Least log likelihood of a size or a colour: measurements fail."""
NO_PIECE: Final = -3.0
"""What it costs to call a disc that the network found none."""
TOO_MANY: Final = -7.0
"""What each disc above the number of the set costs."""
USUAL: Final = {WHITE: (68.0, 24.0, 25.0), BLACK: (18.0, 14.0, 9.0)}
"""Mean and standard deviation of L* and standard deviation of chroma of a class, from board to board."""
MISTAKEN: Final = 0.25
"""Share of the sets with white and black equally light whose white is taken for black."""
AS_LIGHT: Final = 8.0
"""Difference of L* within which that is (standard deviation)."""
ODD: Final = 0.05
"""Share of the sets whose white or black has any colour at all."""
RED: Final = 0.12
"""Share of all colours that are red, pink or magenta."""
BROWN: Final = 0.7
"""So much more chroma a degree of hue beyond 20 has red than brown, which club boards' "white" pieces are."""
RED_QUEENS: Final = 0.96
"""Share of the queens that are."""
RED_AVOIDED: Final = 0.7
"""How much rarer than other colours red is among strikers: they must be told from the queen."""
QUEEN_SEEMS: Final = 0.3
"""Logarithm of how much larger or smaller than a piece the queen may seem: in the middle she lies on a printed disc of her own colour."""
RACK: Final = 9.0
"""What speaks for the disc in the middle of a rack being the queen."""
CLUB: Final = 0.07
"""Logarithm of how much larger than on a tournament board pieces usually seem: clubs' and households' boards are smaller."""
CLUB_SPREAD: Final = 0.1
"""Its standard deviation."""
MOST_GROUPS: Final = 10
"""Looks that are told apart at most; the rarest go with what is left."""
TWO_LOOKS: Final = 4.5
"""Distance, in their spread, between the halves of what is more than a class's discs from which these are two looks: those of one normal
distribution are 2.7 apart (Ashman's D)."""
LEAST_SPREAD: Final = 0.25
"""Part of `SHADE` below which a spread is chance."""


@dataclass(frozen=True)
class Groups:
    """Discs that look alike, one struct of arrays over k groups.

    Attributes
    ----------
    of : ndarray of int, shape (n,)
        Each disc's group.
    colour : ndarray, shape (k, 3)
        Median L*a*b*.
    size : ndarray, shape (k,)
        Median logarithm of the radius over a piece's on a tournament board.
    number : ndarray, shape (k, p)
        Discs in each picture, each counted as much as it is sure to be one.
    racked : ndarray, shape (k,)
        Share of the racks' middles that are of this look.
    """

    of: Ints
    colour: Array
    size: Array
    number: Array
    racked: Array


def grouped(colour: Array, size: Array, picture: Ints, weight: Array, racked: NDArray[np.bool_]) -> Groups:
    """Group discs by their look: the two nearest groups are joined until none are alike; one that no class could hold may be two."""
    pictures = np.unique(picture, return_inverse=True)[1]
    of = _linked(np.c_[colour / SHADE, size / SIZE_ALIKE])
    for g in range(int(of.max()) + 1):
        own = np.flatnonzero(of == g)
        if weight[own].sum() > (ROOM.max() + 0.5) * (int(pictures.max()) + 1):
            of[own[_darker(colour[own] / SHADE)]] = int(of.max()) + 1
    of = _ranked(of)
    k = int(of.max()) + 1
    number = np.zeros((k, int(pictures.max()) + 1))
    np.add.at(number, (of, pictures), weight)
    return Groups(
        of, np.array([np.median(colour[of == g], axis=0) for g in range(k)]), np.array([np.median(size[of == g]) for g in range(k)]),
        number, np.array([racked[of == g].sum() for g in range(k)]) / max(1, int(racked.sum())),
    )  # fmt: skip


def _linked(feature: Array) -> Ints:
    """Each row's group, by centroid linkage."""
    mean, count = feature.copy(), np.ones(len(feature))
    of = np.arange(len(feature))
    apart = np.linalg.norm(mean[:, None] - mean[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    while True:
        i, j = np.unravel_index(int(np.argmin(apart)), apart.shape)
        if apart[i, j] > ALIKE:
            break
        mean[i] = (count[i] * mean[i] + count[j] * mean[j]) / (count[i] + count[j])
        count[i] += count[j]
        of[of == j] = i
        apart[j], apart[:, j] = np.inf, np.inf
        apart[i] = apart[:, i] = np.where(np.isfinite(apart[i]), np.linalg.norm(mean - mean[i], axis=1), np.inf)
        apart[i, i] = np.inf
    return of


def _ranked(of: Ints) -> Ints:
    """Groups numbered by their size, the largest first."""
    _, of, size = np.unique(of, return_inverse=True, return_counts=True)
    rank = np.argsort(np.argsort(-size, kind="stable"))
    return np.asarray(np.minimum(rank[of], MOST_GROUPS - 1), np.int_)


def _darker(colour: Array) -> NDArray[np.bool_]:
    """Which of the discs of a group, colours in `SHADE`, are one of two looks that it holds; none if it is one look (Otsu 1979)."""
    off = colour - colour.mean(axis=0)
    along = off @ np.linalg.svd(off, full_matrices=False)[2][0]
    order = np.sort(along)
    best, dark = TWO_LOOKS, np.zeros(len(colour), np.bool_)
    for n in range(2, len(order) - 1):
        low, high = order[:n], order[n:]
        spread = np.sqrt((low.var() + high.var()) / 2 + LEAST_SPREAD**2)
        if (apart := (high.mean() - low.mean()) / spread) > best:
            best, dark = apart, along < high[0]
    return dark


def cast(groups: Groups) -> tuple[Ints, Array]:
    """The likeliest class of each group, and how likely each class is.

    Returns
    -------
    best : ndarray of int, shape (k,)
        Index in `models.stroke.PIECES`, or `NONE`.
    share : ndarray, shape (k, 5)
        Probability of each class and, last, of none.
    """
    ways = [w for piece in _piece_sizes(groups) for w in _ways(replace(groups, size=groups.size - piece), piece)]
    score = np.array([s for _, s in ways])
    weight = np.exp(score - score.max())
    share = np.zeros((len(groups.size), NONE + 1))
    for (way, _), w in zip(ways, weight, strict=True):
        share[np.arange(len(way)), way] += w
    best = ways[int(score.argmax())][0]
    return best, _in_doubt(groups, best, share / weight.sum())


def _in_doubt(groups: Groups, best: Ints, share: Array) -> Array:
    """Shares that know how little tells white from black where both are as light: only which of them has colour."""
    if not ((best == WHITE).any() and (best == BLACK).any()):
        return share
    weight = groups.number.sum(axis=1)
    white, black = (np.average(groups.colour[best == c, 0], weights=weight[best == c]) for c in (WHITE, BLACK))
    mistaken = MISTAKEN * float(np.exp(-0.5 * ((white - black) / AS_LIGHT) ** 2))
    return np.asarray((1 - mistaken) * share + mistaken * share[:, [BLACK, WHITE, QUEEN, STRIKER, NONE]], np.float64)


def _piece_sizes(groups: Groups) -> list[float]:
    """Sizes that may be a piece's: those that are seen, and what is usual where only a striker may be seen."""
    out: list[float] = []
    for size in [*groups.size.tolist(), CLUB / 2]:
        if abs(size - CLUB) < 4 * CLUB_SPREAD and all(abs(size - other) > SIZE for other in out):
            out.append(size)
    return out


def _ways(groups: Groups, piece: float) -> Iterator[tuple[Ints, float]]:
    """Ways to give the groups classes where pieces have the size `piece`, each with its log likelihood."""
    k = len(groups.size)
    usual = -0.5 * ((piece - CLUB) / CLUB_SPREAD) ** 2
    strikers = [None, *np.flatnonzero(groups.size > 0.04)]
    queens = [None, *np.flatnonzero(np.abs(groups.size) < QUEEN_SEEMS)]
    for s in strikers:
        for q in queens:
            rest = np.array([g for g in range(k) if g not in (s, q)], int)
            for white in _splits(groups, rest):
                way = np.full(k, BLACK)
                way[white] = WHITE
                if s is not None:
                    way[s] = STRIKER
                if q is not None:
                    way[q] = QUEEN
                way, score = _judged(groups, way)
                yield way, score + usual


def _splits(groups: Groups, rest: Ints) -> Iterator[Ints]:
    """The lighter ones of groups, cut at every place; and cut across the direction in which they differ most."""
    if not len(rest):
        yield rest
        return
    colour = groups.colour[rest] / SHADE
    light = rest[np.argsort(-colour[:, 0])]
    cuts = {tuple(sorted(light[:n])) for n in range(len(rest) + 1)}
    if len(rest) > 2:
        weight = groups.number[rest].sum(axis=1)
        off = colour - np.average(colour, axis=0, weights=weight)
        along = np.linalg.svd(off * np.sqrt(weight)[:, None], full_matrices=False)[2][0]
        across = rest[np.argsort(-off @ along)]
        cuts |= {tuple(sorted(across[:n])) for n in range(1, len(rest))}
    # The lighter ones are mostly white, but glare lightens black ones and some sets have black ones of a light colour.
    cuts |= {tuple(sorted(set(rest.tolist()) - set(cut))) for cut in cuts}
    for cut in sorted(cuts):
        yield np.array(cut, int)


def _judged(groups: Groups, way: Ints) -> tuple[Ints, float]:
    """A way with what fits nowhere called none, and its log likelihood."""
    number = groups.number
    # Over many pictures the same discs are seen again and again: that is little more evidence than three pictures are.
    weight = number.mean(axis=1) * min(3, number.shape[1])
    none = np.full(len(way), OWN_LOOK + NO_PIECE - 0.5)
    way, score = way.copy(), 0.0
    for c in range(NONE):
        own = np.flatnonzero(way == c)
        if not len(own):
            continue
        fits = _like(groups, own, c, weight)
        out = fits < none[own]
        if out.any() and not out.all():
            way[own[out]] = NONE
            own = own[~out]
            fits = _like(groups, own, c, weight)
        score += float((weight[own] * fits).sum()) + OWN_LOOK + _usual(np.average(groups.colour[own], axis=0, weights=weight[own]), c)
        over = np.maximum(number[own].sum(axis=0) - ROOM[c], 0).mean() * min(3, number.shape[1])
        score += TOO_MANY * float(over)
    score += float((weight * none)[way == NONE].sum())
    means = [np.average(groups.colour[way == c], axis=0, weights=weight[way == c]) if (way == c).any() else None for c in (WHITE, BLACK)]
    if means[0] is not None and means[1] is not None:
        score -= 0.5 * (max(0.0, 30.0 - float(means[0][0] - means[1][0])) / 14.0) ** 2
    return way, score + RACK * float(groups.racked[way == QUEEN].sum() - (groups.racked.sum() > 0))


def _like(groups: Groups, own: Ints, c: int, weight: Array) -> Array:
    """Log likelihood of the look of one disc of each group as a member of a class that consists of these."""
    colour = groups.colour[own]
    off = ((colour - np.average(colour, axis=0, weights=weight[own])) / SHADE) ** 2
    unlike = np.minimum(off[:, 0], DIMMEST) + np.minimum(off[:, 1] + off[:, 2], PALEST)
    return np.asarray(size_like(groups.size[own], c) - 0.5 * unlike, np.float64)


def size_like(size: Array, c: int) -> Array:
    """Log density of the logarithm of a disc's radius over a piece's, shape as `size`."""
    if c != STRIKER:
        return np.asarray(np.maximum(np.log((1 - BADLY) * _normal(size, SIZE) + BADLY * _normal(size, BAD_SIZE) + 1e-9), LEAST), np.float64)
    low, high = np.log(1.06), np.log(2.3)
    edge = np.minimum(np.minimum(size - low, high - size), 0.0) / SIZE
    flat = 0.6 / (high - low) * np.exp(-0.5 * edge**2)
    return np.asarray(np.maximum(np.log(flat + 0.4 * _normal(size - np.log(1.3), 0.05) + 1e-9), LEAST), np.float64)


def _normal(off: Array, spread: float) -> Array:
    return np.asarray(np.exp(-0.5 * (off / spread) ** 2) / (spread * np.sqrt(2 * np.pi)), np.float64)


def _usual(mean: Array, c: int) -> float:
    """How usual a colour is for a class, against all colours being alike."""
    light, chroma = float(mean[0]), float(np.hypot(mean[1], mean[2]))
    if c in (QUEEN, STRIKER):
        hue = float(np.degrees(np.arctan2(mean[2], mean[1])))
        brown = BROWN * max(hue - 20.0, 0.0)
        red = 1 / (1 + np.exp(-(chroma - 24 - brown) / 4)) / (1 + np.exp(-(50 - hue) / 5)) / (1 + np.exp(-(hue + 70) / 8))
        return float(np.log(RED_QUEENS * red / RED + 1 - RED_QUEENS) if c == QUEEN else np.log(1 - RED_AVOIDED * red))
    middle, wide, colourful = USUAL[c]
    narrow = 100 / (wide * np.sqrt(2 * np.pi)) * USUAL[WHITE][2] / colourful
    usual = narrow * np.exp(-0.5 * ((light - middle) / wide) ** 2 - 0.5 * (chroma / colourful) ** 2)
    return float(np.log((1 - ODD) * usual + ODD))
