"""What every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED_VARIABLE = "CARROMEYE_SHARED"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real photographs, clips and cases that does not travel with the repository; skips the test without it."""
    folder = Path(os.environ.get(SHARED_VARIABLE) or ROOT.parent / "shared")
    if not (folder / "real").is_dir():
        pytest.skip(f"no shared material: neither {SHARED_VARIABLE} nor the folder beside the checkout has it")
    return folder
