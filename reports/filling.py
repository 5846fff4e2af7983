"""Fills the score card from the JSON objects of `strokes.json` and `rulings.json` alone, so that any report can be made from files.

Filling rules: ICF Laws of Carrom, umpire's score card, rules 1 to 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from models.errors import BadInput
from models.stroke import FULL_SET
from reports.card import BoardCard, Card, Cell, Game, Json, Side, names_by_seat, seat_name, side_name
from reports.rows import board_rows, standing
from reports.words import NAME_LENGTH, SEAT_WORDS, clean, plural, remark

QUEEN_CREDIT: Final = 5
"""Most points that any law book that counts men left credits for the Queen; a larger rest comes from another way of scoring."""

PROVISIONAL: Final = "For the umpire to decide, as not every piece was seen; as far as seen:"
"""Before the result of a board that carries the flag `unseen`."""


def build_card(log: Json, rulings: Json) -> Card:
    """The card of a log and its rulings.

    Raises
    ------
    BadInput
        If the rulings are not of this log.
    """
    sides = sides_of(log)
    boards, ruled = log["boards"], rulings["boards"]
    if len(boards) != len(ruled):
        raise BadInput(f"the rulings have {plural(len(ruled), 'board')}, the stroke log has {len(boards)}: rule on the log again")
    cards: list[list[BoardCard]] = []
    totals = tuple(0 for _ in sides)
    for i, (board, verdict) in enumerate(zip(boards, ruled, strict=True)):
        numbered_anew = int(verdict.get("game", 1)) > len(cards)
        before = _before(sides, board, verdict, tuple(0 for _ in sides) if numbered_anew else totals)
        # Rulings that do not number their games: a score that falls tells that a new one began.
        if numbered_anew or ("game" not in verdict and any(b < t for b, t in zip(before, totals, strict=True))):
            cards.append([])
        card = _board(i, len(cards[-1]) + 1, sides, log, board, verdict, before)
        totals = tuple(c.total for c in card.cells)
        cards[-1].append(card)
    match = rulings.get("match") or {}
    games = tuple(Game(k + 1, tuple(c)) for k, c in enumerate(cards))
    return Card(
        laws=clean(rulings.get("laws") or log.get("laws") or ""),
        sides=sides,
        games=games,
        scores=tuple(s.of(match.get("scores")) for s in sides),
        games_won=tuple(s.of(match.get("games")) for s in sides),
        winner=side_name(sides, match.get("winner")),
        footnotes=_footnotes(games),
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


def _board(i: int, in_game: int, sides: Sequence[Side], log: Json, board: Json, verdict: Json, before: tuple[int, ...]) -> BoardCard:
    judged, result, start = verdict["rulings"], verdict.get("result"), board.get("start") or {}
    left: dict[str, Any] = {c: start.get(c, n) for c, n in FULL_SET.items() if c != "queen"}
    left["queen"] = start.get("queen", "on_board")
    if judged:
        left = dict(judged[-1]["board"])
    strokes = [e for e in board["events"] if e["type"] == "stroke"]
    breaker = (
        verdict.get("breaker")
        or start.get("breaker")
        or (strokes[0]["by"] if strokes and not start else log["first_break"] if i == 0 else None)
    )
    totals = tuple(s.of(judged[-1].get("scores")) for s in sides) if judged else before
    rows = board_rows(i, sides, board, judged, before)
    cells, state, words = _outcome(sides, breaker, left, result, totals)
    if result and any(isinstance(f, Mapping) and f.get("kind") == "unseen" for f in verdict.get("flags", ())):
        words = f"{PROVISIONAL} {words}"
    return BoardCard(
        number=i + 1,
        in_game=in_game,
        break_by=seat_name(sides, breaker) if breaker else "",
        cells=cells,
        state=state,
        before=before,
        winner=side_name(sides, result.get("winner")) if result else "",
        result=words,
        left=left,
        rows=rows,
        flags=tuple(remark(f) for f in [*verdict.get("flags", ()), *((result or {}).get("flags") or ())]),
        clauses=tuple(clean(c) for c in (result or {}).get("clauses") or ()),
        slam=clean((result or {}).get("slam") or ""),
    )


def _outcome(
    sides: Sequence[Side], breaker: str | None, left: Json, result: Json | None, totals: tuple[int, ...]
) -> tuple[tuple[Cell, ...], str, str]:
    """The card's columns, the state and the result in words (filling rules 2 to 7)."""
    if not result:
        here = standing(left, names_by_seat(sides))
        return tuple(Cell("–", "–", "–", t) for t in totals), "open", f"Not finished. On the board: {here}."
    reason = clean(result.get("reason") or "").rstrip(".")
    if not result.get("winner"):
        again = "Replayed" if result.get("replay") else "No winner"
        words = f"{again}: {reason}." if reason else f"{again}."
        return tuple(Cell("–", "–", "–", t) for t in totals), "replayed", words
    won = next((s for s in sides if result["winner"] in s.seats), sides[0])
    points = [s.of(result.get("points")) for s in sides]
    men, credit = _made_of(sides, won, breaker, left, result)
    queen_seat = str(left["queen"]).partition(":")[2] if str(left["queen"]).startswith("covered:") else ""
    cells = []
    for s, p, total in zip(sides, points, totals, strict=True):
        queen = "Nil"
        if s is won and credit:
            queen = str(credit) if queen_seat in s.seats else f"{credit}†"
        elif queen_seat in s.seats:
            queen = "(Q)"
        pieces = "–" if men is None else str(men) if s is won and men else "Nil"
        cells.append(Cell(queen, pieces, str(p), total))
    words = f"{won.name} {'wins' if len(won.seats) == 1 else 'win'} {plural(won.of(result.get('points')), 'point')}"
    if result.get("slam"):
        words += f", {clean(result['slam'])} slam"
    claim = result.get("demandable") or 0
    more = max((int(n) for n in claim.values()), default=0) if isinstance(claim, Mapping) else int(claim)
    if more:
        words += f"; may claim {more} more"
    return tuple(cells), "won", f"{words}. {reason}." if reason else f"{words}."


def _made_of(sides: Sequence[Side], won: Side, breaker: str | None, left: Json, result: Json) -> tuple[int | None, int]:
    """What the winner's points are made of: the loser's pieces and the Queen's worth.

    As the result says; where it does not, counted from the board (the breaker has white). Pieces are None where they have no
    owner (three players) or the breaker is not known.
    """
    if "pieces" in result and "queen_points" in result:
        return int(result["pieces"]), int(result["queen_points"])
    if len(sides) != 2 or not breaker:
        return None, 0
    men = int(left["black" if breaker in won.seats else "white"])
    rest = won.of(result.get("points")) - men
    queen = str(left["queen"])
    hers = not queen.startswith("covered:") or queen.partition(":")[2] in won.seats
    return men, rest if hers and 0 < rest <= QUEEN_CREDIT else 0


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


def _footnotes(games: Sequence[Game]) -> tuple[str, ...]:
    queens = {c.queen for g in games for b in g.boards for c in b.cells}
    notes = []
    if "(Q)" in queens:
        notes.append("(Q): pocketed and covered the Queen, no points credited for her.")
    if any(q.endswith("†") for q in queens):
        notes.append("†: points awarded by the ruling, the Queen was not covered by the winner.")
    if any(b.state == "open" for g in games for b in g.boards):
        notes.append("Not finished: the log ends before the board does; nothing is credited.")
    return tuple(notes)
