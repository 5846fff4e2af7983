"""Two law books side by side: what differs, setting by setting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.laws import CLAUSES_SECTION, OFFENCES, OFFENCES_SECTION, SECTIONS, LawBook, Offence, settings


@dataclass(frozen=True, slots=True)
class Difference:
    """One setting that differs.

    Attributes
    ----------
    setting : str
        Its name with its section's: `match.target`, `offences.foul.pieces`, `clauses.own`.
    old, new : str or None
        Its value as a file has it; None if that book has no such offence or clause.
    """

    setting: str
    old: str | None
    new: str | None

    def __str__(self) -> str:
        """As a line to read."""
        if self.old is None:
            return f"{self.setting}: new: {self.new}"
        if self.new is None:
            return f"{self.setting}: taken out (was {self.old})"
        return f"{self.setting}: {self.old} -> {self.new}"


def differences(old: LawBook, new: LawBook) -> tuple[Difference, ...]:
    """What differs from an old book in a new one, in the order of the file."""
    return tuple(_differences(old, new))


def nearest(book: LawBook, books: Sequence[LawBook]) -> LawBook:
    """The book from which this one differs in the fewest settings; clauses count only where settings do not tell."""

    def distance(other: LawBook) -> tuple[int, int]:
        found = differences(other, book)
        clauses = sum(d.setting.startswith(f"{CLAUSES_SECTION}.") for d in found)
        return len(found) - clauses, clauses

    return min(books, key=distance)


def shown(value: object) -> str:
    """A value as a file has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, Offence):
        given = {k: getattr(value, k) for k, f in settings(Offence).items() if getattr(value, k) != f.default}
        return f"{{{', '.join(f'{k} = {shown(v)}' for k, v in given.items())}}}"
    return str(value)


def _differences(old: LawBook, new: LawBook) -> Iterator[Difference]:
    for name in ("id", "name"):
        yield from _difference(name, getattr(old, name), getattr(new, name))
    for section, (attribute, cls) in SECTIONS.items():
        for key in settings(cls):
            yield from _difference(f"{section}.{key}", getattr(getattr(old, attribute), key), getattr(getattr(new, attribute), key))
    for name in OFFENCES:
        was, now = old.offences.get(name), new.offences.get(name)
        if was is None or now is None:
            yield from _difference(f"{OFFENCES_SECTION}.{name}", was, now)
            continue
        for key in settings(Offence):
            yield from _difference(f"{OFFENCES_SECTION}.{name}.{key}", getattr(was, key), getattr(now, key))
    for key in dict.fromkeys((*old.clauses, *new.clauses)):
        yield from _difference(f"{CLAUSES_SECTION}.{key}", old.clauses.get(key), new.clauses.get(key))


def _difference(setting: str, old: object, new: object) -> Iterator[Difference]:
    if old != new:
        yield Difference(setting, None if old is None else shown(old), None if new is None else shown(new))
