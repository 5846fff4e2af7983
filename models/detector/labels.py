"""Folders of labelled pictures as labelling tools export them for YOLO: which classes they know, which boxes they hold.

Understood are `images/` with `labels/` beside it (``carromeye label``, Roboflow, CVAT's Ultralytics YOLO, Label Studio) and
text files beside the pictures (CVAT's YOLO 1.1). The classes stand in a `data.yaml`, `obj.names` or `classes.txt`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.detector.contract import DISC, HAND
from models.errors import BadInput
from models.files import PICTURES, read_bytes

CLASS_FILES: Final = ("obj.names", "classes.txt", "labels.txt")
LONGEST: Final = 1_000_000
"""Bytes of a text file of labels."""
OUTSIDE: Final = 0.02
"""How far a box may reach beyond the picture (fraction of a side): tools round."""
WORDS: Final[dict[str, tuple[int, str]]] = {
    **dict.fromkeys(("disc", "disk", "piece", "coin", "puck", "carrom", "carrom man", "carromman", "carrom men", "goti"), (DISC, "")),
    **dict.fromkeys(("white", "light", "brown", "cream"), (DISC, "white")),
    **dict.fromkeys(("black", "dark"), (DISC, "black")),
    **dict.fromkeys(("queen", "red", "pink"), (DISC, "queen")),
    "striker": (DISC, "striker"),
    **dict.fromkeys(("hand", "arm", "forearm", "finger", "fingers", "hand and arm"), (HAND, "")),
}
"""What a class may be called: the network's class, and the kind of disc where the name says it."""


@dataclass(frozen=True)
class Labels:
    """One labelled picture.

    Attributes
    ----------
    picture : Path
    boxes : ndarray, shape (n, 5)
        Class of the network, then centre x, y, width, height in fractions of the picture.
    kinds : tuple of str
        White, black, queen or striker of each box; empty where the label doesn't say.
    """

    picture: Path
    boxes: NDArray[np.float64]
    kinds: tuple[str, ...]


def read_folder(folder: Path) -> tuple[list[Labels], int]:
    """The labelled pictures of a folder, in order of their names, and how many pictures there have no labels.

    A picture with an empty label file shows nothing; one without a file has not been labelled.

    Raises
    ------
    BadInput
        If there is no folder, no labelled picture, a class is not known, or a label cannot be read.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder")
    classes = read_classes(folder)
    pictures = sorted(p for p in folder.rglob("*") if p.suffix.lower() in PICTURES and p.is_file() and not p.name.startswith("."))
    found = [(picture, _label_file(picture)) for picture in pictures]
    out = [_read(picture, file, classes) for picture, file in found if file is not None]
    if not out:
        raise BadInput(f"{folder}: no labelled picture; wanted are images/NAME.jpg with labels/NAME.txt, or NAME.txt beside NAME.jpg")
    return out, len(pictures) - len(out)


def read_classes(folder: Path) -> list[tuple[int, str]]:
    """The classes of a folder by their number: the network's class and the kind of disc (see `WORDS`).

    Raises
    ------
    BadInput
        If no file tells the classes, or one's name is not known.
    """
    yamls = sorted(folder.glob("*.yaml")) + sorted(folder.glob("*.yml"))
    for file in [*yamls, *(folder / name for name in CLASS_FILES), *sorted(folder.glob("*/obj.names"))]:
        if file.is_file():
            text = _text(file)
            names = yaml_names(text) if file.suffix in (".yaml", ".yml") else [line.strip() for line in text.splitlines() if line.strip()]
            if names:
                return [_meaning(name, file) for name in names]
    raise BadInput(f"{folder}: no data.yaml, {' or '.join(CLASS_FILES[:2])} says which classes the labels have")


def _meaning(name: str, file: Path) -> tuple[int, str]:
    plain = re.sub(r"[\s_-]+", " ", name.strip().lower())
    for word in (plain, plain.removesuffix("s"), re.sub(r" (disc|disk|piece|coin|puck)s?$", "", plain)):
        if word in WORDS:
            return WORDS[word]
    raise BadInput(f"{file}: class {name!r} is not known; known are {', '.join(WORDS)}")


def yaml_names(text: str) -> list[str]:
    """What a `data.yaml` lists under ``names``: a list or numbered entries, on one line or several; empty if there are none.

    Only this is read of YAML's many forms, all that labelling tools write.
    """
    found = re.search(r"(?m)^names:[ \t]*(.*)$", text)
    if not found:
        return []
    rest = text[found.start(1) :]
    inline = re.match(r"\s*[\[{]([^\]}]*)[\]}]", rest)
    if inline:
        entries = inline[1].split(",")
    else:
        entries = []
        for line in rest.splitlines()[1:]:
            if line.strip() and not re.match(r"\s*(-\s|\d+\s*:|#)|\s*-$", line):
                break
            if line.strip() and not line.lstrip().startswith("#"):
                entries.append(re.sub(r"^\s*-\s*", "", line))
    numbered = [re.match(r"\s*(\d{1,9})\s*:\s*(.*)", e, re.DOTALL) for e in entries]
    if numbered and all(numbered):
        order = {int(m[1]): m[2] for m in numbered if m}
        if sorted(order) != list(range(len(entries))):
            return []
        entries = [order[i] for i in range(len(order))]
    return [re.sub(r"\s#.*$", "", e.strip()).strip("\"' \t") for e in entries if e.strip()]


def _label_file(picture: Path) -> Path | None:
    """The labels of a picture: beside it, or in the folder `labels` where the picture's path has `images`."""
    beside = picture.with_suffix(".txt")
    if beside.is_file():
        return beside
    parts = list(picture.parts)
    for i in range(len(parts) - 2, -1, -1):
        if parts[i] == "images":
            file = Path(*parts[:i], "labels", *parts[i + 1 :]).with_suffix(".txt")
            return file if file.is_file() else None
    return None


def _read(picture: Path, file: Path, classes: list[tuple[int, str]]) -> Labels:
    rows, kinds = [], []
    for number, line in enumerate(_text(file).splitlines(), 1):
        if not line.strip():
            continue
        where = f"{file}, line {number}"
        try:
            values = [float(v) for v in line.split()]
        except ValueError:
            raise BadInput(f"{where}: no numbers; a label is: class, centre x, y, width, height (fractions of the picture)") from None
        if not values[0].is_integer() or not 0 <= values[0] < len(classes):
            raise BadInput(f"{where}: there is no class {values[0]:g}; the classes are numbered from 0 to {len(classes) - 1}")
        cls, kind = classes[int(values[0])]
        rows.append((cls, *_box(values[1:], where)))
        kinds.append(kind)
    return Labels(picture, np.array(rows, np.float64).reshape(-1, 5), tuple(kinds))


def _box(values: list[float], where: str) -> tuple[float, float, float, float]:
    """Centre and size from a label's numbers: a box, or the outline of a polygon, of which the box is taken."""
    if len(values) >= 6 and len(values) % 2 == 0:
        x, y = np.array(values[0::2]), np.array(values[1::2])
        values = [(x.min() + x.max()) / 2, (y.min() + y.max()) / 2, float(np.ptp(x)), float(np.ptp(y))]
    if len(values) != 4:
        raise BadInput(f"{where}: {len(values) + 1} numbers; a label is: class, centre x, y, width, height (fractions of the picture)")
    cx, cy, w, h = values
    edges = np.array([cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2])
    if not (w > 0 and h > 0 and ((edges >= -OUTSIDE) & (edges <= 1 + OUTSIDE)).all()):
        raise BadInput(f"{where}: the box is empty or lies outside the picture; places and sizes are fractions of the picture, 0 to 1")
    return cx, cy, w, h


def _text(file: Path) -> str:
    try:
        return read_bytes(file, LONGEST).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{file}: is not a text file in UTF-8") from None
