"""The command line's manners: exit codes, one line for each trouble, any encoding."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from carromeye.cli import main
from models.errors import BadInput

BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Call the command line with a `rule` command that does what is given."""

    def called(*arguments: str, doing: Callable[..., None] = lambda *_: None) -> tuple[int, str, str]:
        stand_in = ModuleType("carromeye.commands.rule")
        stand_in.run = doing  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "carromeye.commands.rule", stand_in)
        monkeypatch.setattr(sys, "argv", ["carromeye", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return left.value.code, out, err

    return called


def _raising(error: BaseException) -> Callable[..., None]:
    def run(*_: object) -> None:
        raise error

    return run


def test_done_is_zero_and_silent(call: Call) -> None:
    assert call("rule", "log.json") == (0, "", "")


def test_options_reach_the_command(call: Call) -> None:
    seen: list[object] = []
    options = ("--json", "--laws", "icf", "--correct", "one", "--correct", "two", "-o", "new.json", "--lang", "fr", "--sheet", "sheet")
    call("rule", "log.json", *options, doing=lambda *given: seen.extend(given))
    assert [str(x) for x in seen] == ["log.json", "True", "icf", "['one', 'two']", "new.json", "fr", "sheet"]


def test_bad_input_is_one_line_and_two(call: Call) -> None:
    code, out, err = call("rule", "log.json", doing=_raising(BadInput("log.json: no\nJSON")))
    assert (code, out, err) == (2, "", "carromeye: log.json: no JSON\n")


def test_a_fault_of_ours_is_one_line_and_one(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARROMEYE_DEBUG", raising=False)
    code, out, err = call("rule", "log.json", doing=_raising(ZeroDivisionError("division by zero")))
    assert (code, out) == (1, "")
    assert err.startswith("carromeye: internal error: ZeroDivisionError: division by zero (test_cli.py:")
    assert err.count("\n") == 1
    assert "report" in err


def test_the_traceback_can_be_had(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARROMEYE_DEBUG", "1")
    code, _, err = call("rule", "log.json", doing=_raising(ZeroDivisionError("division by zero")))
    assert code == 1
    assert "Traceback" in err


def test_a_full_disk_is_not_our_fault(call: Call) -> None:
    code, _, err = call("rule", "log.json", doing=_raising(OSError(errno.ENOSPC, "No space left on device", "out/review.mp4")))
    assert (code, err) == (2, "carromeye: out/review.mp4: No space left on device\n")


def test_an_unforeseen_system_error_is_ours(call: Call) -> None:
    code, _, err = call("rule", "log.json", doing=_raising(OSError(errno.EBADF, "Bad file descriptor")))
    assert code == 1
    assert "internal error" in err


def test_interrupted_is_130_in_one_line(call: Call) -> None:
    assert call("rule", "log.json", doing=_raising(KeyboardInterrupt())) == (130, "", "carromeye: stopped\n")


@pytest.mark.parametrize(
    "arguments", [["rule"], ["frobnicate"], ["rule", "log.json", "--frobnicate"], ["simulate", "-o", "x", "--boards", "0"]]
)
def test_wrong_usage_is_two(call: Call, arguments: list[str]) -> None:
    code, out, err = call(*arguments)
    assert (code, out) == (2, "")
    assert err


def test_the_version_is_the_package_s(call: Call) -> None:
    from importlib.metadata import version

    assert call("--version") == (0, f"carromeye {version('carromeye')}\n", "")


def test_a_pipe_gets_utf_8_whatever_the_console_speaks(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(pipe, encoding="cp1252"))
    code, _, err = call("rule", "log.json", doing=lambda *_: print("आशा"))
    sys.stdout.flush()
    assert (code, err) == (0, "")
    assert pipe.getvalue().decode() == "आशा\n"


def test_a_console_without_the_letters_gets_question_marks(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    class Console(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    shown = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", Console(shown, encoding="cp1252"))
    code, _, err = call("rule", "log.json", doing=lambda *_: print("Asha आ"))
    sys.stdout.flush()
    assert (code, err) == (0, "")
    assert shown.getvalue() == b"Asha ?\n"


def test_python_m_carromeye_is_the_same_program() -> None:
    done = subprocess.run([sys.executable, "-m", "carromeye", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("carromeye ")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGPIPE; a closed pipe is an error of the output like others there")
@pytest.mark.parametrize("lines", [1, 20_000], ids=["what is buffered", "more than a pipe holds"])
def test_a_closed_pipe_is_left_quietly(lines: int) -> None:
    """As `carromeye rule LOG | head` does: nobody reads on, which is no fault."""
    script = """
import sys
from types import ModuleType
from carromeye.cli import main
stand_in = ModuleType("carromeye.commands.rule")
stand_in.run = lambda *_: [print("a line of a table") for _ in range(LINES)]
sys.modules["carromeye.commands.rule"] = stand_in
main()
"""
    command = [sys.executable, "-c", script.replace("LINES", str(lines)), "rule", "log.json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=BUFFERED) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full; test_files tests a full disk on every system")
def test_output_onto_a_full_disk_is_one_line_and_two() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "carromeye", "--version"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=BUFFERED)
    assert (done.returncode, done.stderr) == (2, "carromeye: standard output: No space left on device\n")


def test_a_complaint_that_nobody_reads_keeps_its_code() -> None:
    command = [sys.executable, "-m", "carromeye", "rule", "nowhere.json"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
        assert running.stderr is not None
        running.stderr.close()
    assert running.returncode == 2
