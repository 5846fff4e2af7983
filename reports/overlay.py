"""What is drawn over a frame of the annotated video, and the drawing.

All coordinates are pixels of the frame that is drawn on. Text stands in strips that are added above and below the
picture, so that nothing covers the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from reports.words import clean

Image: TypeAlias = NDArray[np.uint8]
Points: TypeAlias = NDArray[np.float64]
Bgr: TypeAlias = tuple[int, int, int]

RING: Final[dict[str, Bgr]] = {"white": (255, 255, 255), "black": (0, 0, 0), "queen": (180, 60, 255), "striker": (255, 190, 0)}
"""Ring colour by class (blue, green, red)."""
HALO: Final[dict[str, Bgr]] = {"white": (40, 40, 40), "black": (255, 255, 255), "queen": (255, 255, 255), "striker": (40, 40, 40)}
"""Thin second ring, so that the first is seen on any ground."""
UNKNOWN: Final[Bgr] = (0, 200, 200)
MOVING: Final[Bgr] = (0, 230, 255)
OUTLINE: Final[Bgr] = (120, 220, 60)
STRIP: Final[Bgr] = (28, 24, 22)
INK: Final[Bgr] = (240, 240, 240)
SOFT: Final[Bgr] = (190, 185, 180)
REFERENCE_WIDTH: Final = 960
"""Frame width (px) at which the sizes below hold; they grow with the width."""
LINE_HEIGHT: Final = 30
FOOTER_HEIGHT: Final = 34
BANNER_LINES: Final = 3
TEXT_PAD: Final = 12
"""Sizes of the strips (px at the reference width)."""
FIRST_SIZE: Final = 0.72
SECOND_SIZE: Final = 0.62
"""Font scale of a strip's first line and of the others (at the reference width)."""
SUBPIXEL: Final = 3
"""Fractional bits of the drawing functions' coordinates."""
DASHES: Final = 7
DASH: Final = 0.32
"""Dashes of the ring of a place that was not seen, and how much of the turn they cover (their round ends add to it)."""
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
_WIDE_FONT: Final = int(cv2.__version__.partition(".")[0]) >= 5
"""OpenCV 5 draws Latin, Greek and Cyrillic letters; OpenCV 4 only ASCII."""
_LAST_DRAWN: Final = 0x52F


@dataclass(frozen=True)
class Mark:
    """One disc.

    Attributes
    ----------
    cls : str
        `white`, `black`, `queen`, `striker`; any other class is drawn in a colour of its own.
    x, y, r : float
        Centre and radius (px).
    id : int or None
        The identity to print beside it.
    moving : bool
        Drawn with a second ring.
    observed : bool
        False: the place comes from the physics, not from the picture; the ring is dashed.
    trail : ndarray, shape (n, 2)
        Where it came from, oldest first (px).
    """

    cls: str
    x: float
    y: float
    r: float
    id: int | None = None
    moving: bool = False
    observed: bool = True
    trail: Points | None = None


@dataclass(frozen=True)
class Overlay:
    """All that is drawn over one frame.

    Attributes
    ----------
    pieces : sequence of Mark
    outline : ndarray, shape (4, 2), or None
        Corners of the playing surface (px).
    banner : sequence of str
        Above the picture: the current stroke, what came of it; a line that is too long for the picture's width goes on below itself.
    footer : str
        Below the picture, left: the score.
    clock : str
        Below the picture, right.
    """

    pieces: Sequence[Mark] = ()
    outline: Points | None = None
    banner: Sequence[str] = field(default=())
    footer: str = ""
    clock: str = ""

    def scaled(self, k: float) -> Overlay:
        """The same on a picture that is `k` times as large."""
        if k == 1:
            return self
        marks = [
            replace(m, x=m.x * k, y=m.y * k, r=m.r * k, trail=None if m.trail is None else np.asarray(m.trail, float) * k)
            for m in self.pieces
        ]
        return replace(self, pieces=marks, outline=None if self.outline is None else np.asarray(self.outline, float) * k)


def drawable(text: str) -> bool:
    """Whether the drawing font has every character of `text`."""
    return all(ord(c) <= _LAST_DRAWN for c in text) if _WIDE_FONT else text.isascii()


def strip_heights(width: int) -> tuple[int, int]:
    """Heights (px) of the strips above and below a picture of `width` px; both even."""
    k = width / REFERENCE_WIDTH
    return 2 * round((BANNER_LINES * LINE_HEIGHT + TEXT_PAD) * k / 2), 2 * round(FOOTER_HEIGHT * k / 2)


def draw_overlay(frame: Image, overlay: Overlay) -> Image:
    """A new picture: `frame` with the overlay drawn on it, between the two text strips.

    Parameters
    ----------
    frame : ndarray, shape (h, w, 3), uint8
        Blue, green, red. Is left as it is.

    Returns
    -------
    ndarray, shape (h + both strip heights, w, 3), uint8
    """
    h, w = frame.shape[:2]
    top, bottom = strip_heights(w)
    out = np.empty((top + h + bottom, w, 3), np.uint8)
    out[:top] = _strip(w, top, _wrapped(tuple(overlay.banner), w), "")
    out[top + h :] = _strip(w, bottom, (overlay.footer,), overlay.clock)
    picture = out[top : top + h]
    picture[:] = frame
    draw_marks(picture, overlay)
    return out


def draw_marks(picture: Image, overlay: Overlay) -> None:
    """Draw outline, trails and pieces into `picture` itself, without strips."""
    k = picture.shape[1] / REFERENCE_WIDTH
    thin, thick = max(1, round(k)), max(2, round(2 * k))
    if overlay.outline is not None:
        cv2.polylines(picture, [_fixed(overlay.outline)], True, OUTLINE, thin, cv2.LINE_AA, SUBPIXEL)
    for m in overlay.pieces:
        if m.trail is not None and len(m.trail) > 1:
            _trail(picture, m, thick)
    for m in overlay.pieces:
        _mark(picture, m, k, thin, thick)


def _mark(picture: Image, m: Mark, k: float, thin: int, thick: int) -> None:
    colour, halo = RING.get(m.cls, UNKNOWN), HALO.get(m.cls, (255, 255, 255))
    if not (np.isfinite(m.x) and np.isfinite(m.y) and np.isfinite(m.r)):
        return
    centre = (round(m.x * (1 << SUBPIXEL)), round(m.y * (1 << SUBPIXEL)))
    if m.observed:
        cv2.circle(picture, centre, _sub(m.r + thick), halo, thin, cv2.LINE_AA, SUBPIXEL)
        cv2.circle(picture, centre, _sub(m.r + thick / 2), colour, thick, cv2.LINE_AA, SUBPIXEL)
    else:
        arcs = [_fixed(a) for a in _dashes(m.x, m.y, m.r + thick / 2)]
        cv2.polylines(picture, arcs, False, halo, thick + 2 * thin, cv2.LINE_AA, SUBPIXEL)
        cv2.polylines(picture, arcs, False, colour, thick, cv2.LINE_AA, SUBPIXEL)
    if m.moving:
        cv2.circle(picture, centre, _sub(m.r + 3 * thick), MOVING, thin, cv2.LINE_AA, SUBPIXEL)
    if m.id is not None:
        _label(picture, str(m.id), m.x + 0.75 * (m.r + thick), m.y - 0.75 * (m.r + thick), 0.48 * k, thin)


def _label(picture: Image, text: str, x: float, y: float, size: float, thin: int) -> None:
    at = (round(x), round(y))
    cv2.putText(picture, text, at, _FONT, size, (0, 0, 0), 3 * thin, cv2.LINE_AA)
    cv2.putText(picture, text, at, _FONT, size, (255, 255, 255), thin, cv2.LINE_AA)


def _trail(picture: Image, m: Mark, thick: int) -> None:
    """A line that fades towards its old end, in its class's colour with a contrasting edge."""
    points = np.asarray(m.trail, float)
    points = points[np.isfinite(points).all(axis=1)]
    colour, edge = RING.get(m.cls, UNKNOWN), HALO.get(m.cls, (255, 255, 255))
    cuts = np.linspace(0, len(points) - 1, 4).astype(int)
    for part, (a, b) in enumerate(pairwise(cuts)):
        if b > a:
            line = [_fixed(points[a : b + 1])]
            width = max(1, round(thick * (part + 1) / 3))
            cv2.polylines(picture, line, False, edge, width + 2, cv2.LINE_AA, SUBPIXEL)
            cv2.polylines(picture, line, False, colour, width, cv2.LINE_AA, SUBPIXEL)


def _dashes(x: float, y: float, r: float) -> list[Points]:
    turn = np.linspace(0, 2 * np.pi, DASHES, endpoint=False)[:, None] + np.linspace(0, 2 * np.pi * DASH / DASHES, 4)
    return [np.stack([x + r * np.cos(a), y + r * np.sin(a)], axis=1) for a in turn]


def _sub(length: float) -> int:
    return max(1, round(length * (1 << SUBPIXEL)))


def _fixed(points: Points) -> NDArray[np.int32]:
    return np.round(np.asarray(points, float) * (1 << SUBPIXEL)).astype(np.int32).reshape(-1, 1, 2)


@lru_cache(maxsize=16)
def _wrapped(banner: tuple[str, ...], width: int) -> tuple[str, ...]:
    """The banner's lines, the last one broken at a space into as many as there is room for and as it needs."""
    if not banner or len(banner) >= BANNER_LINES:
        return banner[:BANNER_LINES]
    *first, last = (clean(line) for line in banner)
    k = width / REFERENCE_WIDTH
    size, room = (SECOND_SIZE if first else FIRST_SIZE) * k, width - 2 * round(TEXT_PAD * k)
    lines = [last]
    while len(first) + len(lines) < BANNER_LINES and _width(lines[-1], size) > room:
        words = lines[-1].split(" ")
        fits = max((n for n in range(1, len(words)) if _width(" ".join(words[:n]), size) <= room), default=0)
        if not fits:
            break
        lines[-1:] = [" ".join(words[:fits]), " ".join(words[fits:])]
    return (*first, *lines)


@lru_cache(maxsize=16)
def _strip(width: int, height: int, lines: tuple[str, ...], right: str) -> Image:
    """A strip of text; drawn once for as long as it stays the same."""
    k = width / REFERENCE_WIDTH
    strip = np.full((height, width, 3), STRIP, np.uint8)
    pad, step = round(TEXT_PAD * k), round(LINE_HEIGHT * k)
    room = width - 2 * pad
    first = (height - step * len(lines)) // 2 + round(0.74 * step)
    if right:
        size, span = _fitted(right, 0.6 * k, room)
        cv2.putText(strip, right, (width - pad - span, first), _FONT, size, SOFT, max(1, round(k)), cv2.LINE_AA)
        room -= span + pad
    for i, line in enumerate(lines):
        text = clean(line)
        size, _ = _fitted(text, (FIRST_SIZE if i == 0 else SECOND_SIZE) * k, room)
        colour = INK if i == 0 else SOFT
        cv2.putText(strip, text, (pad, first + i * step), _FONT, size, colour, max(1, round(1.4 * k)), cv2.LINE_AA)
    return strip


def _fitted(text: str, size: float, room: int) -> tuple[float, int]:
    """The font scale, made smaller if `text` would be wider than `room` px, and its width (px)."""
    width = _width(text, size)
    if width > room:
        size *= room / width
        width = room
    return size, int(width)


def _width(text: str, size: float) -> int:
    """Width of a text (px)."""
    return int(cv2.getTextSize(text, _FONT, size, 1)[0][0])
