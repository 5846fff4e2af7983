"""What goes to the other side whatever was played: a board lost as it lay, a game or the match (51, 91, 126, 139, 143, bc.10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from models.stroke import Seat
from referee.laws import Offence
from referee.rulings import Flag
from referee.settle import Note, end_board, record
from referee.state import BoardState, WrongStroke

TWO: Final = 2
"""Sides between which there is one to win what the other loses."""


def dock(state: BoardState, note: Note, by: Seat, charged: Sequence[Offence]) -> BoardState:
    """The board with the points that offences cost taken off a side's score, which never falls below 0."""
    points = sum(row.points for row in charged)
    if not points:
        return state
    k = state.table.index(by)
    note.say("points_off", by=state.table.names[by], n=points)
    gained = max(-state.before[k], state.gained[k] - points)
    return state._replace(gained=(*state.gained[:k], gained, *state.gained[k + 1 :]))


def lost_by(state: BoardState, by: Seat, note: Note, charged: Sequence[Offence]) -> BoardState | None:
    """The board, the game or the match lost by one of some offences; None if none is, or nobody alone would win it."""
    rows = [row for row in charged if row.loses != "nothing"]
    if rows and len(state.table.sides) > TWO:
        note.flag("several_opponents")
        return None
    for row in rows:
        if row.loses == "board":
            return lose_board(state, note, as_it_lies(state, by))
        return give(state, by, note, row.loses)  # type: ignore[arg-type]
    return None


def lose_board(state: BoardState, note: Note, lay: WrongStroke) -> BoardState:
    """The board is lost by the pieces and the Queen as they lay."""
    if len(state.table.sides) > TWO:
        return _nobody_wins(state, note, lay.by)
    if len(state.table.sides) < TWO:
        note.say("board_lost")
        return end_board(state, note, by=lay.by, winner=None)
    table, points = state.table, state.book.points
    winner = table.opponent(lay.by)
    lost_queen = lay.queen.state == "covered" and lay.queen.seat is not None and table.side_of[lay.queen.seat] == table.side_of[lay.by]
    if lost_queen:
        note.flag("queen_of_loser")
    counts = not lost_queen and lay.queen.state != "none" and state.before[table.sides.index(winner)] <= points.queen_up_to
    worth = points.queen if counts else 0
    got = min(points.most, max(points.least, points.piece_left * lay.left + worth))
    note.say("board_lost")
    return end_board(state, note, by=lay.by, winner=winner, points={winner: got}, pieces=lay.left, queen_points=worth)


def give(state: BoardState, by: Seat, note: Note, what: Literal["game", "match"]) -> BoardState:
    """The game or the match goes to the other side, whatever the board brought; a single player's game is over."""
    if len(state.table.sides) > TWO:
        return _nobody_wins(state, note, by)
    if len(state.table.sides) == 1:
        note.say(f"{what}_lost")
        return record(state, note, by=by) if state.result else end_board(state, note, by=by, winner=None)
    to = state.table.opponent(by)
    note.say(f"{what}_lost")
    if state.result:
        return record(state._replace(result=replace(state.result, award=(what, to))), note, by=by)
    return end_board(state, note, by=by, winner=to, award=(what, to))


def as_it_lies(state: BoardState, by: Seat) -> WrongStroke:
    """What a player would lose the board by now."""
    return WrongStroke(by, state.left(by) if state.book.owned else 0, state.queen)


def _nobody_wins(state: BoardState, note: Note, by: Seat) -> BoardState:
    note.flags.append(Flag("several_opponents"))
    return record(state, note, by=by)
