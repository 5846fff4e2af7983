"""Equipment: what is shipped, and what a club may write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from models.board import ICF
from models.equipment import BOARD, CONTACT, CONTACTS, DISCS, EQUIPMENT, SURFACE, read_equipment
from models.errors import BadInput
from models.physics import Dynamics


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
        ("[bord]\nside = 700", "unknown key 'bord'"),
        ("[board]\nsides = 700", "no key 'sides'"),
        ("[board]\nside = -1", "side = -1"),
        ("[board]\nside = true", "side = True"),
        ("[board]\nside = nan", "side = nan"),
        ('[board]\nside = "740"', "side = '740'"),
        ("[board]\nside = 200", "do not fit"),
        ("[board]\npocket_radius = 200", "pockets are too large"),
        ("[board]\nbase_inner = 90", "wrong order"),
        ("[striker]\nradius = 200", "striker is too large"),
        ("[piece_piece]\nrestitution = 1.1", "from 0 to 1"),
        ("board = 3", "is a table"),
        ('like = "ibf"', "like one of"),
        ("title = 3", "title is a text"),
        ("[board", "table declaration"),
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
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="UTF-8"):
        read_equipment(tmp_path / "bytes.toml")


def test_the_page_lists_every_key() -> None:
    page = (Path(__file__).parents[2] / "docs" / "equipment.md").read_text(encoding="utf-8")
    for key in (*BOARD, *DISCS, *SURFACE, *CONTACTS, *CONTACT):
        assert f"`{key}`" in page
