"""`carromeye evaluate TRUTH OUT`: strokes and trajectories of a review, or any tracker's, against what truly happened."""

from __future__ import annotations

import json as json_module
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pandas as pd
from fastparquet import ParquetFile

from models.board import BoardSpec
from models.errors import BadInput
from models.stroke import Event
from models.stroke_log import read_log
from reports.match_file import plain
from tracking import mot
from tracking.metrics_report import Report, figures, measure
from tracking.metrics_truth import read_truth

COLUMNS: Final = ("frame", "t", "piece", "cls", "x", "y", "state")
"""Columns of the trajectories that are read."""
MOST_ROWS: Final = 50_000_000
FAULTS: Final = 10
"""Faults that are told without `--full`."""


def run(truth: Path, out: Path | None, json: bool, full: bool = False, detectors: Sequence[str] = ()) -> None:
    """Measure and print.

    Parameters
    ----------
    truth : Path
        A film's `truth.json`, or MOT text.
    out : Path
        A folder with `trajectories.parquet` and `strokes.json`, or MOT text.
    detectors : sequence of str
        Options given that only the measuring of a detector has.

    Raises
    ------
    BadInput
        If something of it cannot be read, or options of both kinds are given.
    """
    if detectors:
        raise BadInput(f"{', '.join(detectors)}: for a detector; with TRUTH OUT strokes and tracks are measured: leave one of both out")
    if out is None:
        raise BadInput("evaluate TRUTH OUT: name the folder of a review or of `carromeye track`, or MOT text, to hold against the truth")
    faults: list[str] = []
    if _is_mot(truth):
        values = mot.compare(mot.read_mot(truth), mot.read_mot(out) if _is_mot(out) else mot.tracks_of(_trajectories(out), BoardSpec()))
    else:
        report = _measured(truth, out)
        values, faults = figures([report]), report.faults()
    if json:
        print(json_module.dumps(plain({"truth": str(truth), "out": str(out), "figures": values, "faults": faults})))
        return
    if full:
        for name, value in values.items():
            print(f"{name:24}{_text(value):>10}")
    else:
        _tell(values)
    shown = faults if full else faults[:FAULTS]
    for fault in shown:
        print(f"  {fault}")
    if len(faults) > len(shown):
        print(f"  and {len(faults) - len(shown)} more (--full)")


def _measured(truth: Path, out: Path) -> Report:
    what = read_truth(truth)
    if _is_mot(out):
        return measure(what, mot.table_of(mot.read_mot(out), what))
    table = _trajectories(out)
    log = out / "strokes.json"
    events: list[Event] | None = [e for b in read_log(log).boards for e in b.events] if log.exists() else None
    return measure(what, table, events)


def _is_mot(path: Path) -> bool:
    return path.suffix.lower() in mot.SUFFIXES


def _trajectories(folder: Path) -> pd.DataFrame:
    if not folder.is_dir():
        raise BadInput(f"{folder}: neither the folder of a review or of `carromeye track` nor MOT text ({', '.join(mot.SUFFIXES)})")
    path = folder / "trajectories.parquet"
    try:
        file = ParquetFile(str(path))
        if file.count() <= MOST_ROWS:
            table: pd.DataFrame = file.to_pandas(columns=list(COLUMNS))
            return table
    except Exception as e:  # fastparquet has no error of its own for a file that is none
        raise BadInput(f"{path}: has no trajectories that can be read") from e
    raise BadInput(f"{path}: more than {MOST_ROWS} rows")


def _tell(v: dict[str, float]) -> None:
    """What a person asks first."""
    print(f"HOTA {_text(v['hota'])} (DetA {_text(v['deta'])}, AssA {_text(v['assa'])}, LocA {_text(v['loca'])}), IDF1 {_text(v['idf1'])}")
    print(f"identity switches {v['switches']:g}, fragmentations {v['fragmentations']:g}")
    if "ways_right" in v:
        print(f"pieces right before the strokes {_percent(v['settled_pieces'])}, whole boards {_percent(v['settled_boards'])}")
        print(f"ways of {v['moved']:g} moved pieces right {_percent(v['ways_right'])}, the striker's {_percent(v['striker_ways_right'])}")
        found = f"pieces found {_percent(v['piece_recall'])}, precision {_percent(v['piece_precision'])}"
        print(f"{found}, class right {_percent(v['class_right'])}, centres off by {_text(v['centre_error_mm'])} mm (median)")
    if "strokes" in v:
        print(f"strokes wholly right {v['strokes_right']:g} of {v['strokes']:g}, invented {v['strokes_invented']:g}")
        placings = f"pieces put back {v['placings_found']:g} of {v['placings']:g}, invented {v['placings_invented']:g}"
        print(f"{placings}; wrong strokes without a flag {v['wrong_unflagged']:g}")


def _text(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.0f}" if isinstance(value, int) else f"{value:.3f}"


def _percent(value: float) -> str:
    return "-" if math.isnan(value) else f"{100 * value:.1f} %"
