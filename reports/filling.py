"""Fills the score card from the JSON objects of `strokes.json`, `rulings.json` and `match.json`, so that any report can be made from files.

Filling rules: ICF Laws of Carrom, umpire's score card, rules 1 to 7; other law books as their points are made (`reports/cells.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from models.errors import BadInput
from models.stroke import FULL_SET
from reports.book import Book, book_of, card_columns
from reports.brief import WINNER, without
from reports.card import BoardCard, Card, Game, Json, Side, names_by_seat, seat_name, side_name
from reports.cells import cells_of
from reports.corrected import deletions_of
from reports.rows import board_rows, standing
from reports.words import NAME_LENGTH, SEAT_WORDS, clean, plural, remark

PROVISIONAL: Final = "For the umpire to decide, as not every piece was seen; as far as seen:"
"""Before the result of a board that carries the flag `unseen`."""


def build_card(log: Json, rulings: Json, meta: Json | None = None) -> Card:
    """The card of a log and its rulings.

    Parameters
    ----------
    meta : mapping, optional
        The object of `match.json`: its `laws` tell how the points are made.

    Raises
    ------
    BadInput
        If the rulings are not of this log.
    """
    sides = sides_of(log)
    boards, ruled = log["boards"], rulings["boards"]
    if len(boards) != len(ruled):
        raise BadInput(f"the rulings have {plural(len(ruled), 'board')}, the stroke log has {len(boards)}: rule on the log again")
    book = book_of({"laws": rulings.get("laws") or log.get("laws") or "", **(meta or {})}, len(sides))
    cards: list[list[BoardCard]] = []
    totals = tuple(0 for _ in sides)
    for i, (board, verdict) in enumerate(zip(boards, ruled, strict=True)):
        numbered_anew = int(verdict.get("game", 1)) > len(cards)
        before = _before(sides, board, verdict, tuple(0 for _ in sides) if numbered_anew else totals)
        # Rulings that do not number their games: a score that falls tells that a new one began.
        if numbered_anew or ("game" not in verdict and any(b < t for b, t in zip(before, totals, strict=True))):
            cards.append([])
        card = _board(i, (len(cards), len(cards[-1]) + 1), book, sides, log, board, verdict, before)
        totals = tuple(c.total for c in card.cells)
        cards[-1].append(card)
    match = rulings.get("match") or {}
    games = tuple(Game(k + 1, tuple(c)) for k, c in enumerate(cards))
    winner = side_name(sides, match.get("winner"))
    return Card(
        book=book,
        sides=sides,
        columns=card_columns(book, len(sides)),
        games=games,
        scores=tuple(s.of(match.get("scores")) for s in sides),
        games_won=tuple(s.of(match.get("games")) for s in sides),
        winner=winner,
        end=_end(book, sides, games, winner),
        fouls=_fouls(sides, match.get("statistics") or {}),
        footnotes=_footnotes(book, games),
    )


def _before(sides: Sequence[Side], board: Json, verdict: Json, carried: tuple[int, ...]) -> tuple[int, ...]:
    """Match points before a board: its own start, else what is carried over; where games are not numbered, what its first ruling says."""
    given = (board.get("start") or {}).get("scores")
    if given:
        return tuple(s.of(given) for s in sides)
    judged, result = verdict["rulings"], verdict.get("result")
    if "game" in verdict:
        return carried
    if len(judged) > 1 or (judged and not result):
        return tuple(s.of(judged[0].get("scores")) for s in sides)
    if judged and result:
        return tuple(s.of(judged[0].get("scores")) - s.of(result.get("points")) for s in sides)
    return carried


def _board(
    i: int, place: tuple[int, int], book: Book, sides: Sequence[Side], log: Json, board: Json, verdict: Json, before: tuple[int, ...]
) -> BoardCard:
    judged, result, start = verdict["rulings"], verdict.get("result"), board.get("start") or {}
    lay: dict[str, Any] = {c: start[c] if start.get(c) is not None else n for c, n in FULL_SET.items() if c != "queen"}
    lay["queen"] = (start.get("queen") or "on_board") if book.with_queen else None
    left = dict(judged[-1]["board"]) if judged else lay
    strokes = [e for e in board["events"] if e["type"] == "stroke"]
    breaker = (
        verdict.get("breaker")
        or start.get("breaker")
        or (strokes[0]["by"] if strokes and not start else log["first_break"] if i == 0 else None)
    )
    cells = cells_of(book, sides, start, lay, verdict, before)
    state, words = _outcome(book, sides, left, result)
    if result and any(isinstance(f, Mapping) and f.get("kind") == "unseen" for f in verdict.get("flags", ())):
        words = f"{PROVISIONAL} {words}"
    game, nth = place
    in_game = int(verdict.get("board", nth))
    return BoardCard(
        number=i + 1,
        in_game=in_game,
        name=f"Board {i + 1}" + (f" (game {game}, board {in_game})" if (game, in_game) != (1, i + 1) else ""),
        break_by=seat_name(sides, breaker) if breaker else "",
        cells=cells,
        state=state,
        before=before,
        winner=side_name(sides, result.get("winner")) if result else "",
        result=words,
        left=left,
        rows=board_rows(i, book, sides, board, judged, before),
        flags=tuple(remark(f) for f in [*verdict.get("flags", ()), *((result or {}).get("flags") or ())]),
        notices=tuple(remark(f) for f in verdict.get("notices") or ()),
        deleted=deletions_of(sides, board),
        clauses=tuple(clean(c) for c in (result or {}).get("clauses") or ()),
        slam=clean((result or {}).get("slam") or ""),
    )


def _outcome(book: Book, sides: Sequence[Side], left: Json, result: Json | None) -> tuple[str, str]:
    """The board's state and its result in words."""
    if not result:
        return "open", f"Not finished. On the board: {standing(left, names_by_seat(sides), book.cover)}."
    reason = clean(without(result, WINNER, "reason"))
    reason = f" {reason.rstrip('.')}." if reason else ""
    if not result.get("winner"):
        again = bool(result.get("replay"))
        if again and reason.strip() == "The board is replayed.":
            return "replayed", "Replayed."
        return ("replayed", f"Replayed.{reason}") if again else ("nobody", _nobody(sides, result) + reason)
    won = next((s for s in sides if result["winner"] in s.seats), sides[0])
    points = won.of(result.get("points"))
    award = result.get("award") or {}
    if award:
        words = f"The {clean(award['what'])} goes to {side_name(sides, award['to'])}"
    elif len(sides) == 1:
        words = plural(points, "point")
    else:
        words = f"{won.name} {'wins' if len(won.seats) == 1 else 'win'} {plural(points, 'point')}"
    others = [f"{s.name} {s.of(result['points'])}" for s in sides if s is not won and s.of(result.get("points"))]
    if others:
        words += f", {', '.join(others)}"
    if result.get("slam"):
        words += f", {clean(result['slam'])} slam"
    claim = result.get("demandable") or 0
    more = max((int(n) for n in claim.values()), default=0) if isinstance(claim, Mapping) else int(claim)
    if more:
        words += f"; may claim {more} more"
    return "won", f"{words}.{reason}"


def _nobody(sides: Sequence[Side], result: Json) -> str:
    told = ", ".join(f"{s.name} {s.of(result.get('points'))}" for s in sides)
    return f"{plural(sides[0].of(result.get('points')), 'point')}." if len(sides) == 1 else f"Won by nobody: {told}."


def _end(book: Book, sides: Sequence[Side], games: Sequence[Game], winner: str) -> str:
    """How the match ended, in words."""
    if len(sides) == 1:
        return ""
    if winner:
        return f"Won by {winner}."
    last = games[-1].boards[-1] if games else None
    played_out = last is not None and last.state in ("won", "nobody") and 0 < book.max_boards <= last.in_game
    return "Drawn." if played_out and not book.extra_board and book.games == 1 else "Not decided."


def _fouls(sides: Sequence[Side], statistics: Json) -> str:
    """Fouls by player and games without one, in words."""
    counts = statistics.get("fouls") or {}
    told = [f"{name} {counts[seat]}" for seat, name in names_by_seat(sides).items() if counts.get(seat)]
    flawless = [side_name(sides, seat) for seat in statistics.get("flawless") or ()]
    return " ".join([f"Fouls: {', '.join(told)}."] * bool(told) + [f"Won without a foul: {', '.join(flawless)}."] * bool(flawless))


def sides_of(log: Json) -> tuple[Side, ...]:
    """The sides of a log, in the order in which its players are listed; with four players, partners sit opposite."""
    players = [(str(p["seat"]), clean(p.get("name") or "", NAME_LENGTH)) for p in log["players"]]
    names = {seat: name or SEAT_WORDS.get(seat, clean(seat)) for seat, name in players}
    groups: list[tuple[str, ...]] = [(seat,) for seat, _ in players]
    if len(players) == 4:
        pairs = [("south", "north"), ("east", "west")]
        first = players[0][0]
        groups = sorted(pairs, key=lambda pair: first not in pair)
    return tuple(Side(seats, tuple(names[s] for s in seats)) for seats in groups)


def _footnotes(book: Book, games: Sequence[Game]) -> tuple[str, ...]:
    boards = [b for g in games for b in g.boards]
    cells = [c for b in boards for c in b.cells] if book.owned else []
    notes = []
    if any(c.covered and not c.queen and c.points is not None for c in cells):
        worth = "no points credited for her" if book.queen else "who brings no points in this law book"
        notes.append(f"(Q): pocketed and covered the Queen, {worth}.")
    if any(c.queen and not c.covered for c in cells):
        notes.append("†: points awarded by the ruling, the Queen was not covered by the winner.")
    if any(b.state == "open" for b in boards):
        credited = "nothing is credited" if book.owned else "points as far as played"
        notes.append(f"Not finished: the log ends before the board does; {credited}.")
    return tuple(notes)
