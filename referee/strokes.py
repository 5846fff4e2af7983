"""The outcome of one completed stroke where a colour belongs to a side (ICF laws 43 to 48, 64 to 77, 92 to 101; uk.3 to uk.16)."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

from models.stroke import Stroke
from referee.laws import LawBook, Offence

QueenAt: TypeAlias = Literal["board", "pending", "early", "own", "other", "elsewhere", "none"]
QueenTo: TypeAlias = Literal["stays", "out", "pending", "early", "covered"]


class Facts(NamedTuple):
    """One stroke as its side sees it.

    Attributes
    ----------
    own, other : int
        Own and opponent's pieces pocketed.
    queen, striker, improper : bool
        Whether they were pocketed; whether the stroke itself broke a law of this book.
    own_before, other_before : int
        Pieces on the board before the stroke.
    queen_at : {"board", "pending", "early", "own", "other", "elsewhere", "none"}
        The Queen before the stroke: on the board; pocketed by this player and to be covered now, or taken too early and to
        be put back when his turn ends; covered by either side; pending with somebody else, after a stroke out of turn; not
        in the game.
    right : bool
        Whether this side has pocketed an own piece in this board before.
    due : int
        What this side owed before the stroke.
    touched, striker_off, piece_off : bool
        Whether the striker touched a piece; whether it, or a piece, left the board.
    queen_in_turn : bool
        Whether the Queen fell by an earlier stroke of this turn.
    aside : int
        Last own pieces set aside until the Queen is taken in this turn.
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
    touched: bool = True
    striker_off: bool = False
    piece_off: bool = False
    queen_in_turn: bool = False
    aside: int = 0
    pieces: int = 9

    @property
    def nine(self) -> bool:
        """All own pieces were on the board before the stroke."""
        return self.own_before == self.pieces

    @property
    def covering(self) -> bool:
        return self.queen_at == "pending"

    @property
    def own_last(self) -> bool:
        """The last own piece fell."""
        return 0 < self.own == self.own_before

    @property
    def other_last(self) -> bool:
        """The opponent's last piece fell."""
        return 0 < self.other == self.other_before


class Outcome(NamedTuple):
    """What the laws make of a stroke.

    Attributes
    ----------
    rule : str
        Key of the rule, for its clauses.
    own_out, other_out : int
        Own and opponent's pieces of this stroke (and own ones set aside) that come back.
    due : int
        Due and penalty that the stroke costs.
    charged : tuple of str
        Offences of the book that the stroke committed.
    aside : int
        Own last pieces set aside from now on.
    flags : tuple of str
        Keys of what the umpire must decide.
    """

    rule: str
    continues: bool
    own_out: int = 0
    other_out: int = 0
    queen: QueenTo = "stays"
    due: int = 0
    charged: tuple[str, ...] = ()
    aside: int = 0
    flags: tuple[str, ...] = ()


class Costs(NamedTuple):
    """What the offences of a stroke cost together."""

    charged: tuple[str, ...]
    pieces: int
    lost: bool
    foul: bool
    own_returns: bool
    all_return: bool


def seen(stroke: Stroke, book: LawBook) -> dict[str, Any]:
    """The facts of a stroke that are the same for every side, by their names in `Facts`."""
    fell, off = stroke.pocketed, stroke.off_board
    striker, striker_off = "striker" in fell, "striker" in off
    piece_off = len(off) > striker_off
    return {
        "queen": "queen" in fell,
        "striker": striker,
        "improper": bool(stroke.improper) and any(r in book.pieces.improper for r in stroke.improper),
        "touched": stroke.touched or piece_off or len(fell) > striker,
        "striker_off": striker_off,
        "piece_off": piece_off,
    }


def rule_stroke(f: Facts, book: LawBook) -> Outcome:
    """The outcome of a stroke."""
    costs = the_costs(offences(f, book), book)
    queen, on, flags = _queen(f, book, costs)
    settled = queen == "covered" or f.queen_at in ("own", "other", "none")
    last_alone = f.own_last and not (costs.own_returns or settled or book.ends.own_last_before_queen == "board_lost")
    if last_alone and "own_last" in book.offences:
        costs = the_costs((*costs.charged, "own_last"), book)
        queen, on, flags = _queen(f, book, costs)
    own_out = f.own if costs.own_returns else 0
    aside = 0
    if last_alone and not costs.own_returns:
        if book.ends.own_last_before_queen == "set_aside" and on:
            aside = 1
        else:
            own_out = max(own_out, 1)
    if f.aside and queen != "covered":
        own_out += f.aside
    return Outcome(
        rule=rule_key(f, queen),
        continues=on,
        own_out=own_out,
        other_out=_other_out(f, book, costs, settled),
        queen=queen,
        due=costs.pieces,
        charged=costs.charged,
        aside=aside,
        flags=flags if len(costs.charged) < 2 or not book.dues.most_per_stroke else (*flags, "one_penalty"),
    )


def _other_out(f: Facts, book: LawBook, costs: Costs, settled: bool) -> int:
    if costs.all_return or book.pieces.opponents_piece == "returns":
        return f.other
    rule = book.ends.others_last_after_queen if settled else book.ends.others_last_before_queen
    return int(f.other_last and rule == "returns")


def offences(f: Facts, book: LawBook) -> tuple[str, ...]:
    """The offences of the book that a stroke committed; one that costs nothing is none."""
    known = book.offences
    names: list[str] = []
    together = f.improper and f.striker and "improper_with_striker" in known
    if together:
        names.append("improper_with_striker")
    elif f.improper:
        names.append("improper_with_own" if (f.own or f.queen) and "improper_with_own" in known else "improper")
    if f.striker and not together:
        names.append("striker_with_own" if f.own and "striker_with_own" in known else "striker_pocketed")
    if f.striker_off:
        names.append("striker_off_board")
    elif not f.touched:
        names.append("no_touch")
    if f.piece_off:
        names.append("piece_off_board")
    if f.other:
        names.append("opponents_piece")
    return tuple(n for n in names if n in known) if names else ()


def the_costs(charged: tuple[str, ...], book: LawBook) -> Costs:
    """What offences cost together."""
    if not charged:
        return _NOTHING
    if len(charged) == 1:
        row = book.offences[charged[0]]
        most = book.dues.most_per_stroke
        alone = min(row.pieces, most) if most else row.pieces
        return Costs(charged, alone, row.turn == "lost", row.foul, row.fell != "stays", row.fell == "all_returns")
    rows: list[Offence] = [book.offences[n] for n in charged]
    pieces = sum(r.pieces for r in rows)
    most = book.dues.most_per_stroke
    return Costs(
        charged=charged,
        pieces=min(pieces, most) if most else pieces,
        lost=any(r.turn == "lost" for r in rows),
        foul=any(r.foul for r in rows),
        own_returns=any(r.fell != "stays" for r in rows),
        all_return=any(r.fell == "all_returns" for r in rows),
    )


_NOTHING = Costs((), 0, False, False, False, False)


def _queen(f: Facts, book: LawBook, c: Costs) -> tuple[QueenTo, bool, tuple[str, ...]]:
    """Where the Queen goes, whether the turn goes on, and what the umpire has to decide."""
    goes_on = f.own > 0 and not c.lost
    if f.queen_at == "none":
        return "stays", goes_on, ()
    if f.covering:
        return _cover(f, book, c)
    if f.queen_at == "early":
        return ("stays" if goes_on else "out"), goes_on, ()
    if not f.queen:
        if f.other and f.queen_in_turn and f.queen_at == "own" and book.queen.by_opponents_piece == "out":
            return "out", goes_on, ("covered_in_turn",)
        return "stays", goes_on, ()
    if f.due and book.queen.with_due != "allowed":
        on = not c.lost and f.own > 0 and book.queen.with_due == "continue"
        flags = ("queen_own_with_due",) if f.own and not (f.improper and c.lost) else ()
        if f.own and f.striker and f.nine and not c.lost:
            on = on and book.queen.with_own_and_striker_at_nine == "continue"
            flags = (*flags, "queen_own_striker_at_nine")
        return "out", on, flags
    if c.own_returns:
        return _queen_returns(f, book, c)
    if c.foul:
        return _queen_by_foul(f, book)
    return _queen_taken(f, book, c)


def _cover(f: Facts, book: LawBook, c: Costs) -> tuple[QueenTo, bool, tuple[str, ...]]:
    """The stroke that has to cover her."""
    goes_on = f.own > 0 and not c.lost
    if not f.own:
        return "out", False, ()
    if c.own_returns:
        flags = ("cover_improper_own",) if f.improper and not f.striker else ()
        return ("pending", True, flags) if goes_on else ("out", False, flags)
    if f.other and book.queen.by_opponents_piece == "out":
        return "out", goes_on, ()
    if c.foul:
        return ("out" if book.queen.by_foul == "out" else "covered"), goes_on, ("queen_by_foul",)
    return "covered", goes_on, ()


def _queen_returns(f: Facts, book: LawBook, c: Costs) -> tuple[QueenTo, bool, tuple[str, ...]]:
    """She fell by a stroke whose pieces come back."""
    if c.lost:
        return "out", False, ()
    if f.own:
        if not f.nine:
            return "out", True, ()
        return "out", book.queen.with_own_and_striker_at_nine == "continue", ("queen_own_striker_at_nine",)
    if f.nine:
        return "out", False, ()
    flags: tuple[str, ...] = () if f.right else ("queen_striker_before_own",)
    if f.other:
        return "out", book.queen.with_opponents_piece == "continue", (*flags, "queen_and_other")
    return "out", True, flags


def _queen_by_foul(f: Facts, book: LawBook) -> tuple[QueenTo, bool, tuple[str, ...]]:
    """She fell by a foul whose other pieces stay down, so that the turn is over."""
    if f.other and book.queen.by_opponents_piece == "out":
        return "out", False, ()
    if f.own and (f.right or book.queen.right == "any_time"):
        return ("covered" if book.queen.by_foul == "counts" else "out"), False, ("queen_by_foul",)
    return "out", False, ()


def _queen_taken(f: Facts, book: LawBook, c: Costs) -> tuple[QueenTo, bool, tuple[str, ...]]:
    """She fell by a proper stroke."""
    q = book.queen
    to: QueenTo = "pending"
    flags: tuple[str, ...] = ()
    if q.right == "own_piece" and not f.right and not f.own:
        return ("out", False, ()) if q.early == "turn_lost" or c.lost else ("early", True, ())
    if q.cover == "none" or f.aside:
        to = "covered"
    elif f.own:
        to, flags = _with_own(f, book)
    elif f.other:
        on = q.with_opponents_piece == "continue" and not c.lost
        return ("pending" if on else "out"), on, ("queen_and_other",)
    if to == "pending" and c.lost:
        to = "out"
    return to, not c.lost, flags


def _with_own(f: Facts, book: LawBook) -> tuple[QueenTo, tuple[str, ...]]:
    """She fell with an own piece: whether that covers her."""
    q = book.queen
    if q.right == "any_time":
        return q.with_own, ("queen_with_own",)  # type: ignore[return-value]
    if q.with_first_own == "pending_unless_two":
        if not f.nine or f.own > 1:
            return q.with_own, ()  # type: ignore[return-value]
        if f.right:
            return q.nine_again, ("queen_own_at_nine_again",)  # type: ignore[return-value]
        return "pending", ()
    if f.right:
        return q.with_own, ("queen_with_own",)  # type: ignore[return-value]
    return q.with_first_own, ("queen_with_first_own",)  # type: ignore[return-value]


def rule_key(f: Facts, queen: QueenTo) -> str:
    """The rule that a stroke falls under, as the ICF laws list them."""
    bad = "_improper" if f.improper else ""
    own, other = "_own" if f.own else "", "_other" if f.other else ""
    if f.covering:
        if f.striker:
            return f"cover_striker{own}{bad}"
        if bad:
            return f"cover_improper{own}"
        return "cover" if queen == "covered" else "cover_failed"
    if f.queen:
        return _queen_key(f, own, bad)
    if f.striker:
        both = other if not (own and bad) else ""
        return f"striker{own}{both}{bad}"
    if bad:
        return f"improper{own or other}"
    return f"own_and{other}" if own and other else "own" if own else "other" if other else "nothing"


def _queen_key(f: Facts, own: str, bad: str) -> str:
    if f.striker:
        nine = "_at_nine" if f.nine and not bad else ""
        return f"queen{own}_striker{nine}{bad}"
    if bad:
        return "improper_queen"
    if f.due:
        return "queen_with_due"
    if f.own:
        if not f.nine or (f.own > 1 and f.right):
            return "queen_own"
        return "queen_own_at_nine_again" if f.right else "queen_own_at_nine"
    if not f.right:
        return "queen_early"
    return "queen_and_other" if f.other else "queen"
