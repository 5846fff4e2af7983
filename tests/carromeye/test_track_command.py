"""`carromeye track` on the sample clip's first strokes, and `carromeye evaluate TRUTH OUT` on what it leaves."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import carromeye.pipeline as pipeline
import models.scene
from carromeye.cli import main
from carromeye.commands import evaluate_tracks, track
from models.errors import BadInput
from models.stroke_log import read_log
from tracking.mot import read_mot
from vision.survey import survey
from vision.watch import watch

DOCS = Path(__file__).resolve().parents[2] / "docs" / "tracking.md"
SAMPLE = Path(models.scene.__file__).parent / "sample"
FILES = {"strokes.json", "rulings.json", "match.json", "trajectories.parquet", "tracks.txt"}
STROKES = 1
"""Of the clip that are watched."""


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What truly happened up to the moment at which the clip is left."""
    whole = json.loads((SAMPLE / "truth.json").read_text(encoding="utf-8"))
    strokes = whole["strokes"][:STROKES]
    end = whole["strokes"][STROKES]["t"] - 1.5
    assert end > strokes[-1]["rest"] + 0.5
    part = whole | {
        "strokes": strokes,
        "samples": [s for s in whole["samples"] if s["t"] <= end],
        "placements": [p for p in whole["placements"] if p["t"] <= end],
    }
    path = tmp_path_factory.mktemp("truth") / "truth.json"
    path.write_text(json.dumps(part), encoding="utf-8")
    return path


def _up_to(truth: Path, frames: Iterable[Any], then: Callable[[], None] = lambda: None) -> Iterator[Any]:
    end = json.loads(truth.read_text(encoding="utf-8"))["samples"][-1]["t"]
    for det in frames:
        if det.t > end:
            break
        yield det
    then()


@dataclass
class Tracked:
    """A folder of `carromeye track`, and what vision gave for it."""

    out: Path
    scene: Any = None
    frames: list[Any] = field(default_factory=list)

    def survey(self, *args: Any) -> Any:
        self.scene = survey(*args)
        return self.scene


@pytest.fixture(scope="module")
def kept(truth: Path, tmp_path_factory: pytest.TempPathFactory) -> Tracked:
    kept = Tracked(tmp_path_factory.mktemp("track") / "out")

    def watched(*args: Any) -> Iterator[Any]:
        for det in _up_to(truth, watch(*args)):
            kept.frames.append(det)
            yield det

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "survey", kept.survey)
        patch.setattr(pipeline, "watch", watched)
        track.run(SAMPLE / "clip.mp4", kept.out, "icf", "south=Asha,north=Bina", mot=kept.out / "tracks.txt")
    return kept


@pytest.fixture
def tracked(kept: Tracked) -> Path:
    return kept.out


def said(truth: Path, out: Path | None, capsys: pytest.CaptureFixture[str], **how: Any) -> str:
    evaluate_tracks.run(truth, out, how.pop("json", False), **how)
    return capsys.readouterr().out


def test_every_file_is_there_and_no_report(tracked: Path) -> None:
    assert {p.name for p in tracked.iterdir()} == FILES
    assert len(read_log(tracked / "strokes.json").boards[0].events) == STROKES
    assert json.loads((tracked / "match.json").read_text(encoding="utf-8"))["format"] == "carromeye-match/1"


def test_the_mot_text_has_a_box_for_every_row_on_the_board(tracked: Path) -> None:
    table = pd.read_parquet(tracked / "trajectories.parquet")
    on = table[~table.state.isin(["pocketed", "off"])]
    tracks = read_mot(tracked / "tracks.txt")
    assert len(tracks.frame) == len(on)
    assert np.abs(np.sort(tracks.xy[:, 0]) - np.sort(on.x)).max() < 0.02


def test_it_is_held_against_the_truth(truth: Path, tracked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(said(truth, tracked, capsys, json=True))
    v = report["figures"]
    assert (v["strokes_right"], v["strokes_invented"], v["settled_boards"]) == (STROKES, 0, 1.0)
    assert v["hota"] > 0.9 and v["centre_error_mm"] < 2
    short = said(truth, tracked, capsys)
    assert f"strokes wholly right {STROKES} of {STROKES}, invented 0" in short and "HOTA 0.9" in short
    whole = said(truth, tracked, capsys, full=True)
    assert all(name in whole for name in v) and all(fault in whole for fault in report["faults"])


def test_every_figure_is_explained(truth: Path, tracked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = re.findall(r"(?m)^\| ((?:`[a-z0-9_]+`(?:, )?)+) \|", DOCS.read_text(encoding="utf-8"))
    explained = {name for row in rows for name in re.findall(r"`([a-z0-9_]+)`", row)}
    figures = json.loads(said(truth, tracked, capsys, json=True))["figures"]
    assert figures.keys() <= explained


def test_mot_text_is_held_against_it_and_is_a_truth_too(truth: Path, tracked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, text = (json.loads(said(truth, out, capsys, json=True))["figures"] for out in (tracked, tracked / "tracks.txt"))
    assert text["piece_recall"] == pytest.approx(folder["piece_recall"])
    assert text["class_right"] is None and "strokes" not in text
    itself = json.loads(said(tracked / "tracks.txt", tracked, capsys, json=True))["figures"]
    assert (itself["hota"], itself["switches"]) == (pytest.approx(1.0, abs=1e-3), 0)
    assert "HOTA 1.000" in said(tracked / "tracks.txt", tracked / "tracks.txt", capsys)


def test_a_folder_without_a_log_has_its_tracks_measured(
    truth: Path, tracked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "trajectories.parquet").write_bytes((tracked / "trajectories.parquet").read_bytes())
    assert "strokes wholly right" not in said(truth, tmp_path, capsys)


def test_many_faults_are_told_only_when_asked_for(
    truth: Path, tracked: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if nothing had been tracked after the first frames.
    monkeypatch.setattr(evaluate_tracks, "_trajectories", lambda _: pd.read_parquet(tracked / "trajectories.parquet").head(200))
    monkeypatch.setattr(evaluate_tracks, "FAULTS", 1)
    faults = json.loads(said(truth, tracked, capsys, json=True))["faults"]
    short, whole = said(truth, tracked, capsys), said(truth, tracked, capsys, full=True)
    assert [f for f in faults if f"  {f}\n" in short] == faults[:1]
    assert [f for f in faults if f"  {f}\n" in whole] == faults
    assert short.endswith(f"  and {len(faults) - 1} more (--full)\n") and "--full" not in whole


def test_ctrl_c_keeps_what_is_finished(kept: Tracked, truth: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "survey", lambda *_: kept.scene)
    monkeypatch.setattr(pipeline, "watch", lambda *_: _up_to(truth, kept.frames, stopped))
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        track.run(SAMPLE / "clip.mp4", out, "icf", None, mot=out / "tracks.txt")
    assert {p.name for p in out.iterdir()} == FILES
    assert "the tracking was stopped before the end of the video" in (out / "match.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("mot", "complaint"),
    [("tracks.mot", r"ends in \.txt or \.csv"), ("none/tracks.txt", "there is no folder"), ("folder.txt", "it is a folder")],
)
def test_a_mot_file_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path, mot: str, complaint: str) -> None:
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(BadInput, match=complaint):
        track.run(tmp_path / "no.mp4", tmp_path / "out", "icf", None, mot=tmp_path / mot)
    assert not (tmp_path / "out").exists()


def test_a_folder_with_a_review_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "review.html").write_text("mine")
    with pytest.raises(BadInput, match=r"holds a review, whose review\.html"):
        track.run(SAMPLE / "clip.mp4", tmp_path, "icf", None)
    assert {p.name for p in tmp_path.iterdir()} == {"review.html"}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("{truth}",), "evaluate TRUTH OUT: name the folder"),
        (("{truth}", "{empty}", "--boards", "3", "--data", "x"), "--boards, --data: for a detector"),
        (("{truth}", "{empty}"), "trajectories.parquet: has no trajectories"),
        (("{truth}", "{empty}/none"), "neither the folder of a review"),
        (("{truth}", "{empty}/none.txt"), "cannot read"),
        (("{empty}/none.json", "{empty}"), "cannot read"),
        (("{clip}", "{empty}"), "not a film's truth"),
        (("--boards", "0"), "--boards: at least 1"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(
    arguments: tuple[str, ...],
    complaint: str,
    truth: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = [a.format(truth=truth, empty=tmp_path, clip=SAMPLE / "clip.mp4") for a in arguments]
    monkeypatch.setattr(sys, "argv", ["carromeye", "evaluate", *given])
    with pytest.raises(SystemExit) as left:
        main()
    out, err = capsys.readouterr()
    assert (left.value.code, out, err.count("\n")) == (2, "", 1)
    assert complaint in err


def test_help_tells_what_is_taken_if_nothing_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["carromeye", "evaluate", "--help"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 0
    told = capsys.readouterr().out
    assert "[TRUTH] [OUT]" in told and "(120)" in told and "(900001)" in told
