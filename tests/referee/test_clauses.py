"""The pages that tell clause by clause what the referee does: nothing is missing, and what they say is there is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from models.stroke import CALLS
from referee.lawbook_files import known_lawbooks, load_lawbook
from referee.laws import OFFENCES, SECTIONS, settings

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = {"icf": ROOT / "docs" / "clauses-icf.md", "others": ROOT / "docs" / "clauses.md"}
TESTS: Final = {
    path.stem: path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")) if path != Path(__file__)
}
HOW: Final = {"implemented", "needs a call", "not observable"}


def rows(page: str) -> dict[str, list[str]]:
    """The rows of a page's tables of four columns by their first cell."""
    cells = [[c.strip() for c in line.strip().strip("|").split("|")] for line in _text(page).splitlines() if line.startswith("|")]
    return {row[0]: row[1:] for row in cells if len(row) == 4 and row[0] != "id" and not row[0].startswith("-")}


def _text(page: str) -> str:
    return PAGES[page].read_text(encoding="utf-8") if PAGES[page].is_file() else ""


def test_every_clause_of_the_other_books_is_in_the_page(shared: Path) -> None:
    text = (shared / "laws" / "lawbooks.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| ([a-z0-9]+\.\d+) \|", text, re.MULTILINE)
    assert len(listed) > 70
    assert list(rows("others")) == listed


@pytest.mark.parametrize("book", known_lawbooks())
def test_every_clause_that_a_book_cites_is_in_its_page(book: str) -> None:
    cited = {c for clauses in load_lawbook(book).clauses.values() for c in clauses}
    if book == "icf":
        named = set(re.findall(r"\d+[a-f]?", _text("icf")))
        assert not {c for c in cited if c not in named}
    else:
        assert cited <= set(rows("others"))


def test_each_clause_is_told_in_words_and_how() -> None:
    for clause, (told, how, why) in rows("others").items():
        assert told, clause
        assert why, clause
        assert set(how.split(", ")) <= HOW, clause


def test_what_is_implemented_or_called_has_a_test_called_after_it() -> None:
    named = set(re.findall(r"def (test_\w+)", "\n".join(TESTS.values())))
    for clause, (_, how, _) in rows("others").items():
        prefix = f"test_{clause.replace('.', '_')}_"
        tested = any(n.startswith(prefix) for n in named)
        assert tested or how == "not observable", clause


def test_what_is_not_observable_is_cited_by_no_book() -> None:
    cited = {c for book in known_lawbooks() for clauses in load_lawbook(book).clauses.values() for c in clauses}
    assert not [c for c, (_, how, _) in rows("others").items() if how == "not observable" and c in cited]


def test_settings_offences_and_calls_that_the_page_names_exist() -> None:
    known = {f"{section}.{key}" for section, (_, cls) in SECTIONS.items() for key in settings(cls)} | {f"offences.{o}" for o in OFFENCES}
    for clause, (_, how, why) in rows("others").items():
        names = set(re.findall(r"`([a-z]+\.[a-z_]+)`", why)) - {"start.breaker"}
        assert names <= known, clause
        if "needs a call" in how:
            assert set(CALLS) & set(re.findall(r"`([a-z_]+)`", why)), clause


def test_the_settings_of_a_book_name_the_clauses_of_the_page() -> None:
    """The clauses in brackets in the law books' comments are clauses of the page."""
    for book in known_lawbooks():
        if book == "icf":
            continue
        text = (ROOT / "referee" / "lawbooks" / f"{book}.toml").read_text(encoding="utf-8")
        mentioned = set(re.findall(r"\b((?:uk|gr|g3|bi|bc|22[a-z]?)\.\d+)\b", text))
        assert mentioned <= set(rows("others")), book
