"""Discs that no member of the cast accounts for: a striker set down, a piece put back or found again, or nothing of the kind."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from models.board import BoardSpec
from models.detections import Detections
from models.stroke import PIECES, Seat
from tracking.association import assign
from tracking.cast import REST_MEMORY, REST_MM, STILL_MM, Array, Newcomer, Spot, Track
from tracking.disguise import STRIKER, UNKNOWN, Disguise
from tracking.release import seat_of

HAND_MEMORY: Final = 1.0
"""Seconds after which a hand that has gone is no longer taken to have put down what appears."""
PLAIN_LOOK: Final = 0.5
"""Least mean probability of a class for a newcomer to be one of it."""
ARM_NEAR_MM: Final = 45.0
"""A newcomer this near to an arm may be part of it (mm)."""
FORGET: Final = 0.35
"""Seconds after which a newcomer that is not seen again is forgotten."""
SPOT_GONE: Final = 1.0
"""Seconds of free sight after which something that is none of the cast and is not seen is gone."""
STRIKER_SIGHTINGS: Final = 2
KNOWN_STRIKER: Final = 2
"""A striker that its look has told so often is told by its look."""
MOVED_BY_HAND: Final = 60.0
"""A hand that places the striker moves pieces about by no more than this (mm)."""
PLAIN_DISC: Final = 0.5
"""Detector's score from which a disc is plain to see."""
BETTER: Final = 0.2
"""What has just been set down is the striker, and not what was before, if it looks so much more like it."""
ALIKE: Final = 0.3
"""Probability of a class from which a look may be of it."""
TAKEN: Final = 12.0
"""Seconds within which a piece that was gone may have been the striker, taken up for the next stroke."""
SET_DOWN: Final = 4.0
"""Seconds within which what a hand has set down between base lines must be taken for the striker."""
CONFIRM_SIGHTINGS: Final = 4
"""Sightings on the spot that make a newcomer a piece."""
CONFIRM_TIME: Final = 0.12
"""Seconds that they must span."""


class Newcomers:
    """Follows them.

    Parameters
    ----------
    board : BoardSpec
    seats : sequence of str
        The seats that play.

    Attributes
    ----------
    list : list of Newcomer
    """

    def __init__(self, board: BoardSpec, seats: Sequence[Seat]) -> None:
        self.board, self._seats = board, tuple(seats)
        self.list: list[Newcomer] = []
        self._spots: list[Spot] = []
        self._known, self._put, self._t = 0, -np.inf, -np.inf
        self._det: Detections | None = None

    def step(self, det: Detections, free: np.ndarray, side_of: Callable[[Array], Seat | None]) -> None:
        """Take in what no member of the cast accounts for.

        Parameters
        ----------
        det : Detections
        free : ndarray of bool, shape (n,)
            Which detections that is.
        side_of : callable
            The side from which the hand nearest to a place reaches in; None without a hand.
        """
        loose = np.flatnonzero(free)
        if len(self.list) and len(loose):
            cost = np.array([[np.hypot(*(det.xy[j] - n.xy - n.v * (det.t - n.seen))) for j in loose] for n in self.list])
            reach = np.array(
                [REST_MM * 2 + 0.5 * np.hypot(*n.v) * (det.t - n.seen) + (150.0 if n.sightings == 1 else 0.0) for n in self.list]
            )
            cost[cost > reach[:, None]] = np.inf
            for i, k in assign(cost, np.ones(len(loose), bool)):
                new, xy = self.list[i], det.xy[loose[k]]
                was_near = new.near_arm
                new.held = det.hides(xy, self.board.side, 0.0)
                new.near_arm = det.hides(xy, self.board.side, ARM_NEAR_MM)
                if was_near and not new.near_arm:
                    new.looks.clear()  # under fingers and in their shadow it looked like anything
                new.again(xy, det.t, det.prob[loose[k]], float(det.r[loose[k]]), float(det.score[loose[k]]), STILL_MM)
                free[loose[k]] = False
        for j in np.flatnonzero(free):
            side = side_of(det.xy[j])
            self.list.append(
                Newcomer(
                    det.xy[j],
                    min(det.t, self.there_since(det.xy[j], det.prob[j])),
                    det.t,
                    deque([det.prob[j]], maxlen=REST_MEMORY),
                    float(det.r[j]),
                    float(det.score[j]),
                    by=side,
                    held=det.hides(det.xy[j], self.board.side, 0.0),
                )
            )
        for spot in self._spots:
            off = float(np.hypot(*(det.xy - spot.xy).T).min()) if len(det) else np.inf
            shown = off < REST_MM
            # a disc that lies over a part of it hides it
            bare = off > 2 * self.board.piece_radius and np.isfinite(self._t) and not det.hides(spot.xy, self.board.side)
            spot.absent = 0.0 if shown else spot.absent + (det.t - self._t if bare else 0.0)
        self._spots = [s for s in self._spots if s.absent < SPOT_GONE]
        for n in self.list:
            beneath = [s for s in self._spots if np.hypot(*(s.xy - n.xy)) < REST_MM]
            if any(n.first <= s.first and s.other(n.look) for s in beneath):
                n.begins(det.t)
            if n.steady > CONFIRM_SIGHTINGS and n.seen - n.first > FORGET and not beneath:
                self._spots.append(Spot(n.xy, n.first, n.look))
        self.list = [n for n in self.list if det.t - n.seen < FORGET or (det.still and n.steady > CONFIRM_SIGHTINGS)]
        self._t, self._det = det.t, det

    def adopt_striker(self, striker: Track, tracks: Sequence[Track], disguise: Disguise) -> None:
        """A newcomer that looks like the striker, or is treated like it, is the striker, when that is in a hand or in a pocket."""
        t = self._t
        # What lay there while the striker was still seen elsewhere is not the striker.
        new = [n for n in self.list if n.first > striker.seen]
        if striker.state in ("hidden", "lost"):
            # There is but one: what lies plainly elsewhere is not under the hand any more.
            plain = [n for n in new if n.look[STRIKER] >= PLAIN_LOOK and n.steady >= CONFIRM_SIGHTINGS and n.seen == t and not n.held]
            best = max(plain, key=lambda n: n.look[STRIKER], default=None)
        elif striker.on_board:
            # What never left its place while another was set down to be struck is no striker.
            best = self._set_down(t, tracks) if striker.state == "rest" else None
            if best is not None and t - self._put < SET_DOWN and not best.look[STRIKER] > max(PLAIN_LOOK, _striker_look(striker) + BETTER):
                best = None
            if best is not None and not self._was_piece(striker, tracks):
                self._spots.append(Spot(striker.xy, self._put))
        else:
            twice = [n for n in new if n.sightings >= STRIKER_SIGHTINGS and not _faint(n)]
            best = max(twice, key=lambda n: self.look_of(n)[STRIKER], default=None)
            if best is None or self.look_of(best)[STRIKER] < PLAIN_LOOK:
                best = self._set_down(t, tracks)
        if best is None or (best.held and best.steady < CONFIRM_SIGHTINGS):
            return
        if best.look[STRIKER] >= PLAIN_LOOK:
            self._known += 1
        else:
            cls = PIECES[int(best.look.argmax())]
            disguise.learn(None if best.look.max() < PLAIN_LOOK else cls, best.r)
        self.list.remove(best)
        striker.put(best.xy, t)
        self._put = t
        if best.steady < 2:
            striker.start(best.xy, best.v)

    def look_of(self, n: Newcomer) -> Array:
        """Its look; where no striker is set down, what looks nearly as much like a piece is one, put back; shape (4,)."""
        look = n.look
        k = int(look[:STRIKER].argmax())
        if n.steady > 1 and look[k] > max(ALIKE, look[STRIKER] - BETTER) and seat_of(n.xy, self.board, self._seats) is None:
            look[k], look[STRIKER] = look[k] + look[STRIKER], 0.0
        return look

    def _was_piece(self, striker: Track, tracks: Sequence[Track]) -> bool:
        """Whether what was followed as the striker is a piece that looks like it, and a hand took the striker away as that piece.

        The track of that piece then goes on where it lies.
        """
        det = self._det
        if det is None or not len(det):
            return False
        off = np.hypot(*(det.xy - striker.xy).T)
        if off.min() > REST_MM:
            return False
        look = det.prob[int(off.argmin()), :STRIKER]
        cls = PIECES[int(look.argmax())]
        taken = [k for k in tracks if k.cls == cls and k.state in ("lost", "off") and self._t - k.seen < TAKEN]
        if look.max() < ALIKE or not taken:
            return False
        max(taken, key=lambda k: k.seen).put(striker.xy, self._t)
        return True

    def _set_down(self, t: float, tracks: Sequence[Track]) -> Newcomer | None:
        """What a hand has set down between base lines, whatever it looks like: the striker. Pieces are never put there."""
        here = [n for n in self.list if n.steady >= CONFIRM_SIGHTINGS and n.by is not None and n.seen == t and t - n.first < SET_DOWN]
        for n in sorted(here, key=lambda n: -n.look[STRIKER]):
            # where the striker's look is known, only another player's striker has another, and it must be plain to see
            unlike = n.look[STRIKER] < PLAIN_LOOK and self._known >= KNOWN_STRIKER
            if _faint(n) or (unlike and (n.look.max() >= PLAIN_LOOK or n.steady < 2 * CONFIRM_SIGHTINGS)):
                continue
            if seat_of(n.xy, self.board, self._seats) and not _lay_there(n.xy, tracks):
                return n
        return None

    def ignore(self, xy: Array, look: Array | None) -> None:
        """What is seen at a place and looks so (None: however it looks) was there before all else, and is none of the cast."""
        self._spots.append(Spot(xy, -np.inf, look))

    def others(self, before: float) -> Array:
        """Where something that is none of the cast lay before a time (s), shape (k, 2); mm."""
        return np.array([s.xy for s in self._spots if s.first < before]).reshape(-1, 2)

    def there_since(self, xy: Array, prob: Array) -> float:
        """Since when something that is none of the cast, and may look as what is seen now, lies at a place (s); inf if nothing does."""
        lying = [(n.xy, n.first) for n in self.list if n.steady > 1] + [(s.xy, s.first) for s in self._spots if not s.other(prob)]
        return min((first for at, first in lying if np.hypot(*(at - xy)) < REST_MM), default=np.inf)

    def settled(self) -> list[Newcomer]:
        """Newcomers that lie still and have been seen often enough to be pieces."""
        steady = [n for n in self.list if n.steady >= CONFIRM_SIGHTINGS and n.seen - n.first >= CONFIRM_TIME]
        return [n for n in steady if n.seen == self._t and not n.near_arm]


def _striker_look(striker: Track) -> float:
    """How much what is followed as the striker looks like it."""
    looks = striker.looks
    return float(np.mean([p[STRIKER] for p in looks])) if len(looks) else 1.0


def _faint(n: Newcomer) -> bool:
    """Whether it is hardly seen, and looks no more like the striker than whatever looks like nothing known does at most."""
    return bool(n.look[STRIKER] <= UNKNOWN and n.score < PLAIN_DISC)


def _lay_there(xy: Array, tracks: Sequence[Track]) -> bool:
    """Whether a piece that is out of sight lay near a place: it may have been moved a little by a hand."""
    return any(k.state in ("hidden", "lost") and np.hypot(*(k.lay - xy)) < MOVED_BY_HAND for k in tracks)
