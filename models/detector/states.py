"""Random states of a board: racks, scatters, clusters, strokes in motion, hands; and none at all."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.random import Generator

from models.board import ICF, BoardSpec, rack
from models.scene.hand import HandPose
from models.scene.render import DrawnDisc
from models.stroke import SEATS, Piece, Seat

MOST: Final[dict[Piece, int]] = {"white": 9, "black": 9, "queen": 1, "striker": 1}
MAX_STREAK_MM: Final = 95.0
AT_CENTRE: Final = 0.4
"""Share of scatters with a piece, mostly the queen, at the centre circle, where the laws put pieces back."""
INWARD: Final[dict[Seat, float]] = {"south": -np.pi / 2, "north": np.pi / 2, "west": 0.0, "east": np.pi}
"""Where a seat's player looks (rad, x right, y down)."""


class _Table:
    """Discs that do not overlap."""

    def __init__(self, board: BoardSpec, striker_radius: float) -> None:
        self.board, self.striker_radius = board, striker_radius
        self.discs: list[DrawnDisc] = []

    def radius(self, cls: Piece) -> float:
        return self.striker_radius if cls == "striker" else self.board.piece_radius

    def free(self, cls: Piece, x: float, y: float) -> bool:
        r, s = self.radius(cls), self.board.side
        if not (r - 0.5 <= x <= s - r + 0.5 and r - 0.5 <= y <= s - r + 0.5):
            return False
        if self.board.nearest_pocket(x, y)[1] < self.board.pocket_radius + 2:
            return False
        return all(np.hypot(d.x - x, d.y - y) >= r + self.radius(d.cls) - 0.3 for d in self.discs)

    def put(self, cls: Piece, x: float, y: float, rng: Generator) -> bool:
        if sum(d.cls == cls for d in self.discs) >= MOST[cls] or not self.free(cls, x, y):
            return False
        self.discs.append(DrawnDisc(cls, float(x), float(y), turn=float(rng.uniform(0, 2 * np.pi))))
        return True

    def anywhere(self, cls: Piece, rng: Generator) -> None:
        for _ in range(12):
            if self.put(cls, *_spot(self, cls, rng), rng):
                return


def _spot(table: _Table, cls: Piece, rng: Generator) -> tuple[float, float]:
    """A place for a disc: anywhere, at a cushion, at a pocket's mouth, touching another, on a printed mark."""
    r, s, k = table.radius(cls), table.board.side, rng.random()
    if k < 0.4:
        x, y = rng.uniform(r, s - r, 2)
    elif k < 0.54:
        along, off = rng.uniform(r, s - r), r + abs(rng.normal(0, 3))
        x, y = [(along, off), (along, s - off), (off, along), (s - off, along)][int(rng.integers(4))]
    elif k < 0.64:
        px, py = list(table.board.pockets().values())[int(rng.integers(4))]
        a, d = rng.uniform(0, 2 * np.pi), table.board.pocket_radius + rng.uniform(2, 14)
        x, y = px + d * np.cos(a), py + d * np.sin(a)
    elif k < 0.84 and table.discs:
        other = table.discs[int(rng.integers(len(table.discs)))]
        a, d = rng.uniform(0, 2 * np.pi), r + table.radius(other.cls) + abs(rng.normal(0, 1.0))
        x, y = other.x + d * np.cos(a), other.y + d * np.sin(a)
    else:
        half, d, c = table.board.base_length / 2 - table.board.base_circle_radius, table.board.base_middle, s / 2
        along = c + rng.choice([-half, half, rng.uniform(-half, half)]) + rng.normal(0, 6)
        x, y = [(along, d), (along, s - d), (d, along), (s - d, along), (c, c)][int(rng.integers(5))] + rng.normal(0, 2, 2)
    return float(x), float(y)


def _pieces(rng: Generator, most: int = 9) -> list[Piece]:
    white, black = int(rng.integers(0, most + 1)), int(rng.integers(0, most + 1))
    colours: tuple[tuple[Piece, int], ...] = (("white", white), ("black", black), ("queen", int(rng.random() < 0.7)))
    out = [c for c, n in colours for _ in range(n)]
    return [out[i] for i in rng.permutation(len(out))]


def sample_discs(rng: Generator, board: BoardSpec, striker_radius: float, exposure_s: float) -> list[DrawnDisc]:
    """Discs of one state, some of them moving."""
    table = _Table(board, striker_radius)
    kind = rng.random()
    if kind < 0.1:
        return []
    if kind < 0.28:
        classes, at = rack(board, float(rng.uniform(0, 2 * np.pi)))
        loose, shift = float(rng.choice([0.0, rng.uniform(0, 1.5)])), rng.normal(0, 2, 2)
        keep = rng.random(19) < rng.choice([1.0, 0.7])
        for cls, p, k in zip(classes, at, keep, strict=True):
            if k:
                q = board.side / 2 + (p - board.side / 2) * (1 + 0.02 * loose) + rng.normal(0, 0.4 * loose, 2) + shift
                table.put(cls, q[0], q[1], rng)
        for cls in _pieces(rng, 2) if rng.random() < 0.4 else []:
            table.anywhere(cls, rng)
    elif kind < 0.45:
        middle, spread = rng.uniform(120, board.side - 120, 2), rng.uniform(30, 160)
        for cls in _pieces(rng):
            for _ in range(15):
                x, y = middle + rng.normal(0, spread, 2)
                if table.put(cls, float(x), float(y), rng):
                    break
    else:
        if rng.random() < AT_CENTRE:
            # Exactly on the spot, and beside it, where the printed disc looks out from under the piece.
            x, y = board.side / 2 + rng.normal(0, rng.choice([1.5, 9.0, 16.0]), 2)
            table.put("queen" if rng.random() < 0.7 else "white" if rng.random() < 0.5 else "black", float(x), float(y), rng)
        for cls in _pieces(rng, 9 if rng.random() < 0.7 else 3):
            table.anywhere(cls, rng)
    if rng.random() < 0.7:
        table.anywhere("striker", rng)
    discs = table.discs
    if rng.random() < 0.4 and discs:
        for i in rng.permutation(len(discs))[: int(rng.integers(1, 7))]:
            discs[i] = _moving(discs[i], rng, exposure_s)
        # Fast discs pass over what lies still in the same exposure.
        discs.sort(key=lambda d: abs(d.vx) + abs(d.vy))
    return discs


def _moving(d: DrawnDisc, rng: Generator, exposure_s: float) -> DrawnDisc:
    streak = min(MAX_STREAK_MM, float(rng.gamma(1.1, 20)))
    a, v = rng.uniform(0, 2 * np.pi), streak / exposure_s
    return DrawnDisc(d.cls, d.x, d.y, float(v * np.cos(a)), float(v * np.sin(a)), None, d.turn)


def sample_hands(rng: Generator, board: BoardSpec, discs: list[DrawnDisc]) -> list[HandPose]:
    """No hand, one or up to four: flicking, placing, resting on the frame; a flicking hand mostly stands behind the striker."""
    number = int(rng.choice(5, p=[0.32, 0.46, 0.15, 0.05, 0.02]))
    out = []
    for seat in rng.permutation(np.array([*SEATS, *SEATS]))[:number]:
        name: Seat = str(seat)  # type: ignore[assignment]
        facing = INWARD[name] + rng.normal(0, 0.35 if rng.random() < 0.8 else 0.8)
        kind = rng.random()
        near, at, far = rng.uniform(60, 190), rng.uniform(-70, 60), rng.uniform(190, 430)
        along, depth = rng.uniform(80, board.side - 80), float(rng.choice([near, at, far], p=[0.45, 0.37, 0.18]))
        s = board.side
        x, y = {"south": (along, s - depth), "north": (along, depth), "west": (depth, along), "east": (s - depth, along)}[name]
        holding = None
        if kind < 0.5:
            grip = str(rng.choice(["flick", "point", "thumb", "scissors"], p=[0.55, 0.2, 0.13, 0.12]))
            strikers = [d for d in discs if d.cls == "striker"]
            if strikers and rng.random() < 0.5:
                d = strikers[0]
                if abs(np.cos(facing) * (d.x - s / 2) + np.sin(facing) * (d.y - s / 2) + 150) < 220:
                    x, y = d.x - 24 * np.cos(facing) + rng.normal(0, 4), d.y - 24 * np.sin(facing) + rng.normal(0, 4)
        elif kind < 0.8:
            grip = "pinch"
            if rng.random() < 0.6:
                cls: Piece = "striker" if rng.random() < 0.5 else ("white", "black", "queen")[int(rng.integers(3))]
                if all(np.hypot(d.x - x, d.y - y) > 45 for d in discs):
                    holding = DrawnDisc(cls, float(x), float(y), turn=float(rng.uniform(0, 6)))
        else:
            grip = "flat" if rng.random() < 0.7 else "fist"
        speed = rng.gamma(1.0, 250) if rng.random() < 0.4 else 0.0
        a = rng.uniform(0, 2 * np.pi)
        out.append(
            HandPose(
                (float(x), float(y)),
                float(facing),
                name,
                grip,  # type: ignore[arg-type]
                extension=float(rng.choice([0.0, 1.0, rng.random()])),
                left=bool(rng.random() < 0.3),
                spread=float(rng.choice([0.0, rng.random()])),
                bend=float(rng.normal(0, 0.25)),
                vx=float(speed * np.cos(a)),
                vy=float(speed * np.sin(a)),
                holding=holding,
                edge=float(rng.choice([0.0, rng.random()])),
            )
        )
    return out


def sample_state(rng: Generator, striker_scale: float, exposure_s: float, board: BoardSpec = ICF) -> tuple[list[DrawnDisc], list[HandPose]]:
    """Discs and hands of one picture; `striker_scale` is the striker's radius over a piece's."""
    discs = sample_discs(rng, board, striker_scale * board.piece_radius, exposure_s)
    return discs, sample_hands(rng, board, discs)
