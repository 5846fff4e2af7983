"""A pen that draws in board millimetres on a canvas, steadily or by hand."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from models.scene.looks import Bgr

_SHIFT = 4


class Pen:
    """Draws on `canvas` (uint8 BGR), which has `px_per_mm` and begins at (`origin`, `origin`) mm.

    `jitter` (mm) is how far a hand strays from the line.
    """

    def __init__(self, canvas: NDArray[np.uint8], px_per_mm: float, origin: float, rng: Generator, jitter: float = 0.0) -> None:
        self.canvas, self.k, self.origin, self.rng, self.jitter = canvas, px_per_mm, origin, rng, jitter

    def px(self, mm: ArrayLike) -> NDArray[np.int32]:
        """Fixed-point pixels of points, shape (n, 2)."""
        p = (np.asarray(mm, np.float64).reshape(-1, 2) - self.origin) * self.k
        return np.asarray(np.round(p * 2**_SHIFT), np.int32)

    def thickness(self, mm: float) -> int:
        """Line thickness in whole pixels, at least 1."""
        return max(1, round(mm * self.k))

    def line(self, points: ArrayLike, colour: Bgr, width: float, closed: bool = False) -> None:
        """A polyline; `width` in mm."""
        p = np.asarray(points, np.float64).reshape(-1, 2)
        if self.jitter:
            p = p + self.rng.normal(0, 0.4 * self.jitter, p.shape)
        cv2.polylines(self.canvas, [self.px(p).reshape(-1, 1, 2)], closed, colour, self.thickness(width), cv2.LINE_AA, _SHIFT)

    def polygon(self, points: ArrayLike, colour: Bgr) -> None:
        """A filled polygon."""
        cv2.fillPoly(self.canvas, [self.px(points).reshape(-1, 1, 2)], colour, cv2.LINE_AA, _SHIFT)

    def circle(self, x: float, y: float, radius: float, colour: Bgr, width: float = 0.0) -> None:
        """A circle; filled if `width` is 0."""
        c = self.px([[x, y]])[0]
        t = self.thickness(width) if width else -1
        cv2.circle(self.canvas, (int(c[0]), int(c[1])), round(radius * self.k * 2**_SHIFT), colour, t, cv2.LINE_AA, _SHIFT)

    def arc(self, x: float, y: float, radius: float, start: float, end: float, colour: Bgr, width: float) -> None:
        """An arc from angle `start` to `end` (degrees, x right, y down)."""
        a = np.radians(np.linspace(start, end, 40))
        self.line(np.c_[x + radius * np.cos(a), y + radius * np.sin(a)], colour, width)

    def arrowhead(self, x: float, y: float, angle: float, size: float, colour: Bgr, filled: bool = True) -> None:
        """A head that points along `angle` (degrees) with its tip at (x, y); `size` in mm."""
        a = np.radians([angle, angle + 155, angle - 155])
        p = np.array([[x, y], [x + size * np.cos(a[1]), y + size * np.sin(a[1])], [x + size * np.cos(a[2]), y + size * np.sin(a[2])]])
        if filled:
            self.polygon(p, colour)
        else:
            self.line(p[[1, 0, 2]], colour, 0.8)

    def text(self, words: str, x: float, y: float, height: float, quarter_turns: int, colour: Bgr, font: int) -> None:
        """Text centred on (x, y), its capitals `height` mm high, turned by quarters."""
        scale, thick = height * self.k / 21, max(1, round(height * self.k / 14))
        (w, h), base = cv2.getTextSize(words, font, scale, thick)
        ink = np.zeros((h + base + 4, w + 4), np.uint8)
        cv2.putText(ink, words, (2, h + 1), font, scale, (255,), thick, cv2.LINE_AA)
        ink = np.ascontiguousarray(np.rot90(ink, quarter_turns))
        cx, cy = ((np.array([x, y]) - self.origin) * self.k).astype(int)
        self.stamp(ink, int(cx - ink.shape[1] // 2), int(cy - ink.shape[0] // 2), colour)

    def stamp(self, mask: NDArray[np.uint8], left: int, top: int, colour: Sequence[float]) -> None:
        """Colour the canvas through `mask` whose upper left corner is at pixel (left, top)."""
        h, w = self.canvas.shape[:2]
        x0, y0, x1, y1 = max(0, left), max(0, top), min(w, left + mask.shape[1]), min(h, top + mask.shape[0])
        if x1 <= x0 or y1 <= y0:
            return
        m = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255
        part = self.canvas[y0:y1, x0:x1]
        part[:] = (part * (1 - m) + np.asarray(colour, np.float32)[:3] * m).astype(np.uint8)
