"""A ruling's sentences without those that the columns beside them say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

FALLS: Final = frozenset({"fell", "fell_nothing", "fell_untouched", "off_board", "to_centre", "improper"})
"""Kinds of sentences on what was seen."""
CHARGES: Final = FALLS | {
    "offence", "comes_back", "queen_covered", "queen_not_covered", "queen_pending", "queen_still_pending", "queen_won", "due_owed",
}  # fmt: skip
"""... and on the foul, what comes back, the cover and what is owed."""
WINNER: Final = CHARGES | {"won_by", "points_won", "nobody_won"}
"""... and on who won what."""


def without(said: Mapping[str, Any], kinds: frozenset[str], key: str = "text") -> str:
    """The text of a ruling or a result without some kinds of sentences.

    Parameters
    ----------
    said : mapping
        What has `sentences`; where it has none, all of its text is given.
    key : str
        The name of its text.
    """
    sentences = said.get("sentences")
    if not isinstance(sentences, list):
        return str(said.get(key) or "")
    return " ".join(str(s["text"]) for s in sentences if s.get("kind") not in kinds)
