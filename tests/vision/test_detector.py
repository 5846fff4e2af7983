"""The network's boxes in the rectified picture, from one look at the board or from one from each of its sides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from models.board import ICF
from models.scene.camera import overhead
from models.scene.render import DrawnDisc, Renderer
from models.scene.style import sample_style
from vision import detector
from vision.detector import Detector
from vision.types import RECTIFIED_PX, Calibration, Image

AT = ((150.0, 160.0), (300.0, 440.0), (520.0, 600.0), (610.0, 200.0))


def board() -> Image:
    camera = overhead((800, 800), ICF)
    style = sample_style(np.random.default_rng(5))
    picture = Renderer(style, camera, seed=5).frame([DrawnDisc("black", x, y) for x, y in AT])
    return Calibration(camera.corners(), camera.size).rectify(picture)


def test_from_all_sides_a_board_is_the_same_however_it_is_turned() -> None:
    look, picture = Detector(all_sides=True), board()
    discs, _ = look(picture)
    turned, _ = look(np.ascontiguousarray(np.rot90(picture)))
    assert len(discs.score) == len(turned.score) >= len(AT) - 1
    x, y, w, h = turned.boxes.T
    back = np.stack([RECTIFIED_PX - 1 - y, x, h, w], axis=1)
    for box, score in zip(discs.boxes, discs.score, strict=True):
        j = int(np.hypot(*(back[:, :2] - box[:2]).T).argmin())
        assert np.abs(back[j] - box).max() < 0.05 and abs(turned.score[j] - score) < 1e-3


class Says:
    """A network whose output is given, look by look."""

    def __init__(self, *raw: NDArray[np.float32]) -> None:
        self.raw_of, self.looks = raw, 0

    def raw(self, _: Image) -> NDArray[np.float32]:
        self.looks += 1
        return self.raw_of[(self.looks - 1) % len(self.raw_of)]


def one_disc(cells: int, cell: int, x: float, y: float, score: float) -> NDArray[np.float32]:
    raw = np.zeros((6, cells), np.float32)
    raw[:5, cell] = x, y, 20.0, 30.0, score
    return raw


@pytest.fixture
def blank() -> Image:
    return np.zeros((100, 100, 3), np.uint8)


def test_surer_looks_count_for_more(monkeypatch: pytest.MonkeyPatch, blank: Image) -> None:
    says = Says(one_disc(4, 1, 80, 20, 0.9), one_disc(4, 0, 20, 22, 0.3), one_disc(4, 2, 22, 80, 0.3), one_disc(4, 3, 80, 80, 0.3))
    for k in (1, 3):
        says.raw_of[k][2:4] = says.raw_of[k][3:1:-1].copy()
    monkeypatch.setattr(detector, "Network", lambda _: says)
    discs, hands = Detector(Path(), 0.25, all_sides=True)(blank)
    assert says.looks == 4 and not len(hands.score)
    assert discs.score == pytest.approx([0.45])
    assert discs.boxes[0] == pytest.approx([(80 * 0.9 + 78 * 0.3 + 78 * 0.3 + 80 * 0.3) / 1.8 - 0.5, 20 - 0.5, 20, 30], abs=0.4)


def test_an_output_that_is_no_grid_is_looked_at_once(monkeypatch: pytest.MonkeyPatch, blank: Image) -> None:
    says = Says(one_disc(5, 1, 80, 20, 0.9))
    monkeypatch.setattr(detector, "Network", lambda _: says)
    discs, _ = Detector(Path(), 0.25, all_sides=True)(blank)
    assert says.looks == 1 and discs.score == pytest.approx([0.9])
