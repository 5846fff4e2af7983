"""What the annotated video says when."""

from __future__ import annotations

from typing import Any

import pytest

from reports.captions import Captions

Json = dict[str, Any]


@pytest.fixture
def captions(log: Json, rulings: Json) -> Captions:
    log["boards"][0]["events"][2]["pocketed_at"] = [
        {"cls": "white", "pocket": "NW", "t": 15.6},
        {"cls": "striker", "pocket": "SE", "t": 16.0},
    ]
    return Captions(log, rulings)


@pytest.mark.parametrize(
    ("t", "banner"),
    [
        (3.4, ()),
        (3.6, ("Board 1, stroke 1: Asha",)),
        (15.3, ("Board 1, stroke 3: Asha",)),
        (15.7, ("Board 1, stroke 3: Asha - white NW",)),
        (16.1, ("Board 1, stroke 3: Asha - white NW, striker SE",)),
        (21.5, ("Board 1, Bina places 2 white",)),
        (63.5, ("Board 2, umpire's call: talking (Bina)", "Warned. [48]")),
    ],
)
def test_banner(captions: Captions, t: float, banner: tuple[str, ...]) -> None:
    assert captions.at(t)[0] == banner


def test_ruling_is_shown_once_all_is_at_rest(captions: Captions) -> None:
    assert captions.at(16.5)[0] == (
        "Board 1, stroke 3: Asha - white NW, striker SE",
        "Striker pocketed with an own piece: that piece and one due come back. [73]",
    )
    assert captions.at(6.0)[0] == ("Board 1, stroke 1: Asha - Queen", "Queen pocketed: an own piece must cover her. [92, 48]")


@pytest.mark.parametrize(
    ("t", "footer"),
    [
        (0.0, "Asha 8 : 3 Bina"),
        (4.5, "Asha 8 : 3 Bina"),
        (5.3, "Asha 8 : 3 Bina   |   2 white, 4 black, Queen with Asha, not covered"),
        (24.5, "Asha 8 : 3 Bina   |   2 white, 4 black, Queen covered by Asha"),
        (25.3, "Asha 15 : 3 Bina   |   0 white, 4 black, Queen covered by Asha"),
        (61.4, "Asha 15 : 3 Bina"),
    ],
)
def test_score_line_changes_when_the_stroke_is_complete(captions: Captions, t: float, footer: str) -> None:
    assert captions.at(t)[1] == footer


def test_names_that_the_font_lacks_become_seats(log: Json, rulings: Json) -> None:
    log["players"][0]["name"] = "आशा"
    assert Captions(log, rulings).at(25.3)[1].startswith("South 15 : 3 Bina   |   0 white, 4 black, Queen covered by South")


def test_a_log_without_times_or_strokes_has_a_score_line_only(log: Json, rulings: Json) -> None:
    for board, verdict in zip(log["boards"], rulings["boards"], strict=True):
        board["events"], verdict["rulings"], verdict["result"] = [], [], None
    assert Captions(log, rulings).at(10.0) == ((), "Asha 8 : 3 Bina")
