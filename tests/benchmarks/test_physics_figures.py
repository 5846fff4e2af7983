"""The physics benchmark's own measurements, on few cases."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks import physics, physics_makers
from models.board import ICF
from models.equipment import read_equipment
from models.physics import Motion, State, simulate


def test_few_breaks_have_no_fault() -> None:
    lines = list(physics.breaks(30))
    assert len(lines) == 4
    assert all(line.good for line in lines)


def test_collisions_are_the_analytic_ones() -> None:
    (line,) = physics.collisions()
    assert line.good


@pytest.fixture(scope="module")
def motion() -> Motion:
    return simulate(physics.random_break(np.random.default_rng(1), 0))


def test_an_overlap_is_seen(motion: Motion) -> None:
    closer = replace(motion, state_before=replace(motion.state_before, radius=motion.state_before.radius + 0.01))
    assert physics.faults(closer)[0] > 0.01


def test_a_gain_of_energy_is_seen(motion: Motion) -> None:
    rows = motion._rows.copy()
    hits = np.flatnonzero(rows[:, 1] == rows[rows[:, 1] > 0, 1].min())  # what the first contact changed
    rows[hits, 4:6] *= 2.0  # restitution took less than three quarters
    assert physics.faults(motion)[1] <= physics.ROUNDING
    assert physics.faults(replace(motion, _rows=rows))[1] > 0.01


def test_a_disc_outside_the_frame_is_seen_at_the_cushions_and_in_the_corners() -> None:
    inside = simulate(State.resting(["white"], [(370.0, ICF.piece_radius)]))
    assert physics.faults(inside)[2] <= 1e-12
    narrower = replace(ICF, side=ICF.side - 1)
    assert physics.faults(simulate(State.resting(["white"], [(ICF.side - ICF.piece_radius, 370.0)])), narrower)[2] == pytest.approx(1.0)
    square = replace(ICF, corner_radius=0.0, pocket_radius=1.0, pocket_inset=1.0)
    corner = simulate(State.resting(["white"], [(ICF.piece_radius, ICF.piece_radius)], square), square)
    room = ICF.corner_radius - ICF.piece_radius
    assert physics.faults(corner)[2] == pytest.approx(room * (2**0.5 - 1))


def test_the_liveliness_is_more_than_the_laws_ask() -> None:
    (line,) = physics.liveliness()
    assert line.good
    assert line.value is not None and 3.5 <= line.value < 5


def test_a_piece_too_fast_for_a_pocket_crossed_it() -> None:
    board = read_equipment("22s").board
    fast = State.resting(["white", "white"], [(120.0, 120.0), (400.0, 500.0)], board).struck(0, -4000.0, -4000.0)
    motion = simulate(fast, board, t_max=0.2)
    assert not motion.pocketed
    assert any(e.kind == "cushion" for e in motion.events)
    assert physics_makers.crossed_pocket(motion, board) == {0}


def test_few_strokes_of_the_makers_lose_no_striker_and_no_piece() -> None:
    off, table = physics_makers.experiment(20)
    assert off == 0
    assert sum(c["strokes"] for c in table.values()) == 20
    for c in table.values():
        assert c["pocketed"] + c["bounced_out"] + c["at_rest"] == physics_makers.TOWER * c["strokes"]


def test_the_flat_tower_lies_flat() -> None:
    board = read_equipment("22s").board
    classes, places = physics_makers.flat_tower(np.random.default_rng(3), board)
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))[np.triu_indices(len(places), 1)]
    assert sorted(classes) == sorted(["white"] * 9 + ["black"] * 9 + ["queen"])
    assert apart.min() >= 2 * board.piece_radius


def test_the_figures_are_written_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "figures.json"
    monkeypatch.setattr("sys.argv", ["physics", "--only", "collisions", "liveliness", "breaks", "--breaks", "3", "--json", str(file)])
    assert physics.main() == 0
    assert all(line["good"] is True for line in json.loads(file.read_text(encoding="utf-8")))
