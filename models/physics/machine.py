"""The compiled core as an object: numbers in, numbers out.

The core is C (models/physics/core), compiled once to WebAssembly and run by wasmtime: it starts in a twentieth of a
second where a just-in-time compiler takes half a minute, weighs a seventh of one, needs no compiler on the user's
machine, and computes the same bits on every one, as WebAssembly's arithmetic is defined to the last bit.
"""

from __future__ import annotations

import atexit
import ctypes
import threading
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from wasmtime import Engine, Module

Array = NDArray[np.float64]

WASM: Final = Path(__file__).parent / "core" / "core.wasm"
HEAD: Final = 15
"""Numbers of a stroke's board."""
PER_DISC: Final = 11
EVENT: Final = 6
ROW: Final = 7
MAX_DISCS: Final = 64


class Machine:
    """One instance of the core with a memory of its own; not to be used by two threads at a time."""

    def __init__(self) -> None:
        from wasmtime import Func, Instance, Memory, Store  # slow to import, and most commands never simulate

        engine, module = _module()
        self._store = Store(engine)
        exports = Instance(self._store, module, []).exports(self._store)
        functions = {name: f for name in ("simulate", "sample", "block", "block_size") if isinstance(f := exports[name], Func)}
        memory = exports["memory"]
        assert len(functions) == 4 and isinstance(memory, Memory)
        self._functions = functions
        begin, size = int(functions["block"](self._store)), int(functions["block_size"](self._store))
        base = ctypes.cast(memory.data_ptr(self._store), ctypes.c_void_p).value or 0
        self.block: Array = np.ctypeslib.as_array((ctypes.c_double * size).from_address(base + begin))
        """The core's memory for what goes in and out; it lives as long as this object."""

    def simulate(self, stroke: Array, discs: int) -> tuple[Array, Array, float, int]:
        """Run one stroke of `HEAD` + `PER_DISC` * discs numbers.

        Gives events, shape (E, 6), rows, shape (R, 7), duration (s), and 0 if all went well.
        """
        self.block[: len(stroke)] = stroke
        failed = int(self._functions["simulate"](self._store, discs))
        events, rows = int(self.block[0]), int(self.block[1])
        table = self.block[3 : 3 + EVENT * events + ROW * rows].copy()
        return table[: EVENT * events].reshape(-1, EVENT), table[EVENT * events :].reshape(-1, ROW), float(self.block[2]), failed

    def sample(self, strokes: Array, discs: int, times: Array) -> tuple[Array, int]:
        """Places at `times`, shape (T,) or (B, T), of strokes, shape (B, HEAD + PER_DISC * discs).

        Gives the places, shape (B, T, discs, 2), and 0 if all went well.
        """
        count, moments = len(strokes), times.shape[-1]
        numbers = np.concatenate([strokes.ravel(), times.ravel()])
        self.block[: len(numbers)] = numbers
        failed = int(self._functions["sample"](self._store, count, discs, moments, int(times.ndim == 2)))
        found = self.block[len(numbers) : len(numbers) + count * moments * discs * 2]
        return found.reshape(count, moments, discs, 2).copy(), failed

    def most_strokes(self, discs: int, moments: int) -> int:
        """How many strokes `sample` takes at once."""
        return (len(self.block) - moments) // (HEAD + PER_DISC * discs + moments * (1 + 2 * discs))


@cache
def _module() -> tuple[Engine, Module]:
    from wasmtime import Engine, Module

    engine = Engine()
    return engine, Module.from_file(engine, str(WASM))


_of_thread = threading.local()


def machine() -> Machine:
    """This thread's machine."""
    if not hasattr(_of_thread, "machine"):
        _of_thread.machine = Machine()
    found: Machine = _of_thread.machine
    return found


@atexit.register
def _let_go() -> None:
    """Before the interpreter takes down what wasmtime's objects need to go."""
    _of_thread.__dict__.clear()
    _module.cache_clear()
