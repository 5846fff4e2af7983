"""Whole boards: films rendered boards that no training has seen, reviews them, and holds the strokes against the truth.

    python -m benchmarks.boards [--boards 10] [--seed 1000] [--folder FOLDER] [--json FILE]

A stroke is right when its side, what fell and whether a piece was touched are right; a board is right when all its
strokes are and none was invented. Films are kept in the folder and made only once. `benchmarks/tracking.py` measures the
trajectories.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from carromeye.pipeline import track
from models.errors import BadInput
from models.scene.film import film_match
from models.stroke import Match, Placing, Stroke
from reports.match_file import plain
from tracking import metrics_strokes
from tracking.metrics_truth import Truth, read_truth


def score(truth: Truth, match: Match | None) -> dict[str, Any]:
    """Hold the log of a film against its truth; without a log nothing was found."""
    events = [e for b in match.boards for e in b.events] if match is not None else []
    held = metrics_strokes.hold(truth.strokes, [e for e in events if isinstance(e, Stroke)])
    put, found, invented = metrics_strokes.placings(truth.placings, [e for e in events if isinstance(e, Placing)])
    faults = metrics_strokes.faults(held)
    if found < put or invented:
        faults.append(f"placings: {found} of {put} found, {invented} invented")
    return metrics_strokes.figures([held]) | {"placings_right": found == put and not invented, "faults": faults}


def filmed(given: argparse.Namespace, seed: int) -> Path:
    """The folder of a film, which is made if it is missing."""
    folder: Path = given.folder / (f"{seed}" if given.strokes is None else f"{seed}-{given.strokes}")
    if not (folder / "truth.json").exists():
        film_match(folder, 1, seed, max_strokes=given.strokes)
    return folder


def total(results: Sequence[dict[str, Any]], name: str) -> int:
    """The sum of a figure over the boards."""
    return sum(int(r[name]) for r in results)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--folder", type=Path, default=Path("out/boards"))
    parser.add_argument("--strokes", type=int, help="end each board after so many")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    results = []
    for seed in range(given.seed, given.seed + given.boards):
        folder = filmed(given, seed)
        truth = read_truth(folder / "truth.json")
        began = time.monotonic()
        try:
            result = score(truth, track(folder / "clip.mp4", folder / "watched").record.match())
        except BadInput as e:
            result = score(truth, None) | {"faults": [str(e)]}
        result |= {"seed": seed, "seconds": round(time.monotonic() - began, 1), "film_s": round(truth.samples[-1].t, 1)}
        results.append(result)
        count = f"{result['strokes_right']} of {result['strokes']} strokes right, {result['strokes_invented']} invented"
        print(f"board {seed}: {count}, {result['seconds']} s for {result['film_s']} s", flush=True)
        for fault in result["faults"]:
            print(f"    {fault}", flush=True)
    right, invented = total(results, "strokes_right"), total(results, "strokes_invented")
    boards = f"boards right {total(results, 'boards_right')} of {len(results)}"
    print(f"{boards}; strokes right {right} of {total(results, 'strokes')}, invented {invented}")
    if given.json:
        given.json.write_text(json.dumps(plain(results), indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
