"""`carromeye calibrate`."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from carromeye.commands.calibrate import run
from models.errors import BadInput
from tests.vision.boards import board_picture


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
    assert "confidence" in capsys.readouterr().out


@pytest.mark.parametrize(("content", "complaint"), [(None, "no such file"), (b"", "is empty"), (b"no picture at all", "is not a picture")])
def test_refuses_what_is_no_picture(tmp_path: Path, content: bytes | None, complaint: str) -> None:
    source = tmp_path / "a.png"
    if content is not None:
        source.write_bytes(content)
    with pytest.raises(BadInput, match=complaint):
        run(source, tmp_path / "out.png")
    assert not (tmp_path / "out.png").exists()


def test_no_board_leaves_no_file(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((400, 500, 3), 120, np.uint8))
    with pytest.raises(BadInput, match=r"no board found in .*grey\.png"):
        run(tmp_path / "grey.png", tmp_path / "out.png")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["grey.png"]


def test_the_drawing_must_be_a_picture(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "board.png"), board_picture()[0])
    with pytest.raises(BadInput, match="name a picture"):
        run(tmp_path / "board.png", tmp_path / "out.txt")
