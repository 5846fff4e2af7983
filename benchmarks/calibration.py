"""How well the board is found: rendered views with their truth, and pictures that show no board.

    python benchmarks/calibration.py --views 200 --others 60 [--keep FOLDER]

Prints what part of the boards is found, the error of the corners (largest of the four, as a part of a side), how
many outlines are wrong though confident, and how many pictures without a board are refused. With `--keep` the
pictures are written to a folder and taken from there the next time.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator

from models.board import ICF
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
SIZES: Final = ((640, 480), (1280, 720), (960, 960), (720, 1280), (1440, 1080), (1080, 1920), (1920, 1080))


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


def other(seed: int) -> Image:
    """A picture with straight lines, squares or circles in it, but no carrom board."""
    rng = np.random.default_rng([seed, 12])
    w, h = SIZES[int(rng.integers(len(SIZES)))]

    def colour() -> tuple[float, ...]:
        return tuple(float(v) for v in rng.integers(15, 240, 3))

    def square(scale: float) -> Array:
        camera = look((w, h), ICF, float(rng.uniform(0, 25)), float(rng.uniform(0, 360)), float(rng.uniform(-45, 45)), 1400.0, scale)
        return camera.corners()

    canvas = np.full((h, w, 3), colour(), np.uint8)
    grain = cv2.resize(rng.normal(0, 9, (h // 3, w // 40, 3)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    canvas = np.clip(canvas + grain, 0, 255).astype(np.uint8)
    kind = seed % 8
    if kind == 1:  # table top
        cv2.fillConvexPoly(canvas, square(0.7).round().astype(np.int32), colour(), cv2.LINE_AA)
    elif kind == 2:  # tiled floor
        step, lean = int(rng.integers(60, 260)), float(rng.uniform(-0.3, 0.3))
        for d in range(-h - w, w + h, step):
            cv2.line(canvas, (d, 0), (int(d + lean * h), h), colour(), 3, cv2.LINE_AA)
            cv2.line(canvas, (0, d), (w, int(d - lean * w)), colour(), 3, cv2.LINE_AA)
    elif kind == 3:  # chessboard with a frame
        n = 8
        outer = cv2.getPerspectiveTransform(np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float32), square(0.65).astype(np.float32))
        light, dark = colour(), colour()
        for i in range(-1, n + 1):
            for j in range(-1, n + 1):
                cell = np.array([[[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]]], np.float32)
                edge = not (0 <= i < n and 0 <= j < n)
                tone = (30.0, 40.0, 60.0) if edge else light if (i + j) % 2 else dark
                cv2.fillConvexPoly(canvas, cv2.perspectiveTransform(cell, outer)[0].round().astype(np.int32), tone, cv2.LINE_AA)
    elif kind == 4:  # concentric rings
        for radius in range(int(0.48 * min(w, h)), 10, -int(rng.integers(12, 60))):
            cv2.circle(canvas, (w // 2, h // 2), radius, colour(), -1, cv2.LINE_AA)
    elif kind == 5:  # picture frame: squares in squares
        for scale in (0.85, 0.75, 0.55, 0.5):
            rng_square = look((w, h), ICF, fill=scale).corners()
            cv2.fillConvexPoly(canvas, rng_square.round().astype(np.int32), colour(), cv2.LINE_AA)
    elif kind == 6:  # clutter
        for _ in range(40):
            p, q = rng.integers(0, (w, h)), rng.integers(0, (w, h))
            if rng.random() < 0.5:
                cv2.rectangle(canvas, p.tolist(), q.tolist(), colour(), int(rng.integers(-1, 6)) or 1, cv2.LINE_AA)
            else:
                cv2.circle(canvas, p.tolist(), int(rng.integers(5, 120)), colour(), -1, cv2.LINE_AA)
    elif kind == 7:  # a board with square corners and no pockets: tray, tablet, window
        cv2.fillConvexPoly(canvas, square(0.75).round().astype(np.int32), colour(), cv2.LINE_AA)
        canvas = cv2.GaussianBlur(canvas, (0, 0), 1.5)
        cv2.polylines(canvas, [square(0.45).round().astype(np.int32)], True, colour(), 2, cv2.LINE_AA)
    noise = np.random.default_rng(seed).normal(0, rng.uniform(0, 6), canvas.shape)
    return np.asarray(np.clip(canvas + noise, 0, 255), np.uint8)


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


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--views", type=int, default=200)
    parser.add_argument("--others", type=int, default=64)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--list", action="store_true", help="one line per picture")
    args = parser.parse_args()
    errors, seconds, wrong, missed = [], [], [], []
    for seed in range(args.views):
        image, truth = kept_view(seed, args.keep)
        side = float(np.linalg.norm(truth - np.roll(truth, 1, 0), axis=1).mean())
        start = time.process_time()
        try:
            found = find_board(image)
        except BadInput as e:
            missed.append(seed)
            if args.list:
                print(f"view {seed}: {e}", flush=True)
            continue
        finally:
            seconds.append(time.process_time() - start)
        # A board turned by 45 degrees has no one upper left corner: the best of the four ways to number them counts.
        error = min(float(np.linalg.norm(np.roll(found.outline(), k, 0) - truth, axis=1).max()) / side for k in range(4))
        if error > WRONG:
            wrong.append((seed, round(100 * error, 1), round(found.confidence, 2)))
        else:
            errors.append(error)
        if args.list:
            print(f"view {seed}: off by {100 * error:.2f} %, confidence {found.confidence:.2f}: {'; '.join(found.reasons)}", flush=True)
    taken = []
    for seed in range(args.others):
        try:
            found = find_board(other(seed))
            taken.append((seed, round(found.confidence, 2)))
        except BadInput:
            continue
    if args.views:
        middle, high = np.percentile(errors, [50, 95]) if errors else (np.nan, np.nan)
        print(f"boards found within {100 * WRONG:.0f} %: {len(errors)} of {args.views} ({100 * len(errors) / args.views:.1f} %)")
        print(f"worst corner off, median and 95 %: {100 * middle:.3f} % and {100 * high:.3f} % of a side")
        print(f"refused: {len(missed)} {missed}")
        print(f"wrong (picture, % off, confidence): {len(wrong)} {wrong}")
        print(f"seconds a picture, median and longest: {np.median(seconds):.2f}, {max(seconds):.2f}")
    print(f"pictures without a board refused: {args.others - len(taken)} of {args.others}, taken for a board: {taken}")


if __name__ == "__main__":
    main()
