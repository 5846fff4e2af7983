"""Arms over the board: what differs from the bare scene, reaches in from outside or was found to be a hand.

The detector says that there is a hand; this tells which part of the board it hides, whatever the sleeve. The bare
scene is held to the light of each picture, and what the camera comes to see, or what is laid down beside the board
and stays there, becomes part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.detections import COVER_CELLS, Mask
from vision.light import USUAL, light_on
from vision.marks import reduced, reduced_mask, surface_mask
from vision.types import MARGIN_MM, Array, Calibration, Image

SCENE_PX: Final = 2 * COVER_CELLS
"""Side of the reduced rectified picture in which the scene is compared (px)."""
CONTRAST: Final = 30.0
"""Sum of the channels' differences (of 255 each) from the bare scene above which a place is covered."""
OUTSIDE_MM: Final = 8.0
"""An arm reaches at least this far beyond the playing surface."""
ARM_MM2: Final = 1500.0
"""Least area of an arm over the picture (mm2); a striker covers 1340."""
LARGE_MM2: Final = 4000.0
"""What differs over more than this (mm2), though no disc explains it, is an arm that need not reach in from outside."""
UNEXPLAINED: Final = 0.5
"""Share of such a place that no disc explains; of a rack with its shadows less is left."""
HAND_SHARE: Final = 0.25
"""Share of a detected hand's box that must differ from the bare scene for the box to count."""
STAYS_S: Final = 12.0
"""What lies still so long (s) and is no piece is part of the scene: a sun stripe, a box on the frame; arms move sooner."""
LOOKS_EVERY_S: Final = 1.0
"""Seconds between the pictures from which the scene is learnt."""
SAME: Final = 12.0
"""Sum of the channels' differences below which a place has stayed as it was."""


class ArmFinder:
    """Knows the bare scene from frames spread over the video and tells what covers it.

    Parameters
    ----------
    rectified : sequence of ndarray
        Rectified pictures (BGR) in one light, best from the whole video: at every place most of them show the bare scene.
    seen : ndarray of bool, shape (n, n), optional
        Pixels of the rectified picture of which anything is known.

    Attributes
    ----------
    light : Light
        In the picture that `relit` was given last.
    """

    def __init__(self, rectified: Sequence[Image], calibration: Calibration, seen: Mask | None = None) -> None:
        self._scale = SCENE_PX / (calibration.board.side + 2 * MARGIN_MM)
        self._bare = np.median([self._reduce(p) for p in rectified], axis=0).astype(np.float32)
        inside = round((MARGIN_MM - OUTSIDE_MM) * self._scale)
        self._rim = np.ones((SCENE_PX, SCENE_PX), bool)
        self._rim[inside : SCENE_PX - inside, inside : SCENE_PX - inside] = False
        self._surface = surface_mask(calibration.board.side, SCENE_PX)
        self._known = np.ones((SCENE_PX, SCENE_PX), bool) if seen is None else reduced_mask(seen, SCENE_PX)
        self._in_picture = self._known
        self.light = USUAL
        self._before: NDArray[np.float32] | None = None
        self._stayed = np.zeros((SCENE_PX, SCENE_PX))
        self._learnt = -np.inf

    @staticmethod
    def _reduce(rectified: Image) -> NDArray[np.float32]:
        return reduced(rectified, SCENE_PX).astype(np.float32)

    def relit(self, rectified: Image) -> Image:
        """A rectified picture (BGR) in the light of the bare scene."""
        # Where arms hide most of the wood the light is taken to be as it was.
        self.light = light_on(self._reduce(rectified), self._bare, self._surface & self._known & self._in_picture) or self.light
        return self.light.taken_off(rectified)

    def moved(self, seen: Mask) -> None:
        """The camera or the board was moved; `seen` is what of the rectified picture the picture now holds, shape (n, n)."""
        self._in_picture = reduced_mask(seen, SCENE_PX)
        self._before = None

    def learn(self, rectified: Image, discs: Array, t: float) -> None:
        """Take what has stayed for long in a picture at rest for part of the scene; arguments as for a call, `t` in s."""
        if t - self._learnt < LOOKS_EVERY_S:
            return
        passed, self._learnt = min(t - self._learnt, 2 * LOOKS_EVERY_S), t
        now = self._reduce(rectified)
        if self._before is None:
            self._stayed[:] = 0
        else:
            same = np.abs(now - self._before).sum(axis=2) < SAME
            self._stayed = np.where(same & self._in_picture, self._stayed + passed, 0.0)
        self._before = now
        other = (np.abs(now - self._bare).sum(axis=2) > CONTRAST) | ~self._known
        other = self._without(other.astype(np.uint8), discs * [1, 1, 1.3]) > 0
        adopted = other & (self._stayed >= STAYS_S)
        self._bare[adopted] = now[adopted]
        self._known |= adopted

    def differs(self, rectified: Image) -> NDArray[np.float32]:
        """How far a rectified picture differs from the bare scene.

        Returns
        -------
        ndarray, shape (`SCENE_PX`, `SCENE_PX`)
            Sum of the channels' differences (of 255 each); nought where the scene is not known or the picture does not hold it.
        """
        sure = self._known & self._in_picture
        difference = self._reduce(rectified) - self._bare
        # The camera's exposure lifts the whole picture alike.
        difference -= np.median(difference[sure], axis=0)
        return np.asarray(np.abs(difference).sum(axis=2) * sure, np.float32)

    def __call__(self, rectified: Image, hands: Array, discs: Array) -> tuple[Mask, Array]:
        """What is covered, and by which arms.

        Parameters
        ----------
        discs : ndarray, shape (m, 3)
            Centres and radii of the discs seen (mm): what differs because they lie there is no arm.
        hands : ndarray, shape (k, 5)
            Boxes that the detector took for hands (mm and score).

        Returns
        -------
        cover : ndarray of bool, shape (COVER_CELLS, COVER_CELLS)
        boxes : ndarray, shape (n, 5)
            One box per arm (mm: x0, y0, x1, y1, score); a hand that reaches in from outside without the detector's word has score 0.5.
        """
        changed = (self.differs(rectified) > CONTRAST).astype(np.uint8)
        changed = np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
        least = ARM_MM2 * self._scale**2
        reaching = set(np.unique(labels[self._rim & (labels > 0)]).tolist())
        unexplained = np.bincount(labels[self._without(changed, discs) > 0], minlength=len(stats))
        area = stats[:, cv2.CC_STAT_AREA]
        large = np.maximum(LARGE_MM2 * self._scale**2, UNEXPLAINED * area)
        score = {k: 0.5 for k in range(1, len(stats)) if (k in reaching and area[k] >= least) or unexplained[k] >= large[k]}
        for hand in hands:
            x0, y0, x1, y1 = np.clip(np.round((hand[:4] + MARGIN_MM) * self._scale), 0, SCENE_PX).astype(int)
            box = labels[y0:y1, x0:x1]
            if box.size and (box > 0).mean() >= HAND_SHARE:
                biggest = int(np.bincount(box[box > 0]).argmax())
                score[biggest] = max(score.get(biggest, 0.0), float(hand[4]))
        arms = np.isin(labels, list(score))
        cells = arms.reshape(COVER_CELLS, 2, COVER_CELLS, 2).any(axis=(1, 3))
        found = [[*(v / self._scale - MARGIN_MM for v in self._edges(stats[k])), s] for k, s in score.items()]
        return np.asarray(cells, np.bool_), np.array(found, np.float64).reshape(-1, 5)

    def _without(self, changed: Image, discs: Array) -> Image:
        """The changed places without the discs that are seen there."""
        left = changed.copy()
        for x, y, r in discs:
            centre = (round((x + MARGIN_MM) * self._scale), round((y + MARGIN_MM) * self._scale))
            cv2.circle(left, centre, int(np.ceil(r * self._scale)) + 1, 0, -1)
        return left

    @staticmethod
    def _edges(stat: NDArray[np.int32]) -> tuple[float, float, float, float]:
        x, y, w, h = (float(v) for v in stat[:4])
        return x, y, x + w, y + h
