"""Frames worth labelling: varied ones, with what the detector finds on them, as files that labelling tools read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias
from xml.sax.saxutils import quoteattr

import cv2
import numpy as np

from carromeye.labelled import Eye, kinds_of, look
from models.detector.examples import px_per_mm
from models.errors import BadInput
from models.stroke import PIECES
from vision.calibration import find_board
from vision.course import moved_mm
from vision.follow import Follower
from vision.gate import MotionGate
from vision.picture import read_picture
from vision.pieces import Seen
from vision.survey import Scene, survey
from vision.types import MARGIN_MM, Array, Calibration, Image
from vision.video import read_video, video_info
from vision.watch import AIM_MM, LOST_INTERVAL, STILL_INTERVAL, VOTES

Kind: TypeAlias = Literal["still", "hand", "motion"]

NAMES: Final = (*PIECES, "disc", "hand")
"""Classes in the files; `disc` is one whose kind is not settled."""
SHARES: Final[dict[Kind, float]] = {"still": 0.4, "hand": 0.35, "motion": 0.25}
"""Which part of the frames each kind should make up, as far as the video has them."""
FEWEST: Final = 40
"""Frames are looked for as if at least so many were wanted: what is short is met seldom."""
SETTLED: Final = 3
"""Frames without motion after which a board lies still."""
SHORTEST_S: Final = 0.3
"""Candidates of one kind lie at least this far apart (s)."""
MOVING_IN_SLOT: Final = 4
"""Frames in which something moves are looked at so many times as often as still ones: few of them show discs that move."""
UNKNOWN_SLOT_S: Final = 1.0
"""The same where a video does not tell how long it is."""
THUMB_PX: Final = 16
"""Side of the little picture by which frames are told apart."""
TIME_WEIGHT: Final = 6.0
"""What the whole video's length counts against differences of the little pictures, 0 to 1 a pixel."""
STREAK_WEIGHT: Final = 4.0
"""What a disc that is blurred over its own width counts."""
QUALITY: Final = 95
"""JPEG quality of the pictures."""


@dataclass(frozen=True)
class Frame:
    """A rectified board with what was found on it.

    Attributes
    ----------
    name : str
        Of its files.
    source : Path
    t : float
        Presentation time (s); 0 for a picture.
    kind : {'still', 'hand', 'motion'}
    picture : bytes
        JPEG.
    side : int
        Of the picture (px).
    seen : Seen
    discs, hands : ndarray, shape (n, 4) and (k, 4)
        x0, y0, x1, y1 (px from the picture's edge); discs in the order of `seen`.
    thumb : ndarray
        What tells it from others.
    calibration : Calibration
    match : str
        Frames of one match have the same pieces.
    """

    name: str
    source: Path
    t: float
    kind: Kind
    picture: bytes
    side: int
    seen: Seen
    discs: Array
    hands: Array
    thumb: Array
    calibration: Calibration
    match: str


def frames_of_video(video: Path, eye: Eye, number: int, show: Callable[[float], None]) -> list[Frame]:
    """Several times `number` frames of a video from which to `choose`: settled boards, hands, motion, from all parts of it.

    Raises
    ------
    BadInput
        If the video cannot be read or shows no board.
    """
    scene = survey(video_info(video), eye)
    out = []
    for t, image, calibration, still in _candidates(scene, number, show):
        name = f"{_plain(video.stem)}_t{round(1000 * max(t, 0.0)):07}"
        out.append(_frame(name, video, t, image, calibration, eye, still, t / (scene.info.duration or 1.0), video.stem))
    return out


def _candidates(scene: Scene, number: int, show: Callable[[float], None]) -> Iterator[tuple[float, Image, Calibration, bool]]:
    """Time, picture, calibration and whether all is still, of more frames than are wanted."""
    length = scene.info.duration
    slot = max(SHORTEST_S, length / (2 * max(number, FEWEST))) if length else UNKNOWN_SLOT_S
    place, quiet, last_still, last_moving = _Place(scene), 0, -np.inf, -np.inf
    for frame in read_video(scene.info):
        quiet = 0 if place.gate.moves(frame.grey()) else quiet + 1
        show(frame.t)
        rests = quiet >= SETTLED and frame.t - last_still >= slot
        moves = not quiet and frame.t - last_moving >= max(SHORTEST_S, slot / MOVING_IN_SLOT)
        if not (rests or moves or place.unsure(quiet, frame.t)):
            continue
        image = frame.image()
        calibration = place.look(image, frame.t, bool(quiet))
        if calibration is None or not (rests or moves):
            continue
        last_still, last_moving = (frame.t, last_moving) if rests else (last_still, frame.t)
        yield frame.t, image, calibration, rests


class _Place:
    """Where the board is while a video is read: the camera may be moved."""

    def __init__(self, scene: Scene) -> None:
        self._follower = Follower(scene.course, scene.bare, scene.known, scene.landmarks) if scene.landmarks is not None else None
        self._calibration = self._aimed = scene.calibration
        self._looked, self._lost = -np.inf, False
        self.gate = MotionGate(scene.calibration)

    def unsure(self, quiet: int, t: float) -> bool:
        """Whether a frame at `t` (s), after `quiet` frames without motion, is to be looked at lest the board be lost from sight."""
        pause = LOST_INTERVAL if self._lost or quiet <= VOTES else STILL_INTERVAL
        return self._follower is not None and t - self._looked >= pause

    def look(self, image: Image, t: float, still: bool) -> Calibration | None:
        """The calibration that holds at `t` (s); None while the board moves or is not found."""
        if self._follower is None:
            return self._calibration
        self._looked, before = t, self._calibration
        self._lost = self._follower.look(image, t, still) is None
        self._calibration = self._follower.calibration
        if moved_mm(self._aimed, self._calibration) > AIM_MM:
            self._aimed, self.gate = self._calibration, MotionGate(self._calibration)
        return self._calibration if self._calibration is before and not self._lost else None


def frames_of_pictures(pictures: Sequence[Path], eye: Eye, show: Callable[[float], None]) -> tuple[list[Frame], list[str]]:
    """The boards in pictures, and a line for each picture that cannot be read or in which none is found."""
    out: list[Frame] = []
    without = []
    for number, path in enumerate(pictures, 1):
        try:
            image = read_picture(path)
            calibration = find_board(image, str(path))
            name = _plain(path.stem)
            taken = {f.name for f in out}
            name = name if name not in taken else f"{name}_{number}"
            out.append(_frame(name, path, 0.0, image, calibration, eye, True, number / len(pictures), str(path)))
        except BadInput as e:
            without.append(str(e))
        show(number)
    return out, without


def _plain(text: str) -> str:
    """A name that every tool takes."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "_" for c in text)[:80] or "frame"


def _frame(
    name: str, source: Path, t: float, image: Image, calibration: Calibration, eye: Eye, still: bool, when: float, match: str
) -> Frame:
    board = calibration.rectify(image)
    seen, discs, hands = look(image, board, calibration, eye)
    kind: Kind = "hand" if len(hands) and _over_surface(hands, board) else "still" if still else "motion"
    grey = cv2.cvtColor(board, cv2.COLOR_BGR2GRAY)
    thumb = cv2.resize(grey, (THUMB_PX, THUMB_PX), interpolation=cv2.INTER_AREA).astype(np.float64).ravel() / 255
    streak = float((np.maximum(seen.w, seen.h) / np.maximum(np.minimum(seen.w, seen.h), 1e-9)).max(initial=1.0)) - 1
    tells = np.r_[thumb, TIME_WEIGHT * when, STREAK_WEIGHT * min(streak, 1.0)]
    code = np.asarray(cv2.imencode(".jpg", board, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]).tobytes()
    return Frame(
        name, source, t, kind, code, len(board), seen, discs, np.clip(hands, 0, len(board)), tells,
        calibration, match,
    )  # fmt: skip


def _over_surface(hands: Array, board: Image) -> bool:
    edge = MARGIN_MM * px_per_mm(board)
    lo, hi = np.clip(hands[:, :2], edge, len(board) - edge), np.clip(hands[:, 2:], edge, len(board) - edge)
    return bool((hi - lo).min(axis=1).max() > 0)


def choose(frames: Sequence[Frame], number: int) -> list[Frame]:
    """`number` varied frames: of each kind its share, each as unlike those already chosen as can be."""
    left = {kind: [f for f in frames if f.kind == kind] for kind in SHARES}
    wanted = {kind: min(len(left[kind]), round(share * number)) for kind, share in SHARES.items()}
    while sum(wanted.values()) < min(number, len(frames)):
        kind = max(SHARES, key=lambda k: len(left[k]) - wanted[k])
        wanted[kind] += 1
    out = [f for kind, count in wanted.items() for f in _spread(left[kind], count)]
    return sorted(out, key=lambda f: f.name)[:number]


def _spread(frames: Sequence[Frame], count: int) -> list[Frame]:
    """Farthest-point sampling."""
    if not count:
        return []
    at = np.stack([f.thumb for f in frames])
    far = np.linalg.norm(at - at.mean(axis=0), axis=1)
    chosen: list[int] = []
    for _ in range(count):
        chosen.append(int(far.argmax()))
        away = np.linalg.norm(at - at[chosen[-1]], axis=1)
        far = away if len(chosen) == 1 else np.minimum(far, away)
        far[chosen] = -1
    return [frames[i] for i in chosen]


def boxes_of(frames: Sequence[Frame]) -> list[list[tuple[str, Array]]]:
    """Class and box (px) of everything on each frame; a match's pieces are settled together."""
    kinds: dict[int, np.ndarray] = {}
    for match in {f.match for f in frames}:
        own = [i for i, f in enumerate(frames) if f.match == match]
        kinds.update(zip(own, kinds_of([frames[i].seen for i in own]), strict=True))
    out = []
    for i, f in enumerate(frames):
        rows = [(PIECES[k] if k >= 0 else "disc", box) for k, box in zip(kinds[i], f.discs, strict=True)]
        out.append([*rows, *(("hand", box) for box in f.hands)])
    return out


def write(folder: Path, frames: Sequence[Frame]) -> None:
    """Pictures, YOLO's labels, CVAT's annotations and the calibrations into an empty folder."""
    boxes = boxes_of(frames)
    for name in ("images", "labels"):
        (folder / name).mkdir()
    for f, rows in zip(frames, boxes, strict=True):
        (folder / "images" / f"{f.name}.jpg").write_bytes(f.picture)
        (folder / "labels" / f"{f.name}.txt").write_text("".join(yolo_line(name, box, f.side) for name, box in rows), encoding="utf-8")
    names = "".join(f"  {i}: {name}\n" for i, name in enumerate(NAMES))
    (folder / "data.yaml").write_text(f"path: .\ntrain: images\nval: images\nnames:\n{names}", encoding="utf-8")
    (folder / "annotations.xml").write_text(cvat(frames, boxes), encoding="utf-8")
    (folder / "calibration.json").write_text(json.dumps([_calibration(f) for f in frames], indent=1) + "\n", encoding="utf-8")


def yolo_line(name: str, box: Array, side: int) -> str:
    """One label: class, centre x, y, width, height in fractions of the picture."""
    x0, y0, x1, y1 = (float(v) / side for v in np.clip(box, 0, side))
    return f"{NAMES.index(name)} {(x0 + x1) / 2:.6f} {(y0 + y1) / 2:.6f} {x1 - x0:.6f} {y1 - y0:.6f}\n"


def cvat(frames: Sequence[Frame], boxes: Sequence[Sequence[tuple[str, Array]]]) -> str:
    """The annotations as "CVAT for images 1.1"."""
    labels = "".join(f"<label><name>{name}</name><type>rectangle</type><attributes></attributes></label>" for name in NAMES)
    out = ['<?xml version="1.0" encoding="utf-8"?>', "<annotations>", "<version>1.1</version>"]
    out.append(f"<meta><task><name>carrom</name><mode>annotation</mode><labels>{labels}</labels></task></meta>")
    for i, (f, rows) in enumerate(zip(frames, boxes, strict=True)):
        out.append(f'<image id="{i}" name={quoteattr(f.name + ".jpg")} width="{f.side}" height="{f.side}">')
        for name, box in rows:
            x0, y0, x1, y1 = np.clip(box, 0, f.side)
            at = f'xtl="{x0:.2f}" ytl="{y0:.2f}" xbr="{x1:.2f}" ybr="{y1:.2f}"'
            out.append(f'<box label="{name}" source="auto" occluded="0" {at} z_order="0"></box>')
        out.append("</image>")
    return "\n".join([*out, "</annotations>", ""])


def _calibration(f: Frame) -> dict[str, object]:
    c = f.calibration
    return {
        "picture": f"images/{f.name}.jpg", "source": str(f.source), "t": round(f.t, 4), "kind": f.kind,
        "corners": np.round(c.outline(), 3).tolist(), "size": list(c.size), "distortion": round(c.distortion, 6), "side_mm": c.board.side,
        "margin_mm": MARGIN_MM, "px": f.side,
    }  # fmt: skip
