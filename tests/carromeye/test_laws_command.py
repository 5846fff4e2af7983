"""`carromeye laws` as a club uses it: list, copy, look over."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import referee
from carromeye.cli import main
from carromeye.commands.laws import run_check, run_list, run_show, won_by
from carromeye.commands.laws_compare import differences, nearest
from carromeye.commands.laws_idle import idle_settings
from models.errors import BadInput
from models.stroke import CALLS, IMPROPER, SEATS, Board, Call, Event, Match, Piece, Seat, Stroke
from referee.board import apply, can
from referee.engine import next_board, open_match, rule_match
from referee.lawbook_files import known_lawbooks, lawbook_text, load_lawbook
from referee.laws import SECTIONS, LawBook, Offence, settings
from referee.placings import close_placings
from referee.state import BoardState
from tests.referee.boards import a_match

ICF = lawbook_text("icf")


@pytest.fixture
def club(tmp_path: Path) -> Callable[..., Path]:
    """A copy of the ICF book with pieces of text exchanged."""

    def copied(*changes: tuple[str, str]) -> Path:
        text = ICF
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        (tmp_path / "club.toml").write_text(text, encoding="utf-8")
        return tmp_path / "club.toml"

    return copied


def test_the_list_in_columns(capsys: pytest.CaptureFixture[str]) -> None:
    run_list(False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["id", "name", "players", "won", "by", "source"]
    assert [line.split()[0] for line in lines[1:]] == list(known_lawbooks())
    (icf,) = (line for line in lines if line.startswith("icf "))
    assert "  2 or 4   25 points or 8 boards, best of 3 games  ICF Laws of Carrom, the edition with 143 laws" in icf


def test_the_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    run_list(True)
    books = json.loads(capsys.readouterr().out)
    assert [b["id"] for b in books] == list(known_lawbooks())
    assert all(b["source"] and b["name"] and b["players"] for b in books)
    (uk,) = (b for b in books if b["id"] == "uk")
    assert (uk["target"], uk["max_boards"], uk["games"], uk["players"]) == (29, 0, 1, [2, 4])


def test_the_list_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    run_list(False)
    out = capsys.readouterr().out
    assert "─" in out
    assert "icf" in out


@pytest.mark.parametrize(
    ("target", "boards", "games", "says"),
    [(29, 0, 1, "29 points"), (0, 1, 1, "1 board"), (25, 8, 3, "25 points or 8 boards, best of 3 games")],
)
def test_how_a_match_is_won(target: int, boards: int, games: int, says: str) -> None:
    book = load_lawbook("icf").with_options({"target": target, "max_boards": boards, "games": games})
    assert won_by(book) == says


@pytest.mark.parametrize("name", known_lawbooks())
def test_a_book_is_shown_to_the_byte(name: str, tmp_path: Path) -> None:
    shown = subprocess.run([sys.executable, "-m", "carromeye", "laws", "show", name], capture_output=True, check=True).stdout
    assert shown == lawbook_text(name).encode("utf-8")
    (tmp_path / "club.toml").write_bytes(shown)
    assert load_lawbook(tmp_path / "club.toml") == load_lawbook(name)


def test_a_copy_is_never_written_over_anything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    club = tmp_path / "club.toml"
    run_show("uk", club)
    assert capsys.readouterr().out.startswith(f"{club}: a copy of the law book uk.")
    assert load_lawbook(club) == load_lawbook("uk")
    with pytest.raises(BadInput, match=r"club\.toml exists and is not overwritten"):
        run_show("icf", club)
    assert load_lawbook(club).id == "uk"
    (tmp_path / "dangling.toml").symlink_to(tmp_path / "nowhere.toml")
    with pytest.raises(BadInput, match="exists and is not overwritten"):
        run_show("icf", tmp_path / "dangling.toml")


def test_what_cannot_be_shown(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^unknown law book 'iff'; known: 22s-29, "):
        run_show("iff", None)
    with pytest.raises(BadInput, match=r"club: name a file that ends in \.toml"):
        run_show("icf", tmp_path / "club")
    with pytest.raises(BadInput, match="cannot write"):
        run_show("icf", tmp_path / "none" / "club.toml")
    with pytest.raises(BadInput, match="exists and is not overwritten"):
        (tmp_path / "folder.toml").mkdir()
        run_show("icf", tmp_path / "folder.toml")
    assert [p.name for p in tmp_path.iterdir()] == ["folder.toml"]


def test_a_copy_differs_in_nothing(club: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    path = club()
    run_check(path, None)
    assert capsys.readouterr().out.splitlines() == [
        f"{path}: in order. ICF Laws of Carrom (icf), compared with ICF Laws of Carrom (icf):",
        "  nothing differs.",
    ]


def test_what_differs_is_told_setting_by_setting(club: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    path = club(
        ('id = "icf"\nname = "ICF Laws of Carrom"', 'id = "club"\nname = "Our club"'),
        ("target = 25", "target = 29"),
        ('with_own = "covered"', 'with_own = "pending"'),
        ("players = [2, 4]", "players = [2]"),
        ("technical_foul = {pieces = 1}", "technical_foul = {pieces = 2, points = 3}"),
        ("refused =", 'opponents_piece = {pieces = 1, turn = "lost"}\n# refused ='),
        ('own = ["48"]', 'own = ["club.1", "48"]'),
        ('nothing = ["48"]', ""),
    )
    run_check(path, None)
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        f"{path}: in order. Our club (club), compared with ICF Laws of Carrom (icf):",
        '  id: "icf" -> "club"',
        '  name: "ICF Laws of Carrom" -> "Our club"',
        "  match.players: [2, 4] -> [2]",
        "  match.target: 25 -> 29",
        '  queen.with_own: "covered" -> "pending"',
        '  offences.opponents_piece: new: {pieces = 1, turn = "lost"}',
        "  offences.technical_foul.pieces: 1 -> 2",
        "  offences.technical_foul.points: 0 -> 3",
        '  offences.refused: taken out (was {loses = "match"})',
        '  clauses.own: ["48"] -> ["club.1", "48"]',
        '  clauses.nothing: taken out (was ["48"])',
        "  ! without effect, as no more than two play: match.direction",
    ]


def test_house_rules_under_the_books_own_id_are_noticed(club: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    run_check(club(("target = 25", "target = 29")), None)
    assert '! id: rulings will say "icf"' in capsys.readouterr().out


@pytest.mark.parametrize("name", known_lawbooks())
def test_the_book_that_a_copy_was_made_from_is_found(name: str) -> None:
    book = load_lawbook(name)
    edited = replace(book, id="club", name="Club", match=replace(book.match, clock_s=33), queen=replace(book.queen, placed_by="umpire"))
    assert nearest(edited, [load_lawbook(b) for b in known_lawbooks()]).id == name


def test_another_book_to_compare_with(club: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_check(club(), "uk")
    out = capsys.readouterr().out
    assert "compared with British federation rules (uk)" in out
    assert "match.target: 29 -> 25" in out
    (tmp_path / "last.toml").write_text(ICF.replace("target = 25", "target = 21"), encoding="utf-8")
    run_check(club(), str(tmp_path / "last.toml"))
    assert "match.target: 21 -> 25" in capsys.readouterr().out
    with pytest.raises(BadInput, match="unknown law book 'last'"):
        run_check(club(), "last")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("white = 0", "white = 5"), 'as pieces.owner = "side": pieces.white'),
        (("black = 0", "black = 5"), 'as pieces.owner = "side": pieces.black'),
        (("strokes = 0", "strokes = 30"), 'as pieces.owner = "side": match.strokes'),
        (("expired_clocks = 0", "expired_clocks = 2"), 'as offences.timeout is not ruled_as = "no_touch": match.expired_clocks'),
        (("games = 3", "games = 1"), "as match.games = 1: match.decider_change_boards, match.decider_change_points"),
        (("max_boards = 8", "max_boards = 0"), "as match.max_boards = 0: match.extra_board"),
        (('by_foul = "out"', 'by_foul = "counts"'), "as the pieces of every foul come back: queen.by_foul"),
        (('right = "own_piece"', 'right = "any_time"'), 'as queen.right = "any_time": queen.early'),
        (("talking = {", "talking = {pieces = 3, "), "as talking is ruled as a foul or a technical foul: offences.talking.pieces"),
        (("left_seat = {", "left_seat = {pieces = 3, "), "as left_seat loses the board: offences.left_seat.pieces"),
        (("foul = {pieces = 1", 'foul = {fell = "all_returns", pieces = 1'), "as foul is a call: offences.foul.fell"),
        (("refused =", 'own_last = {turn = "lost"}\nrefused ='), 'as ends.own_last_before_queen = "board_lost": offences.own_last'),
    ],
)
def test_what_has_no_effect_is_said(
    change: tuple[str, str], says: str, club: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    run_check(club(change), None)
    assert [line for line in capsys.readouterr().out.splitlines() if line.startswith("  ! without")] == [f"  ! without effect, {says}"]


def test_nothing_is_said_of_the_books_that_come_with_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    for name in known_lawbooks():
        run_check(Path(referee.__file__).with_name("lawbooks") / f"{name}.toml", None)
    assert "!" not in capsys.readouterr().out


def test_a_refusal_is_one_line_and_two(
    club: Callable[..., Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = club(("target = 25", "target = -1"))
    monkeypatch.setattr(sys, "argv", ["carromeye", "laws", "check", str(path)])
    with pytest.raises(SystemExit) as left:
        main()
    out, err = capsys.readouterr()
    assert (left.value.code, out) == (2, "")
    assert err == f"carromeye: law book {path}: line 17: [match] target: -1 is not a whole number from 0 to 10000\n"


def an_event(state: BoardState, random: Random) -> Event:
    by: Seat = random.choice((*[state.turn or "south"] * 6, *state.table.order))
    if random.random() < 0.15:
        return Call(random.choice(CALLS), by)
    state = close_placings(state)
    fell: list[Piece] = ["striker"] if random.random() < 0.2 else []
    fell += ["queen"] if state.queen.state == "on_board" and random.random() < 0.3 else []
    off: list[Piece] = ["striker"] if random.random() < 0.05 else []
    colours: tuple[Piece, Piece] = ("white", "black")
    for colour in colours:
        n = random.randint(0, min(random.choice((0, 1, 2, 9)), state.on_board(colour)))
        fell += [colour] * n
        off += [colour] if n < state.on_board(colour) and random.random() < 0.1 else []
    random.shuffle(fell)
    improper = (random.choice(IMPROPER),) if random.random() < 0.2 else ()
    return Stroke(by, tuple(fell), random.random() < 0.8, tuple(off), improper, seconds=random.choice((None, 20.0)))


def a_log(book: LawBook, seed: int) -> Match:
    """A board as anything can happen on a table."""
    random, seats = Random(seed), SEATS[: max(book.match.players)] if max(book.match.players) != 2 else ("south", "north")
    state = next_board(open_match(a_match(seats=seats), book), Board())[0]
    events: list[Event] = []
    while not state.over and len(events) < 40:
        event = an_event(state, random)
        if can(state, event):
            state = apply(state, event)
            events.append(event)
    return a_match(Board(tuple(events)), seats=seats)


def with_other_values(book: LawBook, setting: str) -> Iterator[LawBook]:
    """The book with every other value that a setting may take, of numbers a few."""
    section, key, *rest = setting.split(".")
    if section == "offences" and not rest:
        yield replace(book, offences={k: v for k, v in book.offences.items() if k != key})
        return
    field = settings(Offence)[rest[0]] if rest else settings(SECTIONS[section][1])[key]
    takes = field.metadata["takes"]
    values = [v.strip('"') for v in takes.split(", ")] if '"' in takes else [True, False] if "true" in takes else [0, 1, 5]
    for value in values:
        if field.metadata["check"](value) is None:
            yield book.with_options({setting: value})


@pytest.mark.parametrize("name", known_lawbooks())
def test_what_is_said_to_have_no_effect_has_none(name: str) -> None:
    book = load_lawbook(name)
    logs = [a_log(book, seed) for seed in range(4)]
    usual = [rule_match(log, book).to_json() for log in logs]
    for names in idle_settings(book).values():
        for setting in names:
            for other in with_other_values(book, setting):
                assert [rule_match(log, other).to_json() for log in logs] == usual, setting


def test_differences_of_a_book_with_itself() -> None:
    assert all(not differences(load_lawbook(b), load_lawbook(b)) for b in known_lawbooks())
