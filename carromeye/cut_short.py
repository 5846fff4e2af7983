"""Whether a video breaks off before its own length: a damaged one is read as far as it goes, and the user is told how far."""

from __future__ import annotations

from typing import Final

from vision.video import Frame, VideoInfo, read_video

CUT_SHORT_S: Final = 2.0
"""A video that ends so much (s) before its own length is damaged; sound may go on a little longer than pictures."""


def cut_short(info: VideoInfo, reached: float) -> str | None:
    """The warning for a video whose last frame that can be read is at `reached` (s); None where it is whole or tells no length."""
    if not info.duration or reached >= info.duration - CUT_SHORT_S:
        return None
    return f"the video is {info.duration:.0f} s long but can be read only up to {reached:.0f} s: it is damaged or cut off"


def cut_short_of(info: VideoInfo, samples: list[Frame], asked: int) -> str | None:
    """The same from `samples`, frames of which `asked` were to be spread over the video.

    Only where none lies in the video's last part is it read to its end.
    """
    if not info.duration or cut_short(info, samples[-1].t + info.duration / asked) is None:
        return None
    reached = samples[-1].t
    for frame in read_video(info):
        reached = frame.t
    return cut_short(info, reached)
