"""The main job on the sample clip that ships: the strokes are right, every file is there, nothing is half written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pandas as pd
import pytest

import carromeye.pipeline as pipeline
import models.scene
from carromeye.record import Record
from models.detector.contract import WEIGHTS
from models.errors import BadInput
from models.stroke import Player
from models.stroke_log import read_log
from referee.engine import rule_match
from referee.lawbook_files import load_lawbook
from vision.survey import Scene, survey
from vision.video import read_video, video_info

SAMPLE = Path(models.scene.__file__).parent / "sample"
FILES = {
    "strokes.json",
    "rulings.json",
    "match.json",
    "trajectories.parquet",
    "scoresheet.html",
    "scoresheet.csv",
    "review.html",
    "review.mp4",
}
PLAYERS = (Player("south", "Asha"), Player("north", "Bina"))


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("review") / "out"
    pipeline.review(SAMPLE / "clip.mp4", out, "icf", PLAYERS)
    return out


@pytest.fixture(scope="module")
def truth() -> dict[str, list[dict[str, object]]]:
    loaded: dict[str, list[dict[str, object]]] = json.loads((SAMPLE / "truth.json").read_text(encoding="utf-8"))
    return loaded


def test_every_stroke_of_the_sample_is_right(reviewed: Path, truth: dict[str, list[dict[str, object]]]) -> None:
    events = json.loads((reviewed / "strokes.json").read_text(encoding="utf-8"))["boards"][0]["events"]
    got = [e for e in events if e["type"] == "stroke"]
    assert [(e["by"], sorted(e["pocketed"]), e.get("touched", True)) for e in got] == [
        (s["by"], sorted(p["cls"] for p in s["pocketed"]), s["touched"])  # type: ignore[index, attr-defined]
        for s in truth["strokes"]
    ]
    assert [e["t"] for e in got] == pytest.approx([s["t"] for s in truth["strokes"]], abs=0.1)


def test_every_file_is_there_and_nothing_else(reviewed: Path) -> None:
    assert {p.name for p in reviewed.iterdir()} == FILES


def test_the_log_can_be_ruled_on_again_to_the_same_rulings(reviewed: Path) -> None:
    again = rule_match(read_log(reviewed / "strokes.json"), load_lawbook("icf")).to_json()
    assert again == json.loads((reviewed / "rulings.json").read_text(encoding="utf-8"))


def test_the_trajectories_hold_the_truth(reviewed: Path, truth: dict[str, list[dict[str, object]]]) -> None:
    table = pd.read_parquet(reviewed / "trajectories.parquet")
    assert list(table.columns) == ["frame", "t", "piece", "cls", "x", "y", "vx", "vy", "state", "observed"]
    assert set(table.state) <= {"rest", "moving", "hidden", "pocketed", "off"}
    times = np.sort(table.t.unique())
    seen = total = 0
    for sample in truth["samples"]:
        k = int(np.searchsorted(times, sample["t"], side="right")) - 1  # type: ignore[call-overload]
        if k < 0 or sample["hand"]:
            continue
        now = table[(table.t == times[k]) & ~table.state.isin(["pocketed", "off"])]
        for _, cls, x, y in sample["discs"]:  # type: ignore[attr-defined]
            own = now[now.cls == cls]
            total += 1
            seen += bool(len(own)) and float(np.hypot(own.x - x, own.y - y).min()) < 10
    assert total > 500
    assert seen / total > 0.97


def test_the_video_plays_in_browsers_at_the_clips_own_times(reviewed: Path) -> None:
    with av.open(str(reviewed / "review.mp4")) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
    ours = [f.t for f in read_video(video_info(reviewed / "review.mp4"))]
    theirs = [f.t for f in read_video(video_info(SAMPLE / "clip.mp4"))]
    assert ours == pytest.approx(theirs, abs=1e-3)


def test_the_score_sheet_names_the_players(reviewed: Path) -> None:
    page = (reviewed / "scoresheet.html").read_text(encoding="utf-8")
    assert "Asha" in page and "Bina" in page


@pytest.fixture
def still(tmp_path: Path) -> Path:
    """A clip of the sample's board on which nothing happens."""
    frame = next(read_video(video_info(SAMPLE / "clip.mp4"))).image()
    path = tmp_path / "still.mp4"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=Fraction(30), options={"preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt = frame.shape[1], frame.shape[0], "yuv420p"
        for _ in range(60):
            out.mux(stream.encode(av.VideoFrame.from_ndarray(frame, format="bgr24")))
        out.mux(stream.encode(None))
    return path


@pytest.mark.parametrize("burnt", [0.0, 0.8])
def test_a_video_without_a_stroke_leaves_nothing(still: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, burnt: float) -> None:
    monkeypatch.setattr(Scene, "burnt", burnt)
    with pytest.raises(BadInput, match="no stroke") as e:
        pipeline.review(still, tmp_path / "out", "icf")
    assert "\n" not in str(e.value)
    assert ("80% of the board is burnt out" in str(e.value)) == (burnt > 0)
    assert not (tmp_path / "out").exists()


def test_a_burnt_out_board_is_told_of(still: Path, tmp_path: Path) -> None:
    scene = survey(video_info(still))
    assert scene.burnt < 0.01
    white = np.full_like(scene.bare, 255)
    for bare, told in ((scene.bare, False), (white, True)):
        done = pipeline.Review(tmp_path, replace(scene, bare=bare), Record("icf", load_lawbook("icf")), WEIGHTS)
        assert any("burnt out" in w for w in done.warnings()) == told


def test_ctrl_c_before_the_first_stroke_leaves_nothing(still: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*args: object) -> Iterator[object]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(pipeline, "watch", stopped)
    with pytest.raises(KeyboardInterrupt):
        pipeline.review(still, tmp_path / "out", "icf")
    assert not (tmp_path / "out").exists()


def test_a_video_without_a_board_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "noise.mp4"
    rng = np.random.default_rng(0)
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=Fraction(30), options={"preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt = 640, 480, "yuv420p"
        for _ in range(10):
            out.mux(stream.encode(av.VideoFrame.from_ndarray(rng.integers(0, 255, (480, 640, 3), np.uint8), format="bgr24")))
        out.mux(stream.encode(None))
    with pytest.raises(BadInput, match="no board found"):
        pipeline.review(path, tmp_path / "out", "icf")
    assert not (tmp_path / "out").exists()


def test_a_missing_law_book_or_a_file_for_a_folder_is_refused_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="icff"):
        pipeline.review(SAMPLE / "clip.mp4", tmp_path / "out", "icff")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(BadInput, match="file"):
        pipeline.review(SAMPLE / "clip.mp4", tmp_path / "file", "icf")
    assert (tmp_path / "file").read_text() == "mine"
    assert {p.name for p in tmp_path.iterdir()} == {"file"}


def test_ctrl_c_leaves_what_is_finished_readable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strokes = json.loads((SAMPLE / "truth.json").read_text(encoding="utf-8"))["strokes"]
    stop = strokes[2]["t"] + 1.0
    real = pipeline.watch

    def stopped(*args: object) -> Iterator[object]:
        for det in real(*args):  # type: ignore[arg-type]
            if det.t > stop:
                raise KeyboardInterrupt
            yield det

    monkeypatch.setattr(pipeline, "watch", stopped)
    done = pipeline.review(SAMPLE / "clip.mp4", tmp_path / "out", "icf", PLAYERS)
    assert done.interrupted
    names = {p.name for p in (tmp_path / "out").iterdir()}
    assert names == FILES - {"review.mp4"}
    log = read_log(tmp_path / "out" / "strokes.json")
    assert 2 <= len(log.boards[0].events) <= 4
    assert pd.read_parquet(tmp_path / "out" / "trajectories.parquet").t.max() <= stop
    assert "stopped before the end" in (tmp_path / "out" / "match.json").read_text(encoding="utf-8")
    page = (tmp_path / "out" / "review.html").read_text(encoding="utf-8")
    assert "There is no annotated video: the review was stopped" in page
    assert "<video" not in page


def test_a_video_that_breaks_off_is_told(reviewed: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.mp4"
    short.write_bytes((SAMPLE / "clip.mp4").read_bytes()[:300_000])
    pipeline.review(short, tmp_path / "out", "icf")
    told, whole = (json.loads((folder / "match.json").read_text(encoding="utf-8"))["warnings"] for folder in (tmp_path / "out", reviewed))
    assert "the video is 48 s long but can be read only up to 8 s: it is damaged or cut off" in told
    assert not any("cut off" in line for line in whole)


def test_players_that_the_law_book_is_not_for_are_refused_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="gamerules-3 is for 3 players: say who sits where"):
        pipeline.review(tmp_path / "no video.mp4", tmp_path / "out", "gamerules-3")
    with pytest.raises(BadInput, match="icf is for 2 or 4 players, 1 is named"):
        pipeline.review(tmp_path / "no video.mp4", tmp_path / "out", "icf", PLAYERS[:1])
    assert not list(tmp_path.iterdir())
