"""Pictures of the boards on which a detector is worst: what it found, missed and invented, and what the colours mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from models.detector.contract import HAND
from models.detector.evaluate import Outcome, pair
from models.detector.run import SCORE
from reports.words import plural
from vision.types import Array, Image

GREEN, RED, MAGENTA, GREY, WHITE = (90, 200, 60), (60, 60, 255), (255, 70, 255), (170, 170, 170), (255, 255, 255)
LINE_PX: Final = 16
"""Height of a line of text (px)."""
FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
SIZE: Final = 0.38
APART_PX: Final = 14
"""Between pieces of text in one line (px)."""

Text = tuple[str, tuple[int, int, int]]


def drawn(o: Outcome, picture: Image, rank: int) -> Image:
    """A board with what was found, missed and invented, under a head that names it, counts these and so says what each colour is.

    Parameters
    ----------
    picture : ndarray, shape (s, s, 3)
        The example's; `o` has none.
    rank : int
        1 for the worst board.
    """
    sure = np.flatnonzero(o.found.score >= SCORE)
    discs, hands = [i for i, _ in o.pairs], [int(i) for i in sure if o.found.cls[i] == HAND]
    right = [i for i in hands if o.verdict[i, 0]]
    wrong = [i for i in hands if not o.verdict[i, 0]]
    taken = {j for _, j in pair(o.found.boxes[hands], o.example.hands)}
    unseen = [j for j in range(len(o.example.hands)) if j not in taken]
    out = picture.copy()
    _frame(out, o.example.spare, GREY, 1)
    _frame(out, o.found.boxes[[*discs, *right]], GREEN, 1)
    _frame(out, o.found.boxes[wrong], MAGENTA, 1)
    _frame(out, o.found.boxes[list(o.invented)], MAGENTA, 2)
    _frame(out, o.example.discs[list(o.missed)], RED, 2)
    _frame(out, o.example.hands[unseen], RED, 1)
    told = [f"{k}: {v}" for k, v in o.example.conditions.items()]
    half = -(-len(told) // 2)
    off = f"centres off by {np.median(o.errors_mm):.1f} mm, {np.max(o.errors_mm):.1f} at most" if len(o.errors_mm) else ""
    lines: list[list[Text]] = [
        [(f"no. {rank} of the worst: {o.example.name}", WHITE)],
        [(", ".join(told[:half]), WHITE)],
        [(", ".join(told[half:]), WHITE)],
        [(f"found: {_count(len(discs), len(right))}", GREEN), (f"missed: {_count(len(o.missed), len(unseen))}", RED)],
        [
            (f"invented: {_count(len(o.invented), len(wrong))}", MAGENTA),
            (f"hidden, not asked for: {len(o.example.spare)}", GREY),
            (off, WHITE),
        ],
    ]
    return np.asarray(np.vstack([_head(lines, out.shape[1]), out]), np.uint8)


def _count(discs: int, hands: int) -> str:
    return f"{plural(discs, 'disc')}, {plural(hands, 'hand')}"


def _frame(image: Image, boxes: Array, colour: tuple[int, int, int], thick: int) -> None:
    for box in boxes:
        x0, y0, x1, y1 = (round(float(v)) for v in box)
        cv2.rectangle(image, (x0, y0), (x1, y1), colour, thick, cv2.LINE_AA)


def _head(lines: Sequence[Sequence[Text]], width: int) -> Image:
    head = np.zeros((LINE_PX * len(lines) + 6, width, 3), np.uint8)
    for i, line in enumerate(lines):
        x = 4
        for text, colour in line:
            plain = text.encode("ascii", "replace").decode()
            cv2.putText(head, plain, (x, LINE_PX * i + 13), FONT, SIZE, colour, 1, cv2.LINE_AA)
            x += cv2.getTextSize(plain, FONT, SIZE, 1)[0][0] + APART_PX
    return head
