"""A review's match.json is not the stroke log; who takes it for one is told which file is."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.errors import BadInput
from models.stroke_log import MATCH_FORMAT, read_log
from reports.match_file import FORMAT


def test_match_json_is_recognised(tmp_path: Path) -> None:
    assert MATCH_FORMAT == FORMAT
    path = tmp_path / "match.json"
    path.write_text('{"format": "carromeye-match/1", "video": {}}', encoding="utf-8")
    with pytest.raises(BadInput, match=r"strokes\.json beside it"):
        read_log(path)
