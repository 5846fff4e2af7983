"""Discs at rest that the network missed: what differs from the bare board as a disc does.

An odd look on an odd ground (a ringed queen on printed rings) may hide a disc from the network in every picture.
Where a settled board differs from what it shows bare, is of a piece's size, has a sharp round edge all round and the
look of one of the match's pieces, one lies: shadows have no such edge, light spots no such look.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.board import BoardSpec
from models.detections import COVER_CELLS, Mask
from models.stroke import PIECES
from vision.centres import outlines
from vision.exposure import Shade, no_shade
from vision.height import DISC_HEIGHT, lean_of
from vision.palette import Palette
from vision.pieces import OVERLAP, Seen, disc_colours, playable
from vision.prints import Prints
from vision.types import MARGIN_MM, RECTIFIED_PX, Array, Calibration, Image

Floats = NDArray[np.float32]

SCORE: Final = 0.3
"""Score of a disc that only its difference from the bare board shows: a little more than tracking asks of one that it did not expect."""
CHANGED: Final = 15.0
"""Sum of the channels' differences (of 255 each) from the bare board from which a place has changed."""
SIZE: Final = (0.45, 1.7)
"""Area of such a place, holes and all, over a disc's: beside others a part is cut off, a shadow adds some."""
LONGEST: Final = 1.5
"""Longer side of its box over a disc's diameter, at most; pixels apart."""
ONE_SIZE: Final = 0.06
"""Part of the pieces' radius by which the fitted one may differ."""
RAYS: Final = 48
BEYOND_MM: Final = 5.0
"""So far outside of the outline the board must be bare."""
FALLS: Final = 0.6
"""To less than this part of what it is inside the change falls across the outline."""
EDGE: Final = 30.0
"""Sum of the channels' changes across the outline that makes an edge."""
ROUND: Final = 0.85
"""Part of the outline that must be an edge, inside of which the board has changed."""
MOUTH: Final = 1.15
"""Pockets may be so much wider than the board's."""
SHOWS: Final = 0.4
"""Part of the outline that must show beside other discs and pockets."""
BARE_ROUND: Final = 0.6
"""Part of what is round it that must be bare, but for other discs: one side may be in its shadow."""
LIKE: Final = 0.7
"""Least probability that it is a piece by its look."""
LOOKS: Final = 3
"""Still pictures in a row in which it must be found."""
SAME_MM: Final = 2.0
"""Within this it is found at the same place."""
SAME_LOOK: Final = 0.4
"""A place looks the same if it differs less from how it was than this part of what it differed from the bare board."""

_ACROSS: Final = np.array([-4.0, -2.0, -1.0, 2.5, BEYOND_MM])
"""Where across the outline levels are compared (mm)."""
_TURN = np.arange(RAYS) * 2 * np.pi / RAYS
_RAY: Final = np.stack([np.cos(_TURN), np.sin(_TURN)], 1)


def joined(first: Seen, second: Seen) -> Seen:
    """The discs of both; hands and light are the first's."""
    return replace(
        first,
        **{n: np.concatenate([getattr(first, n), getattr(second, n)]) for n in ("x", "y", "r", "w", "h", "colour", "score")},  # type: ignore[arg-type]
    )


@dataclass(frozen=True)
class _Held:
    """A disc that was found: its place in the rectified picture, how that looked, and how far that was from the bare board's look."""

    disc: Seen
    place: tuple[slice, slice]
    look: Floats
    off: float


class MissedDiscs:
    """Finds discs that the network missed and knows those it found for as long as their places look the same.

    Parameters
    ----------
    bare : ndarray of uint8, shape (n, n, 3)
        The rectified board without what lies over it for a time (BGR), of any size. A disc that lies at one place for most of the
        video is part of it and is not found there.
    prints : Prints
        What is printed is no disc: where one lay for most of the video, it is the print that is new.
    shade : Shade, optional
        The lasting shade on the board; none if left out.
    """

    def __init__(self, bare: Image, prints: Prints, calibration: Calibration, shade: Shade | None = None) -> None:
        self._bare, self._prints, self._calibration = bare, prints, calibration
        self._shade = no_shade(calibration.board.side) if shade is None else shade
        self._held: list[_Held] = []
        self._before: list[tuple[Array, int]] = []

    def moved(self, calibration: Calibration) -> None:
        """The camera or the board was moved: what was found is to be found anew."""
        self._calibration, self._held, self._before = calibration, [], []

    def held(self, rectified: Image, seen: Seen, *, still: bool) -> Seen:
        """The discs seen and, of those found before, the ones that the network misses again and whose places look the same.

        Parameters
        ----------
        rectified : ndarray of uint8, shape (n, n, 3)
            In the light of the bare board (BGR).
        still : bool
            Nothing moves: a disc whose place looks another is gone.
        """
        if not still:
            self._before = []
        same = [float(np.abs(rectified[h.place] - h.look).mean()) < SAME_LOOK * h.off for h in self._held]
        for h, s in zip(self._held, same, strict=True):
            if s and _free(seen, h.disc.x[0], h.disc.y[0], h.disc.r[0]):
                seen = joined(seen, h.disc)
        if still:
            self._held = [h for h, s in zip(self._held, same, strict=True) if s]
        return seen

    def find(self, image: Image, rectified: Image, differs: Floats, seen: Seen, cover: Mask, palette: Palette) -> Seen:
        """The discs seen in a picture at rest and those that come to light.

        Parameters
        ----------
        image : ndarray of uint8, shape (height, width, 3)
            As the camera took it (BGR).
        rectified : ndarray of uint8, shape (n, n, 3)
        differs : ndarray, shape (m, m)
            How far the reduced rectified picture differs from the bare scene, summed over the channels.
        cover : ndarray of bool, shape (`COVER_CELLS`, `COVER_CELLS`)
        """
        now: list[tuple[Array, int]] = []
        places = candidates(differs, seen, cover, piece_radius(palette, self._calibration.board), self._calibration.board.side)
        discs = self._discs(image, rectified, places, seen, palette)
        for i in range(len(discs)):
            disc = discs.only(np.arange(len(discs)) == i)
            if not _free(seen, disc.x[0], disc.y[0], disc.r[0]):
                continue
            at = np.array([disc.x[0], disc.y[0]])
            looks = 1 + max((n for before, n in self._before if np.hypot(*(before - at)) < SAME_MM), default=0)
            now.append((at, looks))
            if looks >= LOOKS:
                self._hold(rectified, disc)
                seen = joined(seen, disc)
        self._before = now
        return seen

    def _discs(self, image: Image, rectified: Image, places: Array, seen: Seen, palette: Palette) -> Seen:
        """The discs among those whose middles seem to lie at `places`, shape (n, 2)."""
        c = self._calibration
        usual = np.full(len(places), piece_radius(palette, c.board))
        # Most of what has changed lies in pockets or looks like no piece: that costs less to see than an outline.
        likely = playable(places[:, 0], places[:, 1], usual, c.board) & (self._like(rectified, places, usual, palette)[1] >= LIKE)
        places, r = places[likely], usual[likely]
        fit = outlines(image, c, places, r, np.ones(len(r), np.bool_))
        middle = fit.xy + lean_of(c)(fit.xy) * DISC_HEIGHT / 2
        colour, like = self._like(rectified, middle, fit.r, palette)
        (x, y), size = fit.xy.T, 2 * fit.r
        discs = Seen(x, y, fit.r, size, size, colour, np.full(len(r), SCORE), np.zeros((0, 5)), seen.light)
        keep = (
            fit.fitted & (np.abs(fit.r - r) <= ONE_SIZE * r) & playable(x, y, fit.r, c.board) & (like >= LIKE) & ~self._prints.shows(discs)
        )
        keep[keep] = [self._stands_out(rectified, m, float(q), seen) for m, q in zip(middle[keep], fit.r[keep], strict=True)]
        return discs.only(keep).out_of(self._shade)

    def _like(self, rectified: Image, middle: Array, r: Array, palette: Palette) -> tuple[Array, Array]:
        """The colours of what seems to lie at `middle`, shape (n, 2), shape (n, 3), and how probably it is a piece by them, shape (n,)."""
        k = self._calibration.scale()
        colour = disc_colours(rectified, np.c_[(middle + MARGIN_MM) * k, 2 * r * k, 2 * r * k])
        prob = palette.probabilities(self._shade.taken_off(colour, middle), r, np.ones(len(r), np.bool_))
        return colour, np.asarray(prob[:, : PIECES.index("striker")].max(axis=1, initial=0.0), np.float64)

    def _stands_out(self, rectified: Image, middle: Array, r: float, seen: Seen) -> bool:
        """Whether there is an edge all round, changed inside of it and bare outside."""
        at = middle + _RAY[:, None] * (r + _ACROSS)[:, None]
        shown = self._levels(rectified, at)
        core, inner, rim, outer, beyond = np.abs(shown - self._levels(self._bare, at)).sum(axis=2).T
        edge = np.abs(shown[:, 1] - shown[:, 3]).sum(axis=1) > EDGE
        # The change reaches to the outline and no farther: what is smaller, larger or no disc has its border elsewhere.
        inner = np.maximum(inner, rim)
        edge &= (inner > np.maximum(CHANGED, FALLS * core)) & (outer < FALLS * inner)
        others = np.stack([seen.x, seen.y], axis=1)
        clear = (np.linalg.norm(at[:, -1, None] - others, axis=2) > seen.r + BEYOND_MM).all(axis=1)
        # What hangs over a pocket may show no edge against what is seen in it; where it shows one, that counts.
        clear &= edge | ~self._over_pocket(at[:, 2])
        if clear.mean() < SHOWS:
            return False
        return float(edge[clear].mean()) >= ROUND and float((beyond[clear] < 2 * CHANGED).mean()) >= BARE_ROUND

    def _over_pocket(self, mm: Array) -> Mask:
        """Which board points, shape (n, 2), lie in pockets, shape (n,)."""
        board = self._calibration.board
        mouths = np.array(list(board.pockets().values()))
        return np.asarray((np.linalg.norm(mm[:, None] - mouths, axis=2) < MOUTH * board.pocket_radius).any(axis=1), np.bool_)

    def _levels(self, picture: Image, mm: Array) -> Floats:
        """Levels at board points, shape (n, m, 2): shape (n, m, 3)."""
        # A pixel of a reduced picture is the mean of several, so its middle lies between theirs.
        px = (((mm + MARGIN_MM) * self._calibration.scale() + 0.5) * (len(picture) / RECTIFIED_PX) - 0.5).astype(np.float32)
        return np.asarray(cv2.remap(picture, px[..., 0], px[..., 1], cv2.INTER_LINEAR), np.float32)

    def _hold(self, rectified: Image, disc: Seen) -> None:
        place = self._calibration.square(float(disc.x[0]), float(disc.y[0]), float(disc.r[0]))
        look = rectified[place].astype(np.float32)
        bare = cv2.resize(self._bare, rectified.shape[1::-1], interpolation=cv2.INTER_LINEAR)[place]
        self._held.append(_Held(disc, place, look, float(np.abs(look - bare).mean())))


def piece_radius(palette: Palette, board: BoardSpec) -> float:
    """Radius of a piece of the match (mm), the board's where none was seen."""
    seen = palette.radius[: PIECES.index("striker")]
    return float(np.nanmean(seen)) if np.isfinite(seen).any() else board.piece_radius


def candidates(differs: Floats, seen: Seen, cover: Mask, r: float, side: float) -> Array:
    """Middles (mm), shape (n, 2), of places that have changed, are of about a disc's size and are explained by nothing seen.

    Parameters
    ----------
    differs, cover
        As for `MissedDiscs.find`.
    r : float
        Radius of a disc (mm).
    side : float
        Of the board (mm).
    """
    k, n = len(differs) / (side + 2 * MARGIN_MM), RECTIFIED_PX / len(differs)
    changed = (differs > CHANGED).astype(np.uint8)
    for x, y, own in zip(seen.x, seen.y, seen.r, strict=True):
        cv2.circle(changed, _fixed(x, y, k), round(16 * (own * k + 0.5)), 0, -1, cv2.LINE_8, 4)
    for x0, y0, x1, y1 in seen.hands[:, :4]:
        cv2.rectangle(changed, _fixed(x0, y0, k), _fixed(x1, y1, k), 0, -1, cv2.LINE_8, 4)
    contours, _ = cv2.findContours(changed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    out: list[Array] = []
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        # A contour runs along pixels' middles: half a pixel of area is outside of it all along.
        area = cv2.contourArea(contour) + len(contour) / 2 + 1
        if not SIZE[0] < area / (np.pi * (r * k) ** 2) < SIZE[1] or max(w, h) > LONGEST * 2 * r * k + 1:
            continue
        middle = _middle(differs[y : y + h, x : x + w], np.asarray(contour - (x, y), np.int32))
        middle = ((np.array([x, y]) + middle + 0.5) * n - 0.5) / (n * k) - MARGIN_MM
        if not _covered(cover, middle, 1.5 * r, side):
            out.append(middle)
    return np.array(out).reshape(-1, 2)


def _middle(differs: Floats, contour: NDArray[np.int32]) -> Array:
    """Where within its box a place has its middle, shape (2,): a pixel of which part has changed counts in part."""
    inside = cv2.drawContours(np.zeros(differs.shape, np.uint8), [contour], -1, 1, -1) > 0
    y, x = np.nonzero(inside)
    weight = np.minimum(differs[inside] / max(float(np.median(differs[inside])), CHANGED), 1.0)
    return np.array([np.average(x, weights=weight), np.average(y, weights=weight)])


def _fixed(x: float, y: float, k: float) -> tuple[int, int]:
    """A board point (mm) in 16ths of pixels."""
    return round(16 * ((x + MARGIN_MM) * k - 0.5)), round(16 * ((y + MARGIN_MM) * k - 0.5))


def _covered(cover: Mask, xy: Array, reach: float, side: float) -> bool:
    k = COVER_CELLS / (side + 2 * MARGIN_MM)
    x0, y0 = np.floor((xy - reach + MARGIN_MM) * k).astype(int)
    x1, y1 = np.ceil((xy + reach + MARGIN_MM) * k).astype(int)
    return bool(cover[max(y0, 0) : y1, max(x0, 0) : x1].any())


def _free(seen: Seen, x: float, y: float, r: float) -> bool:
    """Whether no disc seen is where another one would lie."""
    return bool((np.hypot(seen.x - x, seen.y - y) > OVERLAP * (seen.r + r)).all())
