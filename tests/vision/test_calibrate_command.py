"""`carromeye calibrate`."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import cv2
import numpy as np
import pytest

import models.scene
from carromeye.commands.calibrate import run
from models.errors import BadInput
from tests.vision.boards import board_picture
from vision.overlay import draw_calibration
from vision.types import Calibration, Image, Kind

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


@pytest.mark.parametrize(("aside", "markings"), [(0.0, "base lines as on a tournament board"), (0.03, "lines along the cushions")])
def test_corners_by_hand_are_judged_by_the_lines_along_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], aside: float, markings: str
) -> None:
    picture, corners = board_picture()
    outwards = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    given = corners + aside * (corners[1, 0] - corners[0, 0]) * outwards
    cv2.imwrite(str(tmp_path / "board.png"), picture)
    run(tmp_path / "board.png", tmp_path / "out.png", corners=" ".join(f"{x:.1f},{y:.1f}" for x, y in given))
    said = capsys.readouterr().out
    assert f"markings: {markings}\n" in said
    assert "found elsewhere" not in said


def test_corners_far_from_the_board_that_is_found_are_asked_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, corners = board_picture()
    cv2.imwrite(str(tmp_path / "board.png"), picture)
    within = corners.mean(0) + 0.4 * (corners - corners.mean(0))
    run(tmp_path / "board.png", tmp_path / "out.png", corners=" ".join(f"{x:.1f},{y:.1f}" for x, y in within))
    assert "note: without --corners the board is found elsewhere, with confidence 0.9" in capsys.readouterr().out


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


def _square(confidence: float = 1.0, kind: Kind = "unknown") -> Calibration:
    corners = np.array([[200.0, 100.0], [800.0, 100.0], [800.0, 700.0], [200.0, 700.0]])
    return Calibration(corners, (1000, 800), confidence=confidence, kind=kind)


def _grey() -> Image:
    return np.full((800, 1000, 3), 90, np.uint8)


@pytest.mark.parametrize("kind", get_args(Kind))
def test_lines_and_pockets_are_drawn_only_where_the_board_has_those_of_a_tournament(kind: Kind) -> None:
    drawn = draw_calibration(_grey(), _square(kind=kind))[:800].astype(int)
    middle, around = drawn[390:411, 490:511], drawn.copy()
    around[385:416, 485:516] = 90  # the cross in the middle
    blue, green, red = np.moveaxis(around, 2, 0)
    assert (middle[..., 2] > 200).any()
    assert ((red > 200) & (green > 150) & (blue < 60)).any() == (kind == "tournament")
    assert ((blue > 200) & (green > 150) & (red < 60)).any() == (kind == "tournament")


def test_the_insets_lie_as_the_corners_do() -> None:
    picture = _grey()
    colours = [(250, 0, 0), (0, 250, 0), (0, 0, 250), (120, 250, 250)]
    for (x, y), colour in zip(_square().corners.astype(int), colours, strict=True):
        picture[y - 40 : y + 40, x - 40 : x + 40] = colour
    row = draw_calibration(picture, _square())[800:1000]
    places = [np.abs(row.astype(int) - c).sum(axis=2).min(axis=0).argmin() for c in (colours[i] for i in (0, 1, 3, 2))]
    assert places == sorted(places)
    assert [4 * x // 1000 for x in places] == [0, 1, 2, 3]


@pytest.mark.parametrize(("confidence", "colour"), [(0.95, "green"), (0.8, "amber"), (0.3, "red")])
def test_a_doubtful_calibration_is_not_written_in_green(confidence: float, colour: str) -> None:
    band = draw_calibration(_grey(), _square(confidence))[1000:1300].astype(int)
    blue, green, red = np.moveaxis(band, 2, 0)
    has = {
        "green": ((green > 180) & (red < 100)).any(),
        "amber": ((red > 220) & (green > 120) & (green < 180) & (blue < 40)).any(),
        "red": ((red > 220) & (green < 90) & (blue < 90)).any(),
    }
    assert {name for name, there in has.items() if there} == {colour}


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
