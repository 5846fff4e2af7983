"""`carromeye train` where its packages are missing, options that cannot be used, and what a stopped run goes on with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from carromeye.commands.train import print_figures, run, with_time_left, write_figures
from models.detector import train
from models.detector.rendering import Rendering
from models.errors import BadInput

NOTHING: dict[str, Any] = {"seed": None, "crops": None, "epochs": None, "minutes": None, "device": "auto", "smoke": False}


def test_without_its_packages_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"pip install 'carromeye\[train\]'"):
        run(tmp_path / "run", **NOTHING)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"device": "gpu"}, "--device gpu: there are auto, cpu, cuda"),
        ({"seed": 0}, "--seed: 1 to"),
        ({"seed": 10**30}, "--seed: 1 to"),
        ({"crops": 0}, "--crops: 1 to"),
        ({"crops": 250_001}, "--crops: 1 to"),
        ({"epochs": 0}, "--epochs: 1 to"),
        ({"minutes": -1.0}, "--minutes: more than 0"),
        ({"minutes": float("nan")}, "--minutes: more than 0"),
        ({"smoke": True, "crops": 5}, "--smoke settles"),
    ],
)
def test_options_that_cannot_be_used_are_refused_before_anything_else(options: dict[str, Any], line: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=line):
        run(tmp_path / "run", **(NOTHING | options))
    assert not list(tmp_path.iterdir())


def test_a_stopped_run_goes_on_with_its_own_settings(tmp_path: Path) -> None:
    begun = train.settle(tmp_path, {"crops": 100, "seed": 5}, "cpu")
    assert (begun.crops, begun.shard, begun.seed, begun.epochs) == (100, 100, 5, train.Recipe.epochs)
    assert train.settle(tmp_path, {}, "cpu") == begun
    assert train.settle(tmp_path, {"crops": 100}, "cuda") == begun
    with pytest.raises(BadInput, match="a run with --seed 5:"):
        train.settle(tmp_path, {"seed": 6}, "cpu")


@pytest.mark.parametrize(
    "text",
    [
        '{"crops": 1, "unheard": 2}',
        '{"crops": "40"}',
        '{"batch": 0}',
        '{"rate": NaN}',
        '{"minutes": -1}',
        '{"epochs": true}',
        "[1]",
        "[" * 90_000,
    ],
)
def test_a_damaged_recipe_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "recipe.json").write_text(text)
    with pytest.raises(BadInput, match=r"recipe\.json"):
        train.settle(tmp_path, {"crops": 100}, "cpu")


def test_a_graphics_card_gets_larger_batches(tmp_path: Path) -> None:
    recipe = train.settle(tmp_path, {}, "cuda")
    assert recipe.batch == train.CARD_BATCH
    assert recipe.rate == pytest.approx(2 * train.Recipe.rate)


def test_shards_come_from_workers_and_those_that_are_there_stay(tmp_path: Path) -> None:
    (tmp_path / "00000").mkdir()
    with Rendering(tmp_path, 3, 2, 7, workers=2) as rendering:
        assert [rendering.shard(i).name for i in range(3)] == ["00000", "00001", "00002"]
    assert [len(list(p.iterdir())) for p in sorted(tmp_path.iterdir())] == [0, 4, 4]
    assert rendering.busy() == 0


def test_without_workers_a_shard_is_rendered_when_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from models.detector import crops

    asked = []
    monkeypatch.setattr(crops, "write_shard", lambda folder, seed, number: (asked.append((folder.name, seed, number)), folder.mkdir()))
    with Rendering(tmp_path, 3, 2, 7, workers=0) as rendering:
        rendering.shard(1)
        rendering.shard(1)
    assert asked == [("00001", 7_001_000, 2)]


def test_the_time_left_follows_the_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("carromeye.commands.train.time.monotonic", lambda: now[0])
    said = []
    tell = with_time_left(lambda done, note="": said.append((done, note)))
    for part, at in ((0.5, 100.0), (0.6, 130.0), (0.75, 600.0)):
        now[0] = at
        tell(part, "loss 2")
    assert said == [(0.5, "loss 2"), (0.6, "2 min left, loss 2"), (0.75, "8 min left, loss 2")]


def test_what_could_not_be_measured_is_null_and_a_dash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_figures(tmp_path / "figures.json", {"a": 0.25, "b": float("nan"), "c": {"d": float("nan")}})
    assert json.loads((tmp_path / "figures.json").read_text()) == {"a": 0.25, "b": None, "c": {"d": None}}
    print_figures({"a": 0.25, "b": float("nan")})
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [["a", "0.25"], ["b", "-"]]
