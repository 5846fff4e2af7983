"""docs/clauses-icf.md leaves nothing out: every row of the decision table, every law it names, every law that the law book cites."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.referee.boards import ICF

HERE: Final = Path(__file__).resolve().parent
PAGE: Final = HERE.parent.parent / "docs" / "clauses-icf.md"
STATES: Final = ("implemented", "needs a call", "not the referee's", "not observable")
TESTED: Final = STATES[:2]
"""What a row with a test of its own is."""
ROW_ID: Final = re.compile(r"\d+\.\d+|C\d+")
LAW: Final = re.compile(r"\d+[a-z]?")
CITED: Final = re.compile(r"\bB (\d+[a-z]?(?:(?:–\d+[a-z]?)|(?:, ?(?:\d+[a-z]?|[a-z])\b)|(?:/\d+[a-z]?))*)")
"""Laws of the edition B in a source: "B 72c", "B 17, 33–35", "B 65c,d"."""
BRACKETED: Final = re.compile(r"\((\d+[a-z]?(?:[–,] ?\d+[a-z]?)*)\)")
LAWS: Final = range(9, 144)
"""Those that the table names; "B 1" in C11 is a point, not a law."""


def rows_of(text: str) -> Iterator[list[str]]:
    """The cells of the rows of a page's tables whose first is a row's or a law's number."""
    for line in text.splitlines():
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells and (ROW_ID.fullmatch(cells[0]) or LAW.fullmatch(cells[0])):
            yield cells


def laws_in(text: str) -> list[str]:
    """The numbers of the laws that a source names, spans written out: "79–81" is 79, 80 and 81."""
    found: list[str] = []
    for listed in CITED.findall(text) + BRACKETED.findall(text):
        last = ""
        for part in re.split(r"[,/] ?", listed):
            if part.isalpha():
                part = last + part
            first, _, end = part.partition("–")
            last = re.sub(r"\D", "", first)
            found += [first] if not end else [str(n) for n in range(int(last), int(re.sub(r"\D", "", end)) + 1)]
    return [n for n in dict.fromkeys(found) if int(re.sub(r"\D", "", n)) in LAWS]


@pytest.fixture(scope="module")
def page() -> list[list[str]]:
    return list(rows_of(PAGE.read_text(encoding="utf-8")))


def the_table(shared: Path) -> list[list[str]]:
    return list(rows_of((shared / "laws" / "icf.md").read_text(encoding="utf-8")))


def test_every_row_of_the_decision_table_is_there_once(page: list[list[str]], shared: Path) -> None:
    ids = [cells[0] for cells in page if ROW_ID.fullmatch(cells[0])]
    assert ids == [cells[0] for cells in the_table(shared)]


def test_every_law_that_the_decision_table_names_is_there(page: list[list[str]], shared: Path) -> None:
    named = set(laws_in((shared / "laws" / "icf.md").read_text(encoding="utf-8")))
    assert {"9", "45a", "65d", "80", "143"} <= named
    assert named - {cells[0] for cells in page} == set()


def test_every_law_that_the_law_book_cites_is_there(page: list[list[str]]) -> None:
    cited = {law for laws in ICF.clauses.values() for law in laws}
    assert cited - {cells[0] for cells in page} == set()


def test_every_row_says_how_it_is_met(page: list[list[str]]) -> None:
    for cells in page:
        if ROW_ID.fullmatch(cells[0]):
            assert cells[3] in STATES, cells
            assert all(cells), cells


def test_every_law_leads_to_rows(page: list[list[str]]) -> None:
    ids = {cells[0] for cells in page if ROW_ID.fullmatch(cells[0])}
    for cells in page:
        if LAW.fullmatch(cells[0]):
            assert set(re.split(", ", cells[1])) <= ids, cells


def test_every_row_that_is_met_has_a_test_named_after_it(page: list[list[str]]) -> None:
    functions = {
        node.name
        for file in HERE.glob("test_icf_*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    for cells in page:
        if ROW_ID.fullmatch(cells[0]) and cells[3] in TESTED:
            name = re.compile(rf"test_(?:\d+_\d+_and_)*{cells[0].lower().replace('.', '_')}_")
            assert any(name.match(f) for f in functions), f"{cells[0]}: no test is named after it"


def test_every_setting_named_is_one(page: list[list[str]]) -> None:
    """`[section] key` and `offences.NAME` in the last column are in the law book."""
    known = Path(HERE.parent.parent / "referee" / "lawbooks" / "icf.toml").read_text(encoding="utf-8")
    for cells in page:
        for key in re.findall(r"`\[\w+\] (\w+)`", cells[-1]):
            assert re.search(rf"^{key} = ", known, re.MULTILINE), (cells[0], key)
