"""A board's events with their rulings, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.errors import BadInput
from reports.book import Book
from reports.brief import CHARGES, FALLS, without
from reports.card import LOW_CONFIDENCE, UNSURE, Json, Row, Side, names_by_seat, seat_name
from reports.corrected import corrections_of
from reports.words import IMPROPER_WORDS, SEAT_WORDS, clean, code_words, counted, listed, remark, tally


def board_rows(i: int, book: Book, sides: Sequence[Side], board: Json, judged: Sequence[Json], before: tuple[int, ...]) -> tuple[Row, ...]:
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
    scores, queen, owed = before, str(start.get("queen") or "on_board"), {s: s.of(start.get("dues")) for s in sides}
    names = names_by_seat(sides)
    rows, n, early = [], 0, False
    for k, event in enumerate(board["events"], 1):
        kind, ruling = str(event["type"]), by_event.get(k, {})
        n += kind == "stroke"
        charge: list[str] = []
        now, points = scores, ""
        if ruling:
            owes = {s: s.of(ruling.get("dues")) for s in sides}
            was_early, early = early, bool(ruling["board"].get("queen_early"))
            charge = _charge(sides, ruling, queen, owes, owed, early or was_early, book.cover)
            charge += _put_back(sides, ruling, _placed(board["events"], k))
            queen, owed = str(ruling["board"]["queen"]), owes
            now = tuple(s.of(ruling.get("scores")) for s in sides)
            points = " – ".join(map(str, now)) if now != scores else ""
        scores = now
        confidence = event.get("confidence")
        low = confidence is not None and confidence < LOW_CONFIDENCE
        told = any(isinstance(f, Mapping) and f.get("kind") == UNSURE for f in ruling.get("flags") or ())
        text = clean(ruling.get("text") or "")
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
                left=standing(ruling["board"], names, book.cover) if ruling else "",
                queen=_queen_state(ruling["board"], book.cover, early) if ruling else "",
                board=ruling.get("board"),
                scores=scores,
                points=points,
                clauses=tuple(clean(c) for c in ruling.get("clauses") or ()),
                text=text,
                told=clean(without(ruling, FALLS)),
                brief=clean(without(ruling, CHARGES)),
                next_player=seat_name(sides, ruling["turn"]) if ruling.get("turn") else "",
                confidence=confidence,
                doubt=f"the camera was not sure (confidence {confidence:.2f})" if low and not told else "",
                low=low,
                flags=tuple(remark(f) for f in ruling.get("flags") or ()),
                discrepancies=tuple(differs.get(k, ())),
                corrections=corrections_of(sides, event),
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


def _charge(
    sides: Sequence[Side], ruling: Json, queen: str, owes: Mapping[Side, int], owed: Mapping[Side, int], early: bool, cover: bool
) -> list[str]:
    """Foul, dues and cover of one ruling, one line each."""
    fouls = ["improper stroke" if f in IMPROPER_WORDS else code_words(f) for f in ruling.get("fouls") or ()]
    lines = [f"foul: {f}" for f in dict.fromkeys(fouls)]  # what was improper stands beside what fell
    lines += [f"owes {n}: {s.name}" for s, n in owes.items() if n]
    lines += [f"owes nothing more: {s.name}" for s, n in owes.items() if not n and owed[s]]
    after = str(ruling["board"]["queen"])
    if after != queen and after.startswith("covered:"):
        lines.append("Queen covered" if cover else "Queen won")
    elif after.startswith("pending:"):
        lines.append("Queen to come back" if early else "cover owed" if after != queen else "cover still owed")
    elif after == "on_board" and queen.startswith("pending:") and not early:
        lines.append("Queen not covered")
    return lines


def _placed(events: Sequence[Json], k: int) -> dict[str, list[str]]:
    """By piece, who was seen to put one back between event `k` (from 1) and the next stroke."""
    seen: dict[str, list[str]] = {}
    for event in events[k:]:
        if event["type"] == "stroke":
            break
        for piece in event.get("pieces") or ():
            seen.setdefault(str(piece), []).append(str(event["by"]))
    return seen


def _put_back(sides: Sequence[Side], ruling: Json, seen: Mapping[str, list[str]]) -> list[str]:
    """What goes back on the board: by whom it was seen placed, else by whom it is to be."""
    hands: dict[str, dict[str, int]] = {}
    asked = ruling.get("placings") or ()
    for p in asked:
        by = [seat_name(sides, s) for s in seen.get(str(p["piece"]), [])[: int(p["n"])]]
        told = [f"placed by {name}" for name in by] + [
            f"for {'the umpire' if p['by'] == 'umpire' else seat_name(sides, p['by'])} to place"
        ] * (int(p["n"]) - len(by))
        for words in told:
            hand = hands.setdefault(words, {})
            hand[p["piece"]] = hand.get(p["piece"], 0) + 1
    if asked:
        return [f"back: {counted(what)}, {words}" for words, what in hands.items()]
    out = counted(ruling.get("out") or {})
    return [f"back: {out}"] if out else []


def standing(board: Json, names: Mapping[str, str], cover: bool = True) -> str:
    """What lies on a board, in words: `5 white, 3 black, Queen covered by Asha`; `names` by seat."""
    queen = "" if board["queen"] is None else f", Queen {_queen_words(board, names, cover)}"
    return f"{board['white']} white, {board['black']} black{queen}"


def _queen_words(board: Json, names: Mapping[str, str], cover: bool) -> str:
    """Where the Queen is: `on the board`, `with Asha, not covered` or `covered by Asha`."""
    state, _, seat = str(board["queen"]).partition(":")
    who = names.get(seat) or SEAT_WORDS.get(seat, clean(seat))
    return {"pending": f"with {who}, not covered", "covered": f"{'covered' if cover else 'won'} by {who}"}.get(state, "on the board")


def _queen_state(board: Json, cover: bool, early: bool) -> str:
    if board["queen"] is None:
        return ""
    pending = "to come back" if early else "cover owed"
    return {"pending": pending, "covered": "covered" if cover else "won"}.get(str(board["queen"]).partition(":")[0], "on board")
