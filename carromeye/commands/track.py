"""`carromeye track`: the watching part of a review, for programs: strokes, rulings and trajectories, without reports."""

from __future__ import annotations

from pathlib import Path

from carromeye.corners import parse_corners
from carromeye.pipeline import track
from carromeye.players import parse_players
from carromeye.trajectories import read_frames
from models.detector.contract import WEIGHTS
from models.errors import BadInput
from models.files import refuse_same
from reports.words import plural
from tracking.mot import SUFFIXES, write_mot


def run(
    video: Path,
    out: Path,
    laws: str,
    players: str | None,
    corners: str | None = None,
    weights: Path | None = None,
    mot: Path | None = None,
) -> None:
    """Track a video and say where the files are.

    Parameters
    ----------
    mot : Path, optional
        Where the trajectories are written as MOT text too.

    Raises
    ------
    BadInput
        If an argument cannot be used; see `carromeye.pipeline.track`.
    KeyboardInterrupt
        If the user stopped it, once what is finished has been written.
    """
    named = parse_players(players) if players else ()
    by_hand = parse_corners(corners) if corners is not None else None
    if mot is not None:
        _check(mot, video, out)
    done = track(video, out, laws, named, by_hand, weights or WEIGHTS)
    if mot is not None:
        write_mot(mot, (row for _, rows in read_frames(out / "trajectories.parquet") for row in rows), done.scene.calibration.board)
    print(plural(done.record.strokes, "stroke"))
    for warning in done.warnings():
        print(f"note: {warning}")
    files = sorted(p.name for p in out.iterdir() if not p.name.startswith("."))
    print(f"written to {out}: {', '.join(files)}{'' if mot is None else f'; {mot}'}")
    if done.interrupted:
        raise KeyboardInterrupt


def _check(mot: Path, video: Path, out: Path) -> None:
    """Refuse a file that could not be written once the work is done."""
    if mot.suffix.lower() not in SUFFIXES:
        raise BadInput(f"--mot {mot}: name a file that ends in {' or '.join(SUFFIXES)}")
    if mot.is_dir() or not (mot.parent.is_dir() or mot.parent == out):
        raise BadInput(f"--mot {mot}: {'it is a folder' if mot.is_dir() else f'there is no folder {mot.parent}'}; name a file")
    refuse_same(video, mot)
