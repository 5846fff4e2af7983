"""`match.json`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.errors import BadInput
from reports.match_file import REQUIRED, sha256, video_facts, write_match


def complete(**more: Any) -> dict[str, Any]:
    return {**dict.fromkeys(REQUIRED), "warnings": [], **more}


def test_hash_of_a_known_file(tmp_path: Path) -> None:
    (tmp_path / "abc").write_bytes(b"abc")
    assert sha256(tmp_path / "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    content = bytes(range(256)) * 10_000
    (tmp_path / "long").write_bytes(content)
    assert sha256(tmp_path / "long") == hashlib.sha256(content).hexdigest()


def test_video_facts(tmp_path: Path) -> None:
    (tmp_path / "v.mp4").write_bytes(b"abc")
    facts = video_facts(tmp_path / "v.mp4", width=640)
    assert facts["path"] == str((tmp_path / "v.mp4").resolve())
    assert (facts["name"], facts["bytes"], facts["width"], len(facts["sha256"])) == ("v.mp4", 3, 640, 64)
    with pytest.raises(BadInput, match="cannot read"):
        video_facts(tmp_path / "none.mp4")


def test_written_file_reads_back(tmp_path: Path) -> None:
    meta = complete(
        calibration={"corners": np.array([[1.5, 2]]), "confidence": np.float64(0.9)},
        timings={"detect": float("nan"), "track": 1.5},
        video={"path": Path("/a/b.mp4"), "name": "बोर्ड"},
    )
    read = json.loads(write_match(tmp_path, meta).read_text(encoding="utf-8"))
    assert read["format"] == "carromeye-match/1"
    assert read["calibration"] == {"corners": [[1.5, 2.0]], "confidence": 0.9}
    assert read["timings"] == {"detect": None, "track": 1.5}
    assert read["video"] == {"path": "/a/b.mp4", "name": "बोर्ड"}


@pytest.mark.parametrize("key", REQUIRED)
def test_nothing_may_be_missing(tmp_path: Path, key: str) -> None:
    meta = complete()
    del meta[key]
    with pytest.raises(ValueError, match=key):
        write_match(tmp_path, meta)
    assert not list(tmp_path.iterdir())


def test_unwritable_folder(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot write"):
        write_match(tmp_path / "nowhere", complete())
