"""The filter whose process model is the physics: what it foresees, and how sure it is of that."""

from __future__ import annotations

import numpy as np

from models.board import ICF
from models.physics import Dynamics, State, propagate, simulate
from tracking.joint_filter import JointFilter

PLACES = np.array([[370.0, 300.0], [370.0, 600.0]])


def begun(places: np.ndarray = PLACES, v: tuple[float, float] = (0.0, -1500.0), aside: float = 20.0) -> JointFilter:
    joint = JointFilter(State.resting(("white", "striker"), places, ICF), ICF, Dynamics(), 0.0)
    joint.launch(1, 0.0, np.array(v), np.diag([aside**2, 20.0**2]))
    return joint


def test_variations_are_carried_on_as_the_simulation_does() -> None:
    state = State.resting(("white", "striker"), PLACES, ICF)
    start = np.array([[[370, 300, 0, 0], [370, 600, 0, -1500]], [[371, 300, 0, 0], [370, 600, 30, -1200]]], float)
    found = propagate(state, start, 0.3, ICF, Dynamics())
    for given, got in zip(start, found, strict=True):
        moved = State(state.cls, *given.T[:2], *given.T[2:], state.spin, state.radius, state.mass, state.friction)
        true = simulate(moved).state(0.3)
        np.testing.assert_allclose(got, np.stack([true.x, true.y, true.vx, true.vy], axis=1), atol=1e-3)


def test_a_blow_is_foreseen_and_makes_less_sure() -> None:
    joint = begun()
    joint.predict(0.1)
    before = joint.block(0)[0, 0]
    joint.predict(0.3)
    true = simulate(State.resting(("white", "striker"), PLACES, ICF).struck(1, 0, -1500)).positions([0.3])[0]
    np.testing.assert_allclose(joint.mean[:, :2], true, atol=0.5)
    assert joint.block(0)[0, 0] > 20 * before
    assert joint.mean[0, 3] < -500  # the piece flies on


def test_what_one_disc_does_tells_of_the_other() -> None:
    """A piece that nobody sees is followed by how the striker was turned aside."""
    motion = simulate(State.resting(("white", "striker"), PLACES, ICF).struck(1, 50, -1500))
    joint, blind = begun(aside=60.0), begun(aside=60.0)
    for t in np.arange(1, 12) / 30:
        joint.predict(float(t))
        blind.predict(float(t))
        joint.update(np.array([1]), motion.positions([t])[0][[1]], np.array([0.5]), np.zeros(1))
        blind.update(np.zeros(0, int), np.zeros((0, 2)), np.zeros(0), np.zeros(0))
    assert joint.block(0)[:2, :2].trace() < 0.5 * blind.block(0)[:2, :2].trace()
    true = motion.positions([t])[0, 0]
    assert np.hypot(*(joint.mean[0, :2] - true)) < 0.5 * np.hypot(*(blind.mean[0, :2] - true))


def test_what_is_seen_late_was_not_there_yet() -> None:
    motion = simulate(State.resting(("white", "striker"), PLACES, ICF).struck(1, 60, -1550))
    joint, late = begun(), np.array([0.008])
    for t in np.arange(1, 6) / 30:
        joint.predict(float(t))
        joint.update(np.array([1]), motion.positions([t + late[0]])[0][[1]], np.array([0.3]), late)
    assert np.hypot(*(joint.mean[1, :2] - motion.positions([t])[0, 1])) < 1.0


def test_smoothing_knows_what_came_later() -> None:
    motion = simulate(State.resting(("white", "striker"), PLACES, ICF).struck(1, 60, -1550))
    joint = begun()  # released a little wrong
    times = np.arange(1, 25) / 30
    for t in times:
        joint.predict(float(t))
        seen = [0, 1] if t > 0.3 else []
        joint.update(np.array(seen, int), motion.positions([t])[0][seen], np.full(len(seen), 0.5), np.zeros(len(seen)))
    means, spread = joint.smooth()
    first = int(np.searchsorted(times, 0.15))
    true = motion.positions([times[first]])[0, 1]
    filtered = joint.steps[first].mean[1, :2]
    assert np.hypot(*(means[first, 1, :2] - true)) < 0.5 * np.hypot(*(filtered - true))
    assert (spread >= 0).all() and spread[first, 1] < 10


def test_a_disc_that_slides_into_a_pocket_is_gone_and_asked_about() -> None:
    joint = JointFilter(State.resting(("white", "striker"), np.array([[650.0, 90.0], [300.0, 600.0]]), ICF), ICF, Dynamics(), 0.0)
    joint.launch(0, 0.0, np.array([900.0, -900.0]), np.diag([30.0**2, 30.0**2]))
    asked: set[int] = set()
    for t in np.arange(1, 12) / 30:
        joint.predict(float(t))
        asked |= set(joint.doubtful)
        joint.update(np.zeros(0, int), np.zeros((0, 2)), np.zeros(0), np.zeros(0))
    assert not joint.here[0] and 0.05 < joint.fell[0] < 0.3
    assert joint.here[1]
    assert asked <= {0}


def test_a_copy_goes_on_by_itself() -> None:
    joint = begun()
    joint.predict(0.1)
    other = joint.copy()
    other.lose(0, 0.1)
    other.predict(0.2)
    assert joint.here[0] and len(joint.steps) == 1 and joint.t == 0.1
