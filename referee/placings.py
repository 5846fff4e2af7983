"""Placings seen on the table, compared with what the laws ask (79 to 85)."""

from __future__ import annotations

from models.stroke import Colour, Placing
from referee.rulings import Discrepancy, Queen
from referee.state import BoardState
from referee.texts import Term


def apply_placing(state: BoardState, placing: Placing) -> BoardState:
    """The state after a placing.

    A piece that the last ruling asked for was counted as on the board then. One more of a side that still owes pays its due.
    Any other is a discrepancy; it lies on the board all the same if there was such a piece off it.
    """
    if state.over:
        return state
    for piece in placing.pieces:
        state = _place(state, piece)
    return state._replace(placing=True)


def close_placings(state: BoardState) -> BoardState:
    """What was not put back when the next stroke is played: it stands as it lies (82b, 83).

    Only where placings were seen since the last stroke: else what the ruling took out is taken as placed. A placing
    of nothing says that nothing was put back. A Queen left off after a failed cover is recorded as covered (96).
    """
    if not state.placing or not state.expected:
        return state
    event = state.event + 1
    for piece, short in state.expected_counts.items():
        if piece == "queen":
            covered = state.uncovered is not None and state.book.owned  # who would have her points is not known else
            stands = "stands_covered" if covered else "count_kept"
            if covered:
                state = state._replace(queen=Queen("covered", state.uncovered))
            state = _remark(state, event, "placed_queen_missing", stands=Term(stands))
            continue
        lapses = state.on_board(piece) > short
        if lapses:
            state = _with(state, piece, -short)
        state = _remark(state, event, "placed_too_few", pieces={piece: short}, stands=Term("right_lapsed" if lapses else "count_kept"))
    return state._replace(expected=())


def _place(state: BoardState, piece: Colour) -> BoardState:
    event = state.event
    for k, asked in enumerate(state.expected):
        if asked.piece == piece:
            rest = [asked._replace(n=asked.n - 1)] if asked.n > 1 else []
            return state._replace(expected=(*state.expected[:k], *rest, *state.expected[k + 1 :]))
    if piece == "queen" or not state.pocketed(piece):
        return _remark(state, event, "placed_impossible", pieces={piece: 1})
    if state.book.owned:
        k = state.table.sides.index(state.side_with(piece))
        if state.dues[k]:
            return _with(state._replace(dues=(*state.dues[:k], state.dues[k] - 1, *state.dues[k + 1 :])), piece, 1)
    wrong = any(e.piece != piece and e.piece != "queen" for e in state.expected)
    kind = "placed_wrong_colour" if wrong else "placed_too_many"
    white, black = state.misplaced
    state = state._replace(misplaced=(white + 1, black) if piece == "white" else (white, black + 1))
    return _remark(_with(state, piece, 1), event, kind, pieces={piece: 1})


def _with(state: BoardState, colour: Colour, change: int) -> BoardState:
    if colour == "white":
        return state._replace(white=state.white + change)
    return state._replace(black=state.black + change)


def _remark(state: BoardState, event: int, kind: str, **values: object) -> BoardState:
    """The discrepancy noted with the last ruling, which is the one that asked; with the next where there is none yet."""
    remark = Discrepancy(event, kind, values, state.book.clauses.get(kind, ()))
    if not state.rulings:
        return state._replace(remarks=(*state.remarks, remark))
    last = state.rulings[-1]
    return state._replace(rulings=(*state.rulings[:-1], last._replace(discrepancies=(*last.discrepancies, remark))))
