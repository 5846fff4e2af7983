"""What a ruling on a stroke says where a colour belongs to a side: clauses, the Queen and last pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from models.stroke import Colour, Stroke
from referee.charges import off_the_board
from referee.endings import last_goes_on
from referee.settle import Note
from referee.state import BoardState
from referee.strokes import Facts, Outcome, QueenTo
from referee.texts import Term

UNLESS_CITED: Final[Mapping[str, str]] = {
    "queen_with_first_own": "queen_own_at_nine",
    "queen_with_own": "queen_own",
    "own_and_other": "own_and_other",
    "others_last_comes_back": "others_last_returns",
    "last_comes_back": "own_last",
}
"""Flags that a book's own word on the matter, a rule with clauses, makes needless."""
_RULED: Final[Mapping[QueenTo, str]] = {"pending": "she_must_be_covered", "covered": "she_is_covered", "out": "she_comes_back"}
_PARTS: Final[Mapping[QueenTo, str]] = {"pending": "queen", "early": "queen_early", "covered": "queen_own", "out": "queen_back"}
_LISTED: Final = ("striker_pocketed", "striker_with_own", "improper")
"""Offences that the rules of a whole stroke speak of."""


def cite_stroke(state: BoardState, f: Facts, outcome: Outcome, note: Note) -> None:
    """The rule that lists the whole stroke; in a book that has none, the rules for its parts."""
    book, rule = state.book, outcome.rule
    listed = rule in book.clauses
    whole = listed and ("striker" in rule or "improper" in rule)
    charged = [n for n in outcome.charged if not (whole and n.startswith(_LISTED))]
    if f.queen_at == "early" and outcome.queen == "out":
        note.cited.append("queen_early")
    if listed and not charged:
        note.cited.append(rule)
        return
    if any(book.offences[n].fell == "all_returns" for n in charged):
        charged = [n for n in charged if book.offences[n].fell == "all_returns"]
    note.cited.extend(charged)
    if any(n not in book.clauses and n != "own_last" and book.offences[n].foul for n in charged):
        note.flag("silent", what=Term("this_matter"))
    if whole:
        note.cited.append(rule)
        return
    if f.covering:
        note.cited.append("cover" if outcome.queen == "covered" else "cover_failed" if outcome.queen == "out" else "queen")
    elif outcome.queen in _PARTS:
        note.cited.append(_PARTS[outcome.queen])
    if f.own > outcome.own_out:
        note.cited.append("own")
    if f.other and not charged:
        note.cited.append("other")
    if not f.own and not f.other and not outcome.charged and not f.queen:
        note.cited.append("nothing")


def explain_stroke(state: BoardState, f: Facts, outcome: Outcome, note: Note) -> None:
    """What becomes of the Queen and of last pieces, and what the umpire has to decide."""
    queen = outcome.queen
    if queen == "covered":
        note.say("queen_covered")
    elif queen == "pending":
        note.say("queen_still_pending" if f.covering else "queen_pending")
    elif queen == "early":
        note.say("queen_early")
    elif queen == "out" and f.covering:
        note.say("queen_not_covered")
    elif queen == "out" and f.queen and not outcome.charged:
        if f.due and state.book.queen.with_due != "allowed":
            note.say("queen_back_due")
        elif not f.right:
            note.say("queen_early_back")
    if outcome.aside:
        note.cite("set_aside")
        note.say("set_aside")
    if (f.aside or f.own_last) and outcome.own_out and "own_last" not in outcome.charged:
        note.cite("own_last_returns")
    flags = list(outcome.flags)
    if f.other_last and outcome.other_out:
        note.cite("others_last_returns")
        if not note.fouls and state.book.pieces.opponents_piece == "stays":
            flags.append("others_last_comes_back")
    if f.own and f.other and not note.fouls:
        flags.append("own_and_other")
    if f.own_last and outcome.own_out and not outcome.aside and not note.fouls:
        flags.append("last_comes_back")
    for key in flags:
        known = UNLESS_CITED.get(key)
        if known is None or known not in state.book.clauses:
            turn = "the_turn_continues" if outcome.continues else "the_turn_is_lost"
            note.flag(key, ruled=(_RULED[queen], turn) if queen in _RULED else (turn,))
    if state.book.ends.own_last_before_queen == "board_lost" and last_goes_on(f):
        note.flag("last_goes_on")


def say_off_board(stroke: Stroke, note: Note) -> Mapping[Colour, int] | None:
    """What left the board goes back to the centre (65)."""
    if not stroke.off_board:
        return None
    off = off_the_board(stroke)
    if "striker" in stroke.off_board:
        note.cite("striker_off_board")
    if off:
        note.say("to_centre", pieces=off)
        if "queen" in off and len(off) > 1:
            note.cite("queen_and_piece_off_board")
            note.say("queen_to_centre_first")
        elif len(off) > 1:
            note.cite("both_colours_off_board")
            note.say("own_to_centre_first")
        else:
            note.cite("piece_off_board")
    return off
