"""Hands and arms seen from above, modelled as tapered capsules whose heights are shaded like a relief."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from models.scene.looks import Arm
from models.stroke import Seat

if TYPE_CHECKING:
    from models.scene.render import DrawnDisc

Grip: TypeAlias = Literal["flick", "pinch", "flat", "point", "thumb", "scissors", "fist"]

HAND_HEIGHT_MM: Final = 28.0
"""Height of the plane on which a hand is drawn (mm)."""
REACH_MM: Final = 900.0
"""Length of hand and arm that is drawn (mm)."""
HAND_BOX_MM: Final = 290.0
"""How much of hand and arm, from the fingertip on, a hand's box holds (mm)."""
_HALF_MM: Final = 160.0
_TEXTURE_PX: Final = (1500, 520)
"""Width and height of the skin's texture: no hand's picture is larger."""
_MOST_BEND: Final = 0.35
"""A wrist bends no further (rad), or the forearm would leave the picture of the hand."""
_UNDER: Final = 0.6
"""Fingers that are bent by more hide their nails."""
AHEAD_MM: Final = 40.0
# Finger bones from the knuckle on (mm), knuckles relative to the index knuckle, and the fingers' radii.
_BONES: Final = ((44.0, 26.0, 20.0), (48.0, 30.0, 21.0), (44.0, 28.0, 20.0), (34.0, 21.0, 18.0))
_KNUCKLES: Final = ((0.0, 0.0), (4.0, 22.0), (-3.0, 43.0), (-13.0, 61.0))
_RADII: Final = (9.0, 9.6, 9.0, 7.8)
_WRIST: Final = (-92.0, 30.0)


@dataclass(frozen=True)
class HandPose:
    """A hand over the board.

    Attributes
    ----------
    tip : tuple of float
        Where the index fingertip stands when stretched out; for a pinch, where the held disc is; for a thumb's flick, the thumb's (mm).
    direction : float
        Where the fingers point (rad, x right, y down).
    seat : str
        Whose hand it is: skin, sleeve and size are those of that seat's arm.
    grip : {'flick', 'pinch', 'flat', 'point', 'thumb', 'scissors', 'fist'}
        The index finger flicks from behind the thumb or, the others folded, points; the thumb flicks from behind the index
        finger; index and middle finger cross and snap apart.
    extension : float
        0 the finger that flicks is drawn back, 1 stretched out.
    left : bool
    spread : float
        0 other fingers folded, 1 spread on the board.
    bend : float
        Angle between hand and forearm (rad).
    vx, vy : float
        Velocity (mm/s).
    holding : DrawnDisc, optional
        A disc under the fingers, drawn below the hand.
    edge : float
        0 palm down, 1 the hand stands on its little finger's side.
    """

    tip: tuple[float, float]
    direction: float
    seat: Seat = "south"
    grip: Grip = "flick"
    extension: float = 0.0
    left: bool = False
    spread: float = 0.3
    bend: float = 0.0
    vx: float = 0.0
    vy: float = 0.0
    holding: DrawnDisc | None = None
    edge: float = 0.0


@dataclass(frozen=True)
class HandSprite:
    """A hand's picture: `paint` (h, w, 4) is the colour times the alpha, and the alpha.

    `to_mm` is the 2 x 3 matrix from its pixels to board millimetres; the hand begins in column `wrist`, before it is the arm.
    """

    paint: NDArray[np.float32]
    to_mm: NDArray[np.float64]
    wrist: int


_Bone: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64], float, float, float, float]


def _finger(knuckle: NDArray[np.float64], bones: tuple[float, float, float], angle: float, curl: float) -> list[NDArray[np.float64]]:
    """Knuckle, two joints and the tip of a finger that is bent by `curl` (0 to 1), seen from above."""
    u = np.array([np.cos(angle), np.sin(angle)])
    points = [knuckle]
    for length, turn in zip(bones, (1.2, 2.5, 3.3), strict=True):
        points.append(points[-1] + u * length * np.cos(curl * turn))
    return points


def _fingers(pose: HandPose) -> tuple[list[float], list[float]]:
    """How far the four fingers are bent and where they point (rad)."""
    e, s = float(np.clip(pose.extension, 0, 1)), pose.spread
    if pose.grip == "flick":
        return [0.55 * (1 - e), 0.9 - 0.75 * s, 0.95 - 0.75 * s, 0.9 - 0.75 * s], [0.0, 0.03 + 0.12 * s, 0.06 + 0.3 * s, 0.1 + 0.5 * s]
    if pose.grip == "pinch":
        return [0.42, 0.4, 0.5 - 0.2 * s, 0.55 - 0.3 * s], [0.12, -0.12, -0.05 + 0.2 * s, 0.05 + 0.35 * s]
    if pose.grip == "point":
        return [0.35 * (1 - e), 0.88, 0.95, 0.92], [-0.08 * s, 0.02, 0.03, 0.06]
    if pose.grip == "thumb":
        return [0.62, 0.8, 0.88, 0.9], [0.05, 0.02, 0.05, 0.1]
    if pose.grip == "scissors":
        return [0.05, 0.1 + 0.25 * (1 - e), 0.85, 0.88], [0.2 * (1 - e) - 0.05, -0.16 * (1 - e) + 0.12 * s, 0.05, 0.1]
    if pose.grip == "fist":
        return [0.88, 0.9, 0.93, 0.92], [0.02, 0.02, 0.04, 0.06]
    return [0.1, 0.08, 0.1, 0.12], [-0.1 * s, 0.0, 0.1 * s, 0.25 * s]


def _skeleton(pose: HandPose) -> tuple[list[list[NDArray[np.float64]]], list[NDArray[np.float64]], NDArray[np.float64]]:
    """Joints of four fingers and the thumb, and the wrist; index fingertip at the origin, x forward, y towards the little finger."""
    e, s = float(np.clip(pose.extension, 0, 1)), pose.spread
    curls, angles = _fingers(pose)
    narrow = np.array([1.0, 1 - 0.6 * pose.edge])
    fingers = [_finger(np.array(k) * narrow, b, a, c) for k, b, a, c in zip(_KNUCKLES, _BONES, angles, curls, strict=True)]
    stretched = _finger(np.array(_KNUCKLES[0]), _BONES[0], angles[0], 0.0 if pose.grip in ("flick", "point", "scissors") else curls[0])
    if pose.grip == "pinch":
        goal = fingers[0][-1] + np.array([-13.0, -4.0])
    elif pose.grip == "flick":
        back = _finger(np.array(_KNUCKLES[0]), _BONES[0], angles[0], 0.55)[-1]
        goal = back + np.array([-4.0, -9.0]) if e < 0.3 else np.array([25.0, -24.0])
    elif pose.grip == "thumb":
        goal = np.array([24.0 + 34.0 * e, -13.0 - 6.0 * e])
    elif pose.grip in ("point", "fist", "scissors"):
        goal = np.array([24.0 - 12.0 * s, 10.0 - 38.0 * s])
    else:
        goal = np.array([2.0, -45.0 - 15 * s])
    base = np.array([_WRIST[0] + 22, -2.0])
    middle = np.array([-34.0, -26.0 - 8 * s])
    thumb = [base, middle, 0.45 * middle + 0.55 * goal + np.array([-2.0, -7.0]), goal]
    if pose.grip == "pinch":
        shift = -stretched[-1] + np.array([-2.0, -3.0])
    elif pose.grip == "thumb":
        shift = -np.array([58.0 + 9.0, -19.0])
    else:
        shift = -(stretched[-1] + np.array([7.0, 0.0]))
    return [[p + shift for p in f] for f in fingers], [p + shift for p in thumb], np.array(_WRIST) * narrow + shift


def _bones(pose: HandPose, stout: float) -> tuple[list[_Bone], list[_Bone], list[NDArray[np.float64]], list[NDArray[np.float64]]]:
    """Capsules of the hand and of the forearm (ends, radii, heights), fingertips with their directions, joints."""
    fingers, thumb, wrist = _skeleton(pose)
    curls = _fingers(pose)[0]
    hand: list[_Bone] = []
    tips, joints = [], []
    for n, (f, slim) in enumerate(zip(fingers, _RADII, strict=True)):
        r, up = slim * stout, 9.0 * pose.edge * (3 - n)
        hand.append((wrist + (f[0] - wrist) * 0.08, f[0], 24.0, r + 4.5, 8.0, 12.0 + up))
        for i, (z0, z1) in enumerate(((15.0, 15.0), (15.0, 9.0), (9.0, 4.0))):
            hand.append((f[i], f[i + 1], r + 1.8 - 0.9 * i, r + 0.9 - 0.9 * i, z0 + up, z1 + up))
        if curls[n] < _UNDER:
            tips.append(np.r_[f[3], f[3] - f[2]])
        joints += [np.r_[f[1], f[2] - f[1]], np.r_[f[2], f[3] - f[2]]]
    for i, (r0, r1) in enumerate(((21.0, 15.0), (13.0, 10.5), (10.5, 8.5))):
        hand.append((thumb[i], thumb[i + 1], r0, r1, 9.0, 7.0))
    tips.append(np.r_[thumb[3], thumb[3] - thumb[2]])
    bend = float(np.clip(pose.bend, -_MOST_BEND, _MOST_BEND))
    u = np.array([-np.cos(bend), np.sin(bend)])
    elbow = wrist + 240 * u
    shoulder, thick = elbow + np.array([-560.0, 0.0]), 0.5 + 0.5 * stout
    arm: list[_Bone] = [
        (wrist + np.array([6.0, 0]), wrist + 60 * u, 25.0 * thick, 27.0 * thick, 10.0, 12.0),
        (wrist + 60 * u, elbow, 27.0 * thick, 40.0 * thick, 12.0, 16.0),
        (elbow, shoulder, 40.0 * thick, 52.0 * thick, 16.0, 20.0),
    ]
    return hand, arm, tips, joints


def _raise(
    field: NDArray[np.float32], bone: _Bone, k: float, grow: float = 0.0, label: NDArray[np.uint8] | None = None, value: int = 0
) -> None:
    """Put a capsule into a height field (mm), in place; where it is on top, mark `label` with `value`."""
    p, q, r0, r1, z0, z1 = bone
    h, w = field.shape
    r0, r1 = r0 + grow, r1 + grow
    big = max(r0, r1)
    lo = np.floor((np.minimum(p, q) - big + (REACH_MM, _HALF_MM)) * k).astype(int)
    hi = np.ceil((np.maximum(p, q) + big + (REACH_MM, _HALF_MM)) * k).astype(int) + 1
    x0, y0, x1, y1 = max(0, lo[0]), max(0, lo[1]), min(w, hi[0]), min(h, hi[1])
    if x1 <= x0 or y1 <= y0:
        return
    xs = (np.arange(x0, x1, dtype=np.float32) / k - (REACH_MM + float(p[0])))[None]
    ys = (np.arange(y0, y1, dtype=np.float32) / k - (_HALF_MM + float(p[1])))[:, None]
    vx, vy = float(q[0] - p[0]), float(q[1] - p[1])
    long = max(vx * vx + vy * vy, 1e-6)
    t = np.clip(xs * (vx / long) + ys * (vy / long), 0, 1)
    r = r0 + (r1 - r0) * t
    dome = r * r - (xs - t * vx) ** 2 - (ys - t * vy) ** 2
    z = np.where(dome > 0, z0 + (z1 - z0) * t + np.sqrt(np.maximum(dome, 0)), np.float32(0))
    part = field[y0:y1, x0:x1]
    if label is not None:
        label[y0:y1, x0:x1][z > part] = value
    np.maximum(part, z, out=part)


@lru_cache(maxsize=1)
def _weave() -> NDArray[np.float32]:
    (w, h), rng = _TEXTURE_PX, np.random.default_rng(5)
    coarse = cv2.resize(rng.standard_normal((max(2, h // 14), max(2, w // 9)), dtype=np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    return np.asarray(0.7 * coarse + 0.3 * rng.standard_normal((h, w), dtype=np.float32), np.float32)


@lru_cache(maxsize=1)
def _mottle() -> NDArray[np.float32]:
    w, h = _TEXTURE_PX
    small = np.random.default_rng(6).standard_normal((max(2, h // 28), max(2, w // 28)), dtype=np.float32)
    return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC), np.float32)


def draw_hand(pose: HandPose, arm: Arm, px_per_mm: float, azimuth: float, reach: float = REACH_MM) -> HandSprite:
    """The picture of a hand and so much of its arm (`reach`, mm), light coming from `azimuth` (rad, board axes)."""
    sprite = _draw(replace(pose, tip=(0.0, 0.0), vx=0.0, vy=0.0, holding=None), arm, px_per_mm, azimuth, reach)
    return replace(sprite, to_mm=np.asarray(sprite.to_mm + np.c_[np.zeros((2, 2)), np.array(pose.tip)], np.float64))


@lru_cache(maxsize=8)
def _draw(pose: HandPose, arm: Arm, px_per_mm: float, azimuth: float, reach: float) -> HandSprite:
    """A hand whose index fingertip is at the origin; a moving hand keeps its picture."""
    k = px_per_mm / arm.size
    w, h = int((REACH_MM + AHEAD_MM) * k), int(2 * _HALF_MM * k)
    field, label = np.zeros((h, w), np.float32), np.zeros((h, w), np.uint8)
    hand, forearm, tips, joints = _bones(pose, arm.stout)
    for b in forearm:
        _raise(field, b, k, 0.0, label, 1)
    for b in hand:
        _raise(field, b, k, 1.5 if arm.glove else 0.0, label, 2)
    wrist = forearm[0][0]
    u = forearm[1][1] - forearm[1][0]
    u = u / np.linalg.norm(u)
    if arm.watch is not None:
        at = wrist + 22 * u
        across = np.array([-u[1], u[0]])
        _raise(field, (at - 15 * across, at + 15 * across, 14.0, 14.0, 28.0, 28.0), k, 0.0, label, 4)
    for n in range(arm.bangles):
        at = wrist + (12 + 9 * n) * u
        across = np.array([-u[1], u[0]])
        _raise(field, (at - 20 * across, at + 20 * across, 3.5, 3.5, 40.0, 40.0), k, 0.0, label, 5)
    if arm.bare < 700:
        start = wrist + (arm.bare + 14) * u
        far = forearm[2][1]
        middle = wrist + max(arm.bare + 30, 240) * u
        _raise(field, (start, middle, 36.0, 50.0, 20.0, 22.0), k, 0.0, label, 3)
        if arm.bare < 210:
            _raise(field, (middle, forearm[1][1], 50.0, 52.0, 22.0, 22.0), k, 0.0, label, 3)
        _raise(field, (forearm[1][1], far, 50.0, 62.0, 22.0, 24.0), k, 0.0, label, 3)
    rows = np.flatnonzero(field.any(1))
    left, top, low = max(0, int((REACH_MM - reach / arm.size) * k)), max(0, int(rows[0]) - 8), min(h, int(rows[-1]) + 9)
    field, label = field[top:low, left:], label[top:low, left:]
    h, w = field.shape
    smooth = cv2.GaussianBlur(field, (0, 0), max(0.6, 1.3 * k))
    coarse = cv2.resize(field, (w // 4, h // 4), interpolation=cv2.INTER_AREA)
    around = cv2.resize(cv2.GaussianBlur(coarse, (0, 0), max(0.6, 3 * k)), (w, h))
    gx, gy = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=k / 8), cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=k / 8)
    mirror = -1.0 if pose.left else 1.0
    a = azimuth - pose.direction
    lx, ly = float(np.cos(a)) * 0.6, float(np.sin(a)) * 0.6 * mirror
    light = (0.8 - lx * gx - ly * gy) / np.sqrt(1 + gx * gx + gy * gy)
    shade = np.clip(0.42 + 0.7 * light, 0.2, 1.35) * np.clip(1 - 0.018 * (around - smooth), 0.6, 1.12)
    palette = np.array([arm.skin, arm.skin, arm.glove or arm.skin, arm.sleeve, arm.watch or arm.skin, arm.metal], np.float32)
    sleeve = label == 3
    texture, tone = _weave()[top:low, left : left + w], _mottle()[top:low, left : left + w]
    rough = (
        np.where(sleeve, np.float32(0.07), np.float32(0.02)) * texture + np.where(sleeve, np.float32(0.03), np.float32(arm.mottle)) * tone
    )
    colour = palette[label] * (shade * (1 + rough))[..., None]
    if arm.striped:
        along = np.sign(np.sin(np.arange(w, dtype=np.float32) / np.float32(6.0 * k)))[None]
        colour *= np.where(sleeve, 1 + 0.5 * arm.striped * along, np.float32(1.0))[..., None]
    if arm.glove is None:
        _details(colour, tips, joints, arm, k, (left, top))
    alpha = cv2.GaussianBlur((field > 0).astype(np.float32), (0, 0), max(0.5, (0.5 + arm.soft) * k))
    c, s = np.cos(pose.direction) * arm.size / px_per_mm, np.sin(pose.direction) * arm.size / px_per_mm
    ox, oy = left - REACH_MM * k, top - _HALF_MM * k
    linear = np.array([[c, -s * mirror], [s, c * mirror]])
    to_mm = np.c_[linear, np.array(pose.tip) + linear @ np.array([ox, oy])]
    paint = np.dstack([colour * alpha[..., None], alpha])
    return HandSprite(np.asarray(paint, np.float32), np.asarray(to_mm, np.float64), max(0, int((REACH_MM - HAND_BOX_MM) * k) - left))


def _details(
    colour: NDArray[np.float32],
    tips: list[NDArray[np.float64]],
    joints: list[NDArray[np.float64]],
    arm: Arm,
    k: float,
    corner: tuple[int, int],
) -> None:
    """Nails, creases over the joints and a ring, in place, on a picture whose upper left pixel is `corner`."""

    def px(p: NDArray[np.float64]) -> tuple[int, int]:
        return int(((p[0] + REACH_MM) * k - corner[0]) * 16), int(((p[1] + _HALF_MM) * k - corner[1]) * 16)

    skin = np.asarray(arm.skin)
    nail = arm.nails or tuple(float(v) for v in np.clip(0.75 * skin + (60, 62, 72), 0, 255))
    dark = tuple(float(v) for v in 0.62 * skin)
    for t in tips:
        u = t[2:] / max(float(np.linalg.norm(t[2:])), 1e-6)
        c = t[:2] - 1.0 * u
        axes = (int(6.0 * k * 16), int(4.6 * k * 16))
        cv2.ellipse(colour, px(c), axes, float(np.degrees(np.arctan2(u[1], u[0]))), 0, 360, nail, -1, cv2.LINE_8, 4)
    for j in joints:
        u = j[2:] / max(float(np.linalg.norm(j[2:])), 1e-6)
        side = np.array([-u[1], u[0]]) * 4.5
        for shift in (-2.0, 1.0):
            cv2.line(colour, px(j[:2] + shift * u - side), px(j[:2] + shift * u + side), dark, max(1, round(0.7 * k)), cv2.LINE_8, 4)
    if arm.ring:
        j = joints[4]
        u = j[2:] / max(float(np.linalg.norm(j[2:])), 1e-6)
        side = np.array([-u[1], u[0]]) * 8.5
        at = j[:2] - 22 * u
        cv2.line(colour, px(at - side), px(at + side), arm.metal, max(1, round(4 * k)), cv2.LINE_8, 4)
