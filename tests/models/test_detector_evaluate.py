"""Average precision by hand-computed cases, and what evaluation asks for and counts."""

from __future__ import annotations

import numpy as np
import pytest

from models.board import ICF
from models.detector.average_precision import HIT, IGNORED, MISS, THRESHOLDS, average_precision, verdicts
from models.detector.contract import BOARD_PX, DISC, HAND, MARGIN_MM
from models.detector.evaluate import by_condition, figures, outcome
from models.detector.examples import Example, camera_tilt, light_of, on_surface, unseen
from models.detector.run import Found
from models.scene.camera import look

K = BOARD_PX / (ICF.side + 2 * MARGIN_MM)


def _disc(x: float, y: float, r: float = 16.0) -> list[float]:
    return [(x - r + MARGIN_MM) * K, (y - r + MARGIN_MM) * K, (x + r + MARGIN_MM) * K, (y + r + MARGIN_MM) * K]


def _boxes(*rows: list[float]) -> np.ndarray:
    return np.array(rows, float).reshape(-1, 4)


def _found(*rows: tuple[list[float], int, float]) -> Found:
    return Found(_boxes(*(r[0] for r in rows)), np.array([r[1] for r in rows], int), np.array([r[2] for r in rows], float))


def _example(discs: np.ndarray, spare: np.ndarray | None = None, hands: np.ndarray | None = None, rest: bool = True) -> Example:
    picture = np.full((BOARD_PX, BOARD_PX, 3), 120, np.uint8)
    none = np.zeros((0, 4))
    kinds = ("white",) * len(discs)
    return Example(
        picture, discs, none if hands is None else hands, none if spare is None else spare, kinds, np.full(len(discs), not rest), rest,
        {"light": light_of(picture)},
    )  # fmt: skip


def test_average_precision_of_cases_computed_by_hand() -> None:
    score = np.array([0.9, 0.8, 0.7, 0.6])
    column = lambda *v: np.array(v, np.int8)[:, None]  # noqa: E731
    assert average_precision(score, column(HIT, HIT, HIT, HIT), 4) == pytest.approx([1.0])
    # The false one comes second: precision 1 up to recall 1/3, then 3/4 up to 1. Of 101 recalls 34 are no more than 1/3.
    assert average_precision(score, column(HIT, MISS, HIT, HIT), 3) == pytest.approx([(34 * 1 + 67 * 0.75) / 101])
    # Half is found: the 51 recalls up to 1/2 count, the others are 0.
    assert average_precision(score, column(HIT, HIT, MISS, MISS), 4) == pytest.approx([51 / 101])
    # What is ignored counts as if it had not been found.
    assert average_precision(score, column(HIT, IGNORED, HIT, HIT), 3) == pytest.approx([1.0])
    # Order is by score, not by place.
    assert average_precision(score[::-1], column(MISS, HIT, HIT, HIT), 3) == pytest.approx([1.0])
    assert average_precision(score[:0], column(), 3) == pytest.approx([0.0])
    assert np.isnan(average_precision(score, column(MISS, MISS, MISS, MISS), 0)).all()


def test_a_box_counts_as_far_as_it_overlaps_and_each_true_box_once() -> None:
    truth = _boxes([0, 0, 10, 10])
    found = _boxes([0, 0, 10, 7.2], [0, 0, 10, 10], [40, 40, 50, 50])
    got = verdicts(found, truth, _boxes([38, 38, 52, 52]))
    # The first covers 0.72: right at overlaps up to 0.7, and the exact one that comes second has it only above.
    assert got[:, 0].tolist() == [HIT, MISS, IGNORED]
    assert got[:, 4].tolist() == [HIT, MISS, IGNORED]
    assert got[:, 5].tolist() == [MISS, HIT, IGNORED]
    assert THRESHOLDS[[4, 5]] == pytest.approx([0.7, 0.75])


def test_what_is_hidden_is_neither_missed_nor_invented() -> None:
    hidden = _boxes(_disc(300, 300))
    example = _example(_boxes(_disc(100, 100)), spare=hidden)
    o = outcome(_found((_disc(100, 100), DISC, 0.9), (_disc(300, 300), DISC, 0.8)), example)
    assert (len(o.pairs), o.missed, o.invented) == (1, (), ())
    f = figures([o])
    assert (f["rest_recall"], f["rest_precision"], f["disc_ap50"]) == (1, 1, 1)
    assert o.confusion.tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_missed_invented_errors_and_confusion() -> None:
    example = _example(_boxes(_disc(100, 100), _disc(300, 300), _disc(500, 300)), hands=_boxes([10, 10, 90, 200]))
    found = _found(
        (_disc(101, 100), DISC, 0.9), (_disc(600, 600), DISC, 0.8), (_disc(300, 300), HAND, 0.7), (_disc(300, 300), DISC, 0.1),
        (_disc(-20, 300), DISC, 0.9),
    )  # fmt: skip
    o = outcome(found, example)
    assert [j for _, j in o.pairs] == [0]
    assert o.errors_mm == pytest.approx([1.0])
    assert o.missed == (1, 2)
    assert [o.found.score[i] for i in o.invented] == [0.8]
    assert o.beyond == 1
    assert o.confusion.tolist() == [[1, 1, 1], [0, 0, 1], [1, 0, 0]]
    f = figures([o])
    assert f["rest_recall"] == pytest.approx(1 / 3)
    assert f["disc_precision"] == pytest.approx(1 / 2)
    assert (f["rest"], f["moving"], f["hands"], f["hand_recall"], f["masked_per_board"]) == (3, 0, 1, 0, 1)
    assert np.isnan(f["moving_recall"])
    # Discs by score: right, invented, right below the score that counts for recall; two of three are found in all.
    assert f["disc_ap50"] == pytest.approx((34 * 1 + 33 * 2 / 3) / 101)


def test_rest_and_motion_and_conditions_are_told_apart() -> None:
    rest, moving = _example(_boxes(_disc(100, 100))), _example(_boxes(_disc(200, 200), _disc(400, 400)), rest=False)
    of = [outcome(_found((_disc(100, 100), DISC, 0.9)), rest), outcome(_found((_disc(200, 200), DISC, 0.9)), moving)]
    f = figures(of)
    assert (f["rest_recall"], f["moving_recall"], f["streak_recall"], f["disc_recall"]) == (1, 0.5, 0.5, pytest.approx(2 / 3))
    assert by_condition(of)["light"]["usual"] == pytest.approx(f, nan_ok=True)


def test_rendered_examples_ask_only_for_what_can_be_seen_on_the_surface() -> None:
    for example in unseen(3):
        assert on_surface(example.discs, K).all()
        assert len(example.classes) == len(example.discs) == len(example.moving)
        assert not (example.rest and example.moving.any())
        assert set(example.conditions) >= {"tilt", "light", "blur", "motion", "clipped", "striker"}


@pytest.mark.parametrize("tilt", [0.0, 10.0, 25.0])
def test_a_cameras_tilt_is_known_whatever_warps_follow(tilt: float) -> None:
    camera = look((800, 600), tilt=tilt, azimuth=40, roll=7)
    warped = camera.seen_through(np.array([[0.9, 0.1, 5], [-0.05, 1.1, 2], [1e-4, 2e-4, 1]]), (640, 640))
    assert camera_tilt(camera) == pytest.approx(tilt, abs=1e-6)
    assert camera_tilt(warped) == pytest.approx(tilt, abs=1e-6)
