"""trajectories.parquet is one review's, whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from carromeye import trajectories
from carromeye.trajectories import TrajectoryWriter, read_frames
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
