"""The figures of a board recovered from simulated strokes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.board import ICF
from models.physics import Contact, Dynamics, RollingShutter, State, simulate
from models.physics.board_fit import fit_board
from models.physics.observations import Observations

TRUE = replace(
    Dynamics(), friction_piece=1150.0, friction_striker=1400.0, piece_cushion=Contact(0.6, 0.1), striker_cushion=Contact(0.72, 0.1)
)


def strokes(count: int, seed: int = 8, shutter: RollingShutter | None = None) -> list[tuple[Observations, State]]:
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        places = rng.uniform(60, 680, (3, 2))
        if min(np.hypot(*(places[i] - places[j])) for i in range(3) for j in range(i)) < 60:
            continue
        state = State.resting(["striker", "white", "black"], places)
        d = places[1] - places[0]
        angle, speed = np.arctan2(d[1], d[0]) + rng.normal(0, 0.08), rng.uniform(1000, 3000)
        motion = simulate(state.struck(0, speed * np.cos(angle), speed * np.sin(angle)), dynamics=TRUE)
        t = np.arange(0.0, motion.duration + 0.5, 1 / 30)
        seen = np.where((t < 0.2)[:, None, None], state.positions()[None], motion.positions(np.maximum(t - 0.2, 0.0)))
        if shutter is not None:
            late = t[:, None] - 0.2 + np.nan_to_num(shutter.delays(seen, ICF.side).reshape(seen.shape[:2]))
            seen = np.stack([motion.positions(np.maximum(late[:, i], 0.0))[:, i] for i in range(3)], axis=1)
        seen = seen + rng.normal(0, 1.0, seen.shape)
        seen[rng.random(seen.shape[:2]) < 0.2] = np.nan
        found.append((Observations.of(t, seen), state))
    return found


def test_friction_and_restitution_are_recovered() -> None:
    fit = fit_board(strokes(10))
    value, error = dict(zip(fit.names, fit.values, strict=True)), dict(zip(fit.names, fit.errors, strict=True))
    assert value["friction_piece"] == pytest.approx(1150, rel=0.02)
    assert value["friction_striker"] == pytest.approx(1400, rel=0.02)
    assert value["piece_cushion.restitution"] == pytest.approx(0.6, abs=0.02)
    assert value["striker_cushion.restitution"] == pytest.approx(0.72, abs=0.02)
    assert all(e > 0 for e in error.values())
    assert fit.undetermined == ()
    assert fit.dynamics.piece_cushion == Contact(value["piece_cushion.restitution"], 0.1)
    assert len(fit.strokes) == 10


def test_a_rolling_shutter_is_recovered() -> None:
    seen = strokes(6, shutter=RollingShutter(0.0, 0.016))
    fit = fit_board(seen, shutter=RollingShutter(), rounds=2)
    error = dict(zip(fit.names, fit.errors, strict=True))
    assert fit.shutter.y == pytest.approx(0.016, abs=min(0.002, 3 * error["shutter_y"]))
    assert fit.shutter.x == pytest.approx(0.0, abs=0.003)
    assert dict(zip(fit.names, fit.values, strict=True))["shutter_y"] == fit.shutter.y
    assert fit_board(seen, rounds=1).shutter == RollingShutter()


def test_what_is_known_of_the_shutter_before_is_not_forgotten() -> None:
    known = fit_board(strokes(1, seed=3), rounds=1, shutter=RollingShutter(0.0, 0.012), shutter_sigma=[0.0005, 0.0005])
    assert known.shutter.y == pytest.approx(0.012, abs=0.0015)
    assert known.errors[known.names.index("shutter_y")] <= 0.0005 * 1.001


def test_what_no_stroke_shows_is_said_and_stays() -> None:
    state = State.resting(["striker", "white"], [(370, 500), (100, 100)])
    motion = simulate(state.struck(0, 0, -400.0), dynamics=TRUE)
    t = np.arange(0.0, 0.6, 1 / 30)
    seen = Observations.of(t, motion.positions(np.maximum(t - 0.1, 0.0)) + np.random.default_rng(1).normal(0, 0.5, (len(t), 2, 2)), 0.5)
    fit = fit_board([(seen, state)])
    assert "piece_cushion.restitution" in fit.undetermined
    assert "friction_striker" not in fit.undetermined
    assert fit.dynamics.piece_cushion.restitution == pytest.approx(Dynamics().piece_cushion.restitution, abs=1e-3)


def test_names_that_are_none_and_strokes_without_motion_are_refused() -> None:
    state = State.resting(["striker"], [(370, 600)])
    still = Observations([0.0, 0.1], [0, 0], [370, 370], [600, 600])
    with pytest.raises(ValueError, match="no figure of a board is called 'bounce'"):
        fit_board([(still, state)], free=["bounce"])
    with pytest.raises(ValueError, match="no stroke shows a motion"):
        fit_board([(still, state)])
