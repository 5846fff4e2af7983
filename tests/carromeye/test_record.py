"""The log as it grows: what the camera did not see makes a board's result a person's to decide."""

from __future__ import annotations

from carromeye.record import UNSEEN, Record
from models.stroke import Colour, Player, Stroke
from referee.lawbook_files import load_lawbook
from reports.card import to_decide
from reports.filling import PROVISIONAL, build_card

WHOLE: dict[str, int] = {"white": 9, "black": 9, "queen": 1}
PLAYERS = (Player("south", "Asha"), Player("north", "Bina"))


def played(unseen: dict[Colour, int], rack: bool = True, opening: dict[str, int] = WHOLE) -> Record:
    record = Record("icf", load_lawbook("icf"), PLAYERS)
    record.open(rack, opening, "south")
    for n in range(9):
        record.add(Stroke("south", ("white",), t=float(n)))
        if record.over:
            break
    record.close(unseen)
    return record


def test_a_queen_never_seen_on_a_rack_is_said_and_leaves_the_result_to_a_person() -> None:
    record = played({"white": 0, "black": 0, "queen": 1})
    assert record.over
    assert any("queen was never seen" in w for w in record.warnings)
    rulings = record.rulings()
    assert [f["kind"] for f in rulings["boards"][0]["flags"]] == [UNSEEN]
    card = build_card(record.log(), rulings)
    assert card.boards[0].result.startswith(PROVISIONAL)
    assert any("Queen was never seen" in what or "queen was never seen" in what for _, _, what in to_decide(card))


def test_a_colour_of_which_few_were_seen_is_said() -> None:
    record = played({"white": 0, "black": 7, "queen": 0})
    assert record.warnings == ["board 1: only 2 of 9 black pieces were ever seen"]


def test_a_rack_seen_but_for_a_hidden_piece_needs_no_word() -> None:
    record = played({"white": 1, "black": 2, "queen": 0})
    assert not record.warnings
    assert not record.rulings()["boards"][0]["flags"]


def test_a_video_that_begins_without_the_queen_leaves_the_result_to_a_person() -> None:
    record = played({}, rack=False, opening={"white": 2, "black": 3, "queen": 0})
    assert [f["kind"] for f in record.rulings()["boards"][0]["flags"]] == [UNSEEN]
