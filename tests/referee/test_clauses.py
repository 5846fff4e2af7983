"""docs/clauses.md leaves nothing out, and what it says is there is there (the ICF page: `test_icf_clauses.py`)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from models.stroke import CALLS
from referee.lawbook_files import known_lawbooks, lawbook_text, load_lawbook
from referee.laws import OFFENCES, SECTIONS, settings

HERE: Final = Path(__file__).resolve().parent
PAGE: Final = HERE.parent.parent / "docs" / "clauses.md"
BOOKS: Final = tuple(book for book in known_lawbooks() if book != "icf")
CLAUSE: Final = re.compile(r"(?:uk|gr|g3|bi|bc|22[a-z]?)\.\d+")
HOW: Final = {"implemented", "needs a call", "not observable"}


@pytest.fixture(scope="module")
def page() -> dict[str, list[str]]:
    """What the clause asks, how it is met and by what, by the clause's id."""
    cells = [[c.strip() for c in line.strip().strip("|").split("|")] for line in PAGE.read_text(encoding="utf-8").splitlines()]
    return {row[0]: row[1:] for row in cells if CLAUSE.fullmatch(row[0])}


def test_every_clause_of_the_table_is_there_once(page: dict[str, list[str]], shared: Path) -> None:
    table = (shared / "laws" / "lawbooks.md").read_text(encoding="utf-8")
    listed = re.findall(rf"^\| ({CLAUSE.pattern}) \|", table, re.MULTILINE)
    assert {"uk.1", "gr.12", "g3.3", "22.5", "22s.1", "bi.10", "bc.10"} <= set(listed)
    assert list(page) == listed
    assert [c for c in listed if PAGE.read_text(encoding="utf-8").count(f"\n| {c} |") != 1] == []


@pytest.mark.parametrize("book", BOOKS)
def test_every_clause_that_a_book_cites_or_names_in_its_comments_is_there(book: str, page: dict[str, list[str]]) -> None:
    cited = {c for clauses in load_lawbook(book).clauses.values() for c in clauses}
    named = set(re.findall(rf"\b{CLAUSE.pattern}\b", lawbook_text(book)))
    assert cited <= named <= set(page)


def test_each_clause_is_told_in_words_and_how_it_is_met(page: dict[str, list[str]]) -> None:
    for clause, cells in page.items():
        assert len(cells) == 3, clause
        assert all(cells), clause
        assert set(cells[1].split(", ")) <= HOW, clause


def test_what_is_implemented_or_called_has_a_test_named_after_it(page: dict[str, list[str]]) -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    untested = [c for c, (_, how, _) in page.items() if how != "not observable" and f"def test_{c.replace('.', '_')}_" not in tests]
    assert untested == []


def test_what_is_not_observable_is_cited_by_no_book(page: dict[str, list[str]]) -> None:
    cited = {c for book in BOOKS for clauses in load_lawbook(book).clauses.values() for c in clauses}
    assert [c for c, (_, how, _) in page.items() if how == "not observable" and c in cited] == []


def test_settings_offences_and_calls_that_the_page_names_exist(page: dict[str, list[str]]) -> None:
    known = {f"{section}.{key}" for section, (_, cls) in SECTIONS.items() for key in settings(cls)} | {f"offences.{o}" for o in OFFENCES}
    for clause, (_, how, why) in page.items():
        assert set(re.findall(r"`([a-z]+\.[a-z_]+)`", why)) <= known | {"start.breaker"}, clause
        assert "needs a call" not in how or set(CALLS) & set(re.findall(r"`([a-z_]+)`", why)), clause
