"""A film whose camera is moved or whose light changes on the way: made from another film's frames by warping them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from models.files import replacing

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Frames = Iterable[tuple[float, Image]]

CRF: Final = "20"
TICKS: Final = 90_000
"""Ticks per second of a film's clock."""


@dataclass(frozen=True)
class Move:
    """The camera goes to another place and stays there.

    Attributes
    ----------
    t, seconds : float
        When it begins and how long it takes (s).
    matrix : ndarray, shape (3, 3)
        From a pixel before to its place after.
    """

    t: float
    seconds: float
    matrix: Array

    def at(self, t: float) -> Array:
        """The matrix at a time (s): none before, an even way to the last."""
        u = float(np.clip((t - self.t) / max(self.seconds, 1e-9), 0, 1)) if t > self.t else 0.0
        return np.asarray((1 - u) * np.eye(3) + u * self.matrix / self.matrix[2, 2], np.float64)


@dataclass(frozen=True)
class Relit:
    """Another light from `t` (s) on: factors of blue, green and red, `slope` more of them on the right side than on the left."""

    t: float
    factors: tuple[float, float, float]
    slope: float = 0.0


@dataclass(frozen=True)
class Takes:
    """What is done to a film.

    Attributes
    ----------
    size : tuple of int
        Width and height of the new pictures (px, even).
    view : ndarray, shape (3, 3)
        From the old film's pixels to the new one's, before any move.
    """

    size: tuple[int, int]
    view: Array
    moves: Sequence[Move] = ()
    lights: Sequence[Relit] = ()

    def matrix(self, t: float) -> Array:
        """From the old film's pixels to the new one's at a time (s)."""
        m = self.view
        for move in self.moves:
            m = move.at(t) @ m
        return m

    def frames(self, film: Frames) -> Iterator[tuple[float, Image]]:
        """The new film's frames from the old one's: pairs of a time (s) and a picture (BGR)."""
        for t, picture in film:
            new = cv2.warpPerspective(picture, self.matrix(t), self.size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
            for light in self.lights:
                if t >= light.t:
                    across = 1 + light.slope * np.linspace(-0.5, 0.5, self.size[0])[None, :, None]
                    new = np.clip(new * (across * np.array(light.factors)), 0, 255).astype(np.uint8)
            yield t, np.asarray(new, np.uint8)


def centred(size: tuple[int, int], degrees: float = 0.0, zoom: float = 1.0, shift: tuple[float, float] = (0.0, 0.0)) -> Array:
    """A turn (clockwise as seen) and a change of size about the middle of a picture of `size`, then a shift (px): shape (3, 3)."""
    m = np.eye(3)
    m[:2] = cv2.getRotationMatrix2D((size[0] / 2, size[1] / 2), -degrees, zoom)
    m[:2, 2] += np.asarray(shift)
    return m


def write_film(path: Path, frames: Frames, rate: float) -> None:
    """Write a film (H.264), whole or not at all.

    Parameters
    ----------
    rate : float
        What the file tells as its frames a second; the frames keep their own times.

    Raises
    ------
    BadInput
        If `path` cannot be written.
    """
    with replacing(path) as part, av.open(str(part), "w", format="mp4") as out:
        stream = out.add_stream("libx264", rate=Fraction(rate).limit_denominator(1001), options={"crf": CRF, "preset": "ultrafast"})
        stream.pix_fmt = "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, TICKS)
        for t, picture in frames:
            if not stream.codec_context.is_open:
                stream.width, stream.height = picture.shape[1], picture.shape[0]
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = round(t * TICKS), Fraction(1, TICKS)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
