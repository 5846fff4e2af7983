"""How crooked a lens makes the sides of a board, and which lens they tell."""

from __future__ import annotations

import numpy as np
import pytest

from vision.lens import crookedness, fit_lens
from vision.types import Array, bent

SIZE = (960, 720)
CORNERS = np.array([[180.0, 60.0], [780, 60], [780, 660], [180, 660]])


def sides(k1: float) -> list[Array]:
    """Pixels along the four sides as a lens of coefficient `k1` takes them."""
    t = np.linspace(0.1, 0.9, 60)[:, None]
    return [bent(a + t * (b - a), SIZE, k1) for a, b in zip(CORNERS, np.roll(CORNERS, -1, 0), strict=True)]


def test_a_lens_makes_straight_sides_crooked() -> None:
    assert crookedness(sides(0.0), 600.0) < 0.01
    assert crookedness(sides(-0.08), 600.0) > crookedness(sides(-0.04), 600.0) > 2.0


def test_of_sides_hardly_seen_nothing_is_said() -> None:
    assert crookedness([side[:5] for side in sides(-0.08)], 600.0) == 0.0
    assert fit_lens([side[:5] for side in sides(-0.08)], SIZE, 600.0) == 0.0


@pytest.mark.parametrize("k1", [-0.09, 0.05])
def test_the_bow_of_the_sides_tells_the_lens(k1: float) -> None:
    assert fit_lens(sides(k1), SIZE, 600.0) == pytest.approx(k1, abs=0.01)
