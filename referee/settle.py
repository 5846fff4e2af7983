"""What every ruling has in common: pieces come back, dues are paid where they can be, the turn goes on, the ruling is written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from models.stroke import COLOURS, FULL_SET, Colour, Seat
from referee.rulings import Discrepancy, Expected, Flag, Queen, Result, Ruling, Slam
from referee.state import BoardState
from referee.texts import flag_text, rule_text


@dataclass(slots=True)
class Note:
    """What a ruling will say, gathered while it is made."""

    call: str | None = None
    fouls: tuple[str, ...] = ()
    rules: list[tuple[str, Mapping[str, object]]] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    discrepancies: list[Discrepancy] = field(default_factory=list)

    def rule(self, key: str, **values: object) -> None:
        """Cite a rule: its clauses and its sentence."""
        self.rules.append((key, values))

    def flag(self, key: str, **values: object) -> None:
        """Ask the umpire."""
        self.flags.append(Flag(key, flag_text(key, values)))

    def clauses(self, state: BoardState) -> tuple[str, ...]:
        return tuple(dict.fromkeys(c for key, _ in self.rules for c in state.book.clauses[key]))

    def text(self) -> str:
        return " ".join(rule_text(key, values) for key, values in self.rules)


def settle(
    state: BoardState,
    note: Note,
    *,
    by: Seat,
    turn: Seat,
    fell: Mapping[Colour, int] | None = None,
    returned: Mapping[Colour, int] | None = None,
    queen: Queen | None = None,
    costs: Mapping[Seat, int] | None = None,
    off_board: Mapping[Colour, int] | None = None,
    **changes: Any,
) -> BoardState:
    """The state after an event that leaves the board in play, its ruling written down.

    Parameters
    ----------
    turn : Seat
        Who strikes next.
    fell, returned : mapping
        Pieces that fell, and those of them that come back.
    queen : Queen
        Where the Queen is afterwards; unchanged if not given.
    costs : mapping
        New dues and penalties of each side.
    off_board : mapping
        What left the board and goes back to the centre.
    **changes
        Further fields of the state.
    """
    table = state.table
    fell, returned, costs = fell or {}, returned or {}, costs or {}
    at_turn = by if note.call is None or state.turn is None else state.turn
    left = {c: state.on_board(c) - fell.get(c, 0) + returned.get(c, 0) for c in ("white", "black")}
    paid = dict.fromkeys(table.sides, 0)
    dues = dict(zip(table.sides, state.dues, strict=True))
    for side in table.sides:
        colour, new = state.colour(side), costs.get(side, 0)
        dues[side] += new
        if dues[side] and (new or fell.get(colour)):
            paid[side] = min(dues[side], FULL_SET[colour] - left[colour])
            dues[side] -= paid[side]
            left[colour] += paid[side]
            if paid[side] > new:
                note.rule("due_paid", n=paid[side], colour=colour, debtor=_names(state, side))
            if dues[side] and new:
                note.rule("due_unavailable", n=dues[side], debtor=_names(state, side))
    after = state.queen if queen is None else queen
    back = int(after.state == "on_board" and (state.queen.state != "on_board" or bool(fell.get("queen"))))
    out: dict[Colour, int] = {state.colour(s): returned.get(state.colour(s), 0) + paid[s] for s in table.sides}
    out = {c: back if c == "queen" else out[c] for c in COLOURS}
    asked = [Expected(c, None if c == "queen" else _placer(state, c, at_turn), n) for c, n in out.items() if n]
    asked += [Expected(c, None, n) for c, n in (off_board or {}).items() if n]
    over_to_next = turn != state.turn
    turns = tuple(n + (over_to_next and s == table.side_of[turn]) for s, n in zip(table.sides, state.turns, strict=True))
    fresh: dict[str, Any] = {"tries": 0, "struck": False, "turns": turns} if over_to_next else {}
    new_state = replace(
        state,
        white=left["white"],
        black=left["black"],
        queen=after,
        turn=turn,
        dues=tuple(dues[s] for s in table.sides),
        expected=(*(state.expected if note.call else ()), *asked),
        offered=tuple(paid[s] for s in table.sides),
        uncovered=state.queen.seat if state.queen.state == "pending" and after.state == "on_board" else None,
        **fresh | changes,
    )
    return record(new_state, note, by=by, out=out, placings=tuple(asked))


def end_board(
    state: BoardState,
    note: Note,
    *,
    by: Seat,
    winner: Seat | None,
    fell: Mapping[Colour, int] | None = None,
    queen: Queen | None = None,
    points: int = 0,
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
    points, pieces, queen_points, extra : int
        What it brings, what that is made of, and what may be claimed on top.
    **result
        Further fields of the result.
    """
    fell, sides = fell or {}, state.table.sides
    if any(state.dues) and winner:
        note.rule("due_written_off")
    outcome = Result(
        winner=winner,
        points={s: points if s == winner else 0 for s in sides},
        demandable={s: extra if s == winner else 0 for s in sides},
        pieces=pieces,
        queen_points=queen_points,
        slam=slam,
        reason=note.text(),
        clauses=note.clauses(state),
        **{"replay": False} | result,
    )
    zeros = tuple(0 for _ in sides)
    over = replace(
        state,
        white=state.white - fell.get("white", 0),
        black=state.black - fell.get("black", 0),
        queen=state.queen if queen is None else queen,
        turn=None,
        dues=zeros,
        offered=zeros,
        expected=(),
        placing=False,
        wrong=None,
        result=outcome,
    )
    return record(over, note, by=by)


def record(
    state: BoardState, note: Note, *, by: Seat, out: Mapping[Colour, int] | None = None, placings: tuple[Expected, ...] = ()
) -> BoardState:
    """The state with the ruling on its last event written down."""
    ruling = Ruling(
        event=state.event,
        by=by,
        call=note.call,
        fouls=note.fouls,
        out=out or dict.fromkeys(COLOURS, 0),
        dues=state.table.by_side(state.dues),
        white=state.white,
        black=state.black,
        queen=state.queen,
        turn=state.turn,
        continues=state.turn == by,
        scores=state.table.by_side(state.scores),
        clauses=note.clauses(state),
        text=note.text(),
        placings=placings,
        flags=tuple(note.flags),
        discrepancies=(*state.remarks, *note.discrepancies),
    )
    return replace(state, rulings=(*state.rulings, ruling), remarks=())


def _placer(state: BoardState, colour: Colour, at_turn: Seat) -> Seat:
    """Who places pieces of a colour (78b): the one at turn if they are his opponent's, else the player to his right."""
    mine = state.side_with(colour) == state.table.side_of[at_turn]
    return state.table.after(at_turn) if mine else at_turn


def _names(state: BoardState, side: Seat) -> str:
    return " and ".join(name for seat, name in state.table.names.items() if state.table.side_of[seat] == side)
