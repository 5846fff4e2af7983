"""One board: events in, rulings out.

Pure functions over immutable states, in the manner verify, can, do: `verify` says what makes an event impossible,
`can` asks the same, `apply` gives the next state.
"""

from __future__ import annotations

from typing import Any

from models.errors import BadInput
from models.stroke import Call, Event, Piece, Placing, Stroke
from referee.awards import TWO, give
from referee.calls import apply_call
from referee.doubts import flag_doubts
from referee.open_board import strike_open
from referee.owned_board import strike_owned
from referee.placings import apply_placing, close_placings
from referee.rulings import Discrepancy
from referee.settle import ON_BOARD, Note, record
from referee.state import BoardState, WrongStroke
from referee.texts import Term


def verify(state: BoardState, event: Event) -> None:
    """Check that an event can follow.

    Raises
    ------
    BadInput
        If it cannot: more of a class fall than lie on the board, or the board is over. That the laws forbid it is no reason.
    """
    if isinstance(event, Stroke):
        if state.over:
            raise BadInput(f"{_where(state)}: a stroke by {event.by} after the board was over (event {state.rulings[-1].event} ended it)")
        if event.pocketed or event.off_board:
            _verify_pieces(close_placings(state), event.pocketed, event.off_board)


def can(state: BoardState, event: Event) -> bool:
    """Whether an event can follow."""
    try:
        verify(state, event)
    except BadInput:
        return False
    return True


def apply(state: BoardState, event: Event) -> BoardState:
    """The board after one more event.

    Raises
    ------
    BadInput
        As `verify` does.
    """
    verify(state, event)
    if isinstance(event, Placing):
        return apply_placing(state._replace(event=state.event + 1), event)
    if isinstance(event, Call):
        row = state.book.offences.get(event.call)
        if row is not None and row.ruled_as == "no_touch" and not state.over:
            return _expire(state, event)
        return apply_call(state._replace(event=state.event + 1), event)
    return _strike(close_placings(state), event, Note())


def _where(state: BoardState) -> str:
    return f"board {state.number}, event {state.event + 1}"


def _verify_pieces(state: BoardState, pocketed: tuple[Piece, ...], off_board: tuple[Piece, ...]) -> None:
    for piece in set(pocketed + off_board):
        fell, off = pocketed.count(piece), off_board.count(piece)
        if fell + off > state.on_board(piece):
            what = f"{fell} {piece} pocketed" + (f" and {off} off the board" if off else "")
            there = f"{state.on_board(piece)} {piece} on the board"
            if piece == "queen":
                there = "this law book is played without a queen" if state.queen.state == "none" else f"the queen is {state.queen}"
            raise BadInput(f"{_where(state)}: {what}, but {there}")


def _strike(state: BoardState, stroke: Stroke, note: Note) -> BoardState:
    flag_doubts(state, stroke, note)
    changes: dict[str, Any] = {"event": state.event + 1, "strokes": state.strokes + 1}
    if state.misplaced != (0, 0):
        changes["misplaced"] = (0, 0)
    if state.expired.get(stroke.by) and not note.call:
        changes["expired"] = {**state.expired, stroke.by: 0}
    if stroke.by != state.turn:
        state = _out_of_turn(state, stroke, note)
    elif state.wrong:
        changes["wrong"] = None
    return strike_owned(state, stroke, note, changes) if state.book.owned else strike_open(state, stroke, note, changes)


def _out_of_turn(state: BoardState, stroke: Stroke, note: Note) -> BoardState:
    """A stroke out of turn is ruled on as if it had been its player's turn, and remembered until the next stroke (51)."""
    by, table = stroke.by, state.table
    if state.wrong and state.wrong.played_on and by != state.wrong.by:  # who strikes now had the turn all along
        return state._replace(wrong=None, turn=by, tries=0, struck=False)
    played_on = by == state.last and state.pocketed_other
    kind = "played_on" if played_on else "out_of_turn"
    whose: object = table.names[state.turn] if state.turn else Term("nobody")
    note.discrepancies.append(Discrepancy(state.event + 1, kind, {"whose": whose}, state.book.clauses.get(kind, ())))
    turns = tuple(n + (s == table.side_of[by]) for s, n in zip(table.sides, state.turns, strict=True))
    wrong = WrongStroke(by, state.left(by) if state.book.owned else 0, state.queen, played_on)
    white, black = state.put_back_aside()
    # Whose turn it was has had it: what was set aside or taken too early comes back.
    queen = ON_BOARD if state.queen.state == "early" else state.queen
    if queen is not state.queen or state.aside:
        note.out = {"white": white - state.white, "black": black - state.black, "queen": int(queen is not state.queen)}
    return state._replace(wrong=wrong, turn=by, turns=turns, tries=0, struck=False, white=white, black=black, aside=0, queen=queen)


def _expire(state: BoardState, call: Call) -> BoardState:
    """A clock that ran out counts as a stroke that touched nothing (22o.1); so many running lose the game (22o.2)."""
    times = state.expired.get(call.by, 0) + 1
    note = Note(call=call.call)
    note.cite("timeout")
    note.say("timeout")
    state = close_placings(state._replace(expired={**state.expired, call.by: times}))
    limit = state.book.match.expired_clocks
    if limit and times >= limit and len(state.table.sides) <= TWO:
        note.cite("expired_clocks")
        note.say("expired_clocks", n=times)
        note.fouls, note.counted = (call.call,), True
        return give(state._replace(event=state.event + 1), call.by, note, "game")
    if call.by != state.turn:
        note.flag("silent_call")
        return record(state._replace(event=state.event + 1), note, by=call.by)
    return _strike(state, Stroke(call.by, touched=False), note)
