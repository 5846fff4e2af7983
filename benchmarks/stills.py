"""Single pictures: rendered boards seen through a camera with a known calibration, as `carromeye detect` sees them.

    python -m benchmarks.stills [--views 60] [--seed 1] [--worst FOLDER]

Prints recall and precision, the share of classes that are right, what was called what, how many of those that are
wrong were said to be sure, and the error of the centres of discs at rest on the board (mm). With `--worst`
the pictures with a wrong class or an invented piece are drawn into a folder.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from carromeye.commands.detect import find_pieces
from models.board import ICF
from models.detector.states import sample_state
from models.scene.camera import sample_camera, sample_fault
from models.scene.render import Renderer
from models.scene.style import sample_style
from models.stroke import PIECES
from reports.overlay import Mark, Overlay, draw_overlay
from vision.detector import Detector
from vision.palette import FAINT
from vision.types import Array, Calibration, Image

SIZES: Final = ((1280, 720), (960, 960), (720, 1280), (1440, 1080), (1080, 1920), (1920, 1080), (640, 480))
REACH: Final = 0.6
"""A disc is found if a piece is reported within this part of its radius."""
HIDDEN: Final = 0.5
"""Discs of which hands hide more count neither as found nor as missed."""
EXPOSURE_S: Final = 1 / 120


@dataclass(frozen=True)
class View:
    """A picture and what lies on its board: class, centre (mm), what a hand hides, whether it moves."""

    seed: int
    picture: Image
    calibration: Calibration
    classes: tuple[str, ...]
    at: Array
    hidden: tuple[float, ...]
    moves: tuple[bool, ...]


def views(number: int, seed: int) -> Iterator[View]:
    """Rendered views, two of each style."""
    for s in range(seed, seed + (number + 1) // 2):
        rng = np.random.default_rng([881, s])
        size = SIZES[int(rng.integers(len(SIZES)))]
        camera, style = sample_camera(rng, size), sample_style(rng)
        renderer = Renderer(style, camera, seed=s)
        board = replace(ICF, piece_radius=ICF.piece_radius * style.piece_scale)
        calibration = Calibration(camera.undistort(camera.corners()), size, distortion=camera.distortion)
        for _ in range(2):
            renderer.camera = replace(camera, fault=sample_fault(rng))
            discs, hands = sample_state(rng, style.striker_scale, EXPOSURE_S, board)
            picture, truth = renderer.compose(discs, hands, EXPOSURE_S, rng)
            discs = [*discs, *(h.holding for h in hands if h.holding is not None)]
            yield View(
                s, picture, calibration, tuple(d.cls for d in discs), np.array([(d.x, d.y) for d in discs]).reshape(-1, 2),
                truth.hidden, tuple(bool(d.vx or d.vy) for d in discs),
            )  # fmt: skip


@dataclass
class Tally:
    """Counts over views."""

    found: int = 0
    missed: int = 0
    invented: int = 0
    sure_wrong: int = 0
    unsure_right: int = 0

    def line(self) -> str:
        """Recall and precision."""
        return f"recall {self.found / max(1, self.found + self.missed):.4f} precision {self.found / max(1, self.found + self.invented):.4f}"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--views", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worst", type=Path)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    detector, tally, errors = Detector(min_score=FAINT, all_sides=True), Tally(), []
    confusion: Counter[tuple[str, str]] = Counter()
    for n, view in enumerate(views(given.views, given.seed)):
        pieces = find_pieces(view.picture, view.calibration, detector)
        free, wrong = list(range(len(view.classes))), False
        for p in sorted(pieces, key=lambda p: -p["score"]):
            off = [float(np.hypot(*(view.at[j] - (p["x_mm"], p["y_mm"])))) for j in free]
            if not off or min(off) > REACH * ICF.piece_radius:
                tally.invented += 1
                wrong = True
                continue
            j = free.pop(int(np.argmin(off)))
            tally.found += 1
            if view.moves[j] or view.hidden[j] > HIDDEN:
                continue
            confusion[view.classes[j], p["cls"]] += 1
            if p["cls"] != view.classes[j]:
                tally.sure_wrong += p["sure"]
                wrong = True
            else:
                tally.unsure_right += not p["sure"]
            errors.append(min(off))
        tally.missed += sum(view.hidden[j] <= HIDDEN for j in free)
        if given.worst is not None and wrong:
            given.worst.mkdir(parents=True, exist_ok=True)
            marks = [Mark(p["cls"], p["x"], p["y"], p["r"], observed=p["sure"]) for p in pieces]
            cv2.imwrite(str(given.worst / f"{view.seed}-{n % 2}.jpg"), draw_overlay(view.picture, Overlay(marks)))
    right = sum(c for (true, said), c in confusion.items() if true == said)
    print(tally.line(), f"of {tally.found + tally.missed}")
    print(f"at rest: class {right / max(1, len(errors)):.4f} of {len(errors)}")
    print(f"  wrong though sure {tally.sure_wrong}, right though unsure {tally.unsure_right}")
    for true in PIECES:
        said = {c: confusion[true, c] for c in PIECES if confusion[true, c]}
        print(f"  {true:8} called {', '.join(f'{c} {k}' for c, k in said.items())}")
    print("  centres: " + ", ".join(f"{name} {np.percentile(errors, q):.2f} mm" for name, q in (("median", 50), ("95 %", 95))))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
