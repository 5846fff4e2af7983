"""The simulation of strokes: one, many, or just where the discs are at given times."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.board import ICF, BoardSpec
from models.physics.dynamics import Dynamics
from models.physics.machine import HEAD, MAX_DISCS, PER_DISC, machine
from models.physics.motion import Motion
from models.physics.state import State

Array = NDArray[np.float64]

T_MAX: Final = 30.0
"""No stroke lasts so long (s)."""
FEW: Final = 16
"""Fewer strokes than this are not worth a second thread."""


def simulate(state: State, board: BoardSpec = ICF, dynamics: Dynamics | None = None, t_max: float = T_MAX) -> Motion:
    """Let the discs slide until all rest.

    Parameters
    ----------
    state : State
        Discs with NaN for a place take no part. Discs may overlap a little, as measured places do: they are moved apart first.
    board : BoardSpec
    dynamics : Dynamics, optional
    t_max : float
        Stop after so many seconds.

    Returns
    -------
    Motion

    Raises
    ------
    ValueError
        If there are more than 64 discs, or one without a radius, a mass or a speed that is a number.
    RuntimeError
        If the discs do not come to an end of their events.
    """
    dynamics = dynamics or Dynamics()
    events, rows, duration, failed = machine().simulate(_numbers(state, board, dynamics, t_max), len(state))
    _check(failed)
    return Motion.of(state, dynamics, events, rows, duration)


def simulate_many(
    states: Sequence[State],
    board: BoardSpec = ICF,
    dynamics: Dynamics | Sequence[Dynamics] | None = None,
    t_max: float = T_MAX,
    workers: int | None = None,
) -> list[Motion]:
    """Simulate many strokes on all cores; `dynamics` one for all or one for each.

    Raises
    ------
    ValueError, RuntimeError
        As `simulate`.
    """
    each = _each(dynamics, len(states))
    threads = _threads(workers, len(states))
    if threads == 1:
        return [simulate(s, board, d, t_max) for s, d in zip(states, each, strict=True)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(simulate, states, repeat(board), each, repeat(t_max)))


def sample(
    states: Sequence[State],
    times: ArrayLike,
    board: BoardSpec = ICF,
    dynamics: Dynamics | Sequence[Dynamics] | None = None,
    workers: int | None = None,
) -> Array:
    """Where the discs of many strokes are at given times; no stroke is simulated further than its last.

    Parameters
    ----------
    states : sequence of State
        All with the same number of discs.
    times : array_like, shape (T,) or (B, T)
        Seconds from the start, in any order: for all strokes, or for each its own.

    Returns
    -------
    ndarray, shape (B, T, n, 2)
        Centres (mm); NaN once a disc has left the board.

    Raises
    ------
    ValueError, RuntimeError
        As `simulate`.
    """
    moments = np.asarray(times, np.float64)
    count, discs = len(states), len(states[0]) if states else 0
    if any(len(s) != discs for s in states):
        raise ValueError("the strokes have not all the same number of discs")
    if moments.ndim not in (1, 2) or (moments.ndim == 2 and len(moments) != count):
        raise ValueError(f"times of shape {moments.shape} for {count} strokes: want (T,) or ({count}, T)")
    out = np.empty((count, moments.shape[-1], discs, 2))
    if 0 in out.shape:
        return out
    order = np.argsort(moments, axis=-1, kind="stable")
    sorted_times = np.take_along_axis(moments, order, -1)
    ends = np.broadcast_to(sorted_times[..., -1], count)
    each = _each(dynamics, count)
    numbers = np.stack([_numbers(s, board, d, max(float(t), 0.0)) for s, d, t in zip(states, each, ends, strict=True)])
    threads = _threads(workers, count)
    most = machine().most_strokes(discs, moments.shape[-1])
    if most < 1:
        raise ValueError(f"too many times at once: {moments.shape[-1]}")
    step = min(most, -(-count // threads))
    parts = [slice(k, min(k + step, count)) for k in range(0, count, step)]

    def work(part: slice) -> None:
        own = sorted_times[part] if moments.ndim == 2 else sorted_times
        found, failed = machine().sample(numbers[part], discs, own)
        _check(failed)
        if moments.ndim == 2:
            np.put_along_axis(out[part], order[part][:, :, None, None], found, axis=1)
        else:
            out[part, order] = found

    if threads == 1:
        for part in parts:
            work(part)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, parts))
    return out


def _each(dynamics: Dynamics | Sequence[Dynamics] | None, count: int) -> Sequence[Dynamics]:
    if dynamics is None or isinstance(dynamics, Dynamics):
        return [dynamics or Dynamics()] * count
    if len(dynamics) != count:
        raise ValueError(f"{len(dynamics)} dynamics for {count} strokes")
    return dynamics


def _threads(workers: int | None, count: int) -> int:
    return max(1, min(workers or os.cpu_count() or 1, count // FEW))


def _check(failed: int) -> None:
    if failed:
        raise RuntimeError("the discs do not come to an end of their events")


def _numbers(state: State, board: BoardSpec, dynamics: Dynamics, t_max: float) -> Array:
    """A stroke as the core reads it."""
    n = len(state)
    if n > MAX_DISCS:
        raise ValueError(f"{n} discs: at most {MAX_DISCS}")
    out = np.empty(HEAD + PER_DISC * n)
    contacts = (dynamics.piece_piece, dynamics.striker_piece, dynamics.piece_cushion, dynamics.striker_cushion)
    out[:4] = board.side, board.pocket_radius, board.pocket_inset, board.corner_radius
    out[4:12] = [v for c in contacts for v in (c.restitution, c.friction)]
    out[12:HEAD] = dynamics.fall_time, dynamics.jump_speed, t_max
    discs = out[HEAD:].reshape(n, PER_DISC)
    here = ~(np.isnan(state.x) | np.isnan(state.y))
    striker = np.array([c == "striker" for c in state.cls], bool)
    friction = np.where(striker, dynamics.friction_striker, dynamics.friction_piece) * state.friction
    discs[:, :9] = np.stack(
        [state.x, state.y, state.vx, state.vy, state.spin, state.radius, state.mass, friction, 4 / 3 * friction / state.radius], axis=1
    )
    discs[:, 9], discs[:, 10] = striker, here
    discs[~here, :5] = 0.0
    if not (np.isfinite(discs).all() and (discs[:, 5:8] > 0).all()):
        raise ValueError("a disc without a radius, a mass, a friction or a speed that is a number")
    return out
