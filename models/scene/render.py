"""The renderer: one board under one camera, drawn frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, cast

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.board import ICF, BoardSpec
from models.scene.backdrop import draw_empty
from models.scene.camera import Camera, degrade, streak_kernel
from models.scene.disc import Sprite, assembled, make_sprite
from models.scene.hand import HAND_HEIGHT_MM, REACH_MM, HandPose, HandSprite, draw_hand
from models.scene.looks import Style
from models.scene.scenery import Scenery, build
from models.scene.things import add_things
from models.stroke import PIECES, Piece

Image: TypeAlias = NDArray[np.uint8]
Box: TypeAlias = tuple[float, float, float, float]

AROUND_MM: Final = 330.0
"""How far the surroundings are drawn beyond the playing surface (mm)."""
FARTHEST_MM: Final = 1600.0
"""The table is drawn no further than this; beyond, it is mirrored."""
DETAIL: Final = 1.3
"""Pixels of the surface's canvas over those of the picture."""
MAX_SAMPLES: Final = 28
"""Positions averaged for the streak of a moving disc at most."""
SPRITES_PER_CLASS: Final = 9
ARM_STEP_MM: Final = 60.0
SHADOW_PX: Final = 4
"""Hands' shadows are drawn on a grid of so many pixels."""


@dataclass(frozen=True)
class DrawnDisc:
    """A disc at mid-exposure: centre (mm), velocity (mm/s), radius (mm; None for the board's), turn (rad)."""

    cls: Piece
    x: float
    y: float
    vx: float = 0.0
    vy: float = 0.0
    radius: float | None = None
    turn: float = 0.0


@dataclass(frozen=True)
class Truth:
    """What a picture shows: boxes (x0, y0, x1, y1) in px.

    Attributes
    ----------
    discs : tuple
        Box of each disc in the order given, its whole streak if it moves, at half its height.
    hidden : tuple of float
        Fraction of each disc's streak that hands hide.
    hands : tuple
        Box of what is seen of each hand with the next of its arm (`HAND_BOX_MM` from the fingertip); None if nothing is.
    """

    discs: tuple[Box, ...]
    hidden: tuple[float, ...]
    hands: tuple[Box | None, ...]


class Renderer:
    """Draws one board; everything that stands still is drawn once.

    Parameters
    ----------
    style : Style
    camera : Camera
    board : BoardSpec
    seed : int
        Settles grain, wear, scatter of the pieces and whatever else the style leaves open.
    around : float
        How far beyond the playing surface the surroundings are drawn (mm).
    """

    def __init__(self, style: Style, camera: Camera, board: BoardSpec = ICF, seed: int = 0, around: float = AROUND_MM) -> None:
        self.style, self.camera, self.board = style, camera, board
        rng = np.random.default_rng(seed)
        self._noise = np.random.default_rng(seed + 1)
        self.scale = camera.scale(board)
        detail = float(np.clip(DETAIL * self.scale, 0.6, 2.2))
        self.scenery: Scenery = build(style, board, rng, detail, around, float(np.clip(camera.reach(board), around, FARTHEST_MM)))
        self._sprites = self._make_sprites(rng)
        self.background, self.frame_mask = draw_empty(style, camera, board, self.scenery)
        self._add_lying(rng)
        self._still, self._still_key = self.background, cast("tuple[tuple[DrawnDisc, int], ...]", ())

    def radius(self, disc: DrawnDisc) -> float:
        """Radius (mm) at which `disc` is drawn."""
        if disc.radius is not None:
            return disc.radius
        return self._radius(disc.cls)

    def _radius(self, cls: Piece) -> float:
        return self.board.piece_radius * self.style.piece_scale * (self.style.striker_scale if cls == "striker" else 1.0)

    def frame(
        self, discs: Sequence[DrawnDisc], hands: Sequence[HandPose] = (), exposure_s: float = 1 / 120, rng: Generator | None = None
    ) -> Image:
        """One picture, uint8 BGR, shape (height, width, 3)."""
        return self.compose(discs, hands, exposure_s, rng)[0]

    def compose(
        self,
        discs: Sequence[DrawnDisc],
        hands: Sequence[HandPose] = (),
        exposure_s: float = 1 / 120,
        rng: Generator | None = None,
        samples: int = MAX_SAMPLES,
    ) -> tuple[Image, Truth]:
        """One picture and what it shows.

        Parameters
        ----------
        discs, hands : sequence
        exposure_s : float
            Exposure (s); a moving disc leaves a streak of velocity times exposure round its place.
        rng : Generator, optional
            Noise of the camera; the renderer's own if left out.
        samples : int
            Positions averaged for a streak at most: few leave the separate ghosts that frame blending makes.
        """
        held = [h.holding for h in hands if h.holding is not None]
        everything = [self._rolled(d) for d in (*discs, *held)]
        pairs = list(zip(everything, self._kinds(everything), strict=True))
        picture = self._with_still([(d, kind) for d, kind in pairs if not (d.vx or d.vy)]).copy()
        self._put(picture, [(d, kind) for d, kind in pairs if d.vx or d.vy], exposure_s, samples)
        cover = np.zeros(picture.shape[:2], np.float32) if hands else None
        seen = tuple(self._hand(picture, h, exposure_s, cover) for h in hands)
        boxes = tuple(self._box(d, exposure_s) for d in everything)
        hidden = tuple(0.0 if cover is None else _mean(cover, b) for b in boxes)
        return degrade(picture, self.camera.fault, rng or self._noise), Truth(boxes, hidden, seen)

    def _with_still(self, pairs: list[tuple[DrawnDisc, Sprite]]) -> Image:
        """The background with the discs at rest, kept until one of them changes."""
        key = tuple((d, id(kind)) for d, kind in pairs)
        if key != self._still_key:
            picture = self.background.copy()
            self._put(picture, pairs, 0.0, 1)
            self._still, self._still_key = picture, key
        return self._still

    def _put(self, picture: Image, pairs: list[tuple[DrawnDisc, Sprite]], exposure_s: float, samples: int) -> None:
        for d, _ in pairs:
            self._shadow(picture, d, exposure_s)
        for d, kind in pairs:
            self._disc(picture, d, kind, exposure_s, samples)

    def _rolled(self, d: DrawnDisc) -> DrawnDisc:
        """Where a disc is when the row that it lies in is read."""
        if not self.camera.readout_s or not (d.vx or d.vy):
            return d
        row = float(self.camera.project([[d.x, d.y]])[0, 1]) / self.camera.size[1] - 0.5
        t = self.camera.readout_s * row
        return replace(d, x=d.x + d.vx * t, y=d.y + d.vy * t)

    def _kinds(self, discs: Sequence[DrawnDisc]) -> list[Sprite]:
        """The sprite of each disc: the n-th of its class, so that a piece keeps its looks as long as the order stays."""
        count: dict[Piece, int] = {}
        out = []
        for d in discs:
            k = count.get(d.cls, 0)
            count[d.cls] = k + 1
            pool = self._sprites[d.cls]
            out.append(pool[k % len(pool)])
        return out

    def _make_sprites(self, rng: Generator) -> dict[Piece, list[Sprite]]:
        out: dict[Piece, list[Sprite]] = {}
        for cls, look in self.style.pieces.items():
            mm = self._radius(cls)
            px = float(np.clip(1.5 * mm * self.scale, 8, 60))
            soft = self.style.light.softness * px / mm
            n = SPRITES_PER_CLASS if cls in ("white", "black") else 1
            seed = int(rng.integers(2**31))
            out[cls] = [make_sprite(look, px, soft, self.style.light.azimuth, np.random.default_rng([seed, i])) for i in range(n)]
        return out

    def _add_lying(self, rng: Generator) -> None:
        """Pieces in the pockets' nets and beside the board: seen, but not in play."""
        look = self.style.pockets
        for cls, (x, y) in zip(look.lying, self.board.pockets().values(), strict=True):
            if cls is None:
                continue
            clip = np.zeros(self.background.shape[:2], np.uint8)
            corner = np.sign(np.array([x, y]) - self.board.side / 2) * (look.radius - self.board.pocket_inset)
            at = np.array([x, y]) - corner
            ring = at + look.radius * np.c_[np.cos(np.linspace(0, 6.2832, 40)), np.sin(np.linspace(0, 6.2832, 40))]
            cv2.fillPoly(clip, [np.round(self.camera.project(ring) * 16).astype(np.int32).reshape(-1, 1, 2)], (255,), cv2.LINE_AA, 4)
            for k in range(look.heap):
                kind = cls if k == look.heap - 1 else ("white", "black")[int(rng.integers(2))]
                x, y = at + rng.normal(0, 5 + 4 * k, 2)
                d = DrawnDisc(kind, float(x), float(y), turn=float(rng.uniform(0, 6)))
                self._disc(
                    self.background, d, self._sprites[d.cls][0], 0.0, 1, np.asarray(clip / 255, np.float32), float(rng.uniform(0.3, 1.0))
                )
        add_things(self.background, self.style, self.camera, self.board, self.scenery.light_at, rng)
        surround, frame = self.style.surround, self.style.frame
        everywhere = np.ones(self.frame_mask.shape, np.float32)
        for n in range(surround.clutter + surround.on_frame):
            kind = PIECES[int(rng.choice(4, p=[0.4, 0.4, 0.1, 0.1]))]
            pool, radius = self._sprites[kind], self._radius(kind)
            along, beyond = rng.uniform(-0.1, 1.1) * self.board.side, rng.uniform(25, 160) + 0.6 * frame.width
            # On the frame they lie as high as it is and leave the surface clear, or they would be seen on it.
            beyond = radius * rng.uniform(1.05, 2.2) if n >= surround.clutter else max(beyond, 1.05 * radius)
            high = frame.height if beyond < frame.width else 0.0
            far = self.board.side + beyond
            x, y = [(along, -beyond), (along, far), (-beyond, along), (far, along)][int(rng.integers(4))]
            d = DrawnDisc(kind, float(x), float(y), turn=float(rng.uniform(0, 6)))
            if not high:
                self._shadow(self.background, d, 0.0)
            self._disc(self.background, d, pool[int(rng.integers(len(pool)))], 0.0, 1, everywhere, z=high)

    def _box(self, d: DrawnDisc, exposure: float) -> Box:
        z = self.style.pieces[d.cls].height / 2
        p, j = self.camera.local(d.x, d.y, z)
        half = self.radius(d) * np.hypot(j[:, 0], j[:, 1]) + np.abs(j @ np.array([d.vx, d.vy])) * exposure / 2
        return (float(p[0] - half[0]), float(p[1] - half[1]), float(p[0] + half[0]), float(p[1] + half[1]))

    def _steps(self, d: DrawnDisc, exposure: float, jacobian: NDArray[np.float64], most: int) -> NDArray[np.float64]:
        """Offsets (mm) from the middle of the exposure at which a disc is drawn."""
        way = np.array([d.vx, d.vy]) * exposure
        length = float(np.linalg.norm(jacobian @ way))
        n = 1 if length < 0.7 else max(2, min(most, int(np.ceil(1.3 * length)) + 1))
        t = (np.arange(n) + 0.5) / n - 0.5
        return np.asarray(t[:, None] * way, np.float64)

    def _shadow(self, picture: Image, d: DrawnDisc, exposure: float) -> None:
        light, look = self.style.light, self.style.pieces[d.cls]
        sprite = self._sprites[d.cls][0]
        p, j = self.camera.local(d.x, d.y)
        away = -j @ np.array([np.cos(light.azimuth), np.sin(light.azimuth)]) * light.slant * look.height * 0.6
        steps = self._steps(d, exposure, j, 6)
        k, m = self.radius(d) / sprite.radius, sprite.soft.shape[0]
        x0, y0, x1, y1 = self._patch(picture, p + away / 2, j, k * m / 2 + 0.3 * light.slant * look.height, steps)
        if x1 <= x0 or y1 <= y0:
            return
        free = 1 - self.frame_mask[y0:y1, x0:x1]
        dark = np.ones_like(free)
        for offset, strength in ((away, 0.75 * light.shadow), (0 * away, 0.5 * light.ambient_shadow)):
            total = np.zeros_like(free)
            for step in steps:
                total += cv2.warpAffine(sprite.soft, _to_patch(p + offset + j @ step - (x0, y0), j * k, (m - 1) / 2), (x1 - x0, y1 - y0))
            dark *= 1 - np.float32(strength / len(steps)) * total * free
        picture[y0:y1, x0:x1] = (picture[y0:y1, x0:x1] * dark[..., None]).astype(np.uint8)

    def _patch(
        self, picture: Image, p: NDArray[np.float64], j: NDArray[np.float64], reach: float, steps: NDArray[np.float64]
    ) -> tuple[int, int, int, int]:
        """The part of the picture that a disc of `reach` mm touches on its way."""
        half = reach * np.hypot(j[:, 0], j[:, 1]) + np.abs(steps @ j.T).max(0) + 3
        h, w = picture.shape[:2]
        lo, hi = np.floor(p - half).astype(int), np.ceil(p + half).astype(int) + 1
        return max(0, int(lo[0])), max(0, int(lo[1])), min(w, int(hi[0])), min(h, int(hi[1]))

    def _disc(
        self,
        picture: Image,
        d: DrawnDisc,
        sprite: Sprite,
        exposure: float,
        most: int,
        clip: NDArray[np.float32] | None = None,
        dim: float = 1.0,
        z: float = 0.0,
    ) -> None:
        p0, j = self.camera.local(d.x, d.y, z)
        top = self.camera.local(d.x, d.y, z + sprite.height)[0]
        lean = top - p0
        steps = self._steps(d, exposure, j, most)
        k = self.radius(d) / sprite.radius
        n = sprite.alpha.shape[0]
        x0, y0, x1, y1 = self._patch(picture, (p0 + top) / 2, j, k * n / 2 + float(np.linalg.norm(lean)) / max(self.scale, 1e-3), steps)
        if x1 <= x0 or y1 <= y0:
            return
        lit = self.scenery.light_at(d.x, d.y) * np.float32(dim)
        whole = assembled(sprite, d.turn, np.asarray(np.linalg.solve(j * k, lean), np.float64), lit)
        c = (whole.shape[0] - 1) / 2
        paint = np.zeros((y1 - y0, x1 - x0, 4), np.float32)
        for step in steps:
            paint += cv2.warpAffine(whole, _to_patch(top + j @ step - (x0, y0), j * k, c), (x1 - x0, y1 - y0))
        free = (1 - self.frame_mask[y0:y1, x0:x1]) if clip is None else clip[y0:y1, x0:x1]
        keep = (free / np.float32(len(steps)))[..., None]
        part = picture[y0:y1, x0:x1]
        paint *= keep
        part[:] = np.clip(part * (1 - paint[..., 3:]) + paint[..., :3], 0, 255).astype(np.uint8)

    def _arm_seen(self, pose: HandPose) -> float:
        """How much of an arm, from the fingertip on, can be in the picture (mm); in steps, so that a moving hand keeps its picture."""
        along = np.arange(ARM_STEP_MM, REACH_MM, ARM_STEP_MM)
        mm = np.array(pose.tip) - along[:, None] * np.array([np.cos(pose.direction), np.sin(pose.direction)])
        px = self.camera.project(mm, HAND_HEIGHT_MM / 2)
        wide, size = ARM_STEP_MM * self.scale * 2, np.array(self.camera.size)
        seen = np.flatnonzero(((px > -wide) & (px < size + wide)).all(1))
        return min(REACH_MM, float(along[seen[-1]]) + 2 * ARM_STEP_MM) if len(seen) else REACH_MM

    def _hand(self, picture: Image, pose: HandPose, exposure: float, cover: NDArray[np.float32] | None) -> Box | None:
        arm, light = self.style.arms[pose.seat], self.style.light
        sprite = draw_hand(pose, arm, float(np.clip(self.scale, 0.4, 1.1)), light.azimuth, self._arm_seen(pose))
        away = -np.array([np.cos(light.azimuth), np.sin(light.azimuth)]) * light.slant * HAND_HEIGHT_MM
        self._hand_shadow(picture, sprite, away)
        height, width = sprite.paint.shape[:2]
        found = self._quad(picture, sprite, np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32), HAND_HEIGHT_MM / 2)
        if found is None:
            return None
        m, (x0, y0, x1, y1) = found
        size = (x1 - x0, y1 - y0)
        paint = np.asarray(cv2.warpPerspective(sprite.paint, m, size), np.float32)
        paint[..., :3] *= self.scenery.light_at(*np.clip(pose.tip, 0, self.board.side))
        way = self.camera.local(*pose.tip)[1] @ np.array([pose.vx, pose.vy]) * exposure
        if np.linalg.norm(way) > 1.5:
            kernel = streak_kernel(min(41.0, float(np.linalg.norm(way))), float(np.arctan2(way[1], way[0])))
            paint = np.asarray(cv2.filter2D(paint, -1, kernel), np.float32)
        part, alpha = picture[y0:y1, x0:x1], paint[..., 3]
        part[:] = np.clip(part * (1 - alpha[..., None]) + paint[..., :3], 0, 255).astype(np.uint8)
        if cover is not None:
            np.maximum(cover[y0:y1, x0:x1], alpha, out=cover[y0:y1, x0:x1])
        hand = sprite.paint[:, sprite.wrist :, 3]
        near = cv2.warpPerspective(hand, m @ np.array([[1.0, 0, sprite.wrist], [0, 1, 0], [0, 0, 1]]), size) > 0.4
        rows, columns = np.flatnonzero(near.any(1)), np.flatnonzero(near.any(0))
        if not len(rows):
            return None
        return (float(x0 + columns[0]), float(y0 + rows[0]), float(x0 + columns[-1] + 1), float(y0 + rows[-1] + 1))

    def _quad(
        self, picture: Image, sprite: HandSprite, corners: NDArray[np.float32], z: float, shift: NDArray[np.float64] | float = 0.0
    ) -> tuple[NDArray[np.float64], tuple[int, int, int, int]] | None:
        """Matrix from a hand's picture to the part of the camera's in which it is seen, and that part; None if it is not."""
        px = self.camera.project(corners @ sprite.to_mm[:, :2].T + sprite.to_mm[:, 2] + shift, z)
        h, w = picture.shape[:2]
        lo, hi = np.floor(px.min(0)).astype(int) - 12, np.ceil(px.max(0)).astype(int) + 12
        x0, y0, x1, y1 = max(0, int(lo[0])), max(0, int(lo[1])), min(w, int(hi[0])), min(h, int(hi[1]))
        if x1 <= x0 or y1 <= y0:
            return None
        return np.asarray(cv2.getPerspectiveTransform(corners, (px - (x0, y0)).astype(np.float32)), np.float64), (x0, y0, x1, y1)

    def _hand_shadow(self, picture: Image, sprite: HandSprite, away: NDArray[np.float64]) -> None:
        """The soft shadow of a hand, drawn at a quarter of the resolution, in place."""
        light, q = self.style.light, SHADOW_PX
        height, width = sprite.paint.shape[:2]
        found = self._quad(picture, sprite, np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32), 0.0, away)
        if found is None:
            return
        m, (x0, y0, x1, y1) = found
        small = np.diag([1 / q, 1 / q, 1.0]) @ m
        alpha = cv2.warpPerspective(np.ascontiguousarray(sprite.paint[..., 3]), small, (-(-(x1 - x0) // q), -(-(y1 - y0) // q)))
        soft = cv2.GaussianBlur(alpha, (0, 0), max(0.5, (light.softness + 5) * self.scale / q))
        dark = np.asarray(cv2.resize(1 - np.float32(0.65 * light.shadow) * soft, (x1 - x0, y1 - y0)), np.float32)
        part = picture[y0:y1, x0:x1]
        part[:] = (part * dark[..., None]).astype(np.uint8)


def _to_patch(at: NDArray[np.float64], linear: NDArray[np.float64], centre: float) -> NDArray[np.float64]:
    """2 x 3 matrix that puts a sprite's `centre` at `at` (px)."""
    out = np.empty((2, 3))
    out[:, :2], out[:, 2] = linear, at - linear.sum(1) * centre
    return out


def _mean(cover: NDArray[np.float32], box: Box) -> float:
    """Share of the ellipse in `box` that is covered; 0 outside the picture."""
    h, w = cover.shape
    x0, y0, x1, y1 = max(0, int(box[0])), max(0, int(box[1])), min(w, int(box[2]) + 1), min(h, int(box[3]) + 1)
    if x1 <= x0 or y1 <= y0:
        return 0.0
    yy, xx = np.mgrid[y0:y1, x0:x1]
    cx, cy, a, b = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, (box[2] - box[0]) / 2, (box[3] - box[1]) / 2
    inside = ((xx - cx) / a) ** 2 + ((yy - cy) / b) ** 2 <= 1
    return float(cover[y0:y1, x0:x1][inside].mean()) if inside.any() else 0.0
