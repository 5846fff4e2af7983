"""`carromeye rule --correct`: everything after a correction is ruled on anew, both calls are kept, and a refusal writes nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from carromeye.commands.rule import run
from carromeye.commands.rule_tables import outcome, print_rulings
from models.errors import BadInput
from models.stroke import Board, Pocketed, Start
from models.stroke_log import read_log, write_log
from referee.engine import rule_match
from referee.rulings import Queen
from tests.referee.boards import ICF, a_match, call, hit, many, place

HID = "board 1 event 2 pocketed=white because=a hand hid the white"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Board 1: the last white is overlooked, so that it is not over; board 2 begins at what board 1 gave."""
    path = tmp_path / "log.json"
    first = Board(
        (hit("white", pocketed_at=(Pocketed("white", "NW", 3.0),)), hit(), place("white"), call("talking", "north")),
        Start(2, 3, "covered:south", "south", "south"),
    )
    write_log(a_match(first, Board((hit("white", by="north"), hit(by="north")))), path)
    return path


def rulings(capsys: pytest.CaptureFixture[str], log: Path, *texts: str, out: Path | None = None) -> dict[str, Any]:
    run(log, True, None, texts, out)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


TOO_SOON = "board 1 event 1 pocketed=white,white because=two fell"
"""Ends board 1 before its second stroke."""
ENDS = (
    "board 1 event 4 delete because=nobody spoke",
    "board 1 event 3 delete because=no hand was there",
    HID,
)


def test_everything_after_is_ruled_on_anew(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = rulings(capsys, log)
    assert "corrections" not in before
    assert "changed" not in before
    assert before["boards"][0]["result"] is None
    out = tmp_path / "corrected.json"
    after = rulings(capsys, log, *ENDS, out=out)
    assert after["boards"][0]["result"]["winner"] == "south"
    won = after["boards"][0]["result"]["points"]["south"]
    assert won > 0
    assert before["boards"][1]["rulings"][0]["scores"] == {"south": 0, "north": 0}
    assert after["boards"][1]["rulings"][0]["scores"] == {"south": won, "north": 0}
    assert after["changed"] == [[1, 2]], "running scores are no rulings"
    assert [(c["board"], c["event"], c["because"]) for c in after["corrections"]] == [
        (1, 2, "a hand hid the white"),
        (1, 3, "no hand was there"),
        (1, 3, "nobody spoke"),
    ]
    assert (after["corrections"][0]["was"], after["corrections"][0]["now"]) == ({"pocketed": []}, {"pocketed": ["white"]})
    assert after["corrections"][2] == {
        "board": 1,
        "event": 3,
        "because": "nobody spoke",
        "was": {"type": "call", "call": "talking", "by": "north"},
        "now": {},
    }
    assert rulings(capsys, out) == after, "a corrected log says the same when it is ruled on later"
    again = rulings(capsys, out, "board 2 event 1 pocketed= because=it stood on the edge", out=tmp_path / "again.json")
    assert rulings(capsys, log, *ENDS, "board 2 event 1 pocketed= because=it stood on the edge") == again
    assert len(again["corrections"]) == 4


def test_what_is_printed(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "corrected.json"
    run(log, False, None, ENDS, out)
    text = capsys.readouterr().out
    told = text[text.index("\nCorrections\n") :].splitlines()[1:]
    assert told == [
        "Corrections",
        "  board 1, event 2: pocketed was nothing; now white, because a hand hid the white",
        "  board 1, event 3: before it stood a placing by North: pieces white; now deleted, because no hand was there",
        "  board 1, event 3: before it stood a call by North: call talking; now deleted, because nobody spoke",
        "  Changed rulings: board 1, event 2.",
        "  The scores differ from board 1, event 2 on.",
        "  Board 1 before: Not finished.",
        "  Points before: South 0, North 0. Games before: South 0, North 0.",
        "",
        f"The corrected log is in {out}.",
    ]


def test_every_value_is_told_in_words(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(
        log,
        False,
        None,
        (
            "board 1 event 1 pocketed=black,black touched=no because=one",
            "board 2 event 2 by=south seconds=20 improper=moved_piece because=two",
            "board 2 event 1 insert stroke by=south pocketed= touched=no because=three",
        ),
    )
    text = " ".join(capsys.readouterr().out.split())
    assert "board 1, event 1: pocketed was white; now 2 black; touched was yes; now no, because one" in text
    told = "by was North; now South; improper was nothing; now moved piece; seconds was not given; now 20, because two"
    assert f"board 2, event 3: {told}" in text
    assert "board 2, event 1: nothing was there; now a stroke by South: pocketed nothing, touched no, because three" in text


def test_a_correction_that_changes_no_ruling(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rulings(capsys, log, "board 2 event 2 seconds=4 because=the clock says so")["changed"] == []
    run(log, False, None, ["board 2 event 2 seconds=4 because=the clock says so"])
    assert capsys.readouterr().out.endswith("because the clock says so\n  No ruling changed.\n")


def test_a_correction_that_decides_the_match(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(log, False, None, ["board 2 event 3 insert call by=north call=refused because=he left"])
    assert "  Match won before: by nobody yet.\n" in capsys.readouterr().out


def test_what_a_person_wrote_of_the_other_fields(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = json.loads(log.read_text(encoding="utf-8"))
    was = {"striker": [1.5, 2], "pocketed_at": [{"cls": "white", "pocket": "SE", "t": 3}]}
    written["boards"][0]["events"][0]["corrections"] = [{"was": was, "because": "seen from the side"}]
    log.write_text(json.dumps(written), encoding="utf-8")
    run(log, False, None)
    told = "striker was 1.5 2; now not given; pocketed at was white in SE; now white in NW, because seen from the side"
    assert told in " ".join(capsys.readouterr().out.split())


def test_a_log_that_could_not_be_ruled_on_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.json"
    write_log(a_match(Board((hit(*many("white", 4)),), Start(3))), path)
    text = "board 1 event 1 pocketed=white because=three were counted twice"
    assert rulings(capsys, path, text)["changed"] is None
    run(path, False, None, [text])
    assert capsys.readouterr().out.endswith("  The log before the corrections could not be ruled on.\n")


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        (["board 1 event 2 pocketed=white"], "because=WHY is missing"),
        (["board 1 event 9 touched=no because=x"], "log.json: board 1, event 9: there is no such event"),
        ([HID, HID], "log.json: board 1, event 2: pocketed is white already"),
        (
            ["board 1 event 1 delete because=x", "board 1 event 9 delete because=y"],
            "log.json: board 1, event 9: there is no such event; the board has 3 events (numbered as corrected)",
        ),
        (
            ["board 1 event 2 pocketed=white,white because=x"],
            "log.json: board 1, event 2: 2 white pocketed, but 1 white on the board (numbered as corrected)",
        ),
        (
            [TOO_SOON],
            '(event 1 ended it) (numbered as corrected); to take it out: --correct "board 1 event 2 delete because=WHY"\n',
        ),
        (
            [TOO_SOON, "board 1 event 3 insert stroke by=north pocketed= because=x"],
            'delete because=WHY", and 1 stroke more after it',
        ),
    ],
)
def test_a_refusal_is_one_line_and_writes_nothing(log: Path, tmp_path: Path, texts: list[str], says: str) -> None:
    out = tmp_path / "corrected.json"
    given = [part for text in texts for part in ("--correct", text)]
    args = [sys.executable, "-m", "carromeye", "rule", str(log), *given, "-o", str(out)]
    done = subprocess.run(args, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["log.json"]


def test_where_the_corrected_log_may_not_go(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = log.read_bytes()
    for texts, out, says in (
        ((), tmp_path / "out.json", "-o is for the corrected log: give a --correct too"),
        ((HID,), log, "is the input itself"),
        (ENDS, tmp_path / "no" / "out.json", "cannot write"),
    ):
        with pytest.raises(BadInput, match=says):
            run(log, False, None, texts, out)
    assert capsys.readouterr().out == ""
    assert log.read_bytes() == kept
    assert [*tmp_path.iterdir()] == [log]


def test_without_an_output_nothing_is_written(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = log.read_bytes()
    with pytest.raises(BadInput, match=r"event 2: a stroke by south after the board was over \(event 1 ended it\)"):
        run(log, False, None, [TOO_SOON])
    run(log, False, None, ENDS)
    assert "now white, because a hand hid the white" in capsys.readouterr().out
    assert log.read_bytes() == kept
    assert [*tmp_path.iterdir()] == [log]


def test_the_corrected_log_reads_as_any_other(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "corrected.json"
    run(log, True, None, ["board 1 event 1 pocketed=black because=it was a black"], out)
    stroke = read_log(out).boards[0].events[0]
    assert stroke.corrections[0].was["pocketed"] == ["white"]
    assert stroke.corrections[0].because == "it was a black"


def test_tables_of_books_of_another_kind(capsys: pytest.CaptureFixture[str]) -> None:
    match = a_match(Board((hit("queen"), hit("white"), call("concede", "north")), Start(8, 9, "on_board", "south", "south")))
    ruled = rule_match(match, ICF)
    print_rulings(match, ruled, "A book")
    text = capsys.readouterr().out
    assert "to be covered by South" in text
    assert "covered by South" in text.replace("to be covered", "")
    board = ruled.boards[0]
    assert board.result
    shared = replace(board.result, points={"south": 9, "north": 3}, demandable={})
    assert outcome(shared, match).startswith("South wins 9 points. North 3. ")
    nobody = replace(board.result, winner=None, points={"south": 7}, clauses=())
    assert outcome(nobody, match) == f"{nobody.reason} South 7."
    without = board.rulings[0]._replace(queen=Queen("none"), turn=None)
    print_rulings(match, replace(ruled, boards=(replace(board, rulings=(without,)),)), "A book")
    heading, row = capsys.readouterr().out.splitlines()[3:5]
    assert row.split()[:7] == ["1", "1", "South", "queen", "8", "9", "-"]
    assert "Queen" not in heading
