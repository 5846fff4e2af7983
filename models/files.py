"""Files written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from models.errors import BadInput


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary name beside `path`, renamed to it once the block ends well and removed if it does not.

    Raises
    ------
    BadInput
        If the folder cannot be written to.
    """
    part = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        yield part
        part.replace(path)
    except OSError as e:
        if isinstance(e, FileNotFoundError | PermissionError | NotADirectoryError | IsADirectoryError):
            raise BadInput(f"cannot write {path}: {e.strerror or e}") from e
        raise
    finally:
        with suppress(OSError):
            part.unlink()


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8, whole or not at all."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8")


def output_folder(path: Path) -> Path:
    """Make the folder `path` (and its parents) and show that it can be written to.

    Raises
    ------
    BadInput
        If it is a file, or cannot be made or written to.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".carromeye-probe"
        probe.touch()
        probe.unlink()
    except OSError as e:
        raise BadInput(f"cannot write to folder {path}: {e.strerror or e}") from e
    return path
