"""How a board lies before the first stroke: a vote of the first still frames."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from models.board import BoardSpec, rack
from models.detections import Detections
from models.stroke import FULL_SET, PIECES, Piece
from tracking.cast import REST_MM, STILL_MM, Array, Track
from tracking.disguise import STRIKER
from tracking.follow_stroke import UNLIKELY
from tracking.newcomers import PLAIN_DISC
from tracking.tracker import UNEXPECTED

MIN_VOTES: Final = 3
"""Still frames that must be seen before a board is taken as it lies."""
CLEAR_SIGHT: Final = 0.997
"""Share of the playing surface that must be free of arms for the sight to be free."""
PATIENCE: Final = 8.0
"""Seconds that hands may hide a board at the start before it is taken as it is."""
MIN_SHARE: Final = 0.5
"""Share of the frames in which a disc must be seen."""
MIN_STRIKER: Final = 0.7
MIN_PIECE: Final = 0.02
"""Least class probability of a disc that is taken for the striker, or for a piece of some colour."""
RACK_PIECES: Final = 14
"""Pieces within the outer circle that make a rack, though a few were not seen: in play they are never so many."""
NOT_IN_THE_MIDDLE: Final = 3.0
"""What it costs that the queen does not lie in a rack's middle (nats)."""
SEEN_WELL: Final = 20.0
"""What it costs that a disc seen in all frames is none of a rack's pieces (nats)."""
RACK_MM: Final = 6.0
"""How far off its place a disc of a rack lies (mm, root mean square)."""
TURNS: Final = 48
"""So many turns of a rack are tried: one every 2.5 degrees."""
MOST_LAWFUL: Final = 7.0
"""A rack laid by the laws may look so much less likely than another (nats): players lay it so, but may mistake a pair of pieces."""
PLAINLY: Final = 6.0
"""One lawful way must look likelier than the others by so much (nats)."""
LAID: Final = 16
SCATTERED: Final = 10
"""Pieces within the outer circle that tell, after a board has begun, that a rack was laid anew, once they were so few: dues alone
never bring so many back."""
LOOKS: Final = 4
"""Looks one after the other that must say so."""


@dataclass(frozen=True)
class Lying:
    """Discs at rest, one struct of arrays.

    Attributes
    ----------
    xy : ndarray, shape (n, 2)
    prob : ndarray, shape (n, 4)
        Mean class probabilities.
    votes : ndarray, shape (n,)
        Share of the frames in which each was seen.
    """

    xy: Array
    prob: Array
    votes: Array


def vote(frames: Sequence[Detections]) -> Lying:
    """The discs that most of several frames agree on."""
    xy = np.concatenate([f.xy[f.score >= UNEXPECTED] for f in frames])
    prob = np.concatenate([f.prob[f.score >= UNEXPECTED] for f in frames])
    left = np.ones(len(xy), bool)
    groups = []
    for i in range(len(xy)):
        if left[i]:
            own = left & (np.hypot(*(xy - xy[i]).T) < REST_MM)
            left &= ~own
            groups.append(own)
    groups = [g for g in groups if g.sum() >= MIN_SHARE * len(frames)]
    return Lying(
        np.array([np.median(xy[g], axis=0) for g in groups]).reshape(-1, 2),
        np.array([prob[g].mean(axis=0) for g in groups]).reshape(-1, 4),
        np.array([g.sum() / len(frames) for g in groups]),
    )


def assign_classes(lying: Lying) -> list[tuple[Piece, Array]]:
    """Give every disc a class so that no class has more members than the set holds; what is over is no disc."""
    room: dict[Piece, int] = {cls: 1 if cls == "striker" else FULL_SET[cls] for cls in PIECES}
    taken: list[tuple[Piece, Array]] = []
    done = np.zeros(len(lying.xy), bool)
    order = np.dstack(np.unravel_index(np.argsort(-(lying.prob * lying.votes[:, None]), axis=None), lying.prob.shape))[0]
    for i, k in order:
        cls = PIECES[k]
        if not done[i] and room[cls] > 0 and lying.prob[i, k] > (MIN_STRIKER if cls == "striker" else MIN_PIECE):
            done[i] = True
            room[cls] -= 1
            taken.append((cls, lying.xy[i]))
    return taken


def rack_classes(lying: Lying, board: BoardSpec) -> list[tuple[Piece, Array]]:
    """The same of a rack: its pieces are those within the outer circle, whatever they look like, the queen in the middle; beside it
    lies nothing but the striker. As many of each class as the set holds, as they look likeliest together."""
    slots = [cls for cls in PIECES if cls != "striker" for _ in range(FULL_SET[cls])]
    inside = np.flatnonzero(board.by_outer_circle(lying.xy) & (lying.prob[:, STRIKER] < MIN_STRIKER))
    cost = -np.log(np.maximum(lying.prob[inside][:, [PIECES.index(cls) for cls in slots]], UNLIKELY))
    off = np.hypot(*(lying.xy[inside] - board.side / 2).T)
    cost[off > board.piece_radius, slots.index("queen")] += NOT_IN_THE_MIDDLE
    look = cost.copy()
    cost -= SEEN_WELL * lying.votes[inside, None]
    rows, columns = linear_sum_assignment(cost)
    taken = [(slots[k], lying.xy[inside[i]]) for i, k in zip(rows, columns, strict=True)]
    lawful = _lawful(lying.xy[inside[rows]], lying.prob[inside[rows]], board)
    if lawful is not None and lawful[1] < float(look[rows, columns].sum()) + MOST_LAWFUL:
        taken = [(cls, lying.xy[inside[i]]) for cls, i in zip(lawful[0], rows, strict=True)]
    striker = max(set(range(len(lying.xy))) - set(inside.tolist()), key=lambda i: lying.prob[i, STRIKER], default=None)
    if striker is not None and lying.prob[striker, STRIKER] > MIN_STRIKER:
        taken.append(("striker", lying.xy[striker]))
    return taken


def _lawful(xy: Array, prob: Array, board: BoardSpec) -> tuple[list[Piece], float] | None:
    """The classes of discs that lie as the laws have a rack laid (ICF law 41), turned or mirrored, and what these cost (nats).

    None if they do not lie so, or if they look as much as if it were turned or mirrored otherwise.
    """
    found = []
    if not len(xy):
        return None
    for turn in np.linspace(0.0, 2 * np.pi / 3, TURNS, endpoint=False):
        classes, places = rack(board, float(turn))
        for mirrored in (places, np.stack([places[:, 0], board.side - places[:, 1]], axis=1)):
            off = np.hypot(*(xy[:, None] - mirrored[None]).transpose(2, 0, 1))
            rows, slots = linear_sum_assignment(off**2)
            own = [classes[k] for k in slots]
            look = prob[rows, [PIECES.index(cls) for cls in own]]
            found.append((float(np.sqrt(np.mean(off[rows, slots] ** 2))), own, float(-np.log(np.maximum(look, UNLIKELY)).sum())))
    least = min(off for off, _, _ in found)
    if least > RACK_MM:
        return None
    # one lattice, which colours lie on it in several ways
    near = sorted(((cost, own) for off, own, cost in found if off < least + RACK_MM / 4), key=lambda f: f[0])
    others = [cost for cost, own in near if own != near[0][1]]
    return (near[0][1], near[0][0]) if min(others, default=np.inf) > near[0][0] + PLAINLY else None


def cast_of(discs: Sequence[tuple[Piece, Array]], t: float) -> list[Track]:
    """The full cast: the discs that lie on the board, the others pocketed before, the striker in a hand if not seen."""
    tracks = []
    for cls in PIECES:
        size = 1 if cls == "striker" else FULL_SET[cls]
        here = [xy for c, xy in discs if c == cls]
        for n in range(size):
            name = cls if size == 1 else f"{cls}{n + 1}"
            track = Track(name, cls, np.full(2, np.nan))
            if n < len(here):
                track.put(here[n], t)
            else:
                track.state = "away" if cls == "striker" else "pocketed"
            tracks.append(track)
    return tracks


def is_rack(discs: Sequence[tuple[Piece, Array]], board: BoardSpec) -> bool:
    """Whether the pieces are laid out for the break."""
    xy = np.array([xy for c, xy in discs if c != "striker"]).reshape(-1, 2)
    return int(board.by_outer_circle(xy).sum()) >= RACK_PIECES


@dataclass(frozen=True)
class Opened:
    """How a board lay when it was first seen well: the cast, whether as a rack, and the frames that told."""

    tracks: list[Track]
    rack: bool
    frames: tuple[Detections, ...]


class Opening:
    """Looks at a board until it is known how it lies.

    Parameters
    ----------
    board : BoardSpec
    rack_only : bool
        Wait for a rack; what lies on the board before that is no play.
    """

    def __init__(self, board: BoardSpec, rack_only: bool) -> None:
        self._board, self._rack_only = board, rack_only
        self._frames: list[Detections] = []
        self._began = np.inf

    def step(self, det: Detections) -> Opened | None:
        """Take in one frame; how the board lies, once that is known."""
        self._began = min(self._began, det.t)
        patient = det.t - self._began < PATIENCE
        if not (self._rack_only or self._lies(det)) and len(self._frames) < MIN_VOTES and patient:
            self._frames = []
        self._frames = [*self._frames[-2 * MIN_VOTES + 1 :], det]
        if len(self._frames) < MIN_VOTES + 1:
            return None
        lying = vote(self._frames)
        discs = assign_classes(lying)
        rack = is_rack(discs, self._board)
        discs = rack_classes(lying, self._board) if rack else discs
        hidden = any(f.sight(self._board.side) < CLEAR_SIGHT for f in self._frames) and not rack
        if (self._rack_only and not rack) or ((hidden or not discs) and patient):
            return None
        tracks = cast_of(discs, det.t)
        if rack:
            # A rack is whole: what was not seen of it is there and will be found when it moves.
            for track in tracks:
                if track.state == "pocketed":
                    track.state = "off"
        return Opened(tracks, rack, tuple(self._frames))

    def _lies(self, det: Detections) -> bool:
        """Whether nothing moves, if the whole picture shakes or not: no hand is there and all lies where it lay in the frames before."""
        if det.still or len(det.hands) or not self._frames or (det.streaks() & (det.score >= UNEXPECTED)).any():
            return det.still
        before = self._frames[0]
        off = np.hypot(*(det.xy[:, None] - before.xy[None]).transpose(2, 0, 1))
        gone = [off.min(axis=1 - axis, initial=np.inf)[f.score >= PLAIN_DISC] for axis, f in enumerate((det, before))]
        return len(gone[0]) > 0 and max(g.max(initial=0.0) for g in gone) < STILL_MM


class RackWatch:
    """Tells when the pieces of a board that has begun are laid out for another break: it was given up, or its end was not seen.

    Parameters
    ----------
    board : BoardSpec
    scattered : bool
        The board did not begin with a rack.
    """

    def __init__(self, board: BoardSpec, scattered: bool) -> None:
        self._board, self._scattered = board, scattered
        self._within: deque[int] = deque(maxlen=LOOKS)

    def step(self, det: Detections) -> bool:
        """Take in one frame; whether a rack lies there that is another than this board's own."""
        if det.hides(np.full(2, self._board.side / 2), self._board.side, self._board.outer_radius):
            return False
        own = (det.score >= UNEXPECTED) & (det.prob.argmax(axis=1) != STRIKER)
        self._within.append(int(self._board.by_outer_circle(det.xy[own]).sum()))
        if len(self._within) < LOOKS:
            return False
        self._scattered = self._scattered or max(self._within) <= SCATTERED
        return self._scattered and min(self._within) >= LAID
