"""How a bumped camera is noticed: rendered films whose camera is moved on the way, and films that only seem so.

    python -m benchmarks.bumps --films 6 --keep FOLDER

Films of a few strokes are rendered once into the folder. Each is taken with every kind of bump, and with a lamp
that changes and none at all. Prints for each kind: noticed, seconds until noticed (median and most), how far the worst
corner is off one second afterwards (part of a side; median and most), and over all films the false alarms.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator

from models.board import ICF
from models.scene.bump import Move, Relit, Takes, centred, write_film
from models.scene.camera import look
from models.scene.film import film_match
from models.scene.style import sample_style
from vision.follow import Follower
from vision.survey import survey
from vision.types import Array, Image
from vision.video import read_video, video_info

RENDERED: Final = (720, 720)
SIZE: Final = (480, 480)
"""Size of the pictures as rendered, and as taken (px)."""
FILL: Final = 0.6
RATE: Final = 15.0
SECONDS: Final = 12.0
EARLIEST: Final = 4.0
LATEST: Final = 7.0
"""When the camera is bumped (s)."""
AFTERWARDS: Final = 1.0
"""Seconds after which a bump must have been noticed and the board found again."""


def rendered(folder: Path, seed: int) -> tuple[Path, Array]:
    """A film of a few strokes and its corners, shape (4, 2), px; made unless the folder has it."""
    out = folder / f"film{seed}"
    if not (out / "truth.json").exists():
        rng = np.random.default_rng([seed, 5])
        camera = look(RENDERED, ICF, float(rng.uniform(0, 12)), float(rng.uniform(0, 360)), float(rng.normal(0, 4)), 1500.0, FILL)
        film_match(out, 1, seed, camera=camera, style=sample_style(rng), fps=RATE, max_strokes=3, size=RENDERED)
    return out / "clip.mp4", np.array(json.loads((out / "truth.json").read_text(encoding="utf-8"))["corners_px"])


def kinds(rng: Generator, side: float) -> dict[str, tuple[tuple[Move, ...], tuple[Relit, ...]]]:
    """What is done to each film; `side` is the board's (px)."""
    t, a = float(rng.uniform(EARLIEST, LATEST)), float(rng.uniform(0, 2 * np.pi))

    def shift(part: float) -> tuple[float, float]:
        return part * side * np.cos(a), part * side * np.sin(a)

    def turn(degrees: float) -> Array:
        return centred(SIZE, float(rng.choice([-1, 1])) * degrees)

    lean = np.eye(3)
    lean[2, :2] = rng.uniform(-2.5e-4, 2.5e-4, 2)
    lean[:2, 2] = shift(0.03)
    slow, quick = float(rng.uniform(0.3, 0.8)), 0.0
    lamp = Relit(t, tuple(rng.uniform(0.5, 1.15) * rng.uniform(0.85, 1.15, 3)), float(rng.uniform(-0.4, 0.4)))
    return {
        "shift by 2 %": ((Move(t, quick, centred(SIZE, shift=shift(0.02))),), ()),
        "shift by 10 %": ((Move(t, quick, centred(SIZE, shift=shift(0.10))),), ()),
        "turn by 3 degrees": ((Move(t, slow, turn(3)),), ()),
        "turn by 20 degrees": ((Move(t, quick, turn(20)),), ()),
        "lean": ((Move(t, slow, lean),), ()),
        "zoom": ((Move(t, slow, centred(SIZE, 1, float(rng.uniform(1.1, 1.25)))),), ()),
        "picked up": ((Move(t, 0.5, centred(SIZE, 9, 0.8, shift(0.4))), Move(t + 0.7, 0.5, centred(SIZE, 4, 1.2, shift(-0.35)))), ()),
        "bump and lamp": ((Move(t, quick, centred(SIZE, 4, 1, shift(0.04))),), (lamp,)),
        "lamp": ((), (lamp,)),
        "nothing": ((), ()),
    }


@dataclass(frozen=True)
class Told:
    """What came of one film: seconds until the bump was noticed (NaN if not), the corners' error after and before it, alarms."""

    after: float
    error: float
    before: float
    false: int


def watched(path: Path, takes: Takes, corners: Array) -> Told:
    """Follow the board through a film whose truth is known."""
    info = video_info(path)
    scene = survey(info)
    if scene.landmarks is None:
        return Told(float("nan"), float("inf"), float("inf"), 0)
    eye = Follower(scene.course, scene.bare, scene.known, scene.landmarks)
    times = [move.t for move in takes.moves]
    noticed, worst, before, first = float("nan"), 0.0, 0.0, None
    for frame in read_video(info):
        seen = eye.look(frame.image(), frame.t, still=False)
        first = eye.calibration if first is None and seen is not None else first
        if times and frame.t > times[0] and np.isnan(noticed) and (seen is None or eye.calibration is not first):
            noticed = frame.t - times[0]
        now = scene.course.at(frame.t)
        error = float("inf") if now is None else _error(now.outline(), corners, takes.matrix(frame.t))
        if not times or frame.t > max(m.t + m.seconds for m in takes.moves) + AFTERWARDS:
            worst = max(worst, error)
        elif frame.t < times[0]:
            before = max(before, error)
    eye.finish(SECONDS)
    false = [b for b in scene.course.bumps if not any(t - 0.05 <= b.t <= t + 2 * AFTERWARDS for t in times)]
    return Told(noticed, worst, before, len(false))


def _error(found: Array, corners: Array, matrix: Array) -> float:
    true = cv2.perspectiveTransform(corners[None], matrix)[0]
    side = float(np.linalg.norm(true - np.roll(true, 1, 0), axis=1).mean())
    return float(np.linalg.norm(found - true, axis=1).max()) / side


def beginning(path: Path) -> Iterator[tuple[float, Image]]:
    """The first `SECONDS` of a film."""
    for frame in read_video(video_info(path)):
        if frame.t >= SECONDS:
            return
        yield frame.t, frame.image()


def main() -> None:
    """Make and watch the films, print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--films", type=int, default=4)
    parser.add_argument("--keep", type=Path, required=True, help="folder of the films")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    k = SIZE[0] / RENDERED[0] * 1.25
    view = np.array([[k, 0, (SIZE[0] - k * RENDERED[0]) / 2], [0, k, (SIZE[1] - k * RENDERED[1]) / 2], [0, 0, 1.0]])
    told: dict[str, list[Told]] = {}
    for seed in range(given.seed, given.seed + given.films):
        film, corners = rendered(given.keep, seed)
        side = k * float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean())
        for kind, (moves, lights) in kinds(np.random.default_rng([seed, 6]), side).items():
            takes, path = Takes(SIZE, view, moves, lights), given.keep / "taken.mp4"
            write_film(path, takes.frames(beginning(film)), RATE)
            told.setdefault(kind, []).append(watched(path, takes, corners))
            print(f"  film {seed}, {kind}: {told[kind][-1]}", flush=True)
    for kind, all_told in told.items():
        after, error = np.array([t.after for t in all_told]), np.array([t.error for t in all_told])
        line = f"{kind:20} corners off {100 * np.median(error):.2f} % at the median, {100 * error.max():.2f} % at most"
        if np.isfinite(after).any():
            line += f" ({100 * np.median([t.before for t in all_told]):.2f} % before)"
            line += (
                f"; noticed {np.isfinite(after).sum()} of {len(after)}, after {np.nanmedian(after):.2f} s, {np.nanmax(after):.2f} s at most"
            )
        print(line)
    minutes = SECONDS * sum(len(ts) for ts in told.values()) / 60
    print(f"false alarms: {sum(t.false for ts in told.values() for t in ts)} in {minutes:.1f} minutes of film")


if __name__ == "__main__":
    main()
