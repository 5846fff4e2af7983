"""The score card as an umpire fills it in."""

from __future__ import annotations

from typing import Any

import pytest

from models.errors import BadInput
from reports.card import Card, cell_text, to_decide
from reports.filling import build_card, sides_of
from reports.words import clean, clock

Json = dict[str, Any]


def columns(card: Card, n: int = 0) -> list[tuple[str, ...]]:
    """The cells of board `n` as printed."""
    return [tuple(cell_text(column, cell, card.book.owned) for column in card.columns) for cell in card.boards[n].cells]


def test_a_board_won(log: Json, rulings: Json) -> None:
    card = build_card(log, rulings)
    board = card.boards[0]
    assert board.break_by == "Asha"
    assert board.before == (8, 3)
    assert columns(card) == [("3", "4", "7", "15"), ("Nil", "Nil", "0", "3")]
    assert [c.won for c in board.cells] == [True, False]
    assert board.state == "won"
    assert board.result == "Asha wins 7 points. The last own piece is down and the Queen is covered."


def test_a_board_not_finished_is_never_a_win(log: Json, rulings: Json) -> None:
    rulings["match"]["winner"] = None
    card = build_card(log, rulings)
    board = card.boards[1]
    assert board.state == "open"
    assert board.winner == ""
    assert columns(card, 1) == [("–", "–", "–", "15"), ("–", "–", "–", "3")]
    assert board.result == "Not finished. On the board: 9 white, 7 black, Queen on the board."
    assert board.break_by == "Bina"


def test_a_board_without_a_stroke_shows_how_it_stands(log: Json, rulings: Json) -> None:
    log["boards"] = [{"start": {"white": 4, "black": 6, "queen": "covered:north"}, "events": []}]
    rulings["boards"] = [{"rulings": [], "result": None}]
    board = build_card(log, rulings).boards[0]
    assert board.result == "Not finished. On the board: 4 white, 6 black, Queen covered by Bina."
    assert not board.rows


def test_queen_pocketed_by_the_loser_is_not_credited(log: Json, rulings: Json) -> None:
    for r in rulings["boards"][0]["rulings"]:
        r["board"]["queen"] = "covered:north"
    rulings["boards"][0]["result"].update(points={"south": 4, "north": 0}, queen_points=0)
    card = build_card(log, rulings)
    assert [c[:3] for c in columns(card)] == [("Nil", "4", "4"), ("(Q)", "Nil", "0")]
    assert any(n.startswith("(Q)") for n in card.footnotes)


def test_queen_pocketed_by_the_winner_from_22_on_is_not_credited(log: Json, rulings: Json) -> None:
    rulings["boards"][0]["result"].update(points={"south": 4, "north": 0}, queen_points=0)
    assert [c[:3] for c in columns(build_card(log, rulings))] == [("(Q)", "4", "4"), ("Nil", "Nil", "0")]


def test_points_for_a_queen_that_nobody_covered_are_marked(log: Json, rulings: Json) -> None:
    """Own last piece with the Queen on the board: the opponent wins 3 (ICF law 107)."""
    last = rulings["boards"][0]["rulings"][-1]
    last["board"] = {"white": 0, "black": 4, "queen": "on_board"}
    rulings["boards"][0]["result"].update(winner="north", points={"south": 0, "north": 3}, pieces=0)
    card = build_card(log, rulings)
    assert [c[:3] for c in columns(card)] == [("Nil", "Nil", "0"), ("3†", "Nil", "3")]
    assert any(n.startswith("†") for n in card.footnotes)


def test_what_the_points_are_made_of_comes_from_the_result_where_it_says(log: Json, rulings: Json) -> None:
    rulings["boards"][0]["result"].update(pieces=6, queen_points=0, points={"south": 6, "north": 0})
    assert [c[:3] for c in columns(build_card(log, rulings))] == [("(Q)", "6", "6"), ("Nil", "Nil", "0")]


def test_a_replayed_board(log: Json, rulings: Json) -> None:
    rulings["boards"][1]["result"] = {"winner": None, "replay": True, "points": {"south": 0, "north": 0}, "reason": "Three passes each."}
    card = build_card(log, rulings)
    assert (card.boards[1].state, card.boards[1].result) == ("replayed", "Replayed. Three passes each.")
    assert columns(card, 1) == [("–", "–", "–", "15"), ("–", "–", "–", "3")]


@pytest.mark.parametrize("claim", [2, {"south": 2, "north": 0}])
def test_points_that_may_be_claimed(log: Json, rulings: Json, claim: Any) -> None:
    rulings["boards"][0]["result"]["demandable"] = claim
    assert "may claim 2 more" in build_card(log, rulings).boards[0].result


def test_a_new_game_begins_where_the_rulings_number_it(log: Json, rulings: Json) -> None:
    for n, board in enumerate(rulings["boards"], 1):
        board.update(game=n, board=1, breaker="north")
    card = build_card(log, rulings)
    assert [[b.in_game for b in g.boards] for g in card.games] == [[1], [1]]
    assert card.boards[0].break_by == "Bina"


def test_a_new_game_begins_where_the_score_falls(log: Json, rulings: Json) -> None:
    for r in rulings["boards"][1]["rulings"]:
        r["scores"] = {"south": 0, "north": 0}
    card = build_card(log, rulings)
    assert [[b.number for b in g.boards] for g in card.games] == [[1], [2]]
    assert [c.total for c in card.boards[1].cells] == [0, 0]


def test_a_board_decided_by_its_only_stroke(log: Json, rulings: Json) -> None:
    log["boards"], rulings["boards"] = log["boards"][:1], rulings["boards"][:1]
    del log["boards"][0]["start"]["scores"]
    log["boards"][0]["events"] = log["boards"][0]["events"][-1:]
    rulings["boards"][0]["rulings"] = [rulings["boards"][0]["rulings"][-1] | {"event": 1}]
    board = build_card(log, rulings).boards[0]
    assert board.before == (8, 3)
    assert board.rows[0].points == "15 – 3"


def test_rows_say_foul_dues_and_cover(log: Json, rulings: Json) -> None:
    first, second = build_card(log, rulings).boards
    assert [r.charge for r in first.rows] == [
        ("cover owed",),
        ("Queen covered",),
        ("foul: striker pocketed", "back: 2 white"),
        (),
        (),
    ]
    assert [r.charge for r in second.rows] == [("owes 1: Bina",), ("owes 1: Bina",), ("owes nothing more: Bina",)]
    assert [r.action for r in second.rows] == [
        "black; touched no piece",
        "umpire's call: talking",
        "black, Queen; off the board: white; striker off the base lines",
    ]
    assert [r.n for r in first.rows] == [1, 2, 3, None, 4]
    assert [r.points for r in first.rows] == ["", "", "", "", "15 – 3"]


def test_who_puts_back(log: Json, rulings: Json) -> None:
    rulings["boards"][0]["rulings"][2]["placings"] = [
        {"by": "north", "piece": "white", "n": 2},
        {"by": "umpire", "piece": "queen", "n": 1},
    ]
    assert build_card(log, rulings).boards[0].rows[2].charge[1:] == (
        "back: 2 white, placed by Bina",
        "back: Queen, for the umpire to place",
    )


def test_who_was_seen_to_put_back_comes_before_who_was_asked(log: Json, rulings: Json) -> None:
    log["boards"][0]["events"][3]["pieces"] = ["queen"]
    rulings["boards"][0]["rulings"][2]["placings"] = [
        {"by": "north", "piece": "white", "n": 2},
        {"by": "umpire", "piece": "queen", "n": 1},
    ]
    assert build_card(log, rulings).boards[0].rows[2].charge[1:] == ("back: 2 white, for Bina to place", "back: Queen, placed by Bina")


def test_a_discrepancy_stands_at_the_event_that_shows_it(log: Json, rulings: Json) -> None:
    rulings["boards"][0]["rulings"][2]["discrepancies"] = [{"event": 4, "kind": "due", "text": "One is missing.", "clauses": ["83"]}]
    rows = build_card(log, rulings).boards[0].rows
    assert [r.discrepancies for r in rows] == [(), (), (), ("One is missing. [83]",), ()]


def test_what_is_left_to_the_umpire(log: Json, rulings: Json) -> None:
    rulings["boards"][1]["flags"] = [{"kind": "count", "text": "A piece was not found."}]
    found = list(to_decide(build_card(log, rulings)))
    assert [(where, anchor) for where, anchor, _ in found] == [("Board 1, stroke 3 (event 3) at 0:15.2", "b1e3")] * 3 + [
        ("Board 2", "board-2")
    ]
    assert "confidence 0.52" in found[2][2]
    assert found[3][2] == "A piece was not found."


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda r: r["boards"].pop(), "1 board, the stroke log has 2"),
        (lambda r: r["boards"][1]["rulings"][0].update(event=9), "board 2: .*event 9"),
        (lambda r: r["boards"][0]["rulings"][0].update(event=4), "board 1: .*event 4"),
    ],
)
def test_rulings_of_another_log_are_refused(log: Json, rulings: Json, spoil: Any, says: str) -> None:
    spoil(rulings)
    with pytest.raises(BadInput, match=says):
        build_card(log, rulings)


def test_partners_sit_opposite(log: Json) -> None:
    log["players"] = [{"seat": s, "name": s[0].upper()} for s in ("east", "north", "west", "south")]
    assert [(s.name, s.seats) for s in sides_of(log)] == [("E / W", ("east", "west")), ("S / N", ("south", "north"))]


def test_names_are_made_safe() -> None:
    assert clean("A\x1b[31m\u202eb\nc\u200dd") == "A [31m b c\u200dd"
    assert clean("x" * 80, 60) == "x" * 59 + "…"
    log = {"players": [{"seat": "south", "name": " \n"}, {"seat": "north"}]}
    assert [s.name for s in sides_of(log)] == ["South", "North"]


@pytest.mark.parametrize(
    ("t", "text"), [(None, ""), (0.0, "0:00.0"), (59.96, "1:00.0"), (3599.99, "1:00:00.0"), (3723.44, "1:02:03.4"), (-1.5, "-0:01.5")]
)
def test_clock(t: float | None, text: str) -> None:
    assert clock(t) == text
