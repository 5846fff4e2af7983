"""Many variations of one moment carried on by the physics: what a filter needs to see how uncertainty spreads.

Only places come out of the core; a velocity is told by two of them, half a millisecond apart.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from models.board import BoardSpec
from models.physics.dynamics import Dynamics
from models.physics.machine import HEAD, PER_DISC
from models.physics.observations import Array
from models.physics.release import VX, X, friction_of, places, still_numbers
from models.physics.state import State

BRIEF: Final = 5e-4
"""Time between the two places that tell a velocity (s)."""


def propagate(state: State, variations: Array, dt: float, board: BoardSpec, dynamics: Dynamics) -> Array:
    """Carry variations of a state on by `dt`.

    Parameters
    ----------
    state : State
        Which discs there are, and their spins.
    variations : ndarray, shape (B, n, 4)
        x, y (mm), vx, vy (mm/s) of each disc in each variation.
    dt : float
        More than `BRIEF` (s).
    board : BoardSpec
    dynamics : Dynamics

    Returns
    -------
    ndarray, shape (B, n, 4)
        NaN for discs that have left the board.
    """
    still = still_numbers(state, board, dynamics)
    numbers = np.tile(still, (len(variations), 1))
    discs = numbers[:, HEAD:].reshape(len(variations), len(state), PER_DISC)
    here = ~np.isnan(state.x)
    discs[:, here, X : VX + 2] = variations[:, here]
    found = places(numbers, len(state), np.tile([dt - BRIEF, dt], (len(variations), 1)))
    v = (found[:, 1] - found[:, 0]) / BRIEF
    speed = np.hypot(v[..., 0], v[..., 1])
    # the mean over the last moment is that of its middle; at its end a sliding disc is slower
    friction = np.array([friction_of(still, i) for i in range(len(state))])
    with np.errstate(invalid="ignore", divide="ignore"):
        kept = np.where(speed > 0, np.maximum(1 - friction * BRIEF / 2 / speed, 0.0), 0.0)
    out: Array = np.concatenate([found[:, 1], v * kept[..., None]], axis=2)
    return out
