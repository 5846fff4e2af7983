"""Players: which stroke they choose, and how truly they strike it.

A player looks for pieces that can be driven into a pocket (the striker aimed at the ghost disc behind the piece,
straight or off one cushion), prefers the likeliest, imagines it before striking, and then strikes with human error.
Everything is thought out as if the player sat at the lower edge; `turned` carries it to the other seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import atan2, cos, erf, hypot, radians, sin, sqrt
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.board import ICF, BoardSpec
from models.physics import Dynamics, State, simulate
from models.stroke import Colour, Piece, Seat

Array = NDArray[np.float64]
Intent: TypeAlias = Literal["break", "pot", "bank", "safety"]

MAX_SPEED: Final = 5500.0
"""As hard as a finger flicks (mm/s)."""
MIN_CUT: Final = 0.35
"""Cosine of the thinnest cut that a player tries."""
MIN_BANK_CUT: Final = 0.5
"""The same for strokes off a cushion."""
CLEARANCE: Final = 0.6
"""Room that a player leaves beside a path (mm)."""
LOOKED_AT: Final = 10
"""How many strokes a player imagines before choosing."""
CORRECTIONS: Final = (0.0, 0.35, -0.35, 0.8, -0.8)
"""Corrections of the aim that a player imagines (degrees)."""


@dataclass(frozen=True)
class Skill:
    """How truly a player strikes.

    Attributes
    ----------
    aim : float
        Standard deviation of the direction (degrees).
    touch : float
        Relative standard deviation of the speed.
    slip : float
        Chance that a stroke goes badly astray.
    haste : float
        Chance that a stroke is played without imagining what else it will do.
    force : float
        Chance that a stroke is played harder than it need be.
    """

    aim: float = 0.75
    touch: float = 0.06
    slip: float = 0.03
    haste: float = 0.2
    force: float = 0.25


@dataclass(frozen=True)
class Shot:
    """A stroke as it is struck: the striker's place (mm) and its velocity (mm/s)."""

    place: tuple[float, float]
    velocity: tuple[float, float]
    intent: Intent
    chance: float


@dataclass(frozen=True)
class Wish:
    """What the player wants to fall, and what must not.

    Attributes
    ----------
    own : str
        The player's colour.
    queen : bool
        Whether the queen may be taken.
    cover : bool
        The queen has been taken and must be covered now.
    queen_open : bool
        Nobody has covered the queen yet: the last own piece before her loses the board.
    """

    own: Colour
    queen: bool
    cover: bool
    queen_open: bool


@dataclass(frozen=True)
class _Plan:
    """A stroke thought of: place along the base line, direction of the striker, speed, chance and intent."""

    along: float
    angle: float
    speed: float
    chance: float
    intent: Intent


def turned(points: Array, seat: Seat, centre: float = 0.0) -> Array:
    """Points or vectors, shape (..., 2), turned about (centre, centre) so that `seat` comes to the lower edge.

    Turning is its own inverse for south and north; for east and west swap the two.
    """
    x, y = points[..., 0] - centre, points[..., 1] - centre
    a, b = {"south": (x, y), "north": (-x, -y), "east": (-y, x), "west": (y, -x)}[seat]
    return np.stack([a, b], axis=-1) + centre


_BACK: Final[dict[Seat, Seat]] = {"south": "south", "north": "north", "east": "west", "west": "east"}


def strike_break(seat: Seat, rng: Generator, board: BoardSpec = ICF) -> Shot:
    """The opening stroke: hard, at the middle of the rack."""
    c = board.side / 2
    place = np.array([c + rng.uniform(-170, 170), board.side - board.base_middle])
    aim = np.array([c + rng.normal(0, 12), c + 2 * board.piece_radius]) - place
    plan = _Plan(float(place[0]), atan2(aim[1], aim[0]), float(rng.uniform(2300, 5000)), 1.0, "break")
    return _strike(plan, seat, rng, Skill(slip=0.0, force=0.0), board)


def choose(
    classes: Sequence[Piece],
    places: Array,
    seat: Seat,
    wish: Wish,
    rng: Generator,
    skill: Skill | None = None,
    board: BoardSpec = ICF,
    dynamics: Dynamics | None = None,
) -> Shot:
    """The stroke that the player at `seat` makes.

    Parameters
    ----------
    classes : sequence of str, length n
    places : ndarray, shape (n, 2)
        Centres (mm); NaN for a piece that is not on the board.
    """
    dynamics, skill = dynamics or Dynamics(), skill or Skill()
    seen = turned(places, seat, board.side / 2)
    here = [i for i in range(len(classes)) if not np.isnan(seen[i, 0])]
    mine = [i for i in here if classes[i] == wish.own]
    targets = list(mine)
    if wish.queen and not wish.cover:
        queen = [i for i in here if classes[i] == "queen"]
        targets = queen if len(mine) == 1 else mine + queen
    elif wish.queen_open and not wish.cover and len(mine) == 1:
        targets = []
    bases = _free_bases(seen, rng, board)
    plans = sorted(_plans(seen, here, targets, bases, skill, board, dynamics), key=lambda p: -p.chance)
    if plans and rng.random() < skill.haste:
        return _strike(plans[0], seat, rng, skill, board)
    best: tuple[float, _Plan] | None = None
    for plan in plans[:LOOKED_AT]:
        worth, better = _imagined(plan, classes, seen, wish, board, dynamics)
        score = worth * plan.chance
        if worth > 0 and (best is None or score > best[0]):
            best = (score, better)
    plan = best[1] if best else _safety(seen, here, mine, bases, rng, board, dynamics)
    return _strike(plan, seat, rng, skill, board)


def _strike(plan: _Plan, seat: Seat, rng: Generator, skill: Skill, board: BoardSpec) -> Shot:
    error = skill.aim * (9 if rng.random() < skill.slip else 1)
    angle = plan.angle + radians(rng.normal(0, error))
    harder = rng.uniform(1.15, 1.7) if rng.random() < skill.force else 1.0
    speed = min(MAX_SPEED, plan.speed * harder * (1 + rng.normal(0, skill.touch)))
    v = turned(speed * np.array([cos(angle), sin(angle)]), _BACK[seat])
    p = turned(np.array([plan.along, board.side - board.base_middle]), _BACK[seat], board.side / 2)
    return Shot((float(p[0]), float(p[1])), (float(v[0]), float(v[1])), plan.intent, plan.chance)


def _free_bases(seen: Array, rng: Generator, board: BoardSpec) -> Array:
    """Places along the base line where the striker can stand, shape (k, 2)."""
    half = board.base_length / 2 - 2 * board.base_circle_radius - 1
    x = board.side / 2 + np.linspace(-half, half, 23) + rng.uniform(-6, 6, 23)
    bases = np.stack([np.clip(x, board.side / 2 - half, board.side / 2 + half), np.full(23, board.side - board.base_middle)], -1)
    gap = np.hypot(*(bases[:, None] - seen[None]).transpose(2, 0, 1))
    free = ~np.any(gap < board.striker_radius + board.piece_radius + CLEARANCE, axis=1)
    return bases[free] if free.any() else bases


def _plans(
    seen: Array, here: list[int], targets: list[int], bases: Array, skill: Skill, board: BoardSpec, dynamics: Dynamics
) -> Iterator[_Plan]:
    rs, rp = board.striker_radius, board.piece_radius
    for i in targets:
        others = seen[[j for j in here if j != i]]
        for centre in board.pockets().values():
            way = np.array(centre) - seen[i]
            far = hypot(*way)
            if far < 1e-6 or not _clear(seen[i], np.array(centre), others, 2 * rp):
                continue
            along = way / far
            ghost = seen[i] - along * (rp + rs)
            if (ghost < rs).any() or (ghost > board.side - rs).any():
                continue
            for base in bases:
                yield from _straight(base, ghost, along, far, others, skill, board, dynamics)
                yield from _banked(base, ghost, along, far, others, skill, board, dynamics)


def _straight(
    base: Array, ghost: Array, along: Array, far: float, others: Array, skill: Skill, board: BoardSpec, dynamics: Dynamics
) -> Iterator[_Plan]:
    line = ghost - base
    reach = hypot(*line)
    cut = float(line @ along) / reach
    if cut < MIN_CUT or line[1] > -0.15 * reach or not _clear(base, ghost, others, board.striker_radius + board.piece_radius):
        return
    speed = _speed_needed(far, cut, board, dynamics)
    start = sqrt(speed**2 + 2 * dynamics.friction_striker * reach)
    if start <= MAX_SPEED:
        yield _Plan(float(base[0]), atan2(line[1], line[0]), max(start, 900.0), _chance(reach, far, cut, skill, board), "pot")


def _banked(
    base: Array, ghost: Array, along: Array, far: float, others: Array, skill: Skill, board: BoardSpec, dynamics: Dynamics
) -> Iterator[_Plan]:
    for meets, angle, kept in _rebounds(base, ghost, others, board, dynamics):
        last = ghost - meets
        reach, first = hypot(*last), hypot(*(meets - base))
        cut = float(last @ along) / reach
        if cut < MIN_BANK_CUT:
            continue
        arrive = sqrt(_speed_needed(far, cut, board, dynamics) ** 2 + 2 * dynamics.friction_striker * reach)
        start = sqrt((arrive / kept) ** 2 + 2 * dynamics.friction_striker * first)
        if start <= MAX_SPEED:
            yield _Plan(float(base[0]), angle, start, 0.8 * _chance(first + reach, far, cut, skill, board), "bank")


def _rebounds(base: Array, goal: Array, others: Array, board: BoardSpec, dynamics: Dynamics) -> Iterator[tuple[Array, float, float]]:
    """Clear ways from `base` to `goal` off one cushion: where it is met, the direction to strike, the part of the speed that is kept.

    The goal is mirrored behind the cushion, farther off as the cushion takes away speed across it.
    """
    rs, e = board.striker_radius, dynamics.striker_cushion.restitution
    for axis, wall in ((1, rs), (0, rs), (0, board.side - rs)):
        mirror = goal.copy()
        mirror[axis] = wall - (goal[axis] - wall) / e
        line = mirror - base
        if abs(line[axis]) < 1.0 or line[1] > 0:
            continue
        meets = base + line * (wall - base[axis]) / line[axis]
        if hypot(*(goal - meets)) < 1.0:
            continue
        room = rs + board.piece_radius
        if _clear(base, meets, others, room) and _clear(meets, goal, others, room):
            kept = hypot(e * line[axis], line[1 - axis]) / hypot(*line)
            yield meets, atan2(line[1], line[0]), kept


def _speed_needed(far: float, cut: float, board: BoardSpec, dynamics: Dynamics) -> float:
    """Speed of the striker at contact (mm/s) that sends the piece `far` mm and some way on."""
    piece = sqrt(2 * dynamics.friction_piece * (far + 160))
    share = (1 + dynamics.striker_piece.restitution) * board.striker_mass / (board.striker_mass + board.piece_mass)
    return piece / (share * cut)


def _chance(reach: float, far: float, cut: float, skill: Skill, board: BoardSpec) -> float:
    """Chance that the piece still finds the pocket, the aim's error being magnified by the way to it and the cut."""
    spread = radians(skill.aim) * reach / ((board.striker_radius + board.piece_radius) * cut)
    open_angle = 0.8 * board.pocket_radius / max(far, board.pocket_radius)
    return erf(open_angle / (spread * sqrt(2)))


def _clear(a: Array, b: Array, others: Array, room: float) -> bool:
    """Whether a disc can slide from a to b with none of the `others` within `room` of its path."""
    if len(others) == 0:
        return True
    line = b - a
    length2 = float(line @ line)
    if length2 == 0:
        return True
    t = np.clip((others - a) @ line / length2, 0, 1)
    gap = others - a - t[:, None] * line
    return not bool(np.any((gap**2).sum(1) < (room + CLEARANCE) ** 2))


def _imagined(plan: _Plan, classes: Sequence[Piece], seen: Array, wish: Wish, board: BoardSpec, dynamics: Dynamics) -> tuple[float, _Plan]:
    """The best worth of the plan, its aim corrected a little, if nothing goes astray; above 0 for a stroke worth making."""
    start = np.array([plan.along, board.side - board.base_middle])
    state = State.resting([*classes, "striker"], np.vstack([seen, start]), board)
    mine = sum(c == wish.own and not np.isnan(p[0]) for c, p in zip(classes, seen, strict=True))
    best = (-9.0, plan)
    for turn in CORRECTIONS:
        angle = plan.angle + radians(turn)
        motion = simulate(state.struck(len(classes), plan.speed * cos(angle), plan.speed * sin(angle)), board, dynamics)
        worth = _worth([state.cls[f.index] for f in motion.pocketed], mine, wish)
        if worth > best[0]:
            best = (worth, _Plan(plan.along, angle, plan.speed, plan.chance, plan.intent))
        if worth >= 1:
            break
    return best


def _worth(fallen: Sequence[Piece], mine: int, wish: Wish) -> float:
    """How much a player likes what would fall: pieces gained, the queen above all, no striker, no board thrown away."""
    own, queen = fallen.count(wish.own), fallen.count("queen")
    theirs = len(fallen) - own - queen - fallen.count("striker")
    worth = own - 0.25 * theirs - 2.5 * fallen.count("striker")
    if queen:
        worth += 1.4 if wish.queen else -1.5
    if own == mine and wish.queen_open and not wish.cover and not (queen and wish.queen):
        worth -= 5
    return worth


def _safety(seen: Array, here: list[int], mine: list[int], bases: Array, rng: Generator, board: BoardSpec, dynamics: Dynamics) -> _Plan:
    """No piece can be had: move an own one, straight or off a cushion, or open a cluster."""
    options: list[tuple[float, float, float]] = []
    banks: list[tuple[float, float, float]] = []
    room = board.striker_radius + board.piece_radius
    for i in mine or here:
        others = seen[[j for j in here if j != i]]
        for base in bases[:: max(1, len(bases) // 8)]:
            line = seen[i] - base
            reach = hypot(*line)
            if line[1] < -0.2 * reach and _clear(base, seen[i], others, room - 3):
                options.append((float(base[0]), atan2(line[1], line[0]), reach))
            for meets, angle, kept in _rebounds(base, seen[i], others, board, dynamics):
                banks.append((float(base[0]), angle, hypot(*(meets - base)) + hypot(*(seen[i] - meets)) / kept**2))
    if options or banks:
        choice = options or banks
        along, angle, reach = choice[int(rng.integers(len(choice)))]
    else:
        base = bases[int(rng.integers(len(bases)))]
        line = np.array([rng.uniform(-300, 300), -500.0])
        along, angle, reach = float(base[0]), atan2(line[1], line[0]), hypot(*line)
    start = sqrt(2 * dynamics.friction_striker * reach + rng.uniform(500, 1900) ** 2)
    return _Plan(along, angle + radians(rng.normal(0, 1.0)), min(start, MAX_SPEED), 0.0, "safety")
