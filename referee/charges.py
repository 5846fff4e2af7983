"""What a ruling says of the offences of a stroke."""

from __future__ import annotations

from models.stroke import Stroke
from referee.laws import Offence
from referee.settle import Note
from referee.state import BoardState
from referee.texts import WORDS, Term


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
