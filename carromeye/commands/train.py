"""`carromeye train`: the detector's recipe, from rendering to ONNX."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from carromeye.progress import Step, step
from models.detector import train as recipe
from models.errors import BadInput
from models.files import write_text
from reports.match_file import plain

FOLDER: Final = Path("runs/detector")
SMOKE_FOLDER: Final = Path("runs/smoke")
SMOKE_BOARDS: Final = 4
MOST_EPOCHS: Final = 10_000
DEVICES: Final = ("auto", "cpu", "cuda")


def run(out: Path | None, seed: int | None, crops: int | None, epochs: int | None, minutes: float | None, device: str, smoke: bool) -> None:
    """Train a detector anew, or go on with a training that was stopped; leave its weights and figures in `out`.

    Raises
    ------
    BadInput
        If the extra ``train`` is missing, an option cannot be used, `out` holds a run with other settings, or one is at work there.
    """
    asked = {k: v for k, v in (("seed", seed), ("crops", crops), ("epochs", epochs), ("minutes", minutes)) if v is not None}
    _check(asked, device, smoke)
    out = out or (SMOKE_FOLDER if smoke else FOLDER)
    chosen = recipe.prepare(out, device)
    with recipe.alone(out):
        _train(out, recipe.settle(out, asked, chosen, recipe.SMOKE if smoke else None), chosen, smoke)


def _train(out: Path, settled: recipe.Recipe, device: str, smoke: bool) -> None:
    print(f"{settled.crops} crops, seed {settled.seed}, epochs {settled.epochs}, on {device}; stop it at will: the same command goes on")
    with step("Rendering and training", 1.0) as show:
        model = recipe.train(settled, out, device, with_time_left(show), recipe.workers_for(device))
    weights = out / "carrom.onnx"
    recipe.export(model, weights)
    with step("Measuring on boards never seen", 1.0) as show:
        figures = recipe.measure(weights, SMOKE_BOARDS if smoke else recipe.EVALUATION_BOARDS, with_time_left(show))
    write_figures(out / "figures.json", figures)
    print_figures(figures)
    if smoke:
        print(f"the export takes and gives what the committed weights do: {recipe.same_form(weights)}")
    print(f"written: {weights}; try it with: carromeye review VIDEO -o FOLDER --weights {weights}")


def check_options(device: str, seed: float | None, minutes: float | None) -> None:
    """Refuse what no training can use; None is what was not asked for.

    Raises
    ------
    BadInput
    """
    if device not in DEVICES:
        raise BadInput(f"--device {device}: there are {', '.join(DEVICES)}")
    if seed is not None and not 1 <= seed <= recipe.MOST_SEED:
        raise BadInput(f"--seed: 1 to {recipe.MOST_SEED}; what would be 0's boards are kept for evaluation")
    if minutes is not None and not 0 < minutes < math.inf:
        raise BadInput("--minutes: more than 0")


def _check(asked: Mapping[str, float], device: str, smoke: bool) -> None:
    check_options(device, asked.get("seed"), asked.get("minutes"))
    if smoke and asked.keys() - {"seed"}:
        raise BadInput("--smoke settles crops, epochs and minutes itself; leave them out")
    if not 1 <= asked.get("crops", 1) <= recipe.MOST_CROPS:
        raise BadInput(f"--crops: 1 to {recipe.MOST_CROPS}; more epochs, or another seed, give more")
    if not 1 <= asked.get("epochs", 1) <= MOST_EPOCHS:
        raise BadInput(f"--epochs: 1 to {MOST_EPOCHS}")


def with_time_left(show: Step) -> Callable[[float, str], None]:
    """Progress from 0 to 1 with the time that is left in words, from the pace since the first report."""
    first: list[float] = []

    def tell(part: float, note: str) -> None:
        now = time.monotonic()
        if not first:
            first.extend((part, now))
        gone, took = part - first[0], now - first[1]
        left = took / gone * (1 - part) if gone > 0 else None
        show(part, ", ".join(text for text in (_minutes(left), note) if text))

    return tell


def _minutes(seconds: float | None) -> str:
    if seconds is None:
        return ""
    if seconds < 90:
        return f"{seconds:.0f} s left"
    return f"{seconds / 60:.0f} min left" if seconds < 5400 else f"{seconds / 3600:.1f} h left"


def write_figures(path: Path, figures: Mapping[str, Any]) -> None:
    """Write figures as JSON, what could not be measured as null."""
    write_text(path, json.dumps(plain(figures), indent=1) + "\n")


def print_figures(figures: Mapping[str, float]) -> None:
    """One line a figure; a dash where there was nothing to measure."""
    for name, value in figures.items():
        print(f"{name:28} {'-' if math.isnan(value) else f'{value:.4g}'}")
