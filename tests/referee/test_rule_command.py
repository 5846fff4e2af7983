"""`carromeye rule` as a user runs it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from carromeye.commands.rule import run
from carromeye.commands.rule_layout import columns, table_lines, wrapped
from models.errors import BadInput
from models.stroke import SEATS, Board, Player, Start
from models.stroke_log import write_log
from referee.lawbook_files import lawbook_text
from tests.referee.boards import a_match, call, hit, many, place


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.json"
    boards = (
        Board((hit("white", "striker"), place("white", "black"), hit(seconds=20.0)), Start(1, 3, "covered:south", "south")),
        Board((hit("white", "striker", bad=True), call("demand", "north")), Start(1, 3, "on_board", "south")),
        Board((call("replay"),)),
        Board((hit("black", "striker", by="north", off_board=("white",)),), Start(5, 1, "on_board", "south", "north")),
        Board(),
    )
    write_log(a_match(*boards), path)
    return path


def test_json(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(log, True, None)
    rulings: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (rulings["format"], rulings["laws"], len(rulings["boards"])) == ("carromeye-rulings/1", "icf", 5)
    first = rulings["boards"][0]["rulings"][0]
    assert first["out"] == {"white": 2, "black": 0, "queen": 0}
    assert first["board"] == {"white": 2, "black": 3, "queen": "covered:south"}
    assert [d["kind"] for d in first["discrepancies"]] == ["placed_wrong_colour", "placed_too_few"]
    assert first["placings"] == [{"by": "north", "piece": "white", "n": 2}]
    assert rulings["boards"][1]["result"]["points"] == {"south": 0, "north": 5}
    assert rulings["boards"][2]["result"]["replay"] is True
    statistics = {"fouls": {"south": 2, "north": 1}, "flawless": []}
    assert rulings["match"] == {
        "scores": {"south": 3, "north": 5},
        "games": {"south": 0, "north": 0},
        "winner": None,
        "statistics": statistics,
    }


def test_plain_text_to_read(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(log, False, None)
    text = capsys.readouterr().out
    assert "\x1b" not in text
    assert "Board 2 (game 1, board 2), break by South" in text
    assert "white striker; improper: pushed" in text
    assert "         ! The stroke took 20 s" in text
    assert "[82b]" in text
    assert "North wins 5 points." in text
    assert "The board is replayed. (laws 140)" in text
    assert text.count("  Not finished.") == 4
    assert text.endswith("Points: South 3, North 5. Games: South 0, North 0.\n")


@pytest.mark.parametrize("room", [None, 400])
def test_what_turns_the_writing_round_is_seen_in_a_name_and_does_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, room: int | None
) -> None:
    if room:
        monkeypatch.setattr("carromeye.commands.rule_layout.PIPED_WIDTH", room)
    match = a_match(Board((hit("white"), hit(by="north"), hit("white"))), Board((hit(),)))
    asha, kshama = Player("south", "A\u202eb\u2066c\u200f"), Player("north", "क्\u200dषमा")
    write_log(replace(match, players=(asha, kshama)), tmp_path / "log.json")
    run(tmp_path / "log.json", False, None)
    text = capsys.readouterr().out
    assert not set(text) & set("\u202e\u2066\u200f")
    assert r"break by A\u202eb\u2066c\u200f" in text and "क्\u200dषमा" in text
    header, first = (next(line for line in text.splitlines() if re.match(f"  {start} ", line)) for start in ("event", "1"))
    assert first.index("white") == header.index("what") and r"  A\u202eb\u2066c\u200f  white" in first


def test_a_call_without_consequence_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.json"
    write_log(a_match(Board((hit("white"), call("forgo", "north")))), path)
    run(path, False, None)
    assert re.search(r" forgo .* South  ! North waives a due, but none is open", capsys.readouterr().out)


def test_the_score_after_each_board_and_games_at_a_glance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.json"
    won = Board((hit("white"),), Start(1, 9, "covered:south", "south", "south"))
    write_log(a_match(won, Board((call("replay"),)), won, won, Board((hit(by="north"),))), path)
    run(path, False, None)
    lines = capsys.readouterr().out.splitlines()
    told = [line.strip() for line in lines if line.startswith("  Game ")]
    assert told == [
        "Game 1, board 1: South 12, North 0.",
        "Game 1, board 2: South 12, North 0.",
        "Game 1, board 2: South 24, North 0.",
        "Game 1, board 3: South 25, North 0. Game 1 is won by South.",
        "Game 2, board 1: South 0, North 0.",
    ]
    table = lines[lines.index("All boards: points of the board (score of the game)") + 1 :]
    assert [line.split() for line in table[:6]] == [
        ["game", "board", "South", "North"],
        ["1", "1", "12", "(12)", "0", "(0)"],
        ["1", "2", "0", "(12)", "0", "(0)", "The", "board", "is", "replayed."],
        ["1", "2", "12", "(24)", "0", "(0)"],
        ["1", "3", "9", "(25)", "0", "(0)", "Game", "1", "is", "won", "by", "South."],
        ["2", "1", "0", "(0)", "0", "(0)", "Not", "finished."],
    ]


def test_a_game_or_match_given_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.json"
    for what, says in (("concede", "South 0, North 0. Game 1 is won by North."), ("refused", "South 0, North 0.")):
        write_log(a_match(Board((call(what),))), path)
        run(path, False, None)
        assert f"  Game 1, board 1: {says}\n" in capsys.readouterr().out
    write_log(a_match(Board(start=Start(scores={"south": 3, "north": 2}))), path)
    run(path, False, None)
    assert "  Game 1, board 1: South 3, North 2.\n" in capsys.readouterr().out


@pytest.mark.parametrize("language", ["en", "fr", "hi"])
@pytest.mark.parametrize("terminal", [80, 100, 160, None])
def test_no_line_is_longer_than_the_output(
    log: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, terminal: int | None, language: str
) -> None:
    if terminal:
        monkeypatch.setenv("COLUMNS", str(terminal))
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    run(log, False, None, language=language)
    told = re.sub(r"\x1b\[\d*m", "", capsys.readouterr().out)
    assert max(map(columns, told.splitlines())) <= (terminal or 120)
    assert "…" not in told


def test_the_ruling_stands_beside_where_there_is_room(
    log: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    run(log, False, None)
    told = capsys.readouterr().out
    assert "\x1b[1mBoard 5 (game 1, board 4), break by North\x1b[0m\n" in told
    assert re.search(r"\n  3      2       South  nothing .*  North  North is at turn\. \[48\]\n", told)
    monkeypatch.setenv("COLUMNS", "80")
    run(log, False, None)
    assert re.search(r"\n  3      2       South  nothing .*  North\n {9}North is at turn\. \[48\]\n", capsys.readouterr().out)


def test_words_are_wrapped_whole() -> None:
    assert wrapped("one two three", 7, 2) == ["one two", "three"]
    assert wrapped("immeasurable it is", 5) == ["immeasurable", "it is"]
    assert wrapped("", 5) == [""]
    assert (columns("क्या"), columns("王手")) == (3, 4)
    rows = [(("1", "", "a long name that is wrapped"), "told", ("! remark",))]
    assert [*table_lines(("n", "none", "name"), rows, "ruling", 22)] == [
        "  n  name",
        "  1  a long name that",
        "     is wrapped",
        "     told",
        "     ! remark",
    ]


def test_a_score_sheet_without_a_video(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "sheets" / "1"
    text = "board 1 event 3 pocketed=white because=a hand hid the white"
    run(log, False, None, [text], language="fr", sheet=folder)
    page, table = folder / "scoresheet.html", folder / "scoresheet.csv"
    assert capsys.readouterr().out.endswith(f"La feuille de marque est dans {page}, {table}.\n")
    assert sorted(folder.iterdir()) == [table, page]
    shown = page.read_text(encoding="utf-8")
    assert "a hand hid the white" in shown
    assert "ICF Laws of Carrom" in shown
    assert "best of 3 games, each to 25 points or 8 boards" in shown
    assert "a hand hid the white" in table.read_text(encoding="utf-8-sig")
    run(log, False, None, sheet=folder)
    assert capsys.readouterr().out.endswith(f"{table}; what was there before is overwritten.\n")
    assert "a hand hid the white" not in page.read_text(encoding="utf-8")


def test_where_a_score_sheet_may_not_go(log: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    (kept / "scoresheet.csv").mkdir(parents=True)
    review = tmp_path / "review"
    review.mkdir()
    (review / "match.json").touch()
    text = "board 1 event 3 pocketed=white because=a hand hid the white"
    for folder, says in ((kept, "a folder is there"), (review, "review's folder"), (log, "is a file; a folder")):
        with pytest.raises(BadInput, match=says):
            run(log, False, None, [text], tmp_path / "corrected.json", sheet=folder)
    assert not (tmp_path / "corrected.json").exists()
    assert [p.name for p in kept.iterdir()] == ["scoresheet.csv"]
    assert [p.name for p in review.iterdir()] == ["match.json"]


def test_doubles_and_a_match_won(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.json"
    write_log(a_match(Board((hit("striker"), call("abusive", "east"))), seats=SEATS), path)
    run(path, False, None)
    assert "Match won by South and North." in capsys.readouterr().out


def test_points_that_may_still_be_claimed_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.json"
    write_log(a_match(Board((hit("white", "striker"),), Start(1, 3))), path)
    run(path, False, None)
    assert "1 more may be claimed." in " ".join(capsys.readouterr().out.split())


def test_a_book_beside_the_log_and_a_book_that_overrides_it(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import referee

    text = (Path(referee.__file__).parent / "lawbooks" / "icf.toml").read_text(encoding="utf-8").replace('id = "icf"', 'id = "club"')
    (log.parent / "club.toml").write_text(text, encoding="utf-8")
    run(log, True, str(log.parent / "club.toml"))
    assert json.loads(capsys.readouterr().out)["laws"] == "club"
    log.write_text(log.read_text(encoding="utf-8").replace('"laws": "icf"', '"laws": "club.toml"'), encoding="utf-8")
    run(log, True, None)
    assert json.loads(capsys.readouterr().out)["laws"] == "club"


def test_what_is_wrong_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    write_log(a_match(Board((hit(*many("white", 4)),), Start(3))), path)
    with pytest.raises(BadInput, match=r"log\.json: board 1, event 1: 4 white pocketed, but 3 white on the board"):
        run(path, True, None)


def carromeye(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "carromeye", *args], capture_output=True, text=True, check=False, env=dict(os.environ))


def test_bad_input_is_one_line_and_exit_code_2(log: Path) -> None:
    for args, says in (
        ((str(log), "--laws", "icff"), "unknown law book 'icff'; known: 22s-29, "),
        ((str(log.parent / "none.json"), "--json"), "none.json"),
    ):
        done = carromeye("rule", *args)
        assert (done.returncode, done.stdout) == (2, "")
        assert says in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


def test_nothing_heavy_is_imported(log: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from carromeye.cli import app; from carromeye.commands.rule import run; "
        f"run(Path({str(log)!r}), True, None); "
        "print([m for m in ('numpy', 'cv2', 'pandas', 'av', 'filterpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def differences(want: Any, got: Any, path: str = "") -> list[str]:
    """Where `got` lacks what `want` names."""
    if isinstance(want, dict):
        return [d for k, v in want.items() for d in differences(v, got.get(k) if isinstance(got, dict) else None, f"{path}.{k}")]
    if path.endswith(".fouls"):
        want, got = sorted(want), sorted(got or [])
    return [] if want == got else [f"{path}: wanted {want!r}, got {got!r}"]


def test_the_given_cases_of_the_icf_book(shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = json.loads((shared / "cases" / "referee" / "cases.json").read_text(encoding="utf-8"))
    path, wrong = tmp_path / "log.json", {}
    for case in cases["cases"]:
        if case["log"]["laws"] != "icf":
            continue
        path.write_text(json.dumps(case["log"]), encoding="utf-8")
        run(path, True, None)
        rulings, expect = json.loads(capsys.readouterr().out), case["expect"]
        last = rulings["boards"][-1]
        got = {"last": last["rulings"][-1], "result": last["result"], "match": rulings["match"]}
        if found := differences(expect, got):
            wrong[case["id"]] = found
    assert not wrong
    for case in cases["refused"]:
        path.write_text(json.dumps(case["log"]), encoding="utf-8")
        with pytest.raises(BadInput) as e:
            run(path, True, None)
        assert all(part in str(e.value) for part in case["says"]), case["id"]


def test_a_corrected_log_in_another_folder_still_finds_its_law_book(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(lawbook_text("icf").replace('id = "icf"', 'id = "club"'), encoding="utf-8")
    write_log(replace(a_match(Board((hit("white"),))), laws="club.toml"), tmp_path / "log.json")
    (tmp_path / "there").mkdir()
    run(tmp_path / "log.json", True, None, ["board 1 event 1 pocketed=black because=seen"], tmp_path / "there" / "log.json")
    run(tmp_path / "there" / "log.json", True, None)


def test_the_law_book_is_not_written_over(tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text(lawbook_text("icf"), encoding="utf-8")
    write_log(replace(a_match(Board((hit("white"),))), laws="club.toml"), tmp_path / "log.json")
    for laws in (None, str(club)):
        with pytest.raises(BadInput, match="would be overwritten"):
            run(tmp_path / "log.json", True, laws, ["board 1 event 1 pocketed=black because=seen"], club)
    assert club.read_text(encoding="utf-8") == lawbook_text("icf")


@pytest.mark.parametrize("name", ["", ".", "..", "folder"])
def test_a_corrected_log_wants_the_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    write_log(a_match(Board((hit("white"),))), tmp_path / "log.json")
    with pytest.raises(BadInput, match="cannot write"):
        run(tmp_path / "log.json", True, None, ["board 1 event 1 pocketed=black because=seen"], Path(name))


def test_a_log_that_names_no_law_book_is_named(tmp_path: Path) -> None:
    write_log(replace(a_match(Board()), laws="icff"), tmp_path / "log.json")
    with pytest.raises(BadInput, match=r"log\.json: laws: unknown law book 'icff'"):
        run(tmp_path / "log.json", True, None)
