"""How good the exported network is on rendered boards of styles that it never saw.

``python -m models.detector.evaluate [--weights W.onnx] [--boards 120] [--seed 900001] [--json FILE]`` prints, of what lies on the
playing surface, recall and precision at an overlap of 0.5 and errors of the centres in millimetres, for discs at rest and in motion,
and what is invented on empty boards.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.board import ICF
from models.detector.contract import DISC, HAND, INPUT_PX, MARGIN_MM, WEIGHTS
from models.detector.crops import Crop, boards
from models.detector.run import Found, Network, iou
from models.errors import BadInput

MATCH: Final = 0.5
SEED: Final = 900_001
"""Styles from this seed on are kept for evaluation."""
MOVING: Final = 1.15
"""A disc whose box is longer than wide by this factor, or hidden or cut likewise, counts as moving."""


@dataclass
class Tally:
    """Counts over boards."""

    true: int = 0
    missed: int = 0
    errors_mm: list[float] | None = None

    def recall(self) -> float:
        """Share of what is there that was found."""
        return self.true / max(1, self.true + self.missed)


def pair(found: NDArray[np.float64], truth: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Pairs (found, true) of boxes that overlap by `MATCH` or more; `found` is best first, each used once."""
    free, out = list(range(len(truth))), []
    for i, box in enumerate(found):
        if not free:
            break
        overlap = iou(box, truth[free])
        k = int(overlap.argmax())
        if overlap[k] >= MATCH:
            out.append((i, free.pop(k)))
    return out


def evaluate(network: Network, wholes: Iterator[Crop]) -> dict[str, float]:
    """Figures over rendered whole boards."""
    rest, moving, hands = Tally(errors_mm=[]), Tally(errors_mm=[]), Tally()
    invented = found_discs = invented_hands = found_hands = empty = invented_empty = 0
    mm = (ICF.side + 2 * MARGIN_MM) / INPUT_PX
    beyond = boards_seen = 0
    for whole in wholes:
        found: Found = network(whole.picture)
        boards_seen += 1
        inside = _inside(whole.boxes)
        truth = whole.boxes[inside & (whole.boxes[:, 0] == DISC), 1:]
        truth = truth[on_surface(truth)]
        everywhere = found.boxes[found.cls == DISC]
        beyond += len(everywhere)
        got = everywhere[on_surface(everywhere)]
        beyond -= len(got)
        pairs = pair(got, truth)
        matched = {j: i for i, j in pairs}
        for j, box in enumerate(truth):
            w, h = box[2:] - box[:2]
            tally = moving if max(w, h) > MOVING * min(w, h) else rest
            if j in matched:
                tally.true += 1
                centre = (got[matched[j]][:2] + got[matched[j]][2:]) / 2
                assert tally.errors_mm is not None
                tally.errors_mm.append(float(np.hypot(*(centre - (box[:2] + box[2:]) / 2))) * mm)
            else:
                tally.missed += 1
        wrong = len(got) - len(pairs)
        invented, found_discs = invented + wrong, found_discs + len(got)
        if not len(truth):
            empty, invented_empty = empty + 1, invented_empty + wrong
        true_hands, got_hands = whole.boxes[inside & (whole.boxes[:, 0] == HAND), 1:], found.boxes[found.cls == HAND]
        n = len(pair(got_hands, true_hands))
        hands.true, hands.missed = hands.true + n, hands.missed + len(true_hands) - n
        invented_hands, found_hands = invented_hands + len(got_hands) - n, found_hands + len(got_hands)
    return {
        "rest_recall": rest.recall(),
        "rest": rest.true + rest.missed,
        "rest_error_mm": _median(rest.errors_mm),
        "rest_error_p95_mm": _p95(rest.errors_mm),
        "moving_recall": moving.recall(),
        "moving": moving.true + moving.missed,
        "moving_error_mm": _median(moving.errors_mm),
        "disc_precision": 1 - invented / max(1, found_discs),
        "masked_per_board": beyond / max(1, boards_seen),
        "hand_recall": hands.recall(),
        "hands": hands.true + hands.missed,
        "hand_precision": 1 - invented_hands / max(1, found_hands),
        "empty_boards": empty,
        "invented_per_empty_board": invented_empty / max(1, empty),
    }


def on_surface(boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which boxes, shape (n, 4), have their middle on the playing surface, outside the pockets.

    Whoever runs the network knows where these are and drops what is found elsewhere, such as pieces in the nets.
    """
    mm = (boxes[:, :2] + boxes[:, 2:]) / 2 * (ICF.side + 2 * MARGIN_MM) / INPUT_PX - MARGIN_MM
    inside = ((mm > 0) & (mm < ICF.side)).all(1)
    clear = [ICF.nearest_pocket(x, y)[1] > ICF.pocket_radius for x, y in mm]
    return np.asarray(inside & np.array(clear, bool), np.bool_)


def _inside(boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Boxes of which something worth finding lies in the picture."""
    size = np.clip(boxes[:, 3:] - boxes[:, 1:3], 1e-9, None).prod(1)
    seen = (np.clip(boxes[:, 3:], 0, INPUT_PX) - np.clip(boxes[:, 1:3], 0, INPUT_PX)).prod(1)
    return np.asarray(np.where(boxes[:, 0] == HAND, seen > 400, seen > 0.4 * size))


def _median(values: list[float] | None) -> float:
    return float(np.median(values)) if values else 0.0


def _p95(values: list[float] | None) -> float:
    return float(np.percentile(values, 95)) if values else 0.0


def unseen(number: int, seed: int = SEED) -> Iterator[Crop]:
    """`number` rendered boards, two of each style."""
    for k in range(-(-number // 2)):
        for whole, _ in boards(seed + k, 2):
            yield whole


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--weights", type=Path, default=WEIGHTS)
    p.add_argument("--boards", type=int, default=120)
    p.add_argument("--seed", type=int, default=SEED)
    p.add_argument("--json", type=Path)
    a = p.parse_args(arguments)
    try:
        figures = evaluate(Network(a.weights), unseen(a.boards, a.seed))
    except BadInput as e:
        print(e, file=sys.stderr)
        return 2
    for name, value in figures.items():
        print(f"{name:28} {value:.4g}")
    if a.json:
        a.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
