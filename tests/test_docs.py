"""What the documents show is true."""

from __future__ import annotations

import json
import re
from pathlib import Path

from models.stroke import CALLS, IMPROPER
from models.stroke_log import parse_log
from referee.engine import rule_match
from referee.lawbook_files import load_lawbook

FORMATS = Path(__file__).resolve().parent.parent / "docs" / "formats.md"


def test_the_example_log_is_ruled_as_the_document_says() -> None:
    example = re.search(r"```json\n(.*?)```", FORMATS.read_text(encoding="utf-8"), re.DOTALL)
    assert example
    rulings = rule_match(parse_log(json.loads(example[1])), load_lawbook("icf")).to_json()
    result = rulings["boards"][0]["result"]
    assert (result["winner"], result["points"]["south"]) == ("south", 4)
    assert rulings["match"]["scores"] == {"south": 22, "north": 20}


def test_every_call_and_every_improper_stroke_is_named() -> None:
    named = set(re.findall(r"`([a-z_]+)`", FORMATS.read_text(encoding="utf-8")))
    assert {*CALLS, *IMPROPER} <= named
