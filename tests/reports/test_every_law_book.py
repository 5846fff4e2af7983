"""The score sheet of every law book that comes with the program, on what the referee really says."""

from __future__ import annotations

import csv
import io
import random
import re
from pathlib import Path
from typing import Any

import pytest

from carromeye.record import Record
from models.corrections import correct, parse_correction
from models.stroke import Board, Call, Match, Placing, Player, Seat, Stroke
from models.stroke_log import log_to_json
from referee.engine import rule_match, state_after
from referee.language import ENGLISH
from referee.lawbook_files import load_lawbook
from referee.texts import MESSAGES, Message
from reports.brief import CHARGES, FALLS, WINNER, without
from reports.captions import Captions
from reports.card import Card, cell_text
from reports.filling import build_card
from reports.overlay import BANNER_LINES
from reports.review_page import write_review_page
from reports.scoresheet import write_scoresheet
from reports.terminal import print_scoresheet

Json = dict[str, Any]
NAMES = ("Asha", "Bina", "Chitra", "Devi")
TWO: tuple[Seat, ...] = ("south", "north")
FOUR: tuple[Seat, ...] = ("south", "east", "north", "west")
BOOKS: list[tuple[str, tuple[Seat, ...]]] = [
    *((laws, seats) for laws in (
        "icf", "uk", "gamerules", "22s-classic", "22s-29", "22s-disc-pool", "22s-freestyle", "22s-tal-gach", "billard-indien",
        "billard-indien-championship",
    ) for seats in (TWO, FOUR)),
    ("gamerules-3", ("south", "east", "west")),
    ("22s-daily", ("south",)),
]  # fmt: skip
LONGEST_BOARD = 90
"""So many strokes of a random board are played."""
LONGEST_CAPTION = 215
"""A longer ruling could not be read on the video (letters)."""


def told(match: Match) -> tuple[Json, Json, Json]:
    """Log, rulings and match file of a match."""
    book = load_lawbook(match.laws)
    return log_to_json(match), rule_match(match, book).to_json(), {"laws": Record(match.laws, book, match.players).laws_facts()}


def of(laws: str, seats: tuple[Seat, ...], *boards: tuple[Stroke | Placing | Call, ...]) -> Match:
    players = tuple(Player(s, n) for s, n in zip(seats, NAMES, strict=False))
    return Match(laws, players, seats[0], tuple(Board(b) for b in boards))


def card_of(laws: str, seats: tuple[Seat, ...], *boards: tuple[Stroke | Placing | Call, ...]) -> Card:
    return build_card(*told(of(laws, seats, *boards)))


def shown(card: Card, n: int = 0) -> list[tuple[str, ...]]:
    return [tuple(cell_text(column, cell, card.book.owned) for column in card.columns) for cell in card.boards[n].cells]


def at_random(laws: str, seats: tuple[Seat, ...], boards: int = 2) -> Match:
    """A match of random strokes, in turn; some pieces are seen put back."""
    rng, book, match, t = random.Random(4), load_lawbook(laws), of(laws, seats), 3.0
    for b in range(boards):
        match = of(laws, seats, *(x.events for x in match.boards), ())
        state = state_after(match, book, b)
        events: list[Stroke | Placing | Call] = []
        while state.result is None and len(events) < LONGEST_BOARD and state.turn is not None:
            pool = ["white"] * state.white + ["black"] * state.black + ["queen"] * (state.queen.state == "on_board")
            rng.shuffle(pool)
            fell = pool[: rng.choice((0, 1, 1, 2))] + ["striker"] * (rng.random() < 0.1)
            wrong = ("off_baseline",) if rng.random() < 0.05 else ()
            sure = rng.choice((0.97, 0.97, 0.97, 0.7, 0.5))
            events.append(Stroke(state.turn, tuple(fell), improper=wrong, t=t, rest=t + 1.5, confidence=sure))  # type: ignore[arg-type]
            t += 8.0
            state = state_after(of(laws, seats, *(x.events for x in match.boards[:-1]), tuple(events)), book, b)
            if state.expected and state.expected[0].by and rng.random() < 0.5:
                events.append(Placing(state.expected[0].by, (state.expected[0].piece,) * state.expected[0].n, t=t - 4.0))
                state = state_after(of(laws, seats, *(x.events for x in match.boards[:-1]), tuple(events)), book, b)
        match = of(laws, seats, *(x.events for x in match.boards[:-1]), tuple(events))
        if state.result is None or rule_match(match, book).winner:
            break
    return match


@pytest.mark.parametrize(("laws", "seats"), BOOKS, ids=lambda v: v if isinstance(v, str) else str(len(v)))
def test_every_report_of_every_book(tmp_path: Path, laws: str, seats: tuple[Seat, ...]) -> None:
    log, rulings, meta = told(at_random(laws, seats))
    card = build_card(log, rulings, meta)
    for board in card.boards:
        for cell, total in zip(board.cells, board.before, strict=True):
            assert cell.points is None or card.book.target or total + cell.points == cell.total
            if not card.book.owned:
                worth = card.book.white * (cell.white or 0) + card.book.black * (cell.black or 0) + card.book.queen * (cell.queen or 0)
                assert worth == cell.points
        for row in board.rows:
            assert not re.search(r"Pocketed:|Nothing pocketed|Comes back|Offence|Off the board", row.brief)
            assert (row.n is None) == (row.kind != "stroke")
    page, table = write_scoresheet(tmp_path, log, rulings, meta)
    text = page.read_text(encoding="utf-8") + write_review_page(tmp_path, log, rulings, meta).read_text(encoding="utf-8")
    assert "None" not in text
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8-sig"))))
    figures = [c for c in rows[0] if re.match(r"(south|east|north|west)_", c) and not c.endswith(("_name", "_covered"))]
    assert figures
    for row_ in rows:
        for name in (*figures, "left_white", "left_black", "event", "stroke", "time_s", "confidence"):
            assert re.fullmatch(r"(-?\d+(\.\d+)?)?", row_[name]), (name, row_[name])
    out = io.StringIO()
    print_scoresheet(log, rulings, meta, out)
    assert "None" not in out.getvalue()
    captions = Captions(log, rulings, meta)
    for k in range(int(rows[-1]["time_s"].partition(".")[0] or 0) + 5):
        banner, footer = captions.at(float(k))
        assert len(banner) < BANNER_LINES
        assert all(len(line) <= LONGEST_CAPTION for line in (*banner, footer))


def test_what_columns_say_is_not_said_again() -> None:
    says: tuple[Message, ...] = (
        ("fell", {"pieces": ("white",)}),
        ("queen_covered", {}),
        ("won_by", {"winner": "A & B", "n": 2}),
        ("turn_goes_on", {}),
    )
    said = {"text": ENGLISH.text(says), "sentences": ENGLISH.sentences(says)}
    assert without(said, FALLS) == "The Queen is covered. " + ENGLISH.text(says[2:])
    assert without(said, CHARGES) == ENGLISH.text(says[2:])
    assert without(said, WINNER) == "The turn goes on."
    assert without({"reason": "By agreement."}, WINNER, "reason") == "By agreement."
    assert without({}, WINNER) == ""


def test_the_sentences_left_out_are_the_referees() -> None:
    assert set(MESSAGES) >= WINNER


def test_uk_credits_five_for_the_queen() -> None:
    card = card_of(
        "uk", TWO, (Stroke("south", ("white",) * 7), Stroke("south", ("queen",)), Stroke("south", ("white",)), Stroke("south", ("white",)))
    )
    assert shown(card) == [("5", "9", "14", "14"), ("Nil", "Nil", "0", "0")]
    assert card.book.aim == "29 points"
    assert not card.by_games
    assert card.boards[0].result == "Asha wins 14 points. The last own piece is down and the Queen is covered."


def test_a_queen_taken_too_early_is_not_waiting_for_a_cover() -> None:
    rows = card_of("uk", TWO, (Stroke("south", ("queen",)), Stroke("south"))).boards[0].rows
    assert rows[0].queen == "to come back"
    assert rows[0].charge == ("Queen to come back",)
    assert rows[1].charge == ("back: Queen, for Bina to place",)


def test_three_players_count_pieces() -> None:
    seats: tuple[Seat, ...] = ("south", "east", "west")
    card = card_of(
        "gamerules-3",
        seats,
        (Stroke("south", ("white", "queen")), Stroke("south"), Stroke("east", ("black",)), Stroke("east", ("white", "striker"))),
    )
    assert [c.label for c in card.columns] == ["W", "B", "Q", "Pts", "Total"]
    assert shown(card)[0] == ("1", "0", "1", "7", "7")
    assert [sum(int(c) for c in cells[:2]) for cells in shown(card)] == [1, 1, 0]
    assert card.boards[0].rows[0].charge == ("Queen won",)
    assert card.boards[0].rows[-1].charge[0] == "foul: striker pocketed"
    assert card.end == "Not decided."


def test_one_player() -> None:
    match = of("22s-daily", ("south",), (Stroke("south", ("queen", *("white",) * 9, *("black",) * 9)),))
    card = build_card(*told(match))
    assert shown(card) == [("9", "9", "1", "19")]
    assert (card.end, card.boards[0].result) == ("", "19 points. The board is empty.")


def test_without_a_queen_nothing_speaks_of_her(tmp_path: Path) -> None:
    log, rulings, meta = told(of("22s-disc-pool", TWO, (Stroke("south", ("white",)), Stroke("south", ("black",)))))
    page, _ = write_scoresheet(tmp_path, log, rulings, meta)
    assert "Queen" not in page.read_text(encoding="utf-8")
    assert "Queen" not in write_review_page(tmp_path, log, rulings, meta).read_text(encoding="utf-8")
    out = io.StringIO()
    print_scoresheet(log, rulings, meta, out)
    assert "Queen" not in out.getvalue()


def test_no_queen_even_where_both_last_pieces_fall_at_once() -> None:
    strokes = (Stroke("south", ("white",) * 8), Stroke("south", ()), Stroke("north", ("black",) * 8), Stroke("north", ("white", "black")))
    match = of("22s-disc-pool", TWO, strokes)
    assert rule_match(match, load_lawbook(match.laws)).to_json()["boards"][0]["rulings"][-1]["board"]["queen"] is None


def test_both_sides_have_points() -> None:
    won = (Stroke("south", ("white",)), Stroke("south", ("queen",)), Stroke("south", ("white",) * 7), Stroke("south", ("black", "white")))
    card = card_of("billard-indien", TWO, won)
    assert [c.label for c in card.columns] == ["Own", "Queen", "Left", "Points", "Total"]
    assert shown(card) == [("9", "3", "8", "20", "20"), ("1", "Nil", "Nil", "1", "1")]
    assert card.boards[0].result == "Asha wins 20 points, Bina 1. The last own piece is down and the Queen is covered."


def test_change_of_sides_is_told(tmp_path: Path) -> None:
    won = (Stroke("south", ("white",)), Stroke("south", ("queen",)), Stroke("south", ("white",) * 8))
    log, rulings, meta = told(of("billard-indien-championship", TWO, won))
    assert build_card(log, rulings, meta).boards[0].notices == ("Change of sides after this board.",)
    assert "Change of sides after this board." in write_scoresheet(tmp_path, log, rulings, meta)[0].read_text(encoding="utf-8")


def test_a_board_that_nobody_wins() -> None:
    half = (Stroke("south", (*("white",) * 5, *("black",) * 4)), Stroke("south"), Stroke("north", (*("white",) * 4, *("black",) * 5)))
    match = of("22s-freestyle", TWO, half)
    log, rulings, meta = told(match)
    rulings["boards"][0]["result"] = {
        "winner": None,
        "replay": False,
        "points": {"south": 140, "north": 140},
        "sentences": ENGLISH.sentences((("end_empty", {}), ("nobody_won", {}))),
    }
    card = build_card(log, rulings, meta)
    assert card.boards[0].state == "nobody"
    assert card.boards[0].result == "Won by nobody: Asha 140, Bina 140. The board is empty."
    assert card.end == "Drawn."


def test_a_replayed_board_keeps_its_number_in_the_game() -> None:
    card = card_of("icf", TWO, (Stroke("south", ("white",)), Call("replay", "south")), (Stroke("south", ("white",)),))
    assert [b.in_game for b in card.boards] == [1, 1]
    assert card.boards[1].name == "Board 2 (game 1, board 1)"
    assert card.boards[0].result == "Replayed."


def test_a_match_conceded_says_whom_it_goes_to() -> None:
    card = card_of("uk", TWO, (Stroke("south", ("white",)), Call("concede", "south")))
    assert card.boards[0].result.startswith("The game goes to Bina.")


def test_fouls_are_counted() -> None:
    assert card_of("icf", TWO, (Stroke("south", ("striker", "white")),)).fouls == "Fouls: Asha 1."


def test_what_was_improper_is_said_once() -> None:
    row = card_of("icf", TWO, (Stroke("south", ("white",), improper=("pushed", "elbow")),)).boards[0].rows[0]
    assert row.action == "white; striker pushed; elbow over the surface"
    assert row.charge[0] == "foul: improper stroke"
    assert [c for c in row.charge if "foul" in c] == ["foul: improper stroke"]


def test_a_doubt_is_said_once() -> None:
    rows = card_of("icf", TWO, (Stroke("south", ("white",), confidence=0.5), Stroke("south", ("white",), confidence=0.7))).boards[0].rows
    assert [bool(r.doubt) for r in rows] == [False, True]
    assert [len([f for f in r.flags if "not sure" in f]) for r in rows] == [1, 0]
    assert all(r.low for r in rows)


def test_corrections_are_told_with_their_reasons(tmp_path: Path) -> None:
    match = of("icf", TWO, (Stroke("south", ("white",)), Stroke("south"), Placing("north", ("white",)), Stroke("north", ("black",))))
    for text in (
        "board 1 event 1 pocketed=white,white because=a hand hid the pocket",
        "board 1 event 3 delete because=the hand only brushed it",
        "board 1 event 4 insert call by=south call=talking because=heard by the umpire",
    ):
        match = correct(match, parse_correction(text))
    log, rulings, meta = told(match)
    board = build_card(log, rulings, meta).boards[0]
    assert board.rows[0].corrections == ("Corrected, was 1 white pocketed: a hand hid the pocket",)
    assert board.rows[3].corrections == ("Put in by the reviewer: heard by the umpire",)
    assert board.deleted == ("Before event 3 the reviewer took out a placing by Bina (1 white): the hand only brushed it",)
    page, table = write_scoresheet(tmp_path, log, rulings, meta)
    review = write_review_page(tmp_path, log, rulings, meta)
    for text in (page.read_text(encoding="utf-8"), review.read_text(encoding="utf-8"), table.read_text(encoding="utf-8-sig")):
        assert "a hand hid the pocket" in text
        assert "the hand only brushed it" in text
