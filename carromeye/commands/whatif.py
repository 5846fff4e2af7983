"""`carromeye simulate --stroke`: what a stroke would do, for a coach."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from math import ceil, cos, floor, hypot, isfinite, radians, sin, sqrt
from pathlib import Path
from typing import Any, Final, cast, get_args

import numpy as np
from numpy.typing import NDArray

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
"""The striker is set down beside a piece no nearer than this allows (mm)."""
UNSURE: Final = 5.0
"""Places that a camera saw may be off by so much together (mm)."""
TURN: Final = 500.0
"""No hand spins a striker faster (rad/s)."""
RUNNERS: Final = 3
"""Of so many pieces that ran farthest it is told how far."""


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
        if key not in ("x", "angle", "speed", "spin") or key in values or not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", value):
            raise BadInput(f"--stroke {text!r}: cannot read {word!r}; {FORM}")
        values[key] = float(value)
    if missing := [k for k in ("x", "angle", "speed") if k not in values]:
        raise BadInput(f"--stroke {text!r}: {', '.join(missing)} missing; {FORM}")
    reach = board.base_length / 2 - board.base_circle_radius
    reach += max(0.0, board.striker_radius - board.base_circle_radius)  # a base circle may be covered off its middle
    low, high = round(board.side / 2 - reach, 2), round(board.side / 2 + reach, 2)
    ranges = {"x": (low, high), "angle": (-180.0, 180.0), "speed": (0.01, FASTEST), "spin": (-TURN, TURN)}
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
            refuse_same(position, out)
    elif out is not None:
        raise BadInput("-o names the picture of --plot: give --plot too")
    motion = simulate(state, kit.board, kit.dynamics)
    if plot and out is not None:
        from carromeye.commands.whatif_plot import draw

        draw(out, what, motion, kit)
    print(json.dumps(told(motion, what, kit), indent=1) if as_json else "\n".join(lines(motion, what, kit)))
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
    r, places = board.piece_radius, lying.places.tolist()
    for k, (cls, (px, py)) in enumerate(zip(lying.classes, places, strict=True)):
        if not all(r - UNSURE <= v <= board.side - r + UNSURE for v in (px, py)):
            raise BadInput(f"a {cls} at ({px:.0f}, {py:.0f}) mm does not lie on a board of {board.side:g} mm")
        for other, (qx, qy) in zip(lying.classes[:k], places[:k], strict=True):
            if hypot(px - qx, py - qy) < 2 * r - UNSURE:
                raise BadInput(
                    f"a {cls} at ({px:.0f}, {py:.0f}) mm would lie in a {other} at ({qx:.0f}, {qy:.0f}) mm: {2 * r:g} mm apart they touch"
                )
        if hypot(px - x, py - y) < r + board.striker_radius - OVERLAP:
            clear = _beside(what, board, px, py)
            raise BadInput(f"the striker at ({x:.0f}, {y:.0f}) mm would stand on a {cls} at ({px:.0f}, {py:.0f}) mm: choose an x {clear}")
    state = State.resting([*lying.classes, "striker"], np.vstack([lying.places.reshape(-1, 2), (x, y)]), board)
    return state.struck(len(lying.classes), *what.velocity(), what.spin)


def _beside(what: WhatIf, board: BoardSpec, px: float, py: float) -> str:
    """Where along the base line the striker stands clear of a piece at (px, py), in words."""
    x, y = board.base_position(what.by, what.along)
    along, across = (px, py - y) if what.by in ("south", "north") else (py, px - x)
    half = sqrt((board.piece_radius + board.striker_radius) ** 2 - across**2)
    return f"below {floor(along - half)} or above {ceil(along + half)}"


def way(motion: Motion, index: int) -> NDArray[np.float64]:
    """The corners of a disc's way, from where it lay to where it ended or fell, shape (k, 2), in mm."""
    course = motion.courses[index]
    if len(course.t) == 0:
        return np.empty((0, 2))
    # a moment before it is gone; what falls at once has not moved
    last = course.at(np.array([max(0.0, min(motion.duration, np.nextafter(course.gone, 0.0)))]))[0, :2]
    return np.vstack([course.rows[:, :2], last if np.isfinite(last).all() else course.rows[-1, :2]])


def ran(motion: Motion, index: int) -> float:
    """How far a disc ran (mm)."""
    return float(np.hypot(*np.diff(way(motion, index), axis=0).T).sum())


def lines(motion: Motion, what: WhatIf, kit: Equipment) -> list[str]:
    """What happens, in plain words."""
    return [f"{what.by.capitalize()} strikes from x = {what.along:g} mm, {aim(what)}.", *happenings(motion), *summary(motion, what, kit)]


def happenings(motion: Motion) -> list[str]:
    """One by one, with its time: the first touch, what fell, what left the board."""
    cls = motion.state_before.cls
    out = []
    if motion.first_contact is not None:
        first, t = motion.first_contact
        x, y = motion.positions(t)[0, first]
        out.append((t, f"The striker touches {_a(cls[first])} at ({x:.0f}, {y:.0f}) mm."))
    out += [(f.t, f"{_a(cls[f.index]).capitalize()} falls ({f.pocket}).") for f in motion.pocketed]
    out += [(e.t, f"{_a(cls[e.who[0]]).capitalize()} leaves over the frame.") for e in motion.events if e.kind == "off"]
    return [f"{t:6.3f} s  {text}" for t, text in sorted(out, key=lambda told: told[0])]


def summary(motion: Motion, what: WhatIf, kit: Equipment) -> list[str]:
    """What the stroke was and how far things ran."""
    cls, board = motion.state_before.cls, kit.board
    striker = len(cls) - 1
    out = []
    off = abs(what.along - board.side / 2) - (board.base_length / 2 - board.base_circle_radius)
    if -(board.striker_radius + board.base_circle_radius) < off < -(board.striker_radius - board.base_circle_radius):
        out.append("The striker stands partly on a base circle: an improper stroke.")
    out.append(_run_of_striker(motion, striker))
    runs = sorted(((ran(motion, i), i) for i in range(striker)), reverse=True)
    far = [f"{cls[i]} {length / 1000:.2f} m" for length, i in runs[:RUNNERS] if length >= 1]
    if far:
        out.append(f"{'Runs farthest' if len(far) > 1 else 'Runs'}: {', '.join(far)}.")
    moved = sum(length > 0 for length, _ in runs)
    moving = "No piece moves" if moved == 0 else "1 piece moves" if moved == 1 else f"{moved} pieces move"
    out.append(f"{moving}; all rest after {motion.duration:.2f} s.")
    return out


def aim(what: WhatIf) -> str:
    """Direction, speed and spin in words."""
    degrees = f"{abs(what.angle):g} degree{'' if abs(what.angle) == 1 else 's'} to the {'right' if what.angle > 0 else 'left'}"
    spin = f", spinning at {abs(what.spin):g} rad/s {'clockwise' if what.spin > 0 else 'anticlockwise'}" if what.spin else ""
    return f"{'straight ahead' if what.angle == 0 else degrees}, at {what.speed:g} m/s{spin}"


def _a(cls: str) -> str:
    return f"the {cls}" if cls in ("queen", "striker") else f"a {cls}"


def _run_of_striker(motion: Motion, striker: int) -> str:
    cushions = sum(e.kind == "cushion" and e.who[0] == striker for e in motion.events)
    touched = len(motion.touched(striker))
    met = [f"{n} {name}{'' if n == 1 else 's'}" for n, name in ((cushions, "cushion"), (touched, "piece")) if n]
    meets = f", meets {' and '.join(met)}" if met else ""
    touches = "" if touched else " and touches no piece"
    x, y = motion.final.x[striker], motion.final.y[striker]
    end = "" if np.isnan(x) else f"; it comes to rest at ({x:.0f}, {y:.0f}) mm"
    return f"The striker runs {ran(motion, striker) / 1000:.2f} m{meets}{touches}{end}."


def told(motion: Motion, what: WhatIf, kit: Equipment) -> dict[str, Any]:
    """The same for programs."""
    cls = motion.state_before.cls
    places = [None if np.isnan(x) else [round(x, 3), round(y, 3)] for x, y in motion.final.positions().tolist()]
    start = motion.state_before.positions().tolist()
    return {
        "equipment": kit.id,
        "stroke": {"by": what.by, "x": what.along, "angle": what.angle, "speed": what.speed, "spin": what.spin},
        "first_contact": None if motion.first_contact is None else {"piece": motion.first_contact[0], "t": motion.first_contact[1]},
        "touched": list(motion.touched(len(cls) - 1)),
        "pocketed": [{"piece": f.index, "cls": cls[f.index], "pocket": f.pocket, "t": f.t} for f in motion.pocketed],
        "off_board": list(motion.off_board),
        "discs": [
            {"cls": c, "start": s, "final": p, "ran": round(ran(motion, i), 3)}
            for i, (c, s, p) in enumerate(zip(cls, start, places, strict=True))
        ],
        "events": [{"t": e.t, "kind": e.kind, "who": list(e.who), "impulse": e.impulse} for e in motion.events],
        "duration": motion.duration,
    }
