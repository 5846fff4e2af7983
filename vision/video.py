"""Video in: frames with their own presentation times, upright, one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np

from models.errors import BadInput
from vision.types import MIN_SIDE_PX, Image


@dataclass(frozen=True)
class VideoInfo:
    """What a video says of itself.

    Attributes
    ----------
    size : tuple of int
        Width and height of the upright picture (px).
    rate : float
        Average frames a second; only for progress and as an encoder's hint, never for timing.
    duration : float or None
        Seconds, where the file tells.
    rotation : int
        Degrees that the decoder's picture is turned anticlockwise to stand upright: 0, 90, 180 or 270.
    """

    path: Path
    size: tuple[int, int]
    rate: float
    duration: float | None
    rotation: int


@dataclass(frozen=True)
class Frame:
    """One frame: its index, its presentation time (s, the first frame's is 0 unless the file says otherwise), its picture."""

    index: int
    t: float
    _raw: Any
    _rotation: int

    def image(self) -> Image:
        """The upright BGR picture, shape (height, width, 3)."""
        return _upright(self._raw.to_ndarray(format="bgr24"), self._rotation)

    def grey(self) -> Image:
        """The upright luma picture, shape (height, width); much cheaper than `image`."""
        return _upright(self._raw.to_ndarray(format="gray"), self._rotation)


def _upright(picture: Image, rotation: int) -> Image:
    return np.ascontiguousarray(np.rot90(picture, rotation // 90)) if rotation else picture


def _open(path: Path) -> tuple[Any, Any]:
    if not path.exists():
        raise BadInput(f"{path}: no such file")
    if path.is_dir():
        raise BadInput(f"{path}: is a folder, not a video")
    if path.stat().st_size == 0:
        raise BadInput(f"{path}: is empty (0 bytes)")
    try:
        # Network protocols and play lists stay closed: an untrusted file must not make the decoder open others.
        container = av.open(str(path), options={"protocol_whitelist": "file"})
    except (av.FFmpegError, ValueError) as e:
        raise BadInput(f"{path}: is not a video that can be read ({getattr(e, 'strerror', None) or e})") from e
    if not container.streams.video:
        container.close()
        raise BadInput(f"{path}: holds no video stream")
    stream = container.streams.video[0]
    stream.thread_type = "AUTO"
    return container, stream


def video_info(path: Path) -> VideoInfo:
    """Read a video's size, rate, duration and rotation.

    Raises
    ------
    BadInput
        If the file is missing, empty, no video, or has no frame that can be decoded.
    """
    container, stream = _open(path)
    with container:
        try:
            raw = next(container.decode(stream), None)
        except av.FFmpegError as e:
            raise BadInput(f"{path}: no frame can be decoded ({e.strerror or e})") from e
        if raw is None:
            raise BadInput(f"{path}: holds no frame")
        rotation = int(round(raw.rotation / 90) * 90) % 360
        size = (raw.width, raw.height) if rotation % 180 == 0 else (raw.height, raw.width)
        if min(size) < MIN_SIDE_PX:
            raise BadInput(f"{path}: the picture is only {size[0]} x {size[1]} pixels; at least {MIN_SIDE_PX} are needed")
        duration = float(stream.duration * stream.time_base) if stream.duration else None
        if duration is None and container.duration:
            duration = container.duration / av.time_base
        return VideoInfo(path, size, float(stream.average_rate or 30), duration, rotation)


def read_video(info: VideoInfo) -> Iterator[Frame]:
    """Every frame of a video in order of presentation, in constant memory.

    A file that breaks off is read as far as it goes. Frames without a time, or whose time does not rise, are
    passed over: nothing can be said of when they were.
    """
    container, stream = _open(info.path)
    with container:
        last = -np.inf
        try:
            for index, raw in enumerate(container.decode(stream)):
                if raw.time is None or raw.time <= last or raw.width != _coded(info)[0] or raw.height != _coded(info)[1]:
                    continue
                last = raw.time
                yield Frame(index, float(raw.time), raw, info.rotation)
        except av.FFmpegError:
            if last == -np.inf:
                raise BadInput(f"{info.path}: no frame can be decoded") from None


def _coded(info: VideoInfo) -> tuple[int, int]:
    return info.size if info.rotation % 180 == 0 else (info.size[1], info.size[0])


def sample_video(info: VideoInfo, count: int) -> list[Frame]:
    """About `count` frames spread over the whole video, by seeking to key frames; fewer of a short one."""
    if not info.duration:
        return [f for f, _ in zip(read_video(info), range(count), strict=False)]
    container, stream = _open(info.path)
    frames: dict[float, Frame] = {}
    with container:
        start = float((stream.start_time or 0) * stream.time_base)
        for target in start + np.linspace(0, info.duration, count, endpoint=False):
            try:
                container.seek(int(target / stream.time_base), stream=stream)
                for raw in container.decode(stream):
                    if raw.time is None or raw.time + 0.5 / info.rate < target:
                        continue
                    frames.setdefault(raw.time, Frame(-1, float(raw.time), raw, info.rotation))
                    break
            except av.FFmpegError:
                continue
    return [frames[t] for t in sorted(frames)] or [f for f, _ in zip(read_video(info), range(count), strict=False)]
