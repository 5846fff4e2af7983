"""Squares seen in perspective: every four long edges that a camera could see as a square, best supported first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.lines import EdgeField, Lines
from vision.types import Array

ON_LINE_PX: Final = 2.6
"""How far from a line a pixel still supports it (px)."""
ON_LINE_DEG: Final = 12.0
"""How far from a line's direction a pixel's gradient may point and still support it (degrees)."""
STEP_PX: Final = 4.0
"""Length of a piece of a line that is either supported or not (px)."""
PARALLEL_DEG: Final = 32.0
"""Opposite sides of a square under tilt differ in direction by less (degrees)."""
MOST_PAIRS: Final = 300
"""Pairs of opposite sides that are tried."""
SMALLEST_SIDE: Final = 0.36
"""A side is at least so long, as a part of the picture's shorter side."""
OUTSIDE: Final = 0.14
"""A corner may lie outside the picture by this part of a side."""
VISIBLE: Final = 0.3
"""At least this part of each side lies in the picture."""
BORDER_SUPPORT: Final = 0.30
"""What a picture's own border counts as a side: the true side may lie just outside."""
SAME_WAY_PENALTY: Final = 0.12
"""Taken off the support where two opposite edges are bright on the same hand: rare, for the surface has one tone."""
OBLIQUE: Final = 0.13
"""Largest departure from a square, as seen by the likeliest lens (part of a side)."""
BASE_LINES: Final = np.arange(0.13, 0.225, 0.01)
"""Distances of base lines from the cushions (part of a side): as the laws place them and as makers do."""
GROWN: Final = 16
"""So many of the best outlines are tried as squares of base lines."""
GROWN_APART: Final = 0.012
"""They differ by more (part of the picture's shorter side)."""
FOCALS: Final = (0.8, 1.1, 1.5, 2.0, 3.0, 6.0)
"""Focal lengths tried, in half diagonals of the picture: 103 to 19 degrees across the diagonal."""


@dataclass(frozen=True)
class Quads:
    """n four-cornered outlines.

    Attributes
    ----------
    corners : ndarray, shape (n, 4, 2)
        In picture pixels, upper left first, clockwise.
    support : ndarray, shape (n,)
        Mean part of a side that shows an edge, 0 to 1, less penalties.
    oblique : ndarray, shape (n,)
        Departure from a square, as `squareness` gives it.
    """

    corners: Array
    support: Array
    oblique: Array

    def __len__(self) -> int:
        return len(self.support)


def ordered(corners: Array) -> Array:
    """Put four corners, shape (..., 4, 2), in order: upper left first, clockwise as seen in the picture."""
    c = np.asarray(corners, np.float64)
    middle = c.mean(axis=-2, keepdims=True)
    bearing = np.arctan2(c[..., 1] - middle[..., 1], c[..., 0] - middle[..., 0])
    c = np.take_along_axis(c, np.argsort(bearing, axis=-1)[..., None], axis=-2)
    sums = (c - middle) @ np.array([1.0, 1.0])
    first = np.argmin(sums, axis=-1)[..., None]
    turn = (first + np.arange(4)) % 4
    return np.asarray(np.take_along_axis(c, turn[..., None], axis=-2), np.float64)


def square_to_quad(corners: Array) -> Array:
    """Homographies, shape (n, 3, 3), from the unit square to four corners, shape (n, 4, 2)."""
    x, y = corners[..., 0], corners[..., 1]
    dx1, dx2, dx3 = x[:, 1] - x[:, 2], x[:, 3] - x[:, 2], x[:, 0] - x[:, 1] + x[:, 2] - x[:, 3]
    dy1, dy2, dy3 = y[:, 1] - y[:, 2], y[:, 3] - y[:, 2], y[:, 0] - y[:, 1] + y[:, 2] - y[:, 3]
    det = dx1 * dy2 - dx2 * dy1
    det = np.where(np.abs(det) < 1e-9, 1e-9, det)
    g, h = (dx3 * dy2 - dx2 * dy3) / det, (dx1 * dy3 - dx3 * dy1) / det
    return np.stack([
        np.stack([x[:, 1] - x[:, 0] + g * x[:, 1], x[:, 3] - x[:, 0] + h * x[:, 3], x[:, 0]], -1),
        np.stack([y[:, 1] - y[:, 0] + g * y[:, 1], y[:, 3] - y[:, 0] + h * y[:, 3], y[:, 0]], -1),
        np.stack([g, h, np.ones_like(g)], -1),
    ], axis=1)  # fmt: skip


def side_coordinates(side: int, along: Array, across: Array) -> Array:
    """Unit-square coordinates, shape (..., 2), of points `along` side 0..3 (upper, right, lower, left; clockwise), `across` inwards."""
    a, d = np.broadcast_arrays(along, across)
    x, y = ((a, d), (1 - d, a), (1 - a, 1 - d), (d, 1 - a))[side]
    return np.stack([x, y], -1)


def squareness(corners: Array, size: tuple[int, int]) -> Array:
    """How far each outline, shape (n, 4, 2), is from a square seen through the likeliest lens.

    For a square and a camera of focal length f, whose axis meets the picture's middle, the first two columns of
    the homography are of equal length and at a right angle once f is taken out (`departure`). The least departure
    over plausible focal lengths is returned; about the error of the sides' ratio.

    Returns
    -------
    ndarray, shape (n,)
    """
    w, h = size
    centred = (np.asarray(corners, np.float64) - [(w - 1) / 2, (h - 1) / 2]) / (np.hypot(w, h) / 2)
    m = square_to_quad(centred)
    best = np.full(len(m), np.inf)
    for f in FOCALS:
        best = np.minimum(best, np.hypot(*departure(m[:, :, 0] * [1, 1, f], m[:, :, 1] * [1, 1, f]).T))
    return best


def departure(a: Array, b: Array) -> Array:
    """How far a square's sides, seen as `a` and `b`, shape (n, 3), focal length taken out, are from a right angle and from equal: (n, 2).

    Zhang's two constraints (2000, section 3.1), over the sides' mean square.
    """
    aa, bb, ab = (a * a).sum(1), (b * b).sum(1), (a * b).sum(1)
    return np.asarray(np.stack([2 * ab, aa - bb], 1) / (aa + bb)[:, None], np.float64)


def with_border(lines: Lines, size: tuple[int, int]) -> Lines:
    """The lines and, as the last four, the picture's left, right, upper and lower border."""
    w, h = size
    return Lines(
        angle=np.r_[lines.angle, 0.0, 180.0, 90.0, 270.0],
        rho=np.r_[lines.rho, -(w - 1) / 2, -(w - 1) / 2, -(h - 1) / 2, -(h - 1) / 2],
        votes=np.r_[lines.votes, np.full(4, BORDER_SUPPORT * min(size))],
    )


def supported(lines: Lines, field: EdgeField) -> tuple[NDArray[np.int64], float]:
    """Running count of supported pieces along each line, shape (n, m), and the coordinate along the line of its first piece."""
    reach = float(np.hypot(*field.size)) / 2 + STEP_PX
    m = int(2 * reach / STEP_PX) + 2
    table = np.zeros((len(lines), m), np.int64)
    for i in range(len(lines)):
        a = np.radians(lines.angle[i])
        near = np.abs(field.x * np.cos(a) + field.y * np.sin(a) - lines.rho[i]) < ON_LINE_PX
        turn = (field.angle[near] - lines.angle[i] + 180.0) % 360.0 - 180.0
        near = np.flatnonzero(near)[np.abs(turn) < ON_LINE_DEG]
        along = (-field.x[near] * np.sin(a) + field.y[near] * np.cos(a) + reach) / STEP_PX
        table[i, np.clip(along.astype(int) + 1, 1, m - 1)] = 1
    return np.cumsum(table, axis=1), reach


def opposite_pairs(lines: Lines, size: tuple[int, int]) -> NDArray[np.int64]:
    """Pairs of lines, shape (p, 2), that may be opposite sides of a board, strongest first, at most `MOST_PAIRS`."""
    n = len(lines)
    i, j = np.triu_indices(n, 1)
    between = np.abs((lines.angle[i] - lines.angle[j] + 90.0) % 180.0 - 90.0)
    faces = np.abs((lines.angle[i] - lines.angle[j] + 180.0) % 360.0 - 180.0) > 90.0
    apart = np.where(faces, np.abs(lines.rho[i] + lines.rho[j]), np.abs(lines.rho[i] - lines.rho[j]))
    keep = (between < PARALLEL_DEG) & (apart > 0.8 * SMALLEST_SIDE * min(size))
    i, j, faces = i[keep], j[keep], faces[keep]
    strength = np.sqrt(lines.votes[i] * lines.votes[j]) * np.where(faces, 1.0, 0.7)
    order = np.argsort(strength)[::-1][:MOST_PAIRS]
    return np.stack([i[order], j[order]], 1)


def find_quads(lines: Lines, field: EdgeField, most: int) -> Quads:
    """Outlines that four of the lines (one of them perhaps the picture's border) make, at most `most`, best first."""
    size = field.size
    w, h = size
    real = len(lines)
    lines = with_border(lines, size)
    pairs = opposite_pairs(lines, size)
    a = np.radians(lines.angle)
    normal = np.stack([np.cos(a), np.sin(a)], 1)
    det = normal[:, None, 0] * normal[None, :, 1] - normal[:, None, 1] * normal[None, :, 0]
    det = np.where(np.abs(det) < 1e-6, 1e-6, det)
    r = lines.rho
    cross = np.stack([
        (r[:, None] * normal[None, :, 1] - r[None, :] * normal[:, None, 1]) / det,
        (normal[:, None, 0] * r[None, :] - normal[None, :, 0] * r[:, None]) / det,
    ], -1)  # fmt: skip

    first, second = np.triu_indices(len(pairs), 1)
    turn = np.abs((lines.angle[pairs[first, 0]] - lines.angle[pairs[second, 0]] + 90.0) % 180.0 - 90.0)
    keep = turn > 50.0
    borders = (pairs >= real).sum(1)
    keep &= borders[first] + borders[second] <= 1
    (i, j), (k, m) = pairs[first[keep]].T, pairs[second[keep]].T

    corners = np.stack([cross[i, k], cross[i, m], cross[j, m], cross[j, k]], 1)
    edge = np.roll(corners, -1, 1) - corners
    length = np.linalg.norm(edge, axis=2)
    bend = edge[:, :, 0] * np.roll(edge, -1, 1)[:, :, 1] - edge[:, :, 1] * np.roll(edge, -1, 1)[:, :, 0]
    bend /= np.maximum(length * np.roll(length, -1, 1), 1e-9)
    side = length.mean(1)
    beyond = np.maximum(np.abs(corners[..., 0]) - w / 2, np.abs(corners[..., 1]) - h / 2).max(1)
    keep = np.all(bend > 0.64, 1) | np.all(bend < -0.64, 1)
    keep &= (length.min(1) > SMALLEST_SIDE * min(size)) & (length.max(1) < 1.75 * length.min(1)) & (beyond < OUTSIDE * side)
    i, j, k, m, corners = i[keep], j[keep], k[keep], m[keep], corners[keep]
    if not len(corners):
        return Quads(np.zeros((0, 4, 2)), np.zeros(0), np.zeros(0))

    middle = np.array([(w - 1) / 2, (h - 1) / 2])
    oblique = squareness(corners + middle, size)
    keep = oblique < OBLIQUE
    i, j, k, m, corners, oblique = i[keep], j[keep], k[keep], m[keep], corners[keep], oblique[keep]

    count, reach = supported(lines, field)
    total, seen_enough = np.zeros(len(i)), np.ones(len(i), bool)
    for line, start, stop in ((i, k, m), (m, i, j), (j, m, k), (k, j, i)):
        part, visible = side_support(line, cross[line, start], cross[line, stop], normal, count, reach, size)
        total += np.where(line >= real, BORDER_SUPPORT, part)
        seen_enough &= visible > VISIBLE
    for p, q in ((i, j), (k, m)):
        same_way = np.abs((lines.angle[p] - lines.angle[q] + 180.0) % 360.0 - 180.0) < 90.0
        total -= np.where(same_way & (p < real) & (q < real), 4 * SAME_WAY_PENALTY / 2, 0.0)
    total = np.where(seen_enough, total / 4, -1.0) - oblique
    order = np.argsort(total)[::-1]
    order = order[total[order] > 0][: most * 3]
    picture = ordered(corners[order] + middle)
    chosen = distinct(picture, 0.004 * min(size))[:most]
    return Quads(picture[chosen], total[order][chosen], oblique[order][chosen])


def grown(quads: Quads, size: tuple[int, int]) -> Quads:
    """The outlines that the best of others would have round them, were they squares of base lines.

    Base lines are often seen where cushions are not: in the dark, or beyond the picture's border. The support is that of
    the square of base lines.
    """
    best = distinct(quads.corners, GROWN_APART * min(size))[:GROWN]
    beyond = BASE_LINES / (1 - 2 * BASE_LINES)
    a, b = -beyond, 1 + beyond
    square = np.stack([np.stack([x, y], -1) for x, y in ((a, a), (b, a), (b, b), (a, b))], 1)
    p = np.einsum("nij,mkj->nmki", square_to_quad(quads.corners[best]), np.concatenate([square, np.ones_like(square[..., :1])], -1))
    corners = (p[..., :2] / p[..., 2:]).reshape(-1, 4, 2)
    side = np.linalg.norm(corners - np.roll(corners, 1, 1), axis=2).mean(1)
    outside = np.maximum(-corners, corners - np.array(size)).max((1, 2))
    keep = (p[..., 2] > 0).all(2).ravel() & (outside < OUTSIDE * side)
    support, oblique = (np.repeat(v[best], len(BASE_LINES))[keep] for v in (quads.support, quads.oblique))
    return Quads(corners[keep], support, oblique)


def side_support(
    line: NDArray[np.int64], start: Array, stop: Array, normal: Array, count: NDArray[np.int64], reach: float, size: tuple[int, int]
) -> tuple[Array, Array]:
    """Part of the visible piece of each side that shows an edge, and the part of the side that is visible."""
    along = np.stack([-normal[line, 1], normal[line, 0]], 1)
    s, t = (start * along).sum(1), (stop * along).sum(1)
    low, high = np.minimum(s, t), np.maximum(s, t)
    full = np.maximum(high - low, 1e-9)
    foot = normal[line] * ((start * normal[line]).sum(1))[:, None]
    for axis, half in ((0, (size[0] - 1) / 2), (1, (size[1] - 1) / 2)):
        d = np.where(np.abs(along[:, axis]) < 1e-9, 1e-9, along[:, axis])
        at = np.sort(np.stack([(-half - foot[:, axis]) / d, (half - foot[:, axis]) / d], 1), axis=1)
        low, high = np.maximum(low, at[:, 0]), np.minimum(high, at[:, 1])
    seen = np.maximum(high - low, 0.0)
    last = count.shape[1] - 1
    p = np.clip(((low + reach) / STEP_PX).astype(int), 0, last)
    q = np.clip(((high + reach) / STEP_PX).astype(int) + 1, 0, last)
    hits = count[line, q] - count[line, p]
    return np.minimum(hits * STEP_PX / np.maximum(seen, STEP_PX), 1.0), seen / full


def distinct(corners: Array, apart: float) -> NDArray[np.int64]:
    """Indices of the outlines, best first, that differ from every better one by more than `apart` pixels at some corner."""
    kept: list[int] = []
    for n in range(len(corners)):
        if not kept or np.abs(corners[kept] - corners[n]).max(axis=(1, 2)).min() > apart:
            kept.append(n)
    return np.array(kept, np.int64)
