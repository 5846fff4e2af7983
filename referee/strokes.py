"""The outcome of one completed stroke that does not end the board (ICF laws 43 to 48, 64 to 77, 92 to 101)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from referee.laws import LawBook

QueenAt: TypeAlias = Literal["board", "pending", "own", "other", "elsewhere"]
QueenTo: TypeAlias = Literal["stays", "out", "pending", "covered"]


@dataclass(frozen=True, slots=True)
class Facts:
    """One stroke as its side sees it.

    Attributes
    ----------
    own, other : int
        Own and opponent's pieces pocketed.
    queen, striker, improper : bool
        Whether they were pocketed; whether the stroke itself broke a law.
    own_before, other_before : int
        Pieces on the board before the stroke.
    queen_at : {"board", "pending", "own", "other", "elsewhere"}
        The Queen before the stroke: on the board; pocketed by this player and to be covered now; covered by either side;
        or pending with somebody else, after a stroke out of turn.
    right : bool
        Whether this side has pocketed an own piece in this board before.
    due : int
        What this side owed before the stroke.
    """

    own: int
    other: int
    queen: bool
    striker: bool
    improper: bool
    own_before: int
    other_before: int
    queen_at: QueenAt
    right: bool
    due: int
    pieces: int = 9

    @property
    def nine(self) -> bool:
        """All own pieces were on the board before the stroke."""
        return self.own_before == self.pieces

    @property
    def covering(self) -> bool:
        return self.queen_at == "pending"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the laws make of a stroke.

    Attributes
    ----------
    rule : str
        Key of the rule: its sentence and its clauses.
    returns : bool
        Own pieces of this stroke come back. The opponent's always stay down.
    due : int
        Due and penalty that the stroke costs.
    flags : tuple of str
        Keys of what the umpire must decide.
    """

    rule: str
    continues: bool
    returns: bool = False
    queen: QueenTo = "stays"
    due: int = 0
    flags: tuple[str, ...] = ()


def rule_stroke(f: Facts, book: LawBook) -> Outcome:
    """The outcome of a stroke."""
    if f.improper:
        return _improper(f, book)
    return _with_striker(f, book) if f.striker else _proper(f, book)


def _proper(f: Facts, book: LawBook) -> Outcome:
    if f.queen:
        return _queen(f, book)
    if f.covering and not f.own:
        return Outcome("cover_failed", continues=False, queen="out")
    on = f.own > 0 and not (f.other and book.readings.own_and_other == "turn_lost")
    if f.covering:
        return Outcome("cover", continues=on, queen="covered")
    if f.own and f.other:
        return Outcome("own_and_other", continues=on)
    return Outcome("own" if f.own else "other" if f.other else "nothing", continues=on)


def _queen(f: Facts, book: LawBook) -> Outcome:
    """The Queen fell by a proper stroke without the striker."""
    read = book.readings
    if f.due:
        if not f.own:
            return Outcome("queen_with_due", continues=False, queen="out")
        return Outcome("queen_with_due", continues=read.queen_with_due == "continue", queen="out", flags=("queen_own_with_due",))
    if f.own:
        on = not (f.other and read.own_and_other == "turn_lost")
        if not f.nine or f.own >= 2:
            return Outcome("queen_own", continues=on, queen="covered")
        if not f.right:
            return Outcome("queen_own_at_nine", continues=on, queen="pending" if on else "out")
        covered = read.queen_at_nine_again == "covered"
        return Outcome(
            "queen_own_at_nine_again",
            continues=on,
            queen="covered" if covered else "pending" if on else "out",
            flags=("queen_own_at_nine_again",),
        )
    if not f.right:
        return Outcome("queen_early", continues=False, queen="out")
    if f.other:
        on = read.queen_and_other == "continue"
        return Outcome("queen_and_other", continues=on, queen="pending" if on else "out", flags=("queen_and_other",))
    return Outcome("queen", continues=True, queen="pending")


def _with_striker(f: Facts, book: LawBook) -> Outcome:
    """The striker fell by a proper stroke."""
    due = book.dues.striker_pocketed
    if f.queen:
        return _queen_with_striker(f, book, due)
    if f.covering:
        if f.own:
            return Outcome("cover_striker_own", continues=True, returns=True, due=due)
        return Outcome("cover_striker", continues=False, queen="out", due=due)
    if f.own:
        return Outcome("striker_own_other" if f.other else "striker_own", continues=True, returns=True, due=due)
    return Outcome("striker_other" if f.other else "striker", continues=False, due=due)


def _queen_with_striker(f: Facts, book: LawBook, due: int) -> Outcome:
    read = book.readings
    on = not f.due or read.queen_with_due == "continue"
    if f.own:
        flags: tuple[str, ...] = ("queen_own_with_due",) if f.due else ()
        if f.nine:
            on = on and read.queen_own_striker_at_nine == "continue"
            flags += ("queen_own_striker_at_nine",)
        return Outcome(
            "queen_own_striker_at_nine" if f.nine else "queen_own_striker", continues=on, returns=True, queen="out", due=due, flags=flags
        )
    if f.nine:
        return Outcome("queen_striker_at_nine", continues=False, queen="out", due=due)
    if f.due:
        return Outcome("queen_striker", continues=False, queen="out", due=due)
    flags = () if f.right else ("queen_striker_before_own",)
    if f.other:
        on = read.queen_and_other == "continue"
        flags += ("queen_and_other",)
    return Outcome("queen_striker", continues=on, queen="out", due=due, flags=flags)


def _improper(f: Facts, book: LawBook) -> Outcome:
    """The stroke itself broke a law: the turn is lost, all of one's own that fell comes back."""
    dues, returns = book.dues, f.own > 0
    queen: QueenTo = "out" if f.queen or f.covering else "stays"
    if f.striker:
        if f.covering:
            rule = "cover_striker_own_improper" if f.own else "cover_striker_improper"
        elif f.queen:
            rule = "queen_own_striker_improper" if f.own else "queen_striker_improper"
        elif f.own:
            rule = "striker_own_improper"
        else:
            rule = "striker_other_improper" if f.other else "striker_improper"
        return Outcome(rule, continues=False, returns=returns, queen=queen, due=dues.improper_with_striker)
    due = dues.improper_with_own if f.own or f.queen else dues.improper
    if f.covering:
        flags = ("cover_improper_own",) if f.own else ()
        return Outcome(
            "cover_improper_own" if f.own else "cover_improper", continues=False, returns=returns, queen=queen, due=due, flags=flags
        )
    rule = "improper_queen" if f.queen else "improper_own" if f.own else "improper_other" if f.other else "improper"
    return Outcome(rule, continues=False, returns=returns, queen=queen, due=due)
