"""Law books as files: what is read, and what is refused and how."""

from __future__ import annotations

import os
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
        ('direction = "anticlockwise"', 'direction = "Anticlockwise"', r"\[match\] direction: 'Anticlockwise' is not one of anticlockwise"),
        ("change_sides =", "Change_sides =", r"\[match\] Change_sides: unknown key \(known: players"),
        ("[queen]", "[Queen]", r"Queen: unknown key \(known: id, name, match"),
        ("[dues]", "[[dues]]", r"dues: is not a section; write \[dues\]"),
        ("target = 25", "target = 25.0", r"\[match\] target: 25\.0 is not a whole number"),
        ("target = 25", "target = 99999999999999999999", r"\[match\] target: 99999999999999999999 is not a whole number"),
        ("clock_s = 15", "clock_s = inf", r"\[match\] clock_s: inf is not a number from 0 to 3600"),
        ("clock_s = 15", "clock_s = nan", r"\[match\] clock_s: nan is not a number from 0 to 3600"),
        ("clock_s = 15", "clock_s = 2026-01-01", r"\[match\] clock_s: .* is not a number from 0 to 3600"),
        ("target = 25", '"target" = -1', r"\[match\] target: -1 is not a whole number"),
        ("target = 25", "\ttarget\t=\t-1", r"\[match\] target: -1 is not a whole number"),
        ("foul = {pieces = 1,", 'foul.pieces = 1\nfoul.turn = "gone" #', r"\[offences\] foul: turn: 'gone' is not one of kept, lost"),
        ("[clauses]", "[offences.fowl]\npieces = 1\n[clauses]", r"\[offences\] fowl: unknown key \(known: striker_pocketed"),
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
    assert int(given[1]) == line_of(text, new.splitlines()[0 if "[clauses]" in new else -1])
    assert "\n" not in str(e.value)


@pytest.mark.parametrize(
    ("old", "new", "bad", "says"),
    [
        ("# Boards, games", "DOTTED# Boards, games", "match.target = -1", r"\[match\] target: -1 is not"),
        ("# Boards, games", "DOTTED# Boards, games", "match.goal = 1", r"\[match\] goal: unknown key"),
        ("[match]", '["match"]', "target = -1", r"\[match\] target: -1 is not"),
        ("[match]", "[ match ]", "target = -1", r"\[match\] target: -1 is not"),
        ("[dues]", "[dues]", 'unpaid = "gone"', r"\[dues\] unpaid: 'gone' is not one of"),
        ('id = "icf"', 'id = "icf" # \u2028 \u0085 ', "target = -1", r"\[match\] target: -1 is not"),
        ("[clauses]", "[offences.no_touch]\npieces = 1\nturn = 1\n[clauses]", "turn = 1", r"\[offences\] no_touch: turn: 1 is not one of"),
    ],
    ids=["dotted", "dotted unknown", "quoted section", "spaces", "plain", "other ends of lines", "an offence's section"],
)
def test_however_it_is_written_the_line_is_right(tmp_path: Path, old: str, new: str, bad: str, says: str) -> None:
    text = TEXT
    if new.startswith("DOTTED"):
        before, _, rest = text.partition("[match]\n")
        section, _, after = rest.partition("\n\n")
        dotted = "".join(f"match.{line}\n" if line[0].isalpha() else f"{line}\n" for line in section.splitlines())
        text = before.replace(old, f"{dotted}{old}") + after
    else:
        text = text.replace(old, new, 1)
    key = bad.partition(" ")[0]
    if re.search(rf"(?m)^{re.escape(key)} = ", text):
        text = re.sub(rf"(?m)^{re.escape(key)} = .*$", bad, text)
    else:
        text = text.replace("match.target", f"{bad}\nmatch.target")
    club = tmp_path / "club.toml"
    club.write_text(text, encoding="utf-8")
    line = next(k for k, line in enumerate(text.split("\n"), 1) if line == bad)
    with pytest.raises(BadInput, match=rf"^law book {re.escape(str(club))}: line {line}: {says}"):
        load_lawbook(club)


@pytest.mark.parametrize(
    ("encoding", "mark", "ends"),
    [
        ("utf-16-le", b"\xff\xfe", "\r\n"),
        ("utf-16-be", b"\xfe\xff", "\n"),
        ("utf-8", b"\xef\xbb\xbf", "\r\n"),
        ("utf-8", b"", "\r\n"),
        ("utf-8", b"", "\r"),
        ("utf-8", b"", "\n"),
    ],
)
def test_what_editors_and_consoles_write_is_read(tmp_path: Path, encoding: str, mark: bytes, ends: str) -> None:
    club = tmp_path / "club.toml"
    text = TEXT.replace('name = "ICF Laws of Carrom"', 'name = "कैरम घर"')
    club.write_bytes(mark + text.replace("\n", ends).encode(encoding))
    assert load_lawbook(club).name == "कैरम घर"
    club.write_bytes(mark + text.replace("target = 25", "target = -1").replace("\n", ends).encode(encoding))
    with pytest.raises(BadInput, match=rf"line {line_of(text, 'target = 25')}: \[match\] target"):
        load_lawbook(club)


@pytest.mark.parametrize(
    ("old", "new", "below"),
    [
        ("target = 25", "target = 25\ntarget = 26", 1),
        ("[pieces]", "[match]", 0),
        ("extra_board = true", "extra_board = True", 0),
        ('id = "icf"', 'id = "icf', 0),
        ("[match]", "match.target = 3\n[match]", 1),
        ("foul = {pieces = 1,", "foul = {pieces = 1, pieces = 2,", 0),
        ("[clauses]", "\0[clauses]", 0),
    ],
)
def test_what_is_no_toml_is_told_in_one_line(tmp_path: Path, old: str, new: str, below: int) -> None:
    club = tmp_path / "club.toml"
    before, found, after = TEXT.partition(f"\n{old}")
    assert found
    club.write_text(f"{before}\n{new}{after}", encoding="utf-8")
    line = before.count("\n") + 2 + below
    with pytest.raises(BadInput, match=rf"^law book {re.escape(str(club))}: not TOML: .*\(at line {line}, ") as e:
        load_lawbook(club)
    assert "\n" not in str(e.value)


@pytest.mark.parametrize("value", ["9" * 5000, f"0x{'f' * 5000}", f"{{{'a.' * 1000}a = 1}}"], ids=["digits", "hex", "tables"])
def test_a_line_beyond_all_measure(tmp_path: Path, value: str) -> None:
    club = tmp_path / "club.toml"
    text = TEXT.replace("target = 25", f"target = {value}")
    club.write_text(text, encoding="utf-8")
    line = line_of(text, "target = ")
    with pytest.raises(BadInput, match=rf"line {line}: more than 600 letters") as e:
        load_lawbook(club)
    assert len(str(e.value)) < len(str(club)) + 200


def test_a_file_that_is_waited_for_or_never_ends(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    os.mkfifo(tmp_path / "club.toml")
    with pytest.raises(BadInput, match=r"^cannot read law book .*club\.toml: it is a folder or no ordinary file"):
        load_lawbook(tmp_path / "club.toml")


@pytest.mark.parametrize("name", ["Règles\u00a0: le club", "क्\u200dलब", "Club \U0001fae8"])
def test_a_name_in_any_language(tmp_path: Path, name: str) -> None:
    club = tmp_path / "club.toml"
    club.write_text(TEXT.replace('name = "ICF Laws of Carrom"', f'name = "{name}"'), encoding="utf-8")
    assert load_lawbook(club).name == name


def test_other_ways_to_write_the_same(tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    for old, new in (
        ('foul = {pieces = 1, turn = "lost"} ', 'foul.pieces = 1\nfoul.turn = "lost" '),
        ("[match]", "[ match ] # ours"),
        ("target = 25", '"target"\t=\t2_5'),
        ("players = [2, 4]", "players = [\n  2,\n  4,\n]"),
        ("clock_s = 15", "clock_s = 15.0"),
    ):
        club.write_text(re.sub(rf"(?m)^{re.escape(old)}", lambda _, new=new: new, TEXT, count=1), encoding="utf-8")  # type: ignore[misc]
        assert load_lawbook(club) == load_lawbook("icf")


@pytest.mark.parametrize("name", [r"\u001b[31mClub", r"Our\nclub", r"Our\tclub"])
def test_a_name_is_one_line_of_letters(tmp_path: Path, name: str) -> None:
    club = tmp_path / "club.toml"
    club.write_text(TEXT.replace('name = "ICF Laws of Carrom"', f'name = "{name}"'), encoding="utf-8")
    with pytest.raises(BadInput, match=r"line 10: name: has a control character"):
        load_lawbook(club)


def test_a_long_value_is_not_repeated_in_full(tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text(TEXT.replace('direction = "anticlockwise"', f'direction = "{"a" * 500}"'), encoding="utf-8")
    with pytest.raises(BadInput, match=r"\[match\] direction: ") as e:
        load_lawbook(club)
    assert len(str(e.value)) < len(str(club)) + 200


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
    (tmp_path / "a.toml").write_bytes(bytes(range(256)))
    with pytest.raises(BadInput, match="it is not text in UTF-8"):
        load_lawbook(tmp_path / "a.toml")
    (tmp_path / "a.toml").write_text(f"{TEXT}# {'x' * 1_000_000}", encoding="utf-8")
    with pytest.raises(BadInput, match="more than 1000000 bytes"):
        load_lawbook(tmp_path / "a.toml")
    (tmp_path / "a.toml").write_text("id = = 3", encoding="utf-8")
    with pytest.raises(BadInput, match=r"not TOML: .*line 1"):
        load_lawbook(tmp_path / "a.toml")
    (tmp_path / "a.toml").write_text("a = " + "[" * 500, encoding="utf-8")
    with pytest.raises(BadInput, match="not TOML"):
        load_lawbook(tmp_path / "a.toml")
