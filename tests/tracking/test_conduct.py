"""What players do around a stroke: called when it is plain, and only then."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest

from models.board import ICF
from models.stroke import Seat, Stroke
from tests.tracking.scenes import INWARD, Scene, strokes_of
from tracking.placement import CIRCLES_KEPT, HABIT, Placements

NEAR_CIRCLE = ICF.side / 2 + ICF.base_length / 2 - ICF.base_circle_radius
HABITS: tuple[Seat, ...] = ("south", "north") * HABIT
"""Strokes in which both players show where the base lines are."""


def test_strikers_off_the_base_lines_are_called_where_they_are_plainly_off() -> None:
    scene = Scene(1)
    offs = (7.0, 20.0, -18.0, 0.0)
    frames = chain(scene.quiet(1.0), scene.turns(HABITS), *(scene.turn("south", 300, (0, -700), off) for off in offs))
    strokes = strokes_of(scene, frames)
    assert [s.improper for s in strokes] == [()] * len(HABITS) + [(), ("off_baseline",), ("off_baseline",), ()]
    assert [s.by for s in strokes] == [t.by for t in scene.truth]


def test_on_a_board_with_its_lines_elsewhere_the_habit_is_the_line() -> None:
    placements = Placements(ICF)
    for _ in range(2 * HABIT):
        assert placements.judge("south", south(300, 14.0), ICF.striker_radius) == ()
    assert placements.judge("south", south(300, 0.0), ICF.striker_radius) == ()
    assert placements.judge("south", south(300, -20.0), ICF.striker_radius) == ("off_baseline",)
    assert placements.judge("north", np.array(ICF.base_position("north", 300)) + np.array((0, 25)), ICF.striker_radius) == ()


def south(along: float, off: float) -> np.ndarray:
    return np.array(ICF.base_position("south", along)) - np.array((0, off))


def test_nothing_is_said_before_the_lines_are_known() -> None:
    placements = Placements(ICF)
    far = south(300, 20.0)
    assert placements.judge("south", far, ICF.striker_radius) == ()
    for _ in range(HABIT):
        placements.judge("north", np.array(ICF.base_position("north", 300)), ICF.striker_radius)
    assert placements.judge("south", far, ICF.striker_radius) == ("off_baseline",)


@pytest.mark.parametrize("seat", ["south", "north", "east", "west"])
@pytest.mark.parametrize(
    ("from_circle", "improper"),
    [(0.0, ()), (7.0, ()), (20.0, ("partial_base_circle",)), (34.0, ()), (45.0, ())],
    ids=["covers it", "hardly beside it", "half on it", "hardly on it", "clear of it"],
)
def test_a_base_circle_is_covered_or_clear(seat: Seat, from_circle: float, improper: tuple[str, ...]) -> None:
    placements = Placements(ICF)
    for _ in range(CIRCLES_KEPT):
        placements.judge(seat, np.array(ICF.base_position(seat, 350)), ICF.striker_radius)
    place = np.array(ICF.base_position(seat, NEAR_CIRCLE - from_circle))
    assert placements.judge(seat, place, ICF.striker_radius) == improper


def test_who_places_strikers_partly_on_circles_time_after_time_plays_without_that_law() -> None:
    placements = Placements(ICF)
    for k in range(2 * CIRCLES_KEPT):
        placements.judge("south", np.array(ICF.base_position("south", 350 if k else NEAR_CIRCLE - 20)), ICF.striker_radius)
    assert placements.judge("south", np.array(ICF.base_position("south", NEAR_CIRCLE - 20)), ICF.striker_radius) == ()


@pytest.mark.parametrize("seat", ["south", "west"])
def test_a_stroke_towards_the_players_own_side_is_backward(seat: Seat) -> None:
    scene = Scene(2, rate=60)
    back = -1500 * np.array(INWARD[seat]) + 300 * np.abs(np.array(INWARD[seat])[::-1])
    sideways = 1500 * np.abs(np.array(INWARD[seat])[::-1]) + 200 * np.array(INWARD[seat])
    first = scene.turn(seat, 300, tuple(sideways))
    strokes = strokes_of(scene, chain(scene.quiet(1.0), first, scene.turn(seat, 300, tuple(back))), (seat, *HABITS[:2]))
    assert [s.improper for s in strokes] == [(), ("backward",)]


def test_a_striker_that_a_hand_accompanies_is_pushed() -> None:
    scene = Scene(3)
    strokes = strokes_of(scene, chain(scene.quiet(1.0), scene.place("south", 300), scene.push("south", 1200, 220), scene.take("south")))
    assert [s.improper for s in strokes] == [("pushed",)]


def one_moved(seed: int, seat: Seat, to: tuple[float, float], by: Seat = "south") -> list[Stroke]:
    scene = Scene(seed)
    frames = chain(scene.quiet(5.0), scene.nudge(seat, 2, to), scene.turn(by, 500, (0, -700)))
    return strokes_of(scene, frames)


def test_a_piece_that_the_players_hand_moved() -> None:
    assert [s.improper for s in one_moved(4, "south", (345, 395))] == [("moved_piece",)]


def test_a_piece_that_another_hand_moved_or_that_was_hardly_moved_is_no_offence_of_his() -> None:
    assert [s.improper for s in one_moved(4, "north", (345, 395))] == [()]
    assert [s.improper for s in one_moved(4, "south", (333, 412))] == [()]


def test_a_board_that_was_knocked_is_nobodys_moved_piece() -> None:
    scene = Scene(5)
    frames = list(chain(scene.quiet(5.0), scene.over("south", (370, 300), 0.5)))
    scene.xy = scene.xy + 18.0
    frames += [*scene.over("south", (370, 300), 0.5), *scene.quiet(1.0), *scene.turn("south", 600, (0, -700))]
    assert [s.improper for s in strokes_of(scene, frames)] == [()]


def test_the_clock_runs_from_rest_for_the_same_player_and_from_the_strikers_removal_for_the_next() -> None:
    scene = Scene(6)
    begin = list(chain(scene.quiet(1.0), scene.turn("south", 210, (0, -700))))
    again = list(chain(scene.quiet(5.0), scene.turn("south", 540, (0, -700))))
    lies = list(chain(scene.place("south", 400), scene.strike("south", (0, -700)), scene.quiet(4.0)))
    off = scene.lies
    next_ = list(chain(scene.take("south"), scene.quiet(3.0), scene.turn("north", 400, (0, 700))))
    strokes = strokes_of(scene, [*begin, *again, *lies, *next_])
    first, second, third, fourth = strokes
    assert off.cls[-1] == "striker"
    assert first.seconds is None
    assert first.rest is not None and second.t is not None and third.rest is not None and fourth.t is not None
    assert second.seconds == pytest.approx(second.t - first.rest, abs=0.06)
    taken = next_[0].t
    assert fourth.seconds == pytest.approx(fourth.t - taken, abs=0.6)
    assert fourth.seconds is not None and fourth.seconds < fourth.t - third.rest - 3


def test_the_clock_says_nothing_where_nothing_was_to_be_seen() -> None:
    scene = Scene(7)
    frames = chain(scene.quiet(1.0), scene.turns(["south"]), scene.dark(5.0), scene.quiet(1.0), scene.turns(["south", "north"]))
    assert [s.seconds is None for s in strokes_of(scene, frames)] == [True, True, False]
