"""A ruling's sentences without those that the columns beside them say.

The sentences are the referee's; where it speaks another language, or other words, nothing is left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_FALLS: Final = (
    r"Pocketed: [^.]+\.",
    r"Nothing pocketed\.",
    r"No piece touched\.",
    r"Off the board: [^.]+\.",
    r"To the centre circle: [^.]+\.",
    r"Improper stroke: [^.]+\.",
)
_CHARGES: Final = (
    r"Offence: [^.]+\.",
    r"Comes back: [^.]+\.",
    r"The Queen is covered\.",
    r"The Queen is not covered\.",
    r"The Queen must be covered by the next stroke\.",
    r"One more stroke to cover the Queen\.",
    r"The Queen counts\.",
)
_OWES: Final = r"{} owes \d+, to be paid as soon as a piece is available\."
_STROKE_BRINGS: Final = r"Points for {}: -?\d+\."
_WON: Final = r"{} wins the board\. Points: -?\d+\."
_NOBODY: Final = r"Nobody wins the board\."

TAKEN_EARLY: Final = "The Queen was taken before any own piece: she comes back when the turn ends."
"""Said of a Queen that nobody can cover."""


def without_falls(text: str) -> str:
    """A ruling without what was seen: what fell, what left the board, what was wrong with the stroke."""
    return _without(text, _FALLS)


def without_charges(text: str, sides: Sequence[str]) -> str:
    """A ruling without what was seen, the foul, what comes back, the cover and what is owed; `sides` are the sides' names."""
    return _without(text, (*_FALLS, *_CHARGES, *_of(_OWES, sides)))


def without_winner(text: str, sides: Sequence[str], players: Sequence[str]) -> str:
    """How a board ended, without the last stroke and without who won what; `players` are the players' names."""
    return _without(text, (*_FALLS, *_CHARGES, *_of(_WON, sides), *_of(_STROKE_BRINGS, players), _NOBODY))


def _of(sentence: str, names: Sequence[str]) -> list[str]:
    return [sentence.replace("{}", re.escape(name)) for name in names]


def _without(text: str, sentences: Sequence[str]) -> str:
    pattern = rf"(?:^|(?<=[.!?] ))(?:{'|'.join(sentences)})(?: |$)"
    while (shorter := re.sub(pattern, "", text)) != text:
        text = shorter
    return text.strip()
