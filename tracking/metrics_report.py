"""All measures of a film, or of several together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from models.stroke import Placing, Stroke
from tracking import metrics_strokes
from tracking.metrics import REACH_RADII, Clear, Hota, Identity, clear, hota, identity
from tracking.metrics_output import Output, compared, paired
from tracking.metrics_play import Places, Settled, Way, places, settled, switches_at_contacts, ways
from tracking.metrics_strokes import Strokes
from tracking.metrics_truth import Truth

WRONG: Final[Mapping[str, str]] = {
    "before": "has no track where it lies before it",
    "class": "is of another class",
    "lost": "has no track where it ends",
    "identity": "is under another track where it ends",
    "pocketed": "fell, but is not said to have",
    "pocket": "is said to have fallen into another pocket",
    "fell": "is said to have fallen",
}
"""What is wrong with a way (`tracking.metrics_play.Way`), for people."""


@dataclass(frozen=True)
class Report:
    """What was measured on one film.

    Attributes
    ----------
    contact_switches : int
        Of the switches of identities those shortly after a contact.
    strokes, placings, final_right
        None where the output tells of tracks only.
    """

    hota: Hota
    identity: Identity
    clear: Clear
    contact_switches: int
    places: Places
    settled: tuple[Settled, ...]
    ways: tuple[Way, ...]
    strokes: Strokes | None = None
    placings: tuple[int, int, int] | None = None

    def faults(self) -> list[str]:
        """What is wrong, one line each, for people: strokes, boards before them, ways."""
        lines = metrics_strokes.faults(self.strokes) if self.strokes is not None else []
        lines += [
            f"{'end' if s.end else 'board'} at {s.t:.1f} s: {s.right} of {s.pieces} right, {s.extra} too many"
            for s in self.settled
            if not s.whole
        ]
        return lines + [f"stroke {w.stroke}: {w.cls} {w.id} {_told(w)}" for w in self.ways if w.wrong]


def measure(truth: Truth, table: pd.DataFrame, events: Sequence[object] | None = None) -> Report:
    """Hold an output against the truth.

    Parameters
    ----------
    table : DataFrame
        Trajectories, see `tracking.metrics_output.Output`.
    events : sequence of Event, optional
        The strokes and placings of the log.

    Raises
    ------
    BadInput
        If the table is not of the form.
    """
    output = Output(table, truth.rate)
    pairs = paired(truth, output)
    both = compared(truth, pairs, REACH_RADII * truth.board.piece_radius, states=output.tells_states)
    of_clear = clear(both)
    told = events is not None
    strokes = [e for e in events or () if isinstance(e, Stroke)]
    put = [e for e in events or () if isinstance(e, Placing)]
    return Report(
        hota(both),
        identity(both),
        of_clear,
        switches_at_contacts(pairs, of_clear),
        places(pairs),
        settled(truth, output),
        ways(truth, output),
        metrics_strokes.hold(truth.strokes, strokes) if told else None,
        metrics_strokes.placings(truth.placings, put) if told else None,
    )


def figures(reports: Sequence[Report]) -> dict[str, float]:
    """The figures over one film or several, by name; a share or a median of nothing is NaN.

    Shares are from 0 to 1. `settled_pieces` and `ways_right` are Hamer's two measures; `settled_boards` counts whole boards
    before strokes, `ends_right` those after each board's last stroke; `striker_ways_right` the striker's ways, which are not
    among the others; `switches_per_moved` switches shortly after a contact by moved piece.
    """
    boards = [s for r in reports for s in r.settled if not s.end]
    ends = [s for r in reports for s in r.settled if s.end]
    pieces = [w for r in reports for w in r.ways if w.cls != "striker"]
    strikers = [w for r in reports for w in r.ways if w.cls == "striker"]
    found, missed, false, right, classed = (
        sum(getattr(r.places, k) for r in reports) for k in ("found", "missed", "false", "right_class", "classed")
    )
    errors = np.concatenate([r.places.errors for r in reports])
    at_contacts = sum(r.contact_switches for r in reports)
    out = track_figures([r.hota for r in reports], [r.identity for r in reports], [r.clear for r in reports]) | {
        "switches_at_contacts": at_contacts,
        "switches_per_moved": _share(at_contacts, len(pieces) + len(strikers)),
        "piece_recall": _share(found, found + missed),
        "piece_precision": _share(found, found + false),
        "class_right": _share(right, classed),
        "centre_error_mm": float(np.median(errors)) if len(errors) else float("nan"),
        "centre_error_p95_mm": float(np.percentile(errors, 95)) if len(errors) else float("nan"),
        # What is too many counts as a piece that is wrong.
        "settled_pieces": _share(sum(s.right for s in boards), sum(s.pieces + s.extra for s in boards)),
        "settled_boards": _share(sum(s.whole for s in boards), len(boards)),
        "ends_right": _share(sum(s.whole for s in ends), len(ends)),
        "moved": len(pieces),
        "ways_right": _share(sum(not w.wrong for w in pieces), len(pieces)),
        "striker_ways_right": _share(sum(not w.wrong for w in strikers), len(strikers)),
    }
    if all(r.strokes is not None for r in reports):
        out |= metrics_strokes.figures([r.strokes for r in reports if r.strokes is not None])
        for k, name in enumerate(("placings", "placings_found", "placings_invented")):
            out[name] = sum(r.placings[k] for r in reports if r.placings is not None)
    return out


def track_figures(hotas: Sequence[Hota], identities: Sequence[Identity], clears: Sequence[Clear]) -> dict[str, float]:
    """HOTA and its parts, IDF1, MOTA, switches and fragmentations over one sequence or several."""
    total = sum(clears[1:], clears[0])
    return sum(hotas[1:], hotas[0]).figures() | {
        "idf1": sum(identities[1:], identities[0]).idf1,
        "mota": total.mota,
        "switches": len(total.switches),
        "fragmentations": total.fragmentations,
    }


def _told(way: Way) -> str:
    if way.wrong == "path":
        off = f"{way.off:.0f} mm off its way" if np.isfinite(way.off) else "is not tracked on its way"
        return f"{off} at {way.t:.2f} s"
    return f"{WRONG[way.wrong]} at {way.t:.2f} s"


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
