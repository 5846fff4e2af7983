"""Cameras: where they stand, what their lens bends, and what goes wrong between the lens and the file."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from models.board import ICF, BoardSpec

Array: TypeAlias = NDArray[np.float64]
Image: TypeAlias = NDArray[np.uint8]

DISTANCE_MM: Final = (900.0, 2200.0)
"""How far above the board cameras hang (mm)."""


@dataclass(frozen=True)
class Fault:
    """What a camera does to a picture. 0 means no fault unless said otherwise.

    Attributes
    ----------
    defocus, shake : float
        Blur's standard deviation and length of a shake (px).
    gain, gamma : float
        Exposure and tone curve, 1 for none.
    balance : tuple of float
        Factors of blue, green and red.
    saturation : float
        1 for none.
    noise, grain : float
        Standard deviation (levels), size of the noise grains (px, 1 or more).
    sharpen, halo : float
        Strength of the sharpening and standard deviation of its halos (px).
    smear : float
        How much of the fine detail a telephone's smoothing takes, 0 to 1.
    local : float
        Local contrast, as telephones raise it.
    shrink : float
        The picture is taken at this fraction of its size and enlarged, 1 for none.
    quality : int
        JPEG quality, 0 for none.
    """

    defocus: float = 0.0
    shake: float = 0.0
    shake_angle: float = 0.0
    gain: float = 1.0
    gamma: float = 1.0
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    saturation: float = 1.0
    noise: float = 0.0
    grain: float = 1.0
    sharpen: float = 0.0
    halo: float = 1.2
    smear: float = 0.0
    local: float = 0.0
    shrink: float = 1.0
    quality: int = 0


@dataclass(frozen=True)
class Camera:
    """A pinhole camera with one radial distortion coefficient.

    Attributes
    ----------
    matrix : ndarray, shape (3, 4)
        Projection from (x, y, z, 1) in board millimetres, z upward, to undistorted homogeneous pixels.
    size : tuple of int
        Width and height (px).
    distortion : float
        k1 on coordinates normalised by half the picture's diagonal: distorted = undistorted * (1 + k1 r^2).
    readout_s : float
        Time from the first to the last row's exposure (rolling shutter, s).
    fault : Fault
    """

    matrix: Array
    size: tuple[int, int]
    distortion: float = 0.0
    readout_s: float = 0.0
    fault: Fault = field(default_factory=Fault)

    def plane(self, z: float = 0.0) -> Array:
        """3 x 3 matrix from board millimetres at height `z` (mm) to undistorted pixels."""
        m = self.matrix
        out = m[:, [0, 1, 3]]
        out[:, 2] += m[:, 2] * z
        return out

    def project(self, mm: ArrayLike, z: float = 0.0) -> Array:
        """Picture pixels, shape (n, 2), of board points, shape (n, 2), at height `z` (mm)."""
        p = np.asarray(mm, np.float64).reshape(-1, 2)
        m = self.plane(z)
        q = p @ m[:, :2].T + m[:, 2]
        return self.distort(np.asarray(q[:, :2] / q[:, 2:], np.float64))

    def distort(self, pixels: Array) -> Array:
        """Where the lens puts undistorted `pixels`, shape (n, 2)."""
        if not self.distortion:
            return pixels
        centre = np.array(self.size) / 2
        d = pixels - centre
        r2 = (d**2).sum(1, keepdims=True) / (centre**2).sum()
        return np.asarray(centre + d * (1 + self.distortion * np.minimum(r2, 4)), np.float64)

    def undistort(self, pixels: Array) -> Array:
        """The inverse of `distort`, by fixed-point iteration."""
        centre = np.array(self.size) / 2
        d = pixels - centre
        u = d.copy()
        for _ in range(12 if self.distortion else 0):
            u = d / (1 + self.distortion * np.minimum((u**2).sum(1, keepdims=True) / (centre**2).sum(), 4))
        return np.asarray(centre + u, np.float64)

    def corners(self, board: BoardSpec = ICF) -> Array:
        """Pixels of the playing surface's corners, shape (4, 2): upper left, upper right, lower right, lower left."""
        return self.project(board.corners())

    def scale(self, board: BoardSpec = ICF) -> float:
        """Pixels per millimetre in the middle of the board."""
        c = board.side / 2
        p = self.project(np.array([[c, c], [c + 10, c], [c, c + 10]]))
        return float(np.sqrt(abs(np.linalg.det((p[1:] - p[0]) / 10))))

    def reach(self, board: BoardSpec = ICF) -> float:
        """How far beyond the playing surface the picture shows the plane on which the board lies (mm)."""
        w, h = self.size
        p = self.undistort(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float64))
        q = np.c_[p, np.ones(4)] @ np.linalg.inv(self.plane()).T
        # Points whose depths differ in sign lie beyond the horizon.
        if (q[:, 2] * q[0, 2] <= 0).any():
            return float("inf")
        mm = q[:, :2] / q[:, 2:]
        return float(max(-mm.min(), mm.max() - board.side))

    def local(self, x: float, y: float, z: float = 0.0) -> tuple[Array, Array]:
        """The pixel of a point and the 2 x 2 matrix from millimetres round it to pixels."""
        p = self.project(np.array([[x, y], [x + 1, y], [x, y + 1]]), z)
        return p[0], np.asarray((p[1:] - p[0]).T, np.float64)

    def view(self, canvas: Image, z: float, px_per_mm: float, origin: float) -> Image:
        """What the camera sees of a canvas that lies at height `z` (mm), has `px_per_mm` and begins at (`origin`, `origin`) mm."""
        w, h = self.size
        to_mm = np.array([[1 / px_per_mm, 0, origin], [0, 1 / px_per_mm, origin], [0, 0, 1]])
        forth = self.plane(z) @ to_mm
        if not self.distortion:
            return np.asarray(
                cv2.warpPerspective(canvas, forth, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101), np.uint8
            )
        grid = np.stack(np.meshgrid(np.arange(w, dtype=np.float64), np.arange(h, dtype=np.float64)), -1).reshape(-1, 2)
        g = np.c_[self.undistort(grid), np.ones(w * h)] @ np.linalg.inv(forth).T
        x, y = (g[:, :2] / g[:, 2:]).astype(np.float32).T.reshape(2, h, w)
        return np.asarray(cv2.remap(canvas, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101), np.uint8)

    def seen_through(self, matrix: Array, size: tuple[int, int]) -> Camera:
        """This camera followed by a projective warp `matrix` (3 x 3) of its picture to a picture of `size`, without its distortion."""
        return replace(self, matrix=np.asarray(matrix @ self.matrix, np.float64), size=size, distortion=0.0)


def look(
    size: tuple[int, int],
    board: BoardSpec = ICF,
    tilt: float = 0.0,
    azimuth: float = 0.0,
    roll: float = 0.0,
    distance: float = 1500.0,
    fill: float = 0.75,
    shift: tuple[float, float] = (0.0, 0.0),
) -> Camera:
    """A camera aimed at the middle of the board.

    Parameters
    ----------
    tilt, azimuth, roll : float
        Angle off the vertical, its direction and the turn of the picture (degrees).
    distance : float
        From the middle of the board (mm).
    fill : float
        Side of the playing surface over the picture's shorter side.
    shift : tuple of float
        Offset of the board's middle in the picture, in fractions of the shorter side.
    """
    a, az, ro = np.radians([tilt, azimuth, roll])
    back = np.array([np.sin(a) * np.cos(az), np.sin(a) * np.sin(az), np.cos(a)])
    # Board axes are x right, y down, z up: a left-handed triple, so the camera's axes are built by projection, not by cross products.
    right = np.array([1.0, 0, 0]) - back * back[0]
    right /= np.linalg.norm(right)
    down = np.array([0, 1.0, 0]) - back * back[1]
    down -= right * (down @ right)
    down /= np.linalg.norm(down)
    turned = np.array([np.cos(ro) * right - np.sin(ro) * down, np.sin(ro) * right + np.cos(ro) * down, -back])
    c = board.side / 2
    eye = np.array([c, c, 0]) + distance * back
    focal = fill * min(size) / board.side * distance
    k = np.array([[focal, 0, size[0] / 2 + shift[0] * min(size)], [0, focal, size[1] / 2 + shift[1] * min(size)], [0, 0, 1]])
    return Camera(np.asarray(k @ np.c_[turned, -turned @ eye], np.float64), size)


def overhead(size: tuple[int, int], board: BoardSpec = ICF, fill: float = 0.78) -> Camera:
    """A faultless camera straight above the board, high up."""
    return look(size, board, distance=4000.0, fill=fill)


def sample_fault(rng: Generator, harsh: float = 1.0) -> Fault:
    """Faults of a phone or webcam; `harsh` scales them, 0 for none to speak of."""
    u = rng.random()
    exposure = rng.normal(-0.08, 0.17) + (rng.uniform(0.15, 0.5) if u < 0.07 else -rng.uniform(0.2, 0.7) if u < 0.13 else 0.0)
    return Fault(
        defocus=float(rng.gamma(1.2, 0.45)) * harsh, shake=float(rng.gamma(0.6, 1.2)) * harsh if rng.random() < 0.3 else 0.0,
        shake_angle=float(rng.uniform(0, 3.1416)), gain=float(np.exp(exposure * harsh)),
        gamma=float(np.exp(rng.normal(0, 0.18 * harsh))),
        balance=(float(np.exp(rng.normal(0, 0.08 * harsh))), 1.0, float(np.exp(rng.normal(0, 0.08 * harsh)))),
        saturation=float(np.clip(rng.normal(1, 0.25 * harsh), 0.1, 1.8)), noise=float(rng.gamma(1.2, 3.0)) * harsh,
        grain=float(rng.choice([1.0, rng.uniform(1, 3)])),
        sharpen=float(rng.uniform(0, rng.choice([1.3, 2.4]))) * harsh if rng.random() < 0.4 else 0.0, halo=float(rng.uniform(0.8, 2.4)),
        smear=float(rng.uniform(0.3, 1)) * min(harsh, 1.0) if rng.random() < 0.18 else 0.0,
        local=float(rng.uniform(0.1, 0.6)) * harsh if rng.random() < 0.2 else 0.0,
        shrink=float(rng.uniform(0.45, 1)) if rng.random() < 0.2 * harsh else 1.0,
        quality=int(rng.integers(28, 97) if rng.random() < 0.85 else rng.integers(8, 28)) if rng.random() < 0.7 else 0,
    )  # fmt: skip


def sample_camera(rng: Generator, size: tuple[int, int] = (960, 960), board: BoardSpec = ICF, max_tilt: float = 25.0) -> Camera:
    """A phone on a stand, a webcam on an arm, a hand holding a telephone."""
    tilt = float(min(max_tilt, abs(rng.normal(0, max_tilt / 2.2))))
    camera = look(
        size, board, tilt, float(rng.uniform(0, 360)), float(rng.normal(0, 4)), float(rng.uniform(*DISTANCE_MM)),
        float(rng.uniform(0.66, 0.84)), (float(rng.normal(0, 0.025)), float(rng.normal(0, 0.025))),
    )  # fmt: skip
    bend = float(rng.normal(0, 0.04)) if rng.random() < 0.6 else 0.0
    return replace(camera, distortion=bend, readout_s=float(rng.choice([0.0, rng.uniform(0.005, 0.025)])), fault=sample_fault(rng))


def degrade(picture: Image, fault: Fault, rng: Generator) -> Image:
    """What becomes of a picture, uint8 BGR, in a camera with that `fault`."""
    h, w = picture.shape[:2]
    out = picture
    if fault.shrink < 1:
        out = np.asarray(cv2.resize(out, None, fx=fault.shrink, fy=fault.shrink, interpolation=cv2.INTER_AREA), np.uint8)
    if fault.defocus > 0.2:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), fault.defocus), np.uint8)
    if fault.shake > 0.7:
        out = np.asarray(cv2.filter2D(out, -1, streak_kernel(fault.shake, fault.shake_angle)), np.uint8)
    level = np.arange(256, dtype=np.float64) / 255
    table = np.stack([255 * np.clip(level * fault.gain * b, 0, 1) ** fault.gamma for b in fault.balance], -1)
    out = np.asarray(cv2.LUT(out, table.astype(np.uint8)[None]), np.uint8)
    if abs(fault.saturation - 1) > 0.03:
        grey = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        out = np.asarray(cv2.addWeighted(out, fault.saturation, grey, 1 - fault.saturation, 0), np.uint8)
    if fault.noise > 0.3:
        out = _with_noise(out, fault, rng)
    if fault.smear > 0:
        out = np.asarray(cv2.addWeighted(out, 1 - fault.smear, cv2.medianBlur(out, 5), fault.smear, 0), np.uint8)
    if fault.local > 0:
        small = cv2.resize(out, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA)
        around = cv2.resize(cv2.GaussianBlur(small, (0, 0), min(small.shape[:2]) * 0.05), out.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        out = np.asarray(cv2.addWeighted(out, 1 + fault.local, around, -fault.local, 0), np.uint8)
    if fault.sharpen > 0:
        out = np.asarray(cv2.addWeighted(out, 1 + fault.sharpen, cv2.GaussianBlur(out, (0, 0), fault.halo), -fault.sharpen, 0), np.uint8)
    if fault.quality:
        _, code = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, fault.quality])
        out = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    if out.shape[:2] != (h, w):
        out = np.asarray(cv2.resize(out, (w, h), interpolation=cv2.INTER_LINEAR), np.uint8)
    return out


def streak_kernel(length: float, angle: float) -> NDArray[np.float32]:
    """A normalised line of `length` px at `angle` (rad) as a filter kernel."""
    n = max(1, int(np.ceil(length))) | 1
    k = np.zeros((n, n), np.float32)
    c, d = (n - 1) / 2, np.array([np.cos(angle), np.sin(angle)]) * length / 2
    a, b = np.round((np.array([c, c]) - d) * 16).astype(int), np.round((np.array([c, c]) + d) * 16).astype(int)
    cv2.line(k, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), (1.0,), 1, cv2.LINE_8, 4)
    return np.asarray(k / max(k.sum(), 1e-6), np.float32)


def _with_noise(picture: Image, fault: Fault, rng: Generator) -> Image:
    h, w = picture.shape[:2]
    gw, gh = max(8, int(w / fault.grain)), max(8, int(h / fault.grain))
    # A tile repeated with random offset costs a tenth of fresh noise for each pixel and looks the same.
    tile = rng.standard_normal((min(gh, 192), min(gw, 192), 3), dtype=np.float32)
    mixed = np.asarray((0.75 * tile[..., :1] + 0.5 * tile) * np.float32(fault.noise), np.float32)
    times = -(-gh // mixed.shape[0]), -(-gw // mixed.shape[1])
    if (gw, gh) != (w, h):
        mixed = np.asarray(cv2.resize(mixed, (-(-w // times[1]), -(-h // times[0])), interpolation=cv2.INTER_LINEAR), np.float32)
    grains = cv2.repeat(np.round(mixed).astype(np.int16), *times)[:h, :w]
    return np.asarray(cv2.add(picture, grains, dtype=cv2.CV_8U), np.uint8)
