"""The committed network: its form, what it finds, how its output is read."""

from pathlib import Path

import numpy as np
import pytest

from models.detector.contract import DISC, HAND, INPUT_PX, STRIDE, WEIGHTS
from models.detector.evaluate import evaluate, pair
from models.detector.examples import unseen
from models.detector.run import FARTHEST, MOST, Network, decode
from models.errors import BadInput


@pytest.fixture(scope="module")
def network() -> Network:
    return Network()


def _raw(*rows: tuple[float, float, float, float, float, float]) -> np.ndarray:
    raw = np.zeros((6, max(50, len(rows))), np.float32)
    raw[:, : len(rows)] = np.array(rows, np.float32).T
    return raw


def test_decoding_keeps_the_best_of_overlapping_boxes_of_a_class() -> None:
    found = decode(_raw((100, 100, 24, 24, 0.6, 0), (101, 100, 24, 24, 0.9, 0), (100, 100, 30, 30, 0, 0.8), (124, 100, 24, 24, 0.5, 0)))
    assert found.cls.tolist() == [DISC, HAND, DISC]
    assert found.boxes[0].tolist() == [89, 88, 113, 112]
    assert found.score == pytest.approx([0.9, 0.8, 0.5])


def test_decoding_drops_what_scores_little() -> None:
    assert len(decode(_raw((100, 100, 24, 24, 0.2, 0.1))).cls) == 0


@pytest.mark.parametrize("box", [(np.nan, 100, 24, 24), (100, 100, np.inf, 24), (100, 100, -24, 24), (100, 100, 24, 0)])
def test_what_is_no_box_is_dropped(box: tuple[float, ...]) -> None:
    assert len(decode(_raw((*box, 0.9, 0), (300, 300, 24, 24, 0.8, 0))).cls) == 1


def test_any_number_of_boxes_is_looked_at_in_bounds() -> None:
    found = decode(_raw(*((30 * i, 100, 24, 24, 0.9, 0) for i in range(MOST)), *((30 * i, 900, 1e30, 24, 0.5, 0) for i in range(MOST))))
    assert len(found.cls) == MOST
    assert (found.score > 0.8).all()
    assert np.abs(decode(_raw((100, 100, 1e30, 24, 0.9, 0))).boxes).max() == FARTHEST


def test_each_true_box_is_paired_once() -> None:
    found = np.array([[0, 0, 10, 10], [1, 0, 11, 10], [50, 50, 60, 60]], float)
    truth = np.array([[0, 0, 10, 10], [52, 50, 62, 60]], float)
    assert pair(found, truth) == [(0, 0), (2, 1)]


def test_the_weights_keep_their_contract(network: Network) -> None:
    assert WEIGHTS.stat().st_size < 2_000_000
    raw = network.raw(np.zeros((INPUT_PX, INPUT_PX, 3), np.uint8))
    assert raw.shape == (6, (INPUT_PX // STRIDE) ** 2)
    assert ((raw[4:] >= 0) & (raw[4:] <= 1)).all()


def test_the_network_finds_discs_on_boards_that_it_never_saw(network: Network) -> None:
    figures = evaluate(network, unseen(40))
    assert figures["rest"] > 100
    assert figures["rest_recall"] > 0.9
    assert figures["disc_precision"] > 0.88
    assert figures["rest_error_mm"] < 1.5


def test_missing_weights_are_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no detector weights at .*none\.onnx"):
        Network(tmp_path / "none.onnx")
