"""The board's corners given by hand (`--corners`), for pictures in which the board is not found or found wrongly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np

from models.errors import BadInput
from vision.types import BY_HAND, Array, Calibration, NoBoard

EXAMPLE: Final = "60,70 660,72 655,668 58,660"
"""What the option looks like; stands in complaints."""
NAMES: Final = ("upper left", "upper right", "lower right", "lower left")
"""The corners in the order in which they are given."""
LEAST_SIDE: Final = 0.05
"""A side is at least this part of the picture's longer side: below it no piece could be seen."""
LARGEST: Final = 1e6
"""No picture has so many pixels along a side."""
BEYOND: Final = 2.0
"""So many times the picture's longer side a corner may at most lie outside it."""
HINT: Final = "if there is one after all, give its corners: --corners (see --help)"


def parse_corners(text: str) -> Array:
    """Read the corners of the playing surface: upper left, upper right, lower right, lower left.

    Parameters
    ----------
    text : str
        Four pairs `x,y` of picture pixels, parted by spaces or semicolons.

    Returns
    -------
    ndarray, shape (4, 2)
        Pixels; may lie outside the picture.

    Raises
    ------
    BadInput
        If it is not four pairs of finite numbers, or they are no convex outline in this order.
    """
    pairs = [p for p in re.split(r"[\s;]+", text.strip()) if p]
    if len(pairs) != 4:
        raise BadInput(f'--corners: four pairs x,y are needed, such as "{EXAMPLE}", here {"is" if len(pairs) == 1 else "are"} {len(pairs)}')
    corners = np.array([_pair(p) for p in pairs])
    sides = np.roll(corners, -1, axis=0) - corners
    turns = sides[:, 0] * np.roll(sides, -1, axis=0)[:, 1] - sides[:, 1] * np.roll(sides, -1, axis=0)[:, 0]
    if not ((turns > 0).all() or (turns < 0).all()):
        raise BadInput(f"--corners: the four are no convex outline in this order; right is {', '.join(NAMES)}")
    ordered = _in_order(corners)
    if not np.array_equal(ordered, corners):
        right = " ".join(f"{x:g},{y:g}" for x, y in ordered)
        raise BadInput(f'--corners: the order is {", ".join(NAMES)}; right would be "{right}"')
    return corners


def _pair(text: str) -> tuple[float, float]:
    try:
        x, y = (float(v) for v in text.split(","))
    except ValueError:
        raise BadInput(f'--corners: {text!r} is no pair of numbers x,y; right is "{EXAMPLE}"') from None
    if not (abs(x) <= LARGEST and abs(y) <= LARGEST):
        raise BadInput(f"--corners: {text!r} is no place in a picture; its numbers must be finite, and {LARGEST:g} at most")
    return x, y


def _in_order(corners: Array) -> Array:
    """Convex corners clockwise as one sees them, from the one whose side goes rightwards along the top."""
    sides = np.roll(corners, -1, axis=0) - corners
    if sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0] < 0:
        corners = corners[::-1]
    starts = [np.roll(corners, -k, axis=0) for k in range(4)]
    # The upper side's direction must be the one nearest to the picture's own x axis.
    return max(starts, key=lambda c: float((c[1] - c[0] + c[2] - c[3])[0] - abs((c[1] - c[0] + c[2] - c[3])[1])))


def given_calibration(corners: Array, size: tuple[int, int]) -> Calibration:
    """The calibration that corners given by hand make: taken as they are, without a lens's distortion.

    Parameters
    ----------
    corners : ndarray, shape (4, 2)
        As `parse_corners` gives them.
    size : tuple of int
        Width and height of the picture (px).

    Raises
    ------
    BadInput
        If the outline is too small, or a corner lies far outside the picture.
    """
    longer = max(size)
    lengths = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    if lengths.min() < LEAST_SIDE * longer:
        raise BadInput(
            f"--corners: a side of {lengths.min():.0f} px is too short in a picture of {size[0]} x {size[1]}; "
            f"at least {LEAST_SIDE * longer:.0f} are needed"
        )
    beyond = np.maximum(-corners, corners - np.array(size)).max(axis=1)
    if beyond.max() > BEYOND * longer:
        k = int(beyond.argmax())
        raise BadInput(
            f"--corners: the {NAMES[k]} corner lies {beyond[k]:.0f} px outside the picture of {size[0]} x {size[1]}; "
            f"at most {BEYOND * longer:.0f} can be meant"
        )
    return Calibration(corners, size, reasons=BY_HAND)


@contextmanager
def corners_hint() -> Iterator[None]:
    """Where no board is found, say what the user can do."""
    try:
        yield
    except NoBoard as e:
        raise NoBoard(f"{e}; {HINT}") from e
