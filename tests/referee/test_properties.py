"""What holds in every board of every law book: pieces are conserved, nobody owes less than nothing, one side is to strike or it is over."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.referee_positions import SEATED, positions
from benchmarks.referee_walk import outcomes, shown, what_is_wrong
from models.corrections import before_corrections, correct, parse_correction
from models.errors import BadInput
from models.stroke import CALLS, COLOURS, IMPROPER, Board, Call, Event, Match, Piece, Placing, Player, Stroke
from models.stroke_log import log_to_json, parse_log
from referee.board import apply, can
from referee.engine import rule_match, state_after
from referee.lawbook_files import known_lawbooks, load_lawbook
from referee.laws import OFFENCES, SECTIONS, LawBook, Offence
from referee.laws import settings as settings_of
from referee.placings import close_placings
from referee.state import BoardState
from tests.referee.boards import ICF, board

STROKES: Final = 200
BOOKS: Final = known_lawbooks()
GRAVE: Final = ("abusive", "refused", "concede", "replay", "disturbed", "left_seat")
"""Calls that may end a board, and are seldom."""
SEEDS: Final = st.integers(0, 2**32 - 1)


def sound(before: BoardState, event: Event, after: BoardState) -> None:
    """The invariants of one step."""
    assert 0 <= after.white <= 9
    assert 0 <= after.black <= 9
    assert all(d >= 0 for d in after.dues)
    assert all(s >= 0 for s in after.scores)
    assert (after.turn is None) == after.over
    assert (after.queen.seat is None) == (after.queen.state in ("on_board", "none"))
    if isinstance(event, Placing):
        assert len(after.rulings) == len(before.rulings)
        assert 0 <= after.white - before.white <= event.pieces.count("white")
        assert 0 <= after.black - before.black <= event.pieces.count("black")
        return
    ruling = after.rulings[-1]
    if isinstance(event, Stroke):
        wrong = what_is_wrong(close_placings(before), event, after, ruling)
        assert wrong is None, f"{wrong}: {shown(before)}: {event}"
        return
    assert len(after.rulings) == len(before.rulings) + 1
    assert ruling.clauses or ruling.discrepancies or ruling.flags or event.call == "play"
    assert ruling.text or ruling.discrepancies or ruling.flags
    assert all(0 <= n <= 9 for n in ruling.out.values())
    assert dict(zip(after.table.sides, after.dues, strict=True)) == dict(ruling.dues)
    # A due that is waived is not put back; a foul takes off again what was placed wrongly (82b).
    waived = sum(before.offered) if event.call == "forgo" else 0
    lay = close_placings(before) if before.book.offences.get(event.call, Offence()).ruled_as == "no_touch" else before
    white, black = (lay.white + ruling.out["white"] - after.white, lay.black + ruling.out["black"] - after.black)
    assert (white, black) in ((0, 0), before.misplaced) or (0 <= white <= waived and 0 <= black <= waived)
    if not before.over:
        assert (lay.queen.state == "on_board") + ruling.out["queen"] == (after.queen.state == "on_board")


def an_event(state: BoardState, random: Random, strokes: int) -> Event:
    """Anything that can happen on a table, mostly a stroke by the one at turn."""
    by = random.choice((*[state.turn or state.breaker] * 9, *state.table.order))
    kind = random.randrange(20)
    if kind == 0:
        return Placing(by, tuple(random.choices(COLOURS, k=random.randrange(4))))
    if kind == 1 or state.over:
        # A first "Play" after the first stroke would make that stroke a break before it.
        usual = [c for c in CALLS if c not in GRAVE and (c != "play" or strokes != 1)]
        return Call(random.choice([*usual * 4, *GRAVE]), by)
    state = close_placings(state)
    pocketed: list[Piece] = ["striker"] if random.random() < 0.1 else []
    pocketed += ["queen"] if state.queen.state == "on_board" and random.random() < 0.15 else []
    off: list[Piece] = ["striker"] if not pocketed and random.random() < 0.05 else []
    for colour in ("white", "black"):
        left = state.on_board(colour)
        fell = random.randint(0, min(random.choice((0, 0, 0, 1, 1, 2, 9)), left))
        pocketed += [colour] * fell
        off += [colour] if fell < left and random.random() < 0.05 else []
    random.shuffle(pocketed)
    improper = (random.choice(IMPROPER),) if random.random() < 0.1 else ()
    touched, seconds = random.random() < 0.9, random.choice((None, None, 5.0, 40.0))
    return Stroke(by, tuple(pocketed), touched, tuple(off), improper, seconds, confidence=random.choice((None, 0.3, 0.9)))


def a_board(state: BoardState, random: Random, most: int) -> tuple[list[Event], BoardState]:
    """A board's events, with at most so many strokes, each step of it sound; and how it ends."""
    events: list[Event] = []
    strokes = 0
    while strokes < most and not state.over:
        event = an_event(state, random, strokes)
        if not can(state, event):
            continue
        after = apply(state, event)
        sound(state, event, after)
        events.append(event)
        strokes += isinstance(event, Stroke)
        state = after
    return events, state


def a_game(book: LawBook, random: Random, strokes: int = STROKES, **options: Any) -> Match:
    """Board after board until the match is over or so many strokes are played."""
    players = random.choice(book.match.players)
    seats = SEATED[players]
    match = Match(book.id, tuple(Player(s, s.capitalize()) for s in seats), random.choice(seats), (), options)
    left = strokes
    while left > 0:
        longer = with_board(match)
        try:
            state = state_after(longer, book, len(match.boards))
        except BadInput as e:
            assert "match was over" in str(e)
            break
        events, state = a_board(state, random, left)
        match = with_board(match, *events)
        left -= sum(isinstance(e, Stroke) for e in events)
    return match


def with_board(match: Match, *events: Event) -> Match:
    return Match(match.laws, match.players, match.first_break, (*match.boards, Board(events)), match.options)


def ruled(match: Match, book: LawBook) -> str:
    """The rulings on a log, as bytes are written."""
    return json.dumps(rule_match(match, book).to_json())


def read_again(match: Match) -> Match:
    return parse_log(json.loads(json.dumps(log_to_json(match))))


@pytest.mark.parametrize("laws", BOOKS)
@given(seed=SEEDS)
@settings(max_examples=15, deadline=None)
def test_random_boards_are_sound_and_the_written_log_is_ruled_the_same(laws: str, seed: int) -> None:
    book = load_lawbook(laws)
    match = a_game(book, Random(seed))
    assert ruled(read_again(match), book) == ruled(match, book)
    last = len(match.boards) - 1
    assert rule_match(match, book).boards[last].rulings == state_after(match, book, last).rulings


def a_correction(match: Match, random: Random) -> str:
    """What a reviewer might write, possible or not."""
    number = random.randrange(len(match.boards))
    events = match.boards[number].events
    k = random.randrange(len(events))
    where = f"board {number + 1} event {k + 1}"
    event, seat = events[k], random.choice(match.players).seat
    edits = ["delete", f"insert stroke by={seat} pocketed=white", f"insert call by={seat} call=foul", f"by={seat}"]
    if isinstance(event, Stroke):
        edits += ["pocketed=none", "pocketed=striker", f"touched={'no' if event.touched else 'yes'}", "improper=pushed", "off_board=black"]
    return f"{where} {random.choice(edits)} because=seen again"


@pytest.mark.parametrize("laws", BOOKS)
@given(seed=SEEDS)
@settings(max_examples=8, deadline=None)
def test_corrections_that_are_undone_leave_the_same_rulings(laws: str, seed: int) -> None:
    book, random = load_lawbook(laws), Random(seed)
    match = a_game(book, random, strokes=40)
    corrected = match
    for _ in range(4):
        try:
            longer = correct(corrected, parse_correction(a_correction(corrected, random)))
            ruled(longer, book)
        except (BadInput, ValueError):  # it is so already, or no board can go on like that
            continue
        corrected = longer
    assert ruled(read_again(corrected), book) == ruled(corrected, book)
    assert ruled(before_corrections(corrected)[0], book) == ruled(match, book)


def values_of(takes: str, check: Any) -> list[Any]:
    """Some values that a setting can have: all that are few, of numbers the small and the usual ones."""
    words = re.findall(r'"(\w+)"', takes)
    values: list[Any] = [True, False, *words, *range(10), 12, 15, 21, 25, 29, 100]
    return [v for v in values if check(v) is None]


def house_rules() -> Iterator[tuple[str, list[Any]]]:
    """Every option of a log, and values for it."""
    for section, (_, cls) in SECTIONS.items():
        for key, setting in settings_of(cls).items():
            if "a list" not in setting.metadata["takes"]:
                yield f"{section}.{key}", values_of(setting.metadata["takes"], setting.metadata["check"])
    for offence, (key, setting) in product(OFFENCES, settings_of(Offence).items()):
        yield f"offences.{offence}.{key}", values_of(setting.metadata["takes"], setting.metadata["check"])


OPTIONS: Final[Mapping[str, list[Any]]] = dict(house_rules())


@pytest.mark.parametrize("laws", BOOKS)
@given(seed=SEEDS)
@settings(max_examples=40, deadline=None)
def test_any_house_rules_conserve_pieces(laws: str, seed: int) -> None:
    book, random = load_lawbook(laws), Random(seed)
    options = {name: random.choice(OPTIONS[name]) for name in random.sample([*OPTIONS], random.choice((1, 3, 10, 40)))}
    try:
        book.with_options(options)
    except BadInput:
        return
    match = a_game(book, random, strokes=40, **options)
    assert ruled(read_again(match), book) == ruled(match, book)


def test_every_option_has_values_to_try() -> None:
    assert all(len(values) > 1 for values in OPTIONS.values())


@pytest.mark.parametrize("laws", BOOKS)
def test_every_call_is_ruled_soundly(laws: str) -> None:
    for _, start in positions(load_lawbook(laws)):
        for what, by in product(CALLS, start.table.order):
            event = Call(what, by)
            if can(start, event):
                sound(start, event, apply(start, event))


def test_points_by_the_one_formula_that_all_ends_follow() -> None:
    middles: tuple[dict[str, Any], ...] = ({"white": 1, "black": 1}, {"white": 2, "black": 1, "queen": "covered:north"})
    ended = 0
    for start in (board(**m) for m in (*middles, {"white": 1, "black": 2, "queen": "pending:south"})):
        for stroke in outcomes(start):
            result = apply(start, stroke).result
            if result and result.winner:
                ended += 1
                assert result.points[result.winner] == min(ICF.points.most, max(1, result.pieces + result.queen_points))
                assert result.queen_points in (0, ICF.points.queen)
    assert ended
