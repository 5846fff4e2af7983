"""What vision saw in a film, kept in a file: tracking is measured again and again on the same detections."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np

from models.board import BoardSpec
from models.detections import Detections
from models.detector.contract import WEIGHTS
from models.errors import BadInput
from models.files import replacing
from reports.match_file import sha256
from vision.detector import Detector
from vision.survey import EXPECTED, survey
from vision.video import video_info
from vision.watch import watch

FILE: Final = "detections.npz"
DISC: Final = ("x", "y", "r", "w", "h", "score")
"""Arrays of a frame that have one value for each disc."""


@dataclass(frozen=True)
class Looked:
    """All frames of a film that vision looked at, and the board that it took them to show."""

    board: BoardSpec
    frames: tuple[Detections, ...]


def looked(folder: Path) -> Looked:
    """What vision sees in a folder's `clip.mp4`: read from `detections.npz` beside it if that is of the same film and weights.

    Another file of ours may see otherwise than the one that wrote it: remove it to have the film looked at anew.

    Raises
    ------
    BadInput
        If no board is found in the film.
    """
    clip = folder / "clip.mp4"
    of = [sha256(clip), sha256(WEIGHTS)]
    path = folder / FILE
    if path.exists() and _head(path)["of"] == of:
        return load(path)
    scene = survey(video_info(clip), Detector(WEIGHTS, EXPECTED), None)
    found = Looked(scene.calibration.board, tuple(watch(scene)))
    save(path, found, of)
    return found


def save(path: Path, what: Looked, of: Sequence[str] = ()) -> None:
    """Write detections as plain arrays (NumPy's npz), the frames' discs and hands one after the other."""
    frames = what.frames
    arrays: dict[str, Any] = {name: np.concatenate([getattr(f, name) for f in frames]) for name in (*DISC, "prob", "hands")}
    arrays |= {name: np.array([getattr(f, name) for f in frames]) for name in ("frame", "t", "before", "still")}
    arrays |= {"discs": np.array([len(f) for f in frames]), "arms": np.array([len(f.hands) for f in frames])}
    arrays["cover"] = np.packbits(np.stack([f.cover for f in frames]), axis=-1)
    arrays["head"] = np.array(json.dumps({"board": asdict(what.board), "of": list(of)}))
    with replacing(path) as part, part.open("wb") as file:
        np.savez_compressed(file, **arrays)


def load(path: Path) -> Looked:
    """Read what `save` wrote.

    Raises
    ------
    BadInput
        If the file is no such thing.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            a = {name: file[name] for name in file.files}
        board = BoardSpec(**json.loads(str(a["head"]))["board"])
        ends, hands = np.cumsum(a["discs"])[:-1], np.split(a["hands"], np.cumsum(a["arms"])[:-1])
        parts = {name: np.split(a[name], ends) for name in (*DISC, "prob")}
        cover = np.unpackbits(a["cover"], axis=-1).astype(bool)
        frames = tuple(
            Detections(
                frame=int(a["frame"][k]), t=float(a["t"][k]), **{name: parts[name][k] for name in parts},
                hands=hands[k], cover=cover[k], before=float(a["before"][k]), still=bool(a["still"][k]),
            )
            for k in range(len(a["t"]))
        )  # fmt: skip
    except (OSError, EOFError, BadZipFile, ValueError, KeyError, TypeError, IndexError) as e:
        raise BadInput(f"{path}: not detections that benchmarks.looked wrote: {e}") from e
    return Looked(board, frames)


def _head(path: Path) -> dict[str, Any]:
    try:
        with np.load(path, allow_pickle=False) as file:
            head: dict[str, Any] = json.loads(str(file["head"]))
            return head
    except (OSError, EOFError, BadZipFile, ValueError, KeyError) as e:
        raise BadInput(f"{path}: not detections that benchmarks.looked wrote: {e}") from e
