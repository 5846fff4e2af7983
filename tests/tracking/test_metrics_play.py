"""Places, settled boards and ways of a short film, with one thing wrong at a time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from models.errors import BadInput
from models.stroke import Placing, Stroke
from tests.tracking.filmed import END, FIRST, RATE, document, output
from tracking.metrics_report import Report, figures, measure
from tracking.metrics_truth import Truth, parse_truth, read_truth


@pytest.fixture(scope="module")
def truth() -> Truth:
    return parse_truth(document())


def wrong(report: Report) -> dict[tuple[int, str], str]:
    return {(w.stroke, w.id): w.wrong for w in report.ways if w.wrong}


def test_what_agrees_is_wholly_right(truth: Truth) -> None:
    report = measure(truth, output())
    found = figures([report])
    ones = ("hota", "idf1", "mota", "piece_recall", "piece_precision", "class_right", "settled_pieces", "settled_boards", "ways_right")
    assert {name: found[name] for name in (*ones, "striker_ways_right", "ends_right")} == dict.fromkeys(
        (*ones, "striker_ways_right", "ends_right"), 1.0
    )
    assert found["centre_error_mm"] == pytest.approx(0, abs=1e-6)
    assert [(w.stroke, w.id) for w in report.ways] == [(1, "1"), (1, "2"), (1, "3"), (1, "S"), (2, "S")]
    assert (found["moved"], found["switches"], found["fragmentations"], report.faults()) == (3, 0, 0, [])
    assert len(report.settled) == 3, "before each stroke and at the end"


def test_the_last_rows_stand_while_nothing_is_looked_at(truth: Truth) -> None:
    table = output()
    quiet = ((table.t > 2.4) & (table.t < 2.9)) | ((table.t > 6.0) & (table.t < 6.9) & (table.frame % 7 != 0))
    report = measure(truth, table[~quiet].sample(frac=1, random_state=0))
    assert (report.faults(), figures([report])["hota"]) == ([], 1.0)


def _moved(table: pd.DataFrame, piece: str, by: float, since: float, until: float = np.inf) -> pd.DataFrame:
    own = (table.piece == piece) & (table.t >= since) & (table.t < until) & (table.state != "pocketed")
    return table.assign(x=table.x + by * own)


def _swapped(table: pd.DataFrame, a: str, b: str, since: float) -> pd.DataFrame:
    late = table.t >= since
    piece = table.piece.mask(late & (table.piece == a), "?").mask(late & (table.piece == b), a)
    return table.assign(piece=piece.mask(piece == "?", b))


def _without(table: pd.DataFrame, piece: str, since: float, until: float = np.inf) -> pd.DataFrame:
    return table[~((table.piece == piece) & (table.t >= since) & (table.t < until))]


def _said(table: pd.DataFrame, piece: str, since: float, until: float, **values: object) -> pd.DataFrame:
    own = (table.piece == piece) & (table.t >= since) & (table.t < until)
    return table.assign(**{name: table[name].mask(own, value) for name, value in values.items()})


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda t: _without(t, "white1", 0.0, 1.05), {(1, "1"): "before"}),
        (lambda t: _said(t, "black1", 0.0, 9.0, cls="white"), {(1, "2"): "class"}),
        (lambda t: _without(t, "black1", 1.6), {(1, "2"): "lost"}),
        (lambda t: _swapped(t, "white1", "black1", 1.5), {(1, "1"): "identity", (1, "2"): "identity"}),
        (lambda t: _said(t, "white2", 1.4, 3.0, state="hidden", x=60.0, y=680.0), {(1, "3"): "pocketed"}),
        (lambda t: _said(t, "white2", 1.6, 3.5, x=717.0), {(1, "3"): "pocket"}),
        (lambda t: _said(t, "black1", 1.9, 9.0, state="pocketed"), {(1, "2"): "fell"}),
        (lambda t: _moved(t, "white1", 11.0, 1.25, 1.35), {(1, "1"): "path"}),
        (lambda t: _without(t, "white1", 1.25, 1.35), {(1, "1"): "path"}),
        (lambda t: _moved(t, "white1", 9.0, 1.25, 1.35), {}),
        (lambda t: _moved(t, "striker", 11.0, 5.3, 5.5), {(2, "S"): "path"}),
    ],
    ids=["before", "class", "lost", "identity", "not pocketed", "pocket", "fell", "off", "untracked", "near enough", "striker"],
)  # fmt: skip
def test_what_is_wrong_with_a_way(truth: Truth, change: Callable[[pd.DataFrame], pd.DataFrame], what: dict[tuple[int, str], str]) -> None:
    report = measure(truth, change(output()))
    assert wrong(report) == what
    assert len([line for line in report.faults() if line.startswith("stroke")]) == len(what)


def test_a_fall_is_timed_to_a_frame(truth: Truth) -> None:
    pocket = {"state": "pocketed", "x": 22.25, "y": 717.75}
    document_ = document()
    document_["strokes"][0]["pocketed"][0]["t"] = FIRST + 0.51
    early = parse_truth(document_)
    assert wrong(measure(early, _said(output(), "white2", FIRST + 0.49, 1.6, **pocket))) == {}
    assert wrong(measure(truth, _said(output(), "white2", FIRST + 0.49, 1.6, **pocket))) == {(1, "3"): "path"}


@pytest.mark.parametrize(("until", "what"), [(2.02, {}), (2.09, {(1, "3"): "pocketed"})])
def test_a_fall_at_the_very_end_is_told_to_a_frame_too(until: float, what: dict[tuple[int, str], str]) -> None:
    document_ = document()
    document_["strokes"][0]["pocketed"][0]["t"] = 2.001
    table = _said(output(), "white2", FIRST + 0.6, until, state="moving", x=10.0, y=700.0)
    assert wrong(measure(parse_truth(document_), table)) == what


def test_a_tracker_without_states_need_not_say_that_a_piece_fell(truth: Truth) -> None:
    table = output()
    told = table[table.state != "pocketed"].drop(columns="state").assign(cls="")
    report = measure(truth, told)
    assert wrong(report) == {}
    assert figures([report])["settled_boards"] == 1.0
    assert np.isnan(figures([report])["class_right"])


@pytest.mark.parametrize(
    ("change", "right", "extra"),
    [
        (lambda t: _without(t, "black1", 4.0), 3, 0),
        (lambda t: _moved(t, "queen", 12.0, 4.0), 3, 1),
        (lambda t: _said(t, "queen", 0.0, 9.0, cls="white"), 3, 0),
        (lambda t: pd.concat([t, t[t.piece == "queen"].assign(piece="white9", x=600.0)]), 4, 1),
    ],
    ids=["missing", "too far", "wrong class", "too many"],
)
def test_a_settled_board(truth: Truth, change: Callable[[pd.DataFrame], pd.DataFrame], right: int, extra: int) -> None:
    report = measure(truth, change(output()))
    board = report.settled[1]
    assert (board.pieces, board.right, board.extra, board.whole) == (4, right, extra, False)
    assert figures([report])["settled_pieces"] < 1


def test_a_carried_striker_does_not_count_but_a_piece_under_a_hand_does(truth: Truth) -> None:
    table = output()
    aside = _moved(table, "striker", 200.0, 6.1, 7.0)  # a hand shows, no stroke is under way
    assert figures([measure(truth, aside)])["hota"] == 1.0
    assert figures([measure(truth, aside.drop(columns="state").assign(cls="")[table.state != "pocketed"])])["piece_recall"] == 1.0
    assert figures([measure(truth, _without(table, "queen", 6.1, 7.0))])["piece_recall"] < 1.0


def test_which_of_two_like_pieces_is_put_back_nobody_can_see(truth: Truth) -> None:
    table = output()
    other = table.assign(piece=table.piece.mask((table.piece == "white2") & (table.t > 3.4), "white9"))
    assert (figures([measure(truth, other)])["switches"], figures([measure(truth, other)])["assa"]) == (0, 1.0)


def test_a_switch_after_a_contact_is_laid_to_it(truth: Truth) -> None:
    at_once, later = (figures([measure(truth, _swapped(output(), "white1", "black1", t))]) for t in (1.3, 6.5))
    assert (at_once["switches"], at_once["switches_at_contacts"], later["switches"], later["switches_at_contacts"]) == (2, 2, 2, 0)
    assert at_once["switches_per_moved"] == pytest.approx(2 / 5)


def test_films_are_measured_together(truth: Truth) -> None:
    good, bad = measure(truth, output()), measure(truth, _without(output(), "black1", 0.0))
    both = figures([good, bad])
    assert both["moved"] == 6 and both["ways_right"] == pytest.approx(5 / 6)
    assert both["settled_boards"] == pytest.approx(0.5)


def test_the_strokes_and_placings_of_a_log_are_held_against_the_truth(truth: Truth) -> None:
    strokes = [Stroke("south", ("white",), True, t=1.01, confidence=0.95), Stroke("north", (), True, t=5.02, confidence=0.95)]
    found = figures([measure(truth, output(), [*strokes, Placing("north", ("black",), 3.5)])])
    assert (found["strokes_right"], found["touched_right"], found["wrong_unflagged"]) == (1, 1, 1)
    assert (found["placings"], found["placings_found"], found["placings_invented"]) == (1, 0, 1)
    assert "strokes" not in figures([measure(truth, output())])


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda t: t.drop(columns="x"), "column x is missing"),
        (lambda t: t.assign(t=np.nan), "column t has something that is no number"),
        (lambda t: t.assign(x="here"), "column x has something that is no number"),
        (lambda t: t.assign(cls="red"), "cls 'red' is not one of white"),
        (lambda t: t.assign(state="flying"), "state 'flying' is not one of rest"),
        (lambda t: pd.concat([t, t]), "is there twice at 0.000 s"),
    ],
)
def test_a_table_that_is_no_output_is_refused(truth: Truth, change: Callable[[pd.DataFrame], pd.DataFrame], complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        measure(truth, change(output()))


def _with(path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    made = document()
    place: Any = made
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return made


@pytest.mark.parametrize(
    ("made", "complaint"),
    [
        ([], "not a film's truth"),
        (_with(("samples",), None), "not a film's truth"),
        (_with(("samples",), []), "samples: there is none"),
        (_with(("fps",), 0), "fps: 0 is not above 0"),
        (_with(("fps",), "30"), "fps: '30' is not a number"),
        (_with(("strokes", 0, "by"), "up"), "stroke 1: by: unknown seat 'up'"),
        (_with(("strokes", 0, "rest"), 0.5), "stroke 1: rest: 0.5 s is before its release"),
        (_with(("strokes", 0, "touched"), 1), "stroke 1: touched: 1 is not true or false"),
        (_with(("strokes", 0, "pocketed", 0, "pocket"), "N"), "stroke 1: pocketed: unknown pocket"),
        (_with(("strokes", 0, "t"), None), "stroke 1: t is missing"),
        (_with(("samples", 1, "t"), 99), "samples: they are not in order of time"),
        (_with(("samples", 1, "frame"), 0), "samples: their frames do not rise"),
        (_with(("samples", 1, "discs", 0), ["0", "queen", 1]), "sample 2: .* is not a disc"),
        (_with(("samples", 1, "discs", 0, 1), "red"), "sample 2: unknown piece 'red'"),
        (_with(("samples", 1, "discs", 0, 0), "1"), "sample 2: an identity is there twice"),
        (_with(("samples", 1, "discs", 0, 2), 1e12), "sample 2: .* is not a number"),
        (_with(("samples", 1, "discs"), [["0", "queen", 1, 1]] * 65), "sample 2: 65 discs"),
        (_with(("placements", 0, "cls"), "striker"), "placement 1: unknown piece"),
        (_with(("boards", 0, "t"), "x"), "board 1: t: 'x' is not a number"),
    ],
)  # fmt: skip
def test_a_truth_that_is_none_is_refused(made: object, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint) as e:
        parse_truth(made)
    assert "\n" not in str(e.value)


@pytest.mark.parametrize("text", [b"\xff\xfe", b"{", b"[" * 100_000, b'{"fps": NaN}'])
def test_a_file_that_is_no_truth_is_refused_by_name(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "truth.json").write_bytes(text)
    with pytest.raises(BadInput, match=r"truth\.json: not"):
        read_truth(tmp_path / "truth.json")
    with pytest.raises(BadInput, match=r"cannot read .*none\.json"):
        read_truth(tmp_path / "none.json")


def test_two_boards_are_apart_and_what_is_laid_out_between_them_does_not_count() -> None:
    one = document()
    shift = END / RATE + 2.0
    later = json.loads(json.dumps(one))
    for s in later["samples"]:
        s["t"], s["frame"] = s["t"] + shift, s["frame"] + round(shift * RATE)
    for s in later["strokes"]:
        s["t"], s["rest"] = s["t"] + shift, s["rest"] + shift
    mess = [{"frame": END + 3 * k, "t": (END + 3 * k) / RATE, "hand": True, "discs": [["0", "queen", 9.0 * k, 50.0]]} for k in range(18)]
    both = one | {"samples": one["samples"] + mess + later["samples"], "strokes": one["strokes"] + later["strokes"]}
    both["boards"] = [{"t": 0.0}, {"t": shift - 0.05}]
    first, second = output(), output()
    second = _swapped(second.assign(t=second.t + shift), "white1", "white2", 0.0)
    found = figures([measure(parse_truth(both), pd.concat([first, second]))])
    assert (found["hota"], found["piece_recall"], found["switches"]) == (1.0, 1.0, 0), "another board's discs are others"
