"""Players as given on the command line."""

from __future__ import annotations

import pytest

from carromeye.players import parse_players, players_of
from models.errors import BadInput
from models.stroke import Player


def test_names_by_seat() -> None:
    assert parse_players("south=Asha, north=Bina B.") == (Player("south", "Asha"), Player("north", "Bina B."))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Asha,Bina", "SEAT=NAME"),
        ("up=Asha,north=Bina", "up=Asha"),
        ("south=,north=B", "south="),
        ("south=A,south=B", "twice"),
        ("south=A", "needed"),
    ],
)
def test_what_names_no_players_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        parse_players(text)


def test_without_names_those_who_struck_and_their_opposites_play() -> None:
    assert [p.seat for p in players_of(["east"])] == ["east", "west"]
    assert [p.seat for p in players_of([])] == ["south", "north"]
