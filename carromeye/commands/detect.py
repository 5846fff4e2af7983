"""`carromeye detect`: the board and the pieces in one picture."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Any, Final

import numpy as np

from carromeye.corners import corners_hint, given_calibration, parse_corners
from carromeye.drawing import radius_px
from models.detections import COVER_CELLS
from models.detector.contract import WEIGHTS
from models.stroke import PIECES
from reports.overlay import Mark, Overlay, draw_overlay
from tracking.opening import Lying, assign_classes
from vision.calibration import find_board
from vision.detector import Detector
from vision.height import seen_at
from vision.palette import FAINT, credible, evenly_lit, left_over, palette_of
from vision.picture import picture_name, read_picture, write_picture
from vision.pieces import see
from vision.prints import printed
from vision.types import Calibration, Image
from vision.watch import detections

GUESSED: Final = 0.01
"""Probability up to which the look tells nothing: the class is what is left."""
GREY_LEVELS: Final = 3
"""Levels by which the channels of a picture without colours differ at most."""
SURE: Final = 0.8
"""Probability from which a piece's class counts as sure."""


def run(image: Path, json: bool, out: Path | None, corners: str | None = None, weights: Path | None = None) -> None:
    """Find the board and the pieces in a picture; print them, and draw them where a file is named.

    Raises
    ------
    BadInput
        If `weights` are no detector's, `corners` cannot be used (see `carromeye.corners`), the picture
        cannot be read, shows no board, or `out` cannot be written.
    """
    if out is not None:
        picture_name(image, out)
    by_hand = None if corners is None else parse_corners(corners)
    picture = read_picture(image)
    with corners_hint():
        size = (picture.shape[1], picture.shape[0])
        calibration = find_board(picture, str(image)) if by_hand is None else given_calibration(by_hand, size)
    pieces = find_pieces(picture, calibration, Detector(weights or WEIGHTS, FAINT, all_sides=True))
    if out is not None:
        marks = [Mark(p["cls"], p["x"], p["y"], p["r"], observed=p["sure"]) for p in pieces]
        write_picture(out, draw_overlay(picture, Overlay(marks, calibration.outline(), [_summary(pieces) + _unsure(pieces, " (dashed)")])))
    if json:
        outline = [[round(float(v), 2) for v in c] for c in calibration.outline()]
        print(json_module.dumps({"corners": outline, "confidence": round(calibration.confidence, 3), "pieces": pieces}))
        return
    _tell(image, pieces)
    if _without_colour(picture):
        print("note: the picture has no colours: a queen looks like any other piece, and what is printed in red too")
    if out is not None:
        print(f"written: {out}")


def find_pieces(picture: Image, calibration: Calibration, detector: Detector) -> list[dict[str, Any]]:
    """Every piece in a picture with its class, in pixels of the picture and in board millimetres.

    No class has more than the set holds. `probability` is the class's, by the look alone; a piece is `sure` of its
    class from `SURE` on.
    """
    rectified = calibration.rectify(picture)
    seen = see(picture, rectified, calibration, detector)
    seen = evenly_lit(seen.only(~printed(rectified, calibration, seen)))
    palette = palette_of([seen])
    seen = seen.only(credible(seen, palette, calibration.board.side))
    det = detections(seen, palette, None, np.zeros((COVER_CELLS, COVER_CELLS), bool))
    told = [(cls, int(np.hypot(*(det.xy - xy).T).argmin())) for cls, xy in assign_classes(Lying(det.xy, det.prob, np.ones(len(det))))]
    found = []
    for cls, j in [*told, *left_over(seen, palette, told, calibration.board)]:
        xy = det.xy[j]
        px = seen_at(calibration, xy[None])[0]
        r = radius_px(xy, float(det.r[j]), calibration)
        probability = float(det.prob[j, PIECES.index(cls)])
        found.append(
            {
                "cls": cls, "x": round(float(px[0]), 2), "y": round(float(px[1]), 2), "r": round(r, 2),
                "x_mm": round(float(xy[0]), 2), "y_mm": round(float(xy[1]), 2), "score": round(float(det.score[j]), 3),
                "probability": round(probability, 3), "sure": probability >= SURE,
            }
        )  # fmt: skip
    return sorted(found, key=lambda p: (PIECES.index(p["cls"]), p["y"], p["x"]))


def _tell(image: Path, pieces: list[dict[str, Any]]) -> None:
    """One line a piece: class, place, and how probable the class is."""
    print(f"{image}: {_summary(pieces)}{_unsure(pieces)}")
    if pieces:
        print("  class       x mm    y mm   probability")
    for p in pieces:
        # Rounded down: what is not sure must not read as what is.
        told = f"{int(100 * p['probability']):11} %" if p["probability"] > GUESSED else f"{'a guess':>13}"
        print(f"  {p['cls']:8} {p['x_mm']:7.1f} {p['y_mm']:7.1f} {told}" + ("" if p["sure"] else "   not sure"))


def _unsure(pieces: list[dict[str, Any]], how: str = "") -> str:
    unsure = sum(not p["sure"] for p in pieces)
    return f"; {unsure} not sure{how}" if unsure else ""


def _without_colour(picture: Image) -> bool:
    """Whether a picture, BGR, is one in shades of grey."""
    return int(np.ptp(picture, axis=2).max()) <= GREY_LEVELS


def _summary(pieces: list[dict[str, Any]]) -> str:
    counts = {c: sum(p["cls"] == c for p in pieces) for c in PIECES}
    return ", ".join(f"{n} {c}" for c, n in counts.items() if n) or "no piece on the board"
