"""Discs at rest that the network missed are found by their difference from the bare board, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from models.board import ICF
from models.detections import COVER_CELLS
from models.stroke import PIECES
from vision.arms import ArmFinder
from vision.exposure import Shade, cie_lab, even_light
from vision.height import seen_at
from vision.missed import LOOKS, SCORE, MissedDiscs
from vision.palette import SPREAD_FLOOR, Palette
from vision.pieces import Seen
from vision.prints import Prints
from vision.types import Calibration, Image

SIDE, EDGE = 740, 70
CALIBRATION = Calibration(np.array([[0.0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]]) + EDGE, (SIDE + 2 * EDGE, SIDE + 2 * EDGE))
R = 15.9
WOOD, RED, BLACK, WHITE = (120, 170, 200), (40, 30, 190), (35, 35, 35), (200, 225, 235)
AT = (370.0, 370.0)
NO_PRINTS = Prints(np.zeros((0, 2)), np.zeros((0, 3)))
NO_COVER = np.zeros((COVER_CELLS, COVER_CELLS), np.bool_)


def lab(bgr: tuple[int, int, int]) -> np.ndarray:
    return cie_lab(np.full((1, 1, 3), bgr, np.uint8))[0, 0]


PALETTE = Palette(
    np.stack([lab(WHITE), lab(BLACK), lab(RED), lab((220, 120, 60))]), np.tile(SPREAD_FLOOR, (4, 1)), np.array([R, R, R, 1.3 * R])
)


def bare() -> Image:
    image = np.full((CALIBRATION.size[1], CALIBRATION.size[0], 3), WOOD, np.uint8)
    for r in (R + 3, 85):
        cv2.circle(image, (EDGE + SIDE // 2, EDGE + SIDE // 2), round(r), (60, 90, 130), 2, cv2.LINE_AA)
    return np.clip(image + np.random.default_rng(0).normal(0, 1, image.shape), 0, 255).astype(np.uint8)


def with_disc(image: Image, at: tuple[float, float], colour: tuple[int, int, int] = RED, r: float = R) -> Image:
    x, y = seen_at(CALIBRATION, np.array([at]))[0]
    out = image.copy()
    cv2.circle(out, (round(16 * x), round(16 * y)), round(16 * r), colour, -1, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(out, (0, 0), 0.7), np.uint8)


def shaded(image: Image, at: tuple[float, float], soft: float, factor: float = 0.4) -> Image:
    """With a round shadow on it, or light, with a border `soft` px broad (standard deviation)."""
    light = np.ones(image.shape[:2], np.float32)
    cv2.circle(light, (round(at[0]) + EDGE, round(at[1]) + EDGE), round(R), factor, -1, cv2.LINE_AA)
    return np.clip(image * cv2.GaussianBlur(light, (0, 0), soft)[:, :, None], 0, 255).astype(np.uint8)


def seen_discs(*at: tuple[float, float]) -> Seen:
    x, y = np.array(at, float).reshape(-1, 2).T
    n = len(x)
    size = np.full(n, R)
    return Seen(x, y, size, 2 * size, 2 * size, np.tile(lab(BLACK), (n, 1)), np.full(n, 0.9), np.zeros((0, 5)), even_light(SIDE))


class Watcher:
    """What the detections make of pictures of a board on which the network sees no disc but those told."""

    def __init__(self, ground: Image | None = None, prints: Prints = NO_PRINTS, shade: Shade | None = None) -> None:
        ground = bare() if ground is None else ground
        small = np.asarray(cv2.resize(CALIBRATION.rectify(ground), (320, 320), interpolation=cv2.INTER_AREA), np.uint8)
        self.missed, self.arms = MissedDiscs(small, prints, CALIBRATION, shade), ArmFinder([small], CALIBRATION)

    def __call__(self, image: Image, *seen: tuple[float, float], still: bool = True, cover: np.ndarray = NO_COVER) -> Seen:
        """The discs of a picture that the network did not see."""
        rectified = CALIBRATION.rectify(image)
        found = self.missed.held(rectified, seen_discs(*seen), still=still)
        if still:
            found = self.missed.find(image, rectified, self.arms.differs(rectified), found, cover, PALETTE)
        return found.only(found.score == SCORE)

    def often(self, image: Image, *seen: tuple[float, float], cover: np.ndarray = NO_COVER) -> Seen:
        """The same after as many looks as it takes."""
        return [self(image, *seen, cover=cover) for _ in range(LOOKS + 1)][-1]


@pytest.mark.parametrize(("at", "colour", "cls"), [(AT, RED, "queen"), ((200.4, 511.7), BLACK, "black"), ((598.2, 122.9), WHITE, "white")])
def test_a_disc_that_the_network_misses_is_found(at: tuple[float, float], colour: tuple[int, int, int], cls: str) -> None:
    watcher, image = Watcher(), with_disc(bare(), at, colour)
    looks = [watcher(image) for _ in range(LOOKS + 2)]
    assert [len(s) for s in looks] == [0] * (LOOKS - 1) + [1] * 3
    disc = looks[-1]
    assert np.hypot(disc.x[0] - at[0], disc.y[0] - at[1]) < 1.0
    assert disc.r[0] == pytest.approx(R, abs=0.6)
    assert PIECES[PALETTE.probabilities(disc.colour, disc.r, np.ones(1, bool))[0].argmax()] == cls


def test_in_a_lasting_shade_its_colour_is_told_out_of_it() -> None:
    dark = np.ones((4, 4))
    dark[:, 2:] = 0.4
    seen = []
    for shade in (None, Shade(SIDE, dark, 0.0)):
        watcher = Watcher(shade=shade)
        found = watcher.often(with_disc(bare(), (600.0, 370.0), BLACK))
        seen.append(found.colour[0, 0])
        assert len(found) == 1
    assert seen[1] > seen[0] + 3


def test_it_is_found_beside_others() -> None:
    at = (200.0, 500.0)
    others = [(at[0] + 2 * R + 0.5, at[1]), (at[0], at[1] - 2 * R - 0.5)]
    image = with_disc(bare(), at)
    for other in others:
        image = with_disc(image, other, BLACK)
    disc = Watcher().often(image, *others)
    assert len(disc) == 1 and np.hypot(disc.x[0] - at[0], disc.y[0] - at[1]) < 1.5


def pocketed_board() -> Image:
    image = bare()
    for x, y in ICF.pockets().values():
        middle = round(16 * (EDGE + x)), round(16 * (EDGE + y))
        cv2.circle(image, middle, round(16 * ICF.pocket_radius), (18, 18, 20), -1, cv2.LINE_AA, 4)
    return image


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_one_that_hangs_over_a_pocket_is_found(colour: tuple[int, int, int]) -> None:
    ground, at = pocketed_board(), (ICF.pocket_inset + 17.0, ICF.pocket_inset + 17.0)
    disc = Watcher(ground).often(with_disc(ground, at, colour))
    assert len(disc) == 1 and np.hypot(disc.x[0] - at[0], disc.y[0] - at[1]) < 2.5


def test_one_that_lies_in_a_net_is_not() -> None:
    ground = pocketed_board()
    hole = np.zeros(ground.shape[:2], np.uint8)
    cv2.circle(hole, (round(EDGE + ICF.pocket_inset), round(EDGE + ICF.pocket_inset)), round(ICF.pocket_radius), 255, -1)
    for off in (0.0, 9.0, 14.0):
        image = with_disc(ground, (ICF.pocket_inset + off, ICF.pocket_inset + off), WHITE)
        assert not len(Watcher(ground).often(np.where(hole[:, :, None] > 0, image, ground)))


def test_the_looks_must_follow_each_other() -> None:
    watcher, image = Watcher(), with_disc(bare(), AT)
    for _ in range(LOOKS):
        assert not len(watcher(image))
        watcher(image, still=False)


def test_it_stays_as_long_as_its_place_looks_the_same() -> None:
    watcher, image = Watcher(), with_disc(bare(), AT)
    watcher.often(image)
    assert len(watcher(image, still=False)) == 1
    assert not len(watcher(image, (370.5, 369.5), still=False)), "the network sees it itself"
    assert len(watcher(image)) == 1
    assert not len(watcher(bare(), still=False))
    assert len(watcher(image, still=False)) == 1, "an arm passed"
    assert not len(watcher(bare()))
    assert not len(watcher(image, still=False)), "it was taken away"


def test_after_a_move_of_the_camera_it_is_found_anew() -> None:
    watcher, image = Watcher(), with_disc(bare(), AT)
    watcher.often(image)
    watcher.missed.moved(CALIBRATION)
    assert not len(watcher(image))
    assert len(watcher.often(image)) == 1


def barred(image: Image) -> Image:
    out = image.copy()
    cv2.rectangle(out, (EDGE + 358, EDGE + 353), (EDGE + 382, EDGE + 387), RED, -1)
    return out


@pytest.mark.parametrize(
    "show",
    [
        lambda image: shaded(image, AT, 4.0),
        lambda image: shaded(image, (200, 500), 6.0),
        lambda image: shaded(image, AT, 4.0, 1.3),
        barred,
        lambda image: with_disc(image, AT, RED, 0.8 * R),
        lambda image: with_disc(image, AT, RED, 1.2 * R),
        lambda image: with_disc(image, AT, (60, 200, 60)),
        lambda image: with_disc(image, (15.0, 15.0), BLACK),
        lambda image: with_disc(image, (5.0, 300.0), BLACK),
        lambda image: image,
    ],
    ids=["shadow", "soft shadow", "light", "bar", "small", "large", "green", "pocket", "cushion", "noise"],
)
def test_nothing_else_is_taken_for_a_disc(show: Callable[[Image], Image]) -> None:
    assert not len(Watcher().often(show(bare())))


def test_what_was_seen_or_is_covered_is_not_found() -> None:
    image = with_disc(bare(), AT)
    assert not len(Watcher().often(image, AT))
    cover = NO_COVER.copy()
    cover[40, 40] = True
    assert not len(Watcher().often(image, cover=cover))


def test_the_place_of_a_disc_that_lay_there_most_of_the_time_is_none() -> None:
    assert not len(Watcher(with_disc(bare(), AT)).often(bare()))


def test_print_that_a_disc_lay_on_is_none() -> None:
    printed, place = with_disc(bare(), (150.0, 117.0)), (150.0, 117.0)
    covered = with_disc(printed, place, WHITE)
    assert len(Watcher(covered).often(printed)) == 1
    assert not len(Watcher(covered, Prints(np.array([place]), lab(RED)[None])).often(printed))
