"""What the look of one board is made of: wood, markings, pockets, frame, surroundings, pieces, lamps and arms.

Colours are BGR, 0 to 255; more than 255 is brighter than a camera can tell from white. Where a field is a strength, 0 is
none and 1 a lot. Places are board millimetres.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from models.stroke import Piece, Seat

Bgr: TypeAlias = tuple[float, float, float]
Groove: TypeAlias = Literal["plain", "rings", "spot", "rim", "dish", "crown", "turned"]
Print: TypeAlias = Literal[
    "none", "ring", "spiral", "logo", "star", "letters", "two_tone", "halves", "flag", "gems", "flower", "cross", "hole"
]
PocketStyle: TypeAlias = Literal["dark", "coloured", "net_dark", "net_light", "board_below", "quarter_net", "cup"]
CentreStyle: TypeAlias = Literal["star", "rosette", "rings", "plain"]
ArcStyle: TypeAlias = Literal["arcs", "circles", "none"]
Cover: TypeAlias = Literal["plain", "cloth", "tiles", "weave", "planks", "dark", "marble", "grass", "carpet", "checks"]
PictureKind: TypeAlias = Literal["sun", "flower", "badge", "photo", "sticker", "number", "band"]
LampShape: TypeAlias = Literal["soft", "disc", "rectangle", "tube", "ring", "window"]
CastShape: TypeAlias = Literal["arm", "head", "phone"]


@dataclass(frozen=True)
class Wood:
    """The playing surface: `base` colour, `grain` strength and direction (0 along x, 1 along y), wear, scratches, powder.

    `figure` is how strongly the annual rings show, `felt` turns wood into cloth, `bare` rubs the varnish off along the base lines,
    `swirls` are the fine bright scratches of wiping, `rings` how many glasses stood on it, `dots` how many specks of powder lie on it.
    """

    base: Bgr
    grain: float
    upright: bool
    blotch: float
    wear: float
    scratches: float
    powder: float
    stains: float
    figure: float = 0.0
    felt: float = 0.0
    bare: float = 0.0
    swirls: float = 0.0
    rings: int = 0
    dots: int = 0


@dataclass(frozen=True)
class Picture:
    """Something printed or stuck on the surface: centre, size (mm from middle to edge), turn (rad), how much of it covers."""

    kind: PictureKind
    x: float
    y: float
    size: float
    turn: float
    colours: tuple[Bgr, Bgr, Bgr]
    cover: float
    words: str = ""


@dataclass(frozen=True)
class Markings:
    """What is printed or drawn on the surface. Widths in mm.

    `faint` is how much of the ink is gone everywhere; `circle_scale` the base circles' radius over that of the laws.
    """

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
    faint: float = 0.0
    circle_scale: float = 1.0
    pictures: tuple[Picture, ...] = ()


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
    """The pockets: opening radius (mm), what is seen in them; `lying` is what lies in the net of each (no piece in play).

    `heap` is how many discs lie in a net that holds any.
    """

    style: PocketStyle
    radius: float
    colour: Bgr
    net: Bgr
    lying: tuple[Piece | None, Piece | None, Piece | None, Piece | None]
    heap: int = 1


@dataclass(frozen=True)
class Surround:
    """What the board lies on; how many pieces (`clutter`) and other `things` lie beside it, how many pieces on its frame (`on_frame`)."""

    cover: Cover
    colours: tuple[Bgr, Bgr, Bgr]
    cell: float
    clutter: int
    cable: bool
    things: int = 0
    on_frame: int = 0


@dataclass(frozen=True)
class DiscLook:
    """How a disc looks: colour, colour of rim and print, relief, scatter of the colour from disc to disc (levels).

    `clear` is how much of the board is seen through it, `shine` the strength of a sharp highlight, `grain` that of wood's grain.
    """

    colour: Bgr
    second: Bgr
    groove: Groove
    relief: float
    printed: Print = "none"
    scatter: float = 3.0
    gloss: float = 0.2
    height: float = 8.0
    turned: float = 0.3
    clear: float = 0.0
    shine: float = 0.0
    grain: float = 0.0


@dataclass(frozen=True)
class Lamp:
    """A lamp or window mirrored in the varnish: centre, half length and half width (mm), turn (rad), levels, softness of its edge (mm)."""

    shape: LampShape
    x: float
    y: float
    long: float
    wide: float
    turn: float
    strength: float
    soft: float
    tint: Bgr = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Cast:
    """The shadow of an arm, a head or a phone on its stand: place (mm), size (mm), where it points to (rad), strength, softness (mm)."""

    shape: CastShape
    x: float
    y: float
    size: float
    turn: float
    strength: float
    soft: float


@dataclass(frozen=True)
class Sun:
    """A window's sunlight on the board: centre, half length and width (mm), turn (rad), strength, number of bars across it."""

    x: float
    y: float
    long: float
    wide: float
    turn: float
    strength: float
    bars: int


@dataclass(frozen=True)
class Light:
    """The lamps: `azimuth` (rad) where light comes from, shadow offset per mm of height, softness (mm), gradient, stripes.

    `mirrored` are the lamps seen in the varnish, `casts` shadows of what is not in the picture.
    """

    azimuth: float
    slant: float
    softness: float
    shadow: float
    ambient_shadow: float
    gradient: float
    tint: Bgr
    mirrored: tuple[Lamp, ...]
    stripes: float
    stripe_angle: float
    blinds: float
    casts: tuple[Cast, ...] = ()
    suns: tuple[Sun, ...] = ()


@dataclass(frozen=True)
class Arm:
    """One player's arm: skin, sleeve (length of bare skin from the wrist, mm), size, ring, watch,
    blur of its edge (mm), thickness of the fingers, unevenness of the skin's tone, colour of painted nails, bangles."""

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
    nails: Bgr | None = None
    bangles: int = 0
    metal: Bgr = (70.0, 170.0, 205.0)
    striped: float = 0.0


@dataclass(frozen=True)
class Style:
    """Everything about the look of one board and its players.

    `striker_scale` is the striker's radius over a piece's, `piece_scale` a piece's over that of the laws: on a small board pieces look big.
    """

    wood: Wood
    markings: Markings
    frame: Frame
    pockets: Pockets
    surround: Surround
    light: Light
    pieces: Mapping[Piece, DiscLook]
    striker_scale: float
    piece_scale: float = 1.0
    arms: Mapping[Seat, Arm] = field(default_factory=dict)
