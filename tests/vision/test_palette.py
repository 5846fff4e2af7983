"""The classes of a match are settled whatever their colours."""

from __future__ import annotations

import numpy as np
import pytest

from models.stroke import PIECES
from vision.palette import settle_palette

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


def test_a_print_of_another_colour_that_never_moves_is_no_queen() -> None:
    rng = np.random.default_rng(5)
    colour, radius, at, names = racked((56, -36, 47), rng)
    at[:, 0] += 150  # no rack
    seen = 6
    picture = np.repeat(np.arange(seen), 19)
    palette = settle_palette(np.tile(colour, (seen, 1)), np.tile(radius, seen), picture, at=np.tile(at, (seen, 1)))
    assert np.isnan(palette.mean[PIECES.index("queen")]).all()
    moved = np.tile(at, (seen, 1))
    moved[3 * 19 :: 19] += 60
    palette = settle_palette(np.tile(colour, (seen, 1)), np.tile(radius, seen), picture, at=moved)
    prob = palette.probabilities(colour, radius, np.ones(19, bool))
    assert [PIECES[k] for k in prob.argmax(axis=1)] == names
    assert 0.5 < prob[0, PIECES.index("queen")] < 0.9
