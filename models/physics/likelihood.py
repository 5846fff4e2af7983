"""How well a predicted place explains a sighting, when some sightings are wrong.

A sighting is, but for a share of wrong ones, off the true place by a bivariate Student t of few degrees of freedom
(Lange, Little and Taylor 1989, "Robust statistical modeling using the t distribution"); a wrong one lies anywhere on the
board. So no sighting costs more than a wrong one does, and far ones pull at nothing. The maximum is found by least
squares with weights made anew in each step (the EM algorithm of the same paper).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from models.physics.observations import Array

FREEDOM: Final = 5.0
"""Degrees of freedom of the t: about as good as least squares where the noise is normal, and content with some sightings 4 sigma off."""
WRONG: Final = 0.05
"""Share of sightings that are of something else."""


def score(residual: Array, sigma: Array, area: float) -> tuple[Array, Array, Array]:
    """Score residuals against what they would be if the predictions were right.

    Parameters
    ----------
    residual : ndarray, shape (..., K, 2)
        Seen less predicted place (mm); NaN where the disc is predicted to be gone.
    sigma : ndarray, shape (K,)
        (mm)
    area : float
        Where a wrong sighting may lie (mm^2).

    Returns
    -------
    log_density : ndarray, shape (..., K)
        Of the sightings, per mm^2.
    weight : ndarray, shape (..., K)
        Of the squared residual over sigma^2 in the least squares that has the same gradient.
    right : ndarray, shape (..., K)
        Probability that the sighting is not a wrong one.
    """
    square = np.sum(residual**2, axis=-1) / sigma**2
    gone = np.isnan(square)
    square = np.where(gone, 0.0, square)
    as_right = np.log((1 - WRONG) / (2 * np.pi * sigma**2)) - (FREEDOM + 2) / 2 * np.log1p(square / FREEDOM)
    as_right = np.where(gone, -np.inf, as_right)
    as_wrong = np.log(WRONG / area)
    log_density = np.logaddexp(as_right, as_wrong)
    right = np.exp(as_right - log_density)
    return log_density, right * (FREEDOM + 2) / (FREEDOM + square), right
