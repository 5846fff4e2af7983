"""What a contact does to velocities: impulses along and across the contact's normal."""

from __future__ import annotations

from typing import Final

from models.physics.dynamics import Dynamics

MIN_SEPARATION: Final = 0.5
"""Discs that touch leave each other at no less than this (mm/s); without it, discs pressed together would touch endlessly."""

Motion2 = tuple[float, float, float]
"""Velocity (mm/s) and spin (rad/s) of a disc: vx, vy, spin."""


def discs(
    a: Motion2, b: Motion2, normal: tuple[float, float], masses: tuple[float, float], radii: tuple[float, float], dynamics: Dynamics
) -> tuple[Motion2, Motion2, float]:
    """Two discs meet.

    Parameters
    ----------
    normal : tuple of float
        Unit vector from the centre of a to that of b.

    Returns
    -------
    a, b : Motion2
        Afterwards.
    impulse : float
        Along the normal (N s).
    """
    nx, ny = normal
    ma, mb = masses
    ra, rb = radii
    approach = (a[0] - b[0]) * nx + (a[1] - b[1]) * ny
    leave = max(dynamics.restitution_disc * approach, MIN_SEPARATION)
    push = (approach + leave) / (1 / ma + 1 / mb)
    # tangent (-ny, nx); both rims move with their spin
    slip = -(a[0] - b[0]) * ny + (a[1] - b[1]) * nx + ra * a[2] + rb * b[2]
    limit = dynamics.rubbing_disc * push
    rub = max(-limit, min(limit, slip / (3 / ma + 3 / mb)))
    jx, jy = push * nx - rub * ny, push * ny + rub * nx
    after_a = (a[0] - jx / ma, a[1] - jy / ma, a[2] - 2 * rub / (ma * ra))
    after_b = (b[0] + jx / mb, b[1] + jy / mb, b[2] - 2 * rub / (mb * rb))
    return after_a, after_b, push * 1e-3


def cushion(a: Motion2, normal: tuple[float, float], mass: float, radius: float, dynamics: Dynamics) -> tuple[Motion2, float]:
    """A disc meets a cushion: its motion afterwards and the impulse (N s). `normal` is the unit vector into the cushion."""
    nx, ny = normal
    approach = a[0] * nx + a[1] * ny
    change = approach + max(dynamics.restitution_cushion * approach, MIN_SEPARATION)
    slip = -a[0] * ny + a[1] * nx + radius * a[2]
    limit = dynamics.rubbing_cushion * change
    rub = max(-limit, min(limit, slip / 3))
    after = (a[0] - change * nx + rub * ny, a[1] - change * ny - rub * nx, a[2] - 2 * rub / radius)
    return after, change * mass * 1e-3
