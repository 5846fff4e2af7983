"""`carromeye label`: varied boards of a video, in files that other programs and `carromeye fine-tune` read."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

import models.scene
from carromeye import labelling
from carromeye.commands.label import run
from carromeye.labelled import rectified
from carromeye.labelling import NAMES, SHARES, Frame, choose
from models.detector.contract import BOARD_PX, DISC, MARGIN_MM
from models.detector.labels import read_folder
from models.errors import BadInput
from models.scene.bump import Move, Takes, centred, write_film
from models.scene.camera import look
from models.scene.render import DrawnDisc, Renderer
from models.scene.style import tournament_style
from models.stroke import PIECES
from vision.types import Calibration
from vision.video import read_video, video_info

CLIP = Path(models.scene.__file__).parent / "sample" / "clip.mp4"
PLACES = [("white", 150.0, 200.0), ("black", 600.0, 500.0), ("queen", 370.0, 640.0), ("white", 500.0, 120.0)]


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("label") / "labels"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(labelling, "FEWEST", 10)
        run(CLIP, out, 6, None)
    return out


def _picture(path: Path) -> Path:
    renderer = Renderer(tournament_style(np.random.default_rng(5)), look((900, 700), tilt=8, azimuth=70, fill=0.85), seed=5)
    cv2.imwrite(str(path), renderer.frame([DrawnDisc(c, x, y) for c, x, y in PLACES]))
    return path


def test_a_video_gives_frames_of_every_kind_and_part(clip: Path) -> None:
    calibrations = json.loads((clip / "calibration.json").read_text())
    assert len(calibrations) == len(list((clip / "images").iterdir())) == len(list((clip / "labels").iterdir())) == 6
    assert {c["kind"] for c in calibrations} == set(SHARES)
    times = [c["t"] for c in calibrations]
    assert max(times) - min(times) > 20
    assert {c["source"] for c in calibrations} == {str(CLIP)}


def test_cvat_and_yolo_tell_the_same(clip: Path) -> None:
    labels, without = read_folder(clip)
    images = ET.parse(clip / "annotations.xml").getroot().findall("image")
    assert without == 0
    assert [i.get("name") for i in images] == [one.picture.name for one in labels]
    assert [e.text for e in ET.parse(clip / "annotations.xml").getroot().findall("meta/task/labels/label/name")] == list(NAMES)
    for image, one in zip(images, labels, strict=True):
        side = float(image.get("width", 0))
        edges = np.array([[float(b.get(k, 0)) for k in ("xtl", "ytl", "xbr", "ybr")] for b in image.findall("box")]).reshape(-1, 4)
        kinds = [b.get("label") for b in image.findall("box")]
        assert np.allclose((edges[:, :2] + edges[:, 2:]) / 2 / side, one.boxes[:, 1:3], atol=1e-4)
        assert [k if k in PIECES else "" for k in kinds] == list(one.kinds)
    assert any(k for one in labels for k in one.kinds)


def test_what_lies_there_is_labelled_by_its_class_and_can_be_mapped_back(tmp_path: Path) -> None:
    run(_picture(tmp_path / "a board.png"), tmp_path / "out", 5, None)
    (labels,), _ = read_folder(tmp_path / "out")
    board = rectified(labels)
    k = BOARD_PX / (740 + 2 * MARGIN_MM)
    mm = (board.boxes[:, 1:3] + board.boxes[:, 3:]) / 2 / k - MARGIN_MM
    for name, x, y in PLACES:
        near = int(np.hypot(*(mm - (x, y)).T).argmin())
        assert np.hypot(*(mm[near] - (x, y))) < 6
        assert (board.boxes[near, 0], board.kinds[near]) == (DISC, name)
    (kept,) = json.loads((tmp_path / "out" / "calibration.json").read_text())
    truth = look((900, 700), tilt=8, azimuth=70, fill=0.85).corners()
    assert np.abs(np.array(kept["corners"]) - truth).max() < 8


def test_pictures_without_a_board_are_left_out_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    _picture(folder / "a.png")
    cv2.imwrite(str(folder / "b.png"), np.full((300, 400, 3), 90, np.uint8))
    (folder / "c.png").write_bytes(b"")
    run(folder, tmp_path / "out", 5, None)
    said = capsys.readouterr().out
    assert said.startswith("1 board (1 still) written to")
    assert "left out: no board found in" in said
    assert f"left out: {folder / 'c.png'}: is empty" in said
    capsys.readouterr()
    bad = {
        folder / "b.png": f"no board found in {folder / 'b.png'}",
        folder / "c.png": f"{folder / 'c.png'}: is empty",
        folder / "none.png": f"{folder / 'none.png'}: no such file",
    }
    for source, says in bad.items():
        with pytest.raises(BadInput, match=f"^{re.escape(says)}") as told:
            run(source, tmp_path / "other", 5, None)
        assert str(told.value).count(str(source)) == 1
    assert capsys.readouterr() == ("", "")
    (folder / "a.png").unlink()
    with pytest.raises(BadInput, match="no board to label in 2 pictures, such as: no board found in"):
        run(folder, tmp_path / "other", 5, None)
    assert not (tmp_path / "other").exists()


def test_a_video_that_breaks_off_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(labelling, "FEWEST", 5)
    (tmp_path / "short.mp4").write_bytes(CLIP.read_bytes()[:300_000])
    run(tmp_path / "short.mp4", tmp_path / "out", 2, None)
    assert "note: the video is 48 s long but can be read only up to 8 s: it is damaged or cut off" in capsys.readouterr().out


def test_a_folder_that_holds_anything_is_refused(tmp_path: Path) -> None:
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels" / "a.txt").write_text("0 0.5 0.5 0.1 0.1\n")
    with pytest.raises(BadInput, match="not an empty folder"):
        run(CLIP, tmp_path, 5, None)
    assert (tmp_path / "labels" / "a.txt").read_text() == "0 0.5 0.5 0.1 0.1\n"
    with pytest.raises(BadInput, match=r"a\.txt is a file"):
        run(CLIP, tmp_path / "labels" / "a.txt", 5, None)
    with pytest.raises(BadInput, match="--frames"):
        run(CLIP, tmp_path / "new", 0, None)


def test_each_frame_has_the_calibration_that_holds_when_the_camera_is_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = video_info(CLIP)
    corners = np.array(json.loads(CLIP.with_name("truth.json").read_text(encoding="utf-8"))["corners_px"])
    takes = Takes(info.size, np.eye(3), (Move(4.0, 0.0, centred(info.size, 3, 0.95, (25, -12))),))
    film = ((f.t, f.image()) for f in islice(read_video(info), 0, round(8 * info.rate), 3))
    write_film(tmp_path / "bumped.mp4", takes.frames(film), info.rate / 3)
    monkeypatch.setattr(labelling, "FEWEST", 10)
    run(tmp_path / "bumped.mp4", tmp_path / "out", 8, None)
    kept = json.loads((tmp_path / "out" / "calibration.json").read_text())
    times = [c["t"] for c in kept]
    assert min(times) < 3 and max(times) > 6
    for c in kept:
        moved = cv2.perspectiveTransform(corners[None], takes.matrix(c["t"]))[0]
        assert np.abs(np.array(c["corners"]) - moved).max() < 0.01 * np.hypot(*(corners[1] - corners[0])), c["t"]


def test_chosen_frames_are_of_every_kind_and_unlike_each_other() -> None:
    calibration = Calibration(np.zeros((4, 2)), (1, 1))

    def frame(number: int, kind: str, at: float) -> Frame:
        thumb = np.array([at, 0.0])
        boxes = np.zeros((0, 4))
        return Frame(f"{number:03}", CLIP, at, kind, b"", 640, None, boxes, boxes, thumb, calibration, "m")  # type: ignore[arg-type]

    frames = [frame(i, "still", i % 5) for i in range(50)] + [frame(90 + i, "hand", i) for i in range(2)]
    chosen = choose(frames, 7)
    assert len(chosen) == 7
    assert sum(f.kind == "hand" for f in chosen) == 2
    assert {f.t for f in chosen if f.kind == "still"} == {0, 1, 2, 3, 4}
    assert len(choose(frames, 500)) == 52
