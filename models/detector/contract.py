"""What the network takes and gives, for whoever runs it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

BOARD_PX: Final = 640
"""Side of a rectified board's picture (px); places and sizes of what is found are in its pixels."""
MARGIN_MM: Final = 60.0
"""What that picture shows beyond the cushions (mm)."""
INPUT_PX: Final = 448
"""Side of that picture as the network takes it (px); MODEL_CARD.md says why."""
CLASSES: Final = ("disc", "hand")
"""Classes in the order of the output's rows."""
DISC: Final = 0
HAND: Final = 1
STRIDE: Final = 8
"""Pixels per cell of the output's grid."""
PIXEL_CENTRE: Final = 0.5
"""Boxes are measured from the picture's edge, as YOLO files have them, so that a picture mirrored keeps them right; points of a camera are
measured from the middle of the first pixel, half a pixel (px) further in."""
INPUT_NAME: Final = "images"
OUTPUT_NAME: Final = "output0"
WEIGHTS: Final = Path(__file__).with_name("carrom.onnx")
DEFINITION: Final = Path(__file__).with_name("carrom.yaml")
