"""Files are written whole or not at all, and through symbolic links."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from models.errors import BadInput
from models.files import LEFT_S, filling, replacing, write_text


def link(path: Path, target: Path | str) -> Path:
    try:
        path.symlink_to(target)
    except OSError:
        pytest.skip("this account may make no symbolic links")
    return path


def listed(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_a_block_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("earlier")
    with pytest.raises(RuntimeError), replacing(path) as part:
        part.write_text("half")
        raise RuntimeError
    assert path.read_text() == "earlier"
    assert listed(tmp_path) == ["a.txt"]


def test_a_full_disk_is_told_with_the_name_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"No space left on device: .*a\.txt") as told, replacing(tmp_path / "a.txt") as part:
        part.write_text("half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # as writing to an open file fails: no file is named
    assert told.value.errno == errno.ENOSPC
    assert listed(tmp_path) == []


def test_what_a_killed_process_left_of_the_same_file_goes_after_a_day(tmp_path: Path) -> None:
    now = time.time()
    old = dict.fromkeys((".a-71.part.txt", ".a-72.part.csv", ".ab-73.part.txt", ".a-x.part.txt", "a-74.part.txt"), now - LEFT_S - 60)
    for name, changed in {**old, ".a-75.part.txt": now - LEFT_S + 600}.items():
        (tmp_path / name).write_text("half")
        os.utime(tmp_path / name, (changed, changed))
    write_text(tmp_path / "a.txt", "new")
    assert listed(tmp_path) == sorted([*old.keys() - {".a-71.part.txt"}, ".a-75.part.txt", "a.txt"])


@pytest.mark.parametrize("there", [True, False])
def test_a_symbolic_link_stays_and_what_it_names_is_written(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "far"
    folder.mkdir()
    if there:
        (folder / "real.txt").write_text("earlier")
    (tmp_path / "near").mkdir()
    second = link(tmp_path / "second", Path("far") / "real.txt")
    first = link(tmp_path / "near" / "first.txt", Path("..") / "second")
    write_text(first, "new")
    assert (folder / "real.txt").read_text() == "new"
    assert first.is_symlink() and second.is_symlink() and not (folder / "real.txt").is_symlink()
    assert listed(tmp_path) == ["far", "near", "second"] and listed(folder) == ["real.txt"] and listed(tmp_path / "near") == ["first.txt"]


def test_a_link_into_no_folder_or_in_a_circle_or_to_a_folder_is_refused(tmp_path: Path) -> None:
    for name, target, says in (("a", "nowhere/real.txt", "No such file"), ("b", "b", "in a circle"), ("c", ".", "is a folder")):
        path = link(tmp_path / name, target)
        with pytest.raises(BadInput, match=f"cannot write .*{name}.*{says}" if os.name != "nt" else "cannot write"):
            write_text(path, "new")
        assert path.is_symlink()
    assert listed(tmp_path) == ["a", "b", "c"]


def test_a_folder_made_for_nothing_goes_again(tmp_path: Path) -> None:
    for name, content in (("new", False), ("begun", True), ("there", False)):
        if name == "there":
            (tmp_path / name).mkdir()
        with pytest.raises(KeyboardInterrupt), filling(tmp_path / name) as folder:
            if content:
                (folder / "a.txt").write_text("done")
            raise KeyboardInterrupt
    with filling(tmp_path / "empty"):
        pass
    assert listed(tmp_path) == ["begun", "empty", "there"]
    for below in (".", "deeper"):
        with pytest.raises(BadInput, match=r"a\.txt is a file"), filling(tmp_path / "begun" / "a.txt" / below):
            pass
