"""A hand-written match: two boards of which the second is not finished, with the rulings that the contract asks for."""

from __future__ import annotations

import json
from typing import Any

import pytest


def stroke(by: str, pocketed: list[str], t: float, **more: Any) -> dict[str, Any]:
    return {
        "type": "stroke",
        "by": by,
        "pocketed": pocketed,
        "touched": True,
        "off_board": [],
        "improper": [],
        "t": t,
        "rest": t + 1.2,
        **more,
    }


def ruling(event: int, by: str, board: tuple[int, int, str], scores: tuple[int, int], text: str, **more: Any) -> dict[str, Any]:
    white, black, queen = board
    return {
        "event": event,
        "by": by,
        "fouls": [],
        "out": {"white": 0, "black": 0, "queen": 0},
        "dues": {"south": 0, "north": 0},
        "board": {"white": white, "black": black, "queen": queen},
        "turn": by,
        "continues": True,
        "scores": {"south": scores[0], "north": scores[1]},
        "clauses": ["48"],
        "text": text,
        **more,
    }


LOG: dict[str, Any] = {
    "format": "carromeye-strokes/1",
    "laws": "icf",
    "players": [{"seat": "south", "name": "Asha"}, {"seat": "north", "name": "Bina"}],
    "first_break": "south",
    "boards": [
        {
            "start": {"white": 2, "black": 4, "queen": "on_board", "breaker": "south", "turn": "south", "scores": {"south": 8, "north": 3}},
            "events": [
                stroke("south", ["queen"], 4.0, confidence=0.98),
                stroke("south", ["white"], 9.5, confidence=0.97),
                stroke("south", ["white", "striker"], 15.25, confidence=0.52),
                {"type": "placing", "by": "north", "pieces": ["white", "white"], "t": 21.0},
                stroke("south", ["white", "white"], 24.0, confidence=0.9),
            ],
        },
        {
            "events": [
                stroke("north", ["black"], 61.3, touched=False, confidence=0.9),
                {"type": "call", "call": "talking", "by": "north", "t": 63.0},
                stroke("south", ["black", "queen"], 70.0, improper=["off_baseline"], off_board=["white"]),
            ]
        },
    ],
}
RULINGS: dict[str, Any] = {
    "format": "carromeye-rulings/1",
    "laws": "icf",
    "boards": [
        {
            "rulings": [
                ruling(1, "south", (2, 4, "pending:south"), (8, 3), "Queen pocketed: an own piece must cover her.", clauses=["92", "48"]),
                ruling(2, "south", (1, 4, "covered:south"), (8, 3), "The Queen is covered; the turn continues.", clauses=["96"]),
                ruling(
                    3, "south", (2, 4, "covered:south"), (8, 3), "Striker pocketed with an own piece: that piece and one due come back.",
                    fouls=["striker_pocketed"], out={"white": 2, "black": 0, "queen": 0}, clauses=["73"],
                    flags=["The striker may have stayed on the edge of the pocket."],
                    discrepancies=["Two whites are due back, one was placed."],
                ),
                ruling(5, "south", (0, 4, "covered:south"), (15, 3), "Own last piece.", turn=None, continues=False, clauses=["52a"]),
            ],
            "result": {
                "winner": "south", "points": {"south": 7, "north": 0}, "demandable": 0, "pieces": 4, "queen_points": 3, "slam": None,
                "reason": "The last own piece is down and the Queen is covered", "clauses": ["53a", "54"],
            },
        },
        {
            "rulings": [
                ruling(1, "north", (9, 8, "on_board"), (15, 3), "Own piece: the turn continues.", dues={"south": 0, "north": 1}),
                ruling(2, "north", (9, 8, "on_board"), (15, 3), "Warned.", dues={"south": 0, "north": 1}),
                ruling(3, "south", (9, 7, "on_board"), (15, 3), "Improper stroke: the Queen comes back.", turn="north", continues=False),
            ],
            "result": None,
        },
    ],
    "match": {"scores": {"south": 15, "north": 3}, "games": {"south": 0, "north": 0}, "winner": None},
}  # fmt: skip


@pytest.fixture
def log() -> dict[str, Any]:
    """A fresh copy of the hand-written stroke log."""
    return json.loads(json.dumps(LOG))  # type: ignore[no-any-return]


@pytest.fixture
def rulings() -> dict[str, Any]:
    """A fresh copy of its rulings."""
    return json.loads(json.dumps(RULINGS))  # type: ignore[no-any-return]


@pytest.fixture
def meta() -> dict[str, Any]:
    """What the review knows of the match."""
    return {
        "title": "Club evening",
        "video": {"name": "board.mp4", "path": "/videos/board.mp4", "sha256": "0" * 64},
        "laws": {"id": "icf", "name": "ICF Laws of Carrom"},
        "versions": {"carromeye": "0.1.0"},
        "warnings": ["The camera was bumped at 0:40."],
    }
