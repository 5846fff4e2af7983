"""How discs slide, bounce and fall: the figures of a board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from models.stroke import Piece

GRAVITY: Final = 9810.0
"""Gravitational acceleration (mm/s^2)."""


@dataclass(frozen=True)
class Dynamics:
    """Friction and restitution of a board and its discs.

    The defaults are a powdered tournament board: with them a striker flicked at 5 m/s runs three and a half times
    across the board, which is the liveliness test that the ICF Laws ask of a board (equipment section, clause 1.2).

    Attributes
    ----------
    friction_piece, friction_striker : float
        Deceleration of a sliding disc (mm/s^2): Coulomb friction, mu * g with mu about 0.13.
    restitution_disc, restitution_cushion : float
        Separation speed over approach speed along the contact's normal.
    rubbing_disc, rubbing_cushion : float
        Coulomb coefficient along the contact: turns spin into throw and back.
    fall_time : float
        A disc falls once its centre has been beyond the lip of a pocket for so long (s): free fall through 2 mm,
        after which its edge no longer clears the far lip. A faster disc rattles out.
    """

    friction_piece: float = 0.1305 * GRAVITY
    friction_striker: float = 0.1305 * GRAVITY
    restitution_disc: float = 0.92
    restitution_cushion: float = 0.67
    rubbing_disc: float = 0.04
    rubbing_cushion: float = 0.10
    fall_time: float = 0.0202

    def friction(self, cls: Piece) -> float:
        """Deceleration of a sliding disc of class `cls` (mm/s^2)."""
        return self.friction_striker if cls == "striker" else self.friction_piece

    def spin_friction(self, cls: Piece, radius: float) -> float:
        """Deceleration of the spin of a disc of `radius` mm that presses evenly on the board (rad/s^2)."""
        return 4 / 3 * self.friction(cls) / radius
