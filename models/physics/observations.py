"""What was seen of a stroke: places of discs at irregular times, some missing, some wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
Mask = NDArray[np.bool_]

SIGMA_MM: Final = 1.0
"""Standard deviation of a detected centre along each axis (mm), unless told otherwise."""


@dataclass(frozen=True)
class Observations:
    """Sightings of discs, in any order: a struct of arrays over K of them.

    A disc that was not seen in a frame simply has no sighting there.

    Attributes
    ----------
    t : ndarray, shape (K,)
        When (s of video time).
    disc : ndarray of int, shape (K,)
        Which disc of the state it is thought to be.
    x, y : ndarray, shape (K,)
        Where (mm).
    sigma : ndarray, shape (K,)
        Standard deviation along each axis (mm); may be given as one number for all.

    Raises
    ------
    ValueError
        If the lengths differ, a value is not finite or a sigma not positive.
    """

    t: Array
    disc: Indices
    x: Array
    y: Array
    sigma: Array

    def __init__(self, t: ArrayLike, disc: ArrayLike, x: ArrayLike, y: ArrayLike, sigma: ArrayLike = SIGMA_MM) -> None:
        times = np.array(t, np.float64).reshape(-1)
        values: dict[str, Array] = {"t": times, "x": np.array(x, np.float64).reshape(-1), "y": np.array(y, np.float64).reshape(-1)}
        values["sigma"] = np.array(np.broadcast_to(np.asarray(sigma, np.float64), times.shape))
        discs = np.array(disc, np.intp).reshape(-1)
        for name, value in values.items():
            if value.shape != times.shape or not np.isfinite(value).all():
                raise ValueError(f"sightings: {name} must be {len(times)} finite numbers")
            object.__setattr__(self, name, value)
        if discs.shape != times.shape or (discs < 0).any():
            raise ValueError(f"sightings: disc must be {len(times)} indices, none negative")
        if (values["sigma"] <= 0).any():
            raise ValueError("sightings: sigma must be above 0 mm")
        object.__setattr__(self, "disc", discs)

    def __len__(self) -> int:
        return len(self.t)

    @classmethod
    def of(cls, times: ArrayLike, positions: ArrayLike, sigma: float = SIGMA_MM) -> Observations:
        """From a table of places.

        Parameters
        ----------
        times : array_like, shape (T,)
            (s)
        positions : array_like, shape (T, n, 2)
            Centres (mm); NaN where a disc was not seen.
        sigma : float
            (mm)
        """
        p = np.asarray(positions, np.float64)
        frame, disc = np.nonzero(np.isfinite(p).all(axis=2))
        return cls(np.asarray(times, np.float64)[frame], disc, p[frame, disc, 0], p[frame, disc, 1], sigma)

    def where(self, chosen: Mask | Indices) -> Observations:
        """The chosen sightings: those for which a mask of shape (K,) is true, or those of the given indices, in their order."""
        return Observations(self.t[chosen], self.disc[chosen], self.x[chosen], self.y[chosen], self.sigma[chosen])

    def places(self) -> Array:
        """Shape (K, 2), in mm."""
        return np.stack([self.x, self.y], axis=1)
