"""A second opinion on the physics: the same laws, stepped through time in small steps. Needs numba (extra `bench`).

Nothing is shared with the core: each step moves every disc along its parabola, and where two discs (or a disc and a cushion) have come
to overlap, the step is cut at the moment of contact, found by interpolation, and Newton's and Coulomb's laws are applied there.
"""

from __future__ import annotations

from math import hypot
from typing import Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.board import BoardSpec
from models.physics import Dynamics, State

Array = NDArray[np.float64]

DT: Final = 1e-6
"""(s)"""
ELASTIC: Final = 0.5
"""Contacts slower than this are elastic (mm/s), as in the core."""


def stepped(state: State, board: BoardSpec, dynamics: Dynamics, times: Array) -> Array:
    """Places at `times` (ascending), shape (T, n, 2); no disc may come to a pocket or a rounded corner."""
    bodies = np.stack([state.x, state.y, state.vx, state.vy, state.spin], axis=1)
    striker = np.array([c == "striker" for c in state.cls])
    friction = np.where(striker, dynamics.friction_striker, dynamics.friction_piece) * state.friction
    contacts = np.array(
        [
            (c.restitution, c.friction)
            for c in (dynamics.piece_piece, dynamics.striker_piece, dynamics.piece_cushion, dynamics.striker_cushion)
        ]
    )
    found: Array = _run(bodies, state.radius, state.mass, friction, striker, contacts, board.side, times, DT)
    return found


@njit(cache=False)
def _move(b: Array, friction: Array, radius: Array, dt: float) -> None:
    for i in range(len(b)):
        speed = hypot(b[i, 2], b[i, 3])
        if speed > 0:
            left = max(speed - friction[i] * dt, 0.0)
            way = (speed + left) / 2 * min(dt, speed / friction[i])
            b[i, 0] += b[i, 2] / speed * way
            b[i, 1] += b[i, 3] / speed * way
            b[i, 2] *= left / speed
            b[i, 3] *= left / speed
        lost = 4 / 3 * friction[i] / radius[i] * dt
        b[i, 4] = np.sign(b[i, 4]) * max(abs(b[i, 4]) - lost, 0.0)


@njit(cache=False)
def _gap(b: Array, radius: Array, side: float, i: int, j: int) -> float:
    """Between discs i and j, or disc i and cushion -1 to -4."""
    if j >= 0:
        return hypot(b[j, 0] - b[i, 0], b[j, 1] - b[i, 1]) - radius[i] - radius[j]
    if j == -1:
        return b[i, 0] - radius[i]
    if j == -2:
        return side - radius[i] - b[i, 0]
    if j == -3:
        return b[i, 1] - radius[i]
    return side - radius[i] - b[i, 1]


@njit(cache=False)
def _hit(b: Array, radius: Array, mass: Array, i: int, j: int, e: float, mu: float) -> None:
    if j >= 0:
        d = hypot(b[j, 0] - b[i, 0], b[j, 1] - b[i, 1])
        nx, ny = (b[j, 0] - b[i, 0]) / d, (b[j, 1] - b[i, 1]) / d
        vx, vy, light = b[i, 2] - b[j, 2], b[i, 3] - b[j, 3], 1 / mass[i] + 1 / mass[j]
        turning = radius[i] * b[i, 4] + radius[j] * b[j, 4]
    else:
        nx, ny = (-1.0 if j == -1 else 1.0 if j == -2 else 0.0), (-1.0 if j == -3 else 1.0 if j == -4 else 0.0)
        vx, vy, light, turning = b[i, 2], b[i, 3], 1 / mass[i], radius[i] * b[i, 4]
    u = vx * nx + vy * ny
    if u <= 0:
        return
    p = (u + max(e * u, min(u, ELASTIC))) / light
    slip = -vx * ny + vy * nx + turning
    q = max(-mu * p, min(mu * p, slip / (3 * light)))
    b[i, 2] -= (p * nx - q * ny) / mass[i]
    b[i, 3] -= (p * ny + q * nx) / mass[i]
    b[i, 4] -= 2 * q / (mass[i] * radius[i])
    if j >= 0:
        b[j, 2] += (p * nx - q * ny) / mass[j]
        b[j, 3] += (p * ny + q * nx) / mass[j]
        b[j, 4] -= 2 * q / (mass[j] * radius[j])


@njit(cache=False)
def _run(
    b: Array,
    radius: Array,
    mass: Array,
    friction: Array,
    striker: NDArray[np.bool_],
    contacts: Array,
    side: float,
    times: Array,
    step: float,
) -> Array:
    n = len(b)
    out = np.empty((len(times), n, 2))
    t = 0.0
    for k in range(len(times)):
        while t < times[k]:
            left = min(step, times[k] - t)
            t += left
            while left > 0:
                before = b.copy()
                _move(b, friction, radius, left)
                cut, who, what = 1.0, -1, 0
                for i in range(n):
                    for j in range(-4, n):
                        if 0 <= j <= i:
                            continue
                        now = _gap(b, radius, side, i, j)
                        if now >= 0:
                            continue
                        was = _gap(before, radius, side, i, j)
                        if was <= now:
                            continue
                        share = max(was, 0.0) / (max(was, 0.0) - now)
                        if share < cut:
                            cut, who, what = share, i, j
                if who < 0:
                    break
                b[:] = before
                _move(b, friction, radius, cut * left)
                hits_striker = striker[who] or (what >= 0 and striker[what])
                kind = (1 if hits_striker else 0) if what >= 0 else (3 if hits_striker else 2)
                _hit(b, radius, mass, who, what, contacts[kind, 0], contacts[kind, 1])
                left *= 1 - cut
        out[k] = b[:, :2]
    return out
