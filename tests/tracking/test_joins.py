"""Where play is joined, left or disturbed: no stroke is invented, none is lost, and who did what stays right."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

from models.board import ICF
from models.stroke import PIECES, Placing, Seat, Stroke
from tests.tracking.scenes import FEW, INWARD, Scene, events_of, strokes_of
from tracking.opening import Opening

DOUBLES: tuple[Seat, ...] = ("south", "east", "north", "west")


def told(scene: Scene, strokes: list[Stroke]) -> bool:
    """Whether these are the strokes that were played, by whom and when, and what fell."""
    return [(s.by, sorted(s.pocketed), s.touched) for s in strokes] == [(t.by, sorted(t.pocketed), t.touched) for t in scene.truth] and all(
        s.t is not None and abs(s.t - t.t) < 0.1 for s, t in zip(strokes, scene.truth, strict=True)
    )


def test_four_players_and_the_right_hand_puts_back() -> None:
    scene = Scene(11)
    strokes = (scene.turn(seat, 300, tuple(900 * np.array(INWARD[seat]))) for seat in DOUBLES)
    places = ((340, 300), (420, 300), (420, 440), (340, 250))
    placings = (scene.put_back(seat, "white", at) for seat, at in zip(DOUBLES, places, strict=True))
    events = events_of(scene, chain(scene.quiet(1.0), *strokes, *placings), DOUBLES)
    assert told(scene, [e for e in events if isinstance(e, Stroke)])
    assert [(e.by, e.pieces) for e in events if isinstance(e, Placing)] == [(seat, ("white",)) for seat in DOUBLES]


def test_a_video_that_begins_while_pieces_move() -> None:
    scene = Scene(12)
    first = chain(scene.quiet(1.0), scene.place("south", 300), scene.strike("south", (500, -1900)), scene.take("south"))
    frames = list(chain(first, scene.turn("north", 330, (0, 1500))))
    joined = [d for d in frames if d.t > scene.truth[0].t + 0.25]
    strokes = strokes_of(scene, joined)
    del scene.truth[0]
    assert told(scene, strokes)


def test_a_hand_that_stays_over_the_board_is_no_stroke() -> None:
    scene = Scene(13)
    restless = (scene.over("south", (300 + 5 * np.sin(k), 400 + 40 * np.cos(k)), 0.4) for k in range(50))
    first = scene.turn("south", 300, (0, -900))
    strokes = strokes_of(scene, chain(scene.quiet(1.0), first, *restless, scene.quiet(1.0), scene.turn("north", 330, (0, 900))))
    assert told(scene, strokes)
    assert strokes[1].seconds is not None and strokes[1].seconds > 20
    assert not any(s.improper for s in strokes)


def test_a_striker_that_is_slid_along_the_line_is_struck_once() -> None:
    scene = Scene(14)
    slid = chain(scene.place("south", 200), scene.slide("south", 520, 1.2), scene.slide("south", 300, 0.35))
    strokes = strokes_of(scene, chain(scene.quiet(1.0), slid, scene.strike("south", (0, -900)), scene.take("south")))
    assert told(scene, strokes)
    assert strokes[0].striker is not None and np.hypot(*np.subtract(strokes[0].striker, scene.truth[0].striker)) < 3
    assert not strokes[0].improper


def test_a_camera_that_is_bumped_while_the_striker_stands_there() -> None:
    scene = Scene(15)
    frames = list(chain(scene.quiet(1.0), scene.turns(["north"]), scene.place("south", 300), scene.dark(2.0)))
    assert scene.striker is not None
    off = np.array((8.0, -4.0))  # the board is found again, hardly well
    scene.xy, scene.striker = scene.xy + off, scene.striker + off
    frames += [*scene.over("south", scene.striker, 0.5), *scene.strike("south", (0, -1000)), *scene.take("south"), *scene.quiet(1.0)]
    strokes = strokes_of(scene, frames)
    assert told(scene, strokes)
    assert not any(s.improper for s in strokes)


def test_what_happened_in_a_part_that_was_cut_out_is_no_stroke_and_falls_to_none() -> None:
    scene = Scene(16)
    frames = list(chain(scene.quiet(1.0), scene.turns(["south"]), scene.quiet(2.0)))
    scene.cls, scene.xy = scene.cls[1:], scene.xy[1:] + np.array([(40, 90), (0, 0), (-80, 60), (3, 3)])
    frames += [*scene.quiet(2.0), *scene.turns(["north", "south"])]
    strokes = strokes_of(scene, frames)
    assert told(scene, strokes)
    assert not any(s.improper for s in strokes)


@pytest.mark.parametrize("seconds", [0.15, 0.8], ids=["hastily", "slowly"])
def test_setting_the_striker_may_knock_a_piece_aside(seconds: float) -> None:
    scene = Scene(30, pieces=(*FEW, ("white", 360, 610)))
    slid = scene.slide("south", 345, seconds, aside=len(FEW))
    frames = chain(scene.quiet(3.0), scene.place("south", 290), slid, scene.strike("south", (-100, -900)), scene.take("south"))
    assert told(scene, strokes_of(scene, frames))


def test_a_piece_taken_by_a_hand_and_put_back_elsewhere_falls_to_no_stroke() -> None:
    scene = Scene(31)
    taken = chain(scene.turns(["south"]), scene.remove("north", 1), scene.quiet(3.0), scene.put_back("north", "white", (330, 330)))
    strokes = strokes_of(scene, chain(scene.quiet(3.0), taken, scene.turns(["north"])))
    assert told(scene, strokes)
    assert not any(s.improper for s in strokes)


@pytest.mark.parametrize("shake", [0.0, 0.7])
def test_a_picture_that_shakes_is_no_board_in_motion(shake: float) -> None:
    scene = Scene(32)
    frames = [*scene.still(scene.lies, 1.0, [], still=False), *scene.turn("south", 420, (0, -1200))]
    off = np.random.default_rng(32).normal(0, shake, (len(frames), 2))
    assert told(scene, strokes_of(scene, [replace(d, x=d.x + x, y=d.y + y) for d, (x, y) in zip(frames, off, strict=True)]))


def test_a_striker_that_sets_off_unseen_after_a_quiet_second_was_not_taken_away() -> None:
    scene = Scene(34, pieces=(*FEW, ("white", 440, 530)))
    frames = [*scene.quiet(1.0), *scene.place("south", 420), *scene.quiet(0.9)]
    begin = frames[-1].t + 0.8
    for det in chain(scene.strike("south", (0, -1500)), scene.take("south")):
        seen = (det.t > begin + 0.15) | (det.prob.argmax(axis=1) != PIECES.index("striker"))
        frames.append(replace(det, **{name: getattr(det, name)[seen] for name in ("x", "y", "r", "w", "h", "prob", "score")}))
    assert told(scene, strokes_of(scene, frames))


def test_a_board_on_which_something_moves_is_not_taken_as_it_lies() -> None:
    opening = Opening(ICF, False)
    scene = Scene(33)
    for k, det in enumerate(scene.still(scene.lies, 0.4, [], still=False)):
        assert opening.step(replace(det, x=det.x + 4.0 * k * (np.arange(len(det)) == 0))) is None
