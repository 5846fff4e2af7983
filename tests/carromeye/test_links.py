"""Results go through symbolic links: the link stays, what it names is written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from carromeye.trajectories import TrajectoryWriter
from reports.video import AnnotatedVideo


@pytest.fixture
def far(tmp_path: Path) -> Path:
    """A folder to which links lead; skips where none can be made."""
    out = tmp_path / "far"
    out.mkdir()
    try:
        (tmp_path / "probe").symlink_to(out)
    except OSError:
        pytest.skip("this account may make no symbolic links")
    return out


def test_videos_and_trajectories(tmp_path: Path, far: Path) -> None:
    film, table = tmp_path / "v.mp4", tmp_path / "t.parquet"
    for path in (film, table):
        path.symlink_to(far / path.name)
    with AnnotatedVideo(film) as video:
        video.write(np.zeros((160, 160, 3), np.uint8), 0.0)
    TrajectoryWriter(table).close()
    assert film.is_symlink() and table.is_symlink()
    assert sorted(p.name for p in far.iterdir()) == ["t.parquet", "v.mp4"]
