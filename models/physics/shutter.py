"""A rolling shutter: a camera reads its picture row by row, so that what lies in its lower rows is seen later.

Phones take 10 to 30 ms for a picture (Forssén and Ringaby 2010, "Rectifying rolling shutter video from hand-held devices"):
a disc at 2 m/s is seen 20 to 60 mm further on at one edge than it would be at the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from models.physics.observations import Array, Mask, Observations

SLOWEST: Final = 0.04
"""No board takes longer than this to be read (s)."""
RESTS_MM: Final = 2.5
"""A disc that is seen no farther than this from where it was seen before and afterwards rests: when it is seen does not matter."""
STRIPS: Final = 20
"""Sightings of moving discs are told apart by so many strips of the board: the fewer moments a stroke has, the sooner it is fitted."""


@dataclass(frozen=True)
class RollingShutter:
    """By how much later the far side of a board is seen than the near one.

    Attributes
    ----------
    x, y : float
        At x = side rather than 0, and at y = side rather than 0 (s); 0 if the whole board is seen at once.
    """

    x: float = 0.0
    y: float = 0.0

    def delays(self, places: ArrayLike, side: float) -> Array:
        """How much later than the board's middle is what lies at `places`, shape (K, 2) in mm, seen; shape (K,) in s."""
        return np.asarray(parts(places, side) @ (self.x, self.y), np.float64)

    def on_time(self, seen: Observations, side: float) -> Observations:
        """Sightings of frames at the times at which they really were made, those of discs at rest excepted."""
        if not (self.x or self.y):
            return seen
        return Observations(seen.t + moving_parts(seen, side) @ (self.x, self.y), seen.disc, seen.x, seen.y, seen.sigma)


def moving_parts(seen: Observations, side: float) -> Array:
    """As `parts`, of sightings: 0 for discs at rest, and the middles of strips for the others; shape (K, 2)."""
    return np.asarray(np.where(_moves(seen)[:, None], np.round(STRIPS * parts(seen.places(), side)) / STRIPS, 0.0), np.float64)


def _moves(seen: Observations) -> Mask:
    order = np.lexsort([seen.t, seen.disc])
    same = np.diff(seen.disc[order]) == 0
    far = same & (np.hypot(np.diff(seen.x[order]), np.diff(seen.y[order])) > RESTS_MM)
    out = np.zeros(len(seen), np.bool_)
    out[order[1:]] |= far
    out[order[:-1]] |= far
    return out


def parts(places: ArrayLike, side: float) -> Array:
    """How far from the board's middle `places`, shape (K, 2), lie, as parts of its side; shape (K, 2)."""
    return np.asarray(places, np.float64).reshape(-1, 2) / side - 0.5
