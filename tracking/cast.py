"""The fixed cast of a board: nineteen pieces and a striker, each with one identity from the rack to the pocket."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from models.stroke import PIECES, Piece, PocketName, Seat
from tracking.kalman import DiscFilter

Array = NDArray[np.float64]
State: TypeAlias = Literal["rest", "moving", "hidden", "lost", "pocketed", "off", "away"]
"""`hidden`: under a hand; `lost`: not seen where it should be, cause not yet known; `away`: the striker in a hand."""

ON_BOARD: Final = ("rest", "moving", "hidden", "lost")
REST_MM: Final = 5.0
"""A disc seen within this of where it lay has not moved."""
STILL_MM: Final = 2.5
"""Between two frames a disc at rest seems to move by less than this."""
REST_MEMORY: Final = 9
"""Sightings over which the place of a disc at rest is averaged (median)."""
USUAL_GAP: Final = 1 / 30
"""Between two frames of a usual video (s)."""
LEAST_STILL: Final = 0.6
"""In shorter gaps a disc at rest seems to move by no less than this part of what it does in usual ones: that is noise."""
PLAIN: Final = 0.8
"""Detector's score and probability of a class from which there is no doubt that a disc of it lies there,"""
UNLIKE: Final = 0.2
"""What looks less like any piece is none."""
LONG: Final = 2.5
"""once it has been seen for so long (s);"""
SEEN_WELL, LONGER = 0.6, 8.0
"""with no more than this score, for so long."""
FLEW: Final = 5
"""Seen so often on its way a disc moved."""
PATH_MEMORY: Final = 40
"""Sightings of a disc on its way that are kept: a sixth of a second of the fastest videos."""


@dataclass(eq=False)
class Track:
    """One disc of the cast.

    Attributes
    ----------
    xy, v : ndarray, shape (2,)
        Millimetres, millimetres a second.
    seen : float
        When it was last seen (s).
    absent : float
        Seconds of looked-at video since, hands not counted.
    sighting : int
        Which of the frame's detections it was seen as, if it was.
    last : tuple of ndarray
        Place and velocity when it was last seen.
    lay : ndarray, shape (2,)
        Where it last lay at rest (mm).
    looks : deque of ndarray, shape (4,)
        Class probabilities of its last round sightings at rest.
    looked : float
        When the last of them was (s).
    shown : ndarray, shape (4,)
        Sum of the class probabilities of all its looks at rest.
    barred : ndarray or None
        A place that was taken for its own until the look there told otherwise.
    path : deque of (float, ndarray)
        When and where it was seen on its way.
    pocket, fell : str, float
        Where and when it was pocketed.
    """

    id: str
    cls: Piece
    xy: Array
    state: State = "rest"
    v: Array = field(default_factory=lambda: np.zeros(2))
    seen: float = 0.0
    absent: float = 0.0
    observed: bool = True
    sighting: int = -1
    pocket: PocketName | None = None
    fell: float | None = None
    last: tuple[Array, Array] = field(default_factory=lambda: (np.zeros(2), np.zeros(2)))
    lay: Array = field(default_factory=lambda: np.zeros(2))
    filter: DiscFilter | None = None
    places: deque[Array] = field(default_factory=lambda: deque(maxlen=REST_MEMORY))
    looks: deque[Array] = field(default_factory=lambda: deque(maxlen=REST_MEMORY))
    looked: float = -np.inf
    shown: Array = field(default_factory=lambda: np.zeros(len(PIECES)))
    barred: Array | None = None
    path: deque[tuple[float, Array]] = field(default_factory=lambda: deque(maxlen=PATH_MEMORY))

    @property
    def on_board(self) -> bool:
        """Whether it lies or moves on the board as far as is known."""
        return self.state in ON_BOARD

    def settle(self, xy: Array) -> None:
        """It was seen at rest at `xy`."""
        self.places.append(xy)
        # The median by sorting: on so few values ten times as fast as numpy's.
        middle = len(self.places) // 2
        self.xy = np.array([sorted(p[k] for p in self.places)[middle] for k in (0, 1)])
        self.v = np.zeros(2)
        self.lay = self.xy
        self.state = "rest"
        self.filter = None

    def put(self, xy: Array, t: float) -> None:
        """It lies at `xy` anew: placed there, or found there."""
        self.places.clear()
        self.looks.clear()
        self.barred = None
        self.settle(xy)
        self.seen, self.absent, self.observed = t, 0.0, True
        self.last = (self.xy, self.v)
        self.pocket = self.fell = None

    def start(self, xy: Array, v: Array) -> None:
        """It moves."""
        self.places.clear()
        self.looks.clear()
        self.barred = None
        self.path.clear()
        self.filter = DiscFilter(xy, v)
        self.xy, self.v, self.state = xy, v, "moving"


@dataclass(eq=False)
class Newcomer:
    """A disc that no member of the cast accounts for (yet).

    Attributes
    ----------
    looks : deque of ndarray, shape (4,)
        Class probabilities of its last sightings.
    r, score : float
        Radius (mm) and the detector's score, as it was seen last.
    told, watched : float
        Sum of the detector's scores, each for as long as it held, and for how long that was (s).
    by : str or None
        The side of the hand that was near when it was first seen.
    held, near_arm : bool
        It lies within an arm, or so near to one that it may be part of it.
    """

    xy: Array
    first: float
    seen: float
    looks: deque[Array]
    r: float
    score: float
    sightings: int = 1
    steady: int = 1
    by: Seat | None = None
    held: bool = False
    near_arm: bool = True
    v: Array = field(default_factory=lambda: np.zeros(2))
    told: float = 0.0
    watched: float = 0.0

    def again(self, xy: Array, t: float, prob: Array, r: float, score: float, still_mm: float) -> None:
        """It was seen again."""
        moved = float(np.hypot(*(xy - self.xy)))
        self.v = (xy - self.xy) / max(t - self.seen, 1e-3)
        self.told, self.watched = self.told + (t - self.seen) * score, self.watched + t - self.seen
        still = still_mm * min(max((t - self.seen) / USUAL_GAP, LEAST_STILL), 1.0)
        self.steady = self.steady + 1 if moved < still else 1
        self.xy, self.seen, self.r, self.score, self.sightings = xy, t, r, score, self.sightings + 1
        self.looks.append(prob)

    def begins(self, t: float) -> None:
        """What lay there until `t` (s) was something else."""
        self.first, self.told, self.watched = t, 0.0, 0.0

    @property
    def flew(self) -> bool:
        """Whether it was seen on its way before it came to rest: no print does that."""
        return self.sightings - self.steady >= FLEW and self.look.max() >= PLAIN

    def after(self, k: int, rested: float) -> float:
        """Later than this (s) it must have appeared to be a piece of class `k` put back.

        Pieces are put back once all has come to rest, at `rested`. But what is plainly such a piece for long was put back though
        nobody saw it, and moved since.
        """
        return -np.inf if self.plainly(k) else rested

    def plainly(self, k: int) -> bool:
        """Whether a piece of class `k` has been plain to see there for long: an arm's shadow makes a print look like one for a moment."""
        score = self.told / self.watched if self.watched else self.score
        long = LONG if score >= PLAIN else LONGER
        return bool(score >= SEEN_WELL and self.look[k] >= PLAIN and self.seen - self.first >= long)

    @property
    def look(self) -> Array:
        """Mean class probabilities of its last sightings, shape (4,)."""
        return np.asarray(np.mean(self.looks, axis=0), np.float64)


@dataclass(eq=False)
class Spot:
    """Something that lies on the board, or is printed there, and is none of the cast.

    Attributes
    ----------
    first : float
        When it was first seen (s).
    look : ndarray, shape (4,), or None
        Class probabilities of its last sightings then, as far as it was looked at.
    absent : float
        Seconds of free sight in which it was not seen since.
    """

    xy: Array
    first: float
    look: Array | None = None
    absent: float = 0.0

    def other(self, prob: Array) -> bool:
        """Whether it looked like no piece, and what is seen in its place plainly does: one lies on it."""
        pieces = [k for k, cls in enumerate(PIECES) if cls != "striker"]
        return self.look is not None and bool(self.look[pieces].max() < UNLIKE and prob[pieces].max() >= PLAIN)
