"""The look of one board: wood, markings, pockets, frame, surroundings, pieces, lamps and arms.

A style is drawn at random once and then held fixed, so that a match looks the same from its first picture to its last.
Colours are BGR, 0 to 255. Where a field is a strength, 0 is none and 1 a lot.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from numpy.random import Generator

from models.stroke import Piece, Seat

Bgr: TypeAlias = tuple[float, float, float]
Groove: TypeAlias = Literal["plain", "rings", "spot", "rim", "dish", "crown"]
Print: TypeAlias = Literal["none", "ring", "spiral", "logo", "star", "letters", "two_tone"]
PocketStyle: TypeAlias = Literal["dark", "coloured", "net_dark", "net_light", "board_below", "quarter_net"]
CentreStyle: TypeAlias = Literal["star", "rosette", "rings", "plain"]
ArcStyle: TypeAlias = Literal["arcs", "circles", "none"]
Cover: TypeAlias = Literal["plain", "cloth", "tiles", "weave", "planks", "dark"]

INK_BLACK: Final[Bgr] = (30.0, 32.0, 34.0)


@dataclass(frozen=True)
class Wood:
    """The playing surface: `base` colour, `grain` strength and direction (0 along x, 1 along y), figure, wear, scratches, powder."""

    base: Bgr
    grain: float
    upright: bool
    blotch: float
    wear: float
    scratches: float
    powder: float
    stains: float


@dataclass(frozen=True)
class Markings:
    """What is printed or drawn on the surface. Widths in mm; `overrun` is how far crossing pen lines run on (mm)."""

    home_drawn: bool
    ink: Bgr
    red: Bgr
    outer_width: float
    inner_width: float
    thin: float
    base_circles: bool
    disc_ring: float
    arrows: bool
    arcs: ArcStyle
    corner_dot: Literal["ring", "half", "full", "none"]
    centre: CentreStyle
    centre_scale: float
    centre_disc: bool
    double_ring: bool
    ornaments: bool
    texts: tuple[str, ...]
    text_ink: Bgr
    text_inside: bool
    jitter: float
    scribble: bool


@dataclass(frozen=True)
class Frame:
    """The wooden frame: widths and height in mm; `smears` is how many patches of powder and light lie on it."""

    colour: Bgr
    width: float
    height: float
    lip: Bgr
    scratches: float
    inlay: bool
    inlay_colour: Bgr
    label: str
    gloss: float
    smears: int


@dataclass(frozen=True)
class Pockets:
    """The pockets: opening radius (mm), what is seen in them; `lying` is what lies in the net of each (no piece in play)."""

    style: PocketStyle
    radius: float
    colour: Bgr
    net: Bgr
    lying: tuple[Piece | None, Piece | None, Piece | None, Piece | None]


@dataclass(frozen=True)
class Surround:
    """What the board lies on."""

    cover: Cover
    colours: tuple[Bgr, Bgr, Bgr]
    cell: float
    clutter: int
    cable: bool


@dataclass(frozen=True)
class DiscLook:
    """How a disc looks: colour, colour of rim and print, relief, scatter of the colour from disc to disc (levels)."""

    colour: Bgr
    second: Bgr
    groove: Groove
    relief: float
    printed: Print = "none"
    scatter: float = 3.0
    gloss: float = 0.2
    height: float = 8.0
    turned: float = 0.3


@dataclass(frozen=True)
class Light:
    """The lamps: `azimuth` (rad) where light comes from, shadow offset per mm of height, softness (mm), glare, gradient, stripes."""

    azimuth: float
    slant: float
    softness: float
    shadow: float
    ambient_shadow: float
    gradient: float
    tint: Bgr
    glares: tuple[tuple[float, float, float, float], ...]
    stripes: float
    stripe_angle: float
    blinds: float


@dataclass(frozen=True)
class Arm:
    """One player's arm: skin, sleeve (length of bare skin from the wrist, mm), size, ring, watch or bangle,
    blur of its edge (mm), thickness of the fingers, unevenness of the skin's tone."""

    skin: Bgr
    sleeve: Bgr
    bare: float
    size: float
    ring: bool
    watch: Bgr | None
    glove: Bgr | None
    soft: float = 0.0
    stout: float = 1.0
    mottle: float = 0.03


@dataclass(frozen=True)
class Style:
    """Everything about the look of one board and its players."""

    wood: Wood
    markings: Markings
    frame: Frame
    pockets: Pockets
    surround: Surround
    light: Light
    pieces: Mapping[Piece, DiscLook]
    striker_scale: float
    arms: Mapping[Seat, Arm] = field(default_factory=dict)


def hsv(rng: Generator, hue: tuple[float, float], saturation: tuple[float, float], value: tuple[float, float]) -> Bgr:
    """A random colour; hue in degrees, saturation and value 0 to 1."""
    r, g, b = colorsys.hsv_to_rgb((rng.uniform(*hue) % 360) / 360, rng.uniform(*saturation), rng.uniform(*value))
    return (255 * b, 255 * g, 255 * r)


def _any_colour(rng: Generator) -> Bgr:
    return hsv(rng, (0, 360), (0.0, 1.0), (0.08, 1.0))


def _chance(rng: Generator, p: float) -> bool:
    return bool(rng.random() < p)


def _wood(rng: Generator) -> Wood:
    kind = rng.random()
    if kind < 0.45:
        base = hsv(rng, (24, 40), (0.12, 0.38), (0.72, 0.97))
    elif kind < 0.8:
        base = hsv(rng, (18, 38), (0.35, 0.65), (0.5, 0.85))
    elif kind < 0.92:
        base = hsv(rng, (10, 30), (0.4, 0.7), (0.3, 0.6))
    else:
        base = hsv(rng, (30, 130), (0.02, 0.3), (0.6, 0.95))
    return Wood(
        base=base, grain=float(rng.beta(1.5, 3)), upright=_chance(rng, 0.5), blotch=float(rng.beta(1.2, 3)),
        wear=float(rng.beta(1, 3)), scratches=float(rng.beta(1, 3)), powder=float(rng.beta(0.8, 3)), stains=float(rng.beta(0.7, 4)),
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


def _markings(rng: Generator) -> Markings:
    home = _chance(rng, 0.17)
    ink = hsv(rng, (0, 360), (0, 0.3), (0.05, 0.3)) if _chance(rng, 0.8) else hsv(rng, (0, 360), (0.3, 0.9), (0.1, 0.5))
    red = hsv(rng, (-12, 12), (0.6, 1.0), (0.45, 0.95)) if _chance(rng, 0.82) else _any_colour(rng)
    words = tuple(str(rng.choice(_WORDS)) if _chance(rng, 0.55) else "" for _ in range(4))
    centre = str(rng.choice(["star", "rosette", "rings", "plain"], p=[0.42, 0.22, 0.2, 0.16]))
    return Markings(
        home_drawn=home, ink=ink, red=red,
        outer_width=float(rng.uniform(2.5, 6.5)) if not home else float(rng.uniform(0.4, 1.5)),
        inner_width=float(rng.uniform(0.6, 2.0)), thin=float(rng.uniform(0.5, 1.8)),
        base_circles=not home or _chance(rng, 0.15), disc_ring=float(rng.uniform(0.5, 2.2)),
        arrows=_chance(rng, 0.85), arcs=str(rng.choice(["arcs", "circles", "none"], p=[0.62, 0.23, 0.15])),  # type: ignore[arg-type]
        corner_dot=str(rng.choice(["ring", "half", "full", "none"], p=[0.5, 0.2, 0.15, 0.15])),  # type: ignore[arg-type]
        centre="rings" if home and _chance(rng, 0.7) else centre,  # type: ignore[arg-type]
        centre_scale=float(rng.uniform(0.85, 1.15)), centre_disc=_chance(rng, 0.03 if home else 0.75), double_ring=_chance(rng, 0.5),
        ornaments=_chance(rng, 0.25), texts=() if home else words, text_ink=ink if _chance(rng, 0.5) else red,
        text_inside=_chance(rng, 0.3), jitter=float(rng.uniform(0.5, 3)) if home else float(rng.uniform(0, 0.8)),
        scribble=_chance(rng, 0.25 if home else 0.05),
    )  # fmt: skip


def _frame(rng: Generator) -> Frame:
    k = rng.random()
    if k < 0.5:
        colour = hsv(rng, (0, 360), (0, 0.35), (0.04, 0.2))
    elif k < 0.85:
        colour = hsv(rng, (5, 32), (0.4, 0.85), (0.15, 0.6))
    else:
        colour = _any_colour(rng)
    return Frame(
        colour=colour, width=float(rng.uniform(35, 110)), height=float(rng.uniform(12, 32)),
        lip=hsv(rng, (5, 32), (0.3, 0.8), (0.1, 0.6)), scratches=float(rng.beta(1, 2)), inlay=_chance(rng, 0.3),
        inlay_colour=hsv(rng, (0, 60), (0, 0.6), (0.4, 0.95)), label=str(rng.choice(_WORDS)) if _chance(rng, 0.4) else "",
        gloss=float(rng.beta(1.2, 2)), smears=int(rng.integers(0, 14)),
    )  # fmt: skip


def _pockets(rng: Generator) -> Pockets:
    style = str(
        rng.choice(["dark", "coloured", "net_dark", "net_light", "board_below", "quarter_net"], p=[0.27, 0.16, 0.17, 0.15, 0.12, 0.13])
    )
    colour = hsv(rng, (80, 250), (0.4, 0.95), (0.2, 0.75)) if style == "coloured" else hsv(rng, (0, 360), (0, 0.5), (0.02, 0.14))
    if style == "board_below":
        colour = hsv(rng, (0, 60), (0.05, 0.5), (0.2, 0.5))
    lying: list[Piece | None] = []
    for _ in range(4):
        lying.append(("white", "black", "queen", "striker")[int(rng.choice(4, p=[0.35, 0.35, 0.1, 0.2]))] if _chance(rng, 0.18) else None)
    net = hsv(rng, (0, 360), (0, 0.35), (0.5, 0.95)) if _chance(rng, 0.7) else hsv(rng, (90, 240), (0.4, 0.9), (0.2, 0.7))
    return Pockets(
        style=style,  # type: ignore[arg-type]
        radius=float(rng.uniform(20, 27)), colour=colour, net=net, lying=(lying[0], lying[1], lying[2], lying[3]),
    )  # fmt: skip


def _surround(rng: Generator) -> Surround:
    cover = str(rng.choice(["plain", "cloth", "tiles", "weave", "planks", "dark"], p=[0.22, 0.25, 0.13, 0.15, 0.15, 0.1]))
    return Surround(
        cover=cover,  # type: ignore[arg-type]
        colours=(_any_colour(rng), _any_colour(rng), _any_colour(rng)), cell=float(rng.uniform(18, 160)),
        clutter=int(rng.integers(0, 6)) if _chance(rng, 0.5) else 0, cable=_chance(rng, 0.12),
    )  # fmt: skip


def _groove(rng: Generator) -> Groove:
    return str(rng.choice(["plain", "rings", "spot", "rim", "dish", "crown"], p=[0.22, 0.26, 0.14, 0.14, 0.12, 0.12]))  # type: ignore[return-value]


def _disc(rng: Generator, colour: Bgr, groove: Groove, scatter: float) -> DiscLook:
    if _chance(rng, 0.6):
        f = float(rng.uniform(0.55, 1.35))
        second: Bgr = (min(255.0, colour[0] * f), min(255.0, colour[1] * f), min(255.0, colour[2] * f))
    else:
        second = hsv(rng, (0, 360), (0, 0.7), (0.05, 1))
    return DiscLook(
        colour=colour, second=second, groove=groove, relief=float(rng.uniform(0.1, 0.9)), scatter=scatter,
        gloss=float(rng.beta(1, 2)), height=float(rng.uniform(5.5, 9.5)), turned=float(rng.beta(1, 3)),
    )  # fmt: skip


def sample_pieces(rng: Generator) -> dict[Piece, DiscLook]:
    """Looks of the four kinds of discs, as sets of every price are sold."""
    k = rng.random()
    if k < 0.3:
        white = hsv(rng, (20, 60), (0.0, 0.12), (0.88, 1.0))
    elif k < 0.45:
        white = hsv(rng, (195, 235), (0.03, 0.2), (0.85, 1.0))
    elif k < 0.72:
        white = hsv(rng, (28, 46), (0.15, 0.42), (0.7, 0.97))
    else:
        white = hsv(rng, (8, 32), (0.3, 0.65), (0.38, 0.78))
    black = hsv(rng, (0, 360), (0.0, 0.4), (0.05, 0.24)) if _chance(rng, 0.8) else hsv(rng, (5, 30), (0.3, 0.7), (0.1, 0.26))
    queen = hsv(rng, (318, 372), (0.55, 1.0), (0.45, 0.98)) if _chance(rng, 0.93) else _any_colour(rng)
    groove = _groove(rng)
    scatter = float(rng.uniform(1, 12))
    pieces: dict[Piece, DiscLook] = {
        "white": _disc(rng, white, groove, scatter),
        "black": _disc(rng, black, groove, scatter),
        "queen": _disc(rng, queen, groove, scatter),
    }
    colour = hsv(rng, (0, 360), (0, 0.15), (0.8, 1.0)) if _chance(rng, 0.45) else _any_colour(rng)
    striker = _disc(rng, colour, "plain" if _chance(rng, 0.6) else _groove(rng), 2.0)
    prints = ["none", "ring", "spiral", "logo", "star", "letters", "two_tone"]
    pieces["striker"] = replace(striker, printed=str(rng.choice(prints, p=[0.3, 0.17, 0.11, 0.12, 0.1, 0.1, 0.1])))  # type: ignore[arg-type]
    return pieces


def _light(rng: Generator) -> Light:
    glares = []
    for _ in range(int(rng.choice(4, p=[0.4, 0.3, 0.2, 0.1]))):
        x, y = rng.uniform(0, 740, 2)
        glares.append((float(x), float(y), float(rng.uniform(20, 190)), float(rng.uniform(10, 120) * (1 + _chance(rng, 0.2)))))
    warm = rng.normal(0, 0.06)
    return Light(
        azimuth=float(rng.uniform(0, 6.2832)), slant=float(rng.uniform(0, 0.9)), softness=float(rng.uniform(1.0, 7)),
        shadow=float(rng.uniform(0.05, 0.65)), ambient_shadow=float(rng.uniform(0.1, 0.6)), gradient=float(rng.beta(1.2, 2.5)),
        tint=(1 - float(warm), 1 + float(rng.normal(0, 0.02)), 1 + float(warm)), glares=tuple(glares),
        stripes=float(rng.uniform(0.1, 0.6)) if _chance(rng, 0.15) else 0.0, stripe_angle=float(rng.uniform(0, 3.1416)),
        blinds=float(rng.uniform(0.03, 0.2)) if _chance(rng, 0.15) else 0.0,
    )  # fmt: skip


def _arm(rng: Generator) -> Arm:
    skin = hsv(rng, (8, 28), (0.25, 0.62), (0.25, 0.95))
    watch = hsv(rng, (0, 360), (0, 0.5), (0.05, 0.9)) if _chance(rng, 0.25) else None
    glove = _any_colour(rng) if _chance(rng, 0.06) else None
    return Arm(
        skin=skin, sleeve=_any_colour(rng), bare=float(rng.choice([rng.uniform(-10, 40), rng.uniform(40, 260), 900.0])),
        size=float(rng.uniform(0.82, 1.2)), ring=_chance(rng, 0.2), watch=watch, glove=glove,
        soft=float(rng.uniform(0.5, 6)) if _chance(rng, 0.35) else 0.0, stout=float(rng.uniform(0.8, 1.3)),
        mottle=float(rng.uniform(0.02, 0.22)),
    )  # fmt: skip


def sample_style(rng: Generator) -> Style:
    """A board, pieces, lamps and players as one may meet them anywhere from a tournament to a kitchen floor."""
    u = rng.random()
    scale = rng.uniform(1.22, 1.4) if u < 0.6 else rng.uniform(1.4, 1.75) if u < 0.85 else rng.uniform(1.75, 2.2)
    return Style(
        wood=_wood(rng), markings=_markings(rng), frame=_frame(rng), pockets=_pockets(rng), surround=_surround(rng), light=_light(rng),
        pieces=sample_pieces(rng), striker_scale=float(scale),
        arms={"south": _arm(rng), "east": _arm(rng), "north": _arm(rng), "west": _arm(rng)},
    )  # fmt: skip


def tournament_style(rng: Generator) -> Style:
    """A well kept tournament board: pale wood, black frame, all markings, cream and black pieces, a red queen, soft light."""
    s = sample_style(rng)
    wood = replace(
        s.wood, base=hsv(rng, (26, 36), (0.15, 0.35), (0.82, 0.95)), wear=0.05, scratches=0.1, stains=0.0, blotch=0.2, powder=0.15
    )
    markings = replace(
        s.markings, home_drawn=False, ink=INK_BLACK, red=(40.0, 40.0, 205.0), outer_width=5.0, inner_width=1.2, thin=1.0, base_circles=True,
        arrows=True, arcs="arcs", corner_dot="ring", centre="star", centre_scale=1.0, centre_disc=True, jitter=0.0, scribble=False,
    )  # fmt: skip
    pieces = dict(s.pieces)
    pieces["white"] = replace(pieces["white"], colour=hsv(rng, (28, 44), (0.05, 0.25), (0.88, 1.0)))
    pieces["black"] = replace(pieces["black"], colour=hsv(rng, (0, 360), (0.0, 0.2), (0.08, 0.2)))
    pieces["queen"] = replace(pieces["queen"], colour=hsv(rng, (340, 362), (0.65, 0.9), (0.6, 0.85)))
    frame = replace(s.frame, colour=hsv(rng, (0, 360), (0, 0.2), (0.05, 0.15)), scratches=0.1, smears=0)
    table = hsv(rng, (0, 360), (0.0, 0.35), (0.15, 0.8))
    pockets = replace(s.pockets, radius=22.25, lying=(None, None, None, None))
    light = replace(s.light, glares=s.light.glares[:1], stripes=0.0, blinds=0.0, gradient=0.3 * s.light.gradient)
    return replace(
        s,
        wood=wood,
        markings=markings,
        pieces=pieces,
        frame=frame,
        pockets=pockets,
        striker_scale=1.3,
        light=light,
        surround=replace(s.surround, cover="plain", colours=(table, table, table), clutter=0, cable=False),
    )
