"""The figures of a board, from what was seen of many of its strokes.

What all strokes share (frictions, restitutions) and what each has for itself (its release, and the places of the discs it
moves) are found together by damped least squares, as in `levenberg`. Each stroke's own numbers are eliminated first (Schur
complement), so that many strokes cost no more than the sum of them. The strokes are fitted one by one before
(`fit_stroke`), which says until when each is explained, and again with what was found, as then they are explained for longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from models.board import ICF, BoardSpec
from models.physics.dynamics import Contact, Dynamics
from models.physics.fit import FRICTION_SIGMA, PLACE_SIGMA, StrokeFit, fit_stroke
from models.physics.joint import SHUTTER, Figures, Joint, Stroke
from models.physics.observations import Array, Observations
from models.physics.shutter import RollingShutter
from models.physics.state import State

ROUNDS: Final = 4
"""The strokes are fitted so many times, each time with the figures found."""
FIRST_FRICTION_SIGMA: Final = 0.2
"""How well frictions are known when the strokes are fitted for the first time, as a part of them."""
DETERMINED: Final = 0.5
"""A figure whose standard error is below this part of its prior's is determined by the strokes."""
PRIORS: Final = {"friction_piece": 0.2, "friction_striker": 0.2, "restitution": 0.1, "friction": 0.05}
"""Standard deviations before anything is seen: of the decelerations as a part of them, of restitutions, of rim frictions."""
SHUTTER_SIGMA: Final = 0.01
"""The same of a rolling shutter (s), along either side of the board: half of the cameras have one of 5 to 25 ms."""
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
    shutter : RollingShutter
        As found, or as it was given.
    names : tuple of str, length F
        What was looked for, such as "friction_piece" (mm/s^2), "piece_cushion.restitution" or "shutter_y" (s).
    values, errors : ndarray, shape (F,)
        With their standard errors, in the same units.
    covariance : ndarray, shape (F, F)
    undetermined : tuple of str
        What the strokes hardly tell: these stayed near where they were.
    strokes : tuple of StrokeFit
        Each with the figures found; a stroke in which nothing moved is left out.
    """

    dynamics: Dynamics
    shutter: RollingShutter
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
    place_sigma: float = PLACE_SIGMA,
    *,
    fits: Sequence[StrokeFit | None] | None = None,
    rounds: int = ROUNDS,
    shutter: RollingShutter | None = None,
    shutter_sigma: ArrayLike = SHUTTER_SIGMA,
) -> BoardFit:
    """Find the figures of a board.

    Maximum a posteriori, as `fit_stroke`, with normal priors about `dynamics` so that what no stroke shows stays. The
    covariance is the larger of the inverse information and of what the strokes' disagreement makes of it (the cluster-robust
    sandwich: Liang and Zeger 1986).

    Parameters
    ----------
    strokes : sequence of (Observations, State)
        As `fit_stroke` takes them.
    board : BoardSpec
    dynamics : Dynamics, optional
        Where to begin, and about which the figures are expected.
    free : sequence of str
        What to look for: "friction_piece", "friction_striker", and a contact's "restitution" or "friction", as "piece_cushion.restitution".
    place_sigma : float
        How well the places of the discs at rest are known (mm).
    fits : sequence of StrokeFit or None, optional
        What is known of the strokes, to begin with: their releases are then not searched for.
    rounds : int
        How often the strokes are fitted with the figures found.
    shutter : RollingShutter, optional
        Where to begin: with one, it is looked for too. Sightings are at the times of their frames, whatever it is.
    shutter_sigma : float or array_like, shape (2,)
        How well its `x` and `y` are known (s).

    Raises
    ------
    ValueError
        If a name is not known, or no stroke shows a motion.
    """
    first = dynamics or Dynamics()
    names = tuple(free)
    start = np.array([_get(first, name) for name in names])
    sds = np.array([PRIORS[n.rpartition(".")[2]] * (1.0 if "." in n else v) for n, v in zip(names, start, strict=True)])
    if shutter is not None:
        names += SHUTTER
        start, sds = np.append(start, [shutter.x, shutter.y]), np.append(sds, np.broadcast_to(shutter_sigma, 2))
    rolling = shutter or RollingShutter()
    figures = Figures(names, start, sds, first, board)
    found, covariance = start, np.diag(sds**2)
    own = fits or [None] * len(strokes)
    fitted: list[tuple[Observations, State, StrokeFit]] = []
    for k in range(rounds):
        sigma = FRICTION_SIGMA if k else FIRST_FRICTION_SIGMA
        begun = [(seen, state, fit) for (seen, state), fit in zip(strokes, own, strict=True)]
        fitted = _fit_each(fitted or begun, board, _with(first, names, found), rolling, place_sigma, sigma)
        if not fitted:
            raise ValueError("no stroke shows a motion")
        parts = [Stroke(seen, state, fit, figures, place_sigma, rolling) for seen, state, fit in fitted]
        found, covariance = Joint(parts, figures).solve(found)
        rolling = RollingShutter(*found[figures.shutter()].tolist())
    errors = np.sqrt(np.diag(covariance))
    vague = tuple(n for n, e, sd in zip(names, errors, sds, strict=True) if e > DETERMINED * sd)
    return BoardFit(_with(first, names, found), rolling, names, found, errors, covariance, vague, tuple(f for _, _, f in fitted))


def _fit_each(
    strokes: Sequence[tuple[Observations, State, StrokeFit | None]],
    board: BoardSpec,
    dynamics: Dynamics,
    shutter: RollingShutter,
    place_sigma: float,
    friction_sigma: float,
) -> list[tuple[Observations, State, StrokeFit]]:
    fits = []
    for seen, state, before in strokes:
        around = before.release if before else None
        try:
            made = shutter.on_time(seen, board.side)
            fit = fit_stroke(made, state, board, dynamics, around=around, place_sigma=place_sigma, friction_sigma=friction_sigma)
        except ValueError:  # nothing was seen to move
            continue
        fits.append((seen, state, fit))
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
        if name in SHUTTER:
            continue
        holder, _, key = name.rpartition(".")
        changed = replace(getattr(dynamics, holder), **{key: value}) if holder else value
        dynamics = replace(dynamics, **{holder or key: changed})
    return dynamics
