"""Until when the physics explains what was seen.

A break is chaotic: what is unknown of a release or a rack by a hair decides, some collisions on, where a piece goes. So a
disc's sightings are explained up to a time after which they are not, and those after it say nothing of the release.
"""

from __future__ import annotations

from math import inf
from typing import Final

import numpy as np

from models.physics.observations import Array, Mask, Observations

INLIER: Final = 4.0
"""A sighting no further off than so many sigma is right: of 3,000 right ones one is further off."""
LOSS: Final = 2.0
"""A sighting that is not explained weighs as much as so many that are: a third may be wrong, and the disc is still explained."""
ENOUGH: Final = 2
"""One last sighting that is off is taken to be wrong; so many in a row say that the disc is elsewhere."""


def inliers(residual: Array, sigma: Array) -> Mask:
    """Which sightings agree with the prediction, shape (K,), from residuals, shape (K, 2), in mm; NaN: the disc should be gone."""
    found: Mask = np.nan_to_num(np.sum(residual**2, axis=1), nan=np.inf) <= (INLIER * sigma) ** 2
    return found


def limits(seen: Observations, right: Mask, discs: int) -> Array:
    """Until when each disc's sightings are explained (s), shape (discs,); inf if to the end.

    The time is where the number of right sightings less `LOSS` times that of wrong ones is greatest.

    Parameters
    ----------
    seen : Observations
        In time order.
    right : ndarray of bool, shape (K,)
    discs : int
    """
    found = np.full(discs, inf)
    order = np.argsort(seen.disc, kind="stable")
    starts = np.searchsorted(seen.disc[order], np.arange(discs + 1))
    for i in np.unique(seen.disc[~right]):
        own = order[starts[i] : starts[i + 1]]
        total = np.concatenate([[0.0], np.cumsum(np.where(right[own], 1.0, -LOSS))])
        k = len(total) - 1 - int(np.argmax(total[::-1]))
        if total[k] - total[-1] >= LOSS * ENOUGH:
            found[i] = seen.t[own[k - 1]] if k else -inf
    return found
