"""From event to event: the simulation of a stroke.

Each disc's next meeting with a cushion, a pocket's lip or another disc is predicted exactly and kept in a queue; when
something changes a disc's motion, only the predictions that concern it are made anew.
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import hypot, inf, isnan
from typing import Final

import numpy as np

from models.board import ICF, BoardSpec
from models.physics import resolve
from models.physics.contact import enter_circle, first_contact, leave_circle, time_along
from models.physics.dynamics import Dynamics
from models.physics.motion import Course, Event, Fall, Motion
from models.physics.state import State
from models.stroke import POCKETS

T_MAX: Final = 30.0
"""No stroke lasts so long (s)."""
SINK: Final = 5e-4
"""Discs are taken to touch once they overlap by so much (mm), so that discs at rest side by side do not."""
MAX_EVENTS: Final = 20_000
"""More events than any stroke has: the sign of a state that cannot be."""

# what is waited for; the order decides between things that happen at the same time
FALL, LIP, OUT, REST, DISC, CUSHION = range(6)
WALLS: Final = ((-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0))


def simulate(state: State, board: BoardSpec = ICF, dynamics: Dynamics | None = None, t_max: float = T_MAX) -> Motion:
    """Let the discs slide until all rest.

    Parameters
    ----------
    state : State
        Discs with NaN for a place take no part. Discs may overlap a little, as measured places do: those part when they meet.
    board : BoardSpec
    dynamics : Dynamics, optional
    t_max : float
        Stop after so many seconds.

    Returns
    -------
    Motion

    Raises
    ------
    RuntimeError
        If the discs do not come to an end of their events.
    """
    return _Run(state, board, dynamics or Dynamics()).until(t_max)


class _Run:
    def __init__(self, state: State, board: BoardSpec, dynamics: Dynamics) -> None:
        n = len(state)
        self.state, self.board, self.dynamics = state, board, dynamics
        self.x, self.y = state.x.tolist(), state.y.tolist()
        self.vx, self.vy, self.spin = state.vx.tolist(), state.vy.tolist(), state.spin.tolist()
        self.r, self.m = state.radius.tolist(), state.mass.tolist()
        self.friction = [dynamics.friction(c) for c in state.cls]
        self.spin_friction = [dynamics.spin_friction(c, r) for c, r in zip(state.cls, self.r, strict=True)]
        self.here = [not isnan(x) for x in self.x]
        self.gone = [inf if here else -inf for here in self.here]
        self.since = [0.0] * n
        self.version = [0] * n
        self.over: list[tuple[int, float] | None] = [None] * n  # which pocket, and when it falls unless it leaves
        self.pockets = [board.pockets()[p] for p in POCKETS]
        self.queue: list[tuple[float, int, int, int, int, int]] = []
        self.rows: list[list[tuple[float, float, float, float, float, float]]] = [[] for _ in range(n)]
        self.events: list[Event] = []
        self.falls: list[Fall] = []
        self.first: tuple[int, float] | None = None
        for i in range(n):
            self._record(i, 0.0)
        for i in range(n):
            if self.here[i]:
                self._start_over_pocket(i)
                self._predict(i, 0.0, after=i)

    def until(self, t_max: float) -> Motion:
        end = 0.0
        while self.queue:
            t, kind, i, j, version, other = heappop(self.queue)
            if t > t_max:
                end = t_max
                break
            if kind == FALL:
                if self.over[i] != (j, t):
                    continue
            elif version != self.version[i] or (kind == DISC and other != self.version[j]):
                continue
            if kind == LIP:
                self._over(i, j, t)
            elif kind == OUT:
                self.over[i] = None
                self._predict_lip(i, t)
            else:
                end = t
                self._happen(t, kind, i, j)
            if len(self.events) > MAX_EVENTS:
                raise RuntimeError(f"the discs do not come to rest: {MAX_EVENTS} events after {t:.3f} s")
        return self._result(end)

    def _happen(self, t: float, kind: int, i: int, j: int) -> None:
        if kind == FALL:
            self.here[i], self.gone[i], self.over[i] = False, t, None
            self.version[i] += 1
            self.falls.append(Fall(i, POCKETS[j], t))
            self.events.append(Event(t, "pocket", (i, -1)))
            return
        self._advance(i, t)
        if kind == REST:
            self.vx[i] = self.vy[i] = 0.0
            self.events.append(Event(t, "rest", (i, -1)))
        elif kind == CUSHION:
            after, impulse = resolve.cushion((self.vx[i], self.vy[i], self.spin[i]), WALLS[j], self.m[i], self.r[i], self.dynamics)
            self.vx[i], self.vy[i], self.spin[i] = after
            self.events.append(Event(t, "cushion", (i, -1), impulse))
        else:
            self._advance(j, t)
            self._collide(i, j, t)
            self._changed(j, t)
        self._changed(i, t)

    def _collide(self, i: int, j: int, t: float) -> None:
        dx, dy = self.x[j] - self.x[i], self.y[j] - self.y[i]
        d = hypot(dx, dy) or 1.0
        a, b, impulse = resolve.discs(
            (self.vx[i], self.vy[i], self.spin[i]),
            (self.vx[j], self.vy[j], self.spin[j]),
            (dx / d, dy / d),
            (self.m[i], self.m[j]),
            (self.r[i], self.r[j]),
            self.dynamics,
        )
        self.vx[i], self.vy[i], self.spin[i] = a
        self.vx[j], self.vy[j], self.spin[j] = b
        self.events.append(Event(t, "disc", (i, j), impulse))
        if self.first is None and "striker" in (self.state.cls[i], self.state.cls[j]):
            self.first = (i if self.state.cls[j] == "striker" else j, t)

    def _place(self, i: int, t: float) -> tuple[float, float, float, float]:
        """Place and velocity of disc i at `t`."""
        dt = t - self.since[i]
        speed = hypot(self.vx[i], self.vy[i])
        if dt <= 0 or speed == 0:
            return self.x[i], self.y[i], self.vx[i], self.vy[i]
        kept = max(0.0, 1 - self.friction[i] * dt / speed)
        way = dt * (1 + kept) / 2 if kept > 0 else speed / (2 * self.friction[i])
        return self.x[i] + self.vx[i] * way, self.y[i] + self.vy[i] * way, self.vx[i] * kept, self.vy[i] * kept

    def _advance(self, i: int, t: float) -> None:
        self.x[i], self.y[i], self.vx[i], self.vy[i] = self._place(i, t)
        lost = self.spin_friction[i] * (t - self.since[i])
        self.spin[i] = max(0.0, self.spin[i] - lost) if self.spin[i] > 0 else min(0.0, self.spin[i] + lost)
        self.since[i] = t

    def _changed(self, i: int, t: float) -> None:
        self.version[i] += 1
        self._record(i, t)
        self._predict(i, t)

    def _record(self, i: int, t: float) -> None:
        self.rows[i].append((t, self.x[i], self.y[i], self.vx[i], self.vy[i], self.spin[i]))

    def _predict(self, i: int, t: float, after: int = -1) -> None:
        """Queue what disc i, whose motion is known from `t` on, meets next; of the other discs only those numbered above `after`."""
        speed = hypot(self.vx[i], self.vy[i])
        if speed > 0:
            heappush(self.queue, (t + speed / self.friction[i], REST, i, -1, self.version[i], 0))
            self._predict_wall(i, t, speed)
            self._predict_lip(i, t)
        for j in range(after + 1, len(self.x)):
            if j != i and self.here[j]:
                wait = self._meeting(i, j, t, speed)
                if wait < inf:
                    heappush(self.queue, (t + wait, DISC, i, j, self.version[i], self.version[j]))

    def _predict_wall(self, i: int, t: float, speed: float) -> None:
        best, wall = inf, -1
        for k, (nx, ny) in enumerate(WALLS):
            towards = (self.vx[i] * nx + self.vy[i] * ny) / speed
            if towards <= 0:
                continue
            place = self.x[i] * nx + self.y[i] * ny
            edge = (self.board.side if nx + ny > 0 else 0.0) - self.r[i]
            wait = time_along((edge - place) / towards, speed, self.friction[i])
            if wait < best:
                best, wall = wait, k
        if wall >= 0:
            heappush(self.queue, (t + best, CUSHION, i, wall, self.version[i], 0))

    def _predict_lip(self, i: int, t: float) -> None:
        x, y, vx, vy = self._place(i, t)
        speed = hypot(vx, vy)
        if speed == 0:
            return
        ux, uy, radius = vx / speed, vy / speed, self.board.pocket_radius
        over = self.over[i]
        if over is not None:
            px, py = self.pockets[over[0]]
            wait = time_along(leave_circle(x - px, y - py, ux, uy, radius), speed, self.friction[i])
            if wait < inf:
                heappush(self.queue, (t + wait, OUT, i, over[0], self.version[i], 0))
            return
        best, pocket = inf, -1
        for k, (px, py) in enumerate(self.pockets):
            way = enter_circle(x - px, y - py, ux, uy, radius)
            if way < best:
                best, pocket = way, k
        wait = time_along(best, speed, self.friction[i])
        if wait < inf:
            heappush(self.queue, (t + wait, LIP, i, pocket, self.version[i], 0))

    def _meeting(self, i: int, j: int, t: float, speed: float) -> float:
        """Time from `t` until i and j touch, both keeping to their present motion; inf if they do not."""
        xj, yj, vxj, vyj = self._place(j, t)
        other = hypot(vxj, vyj)
        px, py = self.x[i] - xj, self.y[i] - yj
        reach = self.r[i] + self.r[j] - SINK
        way = speed * speed / (2 * self.friction[i]) + other * other / (2 * self.friction[j])
        if way == 0 or px * px + py * py > (reach + way) ** 2:
            return inf
        if other == 0:
            return time_along(enter_circle(px, py, self.vx[i] / speed, self.vy[i] / speed, reach), speed, self.friction[i])
        if speed == 0:
            return time_along(enter_circle(-px, -py, vxj / other, vyj / other, reach), other, self.friction[j])
        stop_i, stop_j = speed / self.friction[i], other / self.friction[j]
        ax, ay = -self.vx[i] / stop_i + vxj / stop_j, -self.vy[i] / stop_i + vyj / stop_j
        return first_contact(px, py, self.vx[i] - vxj, self.vy[i] - vyj, ax, ay, reach, min(stop_i, stop_j))

    def _start_over_pocket(self, i: int) -> None:
        for k, (px, py) in enumerate(self.pockets):
            if hypot(self.x[i] - px, self.y[i] - py) < self.board.pocket_radius:
                self._over(i, k, 0.0)

    def _over(self, i: int, pocket: int, t: float) -> None:
        falls = t + self.dynamics.fall_time
        self.over[i] = (pocket, falls)
        heappush(self.queue, (falls, FALL, i, pocket, 0, 0))
        self._predict_lip(i, t)

    def _result(self, end: float) -> Motion:
        courses = []
        for i, rows in enumerate(self.rows):
            table = np.array(rows, np.float64)
            courses.append(Course(table[:, 0], table[:, 1:], self.friction[i], self.spin_friction[i], self.gone[i]))
        s = self.state
        last = [c.at(np.array([end]))[0] for c in courses]
        x, y, vx, vy, spin = np.array(last, np.float64).reshape(-1, 5).T
        final = State(s.cls, x, y, vx, vy, spin, s.radius, s.mass)
        return Motion(tuple(self.events), final, self.first, self.first is not None, tuple(self.falls), end, tuple(courses))
