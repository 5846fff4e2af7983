"""The physics benchmark's own measurements, on few cases."""

from __future__ import annotations

from benchmarks import physics


def test_few_breaks_have_no_fault() -> None:
    lines = list(physics.breaks(30))
    assert len(lines) == 4
    assert all(line.good for line in lines)


def test_collisions_are_the_analytic_ones() -> None:
    (line,) = physics.collisions()
    assert line.good


def test_a_fault_is_seen() -> None:
    motion = physics.simulate(physics.random_break(physics.np.random.default_rng(1), 0))
    closer = physics.replace(motion, state_before=physics.replace(motion.state_before, radius=motion.state_before.radius + 0.01))
    assert physics.faults(closer)[0] > 0.01


def test_the_liveliness_is_more_than_the_laws_ask() -> None:
    (line,) = physics.liveliness()
    assert line.good
    assert line.value is not None and 3.5 <= line.value < 5
