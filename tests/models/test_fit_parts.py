"""The parts of the fit: what counts as explained, how a first motion is told, and what is left where the physics does not explain."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from models.board import ICF, rack
from models.physics import Observations, Release, State, StrokeFit, fit_stroke, simulate
from models.physics.explained import limits
from models.physics.guess import opening
from models.physics.levenberg import covariance, draws
from models.physics.likelihood import score
from models.physics.search import crowded
from models.stroke import Piece

AREA = ICF.side**2


def filmed(state: State, release: Release, seed: int, dynamics_seen: State | None = None, wrong: float = 0.0) -> Observations:
    """A stroke of disc 0 as a camera of 30 pictures a second sees it: 1 mm noise, a fifth missing."""
    rng = np.random.default_rng(seed)
    motion = simulate(release.strike(dynamics_seen or state, 0))
    t = np.arange(0.0, release.time + min(motion.duration, 3.0) + 0.2, 1 / 30)
    p = motion.positions(np.maximum(t - release.time, 0.0))
    p = p + rng.normal(0, 1.0, p.shape)
    p[rng.random(p.shape[:2]) < 0.2] = np.nan
    bad = rng.random(p.shape[:2]) < wrong
    p[bad] = rng.uniform(30, 710, (int(bad.sum()), 2))
    return Observations.of(t, p, 1.0)


def scattered(seed: int, pieces: int) -> tuple[State, Release]:
    """Pieces that lie apart, and a stroke at one of them."""
    rng = np.random.default_rng(seed)
    at = [np.array(ICF.base_position("south", rng.uniform(160, 580)))]
    while len(at) <= pieces:
        p = rng.uniform([60, 60], [680, 560])
        if min(float(np.hypot(*(p - q))) for q in at) > 42:
            at.append(p)
    d = at[1] - at[0] + rng.normal(0, 8, 2)
    release = Release(rng.uniform(0.15, 0.18), rng.uniform(900, 3500), float(np.arctan2(d[1], d[0])), rng.normal(0, 8))
    black: list[Piece] = ["black"] * pieces
    return State.resting(["striker", *black], at), release


def off(fit: StrokeFit, true: Release) -> tuple[float, float]:
    """Errors of speed (part of it) and direction (degrees)."""
    turn = (fit.release.direction - true.direction + np.pi) % (2 * np.pi) - np.pi
    return abs(fit.release.speed / true.speed - 1), abs(float(np.degrees(turn)))


def test_a_sighting_costs_no_more_than_a_wrong_one_and_pulls_less_the_further_it_is() -> None:
    residual = np.array([[0.0, 0.0], [3.0, 0.0], [30.0, 0.0], [300.0, 0.0], [np.nan, np.nan]])
    density, weight, right = score(residual, np.ones(5), AREA)
    assert (np.diff(density[:4]) < 0).all()
    assert density[4] == pytest.approx(np.log(0.05 / AREA))
    assert density[3] > density[4]
    pull = weight[:4] * residual[:4, 0]
    assert pull[1] > pull[2] > pull[3]
    assert weight[4] == right[4] == 0


def test_the_weight_is_the_slope_of_the_density() -> None:
    sigma, step = np.array([1.5]), 1e-5
    for x in (0.5, 4.0, 20.0):
        both = [score(np.array([[x + d, 0.0]]), sigma, AREA)[0][0] for d in (step, -step)]
        weight = score(np.array([[x, 0.0]]), sigma, AREA)[1][0]
        assert (both[0] - both[1]) / (2 * step) == pytest.approx(-weight * x / sigma[0] ** 2, rel=1e-5)


def test_a_disc_is_explained_up_to_where_it_goes_astray_for_good() -> None:
    t = np.arange(10.0)
    seen = Observations(np.tile(t, 3), np.repeat([0, 1, 2], 10), np.zeros(30), np.zeros(30))
    order = np.argsort(seen.t, kind="stable")
    right = np.ones((3, 10), bool)
    right[0, 4] = False  # one wrong sighting
    right[1, 6:] = False  # elsewhere from then on
    right[2, 9] = False  # the last one, which may be wrong
    found = limits(seen.where(order), right.ravel()[order], 4)
    assert found.tolist() == [inf, 5.0, inf, inf]


def test_the_first_motion_is_told_despite_wrong_sightings() -> None:
    rest = np.array([[100.0, 100.0], [300.0, 300.0]])
    t = np.arange(10) / 30
    x = np.where(t > 0.15, 100 + 1000 * (t - 0.15), 100.0)
    x[2] = 400.0  # wrong, once
    seen = Observations(np.tile(t, 2), np.repeat([0, 1], 10), np.concatenate([x, np.full(10, 300.0)]), np.repeat([100.0, 300.0], 10))
    seen = seen.where(np.argsort(seen.t, kind="stable"))
    start = opening(seen, rest, np.zeros(2), 0, None)
    assert start.earliest == pytest.approx(4 / 30)
    assert start.latest == pytest.approx(5 / 30)
    assert start.pieces == inf
    told = opening(seen, rest, np.zeros(2), 0, (0.14, 0.001))
    assert (told.earliest, told.latest) == pytest.approx((0.1375, 0.1425))


def test_a_rack_is_a_heap_and_a_scattered_board_is_not() -> None:
    classes, places = rack()
    assert crowded(State.resting(classes, places)).all()
    state, _ = scattered(1, 8)
    assert not crowded(state).any()


def test_draws_have_the_covariance() -> None:
    information = np.array([[1e8, 2e3], [2e3, 1.0]])
    found = np.cov(draws(np.zeros(2), information, 1.0, 20_000, np.random.default_rng(1)).T)
    assert found == pytest.approx(covariance(information), rel=0.05)


def test_standard_errors_are_honest() -> None:
    """Of 30 strokes nearly all have the true values within two standard errors: 95 % of 90 values are expected."""
    within = 0
    for seed in range(30):
        state, release = scattered(seed, 2)
        fit = fit_stroke(filmed(state, release, seed), state)
        speed, direction = off(fit, release)
        assert speed < 0.02
        assert direction < 0.5
        within += speed * release.speed < 2 * fit.error("speed")
        within += np.radians(direction) < 2 * fit.error("direction")
        within += abs(fit.release.time - release.time) < 2 * fit.error("time")
    assert within >= 78


def test_settled_places_off_by_a_millimetre_are_made_good() -> None:
    state, release = scattered(4, 8)
    rng = np.random.default_rng(4)
    noisy = replace(state, x=state.x + rng.normal(0, 1, 9), y=state.y + rng.normal(0, 1, 9))
    seen = filmed(state, release, 4)
    fit = fit_stroke(seen, noisy, place_sigma=1.0)
    speed, direction = off(fit, release)
    assert speed < 0.02
    assert direction < 0.5
    assert "x0" in fit.names
    exact = fit_stroke(seen, noisy, place_sigma=0.0)
    assert exact.explained_until < seen.t[-1]
    assert exact.log_likelihood < fit.log_likelihood


def test_a_rack_with_gaps_is_not_explained_but_its_stroke_has_a_speed() -> None:
    classes, places = rack()
    ideal = State.resting(["striker", *classes], np.vstack([ICF.base_position("south", 350.0), places]))
    rng = np.random.default_rng(3)
    loose = ideal.positions()
    loose[1:] = 370 + (loose[1:] - 370) * 1.007 + rng.uniform(-0.03, 0.03, (19, 2))
    real = replace(ideal, x=loose[:, 0].copy(), y=loose[:, 1].copy())
    release = Release(0.16, 3200.0, -1.52)
    fit = fit_stroke(filmed(ideal, release, 3, real), ideal)
    contact = simulate(release.strike(real, 0)).first_contact
    assert contact is not None
    assert fit.explained_until < release.time + contact[1]
    speed, direction = off(fit, release)
    assert speed * 3200 < 3 * fit.error("speed")
    assert speed < 0.15
    assert direction < 2
    assert fit.error("speed") > 10


def test_a_sighting_after_a_fall_costs_and_a_disc_never_seen_does_not_matter() -> None:
    state = State.resting(["striker", "black", "white"], [(370, 622.6), (120, 120), (600, 600)])
    d = np.array([120, 120]) + 33 * np.array([1, 1]) / 2**0.5 - (370, 622.6)
    release = Release(0.16, 2500.0, float(np.arctan2(d[1], d[0])))
    assert [f.index for f in simulate(release.strike(state, 0)).pocketed] == [1]
    seen = filmed(state, release, 5)
    seen = seen.where(seen.disc != 2)
    fit = fit_stroke(seen, state)
    assert [f.index for f in fit.motion.pocketed] == [1]
    late = Observations([*seen.t, 1.2, 1.3], [*seen.disc, 1, 1], [*seen.x, 60, 60], [*seen.y, 60, 60])
    again = fit_stroke(late, state)
    assert not again.inlier[-2:].any()
    assert np.isnan(again.residuals[-1]).all()
    assert again.log_likelihood < fit.log_likelihood - 10


def test_a_known_time_and_a_like_release_help_and_do_not_hurt() -> None:
    state, release = scattered(7, 2)
    seen = filmed(state, release, 7, wrong=0.05)
    free = fit_stroke(seen, state)
    for fit in (fit_stroke(seen, state, when=(release.time + 0.02, 0.05)), fit_stroke(seen, state, around=free.release)):
        assert fit.release.speed == pytest.approx(free.release.speed, abs=2 * free.error("speed"))
    assert fit_stroke(seen, state).release == free.release  # and nothing is left to chance


def test_the_order_of_sightings_does_not_matter() -> None:
    state, release = scattered(8, 2)
    seen = filmed(state, release, 8)
    order = np.random.default_rng(1).permutation(len(seen))
    a, b = fit_stroke(seen, state), fit_stroke(seen.where(order), state)
    assert b.release.speed == pytest.approx(a.release.speed, rel=1e-6)
    assert np.array_equal(b.inlier, a.inlier[order])
    assert a.positions([0.0])[0] == pytest.approx(a.state.positions())
