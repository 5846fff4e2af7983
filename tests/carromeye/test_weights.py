"""Weights of one's own: used where they are a detector, refused in one line where they are none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import models.scene
from carromeye.commands.detect import run as detect
from carromeye.commands.label import run as label
from carromeye.commands.review import run as review
from models.detector.contract import WEIGHTS
from models.errors import BadInput

CLIP = Path(models.scene.__file__).parent / "sample" / "clip.mp4"
PICTURE = Path(__file__).resolve().parents[2] / "docs" / "review.jpg"


@pytest.fixture(params=["rubbish", "missing", "no_detector"])
def wrong(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    file = tmp_path / "wrong.onnx"
    if request.param == "rubbish":
        file.write_bytes(b"\x08\x07 rubbish")
    if request.param == "no_detector":
        file.write_bytes(_relu())
    return file


def _relu() -> bytes:
    """An ONNX file that gives back what it takes, rectified: pictures in, pictures out."""

    def field(number: int, value: bytes | int) -> bytes:
        if isinstance(value, int):
            return bytes([number << 3]) + _varint(value)
        return bytes([number << 3 | 2]) + _varint(len(value)) + value

    shape = b"".join(field(1, field(1, n)) for n in (1, 3, 640, 640))
    kind = field(1, field(1, 1) + field(2, shape))
    graph = field(1, field(1, b"images") + field(2, b"output0") + field(4, b"Relu")) + field(2, b"g")
    graph += field(11, field(1, b"images") + field(2, kind)) + field(12, field(1, b"output0") + field(2, kind))
    return field(1, 8) + field(7, graph) + field(8, field(1, b"") + field(2, 17))


def _varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def test_what_is_no_detector_is_refused_before_anything_is_written(wrong: Path, tmp_path: Path) -> None:
    for call in (
        lambda: detect(PICTURE, False, tmp_path / "out.png", None, wrong),
        lambda: review(CLIP, tmp_path / "out", "icf", None, None, None, wrong),
        lambda: label(CLIP, tmp_path / "out", 5, wrong),
    ):
        with pytest.raises(BadInput, match=r"wrong\.onnx"):
            call()
    assert {p.name for p in tmp_path.iterdir()} <= {"wrong.onnx"}


def test_weights_of_ones_own_are_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "own.onnx"
    shutil.copy(WEIGHTS, own)
    outputs = []
    for weights in (None, own):
        detect(PICTURE, True, None, None, weights)
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
