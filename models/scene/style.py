"""Random looks: a board, its pieces, lamps and players, as one may meet them anywhere.

A style is drawn at random once and then held fixed, so that a match looks the same from its first picture to its last.
Most boards are ordinary wooden ones; what is odd is seldom.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from numpy.random import Generator

from models.scene.looks import Arm, Bgr, Cast, Frame, Lamp, Light, Markings, Picture, Pockets, Style, Sun, Surround, Wood
from models.scene.sets import any_colour, chance, hsv, sample_piece_scale, sample_pieces, sample_striker_scale, skin_colour
from models.stroke import Piece

INK_BLACK: Final[Bgr] = (30.0, 32.0, 34.0)
DARK: Final = 95.0
"""Boards whose brightest channel is below are printed in light colours."""


def _wood(rng: Generator) -> Wood:
    kind = rng.random()
    figure, felt = float(rng.beta(1, 6)) if chance(rng, 0.4) else 0.0, 0.0
    if kind < 0.4:
        base = hsv(rng, (24, 40), (0.12, 0.38), (0.72, 0.97))
    elif kind < 0.7:
        base = hsv(rng, (18, 38), (0.35, 0.65), (0.5, 0.85))
    elif kind < 0.78:
        base = hsv(rng, (10, 30), (0.4, 0.7), (0.26, 0.6))
    elif kind < 0.84:
        base, figure = hsv(rng, (20, 38), (0.2, 0.55), (0.55, 0.95)), float(rng.uniform(0.4, 1.0))
    elif kind < 0.88:
        base = hsv(rng, (14, 30), (0.65, 0.92), (0.55, 0.95))
    elif kind < 0.93:
        base = hsv(rng, (30, 130), (0.02, 0.3), (0.6, 0.95))
    elif kind < 0.965:
        base = hsv(rng, (0, 360), (0.0, 0.35), (0.07, 0.25))
    else:
        base, felt = hsv(rng, (90, 240), (0.3, 0.8), (0.2, 0.55)), float(rng.choice([0.0, 1.0]))
    return Wood(
        base=base, grain=float(rng.beta(1.5, 3)), upright=chance(rng, 0.5), blotch=float(rng.beta(1.2, 3)),
        wear=float(rng.beta(1, 3)), scratches=float(rng.beta(1, 3)), powder=float(rng.beta(0.8, 3)), stains=float(rng.beta(0.7, 4)),
        figure=figure, felt=felt, bare=float(rng.uniform(0.2, 1)) if chance(rng, 0.14) else 0.0,
        swirls=float(rng.beta(1, 2)) if chance(rng, 0.3) else 0.0, rings=int(rng.integers(1, 5)) if chance(rng, 0.07) else 0,
        dots=int(rng.integers(20, 500)) if chance(rng, 0.2) else 0,
    )  # fmt: skip


_WORDS: Final = (
    "Carrom",
    "Champion",
    "Made in India",
    "Royal",
    "WATERPROOF",
    "Ace",
    "Bulldog",
    "Classic",
    "Club",
    "No. 1",
    "GOLD",
    "Star *",
)


def _picture(rng: Generator) -> Picture:
    kinds = ("sun", "flower", "badge", "photo", "sticker", "number", "band")
    kind = kinds[int(rng.choice(7, p=[0.16, 0.16, 0.2, 0.12, 0.16, 0.12, 0.08]))]
    middle = kind in ("sun", "flower", "photo", "badge") and chance(rng, 0.35)
    near = float(rng.uniform(50, 200))
    far = 740 - near
    corner = ((near, near), (far, near), (near, far), (far, far), (370.0, near), (near, 370.0), (370.0, far), (far, 370.0))
    x, y = (370.0, 370.0) if middle else corner[int(rng.integers(8))]
    return Picture(
        kind=kind,  # type: ignore[arg-type]
        x=x, y=y, size=float(rng.uniform(60, 200) if middle else rng.uniform(12, 60)),
        turn=float(rng.choice([0, 1.5708, rng.uniform(0, 6.28)])),
        colours=(any_colour(rng), any_colour(rng), any_colour(rng)), cover=float(rng.uniform(0.15, 0.6) if middle else rng.uniform(0.3, 1)),
        words=str(rng.integers(0, 100)) if kind == "number" else str(rng.choice(_WORDS)),
    )  # fmt: skip


def _markings(rng: Generator, dark: bool) -> Markings:
    home = chance(rng, 0.2)
    ink = hsv(rng, (0, 360), (0, 0.3), (0.05, 0.3)) if chance(rng, 0.8) else hsv(rng, (0, 360), (0.3, 0.9), (0.1, 0.5))
    if dark:
        ink = hsv(rng, (20, 60), (0, 0.4), (0.65, 1.0)) if chance(rng, 0.8) else hsv(rng, (0, 360), (0.3, 0.9), (0.6, 1.0))
    red = hsv(rng, (-12, 12), (0.6, 1.0), (0.45, 0.95)) if chance(rng, 0.82) else any_colour(rng)
    words = tuple(str(rng.choice(_WORDS)) if chance(rng, 0.55) else "" for _ in range(4))
    centre = str(rng.choice(["star", "rosette", "rings", "plain"], p=[0.42, 0.22, 0.2, 0.16]))
    return Markings(
        home_drawn=home, ink=ink, red=red,
        outer_width=float(rng.uniform(2.5, 6.5)) if not home else float(rng.uniform(0.4, 1.5)),
        inner_width=float(rng.uniform(0.6, 2.0)), thin=float(rng.uniform(0.5, 1.8)),
        base_circles=not home or chance(rng, 0.15), disc_ring=float(rng.uniform(0.5, 2.2)),
        arrows=chance(rng, 0.85), arcs=str(rng.choice(["arcs", "circles", "none"], p=[0.62, 0.23, 0.15])),  # type: ignore[arg-type]
        corner_dot=str(rng.choice(["ring", "half", "full", "none"], p=[0.5, 0.2, 0.15, 0.15])),  # type: ignore[arg-type]
        centre="rings" if home and chance(rng, 0.7) else centre,  # type: ignore[arg-type]
        centre_scale=float(rng.uniform(0.85, 1.15)), centre_disc=chance(rng, 0.03 if home else 0.75), double_ring=chance(rng, 0.5),
        ornaments=chance(rng, 0.25), texts=() if home else words, text_ink=ink if chance(rng, 0.5) else red,
        text_inside=chance(rng, 0.3), jitter=float(rng.uniform(0.5, 3)) if home else float(rng.uniform(0, 0.8)),
        scribble=chance(rng, 0.25 if home else 0.05), faint=float(rng.uniform(0.15, 0.75)) if chance(rng, 0.2) else 0.0,
        circle_scale=float(rng.uniform(0.85, 1.2)) if chance(rng, 0.4) else 1.0,
        pictures=tuple(_picture(rng) for _ in range(int(rng.integers(1, 5)))) if chance(rng, 0.16) else (),
    )  # fmt: skip


def _frame(rng: Generator) -> Frame:
    k = rng.random()
    if k < 0.5:
        colour = hsv(rng, (0, 360), (0, 0.35), (0.04, 0.2))
    elif k < 0.85:
        colour = hsv(rng, (5, 32), (0.4, 0.85), (0.15, 0.6))
    else:
        colour = any_colour(rng)
    return Frame(
        colour=colour, width=float(rng.uniform(35, 110)), height=float(rng.uniform(12, 32)),
        lip=hsv(rng, (5, 32), (0.3, 0.8), (0.1, 0.6)), scratches=float(rng.beta(1, 2)), inlay=chance(rng, 0.3),
        inlay_colour=hsv(rng, (0, 60), (0, 0.6), (0.4, 0.95)), label=str(rng.choice(_WORDS)) if chance(rng, 0.4) else "",
        gloss=float(rng.beta(1.2, 2)), smears=int(rng.integers(0, 14)),
    )  # fmt: skip


def _pockets(rng: Generator) -> Pockets:
    style = str(
        rng.choice(
            ["dark", "coloured", "net_dark", "net_light", "board_below", "quarter_net", "cup"], p=[0.24, 0.14, 0.16, 0.15, 0.11, 0.13, 0.07]
        )
    )
    colour = hsv(rng, (80, 250), (0.4, 0.95), (0.2, 0.75)) if style == "coloured" else hsv(rng, (0, 360), (0, 0.5), (0.02, 0.14))
    if style == "board_below":
        colour = hsv(rng, (0, 60), (0.05, 0.5), (0.2, 0.5))
    lying: list[Piece | None] = []
    for _ in range(4):
        lying.append(("white", "black", "queen", "striker")[int(rng.choice(4, p=[0.35, 0.35, 0.1, 0.2]))] if chance(rng, 0.24) else None)
    net = hsv(rng, (0, 360), (0, 0.35), (0.5, 0.95)) if chance(rng, 0.7) else hsv(rng, (90, 240), (0.4, 0.9), (0.2, 0.7))
    return Pockets(
        style=style,  # type: ignore[arg-type]
        radius=float(rng.uniform(20, 27)), colour=colour, net=net, lying=(lying[0], lying[1], lying[2], lying[3]),
        heap=int(rng.integers(1, 5)),
    )  # fmt: skip


def _surround(rng: Generator) -> Surround:
    covers = ("plain", "cloth", "tiles", "weave", "planks", "dark", "marble", "grass", "carpet", "checks")
    cover = covers[int(rng.choice(10, p=[0.16, 0.17, 0.12, 0.1, 0.13, 0.08, 0.06, 0.04, 0.08, 0.06]))]
    return Surround(
        cover=cover,  # type: ignore[arg-type]
        colours=(any_colour(rng), any_colour(rng), any_colour(rng)), cell=float(rng.uniform(18, 160)),
        clutter=int(rng.integers(0, 6)) if chance(rng, 0.5) else 0, cable=chance(rng, 0.07),
        things=int(rng.integers(1, 6)) if chance(rng, 0.4) else 0, on_frame=int(rng.integers(1, 6)) if chance(rng, 0.25) else 0,
    )  # fmt: skip


def _lamp(rng: Generator) -> Lamp:
    shapes = ("soft", "disc", "rectangle", "tube", "ring", "window")
    shape = shapes[int(rng.choice(6, p=[0.4, 0.18, 0.13, 0.12, 0.07, 0.1]))]
    long = float(rng.uniform(20, 190) if shape in ("soft", "disc") else rng.uniform(20, 60) if shape == "ring" else rng.uniform(40, 220))
    ratio = (
        rng.uniform(0.25, 1)
        if shape in ("soft", "disc", "ring")
        else rng.uniform(0.04, 0.14)
        if shape == "tube"
        else rng.uniform(0.35, 0.9)
    )
    soft = float(rng.uniform(2, 10) if chance(rng, 0.5) else rng.uniform(10, 40))
    x, y = rng.uniform(-40, 780, 2)
    return Lamp(
        shape=shape,  # type: ignore[arg-type]
        x=float(x), y=float(y), long=long, wide=float(long * ratio), turn=float(rng.uniform(0, 3.1416)),
        strength=float(rng.uniform(10, 120) * (1 + 1.5 * chance(rng, 0.2))), soft=soft,
        tint=(float(rng.uniform(0.75, 1)), 1.0, float(rng.uniform(0.85, 1))),
    )  # fmt: skip


def _cast(rng: Generator) -> Cast:
    x, y = rng.uniform(-80, 820, 2)
    shape = ("arm", "head", "phone")[int(rng.integers(3))]
    return Cast(
        shape=shape,  # type: ignore[arg-type]
        x=float(x), y=float(y), size=float(rng.uniform(0.7, 1.6)), turn=float(rng.uniform(0, 6.28)),
        strength=float(rng.uniform(0.1, 0.55)), soft=float(rng.choice([rng.uniform(2, 10), rng.uniform(10, 45)])),
    )  # fmt: skip


def _sun(rng: Generator) -> Sun:
    x, y = rng.uniform(0, 740, 2)
    return Sun(
        x=float(x), y=float(y), long=float(rng.uniform(80, 420)), wide=float(rng.uniform(40, 260)), turn=float(rng.uniform(0, 3.1416)),
        strength=float(rng.uniform(0.15, 0.9)), bars=int(rng.integers(0, 5)),
    )  # fmt: skip


def _light(rng: Generator) -> Light:
    warm = rng.normal(0, 0.06) if chance(rng, 0.93) else rng.normal(0, 0.18)
    return Light(
        azimuth=float(rng.uniform(0, 6.2832)), slant=float(rng.uniform(0, 0.9)), softness=float(rng.uniform(1.0, 7)),
        shadow=float(rng.uniform(0.05, 0.65)), ambient_shadow=float(rng.uniform(0.1, 0.6)), gradient=float(rng.beta(1.2, 2.5)),
        tint=(1 - float(warm), 1 + float(rng.normal(0, 0.02)), 1 + float(warm)),
        mirrored=tuple(_lamp(rng) for _ in range(int(rng.choice(5, p=[0.38, 0.3, 0.19, 0.09, 0.04])))),
        stripes=float(rng.uniform(0.1, 0.6)) if chance(rng, 0.13) else 0.0, stripe_angle=float(rng.uniform(0, 3.1416)),
        blinds=float(rng.uniform(0.03, 0.2)) if chance(rng, 0.15) else 0.0,
        casts=tuple(_cast(rng) for _ in range(int(rng.integers(1, 4)))) if chance(rng, 0.16) else (),
        suns=tuple(_sun(rng) for _ in range(int(rng.integers(1, 3)))) if chance(rng, 0.08) else (),
    )  # fmt: skip


def _arm(rng: Generator) -> Arm:
    skin = skin_colour(rng)
    watch = hsv(rng, (0, 360), (0, 0.5), (0.05, 0.9)) if chance(rng, 0.25) else None
    glove = any_colour(rng) if chance(rng, 0.06) else None
    return Arm(
        skin=skin, sleeve=any_colour(rng), bare=float(rng.choice([rng.uniform(-10, 40), rng.uniform(40, 260), 900.0])),
        size=float(rng.uniform(0.82, 1.2)), ring=chance(rng, 0.2), watch=watch, glove=glove,
        soft=float(rng.uniform(0.5, 6)) if chance(rng, 0.35) else 0.0, stout=float(rng.uniform(0.8, 1.3)),
        mottle=float(rng.uniform(0.02, 0.16)), nails=any_colour(rng) if chance(rng, 0.12) else None,
        bangles=int(rng.integers(1, 7)) if chance(rng, 0.1) else 0,
        metal=hsv(rng, (38, 50), (0.4, 0.75), (0.6, 0.95)) if chance(rng, 0.6) else any_colour(rng),
        striped=float(rng.uniform(0.1, 0.5)) if chance(rng, 0.3) else 0.0,
    )  # fmt: skip


def sample_style(rng: Generator) -> Style:
    """A board, pieces, lamps and players as one may meet them anywhere from a tournament to a kitchen floor."""
    wood = _wood(rng)
    return Style(
        wood=wood, markings=_markings(rng, max(wood.base) < DARK), frame=_frame(rng), pockets=_pockets(rng), surround=_surround(rng),
        light=_light(rng), pieces=sample_pieces(rng), striker_scale=sample_striker_scale(rng), piece_scale=sample_piece_scale(rng),
        arms={"south": _arm(rng), "east": _arm(rng), "north": _arm(rng), "west": _arm(rng)},
    )  # fmt: skip


def tournament_style(rng: Generator) -> Style:
    """A well kept tournament board: pale wood, black frame, all markings, cream and black pieces, a red queen, soft light."""
    s = sample_style(rng)
    wood = replace(
        s.wood, base=hsv(rng, (26, 36), (0.15, 0.35), (0.82, 0.95)), wear=0.05, scratches=0.1, stains=0.0, blotch=0.2, powder=0.15,
        figure=0.0, felt=0.0, bare=0.0, swirls=0.0, rings=0, dots=0,
    )  # fmt: skip
    markings = replace(
        s.markings, home_drawn=False, ink=INK_BLACK, red=(40.0, 40.0, 205.0), outer_width=5.0, inner_width=1.2, thin=1.0, base_circles=True,
        arrows=True, arcs="arcs", corner_dot="ring", centre="star", centre_scale=1.0, centre_disc=True, jitter=0.0, scribble=False,
        faint=0.0, circle_scale=1.0, pictures=(),
    )  # fmt: skip
    pieces = {c: replace(look, printed="none" if c != "striker" else look.printed, clear=0.0, shine=0.0) for c, look in s.pieces.items()}
    pieces["white"] = replace(pieces["white"], colour=hsv(rng, (28, 44), (0.05, 0.25), (0.88, 1.0)))
    pieces["black"] = replace(pieces["black"], colour=hsv(rng, (0, 360), (0.0, 0.2), (0.08, 0.2)))
    pieces["queen"] = replace(pieces["queen"], colour=hsv(rng, (340, 362), (0.65, 0.9), (0.6, 0.85)))
    frame = replace(s.frame, colour=hsv(rng, (0, 360), (0, 0.2), (0.05, 0.15)), scratches=0.1, smears=0)
    table = hsv(rng, (0, 360), (0.0, 0.35), (0.15, 0.8))
    pockets = replace(s.pockets, radius=22.25, lying=(None, None, None, None))
    light = replace(s.light, mirrored=s.light.mirrored[:1], stripes=0.0, blinds=0.0, gradient=0.3 * s.light.gradient, casts=(), suns=())
    return replace(
        s,
        wood=wood,
        markings=markings,
        pieces=pieces,
        frame=frame,
        pockets=pockets,
        striker_scale=1.3,
        piece_scale=1.0,
        light=light,
        surround=replace(s.surround, cover="plain", colours=(table, table, table), clutter=0, cable=False, things=0, on_frame=0),
    )
