"""The measures of tracking on sequences of known values."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from tracking.metrics import Compared, Seen, clear, hota, identity, matched

REACH = 30.0
A, B = (100.0, 100.0), (400.0, 400.0)
LONG = 10
"""Moments of a sequence."""

Discs = dict[str, tuple[float, float]]


def seen(moments: Sequence[Discs]) -> list[Seen]:
    return [Seen(tuple(m), np.array(list(m.values()), float).reshape(-1, 2)) for m in moments]


def against(tracks: Sequence[Discs], truth: Sequence[Discs] = ({"a": A, "b": B},) * LONG) -> Compared:
    return Compared(seen(truth), seen(tracks), REACH)


def test_what_is_perfect_is_one() -> None:
    c = against([{"1": A, "2": B}] * LONG)
    assert set(hota(c).figures().values()) == {1.0}
    assert (identity(c).idf1, clear(c).mota, clear(c).switches, clear(c).fragmentations) == (1.0, 1.0, (), 0)


def test_two_tracks_that_swap_halfway() -> None:
    c = against([{"1": A, "2": B}] * 5 + [{"2": A, "1": B}] * 5)
    figures = hota(c).figures()
    assert figures["deta"] == 1.0
    assert figures["assa"] == pytest.approx(1 / 3), "each pair is together 5 times of the 15 at which one of it is there"
    assert figures["hota"] == pytest.approx(math.sqrt(1 / 3))
    assert identity(c).idf1 == 0.5
    assert [(s.at, s.index) for s in clear(c).switches] == [(5, 0), (5, 1)]


def test_one_track_that_is_lost_halfway() -> None:
    c = against([{"1": A, "2": B}] * 5 + [{"1": A}] * 5)
    figures = hota(c).figures()
    assert figures["deta"] == pytest.approx(15 / 20)
    assert figures["assa"] == pytest.approx((10 * 1 + 5 * 0.5) / 15)
    assert figures["hota"] == pytest.approx(math.sqrt(0.75 * 12.5 / 15))
    assert identity(c).idf1 == pytest.approx(2 * 15 / (20 + 15))
    assert (clear(c).found, clear(c).missed, clear(c).false, len(clear(c).switches)) == (15, 5, 0, 0)


def test_a_track_too_many() -> None:
    c = against([{"1": A, "2": B, "3": (700.0, 50.0)}] * LONG)
    assert hota(c).figures()["deta"] == pytest.approx(20 / 30)
    assert hota(c).figures()["assa"] == 1.0
    assert clear(c).mota == pytest.approx(1 - 10 / 20)


def test_how_near_a_track_must_be() -> None:
    off = 0.32 * REACH
    c = against([{"1": (A[0] + off, A[1]), "2": (B[0], B[1] - off)}] * LONG)
    # A similarity of 0.68 reaches 13 of the 19 thresholds; where no pair counts, nothing is placed badly.
    assert hota(c).figures()["hota"] == pytest.approx(13 / 19)
    assert hota(c).figures()["loca"] == pytest.approx((13 * 0.68 + 6) / 19)
    assert hota(c).figures()["hota_50"] == 1.0
    far = against([{"1": (A[0] + 0.51 * REACH, A[1]), "2": B}] * LONG)
    assert (clear(far).found, identity(far).idf1) == (10, 0.5)


def test_a_disc_that_was_not_tracked_for_a_while_is_fragmented_unless_it_was_not_there() -> None:
    gap = [{"1": A, "2": B}] * 4 + [{"1": A}] * 2 + [{"1": A, "2": B}] * 4
    assert clear(against(gap)).fragmentations == 1
    away = [{"a": A, "b": B}] * 4 + [{"a": A}] * 2 + [{"a": A, "b": B}] * 4
    assert clear(against(gap, away)).fragmentations == 0
    assert clear(against(gap, away)).switches == ()


def test_a_pair_is_kept_as_long_as_it_agrees() -> None:
    near = [{"1": A, "2": B}] * 2 + [{"1": (A[0] + 10, A[1]), "3": A, "2": B}] * 2
    assert clear(against(near, [{"a": A, "b": B}] * 4)).switches == ()
    assert [s.at for s in clear(against([*near, {"3": A, "2": B}], [{"a": A, "b": B}] * 5)).switches] == [4]


def test_sequences_add_up_as_one_after_the_other() -> None:
    swap, whole = [{"1": A, "2": B}] * 5 + [{"2": A, "1": B}] * 5, [{"3": A, "4": B}] * LONG
    truth = [{"a": A, "b": B}] * LONG + [{"c": A, "d": B}] * LONG
    apart, together = against(swap), Compared(seen(truth), seen(swap + whole), REACH)
    rest = Compared(seen(truth[LONG:]), seen(whole), REACH)
    assert (hota(apart) + hota(rest)).figures() == pytest.approx(hota(together).figures())
    assert (identity(apart) + identity(rest)).idf1 == pytest.approx(identity(together).idf1)
    assert (clear(apart) + clear(rest)).mota == pytest.approx(clear(together).mota)


def test_nothing_to_track_and_nothing_tracked() -> None:
    c = against([{}] * 3, [{}] * 3)
    assert (hota(c).figures()["hota"], identity(c).idf1, clear(c).mota) == (1.0, 1.0, 1.0)
    ghosts = against([{"1": A}] * 3, [{}] * 3)
    assert (hota(ghosts).figures()["hota"], identity(ghosts).idf1, clear(ghosts).mota) == (0.0, 0.0, 0.0)
    with pytest.raises(ValueError, match="same moments"):
        against([{}] * 2, [{}] * 3)


def test_as_many_pairs_as_can_be_and_the_nearest() -> None:
    truth, tracks = np.array([[0.0, 0.0], [8.0, 0.0]]), np.array([[7.0, 0.0], [16.0, 0.0], [500.0, 0.0]])
    i, j, d = matched(truth, tracks, 10.0)
    assert sorted(zip(i.tolist(), j.tolist(), d.tolist(), strict=True)) == [(0, 0, 7.0), (1, 1, 8.0)]
    assert len(matched(truth, np.zeros((0, 2)), 10.0)[0]) == 0
