"""Scenes at the board written by hand for the simulated eye: who does what, one thing after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from models.board import rack
from models.detections import COVER_CELLS, Detections
from models.physics import State, simulate
from models.stroke import PIECES, Piece, Placing, Seat, Stroke
from tests.tracking.played import Eye, Truth
from tracking.watcher import BoardWatcher

INWARD: dict[Seat, tuple[float, float]] = {"south": (0, -1), "north": (0, 1), "east": (-1, 0), "west": (1, 0)}
FEW: tuple[tuple[Piece, float, float], ...] = (
    ("white", 250, 250),
    ("white", 500, 300),
    ("black", 330, 420),
    ("black", 480, 500),
    ("queen", 370, 370),
)
"""Some pieces far from each other and from the base lines."""


@dataclass
class Scene(Eye):
    """A board and what happens on it; every method gives what the eye sees meanwhile. `pieces`: empty for the rack."""

    pieces: tuple[tuple[Piece, float, float], ...] = FEW
    truth: list[Truth] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.striker: np.ndarray | None = None
        self.cls: list[Piece] = [p[0] for p in self.pieces]
        self.xy = np.array([p[1:] for p in self.pieces]).reshape(-1, 2)
        if not self.pieces:
            self.cls, self.xy = rack(self.board)

    @property
    def lies(self) -> State:
        """What lies on the board."""
        if self.striker is None:
            return State.resting(self.cls, self.xy, self.board)
        return State.resting([*self.cls, "striker"], np.vstack([self.xy, self.striker]), self.board)

    def quiet(self, seconds: float) -> Iterator[Detections]:
        """Nothing moves: the eye looks a few times, then once a second."""
        end, looks = self._t + seconds - 1e-9, 0
        while self._t < end:
            yield from self.still(self.lies, 1 / self.rate, [], still=looks > 0)
            looks += 1
            if looks > 3:
                self._t = min(self._t + 1.0, end)
                self._before = self._t - 1 / self.rate

    def over(self, seat: Seat, at: tuple[float, float] | np.ndarray, seconds: float) -> Iterator[Detections]:
        """A hand over the board, its finger at `at`."""
        yield from self.still(self.lies, seconds, [self.hand(seat, at, 0)], still=False)

    def dark(self, seconds: float) -> Iterator[Detections]:
        """The camera was moved: nothing is to be seen until it is known where the board is."""
        end, no = self._t + seconds - 1e-9, np.zeros(0)
        while self._t < end:
            self._n += 1
            all_ = np.ones((COVER_CELLS, COVER_CELLS), bool)
            yield Detections(
                self._n, self._t, no, no, no, no, no, np.zeros((0, len(PIECES))), no, np.zeros((0, 5)), all_, self._before
            )  # fmt: skip
            self._before = self._t
            self._t += 1 / self.rate

    def place(self, seat: Seat, along: float, off: float = 0.0, seconds: float = 0.5) -> Iterator[Detections]:
        """The striker is put down `along` the base line, `off` mm farther from the player than its middle."""
        at = np.array(self.board.base_position(seat, along)) + off * np.array(INWARD[seat])
        yield from self.over(seat, at, 0.4)
        self.striker = at
        yield from self.over(seat, at, seconds)

    def slide(self, seat: Seat, along: float, seconds: float, aside: int | None = None) -> Iterator[Detections]:
        """A finger slides the striker along the base line; it pushes piece `aside`, to the right of it, before it."""
        assert self.striker is not None
        begin, end, start = self.striker, np.array(self.board.base_position(seat, along)), self._t
        while self._t < start + seconds:
            self.striker = begin + (end - begin) * min((self._t - start) / seconds, 1.0)
            if aside is not None:
                self.xy = self.xy.copy()
                self.xy[aside, 0] = max(self.xy[aside, 0], self.striker[0] + self.board.striker_radius + self.board.piece_radius)
            yield from self.over(seat, self.striker, 1 / self.rate)
        self.striker = end
        yield from self.over(seat, end, 0.4)

    def push(self, seat: Seat, speed: float, way: float) -> Iterator[Detections]:
        """A finger pushes the striker on, ever faster, over `way` mm up to `speed` mm/s, and lets it go."""
        assert self.striker is not None
        place, u, start = self.striker, np.array(INWARD[seat]), self._t
        while (s := speed**2 / way / 4 * (self._t - start) ** 2) < way:
            self.striker = place + s * u
            yield self._sees(self.lies.cls, [self.hand(seat, self.striker, 0)])
        self.striker = place + way * u
        yield from self.strike(seat, speed * u)

    def strike(self, seat: Seat, velocity: tuple[float, float] | np.ndarray) -> Iterator[Detections]:
        """A finger strikes the striker (mm/s); the hand goes back; all rolls until it rests."""
        assert self.striker is not None
        before, place = self.lies, self.striker
        motion = simulate(before.struck(len(self.cls), *(float(v) for v in velocity)), self.board)
        start = self._before + self._rng.uniform(0, 1) / self.rate
        fell = [before.cls[f.index] for f in motion.pocketed]
        touched = motion.first_contact is not None
        self.truth.append(Truth(seat, start, tuple(place), tuple(np.asarray(velocity) / 1000), fell, touched))  # type: ignore[arg-type]
        while self._t < start + motion.duration + 0.4:
            since = max(self._t - start, 0.0)
            at, v = motion.positions(np.array([since]))[0], motion.velocities(np.array([since]))[0]
            yield self.see(before.cls, at, v, [self.hand(seat, place, 60 + 400 * since)])
        end = motion.positions(np.array([motion.duration + 1.0]))[0]
        stay = [i for i in range(len(self.cls)) if np.isfinite(end[i, 0])]
        self.striker = end[-1] if np.isfinite(end[-1, 0]) else None
        self.cls, self.xy = [self.cls[i] for i in stay], end[stay]
        yield from self.quiet(0.6)

    def take(self, seat: Seat) -> Iterator[Detections]:
        """The striker is taken up, where it has not fallen."""
        if self.striker is not None:
            yield from self.over(seat, self.striker, 0.3)
            at, self.striker = self.striker, None
            yield from self.over(seat, at, 0.3)
        yield from self.quiet(0.6)

    def turn(self, seat: Seat, along: float, velocity: tuple[float, float], off: float = 0.0) -> Iterator[Detections]:
        """A whole stroke: placed, struck, taken up."""
        yield from self.place(seat, along, off)
        yield from self.strike(seat, velocity)
        yield from self.take(seat)

    def turns(self, seats: Iterable[Seat], off: float = 0.0) -> Iterator[Detections]:
        """Gentle strokes that touch nothing, one by each of `seats`, from different places."""
        for n, seat in enumerate(seats):
            u = np.array(INWARD[seat])
            yield from self.turn(seat, (210, 420, 540)[n % 3], tuple(700 * u), off)  # type: ignore[arg-type]

    def put_back(self, seat: Seat, cls: Piece, at: tuple[float, float]) -> Iterator[Detections]:
        """A hand puts a piece on the board."""
        yield from self.over(seat, at, 0.4)
        self.cls, self.xy = [*self.cls, cls], np.vstack([self.xy, at])
        yield from self.over(seat, at, 0.3)
        yield from self.quiet(0.8)

    def nudge(self, seat: Seat, n: int, to: tuple[float, float]) -> Iterator[Detections]:
        """A hand that lies over piece `n` moves it."""
        beyond = np.array(self.xy[n]) + 45 * np.array(INWARD[seat])
        yield from self.over(seat, beyond, 0.4)
        self.xy = self.xy.copy()
        self.xy[n] = to
        yield from self.over(seat, beyond, 0.4)
        yield from self.quiet(0.8)

    def remove(self, seat: Seat, n: int, seconds: float = 0.3) -> Iterator[Detections]:
        """A hand takes piece `n` off the board."""
        at = self.xy[n]
        yield from self.over(seat, at, seconds)
        self.cls, self.xy = [*self.cls[:n], *self.cls[n + 1 :]], np.delete(self.xy, n, axis=0)
        yield from self.over(seat, at, seconds)

    def clear(self, seat: Seat) -> Iterator[Detections]:
        """What is left is taken off the board, piece by piece."""
        while self.cls:
            yield from self.remove(seat, len(self.cls) - 1, 0.15)
        yield from self.quiet(0.5)

    def lay(self, seat: Seat) -> Iterator[Detections]:
        """A rack is laid, piece by piece."""
        classes, places = rack(self.board)
        for n in range(len(classes)):
            yield from self.over(seat, places[n], 0.1)
            self.cls, self.xy = list(classes[: n + 1]), places[: n + 1]
            yield from self.over(seat, places[n], 0.1)
        yield from self.quiet(1.0)

    def _sees(self, classes, hands) -> Detections:  # type: ignore[no-untyped-def]
        at = self.lies.positions()
        return self.see(classes, at, np.zeros_like(at), hands)


def strokes_of(scene: Scene, frames: Iterable[Detections], seats: tuple[Seat, ...] = ("south", "north")) -> list[Stroke]:
    """The strokes that a watcher makes of the frames."""
    return [e for e in events_of(scene, frames, seats) if isinstance(e, Stroke)]


def events_of(scene: Scene, frames: Iterable[Detections], seats: tuple[Seat, ...] = ("south", "north")) -> list[Stroke | Placing]:
    """The strokes and placings that a watcher makes of the frames."""
    watcher = BoardWatcher(scene.board, seats)
    events = [e for d in frames for e in watcher.step(d)] + watcher.finish()
    return [e for e in events if isinstance(e, Stroke | Placing)]
