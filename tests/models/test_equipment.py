"""Equipment: what is shipped, and what a club may write."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from models.board import ICF, rack
from models.equipment import BOARD, CONTACT, CONTACTS, DISCS, EQUIPMENT, SURFACE, read_equipment
from models.errors import BadInput
from models.physics import Dynamics, State, simulate


@pytest.mark.parametrize("name", EQUIPMENT)
def test_what_is_shipped_can_be_read(name: str) -> None:
    kit = read_equipment(name)
    assert (kit.id, kit.board.name) == (name, name)
    assert kit.title != name


def test_the_icf_equipment_is_the_default() -> None:
    kit = read_equipment("icf")
    assert (kit.board, kit.dynamics) == (ICF, Dynamics())


def test_the_striker_of_22softwares_is_larger_than_its_pockets() -> None:
    board = read_equipment("22s").board
    assert (board.pocket_radius, board.piece_radius, board.striker_radius) == (23.5, 20.7, 26.8)


def test_a_club_changes_what_it_names(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text('like = "uk"\n[pieces]\nmass = 0.006\n[surface]\nfriction_piece = 900\n[piece_cushion]\nrestitution = 0.5\n')
    kit, uk = read_equipment(path), read_equipment("uk")
    assert kit.board.pocket_radius == uk.board.pocket_radius
    assert (kit.board.piece_mass, kit.board.striker_mass) == (0.006, uk.board.striker_mass)
    assert (kit.dynamics.friction_piece, kit.dynamics.friction_striker) == (900, Dynamics().friction_striker)
    assert (kit.dynamics.piece_cushion.restitution, kit.dynamics.piece_cushion.friction) == (0.5, 0.10)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[bord]\nside = 700", "line 1: unknown key 'bord'"),
        ('"a\\nb" = 1', "unknown key 'a\\nb'"),
        ("[board]\nsides = 700", "line 2: [board] has no key 'sides'"),
        ("board.sides = 700", "line 1: [board] has no key 'sides'"),
        ("board = {side = 700, sides = 700}", "line 1: [board] has no key 'sides'"),
        ("[board]\nside = -1", "line 2: [board] side = -1: want a number from 200 to 2000 mm"),
        ("[board]\nside = 74", "side = 74: want a number from 200"),
        ("[board]\nside = true", "side = True"),
        ("[board]\nside = nan", "side = nan"),
        ("[board]\nside = inf", "side = inf"),
        ("[board]\nside = 0x" + "f" * 5000, "side = "),
        ("[board]\nside = " + "9" * 5000, "not TOML that can be read"),
        ('[board]\nside = "740"', "side = '740'"),
        ("[board]\nside = 300\nbase_length = 90", "line 2: [board] side: nineteen pieces of radius 15.9 mm do not fit"),
        ("[board]\npocket_radius = 200", "pockets of radius 200 mm, 200 mm from the cushions, are too large"),
        ("[board]\npocket_radius = 12", "no piece of radius 15.9 mm falls into a pocket of radius 12 mm"),
        ("[board]\ncorner_radius = 150", "line 2: [board] corner_radius: a piece in a corner of radius 150 mm stays 46.6 mm from"),
        ("[board]\nbase_inner = 90", "line 2: [board] base_inner: the base lines, 101.5 and 90 mm from the cushion, want outer < inner"),
        ("[board]\nbase_outer = 4\nbase_inner = 9", "stands in the cushion"),
        ("[board]\nbase_length = 700", "base lines 700 mm long"),
        ("[board]\nbase_disc_radius = 16", "line 2: [board] base_disc_radius: the disc of radius 16 mm"),
        ("[board]\ncentre_radius = 90", "line 2: [board] centre_radius: the circles of radius 90 and 85 mm"),
        ("[pieces]\nradius = 21\n\n[striker]\nradius = 15", "larger by far than a striker"),
        ("[striker]\nradius = 90", "line 2: [striker] radius: a striker of radius 90 mm is larger by far than pieces"),
        ("[striker]\nmass = 15", "line 2: [striker] mass = 15: want a number from 0.0001 to 0.2 kg"),
        ("[piece_piece]\nrestitution = 1.1", "line 2: [piece_piece] restitution = 1.1: want a number from 0 to 1"),
        ("[surface]\nfriction_piece = 0", "want a number from 10 to 20000 mm/s^2"),
        ("[surface]\nfall_time = nan", "fall_time = nan"),
        ("board = 3", "line 1: board is a table"),
        ("[[board]]\nside = 740", "line 1: board is a table"),
        ('\nlike = "ibf"', "line 2: like is one of"),
        ("like = []", "like is one of"),
        ("title = 3", "title is a text"),
        ('title = ""', "title is a text"),
        ('title = "\\u001b[31m"', "title is a text"),
        ("[board", "table declaration"),
        ("a = " + "[" * 5000, "not TOML that can be read"),
        ("#" * 200_000, "too many for equipment"),
    ],
)
def test_what_cannot_be_is_refused_with_file_and_key(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "club.toml"
    path.write_text(text)
    with pytest.raises(BadInput, match=re.escape(why)) as told:
        read_equipment(path)
    assert "club.toml" in str(told.value)


def test_names_and_files_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="unknown equipment 'ibf': known are icf"):
        read_equipment("ibf")
    with pytest.raises(BadInput, match="No such file"):
        read_equipment(tmp_path / "no.toml")
    with pytest.raises(BadInput, match="cannot be read"):
        read_equipment("a\0b.toml")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(BadInput, match="Is a directory"):
        read_equipment(tmp_path / "folder.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="UTF-8"):
        read_equipment(tmp_path / "bytes.toml")


def test_a_wider_pocket_goes_on_meeting_the_cushions(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text("[board]\npocket_radius = 25.5\n")
    board = read_equipment(path).board
    assert (board.pocket_radius, board.pocket_inset, board.corner_radius) == (25.5, 25.5, 25.5)
    path.write_text("[board]\npocket_radius = 25.5\npocket_inset = 24\ncorner_radius = 0\n")
    board = read_equipment(path).board
    assert (board.pocket_inset, board.corner_radius) == (24, 0)


def test_a_file_may_have_the_name_of_what_is_shipped_and_come_from_any_editor(tmp_path: Path) -> None:
    path = tmp_path / "icf.toml"
    path.write_bytes(b'\xef\xbb\xbflike = "uk"\r\n[board]\r\nside = 720\r\n')
    board = read_equipment(path).board
    assert (board.name, board.side, board.pocket_radius) == ("icf", 720, 25.5)
    assert read_equipment("icf").board == ICF


def test_books_say_what_their_clauses_say() -> None:
    uk, bc = read_equipment("uk").board, read_equipment("bc").board
    assert 2 * uk.pocket_radius == 51  # uk.1
    assert uk.base_inner - uk.base_outer == 38
    assert 2 * uk.base_circle_radius == 38
    assert uk.outer_radius == pytest.approx(6 * uk.piece_radius)
    assert 28.6 <= 2 * bc.piece_radius <= 31.8  # bc.1
    assert 0.00525 <= bc.piece_mass <= 0.006
    assert 2 * bc.striker_radius <= 41.3


@pytest.mark.parametrize("name", EQUIPMENT)
def test_on_what_is_shipped_a_break_can_be_played(name: str) -> None:
    kit = read_equipment(name)
    classes, places = rack(kit.board)
    state = State.resting([*classes, "striker"], [*places.tolist(), kit.board.base_position("south", 380.0)], kit.board)
    motion = simulate(state.struck(len(classes), 0.0, -5000.0), kit.board, kit.dynamics)
    assert len(motion.touched(len(classes))) > 0
    assert 0 < motion.duration < 5


def test_the_striker_of_22softwares_rolls_over_a_pocket() -> None:
    kit = read_equipment("22s")
    motion = simulate(State.resting(["striker"], [(370.0, 370.0)], kit.board).struck(0, -1100.0, -1100.0), kit.board, kit.dynamics)
    assert not motion.pocketed
    icf = read_equipment("icf")
    motion = simulate(State.resting(["striker"], [(370.0, 370.0)], icf.board).struck(0, -1100.0, -1100.0), icf.board, icf.dynamics)
    assert [f.pocket for f in motion.pocketed] == ["NW"]


PAGE = (Path(__file__).parents[2] / "docs" / "equipment.md").read_text(encoding="utf-8")


def test_the_page_lists_every_key_with_the_figure_of_the_icf() -> None:
    told = {(t, k): float(v) for t, k, v in re.findall(r"^\| `(\w+)` \| `(\w+)` \| ([\d.]+|inf) \|", PAGE, re.MULTILINE)}
    kit = read_equipment("icf")
    known = {("board", k): getattr(kit.board, k) for k in BOARD}
    known |= {("pieces", k): getattr(kit.board, f"piece_{k}") for k in DISCS}
    known |= {("striker", k): getattr(kit.board, f"striker_{k}") for k in DISCS}
    known |= {("surface", k): getattr(kit.dynamics, k) for k in SURFACE}
    known |= {(c, k): getattr(getattr(kit.dynamics, c), k) for c in CONTACTS for k in CONTACT}
    assert told == pytest.approx(known, rel=1e-3)


def test_the_page_s_example_is_a_club_s_equipment(tmp_path: Path) -> None:
    example = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert example
    path = tmp_path / "club.toml"
    path.write_text(example[1])
    kit = read_equipment(path)
    assert (kit.title, kit.board.pocket_inset, kit.dynamics.friction_piece) == ("Our club's boards", 25.5, 1100)


def test_what_touches_the_outer_circle_lies_by_it() -> None:
    edge = ICF.outer_radius + ICF.piece_radius
    at = ICF.side / 2 + np.array([[0.0, 0.0], [edge - 0.1, 0.0], [0.0, -edge - 0.1], [edge, edge]])
    assert ICF.by_outer_circle(at).tolist() == [True, True, False, False]
    assert ICF.by_outer_circle(at[1])


def test_what_lies_within_the_base_lines() -> None:
    edge = ICF.base_inner
    at = np.array(
        [[ICF.side / 2, edge + 0.1], [edge - 0.1, ICF.side / 2], [ICF.side - edge - 0.1, edge + 0.1], [ICF.side - edge + 0.1, 300]]
    )
    assert ICF.within_base_lines(at).tolist() == [True, False, True, False]
