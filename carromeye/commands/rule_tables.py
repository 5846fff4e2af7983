"""Rulings as tables to read, in a reader's language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Final

from carromeye.commands.rule_layout import paragraph, say, table_lines, width
from carromeye.commands.rule_scores import Standing, standings
from models.stroke import OPPOSITE, Call, Event, Match, Placing, Seat, Stroke
from referee.language import ENGLISH, Language
from referee.rulings import BoardRulings, Result, Ruling, Rulings
from referee.table_texts import TABLE

_HEADER: Final = ("event", "stroke", "by", "what", "W", "B", "Queen", "owed", "next")
"""Columns, by their keys in the catalogue; `stroke` counts the strokes of the board as the score sheet does."""
_SEEN: Final = frozenset({"fell", "fell_nothing", "fell_untouched", "off_board"})
"""Sentences of a ruling that say what the columns beside it do."""
_PAIR: Final = 4
"""Players in doubles."""
_Row = tuple[tuple[str, ...], str, tuple[str, ...]]
"""An event's cells, its ruling, and what an umpire should know of it."""


def print_rulings(match: Match, rulings: Rulings, book_name: str, language: Language = ENGLISH) -> None:
    """Print a match's rulings, one table a board, each with the standing after it; then the boards of all games at a glance."""
    names = {p.seat: p.name for p in match.players}
    paragraph(f"{book_name} ({rulings.laws}): {', '.join(f'{n} ({term(s, language)})' for s, n in names.items())}")
    after = standings(match, rulings)
    for number, (board, ruled, standing) in enumerate(zip(match.boards, rulings.boards, after, strict=True), 1):
        say()
        say(language.table("board", number=number, game=ruled.game, board=ruled.board, name=names[ruled.breaker]), bold=True)
        rows = [*_rows(board.events, ruled.rulings, names, language)]
        if rows:
            _print_table(_HEADER, rows, language)
        for flag in ruled.flags:
            paragraph(f"! {language.flag(flag.kind, flag.values)}", indent=2)
        paragraph(outcome(ruled.result, match, language), indent=2)
        paragraph(_standing(ruled, standing, match, language), indent=2)
        for notice in ruled.notices:
            paragraph(language.flag(notice.kind, notice.values), indent=2)
    say()
    if len(match.boards) > 1:
        _print_games(match, rulings, after, language)
        say()
    paragraph(points_and_games("points", rulings, match, language))
    if rulings.winner:
        say(language.table("match_won", side=side_name(rulings.winner, match, language)), bold=True)


def named(match: Match, language: Language) -> Match:
    """A match whose players without a name of their own are called by their seats in a language."""
    players = (replace(p, name=term(p.seat, language).capitalize()) if p.name == p.seat.capitalize() else p for p in match.players)
    return replace(match, players=tuple(players))


def outcome(result: Result | None, match: Match, language: Language = ENGLISH) -> str:
    """How a board ended, in a sentence or two."""
    if result is None:
        return language.table("unfinished")
    others = {s: n for s, n in result.points.items() if n and s != result.winner}
    told = f"{by_side(others, match, language)}." if others else ""
    laws = language.table("by_laws", clauses=", ".join(result.clauses)) if result.clauses else ""
    reason = language.text(result.says)
    if result.winner is None:
        return _joined(reason, laws, told)
    points, extra = result.points.get(result.winner, 0), result.demandable.get(result.winner, 0)
    won = language.table("wins_one" if points == 1 else "wins", side=side_name(result.winner, match, language), n=points)
    return _joined(won, told, reason, laws, language.table("claimable", n=extra) if extra else "")


def points_and_games(key: str, rulings: Rulings, match: Match, language: Language = ENGLISH) -> str:
    """The standing of a match, by the sentence under a key."""
    return language.table(key, points=by_side(rulings.scores, match, language), games=by_side(rulings.games, match, language))


def by_side(points: Mapping[Seat, int], match: Match, language: Language = ENGLISH) -> str:
    """Numbers beside the names of the sides."""
    return ", ".join(f"{side_name(side, match, language)} {n}" for side, n in points.items())


def side_name(side: Seat, match: Match, language: Language = ENGLISH) -> str:
    """A side's players: one, or the two who sit opposite."""
    names = {p.seat: p.name for p in match.players}
    if len(match.players) < _PAIR:
        return names[side]
    return language.table("pair", first=names[side], second=names[OPPOSITE[side]])


def tally(pieces: Mapping[Any, int], language: Language = ENGLISH) -> str:
    """Things with their numbers, the number left out where there is one."""
    each = [language.table("count", n=n, piece=term(c, language)) if n > 1 else term(c, language) for c, n in pieces.items()]
    return reduce(lambda first, second: language.table("beside", first=first, second=second), each) if each else ""


def term(name: str, language: Language = ENGLISH) -> str:
    """A word of the stroke log as it is read; what is none, as it is."""
    return language.table(name) if name in TABLE else name.replace("_", " ")


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _standing(ruled: BoardRulings, standing: Standing, match: Match, language: Language) -> str:
    """The score of the game after a board, and who has won the game by it."""
    scores = by_side(standing.scores, match, language)
    told = language.table("score_after", game=ruled.game, board=ruled.board, scores=scores)
    return _joined(told, _won(ruled, standing, match, language))


def _won(ruled: BoardRulings, standing: Standing, match: Match, language: Language) -> str:
    if standing.game_won_by is None:
        return ""
    return language.table("game_won", side=side_name(standing.game_won_by, match, language), game=ruled.game)


def _print_games(match: Match, rulings: Rulings, after: Sequence[Standing], language: Language) -> None:
    """Every board with its points and the score after it."""
    say(language.table("boards_and_games"), bold=True)
    rows: list[_Row] = []
    for ruled, standing in zip(rulings.boards, after, strict=True):
        brought = ruled.result.points if ruled.result else dict.fromkeys(standing.scores, 0)
        shown = (f"{brought.get(side, 0)} ({total})" for side, total in standing.scores.items())
        if ruled.result is None:
            how = language.table("unfinished")
        elif ruled.result.replay:
            how = language.text([("replay", {})])
        else:
            how = _won(ruled, standing, match, language)
        rows.append(((str(ruled.game), str(ruled.board), *shown, how), "", ()))
    sides = [side_name(side, match, language) for side in rulings.scores]
    header = [*(language.table(key) for key in ("game", "board_column")), *sides, ""]
    for line in table_lines(header, rows, "", width()):
        say(line)


def _rows(events: Sequence[Event], rulings: Sequence[Ruling], names: Mapping[Seat, str], language: Language) -> Iterator[_Row]:
    by_event = {r.event: r for r in rulings}
    remarks = _remarks(rulings, language)
    strokes = 0
    for number, event in enumerate(events, 1):
        strokes += isinstance(event, Stroke)
        shown = (str(number), str(strokes) if isinstance(event, Stroke) else "", names[event.by], _what(event, language))
        ruling = by_event.get(number)
        noted = tuple(remarks.get(number, ()))
        if ruling is None:
            yield (*shown, *("",) * (len(_HEADER) - len(shown))), "", noted
            continue
        cells = (
            *shown,
            str(ruling.white),
            str(ruling.black),
            _queen(ruling, names, language),
            " ".join(f"{names[s]} {n}" for s, n in ruling.dues.items() if n),
            names[ruling.turn] if ruling.turn else "-",
        )
        clauses = f"[{', '.join(ruling.clauses)}]" if ruling.clauses else ""
        said = language.text([m for m in ruling.says if m[0] not in _SEEN] or ruling.says)
        yield cells, _joined(said, clauses), noted


def _queen(ruling: Ruling, names: Mapping[Seat, str], language: Language) -> str:
    state, seat = ruling.queen.state, ruling.queen.seat
    return "" if state == "none" else language.table(state, name=names[seat] if seat else "-")


def _what(event: Event, language: Language) -> str:
    if isinstance(event, Placing):
        return language.table("places", what=tally(Counter(event.pieces), language))
    if isinstance(event, Call):
        return term(event.call, language)
    parts = [tally(Counter(event.pocketed), language) or language.table("nothing" if event.touched else "nothing_touched")]
    if event.off_board:
        parts.append(language.table("off_the_board", what=tally(Counter(event.off_board), language)))
    if event.improper:
        parts.append(language.table("improper_stroke", what=", ".join(term(name, language) for name in event.improper)))
    return "; ".join(parts)


def _remarks(rulings: Sequence[Ruling], language: Language) -> dict[int, list[str]]:
    """What the umpire has to decide and where the table differs from the laws, by the event that shows it."""
    found: dict[int, list[str]] = {}
    for ruling in rulings:
        for flag in ruling.flags:
            found.setdefault(ruling.event, []).append(f"! {language.flag(flag.kind, flag.values)}")
        for differs in ruling.discrepancies:
            clauses = f"[{', '.join(differs.clauses)}]" if differs.clauses else ""
            found.setdefault(differs.event, []).append(_joined("!", language.discrepancy(differs.kind, differs.values), clauses))
    return found


def _print_table(header: Sequence[str], rows: Sequence[_Row], language: Language) -> None:
    for line in table_lines([*map(language.table, header)], rows, language.table("ruling"), width()):
        say(line)
