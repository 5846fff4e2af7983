"""The stroke log: every field goes there and back, and whatever is not of the form is refused in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import BadInput
from models.stroke import (
    CALLS,
    COLOURS,
    IMPROPER,
    PIECES,
    POCKETS,
    SEATS,
    Board,
    Call,
    Match,
    Placing,
    Player,
    Pocketed,
    Start,
    Stroke,
)
from models.stroke_log import log_to_json, parse_log, read_log, write_log

Json = dict[str, Any]


def a_log(**changes: Any) -> Json:
    players = [{"seat": "south", "name": "Asha"}, {"seat": "north", "name": "Bina"}]
    events = [{"type": "stroke", "by": "south", "pocketed": []}]
    log = {"format": "carromeye-strokes/1", "laws": "icf", "players": players, "first_break": "south", "boards": [{"events": events}]}
    return log | changes


def with_event(event: Any) -> Json:
    return a_log(boards=[{"events": [{"type": "stroke", "by": "north", "pocketed": []}, event]}])


def a_stroke(**changes: Any) -> Json:
    return with_event({"type": "stroke", "by": "south", "pocketed": []} | changes)


def with_start(**start: Any) -> Json:
    return a_log(boards=[{"start": start, "events": []}])


FULL = Match(
    laws="icf",
    players=(Player("south", "आशा"), Player("north", "Bina")),
    first_break="north",
    options={"target": 29, "clock_s": 10.5, "extra_board": False, "direction": "clockwise"},
    boards=(
        Board(
            start=Start(
                white=5,
                black=3,
                queen="pending:south",
                breaker="south",
                turn="south",
                dues={"north": 1},
                scores={"south": 22, "north": 10},
                taken={"south": {"white": 2, "queen": 1}},
            ),
            events=(
                Stroke(
                    by="south",
                    pocketed=("white", "striker"),
                    touched=True,
                    off_board=("black",),
                    improper=("pushed", "elbow"),
                    seconds=9.5,
                    t=61.3,
                    rest=64.0,
                    striker=(310.0, 622.5),
                    velocity=(-0.5, -1.25),
                    confidence=0.93,
                    pocketed_at=(Pocketed("white", "NW", 62.5), Pocketed("striker", "SE", 63.0)),
                ),
                Placing("north", ("white", "white"), t=66.0),
                Call("talking", "north", t=70.0),
                Stroke(by="south", touched=False),
            ),
        ),
        Board(),
        Board(start=Start(scores={"south": 3})),
    ),
)


def test_every_field_goes_there_and_back(tmp_path: Path) -> None:
    assert parse_log(log_to_json(FULL)) == FULL
    path = tmp_path / "strokes.json"
    write_log(FULL, path)
    assert read_log(path) == FULL


def test_the_file_is_for_people_too(tmp_path: Path) -> None:
    path = tmp_path / "strokes.json"
    write_log(FULL, path)
    text = path.read_text(encoding="utf-8")
    assert '"name": "आशा"' in text
    assert sum('"type":' in line for line in text.splitlines()) == 4
    assert json.loads(text) == log_to_json(FULL)
    write_log(Match("icf", FULL.players, "south", ()), path)
    assert read_log(path).boards == ()


def test_what_is_left_out_has_its_value() -> None:
    match = parse_log(a_log())
    assert match.boards[0].events == (Stroke(by="south"),)
    assert match.boards[0].start is None
    assert parse_log(a_log(options=None, players=[{"seat": "south"}, {"seat": "north"}])).players[0].name == "South"
    assert parse_log(a_log(boards=[{"start": None, "events": []}])).boards == (Board(),)
    assert parse_log(with_start(queen=None)).boards[0].start == Start()


def test_the_video_fields_are_written_as_the_contract_says() -> None:
    stroke = log_to_json(FULL)["boards"][0]["events"][0]
    assert stroke["pocketed_at"] == [{"cls": "white", "pocket": "NW", "t": 62.5}, {"cls": "striker", "pocket": "SE", "t": 63.0}]
    assert (stroke["striker"], stroke["velocity"], stroke["rest"], stroke["confidence"]) == ([310.0, 622.5], [-0.5, -1.25], 64.0, 0.93)
    plain = log_to_json(FULL)["boards"][0]["events"][3]
    assert plain == {"type": "stroke", "by": "south", "pocketed": [], "touched": False, "off_board": [], "improper": []}


PLAYERS = [{"seat": s} for s in SEATS]


@pytest.mark.parametrize(
    ("log", "says"),
    [
        (None, r"log: null is not an object"),
        ([], r"log: \[\] is not an object"),
        (a_log(format="carromeye-strokes/2"), r"format: 'carromeye-strokes/2' is not 'carromeye-strokes/1'"),
        (a_log(laws=None), "log: laws is missing"),
        (a_log(laws=3), "laws: 3 is not a text"),
        (a_log(lows="icf"), r"log: unknown field 'lows' \(known: format, laws, options, players, first_break, boards\)"),
        (a_log(players=[]), "players: nobody plays; a match has 1 to 4"),
        (a_log(players=[*PLAYERS, {"seat": "up"}]), r"players: player 5: seat: unknown seat 'up' \(known: south, east, north, west\)"),
        (a_log(players=[{"seat": "south"}, {"seat": "south"}]), "players: two players sit at 'south'"),
        (a_log(players=[{"seat": "south", "name": "a\nb"}, {"seat": "north"}]), r"player 1: name: 'a\\nb' has a control character"),
        (a_log(players=[{"seat": "south", "name": "\ud800"}, {"seat": "north"}]), "has a control character"),
        (a_log(first_break="east"), r"first_break: nobody sits at 'east' \(players: south, north\)"),
        (a_log(options=[]), r"options: \[\] is not an object"),
        (a_log(options={"target": None}), "options: target: null is not a number"),
        (a_log(boards={}), r"boards: \{\} is not a list"),
        (a_log(boards=[{}]), "board 1: events is missing"),
        (a_log(boards=[{"events": [], "end": 3}]), r"board 1: unknown field 'end' \(known: start, events, deleted\)"),
        (with_event(3), "board 1, event 2: 3 is not an event"),
        (with_event({"by": "south"}), "board 1, event 2: type is missing"),
        (with_event({"type": "shot"}), r"board 1, event 2: type: unknown event 'shot' \(known: stroke, placing, call\)"),
        (with_event({"type": "stroke", "by": "south"}), "board 1, event 2: pocketed is missing"),
        (a_stroke(by="up"), r"board 1, event 2: by: unknown seat 'up'"),
        (a_stroke(by="east"), r"by: nobody sits at 'east'"),
        (a_stroke(pocketed=["blue"]), r"pocketed: unknown piece 'blue' \(known: white, black, queen, str"),
        (a_stroke(pocketed="white"), "pocketed: 'white' is not a list"),
        (a_stroke(pocketed=["queen", "queen"]), "the queen leaves the board twice; there is one"),
        (a_stroke(pocketed=["striker"], off_board=["striker"]), "the striker leaves the board twice"),
        (a_stroke(touched=1), "touched: 1 is not true or false"),
        (a_stroke(improper=["thumb"]), "improper: unknown reason 'thumb'"),
        (a_stroke(seconds=-1), "seconds: -1 is below 0"),
        (a_stroke(t="1"), "t: '1' is not a number"),
        (a_stroke(t=True), "t: true is not a number"),
        (a_stroke(t=10**400), "t: 1000.* is not a number"),
        (a_stroke(confidence=1.2), "confidence: 1.2 is not between 0 and 1"),
        (a_stroke(striker=[1]), r"striker: \[1\] is not a pair of numbers"),
        (a_stroke(poketed=[]), "unknown field 'poketed'"),
        (a_stroke(pocketed_at=[{"cls": "white", "pocket": "N", "t": 1}]), "unknown pocket 'N'"),
        (a_stroke(pocketed_at=[{"cls": "white", "pocket": "NW"}]), "t is missing"),
        (with_event({"type": "placing", "by": "south", "pieces": ["striker"]}), "pieces: unknown piece 'striker'"),
        (with_event({"type": "placing", "by": "south"}), "pieces is missing"),
        (with_event({"type": "call", "by": "south", "call": "offside"}), "call: unknown call 'offside'"),
        (with_event({"type": "call", "call": "foul"}), "by is missing"),
        (with_start(white=10), "board 1, start: white: 10 is not a whole number from 0 to 9"),
        (with_start(black=-1), "board 1, start: black: -1 is not a whole number"),
        (with_start(white=2.5), "board 1, start: white: 2.5 is not a whole number"),
        (with_start(queen="gone"), "start: queen: 'gone' is not on_board, pending:SEAT or covered:SEAT with SEAT one of south, north"),
        (with_start(queen="covered:east"), "queen: 'covered:east' is not"),
        (with_start(dues={"east": 1}), "dues: unknown seat 'east'"),
        (with_start(dues=[]), r"dues: \[\] is not an object"),
        (with_start(scores={"south": "3"}), "scores.south: '3' is not a whole number from 0 to 1000000"),
        (with_start(taken=[]), r"taken: \[\] is not an object of seats"),
        (with_start(taken={"south": {"striker": 1}}), "taken.south: unknown piece 'striker'"),
        (with_start(taken={"south": {"white": 5}, "north": {"white": 5}}), "taken: more white pieces than the 9 there are"),
    ],
)  # fmt: skip
def test_what_is_not_of_the_form_is_refused_in_one_line(log: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says) as e:
        parse_log(log)
    assert "\n" not in str(e.value)
    assert len(str(e.value)) < 300


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not JSON: line 1, column 1"),
        (b"{", "not JSON: line 1, column 2"),
        (b"\xff\xfe", "not a stroke log: it is not text in UTF-8"),
        (b'{"t": NaN}', "not JSON: NaN is not a number"),
        (b'{"laws": "a", "laws": "b"}', "field 'laws' is given twice"),
        (b"[" * 100_000, "not JSON"),
        (b"9" * 10_000, "not JSON"),
        (b"[]", r"log: \[\] is not an object"),
    ],
)
def test_a_file_that_is_no_log_is_refused_by_its_name(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "log.json"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=rf"log\.json: {says}") as e:
        read_log(path)
    assert "\n" not in str(e.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"cannot read .*none\.json: No such file"):
        read_log(tmp_path / "none.json")
    with pytest.raises(BadInput, match="cannot read"):
        read_log(tmp_path)


def test_a_byte_order_mark_is_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(a_log()).encode())
    assert read_log(path).laws == "icf"


number = st.floats(-1e6, 1e6) | st.integers(-1000, 1000)
maybe = st.none() | number
pair = st.none() | st.tuples(number, number)
pieces = st.lists(st.sampled_from(("white", "black")), max_size=4).map(tuple)
seat = st.sampled_from(SEATS)
strokes = st.builds(
    Stroke,
    by=seat,
    pocketed=pieces,
    touched=st.booleans(),
    off_board=st.lists(st.sampled_from(PIECES), max_size=3, unique=True).map(tuple),
    improper=st.lists(st.sampled_from(IMPROPER), max_size=2).map(tuple),
    seconds=st.none() | st.floats(0, 100),
    t=maybe,
    rest=maybe,
    striker=pair,
    velocity=pair,
    confidence=st.none() | st.floats(0, 1),
    pocketed_at=st.lists(st.builds(Pocketed, st.sampled_from(PIECES), st.sampled_from(POCKETS), number), max_size=2).map(tuple),
)
placings = st.builds(Placing, seat, st.lists(st.sampled_from(COLOURS), max_size=3).map(tuple), maybe)
calls = st.builds(Call, st.sampled_from(CALLS), seat, maybe)
starts = st.builds(
    Start,
    white=st.none() | st.integers(0, 9),
    black=st.none() | st.integers(0, 9),
    queen=st.sampled_from((None, "on_board", "pending:east", "covered:west")),
    breaker=st.none() | seat,
    turn=st.none() | seat,
    dues=st.dictionaries(seat, st.integers(0, 9)),
    scores=st.dictionaries(seat, st.integers(0, 29)),
)
boards = st.builds(Board, st.lists(strokes | placings | calls, max_size=5).map(tuple), st.none() | starts)
names = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=8)
matches = st.builds(
    Match,
    laws=st.just("icf"),
    players=st.lists(names, min_size=4, max_size=4).map(lambda n: tuple(map(Player, SEATS, n))),
    first_break=seat,
    boards=st.lists(boards, max_size=3).map(tuple),
    options=st.dictionaries(st.sampled_from(("target", "clock_s")), st.integers(1, 99)),
)


@given(matches)
@settings(max_examples=80, deadline=None)
def test_any_match_goes_there_and_back(match: Match) -> None:
    assert parse_log(json.loads(json.dumps(log_to_json(match)))) == match


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(("events", "start", "seat", "by", "type", "t")), inner, max_size=4)
    ),
    max_leaves=6,
)


@given(st.sampled_from(("laws", "players", "first_break", "boards", "options")), json_values, st.booleans())
@settings(max_examples=200, deadline=None)
def test_anything_else_is_a_match_or_refused_in_one_line(field: str, value: Any, deep: bool) -> None:
    try:
        match = parse_log(with_event(value) if deep else a_log(**{field: value}))
    except BadInput as e:
        assert "\n" not in str(e)
    else:
        assert isinstance(match, Match)
