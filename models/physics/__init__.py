"""The physics core: discs that slide, meet, rebound and fall, on a board with four pockets.

`simulate(State.resting(classes, places).struck(i, vx, vy))` gives a `Motion`: events, falls, and every disc's place at any time.
"""

from models.physics.dynamics import Dynamics
from models.physics.engine import simulate
from models.physics.motion import Course, Event, Fall, Motion
from models.physics.state import State

__all__ = ["Course", "Dynamics", "Event", "Fall", "Motion", "State", "simulate"]
