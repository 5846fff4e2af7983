"""Compile the core: `python -m models.physics.core.build [--check]` writes core.wasm, or says whether it is what the sources give.

Needs the package `ziglang` (extra `dev`), a C compiler that brings its own everything; users run the committed file.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
TARGET: Final = HERE / "core.wasm"
SOURCES: Final = ("roots.c", "motion.c", "touch.c", "engine.c", "exports.c")
# No fast-math and no fused operations: every machine computes the same bits.
FLAGS: Final = (
    "-target", "wasm32-freestanding", "-std=c11", "-O2", "-ffp-contract=off", "-mbulk-memory", "-flto",
    "-Wall", "-Wextra", "-Werror", "-nostdlib", "-Wl,--no-entry", "-Wl,--strip-all", "-Wl,-z,stack-size=65536",
)  # fmt: skip


def compile_core() -> bytes:
    """The compiled core."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "core.wasm"
        subprocess.run([sys.executable, "-m", "ziglang", "cc", *FLAGS, "-o", str(out), *SOURCES], cwd=HERE, check=True)
        return out.read_bytes()


def main() -> int:
    """Compile, and write or compare; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if core.wasm is not what the sources give")
    built = compile_core()
    if not parser.parse_args().check:
        TARGET.write_bytes(built)
        print(f"{TARGET}: {len(built)} bytes")
        return 0
    same = TARGET.read_bytes() == built
    print("core.wasm is what the sources give" if same else "core.wasm is not what the sources give: python -m models.physics.core.build")
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
