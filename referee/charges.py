"""What a ruling says of a stroke on every board: what fell, what left the board, its offences."""

from __future__ import annotations

from models.stroke import Colour, Stroke
from referee.laws import Offence
from referee.settle import Note
from referee.state import BoardState
from referee.texts import WORDS, Term


def say_fall(note: Note, stroke: Stroke, touched: bool) -> None:
    """Say what fell, or that nothing did."""
    if stroke.pocketed:
        note.say("fell", pieces=stroke.pocketed)
    else:
        note.say("fell_nothing" if touched else "fell_untouched")


def off_the_board(stroke: Stroke) -> dict[Colour, int]:
    """Pieces that left the board, by colour."""
    return {c: stroke.off_board.count(c) for c in ("white", "black", "queen") if c in stroke.off_board}


def say_offences(note: Note, stroke: Stroke, charged: tuple[str, ...], state: BoardState) -> None:
    """Write down the offences that the book charges, by the names that the log gives improper strokes."""
    if stroke.off_board:
        note.say("off_board", pieces=stroke.off_board)
    if stroke.improper:
        _improper(note, stroke, state)
    if not charged:
        return
    named: list[str] = []
    for name in charged:
        row = state.book.offences[name]
        if row.doubt != "none":
            flag_doubt(note, name, row)
        if not row.foul:
            continue
        note.counted |= row.counted
        if name.startswith("improper"):
            if name == "improper_with_striker":
                named.append("striker_pocketed")
            named += [r for r in stroke.improper if r in state.book.pieces.improper]
        else:
            named.append("striker_pocketed" if name == "striker_with_own" else name)
    note.fouls = tuple(dict.fromkeys((*note.fouls, *named)))
    said = tuple(n for n in note.fouls if n not in stroke.improper)
    if said:
        note.say("offence", offences=said)


def flag_doubt(note: Note, name: str, row: Offence) -> None:
    """What the book leaves open about an offence."""
    if row.doubt == "to_opponent":
        note.flag("given_to_opponent")
    elif row.doubt == "unnamed":
        what = "improper_stroke" if name.startswith("improper") else name
        note.flag("silent", what=Term(what if what in WORDS else "this_matter"))


def _improper(note: Note, stroke: Stroke, state: BoardState) -> None:
    listed = state.book.pieces.improper
    wrong = tuple(dict.fromkeys(r for r in stroke.improper if r in listed))
    free = tuple(dict.fromkeys(r for r in stroke.improper if r not in listed))
    if wrong:
        note.say("improper", reasons=wrong)
    if free:
        note.say("not_improper", reasons=free)
