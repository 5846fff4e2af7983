"""`carromeye calibrate`: find the board and draw what was found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from carromeye.corners import NAMES, corners_hint, given_calibration, parse_corners
from carromeye.cut_short import cut_short_of
from vision.calibration import KINDS, calibrate_frames, find_board
from vision.landmarks import same_views
from vision.markings import markings
from vision.overlay import draw_calibration
from vision.picture import is_picture, picture_name, read_picture, write_picture
from vision.types import Array, Calibration, Image, NoBoard
from vision.video import sample_video, video_info

FAR_OFF: Final = 0.05
"""Corners by hand that are this far (part of a side) from those that are found are asked about."""
FRAMES: Final = 9
"""Frames of a video whose median is looked at."""


def run(source: Path, out: Path, corners: str | None = None) -> None:
    """Find the board in a picture or a video, write the picture that shows it, say what was found.

    Raises
    ------
    BadInput
        If `corners` cannot be used (see `carromeye.corners`), there is no board, or `out` cannot be written; no file is left then.
    """
    picture_name(source, out)
    by_hand = None if corners is None else parse_corners(corners)
    with corners_hint():
        image, calibration, note = _found(source, by_hand)
    write_picture(out, draw_calibration(image, calibration))
    print(f"board found, confidence {calibration.confidence:.2f}: {'; '.join(calibration.reasons)}")
    print(f"board turned by {round(calibration.turned())} degrees in the picture; markings: {KINDS[calibration.kind]}")
    for name, (x, y) in zip(NAMES, calibration.outline(), strict=True):
        print(f"  {name:12} {x:9.1f} {y:9.1f}")
    if note:
        print(f"note: {note}")
    print(f"written: {out}")


def _found(source: Path, by_hand: Array | None) -> tuple[Image, Calibration, str | None]:
    """The picture to draw on, the calibration, and what the user should know of the video."""
    if is_picture(source):
        image = read_picture(source)
        if by_hand is None:
            return image, find_board(image, str(source)), None
        return image, _given(by_hand, image), _other_board(by_hand, image)
    info = video_info(source)
    frames = sample_video(info, FRAMES)
    images = [frame.image() for frame in frames]
    # A camera that is moved on the way shows several views; what counts is the one that lasts longest.
    images = [images[i] for i in same_views(images)[0]]
    image = images[len(images) // 2]
    calibration = calibrate_frames(images, str(source)) if by_hand is None else _given(by_hand, image)
    other = None if by_hand is None else _other_board(by_hand, image)
    return image, calibration, cut_short_of(info, frames, FRAMES) or other


def _other_board(corners: Array, image: Image) -> str | None:
    """What to tell a person whose corners are far from those of the board that is found without them."""
    try:
        found = find_board(image)
    except NoBoard:
        return None
    outline = found.outline()
    side = float(np.linalg.norm(outline - np.roll(outline, 1, 0), axis=1).mean())
    off = min(float(np.linalg.norm(np.roll(corners, k, 0) - outline, axis=1).max()) for k in range(4))
    if off < FAR_OFF * side:
        return None
    return f"without --corners the board is found elsewhere, with confidence {found.confidence:.2f}: are these the surface's corners?"


def _given(corners: Array, image: Image) -> Calibration:
    calibration = given_calibration(corners, (image.shape[1], image.shape[0]))
    return replace(calibration, kind=markings(image, calibration.corners).kind())
