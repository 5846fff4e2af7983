"""The classes of a match are settled whatever their colours."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.stroke import PIECES
from vision.exposure import WoodLight, wood_light
from vision.palette import credible, left_over, palette_of, settle_palette
from vision.pieces import Seen
from vision.types import MARGIN_MM

LOOKS = {
    "tournament": {"white": (88, 2, 14), "black": (18, 0, 0), "queen": (42, 48, 22), "striker": (90, 0, 2)},
    "brown whites, magenta queen": {"white": (42, 17, 22), "black": (20, 2, 1), "queen": (36, 50, -12), "striker": (80, 4, 8)},
    "cream, dark brown, pink": {"white": (80, 4, 24), "black": (26, 8, 9), "queen": (60, 42, 6), "striker": (35, 10, -40)},
    "dim": {"white": (52, 3, 8), "black": (12, 0, 0), "queen": (24, 26, 9), "striker": (50, 1, 3)},
}


COUNTS = [
    {"white": 9, "black": 9, "queen": 1, "striker": 1},
    {"white": 3, "black": 7, "queen": 0, "striker": 1},
    {"white": 5, "black": 2, "queen": 1, "striker": 0},
]


def discs(
    look: dict[str, tuple[int, int, int]], counts: dict[str, int], ratio: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, list[str]]:
    names = [c for c, n in counts.items() for _ in range(n)]
    colour = np.array([look[c] for c in names]) + rng.normal(0, [3, 1.5, 1.5], (len(names), 3))
    radius = np.array([15.9 * (ratio if c == "striker" else 1) for c in names]) * rng.normal(1, 0.02, len(names))
    return colour, radius, names


@pytest.mark.parametrize("name", LOOKS)
@pytest.mark.parametrize("ratio", [1.22, 1.3, 2.1])
@pytest.mark.parametrize("counts", COUNTS)
def test_one_picture(name: str, ratio: float, counts: dict[str, int]) -> None:
    colour, radius, names = discs(LOOKS[name], counts, ratio, np.random.default_rng(1))
    palette = settle_palette(colour, radius, np.zeros(len(names), int))
    prob = palette.probabilities(colour, radius, np.ones(len(names), bool))
    assert [PIECES[k] for k in prob.argmax(axis=1)] == names
    assert (prob.sum(axis=1) > 0.9).all()


def test_a_printed_disc_is_of_no_class() -> None:
    colour, radius, names = discs(LOOKS["tournament"], COUNTS[0], 1.3, np.random.default_rng(1))
    palette = settle_palette(colour, radius, np.zeros(len(names), int))
    assert palette.probabilities(np.array([[52.0, 45, 60], [88, 2, 14]]), np.array([12.7, 15.9]), np.ones(2, bool)).max(
        axis=1
    ) == pytest.approx([0, 1], abs=0.05)


def test_the_queen_is_told_over_many_pictures_in_most_of_which_she_is_gone() -> None:
    rng = np.random.default_rng(3)
    parts = [
        discs(LOOKS["dim"], {"white": 9 - k // 3, "black": 9 - k // 2, "queen": int(k < 4), "striker": k % 2}, 1.3, rng) for k in range(16)
    ]
    colour, radius = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
    names = [n for p in parts for n in p[2]]
    palette = settle_palette(colour, radius, np.repeat(np.arange(16), [len(p[2]) for p in parts]))
    got = [PIECES[k] for k in palette.probabilities(colour, radius, np.ones(len(names), bool)).argmax(axis=1)]
    assert got == names


def test_without_a_disc_nothing_is_settled() -> None:
    palette = settle_palette(np.zeros((0, 3)), np.zeros(0), np.zeros(0, int))
    assert np.isnan(palette.mean).all()
    assert palette.probabilities(np.array([[50.0, 0, 0]]), np.array([15.0]), np.array([True])).sum() == 0


def racked(queen: tuple[int, int, int], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[str]]:
    """A rack whose queen is of some colour, with one printed disc of another beside it."""
    ring = [(370 + k * 32 * np.cos(a), 370 + k * 32 * np.sin(a)) for k, n in ((1, 6), (2, 12)) for a in np.arange(n) * 2 * np.pi / n]
    names = ["queen", *(["white", "black"] * 9)]
    look = {**LOOKS["tournament"], "queen": queen}
    colour = np.array([look[c] for c in names]) + rng.normal(0, [3, 1.5, 1.5], (19, 3))
    return colour, 15.9 * rng.normal(1, 0.02, 19), np.array([(370.0, 370.0), *ring]), names


@pytest.mark.parametrize("queen", [(56, -36, 47), (45, 5, -45), (75, 0, 60), (52, 0, 0)])
def test_a_racks_middle_is_the_queen_of_any_colour(queen: tuple[int, int, int]) -> None:
    colour, radius, at, names = racked(queen, np.random.default_rng(4))
    palette = settle_palette(colour, radius, np.zeros(19, int), at=at)
    prob = palette.probabilities(colour, radius, np.ones(19, bool))
    assert [PIECES[k] for k in prob.argmax(axis=1)] == names


W, B, Q = (88, 2, 14), (20, 0, 0), (42, 48, 22)
BROWN, GREEN = (38, 14, 11), (56, -36, 47)


def told(discs: list[tuple[tuple[int, int, int], float]]) -> list[dict[str, float]]:
    """Each class's probability for discs, given by colour and radius, of one picture."""
    colour, radius = np.array([c for c, _ in discs], float), np.array([r for _, r in discs])
    palette = settle_palette(colour, radius, np.zeros(len(discs), int))
    prob = palette.probabilities(colour, radius, np.ones(len(discs), bool))
    return [dict(zip(PIECES, map(float, p), strict=True)) for p in prob]


@pytest.mark.parametrize(
    ("colour", "radius", "cls"),
    [(W, 15.9, "white"), (B, 15.9, "black"), (Q, 15.9, "queen"), (W, 26.0, "striker"), (B, 33.0, "striker")],
)
def test_one_disc_alone_of_a_telling_look(colour: tuple[int, int, int], radius: float, cls: str) -> None:
    (p,) = told([(colour, radius)])
    assert p[cls] > 0.9


@pytest.mark.parametrize(("colour", "radius"), [(BROWN, 15.9), ((50, 0, 0), 15.9), (W, 20.65)])
def test_one_disc_alone_that_may_be_this_or_that_is_not_sure(colour: tuple[int, int, int], radius: float) -> None:
    (p,) = told([(colour, radius)])
    assert sum(p.values()) > 0.9 and max(p.values()) < 0.8


def test_one_colour_left_and_brown() -> None:
    assert all(p["white"] + p["black"] > 0.9 and max(p.values()) < 0.8 for p in told([(BROWN, 15.9)] * 4))
    mixed = told([(BROWN, 15.9)] * 4 + [(B, 15.9)] * 3)
    assert all(p["white"] > 0.9 for p in mixed[:4]) and all(p["black"] > 0.9 for p in mixed[4:])


def test_shade_over_half_of_the_board_makes_no_new_class() -> None:
    shaded = told([(W, 15.9)] * 3 + [((58, 2, 9), 15.9)] * 2 + [(B, 15.9)] * 3 + [((9, 0, 0), 15.9)])
    assert all(p["white"] > 0.8 for p in shaded[:5]) and all(p["black"] > 0.8 for p in shaded[5:])


def test_a_queen_of_another_colour_without_a_rack_is_likely() -> None:
    *_, queen = told([(W, 15.9)] * 4 + [(B, 15.9)] * 4 + [(GREEN, 15.9)])
    assert queen["queen"] > 0.7


def test_on_a_small_board_pieces_seem_larger_and_a_striker_stays_one() -> None:
    seen = told([(BROWN, 20.7)] * 4 + [(B, 20.7)] * 5 + [(Q, 20.7), (W, 25.8)])
    assert [max(p, key=lambda c: p[c]) for p in seen] == ["white"] * 4 + ["black"] * 5 + ["queen", "striker"]


def test_white_and_black_equally_light_are_told_by_colour_but_never_sure() -> None:
    brown, grey = (36, 15, 14), (36, 1, -3)
    seen = told([(brown, 15.9)] * 4 + [(grey, 15.9)] * 4)
    assert all(0.5 < p["white"] < 0.8 for p in seen[:4]) and all(0.5 < p["black"] < 0.8 for p in seen[4:])


def test_glare_on_a_black_piece_does_not_turn_the_colours_round() -> None:
    seen = told([((38, 15, 13), 15.9)] * 5 + [((33, 2, -4), 15.9)] * 3 + [((62, 1, -3), 15.9)])
    assert all(p["white"] > p["black"] for p in seen[:5]) and all(p["black"] > p["white"] for p in seen[5:])


def test_brown_in_the_sun_is_no_sure_queen() -> None:
    *_, lit = told([(BROWN, 15.9)] * 5 + [(B, 15.9)] * 5 + [((75, 14, 14), 15.9)])
    assert lit["queen"] < 0.8
    assert told([((37, 22, 16), 15.9)])[0]["queen"] < 0.8


def test_a_queen_that_seems_large_in_a_rack_on_a_printed_disc_is_no_striker() -> None:
    colour, radius, at, names = racked(Q, np.random.default_rng(4))
    colour, radius, at = np.r_[colour, [(52, -6, 27)]], np.r_[radius, 23.0], np.r_[at, [(120.0, 700.0)]]
    radius[0] *= 1.2
    palette = settle_palette(colour, radius, np.zeros(20, int), at=at)
    prob = palette.probabilities(colour, radius, np.ones(20, bool))
    assert [PIECES[k] for k in prob.argmax(axis=1)][1:] == [*names[1:], "striker"] and prob[0, PIECES.index("striker")] < 0.1


def test_a_tenth_piece_of_a_colour_is_no_queen() -> None:
    seen = told([(W, 15.9)] * 10 + [(B, 15.9)] * 9)
    assert all(p["white"] > 0.9 for p in seen[:10])


def lit(board: WoodLight, look: tuple[int, int, int], at: tuple[float, float]) -> np.ndarray:
    """The colour in which a disc of some look in usual light is seen in another."""
    k = (float(board.at(np.array([at]))[0]) + 16) / (65 + 16)
    return np.array([(look[0] + 16) * k - 16, look[1] * k, look[2] * k])


@pytest.mark.parametrize("pictures", [1, 3])
def test_dark_brown_and_black_are_two_looks_where_no_class_could_hold_them_all(pictures: int) -> None:
    rng = np.random.default_rng(4)
    names = (["white"] * 9 + ["black"] * 7) * pictures
    colour = np.array([(17.0, 4, 3) if c == "white" else (3, 0, 0) for c in names]) + rng.normal(0, [2.5, 1, 1], (len(names), 3))
    radius = 15.9 * rng.normal(1, 0.01, len(names))
    palette = settle_palette(colour, radius, np.repeat(np.arange(pictures), 16))
    assert [PIECES[k] for k in palette.probabilities(colour, radius, np.ones(len(names), bool)).argmax(axis=1)] == names


def test_more_discs_of_one_look_than_a_class_has_are_one_look_still() -> None:
    rng = np.random.default_rng(4)
    colour = np.array([(80.0, 3, 15)] * 11 + [(20.0, 0, 0)] * 4) + rng.normal(0, [4, 1.5, 1.5], (15, 3))
    palette = settle_palette(colour, np.full(15, 15.9), np.zeros(15, int))
    prob = palette.probabilities(colour, np.full(15, 15.9), np.ones(15, bool))
    assert (prob[:11, 0] > 0.9).all() and (prob[11:, 1] > 0.9).all()


def test_the_light_is_taken_off_by_the_wood_round_a_disc() -> None:
    light = WoodLight(740.0, np.array([[65.0, 20.0], [65.0, 20.0]]), 0.0)
    for at in ((100.0, 100.0), (370.0, 300.0), (700.0, 600.0)):
        even = light.taken_off(lit(light, (60, 10, 20), at)[None], np.array([at]))[0]
        assert even == pytest.approx([60, 10, 20], abs=0.5)


def test_a_veil_is_taken_off() -> None:
    veiled = WoodLight(740.0, np.array([[70.0]]), 40.0)
    white, black = veiled.taken_off(np.array([[72.0, 1, 3], [44.0, 1, -1]]), np.full((2, 2), 370.0))
    assert white[0] - black[0] > 1.1 * (72 - 44)


def test_wood_light_is_measured_between_discs_and_hands() -> None:
    board = np.full((640, 640, 3), (110, 150, 180), np.uint8)
    board[:, 320:] //= 2
    cv2.circle(board, (150, 150), 20, (255, 255, 255), -1)
    board[400:640, 60:200] = 0
    k = 640 / (740 + 2 * MARGIN_MM)
    disc = np.array([[150 / k - MARGIN_MM, 150 / k - MARGIN_MM, 20 / k]])
    hand = np.array([[60 / k - MARGIN_MM, 400 / k - MARGIN_MM, 200 / k - MARGIN_MM, 640 / k - MARGIN_MM, 1.0]])
    light = wood_light(board, 740.0, disc, hand)
    bright, dim = (float(v) for v in light.at(np.array([[60.0, 300.0], [650.0, 300.0]])))
    assert bright > dim + 12
    assert light.at(np.array([disc[0, :2], [80.0, 560.0]])) == pytest.approx(bright, abs=3)


def board_of(discs: list[tuple[tuple[int, int, int], float, float]], x: float = 100.0, w: float = 1.0) -> Seen:
    """Discs in a row, given by colour, radius and score; the last lies at `x` (mm) and has a box `w` times as wide as high."""
    colour, r, score = np.array([c for c, _, _ in discs], float), np.array([r for _, r, _ in discs]), np.array([s for *_, s in discs])
    at = np.array([(x if k == len(discs) - 1 else 100.0 + 50 * k, 600.0) for k in range(len(discs))])
    wide = np.r_[2 * r[:-1], 2 * r[-1] * w]
    light = WoodLight(740.0, np.full((1, 1), 65.0), 0.0)
    return Seen(at[:, 0], at[:, 1], r, wide, 2 * r, colour, score, np.zeros((0, 5)), light)


KNOWN = [(W, 15.9, 0.9)] * 4 + [(B, 15.9, 0.9)] * 4


@pytest.mark.parametrize(
    ("disc", "x", "w", "believed"),
    [
        ((B, 15.9, 0.1), 600.0, 1.0, True),
        ((B, 15.9, 0.05), 600.0, 1.0, False),
        ((B, 15.9, 0.1), 9.0, 1.0, False),
        ((B, 15.9, 0.4), 9.0, 1.0, False),
        ((B, 15.9, 0.9), 9.0, 1.0, True),
        ((B, 15.9, 0.1), 600.0, 1.4, False),
        ((B, 11.0, 0.1), 600.0, 1.0, False),
        ((GREEN, 15.9, 0.1), 600.0, 1.0, False),
        ((GREEN, 15.9, 0.6), 600.0, 1.0, True),
        (((50, 20, 40), 11.0, 0.4), 600.0, 1.0, False),
    ],
)
def test_what_the_network_hardly_saw_is_believed_for_its_look(
    disc: tuple[tuple[int, int, int], float, float], x: float, w: float, believed: bool
) -> None:
    palette = palette_of([board_of(KNOWN)])
    keep = credible(board_of([*KNOWN, disc], x, w), palette)
    assert keep[:-1].all() and keep[-1] == believed


@pytest.mark.parametrize(
    ("disc", "guess"),
    [
        ((GREEN, 15.9, 0.9), "queen"),
        ((GREEN, 22.0, 0.9), "striker"),
        (((110, 2, 14), 15.9, 0.9), "white"),
        ((GREEN, 15.9, 0.5), None),
    ],
)
def test_a_disc_that_the_network_is_sure_of_has_a_class_though_only_a_guess(
    disc: tuple[tuple[int, int, int], float, float], guess: str | None
) -> None:
    palette = palette_of([board_of(KNOWN)])
    taken = [("white", k) for k in range(4)] + [("black", k) for k in range(4, 8)]
    got = left_over(board_of([*KNOWN, disc], 600.0), palette, taken)  # type: ignore[arg-type]
    assert got == ([] if guess is None else [(guess, 8)])


PINK = (60, 45, -5)


@pytest.mark.parametrize(
    ("disc", "others", "found"),
    [
        ((PINK, 15.9, 0.15), [], True),
        ((PINK, 15.9, 0.15), [(PINK, 15.9, 0.9)], False),
        ((PINK, 15.9, 0.05), [], False),
        ((PINK, 19.0, 0.15), [], False),
        (((60, -30, 25), 15.9, 0.15), [], False),
        (((60, 12, 3), 15.9, 0.15), [], False),
    ],
)
def test_a_queen_that_the_network_hardly_saw_is_found_where_there_is_none_else(
    disc: tuple[tuple[int, int, int], float, float], others: list[tuple[tuple[int, int, int], float, float]], found: bool
) -> None:
    board = board_of([*KNOWN, *others, disc], 650.0)
    palette = palette_of([board])
    taken = [("white", k) for k in range(4)] + [("black", k) for k in range(4, 8)] + [("queen", 8) for _ in others]
    got = left_over(board, palette, taken)  # type: ignore[arg-type]
    assert got == ([("queen", len(board) - 1)] if found else [])
    assert bool(credible(board, palette)[-1]) >= found


def test_no_class_is_guessed_beyond_the_set() -> None:
    palette = palette_of([board_of(KNOWN)])
    taken = [("white", k) for k in range(9)] + [("queen", 9), ("striker", 10)] + [("black", k) for k in range(11, 20)]
    extra = board_of([(W, 15.9, 0.9)] * 20 + [(GREEN, 15.9, 0.9)], 600.0)
    assert left_over(extra, palette, taken) == []  # type: ignore[arg-type]


def test_a_black_piece_in_glare_is_not_surely_white() -> None:
    blue, pale = (38, -5, -14), (73, -2, -2)
    palette = palette_of([board_of([(pale, 15.9, 0.9)] * 6 + [(blue, 15.9, 0.9)] * 6)])
    p = palette.probabilities(np.array([(60.0, -6, -9), (60.0, -2, -2), pale, blue]), np.full(4, 15.9), np.ones(4, bool))
    assert max(p[0, :2]) < 0.8 and p[1, 0] > 0.8 and p[2, 0] > 0.95 and p[3, 1] > 0.95
