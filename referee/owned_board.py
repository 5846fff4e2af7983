"""A stroke on a board where a colour belongs to a side: the break, the ends, and what the laws make of all others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from models.stroke import FULL_SET, Seat, Stroke
from referee.awards import dock, lost_by
from referee.charges import off_the_board, say_fall, say_offences
from referee.endings import Ending, rule_ending, won_board
from referee.laws import LawBook
from referee.owned_says import cite_stroke, explain_stroke, say_off_board
from referee.rulings import Queen, Slam
from referee.settle import ON_BOARD, Balance, Note, balance, come_out, end_board, settle
from referee.state import BoardState, Counts
from referee.strokes import Facts, Outcome, QueenAt, offences, rule_stroke, seen, the_costs

FULL: Final = FULL_SET["white"]


def strike_owned(state: BoardState, stroke: Stroke, note: Note, changes: dict[str, Any]) -> BoardState:
    """The board after a stroke.

    Parameters
    ----------
    changes : dict
        Fields of the state that the stroke sets whatever is ruled.
    """
    f = _facts(state, stroke)
    breaking = state.book.breaking
    early = not state.broken and state.awaits_play
    if early:
        f = f._replace(improper=True)
        note.fouls = ("before_play",)
    elif not state.broken and not f.touched and breaking.chances and not (breaking.fouls_cost and _costs(f, state.book)):
        return _missed_break(state, stroke, f, note, changes)
    ending = None
    if (f.own_last or f.other_last) and not (early and breaking.before_play == "all"):
        k = state.table.index(stroke.by)
        ending = rule_ending(f, state.book, state.before[k], state.before[1 - k])
    say_fall(note, stroke, f.touched)
    if ending:
        charged = offences(f, state.book)
        say_offences(note, stroke, charged, state)
        state = dock(state, note, stroke.by, [state.book.offences[n] for n in charged])
        white, black = _by_colour(state, stroke.by, f.own, f.other)
        if state.book.pieces.opponents_piece == "returns":
            back = _by_colour(state, stroke.by, 0, f.other)
            white, black = white - back[0], black - back[1]
            come_out(state, note, Balance(state.white, state.black, state.dues, state.no_dues), back)
        queen = Queen("pending", stroke.by) if f.queen else None
        lost = _lost(state, stroke.by, note, charged, state.white - white, state.black - black, queen, changes)
        return lost or _end(state, stroke, f, ending, note, changes, (state.white - white, state.black - black))
    if early:
        return _early_break(state, stroke, f, note, changes)
    outcome = rule_stroke(f, state.book)
    say_offences(note, stroke, outcome.charged, state)
    cite_stroke(state, f, outcome, note)
    explain_stroke(state, f, outcome, note)
    if outcome.charged:
        state = dock(state, note, stroke.by, [state.book.offences[n] for n in outcome.charged])
    return _go_on(state, stroke, f, outcome, note, changes)


def _costs(f: Facts, book: LawBook) -> bool:
    """Whether a stroke that touches nothing offends otherwise too."""
    return any(n != "no_touch" and book.offences[n].foul for n in offences(f, book))


def _facts(state: BoardState, stroke: Stroke) -> Facts:
    by, table = stroke.by, state.table
    side = table.side_of[by]
    white = side == table.side_of[state.breaker]
    fell = stroke.pocketed
    whites, blacks = fell.count("white"), fell.count("black")
    queen: QueenAt = "board"
    at = state.queen
    if at.state == "pending":
        queen = "pending" if at.seat == by else "elsewhere"
    elif at.state == "early":
        queen = "early" if at.seat == by else "elsewhere"
    elif at.state == "none":
        queen = "none"
    elif at.seat is not None:
        queen = "own" if table.side_of[at.seat] == side else "other"
    k = table.sides.index(side)
    return Facts(
        own=whites if white else blacks,
        other=blacks if white else whites,
        own_before=state.white if white else state.black,
        other_before=state.black if white else state.white,
        queen_at=queen,
        right=side in state.right,
        due=state.dues[k],
        queen_in_turn=state.queen_in_turn,
        aside=state.aside,
        **seen(stroke, state.book),
    )


def _by_colour(state: BoardState, by: Seat, own: int, other: int) -> tuple[int, int]:
    """Own and opponent's numbers as white and black."""
    return (own, other) if state.table.side_of[by] == state.table.side_of[state.breaker] else (other, own)


def _lost(
    state: BoardState, by: Seat, note: Note, charged: tuple[str, ...], white: int, black: int, queen: Queen | None, changes: dict[str, Any]
) -> BoardState | None:
    """The board, game or match lost by an offence of the stroke; None if none is."""
    rows = [r for r in map(state.book.offences.__getitem__, charged) if r.loses != "nothing"] if charged else ()
    if not rows:
        return None
    return lost_by(state._replace(white=white, black=black, queen=queen or state.queen, last=by, broken=True, **changes), by, note, rows)


def _missed_break(state: BoardState, stroke: Stroke, f: Facts, note: Note, changes: dict[str, Any]) -> BoardState:
    """No piece was touched at the break (45, uk.5)."""
    book, by = state.book, stroke.by
    chances = book.breaking.chances
    tries, lost = state.tries + 1, f.improper or f.striker
    again = not lost and tries < chances
    say_offences(note, stroke, tuple(n for n in offences(f, book) if n != "no_touch"), state)
    costs: tuple[str, ...] = ()
    if lost:
        note.cite("break_lost")
        note.say("break_lost")
    elif again:
        note.cite("break_missed")
        note.say("break_missed", n=tries, chances=chances)
    else:
        note.cite("break_passed")
        note.say("break_passed", chances=chances)
        if "failed_break" in book.offences:
            costs = ("failed_break",)
            note.cite("failed_break")
            say_offences(note, replace(stroke, improper=(), off_board=()), costs, state)
    off = say_off_board(stroke, note)
    side = state.table.side_of[by]
    due = the_costs(costs, book).pieces
    state = dock(state, note, by, [book.offences[n] for n in costs])
    gone = _lost(state, by, note, costs, state.white, state.black, None, changes)
    if gone is not None:
        return gone
    after = balance(state, note, costs={side: due} if due else None, turn_over=not again)
    come_out(state, note, after)
    if again:
        changes |= {"tries": tries, "struck": True}
    return settle(
        state, note, by=by, turn=by if again else state.after(by), continues=again, after=after, off_board=off, last=by, **changes
    )


def _early_break(state: BoardState, stroke: Stroke, f: Facts, note: Note, changes: dict[str, Any]) -> BoardState:
    """The break was made before "Play" (47)."""
    by, book = stroke.by, state.book
    note.cite("break_before_play")
    note.say("break_before_play")
    note.fouls = tuple(dict.fromkeys((*note.fouls, *(("striker_pocketed",) if f.striker else ()), *stroke.improper)))
    off = off_the_board(stroke)
    back = _by_colour(state, by, f.own, f.other if book.breaking.before_play == "all" else 0)
    cost = book.offences["foul"].pieces if "foul" in book.offences else 0
    after = balance(
        state,
        note,
        fell=_by_colour(state, by, f.own, f.other),
        returned=back,
        costs={state.table.side_of[by]: cost} if cost else None,
        turn_over=True,
    )
    changes |= {"broken": f.touched, "awaits_play": False, "last": by, "placing": False}
    come_out(state, note, after, back, f.queen)
    return settle(state, note, by=by, turn=state.after(by), continues=False, after=after, off_board=off or None, **changes)


def _go_on(state: BoardState, stroke: Stroke, f: Facts, outcome: Outcome, note: Note, changes: dict[str, Any]) -> BoardState:
    """What comes back and is paid; the board ends if a side has no piece left then."""
    table, by = state.table, stroke.by
    side = table.side_of[by]
    off = say_off_board(stroke, note)
    out = _by_colour(state, by, outcome.own_out, outcome.other_out)
    after = balance(
        state,
        note,
        fell=_by_colour(state, by, f.own, f.other),
        returned=out,
        costs={side: outcome.due} if outcome.due else None,
        turn_over=not outcome.continues,
        aside=outcome.aside,
    )
    queen: Queen | None = None
    if outcome.queen != "stays":
        queen = ON_BOARD if outcome.queen == "out" else Queen(outcome.queen, by)
    come_out(state, note, after, out, queen is ON_BOARD and (f.queen or state.queen.state != "on_board"))
    own_left, other_left = _by_colour(state, by, after.white, after.black)
    lost = _lost(state, by, note, outcome.charged, after.white, after.black, queen, changes)
    if lost is not None:
        return lost
    if not own_left and not outcome.aside:
        return _finished(state, stroke, f, note, by, after, queen, changes)
    if not other_left:
        return _finished(state, stroke, f, note, table.opponent(by), after, queen, changes)
    if outcome.continues:
        changes["struck"] = True
    if f.own > outcome.own_out:
        changes["right"] = state.right | {side}
    if outcome.aside:
        changes["aside"] = outcome.aside
    if f.queen and outcome.queen != "out":
        changes["queen_in_turn"] = True
    if not f.touched or any(state.idle):
        changes["idle"] = _idle(state, side, f, outcome.continues, note)
    return settle(
        state,
        note,
        by=by,
        turn=by if outcome.continues else state.after(by),
        continues=outcome.continues,
        after=after,
        queen=queen,
        off_board=off,
        broken=state.broken or f.touched,
        awaits_play=False,
        last=by,
        placing=False,
        pocketed_other=f.other > 0,
        **changes,
    )


def _idle(state: BoardState, side: Seat, f: Facts, continues: bool, note: Note) -> Counts:
    """Turns running that each side let pass without touching a piece (137)."""
    passes = state.book.match.idle_passes
    idle = tuple((0 if f.touched else n + (not continues)) if s == side else n for s, n in zip(state.table.sides, state.idle, strict=True))
    if passes and min(idle) == passes > min(state.idle):
        note.flag("passes")
    return idle


def _finished(
    state: BoardState, stroke: Stroke, f: Facts, note: Note, winner: Seat, after: Balance, queen: Queen | None, changes: dict[str, Any]
) -> BoardState:
    """A side has all its pieces down."""
    table, book, by = state.table, state.book, stroke.by
    side = table.side_of[winner]
    at = queen or state.queen
    covered = at.state == "covered" and at.seat is not None and table.side_of[at.seat] == side
    k = table.sides.index(side)
    left = state.side_with("white") == side
    got, pieces, worth = won_board(book, state.before[k], after.black if left else after.white, covered)
    loser = table.opponent(side)
    theirs = after.black if left else after.white
    if side == table.side_of[by]:
        rule = "end_own_last_queen" if covered or at.state == "none" else "end_own_last_queen_of_other"
        note.say("end_own_last" if covered else "end_own_last_no_queen" if at.state == "none" else "end_own_last_queen_of_other")
        if not theirs:
            note.say("end_both")
            note.flag("unlisted_end", clauses=", ".join(book.clauses.get(rule, ())))
    else:
        rule = "end_other_last_covered"
        note.say("end_other_last")
    note.cite(rule, "points")
    slam = _slam(state, by, covered) if side == table.side_of[by] else None
    if slam:
        note.cite(f"slam_{slam}")
        note.say(f"slam_{slam}")
    return end_board(
        state._replace(last=by, broken=True, **changes),
        note,
        by=by,
        winner=side,
        left=(after.white, after.black),
        queen=queen,
        points={side: got, loser: book.points.own_piece * (FULL - theirs)},
        pieces=pieces,
        queen_points=worth,
        slam=slam,
    )


def _end(
    state: BoardState, stroke: Stroke, f: Facts, ending: Ending, note: Note, changes: dict[str, Any], lies: tuple[int, int]
) -> BoardState:
    """The stroke ended the board by a rule of its own; `lies` are white and black on the board then."""
    table, by = state.table, stroke.by
    note.cite(ending.rule)
    note.say(_END_SAYS.get(ending.rule, "end_both"))
    if not ending.wins and ending.rule != "end_other_last_covered":
        note.say("end_lost")
    slam = _slam(state, by, ending.covers or f.queen_at == "own") if ending.wins else None
    if slam:
        note.cite(f"slam_{slam}")
        note.say(f"slam_{slam}")
    for key in ending.flags:
        note.flag(key, clauses=", ".join(state.book.clauses.get(ending.rule, ())), n=ending.pieces)
    queen = Queen("covered", by) if ending.covers else Queen("pending", by) if f.queen else None
    winner = table.side_of[by] if ending.wins else table.opponent(by)
    white, black = lies
    each = state.book.points.own_piece
    won, lost = (white, black) if state.side_with("white") == winner else (black, white)
    return end_board(
        state._replace(last=by, broken=True, **changes),
        note,
        by=by,
        winner=winner,
        left=(white, black),
        queen=queen,
        points={winner: min(state.book.points.most, ending.points + each * (FULL - won)), table.opponent(winner): each * (FULL - lost)},
        pieces=ending.pieces,
        queen_points=ending.queen_points,
        extra=ending.extra,
        slam=slam,
    )


_END_SAYS: Final[Mapping[str, str]] = {
    "end_own_last_queen": "end_own_last",
    "end_own_last_queen_of_other": "end_own_last_queen_of_other",
    "end_own_last_before_queen": "end_own_last_before_queen",
    "end_own_last_striker": "end_own_last_before_queen",
    "end_other_last_before_queen": "end_other_last_before_queen",
    "end_other_last_covering": "end_other_last_before_queen",
    "end_other_last_with_queen": "end_other_last_before_queen",
    "end_other_last_covered": "end_other_last",
    "end_other_last_striker": "end_other_last_before_queen",
    "end_other_last_striker_covered": "end_other_last",
}


def _slam(state: BoardState, by: Seat, covered: bool) -> Slam | None:
    """White: all nine and the Queen in the first turn of the board; black: all that are left in that side's first turn (26)."""
    if not state.whole or not state.book.points.slams:
        return None
    if state.colour(by) == "black":
        return "black" if state.turns[state.table.index(by)] == 1 else None
    return "white" if sum(state.turns) == 1 and covered else None
