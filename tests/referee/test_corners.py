"""Corners that the walk over all strokes and the random boards have found, and branches that no law's own test comes by."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from models.errors import BadInput
from models.stroke import CALLS, SEATS, Board, Call, Piece, Seat, Start, Stroke
from referee.board import apply
from referee.engine import next_board, open_match
from referee.lawbook_files import known_lawbooks, lawbook_text, load_lawbook
from referee.laws import LawBook
from referee.state import BoardState
from tests.referee.boards import ICF, a_match, board, call, hit, many, out, place, play, rack, ruled

BILLARD: Final = load_lawbook("billard-indien")
G3: Final = load_lawbook("gamerules-3")
DISC_POOL: Final = load_lawbook("22s-disc-pool")
FREESTYLE: Final = load_lawbook("22s-freestyle")
CLUB_29: Final = load_lawbook("22s-29")


def of_three(start: Start | None = None) -> BoardState:
    """A board of three players, where a piece belongs to whoever pockets it."""
    match = a_match(seats=("south", "east", "north"))
    return next_board(open_match(match, G3), Board(start=start))[0]


def test_a_penalty_that_is_paid_by_the_stroke_that_ends_the_board_comes_out() -> None:
    ended = ruled(board(1, 1, "covered:south", book=BILLARD), hit("black", "striker"))
    assert out(ended) == (1, 0, 0)
    assert (ended.white, ended.black) == (2, 0)


def test_a_penalty_of_the_stroke_that_reaches_the_target_comes_out() -> None:
    start = Start(3, 5, "on_board", "south", "south", scores={"south": 21})
    after = apply(of_three(start), hit("white", "white", off_board=("black",)))
    ruling = after.rulings[-1]
    assert (after.white, after.black) == (1 + ruling.out["white"], 5 + ruling.out["black"])


def test_a_stroke_that_loses_the_board_says_what_comes_back() -> None:
    book = CLUB_29.with_options({"offences.striker_off_board.loses": "board"})
    lost = ruled(rack(book), hit("white", "black", off_board=("striker",)))
    assert lost.turn is None
    assert (lost.white, lost.black) == (8 + lost.out["white"], 8 + lost.out["black"])


def test_a_break_before_play_is_nothing_where_the_book_ignores_it() -> None:
    for name in ("22s-29", "gamerules", "billard-indien"):
        book = load_lawbook(name)
        assert book.breaking.before_play == "ignored"
        match = a_match(Board((hit("white"), call("play"))))
        opened = next_board(open_match(match, book), match.boards[0])[0]
        ruling = ruled(opened, hit("white"))
        assert not ruling.fouls
        assert (ruling.white, ruling.turn) == (8, "south")


def test_a_board_without_a_queen_is_won_without_a_word_of_her() -> None:
    start = Start(1, 5, None, "south", "south")
    opened = next_board(open_match(a_match(), DISC_POOL), Board(start=start))[0]
    after = apply(opened, hit("white"))
    assert after.result
    assert after.result.winner == "south"
    assert "queen" not in after.result.reason.lower()
    assert "22d.1" in after.rulings[-1].clauses


def test_a_queen_taken_too_early_comes_out_when_somebody_strikes_out_of_turn() -> None:
    early = apply(rack(CLUB_29), hit("queen"))
    assert early.queen.state == "early"
    ruling = ruled(early, hit("black", by="north"))
    assert str(ruling.queen) == "on_board"
    assert out(ruling) == (0, 0, 1)


def test_a_last_piece_set_aside_comes_out_when_somebody_strikes_out_of_turn() -> None:
    aside = apply(board(1, 4, book=CLUB_29), hit("white"))
    assert aside.aside == 1
    ruling = ruled(aside, hit(by="north"))
    assert (ruling.white, out(ruling)) == (1, (1, 0, 0))


@pytest.mark.parametrize("book", [G3, FREESTYLE], ids=lambda b: b.id)
def test_a_piece_that_was_won_and_lies_on_the_board_again_does_not_come_back_twice(book: LawBook) -> None:
    state = of_three() if book is G3 else rack(book)
    cost = "white" if book is G3 else "striker"
    state = play(state, hit("white"), place("white"), hit(off_board=(cost,)))
    assert (state.white, state.black) == (9, 9)


@pytest.mark.parametrize("laws", known_lawbooks())
@pytest.mark.parametrize("ruled_as", ["violation", "no_touch"])
def test_any_call_can_be_ruled_as_another_or_is_refused(laws: str, ruled_as: str) -> None:
    book = load_lawbook(laws)
    for what in CALLS:
        try:
            house = book.with_options({f"offences.{what}.ruled_as": ruled_as})
        except BadInput:
            continue
        seats = SEATS[: min(book.match.players)]
        match = a_match(seats=("south", "north") if len(seats) == 2 else seats)
        state = next_board(open_match(match, house), Board())[0]
        if what != "demand":
            apply(state, Call(what, "south"))


def test_a_stroke_that_sends_a_piece_off_the_board_has_touched_one() -> None:
    said, unsaid = (Stroke("south", (), touched, ("black",)) for touched in (True, False))
    for name in ("icf", "uk", "22s-29"):
        start = rack(load_lawbook(name))
        assert ruled(start, said) == ruled(start, unsaid)


def test_a_called_foul_brings_back_a_last_piece_set_aside() -> None:
    book = CLUB_29.with_options({"offences.foul.turn": "lost"})
    ruling = ruled(board(1, 4, book=book), hit("white"), call("foul"))
    assert (ruling.white, out(ruling), ruling.turn) == (1, (1, 0, 0), "north")


@pytest.mark.parametrize(("fell", "winner"), [(("white",), "north"), (("black",), None)])
def test_house_rules_may_lose_the_board_by_the_own_last_piece_only(fell: tuple[Piece, ...], winner: Seat | None) -> None:
    book = ICF.with_options({"others_last_before_queen": "returns"})
    after = apply(board(1, 1, book=book), hit(*fell))
    assert (after.result and after.result.winner) == winner
    assert after.over == (winner is not None)


def test_house_rules_may_count_a_slam_where_last_pieces_return() -> None:
    book = load_lawbook("uk").with_options({"slams": True})
    black = hit(*many("black", 8), by="north")
    after = play(rack(book), hit(), black, hit("queen", by="north"), hit("black", by="north"))
    assert after.result
    assert (after.result.winner, after.result.slam) == ("north", "black")


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("offences.foul", 1, "an offence has pieces, turn"),
        ("offences.foul.price", 1, "an offence has pieces, turn"),
        ("offences.sneezing.pieces", 1, "unknown offence 'sneezing'"),
        ("offences.foul.pieces", "two", "'two' is not a whole number from 0 to 9"),
    ],
)
def test_an_option_of_an_offence_that_cannot_be_is_refused(name: str, value: object, told: str) -> None:
    with pytest.raises(BadInput, match="options: ") as refused:
        ICF.with_options({name: value})
    assert told in str(refused.value)


def test_a_setting_that_is_a_list_takes_no_word(tmp_path: Path) -> None:
    text = re.sub(r"^improper = \[.*?\]", 'improper = "pushed"', lawbook_text("uk"), flags=re.MULTILINE | re.DOTALL)
    (tmp_path / "club.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match="improper: 'pushed' is not a list out of"):
        load_lawbook(tmp_path / "club.toml")


def test_only_a_known_book_has_a_file_to_show() -> None:
    with pytest.raises(BadInput, match="unknown law book 'nobody'"):
        lawbook_text("nobody")


def test_a_shared_board_without_any_piece_is_over() -> None:
    with pytest.raises(BadInput, match="no piece is left"):
        of_three(Start(0, 0, "covered:south", "south", "south"))


def test_a_piece_that_is_set_aside_does_not_come_back_with_the_others() -> None:
    book = ICF.with_options({"own_last_before_queen": "set_aside", "offences.own_last.fell": "all_returns"})
    after = apply(rack(book), hit(*many("white", 9)))
    assert after.white + after.aside == 9


def test_a_board_that_nobody_can_win_by_an_offence_goes_on_with_what_comes_back() -> None:
    book = load_lawbook("22s-daily").with_options({"offences.striker_off_board.loses": "board"})
    state = next_board(open_match(a_match(seats=("south",)), book), Board())[0]
    ruling = ruled(state, hit("white", "white", off_board=("striker",)))
    assert out(ruling) == (2, 0, 0)
    assert [(e.piece, e.n) for e in ruling.placings] == [("white", 2)]


def test_house_rules_may_lose_the_board_by_the_others_last_piece_before_the_queen_only() -> None:
    book = ICF.with_options({"others_last_after_queen": "returns"})
    lost = apply(board(3, 1, book=book), hit("black"))
    assert lost.result
    assert lost.result.winner == "north"
    assert not apply(board(3, 1, "covered:south", book=book), hit("black")).over


def test_a_call_after_the_end_changes_nothing_whatever_it_costs() -> None:
    book = ICF.with_options({"offences.abusive.loses": "nothing", "offences.abusive.pieces": 1, "offences.abusive.points": 2})
    over = play(board(1, 3, "covered:south", book=book), hit("white"))
    late = play(over, call("abusive"))
    assert (late.result, late.turn, late.white, late.scores) == (over.result, None, over.white, over.scores)


def test_dues_are_not_paid_with_a_piece_that_is_set_aside() -> None:
    opened = next_board(open_match(a_match(), CLUB_29), Board(start=Start(9, 1, None, "south", "north", {"north": 9})))[0]
    after = play(opened, hit("black", by="north"), hit(by="north"))
    assert after.black == 9


def test_what_is_taken_is_not_on_the_board() -> None:
    taken = {"south": {"white": 2, "queen": 1}, "north": {"black": 1}}
    opened = next_board(open_match(a_match(), FREESTYLE), Board(start=Start(taken=taken)))[0]
    assert (opened.white, opened.black, str(opened.queen)) == (7, 8, "covered:south")
    for wrong in (Start(8, taken=taken), Start(queen="on_board", taken=taken)):
        with pytest.raises(BadInput, match=r"board 1, start: (white|queen): "):
            next_board(open_match(a_match(), FREESTYLE), Board(start=wrong))


def test_a_last_piece_set_aside_is_a_start() -> None:
    opened = next_board(open_match(a_match(), CLUB_29), Board(start=Start(0, 4, "on_board", "south", "south")))[0]
    assert ruled(opened, hit("queen")).turn is None
    missed = ruled(opened, hit())
    assert (missed.white, out(missed)) == (1, (1, 0, 0))


def test_a_queen_taken_with_all_nine_on_the_board_was_taken_too_early() -> None:
    opened = next_board(open_match(a_match(), CLUB_29), Board(start=Start(9, 9, "pending:south", "south", "south")))[0]
    after = play(opened, hit("white"), hit())
    assert (after.queen.state, after.turn) == ("on_board", "north")


def test_a_queen_that_was_not_put_back_wins_no_points_where_she_is_his_who_pockets_her() -> None:
    after = play(rack(FREESTYLE), hit("white"), hit("queen"), hit(), place(), hit("black", by="north"))
    assert (after.queen.state, after.scores) == ("on_board", (20, 10))
    assert [d.kind for r in after.rulings for d in r.discrepancies] == ["placed_queen_missing"]
