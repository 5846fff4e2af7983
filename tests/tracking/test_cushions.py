"""The calibration corrected by where discs turned at the cushions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from models.board import ICF
from models.homography import Homography
from models.physics import Dynamics, RollingShutter
from tests.tracking.seen import Seen
from tracking.cushions import ENOUGH, Cushions, Turn, side_line, turns
from tracking.figures import Figures
from tracking.reconcile import Evidence, Reconciled, anew, reconcile

PLACES = np.array([[300.0, 200.0], [560.0, 420.0], [370.0, 620.0]])
CLASSES = ("white", "black", "striker")
INTO: Sequence[tuple[float, float]] = (
    (-200.0, -1500.0), (260.0, -1700.0), (1500.0, -500.0), (1300.0, -900.0), (-1500.0, -300.0), (-1400.0, -800.0),
    (900.0, -1500.0), (-900.0, -1700.0), (1700.0, 350.0), (-1700.0, 300.0), (120.0, -1900.0), (-120.0, -2000.0),
)  # fmt: skip
"""Strokes that send the striker into all four sides."""


def seen_through(off: Homography, velocity: tuple[float, float], seed: int) -> Evidence:
    """A stroke as a calibration that is `off` has it: from true places to where it puts them."""
    return Seen(CLASSES, PLACES, (1.5 * velocity[0], 1.5 * velocity[1]), noise=0.4, seed=seed).evidence().corrected(off)


def learnt(off: Homography) -> Cushions:
    figures = Figures(ICF)
    for seed, velocity in enumerate(INTO):
        figures.learn(reconcile(seen_through(off, velocity, seed), ICF, figures.dynamics, correction=figures.cushions.correction))
    return figures.cushions


def apart(a: Homography, b: Homography) -> float:
    """How far apart two maps put things on the board, in the mean (mm)."""
    grid = np.stack(np.meshgrid(*2 * [np.linspace(20.0, 720.0, 8)]), axis=-1)
    return float(np.hypot(*(a.points(grid) - b.points(grid)).transpose(2, 0, 1)).mean())


@pytest.mark.parametrize("size", [3.0, 9.0])
def test_a_calibration_that_is_off_is_put_right(size: float) -> None:
    corners = ICF.corners()
    off = Homography.between(corners, corners + size * np.array([[1.0, -0.6], [0.7, 1.0], [-0.5, 0.8], [0.9, -0.9]]))
    found = learnt(off)
    assert found.count() > 20
    left, before = apart(found.correction, off.inverse), apart(Homography.identity(), off.inverse)
    assert left < 0.55 * before
    assert found.moved() == pytest.approx(np.hypot(*(off.points(corners) - corners).T).max(), abs=2.5)


def test_one_that_is_right_stays_as_it_is() -> None:
    assert apart(learnt(Homography.identity()).correction, Homography.identity()) < 0.8


def test_without_turns_nothing_is_corrected() -> None:
    assert apart(Cushions(ICF).correction, Homography.identity()) == 0.0
    assert Cushions(ICF).moved() == 0.0


def one(places: np.ndarray, classes: Sequence[str], velocity: tuple[float, float]) -> Reconciled:
    return reconcile(Seen(classes, places, velocity, noise=0.3).evidence(), ICF, Dynamics())  # type: ignore[arg-type]


def test_a_turn_tells_the_side_and_where_along_it() -> None:
    found = turns(one(PLACES[[2]], ("striker",), (0.0, -1500.0)), ICF, Dynamics())
    assert [(t.side, round(t.along, 2)) for t in found] == [(0, 0.5)]
    assert abs(found[0].inwards) < 3 * found[0].sigma < 6.0


def test_a_disc_that_turns_at_another_beside_the_cushion_turned_at_no_cushion() -> None:
    # a piece that touches the upper cushion, hit in the middle
    at_the_cushion = np.array([[370.0, ICF.piece_radius + 0.2], [370.0, 620.0]])
    found = turns(one(at_the_cushion, ("white", "striker"), (0.0, -1500.0)), ICF, Dynamics())
    assert [t for t in found if t.side == 0 and t.inwards > 10.0] == []


def test_a_stroke_followed_once_more_is_where_it_was_learnt_to_be() -> None:
    corners = ICF.corners()
    off = Homography.between(corners, corners + 3.0)
    before = reconcile(seen_through(off, INTO[0], 0), ICF, Dynamics())
    after = anew(before, ICF, Dynamics(), RollingShutter(), off.inverse)
    assert after is not None and after.raw is before.raw
    assert after.followed.means[0, :, :2] == pytest.approx(PLACES, abs=1.0)
    assert before.followed.means[0, :, :2] == pytest.approx(PLACES + 3.0, abs=1.0)


@pytest.mark.parametrize(("number", "told"), [(1, 0.0), (ENOUGH - 1, 0.0), (3 * ENOUGH, 30.0)])
def test_a_few_wild_turns_move_no_side_and_many_do(number: int, told: float) -> None:
    ends = side_line([Turn(0, along, 30.0, 1.0, 0.0) for along in np.linspace(0.1, 0.9, number)])
    assert ends == pytest.approx([told, told], abs=2.5)
