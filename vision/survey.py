"""What holds for a whole video, settled from frames spread over it before it is watched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.calibration import calibrate_frames
from vision.course import Course
from vision.detector import Detector
from vision.exposure import Shade, shade_on
from vision.follow import FOUND, exact, in_picture
from vision.landmarks import Landmarks, same_views
from vision.light import USUAL, Light, light_on
from vision.marks import Marks, reduced, reduced_mask, small_grey, surface_mask
from vision.palette import Palette, palette_of
from vision.pieces import see
from vision.prints import Prints, prints_on
from vision.types import Calibration, Image
from vision.video import VideoInfo, sample_video

Mask = NDArray[np.bool_]

SAMPLES: Final = 24
"""Frames spread over the video from which the board and the classes' look are settled."""
EXPECTED: Final = 0.1
"""Least score of a detection over a video: tracking asks more of what it did not expect."""
BURNT: Final = 250
"""A place all of whose levels reach this is as white as a picture can be: nothing white is seen on it."""
RECOGNISED: Final = 0.6
"""Part of one view's frames in which a board's marks must be recognised for the board to be followed by them."""


@dataclass(frozen=True)
class Scene:
    """What holds for a whole video: the board, and the look of its pieces.

    Attributes
    ----------
    calibration : Calibration
        Of the view that most of the video has.
    palette : Palette
        For colours in the light of `bare`, out of its shade.
    bare : ndarray, shape (`VIEW_PX`, `VIEW_PX`, 3)
        The rectified board without what lies or reaches over it for a time (BGR).
    known : ndarray of bool, same size
        Where `bare` is known.
    prints : Prints
        Its printed discs.
    shade : Shade
        That it lies in.
    landmarks : Landmarks or None
        By which the board is found again; None where it has too few marks to be followed.
    course : Course
        The calibrations in the course of the video; watching it writes them.
    """

    info: VideoInfo
    calibration: Calibration
    palette: Palette
    detector: Detector
    bare: Image
    known: Mask
    prints: Prints
    shade: Shade
    landmarks: Landmarks | None
    course: Course

    @property
    def burnt(self) -> float:
        """Part of the playing surface that is burnt out."""
        surface = surface_mask(self.calibration.board.side) & self.known
        return float((self.bare[surface].min(axis=1) >= BURNT).mean()) if surface.any() else 0.0


def survey(info: VideoInfo, detector: Detector | None = None, calibration: Calibration | None = None) -> Scene:
    """Settle what holds for a whole video from frames spread over it.

    The camera may be moved in the course of it: the board is looked for in the view that most of the frames have,
    and found again in the others.

    Parameters
    ----------
    calibration : Calibration, optional
        Given by hand, of that view; the board is not looked for then.

    Raises
    ------
    BadInput
        If the video cannot be read or shows no board.
    """
    images = [image for f in sample_video(info, SAMPLES) if (image := f.image()).shape[1::-1] == info.size]
    base = same_views(images)[0]
    calibration = calibration or calibrate_frames(images[i] for i in base)
    seen = reduced_mask(in_picture(calibration))
    marks = Marks(small_grey(_median([calibration.rectify(images[i]) for i in base])), seen)
    landmarks: Landmarks | None = Landmarks(images[base[len(base) // 2]], calibration)
    placed = [_place(image, calibration, marks, landmarks) for image in images]
    if sum(placed[i] is not None for i in base) < RECOGNISED * len(base):
        landmarks, placed = None, [calibration if i in base else None for i in range(len(images))]
    views = [(image, c, c.rectify(image)) for image, c in zip(images, placed, strict=True) if c is not None]
    bare, known, lights = _bare_scene([(c, flat) for _, c, flat in views])
    detector = detector or Detector(min_score=EXPECTED)
    found = [see(image, light.taken_off(flat), c, detector) for (image, c, flat), light in zip(views, lights, strict=True)]
    prints, shade = prints_on(bare, calibration), shade_on(bare, known, calibration.board.side)
    palette = palette_of([s.only(~prints.shows(s)).out_of(shade) for s in found], calibration.board)
    return Scene(info, calibration, palette, detector, bare, known, prints, shade, landmarks, Course(calibration))


def _place(image: Image, calibration: Calibration, marks: Marks, landmarks: Landmarks | None) -> Calibration | None:
    """The calibration of one of the frames: the usual one, or where the board is found again."""
    here = exact(image, calibration, marks, FOUND)
    if here is not None or landmarks is None:
        return here
    found = landmarks.find(image)
    return None if found is None else exact(image, found, marks, FOUND)


def _median(rectified: Sequence[Image]) -> Image:
    return np.asarray(np.median([reduced(p) for p in rectified], axis=0), np.uint8)


def _bare_scene(views: Sequence[tuple[Calibration, Image]]) -> tuple[Image, Mask, list[Light]]:
    """The board without what lies over it for a time, where that is known, and each picture's light against it."""
    held = {id(c): c for c, _ in views}
    masks = {k: reduced_mask(in_picture(c)) for k, c in held.items()}
    shown = [masks[id(c)] for c, _ in views]
    known = np.logical_or.reduce(shown)
    small = [reduced(p).astype(np.float32) for _, p in views]
    surface = surface_mask(views[0][0].board.side)
    rough = _masked_median(small, shown)
    lights = [light_on(p, rough, surface & m) or USUAL for p, m in zip(small, shown, strict=True)]
    bare = _masked_median([reduced(t.taken_off(p)).astype(np.float32) for (_, p), t in zip(views, lights, strict=True)], shown)
    return np.asarray(bare, np.uint8), known, lights


def _masked_median(pictures: Sequence[NDArray[np.float32]], shown: Sequence[Mask]) -> NDArray[np.float32]:
    """The median of pictures at each place, over those that show it; nought where none does."""
    stack = np.stack(pictures)
    if all(m.all() for m in shown):
        return np.asarray(np.median(stack, axis=0), np.float32)
    stack[~np.stack(shown)] = np.nan
    none = ~np.logical_or.reduce(shown)
    stack[0][none] = 0
    return np.asarray(np.nanmedian(stack, axis=0), np.float32)
