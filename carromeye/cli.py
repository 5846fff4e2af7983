"""The command line. Each command's work is imported when it is called, so that the program starts at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from models.errors import BadInput

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help="Watches a carrom match from above and rules on it.")

Out = Annotated[Path, typer.Option("-o", "--out", help="Where to write.")]


@app.command()
def rule(
    log: Annotated[Path, typer.Argument(help="A stroke log (JSON).")],
    json: Annotated[bool, typer.Option("--json", help="Print the rulings as JSON.")] = False,
    laws: Annotated[str | None, typer.Option(help="Law book instead of the log's own.")] = None,
) -> None:
    """Rule on a stroke log."""
    from carromeye.commands.rule import run

    run(log, json, laws)


@app.command()
def detect(
    image: Annotated[Path, typer.Argument(help="A picture of a board from above.")],
    json: Annotated[bool, typer.Option("--json", help="Print corners and pieces as JSON.")] = False,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Write the annotated picture here.")] = None,
) -> None:
    """Find the board and the pieces in one picture."""
    from carromeye.commands.detect import run

    run(image, json, out)


@app.command()
def calibrate(
    video: Annotated[Path, typer.Argument(help="A video or a picture.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="The picture that shows what was found.")] = Path("calibration.png"),
) -> None:
    """Find the board and draw what was found."""
    from carromeye.commands.calibrate import run

    run(video, out)


@app.command()
def simulate(
    out: Out,
    boards: Annotated[int, typer.Option(min=1, help="Boards to play.")] = 1,
    seed: Annotated[int, typer.Option(help="The same seed gives the same match.")] = 0,
) -> None:
    """Play and film a synthetic match: a video and its truth."""
    from carromeye.commands.simulate import run

    run(out, boards, seed)


@app.command()
def review(
    video: Annotated[Path, typer.Argument(help="An overhead video of a board.")],
    out: Out,
    laws: Annotated[str, typer.Option(help="Law book.")] = "icf",
    players: Annotated[str | None, typer.Option(help='Who sits where: "south=Asha,north=Bina".')] = None,
    start: Annotated[Path | None, typer.Option(help="A stroke log whose first board's start tells how the video begins.")] = None,
) -> None:
    """Review a video: strokes, rulings, score sheet, annotated video."""
    from carromeye.commands.review import run

    run(video, out, laws, players, start)


def main() -> None:
    """Run the command line; bad input gives one line and exit code 2."""
    try:
        app()
    except BadInput as e:
        print(f"carromeye: {e}", file=sys.stderr)
        sys.exit(2)
