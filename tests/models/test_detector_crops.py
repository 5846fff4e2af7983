"""The training set: boxes where the discs are, the same for the same seed, whole shards or none."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.board import ICF
from models.detector import crops
from models.detector.contract import BOARD_PX, DISC, HAND
from models.detector.crops import STORED_PX, Crop, boards, boxes_of, cut, rectified_camera
from models.detector.data import read_crop
from models.detector.states import sample_state
from models.scene.render import Truth


def test_the_rectified_camera_has_the_scale_that_the_network_is_made_for() -> None:
    for seed in range(5):
        camera = rectified_camera(np.random.default_rng(seed))
        assert camera.size == (BOARD_PX, BOARD_PX)
        side = np.linalg.norm(np.diff(camera.corners(), axis=0), axis=1)
        assert np.allclose(side, BOARD_PX * 740 / 860, rtol=0.03)


def test_states_have_no_overlapping_discs_and_none_in_a_pocket() -> None:
    for seed in range(40):
        discs, _ = sample_state(np.random.default_rng(seed), 1.5, 1 / 60)
        at = np.array([(d.x, d.y) for d in discs]).reshape(-1, 2)
        radius = np.array([ICF.piece_radius * (1.5 if d.cls == "striker" else 1) for d in discs])
        gap = np.linalg.norm(at[:, None] - at[None], axis=2) - radius[:, None] - radius[None] + 1e9 * np.eye(len(at))
        assert (gap > -1).all()
        assert all(ICF.nearest_pocket(x, y)[1] > ICF.pocket_radius for x, y in at)
        assert all(sum(d.cls == c for d in discs) <= n for c, n in (("white", 9), ("black", 9), ("queen", 1), ("striker", 1)))


def test_hidden_discs_and_unseen_hands_have_no_box() -> None:
    truth = Truth(((0, 0, 24, 24), (50, 50, 74, 74)), (0.9, 0.3), (None, (10, 10, 60, 90)))
    assert boxes_of(truth).tolist() == [[DISC, 50, 50, 74, 74], [HAND, 10, 10, 60, 90]]


def test_crops_cover_the_board_and_keep_the_boxes_on_the_discs() -> None:
    picture = np.zeros((BOARD_PX, BOARD_PX, 3), np.uint8)
    boxes = []
    rng = np.random.default_rng(3)
    for x, y in rng.uniform(40, 600, (12, 2)):
        cv2.circle(picture, (round(x), round(y)), 12, (255, 255, 255), -1)
        boxes.append([DISC, round(x) - 12, round(y) - 12, round(x) + 13, round(y) + 13])
    found = 0
    for crop in cut(Crop(picture, np.array(boxes, float)), rng):
        assert crop.picture.shape == (STORED_PX, STORED_PX, 3)
        for _, x0, y0, x1, y1 in crop.boxes.astype(int):
            part = crop.picture[y0:y1, x0:x1, 0]
            assert part.mean() > 120
            found += 1
    assert found >= 12


def test_the_same_seed_renders_the_same_boards() -> None:
    one, two = next(boards(21, 1)), next(boards(21, 1))
    assert (one.picture == two.picture).all()
    assert one.truth == two.truth


def test_shards_are_whole_and_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    real = crops.write_shard
    monkeypatch.setattr(crops, "write_shard", lambda folder, seed, shard: (made.append(folder.name), real(folder, seed, 4)))
    crops.render(tmp_path, 5, range(2), shard=4)
    assert made == ["00000", "00001"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["00000", "00001"]
    crops.render(tmp_path, 5, range(2), shard=4)
    assert len(made) == 2
    image, labels = read_crop(tmp_path / "00000" / "000.jpg")
    assert image.shape == (STORED_PX, STORED_PX, 3)
    assert ((labels[:, 1:] >= 0) & (labels[:, 1:] <= 1)).all()
    assert set(labels[:, 0]) <= {DISC, HAND}
