"""The score after each board of a match, and who has won a game by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from models.stroke import Match, Seat
from referee.rulings import BoardRulings, Rulings


@dataclass(frozen=True)
class Standing:
    """How a game stands after a board; sides are named by their first seats.

    Attributes
    ----------
    scores : mapping
        Points of each side in the game.
    game_won_by : Seat or None
        The side that has won the game by this board; None too where the match was given to a side.
    """

    scores: Mapping[Seat, int]
    game_won_by: Seat | None = None


def standings(match: Match, rulings: Rulings) -> tuple[Standing, ...]:
    """The standing after each board."""
    found: list[Standing] = []
    boards = rulings.boards
    scores: Mapping[Seat, int] = dict.fromkeys(rulings.scores, 0)
    for k, (board, ruled) in enumerate(zip(match.boards, boards, strict=True)):
        if k and boards[k - 1].game != ruled.game:
            scores = dict.fromkeys(scores, 0)
        if ruled.rulings:
            scores = ruled.rulings[-1].scores
        elif board.start and board.start.scores:
            scores = {side: board.start.scores.get(side, 0) for side in scores}
        if k + 1 < len(boards):
            over = boards[k + 1].game != ruled.game
        else:
            over = sum(s.game_won_by is not None for s in found) < sum(rulings.games.values()) or rulings.winner is not None
        found.append(Standing(scores, _winner(ruled, scores) if over else None))
    return tuple(found)


def _winner(ruled: BoardRulings, scores: Mapping[Seat, int]) -> Seat | None:
    """Who has won a game that is over after a board: the one it was given to, else the one with most points, if it is one."""
    if ruled.result and ruled.result.award:
        what, side = ruled.result.award
        return side if what == "game" else None
    best = max(scores.values())
    leaders = [side for side, n in scores.items() if n == best]
    return leaders[0] if len(leaders) == 1 else None
