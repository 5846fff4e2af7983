"""`carromeye label`: frames with our detections, to be corrected by a person in a labelling tool."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from carromeye.cut_short import cut_short
from carromeye.labelled import Eye
from carromeye.labelling import SHARES, Frame, choose, frames_of_pictures, frames_of_video, write
from carromeye.progress import step
from models.detector.contract import WEIGHTS
from models.errors import BadInput
from models.files import output_folder
from reports.words import plural
from vision.picture import is_picture
from vision.video import video_info


def run(source: Path, out: Path, number: int, weights: Path | None) -> None:
    """Export varied boards of a video, a picture or a folder of pictures, with what is found on them, into a new folder.

    Raises
    ------
    BadInput
        If the source cannot be read or shows no board, or `out` holds anything: corrected labels are never written over.
    """
    if number < 1:
        raise BadInput("--frames: at least 1")
    if out.is_file():
        raise BadInput(f"{out} is a file; a new folder is made: name another")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput(f"{out} is not an empty folder; labels that somebody corrected are never written over: name another")
    eye = Eye(weights or WEIGHTS)
    frames, without, note = (*_pictures(source, eye), None) if source.is_dir() or is_picture(source) else _video(source, eye, number)
    if not frames:
        raise BadInput(_nothing_in(source, without) if source.is_dir() else without[0])
    chosen = choose(frames, number)
    _write_whole(out, chosen)
    kinds = Counter(f.kind for f in chosen)
    print(f"{plural(len(chosen), 'board')} ({', '.join(f'{kinds[k]} {k}' for k in SHARES if kinds[k])}) written to {out}")
    for line in without:
        print(f"left out: {line}")
    if note:
        print(f"note: {note}")
    print(f"Correct the labels (docs/detector.md), then: carromeye fine-tune {out}")


def _pictures(source: Path, eye: Eye) -> tuple[list[Frame], list[str]]:
    if not source.is_dir():
        return frames_of_pictures([source], eye, lambda _: None)
    pictures = sorted(p for p in source.iterdir() if p.is_file() and is_picture(p))
    with step("Finding boards", len(pictures)) as show:
        return frames_of_pictures(pictures, eye, show)


def _nothing_in(folder: Path, without: Sequence[str]) -> str:
    if not without:
        return f"{folder}: there is no picture in it"
    return f"{folder}: no board to label in {plural(len(without), 'picture')}, such as: {without[0]}"


def _video(source: Path, eye: Eye, number: int) -> tuple[list[Frame], list[str], str | None]:
    info, reached = video_info(source), 0.0
    with step("Looking for varied frames", info.duration) as show:

        def tell(t: float) -> None:
            nonlocal reached
            reached = t
            show(t)

        frames = frames_of_video(source, eye, number, tell)
    return frames, [], cut_short(info, reached)


def _write_whole(out: Path, chosen: list[Frame]) -> None:
    """Everything or nothing: the folder appears once it is whole."""
    target = out.resolve()
    output_folder(target.parent)
    part = target.with_name(f".{target.name}-{os.getpid()}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        part.mkdir()
        write(part, chosen)
        with suppress(FileNotFoundError):
            target.rmdir()
        part.replace(target)
    except OSError as e:
        raise BadInput(f"cannot write to folder {out}: {e.strerror or e}") from e
    finally:
        shutil.rmtree(part, ignore_errors=True)
