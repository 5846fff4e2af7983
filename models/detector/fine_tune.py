"""Fine-tuning on a club's own boards, with rendered ones rehearsed so that nothing is forgotten. Needs the extra ``train``."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.random import Generator

from models.detector.crops import SHARD, Crop, cut
from models.detector.data import Batch, assemble, fresh, read_crop
from models.detector.learn import AHEAD, Learner, ahead
from models.detector.rendering import Rendering
from models.detector.train import Show

LEAST_BOARDS: Final = 5
"""Fewer labelled boards are none to learn from."""
WARMUP_STEPS: Final = 20
HELD_OUT: Final = 5
"""Of so many boards one is held out to measure on."""


@dataclass(frozen=True)
class Tuning:
    """What settles a fine-tuning.

    Attributes
    ----------
    steps, batch, seed : int
        Half of each batch are the club's crops, half rendered ones.
    rate : float
        Highest learning rate: a third of what training from nothing has.
    minutes : float
        End after so many minutes even if steps are left; 0 for no limit.
    """

    steps: int = 400
    batch: int = 16
    seed: int = 1
    rate: float = 0.001
    minutes: float = 0.0

    def rehearsed(self) -> int:
        """Rendered crops that are needed."""
        return self.steps * (self.batch - self.batch // 2)


def split(number: int, seed: int) -> tuple[list[int], list[int]]:
    """Which of `number` boards to learn from, and which to hold out, one of `HELD_OUT`."""
    order = np.random.default_rng([7303, seed]).permutation(number)
    held = max(1, number // HELD_OUT)
    return sorted(order[held:].tolist()), sorted(order[:held].tolist())


def tune(model: Any, boards: Sequence[Crop], tuning: Tuning, folder: Path, device: str, workers: int, show: Show) -> Any:
    """Train `model` on with whole rectified boards, and on crops that are rendered to `folder`.

    Batch normalisation stays as it is: `models.detector.restore` has folded it.

    Returns
    -------
    The network with its averaged weights.
    """
    import torch

    torch.manual_seed(tuning.seed)
    learner = Learner(model, tuning.rate, device, statistics=False, warmup=WARMUP_STEPS)
    size = min(SHARD, tuning.rehearsed())
    shards = -(-tuning.rehearsed() // size)
    began, sums = 0.0, np.zeros(3)
    with Rendering(folder, shards, size, tuning.seed, workers) as rendering:
        batches = mixed(boards, _rehearsal(rendering, shards), tuning, np.random.default_rng([7304, tuning.seed]))
        for step, batch in enumerate(ahead(batches, AHEAD if device == "cuda" else 0)):
            part = step / tuning.steps
            if not step:
                began = time.monotonic()  # what came before was rendering
            if tuning.minutes:
                part = max(part, (time.monotonic() - began) / (60 * tuning.minutes))
            if part >= 1:
                break
            sums += learner.learn(batch, part)
            show(part, f"step {step + 1}, loss " + " ".join(f"{v:.2f}" for v in sums / (step + 1)))
    return learner.average.to("cpu")


def mixed(boards: Sequence[Crop], rehearsal: Iterator[Path], tuning: Tuning, rng: Generator) -> Iterator[Batch]:
    """Batches of which one half are crops of `boards`, the other rendered ones."""
    for _ in range(tuning.steps):
        own = []
        for _ in range(tuning.batch // 2):
            crops = list(cut(boards[int(rng.integers(len(boards)))], rng))
            crop = crops[int(rng.integers(len(crops)))]
            own.append((crop.picture, crop.labels().astype(np.float32)))
        others = [read_crop(next(rehearsal)) for _ in range(tuning.batch - len(own))]
        yield assemble([fresh(image, rows, rng) for image, rows in (*own, *others)])


def _rehearsal(rendering: Rendering, shards: int) -> Iterator[Path]:
    """Rendered crops, over and over."""
    while True:
        for i in range(shards):
            yield from sorted(rendering.shard(i).glob("*.jpg"))
