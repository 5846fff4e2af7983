"""`carromeye evaluate`: how good a detector is, on rendered boards of unseen styles or on labelled pictures."""

from __future__ import annotations

import json as json_module
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from carromeye.commands.evaluate_drawn import drawn
from carromeye.commands.train import print_figures, with_time_left, write_figures
from carromeye.labelled import Eye, examples, flat, kinds_of, look
from carromeye.progress import step
from models.detector.contract import HAND, WEIGHTS
from models.detector.evaluate import ALL, LEAST_SCORE, Outcome, by_condition, figures, outcome, pair
from models.detector.examples import Example, unseen
from models.detector.labels import read_folder
from models.detector.run import Found, Network
from models.errors import BadInput
from models.files import filling, output_folder
from models.stroke import PIECES
from reports.match_file import plain
from reports.words import plural
from vision.picture import write_picture
from vision.pieces import Seen
from vision.types import Array, Image

BOARDS: Final = 120
"""Rendered boards that are measured on if nothing else is said."""
SEED: Final = 900_001
"""First style of these; no training uses those from it on."""
WORST: Final = 12
"""Pictures drawn of the boards on which most is wrong."""
FAR_MM: Final = 3.0
"""A centre that is off by this much counts as much as a missed disc when the worst are chosen."""
KINDS: Final = (*PIECES, "none", "missed")
"""Columns of the confusion of kinds."""
SHOWN: Final = ("boards", "disc_recall", "disc_precision", "disc_error_mm", "disc_error_p95_mm", "hand_recall", "map50", "map50_95")
"""Columns of the table by condition."""
DISCS: Final = {"discs, nothing moves": "rest", "discs, motion": "moving", "discs, all": "disc"}
"""Lines of the short table, and how their figures are called."""
LEAST_BOARDS: Final = 5
"""A condition of fewer boards is not named as a weak one."""
WEAKEST: Final = 3
"""Conditions that are named as weak at most."""


def run(weights: Path | None, boards: int, seed: int, data: Path | None, out: Path | None, json: bool, full: bool = False) -> None:
    """Measure a detector, print the figures that matter most, or all (`full`), and leave them with pictures of the worst boards in `out`.

    Raises
    ------
    BadInput
        If weights or labelled pictures cannot be used, or `out` cannot be written to.
    """
    if boards < 1:
        raise BadInput("--boards: at least 1")
    network = Network(weights or WEIGHTS)
    source: Iterable[Example]
    if data is None:
        source, total, unlabelled = unseen(boards, seed), boards, 0
    else:
        labels, unlabelled = read_folder(data)
        source, total = examples(labels), len(labels)
    on = str(data) if data is not None else f"rendered boards, seed {seed}"
    result = _Result(Eye(weights or WEIGHTS))
    with nullcontext() if out is None else filling(out):
        with step("Measuring", 1.0) as show:
            tell = with_time_left(show)
            for number, example in enumerate(source, 1):
                result.add(network(example.picture, score=LEAST_SCORE), example)
                tell(number / total, "")
        report = result.report(on) | ({"unlabelled": unlabelled} if unlabelled else {})
        if out is not None:
            write_figures(out / "figures.json", report)
            result.draw(output_folder(out / "worst"))
    if json:
        print(json_module.dumps(plain(report)))
        return
    print(report["on"] + (f"; {report['unlabelled']} pictures have no labels and were left out" if unlabelled else ""))
    (_tell_all if full else _tell)(report)
    if out is not None:
        print(f"written: {out / 'figures.json'} (all figures), {out / 'worst'} (pictures of the worst boards)")


class _Result:
    """What is gathered over the boards; pictures only of the worst."""

    def __init__(self, eye: Eye) -> None:
        self._eye = eye
        self._outcomes: list[Outcome] = []
        self._kinds = np.zeros((len(PIECES), len(KINDS)), np.int64)
        self._match: list[tuple[Example, Seen, Array]] = []
        self._worst: list[tuple[float, Outcome, Image]] = []

    def add(self, found: Found, example: Example) -> None:
        o = outcome(found, example)
        self._outcomes.append(o)
        if self._match and self._match[0][0].match != example.match:
            self._settle()
        seen, discs, _ = look(example.picture, example.picture, flat(len(example.picture)), self._eye)
        self._match.append((example, seen, discs))
        hands = int(o.confusion[HAND, -1] + o.confusion[-1, HAND])
        bad = len(o.missed) + len(o.invented) + float((o.errors_mm / FAR_MM).sum()) / max(1, len(o.errors_mm)) + 0.5 * hands
        self._worst = sorted([*self._worst, (bad, o, example.picture)], key=lambda w: -w[0])[:WORST]

    def _settle(self) -> None:
        """Hold the kinds that the palette gives the discs of a match against those that are known."""
        for (example, _, boxes), kinds in zip(self._match, kinds_of([seen for _, seen, _ in self._match]), strict=True):
            got = {j: int(kinds[i]) for i, j in pair(boxes, example.discs)}
            for j, name in enumerate(example.classes):
                if name and not example.moving[j]:
                    k = got.get(j)
                    self._kinds[PIECES.index(name), KINDS.index("missed") if k is None else k if k >= 0 else KINDS.index("none")] += 1
        self._match = []

    def report(self, on: str) -> dict[str, Any]:
        """All figures, as they go to JSON."""
        self._settle()
        confusion: NDArray[np.int64] = sum((o.confusion for o in self._outcomes), np.zeros((3, 3), np.int64))
        found = int(self._kinds[:, :-1].sum())
        right = int(np.trace(self._kinds[:, : len(PIECES)]))
        return {
            "on": on,
            "figures": figures(self._outcomes) | {"kind_right": right / found if found else float("nan")},
            "confusion": {a: {b: int(confusion[i, j]) for j, b in enumerate(ALL)} for i, a in enumerate(ALL)},
            "kinds": {a: {b: int(self._kinds[i, j]) for j, b in enumerate(KINDS)} for i, a in enumerate(PIECES)},
            "conditions": by_condition(self._outcomes),
        }

    def draw(self, folder: Path) -> None:
        """Pictures of the worst boards; those of an earlier run go."""
        for old in folder.glob("[0-9][0-9]-*.png"):
            old.unlink()
        for number, (_, o, picture) in enumerate(self._worst, 1):
            name = "".join(c if c.isalnum() or c in "-_" else "_" for c in o.example.name)[:60]
            write_picture(folder / f"{number:02}-{name}.png", drawn(o, picture, number))


def _tell(report: dict[str, Any]) -> None:
    """What a person asks first: how much is found, how exactly, and where it is weak."""
    f = report["figures"]
    print(f"{plural(f['boards'], 'board'):22} number   recall  precision   error mm   95 % below")
    for title, name in DISCS.items():
        errors = f"{_number(f[f'{name}_error_mm']):>9} {_number(f[f'{name}_error_p95_mm']):>12}"
        print(f"{title:22} {f[name]:6} {_percent(f[f'{name}_recall']):>8} {_percent(f[f'{name}_precision']):>10}  {errors}")
    print(f"{'hands':22} {f['hands']:6} {_percent(f['hand_recall']):>8} {_percent(f['hand_precision']):>10}")
    print(f"kind right: {_percent(f['kind_right'])} of the discs found; map50 {_number(f['map50'])}, map50_95 {_number(f['map50_95'])}")
    weak = _weakest(report)
    if weak:
        print(f"lowest recall of discs: {'; '.join(weak)}")
    print("every figure, and by condition: --full or --json")


def _weakest(report: dict[str, Any]) -> list[str]:
    """The conditions under which fewer discs are found than over all boards, the worst first."""
    usual = report["figures"]["disc_recall"]
    low = [
        (row["disc_recall"], f"{condition} {value} {_percent(row['disc_recall'])}")
        for condition, values in report["conditions"].items()
        for value, row in values.items()
        if row["boards"] >= LEAST_BOARDS and row["disc_recall"] < usual
    ]
    return [text for _, text in sorted(low)[:WEAKEST]]


def _percent(value: float) -> str:
    return "-" if np.isnan(value) else f"{100 * value:.1f} %"


def _number(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.2f}"


def _tell_all(report: dict[str, Any]) -> None:
    print_figures(report["figures"])
    console = Console(width=140)
    for title, rows in (("true class down, found class across", report["confusion"]), ("kinds of discs at rest", report["kinds"])):
        table = Table(title=title, title_justify="left")
        columns = list(next(iter(rows.values())))
        for name in ("", *columns):
            table.add_column(name)
        for name, row in rows.items():
            table.add_row(name, *(str(row[c]) for c in columns))
        console.print(table)
    table = Table(title="by condition", title_justify="left")
    for name in ("condition", *SHOWN):
        table.add_column(name.replace("_", " "))
    for condition, values in report["conditions"].items():
        for value, row in values.items():
            table.add_row(f"{condition}: {value}", *(("-" if np.isnan(row[c]) else f"{row[c]:.4g}") for c in SHOWN))
    console.print(table)
