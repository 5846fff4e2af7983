"""What every ruling has in common: pieces come back, dues are paid where they can be, the turn goes on, the ruling is written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple

from models.stroke import COLOURS, FULL_SET, Colour, Seat
from referee.laws import LawBook
from referee.rulings import Discrepancy, Expected, Flag, Queen, Result, Ruling, Slam
from referee.state import BoardState, Counts
from referee.texts import LAWS_OF_READINGS, Message, Term

ON_BOARD: Final = Queen()
NONE_OUT: Final[Mapping[Colour, int]] = dict.fromkeys(COLOURS, 0)
"""Nothing comes out of the pockets."""
OF_THE_STROKE: Final = frozenset(
    {
        "fell",
        "fell_nothing",
        "fell_untouched",
        "off_board",
        "improper",
        "offence",
        "comes_back",
        "to_centre",
        "points_won",
        "queen_covered",
        "won_by",
    }
)
"""Sentences that are no reason why a board has ended."""
_FULL: Final = FULL_SET["white"]


@dataclass(slots=True)
class Note:
    """What a ruling will say, gathered while it is made."""

    call: str | None = None
    fouls: tuple[str, ...] = ()
    counted: bool = False
    uncovered: Seat | None = None
    out: Mapping[Colour, int] = field(default_factory=lambda: NONE_OUT)
    cited: list[str] = field(default_factory=list)
    says: list[Message] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    discrepancies: list[Discrepancy] = field(default_factory=list)

    def cite(self, *keys: str) -> None:
        """Cite rules: their clauses."""
        self.cited.extend(keys)

    def say(self, key: str, **values: object) -> None:
        """Say a sentence."""
        self.says.append((key, values))

    def flag(self, key: str, **values: object) -> None:
        """Ask the umpire."""
        self.flags.append(Flag(key, values))

    def clauses(self, state: BoardState) -> tuple[str, ...]:
        """The clauses of what was cited, each once."""
        known = state.book.clauses
        if len(self.cited) == 1:
            return known.get(self.cited[0], ())
        return tuple(dict.fromkeys(c for key in self.cited for c in known.get(key, ())))


class Balance(NamedTuple):
    """Pieces and dues after an event: on the board and owed by each side, and what each side pays."""

    white: int
    black: int
    dues: Counts
    paid: Counts


def balance(
    state: BoardState,
    note: Note,
    *,
    fell: tuple[int, int] = (0, 0),
    returned: tuple[int, int] = (0, 0),
    costs: Mapping[Seat, int] | None = None,
    turn_over: bool = False,
    pays_now: Seat | None = None,
    aside: int = 0,
) -> Balance:
    """What lies on the board and is owed once pieces have come back and dues are paid (72c, 78a, uk.16).

    Parameters
    ----------
    fell, returned : (int, int)
        White and black pieces that fell, and those of them, or set aside before, that come back.
    costs : mapping
        New dues and penalties by side.
    turn_over : bool
        Whether the turn of the one at turn ends with it.
    pays_now : Seat
        A side that pays at once though a turn goes on that is not its own.
    aside : int
        Pieces of the one at turn that stay set aside: nobody pays with them.
    """
    white, black = state.white - fell[0] + returned[0], state.black - fell[1] + returned[1]
    if not costs and not any(state.dues):
        return Balance(white, black, state.dues, state.no_dues)
    rules, table = state.book.dues, state.table
    dues, paid = list(state.dues), [0] * len(state.dues)
    left = {"white": white, "black": black}
    for k, side in enumerate(table.sides):
        colour = state.colour(side)
        new = costs.get(side, 0) if costs else 0
        dues[k] += new
        if not dues[k]:
            continue
        payable = rules.paid == "at_once" or turn_over or side == pays_now or not left[colour]
        fresh = new or fell[colour == "black"] or (rules.paid == "end_of_turn" and turn_over)
        if payable and fresh:
            kept = aside if aside and state.turn is not None and colour == state.colour(state.turn) else 0
            paid[k] = min(dues[k], _FULL - left[colour] - kept)
            dues[k] -= paid[k]
            left[colour] += paid[k]
        if new and rules.unpaid == "lapses":
            if dues[k] and not paid[k]:
                note.say("due_lapsed")
            dues[k] = 0
        if paid[k] > new:
            note.cite("due_paid")
            note.say("due_paid", n=paid[k], debtor=state.table.side_names(side))
        if dues[k] and new:
            note.cite("due_unavailable")
            if "due_unavailable" not in state.book.clauses:
                note.flag("silent", what=Term("unpaid_due"))
            note.say("due_owed", n=dues[k], debtor=state.table.side_names(side))
    return Balance(left["white"], left["black"], tuple(dues), tuple(paid))


def settle(
    state: BoardState,
    note: Note,
    *,
    by: Seat,
    turn: Seat,
    continues: bool,
    after: Balance,
    queen: Queen | None = None,
    off_board: Mapping[Colour, int] | None = None,
    **changes: Any,
) -> BoardState:
    """The state after an event that leaves the board in play, its ruling written down; what comes out is noted already (`come_out`).

    Parameters
    ----------
    turn : Seat
        Who strikes next.
    continues : bool
        Whether the turn of the one at turn goes on.
    after : Balance
        What lies on the board and is owed.
    queen : Queen
        Where the Queen is afterwards; unchanged if not given.
    off_board : mapping
        What left the board and goes back to the centre.
    **changes
        Further fields of the state.
    """
    asked: tuple[Expected, ...] = ()
    if note.out is not NONE_OUT:
        asked = tuple(Expected(c, placer(state, c, by, note), n) for c, n in note.out.items() if n)
    if off_board:
        asked += tuple(Expected(c, placer(state, c, by, note, off=True), n) for c, n in off_board.items() if n)
    over_to_next = turn != state.turn
    fresh: dict[str, Any] = {}
    if over_to_next:
        side = state.table.side_of[turn]
        turns = tuple(n + (s == side) for s, n in zip(state.table.sides, state.turns, strict=True))
        fresh = {"tries": 0, "struck": False, "turns": turns}
    if not continues:
        fresh["queen_in_turn"] = False
        fresh["aside"] = 0
    if not continues:
        note.say("turn_passes", next=state.table.names[turn])
    elif not note.call:
        note.say("turn_goes_on")
    fresh.update(changes)
    now = state.queen if queen is None else queen
    event = changes.get("event", state.event)
    ruling = _ruling(state, note, by, event, after.white, after.black, now, turn, after.dues, state.scores, asked)
    return state._replace(
        white=after.white,
        black=after.black,
        queen=now,
        turn=turn,
        dues=after.dues,
        expected=(*state.expected, *asked) if note.call else asked,
        offered=after.paid,
        uncovered=note.uncovered,
        rulings=(*state.rulings, ruling),
        remarks=(),
        **fresh,
    )


def come_out(state: BoardState, note: Note, after: Balance, out: tuple[int, int] = (0, 0), queen: bool = False) -> None:
    """Write down what comes out of the pockets: white and black pieces of the stroke, payments, the Queen."""
    if queen or out != (0, 0) or after.paid != state.no_dues:
        whole: dict[Colour, int] = dict(note.out)
        whole["white"] += out[0]
        whole["black"] += out[1]
        whole["queen"] += queen
        if queen and state.queen.state == "pending":
            note.uncovered = state.queen.seat
        if state.book.owned:
            for side, n in zip(state.table.sides, after.paid, strict=True):
                whole[state.colour(side)] += n
        note.out = whole
    if note.out is not NONE_OUT:
        note.say("comes_back", pieces=note.out)


def end_board(
    state: BoardState,
    note: Note,
    *,
    by: Seat,
    winner: Seat | None,
    left: tuple[int, int] | None = None,
    queen: Queen | None = None,
    points: Mapping[Seat, int] | None = None,
    pieces: int = 0,
    queen_points: int = 0,
    extra: int = 0,
    slam: Slam | None = None,
    **result: Any,
) -> BoardState:
    """The state after an event that ends the board, its ruling and result written down.

    Parameters
    ----------
    winner : Seat or None
        The winning side; None if the board has none.
    left : (int, int)
        White and black pieces on the board; unchanged if not given.
    points : mapping
        What the board brings each side.
    pieces, queen_points, extra : int
        What the winner's points are made of, and what may be claimed on top.
    **result
        Further fields of the result.
    """
    sides = state.table.sides
    if any(state.dues) and winner:
        note.cite("due_written_off")
        note.say("due_written_off")
    brings = {s: (points or {}).get(s, 0) for s in sides}
    if winner and "award" not in result:
        note.say("won_by", winner=state.table.side_names(winner), n=brings[winner])
    elif not winner and "replay" not in result:
        note.say("nobody_won")
    outcome = Result(
        winner=winner,
        points=brings,
        demandable={s: extra if s == winner else 0 for s in sides},
        pieces=pieces,
        queen_points=queen_points,
        slam=slam,
        says=tuple(m for m in note.says if m[0] not in OF_THE_STROKE),
        clauses=note.clauses(state),
        **{"replay": False} | result,
    )
    over = state._replace(
        white=state.white if left is None else left[0],
        black=state.black if left is None else left[1],
        queen=state.queen if queen is None else queen,
        turn=None,
        dues=state.no_dues,
        offered=state.no_dues,
        expected=(),
        placing=False,
        aside=0,
        result=outcome,
    )
    return record(over, note, by=by, placings=tuple(Expected(c, placer(state, c, by, note), n) for c, n in note.out.items() if n))


def record(state: BoardState, note: Note, *, by: Seat, placings: tuple[Expected, ...] = ()) -> BoardState:
    """The state with the ruling on its last event written down."""
    ruling = _ruling(state, note, by, state.event, state.white, state.black, state.queen, state.turn, state.dues, state.scores, placings)
    return state._replace(rulings=(*state.rulings, ruling), remarks=())


@lru_cache(4096)
def _by_side(sides: tuple[Seat, ...], values: Counts) -> Mapping[Seat, int]:
    return dict(zip(sides, values, strict=True))


def _ruling(
    state: BoardState,
    note: Note,
    by: Seat,
    event: int,
    white: int,
    black: int,
    queen: Queen,
    turn: Seat | None,
    dues: Counts,
    scores: Counts,
    placings: tuple[Expected, ...],
) -> Ruling:
    """A ruling written down; one without any clause says so."""
    if queen.state == "on_board" and state.rulings and state.rulings[-1].queen.state == "early":
        note.cite("queen_early")
    clauses = note.clauses(state)
    if not clauses and not note.discrepancies and not note.flags and note.call != "play":
        note.flag("silent", what=Term("this_call" if note.call else "this_matter"))
    sides = state.table.sides
    return Ruling(
        event,
        by,
        note.call,
        note.fouls,
        note.counted,
        note.out,
        _by_side(sides, dues),
        white,
        black,
        queen,
        turn,
        turn == by,
        _by_side(sides, scores),
        clauses,
        tuple(note.says),
        placings,
        tuple([_with_laws(state.book, f) for f in note.flags]) if note.flags else (),
        (*state.remarks, *note.discrepancies),
    )


def _with_laws(book: LawBook, flag: Flag) -> Flag:
    """A flag with the ICF laws behind its readings, where the book is made of them."""
    laws = LAWS_OF_READINGS.get(flag.kind)
    if laws is None:
        return flag
    cited = {c for clauses in book.clauses.values() for c in clauses}
    return Flag(flag.kind, {**flag.values, **{k: f" ({law})" if law in cited else "" for k, law in laws.items()}})


def placer(state: BoardState, piece: Colour, by: Seat, note: Note, off: bool = False) -> Seat | None:
    """Who puts a piece back; None: the umpire.

    The one at turn if it is his opponent's, else the player on his right (78b); the Queen and what left the board are the
    umpire's where there is one (93, 65).
    """
    if piece == "queen" or off:
        if state.book.queen.placed_by == "umpire":
            return None
        if piece == "queen":
            return state.table.after(by)
    at_turn = by if note.call is None or state.turn is None else state.turn
    if state.book.dues.pieces_placed_by == "opponent":
        return state.table.after(by)
    if not state.book.owned:
        return state.table.after(at_turn)
    mine = state.side_with(piece) == state.table.side_of[at_turn]
    return state.table.after(at_turn) if mine else at_turn
