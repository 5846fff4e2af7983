"""A match's figures learnt from its strokes."""

from __future__ import annotations

import numpy as np
import pytest

from models.board import ICF
from models.physics import Dynamics, RollingShutter
from tests.tracking.played import Played
from tests.tracking.seen import Seen
from tracking.figures import Figures
from tracking.reconcile import reconcile
from tracking.watcher import BoardWatcher

LIE = np.array([[370.0, 300.0], [500.0, 400.0], [200.0, 200.0], [400.0, 622.6]])


def test_a_slower_board_is_known_after_some_strokes() -> None:
    slow = Dynamics(friction_piece=1600.0, friction_striker=1600.0)
    figures = Figures(ICF)
    for k, v in enumerate([(-150.0, -1900.0), (350.0, -1500.0), (-700.0, -1600.0), (-100.0, -2300.0)]):
        seen = Seen(("white", "white", "black", "striker"), LIE, v, dynamics=slow, seed=k)
        figures.learn(reconcile(seen.evidence(), figures.board, figures.dynamics, figures.shutter))
    assert figures.dynamics.friction_striker == pytest.approx(1600, rel=0.03)
    assert figures.dynamics.friction_piece == pytest.approx(1600, rel=0.06)
    told = figures.told()
    assert told["strokes"] == 4 and told["friction_striker"] == pytest.approx(figures.dynamics.friction_striker, abs=0.1)


def test_a_rolling_shutter_is_known_after_some_strokes_and_taken_out() -> None:
    rolling = RollingShutter(0.001, 0.016)
    figures = Figures(ICF)
    errors = []
    for k, v in enumerate([(-150.0, -1900.0), (350.0, -1500.0), (-700.0, -1600.0), (-100.0, -2300.0)]):
        seen = Seen(("white", "white", "black", "striker"), LIE, v, shutter=rolling, seed=k)
        found = reconcile(seen.evidence(), figures.board, figures.dynamics, figures.shutter)
        true = np.stack([seen.at(t) for t in found.followed.t])
        errors.append(np.nanmax(np.hypot(*(found.followed.means[:, :, :2] - true).transpose(2, 0, 1))))
        figures.learn(found)
    assert figures.shutter.y == pytest.approx(0.016, abs=0.003) and figures.shutter.x == pytest.approx(0.001, abs=0.004)
    assert max(errors[2:]) < 0.5 * max(errors[:2])
    assert figures.told()["rolling_shutter_y"] == pytest.approx(figures.shutter.y, abs=1e-4)


def test_no_rolling_shutter_is_found_where_there_is_none() -> None:
    figures = Figures(ICF)
    for k, v in enumerate([(-150.0, -1900.0), (350.0, -1500.0), (-700.0, -1600.0), (-100.0, -2300.0)]):
        seen = Seen(("white", "white", "black", "striker"), LIE, v, seed=k)
        figures.learn(reconcile(seen.evidence(), figures.board, figures.dynamics, figures.shutter))
    assert abs(figures.shutter.y) < 0.003


def test_one_stroke_alone_teaches_nothing() -> None:
    figures = Figures(ICF)
    seen = Seen(("white", "striker"), LIE[[0, 3]], (900.0, -900.0))
    found = reconcile(seen.evidence(), ICF, Dynamics())
    figures.learn(found)
    assert figures.dynamics == Dynamics()


def test_the_strikers_size_is_measured() -> None:
    figures = Figures(ICF)
    watcher = BoardWatcher(ICF, ("south", "north"), figures=figures)
    large = Played(5, strokes=2, board=ICF)
    for det in large.frames():
        striker = det.prob[:, 3] > 0.5
        det.r[striker] *= 1.3
        watcher.step(det)
    assert figures.board.striker_radius == pytest.approx(1.3 * ICF.striker_radius, rel=0.03)
