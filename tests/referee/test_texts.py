"""What the referee can say and cite: nothing is left that no ruling says, and no ruling says what is not there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

import referee
from models.stroke import CALLS, IMPROPER, PIECES
from referee.cited import CITED
from referee.laws import OFFENCES
from referee.texts import DISCREPANCIES, FLAGS, MESSAGES, READINGS, WORDS

CODE: Final = "\n".join(
    p.read_text(encoding="utf-8") for p in Path(referee.__file__).parent.glob("*.py") if p.name not in ("texts.py", "cited.py")
)
BY_NAME: Final = {*OFFENCES, *CALLS, *IMPROPER, *PIECES}
"""Keys that are the names of what a log or a law book has."""


def in_code(key: str) -> bool:
    """Whether a key stands in the engine, or is put together there from its parts."""
    parts = r"slam_(white|black)|(game|match)_lost|(cover|queen|striker|improper)_[a-z_]+"
    return f'"{key}"' in CODE or key in BY_NAME or re.fullmatch(parts, key) is not None


@pytest.mark.parametrize(
    "texts", [WORDS, MESSAGES, READINGS, FLAGS, DISCREPANCIES], ids=["words", "messages", "readings", "flags", "others"]
)
def test_every_sentence_is_said_somewhere(texts: dict[str, str]) -> None:
    assert [key for key in texts if not in_code(key)] == []


def test_no_key_hides_another() -> None:
    assert not set(WORDS) & set(MESSAGES)
    assert not (set(WORDS) | set(MESSAGES)) & set(READINGS)


def test_every_rule_is_cited_somewhere() -> None:
    assert [key for key in CITED if not in_code(key)] == []


def test_whatever_is_said_flagged_or_cited_is_there() -> None:
    assert set(re.findall(r'note\.say\("(\w+)"', CODE)) <= set(MESSAGES)
    assert set(re.findall(r'note\.flag\("(\w+)"', CODE)) | set(re.findall(r'Flag\("(\w+)"', CODE)) <= set(FLAGS)
    assert set(re.findall(r'note\.cite\("(\w+)"', CODE)) | set(re.findall(r'cited\.append\("(\w+)"', CODE)) <= {*CITED, *OFFENCES}
