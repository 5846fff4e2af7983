"""`carromeye calibrate`: find the board and draw what was found."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.errors import BadInput
from models.files import replacing
from vision.calibration import calibrate_frames, find_board
from vision.overlay import draw_calibration
from vision.picture import is_picture, picture_name, read_picture
from vision.video import sample_video, video_info

FRAMES: Final = 9
"""Frames of a video whose median is looked at."""


def run(source: Path, out: Path) -> None:
    """Find the board in a picture or a video, write the picture that shows it, say what was found.

    Raises
    ------
    BadInput
        If there is no board, or `out` cannot be written; no file is left then.
    """
    picture_name(source, out)
    if is_picture(source):
        image = read_picture(source)
        calibration = find_board(image, str(source))
    else:
        images = [frame.image() for frame in sample_video(video_info(source), FRAMES)]
        calibration = calibrate_frames(images, str(source))
        image = images[len(images) // 2]
    suffix = out.suffix.lower()
    done, data = cv2.imencode(suffix, draw_calibration(image, calibration))
    if not done:
        raise BadInput(f"cannot write {out}: no picture of kind {suffix} can be made, .png can")
    with replacing(out) as part:
        part.write_bytes(np.asarray(data).tobytes())
    print(f"board found, confidence {calibration.confidence:.2f}: {'; '.join(calibration.reasons)}")
    for name, (x, y) in zip(("upper left", "upper right", "lower right", "lower left"), calibration.outline(), strict=True):
        print(f"  {name:12} {x:9.1f} {y:9.1f}")
    print(f"written: {out}")
