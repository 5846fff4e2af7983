"""A synthetic match: strokes played one after the other on the physics core.

The turn, the queen and the dues are kept here in the plain way that two players keep them among themselves (ICF laws
48, 52, 72 to 75, 92 to 101 for proper strokes), so that the match goes on sensibly. Rulings are the referee's affair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.board import ICF, BoardSpec, rack
from models.physics import Dynamics, Motion, State, simulate
from models.scene.players import Shot, Skill, Wish, choose, strike_break
from models.stroke import FULL_SET, OPPOSITE, Colour, Piece, Pocketed, Seat, Start

Array = NDArray[np.float64]
Kind: TypeAlias = Literal["brk", "own", "own2", "opp", "queen", "striker", "ownstriker", "miss", "notouch"]

STRIKER: Final = 19
"""Index of the striker among the twenty discs."""
MAX_STROKES: Final = 150
"""A board that takes longer is left unfinished."""
QUEEN_POINTS: Final = 3
QUEEN_COUNTS_TO: Final = 21
"""The queen counts for a winner who stood at no more than this before the board (ICF law 54)."""


@dataclass(frozen=True)
class Put:
    """A piece that a hand puts back: its index, who puts it, where (mm)."""

    piece: int
    by: Seat
    at: tuple[float, float]


@dataclass(frozen=True)
class Result:
    """How a board ended."""

    winner: Seat
    points: int
    why: str


@dataclass(frozen=True)
class Played:
    """One stroke and what followed.

    Attributes
    ----------
    by : Seat
    shot : Shot
    before : ndarray, shape (19, 2)
        Places before the stroke (mm); NaN for pieces that are not on the board.
    motion : Motion
        Of the 19 pieces and, last, the striker.
    fallen : tuple of Pocketed
        In the order of falling, times from the release.
    kind : str
        What the stroke was, in a word.
    puts : tuple of Put
        What is put back after it.
    after : ndarray, shape (19, 2)
        Places once all is put back.
    turn : Seat
        Who strikes next.
    covered : Seat or None
        Who has covered the queen by now.
    result : Result or None
        Set by the last stroke of a board.
    """

    by: Seat
    shot: Shot
    before: Array
    motion: Motion
    fallen: tuple[Pocketed, ...]
    kind: Kind
    puts: tuple[Put, ...]
    after: Array
    turn: Seat
    covered: Seat | None
    result: Result | None


@dataclass
class Table:
    """A board in play: where the pieces lie and what the players owe."""

    breaker: Seat
    turn: Seat
    classes: tuple[Piece, ...]
    places: Array
    broken: bool = False
    pending: Seat | None = None
    covered: Seat | None = None
    dues: dict[Seat, int] = field(default_factory=dict)
    earned: dict[Seat, bool] = field(default_factory=dict)
    scores: dict[Seat, int] = field(default_factory=dict)
    foe: Seat = "north"

    def colour(self, seat: Seat) -> Colour:
        return "white" if seat == self.breaker else "black"

    def other(self, seat: Seat) -> Seat:
        return self.foe if seat == self.breaker else self.breaker

    def lying(self, cls: Piece) -> list[int]:
        return [i for i, c in enumerate(self.classes) if c == cls and not np.isnan(self.places[i, 0])]

    def pocketed(self, cls: Piece) -> list[int]:
        return [i for i, c in enumerate(self.classes) if c == cls and np.isnan(self.places[i, 0])]


def set_up(breaker: Seat, rng: Generator, board: BoardSpec = ICF, scores: dict[Seat, int] | None = None) -> Table:
    """The rack, laid by hand: turned a little and a shade off the middle."""
    classes, places = rack(board, float(rng.normal(0, 0.05) + rng.choice([0.0, np.pi])))
    return Table(breaker, breaker, tuple(classes), places + rng.normal(0, 0.5, 2), scores=dict(scores or {}), foe=OPPOSITE[breaker])


def set_out(start: Start, rng: Generator, board: BoardSpec = ICF) -> Table:
    """A position in the middle of a board: as many pieces as `start` says, strewn over the surface."""
    breaker = start.breaker or "south"
    classes, _ = rack(board)
    table = Table(breaker, start.turn or breaker, tuple(classes), np.full((19, 2), np.nan), broken=True, foe=OPPOSITE[breaker])
    table.dues, table.scores = dict(start.dues), dict(start.scores)
    counts: dict[Piece, int] = {
        "white": FULL_SET["white"] if start.white is None else start.white,
        "black": FULL_SET["black"] if start.black is None else start.black,
    }
    queen, _, seat = (start.queen or "on_board").partition(":")
    counts["queen"] = int(queen == "on_board")
    for who in (breaker, table.foe):
        table.earned[who] = counts[table.colour(who)] < FULL_SET[table.colour(who)]
        if seat == who:
            table.covered = who if queen == "covered" else None
            table.pending = who if queen == "pending" else None
    for cls, count in counts.items():
        for i in table.pocketed(cls)[:count]:
            table.places[i] = _strewn(table.places, rng, board)
    return table


def _strewn(places: Array, rng: Generator, board: BoardSpec) -> Array:
    """A free place anywhere but over a pocket."""
    while True:
        p = rng.uniform(board.piece_radius, board.side - board.piece_radius, 2)
        clear = not np.any(np.hypot(*(places - p).T) < 2 * board.piece_radius + 1)
        if clear and board.nearest_pocket(*p)[1] > board.pocket_radius + board.piece_radius:
            return np.asarray(p, np.float64)


def play(
    table: Table, rng: Generator, skills: Mapping[Seat, Skill] | None = None, board: BoardSpec = ICF, dynamics: Dynamics | None = None
) -> Iterator[Played]:
    """Play the board on from `table`, which is kept up to date; ends with the stroke that has a result, or after `MAX_STROKES`."""
    dynamics = dynamics or Dynamics()
    for _ in range(MAX_STROKES):
        by, before = table.turn, table.places.copy()
        shot = _next_shot(table, rng, (skills or {}).get(by), board, dynamics)
        state = State.resting([*table.classes, "striker"], np.vstack([before, shot.place]), board)
        motion = simulate(state.struck(STRIKER, *shot.velocity), board, dynamics)
        fallen = tuple(Pocketed(state.cls[f.index], f.pocket, f.t) for f in motion.pocketed)
        table.places = motion.final.positions()[:STRIKER]
        kind = _kind(table, by, fallen, motion.first_contact is not None)
        result = _finish(table, by, fallen)
        puts = () if result else _rule(table, by, fallen, motion.first_contact is not None, rng, board)
        yield Played(by, shot, before, motion, fallen, kind, puts, table.places.copy(), table.turn, table.covered, result)
        if result:
            return


def _next_shot(table: Table, rng: Generator, skill: Skill | None, board: BoardSpec, dynamics: Dynamics) -> Shot:
    by = table.turn
    if not table.broken:
        return strike_break(by, rng, board)
    on_board = bool(table.lying("queen"))
    right = on_board and table.earned.get(by, False) and not table.dues.get(by)
    wish = Wish(table.colour(by), right, table.pending == by, on_board)
    return choose(table.classes, table.places, by, wish, rng, skill, board, dynamics)


def _kind(table: Table, by: Seat, fallen: tuple[Pocketed, ...], touched: bool) -> Kind:
    names = [f.cls for f in fallen]
    own = names.count(table.colour(by))
    if not table.broken:
        return "brk"
    if "striker" in names:
        return "ownstriker" if own else "striker"
    if "queen" in names:
        return "queen"
    if own:
        return "own2" if own > 1 else "own"
    if names:
        return "opp"
    return "miss" if touched else "notouch"


def _finish(table: Table, by: Seat, fallen: tuple[Pocketed, ...]) -> Result | None:
    """Whether this stroke ended the board, and how (ICF laws 52 to 55 and 102 to 112)."""
    foe = table.other(by)
    names = [f.cls for f in fallen]
    left, foes = len(table.lying(table.colour(by))), len(table.lying(table.colour(foe)))
    if left and foes:
        return None
    queen_open = table.covered is None
    coming = table.pending == by or ("queen" in names and not table.dues.get(by))
    mine: Seat | None = by if table.covered == by or (queen_open and coming) else None
    striker = "striker" in names
    if left == 0 and foes and striker and (not queen_open or coming):
        return None
    if left == 0 and not striker and (mine == by or not queen_open):
        winner, with_queen = by, mine == by
        why = f"{by} clears {table.colour(by)}"
    elif left == 0:
        winner, with_queen = foe, queen_open or table.covered == foe
        why = (
            f"{by} pockets the last {table.colour(by)} with the queen uncovered"
            if queen_open
            else f"{by} pockets the striker with both last pieces"
        )
    else:
        winner, with_queen = foe, queen_open or table.covered == foe
        why = f"{by} pockets the last {table.colour(foe)} of {foe}"
    if queen_open and mine == by and winner == by:
        table.covered = by
    queen = QUEEN_POINTS if with_queen and table.scores.get(winner, 0) <= QUEEN_COUNTS_TO else 0
    rest = foes if winner == by else left
    return Result(winner, max(1, rest + queen), why)


def _rule(table: Table, by: Seat, fallen: tuple[Pocketed, ...], touched: bool, rng: Generator, board: BoardSpec) -> tuple[Put, ...]:
    """Turn, queen and dues after a stroke that did not end the board; what is put back."""
    foe, colour = table.other(by), table.colour(by)
    names = [f.cls for f in fallen]
    own, queen, striker = names.count(colour), "queen" in names, "striker" in names
    nine = len(table.lying(colour)) + own == FULL_SET[colour]
    owed = table.dues.get(by, 0)
    queen_out, goes_on, back = False, own > 0, 0
    if striker:
        back, owed = own, owed + 1
        queen_out = queen or (table.pending == by and own == 0)
        goes_on = own > 0 or (queen and not nine)
        table.pending = by if table.pending == by and own > 0 else None
    elif queen:
        if owed or (own == 0 and not table.earned.get(by)):
            queen_out, goes_on = True, False
        elif own == 0 or (nine and own == 1):
            table.pending, goes_on = by, True
        else:
            table.covered = by
    elif table.pending == by:
        table.covered, queen_out = (by, False) if own else (None, True)
        table.pending = None
    table.earned[by] = table.earned.get(by, False) or own > 0
    table.broken = table.broken or touched
    table.turn = by if goes_on or not table.broken else foe
    puts: list[Put] = []
    paid = min(owed, len(table.pocketed(colour)) - back)
    table.dues[by] = owed - paid
    for piece in table.pocketed(colour)[: back + paid]:
        puts.append(_put(table, piece, foe, rng, board))
    if queen_out:
        puts.append(_put(table, table.classes.index("queen"), foe, rng, board))
    pending_due = table.dues.get(foe, 0)
    for piece in table.pocketed(table.colour(foe))[:pending_due]:
        puts.append(_put(table, piece, by, rng, board))
        table.dues[foe] -= 1
    return tuple(puts)


def _put(table: Table, piece: int, by: Seat, rng: Generator, board: BoardSpec) -> Put:
    """Put a piece back: the queen in the middle, the others inside the outer circle and clear of the centre circle."""
    c, r = board.side / 2, board.piece_radius
    queen = table.classes[piece] == "queen"
    low, high = (0.0, 1.0) if queen else (board.centre_radius + r + 1, board.outer_radius - r)
    for attempt in range(2000):
        if attempt % 40 == 39:
            low, high = max(0.0, low - queen), high + 2.0
        radius, angle = rng.uniform(low, high), rng.uniform(0, 2 * np.pi)
        p = np.array([c + radius * np.cos(angle), c + radius * np.sin(angle)])
        if not np.any(np.hypot(*(table.places - p).T) < 2 * r + 0.5):
            break
    table.places[piece] = p
    return Put(piece, by, (float(p[0]), float(p[1])))
