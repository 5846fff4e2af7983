"""Many strokes on one board fitted together: what they share, and what each has for itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from models.board import BoardSpec
from models.physics.dynamics import Dynamics
from models.physics.fit import TIME_SIGMA, StrokeFit
from models.physics.levenberg import DAMPING, DAMPINGS, LEAST_DAMPING, MOST_DAMPING, NARROW, REACH, WIDE, Prior, Target, equations
from models.physics.machine import HEAD, PER_DISC
from models.physics.observations import Array, Observations
from models.physics.release import FRICTIONS, Unknowns, places, still_numbers
from models.physics.search import Evidence
from models.physics.shutter import SLOWEST, RollingShutter, moving_parts
from models.physics.state import State

STEPS: Final = 15
"""Steps of a joint fit at most."""
CONTENT: Final = 0.05
"""A step that gains fewer nats is the last."""
PART: Final = 0.01
RESTITUTION, RUB, DELAY = 0.005, 0.005, 0.0003
"""Changes that can be felt: of a deceleration as a part of it, of a restitution, of a rim friction, of a rolling shutter (s)."""
SHUTTER: Final = ("shutter_x", "shutter_y")
"""What a rolling shutter's two figures are called (s)."""
LEAST: Final = 50.0
"""No deceleration is lower (mm/s^2)."""
ANYTHING: Final = 1e9
"""Standard deviation of a figure within a stroke: its prior counts once for all strokes."""
CONTACTS: Final = ("piece_piece", "striker_piece", "piece_cushion", "striker_cushion")
"""In the order of the core's numbers, of which they begin with the fifth."""
IS_STRIKER: Final = 9
"""Which of a disc's numbers says that it is a striker."""


@dataclass(frozen=True)
class Figures:
    """The figures that are looked for.

    Attributes
    ----------
    names : tuple of str, length F
    mean, sd : ndarray, shape (F,)
        Before anything is seen.
    dynamics : Dynamics
        With all the other figures.
    board : BoardSpec
    """

    names: tuple[str, ...]
    mean: Array
    sd: Array
    dynamics: Dynamics
    board: BoardSpec

    def __len__(self) -> int:
        return len(self.names)

    def steps(self) -> Array:
        """Changes that can be felt, shape (F,)."""
        kinds: dict[str, float] = {"restitution": RESTITUTION, "friction": RUB, **dict.fromkeys(SHUTTER, DELAY)}
        return np.array([kinds.get(n.rpartition(".")[2], PART * m) for n, m in zip(self.names, self.mean, strict=True)])

    def clipped(self, values: Array) -> Array:
        """Within what a figure may be, shape (..., F)."""
        bounds = [(-SLOWEST, SLOWEST) if n in SHUTTER else (0.0, 1.0) if "." in n else (LEAST, np.inf) for n in self.names]
        low, high = np.array(bounds).T
        return np.asarray(np.clip(values, low, high), np.float64)

    def shutter(self) -> list[int]:
        """Which of them are a rolling shutter's: those of `SHUTTER`, or none."""
        return [self.names.index(n) for n in SHUTTER if n in self.names]

    def write(self, numbers: Array, values: Array) -> Array:
        """Put the figures, shape (B, F), into strokes as the core reads them, shape (B, N), made with `dynamics`."""
        discs = numbers[:, HEAD:].reshape(len(numbers), -1, PER_DISC)
        for k, name in enumerate(self.names):
            holder, _, key = name.rpartition(".")
            if name in SHUTTER:
                continue
            if holder:
                numbers[:, 4 + 2 * CONTACTS.index(holder) + (key == "friction")] = values[:, k]
            else:
                own = (discs[:, :, IS_STRIKER] > 0) == (name == "friction_striker")
                factor = values[:, k] / float(getattr(self.dynamics, name))
                discs[:, :, FRICTIONS] *= np.where(own, factor[:, None], 1.0)[:, :, None]
        return numbers


class Stroke:
    """One stroke's part: those of its sightings that are explained, and its own numbers (its release, the places it moves).

    Parameters
    ----------
    seen : Observations
        At the times of their frames.
    fit : StrokeFit
        To the same, as they were made under `shutter`.
    """

    def __init__(
        self, seen: Observations, state: State, fit: StrokeFit, figures: Figures, place_sigma: float, shutter: RollingShutter
    ) -> None:
        placed = tuple(int(name[1:]) for name in fit.names if name[0] == "x")
        self.unknowns, self.figures = Unknowns(state, fit.striker, placed), figures
        self.theta = fit.values[: len(self.unknowns)].copy()
        good = shutter.on_time(seen, figures.board.side).t <= fit.explained[seen.disc]
        self.seen = seen.where(good)
        self.evidence = Evidence(
            seen=self.seen,
            sigma=self.seen.sigma,
            counts=np.ones(len(self.seen), bool),
            still=still_numbers(state, figures.board, figures.dynamics),
            area=figures.board.side**2,
            spread=np.full(len(state), place_sigma),
            friction_sigma=0.0,
            when=(fit.release.time, TIME_SIGMA),
            direction=fit.release.direction,
        )
        own = self.evidence.target(self.unknowns, self.evidence.counts)
        # sightings of one moment, whatever the shutter: frames, and in these the strips in which moving discs are seen
        strips = moving_parts(seen, figures.board.side)[good] if figures.shutter() else np.zeros((len(self.seen), 2))
        moments, at = np.unique(np.column_stack([self.seen.t, strips]), axis=0, return_inverse=True)
        self.frames, self.parts, self.moment = moments[:, 0], moments[:, 1:], at.reshape(-1)
        prior = Prior(np.concatenate([own.prior.mean, figures.mean]), np.concatenate([own.prior.sd, np.full(len(figures), ANYTHING)]))
        self.least = np.concatenate([own.steps, figures.steps()])
        self.target = Target(self._predict, own.seen, own.sigma, own.area, prior, self.least)
        self.steps = self.least.copy()

    def _predict(self, both: Array) -> Array:
        """From its own numbers and the figures, shape (B, P + F), to places of its sightings, shape (B, K, 2)."""
        own, values = both[:, : len(self.unknowns)], self.figures.clipped(both[:, len(self.unknowns) :])
        numbers = self.figures.write(self.unknowns.numbers(own, self.evidence.still), values)
        shutter = self.figures.shutter()
        times = self.frames - own[:, :1] + (values[:, shutter] @ self.parts.T if shutter else 0.0)
        order = np.argsort(times, axis=1, kind="stable")
        found = places(numbers, len(self.unknowns.state), np.take_along_axis(times, order, axis=1))
        return found[np.arange(len(own))[:, None], np.argsort(order, axis=1, kind="stable")[:, self.moment], self.seen.disc]

    def cost(self, thetas: Array, values: Array) -> Array:
        """In nats, shape (B,), of its own numbers, shape (B, P), and figures, shape (B, F)."""
        return self.target.cost(np.concatenate([thetas, values], axis=1))[0]

    def normal(self, values: Array) -> tuple[Array, Array]:
        """Information, shape (P + F, P + F), and right side, shape (P + F,), of its own numbers and the figures."""
        both = np.concatenate([self.theta, values])[None]
        _, residual = self.target.cost(both)
        information, right = equations(self.target, both, residual, self.steps[None], np.arange(both.shape[1]))
        diagonal = np.maximum(np.diagonal(information[0]), np.finfo(float).tiny)
        self.steps = np.clip(REACH / np.sqrt(diagonal), NARROW * self.least, WIDE * self.least)
        return information[0], right[0]


class Joint:
    """The least squares of all strokes together."""

    def __init__(self, strokes: Sequence[Stroke], figures: Figures) -> None:
        self.strokes, self.figures = [s for s in strokes if len(s.seen)], figures

    def solve(self, values: Array) -> tuple[Array, Array]:
        """The best figures, shape (F,), and their covariance, shape (F, F)."""
        damping = DAMPING
        cost = self._cost(values[None], [s.theta[None] for s in self.strokes])[0]
        for _ in range(STEPS):
            parts = [s.normal(values) for s in self.strokes]
            tried = [self._step(parts, values, damping * d) for d in DAMPINGS]
            figures = np.array([v for v, _ in tried])
            costs = self._cost(figures, [np.array([own[k] for _, own in tried]) for k in range(len(self.strokes))])
            best = int(np.argmin(costs))
            gain = cost - costs[best]
            if gain > 0:
                cost, values = costs[best], figures[best]
                for s, theta in zip(self.strokes, tried[best][1], strict=True):
                    s.theta = theta
                damping = max(damping * DAMPINGS[best] / 10, LEAST_DAMPING)
                if gain < CONTENT:
                    break
            else:
                damping *= DAMPINGS[-1] * 10
                if damping > MOST_DAMPING:
                    break
        return values, self._covariance(values)

    def _cost(self, values: Array, thetas: Sequence[Array]) -> Array:
        prior = 0.5 * np.sum(((values - self.figures.mean) / self.figures.sd) ** 2, axis=1)
        total: Array = prior + sum(s.cost(theta, values) for s, theta in zip(self.strokes, thetas, strict=True))
        return total

    def _step(self, parts: Sequence[tuple[Array, Array]], values: Array, damping: float) -> tuple[Array, list[Array]]:
        """Figures and each stroke's own numbers after a damped step."""
        shared: Array = np.diag(self.figures.sd**-2)
        right: Array = -(values - self.figures.mean) / self.figures.sd**2
        kept = []
        for h, g in parts:
            p = len(g) - len(values)
            own = h[:p, :p] + damping * np.diag(np.diag(h[:p, :p]))
            across = np.linalg.solve(own, np.column_stack([h[:p, p:], g[:p]]))
            shared = shared + h[p:, p:] - h[p:, :p] @ across[:, :-1]
            right = right + g[p:] - h[p:, :p] @ across[:, -1]
            kept.append(across)
        new = self.figures.clipped(values + np.linalg.solve(shared + damping * np.diag(np.diag(shared)), right))
        own_new = [s.theta + a[:, -1] - a[:, :-1] @ (new - values) for s, a in zip(self.strokes, kept, strict=True)]
        return new, own_new

    def _covariance(self, values: Array) -> Array:
        """The larger of the inverse information and the sandwich of the strokes' own pulls."""
        shared: Array = np.diag(self.figures.sd**-2)
        pulls = []
        for s in self.strokes:
            h, g = s.normal(values)
            p = len(g) - len(values)
            across = np.linalg.solve(h[:p, :p], np.column_stack([h[:p, p:], g[:p]]))
            shared = shared + h[p:, p:] - h[p:, :p] @ across[:, :-1]
            pulls.append(g[p:] - h[p:, :p] @ across[:, -1])
        inverse = np.linalg.inv(shared)
        pull = np.array(pulls)
        sandwich = inverse @ (pull.T @ pull) @ inverse * len(pulls) / max(len(pulls) - len(values), 1)
        model, robust = np.sqrt(np.diag(inverse)), np.sqrt(np.diag(sandwich))
        larger = np.maximum(robust / model, 1.0)
        return np.asarray(inverse * larger[:, None] * larger, np.float64)
