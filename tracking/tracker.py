"""From detections to the cast: who is where in each frame.

Association is class-locked and optimal (Hungarian) in three rounds, from the surest to the boldest: discs at rest
where they lay, discs in motion where the Kalman filter expects them, and discs that were struck since the last
frame. What no member of the cast accounts for is a newcomer: a striker put down, a piece put back, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from models.board import BoardSpec
from models.detections import Detections, Mask
from models.stroke import COLOURS, PIECES, Piece, PocketName, Seat
from tracking.association import assign, distances, locked
from tracking.cast import REST_MEMORY, REST_MM, STILL_MM, Array, Track
from tracking.disguise import STRIKER, UNKNOWN, Disguise
from tracking.kalman import DECELERATION, slide
from tracking.newcomers import HAND_MEMORY, PLAIN_DISC, PLAIN_LOOK, Newcomers

UNEXPECTED: Final = 0.25
"""Least detector score of a disc that is seen where none was expected."""
STOP_SPEED: Final = 60.0
"""Speed (mm/s) below which a moving disc may be at rest."""
STOP_TIME: Final = 0.06
"""Seconds on the spot after which it is."""
MAX_SPEED: Final = 7000.0
"""No disc is faster (mm/s); the hardest strokes release the striker at about 6 m/s."""
GATE: Final = 4.0
"""Mahalanobis distance to the prediction beyond which a sighting is another disc's."""
GATE_MM: Final = 14.0
"""Distance to the prediction that is always allowed (mm)."""
MISTAKEN: Final = 0.05
SURE: Final = 0.8
"""A disc at rest whose mean look gives its class less than the one and another more than the other is another disc."""
NOTHING: Final = 0.2
"""What looks less like any class, and is seen only half, is no disc; what is hardly seen at all may be one in a hand's shadow."""
HARDLY: Final = 0.18
"""Detector's score below which a disc is hardly seen."""
HER_COLOUR: Final = 0.95
"""Probability from which a disc plainly has the queen's colour."""
CENTRE_MM: Final = 5.0
"""A disc nearer to the board's middle may be what is printed there."""
LOOKS_EVERY: Final = 0.03
"""Seconds from one look at a disc to the next that counts: more pictures a second say no more."""
LOOK_MM: Final = 25.0
"""Nearer to an arm than this a disc lies in its shadow and its look says little (mm)."""
LOST_AFTER: Final = 0.12
"""Seconds unseen, no hand over it, after which a disc that lay still is lost."""
ONE_LOOK: Final = 0.2
"""Seconds that a look after a quiet stretch stands for."""
COAST: Final = 0.12
"""Seconds unseen after which a moving disc is lost."""
JUMP_TIME: Final = 0.7
"""Seconds after which a disc that is not found again in motion must be found at rest."""


class Tracker:
    """The cast of one board, followed from frame to frame.

    Parameters
    ----------
    board : BoardSpec
    tracks : sequence of Track
        The pieces at the start and the striker (`away` if it does not lie on the board).
    seats : sequence of str
        The seats that play.

    Attributes
    ----------
    disguise : Disguise
        What is known of a striker that looks like a piece.
    began : float
        When the first stroke was played (s); inf until then.
    """

    def __init__(self, board: BoardSpec, tracks: Sequence[Track], seats: Sequence[Seat]) -> None:
        self.board = board
        self.disguise = Disguise()
        self.tracks = list(tracks)
        self.striker = next(t for t in self.tracks if t.cls == "striker")
        self.newcomers = Newcomers(board, seats)
        self.t, self.began = -np.inf, np.inf
        self._hands: tuple[float, Array] = (-np.inf, np.zeros((0, 5)))

    def step(self, det: Detections) -> None:
        """Take in one frame."""
        # While nothing moved nobody looked; what moves now has moved since the frame before this one.
        dt = min(det.t - self.t, det.t - det.before) if self._quiet() else det.t - self.t
        free = np.ones(len(det), bool)
        if len(det.hands):
            self._hands = (det.t, det.hands)
        covered = {t.id: t.on_board and det.hides(t.xy, self.board.side) for t in self.tracks}
        for track in self.tracks:
            if track.observed and track.state == "rest":
                track.seen = max(track.seen, det.before)
            track.observed, track.sighting = False, -1
            if track.filter is not None and track.state == "moving":
                track.filter.predict(max(dt, 1e-3))
        self._rest(det, free)
        self._moving(det, free)
        # What seems a disc within an arm is a knuckle or a cuff; only what a hand holds down stays there.
        in_arm = np.array([det.hides(xy, self.board.side, 0.0) for xy in det.xy], bool)
        held = free & in_arm
        free &= ~in_arm & ((det.score >= UNEXPECTED) | self._queen_back(det))
        self._jumps(det, free, covered, dt)
        for track in self.tracks:
            if not track.observed:
                self._miss(track, det, covered[track.id])
        self.newcomers.step(det, free | (held if not self.striker.on_board else False), lambda xy: self.arm_side(xy, HAND_MEMORY, det.t))
        self.newcomers.adopt_striker(self.striker, self.tracks, self.disguise)
        self.t = det.t

    def _queen_back(self, det: Detections) -> Mask:
        """What has the queen's colour within the outer circle while she is off the board: she is put back there, however faintly seen."""
        middle = np.full(2, self.board.side / 2)
        looks = (det.prob[:, PIECES.index("queen")] > HER_COLOUR) & ~det.streaks()
        inside = np.hypot(*(det.xy - middle).T) < self.board.outer_radius
        return np.asarray(looks & inside & any(t.cls == "queen" and not t.on_board for t in self.tracks), np.bool_)

    def _quiet(self) -> bool:
        return all(t.state != "moving" for t in self.tracks)

    # -- the three rounds -------------------------------------------------------------------------------------

    def _rest(self, det: Detections, free: np.ndarray) -> None:
        lying = [t for t in self.tracks if t.state in ("rest", "hidden", "lost")]
        cost = distances(lying, det)
        cost[cost > REST_MM] = np.inf
        _bar(cost, lying, det)
        # Where a disc lay still, one lies still: the place says more than a look that glare may have changed.
        for i, j in assign(locked(cost, lying, det, lock=False), free):
            lying[i].settle(det.xy[j])
            if det.still and lying[i].cls != "striker":
                self.disguise.see_piece(float(det.r[j]))
            self._see(lying[i], det, j)
            self._check_look(lying[i], det, j)

    def _check_look(self, track: Track, det: Detections, j: int) -> None:
        """A disc that looks like another class time after time is another, and what looks like none is none: the track was led astray."""
        if det.hides(det.xy[j], self.board.side, LOOK_MM) or det.streaks()[j]:
            return
        if det.t - track.looked < LOOKS_EVERY:
            return
        track.looked = det.t
        track.looks.append(det.prob[j])
        track.shown = track.shown + det.prob[j]
        if len(track.looks) < REST_MEMORY:
            return
        mean = np.mean(track.looks, axis=0)
        unknown = mean[:STRIKER].max() < NOTHING and mean[STRIKER] <= UNKNOWN and HARDLY <= det.score[j] < PLAIN_DISC
        nothing = unknown and track.cls != "striker"
        mistaken = mean[PIECES.index(track.cls)] < MISTAKEN and mean.max() > SURE and not _odd_queen(track, int(mean.argmax()))
        if nothing or mistaken:
            if nothing:
                self.newcomers.ignore(track.xy, mean)
            track.state, track.barred, track.absent = "lost", track.xy, 0.0
            track.places.clear()
            track.looks.clear()

    def _moving(self, det: Detections, free: np.ndarray) -> None:
        going = [t for t in self.tracks if t.state == "moving" and t.filter is not None]
        cost = np.full((len(going), len(det)), np.inf)
        for i, track in enumerate(going):
            assert track.filter is not None
            mm = np.hypot(*(det.xy - track.filter.xy).T)
            near = (track.filter.distance(det.xy) < GATE) | (mm < GATE_MM)
            cost[i] = np.where(near, mm, np.inf)
        for i, j in assign(locked(cost, going, det), free):
            self._follow(going[i], det, j)

    def _jumps(self, det: Detections, free: np.ndarray, covered: dict[str, bool], dt: float) -> None:
        """Discs struck since they were last seen: anywhere within reach."""
        struck = [t for t in self.tracks if not t.observed and self._may_jump(t, det.t, covered[t.id])]
        cost = distances(struck, det)
        _bar(cost, struck, det)
        for i, track in enumerate(struck):
            reach = MAX_SPEED * min(dt if track.state == "rest" else max(det.t - track.seen, dt), 0.25) + REST_MM
            if track.state == "rest":
                cost[i, cost[i] < STILL_MM] = np.inf
            cost[i, cost[i] > reach] = np.inf
            if track.cls == "striker" and covered[track.id]:
                # There is but one: what plainly looks like it elsewhere is not under the hand any more.
                cost[i, det.prob[:, STRIKER] < PLAIN_LOOK] = np.inf
            if track.cls == "striker" and (covered[track.id] or track.state == "hidden"):
                cost[i, (det.score < PLAIN_DISC) & ~det.streaks()] = np.inf
        for j in np.flatnonzero(free).tolist():
            since = self.newcomers.there_since(det.xy[j], det.prob[j])
            # what lay there while the disc was still seen elsewhere is not that disc
            cost[[since < track.seen for track in struck], j] = np.inf
        for i, j in assign(locked(cost, struck, det), free):
            track, xy = struck[i], det.xy[j]
            since = dt if track.state == "rest" else max(det.t - track.seen, 1e-3)
            track.start(xy, (xy - track.xy) / max(since, 1e-3))
            self._see(track, det, j)

    @staticmethod
    def _may_jump(track: Track, t: float, covered: bool) -> bool:
        if track.state == "rest":
            return not covered or track.cls == "striker"
        recent = t - track.seen < JUMP_TIME
        return track.state == "moving" or (recent and (track.state == "lost" or (track.state == "hidden" and track.cls == "striker")))

    def _follow(self, track: Track, det: Detections, j: int) -> None:
        assert track.filter is not None
        xy = det.xy[j]
        track.filter.update(xy)
        track.xy, track.v = track.filter.xy, track.filter.v
        track.path.append((det.t, xy))
        since = next((k for k in range(len(track.path) - 1, -1, -1) if track.path[k][0] <= det.t - STOP_TIME), None)
        last = [] if since is None else [at for _, at in list(track.path)[since:]]
        if last and max(np.hypot(*(at - xy)) for at in last) < STILL_MM and np.hypot(*track.v) < 4 * STOP_SPEED:
            track.places.clear()
            track.settle(xy)
        self._see(track, det, j)

    @staticmethod
    def _see(track: Track, det: Detections, j: int) -> None:
        track.observed, track.seen, track.absent = True, det.t, 0.0
        track.sighting = j
        track.last = (track.xy, track.v)

    def _miss(self, track: Track, det: Detections, covered: bool) -> None:
        if not track.on_board:
            return
        if track.state == "moving":
            assert track.filter is not None
            track.xy, track.v = track.filter.xy, track.filter.v
            if det.t - track.seen > COAST:
                track.state = "hidden" if det.hides(track.xy, self.board.side) and np.hypot(*track.v) < 4 * STOP_SPEED else "lost"
                track.absent = 0.0
                track.xy, track.v = np.clip(track.xy, 0.0, self.board.side), np.zeros(2)
            return
        if covered:
            track.state = "hidden" if track.state != "lost" else "lost"
            return
        if np.isfinite(self.t):
            # while nothing moved nobody looked: one look that misses a disc is not seconds without it
            track.absent += min(det.t - self.t, max(det.t - det.before, ONE_LOOK))
        if track.absent > LOST_AFTER:
            track.state = "lost"

    def arm_side(self, xy: Array, within: float, now: float | None = None) -> Seat | None:
        """The side of the arm that was last seen, not longer ago than `within` seconds, nearest to a point."""
        t, arms = self._hands
        return hand_side(xy, arms, self.board) if (self.t if now is None else now) - t < within else None

    def absent_of(self, cls: Piece, *states: str) -> list[Track]:
        """Members of a class in one of `states`."""
        return [t for t in self.tracks if t.cls == cls and t.state in states]

    def missing(self, cls: Piece, first: float) -> list[Track]:
        """Members of a class that what was first seen at `first` (s) may be: it was not there while they were still seen elsewhere.

        One that went while no stroke was played may have been led astray before; but no piece of a rack came before the break.
        """
        gone = self.absent_of(cls, "lost", "off")
        return [t for t in gone if first > (min(t.seen, self.began) if t.state == "off" else t.seen)]

    def printed(self, cls: Piece) -> Track | None:
        """A member of a class that lies in the board's middle, where a rack hides what is printed until the break, and may be that."""
        middle = np.full(2, self.board.side / 2)
        near = [t for t in self.tracks if t.cls == cls and t.state == "rest" and np.hypot(*(t.xy - middle)) < CENTRE_MM]
        return near[0] if near else None

    def counts(self) -> dict[str, int]:
        """Pieces of each colour that are on the board."""
        return {c: sum(t.cls == c and t.on_board for t in self.tracks) for c in COLOURS}


def _odd_queen(track: Track, looks: int) -> bool:
    """Whether a queen has always looked like the class with the index `looks`: a rack's is known by her place, whatever her colour."""
    before = track.shown - np.sum(track.looks, axis=0)
    return track.cls == "queen" and bool(before[looks] > 0.5 * before.sum() if before.sum() > 0.5 else not track.path)


def _bar(cost: Array, tracks: Sequence[Track], det: Detections) -> None:
    """Keep discs from what has turned out to be something else."""
    for i, track in enumerate(tracks):
        if track.barred is not None and len(det):
            cost[i, np.hypot(*(det.xy - track.barred).T) < 2 * REST_MM] = np.inf


def hand_side(xy: Array, hands: Array, board: BoardSpec) -> Seat | None:
    """The side of the board from which the hand nearest to a point reaches in; None without a hand."""
    if not len(hands):
        return None
    dx = np.maximum(np.maximum(hands[:, 0] - xy[0], xy[0] - hands[:, 2]), 0)
    dy = np.maximum(np.maximum(hands[:, 1] - xy[1], xy[1] - hands[:, 3]), 0)
    x0, y0, x1, y1 = hands[np.hypot(dx, dy).argmin(), :4]
    beyond: dict[Seat, float] = {"north": -y0, "south": y1 - board.side, "west": -x0, "east": x1 - board.side}
    # An arm that comes over a corner crosses two sides; its box is then longest across the one it comes from.
    length = {"north": y1 - y0, "south": y1 - y0, "west": x1 - x0, "east": x1 - x0}
    return max(beyond, key=lambda s: (min(beyond[s], 20.0), length[s]))


def way_to_pocket(xy: Array, v: Array, board: BoardSpec) -> tuple[PocketName, float] | None:
    """The pocket into which a disc at `xy` sliding with `v` falls unhindered, and in how many seconds; None if into none.

    A disc falls when its centre passes the pocket's edge; half a piece is allowed for what the sighting leaves open.
    """
    name, distance = board.nearest_pocket(float(xy[0]), float(xy[1]))
    slack = 0.5 * board.piece_radius
    if distance < board.pocket_radius + slack and np.hypot(*v) < STOP_SPEED:
        return name, 0.0
    stop = float(np.hypot(*v)) / DECELERATION
    for t in np.arange(0.0, stop + 0.004, 0.004):
        at, _ = slide(xy, v, float(t))
        name, distance = board.nearest_pocket(float(at[0]), float(at[1]))
        if distance < board.pocket_radius + slack:
            return name, float(t)
        if not (-slack < at[0] < board.side + slack and -slack < at[1] < board.side + slack):
            return None
    return None
