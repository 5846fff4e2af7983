"""One board: events in, rulings out.

Pure functions over immutable states, in the manner verify, can, do: `verify` says what makes an event impossible,
`can` asks the same, `apply` gives the next state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from models.errors import BadInput
from models.stroke import Call, Colour, Event, Piece, Placing, Seat, Stroke
from referee.calls import apply_call, verify_call
from referee.endings import Ending, last_goes_on, rule_ending
from referee.placings import apply_placing, close_placings
from referee.rulings import Discrepancy, Queen, Slam
from referee.settle import Note, end_board, settle
from referee.state import BoardState, WrongStroke
from referee.strokes import Facts, Outcome, QueenAt, rule_stroke
from referee.texts import rule_text

PASSES: Final = 3
"""Turns running that each side may let pass (137)."""
SURE: Final = 0.6
"""Below this confidence (0 to 1) the video's word on a stroke is flagged."""


def verify(state: BoardState, event: Event) -> None:
    """Check that an event can follow.

    Raises
    ------
    BadInput
        If it cannot: more of a class fall than lie on the board, or the board is over. That the laws forbid it is no reason.
    """
    where = f"board {state.number}, event {state.event + 1}"
    if isinstance(event, Call):
        try:
            verify_call(state, event)
        except BadInput as e:
            raise BadInput(f"{where}: {e}") from e
    elif isinstance(event, Stroke):
        if state.over:
            raise BadInput(f"{where}: a stroke by {event.by} after the board was over (event {state.rulings[-1].event} ended it)")
        _verify_pieces(close_placings(state), event.pocketed, event.off_board, where)


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
    state = replace(state, event=state.event + 1)
    if isinstance(event, Placing):
        return apply_placing(state, event)
    if isinstance(event, Call):
        return apply_call(state, event)
    return _apply_stroke(close_placings(state), event)


def _verify_pieces(state: BoardState, pocketed: tuple[Piece, ...], off_board: tuple[Piece, ...], where: str) -> None:
    for piece, n in Counter(pocketed + off_board).items():
        if n > state.on_board(piece):
            fell, off = pocketed.count(piece), off_board.count(piece)
            what = f"{fell} {piece} pocketed" + (f" and {off} off the board" if off else "")
            there = f"the queen is {state.queen}" if piece == "queen" else f"{state.on_board(piece)} {piece} on the board"
            raise BadInput(f"{where}: {what}, but {there}")


def _apply_stroke(state: BoardState, stroke: Stroke) -> BoardState:
    note = Note(fouls=_fouls(stroke))
    _doubts(state, stroke, note)
    state = _in_whose_turn(state, stroke, note)
    facts = _facts(state, stroke)
    touched = stroke.touched or bool(set(stroke.pocketed) - {"striker"})
    if not state.broken and not touched and not state.awaits_play:
        return _missed_break(state, stroke, note)
    early = not state.broken and state.awaits_play
    if early:
        facts = replace(facts, improper=True)
        note.fouls = ("before_play", *note.fouls)
    index = state.table.index(stroke.by)
    own_score, other_score = state.before[index], state.before[state.table.index(state.table.opponent(stroke.by))]
    ending = rule_ending(facts, state.book, own_score, other_score)
    if ending:
        return _end(state, stroke, facts, ending, note)
    if early:
        return _early_break(state, stroke, facts, note)
    outcome = rule_stroke(facts, state.book)
    _explain(state, stroke, facts, outcome, note)
    return _go_on(state, stroke, facts, outcome, note, touched)


def _fouls(stroke: Stroke) -> tuple[str, ...]:
    return (*(("striker_pocketed",) if "striker" in stroke.pocketed else ()), *dict.fromkeys(stroke.improper))


def _doubts(state: BoardState, stroke: Stroke, note: Note) -> None:
    """What the umpire should look at whatever the ruling."""
    clock = state.book.match.clock_s
    if stroke.seconds is not None and stroke.seconds > clock:
        note.flag("over_clock", seconds=stroke.seconds, clock=clock)
    if stroke.confidence is not None and stroke.confidence < SURE:
        note.flag("unsure", confidence=stroke.confidence)
    if state.queen.state == "pending" and state.queen.seat != stroke.by:
        note.flag("pending_elsewhere", seat=state.queen.seat)


def _in_whose_turn(state: BoardState, stroke: Stroke, note: Note) -> BoardState:
    """A stroke out of turn is ruled on as if it had been its player's turn, and remembered until the next stroke (51)."""
    by, table = stroke.by, state.table
    if by == state.turn:
        return replace(state, wrong=None) if state.wrong else state
    kind = "played_on" if by == state.last else "out_of_turn"
    whose = table.names[state.turn] if state.turn else "nobody"
    text = f"{rule_text(kind, {})} At turn was {whose}; unnoticed before the next stroke it stands."
    note.discrepancies.append(Discrepancy(state.event, kind, text, state.book.clauses[kind]))
    turns = tuple(n + (s == table.side_of[by]) for s, n in zip(table.sides, state.turns, strict=True))
    wrong = WrongStroke(by, state.left(by), state.queen)
    return replace(state, wrong=wrong, turn=by, turns=turns, tries=0, struck=False)


def _facts(state: BoardState, stroke: Stroke) -> Facts:
    by, table = stroke.by, state.table
    own, other = state.colour(by), state.colour(table.opponent(by))
    queen: QueenAt = "board"
    if state.queen.state == "pending":
        queen = "pending" if state.queen.seat == by else "elsewhere"
    elif state.queen.seat is not None:
        queen = "own" if table.side_of[state.queen.seat] == table.side_of[by] else "other"
    return Facts(
        own=stroke.pocketed.count(own),
        other=stroke.pocketed.count(other),
        queen="queen" in stroke.pocketed,
        striker="striker" in stroke.pocketed,
        improper=bool(stroke.improper),
        own_before=state.on_board(own),
        other_before=state.on_board(other),
        queen_at=queen,
        right=table.side_of[by] in state.right,
        due=state.dues[table.index(by)],
    )


def _missed_break(state: BoardState, stroke: Stroke, note: Note) -> BoardState:
    """No piece was touched at the break (45)."""
    chances, by = state.book.breaking.chances, stroke.by
    tries, lost = state.tries + 1, bool(stroke.improper) or "striker" in stroke.pocketed
    if lost:
        note.rule("break_lost")
    elif tries < chances:
        note.rule("break_missed", n=tries, chances=chances)
    else:
        note.rule("break_passed", chances=chances)
    if "striker" in stroke.off_board:
        note.rule("striker_off_board")
    again = not lost and tries < chances
    turn = by if again else state.table.after(by)
    changes: dict[str, Any] = {"tries": tries, "struck": True} if again else {}
    return settle(state, note, by=by, turn=turn, last=by, **changes)


def _early_break(state: BoardState, stroke: Stroke, f: Facts, note: Note) -> BoardState:
    """The break was made before "Play" (47)."""
    table, by = state.table, stroke.by
    own, other = state.colour(by), state.colour(table.opponent(by))
    note.rule("break_before_play")
    returned: dict[Colour, int] = {own: f.own}
    if state.book.breaking.before_play == "all":
        returned[other] = f.other
    return settle(
        state,
        note,
        by=by,
        turn=table.after(by),
        fell={own: f.own, other: f.other, "queen": int(f.queen)},
        returned=returned,
        costs={table.side_of[by]: state.book.dues.foul},
        off_board=_off_board(stroke),
        broken=True,
        awaits_play=False,
        last=by,
        placing=False,
    )


def _explain(state: BoardState, stroke: Stroke, f: Facts, outcome: Outcome, note: Note) -> None:
    """The sentences and the flags of a stroke that leaves the board in play."""
    turn = "the turn continues" if outcome.continues else "the turn is lost"
    queen = {"pending": "she must still be covered", "covered": "she is covered", "out": "she comes back", "stays": ""}[outcome.queen]
    note.rule(outcome.rule, turn=turn, queen=queen)
    for key in outcome.flags:
        note.flag(key, ruled=f"{queen}; {turn}" if queen else turn)
    if last_goes_on(f):
        note.flag("last_goes_on")
    off = _off_board(stroke)
    if "striker" in stroke.off_board:
        note.rule("striker_off_board")
    if off:
        rule = "both_colours_off_board" if {"white", "black"} <= set(off) else "piece_off_board"
        if "queen" in off and len(off) > 1:
            rule = "queen_and_piece_off_board"
        pieces = [f"{n} {c}" if n > 1 else c for c, n in off.items() if c != "queen" or rule == "piece_off_board"]
        note.rule(rule, pieces=" and ".join(pieces))


def _off_board(stroke: Stroke) -> Mapping[Colour, int]:
    return {c: n for c, n in Counter(stroke.off_board).items() if c != "striker"}


def _go_on(state: BoardState, stroke: Stroke, f: Facts, outcome: Outcome, note: Note, touched: bool) -> BoardState:
    table, by = state.table, stroke.by
    own, other, side = state.colour(by), state.colour(table.opponent(by)), table.side_of[by]
    queens: Mapping[str, Queen | None] = {"stays": None, "out": Queen(), "pending": Queen("pending", by), "covered": Queen("covered", by)}
    changes: dict[str, Any] = {"struck": True} if outcome.continues else {}
    if f.own and not outcome.returns:
        changes["right"] = state.right | {side}
    idle = tuple((0 if touched else n + (not outcome.continues)) if s == side else n for s, n in zip(table.sides, state.idle, strict=True))
    if min(idle) == PASSES > min(state.idle):
        note.flag("passes")
    return settle(
        state,
        note,
        by=by,
        turn=by if outcome.continues else table.after(by),
        fell={own: f.own, other: f.other, "queen": int(f.queen)},
        returned={own: f.own} if outcome.returns else {},
        queen=queens[outcome.queen],
        costs={side: outcome.due} if outcome.due else {},
        off_board=_off_board(stroke),
        broken=True,
        awaits_play=False,
        last=by,
        idle=idle,
        placing=False,
        **changes,
    )


def _end(state: BoardState, stroke: Stroke, f: Facts, ending: Ending, note: Note) -> BoardState:
    table, by = state.table, stroke.by
    own, other = state.colour(by), state.colour(table.opponent(by))
    note.rule(ending.rule)
    slam = _slam(state, by, f, ending)
    if slam:
        note.rule(f"slam_{slam}")
    for key in ending.flags:
        note.flag(key, clauses=", ".join(state.book.clauses[ending.rule]), n=ending.pieces)
    queen = Queen("covered", by) if ending.covers else Queen("pending", by) if f.queen else None
    return end_board(
        replace(state, last=by, broken=True),
        note,
        by=by,
        winner=table.side_of[by] if ending.wins else table.opponent(by),
        fell={own: f.own, other: f.other},
        queen=queen,
        points=ending.points,
        pieces=ending.pieces,
        queen_points=ending.queen_points,
        extra=ending.extra,
        slam=slam,
    )


def _slam(state: BoardState, by: Seat, f: Facts, ending: Ending) -> Slam | None:
    """White: all nine and the Queen in the first turn of the board; black: all that are left in that side's first turn (26)."""
    if not ending.wins or not state.whole:
        return None
    if state.colour(by) == "black":
        return "black" if state.turns[state.table.index(by)] == 1 else None
    covered = ending.covers or f.queen_at == "own"
    return "white" if sum(state.turns) == 1 and covered else None
