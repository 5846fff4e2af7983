"""From a video to the detections of each frame, as a generator in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from models.detections import COVER_CELLS, Detections, Mask
from models.stroke import PIECES
from vision.arms import ArmFinder
from vision.course import moved_mm
from vision.exposure import even_light
from vision.follow import Follower, in_picture
from vision.gate import MotionGate
from vision.light import Looks
from vision.missed import MissedDiscs
from vision.one_queen import OneQueen
from vision.palette import Palette
from vision.pieces import Seen, is_round, see
from vision.survey import Scene
from vision.types import Array, Image
from vision.video import Frame, read_video

VOTES: Final = 3
"""Still frames that are looked at once motion ends: a settled board is detected by a vote of frames."""
STILL_INTERVAL: Final = 1.0
"""Seconds between looks while nothing moves."""
LOST_INTERVAL: Final = 0.2
"""Seconds between looks while the board is not known to be anywhere and nothing moves."""
AIM_MM: Final = 20.0
"""After a move of more (mm at a corner) motion is watched for in another part of the picture."""


def detections(seen: Seen, palette: Palette, frame: Frame | None, cover: Mask, before: float = 0.0, *, still: bool = False) -> Detections:
    """Give the discs of one picture their classes' probabilities and their time; a lone picture has no frame."""
    prob = palette.probabilities(seen.colour, seen.r, is_round(seen.w, seen.h))
    index, t = (0, 0.0) if frame is None else (frame.index, frame.t)
    return Detections(index, t, seen.x, seen.y, seen.r, seen.w, seen.h, prob, seen.score, seen.hands, cover, before, still)


def watch(scene: Scene, on_frame: Callable[[Frame], None] = lambda _: None) -> Iterator[Detections]:
    """The detections of every frame in which something moves, and of a few of each stretch in which nothing does.

    Where the camera or the board is moved, `scene.course` is told, and the frames in between are all covered.

    Parameters
    ----------
    on_frame : callable
        Told of every frame that is read, looked at or not; for a progress bar.
    """
    eye = _Eye(scene)
    quiet, looked, now = 0, -np.inf, -1 / scene.info.rate
    for frame in read_video(scene.info):
        before, now = now, frame.t
        on_frame(frame)
        moves = eye.gate.moves(frame.grey())
        quiet = 0 if moves else quiet + 1
        if quiet > VOTES and frame.t - looked < (LOST_INTERVAL if eye.lost else STILL_INTERVAL):
            continue
        looked = frame.t
        yield eye.look(frame, before, still=not moves)
    eye.finish(now)


class _Eye:
    """What is known of the board while a video is watched."""

    def __init__(self, scene: Scene) -> None:
        self._scene, self._calibration = scene, scene.calibration
        self._follower = Follower(scene.course, scene.bare, scene.known, scene.landmarks) if scene.landmarks is not None else None
        self._arms = ArmFinder([scene.bare], scene.calibration, scene.known)
        self._looks = Looks(scene.palette)
        self._queen = OneQueen(scene.prints.out_of(scene.shade), scene.calibration)
        self._missed = MissedDiscs(scene.bare, scene.prints, scene.calibration, scene.shade)
        self._aimed = scene.calibration
        self.gate = MotionGate(scene.calibration)
        self.lost = False

    def look(self, frame: Frame, before: float, *, still: bool) -> Detections:
        """What one frame shows."""
        image = frame.image()
        rectified = self._rectified(image, frame.t, still)
        self.lost = rectified is None
        if rectified is None:
            return _covered(frame, before)
        calibration = self._calibration
        rectified = self._arms.relit(rectified)
        self._looks.see(frame.t, self._arms.light)
        seen = see(image, rectified, calibration, self._scene.detector, even_light(calibration.board.side))
        seen = seen.only(~self._scene.prints.shows(seen)).out_of(self._scene.shade)
        seen = seen.only(~self._queen.printed(rectified, seen, self._looks.palette, still=still))
        seen = self._missed.held(rectified, seen, still=still)
        cover, hands = self._arms(rectified, seen.hands, _discs(seen))
        if still:
            seen = self._missed.find(image, rectified, self._arms.differs(rectified), seen, cover, self._looks.palette)
        det = detections(replace(seen, hands=hands), self._looks.palette, frame, cover, before, still=still)
        if still:
            self._arms.learn(rectified, _discs(seen), frame.t)
            self._looks.rest(det.xy, seen.colour, det.prob)
        return det

    def finish(self, t: float) -> None:
        """The video ends at `t` (s)."""
        if self._follower is not None:
            self._follower.finish(t)

    def _rectified(self, image: Image, t: float, still: bool) -> Image | None:
        if self._follower is None:
            return self._calibration.rectify(image)
        rectified = self._follower.look(image, t, still)
        calibration = self._follower.calibration
        if rectified is not None and calibration is not self._calibration:
            self._calibration = calibration
            self._arms.moved(in_picture(calibration))
            self._missed.moved(calibration)
            self._queen.moved(calibration)
            if moved_mm(self._aimed, calibration) > AIM_MM:
                self._aimed, self.gate = calibration, MotionGate(calibration)
        return rectified


def _discs(seen: Seen) -> Array:
    """Centres and radii (mm), shape (n, 3)."""
    return np.stack([seen.x, seen.y, seen.r], axis=1)


def _covered(frame: Frame, before: float) -> Detections:
    """A frame that tells nothing: all the board may be hidden."""
    no, cover = np.zeros(0), np.ones((COVER_CELLS, COVER_CELLS), bool)
    return Detections(frame.index, frame.t, no, no, no, no, no, np.zeros((0, len(PIECES))), no, np.zeros((0, 5)), cover, before)
