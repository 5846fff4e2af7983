"""A synthetic match: players, the turn, the queen, dues, hands and the truth of a film."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.board import ICF, BoardSpec
from models.errors import BadInput
from models.physics import State, simulate
from models.scene.camera import overhead
from models.scene.film import film_match
from models.scene.match import STRIKER, Played, Table, play, set_out, set_up
from models.scene.players import Shot, Skill, Wish, choose, turned
from models.scene.script import Script
from models.scene.style import tournament_style
from models.stroke import SEATS, Piece, Seat, Start

SURE = Skill(aim=1e-6, touch=1e-6, slip=0.0, haste=0.0, force=0.0)


def board_of(seed: int, breaker: Seat = "south") -> tuple[Table, list[Played]]:
    rng = np.random.default_rng(seed)
    table = set_up(breaker, rng)
    return table, list(play(table, rng))


@pytest.fixture(scope="module")
def boards() -> list[tuple[Table, list[Played]]]:
    return [board_of(s, "south" if s % 2 == 0 else "north") for s in range(6)]


@pytest.mark.parametrize("seat", SEATS)
def test_turning_brings_a_seat_to_the_lower_edge(seat: Seat) -> None:
    x, y = turned(np.array(ICF.base_position(seat, 200.0)), seat, ICF.side / 2)
    assert y == pytest.approx(ICF.side - ICF.base_middle)
    assert x == pytest.approx({"south": 200.0, "north": 540.0, "east": 540.0, "west": 200.0}[seat])


@pytest.mark.parametrize("seat", SEATS)
def test_a_sure_player_pockets_an_open_piece_from_every_seat(seat: Seat) -> None:
    back: dict[Seat, Seat] = {"south": "south", "north": "north", "east": "west", "west": "east"}
    seen = np.array([[560.0, 180.0], [200.0, 380.0]])
    places = turned(seen, back[seat], ICF.side / 2)
    classes: list[Piece] = ["white", "black"]
    shot = choose(classes, places, seat, Wish("white", False, False, False), np.random.default_rng(1), SURE)
    assert shot.intent == "pot"
    motion = simulate(State.resting([*classes, "striker"], np.vstack([places, shot.place])).struck(2, *shot.velocity))
    assert [f.index for f in motion.pocketed] == [0]


def test_a_piece_behind_the_base_line_is_fetched_off_a_cushion() -> None:
    places = np.array([[180.0, 700.0], [560.0, 120.0]])
    shot = choose(["white", "black"], places, "south", Wish("white", False, False, False), np.random.default_rng(3), SURE)
    assert shot.intent in ("bank", "safety")
    motion = simulate(State.resting(["white", "black", "striker"], np.vstack([places, shot.place])).struck(2, *shot.velocity))
    first = next(e.kind for e in motion.events)
    assert first == "cushion"
    assert motion.first_contact is not None
    assert motion.first_contact[0] == 0


def test_strokes_start_on_the_base_line_of_the_player_and_touch_nothing_there(boards: list[tuple[Table, list[Played]]]) -> None:
    for _, strokes in boards:
        for p in strokes:
            x, y = p.shot.place
            assert y == pytest.approx(ICF.base_position(p.by, x)[1])
            assert abs(x - ICF.side / 2) <= ICF.base_length / 2 - ICF.base_circle_radius
            gaps = np.hypot(*(p.before - (x, y)).T) - ICF.striker_radius - ICF.piece_radius
            assert np.nanmin(gaps) > 0
            assert np.sign(p.shot.velocity[1]) == (-1 if p.by == "south" else 1)


def test_boards_come_to_an_end_in_a_human_number_of_strokes(boards: list[tuple[Table, list[Played]]]) -> None:
    lengths = [len(s) for _, s in boards]
    assert all(s[-1].result is not None for _, s in boards)
    assert all(p.result is None for _, s in boards for p in s[:-1])
    assert min(lengths) >= 15
    assert max(lengths) <= 120
    kinds = Counter(p.kind for _, s in boards for p in s)
    assert 0.3 < (kinds["own"] + kinds["own2"] + kinds["queen"]) / sum(kinds.values()) < 0.75


def test_the_turn_goes_on_with_an_own_piece_and_passes_without(boards: list[tuple[Table, list[Played]]]) -> None:
    for table, strokes in boards:
        for p, following in pairwise(strokes):
            assert following.by == p.turn
            names = [f.cls for f in p.fallen]
            if "queen" in names:
                continue
            own = table.colour(p.by) in names
            assert (p.turn == p.by) == own


def test_what_is_put_back_is_what_is_owed_and_lies_free(boards: list[tuple[Table, list[Played]]]) -> None:
    for table, strokes in boards:
        for p in strokes:
            names = Counter(f.cls for f in p.fallen)
            lost, back = Counter(table.classes[u.piece] for u in p.puts), Counter(names)
            assert np.sum(~np.isnan(p.after[:, 0])) == np.sum(~np.isnan(p.before[:, 0])) - sum(names.values()) + names["striker"] + len(
                p.puts
            )
            if names["striker"] and p.result is None and lost[table.colour(p.by)]:
                assert lost[table.colour(p.by)] >= back[table.colour(p.by)]
            r = np.hypot(*(p.after[[u.piece for u in p.puts]] - ICF.side / 2).T)
            assert np.all(r < ICF.outer_radius + 25)
            d = np.hypot(*(p.after[:, None] - p.after[None]).transpose(2, 0, 1))[np.triu_indices(19, 1)]
            assert np.nanmin(d, initial=np.inf) > 2 * ICF.piece_radius - 1e-2


def test_the_winner_has_no_piece_left_and_the_points_are_what_the_loser_has(boards: list[tuple[Table, list[Played]]]) -> None:
    for table, strokes in boards:
        result = strokes[-1].result
        assert result is not None
        foe = table.other(result.winner)
        if result.why == f"{result.winner} clears {table.colour(result.winner)}":
            assert table.lying(table.colour(result.winner)) == []
            assert table.covered is not None
            assert result.points == len(table.lying(table.colour(foe))) + 3 * (table.covered == result.winner)


def played(table: Table, fallen: list[tuple[Piece, int]], monkeypatch: pytest.MonkeyPatch) -> Played:
    """One stroke after which the given pieces have fallen, by physics: each is sent into the nearest pocket."""
    state = State.resting([*table.classes, "striker"], np.vstack([table.places, ICF.base_position(table.turn, 370)]))
    x, y = state.x.copy(), state.y.copy()
    vx, vy = np.zeros(20), np.zeros(20)
    for (cls, pocket), (px, py) in zip(fallen, [(55, 55), (685, 55), (685, 685), (55, 685)], strict=False):
        i = STRIKER if cls == "striker" else table.lying(cls)[pocket]
        x[i], y[i] = px, py
        vx[i], vy[i] = np.sign(np.array([px, py]) - 370) * 300
    sent = simulate(replace(state, x=x, y=y, vx=vx, vy=vy))
    monkeypatch.setattr("models.scene.match.simulate", lambda *_: sent)
    shot = Shot(ICF.base_position(table.turn, 370), (0.0, -1000.0), "pot", 1.0)
    monkeypatch.setattr("models.scene.match._next_shot", lambda *_: shot)
    return next(play(table, np.random.default_rng(0)))


def position(**start: object) -> Table:
    return set_out(replace(Start(), **start), np.random.default_rng(2))  # type: ignore[arg-type]


def test_striker_with_an_own_piece_costs_both_and_the_turn_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """ICF law 73."""
    table = position(white=5, black=4)
    p = played(table, [("white", 0), ("striker", 0)], monkeypatch)
    assert p.kind == "ownstriker"
    assert p.turn == "south"
    assert [u.by for u in p.puts] == ["north", "north"]
    assert len(table.lying("white")) == 6


def test_striker_alone_costs_one_and_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """ICF law 72a."""
    table = position(white=5, black=4)
    p = played(table, [("striker", 0)], monkeypatch)
    assert (p.kind, p.turn, len(table.lying("white"))) == ("striker", "north", 6)


def test_a_due_that_cannot_be_paid_stays_owed(monkeypatch: pytest.MonkeyPatch) -> None:
    """ICF law 72c."""
    table = position()
    p = played(table, [("striker", 0)], monkeypatch)
    assert p.puts == ()
    assert table.dues["south"] == 1


def test_the_queen_is_covered_by_the_next_stroke_or_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """ICF laws 92 and 96."""
    table = position(white=5, black=4)
    first = played(table, [("queen", 0)], monkeypatch)
    assert (first.turn, table.pending, first.covered) == ("south", "south", None)
    other = position(white=5, black=4, queen="pending:south")
    assert played(other, [("white", 0)], monkeypatch).covered == "south"
    again = position(white=5, black=4, queen="pending:south")
    missed = played(again, [], monkeypatch)
    assert [again.classes[u.piece] for u in missed.puts] == ["queen"]
    assert (missed.turn, again.pending) == ("north", None)


def test_the_queen_before_any_own_piece_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """ICF law 95a."""
    table = position()
    p = played(table, [("queen", 0)], monkeypatch)
    assert len(table.lying("queen")) == 1
    assert p.turn == "north"


@pytest.mark.parametrize(
    ("start", "fallen", "winner", "points"),
    [
        ({"white": 1, "black": 4, "queen": "covered:south"}, [("white", 0)], "south", 7),
        ({"white": 1, "black": 4, "queen": "covered:north"}, [("white", 0)], "south", 4),
        ({"white": 1, "black": 4, "queen": "covered:south", "scores": {"south": 22}}, [("white", 0)], "south", 4),
        ({"white": 1, "black": 4}, [("white", 0)], "north", 3),
        ({"white": 2, "black": 1, "queen": "covered:south"}, [("black", 0)], "north", 2),
        ({"white": 1, "black": 4, "queen": "pending:south"}, [("white", 0)], "south", 7),
    ],
)
def test_how_boards_end(
    start: dict[str, object], fallen: list[tuple[Piece, int]], winner: Seat, points: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ICF laws 52 to 54, 103, 106 and 107."""
    result = played(position(**start), fallen, monkeypatch).result
    assert result is not None
    assert (result.winner, result.points) == (winner, points)


def test_the_script_tells_every_stroke_and_placing_once_and_hands_move_smoothly() -> None:
    rng = np.random.default_rng(5)
    table = set_up("south", rng)
    strokes = list(islice(play(table, rng), 12))
    script = Script(table.classes, ICF, rng)
    beats = [b for p in strokes for b in script.stroke(p, p.turn == p.by)]
    assert [b.released for b in beats if b.released] == strokes
    assert [b.put for b in beats if b.put] == [u for p in strokes for u in p.puts]
    for b in beats:
        tips = [pose.tip for t in np.linspace(0, b.seconds, 40) if (pose := b.pose(float(t))) is not None]
        steps = np.hypot(*np.diff(np.array(tips), axis=0).T) if len(tips) > 1 else np.zeros(1)
        assert steps.max() < 6000 * b.seconds / 39


def film(folder: Path, **more: object) -> dict[str, object]:
    style = tournament_style(np.random.default_rng(1))
    film_match(folder, 1, 3, style=style, camera=overhead((240, 240)), size=(240, 240), fps=15, **more)  # type: ignore[arg-type]
    return json.loads((folder / "truth.json").read_text())  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    folder = tmp_path_factory.mktemp("film")
    return folder, film(folder, max_strokes=3, start=Start(white=3, black=2, queen="covered:north"))


def test_a_film_is_a_video_with_its_truth(short: tuple[Path, dict[str, object]]) -> None:
    folder, truth = short
    with av.open(str(folder / "clip.mp4")) as clip:
        stream = clip.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt, stream.width) == ("h264", "yuv420p", 240)
        frames = [f.to_ndarray(format="bgr24") for f in clip.decode(stream)]
    assert len(frames) == truth["frames"]
    assert set(truth) >= {
        "video", "fps", "corners_px", "side_mm", "laws", "breaker", "colours", "strokes", "placements", "samples", "equipment", "covered",
        "final", "frames", "result", "start",
    }  # fmt: skip
    assert truth["start"] == {"white": 3, "black": 2, "queen": "covered:north"}
    assert sorted(p.name for p in folder.iterdir()) == ["clip.mp4", "truth.json"]


def test_the_striker_of_a_match_falls_into_its_pockets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[BoardSpec] = []

    def on(boards: int, players: object, board: BoardSpec, *_: object) -> None:
        told.append(board)
        raise KeyboardInterrupt

    monkeypatch.setattr("models.scene.film._cues", on)
    for seed in range(12):
        with pytest.raises(KeyboardInterrupt):
            film_match(tmp_path, seed=seed)
    assert len({b.pocket_radius for b in told}) > 1 and all(b.pocket_radius > b.striker_radius for b in told)


def test_the_truth_agrees_with_itself(short: tuple[Path, dict[str, object]]) -> None:
    truth: dict = short[1]  # type: ignore[type-arg]
    first, last = truth["samples"][0], truth["samples"][-1]
    start = Counter(d[1] for d in first["discs"])
    fallen = Counter(p["cls"] for s in truth["strokes"] for p in s["pocketed"])
    back = Counter(p["cls"] for p in truth["placements"])
    end = Counter(d[1] for d in last["discs"])
    assert len(truth["strokes"]) == 3
    assert start == {"white": 3, "black": 2}
    for cls in ("white", "black", "queen"):
        assert end[cls] == truth["final"][cls] == start[cls] - fallen[cls] + back[cls]
    for s in truth["strokes"]:
        assert s["t"] < s["rest"]
        assert all(s["t"] < p["t"] <= s["rest"] for p in s["pocketed"])
        before = [q for q in truth["samples"] if q["t"] <= s["t"]][-1]
        striker = [d[2:] for d in before["discs"] if d[1] == "striker"]
        assert striker == [s["striker"]]
        assert before["hand"]


def test_the_picture_shows_what_the_truth_says(short: tuple[Path, dict[str, object]]) -> None:
    folder, truth = short
    camera = overhead((240, 240))
    with av.open(str(folder / "clip.mp4")) as clip:
        grey = next(clip.decode(video=0)).to_ndarray(format="gray")
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)

    def brightness(x: float, y: float, radius: float) -> float:
        pixels = camera.project(np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], axis=1)).round().astype(int)
        return float(np.median(grey[pixels[:, 1], pixels[:, 0]]))

    discs = truth["samples"][0]["discs"]  # type: ignore[index]
    assert len(discs) == 5
    for _, cls, x, y in discs:
        assert (cls == "black") == (brightness(x, y, 10) < 0.7 * brightness(x, y, 26))


def test_the_same_seed_gives_the_same_film(short: tuple[Path, dict[str, object]], tmp_path: Path) -> None:
    folder, truth = short
    assert film(tmp_path, max_strokes=3, start=Start(white=3, black=2, queen="covered:north")) == truth
    # what is seen, not the bytes: an encoder need not code the same pictures the same way twice
    once, again = shown(folder), shown(tmp_path)
    assert len(once) == len(again)
    assert max(float(cv2.absdiff(a, b).mean()) for a, b in zip(once, again, strict=True)) < 0.5


def shown(folder: Path) -> list[NDArray[np.uint8]]:
    with av.open(str(folder / "clip.mp4")) as clip:
        return [np.asarray(f.to_ndarray(format="bgr24"), np.uint8) for f in clip.decode(video=0)]


def test_an_interrupted_film_leaves_nothing(tmp_path: Path) -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        film(tmp_path, max_strokes=1, start=Start(white=2, black=2), progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_to_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadInput, match="is a file; a folder"):
        film_match(tmp_path / "file", 1, 1)


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Films are black, and cost next to nothing."""
    monkeypatch.setattr("models.scene.film._Film._picture", lambda *_: np.zeros((360, 240), np.uint8))


@pytest.mark.usefixtures("undrawn")
def test_how_a_match_is_filmed_does_not_change_how_it_is_played(tmp_path: Path) -> None:
    played = []
    for fps in (2, 3):
        film_match(tmp_path, 1, 8, style=tournament_style(np.random.default_rng(1)), camera=overhead((240, 240)), fps=fps, max_strokes=2)
        played.append(json.loads((tmp_path / "truth.json").read_text())["strokes"])
    assert played[0] == played[1]


@pytest.mark.usefixtures("undrawn")
def test_boards_alternate_and_scores_run_on(tmp_path: Path) -> None:
    film_match(tmp_path, 2, 4, style=tournament_style(np.random.default_rng(1)), camera=overhead((240, 240)), fps=2)
    truth = json.loads((tmp_path / "truth.json").read_text())
    a, b = truth["boards"]
    assert (a["breaker"], b["breaker"]) == ("south", "north")
    assert b["colours"] == {"north": "white", "south": "black"}
    assert b["scores"] == a["result"]["points"]
    assert {s["board"] for s in truth["strokes"]} == {1, 2}
    assert next(s for s in truth["strokes"] if s["board"] == 2)["by"] == "north"
