"""Whole boards: films rendered boards that no training has seen, reviews them, and holds the strokes against the truth.

    python -m benchmarks.boards [--boards 10] [--seed 1000] [--folder FOLDER] [--json FILE]

A stroke is right when its side, what fell and whether a piece was touched are right; a board is right when all its
strokes are and none was invented. Films are kept in the folder and made only once.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from carromeye.pipeline import watch_match
from models.errors import BadInput
from models.scene.film import film_match

REACH = 1.0
"""A stroke found within so many seconds of a true one is that one."""


def score(log: dict[str, Any], truth: dict[str, Any]) -> dict[str, Any]:
    """Compare a stroke log with a film's truth."""
    events = [e for b in log["boards"] for e in b["events"]]
    got = [e for e in events if e["type"] == "stroke"]
    free = set(range(len(got)))
    right, faults, release, speed, place = 0, [], [], [], []
    for s in truth["strokes"]:
        near = [(abs(got[i]["t"] - s["t"]), i) for i in free if abs(got[i]["t"] - s["t"]) < REACH]
        if not near:
            faults.append(f"stroke {s['n']} at {s['t']:.1f} s not found")
            continue
        g = got[min(near)[1]]
        free.discard(min(near)[1])
        wrong = [
            f"{what} {mine} for {true}"
            for what, mine, true in (
                ("side", g["by"], s["by"]),
                ("pocketed", sorted(g["pocketed"]), sorted(p["cls"] for p in s["pocketed"])),
                ("touched", g.get("touched", True), s["touched"]),
            )
            if mine != true
        ]
        right += not wrong
        if wrong:
            faults.append(f"stroke {s['n']} at {s['t']:.1f} s ({g.get('confidence')}): {', '.join(wrong)}")
        release.append(abs(g["t"] - s["t"]))
        if g.get("striker"):
            place.append(math.dist(g["striker"], s["striker"]))
        if g.get("velocity"):
            speed.append(abs(math.hypot(*g["velocity"]) / math.hypot(*s["velocity"]) - 1))
    faults += [f"stroke invented at {got[i]['t']:.1f} s" for i in sorted(free)]
    have = Counter(c for e in events if e["type"] == "placing" for c in e["pieces"])
    want = Counter(p["cls"] for p in truth["placements"])
    if have != want:
        faults.append(f"placings {dict(have)} for {dict(want)}")
    return {
        "strokes": len(truth["strokes"]),
        "right": right,
        "invented": len(free),
        "board_right": right == len(truth["strokes"]) and not free,
        "placings_right": have == want,
        "release_s": float(np.median(release)) if release else None,
        "place_mm": float(np.median(place)) if place else None,
        "speed": float(np.median(speed)) if speed else None,
        "faults": faults,
    }


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
        folder = given.folder / (f"{seed}" if given.strokes is None else f"{seed}-{given.strokes}")
        if not (folder / "truth.json").exists():
            film_match(folder, 1, seed, max_strokes=given.strokes)
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        began = time.monotonic()
        try:
            log = watch_match(folder / "clip.mp4", folder / "watched")
            result = score(log, truth)
        except BadInput as e:
            result = {"strokes": len(truth["strokes"]), "right": 0, "invented": 0, "board_right": False, "faults": [str(e)]}
        result |= {"seed": seed, "seconds": round(time.monotonic() - began, 1), "film_s": round(truth["frames"] / truth["fps"], 1)}
        results.append(result)
        count = f"{result['right']} of {result['strokes']} strokes right, {result['invented']} invented"
        print(f"board {seed}: {count}, {result['seconds']} s for {result['film_s']} s", flush=True)
        for fault in result["faults"]:
            print(f"    {fault}", flush=True)
    strokes, right = sum(r["strokes"] for r in results), sum(r["right"] for r in results)
    boards, invented = sum(r["board_right"] for r in results), sum(r["invented"] for r in results)
    print(f"boards right {boards} of {len(results)}; strokes right {right} of {strokes}, invented {invented}")
    if given.json:
        given.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
