"""How discs slide, bounce and fall: the figures of a board."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final

from models.stroke import Piece

GRAVITY: Final = 9810.0
"""Gravitational acceleration (mm/s^2)."""


@dataclass(frozen=True)
class Contact:
    """What a pair of things does to each other when they meet.

    Attributes
    ----------
    restitution : float
        Speed of separation over speed of approach, along the normal (Newton's law of restitution), 0 to 1.
    friction : float
        Coulomb coefficient along the rim: turns spin into throw and back.
    """

    restitution: float
    friction: float


@dataclass(frozen=True)
class Dynamics:
    """Friction and restitution of a board and its discs.

    The defaults are a powdered tournament board. Deceleration and cushion restitution are those measured on a filmed
    match (about 1.28 m/s^2 and 0.67); with them a striker flicked as hard as a hand can runs three and a half times
    across the board, which is the liveliness test that the ICF Laws ask of a board (equipment, clause 1.2). No
    measurement is known of the others: restitution of hard discs, rim friction and the depth of a fall are assumptions,
    to be replaced by what `fit_board` finds on a board.

    Attributes
    ----------
    friction_piece, friction_striker : float
        Deceleration of a sliding disc (mm/s^2): Coulomb friction, mu * g with mu about 0.13.
    piece_piece, striker_piece, piece_cushion, striker_cushion : Contact
    fall_time : float
        A disc falls once its centre has been beyond the lip of a pocket for so long (s): free fall through 2 mm,
        after which its edge no longer clears the far lip. A faster disc rattles out.
    jump_speed : float
        A disc that meets a cushion faster than this (mm/s, along the normal) leaves over the frame; by default none does.
    """

    friction_piece: float = 0.1305 * GRAVITY
    friction_striker: float = 0.1305 * GRAVITY
    piece_piece: Contact = Contact(0.92, 0.04)
    striker_piece: Contact = Contact(0.92, 0.04)
    piece_cushion: Contact = Contact(0.67, 0.10)
    striker_cushion: Contact = Contact(0.67, 0.10)
    fall_time: float = 0.0202
    jump_speed: float = inf

    def friction(self, cls: Piece) -> float:
        """Deceleration of a sliding disc of class `cls` (mm/s^2)."""
        return self.friction_striker if cls == "striker" else self.friction_piece

    def spin_friction(self, cls: Piece, radius: float) -> float:
        """Deceleration of the spin of a disc of `radius` mm that presses evenly on the board (rad/s^2).

        Torque 2/3 mu m g R over the moment of inertia m R^2 / 2.
        """
        return 4 / 3 * self.friction(cls) / radius
