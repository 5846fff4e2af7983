"""`carromeye simulate --stroke`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from carromeye.cli import app
from carromeye.commands.positions import read_places
from carromeye.commands.whatif import WhatIf, parse
from models.board import ICF
from models.errors import BadInput

SAMPLE = Path(__file__).parents[2] / "models" / "scene" / "sample" / "truth.json"


def run(*words: str) -> str:
    result = CliRunner().invoke(app, ["simulate", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize(
    ("seat", "ahead", "right"),
    [("south", (0, -1), (1, 0)), ("north", (0, 1), (-1, 0)), ("west", (1, 0), (0, 1)), ("east", (-1, 0), (0, -1))],
)
def test_angles_are_to_the_players_own_right(seat: str, ahead: tuple[int, int], right: tuple[int, int]) -> None:
    straight = parse(f"{seat} x=370 angle=0 speed=2", ICF).velocity()
    np.testing.assert_allclose(straight, np.array(ahead) * 2000, atol=1e-9)
    turned = parse(f"{seat} speed=2 angle=90 x=370", ICF).velocity()
    np.testing.assert_allclose(turned, np.array(right) * 2000, atol=1e-9)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no seat ''"),
        ("middle x=370 angle=0 speed=2", "no seat 'middle'"),
        ("south x=370 angle=0", "speed missing"),
        ("south x=370 angle=0 speed=2 power=3", "cannot read 'power=3'"),
        ("south x=370 x=380 angle=0 speed=2", "cannot read 'x=380'"),
        ("south x=nan angle=0 speed=2", "cannot read 'x=nan'"),
        ("south x=20 angle=0 speed=2", "x is from 150.9 to 589.1"),
        ("south x=370 angle=200 speed=2", "angle is from"),
        ("south x=370 angle=0 speed=0", "speed is from 0.01"),
        ("south x=370 angle=0 speed=1e999", "speed is from"),
    ],
)
def test_a_stroke_that_cannot_be_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadInput) as told:
        parse(text, ICF)
    assert why in str(told.value)


def test_a_break_is_told_in_words() -> None:
    said = run("--stroke", "south x=370 angle=0 speed=4")
    assert "South strikes from x = 370 mm, straight ahead, at 4 m/s." in said
    assert "The striker touches a" in said
    assert "pieces move; all rest after" in said


def test_a_listed_position_and_its_picture(tmp_path: Path) -> None:
    pieces = tmp_path / "pieces.csv"
    pieces.write_text("cls,x,y\nblack,200,200\n")
    plot = tmp_path / "shot.svg"
    words = ("--stroke", "north x=257.35 angle=28 speed=2", "--position", str(pieces))
    told = json.loads(run(*words, "--json"))
    assert [d["cls"] for d in told["discs"]] == ["black", "striker"]
    run(*words, "--plot", "-o", str(plot))
    assert plot.read_text().startswith("<?xml")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["pieces.csv", "shot.svg"]


def test_positions_come_from_a_films_truth_before_a_stroke() -> None:
    truth = json.loads(SAMPLE.read_text())
    first, last = read_places(SAMPLE, 1), read_places(SAMPLE, None)
    assert sorted(first.classes) == sorted(d[1] for d in truth["samples"][0]["discs"] if d[1] != "striker")
    assert len(last.classes) == sum(truth["final"].values())
    with pytest.raises(BadInput, match="no stroke 99"):
        read_places(SAMPLE, 99)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("p.csv", "cls,x,y\ngreen,1,2\n", "no piece 'green'"),
        ("p.csv", "cls,x,y\nwhite,nan,2\n", "want millimetres"),
        ("p.csv", "a,b\n1,2\n", "is neither"),
        ("p.json", "{", "is neither"),
        ("p.json", '{"boards": 3}', "is neither"),
        ("p.json", "3", "is neither"),
        ("p.json", "[" * 100_000, "is neither"),
    ],
)
def test_positions_that_are_none_are_refused(tmp_path: Path, name: str, text: str, why: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(BadInput, match=why):
        read_places(path, None)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--stroke", "south x=370 angle=0 speed=2", "--before", "2"], "--before chooses"),
        (["--stroke", "south x=370 angle=0 speed=2", "-o", "x.png"], "give --plot"),
        (["--stroke", "south x=370 angle=0 speed=2", "--plot", "-o", "x.gif"], "ends in"),
        (["--stroke", "south x=370 angle=0 speed=2", "--equipment", "ibf"], "unknown equipment"),
        (["--plot"], "-o FOLDER"),
        (["-o", "x", "--json"], "go with --stroke"),
    ],
)
def test_options_that_do_not_go_together_are_refused(words: list[str], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        CliRunner().invoke(app, ["simulate", *words], catch_exceptions=False)


def test_a_striker_on_a_piece_is_refused(tmp_path: Path) -> None:
    pieces = tmp_path / "pieces.json"
    pieces.write_text(json.dumps([{"cls": "white", "x": 370, "y": 620}]))
    with pytest.raises(BadInput, match="would stand on a white"):
        CliRunner().invoke(app, ["simulate", "--stroke", "south x=370 angle=0 speed=2", "--position", str(pieces)], catch_exceptions=False)


def test_a_stroke_is_what_its_words_say() -> None:
    assert parse("west x=400 angle=-5 speed=1.5 spin=20", ICF) == WhatIf("west", 400, -5, 1.5, 20)
