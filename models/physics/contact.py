"""When discs meet: exact times of contact under constant deceleration.

Between two events a disc moves on a straight line, at distance v t - a t^2 / 2 from where it was. Cushions, lips of
pockets and resting discs are therefore met at the root of a quadratic; two moving discs at that of a quartic, which
is found between the extremes of the polynomial, so that no contact is missed.
"""

from __future__ import annotations

from math import inf, sqrt

Quartic = tuple[float, float, float, float, float]
"""Coefficients from t^4 down to the constant."""


def time_along(distance: float, speed: float, friction: float) -> float:
    """Time until a disc of `speed` has slid `distance`; inf if it stops before."""
    if distance <= 0:
        return 0.0
    rest = speed * speed - 2 * friction * distance
    if rest < 0 or speed <= 0:
        return inf
    # the form without cancellation of (v - sqrt(v^2 - 2 a s)) / a
    return 2 * distance / (speed + sqrt(rest))


def enter_circle(px: float, py: float, ux: float, uy: float, radius: float) -> float:
    """Distance along the unit vector u from p to where it enters the circle of `radius` about the origin; inf if it does not.

    A point inside that moves inwards has entered it already: 0.
    """
    along = px * ux + py * uy
    if along >= 0:
        return inf
    gap = px * px + py * py - radius * radius
    if gap <= 0:
        return 0.0
    disc = along * along - gap
    return inf if disc < 0 else gap / (-along + sqrt(disc))


def leave_circle(px: float, py: float, ux: float, uy: float, radius: float) -> float:
    """Distance along the unit vector u from p, inside the circle of `radius` about the origin, to where it leaves it."""
    along = px * ux + py * uy
    gap = px * px + py * py - radius * radius
    return -along + sqrt(max(along * along - gap, 0.0))


def first_contact(px: float, py: float, vx: float, vy: float, ax: float, ay: float, reach: float, horizon: float) -> float:
    """Earliest time in [0, horizon] at which two discs are within `reach` of each other and approaching; inf if never.

    Parameters
    ----------
    px, py, vx, vy, ax, ay : float
        Place, velocity and acceleration of one disc relative to the other.
    reach : float
        Distance of the centres at contact.
    horizon : float
        Both discs keep their acceleration until then.
    """
    q: Quartic = (
        0.25 * (ax * ax + ay * ay),
        vx * ax + vy * ay,
        vx * vx + vy * vy + px * ax + py * ay,
        2 * (px * vx + py * vy),
        px * px + py * py - reach * reach,
    )
    left = 0.0
    for right in [*_extremes(q, horizon), horizon]:
        if _value(q, right) < 0 and _slope(q, 0.5 * (left + right)) < 0:
            return left if _value(q, left) <= 0 else _root(q, left, right)
        left = right
    return inf


def _value(q: Quartic, t: float) -> float:
    return (((q[0] * t + q[1]) * t + q[2]) * t + q[3]) * t + q[4]


def _slope(q: Quartic, t: float) -> float:
    return ((4 * q[0] * t + 3 * q[1]) * t + 2 * q[2]) * t + q[3]


def _extremes(q: Quartic, horizon: float) -> list[float]:
    """Where the slope changes its sign in (0, horizon), in order."""
    marks = [0.0]
    a, b, c = 12 * q[0], 6 * q[1], 2 * q[2]
    disc = b * b - 4 * a * c
    if disc > 0:
        w = -0.5 * (b + sqrt(disc)) if b >= 0 else -0.5 * (b - sqrt(disc))
        bends = [w / a] if a > 0 else []
        if w != 0:
            bends.append(c / w)
        marks += sorted(t for t in bends if 0 < t < horizon)
    marks.append(horizon)
    found = []
    slope: Quartic = (0.0, 4 * q[0], 3 * q[1], 2 * q[2], q[3])
    low = _value(slope, marks[0])
    for k in range(1, len(marks)):
        high = _value(slope, marks[k])
        if (low < 0) != (high < 0):
            found.append(_root(slope, marks[k - 1], marks[k]))
        low = high
    return found


def _root(q: Quartic, left: float, right: float) -> float:
    """The root between `left` and `right`, where the signs differ: Newton's steps kept inside a shrinking bracket."""
    rising = _value(q, right) > 0
    t = 0.5 * (left + right)
    for _ in range(60):
        value, slope = _value(q, t), _slope(q, t)
        if (value > 0) == rising:
            right = t
        else:
            left = t
        new = t - value / slope if slope != 0 else left
        if not left < new < right:
            new = 0.5 * (left + right)
        if abs(new - t) < 1e-15 + 1e-14 * abs(t):
            return new
        t = new
    return t
