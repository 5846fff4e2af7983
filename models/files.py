"""Files read with care and written whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from models.errors import BadInput

NAME_TROUBLE: Final = frozenset(
    {
        errno.ENOENT,
        errno.EACCES,
        errno.EPERM,
        errno.ENOTDIR,
        errno.EISDIR,
        errno.ENAMETOOLONG,
        errno.ELOOP,
        errno.ENOTEMPTY,
        errno.EEXIST,
        errno.EROFS,
    }
)
"""What is wrong with a name or a folder that the user gave."""

PICTURES: Final = frozenset({".png", ".jpg", ".jpeg", ".jpe", ".bmp", ".tif", ".tiff", ".webp", ".pgm", ".ppm"})
"""Files with these endings are read as still pictures."""

LEFT_S: Final = 86_400.0
"""Nobody writes any longer to a temporary file that has not been changed for so long (s)."""
_STEM: Final = 60
"""Letters of a name that its temporary name takes over: a name may have 255 bytes."""


def written_to(path: Path) -> Path:
    """Where what is written to `path` goes: itself, or what a symbolic link names, whether it is there yet or not.

    Raises
    ------
    BadInput
        If links lead in a circle.
    """
    if not path.is_symlink():
        return path
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise BadInput(f"cannot write {path}: it is a symbolic link that leads in a circle")
    return target


def part_of(path: Path) -> Path:
    """The temporary name beside `path` under which this process writes it; what a killed one left there over a day ago is removed."""
    stem, suffix = path.stem[:_STEM], path.suffix[:_STEM]
    left = re.compile(rf"\.{re.escape(stem)}-\d+\.part{re.escape(suffix)}")
    with suppress(OSError):
        for other in [p for p in path.parent.iterdir() if left.fullmatch(p.name)]:
            told = other.lstat()
            if stat.S_ISREG(told.st_mode) and told.st_mtime < time.time() - LEFT_S:
                other.unlink()
    return path.with_name(f".{stem}-{os.getpid()}.part{suffix}")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary name beside `path`, renamed to it once the block ends well and removed if it does not.

    A symbolic link stays: what it names is replaced (`written_to`).

    Raises
    ------
    BadInput
        If the folder cannot be written to.
    """
    if not path.name or (path.exists() and not path.is_file()):
        raise BadInput(f"cannot write {path}: it is a folder or no ordinary file; name a file")
    target = written_to(path)
    part = part_of(target)
    try:
        yield part
        part.replace(target)
    except OSError as e:
        if e.errno in NAME_TROUBLE:
            raise BadInput(f"cannot write {path}: {e.strerror or e}") from e
        if e.filename is None:  # writing to an open file fails without its name
            e.filename = str(path)
        raise
    finally:
        with suppress(OSError):
            part.unlink()


def read_bytes(path: Path, most: int) -> bytes:
    """The content of an ordinary file of no more than `most` bytes; a pipe would be waited for, a device never ends.

    Raises
    ------
    BadInput
        If there is no such file, or it cannot be read, is something else, or is larger.
    """
    try:
        if not path.is_file():
            path.stat()
            raise BadInput(f"cannot read {path}: it is a folder or no ordinary file")
        with path.open("rb") as file:
            raw = file.read(most + 1)
    except OSError as e:
        raise BadInput(f"cannot read {path}: {e.strerror or e}") from e
    if len(raw) > most:
        raise BadInput(f"cannot read {path}: more than {most} bytes")
    return raw


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8, whole or not at all."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8")


def refuse_same(source: Path, target: Path) -> None:
    """Refuse to write over the file that is read.

    Raises
    ------
    BadInput
        If both names are of one file.
    """
    with suppress(OSError):
        if target.exists() and target.samefile(source):
            raise BadInput(f"{target} is the input itself and would be overwritten; name another place")


def output_folder(path: Path) -> Path:
    """Make the folder `path` (and its parents) and show that it can be written to.

    Raises
    ------
    BadInput
        If it or what it lies in is a file, or it cannot be made or written to.
    """
    for place in (path, *path.parents):
        if place.exists() and not place.is_dir():
            raise BadInput(f"{place} is a file; a folder to write into is needed: name another")
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".carromeye-probe"
        probe.touch()
        probe.unlink()
    except OSError as e:
        raise BadInput(f"cannot write to folder {path}: {e.strerror or e}") from e
    return path


@contextmanager
def filling(path: Path) -> Iterator[Path]:
    """`output_folder` for a block; a folder that was made for it goes again if the block ends badly and has left nothing there.

    Raises
    ------
    BadInput
        As `output_folder` does.
    """
    new = not path.exists()
    output_folder(path)
    try:
        yield path
    except BaseException:
        if new:
            with suppress(OSError):
                path.rmdir()
        raise
