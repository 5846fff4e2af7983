"""`carromeye calibrate`."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

import models.scene
from carromeye.commands.calibrate import run
from models.errors import BadInput
from tests.vision.boards import board_picture
from vision.overlay import draw_calibration
from vision.types import Calibration

CLIP = Path(models.scene.__file__).parent / "sample" / "clip.mp4"


def test_draws_what_was_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, corners = board_picture()
    cv2.imwrite(str(tmp_path / "board.png"), picture)
    run(tmp_path / "board.png", tmp_path / "out.png")
    drawn = cv2.imread(str(tmp_path / "out.png"))
    assert drawn.shape[1] == 960
    assert drawn.shape[0] > 720
    x, y = ((corners[0] + corners[1]) / 2).round().astype(int)
    blue, green, red = drawn[y - 2 : y + 3, x].astype(int).max(axis=0)
    assert red > 180 and blue > 180 and green < red - 60
    said = capsys.readouterr().out
    assert "confidence" in said
    assert "turned by 0 degrees in the picture; markings: base lines as on a tournament board" in said


@pytest.mark.parametrize("width", [320, 960, 4000])
def test_the_drawing_can_be_read_at_any_size(width: int) -> None:
    corners = np.array([[0.2, 0.1], [0.8, 0.1], [0.8, 0.7], [0.2, 0.7]]) * width
    picture = np.full((round(0.8 * width), width, 3), 90, np.uint8)
    drawn = draw_calibration(picture, Calibration(corners, (width, picture.shape[0]), confidence=0.5, reasons=("a reason",)))
    assert 720 <= drawn.shape[1] <= 1600
    band = drawn[round(0.8 * drawn.shape[1]) :].astype(int)
    assert band.shape[0] > 0.3 * drawn.shape[1]
    # The words are bright on a dark band of their own.
    assert (band.min(axis=2) > 200).mean() > 0.001


@pytest.mark.parametrize(("content", "complaint"), [(None, "no such file"), (b"", "is empty"), (b"no picture at all", "is not a picture")])
def test_refuses_what_is_no_picture(tmp_path: Path, content: bytes | None, complaint: str) -> None:
    source = tmp_path / "a.png"
    if content is not None:
        source.write_bytes(content)
    with pytest.raises(BadInput, match=complaint):
        run(source, tmp_path / "out.png")
    assert not (tmp_path / "out.png").exists()


def test_a_video_that_breaks_off_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "short.mp4").write_bytes(CLIP.read_bytes()[:300_000])
    run(tmp_path / "short.mp4", tmp_path / "out.png")
    assert "note: the video is 48 s long but can be read only up to 8 s: it is damaged or cut off" in capsys.readouterr().out
    run(CLIP, tmp_path / "out.png")
    assert "note:" not in capsys.readouterr().out


def test_no_board_leaves_no_file(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((400, 500, 3), 120, np.uint8))
    with pytest.raises(BadInput, match=r"no board found in .*grey\.png"):
        run(tmp_path / "grey.png", tmp_path / "out.png")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["grey.png"]


def test_the_drawing_must_be_a_picture(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "board.png"), board_picture()[0])
    with pytest.raises(BadInput, match="name a picture"):
        run(tmp_path / "board.png", tmp_path / "out.txt")
