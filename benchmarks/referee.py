"""The referee's figures: rulings a second beside peers, and every stroke that can happen from many positions, counted as perft counts.

    python -m benchmarks.referee [rates] [walk] [--laws ID ...] [--pin] [--json FILE]

The walk goes from the rack and fifty positions, four strokes deep, in each law book (thirteen million strokes, about twenty minutes); its
counts are committed in perft.toml. A ruling that has changed shows in a count: look at why, and write the new ones with --pin. Peers come
with the extra `bench`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any, Final

from benchmarks.referee_positions import positions
from benchmarks.referee_rates import peers, rate
from benchmarks.referee_walk import COLUMNS, Counts, Walk
from models.files import write_text
from referee.lawbook_files import known_lawbooks, load_lawbook

PERFT: Final = Path(__file__).with_name("perft.toml")
DEPTH: Final = 4
"""Strokes."""
EVERY: Final = 20
"""Of the states met after a stroke, the quick walk of the tests goes on from every so many."""
ENOUGH: Final = 20_000
"""Rulings a second that the project asks for."""
PARTS: Final = ("rates", "walk")
WALKS: Final[Mapping[str, int]] = {"whole": 1, "quick": EVERY}
"""Walks of perft.toml, and how many of the states met each goes on from: all, or every so many."""


def walk(laws: str, every: int = 1, depth: int = DEPTH) -> Walk:
    """A walk by a law book from its rack and positions."""
    walked = Walk(every)
    walked.go((state for _, state in positions(load_lawbook(laws))), depth)
    return walked


def pinned() -> dict[str, dict[str, list[list[int]]]]:
    """The committed counts: by law book and walk, a row of `COLUMNS` for each number of strokes made before."""
    return tomllib.loads(PERFT.read_text(encoding="utf-8"))


def differences(laws: str, kind: str, levels: Sequence[Counts], asked: Sequence[Sequence[int]] | None) -> list[str]:
    """Where counts are not those that are pinned: one line each."""
    if asked is None:
        return [f"{laws}, {kind}: no counts in {PERFT.name}"]
    wrong = []
    for depth, (level, row) in enumerate(zip(levels, asked, strict=False)):
        for name, seen, was in zip(COLUMNS, astuple(level), row, strict=True):
            if seen != was:
                wrong.append(f"{laws}, {kind}, stroke {depth + 1}: {name} {seen}, it was {was}")
    return wrong


def pin(counts: Mapping[str, Mapping[str, Sequence[Sequence[int]]]]) -> None:
    """Write the counts; what is there of other law books is kept."""
    kept = pinned() if PERFT.exists() else {}
    whole = {**kept, **counts}
    lines = [
        "# What `python -m benchmarks.referee walk` counts: from the rack and fifty positions (referee_positions.py),",
        "# every stroke that can happen, a row for the first stroke, the second and so on; equal states are walked on from once.",
        f"# `whole`: all of it; `quick`: of the states met after a stroke, on from every {EVERY}th. Written by --pin.",
        f"# Columns: {', '.join(COLUMNS)} (referee_walk.py, Counts).",
    ]
    for laws in sorted(whole):
        lines += ["", f"[{laws}]"]
        for kind in WALKS:
            lines += [f"{kind} = [", *(f"  [{', '.join(f'{n:7}' for n in row)}]," for row in whole[laws][kind]), "]"]
    write_text(PERFT, "\n".join(lines) + "\n")


def _rates(laws: Sequence[str]) -> tuple[list[dict[str, Any]], list[str]]:
    beside = list(peers())
    for name, seen in beside:
        print(f"{name:28} {'not installed' if seen is None else f'{seen:9,.0f} moves/s'}", flush=True)
    figures: list[dict[str, Any]] = [{"peer": name, "moves_per_s": seen} for name, seen in beside]
    wrong = []
    for book in laws:
        r = rate(load_lawbook(book))
        times = ", ".join(f"{r.rulings / seen:.2f} x {name}" for name, seen in beside if seen)
        print(f"{book:28} {r.rulings:9,.0f} rulings/s, {r.in_json:7,.0f} with their JSON; {r.strokes} strokes; {times}", flush=True)
        figures.append(asdict(r))
        if r.rulings < ENOUGH:
            wrong.append(f"{book}: {r.rulings:,.0f} rulings a second; {ENOUGH:,} are asked for")
    return figures, wrong


def _walks(laws: Sequence[str], write: bool) -> tuple[dict[str, Any], list[str]]:
    known = pinned() if PERFT.exists() else {}
    counts: dict[str, dict[str, list[list[int]]]] = {}
    wrong = []
    for book in laws:
        counts[book] = {}
        for kind, every in WALKS.items():
            begin = time.perf_counter()
            walked = walk(book, every)
            seconds = time.perf_counter() - begin
            counts[book][kind] = [list(astuple(level)) for level in walked.levels]
            strokes, states = (sum(getattr(level, name) for level in walked.levels) for name in ("strokes", "states"))
            print(f"{book:28} {kind}: {strokes:9,} strokes from {states:7,} states, {walked.faulty} faults, {seconds:.0f} s", flush=True)
            wrong += [f"{book}, {kind}: {what}: {where}" for what, where in walked.faults.items()]
            if not write:
                wrong += differences(book, kind, walked.levels, known.get(book, {}).get(kind))
        if write:
            pin({book: counts[book]})
    return counts, wrong


def main() -> int:
    """Measure, print, compare; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"only these: {', '.join(PARTS)}")
    parser.add_argument("--laws", nargs="+", metavar="ID", default=known_lawbooks(), help="only these law books")
    parser.add_argument("--pin", action="store_true", help=f"write the counts of the walk into {PERFT.name}")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    given = parser.parse_args()
    if unknown := [*(set(given.parts) - {*PARTS}), *(set(given.laws) - {*known_lawbooks()})]:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    parts = given.parts or (["walk"] if given.pin else PARTS)
    figures: dict[str, Any] = {}
    wrong: list[str] = []
    if "rates" in parts:
        figures["rates"], more = _rates(given.laws)
        wrong += more
    if "walk" in parts:
        figures["walk"], more = _walks(given.laws, given.pin)
        wrong += more
    if given.json:
        write_text(given.json, json.dumps(figures, indent=2) + "\n")
    for line in wrong:
        print(line, file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
