"""Law books as files: what is read, and what is refused and how."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import referee
from models.errors import BadInput
from referee.lawbook_files import known_lawbooks, load_lawbook

TEXT = (Path(referee.__file__).parent / "lawbooks" / "icf.toml").read_text(encoding="utf-8")


def line_of(text: str, part: str) -> int:
    return next(k for k, line in enumerate(text.splitlines(), 1) if part in line)


def test_the_books_that_come_with_the_program() -> None:
    assert {"icf", "uk", "gamerules", "gamerules-3", "billard-indien", "billard-indien-championship"} <= set(known_lawbooks())
    assert {b for b in known_lawbooks() if b.startswith("22s-")} == {
        f"22s-{mode}" for mode in ("classic", "29", "disc-pool", "freestyle", "tal-gach", "daily")
    }
    assert all(load_lawbook(b).id == b for b in known_lawbooks())
    book = load_lawbook("icf")
    assert (book.id, book.match.target, book.match.players, book.points.queen) == ("icf", 25, (2, 4), 3)


def test_an_unknown_book_is_named_with_the_known_ones() -> None:
    with pytest.raises(BadInput, match=r"^unknown law book 'icff'; known: 22s-29, .*, uk, or the path of a file"):
        load_lawbook("icff")


@pytest.mark.parametrize("name", ["", "../icf", "ICF"])
def test_a_name_that_is_no_book(name: str) -> None:
    with pytest.raises(BadInput):
        load_lawbook(name)


def test_a_clubs_own_book(tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text(TEXT.replace('id = "icf"', 'id = "club"').replace("target = 25 ", "target = 29 "), encoding="utf-8")
    for book in (load_lawbook(club), load_lawbook(str(club)), load_lawbook("club.toml", folder=tmp_path)):
        assert (book.id, book.match.target) == ("club", 29)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("target = 25", "target = -1", r"\[match\] target: -1 is not a whole number from 0 to 10000"),
        ("target = 25", "target = true", r"\[match\] target: True is not a whole number"),
        ("target = 25", "goal = 25", r"\[match\] goal: unknown key \(known: players, direction, turn_passes, target"),
        ("games = 3", "games = 2", r"\[match\] games: 2 is not an odd number from 1 to 99"),
        ("players = [2, 4]", "players = [5]", r"\[match\] players: \[5\] is not a list out of 1, 2, 3, 4"),
        ("players = [2, 4]", "players = [3]", r"\[match\] players: only 2 or 4 where a colour belongs to a side"),
        ("clock_s = 15", 'clock_s = "15"', r"\[match\] clock_s: '15' is not a number from 0 to 3600"),
        ("extra_board = true", "extra_board = 1", r"\[match\] extra_board: 1 is not true or false"),
        ('before_play = "own"', 'before_play = "none"', r"\[break\] before_play: 'none' is not one of own, all, ignored"),
        ("foul = {pieces = 1", "foul = {pieces = 10", r"\[offences\] foul: pieces: 10 is not a whole number from 0 to 9"),
        ("foul = {pieces = 1", "foul = {peaces = 1", r"\[offences\] foul: unknown key 'peaces' \(known: pieces, turn"),
        ("foul = {pieces", "fowl = {pieces", r"\[offences\] fowl: unknown key"),
        ('talking = {ruled_as = "violation"}', "talking = 1", r"\[offences\] talking: is not a cost; write"),
        ('with_due = "turn_lost"', 'with_due = ["continue"]', r"\[queen\] with_due: \['continue'\] is not one of"),
        ('own_last_before_queen = "board_lost"', 'own_last_before_queen = "lost"', r"\[ends\] own_last_before_queen: 'lost' is not one of"),
        ('own = ["48"]', "own = [48]", r"\[clauses\] own: \[48\] is not a list of clause numbers in quotes"),
        ('own = ["48"]', "own = []", r"\[clauses\] own: \[\] is not a list of clause numbers"),
        ('own = ["48"]', 'owm = ["48"]', r"\[clauses\] owm: unknown key"),
        ('id = "icf"', 'id = ""', r"id: is not a name in quotes"),
        ('id = "icf"', "id = 7", r"id: is not a name in quotes"),
        ('id = "icf"', 'id = "icf"\ncolour = "red"', r"colour: unknown key"),
        ("[points]", "[points.of]", r"\[points\] of: unknown key"),
    ],
)
def test_what_is_refused_is_named_with_its_line(tmp_path: Path, old: str, new: str, says: str) -> None:
    club = tmp_path / "club.toml"
    text = re.sub(rf"(?m)^{re.escape(old)}", new.replace("\\", ""), TEXT, count=1)
    assert text != TEXT
    club.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=rf"^law book {re.escape(str(club))}: line (\d+): {says}") as e:
        load_lawbook(club)
    given = re.search(r"line (\d+)", str(e.value))
    assert given
    assert int(given[1]) == line_of(text, new.splitlines()[-1])
    assert "\n" not in str(e.value)


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text(TEXT.replace("target = 25", "# target = 25"), encoding="utf-8")
    with pytest.raises(BadInput, match=r"club\.toml: \[match\] target is missing"):
        load_lawbook(club)
    club.write_text(
        'id = "x"\nname = "x"\nmatch = 3\npieces = 3\nbreak = 3\nqueen = 3\nends = 3\npoints = 3\ndues = 3\noffences = 3\nclauses = 3\n',
        encoding="utf-8",
    )
    with pytest.raises(BadInput, match=r"line 3: match: is not a section; write \[match\]"):
        load_lawbook(club)
    club.write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match=r"club\.toml: id is missing"):
        load_lawbook(club)


def test_a_file_that_is_no_law_book(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^cannot read law book .*none\.toml: No such file"):
        load_lawbook(tmp_path / "none.toml")
    with pytest.raises(BadInput, match=r"^cannot read law book"):
        load_lawbook(tmp_path)
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match="it is not text in UTF-8"):
        load_lawbook(tmp_path / "a.toml")
    (tmp_path / "a.toml").write_text("id = = 3", encoding="utf-8")
    with pytest.raises(BadInput, match=r"not TOML: .*line 1"):
        load_lawbook(tmp_path / "a.toml")
    (tmp_path / "a.toml").write_text("a = " + "[" * 5000, encoding="utf-8")
    with pytest.raises(BadInput, match="not TOML"):
        load_lawbook(tmp_path / "a.toml")
