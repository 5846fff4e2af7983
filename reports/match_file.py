"""`match.json`: what a review needs to be opened again."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.errors import BadInput
from models.files import write_text

FORMAT: Final = "carromeye-match/1"
REQUIRED: Final = ("video", "calibration", "equipment", "laws", "versions", "timings", "warnings")
"""What every match file holds; more is kept as it is given."""
_BLOCK: Final = 1 << 20
"""Bytes read at a time."""


def sha256(path: Path) -> str:
    """SHA-256 of a file as 64 hexadecimal digits, read in blocks.

    Raises
    ------
    BadInput
        If the file cannot be read.
    """
    digest = hashlib.sha256()
    try:
        with path.open("rb") as f:
            while block := f.read(_BLOCK):
                digest.update(block)
    except OSError as e:
        raise BadInput(f"cannot read {path}: {e.strerror or e}") from e
    return digest.hexdigest()


def video_facts(path: Path, **facts: Any) -> dict[str, Any]:
    """The `video` entry: absolute path, name, size (bytes) and hash, with whatever else is known of it."""
    digest = sha256(path)
    return {"path": _shown(path.resolve()), "name": _shown(Path(path.name)), "bytes": path.stat().st_size, "sha256": digest, **facts}


def _shown(path: Path) -> str:
    """A path as text that UTF-8 can hold: old disks have names that are not."""
    return str(path).encode("utf-8", "replace").decode("utf-8")


def write_match(out_dir: Path, meta: Mapping[str, Any]) -> Path:
    """Write `match.json` into `out_dir`.

    Parameters
    ----------
    meta : mapping
        `video` (see `video_facts`), `calibration` (corners in px, confidence, reasons), `equipment`, `laws` (id, name),
        `versions`, `timings` (s by stage), `warnings` (sentences); arrays become lists, figures that are not finite null.

    Raises
    ------
    ValueError
        If one of `REQUIRED` is missing.
    BadInput
        If the folder cannot be written to.
    """
    missing = [k for k in REQUIRED if k not in meta]
    if missing:
        raise ValueError(f"match.json needs {', '.join(missing)}")
    path = out_dir / "match.json"
    text = json.dumps(plain({"format": FORMAT, **meta}), ensure_ascii=False, indent=1, allow_nan=False)
    write_text(path, text + "\n")
    return path


def plain(value: Any) -> Any:
    """`value` as what JSON knows: arrays and tuples as lists, paths as text, NaN and infinities as None."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(v) for v in value]
    if isinstance(value, Path):
        return _shown(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    return str(value)
