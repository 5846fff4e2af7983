"""A network in training: optimiser, averaged weights, the falling rate. Needs the extra ``train``."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from models.errors import BadInput

WEIGHT_DECAY: Final = 5e-4
BETAS: Final = (0.9, 0.99)
LONGEST_GRADIENT: Final = 10.0
WARMUP_STEPS: Final = 100
FINAL_RATE: Final = 0.02
"""Learning rate at the end over that at the start."""
AVERAGE: Final = 0.9985
"""What is kept of the averaged weights at each step, once the first few hundred are over."""
AHEAD: Final = 4
"""Batches read ahead of a graphics card."""


def pick_device(name: str) -> str:
    """The device to train on: ``cuda`` or ``cpu``; ``auto`` takes a graphics card if there is one.

    Raises
    ------
    BadInput
        If ``cuda`` is asked for and cannot be had.
    """
    import torch

    there = torch.cuda.is_available()
    if name == "cuda" and not there:
        raise BadInput("--device cuda: PyTorch finds no CUDA graphics card here; use --device cpu")
    return "cuda" if there and name != "cpu" else "cpu"


def half_precision(device: str) -> bool:
    """Whether the forward pass runs in bfloat16: processors with AMX and newer graphics cards are twice as fast at it, others slower."""
    import torch

    if device == "cuda":
        return bool(torch.cuda.get_device_capability()[0] >= 8)
    return bool(getattr(torch.cpu, "_is_amx_tile_supported", lambda: False)())


class Learner:
    """A network, what moves its weights, and their running average, which is what is used in the end.

    Parameters
    ----------
    model : DetectionModel
    rate : float
        Highest learning rate.
    device : str
        ``cpu`` or ``cuda``.
    statistics : bool
        Let batch normalisation follow the batches; no, where it has been folded into the convolutions.
    warmup : int
        Steps over which the rate rises.
    """

    def __init__(self, model: Any, rate: float, device: str, statistics: bool = True, warmup: int = WARMUP_STEPS) -> None:
        import torch

        self.device, self.rate, self.step = device, rate, 0
        self._statistics, self._warmup = statistics, warmup
        self.model = model.to(device)
        self.average = copy.deepcopy(self.model).eval()
        own = [p for p in self.model.parameters() if p.requires_grad]
        groups = [
            {"params": [p for p in own if p.ndim > 1], "weight_decay": WEIGHT_DECAY},
            {"params": [p for p in own if p.ndim <= 1], "weight_decay": 0.0},
        ]
        self._optimiser = torch.optim.AdamW(groups, lr=rate, betas=BETAS)
        self._half = half_precision(device)
        if device == "cuda":
            torch.backends.cudnn.benchmark = True

    def learn(self, batch: Mapping[str, Any], part: float) -> NDArray[np.float64]:
        """One step.

        Parameters
        ----------
        batch : mapping
            Of `models.detector.data.batches`.
        part : float
            How much of the training is done, 0 to 1: the rate falls with it.

        Returns
        -------
        ndarray, shape (3,)
            Losses of boxes, classes and edges' distribution.
        """
        import torch

        self.model.train()
        if not self._statistics:
            for m in self.model.modules():
                if isinstance(m, torch.nn.BatchNorm2d):
                    m.eval()
        rate = self.rate * min(1, (self.step + 1) / self._warmup) * falling(part)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        moved = {k: v.to(self.device, non_blocking=True) for k, v in batch.items()}
        moved["img"] = moved["img"].float() / 255
        with torch.autocast(self.device, dtype=torch.bfloat16, enabled=self._half):
            found = self.model(moved["img"])
        exact = {k: v.float() if torch.is_tensor(v) else [f.float() for f in v] for k, v in found.items()}
        loss, items = self.model.loss(moved, exact)
        self._optimiser.zero_grad()
        loss.sum().backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), LONGEST_GRADIENT)
        self._optimiser.step()
        self.step += 1
        self._follow(min(AVERAGE, (1 + self.step) / (20 + self.step)))
        return np.array([float(v) for v in items.values()])

    def _follow(self, keep: float) -> None:
        """Move the averaged weights towards the model's."""
        import torch

        with torch.no_grad():
            source = self.model.state_dict()
            for name, value in self.average.state_dict().items():
                if value.dtype.is_floating_point:
                    value.mul_(keep).add_(source[name], alpha=1 - keep)
                else:
                    value.copy_(source[name])

    def state(self) -> dict[str, Any]:
        """Everything that training needs to go on."""
        return {
            "model": self.model.state_dict(), "average": self.average.state_dict(), "optimiser": self._optimiser.state_dict(),
            "step": self.step,
        }  # fmt: skip

    def load(self, state: Mapping[str, Any]) -> None:
        """Go on from a `state`."""
        self.model.load_state_dict(state["model"])
        self.average.load_state_dict(state["average"])
        self._optimiser.load_state_dict(state["optimiser"])
        self.step = int(state["step"])


def falling(part: float) -> float:
    """The learning rate over the highest, once `part` (0 to 1) of the training is done: a half cosine."""
    return FINAL_RATE + (1 - FINAL_RATE) * 0.5 * (1 + math.cos(math.pi * min(part, 1.0)))


def ahead(batches: Iterator[Any], number: int) -> Iterator[Any]:
    """The same batches, of which `number` are read beforehand by a thread."""
    if not number:
        yield from batches
        return
    with ThreadPoolExecutor(1) as pool:
        coming = [pool.submit(next, batches, None) for _ in range(number)]
        while (batch := coming.pop(0).result()) is not None:
            coming.append(pool.submit(next, batches, None))
            yield batch
