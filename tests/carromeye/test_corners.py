"""Corners given by hand: what is wrong is named, what is right is taken as it is."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from carromeye.commands import calibrate, detect
from carromeye.corners import given_calibration, parse_corners
from models.errors import BadInput

RIGHT = "10,20 110.5,20 115,130 -5,130"


def test_four_pairs_in_order_are_taken_as_they_are() -> None:
    assert parse_corners(RIGHT).tolist() == [[10, 20], [110.5, 20], [115, 130], [-5, 130]]
    assert np.array_equal(parse_corners(f" {RIGHT.replace(' ', '; ')} "), parse_corners(RIGHT))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "four pairs"),
        ("10,20", "four pairs"),
        (f"{RIGHT} 4,4", "here are 5"),
        ("10,20 110,20 115,130 -5", "'-5' is no pair"),
        ("10,20 110,20 115,130 -5,130,4", "is no pair"),
        ("10,20 110,20 115,x -5,130", "is no pair"),
        ("10,20 110,20 nan,130 -5,130", "must be finite"),
        ("10,20 110,20 inf,130 -5,130", "must be finite"),
        ("-1e308,-1e308 1e308,-1e308 1e308,1e308 -1e308,1e308", "must be finite, and 1e+06 at most"),
        ("10,20 110,20 50,50 -5,130", "no convex outline"),
        ("10,20 115,130 110,20 -5,130", "no convex outline"),
        ("10,20 60,20 110,20 -5,130", "no convex outline"),
        ("5,5 5,5 5,5 5,5", "no convex outline"),
        ("110.5,20 115,130 -5,130 10,20", f'right would be "{RIGHT}"'),
        ("10,20 -5,130 115,130 110.5,20", f'right would be "{RIGHT}"'),
    ],
)
def test_anything_else_is_one_line_that_says_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(BadInput) as e:
        parse_corners(text)
    assert says in str(e.value) and "--corners" in str(e.value) and "\n" not in str(e.value)


def test_sizes_must_make_sense_in_the_picture() -> None:
    calibration = given_calibration(parse_corners(RIGHT), (400, 300))
    assert calibration.confidence == 1.0 and calibration.reasons == ("given by hand",) and calibration.distortion == 0.0
    with pytest.raises(BadInput, match="too short in a picture of 4000 x 3000"):
        given_calibration(parse_corners(RIGHT), (4000, 3000))
    with pytest.raises(BadInput, match="the lower left corner lies 9000 px outside"):
        given_calibration(parse_corners("0,0 300,0 300,300 -9000,300"), (400, 300))


@pytest.fixture
def nothing(tmp_path: Path) -> Path:
    """A picture in which no board is found."""
    path = tmp_path / "grey.png"
    cv2.imwrite(str(path), np.full((400, 500, 3), 120, np.uint8))
    return path


def test_where_no_board_is_found_the_option_is_named_and_helps(nothing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for run in (lambda: detect.run(nothing, True, None), lambda: calibrate.run(nothing, tmp_path / "out.png")):
        with pytest.raises(
            BadInput,
            match=r"^no board found in .*grey\.png: [a-z ]+; if there is one after all, give its corners: --corners \(see --help\)$",
        ):
            run()
    text = "60,40 440,42 445,390 55,388"
    detect.run(nothing, True, None, text)
    assert json.loads(capsys.readouterr().out)["corners"] == [[60, 40], [440, 42], [445, 390], [55, 388]]
    calibrate.run(nothing, tmp_path / "out.png", text)
    assert "given by hand" in capsys.readouterr().out
    assert (tmp_path / "out.png").exists()
