"""The fast figures, compared with the committed baselines.

    python -m benchmarks.fast [--json FILE] [MEASUREMENT ...]

Each measurement is a function that gives one or more figures; each figure has a table in baselines.toml. Fails if a
figure is beyond its `worst`, if one has no baseline, or if a baseline's figure is not measured any more. Times are
processor seconds, the least of several tries, so that a busy machine disturbs them little.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks import calibration
from benchmarks.physics import breaks
from benchmarks.referee_rates import rate
from models.board import ICF, rack
from models.detector import evaluate, examples
from models.detector.contract import BOARD_PX, WEIGHTS
from models.detector.run import Network
from models.errors import BadInput
from models.physics import State, simulate
from models.scene.camera import sample_camera
from models.scene.render import Renderer
from models.scene.style import sample_style
from referee.lawbook_files import load_lawbook
from vision.calibration import find_board

ROOT: Final = Path(__file__).resolve().parent.parent
BASELINES: Final = Path(__file__).with_name("baselines.toml")
SAMPLE: Final = ROOT / "models" / "scene" / "sample"
TRIES: Final = 5
BREAK_SPEED: Final = 4000.0
"""A hard break (mm/s)."""
BREAKS: Final = 1000
RANDOM_BREAKS: Final = 200
VIEWS: Final = 6
VIEW_SIZE: Final = (640, 480)
"""(px)"""
BOARDS: Final = 40

Figures = dict[str, float]


def cpu_seconds() -> float:
    """Seconds of processor that this process and its finished children have used (on Windows: this process)."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def best_seconds(work: Callable[[], object], tries: int = TRIES) -> float:
    """The least processor time (s) of several runs."""
    times = []
    for _ in range(tries):
        begin = cpu_seconds()
        work()
        times.append(cpu_seconds() - begin)
    return min(times)


def start_up() -> Figures:
    """From the shell's prompt to the help and back."""
    command = [sys.executable, "-m", "carromeye", "--help"]
    # Byte code is on the disk once the program has run.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {"start_up": best_seconds(lambda: subprocess.run(command, capture_output=True, check=True, env=environment))}


def physics() -> Figures:
    """A break: twenty discs, nearly all of which move; and what no break may do, over random ones."""
    classes, places = rack()
    rest = State.resting(("striker", *classes), np.vstack([ICF.base_position("south", ICF.side / 2), places]))
    struck = rest.struck(0, 0.0, -BREAK_SPEED)
    seconds = best_seconds(lambda: [simulate(struck) for _ in range(BREAKS)]) / BREAKS
    overlap, gain, beyond, events = (float(line.value or 0) for line in breaks(RANDOM_BREAKS))
    return {"break_shot": seconds, "break_overlap": overlap, "break_energy_gain": gain, "break_escape": beyond, "break_events": events}


def referee() -> Figures:
    """Boards of random strokes by the ICF laws; benchmarks/referee.py has every law book, and peers."""
    return {"rulings": rate(load_lawbook("icf")).rulings}


def find_boards() -> Figures:
    """Small rendered views of boards of many styles, pieces on them."""
    errors = []
    for seed in range(VIEWS):
        rng = np.random.default_rng([seed, 21])
        camera = sample_camera(rng, VIEW_SIZE)
        picture = Renderer(sample_style(rng), camera, seed=seed).frame(calibration.some_discs(rng), [], rng=rng)
        truth = camera.corners()
        side = float(np.linalg.norm(truth - np.roll(truth, 1, 0), axis=1).mean())
        try:
            found = find_board(picture).outline()
        except BadInput:
            continue
        errors.append(float(np.linalg.norm(found - truth, axis=1).max()) / side)
    right = [e for e in errors if e <= calibration.WRONG]
    return {"boards_found": len(right) / VIEWS, "corner_error": float(np.median(right)) if right else 1.0}


def detector() -> Figures:
    """Rendered boards that no training has seen, the first that `carromeye evaluate` takes."""
    network = Network(WEIGHTS)
    figures = evaluate.evaluate(network, examples.unseen(BOARDS))
    board = np.zeros((BOARD_PX, BOARD_PX, 3), np.uint8)
    return {
        "detector_recall": figures["disc_recall"],
        "detector_precision": figures["disc_precision"],
        "detector_seconds": best_seconds(lambda: network(board)),
    }


def sample_clip() -> Figures:
    """The clip that `make demo` reviews, held against its truth."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "carromeye", "review", str(SAMPLE / "clip.mp4"), "-o", folder], capture_output=True, check=True
        )
        told = subprocess.run(
            [sys.executable, "-m", "carromeye", "evaluate", str(SAMPLE / "truth.json"), folder, "--json"], capture_output=True, check=True
        )
    result = json.loads(told.stdout)["figures"]
    return {
        "sample_strokes_right": result["strokes_right"] / result["strokes"],
        "sample_strokes_invented": result["strokes_invented"],
        "sample_hota": result["hota"],
        "sample_switches": result["switches"],
        "sample_ways_right": result["ways_right"],
        "sample_speed_error": result["speed_error"],
    }


MEASUREMENTS: Final[dict[str, Callable[[], Figures]]] = {
    measurement.__name__: measurement for measurement in (start_up, physics, referee, find_boards, detector, sample_clip)
}


def is_beyond(value: float, baseline: dict[str, Any]) -> bool:
    """Whether a figure is worse than the worst that its baseline allows."""
    worst = float(baseline["worst"])
    return value > worst if baseline["better"] == "lower" else value < worst


def complaints(figures: Figures, baselines: dict[str, dict[str, Any]], complete: bool = True) -> list[str]:
    """What is wrong with figures: one line each.

    Parameters
    ----------
    complete : bool
        Every baseline should have its figure.
    """
    wrong = [f"{name}: no baseline in {BASELINES.name}" for name in figures if name not in baselines]
    if complete:
        wrong += [f"{name}: has a baseline but is not measured" for name in baselines if name not in figures]
    for name, value in figures.items():
        if name in baselines and is_beyond(value, baselines[name]):
            wrong.append(f"{name}: {value:.4g} is beyond {baselines[name]['worst']:g}; it was {baselines[name]['measured']:g}")
    return wrong


def main() -> int:
    """Measure, print, compare; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="MEASUREMENT", help=f"only these: {', '.join(MEASUREMENTS)}")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    given = parser.parse_args()
    if unknown := set(given.names) - MEASUREMENTS.keys():
        parser.error(f"no such measurement: {', '.join(sorted(unknown))}")
    baselines = tomllib.loads(BASELINES.read_text(encoding="utf-8"))
    figures: Figures = {}
    for name in given.names or MEASUREMENTS:
        for figure, value in MEASUREMENTS[name]().items():
            figures[figure] = value
            known = baselines.get(figure, {"unit": "", "measured": float("nan"), "what": "no baseline"})
            print(f"{figure:24} {value:9.4g} {known['unit']:7} was {known['measured']:<9.4g} {known['what']}", flush=True)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    wrong = complaints(figures, baselines, complete=not given.names)
    for line in wrong:
        print(line, file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
