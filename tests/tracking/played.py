"""A board played by the physics core and seen by a simulated eye: detections with their truth, without pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from models.board import ICF, BoardSpec, rack
from models.detections import COVER_CELLS, COVER_MARGIN_MM, Detections
from models.physics import State, simulate
from models.stroke import PIECES, Seat

REACH: dict[Seat, tuple[float, float]] = {"south": (0, 1), "north": (0, -1), "east": (1, 0), "west": (-1, 0)}


@dataclass
class Truth:
    by: Seat
    t: float
    striker: tuple[float, float]
    velocity: tuple[float, float]
    pocketed: list[str]
    touched: bool


@dataclass
class Eye:
    """A simulated eye: what it is shown, it sees with noise, misses and wrong looks, at its own rate."""

    seed: int
    rate: float = 30.0
    jitter: float = 0.0
    misses: float = 0.04
    noise: float = 0.7
    board: BoardSpec = ICF

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)
        self._t, self._before, self._n = 0.0, -1 / self.rate, 0

    def hand(self, seat: Seat, tip: np.ndarray | tuple[float, float], back: float) -> list[float]:
        """An arm's box from beyond the frame to just short of `tip`."""
        d, side = np.array(REACH[seat]), self.board.side
        tip = np.asarray(tip) + d * (self.board.striker_radius * 0.6 + back)
        end = tip + d * 1000
        x0, y0 = np.minimum(tip, end) - 45 * (1 - np.abs(d))
        x1, y1 = np.maximum(tip, end) + 45 * (1 - np.abs(d))
        return [max(x0, -60), max(y0, -60), min(x1, side + 60), min(y1, side + 60), 0.9]

    def cover(self, hands: list[list[float]]) -> np.ndarray:
        middle = (np.arange(COVER_CELLS) + 0.5) * (self.board.side + 2 * COVER_MARGIN_MM) / COVER_CELLS - COVER_MARGIN_MM
        x, y = middle[None, :], middle[:, None]
        cover = np.zeros((COVER_CELLS, COVER_CELLS), bool)
        for x0, y0, x1, y1, _ in hands:
            cover |= (x > x0) & (x < x1) & (y > y0) & (y < y1)
        return cover

    def still(self, state: State, seconds: float, hands: list[list[float]], still: bool | None = None) -> Iterator[Detections]:
        end = self._t + seconds - 1e-9
        k = 0
        while self._t < end:
            quiet = (k > 1 and not hands) if still is None else still
            yield self.see(state.cls, np.array([state.x, state.y]).T, np.zeros((len(state), 2)), hands, still=quiet)
            k += 1

    def see(self, classes, at, v, hands, *, still=False) -> Detections:  # type: ignore[no-untyped-def]
        exposure = 0.008
        rows = []
        for cls, p, w in zip(classes, at, v, strict=True):
            speed = float(np.hypot(*np.nan_to_num(w)))
            if not np.isfinite(p[0]):
                continue
            if any(h[0] < p[0] < h[2] and h[1] < p[1] < h[3] for h in hands) or self._rng.random() < (self.misses if speed > 50 else 0.003):
                continue
            r = self.board.radius(cls)
            q = p + self._rng.normal(0, self.noise * (2.0 if speed > 50 else 1.0), 2)
            prob = np.full(4, 0.01)
            prob[PIECES.index(cls)] = 0.97 if speed < 500 else 0.6
            if self._rng.random() < 0.01:
                prob = np.roll(prob, 1)
            rows.append([*q, r, 2 * r + abs(w[0]) * exposure, 2 * r + abs(w[1]) * exposure, *prob / prob.sum()])
        a = np.array(rows).reshape(-1, 9)
        self._n += 1
        det = Detections(
            self._n,
            self._t,
            a[:, 0],
            a[:, 1],
            a[:, 2],
            a[:, 3],
            a[:, 4],
            a[:, 5:],
            np.full(len(a), 0.9),
            np.array(hands).reshape(-1, 5),
            self.cover(hands),
            self._before,
            still,
        )
        self._before = self._t
        self._t += (1 + (self._rng.uniform(-self.jitter, self.jitter) if self.jitter else 0)) / self.rate
        return det


@dataclass
class Played(Eye):
    """The script of a board: strokes at random, pieces put back when the striker falls; `frames()` is what an eye sees."""

    strokes: int = 8
    seats: tuple[Seat, ...] = ("south", "north")
    truth: list[Truth] = field(default_factory=list)
    placed: list[str] = field(default_factory=list)
    left: dict[str, int] = field(default_factory=dict)

    def frames(self) -> Iterator[Detections]:
        rng = self._rng
        classes, xy = rack(self.board)
        state = State.resting(classes, xy, self.board)
        yield from self.still(state, 1.0, [])
        won: list[str] = []
        for n in range(self.strokes):
            seat = self.seats[n % len(self.seats)]
            place = self.board.base_position(seat, rng.uniform(200, 540))
            mine = [i for i in range(len(state)) if state.cls[i] != "striker"]
            if not mine:
                break
            aim = np.array([state.x, state.y]).T[rng.choice(mine)] + rng.normal(0, 9, 2)
            speed = rng.uniform(900, 3500) if n else 3500
            u = (aim - place) / np.hypot(*(aim - place))
            with_striker = State.resting([*state.cls, "striker"], np.vstack([np.array([state.x, state.y]).T, place]), self.board)
            yield from self.still(state, 0.4, [self.hand(seat, place, 0)])
            for k in range(12):
                yield from self.still(with_striker, 1 / self.rate, [self.hand(seat, place, 0)], still=k > 8)
            s = len(state)
            motion = simulate(with_striker.struck(s, *(speed * u)), self.board)
            start = self._before + rng.uniform(0, 1) / self.rate
            falls = [(f.index, f.t) for f in motion.pocketed]
            self.truth.append(
                Truth(
                    seat,
                    start,
                    tuple(place),
                    tuple(speed * u / 1000),
                    [with_striker.cls[i] for i, _ in falls],
                    motion.first_contact is not None,
                )
            )
            while self._t < start + motion.duration + 0.5:
                at = motion.positions(np.array([self._t - start if self._t > start else 0.0]))[0]
                v = motion.velocities(np.array([max(self._t - start, 0.0)]))[0]
                yield self.see(with_striker.cls, at, v, [self.hand(seat, place, 60 + 400 * (self._t - start))])
            end = motion.positions(np.array([motion.duration + 1.0]))[0]
            keep = [i for i in range(s) if np.isfinite(end[i, 0])]
            state = State.resting([with_striker.cls[i] for i in keep], end[keep], self.board)
            after = state
            if np.isfinite(end[s, 0]):
                after = State.resting([*state.cls, "striker"], np.vstack([end[keep], end[s]]), self.board)
            yield from self.still(after, 0.5, [])
            if np.isfinite(end[s, 0]):
                yield from self.still(state, 0.4, [self.hand(seat, end[s], 0)])
            yield from self.still(state, 0.4, [])
            won += [with_striker.cls[i] for i, _ in falls if with_striker.cls[i] != "striker"]
            if any(with_striker.cls[i] == "striker" for i, _ in falls) and won:
                spot = self._free_spot(state)
                state = State.resting([*state.cls, won[-1]], np.vstack([end[keep], spot]), self.board)
                self.placed.append(won.pop())
                other = self.seats[(n + 1) % len(self.seats)]
                yield from self.still(state, 0.5, [self.hand(other, spot, 0)])
                yield from self.still(state, 0.6, [])
        self.left = {c: list(state.cls).count(c) for c in ("white", "black", "queen")}

    def _free_spot(self, state: State) -> np.ndarray:
        while True:
            spot = self.board.side / 2 + self._rng.uniform(-60, 60, 2)
            if len(state) == 0 or np.hypot(state.x - spot[0], state.y - spot[1]).min() > 34:
                return spot
