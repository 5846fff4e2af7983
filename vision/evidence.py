"""What speaks for an outline being the playing surface: judged on the picture rectified by it.

A playing surface has one tone along its four cushions and in its middle, another tone just outside, no step between
cushion and base line, and a pocket in each corner. The frame's outer edge, the square of base lines, a table top
and a floor tile each fail at least one of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import side_coordinates, square_to_quad
from vision.types import Array, Image

SIDE_PX: Final = 160
"""Side of the rectified surface (px)."""
MARGIN_PX: Final = 16
"""What is seen beyond it (px)."""
GLANCES: Final = 16
"""Places along each side at which an outline is glanced at."""
CLEAR: Final = 9.0
"""Difference of tone (CIE L*a*b*, 8 bit) that is seen for certain on a surface as light as `LIGHT`."""
BLACK: Final = np.array([-16 * 2.55, 128.0, 128.0], np.float32)
"""Where CIE L*a*b* (8 bit) has its black: seen from there more or less light makes a tone longer or shorter, by its cube root."""
LIGHT: Final = 130.0 + 16 * 2.55
"""Lightness, from `BLACK`, of a surface in good light; on a darker one smaller differences tell as much."""
MOST_LIFT: Final = 2.0
"""Differences are lifted by this at most."""
SHADED: Final = 1.6
"""From shadow to sun the light may lengthen a tone by this: fourfold light."""
ALIKE: Final = 24.0
"""Difference of tone, as much light taken for granted, up to which wood is wood: worn and powdered."""
AROUND: Final = (8, 12)
"""Distances from the corner at which a pocket has ended (hundredths of a side)."""
NETTED: Final = 70.0
"""Of what lies in a pocket this part (percentile) counts: the meshes of a light net may have the wood's tone."""


@dataclass(frozen=True)
class Evidence:
    """Each figure from 0 (speaks against) to 1.

    Attributes
    ----------
    edge : tuple of float
        Per side (upper, right, lower, left): part of its length where the tone changes at the line; NaN where the
        picture does not reach beyond it.
    flat : tuple of float
        Per side: 1 where nothing between cushion and base line steps as hard as the cushion does.
    tone : float
        Agreement of the tone of the four sides and the middle.
    calm : tuple of float
        Per side: 1 where the strip along the cushion has one tone from end to end, as no chequered or coloured board has.
    bare : float
        Whether most of the surface is of its strips' tone: printing, pieces and hands cover the lesser part.
    pockets : tuple of float
        Per corner (upper left, upper right, lower right, lower left): does a pocket lie in it; NaN where it is out of the picture.
    """

    edge: tuple[float, ...]
    flat: tuple[float, ...]
    tone: float
    calm: tuple[float, ...]
    bare: float
    pockets: tuple[float, ...]

    def score(self) -> float:
        """All in one, 0 to 1."""
        edge, pockets = known(self.edge, 0.5), known(self.pockets, 0.5)
        return float(0.35 * edge + 0.2 * np.mean(self.flat) + 0.2 * self.tone + 0.25 * pockets)


def known(values: tuple[float, ...], unknown: float) -> float:
    """Mean of the values, `unknown` standing for each NaN."""
    return float(np.mean(np.nan_to_num(np.asarray(values), nan=unknown)))


def rectified(lab: Image, corners: Array) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The surface from above with its margin, and where the picture reaches."""
    m, s = MARGIN_PX, SIDE_PX
    n = s + 2 * m
    target = np.array([[m, m], [m + s, m], [m + s, m + s], [m, m + s]], np.float32) - 0.5
    h = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    seen = cv2.warpPerspective(np.full(lab.shape[:2], 255, np.uint8), h, (n, n), flags=cv2.INTER_NEAREST)
    return cv2.warpPerspective(lab, h, (n, n), flags=cv2.INTER_LINEAR).astype(np.float32), seen > 0


def lift(lightness: Array) -> Array:
    """By how much differences of tone on a surface of this lightness (from `BLACK`) are lifted."""
    return np.asarray(np.clip(LIGHT / np.maximum(lightness, 1.0), 1.0, MOST_LIFT), np.float64)


def unlike(tones: NDArray[np.float32], tone: NDArray[np.float32]) -> NDArray[np.float32]:
    """Difference of tones, shape (..., 3) from `BLACK`, from another that no more or less light explains, shape (...)."""
    ratio = np.linalg.norm(tones, axis=-1, keepdims=True) / max(float(np.linalg.norm(tone)), 1e-6)
    return np.asarray(np.linalg.norm(tones / np.clip(ratio, 1 / SHADED, SHADED) - tone, axis=-1), np.float32)


def judge(lab: Image, corners: Array) -> Evidence:
    """Judge an outline, shape (4, 2), on a picture in CIE L*a*b*."""
    patch, seen = rectified(lab, corners)
    m, s = MARGIN_PX, SIDE_PX
    patch -= BLACK
    patch *= float(lift(np.asarray(np.median(patch[m : m + s, m : m + s, 0]), np.float64)))
    sides = np.stack([np.rot90(patch, k) for k in range(4)])
    views = np.stack([np.rot90(seen, k) for k in range(4)])
    columns = np.arange(m + s // 8, m + s - s // 8, 2)
    strip, view = sides[:, :, columns], views[:, :, columns]

    profile = np.median(strip[:, : m + s // 2], axis=2)
    wood = np.median(profile[:, m + s // 25 : m + s * 12 // 100], axis=1)
    middle = np.median(patch[m + s // 4 : m + s * 3 // 4 : 2, m + s // 4 : m + s * 3 // 4 : 2].reshape(-1, 3), axis=0)

    inside = strip[:, m + 2 : m + 6].mean(1)
    outside = strip[:, m - 6 : m - 2].mean(1)
    step = np.linalg.norm(inside - outside, axis=2)
    beyond = view[:, m - 4]
    size = np.array([np.median(step[k][beyond[k]]) if beyond[k].mean() > 0.4 else np.nan for k in range(4)])
    edge = tuple(
        float(np.mean(step[k][beyond[k]] > max(CLEAR, 0.35 * size[k]))) if np.isfinite(size[k]) else float("nan") for k in range(4)
    )
    size = np.where(np.isfinite(size), size, np.nanmedian(size)) if np.isfinite(size).any() else np.full(4, CLEAR)
    zone = profile[:, m + 2 : m + s * 12 // 100]
    jump = np.linalg.norm(zone[:, 4:] - zone[:, :-4], axis=2).max(1)
    flat = tuple(float(v) for v in np.clip(1.25 - jump / np.maximum(size, CLEAR), 0.0, 1.0))

    along = np.median(strip[:, m + s // 40 : m + s * 8 // 100], axis=1) * [0.5, 1.0, 1.0]
    uneven = np.median(np.linalg.norm(along - np.median(along, axis=1, keepdims=True), axis=2), axis=1)
    calm = tuple(float(v) for v in np.clip(1.5 - uneven / np.maximum(0.3 * size, CLEAR), 0.0, 1.0))

    tones = np.vstack([wood, middle])
    # Lightness may fall off towards a side away from the lamp, or the sun lie on it.
    apart = unlike(tones, np.median(tones, axis=0))
    tone = float(np.clip(1.3 - np.sort(apart)[-2] / max(float(np.median(size)) * 0.6, CLEAR), 0.0, 1.0))
    inner = patch[m + s // 30 : m + s - s // 30 : 2, m + s // 30 : m + s - s // 30 : 2].reshape(-1, 3)
    like = float(np.mean(unlike(inner, np.median(wood, axis=0)) < ALIKE))
    bare = float(np.clip((like - 0.25) / 0.35, 0.0, 1.0))
    pockets = tuple(pocket(sides[k], views[k], float(np.median(size)), np.median(wood, axis=0)) for k in range(4))
    return Evidence(edge=edge, flat=flat, tone=tone, calm=calm, bare=bare, pockets=pockets)


def pocket(side: NDArray[np.float32], seen: NDArray[np.bool_], contrast: float, surface: NDArray[np.float32]) -> float:
    """Does a pocket lie in the upper left corner of a rectified view: another tone there, ending where wood begins.

    What lies round it is wood if its tone is about the `surface`'s.
    """
    m, s = MARGIN_PX, SIDE_PX
    a, b = m + s * 15 // 1000, m + s * 45 // 1000 + 1
    if seen[a:b, a:b].mean() < 0.6:
        return float("nan")
    hole = side[a:b, a:b].reshape(-1, 3)
    # What surrounds it, near by or, where a net reaches so far, a little farther: whichever is calmer.
    tone, noise = min((_around(side, first) for first in AROUND), key=lambda v: v[1])
    limit = max(CLEAR, 2.0 * noise, 0.15 * contrast)
    score = np.clip((float(np.mean(np.linalg.norm(hole - tone, axis=1) > limit)) - 0.3) / 0.4, 0.0, 1.0)
    score *= np.clip(2.0 - float(unlike(tone, surface)) / ALIKE, 0.0, 1.0)
    # A frame's strip within the outline has the corner's tone all along the side: a pocket ends.
    far = slice(m + s * 12 // 100, m + s * 22 // 100)
    along = [np.median(part.reshape(-1, 3), axis=0) for part in (side[a:b, far], side[far, a:b])]
    ends = min(float(np.percentile(np.linalg.norm(hole - t, axis=1), NETTED)) for t in along)
    return float(score * np.clip(1.5 * ends / CLEAR - 0.5, 0.0, 1.0))


def _around(side: NDArray[np.float32], first: int) -> tuple[NDArray[np.float32], float]:
    """Tone and unevenness of the surface round the upper left corner, from `first` hundredths of a side."""
    m, s = MARGIN_PX, SIDE_PX
    p, q, r = m + s * first // 100, m + s * (first + 3) // 100, m + s * 2 // 100
    wood = np.vstack([side[p:q, p:q].reshape(-1, 3), side[p:q, r : r + 4].reshape(-1, 3), side[r : r + 4, p:q].reshape(-1, 3)])
    tone = np.median(wood, axis=0)
    return tone, float(np.median(np.linalg.norm(wood - tone, axis=1)))


def glance(lab: Image, corners: Array) -> Array:
    """A first, cheap judgement of many outlines, shape (n, 4, 2), from a few hundred points each: shape (n,), about 0 to 1."""
    h, w = lab.shape[:2]
    n = len(corners)
    homographies = square_to_quad(corners)

    def tones(points: Array) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        p = np.c_[points.reshape(-1, 2), np.ones(points.size // 2)]
        q = np.einsum("nij,pj->npi", homographies, p)
        x, y = np.round(q[..., 0] / q[..., 2]).astype(int), np.round(q[..., 1] / q[..., 2]).astype(int)
        inside = (x >= 0) & (y >= 0) & (x < w) & (y < h)
        shape = (n, *points.shape[:-1])
        return lab[y.clip(0, h - 1), x.clip(0, w - 1)].astype(np.float32).reshape(*shape, 3), inside.reshape(shape)

    along = np.linspace(0.14, 0.86, GLANCES)

    def beside(across: float) -> Array:
        return np.stack([side_coordinates(k, along, np.full(GLANCES, across)) for k in range(4)])

    inner, _ = tones(beside(0.022))
    deep, _ = tones(beside(0.085))
    outer, seen = tones(beside(-0.02))
    middle, _ = tones(np.stack(np.meshgrid(np.linspace(0.27, 0.73, 7), np.linspace(0.27, 0.73, 7)), -1))
    hole, visible = tones(np.array([[[a, b] for a in (u, 1 - u) for b in (u, 1 - u)] for u in (0.02, 0.028, 0.036)]))
    wood = np.median(deep.reshape(n, -1, 3), axis=1)
    clear = CLEAR / lift(wood[:, 0] - BLACK[0])[:, None, None]
    step = np.linalg.norm(inner - outer, axis=3)
    edge = np.where(seen, step > clear, 0.5).mean(2)
    even = (np.linalg.norm((inner - deep) * [0.5, 1, 1], axis=3) < clear).mean((1, 2))
    same = (np.linalg.norm((middle.reshape(n, -1, 3) - wood[:, None]) * [0.5, 1, 1], axis=2) < 2 * clear[..., 0]).mean(1)
    differs = np.where(visible, np.linalg.norm(hole - wood[:, None, None], axis=3) > 1.5 * clear, 0.5).mean((1, 2))
    return np.asarray(0.35 * edge.mean(1) + 0.1 * edge.min(1) + 0.15 * even + 0.2 * same + 0.2 * differs, np.float64)
