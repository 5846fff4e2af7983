"""The umpire's score card as plain facts: what the sheet, the page, the table and the terminal all show.

Built from the JSON objects of `strokes.json` and `rulings.json` alone, so that any report can be made from files.
Layout and filling rules: ICF Laws of Carrom, umpire's score card (rules 1 to 7 on its last page).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from models.errors import BadInput
from models.stroke import FULL_SET
from reports.words import NAME_LENGTH, SEAT_WORDS, clean, clock, code_words, counted, listed, plural, remark, tally

LOW_CONFIDENCE: Final = 0.75
"""Strokes below this confidence carry a mark (0 to 1)."""

QUEEN_CREDIT: Final = 5
"""Most points that any law book that counts men left credits for the Queen; a larger rest comes from another way of scoring."""

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Side:
    """One player, or a pair of partners.

    Attributes
    ----------
    seats : tuple of str
        The seats, first the one under which the rulings count.
    names : tuple of str
        As given, made safe to show; the seat's word where there is none.
    """

    seats: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """`Asha`, or `Asha / Bina` of a pair."""
        return " / ".join(self.names)

    def of(self, values: Mapping[str, int] | None) -> int:
        """This side's figure in a mapping by seat; 0 if there is none."""
        return next((int(values[s]) for s in self.seats if s in values), 0) if values else 0


@dataclass(frozen=True)
class Row:
    """One event of a board with its ruling, in words.

    Attributes
    ----------
    kind : str
        `stroke`, `placing` or `call`.
    event : int
        Number of the event within the board, from 1.
    n : int or None
        Number of the stroke within the board, from 1; None for other events.
    t, rest : float or None
        Release (or time of the event) and when all is at rest (s of video time).
    action : str
        What was seen: what fell, what was placed, what was called.
    pocketed : tuple of str
        The discs that fell, in order.
    fell_at : tuple of (str, str, float)
        Disc, pocket and time (s) of each fall that the camera saw.
    charge : tuple of str
        Foul, what comes out, dues, cover; one line each.
    left, queen : str
        What lies on the board after the event, and where the Queen is, in words; empty where nothing was ruled.
    board : mapping or None
        The same as the ruling gives it.
    scores : tuple of int
        The sides' points after the event.
    points : str
        The same in words where it changed; else empty.
    text : str
        The ruling.
    low : bool
        The camera was not sure (`confidence` below `LOW_CONFIDENCE`).
    """

    kind: str
    event: int
    n: int | None
    t: float | None
    rest: float | None
    seat: str
    player: str
    action: str
    pocketed: tuple[str, ...]
    fell_at: tuple[tuple[str, str, float], ...]
    touched: bool | None
    charge: tuple[str, ...]
    left: str
    queen: str
    board: Mapping[str, Any] | None
    scores: tuple[int, ...]
    points: str
    clauses: tuple[str, ...]
    text: str
    next_player: str
    confidence: float | None
    low: bool
    flags: tuple[str, ...]
    discrepancies: tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """One side's four columns of a card row, as printed."""

    queen: str
    men: str
    points: str
    total: int


@dataclass(frozen=True)
class BoardCard:
    """One row of the card and its table of strokes.

    Attributes
    ----------
    number, in_game : int
        Number of the board in the match and in its game, from 1.
    break_by : str
        Name of the breaker; empty where it is not known.
    cells : tuple of Cell
        One per side.
    state : str
        `won`, `replayed` or `open` (the log ends before the board does: never a win).
    before : tuple of int
        The sides' points before the board.
    left : mapping
        What lies on the board at its end, as the rulings give it.
    """

    number: int
    in_game: int
    break_by: str
    cells: tuple[Cell, ...]
    state: str
    before: tuple[int, ...]
    winner: str
    result: str
    left: Mapping[str, Any]
    rows: tuple[Row, ...]
    flags: tuple[str, ...]
    clauses: tuple[str, ...]
    slam: str


@dataclass(frozen=True)
class Game:
    """Boards from nil to the game's end."""

    number: int
    boards: tuple[BoardCard, ...]


@dataclass(frozen=True)
class Card:
    """A whole match."""

    laws: str
    sides: tuple[Side, ...]
    games: tuple[Game, ...]
    scores: tuple[int, ...]
    games_won: tuple[int, ...]
    winner: str
    footnotes: tuple[str, ...]

    @property
    def boards(self) -> tuple[BoardCard, ...]:
        """All boards in order."""
        return tuple(b for g in self.games for b in g.boards)


def to_decide(card: Card) -> Iterator[tuple[str, str, str]]:
    """Where, the row's anchor, and what: everything that the machine leaves to the umpire."""
    for board in card.boards:
        for flag in board.flags:
            yield f"Board {board.number}", f"board-{board.number}", flag
        for row in board.rows:
            at = f" at {clock(row.t)}" if row.t is not None else ""
            where, anchor = f"Board {board.number}, {row_name(row)}{at}", row_anchor(board, row)
            for what in (*row.flags, *row.discrepancies):
                yield where, anchor, what
            if row.low:
                yield where, anchor, f"the camera was not sure (confidence {row.confidence:.2f}): {row.action}."


def row_name(row: Row) -> str:
    """`stroke 7`, `placing` or `call`."""
    return f"{row.kind} {row.n}" if row.n else row.kind


def row_anchor(board: BoardCard, row: Row) -> str:
    """The row's id in the pages."""
    return f"b{board.number}e{row.event}"


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
        before = _before(sides, board, verdict, totals if i else None)
        if not cards or any(b < t for b, t in zip(before, totals, strict=True)):
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
        winner=_side_name(sides, match.get("winner")),
        footnotes=_footnotes(games),
    )


def _before(sides: Sequence[Side], board: Json, verdict: Json, carried: tuple[int, ...] | None) -> tuple[int, ...]:
    """Match points before a board."""
    given = (board.get("start") or {}).get("scores")
    if given:
        return tuple(s.of(given) for s in sides)
    judged, result = verdict["rulings"], verdict.get("result")
    if len(judged) > 1 or (judged and not result):
        return tuple(s.of(judged[0].get("scores")) for s in sides)
    if judged and result:
        return tuple(s.of(judged[0].get("scores")) - s.of(result.get("points")) for s in sides)
    return carried or tuple(0 for _ in sides)


def _board(i: int, in_game: int, sides: Sequence[Side], log: Json, board: Json, verdict: Json, before: tuple[int, ...]) -> BoardCard:
    judged, result, start = verdict["rulings"], verdict.get("result"), board.get("start") or {}
    left: dict[str, Any] = {c: start.get(c, n) for c, n in FULL_SET.items() if c != "queen"}
    left["queen"] = start.get("queen", "on_board")
    if judged:
        left = dict(judged[-1]["board"])
    strokes = [e for e in board["events"] if e["type"] == "stroke"]
    breaker = start.get("breaker") or (strokes[0]["by"] if strokes and not start else log["first_break"] if i == 0 else None)
    totals = tuple(s.of(judged[-1].get("scores")) for s in sides) if judged else before
    rows = _rows(i, sides, board, judged, before)
    cells, state, words = _outcome(sides, breaker, left, result, totals)
    return BoardCard(
        number=i + 1,
        in_game=in_game,
        break_by=_seat_name(sides, breaker) if breaker else "",
        cells=cells,
        state=state,
        before=before,
        winner=_side_name(sides, result.get("winner")) if result else "",
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
    loser_men = _men_left(sides, won, breaker, left)
    queen_seat = str(left["queen"]).partition(":")[2] if str(left["queen"]).startswith("covered:") else ""
    cells = []
    for s, p, total in zip(sides, points, totals, strict=True):
        queen, extra = "Nil", p - (loser_men or 0)
        if s is won and loser_men is not None and 0 < extra <= QUEEN_CREDIT and (not queen_seat or queen_seat in s.seats):
            queen = f"{extra}" if queen_seat else f"{extra}†"
        elif queen_seat in s.seats:
            queen = "(Q)"
        men = "–" if loser_men is None else str(loser_men) if s is won and loser_men else "Nil"
        cells.append(Cell(queen, men, str(p), total))
    words = f"{won.name} {'wins' if len(won.seats) == 1 else 'win'} {plural(won.of(result.get('points')), 'point')}"
    if result.get("slam"):
        words += f", {clean(result['slam'])} slam"
    if result.get("demandable"):
        words += f"; may claim {result['demandable']} more"
    return tuple(cells), "won", f"{words}: {reason}." if reason else f"{words}."


def _men_left(sides: Sequence[Side], won: Side, breaker: str | None, left: Json) -> int | None:
    """The loser's pieces on the board; None where pieces have no owner (three players) or the breaker is not known."""
    if len(sides) != 2 or not breaker:
        return None
    return int(left["black" if breaker in won.seats else "white"])


def _rows(i: int, sides: Sequence[Side], board: Json, judged: Sequence[Json], before: tuple[int, ...]) -> tuple[Row, ...]:
    by_event: dict[int, Json] = {}
    for r in judged:
        k = int(r["event"])
        if not 1 <= k <= len(board["events"]) or board["events"][k - 1]["type"] == "placing":
            raise BadInput(f"board {i + 1}: a ruling is on event {k}, which is no stroke or call of the stroke log: rule on the log again")
        by_event[k] = r
    start = board.get("start") or {}
    scores, queen, owed = before, str(start.get("queen", "on_board")), {s: s.of(start.get("dues")) for s in sides}
    names = names_by_seat(sides)
    rows, n = [], 0
    for k, event in enumerate(board["events"], 1):
        kind, ruling = str(event["type"]), by_event.get(k, {})
        n += kind == "stroke"
        charge: list[str] = []
        now, points = scores, ""
        if ruling:
            owes = {s: s.of(ruling.get("dues")) for s in sides}
            charge = _charge(sides, event, ruling, queen, owes, owed)
            queen, owed = str(ruling["board"]["queen"]), owes
            now = tuple(s.of(ruling.get("scores")) for s in sides)
            points = " – ".join(map(str, now)) if now != scores else ""
        scores = now
        confidence = event.get("confidence")
        rows.append(
            Row(
                kind=kind,
                event=k,
                n=n if kind == "stroke" else None,
                t=event.get("t"),
                rest=event.get("rest"),
                seat=str(event["by"]),
                player=_seat_name(sides, event["by"]),
                action=_action(event),
                pocketed=tuple(event.get("pocketed") or ()) if kind == "stroke" else (),
                fell_at=tuple((str(p["cls"]), clean(p["pocket"]), float(p["t"])) for p in event.get("pocketed_at") or ()),
                touched=bool(event.get("touched", True)) if kind == "stroke" else None,
                charge=tuple(charge),
                left=standing(ruling["board"], names) if ruling else "",
                queen=queen_words(ruling["board"], names) if ruling else "",
                board=ruling.get("board"),
                scores=scores,
                points=points,
                clauses=tuple(clean(c) for c in ruling.get("clauses") or ()),
                text=clean(ruling.get("text") or ""),
                next_player=_seat_name(sides, ruling["turn"]) if ruling.get("turn") else "",
                confidence=confidence,
                low=confidence is not None and confidence < LOW_CONFIDENCE,
                flags=tuple(remark(f) for f in ruling.get("flags") or ()),
                discrepancies=tuple(remark(d) for d in ruling.get("discrepancies") or ()),
            )
        )
    return tuple(rows)


def _action(event: Json) -> str:
    """What was seen, in words."""
    if event["type"] == "placing":
        return f"places {tally(event['pieces'])}"
    if event["type"] == "call":
        return f"umpire's call: {code_words(event['call'])}"
    pocketed = event.get("pocketed") or []
    parts = [listed(pocketed) if pocketed else "nothing fell"]
    if not event.get("touched", True):
        parts.append("touched no piece")
    if event.get("off_board"):
        parts.append(f"off the board: {listed(event['off_board'])}")
    parts += [code_words(c) for c in event.get("improper") or ()]
    return "; ".join(parts)


def _charge(sides: Sequence[Side], event: Json, ruling: Json, queen: str, owes: Mapping[Side, int], owed: Mapping[Side, int]) -> list[str]:
    """Foul, pieces out, dues and cover of one ruling, one line each."""
    lines = [f"foul: {code_words(f)}" for f in ruling.get("fouls") or ()]
    out = counted(ruling.get("out") or {})
    if out:
        lines.append(f"out: {out}")
    lines += [f"owes {n}: {s.name}" for s, n in owes.items() if n]
    lines += [f"owes nothing more: {s.name}" for s, n in owes.items() if not n and owed[s]]
    after = str(ruling["board"]["queen"])
    if after != queen and after.startswith("covered:"):
        lines.append("Queen covered")
    elif after.startswith("pending:"):
        lines.append("cover owed" if after != queen else "cover still owed")
    elif after == "on_board" and (queen.startswith("pending:") or "queen" in (event.get("pocketed") or ())):
        lines.append("Queen not covered")
    return lines


def standing(board: Json, names: Mapping[str, str]) -> str:
    """What lies on a board, in words: `5 white, 3 black, Queen covered by Asha`; `names` by seat."""
    return f"{board['white']} white, {board['black']} black, Queen {queen_words(board, names)}"


def queen_words(board: Json, names: Mapping[str, str]) -> str:
    """Where the Queen is: `on the board`, `with Asha, cover owed` or `covered by Asha`."""
    state, _, seat = str(board["queen"]).partition(":")
    who = names.get(seat) or SEAT_WORDS.get(seat, clean(seat))
    return {"pending": f"with {who}, cover owed", "covered": f"covered by {who}"}.get(state, "on the board")


def names_by_seat(sides: Sequence[Side]) -> dict[str, str]:
    """Each seat's name."""
    return {seat: name for side in sides for seat, name in zip(side.seats, side.names, strict=True)}


def _seat_name(sides: Sequence[Side], seat: object) -> str:
    return names_by_seat(sides).get(str(seat)) or SEAT_WORDS.get(str(seat), clean(seat))


def _side_name(sides: Sequence[Side], seat: object) -> str:
    return next((s.name for s in sides if seat in s.seats), "") if seat else ""


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
