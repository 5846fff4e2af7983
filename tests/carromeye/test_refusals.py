"""What would lose something or fail late is refused before the work."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

import carromeye.pipeline as pipeline
import models.scene
from carromeye.commands.calibrate import run as calibrate
from carromeye.commands.detect import run as detect
from carromeye.players import parse_players
from carromeye.record import Record
from models.errors import BadInput
from models.stroke import Board, Match, Player, Start
from referee.lawbook_files import load_lawbook

SAMPLE = Path(models.scene.__file__).parent / "sample" / "clip.mp4"
TWO = (Player("south", "A"), Player("north", "B"))


def picture(path: Path, size: tuple[int, int] = (300, 400)) -> Path:
    cv2.imwrite(str(path), np.full((*size, 3), 120, np.uint8))
    return path


def test_no_input_is_written_over(tmp_path: Path) -> None:
    board = picture(tmp_path / "board.png")
    before = board.read_bytes()
    with pytest.raises(BadInput, match="input itself"):
        detect(board, json=False, out=board)
    with pytest.raises(BadInput, match="input itself"):
        calibrate(board, tmp_path / ".." / tmp_path.name / "board.png")
    assert board.read_bytes() == before
    video = tmp_path / "review.mp4"
    shutil.copy(SAMPLE, video)
    with pytest.raises(BadInput, match="input itself"):
        pipeline.review(video, tmp_path, "icf")
    assert video.stat().st_size == SAMPLE.stat().st_size


@pytest.mark.parametrize("name", ["", ".", "board", "board.txt"])
def test_what_is_no_pictures_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="name a picture"):
        detect(picture(tmp_path / "board.png"), json=False, out=Path(name))


def test_a_picture_of_a_few_pixels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="2 x 3000 pixels"):
        detect(picture(tmp_path / "thin.png", (3000, 2)), json=True, out=None)


def test_a_folder_in_a_files_place_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "trajectories.parquet").mkdir()
    with pytest.raises(BadInput, match="is a folder"):
        pipeline.review(SAMPLE, tmp_path, "icf")
    assert [p.name for p in tmp_path.iterdir()] == ["trajectories.parquet"]


@pytest.mark.parametrize("name", ["A\nB", "A\x1b[31m", "A" * 81, "A\udcff"])
def test_names_that_cannot_be_shown_are_refused(name: str) -> None:
    with pytest.raises(BadInput, match="south"):
        parse_players(f"south={name},north=C")


@pytest.mark.parametrize(
    ("given", "named", "says"),
    [
        (Match("icf", TWO, "south", ()), (), "no board"),
        (Match("icf", TWO, "south", (Board((), Start(white=0)),)), (), "--start"),
        (Match("icf", TWO, "south", (Board(),), {"target": "x"}), (), "target"),
        (Match("icf", TWO, "south", (Board(),)), (Player("east", "A"), Player("west", "B")), "other seats"),
        (None, (Player("south", "A"), Player("east", "B"), Player("north", "C")), "3"),
    ],
    ids=["no board", "impossible start", "impossible option", "other seats", "three players"],
)
def test_a_start_or_players_that_cannot_be_ruled_on_are_refused_at_once(given: Match | None, named: tuple[Player, ...], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        Record("icf", load_lawbook("icf"), named, given).check()


def test_what_can_be_ruled_on_passes() -> None:
    book = load_lawbook("icf")
    Record("icf", book, TWO, None).check()
    Record("icf", book, TWO, Match("icf", TWO, "south", (Board((), Start(white=2, black=3, turn="south")),))).check()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_asked_to_end_it_leaves_no_half_written_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "carromeye", "simulate", "-o", str(tmp_path / "film")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        for _ in range(600):
            if (tmp_path / "film").is_dir() and any((tmp_path / "film").iterdir()):
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 130
    assert list((tmp_path / "film").iterdir()) == []
