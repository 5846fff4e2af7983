"""`carromeye review`: a video in, a folder with everything about the match out."""

from __future__ import annotations

from pathlib import Path

from carromeye.corners import parse_corners
from carromeye.pipeline import review
from carromeye.players import parse_players
from models.detector.contract import WEIGHTS
from models.stroke_log import read_log
from reports.terminal import print_scoresheet


def run(
    video: Path,
    out: Path,
    laws: str,
    players: str | None,
    start: Path | None,
    corners: str | None = None,
    weights: Path | None = None,
) -> None:
    """Review a video, print the score sheet and say where the files are.

    Raises
    ------
    BadInput
        If an argument cannot be used; see `carromeye.pipeline.review`.
    KeyboardInterrupt
        If the user stopped it, once what is finished has been written.
    """
    named = parse_players(players) if players else ()
    given = read_log(start) if start is not None else None
    by_hand = parse_corners(corners) if corners is not None else None
    done = review(video, out, laws, named, given, by_hand, weights or WEIGHTS)
    print_scoresheet(done.record.log(), done.record.rulings(), {"laws": done.record.laws_facts()})
    for warning in done.warnings():
        print(f"note: {warning}")
    print(f"\nwritten to {out}: {', '.join(sorted(p.name for p in out.iterdir() if not p.name.startswith('.')))}")
    if done.interrupted:
        raise KeyboardInterrupt
