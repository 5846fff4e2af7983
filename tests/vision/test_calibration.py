"""Finding the board: what must be found, how exactly, and what must be refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.not_boards import KINDS as NOT_BOARDS
from benchmarks.not_boards import other
from models.board import ICF
from models.errors import BadInput
from tests.vision.boards import board_picture
from vision.calibration import LEAST, calibrate_frames, confide, find_board
from vision.edges import Side
from vision.evidence import Evidence
from vision.markings import FAR, NEAR, SIDE_PX, Markings
from vision.picture import read_picture
from vision.types import Calibration


def off(found: Calibration, corners: NDArray[np.float64]) -> float:
    """The worst corner's distance from the truth, as a part of a side."""
    side = np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean()
    return float(np.linalg.norm(found.outline() - corners, axis=1).max() / side)


VIEWS: dict[str, dict[str, Any]] = {
    "straight down": {},
    "tilted": {"tilt": 22.0},
    "turned in the picture": {"roll": 33.0, "fill": 0.6},
    "upright picture": {"size": (720, 1280), "tilt": 8.0},
    "light frame": {"frame": (200, 215, 225), "wood": (90, 130, 175)},
    "dark board": {"wood": (25, 40, 60), "frame": (12, 12, 14), "around": (60, 60, 60)},
    "no lines": {"lines": False},
    "no frame seen": {"frame_mm": 8.0, "around": (40, 120, 60)},
    "black board in a black frame": {"wood": (16, 16, 16), "frame": (12, 12, 13), "ink": (150, 160, 160)},
    "two corners outside": {"fill": 0.97, "shift": (0.0, 0.035)},
    "two sides outside": {"fill": 0.97, "shift": (-0.16, -0.03)},
    "poor light": {"wood": (52, 65, 75), "frame": (30, 28, 28), "around": (42, 31, 25)},
    "most of one side outside": {"size": (540, 960), "tilt": 6.0, "roll": 6.0, "fill": 0.99, "shift": (-0.025, 0.0)},
}


@pytest.mark.parametrize("kind", VIEWS)
def test_finds_the_surface(kind: str) -> None:
    picture, corners = board_picture(**VIEWS[kind])
    found = find_board(picture)
    assert off(found, corners) < (0.02 if "outside" in kind else 0.004)
    assert found.confidence > 0.62
    assert found.reasons


def test_says_how_exact_it_is() -> None:
    whole, cut = (find_board(board_picture(**VIEWS[kind])[0]) for kind in ("straight down", "two corners outside"))
    told = [float(found.reasons[-1].removeprefix("corners exact to about ").removesuffix(" % of a side")) for found in (whole, cut)]
    assert 0.05 < told[0] < told[1]
    assert cut.confidence < whole.confidence < 0.99


def test_a_large_picture_is_found_as_exactly() -> None:
    picture, corners = board_picture((2880, 2160), tilt=12.0)
    assert off(find_board(picture), corners) < 0.003


@pytest.mark.parametrize("k1", [-0.16, -0.08, 0.05])
def test_a_bent_lens_is_taken_out(k1: float) -> None:
    picture, corners = board_picture(tilt=6.0, fill=0.9)
    lens = Calibration(corners, (960, 720), distortion=k1)
    grid = np.stack(np.meshgrid(np.arange(960.0), np.arange(720.0)), -1).reshape(-1, 2)
    source = lens.undistort(grid).astype(np.float32).reshape(720, 960, 2)
    bent = cv2.remap(picture, source[..., 0], source[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    found = find_board(np.asarray(bent, np.uint8))
    assert found.distortion == pytest.approx(k1, abs=0.03)
    assert off(found, lens.outline()) < 0.006


def test_median_of_frames_has_no_hand() -> None:
    frames = []
    for n in range(5):
        picture, corners = board_picture(seed=n)
        cv2.rectangle(picture, (150 + 130 * n, 0), (270 + 130 * n, 200), (110, 140, 190), -1)
        frames.append(picture)
    assert off(calibrate_frames(frames), corners) < 0.004


def test_a_hand_over_a_side_is_no_matter() -> None:
    picture, corners = board_picture()
    cv2.rectangle(picture, (300, 500), (460, 719), (110, 140, 190), -1)
    assert off(find_board(picture), corners) < 0.005


def test_sunlight_over_a_side_and_the_middle_is_no_matter() -> None:
    picture, corners = board_picture(wood=(25, 45, 80), frame=(15, 25, 45))
    picture[:520, 330:630] = np.clip(picture[:520, 330:630] * 2.6, 0, 255).astype(np.uint8)
    assert off(find_board(picture), corners) < 0.004


def test_light_nets_in_quarter_circles_are_pockets() -> None:
    picture, corners = board_picture(pockets=False)
    side = np.linalg.norm(corners[1] - corners[0])
    spread = np.random.default_rng(1)
    for corner in corners:
        towards = np.sign(corners.mean(0) - corner)
        for a, b in spread.uniform(0, 0.075, (400, 2)):
            if np.hypot(a, b) < 0.075:
                place = np.round(corner + towards * [a * side, b * side]).astype(int).tolist()
                cv2.circle(picture, place, 1, (60, 70, 80) if spread.random() < 0.6 else (200, 215, 230), -1)
    assert off(find_board(picture), corners) < 0.004


def test_lines_unlike_on_the_four_sides_are_no_boards() -> None:
    picture, corners = board_picture(lines=False)
    (x0, y0), (x1, y1) = corners[0], corners[2]
    side = x1 - x0
    for d in (0.13, 0.17):
        a, b = (x0 + (d + 0.03) * side, y0 + d * side), (x1 - d * side, y1 - (d + 0.03) * side)
        cv2.rectangle(picture, np.round(a).astype(int).tolist(), np.round(b).astype(int).tolist(), (30, 30, 30), 2)
    with pytest.raises(BadInput, match="lines along its sides are unlike"):
        find_board(picture)


def test_an_outline_that_cuts_through_a_surface_is_hardly_a_board_unless_base_lines_tell() -> None:
    side = Side(0.0, 0.0, 0.0, 1.0, 0.0, 1.0, np.zeros((0, 2)))
    sure = []
    for at in (0.1, ICF.base_outer / ICF.side):
        profile = np.zeros(int((FAR - NEAR) * SIDE_PX))
        for line in (at, at + (ICF.base_inner - ICF.base_outer) / ICF.side):
            profile[int((line - NEAR) * SIDE_PX)] = 1.0
        marks = Markings(np.zeros((4, 2)), np.full((4, 2), 0.95), profile)
        for edge in (1.0, 0.15):
            evidence = Evidence((1.0, edge, 1.0, 1.0), (1.0,) * 4, 1.0, (1.0,) * 4, 1.0, (1.0,) * 4)
            sure.append(confide(evidence, marks, (side,) * 4, 0.0)[0])
    assert min(sure[0], sure[2], sure[3]) > 0.9
    assert sure[1] < LEAST


def _checkers() -> NDArray[np.uint8]:
    cells = np.kron(np.indices((8, 8)).sum(0) % 2, np.ones((70, 70)))
    return np.repeat(np.pad(cells * 190 + 30, 60, constant_values=70)[..., None], 3, axis=2).astype(np.uint8)


def _rings() -> NDArray[np.uint8]:
    canvas = np.full((700, 700, 3), 90, np.uint8)
    for r in range(330, 20, -40):
        cv2.circle(canvas, (350, 350), r, (r % 200, 200 - r % 150, 80), -1, cv2.LINE_AA)
    return canvas


def _bent_grid() -> NDArray[np.uint8]:
    canvas = np.full((720, 1280, 3), 60, np.uint8)
    for d in range(0, 1280, 80):
        cv2.line(canvas, (d, 0), (d, 719), (220, 200, 180), 3)
        cv2.line(canvas, (0, d), (1279, d), (220, 200, 180), 3)
    lens = Calibration(np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]), (1280, 720), distortion=-0.12)
    grid = np.stack(np.meshgrid(np.arange(1280.0), np.arange(720.0)), -1).reshape(-1, 2)
    source = lens.undistort(grid).astype(np.float32).reshape(720, 1280, 2)
    return np.asarray(cv2.remap(canvas, source[..., 0], source[..., 1], cv2.INTER_LINEAR), np.uint8)


OTHERS = {
    "one tone": lambda: np.full((480, 640, 3), 127, np.uint8),
    "noise": lambda: np.random.default_rng(0).integers(0, 255, (480, 640, 3)).astype(np.uint8),
    "table top": lambda: board_picture(lines=False, pockets=False, frame_mm=0.0)[0],
    "tray with a rim": lambda: board_picture(lines=False, pockets=False)[0],
    "chessboard": _checkers,
    "rings": _rings,
    "tiles through a bent lens": _bent_grid,
}


@pytest.mark.parametrize("kind", OTHERS)
def test_what_is_no_board_is_refused(kind: str) -> None:
    with pytest.raises(BadInput, match="no board found in here"):
        find_board(OTHERS[kind](), "here")


@pytest.mark.parametrize("kind", ["picture frame", "tray", "rug", "draughts"])
def test_what_looks_like_a_board_is_refused_and_told_why(kind: str) -> None:
    picture, shown = other(list(NOT_BOARDS).index(kind))
    assert shown == kind
    with pytest.raises(BadInput, match=r"^no board found in here: the likeliest outline is none, as [^;:()]+$"):
        find_board(picture, "here")


@pytest.mark.parametrize(("lines", "kind"), [(True, "tournament"), (False, "plain")])
def test_says_what_kind_of_board_it_is_and_how_it_lies(lines: bool, kind: str) -> None:
    found = find_board(board_picture(lines=lines, roll=20.0, fill=0.65)[0])
    assert found.kind == kind
    assert found.turned() == pytest.approx(20.0, abs=0.5)


def test_no_frames_is_no_board() -> None:
    with pytest.raises(BadInput, match="no picture"):
        calibrate_frames([], "clip.mp4")


def test_real_photographs(shared: Path) -> None:
    folder = shared / "real" / "photos"
    for photo in json.loads((folder / "annotations.json").read_text(encoding="utf-8")):
        corners = np.array(photo["corners"], float)
        side = np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean()
        miss = np.linalg.norm(find_board(read_picture(folder / photo["file"])).outline() - corners, axis=1)
        assert (miss - photo["corner_tolerance_px"]).max() < 0.01 * side, photo["file"]


def test_frames_larger_than_what_is_looked_at() -> None:
    picture, corners = board_picture((2880, 2160), tilt=12.0)
    found = calibrate_frames([picture, picture, picture])
    assert found.size == (2880, 2160)
    assert off(found, corners) < 0.003


def test_frames_of_two_sizes_are_refused() -> None:
    with pytest.raises(BadInput, match="differ in size"):
        calibrate_frames([np.zeros((200, 300, 3), np.uint8), np.zeros((300, 200, 3), np.uint8)])
