"""The tracker without one of its parts: what that part is worth.

`physics`: strokes are told as they were followed frame by frame. `ledger`: what fell is told by the physics alone, whatever
the settled boards show. `kalman`: places and velocities are those of the last sightings, nothing is filtered or smoothed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, Final
from unittest.mock import patch

import numpy as np

from models.board import BoardSpec
from tracking import explain, joint_filter, kalman, watcher
from tracking.cast import Array, Track
from tracking.reconcile import Reconciled

PARTS: Final = ("physics", "ledger", "kalman")
AS_SEEN: Final = 0.05
"""Standard deviation (mm) at which a filter takes a sighting for what is."""


@contextmanager
def without(part: str | None) -> Iterator[None]:
    """Within it the tracker lacks a part; None: it is whole."""
    with ExitStack() as changes:
        for change in _changes(part):
            changes.enter_context(change)
        yield


def _changes(part: str | None) -> list[Any]:
    if part == "physics":
        return [patch.object(explain.Explainer, "explain", lambda *_: None)]
    if part == "ledger":
        return [patch.object(watcher, "outcomes", _by_physics_alone)]
    if part == "kalman":
        update = joint_filter.JointFilter.update

        def as_seen(self: joint_filter.JointFilter, discs: joint_filter.Indices, seen: Array, sigma: Array, delays: Array) -> None:
            update(self, discs, seen, np.full(len(sigma), AS_SEEN), delays)

        def as_it_was(self: joint_filter.JointFilter) -> tuple[Array, Array]:
            means = np.stack([s.mean for s in self.steps])
            spread = np.sqrt(np.stack([np.diag(s.cov) for s in self.steps]).reshape(len(means), -1, 4)[:, :, :2].max(axis=2))
            return means, spread

        return [
            patch.object(kalman, "POSITION_NOISE", AS_SEEN),
            patch.object(joint_filter.JointFilter, "update", as_seen),
            patch.object(joint_filter.JointFilter, "smooth", as_it_was),
        ]
    return []


def _by_physics_alone(r: Reconciled, tracks: Sequence[Track], board: BoardSpec) -> list[explain.Outcome]:
    found = []
    for o, fall in zip(explain.outcomes(r, tracks, board), r.falls, strict=True):
        found.append(replace(o, pocket=fall.pocket if fall else None, t=fall.t if fall else None, agrees=True, unseen_at=None))
    return found
