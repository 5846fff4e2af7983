"""Players as given on the command line."""

from __future__ import annotations

import pytest

from carromeye.players import check_players, parse_players, players_of
from models.errors import BadInput
from models.stroke import Player
from referee.lawbook_files import load_lawbook


def test_names_by_seat() -> None:
    assert parse_players("south=Asha, north=Bina B.") == (Player("south", "Asha"), Player("north", "Bina B."))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Asha,Bina", "SEAT=NAME"),
        ("up=Asha,north=Bina", "up=Asha"),
        ("south=,north=B", "south="),
        ("south=A,south=B", "twice"),
    ],
)
def test_what_names_no_players_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        parse_players(text)


def test_without_names_those_who_struck_and_their_opposites_play() -> None:
    icf = load_lawbook("icf")
    assert [p.seat for p in players_of(["east"], icf)] == ["east", "west"]
    assert [p.seat for p in players_of([], icf)] == ["south", "north"]
    assert [p.seat for p in players_of(["east", "south"], icf)] == ["south", "east", "north", "west"]


def test_one_may_play_alone_where_the_law_book_lets_him() -> None:
    daily = load_lawbook("22s-daily")
    assert [p.seat for p in players_of(["east"], daily)] == ["east"]
    assert [p.seat for p in players_of(["south", "north"], daily)] == ["south", "north"]


@pytest.mark.parametrize(
    ("text", "laws", "says"),
    [
        (
            "",
            "gamerules-3",
            'law book gamerules-3 is for 3 players: say who sits where, such as --players "south=Asha,east=Bina,north=Chitra"',
        ),
        ("south=A,north=B", "gamerules-3", "--players: law book gamerules-3 is for 3 players, 2 are named"),
        ("south=A", "icf", "--players: law book icf is for 2 or 4 players, 1 is named"),
        ("south=A,east=B,west=C", "22s-daily", "--players: law book 22s-daily is for 1 or 2 players, 3 are named"),
    ],
)
def test_numbers_that_the_law_book_is_not_for_are_refused(text: str, laws: str, says: str) -> None:
    with pytest.raises(BadInput) as e:
        check_players(parse_players(text) if text else (), load_lawbook(laws))
    assert str(e.value) == says


@pytest.mark.parametrize(
    ("text", "laws"),
    [("south=A", "22s-daily"), ("east=A,north=B,west=C", "gamerules-3"), ("south=A,east=B,north=C,west=D", "uk"), ("", "uk")],
)
def test_as_many_as_the_law_book_is_for_may_play(text: str, laws: str) -> None:
    check_players(parse_players(text) if text else (), load_lawbook(laws))
