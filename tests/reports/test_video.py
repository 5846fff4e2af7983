"""The annotated video's file: codec, times, sizes, and what is left when the work is broken off."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from models.errors import BadInput
from reports.overlay import Mark, Overlay, strip_heights
from reports.video import KEYFRAME_EVERY, AnnotatedVideo

TICK = 1 / 90_000
PHONE = np.cumsum([0.0, 0.0333, 0.0334, 0.05, 0.0167, 0.0333, 0.4, 0.0333, 0.0251, 1 / 3])
"""Presentation times as a phone's variable rate gives them (s)."""


def picture(k: int, width: int = 160, height: int = 120) -> np.ndarray:
    frame = np.full((height, width, 3), (30, 60, 200), np.uint8)
    frame[: height // 2, : width // 2] = (20 * k % 256, 100, 50)
    return frame


def written(path: Path, times: list[float] | np.ndarray, width: int = 160, height: int = 120, **options: int) -> Path:
    with AnnotatedVideo(path, **options) as video:
        for k, t in enumerate(times):
            video.write(picture(k, width, height), float(t))
    return path


def read(path: Path) -> tuple[list[float], list[np.ndarray], av.VideoStream]:
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        frames = list(container.decode(stream))
        return [float(f.pts * f.time_base) for f in frames], [f.to_ndarray(format="bgr24") for f in frames], stream


def test_times_are_the_source_s_own(tmp_path: Path) -> None:
    times, _, _ = read(written(tmp_path / "v.mp4", PHONE))
    assert times == pytest.approx(PHONE, abs=TICK)


def test_clock_starts_at_zero_where_the_source_starts_later(tmp_path: Path) -> None:
    times, _, _ = read(written(tmp_path / "v.mp4", PHONE + 3.2))
    assert times == pytest.approx([0.0, *(PHONE + 3.2)], abs=TICK)


def test_browsers_play_it(tmp_path: Path) -> None:
    path = written(tmp_path / "v.mp4", PHONE)
    with av.open(str(path)) as container:
        codec = container.streams.video[0].codec_context
        assert (codec.name, codec.pix_fmt) == ("h264", "yuv420p")
    data = path.read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")  # a browser shows it before all of it is read


@pytest.mark.parametrize(
    ("size", "limits", "expected"),
    [
        ((161, 121), {}, (162, 122)),
        ((160, 120), {}, (160, 120)),
        ((400, 300), {"max_width": 200}, (200, 150)),
        ((90, 401), {"max_height": 201}, (46, 202)),
    ],
)
def test_sizes_are_even_and_bounded(tmp_path: Path, size: tuple[int, int], limits: dict[str, int], expected: tuple[int, int]) -> None:
    _, frames, _ = read(written(tmp_path / "v.mp4", [0.0, 0.1], *size, **limits))
    height, width = frames[0].shape[:2]
    assert (width, height - sum(strip_heights(width))) == expected
    assert width % 2 == height % 2 == 0


def test_colours_are_kept(tmp_path: Path) -> None:
    _, frames, _ = read(written(tmp_path / "v.mp4", [0.0, 0.1]))
    top = strip_heights(160)[0]
    assert np.abs(np.median(frames[0][top + 70 : top + 110, 90:150], axis=(0, 1)) - (30, 60, 200)).max() <= 6


def test_a_jump_lands_close_to_its_target(tmp_path: Path) -> None:
    path = written(tmp_path / "v.mp4", np.arange(0, 5, 1 / 30))
    with av.open(str(path)) as container:
        keys = [float(p.pts * p.time_base) for p in container.demux(video=0) if p.size and p.is_keyframe]
    assert np.diff([*keys, 5.0]).max() <= KEYFRAME_EVERY + 0.05
    assert len(keys) == 5


def test_overlay_is_drawn_at_the_written_size(tmp_path: Path) -> None:
    frame = np.full((400, 800, 3), 128, np.uint8)
    overlay = Overlay([Mark("queen", 400, 200, 40)])
    with AnnotatedVideo(tmp_path / "v.mp4", max_width=400) as video:
        for k in range(3):
            video.write(frame, k / 10, overlay)
        assert video.scale == 0.5
        assert video.frames == 3
    _, frames, _ = read(tmp_path / "v.mp4")
    shown = frames[0][strip_heights(400)[0] :][:200].astype(int)
    ys, xs = np.nonzero(shown[:, :, 2] - shown[:, :, 1] > 60)
    assert (xs.mean(), ys.mean()) == (pytest.approx(200, abs=1.5), pytest.approx(100, abs=1.5))
    assert xs.max() - xs.min() == pytest.approx(2 * 21, abs=4)
    assert (frame == 128).all()


def test_a_frame_that_is_not_later_is_left_out(tmp_path: Path) -> None:
    times, _, _ = read(written(tmp_path / "v.mp4", [0.0, 0.1, 0.1, 0.05, 0.2]))
    assert times == pytest.approx([0.0, 0.1, 0.2], abs=TICK)


def test_ctrl_c_leaves_what_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "v.mp4"
    with pytest.raises(KeyboardInterrupt), AnnotatedVideo(path) as video:
        for k in range(7):
            video.write(picture(k), k / 10)
        raise KeyboardInterrupt
    times, _, _ = read(path)
    assert times == pytest.approx([k / 10 for k in range(7)], abs=TICK)
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), AnnotatedVideo(tmp_path / "v.mp4") as video:
        video.write(picture(0), 0.0)
        raise RuntimeError
    assert not list(tmp_path.iterdir())


def test_an_error_leaves_the_earlier_file(tmp_path: Path) -> None:
    path = written(tmp_path / "v.mp4", [0.0, 0.1])
    before = path.read_bytes()
    with pytest.raises(RuntimeError), AnnotatedVideo(path) as video:
        video.write(picture(0), 0.0)
        raise RuntimeError
    assert path.read_bytes() == before


def test_no_frame_no_file(tmp_path: Path) -> None:
    written(tmp_path / "v.mp4", [])
    assert not list(tmp_path.iterdir())


def test_one_frame_is_a_video(tmp_path: Path) -> None:
    times, _, _ = read(written(tmp_path / "v.mp4", [0.0]))
    assert times == [0.0]


def test_close_twice_is_harmless(tmp_path: Path) -> None:
    video = AnnotatedVideo(tmp_path / "v.mp4")
    video.write(picture(0), 0.0)
    video.close(keep=True)
    video.close(keep=False)
    assert (tmp_path / "v.mp4").exists()


@pytest.mark.parametrize("t", [-0.1, float("nan"), float("inf")])
def test_impossible_times_are_refused(tmp_path: Path, t: float) -> None:
    with pytest.raises(ValueError, match="presentation time"), AnnotatedVideo(tmp_path / "v.mp4") as video:
        video.write(picture(0), t)


def test_frames_of_another_size_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="80 x 60 px in a video of 160 x 120"), AnnotatedVideo(tmp_path / "v.mp4") as video:
        video.write(picture(0), 0.0)
        video.write(picture(1, 80, 60), 0.1)


def test_unwritable_folder(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot write"):
        AnnotatedVideo(tmp_path / "nowhere" / "v.mp4")


def test_time_base_holds_any_phone_s_times(tmp_path: Path) -> None:
    _, _, stream = read(written(tmp_path / "v.mp4", PHONE))
    assert stream.time_base == Fraction(1, 90_000)
