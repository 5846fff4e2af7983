"""What a filmed match truly was: the file beside the video."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from models.board import BoardSpec
from models.scene.match import STRIKER, Played, Put, Table
from models.stroke import Seat, Start

Array = NDArray[np.float64]
SAMPLE_EVERY: Final = 3
"""Frames from one sample of the discs' places to the next."""


class TruthLog:
    """Gathers the truth of a film while it is made.

    Parameters
    ----------
    fps : float
    corners : ndarray, shape (4, 2)
        Pixels of the playing surface's corners, upper left first, clockwise.
    board : BoardSpec
        As the pieces and the striker really are.
    start : Start, optional
        How the first board stood if it did not begin with the rack.
    """

    def __init__(self, fps: float, corners: Array, board: BoardSpec, start: Start | None = None) -> None:
        self._head: dict[str, Any] = {"video": "clip.mp4", "fps": fps, "corners_px": corners.tolist(), "side_mm": board.side, "laws": "icf"}
        self._equipment = {"r_piece": board.piece_radius, "r_striker": round(board.striker_radius, 2)}
        self._start = start
        self._boards: list[dict[str, Any]] = []
        self._strokes: list[dict[str, Any]] = []
        self._placements: list[dict[str, Any]] = []
        self._samples: list[dict[str, Any]] = []

    def open_board(self, table: Table, t: float) -> None:
        """A board is ready to be played at `t`."""
        seats = (table.breaker, table.foe)
        self._boards.append(
            {"t": round(t, 3), "breaker": table.breaker, "colours": {s: table.colour(s) for s in seats}, "scores": dict(table.scores)}
        )

    def close_board(self, table: Table, last: Played | None) -> None:
        """The board is over, or the film is."""
        result = last.result if last else None
        board = self._boards[-1]
        board["covered"] = table.covered
        board["final"] = {c: len(table.lying(c)) for c in ("white", "black", "queen")}
        seats = (table.breaker, table.foe)
        board["result"] = result and {
            "winner": result.winner,
            "points": {s: result.points * (s == result.winner) for s in seats},
            "why": result.why,
        }

    def stroke(self, played: Played, t: float) -> None:
        """A stroke was released at `t`."""
        entry = {
            "n": len(self._strokes) + 1,
            "by": played.by,
            "t": round(t, 3),
            "striker": [round(v, 1) for v in played.shot.place],
            "velocity": [round(v / 1000, 3) for v in played.shot.velocity],
            "pocketed": [{"cls": f.cls, "pocket": f.pocket, "t": round(t + f.t, 3)} for f in played.fallen],
            "touched": played.motion.first_contact is not None,
            "kind": played.kind,
            "rest": round(t + played.motion.duration, 3),
            "board": len(self._boards),
        }
        self._strokes.append(entry)

    def put(self, put: Put, cls: str, t: float) -> None:
        """A hand set a piece down at `t`."""
        at = [round(v, 1) for v in put.at]
        entry = {"after_stroke": len(self._strokes), "cls": cls, "by": put.by, "at": at, "t": round(t, 3), "board": len(self._boards)}
        self._placements.append(entry)

    def sample(self, frame: int, t: float, hand: bool, classes: tuple[str, ...], places: Array) -> None:
        """Where the 20 discs, the striker last, lie in a frame; shape (20, 2), NaN for what is not on the surface."""
        if frame % SAMPLE_EVERY:
            return
        discs: list[list[Any]] = []
        for i in np.flatnonzero(~np.isnan(places[:, 0])).tolist():
            name, cls = ("S", "striker") if i == STRIKER else (str(i), classes[i])
            discs.append([name, cls, round(float(places[i, 0]), 1), round(float(places[i, 1]), 1)])
        self._samples.append({"frame": frame, "t": round(t, 4), "hand": hand, "discs": discs})

    def document(self, frames: int) -> dict[str, Any]:
        """The whole truth. What belongs to a board stands at the top for the first board and for every board under `boards`."""
        first = self._boards[0]
        out = self._head | {
            "breaker": first["breaker"],
            "colours": first["colours"],
            "strokes": self._strokes,
            "placements": self._placements,
        }
        out |= {"samples": self._samples, "equipment": self._equipment, "covered": first["covered"], "final": first["final"]}
        out |= {"frames": frames, "result": first["result"], "boards": self._boards}
        if self._start is not None:
            out["start"] = start_as_json(self._start)
        return out


def start_as_json(start: Start) -> dict[str, Any]:
    """The `start` of a stroke log's board: what is at its value at the break is left out."""
    fields: dict[str, Any] = {k: getattr(start, k) for k in ("white", "black", "queen", "breaker", "turn")}
    seats: dict[str, dict[Seat, Any]] = {"dues": dict(start.dues), "scores": dict(start.scores)}
    return {k: v for k, v in (fields | seats).items() if v is not None and v != {}}
