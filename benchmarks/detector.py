"""The detector beside others, trained on the same crops: what a board costs, and what is found.

    python -m benchmarks.detector train [--crops 8192] [--minutes 45] [--out build/peers]
    python -m benchmarks.detector compare [--boards 150] [--out build/peers] [--weights FILE]

`train` (extra `train`) trains each design from scratch on the same rendered crops, each crop once or, with `--minutes`, again and again
for that time, and exports it; what is there is not trained again. `compare` times all of them on a whole board in one run, by turns, and
holds them against boards that none has seen; the committed weights, which were trained for longer, come last. Times are those of OpenCV's
runtime with two threads, board after board as in a video. Nothing else may run meanwhile: a busy processor takes more time from a large
network than from a small one.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.detector.contract import BOARD_PX, DEFINITION, INPUT_PX, WEIGHTS
from models.detector.evaluate import evaluate
from models.detector.examples import unseen
from models.detector.run import Network

THREADS: Final = 2
TURNS: Final = 12
BOARDS: Final = 6
"""Boards of a turn; the first, for which the network comes back to the processor's caches, is not counted."""
PEER: Final = "yolo11n at 640"
FIGURES: Final = ("rest_recall", "rest_precision", "rest_error_mm", "moving_recall", "hand_recall", "map50", "map50_95")
SIZES: Final = (400, 448, 640)
"""Sides of the board that our network is tried at (px)."""
SEED: Final = 1
MOST_PASSES: Final = 1000
"""More than fit into the minutes of a training."""


def designs() -> dict[str, int]:
    """Names of the designs that are compared, with the side of the board that each takes (px)."""
    return {**{f"ours at {px}": px for px in SIZES}, PEER: BOARD_PX}


def weights_of(out: Path, name: str) -> Path:
    """Where a design's weights lie."""
    return out / name.replace(" ", "_") / "carrom.onnx"


def train(out: Path, crops: int, minutes: float) -> None:
    """Train what has no weights yet, each design on the same crops: once each, or for so many minutes."""
    from models.detector import network
    from models.detector import train as recipe

    device = recipe.prepare(out, "auto")
    for name, px in designs().items():
        weights = weights_of(out, name)
        if weights.exists():
            continue
        design = network.Design("yolo11n.yaml" if name == PEER else DEFINITION, px)
        settings = recipe.Recipe(crops=crops, epochs=MOST_PASSES if minutes else 1, seed=SEED, minutes=minutes)
        began = time.monotonic()
        model = recipe.train(settings, weights.parent, device, workers=recipe.workers_for(device), design=design, crops=out / "crops")
        recipe.export(model, weights, design)
        print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)


def milliseconds(networks: dict[str, Network]) -> dict[str, tuple[float, float]]:
    """Least and median time of a board (ms), resizing included, every network in its turn."""
    cv2.setNumThreads(THREADS)
    board = np.random.default_rng(0).integers(0, 256, (BOARD_PX, BOARD_PX, 3), np.uint8)
    times: dict[str, list[float]] = {name: [] for name in networks}
    for _ in range(TURNS):
        for name, network in networks.items():
            for n in range(BOARDS):
                began = time.perf_counter()
                network.raw(board)
                if n:
                    times[name].append(1000 * (time.perf_counter() - began))
    return {name: (min(t), float(np.median(t))) for name, t in times.items()}


def compare(out: Path, boards: int, weights: Path) -> None:
    """Print the table."""
    networks = {name: Network(weights_of(out, name), px) for name, px in designs().items() if weights_of(out, name).exists()}
    networks[f"{weights.name} at {INPUT_PX}"] = Network(weights)
    cost = milliseconds(networks)
    print(f"{'':22} {'ms least':>9} {'median':>7} {'peer/it':>8}  " + " ".join(f"{f:>14}" for f in FIGURES))
    for name, network in networks.items():
        found = evaluate(network, unseen(boards))
        ratio = f"{cost[PEER][0] / cost[name][0]:8.2f}" if PEER in cost else f"{'':8}"
        print(f"{name:22} {cost[name][0]:9.1f} {cost[name][1]:7.1f} {ratio}  " + " ".join(f"{found[f]:14.3f}" for f in FIGURES), flush=True)


def main() -> None:
    """Train, or measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("train", "compare"))
    parser.add_argument("--crops", type=int, default=8192)
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--boards", type=int, default=150)
    parser.add_argument("--out", type=Path, default=Path("build/peers"))
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    a = parser.parse_args()
    if a.what == "train":
        train(a.out, a.crops, a.minutes)
    else:
        compare(a.out, a.boards, a.weights)


if __name__ == "__main__":
    main()
