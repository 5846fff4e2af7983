"""The log as it grows: what the camera did not see makes a board's result a person's to decide."""

from __future__ import annotations

from carromeye.record import CONTRADICTED, UNSEEN, Record
from models.stroke import SEATS, Colour, Placing, Player, Pocketed, Seat, Stroke
from models.stroke_log import parse_log
from referee.engine import rule_match
from referee.lawbook_files import load_lawbook
from reports.book import Book, book_of
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


def test_a_stroke_in_which_fell_what_had_fallen_is_told_without_it_and_flagged() -> None:
    record = Record("icf", load_lawbook("icf"), PLAYERS)
    record.open(True, WHOLE, "south")
    record.add(Stroke("south", ("white",), t=1.0, confidence=0.97))
    record.add(Stroke("south", ("queen",), t=2.0, confidence=0.97))
    record.add(Stroke("south", ("white",), t=3.0, confidence=0.97))  # covers her
    record.add(
        Stroke(
            "south", ("white", "queen"), t=4.0, confidence=0.97, pocketed_at=(Pocketed("white", "NE", 4.5), Pocketed("queen", "NW", 4.7))
        )
    )
    last = record.boards[-1].events[-1]
    assert isinstance(last, Stroke) and last.pocketed == ("white",) and last.confidence == CONTRADICTED
    assert [p.cls for p in last.pocketed_at] == ["white"]
    assert len(record.warnings) == 1 and record.warnings[0].startswith("at 4.0 s: the stroke is told without what cannot have fallen")


def test_a_rack_seen_but_for_a_hidden_piece_needs_no_word() -> None:
    record = played({"white": 1, "black": 2, "queen": 0})
    assert not record.warnings
    assert not record.rulings()["boards"][0]["flags"]


def test_a_video_that_begins_without_the_queen_leaves_the_result_to_a_person() -> None:
    record = played({}, rack=False, opening={"white": 2, "black": 3, "queen": 0})
    assert [f["kind"] for f in record.rulings()["boards"][0]["flags"]] == [UNSEEN]


def test_without_a_queen_in_the_law_book_none_is_missed() -> None:
    record = Record("22s-disc-pool", load_lawbook("22s-disc-pool"), PLAYERS)
    assert record.open(False, {"white": 4, "black": 3, "queen": 0}, "south")
    record.add(Stroke("south", ("white",), t=1.0))
    record.close({"white": 0, "black": 0, "queen": 1})
    assert [w for w in record.warnings if "queen" in w] == []
    assert record.rulings()["boards"][0]["flags"] == []


def test_pieces_that_nobody_saw_pocketed_leave_a_board_by_pieces_to_a_person() -> None:
    record = Record("22s-freestyle", load_lawbook("22s-freestyle"), PLAYERS)
    record.open(False, {"white": 4, "black": 3, "queen": 1}, "south")
    record.add(Stroke("south", ("white",), t=1.0))
    assert [f["kind"] for f in record.rulings()["boards"][0]["flags"]] == [UNSEEN]
    assert not any("play white" in w for w in record.warnings)


def test_boards_after_the_end_of_the_match_are_left_out() -> None:
    record = Record("22s-freestyle", load_lawbook("22s-freestyle"), PLAYERS)
    assert record.open(True, WHOLE, "south")
    record.add(Stroke("south", ("queen", *("white",) * 9, *("black",) * 9), t=1.0))
    assert record.over
    assert not record.open(True, WHOLE, "north")
    assert record.ended
    assert record.warnings == ["left out: board 2: the match was over after board 1: Asha has won it"]
    build_card(record.log(), record.rulings())


def test_the_law_book_as_a_score_sheet_needs_it() -> None:
    facts = Record("uk", load_lawbook("uk")).laws_facts()
    assert book_of({"laws": facts}, 2) == Book(
        name="British federation rules", queen=5, target=29, games=1, owner="side", with_queen=True, cover=True, extra_board=True
    )
    assert book_of({"laws": facts}, 2).aim == "29 points"
    assert book_of({"laws": Record("icf", load_lawbook("icf")).laws_facts()}, 2).aim == "best of 3 games, each to 25 points or 8 boards"


def win(record: Record, side: Seat, colour: Colour) -> None:
    """A board that the player at `side` of the board wins with one stroke, 9 and 3 points."""
    record.add(Stroke(side, ("queen", *(colour,) * 9), t=0.0))


def changed(breaks: Seat) -> Record:
    """A game of three boards won by who sits south; then the break comes from the side `breaks`."""
    record = Record("icf", load_lawbook("icf"), PLAYERS)
    for first, colour in (("south", "white"), ("north", "black"), ("south", "white")):
        record.open(True, WHOLE, first)  # type: ignore[arg-type]
        if first == "north":
            record.add(Stroke("north", (), t=0.0))
        win(record, "south", colour)  # type: ignore[arg-type]
    record.open(True, WHOLE, breaks)
    record.add(Stroke(breaks, ("white",), t=0.0))
    return record


def test_players_who_changed_sides_after_a_game_keep_their_points() -> None:
    record = changed("south")
    strokes = [b["events"][-1]["by"] for b in record.log()["boards"]]
    assert strokes == ["south", "south", "south", "north"]
    assert record.rulings()["boards"][3]["breaker"] == "north"
    assert record.warnings == ["from board 4 on players sit elsewhere: the log keeps the seats of the first board"]
    record.add(Placing("north", ("white",), t=1.0))
    assert record.log()["boards"][3]["events"][-1]["by"] == "south"


def test_players_who_did_not_change_sides_sit_where_they_sat() -> None:
    record = changed("north")
    assert [b["events"][-1]["by"] for b in record.log()["boards"]] == ["south", "south", "south", "north"]
    assert record.warnings == []


def test_four_players_move_one_place_to_the_right() -> None:
    players = tuple(Player(s, s) for s in SEATS)
    record = Record("icf", load_lawbook("icf"), players)
    for first, colour in (("south", "white"), ("east", "black"), ("north", "white")):
        record.open(True, WHOLE, first)  # type: ignore[arg-type]
        record.add(Stroke(first, (), t=0.0))  # type: ignore[arg-type]
        win(record, "north", colour)  # type: ignore[arg-type]
    record.open(True, WHOLE, "north")
    for side in ("north", "west", "south", "east"):
        record.add(Stroke(side, (), t=0.0))  # type: ignore[arg-type]
    assert [e["by"] for e in record.log()["boards"][3]["events"]] == ["east", "north", "west", "south"]


def test_what_a_video_tells_of_a_players_conduct_is_ruled_on() -> None:
    record = Record("icf", load_lawbook("icf"), PLAYERS)
    record.open(True, WHOLE, "south")
    record.add(Stroke("south", ("white",), t=0.0, confidence=0.97))
    record.add(Stroke("south", ("white",), improper=("off_baseline", "backward"), seconds=18.5, t=4.0, confidence=0.97))
    log = parse_log(record.log())
    stroke = log.boards[0].events[1]
    assert isinstance(stroke, Stroke) and (stroke.improper, stroke.seconds) == (("off_baseline", "backward"), 18.5)
    for rulings in (record.rulings(), rule_match(log, load_lawbook("icf")).to_json()):
        ruling = rulings["boards"][0]["rulings"][1]
        assert "off_baseline" in ruling["fouls"] and "backward" not in ruling["fouls"]
        assert ruling["out"]["white"] == 2
        assert (ruling["turn"], ruling["continues"]) == ("north", False)
        assert {"77a", "64b"} <= set(ruling["clauses"])
        assert [f["kind"] for f in ruling["flags"]] == ["over_clock"]
