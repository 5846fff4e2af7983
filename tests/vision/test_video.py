"""Videos are read with their own times, upright, as far as they go."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from models.errors import BadInput
from vision.video import read_video, sample_video, video_info

TIMES = [0.0, 0.033, 0.067, 0.1, 0.3, 0.333, 0.7, 0.71, 0.75, 1.5]


def write_video(path: Path, times: list[float], size: tuple[int, int] = (320, 240), rotate: int = 0) -> Path:
    """A grey video whose frames lighten from left to right, one frame at each of `times`."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=30, options={"preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, 90_000)
        picture = np.tile(np.linspace(0, 255, size[0], dtype=np.uint8)[None, :, None], (size[1], 1, 3))
        for t in times:
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = round(t * 90_000), Fraction(1, 90_000)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    if rotate:
        turn(path, rotate)
    return path


def turn(path: Path, degrees: int) -> None:
    """Write a rotation into the track header's matrix of an MP4 file, as phones do."""
    data = bytearray(path.read_bytes())
    at = data.find(b"tkhd") + 4 + 40  # version and flags, times, layer, group, volume: the matrix follows
    one = 1 << 16
    matrices = {90: (0, one, 0, -one, 0, 0), 180: (-one, 0, 0, 0, -one, 0), 270: (0, -one, 0, one, 0, 0)}
    for k, value in enumerate(matrices[degrees]):
        data[at + 4 * k : at + 4 * k + 4] = int(value).to_bytes(4, "big", signed=True)
    path.write_bytes(bytes(data))


def test_times_are_the_files_own(tmp_path: Path) -> None:
    info = video_info(write_video(tmp_path / "v.mp4", TIMES))
    assert [f.t for f in read_video(info)] == pytest.approx(TIMES, abs=1e-4)


@pytest.mark.parametrize(("degrees", "light"), [(90, "lower"), (180, "left"), (270, "upper")])
def test_a_turned_video_stands_upright(tmp_path: Path, degrees: int, light: str) -> None:
    info = video_info(write_video(tmp_path / "v.mp4", TIMES, rotate=degrees))
    image = next(read_video(info)).image().mean(axis=2)
    assert (image.shape[1], image.shape[0]) == info.size == ((240, 320) if degrees != 180 else (320, 240))
    half = {"lower": image[-20:], "upper": image[:20], "left": image[:, :20]}[light]
    assert half.mean() > 200
    assert next(read_video(info)).grey().shape == image.shape


def test_a_video_that_breaks_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    whole = write_video(tmp_path / "v.mkv", [k / 30 for k in range(200)], (640, 480))
    broken = tmp_path / "broken.mkv"
    broken.write_bytes(whole.read_bytes()[: whole.stat().st_size * 2 // 3])
    assert 0 < len(list(read_video(video_info(broken)))) < 200


def test_samples_are_spread_over_the_video(tmp_path: Path) -> None:
    info = video_info(write_video(tmp_path / "v.mp4", [k / 30 for k in range(300)]))
    times = [f.t for f in sample_video(info, 5)]
    assert times == pytest.approx([0, 2, 4, 6, 8], abs=0.05)


@pytest.mark.parametrize(("content", "says"), [(b"", "empty"), (b"no video at all" * 50, "not a video"), (None, "no such file")])
def test_what_is_no_video_is_refused_in_one_line(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "a.mp4"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadInput, match=says) as e:
        video_info(path)
    assert "\n" not in str(e.value) and str(path) in str(e.value)


def test_sound_without_a_picture_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("aac", rate=44100, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        frame.rate = 44100
        out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    with pytest.raises(BadInput, match="no video stream"):
        video_info(path)
