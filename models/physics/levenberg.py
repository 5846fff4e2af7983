"""Robust nonlinear least squares from several starts at once, for predictions that are cheap in batches and not smooth.

Levenberg's and Marquardt's damped Gauss-Newton method (Marquardt 1963), with weights made anew in each step (EM, see
`models.physics.likelihood`). Two things are peculiar to discs that collide. Differences are taken over steps as wide as
half of what the data tell the number to, since the derivative of a chaotic motion at a point says little of its
neighbourhood. And a sighting whose prediction bends by more than its noise over such a step counts for less: it may be
right, but it says nothing that a linear model could use.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from models.physics.likelihood import score
from models.physics.observations import Array, Indices

DAMPING: Final = 1e-2
"""First damping, relative to the diagonal of the information."""
DAMPINGS: Final = np.array([1.0, 10.0, 1000.0])
"""Tried in each step, as multiples of the present one: one batch costs little more than one stroke."""
LEAST_DAMPING: Final = 1e-6
MOST_DAMPING: Final = 1e6
REACH: Final = 0.5
"""Step of the differences, in standard deviations of a number whose fellows are known."""
BENT: Final = 16.0
"""Weight of a bend's square beside the noise's. Above 1 / REACH^2, so that at a jump the steps grow from round to round."""
NEAR: Final = 1e-9
"""Added to a correlation matrix's diagonal, so that rounding does not make it singular."""
NARROW, WIDE = 1e-3, 10.0
"""Bounds of that step, as multiples of the given ones."""


@dataclass(frozen=True)
class Prior:
    """What is known of the numbers before: normal, with `mean` and `sd`, each of shape (P,)."""

    mean: Array
    sd: Array

    def cost(self, thetas: Array) -> Array:
        """Half the sum of squares, shape (B,)."""
        found: Array = 0.5 * np.sum(((thetas - self.mean) / self.sd) ** 2, axis=1)
        return found


@dataclass(frozen=True)
class Target:
    """What is to be predicted.

    Attributes
    ----------
    predict : callable
        From vectors, shape (B, P), to places, shape (B, K, 2), in mm.
    seen : ndarray, shape (K, 2)
        (mm)
    sigma : ndarray, shape (K,)
        (mm)
    area : float
        Where a wrong sighting may lie (mm^2).
    prior : Prior
    steps : ndarray, shape (P,)
        By how much a number must change to be felt, roughly.
    """

    predict: Callable[[Array], Array]
    seen: Array
    sigma: Array
    area: float
    prior: Prior
    steps: Array

    def cost(self, thetas: Array) -> tuple[Array, Array]:
        """Negative logarithm of the posterior density, up to a constant, shape (B,), and the residuals, shape (B, K, 2)."""
        residual = self.seen - self.predict(thetas)
        log_density, _, _ = score(residual, self.sigma, self.area)
        return self.prior.cost(thetas) - log_density.sum(axis=1), residual


@dataclass(frozen=True)
class Minima:
    """Where the starts ended, the best first.

    Attributes
    ----------
    theta : ndarray, shape (M, P)
    cost : ndarray, shape (M,)
    information : ndarray, shape (M, P, P)
        Inverse of the covariance there.
    """

    theta: Array
    cost: Array
    information: Array


def slopes(target: Target, thetas: Array, residual: Array, steps: Array, free: Indices) -> tuple[Array, Array]:
    """How the predictions change with the free numbers, and by how much they bend.

    Parameters
    ----------
    thetas : ndarray, shape (M, P)
    residual : ndarray, shape (M, K, 2)
        There (mm).
    steps : ndarray, shape (M, F)
    free : ndarray of int, shape (F,)

    Returns
    -------
    jacobian : ndarray, shape (M, F, K, 2)
    bend : ndarray, shape (M, K)
        Root of the summed squares of half the second differences (mm).
    """
    m, p = len(thetas), len(free)
    shift = np.eye(thetas.shape[1])[free][None] * steps[:, :, None]
    both = np.concatenate([thetas[:, None] + shift, thetas[:, None] - shift], axis=1).reshape(2 * m * p, -1)
    r = (target.seen - target.predict(both)).reshape(m, 2, p, len(target.seen), 2)
    ahead, behind, here = r[:, 0], r[:, 1], np.broadcast_to(residual[:, None], (m, p, len(target.seen), 2))
    # where a disc falls on one side only, the difference of the other side serves
    ahead_known, behind_known = ~np.isnan(ahead), ~np.isnan(behind)
    low, high = np.where(behind_known, behind, here), np.where(ahead_known, ahead, here)
    width = np.maximum(ahead_known.astype(np.int8) + behind_known, 1) * steps[:, :, None, None]
    jacobian = np.nan_to_num((low - high) / width)
    second = np.where(ahead_known & behind_known, 0.5 * (ahead + behind) - here, 0.0)
    return jacobian, np.sqrt(np.nansum(second**2, axis=(1, 3)))


def equations(target: Target, thetas: Array, residual: Array, steps: Array, free: Indices) -> tuple[Array, Array]:
    """The normal equations.

    Parameters
    ----------
    target : Target
    thetas : ndarray, shape (M, P)
    residual : ndarray, shape (M, K, 2)
        There (mm).
    steps : ndarray, shape (M, F)
        Of the differences.
    free : ndarray of int, shape (F,)

    Returns
    -------
    information : ndarray, shape (M, F, F)
    right : ndarray, shape (M, F)
        The gradient downwards.
    """
    jacobian, bend = slopes(target, thetas, residual, steps, free)
    _, weight, _ = score(residual, target.sigma, target.area)
    weight = weight / (target.sigma**2 + BENT * bend**2)
    clean = np.nan_to_num(residual)
    m, p = len(thetas), len(free)
    weighted = (jacobian * weight[:, None, :, None]).reshape(m, p, -1)
    flat = jacobian.reshape(m, p, -1)
    information = weighted @ flat.transpose(0, 2, 1)
    right = (weighted @ clean.reshape(m, -1, 1))[:, :, 0]
    at = np.arange(p)
    information[:, at, at] += target.prior.sd[free] ** -2
    return information, right - ((thetas - target.prior.mean) / target.prior.sd**2)[:, free]


def minimise(target: Target, starts: Array, rounds: int, content: float, fixed: tuple[int, ...] = ()) -> Minima:
    """Go down from all starts at once.

    Parameters
    ----------
    target : Target
    starts : ndarray, shape (M, P)
    rounds : int
        At most so many steps.
    content : float
        A step that lowers the cost by less (nats) is the last.
    fixed : tuple of int
        Numbers that stay as they start; the information is that of the others.
    """
    theta = starts.copy()
    free = np.setdiff1d(np.arange(theta.shape[1]), np.array(fixed, np.intp))
    count, p = len(theta), len(free)
    cost, residual = target.cost(theta)
    damping = np.full(count, DAMPING)
    least, most = NARROW * target.steps[free], WIDE * target.steps[free]
    steps = np.tile(target.steps[free], (count, 1))
    information = np.zeros((count, p, p))
    active = np.arange(count)
    for _ in range(rounds):
        if not len(active):
            break
        a = active
        info, right = equations(target, theta[a], residual[a], steps[a], free)
        information[a] = info
        diagonal = np.diagonal(info, axis1=1, axis2=2)
        steps[a] = np.clip(REACH / np.sqrt(diagonal), least, most)
        tried = damping[a, None] * DAMPINGS
        damped = info[:, None] + tried[:, :, None, None] * (np.eye(p) * diagonal[:, None, :])[:, None]
        trial = np.repeat(theta[a, None], len(DAMPINGS), axis=1)
        trial[:, :, free] += np.linalg.solve(damped, np.broadcast_to(right[:, None, :, None], (*tried.shape, p, 1)))[..., 0]
        costs, residuals = target.cost(trial.reshape(-1, theta.shape[1]))
        costs = costs.reshape(tried.shape)
        best = np.argmin(costs, axis=1)
        own = np.arange(len(a))
        gain = cost[a] - costs[own, best]
        better = gain > 0
        moved = a[better]
        theta[moved] = trial[own, best][better]
        cost[moved] = costs[own, best][better]
        residual[moved] = residuals.reshape(*tried.shape, *residual.shape[1:])[own, best][better]
        damping[a] = np.where(better, np.maximum(tried[own, best] / 10, LEAST_DAMPING), damping[a] * DAMPINGS[-1] * 10)
        active = a[np.where(better, gain > content, damping[a] <= MOST_DAMPING)]
    order = np.argsort(cost, kind="stable")
    return Minima(theta[order], cost[order], information[order])


def covariance(information: Array) -> Array:
    """Inverse of information matrices, shape (..., P, P), whose numbers have units of very different size."""
    scale = 1 / np.sqrt(np.diagonal(information, axis1=-2, axis2=-1))
    both = scale[..., :, None] * scale[..., None, :]
    found: Array = np.linalg.inv(information * both + NEAR * np.eye(information.shape[-1])) * both
    return found


def draws(theta: Array, information: Array, width: float, count: int, rng: np.random.Generator) -> Array:
    """Vectors about `theta`, shape (count, P), by so many standard deviations."""
    scale = 1 / np.sqrt(np.diagonal(information))
    root = np.linalg.cholesky(information * scale * scale[:, None] + NEAR * np.eye(len(theta)))
    away = np.linalg.solve(root.T, rng.normal(size=(len(theta), count)))
    found: Array = theta + width * (away * scale[:, None]).T
    return found


@dataclass(frozen=True)
class Mixture:
    """A posterior as a mixture of normals.

    Attributes
    ----------
    theta : ndarray, shape (B, P)
        Their middles.
    weight : ndarray, shape (B,)
    within : ndarray, shape (B, P, P)
        Their covariances.
    best : ndarray, shape (P,)
        The likeliest.
    """

    theta: Array
    weight: Array
    within: Array
    best: Array

    def about(self, centre: Array) -> Array:
        """Mean square deviation from `centre`, shape (P, P)."""
        away = self.theta - centre
        found: Array = np.einsum("k,ki,kj->ij", self.weight, away, away) + np.einsum("k,kij->ij", self.weight, self.within)
        return found


def mixture(target: Target, starts: Array, number: int, rounds: int, content: float) -> Mixture:
    """The posterior summed up over values of one number, the others normal about their best values at each.

    Nested Laplace approximation (Tierney and Kadane 1986), for a number along which the posterior is not normal at all.

    Parameters
    ----------
    target : Target
    starts : ndarray, shape (M, P)
        One or more for each value of the number.
    number : int
    rounds : int
    content : float
        As in `minimise`.
    """
    found = minimise(target, starts, rounds, content, fixed=(number,))
    _, order = np.unique(found.theta[:, number], return_index=True)  # the first of each value, and so its best
    theta, information = found.theta[order], found.information[order]
    width = np.gradient(theta[:, number])
    weight = -found.cost[order] - 0.5 * np.linalg.slogdet(information)[1] + np.log(width)
    weight = np.exp(weight - weight.max())
    others = np.delete(np.arange(theta.shape[1]), number)
    within = np.zeros((*theta.shape, theta.shape[1]))
    within[:, others[:, None], others] = covariance(information)
    within[:, number, number] = width**2 / 12  # each stands for its neighbourhood
    return Mixture(theta, weight / weight.sum(), within, found.theta[0].copy())
