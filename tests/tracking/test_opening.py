"""Who is who in a rack."""

from __future__ import annotations

import numpy as np

from models.board import ICF, rack
from models.stroke import PIECES, Piece
from tracking.opening import Lying, rack_classes

CLASSES, PLACES = rack(ICF)


def lying(looks: dict[int, list[float]], *more: tuple[tuple[float, float], list[float]]) -> Lying:
    """A rack of plain pieces but for the looks told by their number, and things beside it."""
    prob = np.full((len(CLASSES), len(PIECES)), 0.01)
    prob[np.arange(len(CLASSES)), [PIECES.index(c) for c in CLASSES]] = 0.97
    for i, look in looks.items():
        prob[i] = look
    xy = np.concatenate([PLACES, np.array([at for at, _ in more]).reshape(-1, 2)])
    return Lying(xy, np.concatenate([prob, np.array([look for _, look in more]).reshape(-1, 4)]), np.ones(len(xy)))


def told(found: list[tuple[Piece, np.ndarray]]) -> list[Piece]:
    """The classes at the rack's places."""
    return [next(c for c, xy in found if np.hypot(*(xy - p)) < 1) for p in PLACES]


def test_a_piece_that_looks_like_nothing_known_has_the_class_that_is_left() -> None:
    black = CLASSES.index("black")
    found = rack_classes(lying({black: [0.0, 0.1, 0.0, 0.0]}, ((560.0, 170.0), [0.0, 0.6, 0.0, 0.0])), ICF)
    assert told(found) == list(CLASSES) and len(found) == 19


def test_of_two_that_look_alike_the_likelier_together_hold() -> None:
    white, black = CLASSES.index("white"), CLASSES.index("black")
    found = rack_classes(lying({white: [0.45, 0.55, 0.0, 0.0], black: [0.05, 0.95, 0.0, 0.0]}), ICF)
    assert told(found) == list(CLASSES)


def test_the_queen_is_in_the_middle_whatever_she_looks_like() -> None:
    queen = CLASSES.index("queen")
    assert told(rack_classes(lying({queen: [0.0, 1.0, 0.0, 0.0]}), ICF)) == list(CLASSES)


def test_the_striker_is_what_looks_like_it_beside_the_rack() -> None:
    found = rack_classes(lying({}, ((370.0, 622.0), [0.02, 0.0, 0.0, 0.95]), ((150.0, 420.0), [0.9, 0.0, 0.0, 0.1])), ICF)
    assert [c for c, _ in found].count("striker") == 1 and len(found) == 20
    assert np.allclose(next(xy for c, xy in found if c == "striker"), (370.0, 622.0))
