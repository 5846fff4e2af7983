"""Train the detector: render crops, train, evaluate, export.

``python -m models.detector.train --crops 40000 --epochs 3 --seed 1 --out runs/detector`` does all of it and goes on where it was
stopped; ``--smoke`` does a very small one in a minute or two. Needs the extra ``train``.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.detector import network
from models.detector.contract import WEIGHTS
from models.detector.crops import SHARD, render
from models.detector.data import batches
from models.detector.evaluate import evaluate
from models.detector.examples import unseen
from models.detector.run import Network
from models.errors import BadInput
from models.files import output_folder, replacing, write_text

BATCH: Final = 16
PASS: Final = 2
"""Shards of a pass, after which the state is saved."""
WEIGHT_DECAY: Final = 5e-4
WARMUP_STEPS: Final = 100
FINAL_RATE: Final = 0.02
"""Learning rate at the end over that at the start."""


@dataclass(frozen=True)
class Recipe:
    """What settles a training run.

    Attributes
    ----------
    crops, epochs, seed, batch : int
    shard : int
        Crops rendered to one folder.
    rate : float
        Highest learning rate.
    minutes : float
        End after so many minutes of training even if crops are left (the rate falls accordingly); 0 for no limit.
    """

    crops: int = 40000
    epochs: int = 3
    seed: int = 1
    batch: int = BATCH
    rate: float = 0.003
    shard: int = SHARD
    minutes: float = 0.0


SMOKE: Final = Recipe(crops=48, epochs=1, batch=8, shard=24)
EVALUATION_BOARDS: Final = 120


def schedule(recipe: Recipe, data: Path, index: int, stream: bool) -> list[Path]:
    """The shards of pass `index`: rendered here if missing, or, for `stream`, some that another process has rendered."""
    number = -(-recipe.crops // recipe.shard)
    if stream:
        ready = sorted(p for p in data.iterdir() if p.is_dir() and not p.name.startswith("."))
        order = np.random.default_rng([recipe.seed, index]).permutation(len(ready))
        return [ready[int(k)] for k in order[:PASS]]
    first = index * PASS % (-(-number // PASS) * PASS)
    return render(data, recipe.crops, recipe.seed, range(first, min(first + PASS, number)), recipe.shard)


def train(recipe: Recipe, data: Path, out: Path, start: Path | None = None, stream: bool = False) -> Any:
    """Train on the crops in `data`; the state is saved to `out`/state.pt after every pass over a few shards and picked up again.

    The forward pass runs in bfloat16, at which processors with AMX are twice as fast.

    Returns
    -------
    The network with its averaged weights.
    """
    import torch

    torch.manual_seed(recipe.seed)
    model = network.build()
    if start is not None:
        model.load_state_dict(torch.load(start, weights_only=True)["average"])
    average = copy.deepcopy(model).eval()
    decay = [p for p in model.parameters() if p.ndim > 1]
    plain = [p for p in model.parameters() if p.ndim <= 1]
    groups = [{"params": decay, "weight_decay": WEIGHT_DECAY}, {"params": plain, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=recipe.rate, betas=(0.9, 0.99))
    state, step, spent = out / "state.pt", 0, 0.0
    shards = -(-recipe.crops // recipe.shard)
    passes, done = recipe.epochs * -(-shards // PASS), 0
    if state.exists():
        saved = torch.load(state, weights_only=True)
        model.load_state_dict(saved["model"])
        average.load_state_dict(saved["average"])
        optimiser.load_state_dict(saved["optimiser"])
        step, spent, done = saved["step"], saved["spent"], saved["done"]
    total = recipe.epochs * shards * recipe.shard // recipe.batch
    model.train()
    for index in range(done, passes):
        sums, began = np.zeros(3), time.monotonic()
        rng = np.random.default_rng([recipe.seed, index])
        count = 0
        for batch in batches(schedule(recipe, data, index, stream), recipe.batch, rng):
            part = step / max(total, 1)
            if recipe.minutes:
                part = max(part, (spent + time.monotonic() - began) / (60 * recipe.minutes))
            if part >= 1:
                break
            rate = recipe.rate * min(1, (step + 1) / WARMUP_STEPS) * (FINAL_RATE + (1 - FINAL_RATE) * 0.5 * (1 + math.cos(math.pi * part)))
            for group in optimiser.param_groups:
                group["lr"] = rate
            with torch.autocast("cpu", dtype=torch.bfloat16):
                found = model(batch["img"])
            loss, items = model.loss(batch, {k: v.float() if torch.is_tensor(v) else [f.float() for f in v] for k, v in found.items()})
            optimiser.zero_grad()
            loss.sum().backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
            optimiser.step()
            step, count = step + 1, count + 1
            _follow(average, model, min(0.9985, (1 + step) / (20 + step)))
            sums += [float(v) for v in items.values()]
        spent += time.monotonic() - began
        with replacing(state) as partial:
            torch.save(
                {
                    "model": model.state_dict(), "average": average.state_dict(), "optimiser": optimiser.state_dict(),
                    "step": step, "spent": spent, "done": index + 1,
                },
                partial,
            )  # fmt: skip
        box, cls, dfl = sums / max(count, 1)
        print(
            f"{index + 1}/{passes} step {step} rate {rate:.5f} box {box:.3f} cls {cls:.3f} dfl {dfl:.3f} {spent / 60:.1f} min", flush=True
        )
        if recipe.minutes and spent > 60 * recipe.minutes:
            break
    return average


def _follow(average: Any, model: Any, keep: float) -> None:
    """Move the averaged weights towards the model's."""
    import torch

    with torch.no_grad():
        source = model.state_dict()
        for name, value in average.state_dict().items():
            if value.dtype.is_floating_point:
                value.mul_(keep).add_(source[name], alpha=1 - keep)
            else:
                value.copy_(source[name])


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--crops", type=int, default=Recipe.crops)
    p.add_argument("--epochs", type=int, default=Recipe.epochs)
    p.add_argument("--seed", type=int, default=Recipe.seed)
    p.add_argument("--batch", type=int, default=Recipe.batch)
    p.add_argument("--rate", type=float, default=Recipe.rate)
    p.add_argument("--minutes", type=float, default=Recipe.minutes)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--out", type=Path, help="where state and weights go (default: runs/detector, for --smoke runs/smoke)")
    p.add_argument("--data", type=Path, help="folder of rendered crops (default: OUT/crops)")
    p.add_argument(
        "--smoke", action="store_true", help="a few dozen crops, one epoch; then compare the export's form with the committed weights"
    )
    p.add_argument("--stream", action="store_true", help="train on what models.detector.crops, running beside this, has rendered so far")
    p.add_argument("--start", type=Path, help="state.pt of an earlier run to start from")
    a = p.parse_args(arguments)
    recipe = SMOKE if a.smoke else Recipe(a.crops, a.epochs, a.seed, a.batch, a.rate, SHARD, a.minutes)
    try:
        out = output_folder(a.out or Path("runs/smoke" if a.smoke else "runs/detector"))
        network.prepare(out / "settings", a.threads)
        model = train(recipe, a.data or out / "crops", out, a.start, a.stream)
        weights = out / "carrom.onnx"
        network.export(model, weights)
        write_text(out / "recipe.json", json.dumps(asdict(recipe), indent=1) + "\n")
        figures = evaluate(Network(weights), unseen(4 if a.smoke else EVALUATION_BOARDS))
        write_text(out / "figures.json", json.dumps(figures, indent=1) + "\n")
        print("\n".join(f"{name:28} {value:.4g}" for name, value in figures.items()))
        if a.smoke:
            ours, theirs = network.interface(weights), network.interface(WEIGHTS)
            if ours != theirs:
                print(f"the export takes and gives {ours}, the committed weights {theirs}", file=sys.stderr)
                return 1
            print(f"the export takes and gives what the committed weights do: {ours}")
    except BadInput as e:
        print(e, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
