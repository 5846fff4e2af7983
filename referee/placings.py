"""Placings seen on the table, compared with what the laws ask (79 to 85)."""

from __future__ import annotations

from dataclasses import replace

from models.stroke import Colour, Placing
from referee.rulings import Discrepancy, Queen
from referee.state import BoardState
from referee.texts import rule_text


def apply_placing(state: BoardState, placing: Placing) -> BoardState:
    """The state after a placing.

    A piece that the last ruling asked for was counted as on the board then. One more of a side that still owes pays its due.
    Any other is a discrepancy; it lies on the board all the same if there was such a piece off it.
    """
    if state.over:
        return state
    for piece in placing.pieces:
        state = _place(state, piece)
    return replace(state, placing=True)


def close_placings(state: BoardState) -> BoardState:
    """What was not put back when the next stroke is played: it stands as it lies (82b, 83).

    Only where placings were seen since the last stroke: else what the ruling took out is taken as placed. A placing
    of nothing says that nothing was put back. A Queen left off after a failed cover is recorded as covered (96).
    """
    missing = state.expected_counts
    if not state.placing or not missing:
        return state
    asked = " and ".join(_count(c, n) for c, n in missing.items())
    for colour, short in missing.items():
        rule = "placed_queen_missing" if colour == "queen" else "placed_too_few"
        what = "the count is kept as the laws have it."
        if colour == "queen":
            if state.uncovered:
                state, what = replace(state, queen=Queen("covered", state.uncovered)), "she is recorded as covered."
        elif state.on_board(colour) > short:
            state, what = _with(state, colour, -short), "it stands: the right to it has lapsed with the next stroke."
        text = f"{rule_text(rule, {})} Asked for and not seen when the next stroke was played: {asked}; {what}"
        state = _remark(state, state.event, rule, text)
    return replace(state, expected=())


def _place(state: BoardState, piece: Colour) -> BoardState:
    event = state.event
    for k, asked in enumerate(state.expected):
        if asked.piece == piece:
            rest = [replace(asked, n=asked.n - 1)] if asked.n > 1 else []
            return replace(state, expected=(*state.expected[:k], *rest, *state.expected[k + 1 :]))
    if piece == "queen" or not state.pocketed(piece):
        where = "she was" if piece == "queen" else "all of them were"
        return _remark(state, event, "placed_impossible", f"{_count(piece, 1)} seen placed, but {where} not off the board: not counted.")
    side = state.side_with(piece)
    k = state.table.sides.index(side)
    if state.dues[k]:
        return _with(replace(state, dues=(*state.dues[:k], state.dues[k] - 1, *state.dues[k + 1 :])), piece, 1)
    wrong = any(e.piece != piece and e.piece != "queen" for e in state.expected)
    rule = "placed_wrong_colour" if wrong else "placed_too_many"
    text = f"{rule_text(rule, {})} Seen: {_count(piece, 1)}, not asked for; unless noticed before the next stroke it stands."
    return _remark(_with(state, piece, 1), event, rule, text)


def _with(state: BoardState, colour: Colour, change: int) -> BoardState:
    if colour == "white":
        return replace(state, white=state.white + change)
    return replace(state, black=state.black + change)


def _remark(state: BoardState, event: int, kind: str, text: str) -> BoardState:
    """The discrepancy noted with the last ruling, which is the one that asked; with the next where there is none yet."""
    remark = Discrepancy(event, kind, text, state.book.clauses.get(kind, ()))
    if not state.rulings:
        return replace(state, remarks=(*state.remarks, remark))
    last = state.rulings[-1]
    return replace(state, rulings=(*state.rulings[:-1], replace(last, discrepancies=(*last.discrepancies, remark))))


def _count(piece: Colour, n: int) -> str:
    return "the Queen" if piece == "queen" else f"{n} {piece}"
