"""A stroke on a board where a piece belongs to whoever pockets it, and when such a board is over."""

from __future__ import annotations

from typing import Any, Final

from models.stroke import Colour, Seat, Stroke
from referee.awards import dock, lost_by
from referee.charges import off_the_board, say_fall, say_offences
from referee.open_games import Won, lies_after, rule_open_stroke
from referee.rulings import Queen
from referee.settle import ON_BOARD, Note, come_out, end_board, settle
from referee.state import BoardState
from referee.strokes import Costs, Facts, offences, seen, the_costs

NO_STROKE: Final = Facts(0, 0, False, False, False, 0, 0, "board", True, 0)


def strike_open(state: BoardState, stroke: Stroke, note: Note, changes: dict[str, Any]) -> BoardState:
    """The board after a stroke; `changes` are fields of the state that it sets whatever is ruled."""
    book = state.book
    fell: tuple[Colour, ...] = tuple(c for c in stroke.pocketed if c != "striker")
    f = NO_STROKE._replace(own=len(fell) - fell.count("queen"), **seen(stroke, book))
    charged = offences(f, book)
    again = False
    offends = any(book.offences[n].foul for n in charged)
    if not state.broken and not f.touched and book.breaking.chances:
        again = not offends and state.tries + 1 < book.breaking.chances
        if again:
            note.cite("break_missed")
            note.say("break_missed", n=state.tries + 1, chances=book.breaking.chances)
            changes |= {"tries": state.tries + 1, "struck": True}
        elif not offends:
            charged += tuple(n for n in ("failed_break",) if n in book.offences)
            note.cite("break_passed")
            note.say("break_passed", chances=book.breaking.chances)
    if f.touched or offends:
        say_fall(note, stroke, f.touched)
    costs = the_costs(charged, book)
    say_offences(note, stroke, charged, state)
    note.cite(*charged)
    won = rule_open_stroke(state, stroke.by, fell, costs, note)
    return _after(state, stroke.by, fell, won, costs, note, changes | {"broken": state.broken or f.touched}, again, stroke)


def penalise_open(state: BoardState, by: Seat, costs: Costs, turn: Seat, note: Note, changes: dict[str, Any]) -> BoardState:
    """The board after a call that costs pieces won, and maybe the turn."""
    won = rule_open_stroke(state, by, (), costs, note)
    keeps = turn == state.turn
    if keeps and state.queen.state == "pending":
        won = won._replace(queen="stays", back={c: n for c, n in won.back.items() if c != "queen"})
    return _after(state, by, (), won, costs, note, changes, keeps, None, turn)


def _after(
    state: BoardState,
    by: Seat,
    fell: tuple[Colour, ...],
    won: Won,
    costs: Costs,
    note: Note,
    changes: dict[str, Any],
    again: bool,
    stroke: Stroke | None,
    to: Seat | None = None,
) -> BoardState:
    """What lies on the board and who has what after a stroke or a call; the board may be over."""
    table, book = state.table, state.book
    after = lies_after(state, fell, won)
    queen: Queen | None = None
    if won.queen != "stays":
        queen = ON_BOARD if won.queen == "out" else Queen(won.queen, by)
        note.cite({"covered": "queen_won", "pending": "queen", "out": "queen_back"}.get(won.queen, "queen"))
        if won.queen == "covered":
            note.say("queen_won" if book.queen.cover == "none" else "queen_covered")
        elif won.queen == "pending":
            note.say("queen_pending")
        elif state.queen.state == "pending":
            note.cite("cover_failed")
            note.say("queen_not_covered")
    gained = won.gained
    rows = [book.offences[n] for n in costs.charged]
    if rows:
        gained = dock(state._replace(gained=gained), note, by, rows).gained
    k = table.index(by)
    if stroke is not None and gained[k] > state.gained[k]:
        note.cite("piece_won")
        note.say("points_won", by=table.names[by], n=gained[k] - state.gained[k])
    elif stroke is not None and not costs.charged and not again and not fell:
        note.cite("nothing")
    off = off_the_board(stroke) if stroke and stroke.off_board else {}
    if off:
        note.cite("piece_off_board")
        note.say("to_centre", pieces=off)
    now = state._replace(
        white=after.white,
        black=after.black,
        queen=queen or state.queen,
        last=by,
        gained=gained,
        taken=won.taken,
        dues=won.dues,
        **changes,
    )
    back = (won.back.get("white", 0), won.back.get("black", 0))
    queen_back = queen is ON_BOARD and ("queen" in fell or bool(won.back.get("queen")) or state.queen.state != "on_board")
    come_out(state, note, after, back, queen_back)
    ended = (lost_by(now, by, note, rows) if rows else None) or _over(now, by, note)
    if ended is not None:
        return ended
    continues = won.continues or again
    turn = to or (by if continues else state.after(by))
    more: dict[str, Any] = {}
    if continues:
        more["struck"] = True
    if stroke is not None:
        more["placing"] = False
    return settle(now, note, by=by, turn=turn, continues=continues, after=after, off_board=off or None, **more)


def _over(state: BoardState, by: Seat, note: Note) -> BoardState | None:
    """The board once it is over: a target reached, all pieces down, or all strokes used."""
    match, table = state.book.match, state.table
    k = table.index(by)
    winner: Seat | None = None
    if match.target and state.scores[k] >= match.target:
        winner = table.sides[k]
        note.cite("end_target")
        note.say("end_target", by=table.names[by], n=match.target)
    elif not state.white + state.black and state.queen.state in ("covered", "none"):
        note.cite("end_empty")
        note.say("end_empty")
        winner = _leader(state) if len(table.sides) > 1 else table.sides[0]
    elif match.strokes and state.strokes >= match.strokes:
        note.cite("end_strokes")
        note.say("end_strokes", n=match.strokes)
        winner = _leader(state) if len(table.sides) > 1 else None
    else:
        return None
    return end_board(state, note, by=by, winner=winner, points=dict(zip(table.sides, state.gained, strict=True)))


def _leader(state: BoardState) -> Seat | None:
    """The side with most points of this board; None if two have."""
    best = max(state.gained)
    leaders = [s for s, n in zip(state.table.sides, state.gained, strict=True) if n == best]
    return leaders[0] if len(leaders) == 1 else None
