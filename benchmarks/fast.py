"""The fast figures, compared with the committed baselines.

    python -m benchmarks.fast [--json FILE] [NAME ...]

Each figure is a function here and a table in baselines.toml. Fails if a figure is beyond its `worst`, or has no baseline.
Times are the best of several tries, so that a busy machine disturbs them little.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

BASELINES: Final = Path(__file__).with_name("baselines.toml")
TRIES: Final = 5
BREAK_SPEED: Final = 4000.0
"""A hard break (mm/s)."""


def best_seconds(work: Callable[[], object], tries: int = TRIES) -> float:
    """The shortest of several runs (s)."""
    times = []
    for _ in range(tries):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def start_up() -> float:
    command = [sys.executable, "-m", "carromeye", "--help"]
    return best_seconds(lambda: subprocess.run(command, capture_output=True, check=True))


def break_shot() -> float:
    from models.board import ICF, rack
    from models.physics import State, simulate

    classes, places = rack()
    striker = np.array(ICF.base_position("south", ICF.side / 2))
    rest = State.resting(("striker", *classes), np.vstack([striker, places]))
    return best_seconds(lambda: simulate(rest.struck(0, 0.0, -BREAK_SPEED)))


FIGURES: Final[dict[str, Callable[[], float]]] = {"start_up": start_up, "break_shot": break_shot}


def is_beyond(value: float, baseline: dict[str, Any]) -> bool:
    """Whether a figure is worse than the worst that its baseline allows."""
    worst = float(baseline["worst"])
    return value > worst if baseline["better"] == "lower" else value < worst


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*FIGURES, []], metavar="NAME", help=f"only these: {', '.join(FIGURES)}")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    given = parser.parse_args()
    baselines = tomllib.loads(BASELINES.read_text(encoding="utf-8"))
    figures, beyond = {}, []
    for name in given.names or FIGURES:
        baseline = baselines[name]
        figures[name] = value = FIGURES[name]()
        bad = is_beyond(value, baseline)
        beyond += [name] * bad
        print(
            f"{name:24} {value:10.4g} {baseline['unit']:6} worst {baseline['worst']:g}  {'BEYOND' if bad else 'ok'}  ({baseline['what']})"
        )
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2), encoding="utf-8")
    if beyond:
        print(f"beyond the baseline: {', '.join(beyond)}", file=sys.stderr)
    return int(bool(beyond))


if __name__ == "__main__":
    sys.exit(main())
