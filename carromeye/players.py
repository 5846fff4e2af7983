"""Who sits where, as given on the command line."""

from __future__ import annotations

from typing import Final

from models.errors import BadInput
from models.stroke import SEATS, Player, Seat

LONGEST_NAME: Final = 80
OPPOSITE: dict[Seat, Seat] = {"south": "north", "north": "south", "east": "west", "west": "east"}


def parse_players(text: str) -> tuple[Player, ...]:
    """Read "south=Asha,north=Bina".

    Raises
    ------
    BadInput
        If a seat is unknown or named twice, or the number of players is not 2, 3 or 4.
    """
    players: list[Player] = []
    for part in text.split(","):
        seat, equals, name = (p.strip() for p in part.partition("="))
        if not equals or not name or seat not in SEATS:
            raise BadInput(f'--players: "{part.strip()}" is not SEAT=NAME with a seat out of {", ".join(SEATS)}, such as south=Asha')
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise BadInput(
                f"--players: the name for {seat} is longer than {LONGEST_NAME} letters or has a character that cannot be printed"
            )
        if any(p.seat == seat for p in players):
            raise BadInput(f"--players: seat {seat} is named twice")
        players.append(Player(next(s for s in SEATS if s == seat), name))
    if not 2 <= len(players) <= 4:
        raise BadInput(f"--players: {len(players)} player named; 2, 3 or 4 are needed")
    return tuple(players)


def players_of(seats: list[Seat]) -> tuple[Player, ...]:
    """The players when nobody named them: those who struck, and whoever sits opposite."""
    sitting = set(seats) | {OPPOSITE[s] for s in seats} or {"south", "north"}
    return tuple(Player(s, s.capitalize()) for s in SEATS if s in sitting)
