"""The pipeline that joins the stages: a video in, the folder of a review out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import av
import cv2

from carromeye.corners import corners_hint, given_calibration
from carromeye.cut_short import cut_short
from carromeye.drawing import Marks
from carromeye.match_watcher import MatchWatcher
from carromeye.progress import step
from carromeye.record import Record
from carromeye.trajectories import TrajectoryWriter
from models.detector.contract import WEIGHTS
from models.errors import BadInput
from models.files import filling, refuse_same, write_text, written_to
from models.homography import Homography
from models.stroke import Match, Player
from referee.lawbook_files import load_lawbook
from reports.captions import Captions
from reports.match_file import plain, sha256, video_facts, write_match
from reports.overlay import Overlay
from reports.review_page import write_review_page
from reports.scoresheet import write_scoresheet
from reports.video import AnnotatedVideo
from reports.words import clock, plural
from vision.course import Bump, Course, moved_back
from vision.detector import Detector
from vision.survey import EXPECTED, Scene, survey
from vision.types import Array
from vision.video import Frame, read_video, video_info
from vision.watch import watch

REPORTS: Final = ("scoresheet.html", "scoresheet.csv", "review.html", "review.mp4")
OUTPUTS: Final = ("strokes.json", "rulings.json", "match.json", "trajectories.parquet", *REPORTS)
"""The files of a review."""
MUCH_BURNT: Final = 0.3
"""Part of the board from which its being burnt out is worth a warning."""
LOW_CONFIDENCE: Final = 0.7
"""A calibration less sure than this is worth a warning."""


@dataclass
class Review:
    """A review under way or done.

    Attributes
    ----------
    weights : Path
        The detector's.
    interrupted : bool
        The user stopped it; what is there is what was finished.
    drawn : bool
        An annotated video is made of it.
    """

    out: Path
    scene: Scene
    record: Record
    weights: Path
    timings: dict[str, float] = field(default_factory=dict)
    interrupted: bool = False
    drawn: bool = True
    reached: float = 0.0
    """Time of the last frame that was read (s)."""
    physics: dict[str, float] = field(default_factory=dict)
    """What was learnt of the board, see `tracking.figures.Figures.told`."""

    def warnings(self) -> list[str]:
        """What the reader of the results should know."""
        sure = self.scene.calibration.confidence
        where = "in review.mp4" if self.drawn else "that `carromeye calibrate` draws"
        doubt = [f"the board was found with a confidence of only {sure:.2f}: look at the outline {where}"] if sure < LOW_CONFIDENCE else []
        ends = (
            f"the {'review' if self.drawn else 'tracking'} was stopped before the end of the video"
            if self.interrupted
            else cut_short(self.scene.info, self.reached)
        )
        return [*doubt, *self.burnt(), *self.scene.course.warnings(), *self.record.warnings, *([ends] if ends else [])]

    def burnt(self) -> list[str]:
        """What the reader should know where the light was too strong."""
        part = self.scene.burnt
        advice = "film with less light or a darker exposure"
        return [f"{part:.0%} of the board is burnt out, and white on white is not seen: {advice}"] if part > MUCH_BURNT else []

    def meta(self) -> dict[str, Any]:
        """The object of `match.json`."""
        calibration, info = self.scene.calibration, self.scene.info
        return {
            "video": video_facts(info.path, size=info.size, rate=info.rate, duration=info.duration, rotation=info.rotation),
            "calibration": {
                "corners": calibration.outline(), "size": calibration.size, "distortion": calibration.distortion,
                "confidence": calibration.confidence, "reasons": calibration.reasons,
                "moves": [_move(b, self.scene.course) for b in self.scene.course.bumps],
            },
            "equipment": vars(calibration.board),
            "physics": self.physics,
            "laws": self.record.laws_facts(),
            "versions": {
                "carromeye": version("carromeye"), "opencv": cv2.__version__, "av": av.__version__, "weights": sha256(self.weights),
            },
            "timings": {k: round(v, 2) for k, v in self.timings.items()},
            "warnings": self.warnings(),
        }  # fmt: skip


def review(
    video: Path,
    out: Path,
    laws: str,
    players: tuple[Player, ...] = (),
    given: Match | None = None,
    corners: Array | None = None,
    weights: Path = WEIGHTS,
) -> Review:
    """Review a video and leave everything in `out` (contracts: the stroke log, its rulings, trajectories, reports).

    What is certain is written as soon as it is: after every stroke the log and the rulings on disk are whole. On
    Ctrl-C what is finished is left readable; where nothing is, nothing is left, and `KeyboardInterrupt` goes on.

    Parameters
    ----------
    video, out : Path
    laws : str
        A law book's id or a file of house rules.
    players : tuple of Player
        Who sits where; empty where the strokes must tell.
    given : Match, optional
        A log whose first board's `start` tells how the video begins.
    corners : ndarray, shape (4, 2), optional
        The playing surface given by hand, see `carromeye.corners.parse_corners`.
    weights : Path
        The detector's.

    Raises
    ------
    BadInput
        If the weights are no detector's, the corners do not fit the picture, the video cannot be read, shows no board
        or no stroke, the law book is missing, or `out` cannot be written.
    """
    return _run(video, out, laws, players, given, corners, weights, _report)


def track(
    video: Path,
    out: Path,
    laws: str = "icf",
    players: tuple[Player, ...] = (),
    corners: Array | None = None,
    weights: Path = WEIGHTS,
) -> Review:
    """The watching part of `review` alone: the stroke log, its rulings, `match.json` and the trajectories, no reports.

    Raises
    ------
    BadInput
        As `review` does, and if `out` holds a review: its reports would be of another log.
    """
    for name in REPORTS:
        if (out / name).exists():
            raise BadInput(f"{out} holds a review, whose {name} would not be of the new strokes; name another folder")
    return _run(video, out, laws, players, None, corners, weights, _tell)


def _run(
    video: Path,
    out: Path,
    laws: str,
    players: tuple[Player, ...],
    given: Match | None,
    corners: Array | None,
    weights: Path,
    then: Callable[[Review], None],
) -> Review:
    record = Record(laws, load_lawbook(laws), players, given)
    record.check()
    info = video_info(video)
    detector = Detector(weights, EXPECTED)
    by_hand = None if corners is None else given_calibration(corners, info.size)
    for name in OUTPUTS:
        refuse_same(video, out / name)
        if written_to(out / name).is_dir():
            raise BadInput(f"{out / name} is a folder; a file of this name is to be written")
    with filling(out):
        with step("Finding the board", None), corners_hint():
            began = time.monotonic()
            scene = survey(info, detector, by_hand)
        done = Review(out, scene, record, weights, {"survey": time.monotonic() - began}, drawn=then is _report)
        _watch(done)
        then(done)
    return done


def _watch(r: Review) -> None:
    """From the frames to strokes and rulings."""
    began = time.monotonic()
    writer = TrajectoryWriter(r.out / "trajectories.parquet")
    watcher = MatchWatcher(r.scene.calibration.board, r.record, lambda: _write_log(r))
    try:
        try:
            _follow(r, watcher, writer)
        except KeyboardInterrupt:
            r.interrupted = True
        if r.record.strokes:
            _correct(r, watcher.correction(), writer)
    except BaseException:
        writer.close(keep=False)
        raise
    writer.close(keep=r.record.strokes > 0)
    r.timings["watch"] = time.monotonic() - began
    if not r.record.strokes:
        if r.interrupted:
            raise KeyboardInterrupt  # nothing is finished
        seen = "; ".join(["the board was found, but no striker was seen to leave a base line", *r.burnt()])
        raise BadInput(f"{r.scene.info.path}: no stroke in this video; {seen}")


def _correct(r: Review, correction: Homography, writer: TrajectoryWriter) -> None:
    """Put trajectories and calibrations where the strokes told that the cushions are; stopped on the way, both stay as they were."""
    off = correction.inverse.matrix
    scene = replace(r.scene, calibration=moved_back(r.scene.calibration, off), course=r.scene.course.moved_back(off))
    try:
        writer.correct(correction, r.scene.calibration.board.side)
    except KeyboardInterrupt:
        r.interrupted = True
        r.physics = {**r.physics, "corners_moved": 0.0}
        return
    r.scene = scene


def _follow(r: Review, watcher: MatchWatcher, writer: TrajectoryWriter) -> None:
    with step("Watching", r.scene.info.duration) as show:

        def on_frame(frame: Frame) -> None:
            r.reached = frame.t
            show(frame.t, plural(r.record.strokes, "stroke"))

        try:
            for det in watch(r.scene, on_frame):
                writer.add(watcher.step(det))
        finally:
            writer.add(watcher.finish())
            r.physics = watcher.learnt()


def _write_log(r: Review) -> None:
    log, rulings = r.record.log(), r.record.rulings()
    _write_json(r.out / "strokes.json", log)
    _write_json(r.out / "rulings.json", rulings)


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    write_text(path, json.dumps(plain(value), ensure_ascii=False, indent=1) + "\n")


def _tell(r: Review) -> None:
    """What programs read."""
    _write_log(r)
    write_match(r.out, plain(r.meta()))


def _report(r: Review) -> None:
    """Everything that people read. The video comes last: it takes longest, and the pages do without it."""
    log, rulings = r.record.log(), r.record.rulings()

    def write() -> None:
        meta = plain(r.meta())
        write_match(r.out, meta)
        write_scoresheet(r.out, log, rulings, meta)
        write_review_page(r.out, log, rulings, meta, drawn=not r.interrupted or (r.out / "review.mp4").exists())

    _write_log(r)
    written_to(r.out / "review.mp4").unlink(missing_ok=True)  # an earlier review's would not be of this log
    write()
    if not r.interrupted:
        began = time.monotonic()
        try:
            _annotate(r.scene, r.out, Captions(log, rulings, {"laws": r.record.laws_facts()}))
        except KeyboardInterrupt:
            r.interrupted = True
        r.timings["video"] = time.monotonic() - began
        write()


def _annotate(scene: Scene, out: Path, captions: Captions) -> None:
    marks = Marks(out / "trajectories.parquet", scene.course)
    with step("Drawing the video", scene.info.duration) as show, AnnotatedVideo(out / "review.mp4") as video:
        for frame in read_video(scene.info):
            banner, footer = captions.at(frame.t)
            calibration = scene.course.at(frame.t)
            outline = None if calibration is None else calibration.outline()
            video.write(frame.image(), max(frame.t, 0.0), Overlay(marks.at(frame.t), outline, banner, footer, clock(frame.t)))
            show(frame.t)


def _move(bump: Bump, course: Course) -> dict[str, Any]:
    """A move of the camera or the board as `match.json` tells it."""
    after = None if bump.until is None else course.at(bump.until)
    return {"t": bump.t, "until": bump.until, "moved": bump.moved, "corners": None if after is None else after.outline()}
