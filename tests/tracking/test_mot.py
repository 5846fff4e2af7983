"""Tracks as MOT text: written, read again, and held against the truth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from models.board import ICF
from models.errors import BadInput
from tests.tracking.filmed import document, output
from tracking.metrics_report import figures, measure
from tracking.metrics_truth import parse_truth
from tracking.mot import MotTracks, compare, read_mot, table_of, tracks_of, write_mot
from tracking.table import Row


def rows(table: pd.DataFrame) -> list[Row]:
    return [Row(r.frame, r.t, r.piece, r.cls, r.x, r.y, 0.0, 0.0, r.state, r.frame % 5 > 0) for r in table.itertuples()]


@pytest.fixture
def text(tmp_path: Path) -> Path:
    write_mot(tmp_path / "tracks.txt", rows(output()), ICF)
    return tmp_path / "tracks.txt"


def test_a_line_is_a_box_about_the_disc_in_millimetres(text: Path) -> None:
    lines = text.read_text().splitlines()
    assert lines[0] == "1,19,354.10,354.10,31.80,31.80,0.5,-1,-1,-1", "frames from 1; the queen is 19; not seen, filled in"
    assert "19,20,349.35,601.35,41.30,41.30,1,-1,-1,-1" in lines, "the striker is larger"
    assert len(lines) == (output().state != "pocketed").sum()


def test_what_was_written_is_read(text: Path) -> None:
    tracks = read_mot(text)
    want = output()[lambda t: t.state != "pocketed"]
    assert tracks.frame.tolist() == (want.frame + 1).tolist()
    assert np.abs(tracks.xy - want[["x", "y"]].to_numpy()).max() < 0.01
    assert set(tracks.size.round(2)) == {31.8, 41.3}


def test_mot_text_is_held_against_a_films_truth(text: Path) -> None:
    truth = parse_truth(document())
    found = figures([measure(truth, table_of(read_mot(text), truth))])
    assert (found["hota"], found["ways_right"], found["settled_boards"], found["switches"]) == (pytest.approx(1, abs=1e-3), 1.0, 1.0, 0)


def test_frames_beyond_the_truths_keep_their_own_times() -> None:
    truth = parse_truth(document())
    late = MotTracks(np.array([1, 2, 400, 401]), np.array(["1"] * 4), np.zeros((4, 2)), np.ones(4))
    assert table_of(late, truth)["t"].tolist() == pytest.approx([0.0, 1 / 30, 399 / 30, 400 / 30])


def test_two_texts_are_held_against_each_other(text: Path, tmp_path: Path) -> None:
    same = compare(read_mot(text), tracks_of(output(), ICF))
    assert (same["hota"], same["idf1"], same["switches"]) == (pytest.approx(1, abs=1e-3), 1.0, 0)
    other = tmp_path / "other.txt"
    other.write_text("1,7,354.1,354.1,31.8,31.8\n\n2,7,354.1,354.1,31.8,31.8,0.9,3,4,5\n300,7,0,0,31.8,31.8\n")
    found = compare(read_mot(text), read_mot(other))
    boxes = (output().state != "pocketed").sum()
    assert found["deta"] == pytest.approx(2 / (boxes + 1)), "frames that only one of them has count too"


def test_what_the_truth_marks_as_not_counting_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "gt.txt").write_text("2,1,0,0,10,10,1,-1,-1,-1\n1,1,0,0,10,10,0,-1,-1,-1\n1,2,50,0,10,10,1\n")
    tracks = read_mot(tmp_path / "gt.txt")
    assert (tracks.frame.tolist(), tracks.id.tolist(), tracks.xy.tolist()) == ([1, 2], ["2", "1"], [[55, 5], [5, 5]])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"", "no line has a box"),
        (b"1,1,0,0,10", "line 1 is not MOT text"),
        (b"1,1,0,0,10,10,1\nframe,id,x,y,w,h", "line 2 is not MOT text: numbers"),
        (b"1,1,nan,0,10,10,1", "line 1 is not MOT text"),
        (b"1,1,1e300,0,10,10,1", "line 1 is not MOT text"),
        (b"0,1,0,0,10,10,1", "frames are whole numbers from 1"),
        (b"1.5,1,0,0,10,10,1", "frames are whole numbers from 1"),
        (b"1,1,0,0,-10,10,1", "above 0"),
        (b"1,1,0,0,0,0,1", "above 0"),
        (b"1,1,0,0,10,10,0", "no box counts"),
        (b"1,1,0,0,10,10,1\n1,1,9,9,10,10,1", "track 1 has two boxes in frame 1"),
        (b"\xff\xfe", "not text in UTF-8"),
    ],
)
def test_what_is_no_mot_text_is_refused(tmp_path: Path, text: bytes, complaint: str) -> None:
    (tmp_path / "bad.txt").write_bytes(text)
    with pytest.raises(BadInput, match=complaint) as e:
        read_mot(tmp_path / "bad.txt")
    assert "bad.txt" in str(e.value) and "\n" not in str(e.value)
