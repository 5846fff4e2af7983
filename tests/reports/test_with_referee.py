"""Reports on what the referee really says."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from models.stroke_log import log_to_json, parse_log
from referee.engine import rule_match
from referee.lawbook_files import load_lawbook
from reports.captions import Captions
from reports.card import Card, cell_text
from reports.filling import build_card
from reports.review_page import write_review_page
from reports.scoresheet import write_scoresheet
from reports.terminal import print_scoresheet

Json = dict[str, Any]


def ruled(log: Json) -> tuple[Json, Json]:
    match = parse_log(log)
    return log_to_json(match), rule_match(match, load_lawbook(match.laws)).to_json()


def a_log(boards: list[Json], seats: tuple[str, ...] = ("south", "north")) -> Json:
    players = [{"seat": s, "name": f"Player {s}"} for s in seats]
    return {"format": "carromeye-strokes/1", "laws": "icf", "players": players, "first_break": seats[0], "boards": boards}


def strokes(*what: tuple[str, list[str]]) -> list[Json]:
    return [{"type": "stroke", "by": by, "pocketed": fell, "t": 10.0 * k} for k, (by, fell) in enumerate(what, 1)]


def shown(card: Card, n: int = 0) -> list[tuple[str, ...]]:
    """The cells of board `n` as printed."""
    return [tuple(cell_text(column, cell, card.book.owned) for column in card.columns) for cell in card.boards[n].cells]


WHITES = ["white"] * 8
TO_THE_END: Json = {
    "events": strokes(("south", WHITES), ("south", ["queen"]), ("south", ["white"])),
}
"""A first turn that clears the board: white slam, nine blacks and the Queen."""


def test_a_finished_board() -> None:
    card = build_card(*ruled(a_log([TO_THE_END])))
    board = card.boards[0]
    assert shown(card) == [("3", "9", "12", "12"), ("Nil", "Nil", "0", "0")]
    assert (board.winner, board.break_by, board.slam) == ("Player south", "Player south", "white")
    assert [r.charge for r in board.rows] == [(), ("cover owed",), ("Queen covered",)]
    assert card.winner == ""


def test_running_totals_and_a_video_that_ends_midway() -> None:
    other = {"events": strokes(("north", ["white", "white"]))}
    card = build_card(*ruled(a_log([TO_THE_END, other])))
    assert [[c.total for c in b.cells] for b in card.boards] == [[12, 0], [12, 0]]
    assert [b.state for b in card.boards] == ["won", "open"]
    assert card.boards[1].break_by == "Player north"
    assert card.boards[1].result.startswith("Not finished. On the board: 7 white, 9 black")


def test_queen_not_credited_from_22_on() -> None:
    start = {"scores": {"south": 22, "north": 0}}
    card = build_card(*ruled(a_log([TO_THE_END | {"start": start}])))
    assert card.boards[0].before == (22, 0)
    assert [c[:3] for c in shown(card)] == [("(Q)", "9", "9"), ("Nil", "Nil", "0")]


def test_last_own_piece_before_the_queen() -> None:
    card = build_card(*ruled(a_log([{"events": strokes(("south", ["white"] * 9))}])))
    assert [c[:3] for c in shown(card)] == [("Nil", "Nil", "0"), ("3†", "Nil", "3")]
    assert card.boards[0].winner == "Player north"


def test_a_second_game() -> None:
    start = {"scores": {"south": 20, "north": 4}}
    card = build_card(*ruled(a_log([TO_THE_END | {"start": start}, {"events": []}])))
    assert [[b.in_game for b in g.boards] for g in card.games] == [[1], [1]]
    assert card.games_won == (1, 0)
    assert [c.total for c in card.boards[1].cells] == [0, 0]


def test_a_board_of_one_stroke_that_ends_the_game() -> None:
    """23 and 9 more are 25: the total is capped, what the board began with is not to be counted back from it."""
    first = TO_THE_END | {"start": {"scores": {"south": 0, "north": 23}}}
    last = {"start": {"white": 9, "black": 1, "queen": "covered:north", "breaker": "south", "turn": "north"}}
    card = build_card(*ruled(a_log([first, last | {"events": strokes(("north", ["black"]))}])))
    assert card.boards[1].before == (12, 23)
    assert card.boards[1].rows[0].points == "12 – 25"
    assert shown(card, 1) == [("Nil", "Nil", "0", "12"), ("(Q)", "9", "9", "25")]


def test_doubles() -> None:
    log, rulings = ruled(a_log([{"events": strokes(("south", ["striker", "white"]))}], ("south", "east", "north", "west")))
    card = build_card(log, rulings)
    assert [s.name for s in card.sides] == ["Player south / Player north", "Player east / Player west"]
    assert card.boards[0].rows[0].charge[0] == "foul: striker pocketed"


@pytest.mark.parametrize("seats", [("south", "north"), ("south", "east", "north", "west")])
def test_every_report_takes_what_the_referee_gives(tmp_path: Path, seats: tuple[str, ...]) -> None:
    log, rulings = ruled(a_log([TO_THE_END, {"events": strokes((seats[1], ["striker"]))}], seats))
    write_scoresheet(tmp_path, log, rulings, {})
    write_review_page(tmp_path, log, rulings, {})
    out = io.StringIO()
    print_scoresheet(log, rulings, file=out)
    assert "may claim" not in out.getvalue()
    assert "Player south" in out.getvalue()
    rows = list(csv.DictReader(io.StringIO((tmp_path / "scoresheet.csv").read_text(encoding="utf-8-sig"))))
    assert [r["row"] for r in rows] == ["board", "board", "stroke", "stroke", "stroke", "stroke"]
    assert Captions(log, rulings).at(40.0)[0][0].startswith("Board 1, stroke 3: Player south")
