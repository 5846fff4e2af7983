"""`carromeye simulate --stroke`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from carromeye.cli import app
from carromeye.commands.positions import read_places
from carromeye.commands.whatif import WhatIf, parse, way
from carromeye.trajectories import TrajectoryWriter
from models.board import ICF, rack
from models.errors import BadInput
from models.physics import Dynamics, State, simulate
from tracking.table import Row

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
        ("south x=20 angle=0 speed=2", "x is from 146.15 to 593.85"),
        ("south x=146 angle=0 speed=2", "x is from 146.15"),
        ("south x=370mm angle=0 speed=2", "cannot read 'x=370mm'"),
        ("south x=370 angle=0 speed=2 spin=900", "spin is from -500"),
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
        ("p.csv", f"cls,x,y\nwhite,{'1' * 200_000},2\n", "is neither"),
        ("p.json", f'[{{"cls": "white", "x": {"1" * 400}, "y": 1}}]', "is neither"),
        ("p.json", '[{"cls": "white", "x": 1e999, "y": 1}]', "want millimetres"),
        ("p.json", '{"pieces": [{"cls": "white", "x": 1, "y": 1}]}', "is neither"),
        ("p.json", '{"samples": [], "strokes": []}', "is neither"),
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


def _places(tmp_path: Path, *pieces: tuple[str, float, float]) -> Path:
    path = tmp_path / "pieces.json"
    path.write_text(json.dumps([{"cls": c, "x": x, "y": y} for c, x, y in pieces]))
    return path


@pytest.mark.parametrize(
    ("pieces", "why"),
    [
        ([("white", 370, 620)], "choose an x below 333 or above 407"),
        ([("white", 370, 735)], "does not lie on a board of 740 mm"),
        ([("white", 300, 300), ("queen", 310, 310)], "a queen at (310, 310) mm would lie in a white at (300, 300) mm"),
    ],
)
def test_pieces_that_cannot_lie_so_are_refused(tmp_path: Path, pieces: list[tuple[str, float, float]], why: str) -> None:
    with pytest.raises(BadInput) as told:
        run("--stroke", "south x=370 angle=0 speed=2", "--position", str(_places(tmp_path, *pieces)))
    assert why in str(told.value)


def test_where_the_refusal_says_the_striker_may_stand(tmp_path: Path) -> None:
    where = str(_places(tmp_path, ("white", 370, 620)))
    for x in (333, 407):
        assert "m/s" in run("--stroke", f"south x={x} angle=0 speed=2", "--position", where)


@pytest.mark.parametrize(("x", "improper"), [(146.2, False), (150.9, False), (155, False), (156, True), (187, True), (188, False)])
def test_a_striker_partly_on_a_base_circle_is_named(tmp_path: Path, x: float, improper: bool) -> None:
    said = run("--stroke", f"south x={x} angle=0 speed=1", "--position", str(_places(tmp_path)))
    assert ("partly on a base circle" in said) == improper


def test_what_ran_how_far_is_told(tmp_path: Path) -> None:
    """Straight ahead at 1 m/s on an empty board: v^2 / 2a."""
    words = ("--stroke", "south x=370 angle=0 speed=1", "--position", str(_places(tmp_path)))
    told = json.loads(run(*words, "--json"))
    assert told["equipment"] == "icf"
    assert told["discs"][-1]["ran"] == pytest.approx(1000**2 / (2 * Dynamics().friction_striker), abs=0.01)
    assert "The striker runs 0.39 m and touches no piece; it comes to rest at (370, 232) mm." in run(*words)


def test_what_lies_over_a_pocket_falls_and_has_not_run(tmp_path: Path) -> None:
    where = _places(tmp_path, ("queen", 30, 30), ("white", 120, 120))
    said = run("--stroke", "west x=370 angle=0 speed=0.2", "--position", str(where))
    assert "The queen falls (NW)." in said
    assert "Runs" not in said


def test_the_striker_of_22softwares_does_not_fall(tmp_path: Path) -> None:
    aimed = ("--stroke", "south x=589 angle=-45 speed=2.05", "--position", str(_places(tmp_path)))
    assert "The striker falls (NW)" in run(*aimed)
    assert "falls" not in run(*aimed, "--equipment", "22s")


def _review(folder: Path, times: list[float | None]) -> Path:
    """A review's folder: a white that is struck at 1 s, a black that fell, a striker."""
    strokes = [{"type": "stroke", "by": "south", "pocketed": [], **({} if t is None else {"t": t})} for t in times]
    (folder / "strokes.json").write_text(json.dumps({"format": "carromeye-strokes/1", "boards": [{"events": strokes}]}))
    writer = TrajectoryWriter(folder / "trajectories.parquet")
    for frame in range(5):
        t = 0.5 * frame
        x, state = (200.0, "rest") if t < 0.9 else (200.0 + 100 * t, "moving")
        writer.add([Row(frame, t, "white1", "white", x, 300.0, 0.0, 0.0, state if t < 2 else "rest", True)])
        writer.add([Row(frame, t, "black1", "black", 20.0, 20.0, 0.0, 0.0, "pocketed", False)])
        writer.add([Row(frame, t, "queen", "queen", 370.0, 370.0, 0.0, 0.0, "hidden", False)])
        writer.add([Row(frame, t, "striker", "striker", 370.0, 600.0, 0.0, 0.0, "rest", True)])
    writer.close()
    return folder


@pytest.mark.parametrize(("before", "x"), [(1, 200.0), (2, 200.0), (None, 400.0)])
def test_positions_come_from_a_review(tmp_path: Path, before: int | None, x: float) -> None:
    """A frame in which the stroke's first piece moves already is not where the pieces lay."""
    for path in (_review(tmp_path, [0.8, 1.2]), tmp_path / "strokes.json"):
        found = read_places(path, before)
        assert dict(zip(found.classes, found.places.tolist(), strict=True)) == {"white": [x, 300.0], "queen": [370.0, 370.0]}


def test_a_review_without_times_or_trajectories_is_refused(tmp_path: Path) -> None:
    folder = _review(tmp_path, [None])
    assert len(read_places(folder, None).classes) == 2
    with pytest.raises(BadInput, match="stroke 1 has no time t"):
        read_places(folder, 1)
    (folder / "trajectories.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(BadInput, match="no trajectories that can be read"):
        read_places(folder, None)
    (folder / "trajectories.parquet").unlink()
    with pytest.raises(BadInput, match="no trajectories that can be read"):
        read_places(folder, None)


def test_positions_come_from_a_picture_and_from_a_spreadsheet(tmp_path: Path) -> None:
    seen, sheet = tmp_path / "seen.json", tmp_path / "sheet.csv"
    seen.write_text(
        json.dumps({"corners": [], "pieces": [{"cls": "queen", "x": 9, "y": 8, "r": 3, "x_mm": 370.5, "y_mm": 371.0, "score": 1}]})
    )
    sheet.write_bytes(b"\xef\xbb\xbfcls,x,y\r\nqueen,370.5,371\r\nstriker,1,2\r\n")
    for path in (seen, sheet):
        found = read_places(path, None)
        assert (found.classes, found.places.tolist()) == (("queen",), [[370.5, 371.0]])
        with pytest.raises(BadInput, match="leave --before out"):
            read_places(path, 1)


@pytest.mark.parametrize(("seat", "name"), [("south", "a.png"), ("east", "a.svg"), ("north", "a.PDF"), ("west", "a.svg")])
def test_a_break_can_be_drawn(tmp_path: Path, seat: str, name: str) -> None:
    run("--stroke", f"{seat} x=380 angle=-1 speed=5 spin=40", "--plot", "-o", str(tmp_path / name), "--equipment", "uk")
    head = {"a.png": b"\x89PNG", "a.svg": b"<?xml", "a.PDF": b"%PDF"}[name]
    assert (tmp_path / name).read_bytes().startswith(head)
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_strokes_in_which_little_or_much_happens_can_be_drawn(tmp_path: Path) -> None:
    plot, club = tmp_path / "a.png", tmp_path / "club.toml"
    club.write_text("[surface]\njump_speed = 500\n")
    run("--stroke", "south x=300 angle=4 speed=9", "--plot", "-o", str(plot), "--equipment", str(club))
    for stroke in ("south x=589 angle=-45 speed=2.05", "west x=300 angle=180 speed=0.02"):
        run("--stroke", stroke, "--plot", "-o", str(plot), "--position", str(_places(tmp_path)))


def test_a_picture_never_takes_the_place_of_the_input(tmp_path: Path) -> None:
    pieces = _places(tmp_path).rename(tmp_path / "pieces.svg")
    with pytest.raises(BadInput, match="is the input itself"):
        run("--stroke", "south x=370 angle=0 speed=2", "--position", str(pieces), "--plot", "-o", str(pieces))
    assert pieces.read_text() == "[]"


def test_the_ways_drawn_end_where_discs_end() -> None:
    classes, places = rack()
    state = State.resting([*classes, "striker"], [*places.tolist(), ICF.base_position("south", 390.0)]).struck(19, -200.0, -5000.0)
    motion = simulate(state)
    assert motion.pocketed
    for i in range(20):
        corners = way(motion, i)
        np.testing.assert_allclose(corners[0], state.positions()[i])
        pockets = [ICF.pockets()[f.pocket] for f in motion.pocketed if f.index == i]
        if pockets:
            assert np.hypot(*(corners[-1] - pockets[0])) <= ICF.pocket_radius + 1e-6
        else:
            np.testing.assert_allclose(corners[-1], motion.final.positions()[i])


def test_a_stroke_is_what_its_words_say() -> None:
    assert parse("west x=400 angle=-5 speed=1.5 spin=20", ICF) == WhatIf("west", 400, -5, 1.5, 20)
