"""What the hands do: the script of a board, beat by beat.

A hand brings the striker and sets it on the base lines, aims, flicks and withdraws; when all is at rest it takes the
striker away; the opponent's hand puts back what is owed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from math import atan2, cos, hypot, pi, sin
from typing import Final

import numpy as np
from numpy import random
from numpy.typing import NDArray

from models.board import BoardSpec
from models.physics import Motion
from models.scene.hand import HandPose
from models.scene.match import STRIKER, Played, Put
from models.scene.render import DrawnDisc
from models.stroke import Piece, Seat

Array = NDArray[np.float64]
Pose = Callable[[float], HandPose | None]

OUT_MM: Final = 300.0
"""A fingertip so far beyond the cushion is out of the picture (mm)."""
FLICK_S: Final = 0.07
"""From the first movement of the finger to its meeting with the striker (s)."""
FORWARD: Final[dict[Seat, float]] = {"south": -pi / 2, "north": pi / 2, "east": pi, "west": 0.0}
"""Where a player's fingers point who sits there (rad, x right, y down)."""
WIDEST_TURN: Final = 0.95
"""How far a hand turns aside to strike (rad)."""


@dataclass(frozen=True)
class Tempo:
    """How fast the players go about it; each figure is a range of seconds."""

    think: tuple[float, float] = (0.15, 0.8)
    reach: tuple[float, float] = (0.4, 0.65)
    leave: tuple[float, float] = (0.35, 0.6)
    grasp: tuple[float, float] = (0.12, 0.28)
    turn: tuple[float, float] = (0.2, 0.4)
    aim: tuple[float, float] = (0.35, 1.3)
    look: tuple[float, float] = (0.3, 0.9)

    def draw(self, name: str, rng: random.Generator) -> float:
        return float(rng.uniform(*getattr(self, name)))


@dataclass(frozen=True)
class Beat:
    """A stretch of time in which one thing goes on.

    Attributes
    ----------
    seconds : float
    still : ndarray, shape (20, 2)
        Places of the discs that no motion moves (mm), the striker last; NaN for what is not on the surface.
    pose : callable
        The hand at a time from the beat's start; None if there is none.
    rolling : Motion, optional
        The motion of a stroke, whose discs it moves.
    slide : tuple, optional
        From where to where the striker is slid along the base line during the beat.
    released, put : optional
        What happens at the beat's start: a stroke's release, a piece set down.
    """

    seconds: float
    still: Array
    pose: Pose
    rolling: Motion | None = None
    slide: tuple[Array, Array] | None = None
    released: Played | None = None
    put: Put | None = None


def no_hand(_: float) -> None:
    """Nobody's hand over the board."""
    return


def ease(u: float) -> float:
    """The course of a reaching hand from 0 to 1: minimum jerk."""
    u = min(max(u, 0.0), 1.0)
    return u * u * u * (10 - 15 * u + 6 * u * u)


def ease_rate(u: float) -> float:
    """The derivative of `ease`."""
    return 30 * u * u * (1 - u) ** 2 if 0 < u < 1 else 0.0


def held(pose: HandPose) -> Pose:
    """A hand that keeps still."""
    return lambda _: pose


def reaching(a: HandPose, b: HandPose, seconds: float) -> Pose:
    """A hand on its way from pose `a` to pose `b`; grip and what it holds are those of `b`."""
    ax, ay, bx, by = *a.tip, *b.tip
    turn = (b.direction - a.direction + pi) % (2 * pi) - pi

    def pose(t: float) -> HandPose:
        u = min(max(t / seconds, 0.0), 1.0)
        s, rate = ease(u), ease_rate(u) / seconds
        x, y, vx, vy = ax + (bx - ax) * s, ay + (by - ay) * s, (bx - ax) * rate, (by - ay) * rate
        holding = b.holding and replace(b.holding, x=x, y=y, vx=vx, vy=vy)
        return replace(b, tip=(x, y), direction=a.direction + turn * s, vx=vx, vy=vy, holding=holding)

    return pose


def _out(seat: Seat, near: tuple[float, float], board: BoardSpec, rng: random.Generator) -> HandPose:
    """A hand beyond the picture's edge, on its seat's side, about where it will reach to `near` from."""
    c, far = board.side / 2, board.side + OUT_MM
    sway = float(rng.normal(0, 25))
    x, y = 0.55 * near[0] + 0.45 * c + sway, 0.55 * near[1] + 0.45 * c + sway
    tip = {"south": (x, far), "north": (x, -OUT_MM), "east": (far, y), "west": (-OUT_MM, y)}[seat]
    angle = atan2(near[1] - tip[1], near[0] - tip[0])
    direction = 0.6 * angle + 0.4 * _near_angle(FORWARD[seat], angle) + float(rng.normal(0, 0.08))
    return HandPose(tip, direction, seat, "pinch")


def _near_angle(a: float, to: float) -> float:
    """`a` plus whole turns, nearest to `to`."""
    return a + 2 * pi * round((to - a) / (2 * pi))


def _over(at: tuple[float, float], coming: HandPose, holding: DrawnDisc | None = None) -> HandPose:
    """A hand that pinches at `at`, coming from the pose `coming`."""
    return HandPose(at, coming.direction, coming.seat, "pinch", holding=holding)


class Script:
    """Writes the beats of one match; keeps where the players' hands left off.

    Parameters
    ----------
    classes : sequence of str, length 19
    board : BoardSpec
    rng : Generator
    tempo : Tempo
    """

    def __init__(self, classes: tuple[Piece, ...], board: BoardSpec, rng: random.Generator, tempo: Tempo | None = None) -> None:
        self.classes, self.board, self.rng, self.tempo = classes, board, rng, tempo or Tempo()
        self.carried: HandPose | None = None

    def pause(self, places: Array, seconds: float) -> Beat:
        """Nothing moves."""
        return Beat(seconds, _with_striker(places, None), no_hand)

    def stroke(self, played: Played, stays: bool) -> Iterator[Beat]:
        """A stroke from the hand that brings the striker to the placings after it.

        Parameters
        ----------
        stays : bool
            The same player strikes again, so the hand may carry the striker straight to the base line.
        """
        bringing = yield from self._bring(played)
        yield from self._flick(played, bringing)
        yield from self._take_away(played, stays)
        yield from self._put_back(played)

    def _draw(self, name: str) -> float:
        return self.tempo.draw(name, self.rng)

    def _bring(self, played: Played) -> Generator[Beat, None, HandPose]:
        place, seat = played.shot.place, played.by
        bare = _with_striker(played.before, None)
        first = self._first_place(played)
        if self.carried is not None and self.carried.seat == seat:
            start = self.carried
        else:
            start = _out(seat, first, self.board, self.rng)
            yield Beat(self._draw("think"), bare, no_hand)
        self.carried = None
        over = _over(first, start, DrawnDisc("striker", *first))
        seconds = self._draw("reach")
        yield Beat(seconds, bare, reaching(start, over, seconds))
        over = replace(over, holding=None)
        yield Beat(self._draw("grasp"), _with_striker(played.before, first), held(over))
        if first != place:
            seconds = float(self.rng.uniform(0.25, 0.6))
            there = replace(over, tip=place)
            yield Beat(seconds, bare, reaching(over, there, seconds), slide=(np.array(first), np.array(place)))
            over = there
        return over

    def _first_place(self, played: Played) -> tuple[float, float]:
        """Where the striker is first set down: often a little beside the place from which it is struck."""
        place = np.array(played.shot.place)
        shift = float(self.rng.normal(0, 45)) if self.rng.random() < 0.5 else 0.0
        along = np.array([shift, 0.0]) if played.by in ("south", "north") else np.array([0.0, shift])
        reach = self.board.base_length / 2 - self.board.base_circle_radius
        other = place + along
        room = self.board.striker_radius + self.board.piece_radius + 1
        way = place + np.linspace(0, 1, 12)[:, None] * along
        gaps = np.hypot(*(way[:, None] - played.before[None]).transpose(2, 0, 1))
        if (
            abs(shift) < 6
            or np.nanmin(gaps, initial=np.inf) < room
            or np.max(np.abs(other - self.board.side / 2)) > max(reach, self.board.side / 2 - self.board.base_middle)
        ):
            return played.shot.place
        return (float(other[0]), float(other[1]))

    def _flick(self, played: Played, bringing: HandPose) -> Iterator[Beat]:
        place, (vx, vy), seat = played.shot.place, played.shot.velocity, played.by
        speed = hypot(vx, vy)
        ux, uy = vx / speed, vy / speed
        behind = self.board.striker_radius + 1.0
        forward = FORWARD[seat]
        turn = (atan2(uy, ux) - forward + pi) % (2 * pi) - pi
        direction = forward + min(max(turn, -WIDEST_TURN), WIDEST_TURN)
        drawn = HandPose((place[0] - behind * ux, place[1] - behind * uy), direction, seat, "flick", 0.0)
        standing = _with_striker(played.before, place)
        seconds = self._draw("turn")
        yield Beat(seconds, standing, reaching(bringing, drawn, seconds))
        for _ in range(int(self.rng.integers(1, 4))):
            yield Beat(self._draw("aim") / 2, standing, held(drawn))
            other = replace(drawn, direction=direction + float(self.rng.normal(0, 0.03)))
            yield Beat(0.1, standing, reaching(drawn, other, 0.1))
            drawn = other
        yield Beat(self._draw("aim") / 2, standing, held(drawn))
        yield Beat(FLICK_S, standing, lambda t: replace(drawn, extension=min(1.0, t / FLICK_S) ** 2))
        yield self._roll(played, replace(drawn, extension=1.0))

    def _roll(self, played: Played, after: HandPose) -> Beat:
        """The stroke's motion; meanwhile the hand withdraws, at once or after a look."""
        stay, leave = float(self.rng.uniform(0.08, 0.5)), self._draw("leave")
        away = replace(after, tip=_out(played.by, after.tip, self.board, self.rng).tip)
        withdraw = reaching(after, away, leave)
        length = max(played.motion.duration, stay + leave) + self._draw("look")

        def pose(t: float) -> HandPose | None:
            if t < stay:
                return after
            return withdraw(t - stay) if t < stay + leave else None

        return Beat(length, _with_striker(played.before, None), pose, rolling=played.motion, released=played)

    def _take_away(self, played: Played, stays: bool) -> Iterator[Beat]:
        x, y = float(played.motion.final.x[STRIKER]), float(played.motion.final.y[STRIKER])
        if np.isnan(x):
            return
        before = played.motion.final.positions()
        bare = _with_striker(before[:STRIKER], None)
        start = _out(played.by, (x, y), self.board, self.rng)
        over = _over((x, y), start)
        seconds = self._draw("reach")
        yield Beat(seconds, before, reaching(start, over, seconds))
        yield Beat(self._draw("grasp"), before, held(over))
        taking = replace(over, holding=DrawnDisc("striker", x, y))
        if stays and not played.puts and self.rng.random() < 0.4:
            self.carried = taking
            return
        seconds = self._draw("leave")
        away = replace(taking, tip=_out(played.by, (x, y), self.board, self.rng).tip)
        yield Beat(seconds, bare, reaching(taking, away, seconds))

    def _put_back(self, played: Played) -> Iterator[Beat]:
        places = played.motion.final.positions()[:STRIKER].copy()
        for put in played.puts:
            yield Beat(self._draw("look"), _with_striker(places, None), no_hand)
            start = _out(put.by, put.at, self.board, self.rng)
            over = _over(put.at, start, DrawnDisc(self.classes[put.piece], *put.at))
            seconds = self._draw("reach")
            yield Beat(seconds, _with_striker(places, None), reaching(start, over, seconds))
            places[put.piece] = put.at
            over = replace(over, holding=None)
            lying = _with_striker(places, None)
            yield Beat(self._draw("grasp"), lying, held(over), put=put)
            seconds = self._draw("leave")
            yield Beat(seconds, lying, reaching(over, start, seconds))

    def clear_up(self, places: Array, laid: Array, seat: Seat) -> Iterator[Beat]:
        """Between two boards: what is left is taken up piece by piece, then the rack is laid from its middle outwards."""
        here, pose = places.copy(), _out(seat, (self.board.side / 2, self.board.side / 2), self.board, self.rng)
        for i in [i for i in range(len(here)) if not np.isnan(here[i, 0])]:
            at = (float(here[i, 0]), float(here[i, 1]))
            over = _over(at, pose)
            yield Beat(0.3, _with_striker(here, None), reaching(pose, over, 0.3))
            here[i] = np.nan
            pose = over
        for i in range(len(laid)):
            at = (float(laid[i, 0]), float(laid[i, 1]))
            over = HandPose(at, FORWARD[seat] + 0.3 * sin(i), seat, "pinch", holding=DrawnDisc(self.classes[i], *at))
            aside = replace(over, tip=(at[0] - 70 * cos(FORWARD[seat]), at[1] - 70 * sin(FORWARD[seat])), holding=None)
            yield Beat(0.15, _with_striker(here, None), reaching(pose, aside, 0.15))
            yield Beat(0.15, _with_striker(here, None), reaching(aside, over, 0.15))
            here[i] = laid[i]
            pose = replace(over, holding=None)
        away = _out(seat, (self.board.side / 2, self.board.side / 2), self.board, self.rng)
        yield Beat(0.5, _with_striker(here, None), reaching(pose, away, 0.5))


def _with_striker(places: Array, striker: tuple[float, float] | None) -> Array:
    """The 19 places and the striker's, shape (20, 2)."""
    return np.vstack([places, (np.nan, np.nan) if striker is None else striker])
