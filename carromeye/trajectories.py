"""trajectories.parquet: written and read in chunks, so that a long match needs no more memory than a short one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

import pandas as pd
from fastparquet import ParquetFile, write

from models.errors import BadInput
from models.files import part_of, written_to
from models.homography import Homography
from tracking.table import COLUMNS, Row, corrected

CHUNK: Final = 50_000
"""Rows of one row group."""


class TrajectoryWriter:
    """Collects rows and writes them, a row group at a time, under a temporary name until `close`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._target = written_to(path)
        self._part = part_of(self._target)
        self._part.unlink(missing_ok=True)
        self._rows: list[Row] = []

    def add(self, rows: Sequence[Row]) -> None:
        """Take in rows in order of time."""
        self._rows += rows
        if len(self._rows) >= CHUNK:
            self._flush()

    def _flush(self) -> None:
        try:
            self._write(self._part, pd.DataFrame({c: [getattr(r, c) for r in self._rows] for c in COLUMNS}))
        except OSError as e:
            raise BadInput(f"cannot write {self.path}: {e.strerror or e}") from e
        self._rows = []

    @staticmethod
    def _write(path: Path, table: pd.DataFrame) -> None:
        table = table.round(dict.fromkeys(("x", "y", "vx", "vy"), 2))
        write(str(path), table, compression="SNAPPY", append=path.exists(), write_index=False, stats=False)

    def correct(self, correction: Homography, side: float) -> None:
        """Put all that was written where it is by a correction of the calibration; on a board with `side` mm. Whole or not at all."""
        if self._rows or not self._part.exists():
            self._flush()
        other = part_of(self._part)
        other.unlink(missing_ok=True)
        try:
            for table in ParquetFile(str(self._part)).iter_row_groups():
                self._write(other, corrected(table, correction, side))
            if other.exists():
                other.replace(self._part)
        except OSError as e:
            raise BadInput(f"cannot write {self.path}: {e.strerror or e}") from e
        finally:
            other.unlink(missing_ok=True)

    def close(self, keep: bool = True) -> None:
        """Give the file its name, or leave nothing."""
        try:
            if keep:
                if self._rows or not self._part.exists():
                    self._flush()
                self._part.replace(self._target)
        except OSError as e:
            raise BadInput(f"cannot write {self.path}: {e.strerror or e}") from e
        finally:
            self._part.unlink(missing_ok=True)


def read_frames(path: Path) -> Iterator[tuple[float, list[Row]]]:
    """The rows of each processed frame, in order of time."""
    rows = (
        Row(*values)
        for group in ParquetFile(str(path)).iter_row_groups()
        for values in group[list(COLUMNS)].itertuples(index=False, name=None)
    )
    for t, own in groupby(rows, key=lambda r: r.t):
        yield t, list(own)
