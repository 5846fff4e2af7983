"""The experiment of 22Softwares' makers (clause 22.3): hard random strokes on the rack and on a tower laid flat."""

from __future__ import annotations

from collections import Counter
from math import cos, hypot, pi, sin
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.board import BoardSpec, rack
from models.equipment import read_equipment
from models.physics import Motion, State, simulate_many
from models.stroke import Piece

Array = NDArray[np.float64]

FULL_FORCE: Final = 6000.0
"""The hardest flick (mm/s)."""
WEAKEST: Final = 0.7
"""The weakest stroke, as a part of it (22.3)."""
TOWER: Final = 19
"""Pieces of the tower, and of the rack; the striker comes after them."""
REACH: Final = 200.0
"""How far from the middle of the base line the striker may stand (mm)."""
RACK, HEAP = "Classic rack", "tower laid flat"
CHUNK: Final = 250


def flat_tower(rng: Generator, board: BoardSpec) -> tuple[list[Piece], Array]:
    """A tower that fell over: its pieces lie in a pile round the centre, close but not in order, each where it first finds room."""
    places: list[Array] = []
    spread = 2.0 * board.piece_radius
    while len(places) < TOWER:
        p = board.side / 2 + rng.normal(0, spread, 2)
        if all(hypot(*(p - q)) >= 2 * board.piece_radius for q in places):
            places.append(p)
        else:
            spread *= 1.002
    classes = rack(board)[0]
    return [classes[k] for k in rng.permutation(TOWER)], np.array(places)


def crossed_pocket(motion: Motion, board: BoardSpec) -> set[int]:
    """The discs whose centre was at some time within a pocket's opening.

    Exact: between two changes of its motion a disc runs along a straight line, whose nearest point to a pocket is known.
    """
    centres = np.array(list(board.pockets().values()))
    found = set()
    for i, course in enumerate(motion.courses):
        if len(course.t) == 0 or np.isnan(course.rows[0, 0]):
            continue
        end = min(motion.duration, float(np.nextafter(course.gone, 0.0)))
        corners = np.vstack([course.rows[:, :2], course.at(np.array([end]))[:, :2]])
        begin, way = corners[:-1, None], np.diff(corners, axis=0)[:, None]
        length2 = (way**2).sum(2)
        along = np.clip(((centres - begin) * way).sum(2) / np.where(length2 > 0, length2, 1.0), 0.0, 1.0)
        nearest = np.linalg.norm(begin + along[..., None] * way - centres, axis=2)
        if (nearest < board.pocket_radius).any():
            found.add(i)
    return found


def experiment(strokes: int = 3000, seed: int = 22) -> tuple[int, dict[str, Counter[str]]]:
    """How often the striker left the board, and what became of the pieces, by how they lay: strokes, pocketed, bounced_out, at_rest.

    A piece bounced out if its centre was within a pocket's opening and it lies on the board in the end.
    """
    equipment, rng = read_equipment("22s"), np.random.default_rng(seed)
    board, off, table = equipment.board, 0, {RACK: Counter[str](), HEAP: Counter[str]()}
    for begin in range(0, strokes, CHUNK):
        states = []
        for k in range(min(CHUNK, strokes - begin)):
            classes, places = rack(board, float(rng.uniform(0, 2 * pi))) if k % 2 == 0 else flat_tower(rng, board)
            along = float(rng.uniform(board.side / 2 - REACH, board.side / 2 + REACH))
            state = State.resting([*classes, "striker"], np.vstack([places, board.base_position("south", along)]), board)
            angle, speed = rng.uniform(-pi / 2, pi / 2), FULL_FORCE * rng.uniform(WEAKEST, 1.0)
            states.append(state.struck(TOWER, speed * sin(angle), -speed * cos(angle)))
        for k, motion in enumerate(simulate_many(states, board, equipment.dynamics)):
            left = {f.index for f in motion.pocketed} | set(motion.off_board)
            off += TOWER in left or bool(np.isnan(motion.final.x[TOWER]))
            out = crossed_pocket(motion, board) - left - {TOWER}
            pocketed = len(left - {TOWER})
            counts = table[RACK if k % 2 == 0 else HEAP]
            counts.update(strokes=1, pocketed=pocketed, bounced_out=len(out), at_rest=TOWER - pocketed - len(out))
    return off, table
