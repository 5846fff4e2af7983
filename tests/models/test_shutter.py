"""Sightings put on time under a rolling shutter."""

from __future__ import annotations

import numpy as np

from models.physics import Observations, RollingShutter

SIDE = 740.0


def test_the_far_side_is_seen_later_and_the_middle_on_time() -> None:
    delays = RollingShutter(0.002, 0.02).delays([(370, 370), (370, 740), (370, 0), (740, 370)], SIDE)
    np.testing.assert_allclose(delays, [0.0, 0.01, -0.01, 0.001])


def test_only_sightings_of_moving_discs_are_put_on_time() -> None:
    t = [0.0, 0.1, 0.2, 0.3] * 2
    seen = Observations(t, [0] * 4 + [1] * 4, [370] * 8, [100, 100, 101, 100.5, 100, 100, 300, 700])
    got = RollingShutter(0.0, 0.02).on_time(seen, SIDE)
    np.testing.assert_array_equal(got.t[:5], t[:5])
    np.testing.assert_allclose(got.t[5:] - t[5:], 0.02 * (np.array([100, 300, 700]) / SIDE - 0.5), atol=0.02 * 0.5 / 20)
    np.testing.assert_array_equal(got.places(), seen.places())


def test_without_one_nothing_changes() -> None:
    seen = Observations([0.0, 0.1], [0, 0], [10, 20], [10, 20])
    assert RollingShutter().on_time(seen, SIDE) is seen
