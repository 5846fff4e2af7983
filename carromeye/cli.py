"""The command line. Each command's work is imported when it is called, so that the program starts at once."""

from __future__ import annotations

import errno
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Annotated, Final, TextIO

import typer

from carromeye.cli_detector import Weights, add_commands
from models.errors import BadInput

app = typer.Typer(
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Watches a carrom match from above and rules on it.",
)

laws_app = typer.Typer(no_args_is_help=True, help="Law books: list them, copy one for house rules, look yours over.")
app.add_typer(laws_app, name="laws")

Out = Annotated[Path, typer.Option("-o", "--out", help="Where to write.")]
Corners = Annotated[
    str | None,
    typer.Option(help='The playing surface by hand, px: "x,y x,y x,y x,y" (upper left, upper right, lower right, lower left).'),
]

DONE: Final = 0
OUR_FAULT: Final = 1
BAD_INPUT: Final = 2
# As shells have them: 128 and the number of SIGINT; of SIGPIPE, when what reads our output has closed it, as `head` does.
INTERRUPTED: Final = 130
UNREAD: Final = 141

LONGEST: Final = 2000
"""Letters of a complaint: what a file says may be of any length."""
DEBUG_VARIABLE: Final = "CARROMEYE_DEBUG"
# The machine's troubles that no check of ours can foresee: neither the input's fault nor ours.
MACHINE_TROUBLE: Final = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.ENAMETOOLONG, errno.ELOOP}
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"carromeye {version('carromeye')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """What holds for every command."""


@app.command()
def rule(
    log: Annotated[Path, typer.Argument(help="A stroke log (JSON).")],
    json: Annotated[bool, typer.Option("--json", help="Print the rulings as JSON.")] = False,
    laws: Annotated[str | None, typer.Option(help="Law book instead of the log's own: its id or a file's path.")] = None,
    correct: Annotated[
        list[str] | None,
        typer.Option(help='Your word on an event: "board 1 event 14 pocketed=white,queen because=hand hid the queen". May be repeated.'),
    ] = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Write the corrected log here.")] = None,
    lang: Annotated[str, typer.Option(help="Language of the rulings: en, bg, fr, gu, hi, sk or ta.")] = "en",
    sheet: Annotated[Path | None, typer.Option(help="Write the score sheet (page and table) into this folder.")] = None,
) -> None:
    """Rule on a stroke log, as it is or corrected (--correct)."""
    from carromeye.commands.rule import run

    run(log, json, laws, correct or (), out, lang, sheet)


@app.command()
def detect(
    image: Annotated[Path, typer.Argument(help="A picture of a board from above.")],
    json: Annotated[bool, typer.Option("--json", help="Print corners and pieces as JSON.")] = False,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Write the annotated picture here.")] = None,
    corners: Corners = None,
    weights: Weights = None,
) -> None:
    """Find the board and the pieces in one picture."""
    from carromeye.commands.detect import run

    run(image, json, out, corners, weights)


@app.command()
def calibrate(
    video: Annotated[Path, typer.Argument(help="A video or a picture.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="The picture that shows what was found.")] = Path("calibration.png"),
    corners: Corners = None,
) -> None:
    """Find the board and draw what was found."""
    from carromeye.commands.calibrate import run

    run(video, out, corners)


@app.command()
def simulate(
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder of the film, or with --plot the picture's file.")] = None,
    boards: Annotated[int, typer.Option(min=1, help="Boards to play.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same match.")] = 0,
    stroke: Annotated[str | None, typer.Option(help='Try one stroke instead: "south x=370 angle=12 speed=2.1" (mm, degrees, m/s).')] = None,
    position: Annotated[Path | None, typer.Option(help="Where the pieces lie: a review's folder, truth.json, or a list.")] = None,
    before: Annotated[int | None, typer.Option(min=1, help="Before which stroke of --position; the end, if left out.")] = None,
    equipment: Annotated[str, typer.Option(help="Board and discs: icf, uk, bc, 22s or a TOML file.")] = "icf",
    plot: Annotated[bool, typer.Option("--plot", help="Draw the stroke (stroke.png, or -o FILE).")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print what happens as JSON.")] = False,
) -> None:
    """Play and film a synthetic match, or try one stroke (--stroke)."""
    if stroke is not None:
        from carromeye.commands import whatif

        whatif.run(stroke, position, before, equipment, plot, out, json)
        return
    if out is None:
        raise BadInput("give -o FOLDER for a film, or --stroke for one stroke")
    if position is not None or before is not None or plot or json or equipment != "icf":
        raise BadInput("--position, --before, --equipment, --plot and --json go with --stroke")
    from carromeye.commands.simulate import run

    run(out, boards, seed)


@app.command()
def review(
    video: Annotated[Path, typer.Argument(help="An overhead video of a board.")],
    out: Out,
    laws: Annotated[str, typer.Option(help="Law book: its id or a file's path.")] = "icf",
    players: Annotated[str | None, typer.Option(help='Who sits where: "south=Asha,north=Bina".')] = None,
    start: Annotated[Path | None, typer.Option(help="A stroke log whose first board's start tells how the video begins.")] = None,
    corners: Corners = None,
    weights: Weights = None,
) -> None:
    """Review a video: strokes, rulings, score sheet, annotated video."""
    from carromeye.commands.review import run

    run(video, out, laws, players, start, corners, weights)


@app.command()
def track(
    video: Annotated[Path, typer.Argument(help="An overhead video of a board.")],
    out: Out,
    laws: Annotated[str, typer.Option(help="Law book: its id or a file's path.")] = "icf",
    players: Annotated[str | None, typer.Option(help='Who sits where: "south=Asha,north=Bina".')] = None,
    corners: Corners = None,
    weights: Weights = None,
    mot: Annotated[Path | None, typer.Option(help="Write the trajectories as MOTChallenge text (board mm) here too.")] = None,
) -> None:
    """Strokes, rulings and trajectories of a video as files for programs, without reports."""
    from carromeye.commands.track import run

    run(video, out, laws, players, corners, weights, mot)


@laws_app.command("list")
def laws_list(json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False) -> None:
    """List the law books that come with the program."""
    from carromeye.commands.laws import run_list

    run_list(json)


@laws_app.command("show")
def laws_show(
    name: Annotated[str, typer.Argument(metavar="ID", help="A law book's id.")],
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Write it to this new file (.toml).")] = None,
) -> None:
    """Write a law book as its commented file, to be copied and edited."""
    from carromeye.commands.laws import run_show

    run_show(name, out)


@laws_app.command("check")
def laws_check(
    file: Annotated[Path, typer.Argument(help="A law book of your own (.toml).")],
    against: Annotated[str | None, typer.Option(help="Compare with this book: its id or a file's path.")] = None,
) -> None:
    """Say whether a file of house rules is in order and what differs in it."""
    from carromeye.commands.laws import run_check

    run_check(file, against)


add_commands(app)


def main() -> None:
    """Run the command line and leave with its exit code.

    0 when done, 2 with one line for bad input (wrong options too), 130 after Ctrl-C, 141 in silence when nobody reads the
    output any longer, 1 with one line for our own faults.
    With the environment variable CARROMEYE_DEBUG set the traceback is shown as well.
    """
    if sys.stdout is None or sys.stderr is None:  # closed by the caller: what nobody reads goes nowhere
        sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        _say_everything(stream)
    signal.signal(signal.SIGTERM, _stop)
    sys.exit(_said(_exit_code()))


def _exit_code() -> int:
    try:
        app()
    except SystemExit as e:
        if isinstance(e.__context__, BrokenPipeError):  # typer's own answer to it is 1
            return UNREAD
        code = e.code if isinstance(e.code, int) else DONE
        if code == INTERRUPTED:
            _complain("stopped")
        return code
    except BadInput as e:
        _complain(str(e))
        return BAD_INPUT
    except KeyboardInterrupt:
        _complain("stopped")
        return INTERRUPTED
    except OSError as e:
        if e.errno not in MACHINE_TROUBLE:
            return _our_fault(e)
        _complain(f"{e.filename}: {e.strerror}" if e.filename else str(e.strerror))
        return BAD_INPUT
    except Exception as e:
        return _our_fault(e)
    return DONE


def _said(code: int) -> int:
    """The exit code, once all that was printed has gone out."""
    try:
        sys.stdout.flush()
    except OSError as e:
        sys.stdout = _nowhere()  # else the interpreter tries again on its way out, and fails in words of its own
        if isinstance(e, BrokenPipeError):
            return UNREAD
        if code == DONE:
            _complain(f"standard output: {e.strerror}")
            return BAD_INPUT
    return code


def _our_fault(e: Exception) -> int:
    what = " ".join(f"{type(e).__name__}: {e}".split())
    where = traceback.extract_tb(e.__traceback__)[-1]
    _complain(f"internal error: {what} ({Path(where.filename).name}:{where.lineno}); please report it, with what {DEBUG_VARIABLE}=1 shows")
    return OUR_FAULT


def _complain(text: str) -> None:
    if os.environ.get(DEBUG_VARIABLE):
        traceback.print_exc()
    line = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in " ".join(text.split()))
    try:
        print(f"carromeye: {line if len(line) <= LONGEST else line[:LONGEST] + '...'}", file=sys.stderr)
    except OSError:
        sys.stderr = _nowhere()  # nobody reads it


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def _stop(number: int, frame: object) -> None:
    """Asked to end, end as after Ctrl-C: finish or remove what is half written."""
    raise KeyboardInterrupt


def _say_everything(stream: TextIO) -> None:
    """No name of a player may stop a command because a console has no letter for it: pipes get UTF-8, consoles what they can show."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is None:
        return
    if stream.isatty():
        reconfigure(errors="replace")
    else:
        reconfigure(encoding="utf-8", errors="replace")
