"""Calls of the umpire: fouls, boards and matches lost, claims and waivers (ICF laws 51, 62 to 64, 87, 91, 126, 129, 131, 139, 143)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, Literal

from models.errors import BadInput
from models.stroke import Call, Colour, Seat
from referee.rulings import Discrepancy, Expected, Queen
from referee.settle import Note, end_board, record, settle
from referee.state import BoardState, WrongStroke

AFTER_THE_END: Final = ("demand", "abusive", "refused", "concede", "replay")
"""Calls that still make sense once a board is over."""
DISTRACTIONS: Final = 3
"""The one that costs the match (143)."""


def verify_call(state: BoardState, call: Call) -> None:
    """Raise BadInput if a call cannot be made now."""
    if state.over and call.call not in AFTER_THE_END:
        raise BadInput(f"call {call.call!r}: the board was over before; only {', '.join(AFTER_THE_END)} can follow")
    if not state.over and call.call == "demand":
        raise BadInput("call 'demand': the board is not over; extra points are claimed when it is")


def apply_call(state: BoardState, call: Call) -> BoardState:
    """The state after a call."""
    return _CALLS[call.call](state, call, Note(call=call.call))


def _foul(state: BoardState, call: Call, note: Note) -> BoardState:
    """A foul: a piece, and the turn of the one who is at turn (64a). A player not at turn has none to lose (63b)."""
    note.fouls = (call.call,)
    if state.turn == call.by:
        return _turn_lost(state, call.by, note)
    own_stroke = state.last == call.by and state.rulings and state.rulings[-1].call is None
    return _piece_out(state, call.by, note, "foul" if own_stroke else "technical_foul_off_turn", state.book.dues.foul)


def _technical_foul(state: BoardState, call: Call, note: Note) -> BoardState:
    note.fouls = (call.call,)
    rule = "technical_foul" if state.turn == call.by else "technical_foul_off_turn"
    return _piece_out(state, call.by, note, rule, state.book.dues.technical_foul)


def _violation(state: BoardState, call: Call, note: Note) -> BoardState:
    """A violation whose class follows from when it was (62 to 64)."""
    note.rule(call.call)
    if call.call == "timeout":
        note.flag("timeout")
    if state.turn == call.by and state.struck:
        return _foul(state, call, note)
    return _technical_foul(state, call, note)


def _interrupted(state: BoardState, call: Call, note: Note) -> BoardState:
    times = state.interruptions.get(call.by, 0) + 1
    state = replace(state, interruptions={**state.interruptions, call.by: times})
    if times < DISTRACTIONS:
        return _violation(state, call, note)
    note.fouls = (call.call,)
    note.rule("third_interruption")
    return _give(state, call.by, note, "match")


def _misconduct(state: BoardState, call: Call, note: Note) -> BoardState:
    note.fouls = (call.call,)
    note.rule("misconduct")
    return _give(state, call.by, note, "match")


def _concede(state: BoardState, call: Call, note: Note) -> BoardState:
    note.rule("conceded")
    return _give(state, call.by, note, "game")


def _lost_by_board(state: BoardState, call: Call, note: Note) -> BoardState:
    """Left the seat, or disturbed the board: lost by the pieces left and the Queen (91, 126b)."""
    note.rule(call.call)
    return _lose(state, note, WrongStroke(call.by, state.left(call.by), state.queen))


def _out_of_turn(state: BoardState, call: Call, note: Note) -> BoardState:
    """Noticed before the next stroke, a stroke out of turn loses the board as it lay at that stroke (51); later it stands."""
    note.rule("out_of_turn")
    if state.wrong and state.wrong.by == call.by:
        return _lose(state, note, state.wrong)
    if any(d.kind == "out_of_turn" for r in state.rulings if r.by == call.by for d in r.discrepancies):
        text = "The stroke out of turn was noticed only after the next stroke: it stands."
        return _without_effect(state, call, note, "noticed_late", text)
    return _lose(state, note, WrongStroke(call.by, state.left(call.by), state.queen))


def _replay(state: BoardState, call: Call, note: Note) -> BoardState:
    note.rule("board_replayed")
    return end_board(replace(state, result=None), note, by=call.by, winner=None, replay=True)


def _play(state: BoardState, call: Call, note: Note) -> BoardState:
    note.rule("play")
    return record(replace(state, awaits_play=False), note, by=call.by)


def _demand(state: BoardState, call: Call, note: Note) -> BoardState:
    """The winner claims the extra points offered (87b)."""
    side, result = state.table.side_of[call.by], state.result
    extra = result.demandable[side] if result else 0
    if not result or not extra:
        text = f"{state.table.names[call.by]} claims extra points, but none are offered."
        return _without_effect(state, call, note, "nothing_to_claim", text)
    note.rule("points_claimed", by=state.table.names[call.by], n=extra)
    claimed = replace(
        result,
        points={**result.points, side: result.points[side] + extra},
        demandable={**result.demandable, side: 0},
        clauses=tuple(dict.fromkeys((*result.clauses, *note.clauses(state)))),
    )
    return record(replace(state, result=claimed), note, by=call.by)


def _forgo(state: BoardState, call: Call, note: Note) -> BoardState:
    """The due offered is waived, all or nothing, before it is placed (87a)."""
    table = state.table
    debtor = table.opponent(call.by)
    k, colour = table.sides.index(debtor), state.colour(debtor)
    paid = state.offered[k]
    unplaced = state.expected_counts.get(colour, 0)
    owed = paid + state.dues[k]
    if not owed or unplaced < paid or state.on_board(colour) <= paid:
        why = "none is owed" if not owed else "it has been placed or is the last piece"
        return _without_effect(state, call, note, "nothing_to_waive", f"{table.names[call.by]} waives a due, but {why}.")
    note.rule("due_waived", by=table.names[call.by], n=owed, colour=colour)
    left = {"white": state.white, "black": state.black}
    left[colour] -= paid
    waived = replace(
        state,
        white=left["white"],
        black=left["black"],
        dues=tuple(0 if i == k else d for i, d in enumerate(state.dues)),
        offered=tuple(0 if i == k else n for i, n in enumerate(state.offered)),
        expected=_less(state.expected, colour, paid),
    )
    return record(waived, note, by=call.by)


def _less(expected: tuple[Expected, ...], piece: Colour, n: int) -> tuple[Expected, ...]:
    rest = []
    for e in expected:
        cut = min(n, e.n) if e.piece == piece else 0
        n -= cut
        if e.n > cut:
            rest.append(replace(e, n=e.n - cut))
    return tuple(rest)


def _piece_out(state: BoardState, by: Seat, note: Note, rule: str, cost: int) -> BoardState:
    """A penalty that leaves the turn as it is."""
    note.rule(rule)
    turn = state.turn or by
    return settle(state, note, by=by, turn=turn, costs={state.table.side_of[by]: cost})


def _turn_lost(state: BoardState, by: Seat, note: Note) -> BoardState:
    covering = state.queen == Queen("pending", by)
    note.rule("foul_while_covering" if covering else "foul")
    return settle(
        state,
        note,
        by=by,
        turn=state.table.after(by),
        queen=Queen() if covering else None,
        costs={state.table.side_of[by]: state.book.dues.foul},
    )


def _lose(state: BoardState, note: Note, lay: WrongStroke) -> BoardState:
    """The board is lost by the pieces and the Queen as they lay."""
    table, points = state.table, state.book.points
    winner = table.opponent(lay.by)
    lost_queen = lay.queen.state == "covered" and lay.queen.seat is not None and table.side_of[lay.queen.seat] == table.side_of[lay.by]
    if lost_queen:
        note.flag("queen_of_loser")
    counts = not lost_queen and state.before[table.sides.index(winner)] <= points.queen_up_to
    worth = points.queen if counts else 0
    got = min(points.most, max(points.least, lay.left + worth))
    note.fouls = (note.call,) if note.call else ()
    return end_board(state, note, by=lay.by, winner=winner, points=got, pieces=lay.left, queen_points=worth)


def _give(state: BoardState, by: Seat, note: Note, what: Literal["game", "match"]) -> BoardState:
    """The game or the match goes to the other side, whatever the board brought."""
    to = state.table.opponent(by)
    if state.result:
        return record(replace(state, result=replace(state.result, award=(what, to))), note, by=by)
    return end_board(state, note, by=by, winner=to, award=(what, to))


def _without_effect(state: BoardState, call: Call, note: Note, kind: str, text: str) -> BoardState:
    note.discrepancies.append(Discrepancy(state.event, kind, text))
    return record(state, note, by=call.by)


_CALLS: Final[Mapping[str, Callable[[BoardState, Call, Note], BoardState]]] = {
    "foul": _foul,
    "technical_foul": _technical_foul,
    "talking": _violation,
    "timeout": _violation,
    "out_of_turn": _out_of_turn,
    "left_seat": _lost_by_board,
    "disturbed": _lost_by_board,
    "interrupted": _interrupted,
    "abusive": _misconduct,
    "refused": _misconduct,
    "demand": _demand,
    "forgo": _forgo,
    "concede": _concede,
    "replay": _replay,
    "play": _play,
}
