"""What a reviewer's corrections of a stroke log did to its rulings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from carromeye.commands.rule_layout import paragraph, say
from carromeye.commands.rule_tables import outcome, points_and_games, side_name, tally, term
from models.corrections import Change, before_corrections, changes
from models.errors import BadInput
from models.stroke import Match
from referee.engine import rule_match
from referee.language import ENGLISH, Language
from referee.laws import LawBook
from referee.rulings import Result, Ruling, Rulings

Place: TypeAlias = tuple[int, int]
"""Board and event, counted from 1, in the corrected log."""


@dataclass(frozen=True)
class Review:
    """The corrections that a log keeps, and what they changed.

    Attributes
    ----------
    changes : tuple of Change
        The log's corrections.
    before : Rulings or None
        The rulings on the log before any correction; None where it could not be ruled on.
    rulings : tuple of tuple of int
        Board and event of each ruling that is another than before, or was none before; the running scores are not compared.
    scores : tuple of int or None
        Board and event of the first ruling with another running score than before.
    """

    changes: tuple[Change, ...]
    before: Rulings | None
    rulings: tuple[Place, ...]
    scores: Place | None = None

    def to_json(self) -> dict[str, Any]:
        """What is added to the rulings' JSON value: nothing where nothing was corrected."""
        if not self.changes:
            return {}
        shown = [{"board": c.board, "event": c.event, "because": c.because, "was": c.was, "now": c.now} for c in self.changes]
        return {"corrections": shown, "changed": None if self.before is None else [list(place) for place in self.rulings]}


def review(match: Match, rulings: Rulings, book: LawBook) -> Review:
    """Compare the rulings on a log with those on the same log before its corrections."""
    made = changes(match)
    if not made:
        return Review((), rulings, ())
    earlier, numbers = before_corrections(match)
    try:
        before = rule_match(earlier, book)
    except BadInput:
        return Review(made, None, ())
    changed, scores = [], None
    for board, (then, now, had) in enumerate(zip(before.boards, rulings.boards, numbers, strict=True), 1):
        by_event = {r.event: r for r in then.rulings}
        for ruling in now.rulings:
            was = by_event.get(had[ruling.event - 1] or 0)
            if was is None or _said(was) != _said(ruling):
                changed.append((board, ruling.event))
            if scores is None and was is not None and was.scores != ruling.scores:
                scores = (board, ruling.event)
    return Review(made, before, tuple(changed), scores)


def print_review(match: Match, rulings: Rulings, made: Review, language: Language = ENGLISH) -> None:
    """Print each correction with both calls, then what it changed; nothing where nothing was corrected."""
    if not made.changes:
        return
    say()
    say(language.table("corrections"), bold=True)
    for change in made.changes:
        told = _told(change, match, language)
        paragraph(language.table("correction", board=change.board, event=change.event, what=told, because=change.because), indent=2)
    for line in _effects(match, rulings, made, language):
        paragraph(line, indent=2)


def _said(ruling: Ruling) -> tuple[object, ...]:
    """What a ruling says.

    Not which number its event has, since that moves where events are put in or taken out, and not the score, since what is
    ruled in one board moves it in all that follow.
    """
    return (
        ruling.text,
        ruling.fouls,
        ruling.turn,
        (ruling.white, ruling.black, str(ruling.queen)),
        dict(ruling.out),
        dict(ruling.dues),
        [flag.kind for flag in ruling.flags],
        [(found.kind, found.text) for found in ruling.discrepancies],
    )


def _effects(match: Match, rulings: Rulings, made: Review, language: Language) -> Iterator[str]:
    before = made.before
    if before is None:
        yield language.table("no_call_before")
        return
    if made.rulings:
        boards = dict.fromkeys(board for board, _ in made.rulings)
        shown = [_place(b, [event for board, event in made.rulings if board == b], language) for b in boards]
        yield language.table("changed", where="; ".join(shown))
    else:
        yield language.table("unchanged")
    if made.scores is not None:
        yield language.table("scores_differ", board=made.scores[0], event=made.scores[1])
    for number, (then, now) in enumerate(zip(before.boards, rulings.boards, strict=True), 1):
        if _ended(then.result) != _ended(now.result):
            yield language.table("board_before", number=number, what=outcome(then.result, match, language))
    if (before.scores, before.games) != (rulings.scores, rulings.games):
        yield points_and_games("points_before", before, match, language)
    if before.winner != rulings.winner:
        if before.winner is None:
            yield language.table("match_not_before")
        else:
            yield language.table("match_before", side=side_name(before.winner, match, language))


def _ended(result: Result | None) -> tuple[object, ...] | None:
    return None if result is None else (result.winner, dict(result.points), result.replay, result.slam, result.reason)


def _place(board: int, events: Sequence[int], language: Language) -> str:
    """A board's events; of three and more that follow one another only the ends."""
    ends = [k for k, (a, b) in enumerate(pairwise(events), 1) if b != a + 1]
    runs = [events[i:j] for i, j in pairwise([0, *ends, len(events)])]
    shown = [language.table("range", first=run[0], last=run[-1]) if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return language.table("one_event" if len(events) == 1 else "more_events", board=board, events=", ".join(shown))


def _told(change: Change, match: Match, language: Language) -> str:
    names: dict[object, str] = {p.seat: p.name for p in match.players}
    if change.what == "delete":
        return language.table("was_there", event=_event(change.was, names, language))
    if change.what == "insert":
        return language.table("was_not_there", event=_event(change.now, names, language))
    fields = [name for name in change.was if name != "pocketed_at" or "pocketed" not in change.was]
    return "; ".join(
        language.table(
            "was_other",
            field=term(f, language),
            was=_value(change.was[f], names, language),
            now=_value(change.now[f], names, language),
        )
        for f in fields
    )


def _event(event: dict[str, Any], names: dict[object, str], language: Language) -> str:
    """An event in words; what a stroke did not do is left out."""
    unsaid = [name for name in ("off_board", "improper") if not event.get(name)]
    fields = ("pocketed", "touched", "off_board", "improper", "seconds", "pieces", "call")
    shown = [f"{term(f, language)} {_value(event[f], names, language)}" for f in fields if f in event and f not in unsaid]
    return language.table(f"a_{event['type']}", name=names[event["by"]], what=", ".join(shown))


def _value(value: Any, names: dict[object, str], language: Language) -> str:
    if value is None:
        return language.table("not_given")
    if isinstance(value, bool):
        return language.table("yes" if value else "no")
    if not isinstance(value, list):
        return names.get(value) or term(str(value), language)
    if all(isinstance(item, str) for item in value):
        return tally(Counter(value), language) or language.table("nothing")
    return " ".join(_item(item, language) for item in value)


def _item(item: Any, language: Language) -> str:
    """One of a list's items: a piece that fell, or a number."""
    if isinstance(item, dict):
        return language.table("in_pocket", piece=term(item["cls"], language), pocket=item["pocket"])
    return str(item)
