"""Drives the Debian package chromium over its debugging pipe; needs nothing but the standard library."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

PATIENCE: Final = 30.0
"""Longest wait for an answer (s)."""


class Page:
    """One tab."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._out, self._in, self._buffer, self._number = to_browser, from_browser, b"", 0
        self._session: str | None = None
        self.requests: list[str] = []
        self.errors: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **params: Any) -> Any:
        """Send one command and wait for its answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params, **({"sessionId": self._session} if self._session else {})}
        os.write(self._out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            answer = self._receive(end)
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
        raise TimeoutError(method)

    def _receive(self, end: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            if not select.select([self._in], [], [], max(0.0, end - time.monotonic()))[0]:
                return {}
            block = os.read(self._in, 1 << 16)
            if not block:
                raise ConnectionError("chromium has ended")
            self._buffer += block
        raw, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(raw)
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        if message.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
            self.errors.append(raw.decode())
        return message

    def open(self, path: Path, width: int = 1280, height: int = 800, fragment: str = "") -> None:
        """Load a file and wait until it is loaded."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.send("Page.navigate", url=path.resolve().as_uri() + fragment)
        self.until("document.readyState === 'complete' && location.protocol === 'file:'")

    def value(self, expression: str) -> Any:
        """The value of a JavaScript expression."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until a JavaScript expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.value(expression):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.03)

    def press(self, key: str) -> None:
        """Press and let go a key, as a keyboard does."""
        text = {"text": key} if len(key) == 1 else {}
        code = {" ": "Space"}.get(key, key if len(key) > 1 else f"Key{key.upper()}")
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=code, **(text if kind == "keyDown" else {}))

    def click(self, selector: str) -> None:
        """Click with the mouse on the middle of an element."""
        box = self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
            "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def pdf(self) -> bytes:
        """The page as it prints, on the paper that its own style asks for."""
        return base64.b64decode(self.send("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])


@contextmanager
def chromium(folder: Path) -> Iterator[Page]:
    """A tab of a headless chromium with its profile in `folder`; skips the test where chromium is missing."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("NOT TESTED: the page's behaviour needs the Debian package chromium (apt-get install chromium)")
    to_child, from_child = os.pipe(), os.pipe()
    switches = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--autoplay-policy=no-user-gesture-required"]

    def connect() -> None:
        """In the child: the browser reads commands from descriptor 3 and answers on descriptor 4."""
        ends = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (to_child[0], from_child[1])]
        for end, number in zip(ends, (3, 4), strict=True):
            os.dup2(end, number)
            os.close(end)

    child = subprocess.Popen(
        [program, *switches, "--remote-debugging-pipe", f"--user-data-dir={folder}"],
        preexec_fn=connect,
        close_fds=False,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_child[0])
    os.close(from_child[1])
    try:
        yield Page(to_child[1], from_child[0])
    finally:
        os.close(to_child[1])
        child.terminate()
        child.wait(timeout=PATIENCE)
        os.close(from_child[0])
