"""The recipe, from rendering to ONNX: render crops, train, evaluate, export. Needs the extra ``train``.

Stopped at any point and called again it goes on: shards that are rendered stay, and the state is saved after every pass.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.detector import network
from models.detector.contract import WEIGHTS
from models.detector.crops import SHARD
from models.detector.data import batches
from models.detector.evaluate import figures, outcomes
from models.detector.examples import unseen
from models.detector.learn import AHEAD, Learner, ahead, pick_device
from models.detector.rendering import Rendering, cores
from models.detector.run import Network
from models.errors import BadInput
from models.files import output_folder, read_bytes, replacing, write_text

Show = Callable[[float, str], None]
"""Told how much of a step is done (0 to 1) and what there is to say of it."""

BATCH: Final = 16
CARD_BATCH: Final = 64
"""Crops of a step on a graphics card, which small batches leave idle; the rate rises with the square root of the batch."""
PASS: Final = 2
"""Shards of a pass, after which the state is saved."""
MOST_CROPS: Final = 250_000
"""So many have styles of their own for a seed; the next seed's begin beyond."""
MOST_SEED: Final = 1_000_000_000
LONGEST: Final = 100_000
"""Bytes of a recipe."""
EVALUATION_BOARDS: Final = 120
LOCK: Final = ".lock"
"""File by which a run has its folder for itself."""
TOOLS: Final = ("torch", "torchvision", "ultralytics", "onnx", "filelock")
"""What the extra brings."""


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
        End after so many minutes of learning even if crops are left (the rate falls accordingly); 0 for no limit. The wait for
        crops that are still being rendered does not count.
    """

    crops: int = 40000
    epochs: int = 3
    seed: int = 1
    batch: int = BATCH
    rate: float = 0.003
    shard: int = SHARD
    minutes: float = 0.0

    def shards(self) -> int:
        """How many shards the crops are in."""
        return -(-self.crops // self.shard)

    def usable(self) -> bool:
        """Whether the values, which may come from a file, are such as a run has."""
        counts = (self.crops, self.epochs, self.seed, self.batch, self.shard)
        return (
            all(type(v) is int and 1 <= v <= MOST_SEED for v in counts)
            and self.shard <= self.crops <= MOST_CROPS
            and self.batch <= self.crops
            and all(type(v) in (int, float) for v in (self.rate, self.minutes))
            and 0 < self.rate <= 1
            and 0 <= self.minutes < float("inf")
        )


SMOKE: Final = Recipe(crops=48, epochs=1, batch=8, shard=24)
"""A very small run that shows that everything works."""


def settle(out: Path, asked: Mapping[str, float], device: str, base: Recipe | None = None) -> Recipe:
    """The recipe of a run in `out`: what was asked for, or that of the run that is to go on there.

    Parameters
    ----------
    asked : mapping
        Fields of `Recipe` that the user named.
    device : str
        ``cpu`` or ``cuda``.
    base : Recipe, optional
        What holds where nothing was named.

    Raises
    ------
    BadInput
        If there is a run in `out` with other settings.
    """
    file = out / "recipe.json"
    if not os.path.lexists(file):
        base = base or Recipe()
        if device == "cuda":
            base = replace(base, batch=CARD_BATCH, rate=base.rate * (CARD_BATCH / base.batch) ** 0.5)
        recipe = replace(base, **asked)  # type: ignore[arg-type]
        recipe = replace(recipe, shard=min(recipe.shard, recipe.crops), batch=min(recipe.batch, recipe.crops))
        write_text(file, json.dumps(asdict(recipe), indent=1) + "\n")
        return recipe
    try:
        begun = Recipe(**json.loads(read_bytes(file, LONGEST)))
        if not begun.usable():
            raise ValueError
    except (ValueError, TypeError, RecursionError) as e:
        raise BadInput(f"{file}: is not the recipe of a run that could go on; name another --out") from e
    other = [f"--{k} {getattr(begun, k):g}" for k, v in asked.items() if getattr(begun, k) != v]
    if other:
        raise BadInput(f"{out} holds a run with {', '.join(other)}: go on with it without other settings, or name another --out")
    return begun


def train(
    recipe: Recipe, out: Path, device: str = "cpu", show: Show = lambda part, note: None, workers: int = 0,
    design: network.Design = network.OURS, crops: Path | None = None,
) -> Any:  # fmt: skip
    """Train on rendered crops; the state is saved to `out`/state.pt after every pass over a few shards and picked up again.

    Parameters
    ----------
    workers : int
        Processes that render into `crops` beside the training.
    crops : Path, optional
        Where the rendered crops are or are to be; `out`/crops if left out.

    Returns
    -------
    The network with its averaged weights.
    """
    import torch

    torch.manual_seed(recipe.seed)
    output_folder(out)
    learner = Learner(network.build(design), recipe.rate, device)
    state, spent, done = out / "state.pt", 0.0, 0
    if os.path.lexists(state):
        try:
            if not state.is_file():
                raise ValueError("no ordinary file")
            saved = torch.load(state, map_location=device, weights_only=True)
            learner.load(saved)
            spent, done = float(saved["spent"]), int(saved["done"])
            if not (spent >= 0 and done >= 0):
                raise ValueError("never saved so")
        except Exception as e:  # a damaged file fails in ways of every kind
            raise BadInput(f"{state}: cannot be gone on from with this network; name another --out") from e
    per_epoch = -(-recipe.shards() // PASS)
    total = recipe.epochs * recipe.shards() * recipe.shard // recipe.batch
    with Rendering(crops or out / "crops", recipe.shards(), recipe.shard, recipe.seed, workers) as rendering:
        for index in range(done, recipe.epochs * per_epoch):
            first = index % per_epoch * PASS
            shards = [rendering.shard(i) for i in range(first, min(first + PASS, recipe.shards()))]
            began, sums = time.monotonic(), np.zeros(3)  # what came before was waiting for crops
            if device == "cpu":
                torch.set_num_threads(max(1, cores() - rendering.busy()))
            rng = np.random.default_rng([recipe.seed, index])
            for count, batch in enumerate(ahead(batches(shards, recipe.batch, rng, design.input_px), AHEAD if device == "cuda" else 0), 1):
                part = _part(learner.step / max(total, 1), spent + time.monotonic() - began, recipe)
                if part >= 1:
                    break
                sums += learner.learn(batch, part)
                show(part, "loss " + " ".join(f"{v:.2f}" for v in sums / count))
            spent += time.monotonic() - began
            with replacing(state) as partial:
                torch.save({**learner.state(), "spent": spent, "done": index + 1}, partial)
            if _part(0.0, spent, recipe) >= 1:
                break
    return learner.average.to("cpu")


def _part(steps: float, spent: float, recipe: Recipe) -> float:
    """How much of the training is done: by steps, or by time where that is limited."""
    return max(steps, spent / (60 * recipe.minutes)) if recipe.minutes else steps


def measure(weights: Path, boards: int, show: Show = lambda part, note: None) -> dict[str, float]:
    """Figures of exported weights on rendered boards that no training has seen."""
    return figures(outcomes(Network(weights), unseen(boards), lambda done: show(done / boards, "")))


def prepare(out: Path, device: str) -> str:
    """Make the folder `out` and set the training tools up; gives the device.

    Raises
    ------
    BadInput
        If the extra ``train`` is missing, the folder cannot be written to, or the device cannot be had.
    """
    missing = [name for name in TOOLS if find_spec(name) is None]
    if missing:
        raise BadInput(f"training needs more packages ({', '.join(missing)}): pip install 'carromeye[train]'")
    network.prepare(output_folder(out) / "settings", cores())
    return pick_device(device)


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Have the folder `out` for this process until the block ends. The system lets go of it when the process ends, killed or not.

    Raises
    ------
    BadInput
        If another process has it.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(out / LOCK, timeout=0)
    try:
        lock.acquire()
    except Timeout as e:
        raise BadInput(f"{out}: another training is at work in this folder; wait until it has ended, or name another --out") from e
    try:
        yield
    finally:
        lock.release()


def workers_for(device: str) -> int:
    """Processes to render with: on a processor, where rendering a crop and learning from it cost about the same, half of the cores."""
    return max(1, cores() - 1) if device == "cuda" else max(1, cores() // 2)


def export(model: Any, weights: Path, design: network.Design = network.OURS) -> None:
    """Write the network as ONNX, whole or not at all."""
    with replacing(weights) as partial:
        network.export(model, partial, design.input_px)


def same_form(weights: Path) -> str:
    """What the exported network takes and gives, if that is what the committed one does.

    Raises
    ------
    ValueError
        If it is not.
    """
    ours, theirs = network.interface(weights), network.interface(WEIGHTS)
    if ours != theirs:
        raise ValueError(f"the export takes and gives {ours}, the committed weights {theirs}")
    return ", ".join(f"{name} {tuple(shape)}" for name, shape in ours.items())
