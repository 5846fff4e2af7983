"""What the physics core must keep: momentum, energy, room, and the laws' own figures."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import hypot

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.board import ICF, rack
from models.physics import Dynamics, Motion, State, simulate
from models.physics.contact import first_contact
from models.stroke import Piece

STILL = Dynamics(friction_piece=1e-6, friction_striker=1e-6)
"""A board with next to no friction, on which momentum can be counted before and after."""


def scattered(seed: int) -> State:
    """Up to 20 discs, many of them touching each other or a cushion, some of them moving."""
    rng = np.random.default_rng(seed)
    classes: list[Piece] = ["striker", *rng.choice(["white", "black"], rng.integers(1, 20)).tolist()]
    radii = [ICF.radius(c) for c in classes]
    places: list[np.ndarray] = []
    while len(places) < len(classes):
        r = radii[len(places)]
        p = rng.uniform(r, ICF.side - r, 2)
        if places and rng.random() < 0.6:
            k, a = rng.integers(len(places)), rng.uniform(0, 2 * np.pi)
            p = places[k] + (r + radii[k]) * np.array([np.cos(a), np.sin(a)])
        if rng.random() < 0.3:
            p[rng.integers(2)] = rng.choice([r, ICF.side - r])
        apart = all(np.hypot(*(p - q)) >= r + s - 1e-9 for q, s in zip(places, radii, strict=False))
        if apart and (p >= r - 1e-9).all() and (p <= ICF.side - r + 1e-9).all():
            places.append(p)
    moving = rng.random(len(classes)) < rng.choice([0.1, 0.5, 1.0])
    v = rng.normal(0, 1500, (len(classes), 2)) * moving[:, None]
    v[0] = rng.normal(0, 3000, 2)
    return replace(State.resting(classes, places), vx=v[:, 0], vy=v[:, 1], spin=rng.normal(0, 30, len(classes)))


def break_shot(speed: float = 5000.0, x: float = 390.0) -> Motion:
    classes, places = rack()
    state = State.resting([*classes, "striker"], np.vstack([places, ICF.base_position("south", x)]))
    d = np.array([372.0, 400.0]) - state.positions()[-1]
    return simulate(state.struck(19, *(d / np.hypot(*d) * speed)))


def smallest_gap(motion: Motion) -> float:
    p = motion.positions(np.linspace(0, motion.duration, 300))
    r = motion.final.radius
    i, j = np.triu_indices(len(r), 1)
    gaps = np.hypot(*(p[:, i] - p[:, j]).transpose(2, 0, 1)) - r[i] - r[j]
    return float(np.nanmin(gaps, initial=np.inf))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_discs_keep_apart_stay_inside_and_never_gain_energy(seed: int) -> None:
    state = scattered(seed)
    motion = simulate(state)
    assert smallest_gap(motion) > -1e-3
    times = np.linspace(0, motion.duration, 200)
    p, r = motion.positions(times), state.radius[:, None]
    assert np.nanmax(np.maximum(r - p, p - (ICF.side - r)), initial=-np.inf) < 1e-6
    energies = [motion.state(t).energy() for t in times]
    assert all(b <= a + 1e-9 for a, b in pairwise(energies))
    assert len(motion.events) < 500
    assert all(a.t <= b.t for a, b in pairwise(motion.events))


@settings(max_examples=60, deadline=None)
@given(st.floats(-1.5, 1.5), st.floats(500, 5000), st.floats(-200, 200), st.booleans())
def test_a_striker_and_a_piece_exchange_momentum_exactly(angle: float, speed: float, spin: float, swap: bool) -> None:
    classes: list[Piece] = ["white", "striker"] if swap else ["striker", "white"]
    s, w = classes.index("striker"), classes.index("white")
    touch = ICF.striker_radius + ICF.piece_radius + 1.0
    places = np.empty((2, 2))
    places[s], places[w] = (300, 370), (300 + touch * np.cos(angle), 370 + touch * np.sin(angle))
    motion = simulate(State.resting(classes, places).struck(s, speed, 0, spin), dynamics=STILL, t_max=0.02)
    hits = [e for e in motion.events if e.kind == "disc"]
    if touch * abs(np.sin(angle)) < touch - 1.1:
        assert len(hits) == 1
        assert hits[0].impulse > 0
        assert motion.first_contact == (w, hits[0].t)
    m, f = motion.final.mass, motion.final
    assert m[s] * speed == pytest.approx(float(m @ f.vx), rel=1e-6)
    assert float(m @ f.vy) == pytest.approx(0, abs=1e-9)


def test_a_head_on_contact_gives_the_speeds_of_the_restitution() -> None:
    state = State.resting(["striker", "black"], [(300, 370), (400, 370)]).struck(0, 1000, 0)
    f = simulate(state, dynamics=STILL, t_max=0.1).final
    e, ms, mb = STILL.restitution_disc, 0.015, 0.00525
    assert f.vx[1] == pytest.approx(1000 * ms * (1 + e) / (ms + mb), rel=1e-6)
    assert f.vx[1] - f.vx[0] == pytest.approx(1000 * e, rel=1e-6)


def test_a_sliding_disc_follows_the_closed_form() -> None:
    d = Dynamics()
    motion = simulate(State.resting(["white"], [(100, 300)]).struck(0, 800, 300), dynamics=d)
    speed = hypot(800, 300)
    assert motion.duration == pytest.approx(speed / d.friction_piece)
    t = 0.3
    way = speed * t - d.friction_piece * t * t / 2
    np.testing.assert_allclose(motion.positions(t)[0, 0], [100 + 800 / speed * way, 300 + 300 / speed * way])
    assert np.hypot(*motion.velocities(t)[0, 0]) == pytest.approx(speed - d.friction_piece * t)
    assert [e.kind for e in motion.events] == ["rest"]


def test_the_default_board_passes_the_liveliness_test() -> None:
    """ICF Laws, equipment: struck with full force the striker runs at least three and a half times across."""
    state = State.resting(["striker"], [ICF.base_position("south", 370)]).struck(0, 0, -5500)
    motion = simulate(state)
    assert sum(e.kind == "cushion" for e in motion.events) >= 3
    t = np.linspace(0, motion.duration, 2000)
    way = float(np.sum(np.abs(np.diff(motion.positions(t)[:, 0, 1]))))
    assert way >= 3.5 * (ICF.side - 2 * ICF.striker_radius)


def test_a_break_scatters_the_rack() -> None:
    motion = break_shot()
    moved = np.hypot(*(motion.positions(motion.duration)[0, :19] - rack()[1]).T)
    assert motion.touched
    assert np.sum(~(moved < 20)) >= 15
    assert len(motion.events) < 400
    assert smallest_gap(motion) > -1e-3


def test_a_resting_rack_stays() -> None:
    classes, places = rack()
    motion = simulate(State.resting(classes, places))
    assert motion.events == ()
    assert motion.duration == 0
    np.testing.assert_array_equal(motion.final.positions(), places)


@pytest.mark.parametrize(("pocket", "sign"), [("NW", (-1, -1)), ("NE", (1, -1)), ("SE", (1, 1)), ("SW", (-1, 1))])
@pytest.mark.parametrize("speed", [900.0, 2500.0])
def test_a_piece_sent_to_a_pocket_falls_once_its_centre_is_past_the_lip(pocket: str, sign: tuple[int, int], speed: float) -> None:
    state = State.resting(["black"], [(370 + 150 * sign[0], 370 + 150 * sign[1])])
    motion = simulate(state.struck(0, speed * sign[0] / 2**0.5, speed * sign[1] / 2**0.5))
    (fall,) = motion.pocketed
    assert fall.pocket == pocket
    assert ICF.nearest_pocket(*motion.positions(fall.t - 1e-6)[0, 0])[1] < ICF.pocket_radius
    assert np.isnan(motion.positions(fall.t + 1e-6)).all()
    assert np.isnan(motion.final.x[0])
    assert [e.kind for e in motion.events][-1] == "pocket"


def test_a_piece_that_stops_short_of_the_lip_hangs_and_one_that_stops_past_it_falls() -> None:
    d = Dynamics()
    start, lip = 100.0, ICF.side - ICF.pocket_inset - ICF.pocket_radius * 0.96
    for beyond, falls in ((-3.0, False), (3.0, True)):
        way = lip + beyond - start
        state = State.resting(["white"], [(start, ICF.piece_radius)]).struck(0, (2 * d.friction_piece * way) ** 0.5, 0)
        assert bool(simulate(state, dynamics=d).pocketed) == falls


def test_a_disc_that_skims_a_pocket_too_fast_goes_on() -> None:
    """Along the far edge of the hole the way over it is short."""
    x, y = ICF.pockets()["NW"]
    across = np.array([1.0, -1.0]) / 2**0.5
    place = np.array([x, y]) + 0.95 * ICF.pocket_radius / 2**0.5 - 60 * across
    fast, slow = ([*(across * v)] for v in (2500.0, 420.0))
    assert not any(f.pocket == "NW" for f in simulate(State.resting(["white"], [place]).struck(0, *fast)).pocketed)
    assert [f.pocket for f in simulate(State.resting(["white"], [place]).struck(0, *slow)).pocketed] == ["NW"]


def test_spin_turns_a_rebound() -> None:
    state = State.resting(["striker"], [(370, 370)])
    plain, spun = (simulate(state.struck(0, 0, -2000, s), t_max=0.3).final.vx[0] for s in (0.0, 80.0))
    assert plain == pytest.approx(0, abs=1e-9)
    assert spun < -50  # a disc turning clockwise runs to the left along the upper cushion


def test_overlapping_discs_are_parted_not_stuck() -> None:
    state = State.resting(["striker", "white", "black"], [(300, 370), (335.9, 370), (367.2, 370)]).struck(0, 1500, 0)
    final = simulate(state).final
    assert final.x[2] - final.x[1] > 31.8
    assert final.x[1] - final.x[0] > 36.5


def test_a_stroke_without_contact_is_told() -> None:
    motion = simulate(State.resting(["white", "striker"], [(100, 100), (370, 622)]).struck(1, 1000, 0))
    assert not motion.touched
    assert motion.first_contact is None


def test_discs_that_are_not_on_the_board_take_no_part() -> None:
    motion = simulate(State.resting(["white", "striker"], [(np.nan, np.nan), (370, 622)]).struck(1, 0, -1500))
    assert np.isnan(motion.positions([0.0, 0.1])[:, 0]).all()
    assert np.isfinite(motion.positions(0.1)[0, 1]).all()


def test_two_moving_discs_meet_at_the_root_that_dense_sampling_shows() -> None:
    rng = np.random.default_rng(4)
    t = np.linspace(0, 0.5, 200_001)
    met = 0
    for _ in range(60):
        p, v, a = rng.uniform(-120, 120, 2), rng.normal(0, 500, 2), rng.normal(0, 1500, 2)
        d = np.hypot(*(p[:, None] + v[:, None] * t + a[:, None] * t * t / 2)) - 36.55
        if d[0] < 0.5 or abs(d.min()) < 1e-3:
            continue
        got = first_contact(*p, *v, *a, 36.55, 0.5)
        if d.min() > 0:
            assert got == np.inf
        else:
            met += 1
            assert got == pytest.approx(t[np.argmax(d <= 0)], abs=5e-6)
    assert met > 10
