"""Strokes where a piece belongs to whoever pockets it (`gamerules-3`, `22s-freestyle`, `22s-tal-gach`, `22s-daily`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from models.stroke import FULL_SET, Colour, Seat
from referee.settle import Balance, Note
from referee.state import BoardState
from referee.strokes import Costs, QueenTo
from referee.texts import Term


class Won(NamedTuple):
    """What a stroke wins and gives back.

    Attributes
    ----------
    continues : bool
        Whether the turn goes on.
    back : mapping
        Pieces of the stroke, and pieces won before, that come back.
    taken : tuple of (Seat, Colour)
        Pieces won so far, oldest first.
    gained : tuple of int
        Points in this board so far, by side.
    dues : tuple of int
        Pieces that each side still owes.
    """

    continues: bool
    back: Mapping[Colour, int]
    queen: QueenTo
    taken: tuple[tuple[Seat, Colour], ...]
    gained: tuple[int, ...]
    dues: tuple[int, ...]


def rule_open_stroke(state: BoardState, by: Seat, fell: tuple[Colour, ...], costs: Costs, note: Note) -> Won:
    """What a stroke wins: its pieces unless an offence sends them back, less the pieces that the offence costs."""
    pieces = tuple(c for c in fell if c != "queen")
    kept = () if costs.own_returns else pieces
    back: Counter[Colour] = Counter(pieces if costs.own_returns else ())
    queen, goes_on = _queen(state, by, kept, "queen" in fell, costs, note)
    # In the order of falling: the Queen before the piece that covered her by the next stroke.
    won: tuple[Colour, ...] = kept
    if queen == "covered" and state.queen.state != "covered":
        won = ("queen", *kept) if state.queen.state == "pending" else tuple(c for c in fell if c == "queen" or c in kept)
    taken = [*state.taken, *((by, c) for c in won)]
    points = sum(map(state.book.worth, won))
    k = state.table.index(by)
    dues = list(state.dues)
    owed = dues[k] + costs.pieces
    lies = {"white": state.white - fell.count("white"), "black": state.black - fell.count("black"), "queen": int(queen != "covered")}
    while owed and (costs.pieces or not goes_on) and (last := _last_won(state, taken, by, lies, back)) is not None:
        if last < state.unordered and len({c for s, c in taken[: state.unordered] if s == taken[last][0]}) > 1:
            note.flag("winner_unknown")
        elif "latest_piece" not in state.book.clauses and len({c for s, c in taken if s == taken[last][0]}) > 1:
            note.flag("silent", what=Term("which_piece"))
        note.cite("latest_piece")
        piece = taken.pop(last)[1]
        back[piece] += 1
        points -= state.book.worth(piece)
        owed -= 1
    dues[k] = 0 if state.book.dues.unpaid == "lapses" else owed
    if owed and not dues[k]:
        note.say("due_lapsed")
    elif owed and costs.pieces:
        note.cite("due_unavailable")
        note.say("due_owed", debtor=state.table.side_names(state.table.side_of[by]), n=owed)
        if "due_unavailable" not in state.book.clauses:
            note.flag("silent", what=Term("unpaid_due"))
    if back["queen"]:
        queen = "out"
    gained = tuple(g + points * (i == k) for i, g in enumerate(state.gained))
    return Won(goes_on, back, queen, tuple(taken), gained, tuple(dues))


def lies_after(state: BoardState, fell: tuple[Colour, ...], won: Won) -> Balance:
    """What lies on the board after a stroke."""
    return Balance(
        state.white - fell.count("white") + won.back.get("white", 0),
        state.black - fell.count("black") + won.back.get("black", 0),
        won.dues,
        state.no_dues,
    )


def _queen(state: BoardState, by: Seat, kept: tuple[Colour, ...], fell: bool, costs: Costs, note: Note) -> tuple[QueenTo, bool]:
    """Where the Queen goes, and whether the turn goes on."""
    goes_on = bool(kept) and not costs.lost
    if state.queen.state == "pending" and state.queen.seat == by:
        return ("covered" if kept else "out"), goes_on
    if not fell:
        return "stays", goes_on
    if costs.own_returns:
        return "out", False
    if state.book.queen.cover == "none" or (kept and state.book.queen.with_own == "covered"):
        return "covered", not costs.lost
    if state.white + state.black == len(kept):
        note.flag("queen_with_nothing_left")
        return "covered", not costs.lost
    return ("out", False) if costs.lost else ("pending", True)


def _last_won(
    state: BoardState, taken: list[tuple[Seat, Colour]], by: Seat, lies: Mapping[str, int], back: Mapping[Colour, int]
) -> int | None:
    """The piece won last by a player; if he has none, by his partner (22c.1). One that lies on the board again cannot come back."""
    side = state.table.side_of[by]
    for partner in (False, True):
        for k in range(len(taken) - 1, -1, -1):
            seat, colour = taken[k]
            his = state.table.side_of[seat] == side if partner else seat == by
            if his and (colour == "queen" or lies[colour] + back[colour] < FULL_SET[colour]):
                return k
    return None
