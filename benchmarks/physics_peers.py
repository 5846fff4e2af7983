"""Other engines at the same work: pymunk steps through a carrom break, pooltool plays a nine-ball break.

pymunk comes with the extra `bench`. pooltool brings a window and pins of its own; without them:
`pip install --no-deps pooltool-billiards` and `pip install attrs cattrs click h5py msgpack msgpack-numpy numba numpy-quaternion
panda3d panda3d-gltf panda3d-simplepbr pillow pyyaml scipy`, best in an environment beside ours (--pooltool PYTHON).
"""

from __future__ import annotations

import json
import subprocess
import time
from math import sqrt
from typing import Final

import numpy as np

from models.board import ICF
from models.physics import Dynamics, State

STEP: Final = 1 / 4000
"""pymunk's time step (s)."""
AT_REST: Final = 1.0
"""A disc slower than this rests (mm/s); pymunk's discs never stop quite."""
POOLTOOL_MS: Final = 3.9
"""pooltool's time for an event of a nine-ball break where it cannot be run: measured once on two busy cores (ms)."""

NINE_BALL: Final = """
import json, time
import pooltool as pt
def stroke():
    table = pt.Table.default()
    system = pt.System(table=table, balls=pt.get_rack(pt.GameType.NINEBALL, table), cue=pt.Cue(cue_ball_id="cue"))
    system.cue.set_state(V0=8)
    system.cue.set_state(phi=pt.aim.at_ball(system, "1"))
    return system
best = []
for k in range(6):
    system = stroke()
    begin = time.perf_counter()
    pt.simulate(system, inplace=True)
    best.append((time.perf_counter() - begin) / len(system.events))
print(json.dumps(min(best[1:])))
"""


def pymunk_break(state: State) -> tuple[float, float]:
    """Seconds that pymunk takes for a break, and seconds of the discs' time until they rest.

    Discs of their true masses and radii between four walls; the floor's friction is a joint to the floor that slips at mu m g, so that all
    of it runs in pymunk's own C; pockets are left out.
    """
    import pymunk

    d = Dynamics()
    space = pymunk.Space()
    a, b = -ICF.side, 2 * ICF.side
    for p, q in (
        ((a, -50), (b, -50)),
        ((a, ICF.side + 50), (b, ICF.side + 50)),
        ((-50, a), (-50, b)),
        ((ICF.side + 50, a), (ICF.side + 50, b)),
    ):
        wall = pymunk.Segment(space.static_body, p, q, 50)
        wall.elasticity, wall.friction = d.piece_cushion.restitution / sqrt(d.piece_piece.restitution), 0.5
        space.add(wall)
    bodies = []
    for i, cls in enumerate(state.cls):
        mass, radius = float(state.mass[i]), float(state.radius[i])
        body = pymunk.Body(mass, pymunk.moment_for_circle(mass, 0, radius))
        body.position, body.velocity = (float(state.x[i]), float(state.y[i])), (float(state.vx[i]), float(state.vy[i]))
        disc = pymunk.Circle(body, radius)
        disc.elasticity, disc.friction = sqrt(d.piece_piece.restitution), sqrt(d.piece_piece.friction)
        slide = pymunk.PivotJoint(space.static_body, body, (0, 0), (0, 0))
        slide.max_bias, slide.max_force = 0, mass * d.friction(cls)
        space.add(body, disc, slide)
        bodies.append(body)
    begin, steps = time.perf_counter(), 0
    while max(b.velocity.length for b in bodies) > AT_REST:
        for _ in range(40):
            space.step(STEP)
        steps += 40
    return time.perf_counter() - begin, steps * STEP


def pooltool_event(python: str) -> float | None:
    """Seconds that pooltool takes for an event of a nine-ball break, once warm; None where it is not installed."""
    try:
        done = subprocess.run([python, "-c", NINE_BALL], capture_output=True, text=True, check=True, timeout=600)
    except (OSError, subprocess.SubprocessError):
        return None
    return float(json.loads(done.stdout.splitlines()[-1]))


def racked_state(speed: float = 4000.0) -> State:
    """The racked board with the striker sent at it, a little off the middle."""
    from models.board import rack

    classes, places = rack()
    state = State.resting([*classes, "striker"], np.vstack([places, ICF.base_position("south", 380.0)]))
    d = np.array([372.0, 400.0]) - state.positions()[-1]
    return state.struck(len(classes), *(d / np.hypot(*d) * speed))
