"""`carromeye simulate --stroke`: what a stroke would do, for a coach."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from math import cos, hypot, isfinite, radians, sin
from pathlib import Path
from typing import Any, Final, cast, get_args

import numpy as np

from carromeye.commands.positions import Places, read_places
from models.board import BoardSpec, rack
from models.equipment import Equipment, read_equipment
from models.errors import BadInput
from models.files import refuse_same
from models.physics import Motion, State, simulate
from models.stroke import Seat

FASTEST: Final = 12.0
"""No hand flicks a striker harder (m/s)."""
FORM: Final = 'want a seat and x, angle, speed: "south x=370 angle=12 speed=2.1", and spin if you like'
AHEAD: Final[dict[Seat, tuple[float, float]]] = {"south": (0, -1), "north": (0, 1), "west": (1, 0), "east": (-1, 0)}
"""Where each seat looks."""
OVERLAP: Final = 0.5
"""Places on a picture are not surer than this (mm)."""


@dataclass(frozen=True)
class WhatIf:
    """A stroke to be tried: `along` the base line (mm), `angle` from straight ahead to the player's right (degrees), m/s, rad/s."""

    by: Seat
    along: float
    angle: float
    speed: float
    spin: float = 0.0

    def velocity(self) -> tuple[float, float]:
        """(mm/s)"""
        (ax, ay), a = AHEAD[self.by], radians(self.angle)
        rx, ry = -ay, ax  # to the player's right
        v = self.speed * 1000
        return v * (cos(a) * ax + sin(a) * rx), v * (cos(a) * ay + sin(a) * ry)


def parse(text: str, board: BoardSpec) -> WhatIf:
    """Read a stroke such as "south x=370 angle=12 speed=2.1".

    Raises
    ------
    BadInput
        If it has another form, or a striker could not be struck so.
    """
    seat, *rest = text.split() or [""]
    if seat not in get_args(Seat):
        raise BadInput(f"--stroke {text!r}: no seat {seat!r}; {FORM}")
    values: dict[str, float] = {}
    for word in rest:
        key, _, value = word.partition("=")
        if key not in ("x", "angle", "speed", "spin") or key in values or not re.fullmatch(r"[-+]?\d*\.?\d+([eE][-+]?\d+)?", value):
            raise BadInput(f"--stroke {text!r}: cannot read {word!r}; {FORM}")
        values[key] = float(value)
    if missing := [k for k in ("x", "angle", "speed") if k not in values]:
        raise BadInput(f"--stroke {text!r}: {', '.join(missing)} missing; {FORM}")
    reach = board.base_length / 2 - board.base_circle_radius
    low, high = board.side / 2 - reach, board.side / 2 + reach
    ranges = {"x": (low, high), "angle": (-180.0, 180.0), "speed": (0.01, FASTEST), "spin": (-500.0, 500.0)}
    for key, number in values.items():
        least, most = ranges[key]
        if not isfinite(number) or not least <= number <= most:
            raise BadInput(f"--stroke {text!r}: {key} is from {least:g} to {most:g}")
    return WhatIf(cast(Seat, seat), values["x"], values["angle"], values["speed"], values.get("spin", 0.0))


def run(stroke: str, position: Path | None, before: int | None, equipment: str, plot: bool, out: Path | None, as_json: bool) -> None:
    """Simulate the stroke, say what happens, and draw it if asked."""
    kit = read_equipment(equipment)
    what = parse(stroke, kit.board)
    if position is None:
        if before is not None:
            raise BadInput("--before chooses a stroke of --position: give a review's folder or a film's truth.json there")
        classes, places = rack(kit.board)
        lying = Places(tuple(classes), places)
    else:
        lying = read_places(position, before)
    state = set_up(what, lying, kit)
    if plot:
        from carromeye.commands.whatif_plot import SUFFIXES

        out = out or Path("stroke.png")
        if out.suffix.lower() not in SUFFIXES:
            raise BadInput(f"{out}: a picture's name ends in {', '.join(SUFFIXES)}")
        if position is not None:
            refuse_same(out, position)
    elif out is not None:
        raise BadInput("-o names the picture of --plot: give --plot too")
    motion = simulate(state, kit.board, kit.dynamics)
    if plot and out is not None:
        from carromeye.commands.whatif_plot import draw

        draw(out, what, motion, kit)
    print(json.dumps(told(motion, what), indent=1) if as_json else "\n".join(lines(motion, what, kit)))
    if plot and not as_json:
        print(out)


def set_up(what: WhatIf, lying: Places, kit: Equipment) -> State:
    """The discs at the release, the striker last.

    Raises
    ------
    BadInput
        If the striker would stand on a piece, or a piece lies off the board.
    """
    board = kit.board
    x, y = board.base_position(what.by, what.along)
    for cls, (px, py) in zip(lying.classes, lying.places.tolist(), strict=True):
        r = board.piece_radius
        if not (r - OVERLAP * 10 <= px <= board.side - r + OVERLAP * 10 and r - OVERLAP * 10 <= py <= board.side - r + OVERLAP * 10):
            raise BadInput(f"a {cls} at ({px:.0f}, {py:.0f}) mm does not lie on a board of {board.side:g} mm")
        if hypot(px - x, py - y) < r + board.striker_radius - OVERLAP:
            raise BadInput(f"the striker at ({x:.0f}, {y:.0f}) mm would stand on a {cls} at ({px:.0f}, {py:.0f}) mm: choose another x")
    state = State.resting([*lying.classes, "striker"], np.vstack([lying.places.reshape(-1, 2), (x, y)]), board)
    return state.struck(len(lying.classes), *what.velocity(), what.spin)


def lines(motion: Motion, what: WhatIf, kit: Equipment) -> list[str]:
    """What happens, in plain words."""
    cls, board = motion.state_before.cls, kit.board
    side = "right" if what.angle > 0 else "left"
    aim = "straight ahead" if what.angle == 0 else f"{abs(what.angle):g} degrees to the {side}"
    out = [f"{what.by.capitalize()} strikes from x = {what.along:g} mm, {aim}, at {what.speed:g} m/s."]
    off = abs(what.along - board.side / 2) - (board.base_length / 2 - board.base_circle_radius)
    if -(board.striker_radius + board.base_circle_radius) < off < -(board.striker_radius - board.base_circle_radius):
        out.append("The striker stands partly on a base circle: an improper stroke.")
    if motion.first_contact is None:
        out.append("The striker touches no piece.")
    else:
        first, t = motion.first_contact
        x, y = motion.positions(t)[0, first]
        out.append(f"{t:6.3f} s  The striker touches a {cls[first]} at ({x:.0f}, {y:.0f}) mm.")
    out += [f"{f.t:6.3f} s  The {cls[f.index]} falls ({f.pocket})." for f in motion.pocketed]
    striker = len(cls) - 1
    if not np.isnan(motion.final.x[striker]):
        out.append(f"The striker comes to rest at ({motion.final.x[striker]:.0f}, {motion.final.y[striker]:.0f}) mm.")
    moved = sum(len(c.t) > 1 for c in motion.courses[:-1])
    out.append(f"{moved} {'piece moves' if moved == 1 else 'pieces move'}; all rest after {motion.duration:.2f} s.")
    return out


def told(motion: Motion, what: WhatIf) -> dict[str, Any]:
    """The same for programs."""
    cls = motion.state_before.cls
    places = [None if np.isnan(x) else [round(x, 3), round(y, 3)] for x, y in motion.final.positions().tolist()]
    start = motion.state_before.positions().tolist()
    return {
        "stroke": {"by": what.by, "x": what.along, "angle": what.angle, "speed": what.speed, "spin": what.spin},
        "first_contact": None if motion.first_contact is None else {"piece": motion.first_contact[0], "t": motion.first_contact[1]},
        "pocketed": [{"piece": f.index, "cls": cls[f.index], "pocket": f.pocket, "t": f.t} for f in motion.pocketed],
        "discs": [{"cls": c, "start": s, "final": p} for c, s, p in zip(cls, start, places, strict=True)],
        "events": [{"t": e.t, "kind": e.kind, "who": list(e.who), "impulse": e.impulse} for e in motion.events],
        "duration": motion.duration,
    }
