"""The renderer draws what its truth says, where it says so."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.board import rack
from models.scene.camera import Camera, Fault, look, overhead
from models.scene.hand import HandPose
from models.scene.looks import DiscLook, Style
from models.scene.render import DrawnDisc, Renderer
from models.scene.style import sample_style, tournament_style


def _style() -> Style:
    """A plain board with shadowless light, so that a difference of pictures is a disc and nothing else."""
    s = tournament_style(np.random.default_rng(4))
    light = replace(s.light, shadow=0.0, ambient_shadow=0.0, mirrored=(), gradient=0.0)
    pieces = dict(s.pieces)
    pieces["black"] = DiscLook((20, 20, 20), (20, 20, 20), "plain", 0.1, scatter=0.0)
    return replace(s, light=light, pieces=pieces, surround=replace(s.surround, clutter=0, cable=False, things=0, on_frame=0))


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(_style(), overhead((700, 700)), seed=3, around=150)


def _changed(renderer: Renderer, discs: list[DrawnDisc], exposure: float = 1 / 60) -> np.ndarray:
    a, b = renderer.frame([], (), exposure).astype(int), renderer.frame(discs, (), exposure).astype(int)
    return np.abs(a - b).sum(2) > 60


def _extent(mask: np.ndarray) -> np.ndarray:
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    return np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1], float)


def test_a_disc_at_rest_fills_its_box(renderer: Renderer) -> None:
    d = DrawnDisc("black", 260.3, 470.8)
    mask = _changed(renderer, [d])
    box = renderer.compose([d])[1].discs[0]
    assert np.allclose(_extent(mask), box, atol=1.6)
    assert mask.sum() == pytest.approx(np.pi * (15.9 * renderer.scale) ** 2, rel=0.08)


def test_a_moving_disc_leaves_a_streak_centred_on_mid_exposure(renderer: Renderer) -> None:
    d = DrawnDisc("black", 300.0, 200.0, vx=1800.0, vy=-900.0)
    truth = renderer.compose([d], (), 1 / 60)[1].discs[0]
    k = renderer.scale
    assert truth[2] - truth[0] == pytest.approx((2 * 15.9 + 1800 / 60) * k, rel=0.02)
    assert truth[3] - truth[1] == pytest.approx((2 * 15.9 + 900 / 60) * k, rel=0.02)
    seen = _extent(_changed(renderer, [d]))
    assert np.allclose((seen[:2] + seen[2:]) / 2, (np.array(truth[:2]) + truth[2:]) / 2, atol=1.5)
    assert seen[2] - seen[0] > 2 * 15.9 * k * 1.3


def test_the_same_seed_gives_the_same_picture_and_another_does_not() -> None:
    style, camera = sample_style(np.random.default_rng(8)), overhead((300, 300))
    discs = [DrawnDisc("white", 200, 200)]
    one, two, other = (Renderer(style, camera, seed=s, around=120).frame(discs) for s in (5, 5, 6))
    assert (one == two).all()
    assert (one != other).any()


def test_what_lies_in_nets_or_beside_the_board_is_drawn_but_is_no_truth() -> None:
    style = _style()
    lying = replace(style, pockets=replace(style.pockets, style="dark", colour=(5, 5, 5), lying=("white", None, None, None)))
    bare = Renderer(style, overhead((500, 500)), seed=1, around=150)
    full = Renderer(lying, overhead((500, 500)), seed=1, around=150)
    picture, truth = full.compose([])
    assert truth.discs == ()
    x, y = full.camera.project([[22.25, 22.25]])[0].astype(int)
    assert picture[y, x].mean() > bare.frame([])[y, x].mean() + 20


def test_a_hand_hides_what_lies_under_it_and_its_box_holds_the_fingertip(renderer: Renderer) -> None:
    pose = HandPose((370.0, 560.0), -np.pi / 2, "south", "flat")
    under, away = DrawnDisc("white", 385.0, 670.0), DrawnDisc("white", 120.0, 120.0)
    picture, truth = renderer.compose([under, away], [pose])
    assert truth.hidden[0] > 0.8
    assert truth.hidden[1] == 0
    box = truth.hands[0]
    assert box is not None
    tip = renderer.camera.project([[370.0, 566.0]])[0]
    assert box[0] < tip[0] < box[2]
    assert box[1] < tip[1] < box[3]
    assert (picture != renderer.frame([under, away])).any()


def test_a_hand_out_of_the_picture_has_no_box(renderer: Renderer) -> None:
    assert renderer.compose([], [HandPose((370.0, 1500.0), -np.pi / 2)])[1].hands == (None,)


def test_a_carried_disc_is_the_last_of_the_truth(renderer: Renderer) -> None:
    held = DrawnDisc("white", 400.0, 300.0)
    truth = renderer.compose([DrawnDisc("black", 100, 100)], [HandPose((400.0, 300.0), -1.5, grip="pinch", holding=held)])[1]
    assert len(truth.discs) == 2
    assert truth.discs[1] == renderer.compose([held])[1].discs[0]


def test_rolling_shutter_moves_only_moving_discs() -> None:
    camera = overhead((400, 400))
    rolling = Camera(camera.matrix, camera.size, readout_s=0.02)
    a, b = (Renderer(_style(), c, seed=1, around=120) for c in (camera, rolling))
    low = DrawnDisc("black", 370, 700, vx=1000.0)
    still = DrawnDisc("black", 370, 700)
    shift = np.array(b.compose([low])[1].discs[0]) - a.compose([low])[1].discs[0]
    assert shift[0] > 0.2
    assert shift[1] == pytest.approx(0)
    assert b.compose([still])[1] == a.compose([still])[1]


@pytest.mark.parametrize("seed", range(5))
def test_every_style_can_be_drawn(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    style = sample_style(rng)
    camera = replace(look((360, 300), tilt=15, azimuth=70 * seed, fill=0.7), distortion=0.04 * (seed - 2), fault=Fault(noise=2))
    r = Renderer(style, camera, seed=seed, around=200)
    classes, at = rack(angle=0.3)
    discs = [DrawnDisc(c, float(x), float(y)) for c, (x, y) in zip(classes, at, strict=True)]
    discs.append(DrawnDisc("striker", 300, 620, vx=500, vy=-900))
    hands = [HandPose((300, 640), -1.4, "south", g) for g in ("flick", "pinch", "flat")]
    picture, truth = r.compose(discs, hands)
    assert picture.shape == (300, 360, 3)
    assert picture.std() > 5
    assert len(truth.discs) == 20
    striker, piece = truth.discs[19], truth.discs[0]
    assert striker[2] - striker[0] > piece[2] - piece[0]


@pytest.mark.parametrize("azimuth", [0, 90, 180, 270])
def test_pieces_on_the_frame_lie_as_high_as_it(azimuth: float) -> None:
    style = _style()
    style = replace(style, frame=replace(style.frame, width=60.0, height=30.0))
    laden = replace(style, surround=replace(style.surround, on_frame=25))
    camera = look((500, 500), tilt=22, azimuth=azimuth)
    bare, full = (Renderer(s, camera, seed=2, around=150).frame([]).astype(int) for s in (style, laden))
    changed = np.abs(bare - full).sum(2) > 60
    assert changed.sum() > 500
    # Through the frame's opening one sees the surface and the inner faces; pieces are too low to reach into it by 5 mm.
    opening = np.zeros(changed.shape, np.uint8)
    cv2.fillConvexPoly(opening, camera.project([[5, 5], [735, 5], [735, 735], [5, 735]], 30.0).round().astype(np.int32), 1)
    assert not changed[opening > 0].any()


def test_a_clear_striker_shows_the_board_through_it() -> None:
    style = _style()
    ink = replace(style.pieces["black"], clear=0.8)
    seen = []
    for look_of in (style.pieces["black"], ink):
        r = Renderer(replace(style, pieces={**style.pieces, "striker": look_of}), overhead((500, 500)), seed=1, around=120)
        x, y = r.camera.project([[200, 450]])[0].round().astype(int)
        seen.append(r.frame([DrawnDisc("striker", 200, 450)])[y, x].mean() / r.frame([])[y, x].mean())
    assert seen[0] < 0.4
    assert seen[1] > 0.6


def test_pieces_are_as_large_as_the_style_says() -> None:
    big = Renderer(replace(_style(), piece_scale=1.25), overhead((500, 500)), seed=1, around=120)
    box = big.compose([DrawnDisc("black", 300, 300)])[1].discs[0]
    assert box[2] - box[0] == pytest.approx(2 * 1.25 * 15.9 * big.scale, rel=0.01)


def test_a_camera_knows_how_far_it_sees() -> None:
    camera = look((600, 800), tilt=15, azimuth=30)
    far = camera.reach()
    h, w = 800, 600
    edges = np.array([[far + 740 + 1, 0], [-far - 1, 0], [0, far + 740 + 1], [0, -far - 1]])
    line = np.linspace(-far, far + 740, 200)
    for (x, y), axis in zip(edges, (1, 1, 0, 0), strict=True):
        points = np.array([(x, t) if axis else (t, y) for t in line])
        px = camera.project(points)
        assert not ((px > 0) & (px < (w, h))).all(1).any()
