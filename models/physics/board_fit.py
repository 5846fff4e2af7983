"""The figures of a board, from what was seen of many of its strokes.

What all strokes share (frictions, restitutions) and what each has for itself (its release) are found together by damped
least squares with the weights of `models.physics.likelihood`. Each stroke's own numbers are eliminated first (Schur
complement), so that many strokes cost no more than the sum of them. The strokes are fitted one by one before
(`fit_stroke`), which says until when each is explained, and again with what was found, as then they are explained for longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from math import cos, sin
from typing import Final

import numpy as np

from models.board import ICF, BoardSpec
from models.physics.dynamics import Contact, Dynamics
from models.physics.engine import sample
from models.physics.fit import StrokeFit, fit_stroke
from models.physics.likelihood import score
from models.physics.observations import Array, Observations
from models.physics.state import State

ROUNDS: Final = 3
"""The strokes are fitted so many times, each time with the figures found."""
STEPS: Final = 12
"""Steps of the joint fit at most in each round."""
CONTENT: Final = 0.05
"""A step that gains fewer nats is the last."""
RELEASE_STEPS: Final = (2e-4, 2.0, 2e-4, 0.5)
"""Changes of time (s), speed (mm/s), direction (rad) and spin (rad/s) for the differences."""
RELEASE_SDS: Final = (1.0, 3000.0, 10.0, 15.0)
"""Standard deviations of the same before anything is seen."""
DETERMINED: Final = 0.5
"""A figure whose standard error is below this part of its prior's is determined by the strokes."""
PRIORS: Final = {"friction_piece": 0.2, "friction_striker": 0.2, "restitution": 0.1, "friction": 0.05}
"""Standard deviations before anything is seen: of the decelerations as a part of them, of restitutions, of rim frictions."""
BOUNDS: Final = {"restitution": (0.0, 1.0), "friction": (0.0, 1.0)}
FREE: Final = (
    "friction_piece",
    "friction_striker",
    "striker_piece.restitution",
    "piece_cushion.restitution",
    "striker_cushion.restitution",
)


@dataclass(frozen=True)
class BoardFit:
    """The figures of a board.

    Attributes
    ----------
    dynamics : Dynamics
    names : tuple of str, length F
        What was looked for, such as "friction_piece" (mm/s^2) or "piece_cushion.restitution".
    values, errors : ndarray, shape (F,)
        With their standard errors, in the same units.
    covariance : ndarray, shape (F, F)
    undetermined : tuple of str
        What the strokes hardly tell: these stayed near where they were.
    strokes : tuple of StrokeFit
        Each with the figures found; a stroke in which nothing moved is left out.
    """

    dynamics: Dynamics
    names: tuple[str, ...]
    values: Array
    errors: Array
    covariance: Array
    undetermined: tuple[str, ...]
    strokes: tuple[StrokeFit, ...]


def fit_board(
    strokes: Sequence[tuple[Observations, State]],
    board: BoardSpec = ICF,
    dynamics: Dynamics | None = None,
    free: Sequence[str] = FREE,
) -> BoardFit:
    """Find the figures of a board.

    Parameters
    ----------
    strokes : sequence of (Observations, State)
        As `fit_stroke` takes them.
    board : BoardSpec
    dynamics : Dynamics, optional
        Where to begin, and about which the figures are expected.
    free : sequence of str
        What to look for: "friction_piece", "friction_striker", and a contact's "restitution" or "friction", as "piece_cushion.restitution".

    Raises
    ------
    ValueError
        If a name is not known, or no stroke shows a motion.
    """
    first = dynamics or Dynamics()
    names = tuple(free)
    start = np.array([_get(first, name) for name in names])
    sds = np.array([PRIORS[n] * (v if n in PRIORS and n.startswith("friction_") else 1.0) if n in PRIORS else PRIORS[n.split(".")[1]]
                    for n, v in zip(names, start, strict=True)])  # fmt: skip
    found, covariance, fits = start, np.diag(sds**2), []
    for _ in range(ROUNDS):
        now = _with(first, names, found)
        fits = _fit_each(strokes, board, now)
        if not fits:
            raise ValueError("no stroke shows a motion")
        found, covariance = _Joint(fits, board, first, names, start, sds).solve(found)
    errors = np.sqrt(np.diag(covariance))
    vague = tuple(n for n, e, sd in zip(names, errors, sds, strict=True) if e > DETERMINED * sd)
    return BoardFit(_with(first, names, found), names, found, errors, covariance, vague, tuple(f for _, f in fits))


def _fit_each(strokes: Sequence[tuple[Observations, State]], board: BoardSpec, dynamics: Dynamics) -> list[tuple[Observations, StrokeFit]]:
    fits = []
    for seen, state in strokes:
        try:
            fits.append((seen, fit_stroke(seen, state, board, dynamics)))
        except ValueError:  # nothing was seen to move
            continue
    return fits


def _get(dynamics: Dynamics, name: str) -> float:
    holder, _, key = name.rpartition(".")
    known = {f.name for f in fields(Contact)} if holder else {"friction_piece", "friction_striker"}
    owner = getattr(dynamics, holder, None) if holder else dynamics
    if key not in known or (holder and not isinstance(owner, Contact)):
        raise ValueError(f"no figure of a board is called {name!r}")
    return float(getattr(owner, key))


def _with(dynamics: Dynamics, names: Sequence[str], values: Array) -> Dynamics:
    for name, value in zip(names, values.tolist(), strict=True):
        holder, _, key = name.rpartition(".")
        changed = replace(getattr(dynamics, holder), **{key: value}) if holder else value
        dynamics = replace(dynamics, **{holder or key: changed})
    return dynamics


class _Stroke:
    """One stroke's part: its sightings that are explained, and its own four numbers (time, speed, direction, spin)."""

    def __init__(self, seen: Observations, fit: StrokeFit) -> None:
        good = seen.t <= fit.explained[seen.disc]
        self.seen = seen.where(good)
        self.striker, self.state = fit.striker, replace(fit.state, friction=np.ones(len(fit.state)))
        r = fit.release
        self.theta = np.array([r.time, r.speed, r.direction, r.spin])
        self.about = self.theta.copy()
        self.times, self.frame = np.unique(self.seen.t, return_inverse=True)

    def predicted(self, thetas: Array, board: BoardSpec, dynamics: Sequence[Dynamics]) -> Array:
        """Places of the sightings, shape (B, K, 2)."""
        states = [self.state.struck(self.striker, v * cos(a), v * sin(a), w) for _, v, a, w in thetas.tolist()]
        since = np.maximum(self.times - thetas[:, :1], 0.0)
        return sample(states, since, board, dynamics)[:, self.frame, self.seen.disc]


class _Joint:
    """The least squares of all strokes together."""

    def __init__(
        self,
        fits: Sequence[tuple[Observations, StrokeFit]],
        board: BoardSpec,
        first: Dynamics,
        names: tuple[str, ...],
        start: Array,
        sds: Array,
    ) -> None:
        self.strokes = [s for s in (_Stroke(seen, fit) for seen, fit in fits) if len(s.seen)]
        self.board, self.first, self.names, self.start, self.sds = board, first, names, start, sds
        self.steps = sds * 2e-3

    def solve(self, values: Array) -> tuple[Array, Array]:
        """The best figures and their covariance."""
        damping, cost = 1e-3, self.cost(values, [s.theta for s in self.strokes])
        for _ in range(STEPS):
            parts = [self.normal(s, values) for s in self.strokes]
            gained = 0.0
            while damping < 1e6:
                change, own = self.step(parts, values, damping)
                tried = self.clipped(values + change)
                thetas = [s.theta + d for s, d in zip(self.strokes, own, strict=True)]
                new = self.cost(tried, thetas)
                if new < cost:
                    gained, cost, values, damping = cost - new, new, tried, damping / 5
                    for s, theta in zip(self.strokes, thetas, strict=True):
                        s.theta = theta
                    break
                damping *= 8
            if gained < CONTENT:
                break
        shared, _ = self.reduced([self.normal(s, values) for s in self.strokes], values, 0.0)
        covariance = np.asarray(np.linalg.inv(shared), np.float64)
        return values, covariance

    def clipped(self, values: Array) -> Array:
        """Within what a figure may be."""
        low = [BOUNDS[n.split(".")[1]][0] if "." in n else 1.0 for n in self.names]
        high = [BOUNDS[n.split(".")[1]][1] if "." in n else np.inf for n in self.names]
        return np.clip(values, low, high)

    def cost(self, values: Array, thetas: Sequence[Array]) -> float:
        """In nats."""
        dynamics = _with(self.first, self.names, values)
        total = 0.5 * float((((values - self.start) / self.sds) ** 2).sum())
        for s, theta in zip(self.strokes, thetas, strict=True):
            residual = s.seen.places() - s.predicted(theta[None], self.board, [dynamics])[0]
            total -= float(score(residual, s.seen.sigma, self.board.side**2)[0].sum())
            total += 0.5 * float((((theta - s.about) / RELEASE_SDS) ** 2).sum())
        return total

    def normal(self, s: _Stroke, values: Array) -> tuple[Array, Array]:
        """Information and gradient of one stroke over its four numbers and the figures, shapes (4 + F, 4 + F) and (4 + F,)."""
        steps = np.concatenate([RELEASE_STEPS, self.steps])
        moves = np.concatenate([np.zeros((1, len(steps))), np.diag(steps), -np.diag(steps)])
        dynamics = [_with(self.first, self.names, self.clipped(values + m[4:])) for m in moves]
        p = s.predicted(s.theta + moves[:, :4], self.board, dynamics)
        n = len(steps)
        slopes = np.nan_to_num((p[1 : n + 1] - p[n + 1 :]) / (2 * steps[:, None, None]))
        residual = s.seen.places() - p[0]
        weight = score(residual, s.seen.sigma, self.board.side**2)[1] / s.seen.sigma**2
        information = np.einsum("ikc,jkc,k->ij", slopes, slopes, weight)
        gradient = np.einsum("ikc,kc,k->i", slopes, np.nan_to_num(residual), weight)
        own = 1 / np.square(RELEASE_SDS)
        information[np.arange(4), np.arange(4)] += own
        gradient[:4] -= own * (s.theta - s.about)
        return information, gradient

    def reduced(self, parts: Sequence[tuple[Array, Array]], values: Array, damping: float) -> tuple[Array, Array]:
        """The equations of the figures alone."""
        shared = np.diag(1 / self.sds**2)
        right = -(values - self.start) / self.sds**2
        for h, g in parts:
            own = h[:4, :4] + damping * np.diag(np.diag(h[:4, :4]))
            across = np.linalg.solve(own, np.column_stack([h[:4, 4:], g[:4]]))
            shared = shared + h[4:, 4:] - h[4:, :4] @ across[:, :-1]
            right = right + g[4:] - h[4:, :4] @ across[:, -1]
        return shared + damping * np.diag(np.diag(shared)), right

    def step(self, parts: Sequence[tuple[Array, Array]], values: Array, damping: float) -> tuple[Array, list[Array]]:
        """Changes of the figures, and of each stroke's own numbers."""
        shared, right = self.reduced(parts, values, damping)
        change = np.asarray(np.linalg.solve(shared, right), np.float64)
        own = []
        for h, g in parts:
            damped = h[:4, :4] + damping * np.diag(np.diag(h[:4, :4]))
            own.append(np.asarray(np.linalg.solve(damped, g[:4] - h[:4, 4:] @ change), np.float64))
        return change, own
