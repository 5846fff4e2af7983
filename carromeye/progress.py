"""Progress on the terminal: what is being done, how far it is, how long it will take."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

PIPED_EVERY: Final = 10
"""Where the output is no terminal a line is printed each time so many per cent more are done."""


class Step(Protocol):
    """Tells how far a step is."""

    def __call__(self, done: float, note: str = "") -> None: ...


@contextmanager
def step(what: str, total: float | None) -> Iterator[Step]:
    """Show the progress of one step on standard error.

    Parameters
    ----------
    total : float or None
        What `done` comes to at the end (seconds of video, say); None where it is not known.
    """
    if not sys.stderr.isatty():
        yield _piped(what, total)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=False) as bar:
        task = bar.add_task(what, total=total, note="")

        def show(done: float, note: str = "") -> None:
            bar.update(task, completed=done, note=note)

        yield show
        if total is not None:
            bar.update(task, completed=total)


def _piped(what: str, total: float | None) -> Step:
    print(f"{what} ...", file=sys.stderr, flush=True)
    last = 0

    def show(done: float, note: str = "") -> None:
        nonlocal last
        part = int(100 * done / total) // PIPED_EVERY * PIPED_EVERY if total else 0
        if part > last:
            last = part
            print(f"{what}: {min(part, 100)} % {note}".rstrip(), file=sys.stderr, flush=True)

    return show
