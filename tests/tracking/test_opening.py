"""Who is who in a rack."""

from __future__ import annotations

import numpy as np
import pytest

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


def turned(by: float, mirrored: bool, noise: float, looks: dict[int, list[float]]) -> tuple[list[Piece], Lying]:
    """A rack laid by the laws, not quite exactly; pieces blurred into each other as `looks` says."""
    classes, places = rack(ICF, by)
    xy = np.stack([places[:, 0], ICF.side - places[:, 1]], axis=1) if mirrored else places
    prob = np.full((len(classes), len(PIECES)), 0.01)
    prob[np.arange(len(classes)), [PIECES.index(c) for c in classes]] = 0.97
    for i, look in looks.items():
        prob[i] = look
    return classes, Lying(xy + np.random.default_rng(1).normal(0, noise, xy.shape), prob, np.ones(len(xy)))


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("by", [0.0, 0.4, 1.3, np.pi / 3])
def test_two_pieces_that_look_like_each_other_are_told_by_how_the_laws_lay_a_rack(by: float, mirrored: bool) -> None:
    white, black = CLASSES.index("white"), CLASSES.index("black")
    classes, found = turned(by, mirrored, 1.5, {white: [0.3, 0.7, 0.0, 0.0], black: [0.7, 0.3, 0.0, 0.0]})
    told_now = rack_classes(found, ICF)
    assert [next(c for c, xy in told_now if np.hypot(*(xy - p)) < 1) for p in found.xy] == classes


def test_a_rack_that_is_plainly_laid_otherwise_is_as_it_looks() -> None:
    white, black = CLASSES.index("white"), CLASSES.index("black")
    sure = {white: [0.01, 0.97, 0.01, 0.01], black: [0.97, 0.01, 0.01, 0.01]}
    expected: list[Piece] = list(CLASSES)
    expected[white], expected[black] = "black", "white"
    assert told(rack_classes(lying(sure), ICF)) == expected


def test_colours_that_nobody_can_tell_are_not_told_by_the_laws() -> None:
    half = {i: [0.5, 0.5, 0.0, 0.0] for i, c in enumerate(CLASSES) if c != "queen"}
    classes = told(rack_classes(lying(half), ICF))  # as it would be in either turn of the rack
    assert sorted(classes) == sorted(CLASSES) and classes[CLASSES.index("queen")] == "queen"
