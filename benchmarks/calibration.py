"""How well the board is found: rendered views with their truth, and pictures that show no board.

    python -m benchmarks.calibration --views 200 --others 60 [--keep FOLDER]

Prints what part of the boards is found, the error of the corners (largest of the four, as a part of a side), how
many outlines are wrong though confident, and how many pictures without a board are refused. With `--keep` the
pictures are written to a folder and taken from there the next time.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator

from benchmarks.not_boards import SIZES, other
from models.board import ICF
from models.detector.examples import camera_tilt
from models.errors import BadInput
from models.scene.camera import Camera, look, sample_camera, sample_fault
from models.scene.hand import HandPose
from models.scene.render import DrawnDisc, Renderer
from models.scene.style import sample_style
from models.stroke import SEATS, Piece
from vision.calibration import find_board
from vision.types import Array, Image

WRONG: Final = 0.02
"""An outline whose worst corner is off by more (part of a side) is wrong."""


def some_discs(rng: Generator) -> list[DrawnDisc]:
    """Up to 19 pieces and a striker anywhere on the board."""
    whites: list[Piece] = ["white"] * 9
    blacks: list[Piece] = ["black"] * 9
    kinds: list[Piece] = [*whites, *blacks, "queen", "striker"]
    count = int(rng.integers(0, len(kinds) + 1))
    return [DrawnDisc(kinds[int(i)], *rng.uniform(22, ICF.side - 22, 2).tolist()) for i in rng.permutation(len(kinds))[:count]]


def some_hands(rng: Generator) -> list[HandPose]:
    """In a third of the views a hand over one side."""
    if rng.random() > 0.35:
        return []
    seat = SEATS[int(rng.integers(4))]
    along, depth = float(rng.uniform(180, 560)), float(rng.uniform(20, 160))
    s = ICF.side
    tip = {"south": (along, s - depth), "north": (along, depth), "west": (depth, along), "east": (s - depth, along)}[seat]
    inwards = {"south": -np.pi / 2, "north": np.pi / 2, "west": 0.0, "east": np.pi}[seat]
    return [HandPose(tip, float(inwards + rng.normal(0, 0.3)), seat)]


def some_camera(rng: Generator) -> Camera:
    """A usual camera; in a third of the views a board turned in the picture, in another third one that fills it to the edge."""
    size = SIZES[int(rng.integers(len(SIZES)))]
    kind = int(rng.integers(3))
    if kind == 0:
        return sample_camera(rng, size)
    tilt, roll = float(min(25, abs(rng.normal(0, 11)))), float(rng.uniform(-45, 45)) if kind == 1 else float(rng.normal(0, 3))
    turned = np.cos(np.radians(abs(roll))) + np.sin(np.radians(abs(roll)))
    fill = float(rng.uniform(0.6, 0.95) / turned) if kind == 1 else float(rng.uniform(0.9, 0.99))
    camera = look(size, ICF, tilt, float(rng.uniform(0, 360)), roll, float(rng.uniform(900, 2200)), fill)
    return replace(camera, distortion=float(rng.normal(0, 0.025)) if rng.random() < 0.5 else 0.0, fault=sample_fault(rng))


def view(seed: int) -> tuple[Image, Array]:
    """A rendered board and the corners of its playing surface (px)."""
    rng = np.random.default_rng([seed, 11])
    camera = some_camera(rng)
    picture = Renderer(sample_style(rng), camera, seed=seed).frame(some_discs(rng), some_hands(rng), rng=rng)
    return picture, camera.corners()


def kept_view(seed: int, folder: Path | None) -> tuple[Image, Array]:
    """The rendered view, from the folder if it is there."""
    if folder is None:
        return view(seed)
    picture, truth = folder / f"view_{seed:04}.png", folder / f"view_{seed:04}.txt"
    if not truth.exists():
        folder.mkdir(parents=True, exist_ok=True)
        image, corners = view(seed)
        cv2.imwrite(str(picture), image)
        np.savetxt(truth, corners)
    return np.asarray(cv2.imread(str(picture)), np.uint8), np.loadtxt(truth)


@dataclass(frozen=True)
class Outcome:
    """What became of one view.

    Attributes
    ----------
    error : float
        Distance of the worst corner from its place (part of a side); NaN for a board that was refused.
    traits : frozenset of str
        The view's conditions.
    """

    seed: int
    error: float
    confidence: float
    seconds: float
    traits: frozenset[str]


def traits(seed: int) -> frozenset[str]:
    """The conditions of a view, without rendering it."""
    rng = np.random.default_rng([seed, 11])
    camera = some_camera(rng)
    corners, tilt = camera.corners(), camera_tilt(camera)
    edge = corners[1] - corners[0]
    turn = float(np.degrees(np.arctan2(edge[1], edge[0])))
    clipped = bool((corners < 0).any() or (corners > camera.size).any())
    sample_style(rng)
    some_discs(rng)
    found = {
        "tilt to 8": tilt <= 8, "tilt 8 to 16": 8 < tilt <= 16, "tilt over 16": tilt > 16, "turned": abs(turn) > 10, "clipped": clipped,
        "bent lens": abs(camera.distortion) > 0.02, "hand": bool(some_hands(rng)), "small": np.linalg.norm(edge) < 350,
    }  # fmt: skip
    return frozenset(name for name, holds in found.items() if holds)


def measure(seed: int, folder: Path | None, told: bool) -> Outcome:
    """Look for the board in one view."""
    image, truth = kept_view(seed, folder)
    side = float(np.linalg.norm(truth - np.roll(truth, 1, 0), axis=1).mean())
    start = time.process_time()
    try:
        found = find_board(image)
    except BadInput as e:
        if told:
            print(f"view {seed}: {e}", flush=True)
        return Outcome(seed, float("nan"), 0.0, time.process_time() - start, traits(seed))
    seconds = time.process_time() - start
    # A board turned by 45 degrees has no one upper left corner: the best of the four ways to number them counts.
    error = min(float(np.linalg.norm(np.roll(found.outline(), k, 0) - truth, axis=1).max()) / side for k in range(4))
    if told:
        print(f"view {seed}: off by {100 * error:.2f} %, confidence {found.confidence:.2f}: {'; '.join(found.reasons)}", flush=True)
    return Outcome(seed, error, found.confidence, seconds, traits(seed))


def report(outcomes: list[Outcome]) -> None:
    """Print the figures, of all views and by condition."""
    names = ["all", *sorted({t for o in outcomes for t in o.traits})]
    print(f"{'views':>14} {'number':>7} {'found':>8} {'median':>8} {'95 %':>8} {'wrong':>6}   (error of the worst corner, % of a side)")
    for name in names:
        some = [o for o in outcomes if name == "all" or name in o.traits]
        found = [o.error for o in some if o.error <= WRONG]
        middle, high = np.percentile(found, [50, 95]) if found else (np.nan, np.nan)
        wrong = sum(o.error > WRONG for o in some)
        print(f"{name:>14} {len(some):7} {100 * len(found) / len(some):6.1f} % {100 * middle:8.3f} {100 * high:8.3f} {wrong:6}")
    print(f"refused: {[o.seed for o in outcomes if np.isnan(o.error)]}")
    wrong_ones = [(o.seed, round(100 * o.error, 1), round(o.confidence, 2)) for o in outcomes if o.error > WRONG]
    print(f"wrong (picture, % off, confidence): {wrong_ones}")
    seconds = [o.seconds for o in outcomes]
    print(f"processor seconds a picture, median and longest: {np.median(seconds):.2f}, {max(seconds):.2f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--views", type=int, default=200)
    parser.add_argument("--others", type=int, default=64)
    parser.add_argument("--first", type=int, default=0, help="seed of the first view")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--list", action="store_true", help="one line per picture")
    args = parser.parse_args()
    if args.views:
        report([measure(seed, args.keep, args.list) for seed in range(args.first, args.first + args.views)])
    taken = []
    for seed in range(args.others):
        image, kind = other(seed)
        try:
            taken.append((seed, kind, round(find_board(image).confidence, 2)))
        except BadInput as e:
            if args.list:
                print(f"{kind} {seed}: {e}", flush=True)
    print(f"pictures without a board refused: {args.others - len(taken)} of {args.others}, taken for a board: {taken}")


if __name__ == "__main__":
    main()
