"""The physics core's figures: speed beside peers, agreement with a step integrator, what no break may do, and what a fit recovers.

    python -m benchmarks.physics [--only NAME ...] [--breaks 10000] [--pooltool PYTHON] [--json FILE]

Peers come with the extra `bench` (pymunk; numba for the step integrator); what is missing is said and left out. Times are the best of
several tries, those of a peer taken in the same run.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import cos, hypot, pi, sin
from pathlib import Path
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from benchmarks import physics_makers, physics_peers
from benchmarks.physics_makers import FULL_FORCE
from models.board import ICF, BoardSpec, rack
from models.physics import Contact, Dynamics, Motion, Observations, State, fit_stroke, simulate, simulate_many
from models.stroke import Piece

Array = NDArray[np.float64]

CASES: Final = 120
"""Of two and three discs, for the step integrator."""
CHUNK: Final = 250
TINY: Final = 1e-30
"""No stroke has so little energy (J)."""
EVENT_CAP: Final = 20_000
"""After so many events the core gives up."""
ROUNDING: Final = 1e-13
"""Part of a stroke's energy that is the rounding of a sum of squares and no gain."""


@dataclass(frozen=True)
class Line:
    """A figure: what was asked, what was seen; `good` is None where it could not be measured."""

    what: str
    asked: str
    seen: str
    good: bool | None
    value: float | None = None


def best(work: Callable[[], object], tries: int = 9, repeat: int = 1) -> float:
    """Least time of several tries (s)."""
    times = []
    for _ in range(tries):
        begin = time.perf_counter()
        for _ in range(repeat):
            work()
        times.append((time.perf_counter() - begin) / repeat)
    return min(times)


def missing(module: str) -> bool:
    """Whether a peer is not installed."""
    return importlib.util.find_spec(module) is None


def beside_pymunk() -> Iterator[Line]:
    state = physics_peers.racked_state()
    what, asked = "break of 19 racked pieces, beside pymunk at dt 1/4000", "50 times faster"
    ours = best(lambda: simulate(state), repeat=20)
    if missing("pymunk"):
        yield Line(what, asked, f"pymunk is not installed; ours {ours * 1e3:.3f} ms", None)
        return
    theirs, lasted = min(physics_peers.pymunk_break(state) for _ in range(5))
    lasts = simulate(state).duration
    seen = f"{theirs / ours:.0f} times: {theirs * 1e3:.1f} ms for {lasted:.2f} s of play, ours {ours * 1e3:.3f} ms for {lasts:.2f} s"
    yield Line(what, asked, seen, bool(theirs / ours >= 50), theirs / ours)


def beside_pooltool(python: str) -> Iterator[Line]:
    state = physics_peers.racked_state()
    events = len(simulate(state).events)
    ours = best(lambda: simulate(state), repeat=20) / events
    theirs = physics_peers.pooltool_event(python)
    source = "in this run" if theirs else "stored, not installed here"
    theirs = theirs or physics_peers.POOLTOOL_MS * 1e-3
    seen = f"{theirs / ours:.0f} times: {theirs * 1e3:.2f} ms an event ({source}), ours {ours * 1e6:.1f} us"
    yield Line("an event of a break, beside pooltool's nine-ball break", "20 times faster", seen, bool(theirs / ours >= 20), theirs / ours)


def scattered(rng: Generator, discs: int, board: BoardSpec) -> State:
    """A striker sent at the first of one or two pieces that lie anywhere."""
    three: list[Piece] = ["striker", "white", "black"]
    classes = three[:discs]
    while True:
        places = rng.uniform(60, board.side - 60, (discs, 2))
        apart = [hypot(*(places[i] - places[j])) for i in range(discs) for j in range(i)]
        if min(apart) > 60:
            break
    to = places[1] - places[0]
    angle = np.arctan2(to[1], to[0]) + rng.normal(0, 0.08)
    speed = rng.uniform(500, 3000)
    return State.resting(classes, places, board).struck(0, speed * cos(angle), speed * sin(angle), rng.normal(0, 15))


def in_line(rng: Generator, state: State, board: BoardSpec) -> State:
    """The same, but the third disc lies where the second is likely to be sent."""
    p = state.positions()
    angle = np.arctan2(*(p[1] - p[0])[::-1]) + rng.normal(0, 0.3)
    p[2] = np.clip(p[1] + rng.uniform(45, 150) * np.array([cos(angle), sin(angle)]), 60, board.side - 60)
    if min(hypot(*(p[2] - p[0])), hypot(*(p[2] - p[1]))) < 45:
        return state
    return replace(state, x=p[:, 0], y=p[:, 1])


def agreement() -> Iterator[Line]:
    what, asked = "a step integrator at dt 1e-6: places at times and at rest", "0.05 mm"
    if missing("numba"):
        yield Line(what, asked, "numba is not installed", None)
        return
    from benchmarks.physics_steps import stepped

    # square corners and no pockets: the other integrator knows neither
    board, rng, dynamics = replace(ICF, pocket_radius=1.0, pocket_inset=1.0, corner_radius=0.0), np.random.default_rng(11), Dynamics()
    off, contacts, several = [], Counter[str](), 0
    for k in range(CASES):
        state = scattered(rng, 2 + k % 2, board)
        if k % 4 == 1:
            state = in_line(rng, state, board)
        motion = simulate(state, board, dynamics)
        times = np.append(np.linspace(0, motion.duration, 8)[1:], motion.duration + 0.01)
        off.append(float(np.abs(motion.positions(times) - stepped(state, board, dynamics, times)).max()))
        contacts.update(e.kind for e in motion.events)
        several += sum(e.kind == "disc" for e in motion.events) > 1
    seen = (
        f"worst {max(off):.2g} mm, median {np.median(off):.1g}, over {CASES} strokes "
        f"with {contacts['disc']} collisions ({several} strokes with two or more) and {contacts['cushion']} cushions; none left out"
    )
    yield Line(what, asked, seen, bool(max(off) <= 0.05), max(off))


def random_break(rng: Generator, number: int) -> State:
    """A break: racks that touch, turned or straight, and in every third case with small gaps."""
    classes, places = rack(angle=float(rng.uniform(0, 2 * pi)) if number % 2 else 0.0)
    if number % 3 == 1:
        places = ICF.side / 2 + (places - ICF.side / 2) * (1 + rng.uniform(0, 0.02))
    state = State.resting([*classes, "striker"], np.vstack([places, ICF.base_position("south", float(rng.uniform(160, 580)))]))
    d = ICF.side / 2 + rng.normal(0, 30, 2) - state.positions()[-1]
    vx, vy = d / hypot(*d) * rng.uniform(1000, 8000)
    return state.struck(len(classes), vx, vy, float(rng.normal(0, 20)))


def energy_at(motion: Motion, times: Array) -> Array:
    """Kinetic energy of all discs on the board at `times` (J), shape (T,)."""
    m, r = motion.final.mass, motion.final.radius
    spin = np.stack([c.at(times)[:, 4] for c in motion.courses], axis=1)
    energy: Array = np.nansum(0.5 * m * (motion.velocities(times) ** 2).sum(2) * 1e-6 + 0.25 * m * (r * 1e-3 * spin) ** 2, axis=1)
    return energy


def faults(motion: Motion, board: BoardSpec = ICF) -> tuple[float, float, float]:
    """What no stroke may do.

    Returns
    -------
    overlap : float
        Deepest of any two discs (mm), at all events and halfway between them.
    gain : float
        Greatest gain of energy, as a part of what there was at first: over an event (just before to just after, so that no
        friction hides it) or between two events.
    beyond : float
        Furthest that a disc came beyond a cushion or the curve of a corner (mm).
    """
    events = np.unique([0.0, motion.duration, *(e.t for e in motion.events)])
    t = np.sort(np.concatenate([events, (events[1:] + events[:-1]) / 2]))
    p, r, rho = motion.positions(t), motion.final.radius, board.corner_radius
    i, j = np.triu_indices(len(r), 1)
    gaps = np.hypot(*(p[:, i] - p[:, j]).transpose(2, 0, 1)) - (r[i] + r[j])
    both = np.sort(np.concatenate([t, np.nextafter(events[1:], 0.0)]))
    energy = energy_at(motion, both)
    beyond = np.maximum(r[:, None] - p, p - (board.side - r[:, None])).max(2)
    # how far into the square of a corner, seen from the middle of its curve
    inwards = np.maximum(rho - p, p - (board.side - rho))
    curve = np.where((inwards > 0).all(2) & (r < rho), np.hypot(inwards[..., 0], inwards[..., 1]) - (rho - r), beyond)
    furthest = np.fmax(beyond, curve)
    gain = np.diff(energy).max(initial=0.0) / max(float(energy[0]), TINY)
    return -float(np.nanmin(gaps, initial=np.inf)), float(gain), float(np.nanmax(furthest))


def ended(state: State) -> Motion | None:
    """What follows, or None if the core gives up on it."""
    try:
        return simulate(state)
    except RuntimeError:
        return None


def breaks(count: int) -> Iterator[Line]:
    rng = np.random.default_rng(5)
    worst, events, capped = np.zeros(3), [], 0
    for begin in range(0, count, CHUNK):
        states = [random_break(rng, begin + k) for k in range(min(CHUNK, count - begin))]
        try:
            motions = simulate_many(states)
        except RuntimeError:
            motions = [m for m in map(ended, states) if m]
            capped += len(states) - len(motions)
        for motion in motions:
            worst = np.maximum(worst, faults(motion))
            events.append(len(motion.events))
    what = f"{count} random breaks: "
    yield Line(what + "overlap", "none beyond 1e-6 mm", f"deepest {worst[0]:.1e} mm", bool(worst[0] <= 1e-6), float(worst[0]))
    yield Line(what + "energy gained", "none", f"{worst[1]:.1e} of the stroke's at most", bool(worst[1] <= ROUNDING), float(worst[1]))
    yield Line(
        what + "disc escaped",
        "none beyond 1e-6 mm",
        f"furthest {worst[2]:.1e} mm beyond a cushion or a corner's curve",
        bool(worst[2] <= 1e-6),
        float(worst[2]),
    )
    most = EVENT_CAP if capped else max(events)
    seen = f"{capped}; events at most {most}, median {np.median(events):.0f}"
    yield Line(what + "event cap hit", "none", seen, capped == 0, float(most))


def collisions() -> Iterator[Line]:
    """Momentum and energy over one contact without friction, against Newton's law of restitution."""
    e, worst = 0.92, 0.0
    smooth = Contact(e, 0.0)
    for angle in np.linspace(-1.4, 1.4, 57):
        board = replace(ICF, side=4000.0)
        touch = board.striker_radius + board.piece_radius
        place = np.array([2000.0, 2000.0])
        state = State.resting(["striker", "white"], [place, place + (touch + 5) * np.array([cos(angle), sin(angle)])], board)
        # the line of the centres at contact makes `angle` with the way of the striker
        normal = np.array([cos(angle), sin(angle)])
        state = replace(state, x=np.array([2000.0, 2000.0 + touch * normal[0] + 5]), y=np.array([2000.0, 2000.0 + touch * normal[1]]))
        motion = simulate(state.struck(0, 2000.0, 0.0), board, Dynamics(striker_piece=smooth), t_max=0.05)
        hit = next(ev for ev in motion.events if ev.kind == "disc")
        before, after = motion.velocities(hit.t * (1 - 1e-15) - 1e-12)[0], motion.velocities(hit.t)[0]
        p = motion.positions(hit.t)[0]
        n = (p[1] - p[0]) / hypot(*(p[1] - p[0]))
        m = state.mass
        v = motion.courses[0].at(np.array([0.0]))[0, 2]
        speed = v - Dynamics().friction_striker * hit.t
        u = speed * n[0]
        push = (1 + e) * u / (1 / m[0] + 1 / m[1])
        want = np.array([[speed, 0.0], [0.0, 0.0]]) + np.outer([-1 / m[0], 1 / m[1]], push * n)
        worst = max(worst, float(np.abs(after - want).max()) / speed)
        worst = max(worst, float(np.abs(m @ after - m @ np.array([[speed, 0.0], [0.0, 0.0]])).max()) / (m[0] * speed))
        lost = 0.5 * (1 - e * e) * u * u / (1 / m[0] + 1 / m[1])
        energies = 0.5 * m[0] * speed**2, 0.5 * float(m @ (after**2).sum(1))
        worst = max(worst, abs(energies[0] - energies[1] - lost) / energies[0])
        assert before[1].max() == 0
    yield Line(
        "striker on piece, head-on and oblique: velocities, momentum, energy",
        "1e-9 of the analytic",
        f"worst {worst:.1e}",
        bool(worst <= 1e-9),
        worst,
    )


def makers(strokes: int = 3000) -> Iterator[Line]:
    """The striker must not leave the board; what became of the pieces is told."""
    off, table = physics_makers.experiment(strokes)
    said = "".join(
        f"\n         {name}: {c['strokes']} strokes; of {physics_makers.TOWER * c['strokes']} pieces {c['pocketed']} pocketed, "
        f"{c['bounced_out']} bounced out of a pocket, {c['at_rest']} others at rest"
        for name, c in table.items()
    )
    yield Line(f"22Softwares' experiment, {strokes} strokes: striker off the board", "0", f"{off}{said}", off == 0, float(off))


def liveliness() -> Iterator[Line]:
    """Law 1.2: the striker sent straight across from a base line runs three and a half times across the board."""
    state = State.resting(["striker"], [ICF.base_position("south", 370)]).struck(0, 0, -FULL_FORCE)
    motion = simulate(state)
    t = np.unique([0.0, motion.duration, *(e.t for e in motion.events)])
    way = float(np.abs(np.diff(motion.positions(t)[:, 0, 1])).sum())
    runs = way / (ICF.side - 2 * ICF.striker_radius)
    yield Line(
        f"ICF liveliness: a stroke at {FULL_FORCE / 1000:g} m/s straight across", "3.5 runs", f"{runs:.2f} runs", bool(runs >= 3.5), runs
    )


FITS: Final = 40
FPS, NOISE_MM, MISSED = 30.0, 1.0, 0.2
"""What the fit is shown: pictures a second, noise of a place along each axis, share of sightings that are missing."""


def filmed(state: State, striker: int, rng: Generator) -> tuple[Observations, State]:
    """What a camera sees of a stroke, from a fifth of a second before it until all rest; and the discs before it."""
    motion, begin = simulate(state), float(rng.uniform(0.2, 0.2 + 1 / FPS))
    rest = replace(state, vx=state.vx * 0, vy=state.vy * 0, spin=state.spin * 0)
    t = np.arange(0.0, begin + motion.duration + 0.2, 1 / FPS)
    seen = np.where((t < begin)[:, None, None], rest.positions()[None], motion.positions(np.maximum(t - begin, 0.0)))
    seen = seen + rng.normal(0, NOISE_MM, seen.shape)
    seen[rng.random(seen.shape[:2]) < MISSED] = np.nan
    return Observations.of(t, seen, NOISE_MM), rest


def fits() -> Iterator[Line]:
    rng = np.random.default_rng(17)
    for name, limit in (("a stroke of 3 discs", 0.15), ("a break", 1.0)):
        speeds, directions, times, honest = [], [], [], []
        for k in range(FITS):
            state = scattered(rng, 3, ICF) if limit < 1 else random_break(rng, 0)
            striker = state.cls.index("striker")
            seen, rest = filmed(state, striker, rng)
            begin = time.perf_counter()
            fit = fit_stroke(seen, rest, place_sigma=0.0, friction_sigma=0.0)
            if k:  # the first warms up
                times.append(time.perf_counter() - begin)
            vx, vy = float(state.vx[striker]), float(state.vy[striker])
            speeds.append(abs(fit.release.speed / hypot(vx, vy) - 1))
            directions.append(abs((fit.release.direction - np.arctan2(vy, vx) + pi) % (2 * pi) - pi) * 180 / pi)
            honest.append(abs(fit.release.speed - hypot(vx, vy)) < 2 * fit.error("speed"))
        right = float(np.mean((np.array(speeds) < 0.02) & (np.array(directions) < 0.5)))
        told = (
            f"{right:.0%} of {FITS} within both; speed off by {np.median(speeds):.2%} (95 %: {np.quantile(speeds, 0.95):.2%}), "
            f"direction by {np.median(directions):.3f} (95 %: {np.quantile(directions, 0.95):.3f}) degrees; "
            f"{np.median(times):.3f} s, at most {max(times):.3f} s; true speed within two standard errors in {np.mean(honest):.0%}"
        )
        good = bool(np.quantile(speeds, 0.9) <= 0.02 and np.quantile(directions, 0.9) <= 0.5 and np.median(times) <= limit)
        what = f"fit of {name} from {FPS:g} fps, {NOISE_MM:g} mm noise, {MISSED:.0%} missing"
        yield Line(what, f"2 %, 0.5 degrees (in nine of ten), {limit:g} s (median)", told, good, right)


def main() -> int:
    """Measure and print; 1 if a figure is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument("--breaks", type=int, default=10_000)
    parser.add_argument("--pooltool", default=sys.executable, metavar="PYTHON", help="an interpreter that has pooltool")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    work: dict[str, Callable[[], Iterator[Line]]] = {
        "pymunk": beside_pymunk,
        "pooltool": lambda: beside_pooltool(given.pooltool),
        "agreement": agreement,
        "breaks": lambda: breaks(given.breaks),
        "collisions": collisions,
        "makers": makers,
        "liveliness": liveliness,
        "fits": fits,
    }
    if unknown := set(given.only or ()) - work.keys():
        parser.error(f"no such measurement: {', '.join(sorted(unknown))} (known: {', '.join(work)})")
    lines = []
    for name in given.only or work:
        for line in work[name]():
            mark = "LEFT OUT" if line.good is None else "ok" if line.good else "MISSED"
            print(f"{mark:8} {line.what}\n         asked {line.asked}; seen {line.seen}", flush=True)
            lines.append(line)
    if given.json:
        given.json.write_text(json.dumps([line.__dict__ for line in lines], indent=1) + "\n", encoding="utf-8")
    return int(any(line.good is False for line in lines))


if __name__ == "__main__":
    sys.exit(main())
