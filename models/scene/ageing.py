"""What use leaves on a board: worn print and varnish, scratches, stains, rings of glasses, powder."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.board import BoardSpec
from models.scene.looks import Wood
from models.scene.texture import noise


def wear(printed: NDArray[np.uint8], bare: NDArray[np.uint8], look: Wood, rng: Generator, px_per_mm: float) -> NDArray[np.uint8]:
    """Rub the print off where hands and pieces pass; `bare` is the wood without print."""
    if look.wear < 0.08:
        return printed
    h, w = bare.shape[:2]
    patch = noise(rng, (w // 2, h // 2), (60 * px_per_mm / 2, 60 * px_per_mm / 2), 4)
    mask = np.clip((patch + 2.6 * look.wear - 1.7) * 2, 0, 0.5 + 0.5 * look.wear)
    full = cv2.resize(np.asarray(mask, np.float32), (w, h), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.blendLinear(printed, bare, 1 - full, full), np.uint8)


def varnish(bare: NDArray[np.uint8], look: Wood, board: BoardSpec, rng: Generator, px_per_mm: float, edge: float) -> NDArray[np.uint8]:
    """The wood, its varnish rubbed off along the base lines where strikers are set and hands rest; `edge` is its overhang (mm)."""
    if not look.bare:
        return bare
    h, w = bare.shape[:2]
    q = 4
    grid = np.arange(w // q, dtype=np.float32) * q / px_per_mm - edge
    depth = np.minimum(grid, board.side - grid)
    near = np.exp(-(((depth - board.base_middle) / 28) ** 2))
    along = (np.abs(grid - board.side / 2) < board.base_length / 2).astype(np.float32)
    band = np.maximum(near[:, None] * along[None], near[None] * along[:, None])
    ragged = noise(rng, (w // q, w // q), (60 * px_per_mm / q, 25 * px_per_mm / q), 3)
    mask = np.clip((band * (0.7 + 0.8 * look.bare) + 0.25 * ragged - 0.65) * 3, 0, 1) * look.bare
    full = cv2.resize(np.asarray(mask, np.float32), (w, h), interpolation=cv2.INTER_LINEAR)[..., None]
    tone = np.asarray(rng.choice([(1.25, 1.2, 1.15), (0.72, 0.76, 0.82)]), np.float32)
    return np.asarray(np.clip(bare * (1 + (tone - 1) * full), 0, 255), np.uint8)


def age(surface: NDArray[np.uint8], look: Wood, board: BoardSpec, rng: Generator, px_per_mm: float, origin: float) -> NDArray[np.uint8]:
    """The surface with scratches, stains, rings of glasses and powder."""
    h, w = surface.shape[:2]
    layer = np.full((h, w), 128, np.uint8)
    for _ in range(int(look.scratches**2 * 300)):
        p = rng.uniform(0, board.side, 2)
        a, n = rng.uniform(0, 2 * np.pi), rng.gamma(1.5, 12)
        q = p + n * np.array([np.cos(a), np.sin(a)])
        i, j = ((p - origin) * px_per_mm).astype(int), ((q - origin) * px_per_mm).astype(int)
        cv2.line(layer, (int(i[0]), int(i[1])), (int(j[0]), int(j[1])), (int(128 + rng.normal(15, 40)) % 256,), 1, cv2.LINE_AA)
    for _ in range(int(look.stains * 14)):
        p = ((rng.uniform(0, board.side, 2) - origin) * px_per_mm).astype(int)
        r = float(rng.gamma(1.5, 5)) * px_per_mm
        level = int(np.clip(128 + rng.normal(-8, 22), 40, 215))
        axes, turn = (int(r), int(r * rng.uniform(0.4, 1))), float(rng.uniform(0, 180))
        cv2.ellipse(layer, (int(p[0]), int(p[1])), axes, turn, 0, 360, (level,), -1, cv2.LINE_AA)
    for _ in range(look.rings):
        p = ((rng.uniform(40, board.side - 40, 2) - origin) * px_per_mm).astype(int)
        start, level, wide = float(rng.uniform(0, 360)), int(128 + rng.choice([-1, 1]) * rng.uniform(12, 45)), rng.uniform(1.5, 4)
        r = int(rng.uniform(24, 45) * px_per_mm)
        cv2.ellipse(
            layer,
            (int(p[0]), int(p[1])),
            (r, r),
            start,
            0,
            float(rng.uniform(200, 360)),
            (level,),
            max(1, int(wide * px_per_mm)),
            cv2.LINE_AA,
        )
    for _ in range(int(look.swirls * 90)):
        p = ((rng.uniform(0, board.side, 2) - origin) * px_per_mm).astype(int)
        r, start = int(rng.uniform(20, 160) * px_per_mm), float(rng.uniform(0, 360))
        level = int(128 + rng.uniform(8, 50))
        cv2.ellipse(layer, (int(p[0]), int(p[1])), (r, int(0.7 * r)), start, 0, float(rng.uniform(15, 80)), (level,), 1, cv2.LINE_AA)
    if look.scratches > 0.05 or look.stains > 0.07 or look.rings or look.swirls:
        soft = cv2.GaussianBlur(layer, (0, 0), 0.8)
        brighter, darker = cv2.subtract(soft, 128), cv2.subtract(128, soft)  # type: ignore[call-overload]
        surface = np.asarray(cv2.subtract(cv2.add(surface, cv2.merge([brighter] * 3)), cv2.merge([darker] * 3)), np.uint8)
    if look.powder > 0.08:
        cloud = noise(rng, (w // 4, h // 4), (110 * px_per_mm / 4, 110 * px_per_mm / 4), 4)
        smear = noise(rng, (w // 2, h // 2), (25 * px_per_mm / 2, 4 * px_per_mm / 2), 2)
        amount = np.clip(cv2.resize(cloud, (w // 2, h // 2)) - 1.6 + 1.3 * look.powder, 0, 1) * (0.5 + 0.25 * smear) * look.powder
        surface = _powdered(surface, np.asarray(cv2.resize(np.clip(np.asarray(amount, np.float32), 0, 0.8), (w, h)), np.float32))
    if look.dots:
        surface = _powdered(surface, _specks((h, w), look, board, rng, px_per_mm, origin))
    return surface


def _powdered(surface: NDArray[np.uint8], amount: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The surface with so much powder on it, 0 to 1."""
    white = np.full_like(surface, 247)
    return np.asarray(cv2.blendLinear(surface, white, 1 - amount, amount), np.uint8)


def _specks(shape: tuple[int, int], look: Wood, board: BoardSpec, rng: Generator, k: float, origin: float) -> NDArray[np.float32]:
    """Powder as it falls out of the box, 0 to 1: grains round a few places, and some of them wiped."""
    layer = np.zeros(shape, np.uint8)
    for _ in range(int(rng.integers(1, 4))):
        middle, spread = rng.uniform(0, board.side, 2), rng.uniform(20, 200)
        for p in middle + rng.normal(0, spread, (look.dots // 2, 2)):
            x, y = (int(v) for v in (p - origin) * k * 16)
            cv2.circle(layer, (x, y), int(abs(rng.normal(0.3, 0.5)) * k * 16), (int(rng.uniform(60, 230)),), -1, cv2.LINE_AA, 4)
        if rng.random() < 0.6:
            a = rng.uniform(0, 2 * np.pi)
            path = middle + np.outer(np.linspace(0, rng.uniform(30, 250), 12), (np.cos(a), np.sin(a))) + rng.normal(0, 3, (12, 2))
            wiped = np.zeros_like(layer)
            points = ((path - origin) * k * 16).astype(np.int32).reshape(-1, 1, 2)
            cv2.polylines(wiped, [points], False, (int(rng.uniform(15, 80)),), max(1, int(rng.uniform(8, 40) * k)), cv2.LINE_AA, 4)
            layer = np.maximum(layer, np.asarray(cv2.blur(wiped, (int(22 * k) | 1, int(22 * k) | 1)), np.uint8))
    return layer.astype(np.float32) / np.float32(255)
