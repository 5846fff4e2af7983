"""Find the playing surface: where the wood meets the four cushions.

Long edges are put together to squares seen in perspective (`lines`, `quads`), each is judged by what lies along its
sides and in its corners (`evidence`). For the best, the edge that is the wood's end is chosen among the parallel ones
(`edges`, `settle`) and all that was measured is fitted at once (`refine`): these edges, the lines along the cushions
(`markings`), the perspective and the height of the frame (`cushions`). What does not look like a board is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from models.errors import BadInput
from models.homography import transform
from vision.cushions import RISE_SPREAD, USUAL_RISE
from vision.edges import Side
from vision.evidence import Evidence, glance, judge, known
from vision.lens import crookedness, fit_lens, undistorted
from vision.lines import EdgeField, edge_field, find_lens, find_lines, straightened_field
from vision.markings import Markings, markings
from vision.quads import BORDER_SUPPORT, distinct, find_quads, grown, side_coordinates, square_to_quad, squareness
from vision.refine import refine
from vision.settle import measured, settle
from vision.types import Array, Calibration, Image, Kind, NoBoard, bent, straightened

COARSE_PX: Final = 640
"""Longer side of the picture in which the board is looked for (px)."""
FINE_PX: Final = 2000
"""Longer side of the picture in which its edges are fitted (px)."""
DRAWN_GAIN: Final = 0.25
"""What it counts that an outline has a square of lines inside where base lines are drawn."""
LINES: Final = 60
QUADS: Final = 240
"""Outlines that are glanced at."""
JUDGED: Final = 24
"""Outlines that are judged with care."""
JUDGED_APART: Final = 0.012
"""They differ by more (part of the picture's shorter side)."""
FINALISTS: Final = 4
"""Outlines that are fitted and compared once more."""
MOST_FINALISTS: Final = 8
"""So many if none of those is a board."""
APART: Final = 0.02
"""They differ by more (part of the picture's shorter side): fitting moves an outline so far."""
FAR_APART: Final = 0.06
"""And those further ones by more than this: not the same wrong outline once more."""
PASSES: Final = (0.03, 0.012, 0.008)
"""How far beside each side its edge is looked for, fit after fit (part of a side)."""
SEEN_RISE_SIGMA: Final = 0.004
"""Error of the frame's height where its edges are seen (part of a side)."""
MORE_EXACT: Final = 0.9
"""Another lens than the sides' bow tells is taken if the corners are so much more exact (standard deviations, one to the other)."""
LENS_LOSS: Final = 0.04
"""It may then convince so much less, ..."""
LENS_GAIN: Final = 0.05
"""... and is taken anyway if it convinces so much more."""
BOW_LOSS: Final = 0.08
"""A fit through the lens that the sides' bow tells may convince so much less than the one before."""
LENS_FITS: Final = 4
"""So often at most another lens is tried."""
CROOKED: Final = 2.0
"""Sides so crooked ask for another lens (`vision.lens.crookedness`)."""
OTHER_LENS: Final = 0.04
"""Change of the lens coefficient that is then tried."""
LENS_STEP: Final = 0.004
"""A change of the lens coefficient that is worth another fit."""
LEAST_FIRM: Final = 0.25
"""So much of a side chance alone makes firm: the grain of the wood, the blocks of compression."""
OFF_COST: Final = 13.0
"""What a corner that may be off (part of a side) takes off a full confidence: by 2.3 hundredths, and less than 0.7 is left."""
LEAST_EXACT: Final = 0.4
"""That the corners may be off takes no more than to this: it is the board all the same."""
SURE: Final = 0.9
"""An outline of this confidence needs no rival."""
SKEW: Final = 0.03
"""An outline so far from a square (part of a side) is hardly a board."""
UNEVEN: Final = 0.011
"""Lines along the cushions that differ so much in distance (part of a side) are no board's."""
UNMARKED: Final = 0.08
"""What a board without lines along its cushions counts, against 1 for even lines: it is never sure."""
ALIKE: Final = (0.7, 0.86)
"""Lines along six of the eight halves of the sides that agree so little may be grain; so well, they are the board's."""
LEAST_EVEN: Final = 0.05
"""What uneven lines count at least."""
GATED: Final = [0, 1, 2, 3, 4, 5, 7]
"""The tests of edge, bare strip, tone, calm, bare wood, pockets and square: failing one of them is not made up for."""
GATED_PRINTED: Final = [0, 1, 7]
"""The same where base lines lie as on a tournament board: no light or shadow changes those."""
PRINTED_EVEN: Final = 0.8
"""Base lines of which this much is even are printed."""
PRINTED_TRUST: Final = 0.8
"""And so well do they agree in the mean."""
PRINTED_POCKETS: Final = 0.4
"""What the pockets then count at least: black ones on a black board are not seen."""
PRINTED_EDGE: Final = 0.45
"""And the sides' edges: a dark board in a dark frame in poor light."""
GATE: Final = 0.45
"""Below this such a test counts as failed, the more the lower."""
LEAST_EDGE: Final = 0.35
"""Along less of a side within the picture does the tone of no board change, but of a printed one: the outline cuts through a surface."""
KINDS: Final[dict[Kind, str]] = {
    "tournament": "base lines as on a tournament board",
    "lines": "lines along the cushions",
    "plain": "no lines along the cushions",
    "unknown": "not looked at",
}
"""The kinds of boards in words."""
LEAST: Final = 0.66
"""Below this confidence there is no board."""


@dataclass(frozen=True)
class Found:
    """An outline, fitted and judged.

    Attributes
    ----------
    corners : ndarray, shape (4, 2)
        Upper left first, clockwise, in pixels without the bend of a lens of coefficient `k1`.
    sides : tuple
        The fits; None for a side outside the picture.
    points : tuple of ndarray, shape (n, 2)
        Pixels of each side's edge.
    kind : str
        What lies along the cushions.
    against : str
        What speaks most against it.
    error : float
        By how much the worst corner may be off (part of a side, about one standard deviation).
    """

    corners: Array
    k1: float
    sides: tuple[Side | None, ...]
    points: tuple[Array, ...]
    kind: Kind
    confidence: float
    reasons: tuple[str, ...]
    against: str
    error: float


def reduced(image: Image, longest: int) -> tuple[Image, float]:
    """The picture with its longer side at most `longest` px, and the factor."""
    k = longest / max(image.shape[:2])
    if k >= 1:
        return image, 1.0
    return np.asarray(cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), np.uint8), k


def side_length(corners: Array) -> float:
    """Mean side of an outline, shape (4, 2)."""
    return float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean())


def scaled(corners: Array, k: float) -> Array:
    """Pixel coordinates of a picture resized by `k` (pixel centres at whole numbers)."""
    return (np.asarray(corners, np.float64) + 0.5) * k - 0.5


def candidates(image: Image, field: EdgeField) -> tuple[Array, Array]:
    """Outlines, shape (n, 4, 2), that may be the playing surface, and their scores, best first; no lens bend is left in either."""
    quads = find_quads(find_lines(field, LINES), field, QUADS)
    if not len(quads):
        return quads.corners, quads.support
    lab = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), np.uint8)
    lined = grown(quads, field.size)
    corners, oblique = np.concatenate([quads.corners, lined.corners]), np.concatenate([quads.oblique, lined.oblique])
    support = np.concatenate([quads.support, np.full(len(lined), BORDER_SUPPORT)])
    apart = np.abs(corners[:, None] - lined.corners[None]).max(axis=(2, 3))
    drawn = np.where(apart < APART * min(field.size), lined.support, 0.0).max(axis=1, initial=0.0)
    prior = 0.15 * support + DRAWN_GAIN * drawn - 0.8 * oblique
    best = np.argsort(glance(lab, corners) + prior)[::-1]
    best = best[distinct(corners[best], JUDGED_APART * min(field.size))][:JUDGED]
    corners = corners[best]
    score = np.array([judge(lab, c).score() for c in corners]) + prior[best]
    order = np.argsort(score)[::-1]
    return corners[order], score[order]


def finalists(outlines: Array, shorter: float) -> Array:
    """The outlines, shape (n, 4, 2), that are fitted, best first, in a picture whose shorter side is `shorter` px."""
    kept = distinct(outlines, APART * shorter)[:FINALISTS].tolist()
    for n in range(len(outlines)):
        if len(kept) < MOST_FINALISTS and np.abs(outlines[kept] - outlines[n]).max(axis=(1, 2)).min() > FAR_APART * shorter:
            kept.append(n)
    return np.asarray(outlines[kept], np.float64)


@dataclass(frozen=True)
class Views:
    """One picture with the lens's bend taken out, at two sizes.

    Attributes
    ----------
    raw, fine : ndarray, shape (h, w, 3)
        BGR, as taken and without the bend; edges are fitted in it. Outlines are in its pixels.
    lab : ndarray, shape (h, w, 3)
        The same in CIE L*a*b*.
    coarse : ndarray
        CIE L*a*b*, `COARSE_PX`; what lies along an outline is judged in it.
    k1 : float
        The lens coefficient that was taken out.
    """

    raw: Image
    fine: Image
    lab: Image
    coarse: Image
    k1: float

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the fine picture (px)."""
        return self.fine.shape[1], self.fine.shape[0]


def views(raw: Image, k1: float) -> Views:
    """Take a lens's bend out of a picture."""
    straight = undistorted(raw, k1)
    small, _ = reduced(straight, COARSE_PX)
    lab, coarse = (np.asarray(cv2.cvtColor(v, cv2.COLOR_BGR2LAB), np.uint8) for v in (straight, small))
    return Views(raw, straight, lab, coarse, k1)


def look_closer(view: Views, corners: Array) -> Found:
    """Fit an outline to the edges and judge it anew."""
    rise, rise_sigma = USUAL_RISE, RISE_SPREAD
    seen = corners
    for half in PASSES:
        before = seen
        marks = markings(view.fine, seen)
        settled = settle(view.lab, seen, half, marks)
        if settled.found >= 2:
            rise, rise_sigma = settled.rise, SEEN_RISE_SIGMA
        refined = refine(seen, view.size, measured(settled, marks, rise, rise_sigma))
        corners, seen, rise = refined.corners, refined.seen, refined.rise
    h = square_to_quad(before[None])[0]
    points = [
        transform(h, side_coordinates(k, s.points[:, 0], s.points[:, 1])) if s is not None else np.zeros((0, 2))
        for k, s in enumerate(settled.sides)
    ]
    marks = markings(view.fine, corners)
    evidence = judge(view.coarse, scaled(corners, view.coarse.shape[1] / view.fine.shape[1]))
    oblique = float(squareness(corners[None], view.size)[0])
    confidence, reasons, against = confide(evidence, marks, settled.sides, oblique)
    # Edges that fit badly, and edges that are hardly seen, are farther off than their own scatter tells.
    error = refined.error * max(refined.miss, 1.0) / max(float(settled.firm.mean()), LEAST_FIRM)
    reasons = (*reasons, f"corners exact to about {100 * error:.1f} % of a side")
    return Found(corners, view.k1, settled.sides, tuple(points), marks.kind(), confidence, reasons, against, error)


def firm_sides(found: Found) -> list[Array]:
    """The pixels of each side that is seen well."""
    return [p for p, s in zip(found.points, found.sides, strict=True) if s is not None and s.inliers > 0.5]


def through_lens(view: Views, found: Found, k1: float) -> Found:
    """An outline, fitted anew in the picture without the bend of another lens."""
    return look_closer(views(view.raw, k1), straightened(bent(found.corners, view.size, found.k1), view.size, k1))


def follow_bow(view: Views, found: Found) -> Found:
    """Fit anew with the lens that the sides' bow tells, as long as that is another than was taken out: a bow is seen in part only."""
    for _ in range(LENS_FITS):
        k1 = fit_lens([bent(p, view.size, found.k1) for p in firm_sides(found)], view.size, side_length(found.corners))
        if abs(k1 - found.k1) < LENS_STEP:
            break
        again = through_lens(view, found, k1)
        if again.confidence < found.confidence - BOW_LOSS:
            break
        found = again
    return found


def look_straight(view: Views, found: Found) -> Found:
    """The outline through the lens under which all that was measured agrees best: the corners are the most exact."""
    best = found
    for change in (0.0, -OTHER_LENS, OTHER_LENS):
        # Along a bent side the edge that is followed may change to one beside it, which hides the bow: other lenses are tried.
        if change and crookedness(firm_sides(best), side_length(best.corners)) < CROOKED:
            break
        other = follow_bow(view, through_lens(view, best, best.k1 + change) if change else best)
        gain, needed = other.confidence - best.confidence, MORE_EXACT if change else 1.0
        if gain > LENS_GAIN or (gain > -LENS_LOSS and other.error < needed * best.error):
            best = other
    return best


def confide(evidence: Evidence, marks: Markings, sides: tuple[Side | None, ...], oblique: float) -> tuple[float, tuple[str, ...], str]:
    """How sure we are that this is the playing surface, 0 to 1; why; and what speaks against it most."""
    straight = float(np.mean([0.0 if s is None else s.inliers for s in sides]))
    beyond = int(np.isnan(evidence.pockets).sum())
    reasons = [
        f"edge along {100 * known(evidence.edge, 0):.0f} % of the cushions",
        f"straight to {100 * straight:.0f} %",
        f"square to within {100 * oblique:.1f} % of a side",
        f"pockets in {sum(p > 0.5 for p in evidence.pockets)} corners" + (f", {beyond} out of the picture" if beyond else ""),
    ]
    even, uneven = UNMARKED, 0.0
    if marks.seen():
        # Where a hand or pieces lie over one stretch its lines may be mistaken: the worst of the eight does not count.
        uneven = float(np.sort(np.abs(marks.shift[marks.trust > 0.4]))[-2])
        even = float(np.clip(1.3 - uneven / UNEVEN, 0, 1))
        alike = float(np.clip((np.sort(marks.trust.ravel())[2] - ALIKE[0]) / (ALIKE[1] - ALIKE[0]), 0, 1))
        even = min(even, UNMARKED + (1 - UNMARKED) * alike)
        reasons.append(f"{KINDS[marks.kind()]}, even on all sides to {100 * uneven:.1f} % of a side")
    else:
        reasons.append("no lines along the cushions to compare")
    calm = float(np.median(evidence.calm))
    printed = marks.kind() == "tournament" and even > PRINTED_EVEN and float(marks.trust.mean()) > PRINTED_TRUST
    pockets = float(np.clip(2 * known(evidence.pockets, 0.5) - 0.8, PRINTED_POCKETS if printed else 0.0, 1.0))
    edge = max(known(evidence.edge, 0.4), PRINTED_EDGE if printed else 0.0)
    parts = (
        (edge, 2.0, f"along {100 * known(evidence.edge, 0):.0f} % of its sides only does the tone change"),
        (float(np.mean(evidence.flat)), 1.0, "something runs along its sides where bare wood should lie"),
        (evidence.tone, 1.0, "its sides and its middle differ in tone"),
        (calm, 1.5, "the strips along its sides are not of one tone"),
        (evidence.bare, 1.0, "most of it is not of the tone of its sides"),
        (pockets, 2.5, "it has no pockets in its corners"),
        (straight, 1.0, "its sides are not straight"),
        (float(np.clip(1.6 - oblique / SKEW, 0.0, 1.0)), 2.0, "it is no square seen in perspective"),
        (max(even, LEAST_EVEN), 2.0, "the lines along its sides are unlike" if marks.seen() else "nothing is drawn along its sides"),
    )  # fmt: skip
    share = np.array([p for p, _, _ in parts])
    weight = np.array([w for _, w, _ in parts])
    loss = -np.log(np.maximum(share, 0.02)) * weight
    # What fails one test thoroughly is no board, however well it passes the others.
    gated = [*(GATED_PRINTED if printed else GATED), *([8] if marks.seen() else [])]
    gate = float(np.prod(np.minimum(share[gated] / GATE, 1.0)) ** 0.5)
    if not printed:
        gate *= float(np.clip(np.nanmin([1.0, *evidence.edge]) / LEAST_EDGE, 0.0, 1.0) ** 0.5)
    return gate * float(np.exp(-loss.sum() / weight.sum())), tuple(reasons), parts[int(np.argmax(loss))][2]


def find_board(image: Image, source: str = "the picture") -> Calibration:
    """Find the playing surface in one picture.

    Parameters
    ----------
    image : ndarray, shape (h, w, 3)
        BGR.
    source : str
        What the picture is called in a complaint.

    Raises
    ------
    NoBoard
        If no board is found.
    """
    coarse, k = reduced(image, COARSE_PX)
    field = edge_field(coarse)
    k1 = find_lens(field)
    outlines, _ = candidates(undistorted(coarse, k1), straightened_field(field, k1))
    if not len(outlines):
        raise NoBoard(f"no board found in {source}: no four long edges make a square")
    fine, f = reduced(image, FINE_PX)
    view = views(fine, k1)
    tried: list[Found] = []
    for outline in finalists(outlines, min(coarse.shape[:2])):
        tried.append(look_closer(view, scaled(scaled(outline, 1 / k), f)))
        most = max(x.confidence for x in tried)
        if most > SURE or (most > LEAST and len(tried) >= FINALISTS):
            break
    best = look_straight(view, max(tried, key=lambda x: x.confidence))
    if best.confidence < LEAST:
        raise NoBoard(f"no board found in {source}: the likeliest outline is none, as {best.against}")
    confidence = min(best.confidence, max(1.0 - OFF_COST * best.error, LEAST_EXACT))
    return Calibration(
        corners=scaled(best.corners, 1 / f), size=(image.shape[1], image.shape[0]), confidence=confidence, reasons=best.reasons,
        distortion=best.k1, kind=best.kind,
    )  # fmt: skip


def calibrate_frames(frames: Iterable[Image], source: str = "the video") -> Calibration:
    """Find the playing surface in several pictures of a still stretch: their median has neither hands nor noise.

    Raises
    ------
    BadInput
        If there is no picture, or no board is found.
    """
    size: tuple[int, int] | None = None
    small: list[Image] = []
    for image in frames:
        if size not in (None, (image.shape[1], image.shape[0])):
            raise BadInput(f"no board found in {source}: its pictures differ in size")
        size = (image.shape[1], image.shape[0])
        small.append(reduced(image, FINE_PX)[0])
    if size is None:
        raise BadInput(f"no board found in {source}: no picture")
    middle = len(small) // 2
    found = find_board(np.partition(np.stack(small), middle, axis=0)[middle], source)
    return replace(found, corners=scaled(found.corners, size[0] / small[0].shape[1]), size=size)
