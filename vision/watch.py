"""From a video to the detections of each frame, as a generator in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from models.detections import Detections, Mask
from vision.arms import ArmFinder
from vision.calibration import calibrate_frames
from vision.detector import Detector
from vision.gate import MotionGate
from vision.palette import Palette, palette_of
from vision.pieces import Seen, is_round, see
from vision.types import Calibration
from vision.video import Frame, VideoInfo, read_video, sample_video

SAMPLES: Final = 24
"""Frames spread over the video from which the board and the classes' look are settled."""
EXPECTED: Final = 0.1
"""Least score of a detection over a video: tracking asks more of what it did not expect."""
VOTES: Final = 3
"""Still frames that are looked at once motion ends: a settled board is detected by a vote of frames."""
STILL_INTERVAL: Final = 1.0
"""Seconds between looks while nothing moves."""


@dataclass(frozen=True)
class Scene:
    """What holds for a whole video: the board, and the look of its pieces."""

    info: VideoInfo
    calibration: Calibration
    palette: Palette
    detector: Detector
    arms: ArmFinder


def survey(info: VideoInfo, detector: Detector | None = None, calibration: Calibration | None = None) -> Scene:
    """Settle what holds for a whole video from frames spread over it.

    Parameters
    ----------
    calibration : Calibration, optional
        Given by hand; the board is not looked for then.

    Raises
    ------
    BadInput
        If the video cannot be read or shows no board.
    """
    frames = [f.image() for f in sample_video(info, SAMPLES)]
    calibration = calibration or calibrate_frames(frames)
    detector = detector or Detector(min_score=EXPECTED)
    rectified = [calibration.rectify(image) for image in frames]
    seen = [see(image, flat, calibration, detector) for image, flat in zip(frames, rectified, strict=True)]
    return Scene(info, calibration, palette_of(seen, calibration.board), detector, ArmFinder(rectified, calibration))


def detections(seen: Seen, palette: Palette, frame: Frame | None, cover: Mask, before: float = 0.0, *, still: bool = False) -> Detections:
    """Give the discs of one picture their classes' probabilities and their time; a lone picture has no frame."""
    prob = palette.probabilities(seen.colour, seen.r, is_round(seen.w, seen.h))
    index, t = (0, 0.0) if frame is None else (frame.index, frame.t)
    return Detections(index, t, seen.x, seen.y, seen.r, seen.w, seen.h, prob, seen.score, seen.hands, cover, before, still)


def watch(scene: Scene, on_frame: Callable[[Frame], None] = lambda _: None) -> Iterator[Detections]:
    """The detections of every frame in which something moves, and of a few of each stretch in which nothing does.

    Parameters
    ----------
    on_frame : callable
        Told of every frame that is read, looked at or not; for a progress bar.
    """
    gate = MotionGate(scene.calibration)
    quiet, looked, now = 0, -np.inf, -1 / scene.info.rate
    for frame in read_video(scene.info):
        before, now = now, frame.t
        on_frame(frame)
        moves = gate.moves(frame.grey())
        quiet = 0 if moves else quiet + 1
        if quiet > VOTES and frame.t - looked < STILL_INTERVAL:
            continue
        looked = frame.t
        image = frame.image()
        rectified = scene.calibration.rectify(image)
        seen = see(image, rectified, scene.calibration, scene.detector)
        cover, arms = scene.arms(rectified, seen.hands, np.stack([seen.x, seen.y, seen.r], axis=1))
        yield detections(replace(seen, hands=arms), scene.palette, frame, cover, before, still=not moves)
