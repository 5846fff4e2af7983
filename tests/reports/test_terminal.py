"""The score sheet in the terminal."""

from __future__ import annotations

import io
from typing import Any

from reports.terminal import print_scoresheet

Json = dict[str, Any]


class Terminal(io.StringIO):
    """A terminal that can show everything."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def printed(log: Json, rulings: Json, encoding: str = "utf-8") -> str:
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    print_scoresheet(log, rulings, file=out)
    out.flush()
    return out.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined, no-any-return]


def test_piped_sheet_is_plain(log: Json, rulings: Json) -> None:
    text = printed(log, rulings)
    assert text.isascii()
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 120
    words = " ".join(text.replace("|", " ").split())
    for line in ("Asha wins 7 points", "Not finished. On the board: 9 white", "owes 1: Bina", "3 ?", "To decide or check (3):"):
        assert line in words
    row = next(line for line in text.splitlines() if line.startswith("|     1 | Asha"))
    assert [c.strip() for c in row.split("|")[3:5]] == ["3 / 4 / 7 / 15", "Nil / Nil / 0 / 3"]
    assert "Points: Asha 15, Bina 3. Not decided." in text


def test_names_cannot_steer_the_terminal(log: Json, rulings: Json) -> None:
    log["players"][0]["name"] = "[red]A\x1b[2J\x07[/red]"
    text = printed(log, rulings)
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "[red]A [2J [/red]" in text


def test_letters_that_the_output_lacks_become_question_marks(log: Json, rulings: Json) -> None:
    log["players"][0]["name"] = "Åsa"
    assert "?sa" in printed(log, rulings, "ascii")
    assert "Åsa" in printed(log, rulings)


def test_terminal_gets_lines_and_bold(log: Json, rulings: Json, monkeypatch: Any) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = Terminal()
    print_scoresheet(log, rulings, file=out)
    assert "─" in out.getvalue()
    assert "\x1b[1m" in out.getvalue()
