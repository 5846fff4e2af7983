"""The referee in every language: complete catalogues, the same values in braces, and no English left in what is said."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final
from unicodedata import category

import pytest
from typer.testing import CliRunner

from carromeye.cli import app
from carromeye.commands.rule import run
from carromeye.commands.rule_tables import named, print_rulings
from models.errors import BadInput
from models.stroke import CALLS, COLOURS, IMPROPER, SEATS, Board, Call, Event, Match, Piece, Placing, Seat, Start, Stroke
from models.stroke_log import read_log, write_log
from referee.board import apply, can
from referee.engine import rule_match, state_after
from referee.language import known_languages, load_language
from referee.languages import build
from referee.lawbook_files import known_lawbooks, load_lawbook
from referee.laws import LawBook
from referee.state import BoardState
from tests.referee.boards import ICF, a_match, call, hit, place

CODES: Final = ("bg", "fr", "gu", "hi", "sk", "ta")
LATIN: Final = ("fr", "sk")
"""Languages in whose letters an English word would not stand out."""
WORD: Final = re.compile(r"[^\W\d_]{2,}")
CLAUSE: Final = re.compile(r"\b[a-z0-9]+\.[0-9]+\w*")
"""A clause of a law book, as uk.9."""
SAME: Final = {
    "bg": {"icf", "play"},
    "fr": {"base", "centre", "change", "clause", "corrections", "icf", "match", "on", "place", "places", "play", "point", "points"},
    "gu": {"icf", "timeout"},
    "hi": {"icf", "timeout"},
    "sk": {"body", "do", "icf", "no", "play", "slam", "to", "video"},
    "ta": {"icf", "timeout"},
}
"""Words that a language shares with English: its own of the same letters, the laws' name, what the umpire says, a call as logs name it."""


def words(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(CLAUSE.sub("", text))}


def bare(sentence: str) -> str:
    """A sentence without its placeholders."""
    return re.sub(r"\{[^}]*\}", "", sentence)


@cache
def english() -> frozenset[str]:
    return frozenset(word for sentence in build.sentences() for word in words(bare(sentence)))


def left_over(text: str, code: str) -> set[str]:
    """English words in a text of another language; where the letters are others, any word of Latin letters."""
    found = words(text)
    return (found & english() if code in LATIN else {word for word in found if word.isascii()}) - SAME[code]


def test_the_languages_of_the_readers() -> None:
    assert known_languages() == ("en", *CODES)
    assert build.languages() == CODES
    told = CliRunner().invoke(app, ["rule", "--help"], env={"COLUMNS": "200"}).output
    assert f"{', '.join(known_languages()[:-1])} or {known_languages()[-1]}" in told


@pytest.mark.parametrize("code", CODES)
def test_a_catalogue_is_complete_and_compiled(code: str) -> None:
    """Every sentence is translated with the same values in braces; the files are what the tool makes, byte for byte."""
    assert [*build.faults(code)] == []


@pytest.mark.parametrize("code", CODES)
def test_no_sentence_stays_english(code: str) -> None:
    language = load_language(code)
    assert not [s for s in build.sentences() if words(bare(s)) and language.word(s) == s]
    assert not {s: found for s in build.sentences() if (found := left_over(bare(language.word(s)), code))}


@pytest.mark.parametrize("code", ("en", *CODES))
def test_every_sentence_can_be_filled_in(code: str) -> None:
    values: dict[str, Any] = {name: 1 for s in build.sentences() for name in re.findall(r"\{(\w+)", s)}
    values |= {"pieces": ("white", "queen", "striker", "white"), "reasons": ("pushed", "elbow"), "ruled": ("she_is_covered",)}
    language = load_language(code)
    for sentence in build.sentences():
        assert "{" not in language.sentence(sentence, values)


def test_the_tool_keeps_what_is_translated_and_guesses_nothing() -> None:
    kept, _ = build.merge("xx", b"")
    assert build.merge("xx", kept)[0] == kept
    one = kept.replace(b'msgid "Nothing pocketed."\nmsgstr ""', b'msgid "Nothing pocketed."\nmsgstr "Rien."')
    assert one != kept
    other = one.replace(b'msgid "Nothing pocketed."', b'msgid "Nothing was pocketed."')
    assert build.merge("xx", one)[0] == one
    assert build.merge("xx", other)[0] == kept, "a sentence that was changed stands untranslated"
    fuzzy = one.replace(b'msgid "Nothing pocketed."', b'#, fuzzy\nmsgid "Nothing pocketed."')
    assert build.merge("xx", fuzzy)[0] == kept, "a guess is no translation"
    noted = one.replace(b"#. message fell_nothing", b"# by hand\n#. message fell_nothing")
    assert build.merge("xx", noted)[0] == noted


def test_what_is_no_catalogue_is_refused() -> None:
    with pytest.raises(BadInput, match=r"referee\.po"):
        build.merge("xx", b"not a catalogue\n")


def test_the_tool_checks_and_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(build, "FOLDER", tmp_path)

    def tool(*args: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["build", *args])
        return build.main(), capsys.readouterr().out

    assert tool("xx")[0] == 0
    assert [p.name for p in sorted((tmp_path / "xx" / "LC_MESSAGES").iterdir())] == ["referee.mo", "referee.po"]
    code, told = tool("--check")
    assert code == 1
    assert "xx: message fell_nothing: not translated" in told
    assert f"{len(build.sentences())} sentences in xx: {len(build.sentences())} faults" in told
    po = build.catalogue("xx")
    filled = po.read_text(encoding="utf-8").replace('{pieces}."\nmsgstr ""', '{pieces}."\nmsgstr "{piece}"', 1)
    po.write_text(filled, encoding="utf-8")
    code, told = tool("--check")
    assert code == 1
    assert "xx: message fell: other values in braces than the English sentence" in told
    assert "xx: referee.mo is not what referee.po compiles to" in told
    po.write_text(filled.replace("#. message fell\n", ""), encoding="utf-8")
    assert "xx: referee.po is not up to date" in tool("--check")[1]


def test_running_needs_no_babel() -> None:
    script = (
        "import sys; sys.modules['babel'] = None; import referee.languages.build\n"
        "from referee.language import load_language; print(load_language('fr').word('Foul.'))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout == "Faute.\n"


@pytest.mark.parametrize("variable", ["LANGUAGE", "LANG", "LC_ALL", "LC_MESSAGES"])
def test_the_environment_says_nothing(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "sk_SK.UTF-8")
    assert load_language("en").word("Foul.") == "Foul."
    load_language.cache_clear()
    assert load_language("bg").word("Foul.") == "Фал."


@pytest.mark.parametrize("code", ["xx", "FR", "", "..", "fr/../fr", "fr_FR", "__pycache__"])
def test_an_unknown_language_is_refused(code: str) -> None:
    with pytest.raises(BadInput, match="known: en, bg, fr, gu, hi, sk, ta"):
        load_language(code)


def an_event(state: BoardState, random: Random) -> Event:
    """Anything that can happen on a table or be called, mostly by the one at turn."""
    by = random.choice((*[state.turn or state.table.order[0]] * 4, *state.table.order))
    kind = random.randrange(8)
    if kind == 0:
        return Call(random.choice(CALLS), by)
    if kind == 1:
        return Placing(by, tuple(random.choices(COLOURS, k=random.randrange(3))))
    some: tuple[Piece, ...] = ("white", "white", "black", "black", "queen", "striker")
    off = tuple(random.choices(some, k=1)) if random.random() < 0.15 else ()
    improper = (random.choice(IMPROPER),) if random.random() < 0.2 else ()
    seconds = random.choice((None, None, 4.0, 31.0))
    pocketed = tuple(random.sample(some, k=random.choice((0, 1, 1, 2, 3))))
    return Stroke(by, pocketed, random.random() < 0.9, off, improper, seconds=seconds, confidence=random.choice((None, 0.4)))


def a_log(book: LawBook, random: Random, boards: int = 4) -> Match:
    """A match played at random, its boards from the break or from near their ends."""
    count = random.choice(book.match.players)
    seats: tuple[Seat, ...] = ("south", "north") if count == 2 else SEATS[:count]
    played: list[Board] = []
    for _ in range(boards):
        white, black = random.randint(1, 3), random.randint(1, 3)
        start = random.choice((None, Start(white, black, random.choice(("on_board", "covered:south", "pending:south")), turn="south")))
        events: list[Event] = []
        try:
            now = state_after(a_match(*played, Board(start=start), seats=seats), book, len(played))
        except BadInput:
            continue
        while len(events) < 25 and not now.over:
            event = an_event(now, random)
            if can(now, event):
                now = apply(now, event)
                events.append(event)
        played.append(Board(tuple(events), start))
    return a_match(*played, seats=seats)


def said(rulings: dict[str, Any]) -> Iterator[str]:
    """Every sentence in the rulings' JSON value."""
    for key, value in rulings.items():
        if key in ("text", "reason"):
            yield value
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict):
                yield from said(inner)


@pytest.mark.parametrize("book_id", known_lawbooks())
def test_whatever_is_ruled_is_said_in_every_language(book_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    book = load_lawbook(book_id)
    for seed in range(6):
        match = a_log(book, Random(seed))
        assert match.boards
        for language in map(load_language, CODES):
            shown = named(match, language)
            rulings = rule_match(shown, book)
            told = [*said(rulings.to_json(language))]
            assert len(told) == len([*said(rulings.to_json())])
            assert not [text for text in told if "{" in text or left_over(text, language.code)]
            print_rulings(shown, rulings, "", language)
            _, *lines = capsys.readouterr().out.splitlines()
            assert not [line for line in lines if left_over(line, language.code)]


def test_points_given_before_a_board_are_told_by_name() -> None:
    boards = (Board((hit("white"),)), Board(start=Start(scores={"south": 3, "north": 2})))
    for language in map(load_language, CODES):
        flag = rule_match(named(a_match(*boards), language), ICF).boards[1].flags[0]
        assert not left_over(language.flag(flag.kind, flag.values), language.code)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.json"
    first = Board(
        (hit("white", "striker"), place("white", "black"), hit(seconds=20.0, improper=("pushed", "elbow")), call("talking", "north")),
        Start(1, 3, "covered:south", "south", "south"),
    )
    players = Board((hit("white", by="north"), hit("black", "queen", off_board=("white",)), call("refused", "north")))
    write_log(a_match(first, Board((call("replay"),)), players), path)
    return path


CORRECTIONS: Final = (
    "board 1 event 1 touched=no pocketed= because=1",
    "board 1 event 2 delete because=2",
    "board 3 event 1 insert placing by=south pieces=queen because=3",
    "board 3 event 2 seconds=9 improper=backward because=4",
)


@pytest.mark.parametrize("code", CODES)
def test_the_command_in_a_language(code: str, log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "corrected.json"
    run(log, False, None, CORRECTIONS, out, code)
    _, *lines, last = capsys.readouterr().out.splitlines()
    assert not {line: found for line in lines if (found := left_over(line, code))}
    assert last == load_language(code).table("written", path=out)
    assert [p.name for p in read_log(out).players] == ["South", "North"], "the log keeps its names"
    run(out, True, None, language=code)
    spoken = capsys.readouterr().out
    run(out, True, None)
    plain = json.loads(capsys.readouterr().out)
    rulings = json.loads(spoken)
    assert not {text: found for text in said(rulings) if (found := left_over(text, code))}
    assert without_words(rulings) == without_words(plain), "a program finds the same in every language"


def without_words(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: without_words(v) for k, v in value.items() if k not in ("text", "reason")}
    return [without_words(v) for v in value] if isinstance(value, list) else value


def test_names_that_players_have_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.json"
    match = a_match(Board((hit(by="south"),)))
    write_log(replace(match, players=(replace(match.players[0], name="Asha"), match.players[1])), path)
    run(path, False, None, language="fr")
    told = capsys.readouterr().out
    assert "Asha (sud), Nord (nord)" in told
    assert "La main passe à Nord." in told


def test_end_to_end(log: Path) -> None:
    def carromeye(*args: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "carromeye", "rule", str(log), *args]
        return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)

    done = carromeye("--lang", "sk")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Doska 1 (hra 1, doska 1), rozbíja Juh" in done.stdout
    refused = carromeye("--lang", "de", "--json")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "carromeye: no texts in language 'de'; known: en, bg, fr, gu, hi, sk, ta\n"


def test_columns_stay_in_line_where_signs_stand_above_letters(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(log, False, None, language="hi")
    heading, row = capsys.readouterr().out.splitlines()[3:5]
    hindi = load_language("hi")
    queen = hindi.table("covered", name=hindi.table("south"))
    assert columns(heading.partition(hindi.table("Queen"))[0]) == columns(row.partition(queen)[0])


def columns(text: str) -> int:
    """Columns of a terminal: marks take none."""
    return sum(category(c) not in ("Mn", "Me", "Cf") for c in text)
