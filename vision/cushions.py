"""The frame rises above the wood: which strip of the surface it hides, and which of its inner faces show.

A camera that stands beyond a cushion sees that cushion's upper edge in front of the wood, up to a hundredth of a side
inwards of where wood and cushion meet. Across the board it sees the face between the two. Seen on the plane of the
wood, a side's upper edge runs parallel to its foot; how far apart they are follows from where the camera stands.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.quads import departure, square_to_quad
from vision.types import Array

USUAL_FOCAL: Final = 1.8
"""Focal length of usual cameras (half diagonals of the picture)."""
FOCAL_SPREAD: Final = 0.5
"""Standard deviation of its logarithm."""
USUAL_RISE: Final = 0.028
"""Height of usual cushions above the wood (part of a side): 21 mm; ICF asks for 19 to 25.4."""
RISE_SPREAD: Final = 0.011
FOCALS: Final = np.geomspace(0.8, 6.0, 25)
"""Focal lengths tried (half diagonals of the picture)."""


def normalised(corners: Array, size: tuple[int, int]) -> Array:
    """Homographies, shape (n, 3, 3), from the unit square to the picture, its middle the origin, its half diagonal the unit."""
    w, h = size
    return square_to_quad((np.asarray(corners, np.float64) - [(w - 1) / 2, (h - 1) / 2]) / (np.hypot(w, h) / 2))


def stand(homographies: Array, focal: Array) -> tuple[Array, Array]:
    """Where a camera of focal length `focal`, shape (n,), stands to see the unit square so; and how far it is from a square.

    Returns
    -------
    centre : ndarray, shape (n, 3)
        In sides: x to the right, y downwards from the upper left corner, z above the wood.
    departure : ndarray, shape (n, 2)
        Of the right angle and of the equal sides (`vision.quads.departure`).
    """
    m = homographies * np.stack([np.ones_like(focal), np.ones_like(focal), focal], -1)[:, :, None]
    a, b, t = m[:, :, 0], m[:, :, 1], m[:, :, 2]
    aa, bb = (a * a).sum(1), (b * b).sum(1)
    off = departure(a, b)
    t = t / np.sqrt((aa + bb) / 2)[:, None]
    a, b = a / np.sqrt(aa)[:, None], b / np.sqrt(bb)[:, None]
    down = np.cross(a, b)
    down /= np.linalg.norm(down, axis=1, keepdims=True)
    return np.stack([-(a * t).sum(1), -(b * t).sum(1), (down * t).sum(1)], 1), off


def upper_edges(centre: Array, rise: Array) -> Array:
    """How far inwards of its foot each cushion's upper edge is seen on the plane of the wood (part of a side).

    Parameters
    ----------
    centre : ndarray, shape (n, 3)
        Where the camera stands (`stand`).
    rise : ndarray, shape (n,)
        Height of the cushions (part of a side).

    Returns
    -------
    ndarray, shape (n, 4)
        Per side; positive where the upper edge hides the foot, negative where the face between them is seen.
    """
    x, y, z = centre.T
    lateral = np.stack([-y, x - 1, y - 1, -x], 1)
    return np.asarray(lateral * (rise / np.maximum(z - rise, 0.2))[:, None], np.float64)


def likeliest_stand(corners: Array, size: tuple[int, int], sigma: float) -> tuple[Array, Array]:
    """Where the camera stands for each outline, shape (n, 4, 2), by the likeliest focal length; and the square's departure.

    Parameters
    ----------
    sigma : float
        Departure from a square that is usual.

    Returns
    -------
    centre : ndarray, shape (n, 3)
    departure : ndarray, shape (n,)
    """
    m = normalised(corners, size)
    n, k = len(m), len(FOCALS)
    centre, departures = stand(np.repeat(m, k, axis=0), np.tile(FOCALS, n))
    off = np.linalg.norm(departures, axis=1).reshape(n, k)
    cost = (off / sigma) ** 2 + (np.log(FOCALS / USUAL_FOCAL) / FOCAL_SPREAD) ** 2
    best = np.argmin(cost, axis=1)
    row = np.arange(n)
    return centre.reshape(n, k, 3)[row, best], off[row, best]
