"""`carromeye detect` on a frame of the sample clip, whose truth is known."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

import models.scene
from carromeye.commands import detect
from carromeye.commands.detect import run
from models.errors import BadInput
from vision.video import read_video, video_info

SAMPLE = Path(models.scene.__file__).parent / "sample"


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("detect") / "board.png"
    cv2.imwrite(str(path), next(read_video(video_info(SAMPLE / "clip.mp4"))).image())
    return path


def test_the_pieces_and_corners_of_the_first_frame(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(picture, json=True, out=None)
    seen = json.loads(capsys.readouterr().out)
    truth = json.loads((SAMPLE / "truth.json").read_text(encoding="utf-8"))
    lying = truth["samples"][0]["discs"]
    assert Counter(p["cls"] for p in seen["pieces"]) == Counter(cls for _, cls, _, _ in lying)
    for _, cls, x, y in lying:
        near = min(math.dist((p["x_mm"], p["y_mm"]), (x, y)) for p in seen["pieces"] if p["cls"] == cls)
        assert near < 6
    side = math.dist(*truth["corners_px"][:2])
    assert max(math.dist(a, b) for a, b in zip(seen["corners"], truth["corners_px"], strict=True)) < 0.01 * side


def test_the_words_say_how_probable_each_class_is(
    picture: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(picture, json=True, out=None)
    pieces = json.loads(capsys.readouterr().out)["pieces"]
    doubted = [{**p, "probability": 0.7999, "sure": False} if p["cls"] == "queen" else p for p in pieces]
    monkeypatch.setattr(detect, "find_pieces", lambda *_: doubted)
    run(picture, json=False, out=None)
    first, head, *lines = capsys.readouterr().out.splitlines()
    assert first == f"{picture}: 2 white, 2 black, 1 queen; 1 not sure"
    assert head.split() == ["class", "x", "mm", "y", "mm", "probability"]
    for p, line in zip(doubted, lines, strict=True):
        told = [p["cls"], f"{p['x_mm']:.1f}", f"{p['y_mm']:.1f}", "79" if p["cls"] == "queen" else str(int(100 * p["probability"])), "%"]
        assert line.split() == told + ["not", "sure"] * (p["cls"] == "queen")
    assert len({line.index("%") for line in lines}) == 1


def test_a_class_that_the_look_does_not_tell_is_called_a_guess(
    picture: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(picture, json=True, out=None)
    pieces = json.loads(capsys.readouterr().out)["pieces"]
    monkeypatch.setattr(detect, "find_pieces", lambda *_: [{**pieces[0], "probability": 0.0, "sure": False}])
    run(picture, json=False, out=None)
    told = capsys.readouterr().out
    assert "a guess   not sure" in told and "%" not in told


def test_a_picture_without_colours_is_told_of(picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grey = tmp_path / "grey.png"
    cv2.imwrite(str(grey), cv2.imread(str(picture), cv2.IMREAD_GRAYSCALE))
    for path, noted in ((picture, False), (grey, True)):
        run(path, json=False, out=None)
        assert ("note: the picture has no colours" in capsys.readouterr().out) == noted


def test_the_picture_is_drawn_beside_the_words(picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(picture, json=False, out=tmp_path / "seen.png")
    assert "2 white, 2 black, 1 queen" in capsys.readouterr().out
    drawn = cv2.imread(str(tmp_path / "seen.png"))
    assert drawn is not None and drawn.shape[1] == cv2.imread(str(picture)).shape[1]  # type: ignore[union-attr]


def test_no_board_and_no_picture_are_refused(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    cv2.imwrite(str(tmp_path / "noise.png"), rng.integers(0, 255, (480, 640, 3), np.uint8))
    (tmp_path / "text.png").write_text("no picture")
    for name, says in (("noise.png", "no board found"), ("text.png", "not a picture"), ("none.png", "no such file")):
        with pytest.raises(BadInput, match=says):
            run(tmp_path / name, json=True, out=tmp_path / "seen.png")
    assert not (tmp_path / "seen.png").exists()
