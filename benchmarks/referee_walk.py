"""Every stroke that can happen, from many positions and several strokes deep: what has to hold, and how many there are.

As chess engines are proved by counting the moves from a position (perft): a change of any ruling shows in a count. States that later
strokes cannot tell apart are walked on from once, where they are first met.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from itertools import product
from typing import Any, Final

from models.stroke import FULL_SET, Colour, Piece, Seat, Stroke
from referee.board import apply
from referee.rulings import Ruling
from referee.state import BoardState

UP_TO: Final = 2
"""Pieces of a colour that fall by one stroke."""
IMPROPER: Final = "pushed"
"""What makes a stroke improper in the walk: every book that knows improper strokes knows it."""


@dataclass
class Counts:
    """What was met after a number of strokes.

    Attributes
    ----------
    states : int
        States first met there, which are walked on from.
    strokes : int
        Strokes from them. The other numbers are those of their rulings.
    goes_on : int
        Strokes after which the same player is at turn.
    came_back : int
        Pieces that came out of the pockets.
    owed : int
        Dues owed after them.
    over : int
        Boards that they ended.
    points : int
        Points of all sides of these boards.
    fouls, flagged, silent : int
        Offences; rulings that the umpire has to decide on; those for which the book has no clause.
    """

    states: int = 0
    strokes: int = 0
    goes_on: int = 0
    came_back: int = 0
    owed: int = 0
    over: int = 0
    points: int = 0
    fouls: int = 0
    flagged: int = 0
    silent: int = 0


COLUMNS: Final = tuple(f.name for f in fields(Counts))


@dataclass
class Walk:
    """A walk over all strokes.

    Attributes
    ----------
    every : int
        Of the states first met after a stroke, every so many are walked on from.
    levels : list of Counts
        After no stroke, after one, and so on.
    faults : dict of str to str
        The first ruling with each fault: state, stroke and ruling. A stroke with a fault is not walked on from.
    faulty : int
        How many rulings have one.
    """

    every: int = 1
    levels: list[Counts] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)
    faulty: int = 0
    _seen: set[tuple[Any, ...]] = field(default_factory=set)
    _said: set[tuple[Any, ...]] = field(default_factory=set)

    def go(self, starts: Iterable[BoardState], depth: int) -> list[Counts]:
        """Walk all strokes from some states; the counts by number of strokes."""
        level = {key(s, depth): s._replace(rulings=()) for s in starts}
        self._seen |= level.keys()
        for left in reversed(range(depth)):
            level = self._level([*level.values()][:: self.every if self.levels else 1], left)
        return self.levels

    def _level(self, states: Iterable[BoardState], left: int) -> dict[tuple[Any, ...], BoardState]:
        """All strokes from some states; what is met by them and walked on from for `left` strokes more."""
        counts, found = Counts(), {}
        for state in states:
            counts.states += 1
            for stroke in outcomes(state):
                after = self._stroke(state, stroke, counts)
                if left and after is not None and after.result is None and (k := key(after, left)) not in self._seen:
                    self._seen.add(k)
                    found[k] = after._replace(rulings=())
        self.levels.append(counts)
        return found

    def _stroke(self, state: BoardState, stroke: Stroke, counts: Counts) -> BoardState | None:
        counts.strokes += 1
        try:
            after = apply(state, stroke)
        except Exception as e:  # whatever it is, it is a fault
            self._fault(f"{type(e).__name__}: {e}", state, stroke, "")
            return None
        ruling = after.rulings[-1]
        wrong = what_is_wrong(state, stroke, after, ruling)
        said = (tuple(m[0] for m in ruling.says), stroke.pocketed, stroke.off_board, *ruling.out.values())
        if not wrong and said not in self._said:
            self._said.add(said)
            wrong = _unreadable(after, ruling)
        if wrong:
            self._fault(wrong, state, stroke, f" {ruling}")
        counts.goes_on += ruling.continues
        counts.came_back += sum(ruling.out.values())
        counts.owed += sum(after.dues)
        counts.fouls += len(ruling.fouls)
        counts.flagged += bool(ruling.flags)
        counts.silent += not ruling.clauses
        if after.result is not None:
            counts.over += 1
            counts.points += sum(after.result.points.values())
        return after if not wrong else None

    def _fault(self, what: str, state: BoardState, stroke: Stroke, ruling: str) -> None:
        self.faulty += 1
        self.faults.setdefault(what, f"{shown(state)}: {stroke}:{ruling}")


def key(state: BoardState, left: int) -> tuple[Any, ...]:
    """What the next `left` strokes can tell of a state: two states with the same key get the same rulings by them,
    but for the points won before where a piece belongs to whoever pockets it.

    Left out is what only calls and placings look at (who struck last, what is to be put back), the numbers of events, and of turns
    all but what a slam needs.
    """
    book, table = state.book, state.table
    queen = state.queen
    unbroken = not state.broken
    return (
        table.order,
        state.before,
        state.breaker,
        state.white,
        state.black,
        queen.state,
        queen.seat and (table.side_of[queen.seat] if queen.state == "covered" else queen.seat),
        state.turn,
        state.dues,
        (state.tries, state.awaits_play) if unbroken else None,
        state.right,
        tuple(min(n, 2) for n in state.turns) if state.whole and book.points.slams else None,
        state.idle if book.match.idle_passes else None,
        _points(state, left),
        _won(state, left),
        state.aside,
        state.queen_in_turn,
        state.strokes if book.match.strokes else None,
    )


def _points(state: BoardState, left: int) -> tuple[int | None, ...]:
    """What each side has won in this board; where a piece belongs to whoever pockets it, if `left` strokes can end the board by it."""
    book = state.book
    if book.owned or state.white + state.black <= left * 2 * UP_TO:
        return state.gained
    target, most = book.match.target, UP_TO * (book.pieces.white + book.pieces.black) + book.points.queen
    totals = [b + g for b, g in zip(state.before, state.gained, strict=True)]
    strokes = [_strokes_of(state, side, left) for side in state.table.sides]
    return tuple(n if target and k and n + k * most >= target else None for n, k in zip(totals, strokes, strict=True))


def _won(state: BoardState, left: int) -> tuple[Any, ...]:
    """What each player has won last, as much as `left` strokes can bring back: the last piece comes back first."""
    book = state.book
    if book.owned:
        return ()
    costs = sum(o.pieces for o in book.offences.values())
    most = min(costs, book.dues.most_per_stroke or costs)
    won = []
    for seat in state.table.order:
        strokes = _strokes_of(state, state.table.side_of[seat], left)
        reach = strokes * most + (state.dues[state.table.index(seat)] if strokes else 0)
        won.append(tuple(c for s, c in state.taken if s == seat)[-reach:] if reach else ())
    return tuple(won)


def _strokes_of(state: BoardState, side: Seat, left: int) -> int:
    """How many of the next `left` strokes a side can make at most."""
    order, table = state.table.order, state.table
    first = order.index(state.turn) if state.turn else 0
    waits = min((order.index(seat) - first) % len(order) for seat in order if table.side_of[seat] == side)
    return max(0, left - waits)


def outcomes(state: BoardState) -> Iterator[Stroke]:
    """Every stroke of the one at turn.

    Own and opponent's pieces up to two, the Queen, the striker, proper or not, touched or not, and nothing, the striker or a piece of
    either colour off the board. Where a piece fell, a stroke that touched none is ruled on like one that did, but for a flag, and left out.
    """
    seat = state.turn
    if seat is None:
        return
    there = (state.white, state.black, int(state.queen.state == "on_board"))
    for (white, black, queen), stroke in _strokes(seat):
        if white <= there[0] and black <= there[1] and queen <= there[2]:
            yield stroke


@cache
def _strokes(seat: Seat) -> tuple[tuple[tuple[int, int, int], Stroke], ...]:
    """Strokes of a seat with what each takes off the board: white, black, Queen."""
    strokes = []
    off: Piece | None
    several = range(UP_TO + 1)
    for white, black, queen, striker, bad, off in product(
        several, several, (0, 1), (0, 1), (False, True), (None, "striker", "white", "black")
    ):
        if striker and off == "striker":
            continue
        numbers: tuple[tuple[Piece, int], ...] = (("white", white), ("black", black), ("queen", queen), ("striker", striker))
        fell = tuple(piece for piece, n in numbers for _ in range(n))
        needs = (white + (off == "white"), black + (off == "black"), queen)
        for touched in (True,) if white + black + queen else (True, False):
            stroke = Stroke(seat, fell, touched, (off,) if off else (), (IMPROPER,) if bad else ())
            strokes.append((needs, stroke))
    return tuple(strokes)


def what_is_wrong(before: BoardState, stroke: Stroke, after: BoardState, ruling: Ruling) -> str | None:
    """What does not hold after a stroke, in words; None if everything does."""
    fell, out, over = stroke.pocketed, ruling.out, after.result is not None
    if len(after.rulings) != len(before.rulings) + 1:
        return "not one ruling"
    whites = before.white - fell.count("white") + out["white"]
    blacks = before.black - fell.count("black") + out["black"]
    if (after.white, after.black) != (whites, blacks) or not (0 <= whites <= FULL_SET["white"] and 0 <= blacks <= FULL_SET["black"]):
        return "what fell and came back is not what lies" + (" when the board is over" if over else "")
    on = (before.queen.state == "on_board") - fell.count("queen") + out["queen"]
    if on != (after.queen.state == "on_board"):
        return "the queen lies and did not come back, or the other way"
    if (ruling.white, ruling.black, ruling.queen, ruling.turn) != (after.white, after.black, after.queen, after.turn):
        return "the ruling tells another board"
    if min(after.dues, default=0) < 0 or tuple(ruling.dues.values()) != after.dues:
        return "dues are negative, or not those of the ruling"
    if (after.turn is None) != over or (after.turn is not None and after.turn not in after.table.order):
        return "nobody is to strike, or somebody is and the board is over"
    if min(ruling.scores.values()) < 0:
        return "a score is negative"
    if not (ruling.clauses or ruling.flags or ruling.discrepancies):
        return "it cites no clause and flags nothing"
    if over:
        return _ended_wrongly(after)
    asked: dict[Colour, int] = {c: sum(e.n for e in ruling.placings if e.piece == c) for c in out}
    if asked != {c: n + stroke.off_board.count(c) for c, n in out.items()}:
        return "what came back and left the board is not what is to be placed"
    if not after.book.owned:
        return _won_wrongly(before, after)
    if min(after.white, after.black) < 1 and not (after.aside and after.turn and after.left(after.turn) == 0):
        return "a side has no piece, and the board goes on"
    return None


def _won_wrongly(before: BoardState, after: BoardState) -> str | None:
    """Where a piece belongs to whoever pockets it, what is off the board has been won by somebody."""
    colours: tuple[Colour, ...] = ("white", "black")
    for colour in colours:
        off = [s.pocketed(colour) - sum(c == colour for _, c in s.taken) for s in (before, after)]
        if off[0] != off[1]:
            return f"{colour} pieces fell that nobody has won"
    return None


def _ended_wrongly(after: BoardState) -> str | None:
    result = after.result
    if result is None:
        return "the board is not over"
    if any(after.dues) or after.expected:
        return "a board that is over asks for pieces"
    if after.book.owned and (min(result.points.values()) < 0 or min(result.demandable.values()) < 0):
        return "points are negative"
    if result.winner is not None and result.winner not in after.table.sides:
        return "won by nobody who plays"
    return None


def _unreadable(after: BoardState, ruling: Ruling) -> str | None:
    texts = [ruling.text, *(f.text for f in ruling.flags), *(d.text for d in ruling.discrepancies)]
    if after.result is not None:
        texts.append(after.result.reason)
    if all(texts) and not any(c in t for t in texts for c in "{}\n"):
        return None
    return "a text is empty, or has a value left out"


def shown(state: BoardState) -> str:
    """A state in one line, for a complaint."""
    return (
        f"{state.book.id}: {state.white} white, {state.black} black, queen {state.queen}, {state.turn} at turn, dues {state.dues}, "
        f"scores {state.scores}, {'broken' if state.broken else 'unbroken'}, right {sorted(state.right)}, aside {state.aside}, "
        f"queen in turn {state.queen_in_turn}, won {state.taken}"
    )
