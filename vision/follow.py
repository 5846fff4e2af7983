"""The board followed through a video: is it still where it was calibrated, and if not, where is it now.

Every picture that is looked at is held against the static marks of the bare board (`vision.marks`). A small move, a
swing of the stand too, is followed from picture to picture; after a large one the board is found again by its
features (`vision.landmarks`), or as in a new video. Meanwhile the pictures are no evidence.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.board import BoardSpec
from vision.calibration import calibrate_frames
from vision.course import WORTH_TELLING_MM, Bump, Course, moved_back, moved_mm
from vision.landmarks import Landmarks, turned_like
from vision.marks import Marks, farthest, in_mm, reduced_mask, small_grey
from vision.types import Array, Calibration, Image, NoBoard

OFF_MM: Final = 1.4
"""A board this far off its place at a corner (mm) has moved."""
CLOSER: Final = 3
"""Steps in which a board's new place is made exact."""
FOLLOWED: Final = 0.3
"""Part of the marks by which a board may be followed."""
FOUND: Final = 0.22
"""Part of the marks that must lie in their places where a board was found again."""
SETTLED_S: Final = 0.3
"""Seconds without a move after which a moved board has come to rest."""
FIRST_TRY_S: Final = 0.25
LONGEST_TRY_S: Final = 2.0
"""Seconds from one search for a lost board to the next: at first, and at most."""
STILL_VIEWS: Final = 5
"""Pictures at rest from whose median a board is found as in a new video."""
AFRESH: Final = 0.8
"""Confidence above which what was found so is the board, though nothing of it was known ..."""
LESS_SURE: Final = 0.05
"""... or this much below that of the first calibration, where that was less."""


class Follower:
    """Says of each picture where the board is.

    Parameters
    ----------
    course : Course
        Is told of every change.
    bare : ndarray, shape (`VIEW_PX`, `VIEW_PX`, 3)
        The rectified board (BGR), best without anything on it.
    known : ndarray of bool, same size
        Where it is known.
    landmarks : Landmarks
        Of a picture whose calibration is known.

    Attributes
    ----------
    calibration : Calibration
        The last that was sure.
    """

    def __init__(self, course: Course, bare: Image, known: NDArray[np.bool_], landmarks: Landmarks) -> None:
        self.course, self.calibration = course, course.first
        self._marks = Marks(small_grey(bare), known)
        self._landmarks = landmarks
        self._rest: Calibration | None = None  # until the board was seen for the first time
        self._moved_at = -np.inf
        self._since: float | None = None  # when the move that is not over yet was noticed
        self._lost = self._blind = False
        self._next_try, self._pause = -np.inf, FIRST_TRY_S
        self._still: list[Image] = []

    def look(self, image: Image, t: float, still: bool) -> Image | None:
        """The rectified picture; None while it is not known where the board is.

        Parameters
        ----------
        image : ndarray
            The upright picture (BGR); times must rise from call to call.
        t : float
            Its presentation time (s).
        still : bool
            Nothing moves in it.
        """
        rectified = self.calibration.rectify(image)
        held = self._held(rectified)
        if held is None:
            found = None if self._lost and t < self._next_try else self._search(image, rectified, t, still)
            if found is None:
                self._lose(t)
                return None
            self._move(found, t)
            rectified = self.calibration.rectify(image)
        elif not held:
            moved = exact(image, self.calibration, self._marks, FOLLOWED)
            if moved is None:
                self._lose(t)
                return None
            self._move(moved, t)
            rectified = self.calibration.rectify(image)
        self._keep(t)
        return rectified

    def finish(self, t: float) -> None:
        """The video ends at `t` (s)."""
        if self._since is None:
            return
        if self._lost:
            self.course.bumps.append(Bump(self._since, None, float("nan"), blind=True))
        else:
            self._settle(t)

    def _held(self, rectified: Image) -> bool | None:
        """Whether the board is in its place; None if it is not recognised."""
        shift = self._marks.shift(small_grey(rectified))
        if shift is None or shift.share < FOUND:
            return None
        return _off(shift.matrix, self.calibration.board) < OFF_MM

    def _search(self, image: Image, rectified: Image, t: float, still: bool) -> Calibration | None:
        """The lost board in a picture."""
        self._pause = min(1.5 * self._pause, LONGEST_TRY_S) if self._lost else FIRST_TRY_S
        self._next_try = t + self._pause
        found = self._landmarks.find(image)
        closer = None if found is None else exact(image, found, self._marks, FOUND)
        if closer is not None:
            return closer
        self._still = [*self._still, image][-STILL_VIEWS:] if still else []
        if len(self._still) < STILL_VIEWS:
            return None
        return self._afresh()

    def _afresh(self) -> Calibration | None:
        """The board found as in a new video, its corners in the order that they had."""
        stack, self._still = self._still, []
        try:
            found = calibrate_frames(stack)
        except NoBoard:
            return None
        found = turned_like(found, self.calibration)
        closer = exact(stack[-1], found, self._marks, FOUND)
        if closer is None and found.confidence > min(AFRESH, self.course.first.confidence - LESS_SURE):
            # Seen quite otherwise than before: what is there now is what the next pictures are held against.
            self._marks = Marks(small_grey(found.rectify(stack[-1])), reduced_mask(in_picture(found)))
            self._landmarks = Landmarks(stack[-1], found)
            return found
        return closer

    def _lose(self, t: float) -> None:
        if not self._lost:
            self._lost = self._blind = True
            self._since = t if self._since is None else self._since
            self.course.set(t, None)

    def _move(self, calibration: Calibration, t: float) -> None:
        self._since = t if self._since is None else self._since
        self._moved_at = t
        self.calibration = calibration

    def _keep(self, t: float) -> None:
        """The board's place is known at `t`."""
        self._lost, self._pause, self._still = False, FIRST_TRY_S, []
        self.course.set(t, self.calibration)
        if self._rest is None and self._since is None:
            self._rest = self.calibration
        if self._since is not None and t - self._moved_at >= SETTLED_S:
            self._settle(t)

    def _settle(self, t: float) -> None:
        assert self._since is not None
        moved = 0.0 if self._rest is None else moved_mm(self._rest, self.calibration)
        if moved >= WORTH_TELLING_MM:
            self.course.bumps.append(Bump(self._since, t, moved, self._blind))
        if moved >= WORTH_TELLING_MM or self._rest is None:
            self._rest = self.calibration
        self._since, self._blind = None, False


def exact(image: Image, calibration: Calibration, marks: Marks, share: float) -> Calibration | None:
    """A calibration that is about right made exact by the board's marks.

    Parameters
    ----------
    share : float
        Part of the marks that must agree.

    Returns
    -------
    Calibration or None
        None if the board is not there, or not recognised.
    """
    for _ in range(CLOSER):
        shift = marks.shift(small_grey(calibration.rectify(image)))
        if shift is None or shift.share < share:
            return None
        if _off(shift.matrix, calibration.board) < OFF_MM:
            return calibration
        calibration = moved_back(calibration, in_mm(shift.matrix, calibration.board.side))
    return None


def _off(matrix: Array, board: BoardSpec) -> float:
    return farthest(in_mm(matrix, board.side), board.corners())


def in_picture(calibration: Calibration) -> NDArray[np.bool_]:
    """Which pixels of the rectified picture the picture holds, shape (`RECTIFIED_PX`, `RECTIFIED_PX`)."""
    w, h = calibration.size
    return np.asarray(calibration.rectify(np.full((h, w, 3), 255, np.uint8))[..., 0] == 255, np.bool_)
