"""The physics core: discs that slide, meet, rebound and fall, on a board with four pockets.

`simulate(State.resting(classes, places).struck(i, vx, vy))` gives a `Motion`: events, falls, and every disc's place at any time.
"""

from models.physics.dynamics import Contact, Dynamics
from models.physics.engine import sample, simulate, simulate_many
from models.physics.motion import Course, Event, Fall, Motion
from models.physics.state import State

__all__ = ["Contact", "Course", "Dynamics", "Event", "Fall", "Motion", "State", "sample", "simulate", "simulate_many"]
