"""Our tracker on the detections of rendered boards, beside ByteTrack and OC-SORT on the same: HOTA, IDF1, switches, and what counts.

    python -m benchmarks.tracking [--boards 10] [--seed 1000] [--folder FOLDER] [--no-peers] [--json FILE]
    python -m benchmarks.tracking --cached FOLDER [FOLDER ...]
    python -m benchmarks.tracking --without physics

Films, and what vision sees in them, are kept in the folder and made only once (`benchmarks/looked.py`); with `--cached`
folders that have `truth.json` and `detections.npz` are measured as they are. The peers are no dependency of ours, and they
require another OpenCV: they belong into an environment of their own.

    python3 -m venv .venv-peers
    .venv-peers/bin/python -m pip install -e . trackers==2.6.1
    .venv-peers/bin/python -m pip install --force-reinstall --no-deps opencv-python-headless
    .venv-peers/bin/python -m benchmarks.tracking

Each is run as it is and once for each class, with every setting of `benchmarks/tracking_peers.py`, and the setting with the
highest HOTA over all boards is shown.
What the figures mean stands in docs/tracking.md.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from benchmarks import tracking_peers
from benchmarks.looked import FILE, Looked, load, looked
from benchmarks.tracking_without import PARTS, without
from carromeye.match_watcher import MatchWatcher
from carromeye.record import Record
from models.errors import BadInput
from models.scene.film import film_match
from models.stroke import Event
from referee.lawbook_files import load_lawbook
from tracking.metrics_report import Report, figures, measure
from tracking.metrics_truth import Truth, read_truth
from tracking.table import COLUMNS, corrected

SHOWN: Final = (
    "hota", "hota_50", "deta", "assa", "loca", "idf1", "switches", "switches_at_contacts", "fragmentations", "piece_recall",
    "piece_precision", "settled_pieces", "settled_boards", "ways_right", "striker_ways_right",
)  # fmt: skip
"""Rows of the table in which all trackers are."""


def ours(what: Looked) -> tuple[pd.DataFrame, list[Event]]:
    """Trajectories and events of our tracker, the referee telling it when a board is over as in a review."""
    record = Record("icf", load_lawbook("icf"))
    watcher = MatchWatcher(what.board, record)
    rows = [row for det in what.frames for row in watcher.step(det)] + watcher.finish()
    table = pd.DataFrame({c: [getattr(r, c) for r in rows] for c in COLUMNS})
    return corrected(table, watcher.correction(), what.board.side), [e for b in record.boards for e in b.events]


def best(peer: str, boards: Sequence[tuple[Truth, Looked]], *, by_class: bool) -> tuple[tracking_peers.Setting, list[Report]]:
    """The peer's setting with the highest HOTA over all boards, and its reports."""
    tried = []
    for setting in tracking_peers.settings():
        reports = [measure(truth, tracking_peers.tracked(peer, setting, what.frames, by_class=by_class)) for truth, what in boards]
        tried.append((figures(reports)["hota"], setting, reports))
        print(f"    {peer}: HOTA {tried[-1][0]:.4f} with {setting}", flush=True)
    _, setting, reports = max(tried, key=lambda t: t[0])
    return setting, reports


def folders(given: argparse.Namespace) -> list[Path]:
    """Where the films are; those that are missing are made."""
    if given.cached:
        missing = [f for f in given.cached if not (f / FILE).exists() or not (f / "truth.json").exists()]
        if missing:
            raise BadInput(f"{missing[0]}: has no {FILE} or no truth.json")
        return list(given.cached)
    out = []
    for seed in range(given.seed, given.seed + given.boards):
        out.append(given.folder / f"{seed}")
        if not (out[-1] / "truth.json").exists():
            film_match(out[-1], 1, seed)
    return out


def show(columns: dict[str, dict[str, float]]) -> None:
    """Print the figures of several trackers side by side."""
    print(f"\n{'':24}" + "".join(f"{name:>20}" for name in columns))
    for row in SHOWN:
        print(f"{row:24}" + "".join(f"{_text(values[row]):>20}" for values in columns.values()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--folder", type=Path, default=Path("out/boards"))
    parser.add_argument("--cached", type=Path, nargs="+", help="folders with truth.json and detections.npz")
    parser.add_argument("--no-peers", action="store_true", help="ours only")
    parser.add_argument("--without", choices=PARTS, help="ours without one of its parts: what that is worth")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    boards, reports = [], []
    spent = played = 0.0
    for folder in folders(given):
        truth = read_truth(folder / "truth.json")
        try:
            what = load(folder / FILE) if given.cached else looked(folder)
            began = time.process_time()
            with without(given.without):
                found = ours(what)
            spent, played = spent + time.process_time() - began, played + what.frames[-1].t - what.frames[0].t
            report = measure(truth, *found)
        except BadInput as e:
            print(f"{folder}: NOT MEASURED: {e}")
            continue
        boards.append((truth, what))
        reports.append(report)
        one = figures([report])
        ways = f"{sum(not w.wrong for w in report.ways)} of {len(report.ways)} ways"
        print(f"{folder}: HOTA {one['hota']:.4f}, {ways}, {one['strokes_right']} of {one['strokes']} strokes right", flush=True)
        for fault in report.faults():
            print(f"    {fault}", flush=True)
    if not reports:
        return 1
    result: dict[str, Any] = {"ours": figures(reports)}
    print(f"\nours: {spent:.0f} s of processor time for {played:.0f} s of play, {spent / played:.3f} of it")
    if not given.no_peers and not tracking_peers.available():
        print("\nPEERS SKIPPED: the package `trackers` is not installed; see `python -m benchmarks.tracking --help`")
    elif not given.no_peers:
        for by_class, peer in product((False, True), tracking_peers.PEERS):
            name = f"{peer} by class" if by_class else peer
            setting, of_peer = best(peer, boards, by_class=by_class)
            result[name] = figures(of_peer) | {"setting": str(setting)}
            print(f"best for {name}: {setting}")
    show(result)
    print()
    for name, value in result["ours"].items():
        if name not in SHOWN:
            print(f"{name:24}{_text(value):>20}")
    if given.json:
        given.json.write_text(json.dumps(result, indent=1), encoding="utf-8")
    return 0


def _text(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:d}" if isinstance(value, int | np.integer) else f"{value:.4f}"


if __name__ == "__main__":
    raise SystemExit(main())
