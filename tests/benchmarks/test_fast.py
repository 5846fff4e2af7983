"""The comparison of figures with baselines; not the figures themselves, which `make benchmark` measures."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from benchmarks.fast import BASELINES, complaints

ONE: dict[str, dict[str, Any]] = {"recall": {"better": "higher", "measured": 0.95, "worst": 0.9}}
TIME: dict[str, dict[str, Any]] = {"seconds": {"better": "lower", "measured": 1.0, "worst": 2.0}}


@pytest.mark.parametrize(
    ("figures", "baselines", "lines"),
    [
        ({"recall": 0.9}, ONE, 0),
        ({"recall": 0.89}, ONE, 1),
        ({"seconds": 2.0}, TIME, 0),
        ({"seconds": 2.1}, TIME, 1),
        ({"unknown": 1.0, "recall": 1.0}, ONE, 1),
        ({}, ONE, 1),
    ],
)
def test_what_is_complained_of(figures: dict[str, float], baselines: dict[str, dict[str, Any]], lines: int) -> None:
    assert len(complaints(figures, baselines)) == lines


def test_a_part_of_the_measurements_may_leave_out_the_rest() -> None:
    assert complaints({}, ONE, complete=False) == []


def test_every_baseline_is_within_itself() -> None:
    baselines = tomllib.loads(BASELINES.read_text(encoding="utf-8"))
    assert complaints({name: b["measured"] for name, b in baselines.items()}, baselines) == []
    assert all(b["what"] and b["unit"] for b in baselines.values())
