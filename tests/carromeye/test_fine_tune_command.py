"""`carromeye fine-tune`: what it refuses, what it holds out, and that worse weights don't get the good name."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from carromeye.commands import fine_tune
from carromeye.commands.fine_tune import run
from models.detector.contract import DISC, HAND, WEIGHTS
from models.detector.crops import Crop
from models.detector.fine_tune import Tuning, mixed, split
from models.errors import BadInput

GIVEN: dict[str, Any] = {"out": None, "weights": None, "seed": 1, "minutes": None, "device": "auto"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    out = tmp_path / "club"
    out.mkdir()
    (out / "data.yaml").write_text("names: [white, hand]\n")
    for i in range(6):
        cv2.imwrite(str(out / f"{i}.png"), np.full((320, 320, 3), 40 * i, np.uint8))
        (out / f"{i}.txt").write_text("0 0.5 0.5 0.04 0.04\n")
    return out


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"device": "gpu"}, "--device gpu"),
        ({"minutes": 0.0}, "--minutes"),
        ({"seed": 0}, "--seed"),
    ],
)
def test_options_that_cannot_be_used_are_refused(options: dict[str, Any], line: str, folder: Path) -> None:
    with pytest.raises(BadInput, match=line):
        run(folder, **(GIVEN | options))


def test_too_few_pictures_and_unknown_classes_are_refused(folder: Path) -> None:
    for i in range(2):
        (folder / f"{i}.txt").unlink()
    with pytest.raises(BadInput, match="4 labelled pictures are too few"):
        run(folder, **GIVEN)
    (folder / "data.yaml").write_text("names: [white, cat]\n")
    with pytest.raises(BadInput, match="class 'cat' is not known"):
        run(folder, **GIVEN)


def test_earlier_weights_are_not_written_over(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fine_tune.recipe, "prepare", lambda out, device: "cpu")
    monkeypatch.setattr(fine_tune.recipe, "alone", lambda out: nullcontext())
    (tmp_path / "carrom.onnx").write_bytes(b"earlier")
    with pytest.raises(BadInput, match="is there already"):
        run(folder, **(GIVEN | {"out": tmp_path}))
    assert (tmp_path / "carrom.onnx").read_bytes() == b"earlier"


@pytest.fixture
def untrained(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fine-tuning that learns nothing, without the training tools."""
    monkeypatch.setattr(fine_tune.recipe, "prepare", lambda out, device: out.mkdir(exist_ok=True) or "cpu")
    monkeypatch.setattr(fine_tune.recipe, "alone", lambda out: nullcontext())
    monkeypatch.setattr(fine_tune.recipe, "export", lambda model, path: path.write_bytes(b"new"))
    monkeypatch.setattr(fine_tune, "restore", lambda weights: None)
    monkeypatch.setattr(fine_tune, "tune", lambda *a: a[3].mkdir(exist_ok=True))


def test_crops_of_another_seed_or_run_are_not_used(folder: Path, tmp_path: Path, untrained: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(weights: Path, held: object) -> dict[str, dict[str, float]]:
        if weights != WEIGHTS:
            raise KeyboardInterrupt
        return {}

    monkeypatch.setattr(fine_tune, "_measure", stop)
    out = tmp_path / "tuned"
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            run(folder, **(GIVEN | {"out": out, "seed": 3}))
        assert sorted(p.name for p in out.iterdir()) == ["crops", "fine-tune.json"], "what has not been measured does not stay"
    with pytest.raises(BadInput, match="holds a fine-tuning with --seed 3: go on with that, or name another --out"):
        run(folder, **(GIVEN | {"out": out, "seed": 4}))
    (out / "fine-tune.json").write_text("[]")
    with pytest.raises(BadInput, match="is not the note of a fine-tuning"):
        run(folder, **(GIVEN | {"out": out, "seed": 3}))
    (out / "fine-tune.json").unlink()
    with pytest.raises(BadInput, match="holds the crops of another run"):
        run(folder, **(GIVEN | {"out": out, "seed": 3}))


def test_one_in_five_is_held_out_and_never_learnt_from() -> None:
    for number in (5, 6, 50, 123):
        learn, held = split(number, 3)
        assert sorted([*learn, *held]) == list(range(number))
        assert len(held) == max(1, number // 5)
    assert split(50, 3) == split(50, 3) != split(50, 4)


@pytest.mark.parametrize(("after", "name"), [(0.6, "carrom.onnx"), (0.4, "worse.onnx"), (float("nan"), "worse.onnx")])
def test_worse_weights_get_another_name(
    folder: Path,
    tmp_path: Path,
    untrained: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    after: float,
    name: str,
) -> None:
    def measured(weights: Path, held: object) -> dict[str, dict[str, float]]:
        value = 0.5 if weights == WEIGHTS else after
        return {"held out": {"boards": 1.0, **dict.fromkeys(fine_tune.SHOWN, value)}}

    out = tmp_path / "tuned"
    monkeypatch.setattr(fine_tune, "_measure", measured)
    run(folder, **(GIVEN | {"out": out}))
    assert sorted(p.name for p in out.iterdir()) == sorted([name, "crops", "figures.json", "fine-tune.json"])
    assert ("not better" in capsys.readouterr().out) == (name == "worse.onnx")
    assert json.loads((out / "figures.json").read_text())["before"]["held out"]["map50_95"] == 0.5


def test_half_of_each_batch_is_the_clubs(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    picture = np.full((640, 640, 3), 200, np.uint8)
    boards = [Crop(picture, np.array([[DISC, 300, 300, 340, 340], [HAND, 100, 100, 300, 500]], float))]
    rendered = tmp_path / "000.jpg"
    cv2.imwrite(str(rendered), np.zeros((320, 320, 3), np.uint8))
    rendered.with_suffix(".txt").write_text("")
    (batch,) = mixed(boards, iter([rendered] * 99), Tuning(steps=1, batch=6), np.random.default_rng(1))
    light = [float(image.float().mean()) > 60 for image in batch["img"]]
    assert light == [True] * 3 + [False] * 3
    assert set(batch["batch_idx"].tolist()) <= {0, 1, 2}
