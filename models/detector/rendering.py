"""Crops rendered by worker processes beside the training, so that no core waits."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import Final

from models.detector.crops import render

POLL_S: Final = 0.2


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Rendering:
    """The shards of a training set, rendered in order where they are missing.

    Parameters
    ----------
    folder : Path
        Where the shards are; those that are there are not made again.
    shards, size, seed : int
        How many, of how many crops, of which seed.
    workers : int
        Processes; with 0 a shard is rendered when it is asked for.
    """

    def __init__(self, folder: Path, shards: int, size: int, seed: int, workers: int) -> None:
        self._folder, self._size, self._seed = folder, size, seed
        missing = [i for i in range(shards) if not self._path(i).is_dir()]
        # A fresh interpreter for each: what is forked from a process with threads may hang.
        context = multiprocessing.get_context("spawn")
        self._workers: list[BaseProcess] = [
            context.Process(target=_work, args=(folder, missing[k::workers], size, seed), daemon=True)
            for k in range(min(workers, len(missing)))
        ]

    def __enter__(self) -> Rendering:
        with _interrupts_held():
            for worker in self._workers:
                worker.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for worker in self._workers:
            worker.terminate()
            worker.join()

    def busy(self) -> int:
        """How many workers still render."""
        return sum(worker.is_alive() for worker in self._workers)

    def shard(self, index: int) -> Path:
        """The folder of a shard, once it is there."""
        path = self._path(index)
        while not path.is_dir() and self.busy():
            time.sleep(POLL_S)
        if not path.is_dir():  # its worker has gone: whatever stopped it is met here and told
            render(self._folder, self._seed, [index], self._size)
        return path

    def _path(self, index: int) -> Path:
        return self._folder / f"{index:05}"


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C comes once the block has ended, and never to the processes started in it, which their parent ends."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(number: int, frame: object) -> None:
    """Asked to end, remove what is half rendered."""
    raise SystemExit


def _work(folder: Path, which: list[int], size: int, seed: int) -> None:
    """Render shards in a process of their own, as long as the one that asked for them lives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in `_interrupts_held`, for systems on which nothing is held
    signal.signal(signal.SIGTERM, _end)
    parent = multiprocessing.parent_process()
    with suppress(Exception):  # the parent renders what is missing itself, and meets the same trouble
        for i in which:
            if parent is None or not parent.is_alive():
                return
            render(folder, seed, [i], size)
