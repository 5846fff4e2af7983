"""Boards to measure a detector on: pictures with what is to be found on them, and under which conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.board import ICF
from models.detector.contract import MARGIN_MM
from models.detector.crops import Board, boards, hand_seen
from models.scene.camera import Camera

Boxes = NDArray[np.float64]

SEED: Final = 900_001
"""Styles from this seed on are kept for evaluation."""
PER_STYLE: Final = 2
"""Boards of one style: the least from which a match's colours are settled."""
ASKED: Final = 0.5
"""A disc of which more than this is hidden need not be found."""
TILTS: Final = (8.0, 16.0)
"""Degrees at which a camera's tilt is called another's."""
LIGHTS: Final = (85.0, 170.0)
"""Median grey levels of the playing surface between which light is neither dim nor bright."""
BLURS: Final = (0.6, 1.2)
"""Standard deviations of blur (px) at which pictures are called soft and blurred."""
STRIKERS: Final = (1.4, 1.8)
"""Radius of the striker over a piece's at which it is called large and huge."""


@dataclass(frozen=True)
class Example:
    """A rectified board with what is asked of a detector. Boxes are x0, y0, x1, y1 (px).

    Attributes
    ----------
    picture : ndarray of uint8, shape (s, s, 3)
        BGR.
    discs : ndarray, shape (n, 4)
        Discs to be found.
    hands : ndarray, shape (k, 4)
        Hands to be found.
    spare : ndarray, shape (m, 4)
        Discs that are hidden by more than `ASKED`: neither missed if not found nor invented if found.
    classes : tuple of str
        Class of each of `discs`; empty where it is not known.
    moving : ndarray of bool, shape (n,)
        Which of `discs` move.
    rest : bool
        Nothing in the picture moves, neither disc nor hand.
    conditions : mapping
        For example ``{"tilt": "under 8 degrees"}``.
    name, match : str
        Of the picture; of the match whose pieces it shows.
    """

    picture: NDArray[np.uint8]
    discs: Boxes
    hands: Boxes
    spare: Boxes
    classes: tuple[str, ...]
    moving: NDArray[np.bool_]
    rest: bool
    conditions: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    match: str = ""


def px_per_mm(picture: NDArray[np.uint8]) -> float:
    """Scale of a rectified board's picture."""
    return float(picture.shape[0] / (ICF.side + 2 * MARGIN_MM))


def on_surface(boxes: Boxes, scale: float) -> NDArray[np.bool_]:
    """Which boxes, shape (n, 4), have their middle on the playing surface, outside the pockets.

    Whoever runs the network knows where these are and drops what is found elsewhere, such as pieces in the nets.

    Parameters
    ----------
    scale : float
        Pixels per millimetre.
    """
    mm = (boxes[:, :2] + boxes[:, 2:]) / 2 / scale - MARGIN_MM
    inside = ((mm > 0) & (mm < ICF.side)).all(1)
    clear = [ICF.nearest_pocket(x, y)[1] > ICF.pocket_radius for x, y in mm]
    return np.asarray(inside & np.array(clear, bool), np.bool_)


def unseen(number: int, seed: int = SEED) -> Iterator[Example]:
    """`number` rendered boards of styles that no training has seen, `PER_STYLE` of each."""
    for i in range(number):
        if i % PER_STYLE == 0:
            style = seed + i // PER_STYLE
            states = boards(style, PER_STYLE)
        yield example_of(next(states), f"{style}-{i % PER_STYLE}", str(style))


def example_of(board: Board, name: str, match: str) -> Example:
    """What is asked of a detector on a rendered board."""
    boxes, hidden = np.array(board.truth.discs, np.float64).reshape(-1, 4), np.array(board.truth.hidden, np.float64)
    moving = np.array([bool(d.vx or d.vy) for d in board.discs], bool)
    at = on_surface(boxes, px_per_mm(board.picture))
    asked = at & (hidden <= ASKED)
    hands = np.array([b for b in board.truth.hands if b is not None], np.float64).reshape(-1, 4)
    seen = np.clip(hands, 0, board.picture.shape[0])
    hands = hands[hand_seen((seen[:, 2:] - seen[:, :2]).prod(1))]
    still = not moving.any() and not any(h.vx or h.vy for h in board.hands)
    return Example(
        picture=board.picture, discs=boxes[asked], hands=hands, spare=boxes[at & ~asked],
        classes=tuple(d.cls for d, k in zip(board.discs, asked, strict=True) if k), moving=moving[asked], rest=still,
        conditions=conditions(board), name=name, match=match,
    )  # fmt: skip


def conditions(board: Board) -> dict[str, str]:
    """Under which conditions a rendered board is seen."""
    fault, light = board.camera.fault, board.style.light
    blur = float(np.hypot(fault.defocus, fault.shake / 12**0.5))
    return {
        "tilt": _grade(camera_tilt(board.camera), TILTS, "under {0:g} degrees", "{0:g} to {1:g} degrees", "over {1:g} degrees"),
        "light": light_of(board.picture),
        "lamps": "stripes or blinds" if light.stripes or light.blinds else "even",
        "blur": _grade(blur, BLURS, "sharp", "soft", "blurred"),
        "motion": "discs" if any(d.vx or d.vy for d in board.discs) else "hands only" if any(h.vx or h.vy for h in board.hands) else "none",
        "hands": ("none", "one", "two")[min(2, sum(b is not None for b in board.truth.hands))],
        "clipped": "yes" if board.clipped else "no",
        "striker": _grade(board.style.striker_scale, STRIKERS, "under {0:g} of a piece", "{0:g} to {1:g}", "over {1:g}"),
        "board": "home-drawn" if board.style.markings.home_drawn else "printed",
    }  # fmt: skip


def light_of(picture: NDArray[np.uint8]) -> str:
    """How light a rectified board's playing surface is: dim, usual or bright."""
    edge = round(MARGIN_MM * px_per_mm(picture))
    return _grade(float(np.median(picture[edge:-edge, edge:-edge].mean(2))), LIGHTS, "dim", "usual", "bright")


def camera_tilt(camera: Camera) -> float:
    """Angle (degrees) between the vertical and the line from the board's middle to the camera, whatever warps follow."""
    place = np.linalg.svd(camera.matrix)[2][-1]
    x, y, z = place[:3] / place[3]
    return float(np.degrees(np.arctan2(np.hypot(x - ICF.side / 2, y - ICF.side / 2), abs(z))))


def _grade(value: float, bounds: tuple[float, float], low: str, middle: str, high: str) -> str:
    return (low if value < bounds[0] else middle if value <= bounds[1] else high).format(*bounds)
