"""Corrections: every form of the grammar, every refusal in one line, and nothing that was called before is lost."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.corrections import Change, Edit, before_corrections, changes, correct, parse_correction
from models.errors import BadInput
from models.stroke import CALLS, COLOURS, IMPROPER, Board, Call, Correction, Deleted, Match, Placing, Player, Pocketed, Stroke
from models.stroke_log import log_to_json, parse_log, read_log, write_log
from tests.models.test_stroke_log import matches

SEEN = Stroke(
    by="south",
    pocketed=("white", "white", "striker"),
    seconds=9.5,
    t=61.3,
    pocketed_at=(Pocketed("white", "NW", 62.0), Pocketed("white", "SE", 62.5), Pocketed("striker", "SE", 63.0)),
)
LOG = Match(
    laws="icf",
    players=(Player("south", "Asha"), Player("north", "Bina")),
    first_break="south",
    boards=(Board((SEEN, Placing("north", ("white",)), Call("talking", "north"), Stroke("north"))), Board()),
)


def corrected(*texts: str, match: Match = LOG) -> Match:
    for text in texts:
        match = correct(match, parse_correction(text))
    return match


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("board 1 event 14 pocketed=white,queen because=hand hid the queen",
         Edit(1, 14, "change", None, {"pocketed": ["white", "queen"]}, "hand hid the queen")),
        ("board 2 event 3 by=north touched=no improper=pushed,elbow off_board=black because=x",
         Edit(2, 3, "change", None, {"by": "north", "touched": False, "improper": ["pushed", "elbow"], "off_board": ["black"]}, "x")),
        ("board 1 event 1 pocketed= touched=yes because=x", Edit(1, 1, "change", None, {"pocketed": [], "touched": True}, "x")),
        ("board 1 event 1 pocketed=none off_board= because=x", Edit(1, 1, "change", None, {"pocketed": [], "off_board": []}, "x")),
        ("board 1 event 1 pocketed=white, queen touched=true because=x",
         Edit(1, 1, "change", None, {"pocketed": ["white", "queen"], "touched": True}, "x")),
        ("board 1 event 1 touched=false because= a = b, because=c ", Edit(1, 1, "change", None, {"touched": False}, "a = b, because=c")),
        ("  board  1  event  1  seconds=9.5  because=x", Edit(1, 1, "change", None, {"seconds": 9.5}, "x")),
        ("board 1 event 1 seconds=none because=x", Edit(1, 1, "change", None, {"seconds": None}, "x")),
        ("board 1 event 2 by=south pieces=white,black because=x",
         Edit(1, 2, "change", None, {"by": "south", "pieces": ["white", "black"]}, "x")),
        ("board 1 event 3 call=foul because=x", Edit(1, 3, "change", None, {"call": "foul"}, "x")),
        ("board 1 event 3 delete because=x", Edit(1, 3, "delete", None, {}, "x")),
        ("board 1 event 5 insert stroke by=south pocketed= because=x",
         Edit(1, 5, "insert", "stroke", {"by": "south", "pocketed": []}, "x")),
        ("board 1 event 5 insert placing by=south pieces=queen because=x",
         Edit(1, 5, "insert", "placing", {"by": "south", "pieces": ["queen"]}, "x")),
        ("board 1 event 5 insert call by=south call=foul because=x",
         Edit(1, 5, "insert", "call", {"by": "south", "call": "foul"}, "x")),
    ],
)  # fmt: skip
def test_every_form(text: str, edit: Edit) -> None:
    assert parse_correction(text) == edit


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "because=WHY is missing at its end"),
        ("board 1 event 1 touched=no", "because=WHY is missing"),
        ("board 1 event 1 touched=no because=  ", "because= is empty; say why"),
        ("touched=no because=x", "write board N event N FIELD=VALUE"),
        ("board one event 1 touched=no because=x", "write board N event N"),
        ("board 1 touched=no because=x", "write board N event N"),
        ("board 1 event 9999999999 touched=no because=x", "write board N event N"),
        ("board 1 event 1 because=x", "it names no field; a stroke has by, pocketed, touched, off_board, improper, seconds; a placing has"),
        ("board 1 event 1 poketed=white because=x", "unknown field 'poketed'; a stroke has by, pocketed"),
        ("board 1 event 1 pocketed = white because=x", "'pocketed = white' is no FIELD=VALUE; write board N"),
        ("board 1 event 1 delete it because=x", "'delete it' is no FIELD=VALUE"),
        ("board 1 event 1 touched=no touched=yes because=x", "touched is given twice"),
        ("board 1 event 1 touched=maybe because=x", "touched: 'maybe' is not one of yes, true, no, false"),
        ("board 1 event 1 seconds=soon because=x", "seconds: 'soon' is not a number such as 9.5, or none"),
        ("board 1 event 1 seconds=nan because=x", "seconds: 'nan' is not a number"),
        ("board 1 event 1 insert because=x", r"unknown event '' to insert \(known: stroke, placing, call\)"),
        ("board 1 event 1 insert shot by=south because=x", "unknown event 'shot' to insert"),
        ("board 1 event 1 insert call because=x", "it names no field"),
        ("board 1 event 1\n" + "x" * 500 + " because=x", "is no FIELD=VALUE"),
    ],
)  # fmt: skip
def test_what_is_not_of_the_form_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=rf"^correction '.*{says}") as e:
        parse_correction(text)
    assert "\n" not in str(e.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("board 3 event 1 touched=no because=x", "board 3: there is no such board; the log has 2 boards"),
        ("board 0 event 1 touched=no because=x", "board 0: there is no such board"),
        ("board 1 event 5 touched=no because=x", "board 1, event 5: there is no such event; the board has 4 events$"),
        ("board 1 event 0 delete because=x", "board 1, event 0: there is no such event"),
        ("board 2 event 1 delete because=x", "board 2, event 1: there is no such event; the board has no events"),
        ("board 1 event 6 insert call by=south call=foul because=x",
         "board 1, event 6: there is no such event; the board has 4 events; an event can be inserted before event 1 to 5"),
        ("board 1 event 2 pocketed=white because=x", r"board 1, event 2: a placing has no pocketed to correct \(it has by, pieces\)"),
        ("board 1 event 1 insert call by=south call=foul pieces=white because=x", r"a call has no pieces to correct \(it has by, call\)"),
        ("board 1 event 1 pocketed=white,white,striker because=x", "board 1, event 1: pocketed is white,white,striker already"),
        ("board 1 event 1 touched=no seconds=9.5 because=x", "board 1, event 1: seconds is 9.5 already"),
        ("board 1 event 1 touched=yes because=x", "touched is yes already"),
        ("board 1 event 4 seconds= because=x", "seconds is none already"),
        ("board 1 event 4 pocketed=none because=x", "pocketed is none already"),
        ("board 1 event 1 pocketed=white,blue because=x", r"board 1, event 1: pocketed: unknown piece 'blue' \(known: white, black, queen"),
        ("board 1 event 1 pocketed=white, because=x", "board 1, event 1: pocketed: unknown piece ''"),
        ("board 1 event 1 pocketed=queen,queen because=x", "board 1, event 1: the queen leaves the board twice"),
        ("board 1 event 1 seconds=-3 because=x", "board 1, event 1: seconds: -3 is below 0"),
        ("board 1 event 1 by=east because=x", "board 1, event 1: by: nobody sits at 'east'"),
        ("board 1 event 1 improper=thumb because=x", "improper: unknown reason 'thumb'"),
        ("board 1 event 2 pieces=striker because=x", "pieces: unknown piece 'striker'"),
        ("board 1 event 3 call=offside because=x", "call: unknown call 'offside'"),
        ("board 1 event 1 insert stroke by=south because=x", "board 1, event 1: pocketed is missing"),
        ("board 1 event 1 insert placing pieces=white because=x", "board 1, event 1: by is missing"),
        ("board 1 event 1 touched=no because=a\nb", r"board 1, event 1, correction 1: because: 'a\\nb' has a control character"),
    ],
)  # fmt: skip
def test_what_the_log_cannot_have_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says) as e:
        corrected(text)
    assert "\n" not in str(e.value)


def test_both_calls_are_kept_and_falls_that_were_none_go_too() -> None:
    stroke = corrected("board 1 event 1 pocketed=white,queen touched=no because=a hand").boards[0].events[0]
    was = {
        "pocketed": ["white", "white", "striker"],
        "touched": True,
        "pocketed_at": log_to_json(LOG)["boards"][0]["events"][0]["pocketed_at"],
    }
    assert stroke == replace(
        SEEN,
        pocketed=("white", "queen"),
        touched=False,
        pocketed_at=(Pocketed("white", "NW", 62.0),),
        corrections=(Correction(was, "a hand"),),
    )
    more = corrected("board 1 event 1 pocketed=white,white,striker,black because=one more").boards[0].events[0]
    assert isinstance(more, Stroke)
    assert more.pocketed_at == SEEN.pocketed_at
    assert more.corrections == (Correction({"pocketed": ["white", "white", "striker"]}, "one more"),)


def test_corrections_of_one_event_follow_one_another() -> None:
    match = corrected(
        "board 1 event 1 pocketed= because=nothing fell",
        "board 1 event 1 pocketed=queen seconds=none because=the queen did",
        "board 1 event 2 pieces=black by=south because=his hand",
        "board 1 event 3 call=foul because=a foul",
    )
    stroke, placing, called, _ = match.boards[0].events
    assert isinstance(stroke, Stroke)
    assert (stroke.pocketed, stroke.pocketed_at, stroke.seconds) == (("queen",), (), None)
    assert [c.because for c in stroke.corrections] == ["nothing fell", "the queen did"]
    assert stroke.corrections[1].was == {"pocketed": [], "seconds": 9.5}
    assert placing == Placing("south", ("black",), corrections=(Correction({"pieces": ["white"], "by": "north"}, "his hand"),))
    assert called == Call("foul", "north", corrections=(Correction({"call": "talking"}, "a foul"),))
    assert before_corrections(match) == (LOG, ((1, 2, 3, 4), ()))
    assert changes(match)[:2] == (
        Change(1, 1, "change", {k: log_to_json(LOG)["boards"][0]["events"][0][k] for k in ("pocketed", "pocketed_at")},
               {"pocketed": [], "pocketed_at": None}, "nothing fell"),
        Change(1, 1, "change", {"pocketed": [], "seconds": 9.5}, {"pocketed": ["queen"], "seconds": None}, "the queen did"),
    )  # fmt: skip


def test_deleted_and_inserted_events_keep_their_place() -> None:
    match = corrected(
        "board 1 event 3 delete because=no talking",
        "board 1 event 2 delete because=no placing",
        "board 1 event 2 insert stroke by=south pocketed=black because=overlooked",
        "board 1 event 4 insert call by=north call=demand because=he did",
        "board 2 event 1 insert call by=north call=foul because=heard",
        "board 2 event 1 delete because=misheard",
    )
    first, second = match.boards
    overlooked = Stroke("south", ("black",), corrections=(Correction({}, "overlooked"),))
    assert first.events == (SEEN, overlooked, Stroke("north"), Call("demand", "north", corrections=(Correction({}, "he did"),)))
    assert first.deleted == (Deleted(Placing("north", ("white",)), 2, "no placing"), Deleted(Call("talking", "north"), 2, "no talking"))
    assert second.deleted == (Deleted(Call("foul", "north", corrections=(Correction({}, "heard"),)), 1, "misheard"),)
    assert before_corrections(match) == (LOG, ((1, None, 4, None), ()))
    assert [(c.board, c.event, c.what, c.because) for c in changes(match)] == [
        (1, 2, "delete", "no placing"),
        (1, 2, "delete", "no talking"),
        (1, 2, "insert", "overlooked"),
        (1, 4, "insert", "he did"),
        (2, 1, "delete", "misheard"),
    ]
    inserted = changes(match)[2]
    assert inserted.was == {}
    assert inserted.now["pocketed"] == ["black"]


def test_a_corrected_log_is_written_and_read(tmp_path: Path) -> None:
    match = corrected(
        "board 1 event 1 pocketed=queen because=हाथ",
        "board 1 event 2 delete because=none",
        "board 1 event 4 insert call by=south call=foul because=heard",
    )
    path = tmp_path / "log.json"
    write_log(match, path)
    assert read_log(path) == match
    text = path.read_text(encoding="utf-8")
    assert '"because": "हाथ"' in text
    assert sum('"type":' in line for line in text.splitlines()) == 5
    assert "corrections" not in str(log_to_json(LOG))
    assert "deleted" not in str(log_to_json(LOG))
    assert len({*match.boards[0].events}) == 4


def log_with(corrections: Any = None, deleted: Any = None) -> dict[str, Any]:
    log = log_to_json(LOG)
    if corrections is not None:
        log["boards"][0]["events"][0]["corrections"] = corrections
    if deleted is not None:
        log["boards"][0]["deleted"] = deleted
    return log


CALL = {"type": "call", "call": "foul", "by": "south"}


@pytest.mark.parametrize(
    ("log", "says"),
    [
        (log_with({}), r"board 1, event 1: corrections: \{\} is not a list"),
        (log_with([3]), "board 1, event 1, correction 1: 3 is not an object"),
        (log_with([{"was": {"touched": False}}]), "correction 1: because is missing"),
        (log_with([{"was": {"touched": False}, "because": " "}]), "correction 1: because is empty; it says why"),
        (log_with([{"was": {"touched": False}, "because": 3}]), "correction 1: because: 3 is not a text"),
        (log_with([{"because": "x"}]), "correction 1: was is missing"),
        (log_with([{"was": [], "because": "x"}]), r"correction 1: was: \[\] is not an object"),
        (log_with([{"was": {"touched": False}, "because": "x", "by": "me"}]), r"unknown field 'by' \(known: was, because\)"),
        (log_with([{"was": {"pieces": []}, "because": "x"}]), "correction 1: was: unknown field 'pieces'"),
        (log_with([{"was": {"type": "call"}, "because": "x"}]), "correction 1: was: unknown field 'type'"),
        (log_with([{"was": {"corrections": []}, "because": "x"}]), "was: unknown field 'corrections'"),
        (log_with([{"was": {"pocketed": ["blue"]}, "because": "x"}]), "correction 1: was: pocketed: unknown piece 'blue'"),
        (log_with([{"was": {"by": None}, "because": "x"}]), "correction 1: was: by is missing"),
        (log_with([{"was": {"touched": True}, "because": "x"}]), "correction 1: was: touched is true after it too"),
        (log_with([{"was": {"touched": False}, "because": "x"}, {"was": {"seconds": 9.5}, "because": "y"}]), "2: was: seconds is"),
        (log_with([{"was": {"touched": False}, "because": "x"}, {"was": {}, "because": "y"}]), "correction 2: was: it is empty"),
        (log_with(deleted={}), r"board 1: deleted: \{\} is not a list"),
        (log_with(deleted=[{"before": 1, "event": CALL}]), "board 1, deleted 1: because is missing"),
        (log_with(deleted=[{"before": 6, "event": CALL, "because": "x"}]), "deleted 1: before: 6 is not a whole number from 0 to 5"),
        (log_with(deleted=[{"before": 0, "event": CALL, "because": "x"}]), "deleted 1: before: 0 is below 1"),
        (log_with(deleted=[{"before": 2, "event": CALL, "because": "x"}, {"before": 1, "event": CALL, "because": "x"}]),
         "deleted 2: before: 1 is below 2"),
        (log_with(deleted=[{"before": 1, "because": "x"}]), "deleted 1: event is missing"),
        (log_with(deleted=[{"before": 1, "event": CALL | {"by": "up"}, "because": "x"}]), "deleted 1: event: by: unknown seat 'up'"),
    ],
)  # fmt: skip
def test_a_log_whose_record_is_not_right_is_refused(log: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says) as e:
        parse_log(log)
    assert "\n" not in str(e.value)


def test_a_record_written_by_hand_may_leave_out_what_was_left_out() -> None:
    match = parse_log(log_with([{"was": {"improper": ["pushed"], "t": None}, "because": "x"}]))
    assert parse_log(log_to_json(match)) == match
    assert before_corrections(match)[0].boards[0].events[0] == replace(SEEN, improper=("pushed",), t=None)
    assert parse_log(log_with([], [])) == LOG


def test_the_documented_example_is_a_log() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    example = re.search(r"### Corrections.*?```json\n(.*?)```", text, re.DOTALL)
    assert example
    match = parse_log(log_to_json(LOG) | {"boards": [json.loads(example[1])]})
    assert [c.what for c in changes(match)] == ["change", "delete", "insert"]
    for line in re.findall(r"^\| `(board [^`]*)` \|", text, re.MULTILINE):
        assert parse_correction(line).event == 14


names = st.sampled_from(("south", "east", "north", "west"))
pieces = st.lists(st.sampled_from(("white", "black")), max_size=3).map(",".join)
FIELDS: dict[str, st.SearchStrategy[str]] = {
    "by": names,
    "pocketed": pieces,
    "touched": st.sampled_from(("yes", "no")),
    "off_board": pieces,
    "improper": st.sampled_from(("none", *IMPROPER)),
    "seconds": st.sampled_from(("none", "3", "12.5")),
    "pieces": st.sampled_from(("none", *COLOURS)),
    "call": st.sampled_from(CALLS),
}
KINDS = {"stroke": ("by", "pocketed", "touched", "off_board", "improper", "seconds"), "placing": ("by", "pieces"), "call": ("by", "call")}


@st.composite
def edits(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(tuple(KINDS)))
    action = draw(st.sampled_from(("change", "delete", "insert")))
    chosen = KINDS[kind] if action == "insert" else draw(st.lists(st.sampled_from(KINDS[kind]), min_size=1, unique=True))
    fields = " ".join(f"{name}={draw(FIELDS[name])}" for name in chosen)
    what = {"change": fields, "delete": "delete", "insert": f"insert {kind} {fields}"}[action]
    return f"board {draw(st.integers(1, 2))} event {draw(st.integers(1, 5))} {what} because=so it was"


@given(matches, st.lists(edits(), max_size=8))
@settings(max_examples=150, deadline=None)
def test_whatever_is_corrected_can_be_undone(match: Match, texts: list[str]) -> None:
    made = match
    for text in texts:
        try:
            made = corrected(text, match=made)
        except BadInput as e:
            assert "\n" not in str(e)
            continue
        assert parse_log(log_to_json(made)) == made
    before, numbers = before_corrections(made)
    assert before == match
    for was, now, had in zip(match.boards, made.boards, numbers, strict=True):
        assert len(had) == len(now.events)
        kept = [n for n in had if n is not None]
        assert kept == sorted({*kept})
        assert all(type(was.events[n - 1]) is type(now.events[k]) for k, n in enumerate(had) if n is not None)
        assert len(was.events) == len(kept) + sum(not any(c.was == {} for c in d.event.corrections) for d in now.deleted)
