"""How large the base install is: a fresh environment, the package and what it needs, megabytes by package.

    python benchmarks/install_size.py [--limit MB] [--keep FOLDER]

Prints what is downloaded, what lies on the disk, and what Python adds at the first start (the byte code of what a review imports).
Fails if a training tool came along or the packages take more than the limit.
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
MB: Final = 1e6
TRAINING_TOOLS: Final = {"torch", "torchvision", "ultralytics", "onnx"}
EVERYTHING_A_REVIEW_IMPORTS: Final = (
    "import importlib, pkgutil\n"
    "for name in ('carromeye', 'vision', 'tracking', 'referee', 'reports'):\n"
    "    package = importlib.import_module(name)\n"
    "    for module in pkgutil.walk_packages(package.__path__, name + '.'):\n"
    "        if not module.name.endswith('__main__'): importlib.import_module(module.name)\n"
)


def tree_bytes(folder: Path, pattern: str = "*") -> int:
    """Bytes of the files under a folder that match; links are not followed."""
    return sum(path.lstat().st_size for path in folder.rglob(pattern) if path.is_file() and not path.is_symlink())


def package_bytes(site: Path) -> dict[str, int]:
    """Bytes of every installed distribution, by name, from its list of files."""
    sizes = {}
    for record in site.glob("*.dist-info/RECORD"):
        with record.open(newline="", encoding="utf-8") as lines:
            files = [site / row[0] for row in csv.reader(lines) if not row[0].endswith(".pyc")]
        sizes[record.parent.name.split("-")[0]] = sum(file.stat().st_size for file in files if file.is_file())
    return sizes


def measure(folder: Path, limit: float | None) -> int:
    """Install into `folder`, print the table, give the exit code."""
    wheels, home = folder / "wheels", folder / "env"
    venv.create(home, with_pip=True, clear=True)
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "-qq"]
    source = folder / "source"  # a copy, so that no build folder is left behind or found
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__", "demo", "out"))
    subprocess.run([*pip, "wheel", "--wheel-dir", str(wheels), str(source)], check=True)
    subprocess.run([*pip, "install", "--no-compile", "--no-index", "--find-links", str(wheels), "carromeye"], check=True)
    site = Path(
        subprocess.run([str(python), "-c", "import cv2; print(cv2.__path__[0])"], capture_output=True, text=True, check=True).stdout.strip()
    ).parent
    for compiled in home.rglob("*.pyc"):
        compiled.unlink()

    sizes = package_bytes(site)
    tools = sum(sizes.pop(name, 0) for name in ("pip", "setuptools"))
    total = sum(sizes.values())
    for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
        print(f"{size / MB:8.1f} MB  {name}")
    print(f"{total / MB:8.1f} MB  packages on disk")
    print(f"{tree_bytes(wheels, '*.whl') / MB:8.1f} MB  downloaded, with CarromEye's own wheel")
    print(f"{tools / MB:8.1f} MB  pip and setuptools, which a new environment has anyway")
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([str(python), "-c", EVERYTHING_A_REVIEW_IMPORTS], cwd=folder, env=environment, check=True)
    print(f"{tree_bytes(home, '*.pyc') / MB:8.1f} MB  byte code that Python adds at the first start")
    print(f"{tree_bytes(home) / MB:8.1f} MB  environment in all, after the first start")

    came_along = TRAINING_TOOLS & sizes.keys()
    if came_along:
        print(f"the base install must not bring {sorted(came_along)}", file=sys.stderr)
    if limit is not None and total / MB > limit:
        print(f"the packages take {total / MB:.0f} MB, more than {limit:.0f} MB", file=sys.stderr)
    return int(bool(came_along) or (limit is not None and total / MB > limit))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, help="fail above this many megabytes of packages")
    parser.add_argument("--keep", type=Path, help="leave the environment in this folder")
    given = parser.parse_args()
    if given.keep:
        return measure(given.keep, given.limit)
    with tempfile.TemporaryDirectory() as folder:
        return measure(Path(folder), given.limit)


if __name__ == "__main__":
    sys.exit(main())
