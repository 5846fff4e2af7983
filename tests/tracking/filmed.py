"""A short film's truth, written by hand, and a tracker's output that agrees with it: two strokes, one piece falls and is put back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

RATE = 30
END = 240
"""Frames."""
FIRST, SECOND = 1.0, 5.0
"""Releases (s)."""


def _slide(t: float, since: float, start: tuple[float, float], stop: tuple[float, float], seconds: float) -> tuple[float, float]:
    """A place on the way of a disc that slides from `since` on and comes to rest after so many seconds."""
    part = min(max((t - since) / seconds, 0.0), 1.0)
    share = 1 - (1 - part) ** 2
    return start[0] + (stop[0] - start[0]) * share, start[1] + (stop[1] - start[1]) * share


def discs(t: float) -> dict[str, tuple[str, float, float]]:
    """Identity -> class and place (mm) of all that lies on the board at `t` (s)."""
    out = {"0": ("queen", 370.0, 370.0), "1": ("white", *_slide(t, FIRST + 0.1, (300.0, 300.0), (200.0, 150.0), 0.8))}
    out["2"] = ("black", *_slide(t, FIRST + 0.2, (500.0, 300.0), (560.0, 350.0), 0.5))
    if t < FIRST + 0.6:
        out["3"] = ("white", *_slide(t, FIRST + 0.1, (120.0, 600.0), (-60.0, 780.0), 1.2))
    elif t > 3.5:
        out["3"] = ("white", 400.0, 400.0)
    if 0.5 <= t < 3.0:
        out["S"] = ("striker", *_slide(t, FIRST, (370.0, 622.0), (350.0, 250.0), 0.9))
    elif 4.5 <= t < 7.0:
        out["S"] = ("striker", *_slide(t, SECOND, (370.0, 117.0), (470.0, 500.0), 0.9))
    return out


def document() -> dict[str, Any]:
    """The truth as `truth.json` has it."""
    samples = []
    for frame in range(0, END, 3):
        t = frame / RATE
        hand = not (0.3 < t < 0.5 or 2.0 < t < 2.9)
        samples.append({"frame": frame, "t": round(t, 4), "hand": hand, "discs": [[i, *d] for i, d in discs(t).items()]})
    fell = [{"cls": "white", "pocket": "SW", "t": FIRST + 0.6}]
    first: dict[str, Any] = {"n": 1, "by": "south", "t": FIRST, "rest": 1.95, "touched": True, "pocketed": fell}
    second: dict[str, Any] = {"n": 2, "by": "north", "t": SECOND, "rest": 5.9, "touched": False, "pocketed": []}
    first |= {"striker": [370, 622], "velocity": [-0.04, -0.83]}
    second |= {"striker": [370, 117], "velocity": [0.22, 0.85]}
    return {
        "fps": RATE, "side_mm": 740, "strokes": [first, second], "samples": samples, "equipment": {"r_piece": 15.9, "r_striker": 20.65},
        "placements": [{"cls": "white", "by": "north", "t": 3.5}], "boards": [{"t": 0.0}],
    }  # fmt: skip


def output() -> pd.DataFrame:
    """Trajectories that agree with the truth in every frame; the striker is not told while it is in a hand."""
    rows = []
    names = {"0": "queen", "1": "white1", "2": "black1", "3": "white2", "S": "striker"}
    for frame in range(END):
        t = frame / RATE
        here = discs(t)
        for i, name in names.items():
            if i in here:
                cls, x, y = here[i]
                rows.append((frame, t, name, cls, x, y, "rest"))
            elif i == "3":
                rows.append((frame, t, name, "white", 22.25, 740 - 22.25, "pocketed"))
    table = pd.DataFrame(rows, columns=["frame", "t", "piece", "cls", "x", "y", "state"])
    assert np.isfinite(table[["x", "y"]].to_numpy()).all()
    return table
