"""House rules as a club makes them: a copy of a law book with one thing changed, played by through `carromeye rule --laws`.

Every setting, every offence and every key of an offence is changed here, and what it changes is seen; the same change by a
log's "options" gives the same rulings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from carromeye.commands.rule import run
from models.errors import BadInput
from models.stroke import SEATS, Board, Event, Match, Seat, Start
from models.stroke_log import write_log
from referee.lawbook_files import lawbook_text, load_lawbook
from referee.laws import OFFENCES, SECTIONS, Offence, settings
from tests.referee.boards import a_match, call, hit, many

Rules = Mapping[str, Any]
"""What a club changes: settings by `section.name`, and offences by `offences.NAME` with all that they cost; None: no offence."""


def toml(value: Any) -> str:
    """A value as a law book has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} = {toml(v)}" for k, v in value.items()) + "}"
    return json.dumps(list(value) if isinstance(value, tuple) else value)


def edited(text: str, rules: Rules) -> str:
    """A law book as a club's editor leaves it."""
    for name, value in rules.items():
        section, _, key = name.partition(".")
        start = text.index(f"\n[{section}]")
        end = text.find("\n[", start + 1) % (len(text) + 1)
        part = text[start:end]
        line = f"{key} = {toml(value)}" if value is not None else ""
        changed, n = re.subn(rf"(?m)^{key} += [^#\n]*", f"{line} ", part)
        if not n:
            changed = f"{part.rstrip()}\n{line}\n"
        text = text[:start] + changed + text[end:]
    return text


def as_options(rules: Rules) -> dict[str, Any]:
    """The same rules as a log's options; an offence key by key."""
    options: dict[str, Any] = {}
    for name, value in rules.items():
        if isinstance(value, dict):
            options |= {f"{name}.{k}": value.get(k, f.default) for k, f in settings(Offence).items()}
        else:
            options[name] = value
    return options


def told(log: Match, laws: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What `carromeye rule LOG --laws LAWS --json` prints."""
    write_log(log, tmp_path / "log.json")
    run(tmp_path / "log.json", True, laws)
    rulings: dict[str, Any] = json.loads(capsys.readouterr().out)
    return rulings


def seen(told: dict[str, Any]) -> dict[str, Any]:
    """The last ruling, the last board and the match in short."""
    board, match = told["boards"][-1], told["match"]
    last, result = board["rulings"][-1], board["result"] or {}
    lay = last["board"]
    return {
        "lies": (lay["white"], lay["black"], lay["queen"]),
        "out": tuple(last["out"].values()),
        "turn": last["turn"],
        "fouls": last["fouls"],
        "owes": last["dues"]["south"],
        "points": tuple(last["scores"].values()),
        "flags": [f["kind"] for f in last["flags"]],
        "improper": [i for r in board["rulings"] for i in r["fouls"]],
        "placed_by": [p["by"] for p in last["placings"]],
        "won": (result["winner"], result["points"][result["winner"]]) if result.get("winner") else None,
        "extra": max(result["demandable"].values(), default=0) if result else None,
        "slam": result.get("slam"),
        "award": result.get("award"),
        "games": tuple(match["games"].values()),
        "winner": match["winner"],
        "counted": match["statistics"]["fouls"]["south"],
        "notices": [n["kind"] for n in board["notices"]],
        "breaks": board["breaker"],
    }


def one(*events: Event, white: int = 6, black: int = 6, queen: str | None = "on_board", **start: Any) -> tuple[Board, ...]:
    """One board in play, south with white and at turn."""
    return (Board(events, Start(white, black, queen, "south", start.pop("turn", "south"), **start)),)


def won_by(side: Seat, points: int) -> Board:
    """A board that a side wins by so many pieces, the Queen its opponent's."""
    other: Seat = "north" if side == "south" else "south"
    return Board((hit("white", by=side),), Start(1, points, f"covered:{other}", side, side))


SCORES: Final[Mapping[Seat, int]] = {"south": 20, "north": 20}
GOES_BACK: Final = {"ends.own_last_before_queen": "returns"}
LAST: Final = one(hit("white"), white=1, black=3)
FINISHED: Final = one(hit("white"), white=1, black=3, queen="covered:south")
ENDED_BADLY: Final = one(hit("white", "striker"), white=1, black=3)
FOUL_LEAVES: Final = {"offences.striker_pocketed": {"pieces": 1, "turn": "lost"}}
CLOCK_RUNS: Final = {"offences.timeout": {"ruled_as": "no_touch"}}
OPEN: Final = {"pieces.owner": "who_pockets", "points.most": 100, "points.least": 0}

CASES: Final[tuple[tuple[str, Rules, tuple[Board, ...], Rules, Rules], ...]] = (
    # name, what the club changes, the boards, what ICF makes of them (or the club's other rules), what the club's rules do
    ("target", {"match.target": 29}, one(hit("white"), white=1, black=3, queen="covered:north", scores={"south": 22}),
     {"games": (1, 0)}, {"games": (0, 0), "points": (25, 0)}),
    ("no target", {"match.target": 0}, one(hit("white"), white=1, black=3, queen="covered:north", scores={"south": 22}),
     {"games": (1, 0)}, {"games": (0, 0), "points": (25, 0)}),
    ("boards", {"match.max_boards": 1}, FINISHED, {"games": (0, 0)}, {"games": (1, 0)}),
    ("no cap of boards", {"match.max_boards": 0}, tuple(won_by("south", 1) for _ in range(8)), {"games": (1, 0)}, {"games": (0, 0)}),
    ("extra board", {"match.extra_board": False, "match.max_boards": 2, "match.games": 3},
     (won_by("south", 2), won_by("north", 2), won_by("south", 3)), {"games": (0, 0)}, {"points": (3, 0)}),
    ("games", {"match.games": 1}, one(hit("white"), white=1, black=3, queen="covered:north", scores={"south": 22}),
     {"winner": None}, {"winner": "south"}),
    ("total", {"match.total_capped": False}, one(hit("white"), white=1, black=5, queen="covered:north", scores={"south": 22}),
     {"points": (25, 0)}, {"points": (27, 0)}),
    ("sides changed", {"match.change_sides": "each_board"}, FINISHED, {"notices": []}, {"notices": ["change_sides"]}),
    ("one player", {"match.turn_passes": False}, one(hit()), {"turn": "north"}, {"turn": "south"}),
    ("clock", {"match.clock_s": 30}, one(hit("white", seconds=20.0)), {"flags": ["over_clock"]}, {"flags": []}),
    ("no clock", {"match.clock_s": 0}, one(hit("white", seconds=99.0)), {"flags": ["over_clock"]}, {"flags": []}),
    ("expired clocks", {"match.expired_clocks": 2, **CLOCK_RUNS}, one(call("timeout"), hit(by="north"), call("timeout")),
     {"award": None}, {"award": {"what": "game", "to": "north"}}),
    ("strokes", {"match.strokes": 1, **OPEN}, one(hit("white")), {"won": None}, {"lies": (5, 6, "on_board"), "turn": None}),
    ("idle passes", {"match.idle_passes": 1}, one(hit(touched=False), hit(by="north", touched=False)),
     {"flags": []}, {"flags": ["passes"]}),
    ("conceding off turn", {"match.concede_off_turn": False}, one(call("concede", "north")),
     {"award": {"what": "game", "to": "south"}}, {"award": None}),
    ("owner", OPEN, one(hit("black")), {"turn": "north"}, {"turn": "south"}),
    ("a white's value", {"pieces.white": 7, **OPEN}, one(hit("white")), {"points": (0, 0)}, {"points": (7, 0)}),
    ("a black's value", {"pieces.black": 4, **OPEN}, one(hit("black")), {"points": (0, 0)}, {"points": (4, 0)}),
    ("no queen", {"pieces.with_queen": False}, one(hit("white"), white=1, black=3, queen=None),
     {"won": ("north", 3)}, {"won": ("south", 3)}),
    ("opponent's piece", {"pieces.opponents_piece": "returns"}, one(hit("black")), {"out": (0, 0, 0)}, {"out": (0, 1, 0)}),
    ("opponent's piece, and the turn kept", {"pieces.opponents_piece": "returns"}, one(hit("black", "white")),
     {"out": (0, 0, 0), "turn": "south"}, {"out": (0, 1, 0), "turn": "south"}),
    ("opponent's last piece after the queen", {"pieces.opponents_piece": "returns"},
     one(hit("black"), black=1, queen="covered:south"), {"won": ("north", 6)}, {"won": None, "lies": (6, 1, "covered:south")}),
    ("backward strokes", {"pieces.improper": ["backward"]}, one(hit("black", improper=("backward",))),
     {"fouls": []}, {"fouls": ["backward"], "out": (1, 0, 0)}),
    ("chances", {"break.chances": 1}, (Board((hit(touched=False),)),), {"turn": "south"}, {"turn": "north"}),
    ("fouls at the break", {"break.fouls_cost": True}, (Board((hit("striker", touched=False),)),), {"owes": 0}, {"owes": 1}),
    ("before play, the older way", {"break.before_play": "all"}, (Board((hit("white", "black"), call("play"))),),
     {"lies": (9, 8, "on_board"), "owes": 1}, {"lies": (9, 9, "on_board"), "owes": 1}),
    ("before play, no matter", {"break.before_play": "ignored"}, (Board((hit("white", "black"), call("play"))),),
     {"lies": (9, 8, "on_board"), "turn": "north"}, {"lies": (8, 8, "on_board"), "turn": "south"}),
    ("right to the queen", {"queen.right": "any_time"}, one(hit("queen"), white=9), {"turn": "north"}, {"lies": (9, 6, "pending:south")}),
    ("queen too early", {"queen.early": "goes_on"}, one(hit("queen"), white=9), {"turn": "north"}, {"turn": "south"}),
    ("no cover", {"queen.cover": "none"}, one(hit("queen"), hit()), {"lies": (6, 6, "on_board")}, {"lies": (6, 6, "covered:south")}),
    ("no cover, but an own piece first", {"queen.cover": "none"}, one(hit("queen"), white=9),
     {"lies": (9, 6, "on_board")}, {"lies": (9, 6, "on_board"), "turn": "north"}),
    ("queen with an own piece", {"queen.with_own": "pending"}, one(hit("queen", "white")),
     {"lies": (5, 6, "covered:south")}, {"lies": (5, 6, "pending:south")}),
    ("queen with the first own piece", {"queen.with_first_own": "covered"}, one(hit("queen", "white"), white=9),
     {"lies": (8, 6, "pending:south")}, {"lies": (8, 6, "covered:south")}),
    ("queen with the first two", {"queen.with_first_own": "pending"}, one(hit("queen", "white", "white"), white=9),
     {"lies": (7, 6, "covered:south")}, {"lies": (7, 6, "pending:south")}),
    ("nine again", {"queen.nine_again": "covered"}, one(hit("striker"), hit(by="north"), hit("queen", "white"), white=8),
     {"lies": (8, 6, "pending:south")}, {"lies": (8, 6, "covered:south")}),
    ("queen and opponent's piece", {"queen.with_opponents_piece": "turn_lost"}, one(hit("queen", "black")),
     {"turn": "south"}, {"turn": "north", "lies": (6, 5, "on_board")}),
    ("queen with a due", {"queen.with_due": "continue"}, one(hit("queen", "white"), dues={"south": 1}),
     {"turn": "north"}, {"turn": "south", "lies": (6, 6, "on_board")}),
    ("queen with a due, allowed", {"queen.with_due": "allowed"}, one(hit("queen", "white"), dues={"south": 1}),
     {"turn": "north"}, {"lies": (6, 6, "covered:south")}),
    ("queen, own and striker at nine", {"queen.with_own_and_striker_at_nine": "turn_lost"}, one(hit("queen", "white", "striker"), white=9),
     {"turn": "south"}, {"turn": "north"}),
    ("queen by a foul", {"queen.by_foul": "counts", **FOUL_LEAVES}, one(hit("queen", "white", "striker")),
     {"lies": (7, 6, "on_board")}, {"lies": (6, 6, "covered:south"), "turn": "north"}),
    ("opponent's piece in the queen's turn", {"queen.by_opponents_piece": "out"}, one(hit("queen"), hit("white", "black")),
     {"lies": (5, 5, "covered:south")}, {"lies": (5, 5, "on_board"), "turn": "south"}),
    ("who places her", {"queen.placed_by": "opponent"}, one(hit("queen"), hit()), {"placed_by": ["umpire"]}, {"placed_by": ["north"]}),
    ("who places pieces", {"dues.pieces_placed_by": "opponent", "pieces.opponents_piece": "returns"}, one(hit("black")),
     {"placed_by": []}, {"placed_by": ["north"]}),
    ("own last piece", GOES_BACK, LAST, {"won": ("north", 3)}, {"lies": (1, 3, "on_board"), "turn": "south"}),
    ("own last piece, and the turn", {**GOES_BACK, "offences.own_last": {"pieces": 1, "turn": "lost"}}, LAST,
     {"won": ("north", 3)}, {"lies": (2, 3, "on_board"), "turn": "north"}),
    ("own last piece set aside", {"ends.own_last_before_queen": "set_aside"}, LAST,
     {"won": ("north", 3)}, {"lies": (0, 3, "on_board"), "turn": "south"}),
    ("a board lost", {"ends.lost_board": "queen_and_pieces"}, LAST, {"won": ("north", 3)}, {"won": ("north", 6)}),
    ("opponent's last piece", {"ends.others_last_before_queen": "returns"}, one(hit("black"), black=1),
     {"won": ("north", 9)}, {"lies": (6, 1, "on_board"), "turn": "north"}),
    ("opponent's last piece, she covered", {"ends.others_last_after_queen": "returns"}, one(hit("black"), black=1, queen="covered:north"),
     {"won": ("north", 9)}, {"lies": (6, 1, "covered:north"), "turn": "north"}),
    ("a piece left", {"points.piece_left": 2}, FINISHED, {"won": ("south", 6)}, {"won": ("south", 9)}),
    ("an own piece", {"points.own_piece": 1, "points.most": 100}, FINISHED,
     {"won": ("south", 6)}, {"won": ("south", 15), "points": (15, 6)}),
    ("the queen's value", {"points.queen": 5}, FINISHED, {"won": ("south", 6)}, {"won": ("south", 8)}),
    ("the queen's cut-off", {"points.queen_up_to": 19}, one(hit("white"), white=1, black=3, queen="covered:south", scores=SCORES),
     {"won": ("south", 6)}, {"won": ("south", 3)}),
    ("no cut-off", {"points.queen_up_to": 10_000}, one(hit("white"), white=1, black=1, queen="covered:south", scores={"south": 22}),
     {"won": ("south", 1)}, {"won": ("south", 4)}),
    ("least", {"points.least": 2}, one(hit("white", "black"), white=1, black=1, queen="covered:north"),
     {"won": ("south", 1)}, {"won": ("south", 2)}),
    ("most", {"points.most": 5}, FINISHED, {"won": ("south", 6)}, {"won": ("south", 5)}),
    ("mahamandal", {"points.queen": 5, "points.most": 14, "match.target": 29}, one(hit("white"), white=1, black=9, queen="covered:south"),
     {"won": ("south", 12)}, {"won": ("south", 14)}),
    ("extra always", {"points.extra": "always"}, ENDED_BADLY, {"won": ("north", 3), "extra": 1}, {"won": ("north", 4), "extra": 0}),
    ("extra never", {"points.extra": "never"}, ENDED_BADLY, {"won": ("north", 3), "extra": 1}, {"won": ("north", 3), "extra": 0}),
    ("both last above the limit", {"points.double_last_above": "queen"},
     one(hit("white", "black", "striker"), white=1, black=1, queen="covered:north", scores={"north": 22}),
     {"won": ("north", 1)}, {"won": ("north", 3)}),
    ("slams", {"points.slams": False}, (Board((hit(*many("white", 8)), hit("queen"), hit("white"))),), {"slam": "white"}, {"slam": None}),
    ("paid at the end of the turn", {"dues.paid": "end_of_turn"}, one(hit("white", "striker")),
     {"out": (2, 0, 0)}, {"out": (1, 0, 0), "owes": 1}),
    ("unpaid", {"dues.unpaid": "lapses"}, one(hit("striker"), white=9), {"owes": 1}, {"owes": 0}),
    ("most a stroke costs", {"dues.most_per_stroke": 1}, one(hit("striker", bad=True)), {"out": (2, 0, 0)}, {"out": (1, 0, 0)}),
)  # fmt: skip


@pytest.mark.parametrize(("rules", "boards", "icf", "club"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_setting_changed_is_played_by(
    rules: Rules, boards: tuple[Board, ...], icf: Rules, club: Rules, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "club.toml").write_text(edited(lawbook_text("icf"), rules), encoding="utf-8")
    log = a_match(*boards)
    usual, house = told(log, "icf", tmp_path, capsys), told(log, str(tmp_path / "club.toml"), tmp_path, capsys)
    assert {k: v for k, v in seen(usual).items() if k in icf} == icf
    assert {k: v for k, v in seen(house).items() if k in club} == club
    lists = [k for k, v in rules.items() if isinstance(v, list)]
    if not lists:
        assert told(a_match(*boards, **as_options(rules)), "icf", tmp_path, capsys) == house
        short = {k.partition(".")[2] if k.count(".") == 1 else k: v for k, v in as_options(rules).items()}
        assert told(a_match(*boards, **short), "icf", tmp_path, capsys) == house


STROKES: Final[Mapping[str, tuple[Rules, tuple[Board, ...]]]] = {
    "striker_pocketed": ({}, one(hit("white", "striker"), scores=SCORES)),
    "striker_with_own": ({}, one(hit("white", "striker"), scores=SCORES)),
    "striker_off_board": ({}, one(hit("white", off_board=("striker",)), scores=SCORES)),
    "piece_off_board": ({}, one(hit("white", off_board=("black",)), scores=SCORES)),
    "no_touch": ({}, one(hit(touched=False), scores=SCORES)),
    "opponents_piece": ({}, one(hit("white", "black"), scores=SCORES)),
    "own_last": (GOES_BACK, one(hit("white"), white=1, scores=SCORES)),
    "failed_break": ({"break.chances": 1}, (Board((hit(touched=False),), Start(scores=SCORES)),)),
    "improper": ({"offences.improper_with_own": None}, one(hit("white", bad=True), scores=SCORES)),
    "improper_with_own": ({}, one(hit("white", bad=True), scores=SCORES)),
    "improper_with_striker": ({}, one(hit("white", "striker", bad=True), scores=SCORES)),
    "third_interruption": ({}, one(call("interrupted"), call("interrupted"), call("interrupted"), scores=SCORES)),
    "out_of_turn": ({}, one(call("out_of_turn"), scores=SCORES)),
    **{
        name: ({}, one(call(name), scores=SCORES))
        for name in ("foul", "technical_foul", "talking", "timeout", "interrupted", "left_seat", "disturbed", "abusive", "refused")
    },
}
"""A stroke or a call with which south commits each offence, and what else has to be set for it."""
PASSES_ANYHOW: Final = ("no_touch", "failed_break")
"""After these the turn is over whatever they cost: no own piece fell."""


def played(name: str, cost: Rules, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """A log with an offence that has a cost, ruled on by the file and by options alike."""
    others, boards = STROKES[name]
    rules = {**others, f"offences.{name}": dict(cost)}
    (tmp_path / "club.toml").write_text(edited(lawbook_text("icf"), rules), encoding="utf-8")
    house = told(a_match(*boards), str(tmp_path / "club.toml"), tmp_path, capsys)
    if None not in rules.values():
        assert told(a_match(*boards, **as_options(rules)), "icf", tmp_path, capsys) == house
    return seen(house)


def test_every_offence_is_committed_here() -> None:
    assert set(STROKES) == set(OFFENCES)


@pytest.mark.parametrize("name", OFFENCES)
def test_what_an_offence_costs_in_pieces(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    free, two = played(name, {"pieces": 0}, tmp_path, capsys), played(name, {"pieces": 2}, tmp_path, capsys)
    assert two["out"][0] + two["owes"] == free["out"][0] + free["owes"] + 2


@pytest.mark.parametrize("name", OFFENCES)
def test_whether_an_offence_ends_the_turn(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept, lost = played(name, {"turn": "kept"}, tmp_path, capsys), played(name, {"turn": "lost"}, tmp_path, capsys)
    assert (kept["turn"], lost["turn"]) == ("north" if name in PASSES_ANYHOW else "south", "north")


@pytest.mark.parametrize("name", OFFENCES)
def test_what_an_offence_costs_in_points(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert played(name, {"points": 0}, tmp_path, capsys)["points"] == (20, 20)
    assert played(name, {"points": 5}, tmp_path, capsys)["points"] == (15, 20)
    assert played(name, {"points": 1000}, tmp_path, capsys)["points"] == (0, 20)


@pytest.mark.parametrize("name", OFFENCES)
def test_what_an_offence_loses(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert played(name, {"loses": "nothing"}, tmp_path, capsys)["won"] is None
    winner, _ = played(name, {"loses": "board"}, tmp_path, capsys)["won"] or (None, 0)
    assert winner == "north"
    assert played(name, {"loses": "game"}, tmp_path, capsys)["award"] == {"what": "game", "to": "north"}
    assert played(name, {"loses": "match"}, tmp_path, capsys)["winner"] == "north"


@pytest.mark.parametrize("name", OFFENCES)
def test_whether_an_offence_counts_as_a_foul(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    others = 2 if name == "third_interruption" else 0
    assert played(name, {"counted": True}, tmp_path, capsys)["counted"] == 1 + others
    assert played(name, {"counted": False}, tmp_path, capsys)["counted"] == others


@pytest.mark.parametrize("name", ["striker_pocketed", "striker_off_board", "piece_off_board", "opponents_piece", "improper_with_own"])
def test_what_becomes_of_the_pieces_of_an_offence(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = int(name == "opponents_piece")
    assert played(name, {"fell": "stays"}, tmp_path, capsys)["out"] == (0, 0, 0)
    assert played(name, {"fell": "own_returns"}, tmp_path, capsys)["out"] == (1, 0, 0)
    assert played(name, {"fell": "all_returns"}, tmp_path, capsys)["out"] == (1, other, 0)


def test_an_offence_that_is_no_foul_is_not_listed_among_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert played("opponents_piece", {"turn": "lost"}, tmp_path, capsys)["fouls"] == ["opponents_piece"]
    plain = played("opponents_piece", {"turn": "lost", "foul": False}, tmp_path, capsys)
    assert (plain["fouls"], plain["turn"]) == ([], "north")


def test_a_call_ruled_as_something_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert played("talking", {"pieces": 3}, tmp_path, capsys)["out"] == (3, 0, 0)
    violation = played("talking", {"pieces": 3, "ruled_as": "violation"}, tmp_path, capsys)
    assert (violation["out"], violation["turn"]) == ((1, 0, 0), "south")
    assert played("timeout", {"ruled_as": "no_touch"}, tmp_path, capsys)["turn"] == "north"
    assert played("talking", {"pieces": 1, "doubt": "to_opponent"}, tmp_path, capsys)["flags"] == ["given_to_opponent"]


def test_a_violation_costs_what_the_foul_costs_that_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = {"offences.talking": {"ruled_as": "violation"}, "offences.technical_foul": {"loses": "board"}}
    (tmp_path / "club.toml").write_text(edited(lawbook_text("icf"), rules), encoding="utf-8")
    house = seen(told(a_match(*one(call("talking"))), str(tmp_path / "club.toml"), tmp_path, capsys))
    assert house["won"] is not None


@pytest.mark.parametrize("name", [o for o in OFFENCES if o not in ("own_last", "failed_break")])
def test_an_offence_left_out_costs_nothing(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    boards = STROKES[name][1]
    rules = {f"offences.{o}": None for o in load_lawbook("icf").offences}
    (tmp_path / "club.toml").write_text(edited(lawbook_text("icf"), rules), encoding="utf-8")
    house = seen(told(a_match(*boards), str(tmp_path / "club.toml"), tmp_path, capsys))
    assert (house["fouls"], house["owes"], house["out"], house["points"], house["won"]) == ([], 0, (0, 0, 0), (20, 20), None)


@pytest.mark.parametrize("loses", ["board", "game", "match"])
def test_the_stroke_that_ends_a_board_may_lose_it(loses: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = {"offences.piece_off_board": {"loses": loses}}
    (tmp_path / "club.toml").write_text(edited(lawbook_text("icf"), rules), encoding="utf-8")
    boards = one(hit("white", off_board=("black",)), white=1, black=3, queen="covered:south")
    house = told(a_match(*boards), str(tmp_path / "club.toml"), tmp_path, capsys)
    result = house["boards"][0]["result"]
    assert (result["award"] or {"what": "board", "to": result["winner"]}) == {"what": loses, "to": "north"}


def test_the_stroke_that_ends_a_board_costs_its_points(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = {"offences.piece_off_board": {"points": 2}}
    (tmp_path / "club.toml").write_text(edited(lawbook_text("icf"), rules), encoding="utf-8")
    boards = one(hit("white", off_board=("black",)), white=1, black=3, queen="covered:south", scores={"south": 10})
    assert seen(told(a_match(*boards), str(tmp_path / "club.toml"), tmp_path, capsys))["points"] == (14, 0)


def test_a_score_never_falls_below_nothing_and_rises_from_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = {"offences.striker_pocketed": {"points": 5}}
    (tmp_path / "club.toml").write_text(edited(lawbook_text("icf"), rules), encoding="utf-8")
    boards = one(hit("striker"), hit(by="north"), hit("white"), white=1, black=3, queen="covered:south")
    house = told(a_match(*boards), str(tmp_path / "club.toml"), tmp_path, capsys)
    assert house["boards"][0]["rulings"][0]["scores"] == {"south": 0, "north": 0}
    assert seen(house)["points"] == (6, 0)


@pytest.mark.parametrize(
    ("events", "start"),
    [
        ((hit("black"),), {"black": 1, "queen": "on_board"}),
        ((hit("black"),), {"black": 1, "queen": "pending:south"}),
        ((hit("black", "striker"),), {"black": 1, "queen": "covered:north"}),
        ((hit("black", "queen"),), {"black": 1, "queen": "on_board"}),
        ((hit("white", "black", "striker"),), {"white": 1, "black": 1, "queen": "covered:north"}),
        ((hit("white", "black"),), {"white": 1, "black": 1, "queen": "pending:south"}),
        ((hit("white", "black", "queen", "striker"),), {"white": 1, "black": 1, "queen": "on_board"}),
    ],
    ids=["106", "103", "111", "103 with her", "112", "102", "109"],
)
def test_a_rule_for_the_own_last_piece_leaves_the_other_ends_as_they_are(
    events: tuple[Event, ...], start: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = a_match(*one(*events, **start))
    (tmp_path / "club.toml").write_text(edited(lawbook_text("icf"), GOES_BACK), encoding="utf-8")
    usual, house = told(log, "icf", tmp_path, capsys), told(log, str(tmp_path / "club.toml"), tmp_path, capsys)
    assert (seen(house)["won"], seen(house)["extra"]) == (seen(usual)["won"], seen(usual)["extra"])


def test_without_a_queen_she_brings_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "club.toml").write_text(edited(lawbook_text("icf"), {"pieces.with_queen": False}), encoding="utf-8")
    house = told(a_match(*one(hit("black"), black=1, queen=None)), str(tmp_path / "club.toml"), tmp_path, capsys)
    assert seen(house)["won"] == ("north", 6)
    assert "Queen" not in house["boards"][0]["result"]["reason"]


def test_doubles_go_round_as_the_club_has_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = a_match(Board((hit(),), Start(6, 6, None, "south", "south")), Board(), seats=SEATS)
    (tmp_path / "club.toml").write_text(edited(lawbook_text("icf"), {"match.direction": "clockwise"}), encoding="utf-8")
    usual, house = told(log, "icf", tmp_path, capsys), told(log, str(tmp_path / "club.toml"), tmp_path, capsys)
    assert [t["boards"][0]["rulings"][0]["turn"] for t in (usual, house)] == ["east", "west"]
    assert [t["boards"][1]["breaker"] for t in (usual, house)] == ["east", "west"]


@pytest.mark.parametrize(("boards", "points", "when"), [(0, 0, 0), (1, 0, 1), (2, 0, 2), (0, 2, 1), (0, 3, 2), (2, 2, 1), (0, 5, 0)])
def test_the_change_of_sides_in_the_deciding_game(
    boards: int, points: int, when: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = {"match.target": 5, "match.decider_change_boards": boards, "match.decider_change_points": points}
    (tmp_path / "club.toml").write_text(edited(lawbook_text("icf"), rules), encoding="utf-8")
    games = (won_by("south", 5), won_by("north", 5), won_by("south", 2), won_by("south", 1), won_by("north", 1))
    house = told(a_match(*games), str(tmp_path / "club.toml"), tmp_path, capsys)
    changes = [[n["kind"] for n in b["notices"]] for b in house["boards"]]
    assert changes[:2] == [["change_sides"], ["change_sides"]]
    assert [k for k, notices in enumerate(changes[2:], 1) if notices] == ([when] if when else [])


def test_how_many_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = a_match(Board(), seats=SEATS)
    told(log, "icf", tmp_path, capsys)
    (tmp_path / "club.toml").write_text(edited(lawbook_text("icf"), {"match.players": [2]}), encoding="utf-8")
    with pytest.raises(BadInput, match="law book icf is for 2 players, the log has 4"):
        told(log, str(tmp_path / "club.toml"), tmp_path, capsys)


def test_every_setting_is_changed_here() -> None:
    elsewhere = {f"match.{k}" for k in ("players", "direction", "decider_change_boards", "decider_change_points")}
    changed = {name for _, rules, *_ in CASES for name in rules} | elsewhere
    assert {f"{s}.{k}" for s, (_, cls) in SECTIONS.items() for k in settings(cls)} <= changed


def test_an_edited_copy_differs_in_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(edited(lawbook_text("icf"), {"match.target": 29}), encoding="utf-8")
    assert load_lawbook(tmp_path / "club.toml") == load_lawbook("icf").with_options({"match.target": 29})
