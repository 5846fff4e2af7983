"""The release of a stroke recovered from what was seen of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.board import ICF, rack
from models.physics import Dynamics, Observations, State, fit_stroke, simulate

RELEASE = 0.2
"""(s)"""


def filmed(
    state: State, dynamics: Dynamics | None = None, seed: int = 1, wrong: float = 0.0, fps: float = 30.0, noise: float = 1.0
) -> tuple[Observations, State]:
    """What a camera sees of a stroke released after a fifth of a second, and the discs before it."""
    rng = np.random.default_rng(seed)
    motion = simulate(state, dynamics=dynamics)
    rest = replace(state, vx=state.vx * 0, vy=state.vy * 0, spin=state.spin * 0)
    t = np.arange(0.0, RELEASE + motion.duration + 0.2, 1 / fps)
    t = t + rng.uniform(-0.3, 0.3, len(t)) / fps
    p = np.where((t < RELEASE)[:, None, None], rest.positions()[None], motion.positions(np.maximum(t - RELEASE, 0.0)))
    p = p + rng.normal(0, noise, p.shape)
    p[rng.random(p.shape[:2]) < 0.2] = np.nan
    bad = (rng.random(p.shape[:2]) < wrong) & np.isfinite(p[..., 0])
    p[bad] = rng.uniform(30, 710, (bad.sum(), 2))
    return Observations.of(t, p, noise), rest


def three(speed: float = 2200.0, angle: float = -1.2) -> State:
    state = State.resting(["striker", "white", "black"], [(330, 622.6), (420, 390), (520, 160)])
    return state.struck(0, speed * np.cos(angle), speed * np.sin(angle), 5.0)


@pytest.mark.parametrize("wrong", [0.0, 0.05])
@pytest.mark.parametrize("fps", [24.0, 60.0])
def test_a_stroke_of_three_discs_is_recovered(wrong: float, fps: float) -> None:
    seen, rest = filmed(three(), wrong=wrong, fps=fps)
    fit = fit_stroke(seen, rest)
    assert fit.release.speed == pytest.approx(2200, rel=0.02)
    assert np.degrees(fit.release.direction) == pytest.approx(np.degrees(-1.2), abs=0.5)
    assert fit.release.time == pytest.approx(RELEASE, abs=0.01)
    assert fit.inlier.mean() > 0.9
    assert 0 < fit.error("speed") < 60


def test_a_break_is_recovered_and_says_what_the_striker_met() -> None:
    classes, places = rack()
    state = State.resting([*classes, "striker"], np.vstack([places, ICF.base_position("south", 350.0)])).struck(19, 200.0, -3500.0)
    seen, rest = filmed(state)
    fit = fit_stroke(seen, rest, place_sigma=0.0)
    assert fit.release.speed == pytest.approx(np.hypot(200, 3500), rel=0.02)
    assert np.degrees(fit.release.direction - np.arctan2(-3500, 200)) == pytest.approx(0, abs=0.5)
    want = simulate(state).first_contact
    assert fit.motion.first_contact is not None and want is not None
    assert fit.motion.first_contact[0] == want[0]
    assert RELEASE + want[1] == pytest.approx(fit.release.time + fit.motion.first_contact[1], abs=0.005)


def test_a_piece_that_falls_is_seen_no_more() -> None:
    state = State.resting(["striker", "black"], [(370, 622.6), (120, 120)])
    d = np.array([120, 120]) + 33 * np.array([1, 1]) / 2**0.5 - (370, 622.6)
    state = state.struck(0, *(d / np.hypot(*d) * 2500.0))
    assert simulate(state).pocketed
    seen, rest = filmed(state)
    fit = fit_stroke(seen, rest)
    assert [(f.index, f.pocket) for f in fit.motion.pocketed] == [(f.index, f.pocket) for f in simulate(state).pocketed]


def test_what_was_not_so_is_less_likely() -> None:
    """The two pieces exchanged: the physics does not explain it as well."""
    seen, rest = filmed(three())
    swapped = replace_disc(seen, {1: 2, 2: 1})
    assert fit_stroke(seen, rest).log_likelihood > fit_stroke(swapped, rest).log_likelihood + 10


def replace_disc(seen: Observations, names: dict[int, int]) -> Observations:
    after = seen.t > RELEASE + 0.3
    disc = [names.get(int(d), int(d)) if late else int(d) for d, late in zip(seen.disc, after, strict=True)]
    return Observations(seen.t, disc, seen.x, seen.y, seen.sigma)


def test_what_cannot_be_fitted_is_refused() -> None:
    _, rest = filmed(three())
    still = Observations([0.0, 0.1, 0.2], [0, 0, 0], [330, 330, 330], [622.6] * 3)
    with pytest.raises(ValueError, match="move"):
        fit_stroke(still, rest)
    with pytest.raises(ValueError, match="disc 7"):
        fit_stroke(Observations([0.0], [7], [1.0], [1.0]), rest)
    with pytest.raises(ValueError, match="strikers"):
        fit_stroke(still, State.resting(["white"], [(100, 100)]))
    with pytest.raises(ValueError, match="finite"):
        Observations([0.0], [0], [np.nan], [1.0])
