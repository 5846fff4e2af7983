"""Results go through symbolic links: the link stays, what it names is written."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from carromeye.commands.label import run as label
from carromeye.trajectories import TrajectoryWriter
from models.scene.camera import look
from models.scene.render import Renderer
from models.scene.style import tournament_style
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


def test_labels_go_into_the_folder_that_a_link_names(tmp_path: Path, far: Path) -> None:
    renderer = Renderer(tournament_style(np.random.default_rng(5)), look((640, 640), tilt=8), seed=5)
    cv2.imwrite(str(tmp_path / "board.png"), renderer.frame([]))
    (tmp_path / "labels").symlink_to(far)
    label(tmp_path / "board.png", tmp_path / "labels", 1, None)
    assert (tmp_path / "labels").is_symlink()
    assert [p.name for p in (far / "images").iterdir()] == ["board.jpg"]
    assert not [p for p in tmp_path.iterdir() if p.suffix == ".part"]
