"""The release of a stroke: who struck, from where, when and how fast."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

import numpy as np

from models.board import BoardSpec
from models.stroke import Seat
from tracking.cast import Array, Track
from tracking.kalman import DECELERATION

BAND_MM: Final = 32.0
"""How far off the middle of the two base lines a striker may stand and still have been placed there: home-made boards
have their lines elsewhere."""
RELEASE_MM: Final = 45.0
"""A striker this far from where it was placed has been struck, if it went fast enough."""
RELEASE_SPEED: Final = 250.0
"""Speed (mm/s) above which a striker was struck; hands push it about more slowly."""
PLACED_SPEED: Final = 120.0
"""Speed (mm/s) below which a striker between the base lines counts as placed."""
CONTACT_MM: Final = 20.0
"""An arm this near to the striker's centre touches it (mm)."""
AWAY_MM: Final = 8.0
"""A striker this far from where it was placed is under way (mm)."""
EARLY: Final = 0.3
"""Part of the gap between two sightings that has passed at the release, where nothing tells."""
HARDEST: Final = 6000.0
"""Speed (mm/s) of the hardest strokes."""
UNSEEN_SIGHT: Final = 0.1
UNSEEN_FLIGHT: Final = 0.6
"""Seconds between which a striker must have been unseen, when pieces move, to have been struck unseen."""
SPENT_MM: Final = 30.0
"""A striker at rest this far from where a stroke left it was placed anew (mm)."""
MEMORY: Final = 40
"""Sightings of the striker that are kept."""
STRAIGHT: Final = np.cos(np.radians(6.0))
"""Cosine of the turn between two legs of the path below which the striker has met something."""


@dataclass(frozen=True)
class Sighting:
    """The striker once seen: when, where, and whether within a hand's box."""

    t: float
    xy: Array
    held: bool


@dataclass(frozen=True)
class Release:
    """A release: by whom, when (s) and, if they could be seen, from where (mm) and with what velocity (mm/s)."""

    by: Seat
    t: float
    place: Array | None
    velocity: Array | None
    sure: bool


def seat_of(xy: Array, board: BoardSpec, seats: tuple[Seat, ...]) -> Seat | None:
    """The seat between whose base lines a striker stands at `xy`; None where it stands at none."""
    best: Seat | None = None
    nearest = BAND_MM
    reach = board.base_length / 2 + board.striker_radius
    for seat in seats:
        along = xy[0] if seat in ("south", "north") else xy[1]
        across = xy[1] if seat in ("south", "north") else xy[0]
        line = board.base_middle if seat in ("north", "west") else board.side - board.base_middle
        if abs(across - line) < nearest and abs(along - board.side / 2) < reach:
            best, nearest = seat, abs(across - line)
    return best


class ReleaseWatch:
    """Watches the striker between strokes and tells when it is struck."""

    def __init__(self, board: BoardSpec, seats: tuple[Seat, ...]) -> None:
        self._board, self._seats = board, seats
        self._path: deque[Sighting] = deque(maxlen=MEMORY)
        self._placed: tuple[Seat, Array, float] | None = None
        self._spent: Array | None = None
        self._looked = -np.inf

    def forget(self, lies: Array | None = None) -> None:
        """A stroke was made, or the striker was taken away; `lies` is where it lies still from the stroke before."""
        self._path.clear()
        self._placed = None
        self._spent = lies

    def step(self, striker: Track, t: float, before: float, held: bool, touched: bool, pieces_move: bool) -> Release | None:
        """Take in one frame.

        Parameters
        ----------
        before : float
            When the frame before this one was (s): until then nothing moved since the last one that was looked at.
        held : bool
            The striker lies within a hand's box.
        touched : bool
            A hand is so near that it may touch it.
        pieces_move : bool
            Some piece that no hand covers is in motion.
        """
        self._lay(before)
        self._looked = t
        if not striker.observed:
            return self._unseen(t) if pieces_move else None
        xy = striker.xy if striker.state == "rest" else striker.last[0]
        if self._spent is not None:
            # Where a stroke left it, it was not placed, be it between the base lines.
            if striker.state != "rest" or np.hypot(*(xy - self._spent)) < SPENT_MM:
                return None
            self.forget()
        self._path.append(Sighting(t, xy, held))
        if striker.state == "rest" or np.hypot(*striker.v) < PLACED_SPEED:
            seat = seat_of(xy, self._board, self._seats)
            self._placed = (seat, xy, t) if seat else self._placed if striker.state != "rest" else None
            return None
        if self._placed is None:
            return self._unplaced(pieces_move)
        seat, place, since = self._placed
        gone = float(np.hypot(*(xy - place)))
        if gone < RELEASE_MM or gone / max(t - since, 1e-3) < RELEASE_SPEED:
            return None
        if held and not pieces_move:
            return None
        if not self._leaves(seat, xy) and (touched or not pieces_move):
            return None  # a hand that sets it may knock a piece aside
        return self._release(seat, place, since, sure=True)

    def _lay(self, before: float) -> None:
        """While nothing moved, the striker lay where it was seen in the last look."""
        last = self._path[-1] if self._path else None
        if last is not None and last.t == self._looked < before:
            self._path.append(Sighting(before, last.xy, last.held))
            if self._placed is not None and self._placed[2] == last.t:
                self._placed = (*self._placed[:2], before)

    def _unseen(self, t: float) -> Release | None:
        """A striker that was gone from its place when the pieces began to move: struck too fast to be seen."""
        if self._placed is None or not UNSEEN_SIGHT < t - self._placed[2] < UNSEEN_FLIGHT:
            return None
        seat, place, since = self._placed
        return Release(seat, since, place, None, sure=False)

    def _leaves(self, seat: Seat, xy: Array) -> bool:
        return seat_of(xy, self._board, (seat,)) is None

    def _unplaced(self, pieces_move: bool) -> Release | None:
        """A striker that was never seen lying between base lines, under a hand until it flew."""
        loose = [s for s in self._path if not s.held]
        if len(loose) < 2 or (not pieces_move and len(loose) < 3):
            return None
        v = (loose[-1].xy - loose[0].xy) / max(loose[-1].t - loose[0].t, 1e-3)
        if np.hypot(*v) < RELEASE_SPEED:
            return None
        for back in np.arange(0.0, 0.4, 0.01):
            place = np.asarray(loose[0].xy - v * back, np.float64)
            seat = seat_of(place, self._board, self._seats)
            if seat and v @ _inward(seat) > 0:
                return self._release(seat, place, loose[0].t - 1e-6, sure=False)
        return None

    def _release(self, seat: Seat, place: Array, since: float, *, sure: bool) -> Release:
        flight = [s for s in self._path if s.t > since and np.hypot(*(s.xy - place)) > AWAY_MM]
        at = [s.t for s in self._path if np.hypot(*(s.xy - place)) <= AWAY_MM]
        before = max((t for t in at if t < flight[0].t), default=flight[0].t - 0.04)
        s = np.array([np.hypot(*(f.xy - place)) for f in flight])
        t = np.array([f.t for f in flight])
        u = (flight[0].xy - place) / max(s[0], 1e-6)
        straight = 1
        while (
            straight < len(flight)
            and (leg := flight[straight].xy - flight[straight - 1].xy) @ u > STRAIGHT * np.hypot(*leg)
            and s[straight] > s[straight - 1]
        ):
            straight += 1
        if straight < 2:
            # One sighting: released early in the gap since it last lay still, for few strokes are among the hardest.
            released = min(before + EARLY * (t[0] - before), t[0] - s[0] / HARDEST)
            return Release(seat, float(released), place, u * s[0] / max(t[0] - released, 1e-3), sure=False)
        # Between two sightings of a sliding disc the mean speed is that of the middle of the gap.
        middle, mean = (t[0] + t[1]) / 2, (s[1] - s[0]) / (t[1] - t[0])
        v0_at_first = mean + DECELERATION * (middle - t[0])
        # Speed at release from the way to the first sighting: v0^2 = v1^2 + 2 a s.
        v0 = float(np.sqrt(v0_at_first**2 + 2 * DECELERATION * s[0]))
        released = t[0] - (v0 - v0_at_first) / DECELERATION
        return Release(seat, float(np.clip(released, before - 0.02, t[0])), place, u * v0, sure)


def _inward(seat: Seat) -> Array:
    """Unit vector from a seat's side into the board."""
    return np.array({"south": (0.0, -1.0), "north": (0.0, 1.0), "west": (1.0, 0.0), "east": (-1.0, 0.0)}[seat])
