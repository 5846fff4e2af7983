"""The referee's sentences in a reader's language.

The catalogue is gettext's: `languages/LANG/LC_MESSAGES/referee.po`, compiled beside it, with the English sentences as keys.
"""

from __future__ import annotations

import gettext
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from models.errors import BadInput
from models.stroke import COLOURS
from referee.table_texts import TABLE
from referee.texts import CATALOGUE, DISCREPANCIES, FLAGS, Message, Term

DOMAIN: Final = "referee"
FOLDER: Final = Path(__file__).with_name("languages")


@dataclass(frozen=True)
class Language:
    """A language to speak in; `translations` None is English itself."""

    code: str = "en"
    translations: gettext.NullTranslations | None = None

    def word(self, english: str) -> str:
        """A sentence or word of the catalogue in this language."""
        return english if self.translations is None else self.translations.gettext(english)

    def sentence(self, english: str, values: Mapping[str, object]) -> str:
        """A sentence with its values filled in."""
        return self.word(english).format_map({k: self._shown(k, v) for k, v in values.items()})

    def text(self, messages: Iterable[Message]) -> str:
        """Messages of the catalogue, one after the other."""
        return " ".join(self.sentence(CATALOGUE[key], values) for key, values in messages)

    def sentences(self, messages: Iterable[Message]) -> list[dict[str, str]]:
        """Messages one by one, each with its key."""
        return [{"kind": key, "text": self.text([(key, values)])} for key, values in messages]

    def flag(self, key: str, values: Mapping[str, object]) -> str:
        """What the umpire has to decide."""
        return self.sentence(FLAGS[key], values)

    def discrepancy(self, key: str, values: Mapping[str, object]) -> str:
        """Where the table differs from what the laws ask."""
        return self.sentence(DISCREPANCIES[key], values)

    def table(self, key: str, **values: object) -> str:
        """A word or line of the tables of rulings."""
        return self.sentence(TABLE[key], values)

    def _shown(self, name: str, value: object) -> object:
        if name == "pieces":
            return self.pieces(Counter(value))  # type: ignore[call-overload]
        if isinstance(value, Term):
            return self.word(CATALOGUE.get(value) or DISCREPANCIES[value])
        if isinstance(value, tuple):
            return "; ".join(self.word(CATALOGUE[v]) for v in value)
        return value

    def pieces(self, counts: Mapping[str, int]) -> str:
        """Counts of pieces in words: 2 white, Queen."""
        order = [*COLOURS, "striker"]
        known = [(p, counts[p]) for p in order if counts.get(p)]
        return ", ".join(
            self.word(CATALOGUE[p]) if n == 1 else self.sentence(CATALOGUE["count"], {"n": n, "piece": Term(p)}) for p, n in known
        )


ENGLISH: Final = Language()


def known_languages() -> tuple[str, ...]:
    """Codes of the languages that the referee speaks."""
    return ("en", *sorted(p.name for p in FOLDER.glob("*") if (p / "LC_MESSAGES" / f"{DOMAIN}.mo").is_file()))


@cache
def load_language(code: str) -> Language:
    """A language by its code.

    Raises
    ------
    BadInput
        If there is no catalogue in it.
    """
    if code == ENGLISH.code:
        return ENGLISH
    if code not in known_languages():
        raise BadInput(f"no texts in language {code!r}; known: {', '.join(known_languages())}")
    return Language(code, gettext.translation(DOMAIN, FOLDER, [code]))
