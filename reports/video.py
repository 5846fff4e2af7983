"""The annotated video: H.264 that browsers play, at the source's own presentation times."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import av
import cv2
import numpy as np
from av.video.frame import PictureType, VideoFrame
from av.video.stream import VideoStream

from models.errors import BadInput
from models.files import part_of, written_to
from reports.overlay import Image, Overlay, draw_overlay

MAX_WIDTH: Final = 1280
MAX_HEIGHT: Final = 1440
"""Largest picture that is written (px, strips not counted); larger frames are made smaller, none larger."""
TICKS: Final = 90_000
"""Ticks per second of the file's clock."""
KEYFRAME_EVERY: Final = 1.0
"""A jump lands on a key frame at most this much before its target (s)."""
NOMINAL_RATE: Final = 30
"""Frames per second that the encoder plans with; the times written are the frames' own."""
OPTIONS: Final[Mapping[str, str]] = {"preset": "veryfast", "crf": "23", "forced-idr": "1", "x264-params": "keyint=600:scenecut=0"}


class AnnotatedVideo:
    """Writes frames as they come, in constant memory.

    The file has a temporary name until it is complete. Leaving the `with` block renames it; an exception other than
    `KeyboardInterrupt` removes it; after Ctrl-C what was written is finished so that it plays. A symbolic link stays: what
    it names is replaced.

    Parameters
    ----------
    path : Path
        Ends in `.mp4`.
    max_width, max_height : int
        Largest picture (px), strips not counted.
    threads : int
        Threads of the encoder; 0 leaves it to the encoder.

    Attributes
    ----------
    scale : float
        Size of the written picture over that of the frames; 1 before the first frame.
    frames : int
        Frames written so far.

    Raises
    ------
    BadInput
        If the file cannot be written.
    """

    def __init__(self, path: Path, max_width: int = MAX_WIDTH, max_height: int = MAX_HEIGHT, threads: int = 0) -> None:
        self.path = path
        self.scale = 1.0
        self.frames = 0
        self._target = written_to(path)
        self._part = part_of(self._target)
        self._limit = (max_width, max_height)
        self._threads = threads
        self._source: tuple[int, int] | None = None
        self._picture = (0, 0)
        self._last = -1
        self._last_key = -TICKS * KEYFRAME_EVERY
        self._stream: VideoStream | None = None
        self._closed = False
        try:
            self._part.touch()
            self._container = av.open(str(self._part), "w", format="mp4", options={"movflags": "+faststart"})
        except OSError as e:
            raise BadInput(f"cannot write {path}: {e.strerror or e}") from e

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close(keep=kind is None or issubclass(kind, KeyboardInterrupt))

    def write(self, frame: Image, t: float, overlay: Overlay | None = None) -> None:
        """Add one frame.

        Parameters
        ----------
        frame : ndarray, shape (h, w, 3), uint8
            Blue, green, red; all frames of one size. Is left as it is.
        t : float
            Presentation time (s), not below 0 and later than the last frame's. A frame that is not later than the one before is left out.
        overlay : Overlay or None
            Drawn over the frame, in the frame's own pixels. The text strips are there with or without it.

        Raises
        ------
        ValueError
            If the frame is of another size than the first, or `t` is negative or not finite.
        """
        if not (np.isfinite(t) and t >= 0):
            raise ValueError(f"presentation time {t} s")
        pts = round(t * TICKS)
        if pts <= self._last:
            return
        size = (frame.shape[1], frame.shape[0])
        if self._source is None:
            self._source = size
            self.scale = min(1.0, self._limit[0] / size[0], self._limit[1] / size[1])
            self._picture = (_even(size[0] * self.scale), _even(size[1] * self.scale))
        elif size != self._source:
            raise ValueError(f"frame of {size[0]} x {size[1]} px in a video of {self._source[0]} x {self._source[1]} px")
        picture = draw_overlay(self._fit(frame), (overlay or Overlay()).scaled(self.scale))
        if self._stream is None:
            self._stream = self._add_stream(picture.shape[1], picture.shape[0])
            if pts > 0:
                # Players take the first frame for the time 0: a still from 0 on keeps their clock the source's.
                self._encode(picture, 0)
        self._encode(picture, pts)
        self.frames += 1

    def close(self, keep: bool = True) -> None:
        """Finish the file and give it its name; with `keep` False, or without a frame, leave nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            if self._stream is not None and keep:
                for packet in self._stream.encode(None):
                    self._container.mux(packet)
            self._container.close()
            if keep and self.frames:
                self._part.replace(self._target)
        except OSError as e:
            raise BadInput(f"cannot write {self.path}: {e.strerror or e}") from e
        finally:
            with suppress(OSError):
                self._part.unlink()

    def _fit(self, frame: Image) -> Image:
        w, h = self._picture
        if self.scale < 1:
            return np.asarray(cv2.resize(frame, (w, h), interpolation=cv2.INTER_AREA), np.uint8)
        right, below = w - frame.shape[1], h - frame.shape[0]
        if right or below:
            return np.asarray(cv2.copyMakeBorder(frame, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
        return frame

    def _add_stream(self, width: int, height: int) -> VideoStream:
        stream = self._container.add_stream("libx264", rate=NOMINAL_RATE, options=dict(OPTIONS))
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, TICKS)
        stream.codec_context.thread_count = self._threads
        # OpenCV's conversion is BT.601 in the limited range; the file says so, or players guess by size.
        stream.codec_context.color_range = 1
        stream.codec_context.colorspace = stream.codec_context.color_primaries = stream.codec_context.color_trc = 6
        return stream

    def _encode(self, picture: Image, pts: int) -> None:
        assert self._stream is not None
        planes = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420), np.uint8)
        frame = VideoFrame.from_ndarray(planes, format="yuv420p")
        frame.pts, frame.time_base = pts, Fraction(1, TICKS)
        if pts - self._last_key >= KEYFRAME_EVERY * TICKS:
            frame.pict_type = PictureType.I
            self._last_key = pts
        for packet in self._stream.encode(frame):
            self._container.mux(packet)
        self._last = pts


def _even(length: float) -> int:
    """The even number of pixels that holds `length`."""
    return max(2, 2 * int(np.ceil(round(length, 6) / 2)))
