"""Words for what the log and the rulings hold as codes; names made safe to show."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

SEAT_WORDS: Final[Mapping[str, str]] = {"south": "South", "east": "East", "north": "North", "west": "West"}
PIECE_WORDS: Final[Mapping[str, str]] = {"white": "white", "black": "black", "queen": "Queen", "striker": "striker"}
IMPROPER_WORDS: Final[Mapping[str, str]] = {
    "off_baseline": "striker off the base lines",
    "partial_base_circle": "base circle partly covered",
    "pushed": "striker pushed",
    "elbow": "elbow over the surface",
    "moved_piece": "piece moved before the stroke",
    "backward": "backward stroke",
    "body": "body over or on the board",
}
FOUL_WORDS: Final[Mapping[str, str]] = {
    "opponents_piece": "opponent's piece pocketed",
    "own_last": "last own piece before the Queen",
    "no_touch": "no piece touched",
    "failed_break": "break failed",
    "before_play": 'struck before "Play"',
    "out_of_turn": "played out of turn",
}
"""Offences and calls whose code does not read as words."""
NAME_LENGTH: Final = 60
"""Longest name that is shown (characters)."""
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_JOINERS: Final = frozenset("\u200c\u200d")
"""Format characters that Indic and Persian names need."""


def clean(text: object, length: int | None = None) -> str:
    """One line without control, direction and other invisible characters, cut to `length` characters."""
    kept = "".join(" " if _invisible(c) else c for c in str(text))
    line = " ".join(kept.split())
    return line if length is None or len(line) <= length else line[: length - 1].rstrip() + "…"


def escaped(text: str) -> str:
    """A text with escapes such as `\\u202e` for its invisible characters: what would turn the writing round is seen, and does nothing."""
    return "".join(c.encode("unicode_escape").decode("ascii") if _invisible(c) else c for c in text)


def _invisible(c: str) -> bool:
    return c not in _JOINERS and unicodedata.category(c) in _INVISIBLE


def clock(t: float | None, tenths: bool = True) -> str:
    """Video time as `m:ss.s` or `h:mm:ss.s`; empty for None."""
    if t is None:
        return ""
    sign, ticks = ("-" if t < 0 else ""), round(abs(t) * 10) if tenths else round(abs(t)) * 10
    minutes, rest = divmod(ticks, 600)
    seconds = f"{rest // 10:02d}.{rest % 10}" if tenths else f"{rest // 10:02d}"
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours}:{minutes:02d}:{seconds}" if hours else f"{sign}{minutes}:{seconds}"


def code_words(code: object) -> str:
    """A code such as `striker_pocketed` as words."""
    word = str(code)
    return IMPROPER_WORDS.get(word) or FOUL_WORDS.get(word) or clean(word.replace("_", " "))


def listed(pieces: Sequence[str]) -> str:
    """Pieces in the order of falling: `white, black, striker`."""
    return ", ".join(PIECE_WORDS.get(p, clean(p)) for p in pieces)


def counted(pieces: Mapping[str, int]) -> str:
    """Counts of pieces: `2 white, 1 black, Queen`; empty if there are none."""
    parts = [f"{n} {PIECE_WORDS.get(c, clean(c))}" if c != "queen" else PIECE_WORDS["queen"] for c, n in pieces.items() if n]
    return ", ".join(parts)


def tally(pieces: Sequence[str]) -> str:
    """Pieces in any order as counts: `2 white, Queen`."""
    return counted(Counter(pieces))


def plural(n: int, one: str, many: str | None = None) -> str:
    """`1 point`, `2 points`."""
    return f"{n} {one if n == 1 else many or one + 's'}"


def remark(item: Any) -> str:
    """A flag or discrepancy as one line: a sentence, or an object that holds one under `text` and perhaps its `clauses`."""
    if not isinstance(item, Mapping):
        return clean(item)
    clauses = ", ".join(str(c) for c in item.get("clauses") or ())
    return clean(f"{item['text']} [{clauses}]" if clauses else item["text"])
