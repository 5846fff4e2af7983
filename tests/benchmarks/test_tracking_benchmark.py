"""What the benchmark of tracking keeps of a film, and that our tracker's rows and its log are held against the truth."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from benchmarks import boards, looked, tracking
from models.board import ICF
from models.detections import Detections
from models.errors import BadInput
from models.stroke import Match, Player
from tests.tracking.filmed import document
from tests.tracking.played import Played
from tracking.metrics_truth import parse_truth


def test_detections_are_kept_as_they_are(tmp_path: Path) -> None:
    frames = tuple(d for d in Played(1, strokes=1).frames() if d.t < 2.0)
    assert any(len(f.hands) for f in frames) and any(not len(f.hands) for f in frames)
    looked.save(tmp_path / "seen.npz", looked.Looked(ICF, frames))
    again = looked.load(tmp_path / "seen.npz")
    assert again.board == ICF
    assert len(again.frames) == len(frames)
    for a, b in zip(frames, again.frames, strict=True):
        for f in fields(Detections):
            mine, theirs = getattr(a, f.name), getattr(b, f.name)
            assert np.array_equal(mine, theirs) and type(mine) is type(theirs), f.name


@pytest.mark.parametrize("raw", [b"", b"PK\x03\x04", b"\x80\x04N."])
def test_what_is_no_kept_detections_is_refused(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "seen.npz").write_bytes(raw)
    with pytest.raises(BadInput, match="not detections"):
        looked.load(tmp_path / "seen.npz")


def test_arrays_that_would_run_code_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "seen.npz", head=np.array([{"a": 1}], dtype=object))
    with pytest.raises(BadInput, match="not detections"):
        looked.load(tmp_path / "seen.npz")


def test_our_tracker_follows_kept_detections() -> None:
    played = Played(5, strokes=2)
    table, events = tracking.ours(looked.Looked(ICF, tuple(played.frames())))
    assert len(events) == len(played.truth)
    assert not table.duplicated(["t", "piece"]).any()


def test_a_board_that_was_not_watched_is_wrong() -> None:
    truth = parse_truth(document())
    result = boards.score(truth, None)
    assert (result["strokes"], result["strokes_right"], result["boards_right"], result["placings_right"]) == (2, 0, 0, False)
    match = Match("icf", (Player("south", "A"), Player("north", "B")), "south", ())
    assert boards.score(truth, match)["faults"][-1] == "placings: 0 of 1 found, 0 invented"
