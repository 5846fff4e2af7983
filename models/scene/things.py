"""What lies or stands beside a board: cups, boxes, phones, score sheets, shoes, feet and knees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.board import BoardSpec
from models.scene.camera import Camera
from models.scene.looks import Bgr, Style
from models.scene.sets import any_colour, hsv, skin_colour
from models.scene.texture import FONTS, noise

PX_PER_MM: Final = 0.8
"""Resolution of a thing's picture."""
OVERLAP_MM: Final = 6.0
"""Things reach over the playing surface no further than this."""

Image = NDArray[np.uint8]
Picture = tuple[NDArray[np.float32], NDArray[np.float32]]


def add_things(
    picture: Image, style: Style, camera: Camera, board: BoardSpec, light_at: Callable[[float, float], NDArray[np.float32]], rng: Generator
) -> None:
    """Draw the surroundings' things over a picture of the empty board, in place; they keep clear of the playing surface."""
    s = board.side
    clear = np.zeros(picture.shape[:2], np.uint8)
    square = camera.project(board.corners() + OVERLAP_MM * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]))
    cv2.fillConvexPoly(clear, np.clip(np.round(square * 16), -(2**20), 2**20).astype(np.int32), (255,), cv2.LINE_AA, 4)
    for _ in range(style.surround.things):
        draw = KINDS[int(rng.choice(len(KINDS), p=CHANCES))]
        colour, alpha = draw(rng)
        reach = max(colour.shape[:2]) / PX_PER_MM / 2
        along, out = rng.uniform(-0.15, 1.15) * s, rng.uniform(0.15, 1.1) * reach + rng.uniform(0, 90)
        q = int(rng.integers(4))
        x, y = ((along, -out), (s + out, along), (along, s + out), (-out, along))[q]
        turn = (np.pi / 2, np.pi, -np.pi / 2, 0.0)[q] + rng.normal(0, 0.5)
        _lay(picture, camera, colour * light_at(float(x), float(y)), alpha, (float(x), float(y)), float(turn), clear)


def _lay(
    picture: Image,
    camera: Camera,
    colour: NDArray[np.float32],
    alpha: NDArray[np.float32],
    at: tuple[float, float],
    turn: float,
    clear: Image,
) -> None:
    h, w = alpha.shape
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    px = camera.project((corners - (w / 2, h / 2)) / PX_PER_MM @ rotation.T + at, 20.0)
    lo, hi = np.floor(px.min(0)).astype(int) - 6, np.ceil(px.max(0)).astype(int) + 6
    x0, y0, x1, y1 = max(0, lo[0]), max(0, lo[1]), min(picture.shape[1], hi[0]), min(picture.shape[0], hi[1])
    if x1 <= x0 or y1 <= y0:
        return
    m = cv2.getPerspectiveTransform(corners, (px - (x0, y0)).astype(np.float32))
    size = (int(x1 - x0), int(y1 - y0))
    a = np.asarray(cv2.warpPerspective(alpha, m, size), np.float32) * (1 - clear[y0:y1, x0:x1].astype(np.float32) / 255)
    c = cv2.warpPerspective(colour, m, size, borderMode=cv2.BORDER_REPLICATE)
    part = picture[y0:y1, x0:x1]
    dark = cv2.GaussianBlur(a, (0, 0), 5.0) * 0.4 * (1 - clear[y0:y1, x0:x1].astype(np.float32) / 255)
    shaded = part * (1 - dark)[..., None]
    part[:] = np.clip(shaded * (1 - a[..., None]) + c * a[..., None], 0, 255).astype(np.uint8)


def _canvas(long: float, wide: float) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    size = (max(8, int(wide * PX_PER_MM)), max(8, int(long * PX_PER_MM)))
    return np.zeros((*size, 3), np.uint8), np.zeros(size, np.uint8)


def _done(colour: Image, alpha: Image) -> Picture:
    return colour.astype(np.float32), _soft(alpha)


def _soft(mask: Image) -> NDArray[np.float32]:
    """A mask with a soft edge, 0 to 1."""
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.8), np.float32) / np.float32(255)


def _solid(mask: Image, colour: Bgr, rng: Generator, mottle: float) -> Picture:
    """A rounded body: the mask's inside swells up and is lit from one side."""
    inner = np.sqrt(np.minimum(cv2.distanceTransform(mask, cv2.DIST_L2, 3), 40 * PX_PER_MM)).astype(np.float32)
    depth = np.asarray(cv2.GaussianBlur(inner, (0, 0), 3.0), np.float32)
    a = rng.uniform(0, 2 * np.pi)
    gx, gy = cv2.Sobel(depth, cv2.CV_32F, 1, 0, scale=0.25), cv2.Sobel(depth, cv2.CV_32F, 0, 1, scale=0.25)
    shade = np.clip(0.95 + 0.5 * (gx * np.cos(a) + gy * np.sin(a)) - 0.25 * np.hypot(gx, gy), 0.25, 1.3)
    h, w = mask.shape
    shade = shade * (1 + mottle * noise(rng, (w, h), (30 * PX_PER_MM, 30 * PX_PER_MM), 3))
    return np.asarray(shade[..., None] * np.asarray(colour, np.float32), np.float32), _soft(mask)


def _foot(rng: Generator) -> Picture:
    """A bare foot or one in a sock, toes towards +x."""
    _, mask = _canvas(290, 120)
    h, w = mask.shape
    k, c = PX_PER_MM, h // 2
    cv2.ellipse(mask, (int(80 * k), c), (int(70 * k), int(32 * k)), 0, 0, 360, (255,), -1)
    cv2.ellipse(mask, (int(165 * k), c), (int(80 * k), int(44 * k)), 0, 0, 360, (255,), -1)
    bare = rng.random() < 0.7
    for i in range(5 if bare else 0):
        at = (int((248 - 7 * i - (6 if i == 0 else 0)) * k), int(c + (-32 + 16.5 * i) * k))
        r = (13.0, 10.0, 9.0, 8.5, 8.0)[i] * k
        cv2.ellipse(mask, at, (int(1.7 * r), max(1, int(r))), 8 * (i - 2), 0, 360, (255,), -1)
    colour, alpha = _solid(mask, skin_colour(rng) if bare else any_colour(rng), rng, 0.03)
    for i in range(5 if bare else 0):
        at = (int((258 - 7 * i) * k), int(c + (-32 + 16.5 * i) * k))
        cv2.ellipse(
            colour,
            at,
            (max(1, int(6 * k)), max(1, int(5 * k))),
            0,
            0,
            360,
            tuple(float(v) for v in colour[at[1], min(at[0], w - 1)] * 1.15),
            -1,
        )
    return colour, alpha


def _shoe(rng: Generator) -> Picture:
    """A shoe or slipper from above."""
    _, mask = _canvas(290, 110)
    h, k = mask.shape[0], PX_PER_MM
    cv2.ellipse(mask, (int(85 * k), h // 2), (int(75 * k), int(38 * k)), 0, 0, 360, (255,), -1)
    cv2.ellipse(mask, (int(190 * k), h // 2), (int(92 * k), int(46 * k)), 0, 0, 360, (255,), -1)
    colour, alpha = _solid(mask, any_colour(rng), rng, 0.03)
    dark = tuple(float(v) for v in rng.uniform(5, 80, 3))
    if rng.random() < 0.5:
        cv2.ellipse(colour, (int(80 * k), h // 2), (int(50 * k), int(24 * k)), 0, 0, 360, dark, -1, cv2.LINE_AA)
    else:
        for y in (-1, 1):
            cv2.line(colour, (int(225 * k), h // 2), (int(130 * k), int(h / 2 + y * 40 * k)), dark, max(1, int(12 * k)), cv2.LINE_AA)
    return colour, alpha


def _knee(rng: Generator) -> Picture:
    """A knee and thigh in trousers, a skirt or bare."""
    _, mask = _canvas(420, 260)
    h, w = mask.shape
    k = PX_PER_MM
    cv2.line(mask, (w - int(90 * k), h // 2), (-40, int(h * rng.uniform(0.2, 0.8))), (255,), int(rng.uniform(110, 165) * k), cv2.LINE_AA)
    return _solid(mask, skin_colour(rng) if rng.random() < 0.35 else any_colour(rng), rng, 0.05)


def _cup(rng: Generator) -> Picture:
    """A cup, glass, bottle or powder tin from above."""
    size = float(rng.uniform(45, 95))
    colour, mask = _canvas(size, size)
    c, outer = colour.shape[0] // 2, any_colour(rng)
    r = c - 2
    cv2.circle(mask, (c, c), r, (255,), -1, cv2.LINE_AA)
    cv2.circle(colour, (c, c), r + 1, outer, -1)
    for share in sorted(rng.uniform(0.2, 0.9, int(rng.integers(1, 4))), reverse=True):
        cv2.circle(colour, (c, c), int(r * share), any_colour(rng), -1, cv2.LINE_AA)
    cv2.ellipse(
        colour, (c, c), (int(0.8 * r), int(0.8 * r)), float(rng.uniform(0, 360)), 0, 50, (250.0, 250.0, 250.0), max(1, r // 10), cv2.LINE_AA
    )
    return _done(colour, mask)


def _phone(rng: Generator) -> Picture:
    """A telephone, its screen dark or lit."""
    colour, mask = _canvas(155, 76)
    h, w = mask.shape
    cv2.rectangle(mask, (1, 1), (w - 2, h - 2), (255,), -1)
    colour[:] = np.asarray(rng.uniform(5, 60, 3), np.uint8)
    screen = tuple(float(v) for v in (rng.uniform(5, 25, 3) if rng.random() < 0.6 else rng.uniform(80, 255, 3)))
    cv2.rectangle(colour, (6, 4), (w - 7, h - 5), screen, -1)
    return _done(colour, mask)


def _sheet(rng: Generator) -> Picture:
    """A score sheet, book or box with writing."""
    colour, mask = _canvas(float(rng.uniform(110, 260)), float(rng.uniform(70, 190)))
    h = mask.shape[0]
    mask[1:-1, 1:-1] = 255
    paper, ink = (hsv(rng, (0, 360), (0, 0.1), (0.8, 1)), (50.0, 40.0, 40.0)) if rng.random() < 0.6 else (any_colour(rng), any_colour(rng))
    colour[:] = np.asarray(paper, np.float32).astype(np.uint8)
    font = int(rng.choice(FONTS))
    for y in range(10, h, 11):
        cv2.putText(colour, "12 7 -3 board 25 -"[: int(rng.integers(3, 18))], (5, y), font, 0.33, ink, 1, cv2.LINE_AA)
    return _done(colour, mask)


KINDS: Final = (_foot, _shoe, _knee, _cup, _phone, _sheet)
CHANCES: Final = (0.18, 0.1, 0.24, 0.2, 0.12, 0.16)
"""How often each kind of thing lies there."""
