"""Settings of a law book that have no effect there, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from referee.laws import CALLED, OFFENCES, LawBook, Offence, settings

Idle: TypeAlias = tuple[str, tuple[str, ...]]
"""Why, and the settings."""

_DOUBLES: Final = 4
"""Players in doubles."""
_FEW: Final = 2
"""With no more players the turn goes to and fro whatever its direction."""
_CALLED: Final = (*CALLED, "third_interruption")
_IMPROPER: Final = ("improper", "improper_with_own", "improper_with_striker")
_ITSELF: Final = ("foul", "technical_foul", "third_interruption", "out_of_turn")
"""Calls that may be ruled as themselves whatever a book says."""
_NOTHING_FELL: Final = ("no_touch", "failed_break")
_OF_A_STROKE: Final = tuple(o for o in OFFENCES if o not in _CALLED)

_OWNED_ONLY: Final = (
    "match.idle_passes",
    "pieces.opponents_piece",
    "break.fouls_cost",
    "break.before_play",
    *(f"queen.{k}" for k in ("right", "early", "with_first_own", "nine_again", "with_opponents_piece", "with_due")),
    *(f"queen.{k}" for k in ("with_own_and_striker_at_nine", "by_foul", "by_opponents_piece")),
    *(f"ends.{k}" for k in ("others_last_before_queen", "others_last_after_queen", "lost_board")),
    *(f"points.{k}" for k in ("piece_left", "own_piece", "extra", "double_last_above", "slams")),
    "dues.paid",
    "offences.opponents_piece",
    "offences.own_last",
)
_OPEN_ONLY: Final = ("match.strokes", "pieces.white", "pieces.black")
_WITH_QUEEN: Final = (
    *(f"queen.{k}" for k in ("right", "early", "cover", "with_own", "with_first_own", "nine_again", "with_opponents_piece", "with_due")),
    *(f"queen.{k}" for k in ("with_own_and_striker_at_nine", "by_foul", "by_opponents_piece")),
    *(f"points.{k}" for k in ("queen", "queen_up_to")),
)


def idle_settings(book: LawBook) -> Mapping[str, tuple[str, ...]]:
    """Settings of a book without effect, by the reason why; each is named once.

    Settings are named as `match.target`, `offences.foul` or `offences.foul.pieces`.
    """
    found: dict[str, tuple[str, ...]] = {}
    named: set[str] = set()
    for reason, names in (*_of_settings(book), *_of_offences(book)):
        fresh = tuple(n for n in names if n not in named)
        if fresh:
            found[reason] = (*found.get(reason, ()), *fresh)
            named.update(fresh)
    return found


def _of_settings(book: LawBook) -> Iterator[Idle]:
    match, queen = book.match, book.queen
    if not book.owned:
        yield 'as pieces.owner = "who_pockets"', tuple(n for n in _OWNED_ONLY if not n.startswith("offences.") or _given(book, n))
    else:
        yield 'as pieces.owner = "side"', _OPEN_ONLY
    if not book.pieces.with_queen:
        yield "as pieces.with_queen = false", _WITH_QUEEN
    if max(match.players) <= _FEW:
        yield "as no more than two play", ("match.direction",)
    if not match.target:
        yield "as match.target = 0", ("match.total_capped",)
    if not match.max_boards:
        yield "as match.max_boards = 0", ("match.extra_board",)
    if match.games == 1 or match.change_sides != "each_game":
        why = "as match.games = 1" if match.games == 1 else f'as match.change_sides = "{match.change_sides}"'
        yield why, ("match.decider_change_boards", "match.decider_change_points")
    timeout = book.offences.get("timeout")
    if timeout is None or timeout.ruled_as != "no_touch":
        yield 'as offences.timeout is not ruled_as = "no_touch"', ("match.expired_clocks",)
    if not book.breaking.chances:
        fails = ("offences.failed_break",) if _given(book, "offences.failed_break") else ()
        yield "as break.chances = 0", ("break.fouls_cost", *fails)
    if queen.cover == "none":
        held = ("queen.with_own", "queen.with_first_own", "queen.nine_again", "queen.with_opponents_piece")
        yield 'as queen.cover = "none"', held
    if queen.right == "any_time":
        yield 'as queen.right = "any_time"', ("queen.early",)
    if book.dues.unpaid == "lapses":
        yield 'as dues.unpaid = "lapses"', ("queen.with_due",)
    if not book.points.queen or book.points.queen_up_to < 0:
        why = "as points.queen = 0" if not book.points.queen else "as points.queen_up_to = -1"
        yield why, ("points.queen_up_to",) if not book.points.queen else ("points.queen",)
    if book.owned:
        yield from _of_ends(book)
        yield from _of_the_queen(book)


def _of_ends(book: LawBook) -> Iterator[Idle]:
    ends = book.ends
    if ends.own_last_before_queen != "board_lost":
        yield f'as ends.own_last_before_queen = "{ends.own_last_before_queen}"', ("ends.lost_board",)
        if ends.others_last_before_queen != "board_lost":
            yield "as no last piece loses the board", ("points.extra", "points.double_last_above")
    elif _given(book, "offences.own_last"):
        yield 'as ends.own_last_before_queen = "board_lost"', ("offences.own_last",)


def _of_the_queen(book: LawBook) -> Iterator[Idle]:
    rows = [book.offences[o] for o in _OF_A_STROKE if o in book.offences and o != "failed_break"]
    if not any(r.foul and r.fell == "stays" for r in rows):
        yield "as the pieces of every foul come back", ("queen.by_foul",)
    striker = book.offences.get("striker_with_own") or book.offences.get("striker_pocketed")
    if striker and striker.turn == "lost":
        yield "as the striker with an own piece ends the turn", ("queen.with_own_and_striker_at_nine",)


def _of_offences(book: LawBook) -> Iterator[Idle]:
    if not book.pieces.improper:
        yield "as pieces.improper = []", tuple(f"offences.{o}" for o in _IMPROPER if o in book.offences)
    for name, row in book.offences.items():
        if name not in _CALLED:
            yield f"as {name} is no call", _keys(name, row, ("ruled_as",))
            if name in _NOTHING_FELL:
                yield f"as no piece falls with {name}", _keys(name, row, ("turn",))
            continue
        yield f"as {name} is a call", _keys(name, row, ("fell",))
        if row.ruled_as == "violation" and name not in _ITSELF:
            costs = ("pieces", "turn", "points", "loses", "doubt", "foul", "counted")
            yield f"as {name} is ruled as a foul or a technical foul", _keys(name, row, costs)
        elif row.loses != "nothing":
            yield f"as {name} loses the {row.loses}", _keys(name, row, ("pieces", "turn"))
    if book.owned and {"improper", "improper_with_own"} <= book.offences.keys():
        yield "as no own piece falls with improper beside improper_with_own", _keys("improper", book.offences["improper"], ("turn",))


def _keys(name: str, row: Offence, keys: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some keys of an offence that its line sets to something."""
    return tuple(f"offences.{name}.{k}" for k in keys if getattr(row, k) != settings(Offence)[k].default)


def _given(book: LawBook, setting: str) -> bool:
    return setting.partition(".")[2] in book.offences
