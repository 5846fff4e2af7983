"""Geometry and equipment of a carrom board.

Source of the default figures: ICF Laws of Carrom, equipment section, as set out clause by clause
(1.1 to 1.10). Lengths in millimetres, masses in kilograms.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.stroke import POCKETS, Piece, PocketName, Seat


@dataclass(frozen=True)
class BoardSpec:
    """A board, its pieces and its striker.

    Attributes
    ----------
    side : float
        Inner side of the playing surface (mm).
    pocket_radius : float
        Radius of a pocket's opening (mm).
    pocket_inset : float
        Distance of a pocket's centre from each of its two cushions (mm).
    corner_radius : float
        Radius of the frame's rounded inner corners (mm), which run around the pockets; 0 where the corners are square.
    base_outer, base_inner : float
        Distance of the outer and the inner base line's centre from the cushion (mm).
    base_length : float
        Length of the base lines, from base circle centre to base circle centre plus a diameter (mm).
    base_circle_radius, base_disc_radius, centre_radius, outer_radius : float
        Radii of the printed circles (mm).
    """

    name: str = "icf"
    side: float = 740.0
    pocket_radius: float = 22.25
    pocket_inset: float = 22.25
    corner_radius: float = 22.25
    base_outer: float = 101.5
    base_inner: float = 133.3
    base_length: float = 470.0
    base_circle_radius: float = 15.9
    base_disc_radius: float = 12.7
    centre_radius: float = 15.9
    outer_radius: float = 85.0
    piece_radius: float = 15.9
    piece_mass: float = 0.00525
    striker_radius: float = 20.65
    striker_mass: float = 0.015

    def radius(self, cls: Piece) -> float:
        """Radius of a disc of class `cls` (mm)."""
        return self.striker_radius if cls == "striker" else self.piece_radius

    def mass(self, cls: Piece) -> float:
        """Mass of a disc of class `cls` (kg)."""
        return self.striker_mass if cls == "striker" else self.piece_mass

    @property
    def base_middle(self) -> float:
        """Distance from the cushion of the line on which a striker touching both base lines is centred (mm)."""
        return (self.base_outer + self.base_inner) / 2

    def corners(self) -> NDArray[np.float64]:
        """Corners of the playing surface (mm), shape (4, 2): upper left, upper right, lower right, lower left."""
        s = self.side
        return np.array([[0, 0], [s, 0], [s, s], [0, s]], np.float64)

    def pockets(self) -> dict[PocketName, tuple[float, float]]:
        """Centres of the four pockets (mm)."""
        a, b = self.pocket_inset, self.side - self.pocket_inset
        return {"NW": (a, a), "NE": (b, a), "SE": (b, b), "SW": (a, b)}

    def nearest_pocket(self, x: float, y: float) -> tuple[PocketName, float]:
        """The pocket nearest to a point and the distance of its centre (mm)."""
        centres = self.pockets()
        name = min(POCKETS, key=lambda p: hypot(x - centres[p][0], y - centres[p][1]))
        return name, hypot(x - centres[name][0], y - centres[name][1])

    def by_outer_circle(self, xy: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which pieces with their centres at `xy`, shape (..., 2), lie in the outer circle or touch it, shape (...)."""
        return np.asarray(np.hypot(*np.moveaxis(xy - self.side / 2, -1, 0)) < self.outer_radius + self.piece_radius, np.bool_)

    def within_base_lines(self, xy: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which points `xy`, shape (..., 2), lie in the square that the inner base lines make, shape (...)."""
        return np.asarray(np.abs(xy - self.side / 2).max(axis=-1) < self.side / 2 - self.base_inner, np.bool_)

    def base_position(self, seat: Seat, along: float) -> tuple[float, float]:
        """Where a striker stands that `seat` placed `along` mm from the left (south, north) or upper (east, west) cushion."""
        d, s = self.base_middle, self.side
        return {"south": (along, s - d), "north": (along, d), "west": (d, along), "east": (s - d, along)}[seat]


ICF: Final = BoardSpec()


def rack(board: BoardSpec = ICF, angle: float = 0.0) -> tuple[list[Piece], NDArray[np.float64]]:
    """The break formation (ICF law 41): queen, a ring of six alternating, an outer ring of twelve with the whites as a Y.

    Parameters
    ----------
    angle : float
        Rotation of the rack about the centre (radians).

    Returns
    -------
    classes : list of str, length 19
    positions : ndarray, shape (19, 2)
        Centres in board millimetres; neighbouring discs touch.
    """
    d = 2 * board.piece_radius
    inner: list[tuple[Piece, float, float]] = []
    outer: list[tuple[Piece, float, float]] = []
    for k in range(6):
        a = angle + np.pi / 2 + k * np.pi / 3
        inner.append(("white" if k % 2 == 0 else "black", d * np.cos(a), d * np.sin(a)))
        corner: Piece = "white" if k % 2 == 0 else "black"
        outer.append((corner, 2 * d * np.cos(a), 2 * d * np.sin(a)))
        m = a + np.pi / 6
        edge: Piece = "black" if k % 2 == 0 else "white"
        outer.append((edge, np.sqrt(3) * d * np.cos(m), np.sqrt(3) * d * np.sin(m)))
    discs: list[tuple[Piece, float, float]] = [("queen", 0.0, 0.0), *inner, *outer]
    c = board.side / 2
    return [p for p, _, _ in discs], np.array([(c + x, c + y) for _, x, y in discs])
