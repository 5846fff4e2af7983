"""Which of the things that nothing accounts for is the striker."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

from models.board import ICF
from models.detections import COVER_CELLS, Detections
from models.stroke import PIECES
from tracking.cast import Newcomer, Track
from tracking.disguise import UNKNOWN, Disguise
from tracking.newcomers import PLAIN_DISC, Newcomers

ON_NORTHS_BASE = np.array([171.0, 117.0])
ELSEWHERE = np.array([417.0, 29.0])


def thing(xy: np.ndarray, look: float, score: float, t: float) -> Newcomer:
    """Something that a hand has set down, seen eight times until `t`; `look` is how much it looks like the striker."""
    return Newcomer(xy, t - 0.3, t, deque([np.array([0.0, 0.0, 0.0, look])] * 8, maxlen=9), 20.6, score, 8, 8, by="north", near_arm=False)


def look_on(newcomers: Newcomers, striker: Track, t: float, *things: Newcomer) -> None:
    """A frame in which those things are there."""
    no, cover = np.zeros(0), np.zeros((COVER_CELLS, COVER_CELLS), bool)
    newcomers.list = list(things)
    still = Detections(0, t, no, no, no, no, no, np.zeros((0, 4)), no, np.zeros((0, 5)), cover, t - 0.03, True)
    newcomers.step(still, np.zeros(0, bool), lambda _: None)
    newcomers.adopt_striker(striker, [striker], Disguise())


@pytest.mark.parametrize(("look", "score", "taken"), [(0.95, 0.3, True), (UNKNOWN, PLAIN_DISC + 0.1, True), (UNKNOWN - 0.01, 0.3, False)])
def test_a_faint_thing_that_looks_like_nothing_known_is_no_striker(look: float, score: float, taken: bool) -> None:
    striker = Track("striker", "striker", np.full(2, np.nan), "away", seen=7.0)
    look_on(Newcomers(ICF, ("south", "north")), striker, 8.4, thing(ELSEWHERE, look, score, 8.4))
    assert striker.on_board == taken


@pytest.mark.parametrize(("own", "moves"), [(UNKNOWN, True), (0.9, False)])
def test_what_looks_much_more_like_it_is_the_striker_at_once(own: float, moves: bool) -> None:
    striker = Track("striker", "striker", ELSEWHERE, "away", seen=7.0)
    newcomers = Newcomers(ICF, ("south", "north"))
    look_on(newcomers, striker, 8.4, thing(ELSEWHERE, own, 0.6, 8.4))
    assert np.allclose(striker.xy, ELSEWHERE)
    striker.looks.extend([np.array([0.0, 0.0, 0.0, own])] * 9)
    look_on(newcomers, striker, 9.3, thing(ON_NORTHS_BASE, 0.99, 0.87, 9.3))
    assert np.allclose(striker.xy, ON_NORTHS_BASE if moves else ELSEWHERE)


@pytest.mark.parametrize(
    ("look", "score", "seconds", "doubt"), [(0.95, 0.9, 3.0, False), (0.6, 0.9, 3.0, True), (0.95, 0.4, 3.0, True), (0.95, 0.9, 1.0, True)]
)
def test_only_what_is_plainly_a_piece_for_long_needs_not_have_come_after_rest(
    look: float, score: float, seconds: float, doubt: bool
) -> None:
    looks = deque([np.array([0.0, 0.0, look, 0.0])] * 8)
    new = Newcomer(ELSEWHERE, 10.0, 10.0 + seconds, looks, 15.9, score, 8, 8)
    assert new.after(PIECES.index("queen"), 10.4) == (10.4 if doubt else -np.inf)


@pytest.mark.parametrize(("usual", "plain"), [(0.3, False), (0.9, True)])
def test_a_passing_shadow_makes_a_print_no_plain_piece(usual: float, plain: bool) -> None:
    white = np.array([0.97, 0.0, 0.0, 0.0])
    new = Newcomer(ELSEWHERE, 0.0, 0.0, deque([white], maxlen=9), 15.9, usual, 1, 1)
    # at rest it is looked at once a second, while an arm moves at every frame
    for t in [*np.arange(1, 21), *np.arange(20, 24, 1 / 60)[1:]]:
        new.again(ELSEWHERE, float(t), white, 15.9, usual if t <= 20 else 0.9, 2.5)
    assert new.plainly(PIECES.index("white")) == plain
    new.begins(24.0)
    new.again(ELSEWHERE, 27.0, white, 15.9, 0.9, 2.5)
    assert new.plainly(PIECES.index("white"))


def test_what_a_piece_looked_like_under_fingers_does_not_count() -> None:
    newcomers, at = Newcomers(ICF, ("south", "north")), np.array([370.0, 370.0])
    bare = np.zeros((COVER_CELLS, COVER_CELLS), bool)
    arm = bare.copy()
    arm[COVER_CELLS // 2 - 3 : COVER_CELLS // 2 + 3, COVER_CELLS // 2 - 3 : COVER_CELLS // 2 + 3] = True
    black, red, one = [0.0, 0.9, 0.1, 0.0], [0.0, 0.02, 0.98, 0.0], np.ones(1)
    settled = []
    for k in range(14):
        cover, look = (arm, black) if k < 8 else (bare, red)
        det = Detections(
            k,
            k / 30,
            at[:1],
            at[1:],
            15.9 * one,
            31.8 * one,
            31.8 * one,
            np.array([look]),
            0.9 * one,
            np.zeros((0, 5)),
            cover,
            (k - 1) / 30,
        )
        newcomers.step(det, np.ones(1, bool), lambda _: "north")
        settled.append([n.look.argmax() for n in newcomers.settled()])
    assert settled[:8] == [[]] * 8
    assert settled[8:] == [[PIECES.index("queen")]] * 6


def dets(t: float, *seen: tuple[float, float, list[float], float]) -> Detections:
    """A frame of discs of a piece's size: x, y, class probabilities, score."""
    x, y, score = (np.array([d[k] for d in seen]) for k in (0, 1, 3))
    r = np.full(len(seen), 15.9)
    prob, cover = np.array([d[2] for d in seen]).reshape(-1, 4), np.zeros((COVER_CELLS, COVER_CELLS), bool)
    return Detections(0, t, x, y, r, 2 * r, 2 * r, prob, score, np.zeros((0, 5)), cover, t - 0.03, True)


def follow(newcomers: Newcomers, begin: float, seconds: float, *seen: tuple[float, float, list[float], float]) -> float:
    for t in np.arange(begin, begin + seconds, 0.033):
        newcomers.step(dets(float(t), *seen), np.ones(len(seen), bool), lambda _: None)
    return begin + seconds


NOTHING, QUEEN, WHITE, HALF = [0.0] * 4, [0.0, 0.0, 0.99, 0.0], [0.99, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.5]
MIDDLE = 370.0


def test_a_queen_put_back_on_a_print_came_when_she_came() -> None:
    newcomers = Newcomers(ICF, ("south", "north"))
    t = follow(newcomers, 1.0, 2.0, (MIDDLE, MIDDLE, NOTHING, 0.4))
    follow(newcomers, t, 1.0, (MIDDLE, MIDDLE, QUEEN, 0.3))
    assert [n.first > 2.9 for n in newcomers.list] == [True]


def test_a_print_that_is_seen_again_was_there_before() -> None:
    newcomers = Newcomers(ICF, ("south", "north"))
    t = follow(newcomers, 1.0, 2.0, (MIDDLE, MIDDLE, QUEEN, 0.4))
    t = follow(newcomers, t, 5.0, (MIDDLE + 24.0, MIDDLE, WHITE, 0.9))  # a piece lies over a part of it
    follow(newcomers, t, 1.0, (MIDDLE, MIDDLE, QUEEN, 0.4))
    assert [n.first < 1.1 for n in newcomers.list if n.look[2] > 0.5] == [True]


def test_what_looks_as_much_like_a_piece_is_the_striker_only_where_one_is_set_down() -> None:
    newcomers = Newcomers(ICF, ("south", "north"))
    striker = Track("striker", "striker", np.full(2, np.nan), "away", seen=0.5)
    follow(newcomers, 1.0, 0.3, (400.0, 330.0, HALF, 0.9))
    newcomers.adopt_striker(striker, [striker], Disguise())
    assert not striker.on_board
    assert newcomers.look_of(newcomers.list[0]) == pytest.approx([1.0, 0.0, 0.0, 0.0])
    newcomers.list = []
    follow(newcomers, 2.0, 0.3, (*ON_NORTHS_BASE.tolist(), HALF, 0.9))
    newcomers.adopt_striker(striker, [striker], Disguise())
    assert np.allclose(striker.xy, ON_NORTHS_BASE)


@pytest.mark.parametrize("gone", ["lost", "rest"])
def test_a_striker_taken_up_as_a_piece_leaves_that_piece_where_it_was_taken_for_the_striker(gone: str) -> None:
    newcomers = Newcomers(ICF, ("south", "north"))
    striker, piece = Track("striker", "striker", ELSEWHERE), Track("white3", "white", np.array([452.0, 436.0]))
    striker.put(ELSEWHERE, 5.0)
    piece.put(np.array([452.0, 436.0]), 7.0)
    piece.state = gone  # type: ignore[assignment]
    set_down = Newcomer(ON_NORTHS_BASE, 7.9, 7.97, deque([np.array(HALF)] * 8, maxlen=9), 16.2, 0.9, 8, 8, by="north", near_arm=False)
    newcomers.list = [set_down]
    det = dets(8.0, (*ELSEWHERE.tolist(), WHITE, 0.7), (*ON_NORTHS_BASE.tolist(), HALF, 0.9))
    newcomers.step(det, np.array([False, True]), lambda _: None)
    newcomers.adopt_striker(striker, [striker, piece], Disguise())
    assert np.allclose(striker.xy, ON_NORTHS_BASE)
    assert np.allclose(piece.xy, ELSEWHERE if gone == "lost" else [452.0, 436.0])
