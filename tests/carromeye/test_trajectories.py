"""trajectories.parquet is one review's, whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from carromeye import trajectories
from carromeye.trajectories import TrajectoryWriter, read_frames
from models.errors import BadInput
from models.homography import Homography
from tracking.table import Row


def test_two_reviews_into_one_folder_at_once_do_not_mix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trajectories, "CHUNK", 1)
    writers = []
    for process in (101, 102):
        monkeypatch.setattr("models.files.os.getpid", lambda pid=process: pid)
        writers.append(TrajectoryWriter(tmp_path / "t.parquet"))
    for k in range(3):
        for who, writer in enumerate(writers):
            writer.add([Row(k, float(k), f"white{who}", "white", 100.0, 200.0, 0.0, 0.0, "rest", True)])
    for who, writer in enumerate(writers):
        writer.close()
        frames = list(read_frames(tmp_path / "t.parquet"))
        assert [(t, [row.piece for row in rows]) for t, rows in frames] == [(float(k), [f"white{who}"]) for k in range(3)]
    assert [p.name for p in tmp_path.iterdir()] == ["t.parquet"]


OFF = Homography(np.array([[1.0, 0.0, 3.0], [0.0, 1.0, -2.0], [0.0, 0.0, 1.0]]))


def row(k: int, x: float, state: str = "rest") -> Row:
    return Row(k, float(k), "white1", "white", x, 200.0, 5.0, -1.0, state, True)


def test_what_was_written_before_a_correction_was_known_is_corrected_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trajectories, "CHUNK", 2)
    writer = TrajectoryWriter(tmp_path / "t.parquet")
    for k in range(5):
        writer.add([row(k, 100.0 + k)])
    writer.add([row(5, 22.25, "pocketed"), row(6, 739.0)])
    writer.correct(OFF, 740.0)
    writer.close()
    rows = [r for _, own in read_frames(tmp_path / "t.parquet") for r in own]
    assert [r.x for r in rows] == [103.0, 104.0, 105.0, 106.0, 107.0, 22.25, 740.0]  # what fell lies in its pocket, the rest on the board
    assert [r.y for r in rows] == [198.0] * 5 + [200.0, 198.0]
    assert {(r.vx, r.vy) for r in rows} == {(5.0, -1.0)}
    assert [p.name for p in tmp_path.iterdir()] == ["t.parquet"]


def test_a_correction_that_fails_leaves_all_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = TrajectoryWriter(tmp_path / "t.parquet")
    writer.add([row(0, 100.0)])

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(trajectories, "corrected", full)
    with pytest.raises(BadInput, match="No space left"):
        writer.correct(OFF, 740.0)
    writer.close()
    assert [own[0].x for _, own in read_frames(tmp_path / "t.parquet")] == [100.0]
    assert [p.name for p in tmp_path.iterdir()] == ["t.parquet"]


def test_nothing_is_corrected_where_nothing_was_written(tmp_path: Path) -> None:
    writer = TrajectoryWriter(tmp_path / "t.parquet")
    writer.correct(OFF, 740.0)
    writer.close()
    assert list(read_frames(tmp_path / "t.parquet")) == []
