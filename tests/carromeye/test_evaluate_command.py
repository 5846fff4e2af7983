"""`carromeye evaluate` on rendered boards and on labelled pictures."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from carromeye.commands.evaluate import LEAST_BOARDS, _weakest, run
from carromeye.commands.evaluate_drawn import GREEN, MAGENTA, RED, drawn
from carromeye.labelled import example_of, rectified
from models.detector.contract import BOARD_PX, DISC, HAND, MARGIN_MM
from models.detector.evaluate import outcome
from models.detector.examples import unseen
from models.detector.labels import Labels
from models.detector.run import Found, Network
from models.errors import BadInput
from models.scene.camera import look
from models.scene.render import DrawnDisc, Renderer
from models.scene.style import tournament_style


def test_rendered_boards_give_figures_conditions_kinds_and_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(None, 4, 900_001, None, tmp_path / "again", json=False)
    short = capsys.readouterr().out.splitlines()
    run(None, 4, 900_001, None, tmp_path, json=True)
    report = json.loads(capsys.readouterr().out)
    assert report == json.loads((tmp_path / "figures.json").read_text())
    assert report["figures"]["boards"] == 4
    assert report["figures"]["disc_recall"] > 0.8
    asked = sum(n for row in ("disc", "hand") for n in report["confusion"][row].values())
    assert asked == report["figures"]["disc"] + report["figures"]["hands"]
    assert report["kinds"]["white"]["white"] > 0
    assert {"tilt", "light", "blur", "motion", "clipped", "striker"} <= report["conditions"].keys()
    pictures = sorted((tmp_path / "worst").iterdir())
    assert len(pictures) == 4
    assert cv2.imread(str(pictures[0])).shape[1] == BOARD_PX
    assert len(short) < 15
    (discs,) = (line.split() for line in short if line.startswith("discs, all"))
    assert discs[2:5] == [str(report["figures"]["disc"]), f"{100 * report['figures']['disc_recall']:.1f}", "%"]


def test_all_figures_are_printed_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    run(None, 2, 900_001, None, None, json=False, full=True)
    said = capsys.readouterr().out
    assert "disc_error_p95_mm" in said and "by condition" in said and "kinds of discs at rest" in said


def test_the_weakest_conditions_are_named_if_they_have_enough_boards() -> None:
    def row(boards: int, recall: float) -> dict[str, float]:
        return {"boards": boards, "disc_recall": recall}

    light = {"dim": row(9, 0.7), "usual": row(9, 0.99), "bright": row(LEAST_BOARDS - 1, 0.1)}
    motion = {"discs": row(9, 0.6), "none": row(9, float("nan"))}
    report = {"figures": {"disc_recall": 0.9}, "conditions": {"light": light, "motion": motion}}
    assert _weakest(report) == ["motion discs 60.0 %", "light dim 70.0 %"]


def test_the_picture_of_a_bad_board_says_what_its_colours_are() -> None:
    example = next(e for e in unseen(4) if len(e.discs) > 2)
    boxes = np.array([example.discs[0], [500.0, 500.0, 520.0, 520.0]])
    found = Found(boxes, np.array([DISC, DISC]), np.array([0.9, 0.8]))
    o = outcome(found, example)
    assert (len(o.pairs), len(o.invented), len(o.missed)) == (1, 1, len(example.discs) - 1)
    image = drawn(o, np.zeros_like(example.picture), 1)
    head, board = image[:-BOARD_PX], image[-BOARD_PX:]
    for colour in (GREEN, RED, MAGENTA):
        for part in (head, board):
            assert (np.abs(part.astype(int) - colour).sum(axis=2) < 30).any()


def test_the_same_boards_labelled_give_the_same_recall(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data.yaml").write_text("names: [white, black, queen, striker, hand]\n")
    names = ["white", "black", "queen", "striker"]
    for e in unseen(2):
        cv2.imwrite(str(tmp_path / f"{e.name}.png"), e.picture)
        rows = [(names.index(c), *b) for c, b in zip(e.classes, e.discs, strict=True)] + [(4, *b) for b in np.clip(e.hands, 0, BOARD_PX)]
        text = "".join(
            f"{c} {(a + x) / 2 / BOARD_PX} {(b + y) / 2 / BOARD_PX} {(x - a) / BOARD_PX} {(y - b) / BOARD_PX}\n" for c, a, b, x, y in rows
        )
        (tmp_path / f"{e.name}.txt").write_text(text)
    run(None, 2, 900_001, None, None, json=True)
    rendered = json.loads(capsys.readouterr().out)["figures"]
    run(None, 1, 0, tmp_path, None, json=True)
    labelled = json.loads(capsys.readouterr().out)["figures"]
    for name in ("boards", "disc", "disc_recall"):
        assert labelled[name] == rendered[name]
    assert labelled["disc_error_mm"] == pytest.approx(rendered["disc_error_mm"], abs=1e-3)


def test_labels_of_a_cameras_own_picture_land_on_the_rectified_board(tmp_path: Path) -> None:
    camera = look((900, 700), tilt=12, azimuth=70, fill=0.85)
    places = [(150.0, 200.0), (600.0, 500.0), (370.0, 640.0)]
    picture, truth = Renderer(tournament_style(np.random.default_rng(5)), camera, seed=5).compose(
        [DrawnDisc("white", x, y) for x, y in places]
    )
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    boxes = np.array(truth.discs)
    rows = np.c_[np.full(3, DISC), (boxes[:, :2] + boxes[:, 2:] + 1) / 2 / (900, 700), (boxes[:, 2:] - boxes[:, :2]) / (900, 700)]
    board = rectified(Labels(tmp_path / "a.png", rows, ("white",) * 3))
    assert board.picture.shape == (BOARD_PX, BOARD_PX, 3)
    k = BOARD_PX / (740 + 2 * MARGIN_MM)
    mm = (board.boxes[:, 1:3] + board.boxes[:, 3:]) / 2 / k - MARGIN_MM
    size = (board.boxes[:, 3:] - board.boxes[:, 1:3]) / k
    assert np.abs(mm - places).max() < 6, "half a disc's height aslant, and the calibration's error"
    assert np.abs(size - 31.8).max() < 5
    example = example_of(board)
    assert example.classes == ("white",) * 3
    assert example.rest


def test_a_labelled_hand_is_a_hand(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((320, 320, 3), np.uint8))
    board = rectified(Labels(tmp_path / "a.png", np.array([[HAND, 0.5, 0.5, 0.5, 0.25]]), ("",)))
    assert board.boxes.tolist() == [[HAND, 160, 240, 480, 400]]
    assert example_of(board).hands.tolist() == [[160, 240, 480, 400]]


def test_weights_that_are_none_are_refused_in_one_line(tmp_path: Path) -> None:
    rubbish = tmp_path / "w.onnx"
    rubbish.write_bytes(b"not a network")
    for wrong in (rubbish, tmp_path / "none.onnx", tmp_path):
        with pytest.raises(BadInput, match=str(wrong)):
            Network(wrong)
    with pytest.raises(BadInput, match="--boards"):
        run(None, 0, 1, None, None, json=False)
