"""Calls of the umpire: fouls, boards and matches lost, claims and waivers (ICF laws 51, 62 to 64, 87, 91, 126, 129, 131, 139, 143)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from models.stroke import Call, Colour
from referee.awards import as_it_lies, dock, give, lose_board, lost_by
from referee.charges import flag_doubt
from referee.laws import Offence
from referee.open_board import penalise_open
from referee.rulings import Discrepancy, Expected, Queen
from referee.settle import ON_BOARD, Note, balance, come_out, end_board, record, settle
from referee.state import BoardState
from referee.strokes import Costs
from referee.texts import Term

AFTER_THE_END: Final = ("demand", "abusive", "refused", "concede", "replay")
"""Calls that still make sense once a board is over."""
DISTRACTIONS: Final = 3
"""The one that costs the match (143, bc.10)."""


def apply_call(state: BoardState, call: Call) -> BoardState:
    """The state after a call; once the board is over only those have an effect that still make sense."""
    noticed = call.call == "out_of_turn" and state.wrong is not None
    if state.over and call.call not in AFTER_THE_END and not noticed:
        return _without_effect(state, call, Note(call=call.call), "after_the_end", by=state.table.names[call.by])
    return _CALLS.get(call.call, _offence)(state, call, Note(call=call.call))


def _offence(state: BoardState, call: Call, note: Note) -> BoardState:
    """What the book makes of an offence that the umpire calls."""
    name = call.call
    note.cite(name)
    note.say(name)
    row = state.book.offences.get(name)
    if row is None:
        return _without_cost(state, call, note)
    if row.ruled_as == "violation":
        return _violation(state, call, note)
    return _charge(state, call, note, row)


def _without_cost(state: BoardState, call: Call, note: Note) -> BoardState:
    """The book names no consequence."""
    note.flag("silent_call")
    return record(state, note, by=call.by)


def _violation(state: BoardState, call: Call, note: Note) -> BoardState:
    """A violation whose class follows from when it was (62 to 64)."""
    if call.call == "timeout":
        note.flag("timeout")
    if state.turn == call.by and state.struck:
        return _foul(state, call, note)
    return _technical_foul(state, call, note)


def _foul(state: BoardState, call: Call, note: Note) -> BoardState:
    """A foul: a piece, and the turn of the one who is at turn (64a). A player not at turn has none to lose (63b)."""
    row = state.book.offences.get("foul")
    if call.call == "foul":
        note.say("foul")
    if row is None:
        return _without_cost(state, call, note)
    state = _take_back(state, note)
    if state.turn == call.by:
        if call.call == "foul" and not state.struck and "technical_foul" in state.book.offences:
            note.flag("foul_before_stroke")
        covering = state.queen == Queen("pending", call.by)
        note.cite("foul_while_covering" if covering and "foul_while_covering" in state.book.clauses else "foul")
        if covering:
            note.say("queen_not_covered")
        return _charge(state, call, note, row)
    own_stroke = state.last == call.by and state.rulings and state.rulings[-1].call is None
    note.cite("foul" if own_stroke or "technical_foul_off_turn" not in state.book.clauses else "technical_foul_off_turn")
    return _charge(state, call, note, row)


def _technical_foul(state: BoardState, call: Call, note: Note) -> BoardState:
    row = state.book.offences.get("technical_foul", state.book.offences.get("foul"))
    if row is None:
        return _without_cost(state, call, note)
    state = _take_back(state, note)
    note.say("technical_foul")
    known = "technical_foul" in state.book.offences  # a book that knows no technical fouls knows fouls
    note.cite("foul" if not known else "technical_foul" if state.turn == call.by else "technical_foul_off_turn")
    return _charge(state, call, note, row)


def _take_back(state: BoardState, note: Note) -> BoardState:
    """A wrong piece that is noticed before the next stroke does not stand (82a)."""
    white, black = state.misplaced
    if not white and not black:
        return state
    note.cite("placed_wrong_colour")
    return state._replace(white=state.white - white, black=state.black - black, misplaced=(0, 0))


def _charge(state: BoardState, call: Call, note: Note, row: Offence) -> BoardState:
    """What an offence costs its player: pieces, points, and the turn if it is his; talking, that of his partner too."""
    by, table = call.by, state.table
    if state.over and row.loses not in ("game", "match"):
        return _without_effect(state, call, note, "after_the_end", by=table.names[by])
    note.fouls = (call.call,) if row.foul else ()
    note.counted = row.foul and row.counted
    flag_doubt(note, call.call, row)
    state = dock(state, note, by, (row,))
    lost = lost_by(state, by, note, (row,))
    if lost is not None:
        return lost
    at_turn = state.turn or by
    own_turn = by == at_turn or (call.call == "talking" and table.side_of[by] == table.side_of[at_turn])
    loses_turn = row.turn == "lost" and own_turn
    turn = state.after(at_turn) if loses_turn else at_turn
    if not state.book.owned:
        costs = Costs((), row.pieces, loses_turn, True, False, False)
        return penalise_open(state, by, costs, turn, note, {})
    returned = (0, 0)
    queen = None
    if loses_turn:
        if state.aside:
            white, black = state.put_back_aside()
            returned = (white - state.white, black - state.black)
        if state.queen.state in ("pending", "early"):
            queen = ON_BOARD
    side = state.table.side_of[by]
    after = balance(
        state,
        note,
        returned=returned,
        costs={side: row.pieces} if row.pieces else None,
        turn_over=loses_turn,
        pays_now=side if by != at_turn else None,
        aside=0 if loses_turn else state.aside,
    )
    come_out(state, note, after, returned, queen is not None)
    return settle(state, note, by=by, turn=turn, continues=not loses_turn, after=after, queen=queen)


def _interrupted(state: BoardState, call: Call, note: Note) -> BoardState:
    """Distracting the opponent: the third time is an offence of its own where the book has one."""
    times = state.interruptions.get(call.by, 0) + 1
    state = state._replace(interruptions={**state.interruptions, call.by: times})
    row = state.book.offences.get("third_interruption")
    if times < DISTRACTIONS or row is None:
        if "interrupted" in state.book.offences or row is None:
            return _offence(state, call, note)
        note.cite("interrupted")
        note.say("interrupted")
        note.say("no_effect_now")
        return record(state, note, by=call.by)
    note.cite("third_interruption")
    note.say("third_interruption")
    return _charge(state, call, note, row)


def _out_of_turn(state: BoardState, call: Call, note: Note) -> BoardState:
    """Noticed before the next stroke, a stroke out of turn loses the board as it lay at that stroke (51); later it stands."""
    row = state.book.offences.get("out_of_turn")
    if row is None or row.loses != "board":
        return _offence(state, call, note)
    if state.wrong and state.wrong.by == call.by and state.wrong.played_on and not state.over:
        return _turn_ended(state, call, note)
    note.cite("out_of_turn")
    note.say("out_of_turn")
    note.fouls = (call.call,)
    note.counted = row.counted
    if state.wrong and state.wrong.by == call.by:
        return lose_board(state, note, state.wrong)
    if any(d.kind in ("out_of_turn", "played_on") for r in state.rulings if r.by == call.by for d in r.discrepancies):
        note.fouls, note.counted = (), False
        return _without_effect(state, call, note, "noticed_late")
    if call.by == state.turn:
        note.flag("no_wrong_stroke")
    return lose_board(state, note, as_it_lies(state, call.by))


def _turn_ended(state: BoardState, call: Call, note: Note) -> BoardState:
    """He played on after pocketing an opponent's piece: noticed, his turn is over and nothing else (125b)."""
    note.cite("played_on")
    note.say("played_on")
    queen = ON_BOARD if state.queen.state in ("pending", "early") else None
    after = balance(state, note, turn_over=True)
    come_out(state, note, after, queen=queen is not None)
    return settle(state, note, by=call.by, turn=state.after(call.by), continues=False, after=after, queen=queen, wrong=None)


def _concede(state: BoardState, call: Call, note: Note) -> BoardState:
    note.cite("conceded")
    if not state.book.match.concede_off_turn and state.turn not in (None, call.by):
        return _without_effect(state, call, note, "not_his_turn", by=state.table.names[call.by])
    note.say("concede", by=state.table.names[call.by])
    return give(state, call.by, note, "game")


def _replay(state: BoardState, call: Call, note: Note) -> BoardState:
    note.cite("board_replayed")
    note.say("replay")
    zeros = state.no_dues
    return end_board(state._replace(result=None, gained=zeros), note, by=call.by, winner=None, replay=True)


def _play(state: BoardState, call: Call, note: Note) -> BoardState:
    note.cite("play")
    note.say("play")
    return record(state._replace(awaits_play=False), note, by=call.by)


def _demand(state: BoardState, call: Call, note: Note) -> BoardState:
    """The winner claims the extra points offered (87b)."""
    side, result = state.table.side_of[call.by], state.result
    name = state.table.names[call.by]
    extra = result.demandable[side] if result else 0
    if not result or not extra:
        return _without_effect(state, call, note, "nothing_to_claim", by=name)
    note.cite("points_claimed")
    note.say("demand", by=name, n=extra)
    claimed = replace(
        result,
        points={**result.points, side: result.points[side] + extra},
        demandable={**result.demandable, side: 0},
        clauses=tuple(dict.fromkeys((*result.clauses, *note.clauses(state)))),
    )
    return record(state._replace(result=claimed), note, by=call.by)


def _forgo(state: BoardState, call: Call, note: Note) -> BoardState:
    """The due offered is waived, all or nothing, before it is placed (87a)."""
    table = state.table
    name = table.names[call.by]
    if not state.book.owned:
        return _without_effect(state, call, note, "nothing_to_waive", by=name)
    debtor = table.opponent(call.by)
    k, colour = table.sides.index(debtor), state.colour(debtor)
    paid = state.offered[k]
    unplaced = state.expected_counts.get(colour, 0)
    owed = paid + state.dues[k]
    if not owed or unplaced < paid or state.on_board(colour) <= paid:
        return _without_effect(state, call, note, "nothing_to_waive", by=name)
    note.cite("due_waived")
    note.say("due_waived", by=name, n=owed, colour=Term(colour))
    left = {"white": state.white, "black": state.black}
    left[colour] -= paid
    waived = state._replace(
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
            rest.append(e._replace(n=e.n - cut))
    return tuple(rest)


def _without_effect(state: BoardState, call: Call, note: Note, kind: str, **values: object) -> BoardState:
    note.discrepancies.append(Discrepancy(state.event, kind, values, note.clauses(state)))
    return record(state, note, by=call.by)


_CALLS: Final[Mapping[str, Callable[[BoardState, Call, Note], BoardState]]] = {
    "foul": _foul,
    "technical_foul": _technical_foul,
    "interrupted": _interrupted,
    "out_of_turn": _out_of_turn,
    "demand": _demand,
    "forgo": _forgo,
    "concede": _concede,
    "replay": _replay,
    "play": _play,
}
