"""Still pictures in and out."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.errors import BadInput
from models.files import PICTURES, read_bytes, refuse_same, replacing
from vision.types import MIN_SIDE_PX, Image

MOST_BYTES: Final = 500_000_000
"""Of a picture's file."""
MOST_SIDE_PX: Final = 32_000
"""OpenCV straightens no picture of more than 32766 px a side."""


def is_picture(path: Path) -> bool:
    """Whether a path names a still picture, by its ending; all others are read as videos."""
    return path.suffix.lower() in PICTURES


def picture_name(source: Path, out: Path) -> None:
    """Show, before the work, that `out` can be a picture's name and is not the source itself.

    Raises
    ------
    BadInput
    """
    if not is_picture(out):
        raise BadInput(f"cannot write {str(out)!r}: name a picture, such as board.png")
    refuse_same(source, out)


def read_picture(path: Path) -> Image:
    """Read a picture upright (as its EXIF orientation says): BGR, shape (h, w, 3).

    Raises
    ------
    BadInput
        If the file is missing, empty, no ordinary file or no picture, or the picture is too small or too large.
    """
    if not path.exists():
        raise BadInput(f"{path}: no such file")
    if path.is_dir():
        raise BadInput(f"{path}: is a folder, not a picture")
    data = np.frombuffer(read_bytes(path, MOST_BYTES), np.uint8)
    if not data.size:
        raise BadInput(f"{path}: is empty (0 bytes)")
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None:
        raise BadInput(f"{path}: is not a picture that can be read")
    if min(image.shape[:2]) < MIN_SIDE_PX:
        raise BadInput(f"{path}: the picture is only {image.shape[1]} x {image.shape[0]} pixels; at least {MIN_SIDE_PX} are needed")
    if max(image.shape[:2]) > MOST_SIDE_PX:
        raise BadInput(f"{path}: the picture has {image.shape[1]} x {image.shape[0]} pixels; a side may have {MOST_SIDE_PX} at most")
    return np.asarray(image, np.uint8)


def write_picture(out: Path, image: Image) -> None:
    """Write a picture (BGR), whole or not at all, in the form that the name's ending says.

    Raises
    ------
    BadInput
        If no picture of this kind can be made, or `out` cannot be written to.
    """
    suffix = out.suffix.lower()
    done, data = cv2.imencode(suffix, image)
    if not done:
        raise BadInput(f"cannot write {out}: no picture of kind {suffix} can be made, .png can")
    with replacing(out) as part:
        part.write_bytes(np.asarray(data).tobytes())
