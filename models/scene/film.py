"""The film of a synthetic match: a video and its truth."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.board import ICF, BoardSpec
from models.files import output_folder, replacing
from models.scene.camera import Camera, sample_camera
from models.scene.looks import Style
from models.scene.match import STRIKER, Played, Table, play, set_out, set_up
from models.scene.players import Skill
from models.scene.render import DrawnDisc, Renderer
from models.scene.script import Beat, Script, ease, ease_rate
from models.scene.style import sample_style
from models.scene.truth import TruthLog
from models.stroke import OPPOSITE, Piece, Seat, Start

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

MAX_TILT: Final = 12.0
"""Cameras over matches stand no more than so far off the vertical (degrees)."""
LARGEST_STRIKER: Final = 1.42
"""Match strikers are no larger than so many pieces."""
ROOM: Final = 1.05
"""Pockets of a match are at least so many strikers wide: a striker that lies over one without falling is on no board that is played on."""
GREATEST_NOISE: Final = 1.6
"""Standard deviation of the noise that a camera's own smoothing of its video leaves (levels)."""
NOISES: Final = 5
"""Full pictures of noise that are kept ready."""
NEW_NOISE: Final = 0.08
"""Chance of a frame whose picture has not changed to show other noise than the frame before it: compression hides most of it."""
OFF_STAGE: Final = -1500.0
"""Where discs are drawn that are not to be seen (mm): those that are keep their looks by their order."""
OPENING_S: Final = (1.6, 2.6)
CLOSING_S: Final = 1.5
CRF: Final = "20"


def film_match(
    out_dir: Path,
    boards: int = 1,
    seed: int = 0,
    *,
    style: Style | None = None,
    camera: Camera | None = None,
    fps: float = 30,
    max_strokes: int | None = None,
    start: Start | None = None,
    size: tuple[int, int] = (960, 960),
    progress: Callable[[float], None] | None = None,
) -> None:
    """Play a match and film it: `clip.mp4` (H.264) and `truth.json` in `out_dir`, both whole or neither.

    Parameters
    ----------
    boards : int
        South breaks the first, the players take turns; the breaker has white.
    seed : int
        The same seed gives the same match.
    style, camera : optional
        Drawn at random if left out.
    max_strokes : int, optional
        The film ends after so many strokes.
    start : Start, optional
        Pieces strewn as many as it says, instead of the first board's rack.
    size : tuple of int
        Width and height (px, even).
    progress : callable, optional
        Called with the part that is done, 0 to 1.

    Raises
    ------
    BadInput
        If `out_dir` cannot be written to.
    """
    output_folder(out_dir)
    # each has dice of its own, so that how a match is filmed does not change how it is played
    looks, players, noise = np.random.default_rng(seed).spawn(3)
    style = _for_a_match(style or sample_style(looks))
    board = _as_styled(style)
    camera = camera or _match_camera(looks, size, board)
    truth = TruthLog(fps, camera.corners(board), board, start)
    match = _cues(boards, players, board, start, max_strokes, truth, progress)
    film = _Film(style, camera, board, seed, truth, fps, noise)
    with replacing(out_dir / "clip.mp4") as clip, replacing(out_dir / "truth.json") as told:
        with av.open(str(clip), "w", options={"movflags": "+faststart"}) as container:
            stream = container.add_stream("libx264", rate=Fraction(fps).limit_denominator(1001))
            stream.width, stream.height = camera.size
            stream.pix_fmt, stream.thread_count = "yuv420p", 1
            stream.options = {"crf": CRF, "preset": "veryfast"}
            for picture in film.pictures(match):
                container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="yuv420p")))
            container.mux(stream.encode())
        told.write_text(json.dumps(truth.document(film.frame)), encoding="utf-8")


def _for_a_match(style: Style) -> Style:
    striker = min(style.striker_scale, LARGEST_STRIKER)
    pockets = replace(style.pockets, radius=max(style.pockets.radius, ROOM * striker * ICF.piece_radius))
    return replace(style, striker_scale=striker, piece_scale=1.0, pockets=pockets)


def _as_styled(style: Style) -> BoardSpec:
    """The board with the striker and the pockets that the style shows."""
    pocket = style.pockets.radius
    return replace(ICF, striker_radius=ICF.piece_radius * style.striker_scale, pocket_radius=pocket, pocket_inset=pocket)


def _match_camera(rng: Generator, size: tuple[int, int], board: BoardSpec) -> Camera:
    """A camera on a stand: it does not shake, and what is between lens and file is the video's own compression."""
    camera = sample_camera(rng, size, board, MAX_TILT)
    fault = replace(camera.fault, shake=0.0, shrink=1.0, quality=0, noise=min(camera.fault.noise, GREATEST_NOISE))
    return replace(camera, fault=fault)


@dataclass(frozen=True)
class _Cue:
    """A beat of the board on `table`; `opens`: the board is ready to be played."""

    beat: Beat
    table: Table
    opens: bool = False


def _cues(
    boards: int,
    rng: Generator,
    board: BoardSpec,
    start: Start | None,
    max_strokes: int | None,
    truth: TruthLog,
    progress: Callable[[float], None] | None,
) -> Iterator[_Cue]:
    """The beats of the match in order; a board is played when its turn comes."""
    breaker: Seat = (start and start.breaker) or "south"
    skills = {s: Skill(aim=float(rng.uniform(0.55, 0.95))) for s in (breaker, OPPOSITE[breaker])}
    scores: dict[Seat, int] = {breaker: 0, OPPOSITE[breaker]: 0}
    left, before = max_strokes, None
    for number in range(boards):
        table = set_out(start, rng, board) if start and number == 0 else set_up(breaker, rng, board, scores)
        script, laid = Script(table.classes, board, rng), table.places.copy()
        if before is not None:
            yield from (_Cue(b, table) for b in script.clear_up(before.places, laid, breaker))
        yield _Cue(script.pause(laid, float(rng.uniform(*OPENING_S))), table, opens=True)
        last: Played | None = None
        strokes = list(islice(play(table, rng, skills, board), left))
        for k, last in enumerate(strokes):
            stays = last.turn == last.by and last.result is None
            yield from (_Cue(b, table) for b in script.stroke(last, stays))
            if progress:
                progress((number + (k + 1) / len(strokes)) / boards)
        yield _Cue(script.pause(last.after if last else laid, CLOSING_S), table)
        truth.close_board(table, last)
        if last and last.result:
            scores[last.result.winner] += last.result.points
        left = left if left is None else left - len(strokes)
        if left == 0:
            return
        before, breaker = table, OPPOSITE[breaker]


class _Film:
    """Draws the frames of a script; a picture that does not change is drawn once."""

    def __init__(self, style: Style, camera: Camera, board: BoardSpec, seed: int, truth: TruthLog, fps: float, rng: Generator) -> None:
        # Noise is laid over the finished picture, so that a picture which stays need not be drawn again for it.
        silent = replace(camera, fault=replace(camera.fault, noise=0.0))
        self.renderer, self.noises = Renderer(style, silent, board, seed), _noises(camera, rng)
        self.truth, self.fps, self.rng = truth, fps, rng
        self.frame = 0
        self.turns = rng.uniform(0, 2 * np.pi, STRIKER + 1)
        self.exposure = min(float(rng.uniform(1 / 250, 1 / 60)), 0.9 / fps)
        self.clean: tuple[Image, bool] | None = None
        self.clean_key: object = None
        self.shown: Image | None = None

    def pictures(self, cues: Iterable[_Cue]) -> Iterator[Image]:
        """All frames in order, as planes of Y, U and V: uint8, shape (height * 3 / 2, width)."""
        begin = 0.0
        for cue in cues:
            beat, table = cue.beat, cue.table
            if cue.opens:
                self.truth.open_board(table, begin)
            if beat.released:
                self.truth.stroke(beat.released, begin)
            if beat.put:
                self.truth.put(beat.put, table.classes[beat.put.piece], begin)
            while self.frame / self.fps < begin + beat.seconds:
                yield self._picture(beat, self.frame / self.fps - begin, table.classes)
                self.frame += 1
            begin += beat.seconds

    def _picture(self, beat: Beat, t: float, classes: tuple[Piece, ...]) -> Image:
        places, speeds = self._places(beat, t)
        hand = beat.pose(t)
        hands = () if hand is None else (hand,)
        discs = self._cast((*classes, "striker"), places, speeds)
        key = (discs, hands)
        if self.clean is None or key != self.clean_key:
            picture, seen = self.renderer.compose(discs, hands, self.exposure)
            self.clean_key, self.clean, self.shown = key, (picture, any(b is not None for b in seen.hands)), None
        picture, hand_seen = self.clean
        if self.shown is None or self.rng.random() < NEW_NOISE:
            self.shown = self._finished(picture)
        self.truth.sample(self.frame, self.frame / self.fps, hand_seen, classes, places)
        return self.shown

    def _places(self, beat: Beat, t: float) -> tuple[Array, Array]:
        """Places (mm) and velocities (mm/s) of the twenty discs at `t` s of the beat, each of shape (20, 2)."""
        places, speeds = beat.still.copy(), np.zeros((STRIKER + 1, 2))
        if beat.rolling is not None:
            now = beat.rolling.state(t)
            self.turns += np.nan_to_num(now.spin) / self.fps
            return now.positions(), np.nan_to_num(np.stack([now.vx, now.vy], axis=1))
        if beat.slide is not None:
            u, (a, b) = t / beat.seconds, beat.slide
            places[STRIKER], speeds[STRIKER] = a + (b - a) * ease(u), (b - a) * ease_rate(u) / beat.seconds
        return places, speeds

    def _finished(self, picture: Image) -> Image:
        """The picture with the camera's noise, as planes of Y, U and V."""
        if self.noises:
            noise = self.noises[int(self.rng.integers(len(self.noises)))]
            picture = np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420), np.uint8)

    def _cast(self, classes: tuple[Piece, ...], places: Array, speeds: Array) -> tuple[DrawnDisc, ...]:
        """All twenty discs in their order; those without a place wait off stage."""
        out = []
        for cls, (x, y), (vx, vy), turn in zip(classes, places.tolist(), speeds.tolist(), self.turns.tolist(), strict=True):
            out.append(DrawnDisc(cls, OFF_STAGE, OFF_STAGE) if np.isnan(x) else DrawnDisc(cls, x, y, vx, vy, turn=turn))
        return tuple(out)


def _noises(camera: Camera, rng: Generator) -> list[NDArray[np.int16]]:
    """Pictures of the camera's noise, int16; none if it has none to speak of."""
    fault, (w, h) = camera.fault, camera.size
    if fault.noise < 0.3:
        return []
    small = (max(8, round(h / fault.grain)), max(8, round(w / fault.grain)), 3)
    out = []
    for _ in range(NOISES):
        grains = rng.standard_normal(small, dtype=np.float32)
        mixed = np.asarray((0.75 * grains[..., :1] + 0.5 * grains) * fault.noise, np.float32)
        out.append(np.round(cv2.resize(mixed, (w, h), interpolation=cv2.INTER_LINEAR)).astype(np.int16))
    return out
