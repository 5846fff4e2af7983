"""Strokes reconciled with the physics: releases, identities, falls and touches, from simulated sight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.board import ICF, rack
from models.physics import Dynamics, RollingShutter
from models.stroke import Piece
from tests.tracking.seen import Seen
from tracking.cast import Track
from tracking.colours import CLASS_NATS, class_margin
from tracking.explain import OpenStroke, Outcome, belief, blind, identities, outcomes, touch
from tracking.follow_stroke import follow
from tracking.joint_filter import JointFilter
from tracking.reconcile import Reconciled, anew, reconcile
from tracking.release import Release

SPARSE: tuple[Piece, ...] = ("white", "white", "black", "striker")
LIE = np.array([[370.0, 300.0], [500.0, 400.0], [200.0, 200.0], [400.0, 622.6]])


def cast_after(seen: Seen, swap: tuple[int, int] | None = None) -> list[Track]:
    """The tracks as they truly ended; with `swap` two of them are called by each other's name."""
    names = [f"{c}{i}" for i, c in enumerate(seen.classes)]
    if swap:
        a, b = swap
        names[a], names[b] = names[b], names[a]
    end = seen.at(float(seen.times[-1]))
    tracks = []
    falls = {f.index: f for f in seen.motion.pocketed}
    for i, (name, cls) in enumerate(zip(names, seen.classes, strict=True)):
        track = Track(name, cls, np.asarray(seen.places[i], float))
        if i in falls:
            track.state, track.pocket, track.fell = "pocketed", falls[i].pocket, seen.t0 + falls[i].t
        else:
            track.put(end[i], float(seen.times[-1]))
        tracks.append(track)
    return tracks


@pytest.mark.parametrize("rate", [24.0, 30.0, 60.0, 120.0])
def test_the_release_is_found_at_every_rate(rate: float) -> None:
    seen = Seen(SPARSE, LIE, (-150.0, -1900.0), rate=rate)
    found = reconcile(seen.evidence(), ICF, Dynamics())
    assert found.velocity is not None
    assert found.t == pytest.approx(seen.t0, abs=0.004)
    assert np.hypot(*(found.velocity - seen.velocity)) < 0.02 * 1906
    first = touch(found)
    true = seen.motion.first_contact
    assert first is not None and true is not None
    assert first[0] == f"white{true[0]}" and first[1] == pytest.approx(seen.t0 + true[1], abs=0.005)


def test_a_break_is_followed_though_it_is_chaotic() -> None:
    classes, places = rack(ICF)
    seen = Seen([*classes, "striker"], np.vstack([places, [372.0, 622.6]]), (15.0, -3400.0), misses=0.05, noise=0.8)
    found = reconcile(seen.evidence(), ICF, Dynamics())
    off = np.array([np.hypot(*(found.followed.means[k, :, :2] - seen.at(t)).T) for k, t in enumerate(found.followed.t)])
    right = np.nanmax(np.where(found.followed.t[:, None] > seen.t0, off, 0.0), axis=0) < 10
    assert right.mean() >= 0.9


def test_identities_follow_the_physics_where_the_tracker_confused_them() -> None:
    places = np.array([[360.0, 300.0], [392.5, 296.0], [200.0, 200.0], [380.0, 622.6]])
    seen = Seen(SPARSE, places, (0.0, -2200.0))
    moved = [np.hypot(*(seen.at(9.0)[i] - places[i])) for i in (0, 1)]
    assert min(moved) > 60  # both go their way
    found = reconcile(seen.evidence(), ICF, Dynamics())
    tracks = cast_after(seen, swap=(0, 1))
    renamed = identities(found, tracks, ICF)
    assert renamed["white1"] == "white0" and renamed["white0"] == "white1"
    assert renamed["black2"] == "black2"


def pocketing() -> Seen:
    """A white straight into the NW pocket."""
    places = np.array([[150.0, 150.0], [500.0, 400.0], [600.0, 200.0], [390.0, 390.0]])
    return Seen(SPARSE, places, (-1100.0, -1100.0))


def test_a_fall_is_timed_and_believed() -> None:
    seen = pocketing()
    assert [f.index for f in seen.motion.pocketed] == [0]
    found = reconcile(seen.evidence(), ICF, Dynamics())
    told = outcomes(found, cast_after(seen), ICF)
    assert told[0].pocket == "NW" and told[0].t == pytest.approx(seen.t0 + seen.motion.pocketed[0].t, abs=0.04)
    assert all(o.agrees for o in told)
    assert belief(found, told, touched=True, tracks=[]) == 1.0


def test_a_piece_that_is_hidden_did_not_fall() -> None:
    """It was seen to slide, then no more: by the physics it lies in the open."""
    seen = replace_unseen(Seen(SPARSE, LIE, (-150.0, -1900.0)), 0, 0.25)
    found = reconcile(seen.evidence(), ICF, Dynamics())
    tracks = cast_after(seen)
    tracks[0].state, tracks[0].pocket, tracks[0].fell = "pocketed", "NW", 1.0
    told = {o.name: o for o in outcomes(found, tracks, ICF)}
    lies = told["white0"].unseen_at
    assert lies is not None and told["white0"].pocket is None
    assert np.hypot(*(lies - seen.at(9.0)[0])) < 15
    assert belief(found, list(told.values()), touched=True, tracks=[]) < 0.9


def replace_unseen(seen: Seen, disc: int, after: float) -> Seen:
    first = next(e.t for e in seen.motion.events if disc in e.who)
    return replace(seen, unseen={disc: (seen.t0 + first + after, 99.0)})


def test_a_fall_that_the_settled_board_denies_is_doubted() -> None:
    seen = pocketing()
    found = reconcile(seen.evidence(), ICF, Dynamics())
    tracks = cast_after(seen)
    tracks[0].state, tracks[0].pocket = "rest", None
    tracks[0].put(np.array([60.0, 60.0]), 2.0)
    told = outcomes(found, tracks, ICF)
    assert not told[0].agrees and told[0].pocket is None
    assert belief(found, told, touched=True, tracks=[]) < 0.9


def test_without_a_striker_pieces_are_still_followed() -> None:
    seen = Seen(SPARSE, LIE, (-150.0, -1900.0))
    e = seen.evidence()
    e = replace(e, names=e.names[:-1], classes=e.classes[:-1], before=e.before[:-1], place=None, velocity=None)
    e = replace(e, seen=e.seen.where(e.seen.disc < 3))
    found = reconcile(e, ICF, Dynamics())
    assert found.fit is None and found.velocity is None
    assert np.hypot(*(found.followed.means[-1, 0, :2] - seen.at(9.0)[0])) < 5


def test_what_lay_there_before_is_never_taken_for_a_disc_that_vanished() -> None:
    seen = pocketing()
    e = seen.evidence()
    state = e.state(ICF)
    sticker = np.array([[330.0, 330.0]])
    frames = [
        replace(
            d,
            x=np.append(d.x, 330.0),
            y=np.append(d.y, 330.0),
            r=np.append(d.r, 15.9),
            w=np.append(d.w, 32.0),
            h=np.append(d.h, 32.0),
            prob=np.vstack([d.prob, [0.9, 0.03, 0.03, 0.04]]),
            score=np.append(d.score, 0.4),
        )
        for d in e.frames
    ]
    found = follow(frames, JointFilter(state, ICF, Dynamics(), -0.03), e.classes, ICF, [], sticker, RollingShutter())
    white = found.means[-1, 0, :2]
    assert np.hypot(*(white - sticker[0])) > 50


def shown(name: str, cls: Piece, *look: float) -> Track:
    track = Track(name, cls, np.zeros(2))
    track.shown = 20 * np.array(look)
    return track


def test_what_may_be_another_colour_is_not_sure() -> None:
    plain = [
        shown("white1", "white", 0.97, 0.03, 0, 0),
        shown("black1", "black", 0.02, 0.98, 0, 0),
        shown("striker", "striker", 0, 0, 0, 1),
    ]
    assert class_margin(plain[0], plain) == pytest.approx(np.log(0.97 * 0.98 / 0.03 / 0.02))
    blurred = [*plain, shown("black2", "black", 0.5, 0.5, 0, 0)]
    assert class_margin(blurred[0], blurred) == pytest.approx(np.log(0.97 / 0.03)) and class_margin(blurred[-1], blurred) > CLASS_NATS
    assert class_margin(blurred[-1], [*blurred, shown("white2", "white", 0.6, 0.4, 0, 0)]) < CLASS_NATS
    seen = Seen(("white", "striker"), np.array([[370.0, 300.0], [370.0, 622.6]]), (0.0, -1500.0))
    found = reconcile(seen.evidence(), ICF, Dynamics())
    told = [Outcome("white0", "white", "NW", 1.0, agrees=True), Outcome("striker1", "striker", None, None, agrees=True)]
    fell = [shown("white0", "white", 0.6, 0.4, 0, 0), plain[1]]
    assert belief(found, told, touched=True, tracks=[shown("white0", "white", 0.97, 0.03, 0, 0), plain[1]]) == 1.0
    assert belief(found, told, touched=True, tracks=[*fell, shown("black2", "black", 0.5, 0.5, 0, 0)]) < 0.9
    assert belief(found, told, touched=True, tracks=[*plain, shown("queen", "queen", 0, 1, 0, 0)]) < 0.9


def test_a_striker_that_nobody_saw_for_long_is_not_sure() -> None:
    lie = np.array([[370.0, 300.0], [370.0, 622.6]])
    plain = reconcile(Seen(("white", "striker"), lie, (100.0, -1500.0)).evidence(), ICF, Dynamics())
    hidden = reconcile(Seen(("white", "striker"), lie, (100.0, -1500.0), unseen={1: (0.4, 0.8)}).evidence(), ICF, Dynamics())
    assert blind(plain) < 0.05 and blind(hidden) > 0.3
    assert belief(hidden, [], touched=True, tracks=[]) < belief(plain, [], touched=True, tracks=[]) == 1.0


def test_a_stroke_that_the_video_does_not_see_to_its_end_is_not_sure() -> None:
    stroke = OpenStroke(Release("south", 1.0, None, None, sure=True), {}, 1.0)
    assert stroke.confidence() < 0.9
    stroke.rest = 2.0
    assert stroke.confidence() > 0.9


def test_a_stroke_followed_once_more_is_where_the_shutter_says() -> None:
    rolling = RollingShutter(0.0, 0.018)
    seen = Seen(SPARSE, LIE, (-150.0, -1900.0), shutter=rolling)
    found = reconcile(seen.evidence(), ICF, Dynamics())
    again = anew(found, ICF, Dynamics(), rolling)
    assert again is not None and again.falls == found.falls
    true = np.stack([seen.at(t) for t in found.followed.t])

    def worst(r: Reconciled) -> float:
        return float(np.nanmax(np.hypot(*(r.followed.means[:, :, :2] - true).transpose(2, 0, 1))))

    assert worst(again) < 6.0 < 10.0 < worst(found)


def test_a_stroke_in_which_other_discs_would_fall_is_not_followed_once_more() -> None:
    seen = Seen(("white", "striker"), np.array([[660.0, 110.0], [370.0, 622.6]]), (870.0, -1530.0), unseen={0: (0.7, 9.0)})
    found = reconcile(seen.evidence(), ICF, Dynamics())
    assert np.isfinite(found.followed.fell).any()
    narrow = replace(ICF, pocket_radius=6.0, pocket_inset=6.0)
    assert anew(found, narrow, Dynamics(), RollingShutter()) is None
