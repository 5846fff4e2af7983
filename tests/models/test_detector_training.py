"""Training itself, where the extra ``train`` is installed: .ci/run runs these in an environment of their own."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carromeye.commands.train import run as train_command
from models.detector import crops, train
from models.detector.average_precision import average_precision
from models.detector.contract import WEIGHTS
from models.detector.fine_tune import Tuning, tune
from models.detector.learn import ahead, falling
from models.detector.rendering import Rendering
from models.detector.restore import difference, restore
from models.detector.run import Network
from models.errors import BadInput

pytest.importorskip("ultralytics")

TINY = train.Recipe(crops=24, epochs=2, batch=8, shard=12)


@pytest.fixture(scope="module", autouse=True)
def prepared(tmp_path_factory: pytest.TempPathFactory) -> None:
    train.prepare(tmp_path_factory.mktemp("settings"), "cpu")


def test_a_run_that_was_stopped_goes_on_and_ends_where_it_would_have(tmp_path: Path) -> None:
    import torch

    class Stop(Exception):
        pass

    def stop(part: float, note: str) -> None:
        if part >= 0.5:
            raise Stop

    whole = train.train(TINY, tmp_path / "whole")
    (tmp_path / "stopped").mkdir()
    (tmp_path / "whole" / "crops").rename(tmp_path / "stopped" / "crops")
    with pytest.raises(Stop):
        train.train(TINY, tmp_path / "stopped", show=stop)
    saved = torch.load(tmp_path / "stopped" / "state.pt", weights_only=True)
    assert (saved["done"], saved["step"]) == (1, 3)
    again = train.train(TINY, tmp_path / "stopped")
    for name, value in whole.state_dict().items():
        assert torch.allclose(value.float(), again.state_dict()[name].float(), atol=1e-5), name


def test_the_wait_for_crops_is_no_part_of_the_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, told = [0.0], []
    rendered = Rendering.shard

    def shard(self: Rendering, index: int) -> Path:
        now[0] += 600.0
        return rendered(self, index)

    monkeypatch.setattr(Rendering, "shard", shard)
    monkeypatch.setattr("models.detector.train.time.monotonic", lambda: now[0])
    train.train(replace(TINY, minutes=5.0), tmp_path, show=lambda part, note: told.append(part))
    assert len(told) == TINY.epochs * TINY.crops // TINY.batch


def test_a_state_of_something_else_is_refused(tmp_path: Path) -> None:
    import torch

    torch.save({"model": {}}, tmp_path / "state.pt")
    with pytest.raises(BadInput, match="cannot be gone on from"):
        train.train(TINY, tmp_path)
    (tmp_path / "state.pt").write_bytes(b"rubbish")
    with pytest.raises(BadInput, match="cannot be gone on from"):
        train.train(TINY, tmp_path)


def test_the_rate_falls_from_the_highest_to_almost_none() -> None:
    rates = [falling(p) for p in np.linspace(0, 1.2, 30)]
    assert (rates[0], rates[-1]) == (1.0, pytest.approx(0.02))
    assert all(np.diff(rates) <= 0)


def test_the_export_can_be_trained_on(tmp_path: Path) -> None:
    model = restore(WEIGHTS)
    assert difference(model, Network(WEIGHTS)) < 1e-3
    boards = [board.crop() for board in crops.boards(31, 3)]
    told: list[str] = []
    tuning = Tuning(steps=4, batch=4)
    tuned = tune(model, boards, tuning, tmp_path / "crops", "cpu", 0, lambda part, note: told.append(note))
    assert len(told) == 4
    tune(model, boards, replace(tuning, minutes=1e-4), tmp_path / "others", "cpu", 0, lambda part, note: told.append(note))
    assert len(told) == 5, "rendering is no part of the minutes, however few"
    changed = [n for n, v in restore(WEIGHTS).state_dict().items() if not (v == tuned.state_dict()[n]).all()]
    assert changed
    assert not [n for n in changed if "running" in n]
    train.export(tuned, tmp_path / "tuned.onnx")
    assert difference(tuned, Network(tmp_path / "tuned.onnx")) < 1e-3
    assert difference(restore(tmp_path / "tuned.onnx"), Network(tmp_path / "tuned.onnx")) < 1e-3


def test_weights_of_another_network_are_refused(tmp_path: Path) -> None:
    import onnx

    graph = onnx.load(str(WEIGHTS))
    for value in graph.graph.initializer:
        if value.name == "model.0.conv.bias":
            value.name = "model.0.other"
    for node in graph.graph.node:
        node.input[:] = ["model.0.other" if name == "model.0.conv.bias" else name for name in node.input]
    onnx.save(graph, str(tmp_path / "other.onnx"))
    with pytest.raises(BadInput, match=r"no export of this version's network \(model\.0\.bn\.bias"):
        restore(tmp_path / "other.onnx")


def test_average_precision_is_near_ultralytics_own() -> None:
    from ultralytics.utils.metrics import ap_per_class

    rng = np.random.default_rng(4)
    for chance in (0.95, 0.6, 0.1):
        verdict = (rng.random((400, 10)) < chance * np.linspace(1, 0.5, 10)).astype(np.int8)
        score = rng.random(400)
        true = int(verdict.sum(0).max()) + 30
        theirs = ap_per_class(verdict.astype(bool), score, np.zeros(400), np.zeros(true))[5][0]
        # They join the points of the curve by lines, COCO takes steps.
        assert average_precision(score, verdict, true) == pytest.approx(theirs, abs=0.006)


def test_batches_read_ahead_come_whole_and_in_order() -> None:
    assert list(ahead(iter(range(1, 9)), 3)) == list(range(1, 9))
    assert list(ahead(iter([]), 3)) == []


HOLDS = "import sys, pathlib; from models.detector.train import alone\nwith alone(pathlib.Path(sys.argv[1])): print(flush=True); input()"


def _another(folder: Path) -> subprocess.Popen[str]:
    """Another process that has the folder until its input ends."""
    command = [sys.executable, "-c", HOLDS, str(folder)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
    assert process.stdout is not None
    assert process.stdout.readline() == "\n"
    return process


def test_a_folder_is_one_trainings_until_it_ends_or_is_killed(tmp_path: Path) -> None:
    (tmp_path / "recipe.json").write_text("of the other")
    settings: dict[str, Any] = {"seed": 2, "crops": None, "epochs": None, "minutes": None, "device": "cpu", "smoke": False}
    with _another(tmp_path) as other:
        with pytest.raises(BadInput, match="another training is at work"):
            train_command(tmp_path, **settings)
        with pytest.raises(BadInput, match="another training is at work"), train.alone(tmp_path):
            pass
        other.kill()
    assert (tmp_path / "recipe.json").read_text() == "of the other"
    with train.alone(tmp_path), train.alone(tmp_path / ".."):
        pass
    with train.alone(tmp_path):
        pass
