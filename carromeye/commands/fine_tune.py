"""`carromeye fine-tune`: the detector trained on with a club's own labelled boards."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from carromeye.commands.train import check_options, with_time_left, write_figures
from carromeye.labelled import LabelledBoard, example_of, rectified
from carromeye.progress import step
from models.detector import train as recipe
from models.detector.contract import WEIGHTS
from models.detector.crops import Crop
from models.detector.evaluate import evaluate
from models.detector.examples import unseen
from models.detector.fine_tune import LEAST_BOARDS, Tuning, split, tune
from models.detector.labels import Labels, read_folder
from models.detector.restore import restore
from models.detector.run import Network
from models.errors import BadInput
from models.files import read_bytes, write_text

FOLDER: Final = Path("runs/fine-tune")
NAME: Final = "carrom.onnx"
CROPS: Final = "crops"
NOTE: Final = "fine-tune.json"
"""What settled the crops that lie beside it."""
LONGEST: Final = 1000
"""Bytes of the note."""
RENDERED_BOARDS: Final = 40
"""Rendered boards on which it is seen whether anything was forgotten."""
SHOWN: Final = ("disc_recall", "disc_precision", "disc_error_mm", "hand_recall", "hand_precision", "map50", "map50_95")
DECIDES: Final = "map50_95"
"""The figure by which weights are better or worse."""


def run(folder: Path, out: Path | None, weights: Path | None, seed: int, minutes: float | None, device: str) -> None:
    """Fine-tune the detector with the labelled pictures in `folder`; measure it before and after on those held out.

    Raises
    ------
    BadInput
        If the extra ``train`` is missing, an option, the labels or the weights cannot be used, there are too few labelled pictures,
        or in `out` are crops of another seed or run, or a training is at work.
    """
    check_options(device, seed, minutes)
    labels, unlabelled = read_folder(folder)
    if len(labels) < LEAST_BOARDS:
        raise BadInput(f"{folder}: {len(labels)} labelled pictures are too few to learn from; label at least {LEAST_BOARDS}, better 50")
    start, out = weights or WEIGHTS, out or FOLDER
    if out.resolve().is_relative_to(folder.resolve()):
        raise BadInput(f"--out {out} lies within {folder}: its crops would be taken for labelled pictures; name a place outside")
    chosen = recipe.prepare(out, device)
    with recipe.alone(out):
        if (out / NAME).exists():
            raise BadInput(f"{out / NAME} is there already, fine-tuned earlier; name another --out")
        _settle(out, seed)
        _tune(labels, unlabelled, out, start, replace(Tuning(seed=seed), minutes=minutes or 0.0), chosen)


def _settle(out: Path, seed: int) -> None:
    """Note the seed of the crops that will lie in `out`; refuse those of another, which a stopped run left there."""
    note, crops = out / NOTE, out / CROPS
    try:
        begun = json.loads(read_bytes(note, LONGEST))["seed"] if os.path.lexists(note) else None
    except (ValueError, TypeError, KeyError, RecursionError) as e:
        raise BadInput(f"{note}: is not the note of a fine-tuning; name another --out") from e
    if begun is None and os.path.lexists(crops):
        raise BadInput(f"{out} holds the crops of another run; name another --out")
    if begun not in (None, seed):
        raise BadInput(f"{out} holds a fine-tuning with --seed {begun}: go on with that, or name another --out")
    write_text(note, json.dumps({"seed": seed}) + "\n")


def _tune(labels: Sequence[Labels], unlabelled: int, out: Path, start: Path, tuning: Tuning, device: str) -> None:
    model = restore(start)
    boards = [rectified(one) for one in labels]
    learn, held = split(len(boards), tuning.seed)
    left = f" ({unlabelled} pictures without labels are left out)" if unlabelled else ""
    print(f"{len(learn)} pictures to learn from, {len(held)} held out to measure on{left}; on {device}")
    before = _measure(start, [boards[i] for i in held])
    with step("Rendering and training", 1.0) as show:
        crops = [Crop(boards[i].picture, boards[i].boxes) for i in learn]
        model = tune(model, crops, tuning, out / CROPS, device, recipe.workers_for(device), with_time_left(show))
    candidate = out / "candidate.onnx"
    try:
        recipe.export(model, candidate)
        after = _measure(candidate, [boards[i] for i in held])
    except BaseException:
        candidate.unlink(missing_ok=True)  # what has not been measured is not to be used
        raise
    better = after["held out"][DECIDES] >= before["held out"][DECIDES]
    kept = candidate.replace(out / (NAME if better else "worse.onnx"))
    write_figures(out / "figures.json", {"before": before, "after": after})
    _tell(before, after)
    if better:
        print(f"written: {kept}; use it with --weights {kept}, for review, detect, label and evaluate")
    else:
        print(f"not better on the pictures held out ({DECIDES}): go on with {start}. The new weights are kept as {kept}.")


def _measure(weights: Path, held: Sequence[LabelledBoard]) -> dict[str, dict[str, float]]:
    network = Network(weights)
    return {
        "held out": evaluate(network, (example_of(board) for board in held)),
        "rendered": evaluate(network, unseen(RENDERED_BOARDS)),
    }


def _tell(before: dict[str, dict[str, float]], after: dict[str, dict[str, float]]) -> None:
    for where in before:
        print(f"{where}: {before[where]['boards']:.0f} boards, before and after")
        for name in SHOWN:
            a, b = before[where][name], after[where][name]
            if not (math.isnan(a) and math.isnan(b)):
                print(f"  {name:16} {a:8.4f} {b:8.4f}")
