"""Pictures in: what is none, or cannot be used, is refused in one line."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.errors import BadInput
from vision.picture import read_picture


@pytest.mark.parametrize(("shape", "says"), [((20, 900), "only 900 x 20"), ((200, 33_000), "33000 x 200 pixels; a side may have")])
def test_sizes_that_cannot_be_used_are_refused(tmp_path: Path, shape: tuple[int, int], says: str) -> None:
    cv2.imwrite(str(tmp_path / "picture.png"), np.zeros((*shape, 3), np.uint8))
    with pytest.raises(BadInput, match=says):
        read_picture(tmp_path / "picture.png")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no named pipes among its files and no /dev/zero to wait for")
def test_a_pipe_and_a_device_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "zero.png").symlink_to("/dev/zero")
    for name in ("pipe.png", "zero.png"):
        with pytest.raises(BadInput, match="no ordinary file"):
            read_picture(tmp_path / name)
