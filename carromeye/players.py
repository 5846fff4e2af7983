"""Who sits where, as given on the command line."""

from __future__ import annotations

from typing import Final

from models.errors import BadInput
from models.stroke import OPPOSITE, SEATS, Player, Seat
from referee.laws import LawBook

LONGEST_NAME: Final = 80


def parse_players(text: str) -> tuple[Player, ...]:
    """Read "south=Asha,north=Bina".

    Raises
    ------
    BadInput
        If a seat is unknown or named twice.
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
    return tuple(players)


def check_players(players: tuple[Player, ...], book: LawBook) -> None:
    """Hold the players, or that none are named, against the law book.

    Raises
    ------
    BadInput
        If the law book is for other numbers of players, or for such as the strokes cannot tell and nobody is named.
    """
    allowed = sorted(book.match.players)
    of = f"{' or '.join(map(str, allowed))} {'player' if allowed == [1] else 'players'}"
    if players and len(players) not in allowed:
        raise BadInput(f"--players: law book {book.id} is for {of}, {len(players)} {'is' if len(players) == 1 else 'are'} named")
    if not players and not set(allowed) & {2, 4} and allowed != [1]:
        who = ",".join(f"{seat}={name}" for seat, name in zip(SEATS, ("Asha", "Bina", "Chitra"), strict=False))
        raise BadInput(f'law book {book.id} is for {of}: say who sits where, such as --players "{who}"')


def players_of(seats: list[Seat], book: LawBook) -> tuple[Player, ...]:
    """The players when nobody named them.

    Those who struck and whoever sits opposite; one who struck alone, where the law book lets him; all four where it is for four.
    """
    allowed = book.match.players
    sitting = set(seats) | {OPPOSITE[s] for s in seats} or {"south", "north"}
    if 1 in allowed and len(set(seats)) <= 1:
        sitting = set(seats) or {"south"}
    elif allowed == (4,):
        sitting = set(SEATS)
    return tuple(Player(s, s.capitalize()) for s in SEATS if s in sitting)
