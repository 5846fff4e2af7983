"""What the physics core must keep: momentum, energy, room, and the laws' own figures."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import pairwise
from math import hypot

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.board import ICF, rack
from models.physics import Contact, Dynamics, Motion, State, sample, simulate, simulate_many
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


def moments(motion: Motion) -> np.ndarray:
    """All times at which something happened, and those in between."""
    t = np.unique([0.0, motion.duration, *(e.t for e in motion.events)])
    return np.sort(np.concatenate([t, (t[1:] + t[:-1]) / 2]))


def smallest_gap(motion: Motion) -> float:
    p = motion.positions(moments(motion))
    r = motion.final.radius
    i, j = np.triu_indices(len(r), 1)
    gaps = np.hypot(*(p[:, i] - p[:, j]).transpose(2, 0, 1)) - r[i] - r[j]
    return float(np.nanmin(gaps, initial=np.inf))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_discs_keep_apart_stay_inside_and_never_gain_energy(seed: int) -> None:
    state = scattered(seed)
    motion = simulate(state)
    assert smallest_gap(motion) > -1e-6
    times = moments(motion)
    p, r = motion.positions(times), state.radius[:, None]
    assert np.nanmax(np.maximum(r - p, p - (ICF.side - r)), initial=-np.inf) < 1e-6
    energies = [motion.state(t).energy() for t in times]
    assert all(b <= a * (1 + 1e-12) for a, b in pairwise(energies))
    assert len(motion.events) < 1000
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
    e, ms, mb = STILL.striker_piece.restitution, 0.015, 0.00525
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
    assert motion.first_contact is not None
    assert np.sum(~(moved < 20)) >= 15
    assert len(motion.events) < 400
    assert smallest_gap(motion) > -1e-6


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
    place = np.array([x, y]) + 0.95 * ICF.pocket_radius / 2**0.5 - 29.5 * across
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
    assert motion.first_contact is None
    assert motion.touched(1) == ()


def test_discs_that_are_not_on_the_board_take_no_part() -> None:
    motion = simulate(State.resting(["white", "striker"], [(np.nan, np.nan), (370, 622)]).struck(1, 0, -1500))
    assert np.isnan(motion.positions([0.0, 0.1])[:, 0]).all()
    assert np.isfinite(motion.positions(0.1)[0, 1]).all()


def test_two_moving_discs_meet_when_dense_sampling_shows_it() -> None:
    rng = np.random.default_rng(4)
    wide = replace(ICF, side=4000.0)
    decel, t = Dynamics().friction_piece, np.linspace(0, 0.5, 100_001)
    met = 0
    for _ in range(300):
        p, v = rng.uniform(-120, 120, (2, 2)) + 2000, rng.normal(0, 500, (2, 2))
        speed = np.hypot(*v.T)
        way = np.where(t < speed[:, None] / decel, speed[:, None] * t - decel * t * t / 2, (speed**2 / (2 * decel))[:, None])
        path = p[:, :, None] + (v / speed[:, None])[:, :, None] * way[:, None, :]
        d = np.hypot(*(path[0] - path[1])) - 2 * ICF.piece_radius
        if d[0] < 0.5 or abs(d.min()) < 1e-3:
            continue
        state = replace(State.resting(["white", "black"], p), vx=v[:, 0], vy=v[:, 1])
        hits = [e.t for e in simulate(state, wide, t_max=0.5).events if e.kind == "disc"]
        if d.min() > 0:
            assert hits == []
        else:
            met += 1
            assert hits[0] == pytest.approx(t[np.argmax(d <= 0)], abs=6e-6)
    assert met > 10


def test_a_blow_goes_through_a_row_as_through_newtons_cradle() -> None:
    elastic = Dynamics(friction_piece=1e-6, friction_striker=1e-6, piece_piece=Contact(1.0, 0.0))
    state = State.resting(["white"] * 5, [(100 + 31.8 * k - (20 if k == 0 else 0), 370) for k in range(5)]).struck(0, 800, 0)
    final = simulate(state, dynamics=elastic, t_max=0.1).final
    np.testing.assert_allclose(final.vx, [0, 0, 0, 0, 800], atol=1e-3)


def test_a_blow_in_the_middle_is_shared_evenly() -> None:
    state = State.resting(["striker", "white", "black"], [(300, 370), (370, 370 - 15.9), (370, 370 + 15.9)]).struck(0, 2000, 0)
    motion = simulate(state, t_max=0.1)
    final = motion.final
    assert final.vy[0] == pytest.approx(0, abs=1e-9)
    assert final.vx[1] == pytest.approx(final.vx[2], abs=1e-9)
    assert final.vy[1] == pytest.approx(-final.vy[2], abs=1e-9)
    assert motion.touched(0) == (1, 2)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 0.5))
def test_any_restitution_and_friction_keeps_discs_apart_and_loses_energy(seed: int, disc: float, cushion: float, friction: float) -> None:
    pair, wall = Contact(disc, friction), Contact(cushion, friction)
    state = scattered(seed)
    motion = simulate(state, dynamics=Dynamics(piece_piece=pair, striker_piece=pair, piece_cushion=wall, striker_cushion=wall))
    assert smallest_gap(motion) > -1e-6
    energies = [motion.state(t).energy() for t in moments(motion)]
    assert all(b <= a * (1 + 1e-12) for a, b in pairwise(energies))
    assert len(motion.events) < 5000


@settings(max_examples=40, deadline=None)
@given(st.floats(1000, 8000), st.floats(-0.6, 0.6), st.floats(160, 580), st.floats(0, 6.3), st.floats(0, 0.05), st.floats(-60, 60))
def test_every_break_ends_in_order(speed: float, angle: float, x: float, turn: float, loose: float, spin: float) -> None:
    classes, places = rack(angle=turn)
    places = 370 + (places - 370) * (1 + loose)
    state = State.resting([*classes, "striker"], np.vstack([places, ICF.base_position("south", x)]))
    motion = simulate(state.struck(19, speed * np.sin(angle), -speed * np.cos(angle), spin))
    assert smallest_gap(motion) > -1e-6
    assert len(motion.events) < 1000
    energies = [motion.state(t).energy() for t in moments(motion)]
    assert all(b <= a * (1 + 1e-12) for a, b in pairwise(energies))


def test_three_pieces_pressed_together_come_to_rest_without_end_of_touches() -> None:
    """A striker creeps on into two pieces that lie against each other: it once touched them twenty thousand times."""
    places = [(343.023216, 385.173532), (314.275496, 398.767966), (306.874, 434.56)]
    state = State.resting(["white", "black", "striker"], places)
    d = state.positions()[1] - state.positions()[2]
    motion = simulate(state.struck(2, *(d / np.hypot(*d) * 18.0 + [-6.0, 0.0])))
    assert len(motion.events) < 300
    assert smallest_gap(motion) > -1e-6


def test_the_corner_leads_a_piece_round_and_holds_it() -> None:
    """Along the cushion into each corner, over a pocket that takes nobody: it comes out along the other cushion."""
    closed = replace(ICF, pocket_radius=1.0)
    state = State.resting(["white"], [(200, ICF.piece_radius)]).struck(0, -1500, 0)
    motion = simulate(state, closed)
    t = moments(motion)
    p = motion.positions(t)[:, 0]
    assert (p >= ICF.piece_radius - 1e-6).all()
    inside = (p < ICF.corner_radius).all(axis=1)
    assert np.hypot(*(p[inside] - ICF.corner_radius).T).max() < ICF.corner_radius - ICF.piece_radius + 1e-6
    assert p[-1, 1] > 200
    assert ICF.piece_radius <= p[-1, 0] < ICF.piece_radius + 0.04 * p[-1, 1]
    assert len(motion.events) < 60


@pytest.mark.parametrize("goal", [(0.0, 0.0), (740.0, 0.0), (740.0, 740.0), (0.0, 740.0)])
@pytest.mark.parametrize("rounded", [0.0, 22.25])
def test_a_striker_in_a_corner_touches_both_cushions_and_stays_inside(goal: tuple[float, float], rounded: float) -> None:
    closed = replace(ICF, pocket_radius=1.0, corner_radius=rounded)
    d = np.array(goal) - 370
    motion = simulate(State.resting(["striker"], [(370, 370)]).struck(0, *(d / np.hypot(*d) * 3000)), closed)
    p = motion.positions(moments(motion))[:, 0]
    assert (p > ICF.striker_radius - 1e-6).all()
    assert (p < 740 - ICF.striker_radius + 1e-6).all()


def test_a_fast_piece_bounces_out_of_the_corner_and_a_slower_one_falls() -> None:
    d = np.array([-1.0, -1.0]) / 2**0.5
    fast, slow = (simulate(State.resting(["white"], [(200, 200)]).struck(0, *(d * v))) for v in (6000.0, 1500.0))
    assert fast.pocketed == () or fast.pocketed[0].t > 0.3
    assert [f.pocket for f in slow.pocketed] == ["NW"]


def test_a_striker_larger_than_the_pockets_rolls_across_them() -> None:
    board = replace(ICF, pocket_radius=23.5, pocket_inset=23.5, corner_radius=23.5, piece_radius=20.7, striker_radius=26.8)
    state = State.resting(["striker"], [(370, 370)], board)
    d = np.array([-1.0, -1.0]) / 2**0.5
    motion = simulate(state.struck(0, *(d * 1000)), board)
    assert motion.pocketed == ()
    assert np.isfinite(motion.final.x).all()


def test_a_disc_leaves_over_the_frame_only_where_a_rule_says_so() -> None:
    state = State.resting(["striker", "white"], [(370, 600), (370, 200)]).struck(0, 0, -4000)
    assert simulate(state).off_board == ()
    motion = simulate(state, dynamics=Dynamics(jump_speed=2000.0))
    assert motion.off_board
    gone = motion.off_board[0]
    assert np.isnan(motion.final.x[gone])
    assert [e.who[0] for e in motion.events if e.kind == "off"] == list(motion.off_board)


def test_friction_is_each_discs_own() -> None:
    state = State.resting(["white", "white"], [(100, 200), (100, 500)])
    state = replace(state, vx=np.array([600.0, 600.0]), friction=np.array([1.0, 2.0]))
    x = simulate(state).final.x - 100
    assert x[0] == pytest.approx(2 * x[1])


def test_many_strokes_are_what_each_is() -> None:
    states = [scattered(k) for k in range(40)]
    for one, motion in zip(states, simulate_many(states, workers=3), strict=True):
        assert motion.events == simulate(one).events


def test_sampled_places_are_those_of_the_motion() -> None:
    classes, places = rack()
    state = State.resting([*classes, "striker"], np.vstack([places, ICF.base_position("south", 350)]))
    states = [state.struck(19, 30.0 * k, -3000.0 - 20 * k) for k in range(70)]
    times = np.array([0.9, 0.0, 0.31, 0.3, 2.0])
    got = sample(states, times, workers=2)
    assert got.shape == (70, 5, 20, 2)
    for k in (0, 33, 69):
        np.testing.assert_allclose(got[k], simulate(states[k]).positions(times), atol=1e-9)
    own = np.stack([np.roll(times, k) for k in range(70)])
    np.testing.assert_array_equal(sample(states, own)[11], sample(states, own[11])[11])


def test_what_cannot_be_simulated_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 64"):
        simulate(State.resting(["white"] * 65, np.zeros((65, 2))))
    with pytest.raises(ValueError, match="number"):
        simulate(State.resting(["white"], [(100, 100)]).struck(0, np.nan, 0))
    with pytest.raises(ValueError, match="same number"):
        sample([State.resting(["white"], [(100, 100)]), State.resting([], [])], [0.0])


def test_the_compiled_core_is_what_its_sources_give() -> None:
    pytest.importorskip("ziglang", reason="the C compiler of the dev extra is not installed")
    from models.physics.core.build import TARGET, compile_core

    assert compile_core() == TARGET.read_bytes()


def test_a_break_is_the_same_on_every_machine() -> None:
    """To the bit: a break magnifies any difference. The start is rounded, as sines are not the same on every machine."""
    classes, places = rack()
    state = State.resting([*classes, "striker"], np.vstack([np.round(places * 1.001, 3), (390.0, 622.6)])).struck(19, -60.0, -5000.0, 10.0)
    motion = simulate(state)
    told = np.array([(e.t, *e.who, e.impulse) for e in motion.events])
    assert len(told) > 50
    assert hashlib.sha256(told.astype("<f8").tobytes()).hexdigest()[:16] == "5278be10cae1efe5"
