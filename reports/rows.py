"""A board's events with their rulings, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.errors import BadInput
from reports.card import LOW_CONFIDENCE, Json, Row, Side, names_by_seat, seat_name
from reports.words import SEAT_WORDS, clean, code_words, counted, listed, remark, tally


def board_rows(i: int, sides: Sequence[Side], board: Json, judged: Sequence[Json], before: tuple[int, ...]) -> tuple[Row, ...]:
    """The events of board `i` (from 0) with their rulings.

    Raises
    ------
    BadInput
        If a ruling is on an event that the board does not have or that is ruled on by nobody.
    """
    by_event: dict[int, Json] = {}
    differs: dict[int, list[str]] = {}
    for r in judged:
        k = int(r["event"])
        if not 1 <= k <= len(board["events"]) or board["events"][k - 1]["type"] == "placing":
            raise BadInput(f"board {i + 1}: a ruling is on event {k}, which is no stroke or call of the stroke log: rule on the log again")
        by_event[k] = r
        for d in r.get("discrepancies") or ():
            differs.setdefault(int(d["event"]) if isinstance(d, Mapping) and "event" in d else k, []).append(remark(d))
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
                player=seat_name(sides, event["by"]),
                action=_action(event),
                pocketed=tuple(event.get("pocketed") or ()) if kind == "stroke" else (),
                fell_at=tuple((str(p["cls"]), clean(p["pocket"]), float(p["t"])) for p in event.get("pocketed_at") or ()),
                touched=bool(event.get("touched", True)) if kind == "stroke" else None,
                charge=tuple(charge),
                left=standing(ruling["board"], names) if ruling else "",
                queen=_queen_state(ruling["board"]) if ruling else "",
                board=ruling.get("board"),
                scores=scores,
                points=points,
                clauses=tuple(clean(c) for c in ruling.get("clauses") or ()),
                text=clean(ruling.get("text") or ""),
                next_player=seat_name(sides, ruling["turn"]) if ruling.get("turn") else "",
                confidence=confidence,
                low=confidence is not None and confidence < LOW_CONFIDENCE,
                flags=tuple(remark(f) for f in ruling.get("flags") or ()),
                discrepancies=tuple(differs.get(k, ())),
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
    lines += _put_back(sides, ruling)
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


def _put_back(sides: Sequence[Side], ruling: Json) -> list[str]:
    """What goes back on the board, by whom where the rulings say so."""
    hands: dict[str, dict[str, int]] = {}
    for p in ruling.get("placings") or ():
        hand = hands.setdefault(str(p["by"]), {})
        hand[p["piece"]] = hand.get(p["piece"], 0) + int(p["n"])
    if hands:
        return [f"back: {counted(what)}, placed by {seat_name(sides, by)}" for by, what in hands.items()]
    out = counted(ruling.get("out") or {})
    return [f"back: {out}"] if out else []


def standing(board: Json, names: Mapping[str, str]) -> str:
    """What lies on a board, in words: `5 white, 3 black, Queen covered by Asha`; `names` by seat."""
    return f"{board['white']} white, {board['black']} black, Queen {_queen_words(board, names)}"


def _queen_words(board: Json, names: Mapping[str, str]) -> str:
    """Where the Queen is: `on the board`, `with Asha, cover owed` or `covered by Asha`."""
    state, _, seat = str(board["queen"]).partition(":")
    who = names.get(seat) or SEAT_WORDS.get(seat, clean(seat))
    return {"pending": f"with {who}, cover owed", "covered": f"covered by {who}"}.get(state, "on the board")


def _queen_state(board: Json) -> str:
    return {"pending": "cover owed", "covered": "covered"}.get(str(board["queen"]).partition(":")[0], "on board")
