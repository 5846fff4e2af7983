"""A queen of any colour: found by where she lies in the rack, or as the one piece that is neither white nor black."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.board import BoardSpec
from vision.types import Array

Mask = NDArray[np.bool_]
Ints = NDArray[np.int_]

RACK_DISCS: Final = 14
"""Discs within the outer circle that make a rack, though a few were not seen."""
MIDDLE_MM: Final = 10.0
"""How far from the middle of its rack the queen may lie."""
STANDS_OFF: Final = 4.0
"""Standard deviations of light and shade by which she differs from either colour."""
SHADE: Final = np.array([7.0, 5.0, 5.0])
"""Standard deviation of L*, a*, b* among the pieces of one colour."""
ALIKE: Final = 18.0
"""Distance in L*a*b* within which two sightings may be of the same disc."""
TRUE_SIZE: Final = 0.06
"""Part of the median radius by which hers may be off."""
MOVED_MM: Final = 12.0
"""Two sightings this far apart show that what was seen is no print."""
PRINT_MM: Final = 9.0
"""Nearer to the middle of a printed circle than this a lone disc may be the print (mm)."""


def odd_queens(colour: Array, radius: Array, picture: Ints, at: Array, board: BoardSpec) -> tuple[Mask, bool]:
    """The discs that are a queen of any colour, at most one a picture, and whether her place in the rack tells so.

    Parameters
    ----------
    colour, radius, picture : ndarray
        The discs but for the striker, as in `vision.palette.settle_palette`.
    at : ndarray, shape (n, 2)
        Centres (mm).

    Returns
    -------
    mask : ndarray of bool, shape (n,)
    racked : bool
        She lay in a rack's middle; without that what speaks for her is only that there is no other like her.
    """
    none = np.zeros(len(colour), bool)
    if len(colour) < 3:
        return none, False
    odd = _odd(colour) & (np.abs(radius / np.median(radius) - 1) < TRUE_SIZE)
    racked = odd & _in_racks_middle(picture, at, board)
    if racked.any():
        like = odd & (np.linalg.norm(colour - np.median(colour[racked], axis=0), axis=1) < ALIKE)
        return _one_each(like, colour, picture, np.median(colour[racked], axis=0)), True
    for i in np.flatnonzero(odd):
        like = odd & (np.linalg.norm(colour - colour[i], axis=1) < ALIKE)
        if np.bincount(picture[like]).max() > 1:
            continue
        if _is_a_piece(like, picture, at, board):
            return like, False
    return none, False


def _odd(colour: Array) -> Mask:
    """Discs of a look that is neither of the two that most have."""
    low, high = np.percentile(colour[:, 0], [10, 90])
    dark = colour[:, 0] < (low + high) / 2
    off = np.full(len(colour), np.inf)
    for own in (dark, ~dark):
        if own.any():
            mean = np.median(colour[own], axis=0)
            spread = np.maximum(SHADE, 1.48 * np.median(np.abs(colour[own] - mean), axis=0))
            off = np.minimum(off, np.sqrt((((colour - mean) / spread) ** 2).sum(axis=1)))
    return np.asarray(off > STANDS_OFF, np.bool_)


def _in_racks_middle(picture: Ints, at: Array, board: BoardSpec) -> Mask:
    off = np.hypot(*(at - board.side / 2).T)
    racks = [p for p in np.unique(picture) if (off[picture == p] < board.outer_radius + board.piece_radius).sum() >= RACK_DISCS]
    return np.asarray((off < MIDDLE_MM) & np.isin(picture, racks), np.bool_)


def _one_each(like: Mask, colour: Array, picture: Ints, mean: Array) -> Mask:
    mask = np.zeros(len(like), bool)
    for p in np.unique(picture[like]):
        own = np.flatnonzero(like & (picture == p))
        mask[own[np.linalg.norm(colour[own] - mean, axis=1).argmin()]] = True
    return mask


def _is_a_piece(like: Mask, picture: Ints, at: Array, board: BoardSpec) -> bool:
    """What was seen at two places moves; in a lone picture it must not lie where boards have a print."""
    places = at[like]
    if len(np.unique(picture)) > 1:
        # Twice at each of two places: a knuckle shows once, a print never moves.
        first = np.hypot(*(places - places[0]).T) < MOVED_MM
        return bool(first.sum() >= 2 and (~first).sum() >= 2)
    return bool(np.hypot(*(printed_circles(board) - places[0]).T).min() > PRINT_MM)


def printed_circles(board: BoardSpec) -> Array:
    """Middles of the circles that boards have printed: the centre's and the eight base circles', shape (9, 2), mm."""
    line = (board.base_outer + board.base_inner) / 2
    end = (board.side - board.base_length) / 2 + board.base_circle_radius
    ends, lines = (end, board.side - end), (line, board.side - line)
    across = [(x, y) for x in ends for y in lines] + [(y, x) for x in ends for y in lines]
    return np.array([(board.side / 2, board.side / 2), *across])
