"""The command line's part for the detector: train, fine-tune, label, evaluate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Weights = Annotated[Path | None, typer.Option(help="A detector of your own (.onnx) instead of the one that comes with the program.")]
Device = Annotated[str, typer.Option(help="auto, cpu or cuda.")]


def add_commands(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(train)
    app.command()(evaluate)
    app.command()(label)
    app.command("fine-tune")(fine_tune)


def train(
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Where crops, state, weights and figures go.", show_default="runs/detector")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Settles every board that is rendered.", show_default="1")] = None,
    crops: Annotated[int | None, typer.Option(help="Pieces of boards to render.", show_default="40000")] = None,
    epochs: Annotated[int | None, typer.Option(help="How often each is learnt from.", show_default="3")] = None,
    minutes: Annotated[float | None, typer.Option(help="End after so many minutes of learning; waiting for crops does not count.")] = None,
    device: Device = "auto",
    smoke: Annotated[bool, typer.Option("--smoke", help="A very small training, to see that everything works.")] = False,
) -> None:
    """Train the detector anew (extra: train)."""
    from carromeye.commands.train import run

    run(out, seed, crops, epochs, minutes, device, smoke)


def evaluate(
    truth: Annotated[
        Path | None, typer.Argument(metavar="TRUTH", help="A film's truth.json, or MOT text: tracks are measured, not a detector.")
    ] = None,
    tracks: Annotated[
        Path | None, typer.Argument(metavar="OUT", help="The folder of a review or of `carromeye track`, or MOT text.")
    ] = None,
    weights: Weights = None,
    boards: Annotated[int | None, typer.Option(help="Rendered boards to measure on.", show_default="120")] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="First style of these boards; no training uses those from the default on.", show_default="900001"),
    ] = None,
    data: Annotated[Path | None, typer.Option(help="A folder of labelled pictures instead.")] = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Write figures and pictures of the worst boards here.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Print every figure, and by condition; of tracks also every fault.")] = False,
) -> None:
    """Measure a detector, on rendered boards or labelled pictures; or (TRUTH OUT) strokes and tracks against what truly happened."""
    if truth is None:
        from carromeye.commands.evaluate import BOARDS, SEED, run

        run(weights, BOARDS if boards is None else boards, SEED if seed is None else seed, data, out, json, full)
        return
    from carromeye.commands import evaluate_tracks

    given = {"--weights": weights, "--boards": boards, "--seed": seed, "--data": data, "--out": out}
    evaluate_tracks.run(truth, tracks, json, full, [name for name, value in given.items() if value is not None])


def fine_tune(
    folder: Annotated[Path, typer.Argument(help="Labelled pictures: what `carromeye label` exported, corrected, or another YOLO folder.")],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Where weights, figures and crops go.", show_default="runs/fine-tune")
    ] = None,
    weights: Annotated[Path | None, typer.Option(help="Start from these weights of this network instead of the program's.")] = None,
    seed: Annotated[int, typer.Option(help="Settles what is held out, shown and rendered.")] = 1,
    minutes: Annotated[float | None, typer.Option(help="End so many minutes after the first step; what came before was rendering.")] = None,
    device: Device = "auto",
) -> None:
    """Train the detector on with your own labelled boards (extra: train)."""
    from carromeye.commands.fine_tune import run

    run(folder, out, weights, seed, minutes, device)


def label(
    source: Annotated[Path, typer.Argument(metavar="VIDEO", help="A video, a picture, or a folder of pictures.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="A new folder.")] = Path("labels"),
    frames: Annotated[int, typer.Option(help="Frames to export.")] = 40,
    weights: Weights = None,
) -> None:
    """Export varied frames with what is found on them, to be corrected (YOLO, CVAT)."""
    from carromeye.commands.label import run

    run(source, out, frames, weights)
