"""The physics core: discs that slide, meet, rebound and fall, on a board with four pockets.

`simulate(State.resting(classes, places).struck(i, vx, vy))` gives a `Motion`: events, falls, and every disc's place at any time.
`fit_stroke` goes the other way, from what was seen to the release, and `fit_board` to the figures of a board.
"""

from models.physics.board_fit import BoardFit, fit_board
from models.physics.dynamics import Contact, Dynamics
from models.physics.engine import sample, simulate, simulate_many
from models.physics.fit import StrokeFit, fit_stroke
from models.physics.motion import Course, Event, Fall, Motion
from models.physics.observations import Observations
from models.physics.propagate import propagate
from models.physics.release import Release
from models.physics.shutter import RollingShutter
from models.physics.state import State

__all__ = [
    "BoardFit",
    "Contact",
    "Course",
    "Dynamics",
    "Event",
    "Fall",
    "Motion",
    "Observations",
    "Release",
    "RollingShutter",
    "State",
    "StrokeFit",
    "fit_board",
    "fit_stroke",
    "propagate",
    "sample",
    "simulate",
    "simulate_many",
]
