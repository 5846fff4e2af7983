"""`carromeye simulate`: play and film a synthetic match."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from models.scene.film import film_match


def run(out: Path, boards: int, seed: int) -> None:
    """Write `clip.mp4` and `truth.json` to the folder `out`."""
    columns = (
        TextColumn("[progress.description]{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f}%"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("filming", total=1.0)
        film_match(out, boards, seed, progress=lambda done: bar.update(task, completed=done))
    print(f"{out / 'clip.mp4'}\n{out / 'truth.json'}")
