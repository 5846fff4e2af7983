"""What the documents show is true."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from carromeye.commands.laws_compare import shown
from models.errors import BadInput
from models.stroke import CALLS, IMPROPER
from models.stroke_log import parse_log
from referee.cited import CITED
from referee.engine import rule_match
from referee.lawbook_files import known_lawbooks, lawbook_text, load_lawbook
from referee.laws import OFFENCES, SECTIONS, LawBook, Offence, settings

DOCS = Path(__file__).resolve().parent.parent / "docs"
FORMATS = DOCS / "formats.md"
LAWS = (DOCS / "laws.md").read_text(encoding="utf-8")


def test_the_example_log_is_ruled_as_the_document_says() -> None:
    example = re.search(r"```json\n(.*?)```", FORMATS.read_text(encoding="utf-8"), re.DOTALL)
    assert example
    rulings = rule_match(parse_log(json.loads(example[1])), load_lawbook("icf")).to_json()
    result = rulings["boards"][0]["result"]
    assert (result["winner"], result["points"]["south"]) == ("south", 4)
    assert rulings["match"]["scores"] == {"south": 22, "north": 20}


def test_the_example_of_calls_is_ruled_as_the_document_says() -> None:
    example = re.findall(r"```json\n(.*?)```", FORMATS.read_text(encoding="utf-8"), re.DOTALL)[1]
    rulings = rule_match(parse_log(json.loads(example)), load_lawbook("icf")).boards[0].rulings
    by_event = {r.event: r for r in rulings}
    assert (by_event[3].white, by_event[4].white) == (9, 8), "the due is out, then it is waived"
    assert (by_event[6].black, by_event[7].black, by_event[7].turn) == (7, 8, "south")
    assert not [d for r in rulings for d in r.discrepancies]


def test_every_call_is_explained() -> None:
    rows = re.findall(
        r"(?m)^\| (`[^|]*) \| [^|]*\|", FORMATS.read_text(encoding="utf-8").partition("| call | `by` |")[2].partition("\n\n")[0]
    )
    assert sorted(name for row in rows for name in re.findall(r"`([a-z_]+)`", row)) == sorted(CALLS)


def test_every_call_and_every_improper_stroke_is_named() -> None:
    named = set(re.findall(r"`([a-z_]+)`", FORMATS.read_text(encoding="utf-8")))
    assert {*CALLS, *IMPROPER} <= named


def rows_of(part: str) -> Mapping[str, list[str]]:
    """The rows of the tables in a part of the page on law books, by the name in their first cell that has one."""
    lines = [[c.strip() for c in line.strip("|").split(" | ")] for line in part.splitlines() if line.startswith("| ")]
    return {cell[1:-1]: row for row in lines for cell in row[:2] if re.fullmatch(r"`[a-z_]+`", cell)}


def part_of_laws(heading: str) -> str:
    return re.split(r"(?m)^#", LAWS.partition(f"# {heading}")[2], maxsplit=1)[0]


def taken(takes: str) -> str:
    """What a setting takes as the page has it: words in the type of code."""
    return ", ".join(f"`{t}`" for t in takes.split(", ")) if takes[0] == '"' or takes == "true, false" else takes


def where(values: Mapping[str, object], usual: object) -> str:
    """Other values than the ICF book's, and the books that have them."""
    books: dict[object, list[str]] = {}
    for book, value in values.items():
        if value != usual:
            books.setdefault(value, []).append(book)
    return "; ".join(f"`{shown(value)}` {named(ids)}" for value, ids in books.items())


def named(ids: list[str]) -> str:
    modes = [b for b in known_lawbooks() if b.startswith("22s-")]
    if len(ids) == len(known_lawbooks()) - 1:
        return "all others"
    if set(modes) <= set(ids):
        ids = ["22s-*", *(i for i in ids if i not in modes)]
    return ", ".join(ids)


BOOKS: Mapping[str, LawBook] = {b: load_lawbook(b) for b in known_lawbooks()}


@pytest.mark.parametrize("section", SECTIONS)
def test_every_setting_is_explained_with_its_values(section: str) -> None:
    attribute, cls = SECTIONS[section]
    rows = rows_of(part_of_laws(f"`[{section}]`"))
    assert list(rows) == list(settings(cls))
    for key, setting in settings(cls).items():
        values = {b: getattr(getattr(book, attribute), key) for b, book in BOOKS.items()}
        _, takes, meaning, icf, elsewhere = rows[key]
        assert (takes, icf, elsewhere) == (taken(setting.metadata["takes"]), f"`{shown(values['icf'])}`", where(values, values["icf"])), key
        assert len(meaning.split()) > 1


def test_every_offence_and_all_that_it_may_cost_is_explained() -> None:
    keys, rows = (rows_of(part) for part in part_of_laws("What an offence costs").split("| offence |"))
    assert (set(keys), set(rows)) == (set(settings(Offence)), set(OFFENCES))
    for key, setting in settings(Offence).items():
        assert keys[key][1:3] == [taken(setting.metadata["takes"]), f"`{shown(setting.default)}`"], key
    for name in OFFENCES:
        _, _, icf, others = rows[name]
        cost = BOOKS["icf"].offences.get(name)
        assert icf == (f"`{shown(cost)}`" if cost else "no offence")
        assert others == named([b for b, book in BOOKS.items() if b != "icf" and name in book.offences])


def test_every_key_of_a_clause_is_explained() -> None:
    rows = rows_of(part_of_laws("Clauses"))
    assert set(rows) == set(CITED)
    assert all(len(row[-1]) > 1 for row in rows.values())


def test_the_house_rules_shown_are_law() -> None:
    club = re.search(r"```toml\n(.*?)```", LAWS, re.DOTALL)
    options = re.search(r"```json\n(.*?)\n```", LAWS, re.DOTALL)
    assert club
    assert options
    rules = tomllib.loads(club[1])
    offences = {f"offences.{o}.{k}": v for o, row in rules.pop("offences").items() for k, v in row.items()}
    changed = {f"{s}.{k}": v for s, row in rules.items() if isinstance(row, dict) for k, v in row.items()}
    assert BOOKS["icf"].with_options(changed | offences).points.queen == 5
    assert BOOKS["icf"].with_options(json.loads(f"{{{options[1]}}}")["options"]).match.target == 29


def test_the_refusal_shown_is_what_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("club.toml").write_text(lawbook_text("icf").replace("target = 25", "target = -1"), encoding="utf-8")
    with pytest.raises(BadInput) as e:
        load_lawbook("club.toml")
    assert f"carromeye: {e.value}\n" in LAWS
