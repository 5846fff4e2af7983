"""Folders of labels as the usual tools export them."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.detector.contract import DISC, HAND
from models.detector.labels import read_classes, read_folder, yaml_names
from models.errors import BadInput


@pytest.mark.parametrize(
    "text",
    [
        "names: [white, black, hand]\nnc: 3\n",
        "path: .\nnames: ['white', \"black\", hand]  # of the club\n",
        "names:\n- white\n- black\n- hand\nnc: 3\ntrain: x\n",
        "names:\n  0: white\n  1: black\n  2: hand\n\nroboflow:\n  url: y\n",
        "names: {0: white, 2: hand, 1: black}\n",
        "names:\n    # ours\n    - 'white'\n    - black # the dark ones\n    - hand\n",
        "names: [\n  white,\n  black,\n  hand,\n]\n",
    ],
)
def test_names_are_read_from_yaml_as_tools_write_it(text: str) -> None:
    assert yaml_names(text) == ["white", "black", "hand"]


@pytest.mark.parametrize("text", ["", "nc: 3\n", "names:\n", "names: {0: a, 2: b}\n", "names:\n  0: a\n  0: b\n"])
def test_yaml_without_names_gives_none(text: str) -> None:
    assert yaml_names(text) == []


def _folder(tmp_path: Path, names: str = "white\nhand\n", labels: str = "0 0.5 0.5 0.04 0.04\n1 0.2 0.2 0.2 0.3\n") -> Path:
    (tmp_path / "obj.names").write_text(names)
    (tmp_path / "a.jpg").write_bytes(b"")
    (tmp_path / "a.txt").write_text(labels)
    return tmp_path


def test_names_of_many_kinds_are_understood(tmp_path: Path) -> None:
    names = "White\nblack_piece\nQueen\nStriker\nCarrom-man\ndiscs\nHands\nforearm\n"
    kinds = [(DISC, "white"), (DISC, "black"), (DISC, "queen"), (DISC, "striker"), (DISC, ""), (DISC, ""), (HAND, ""), (HAND, "")]
    assert read_classes(_folder(tmp_path, names)) == kinds


def test_an_unknown_class_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"obj\.names: class 'zebra' is not known; known are"):
        read_folder(_folder(tmp_path, "white\nzebra\n"))


def test_labels_beside_pictures(tmp_path: Path) -> None:
    labels, without = read_folder(_folder(tmp_path))
    assert (len(labels), without) == (1, 0)
    assert labels[0].boxes.tolist() == [[DISC, 0.5, 0.5, 0.04, 0.04], [HAND, 0.2, 0.2, 0.2, 0.3]]
    assert labels[0].kinds == ("white", "")


@pytest.mark.parametrize(("images", "labels"), [("images", "labels"), ("train/images", "train/labels"), ("images/val", "labels/val")])
def test_folders_of_pictures_and_of_labels(tmp_path: Path, images: str, labels: str) -> None:
    for folder in (images, labels):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "data.yaml").write_text("names: [disc, hand]\n")
    for name in ("a.png", "b.PGM", "c.jpe", "d.gif"):
        (tmp_path / images / name).write_bytes(b"")
    (tmp_path / labels / "a.txt").write_text("0 0.1 0.1 0.2 0.1 0.2 0.3 0.1 0.3\n")
    (tmp_path / labels / "b.txt").write_text("")
    found, without = read_folder(tmp_path)
    assert [f.picture.name for f in found] == ["a.png", "b.PGM"]
    assert without == 1
    assert found[0].boxes[0] == pytest.approx([DISC, 0.15, 0.2, 0.1, 0.2])
    assert found[1].boxes.shape == (0, 5)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("0 0.5 0.5 0.1", "4 numbers"),
        ("2 0.5 0.5 0.1 0.1", "no class 2"),
        ("0.5 0.5 0.5 0.1 0.1", "no class 0.5"),
        ("0 320 320 24 24", "fractions"),
        ("0 0.5 0.5 0 0.1", "empty"),
        ("0 nan 0.5 0.1 0.1", "empty"),
        ("0 0.5 nan 0.1 0.1", "empty"),
        ("white 0.5 0.5 0.1 0.1", "no numbers"),
    ],
)
def test_a_wrong_label_is_named_with_its_line(tmp_path: Path, line: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=rf"a\.txt, line 2: .*{complaint}"):
        read_folder(_folder(tmp_path, labels=f"0 0.5 0.5 0.04 0.04\n{line}\n"))


def test_folders_without_classes_or_labels_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such folder"):
        read_folder(tmp_path / "none")
    with pytest.raises(BadInput, match=r"no data\.yaml"):
        read_folder(tmp_path)
    (tmp_path / "classes.txt").write_text("disc\n")
    with pytest.raises(BadInput, match="no labelled picture"):
        read_folder(tmp_path)
