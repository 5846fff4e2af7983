"""Random looks of pieces and strikers, as sets of every price are sold, and as cameras show them."""

from __future__ import annotations

import colorsys
from dataclasses import replace
from typing import Final

from numpy.random import Generator

from models.scene.looks import Bgr, DiscLook, Groove, Print
from models.stroke import Piece

BURNT_OUT: Final[Bgr] = (345.0, 350.0, 350.0)
"""A white piece that the exposure has driven to the end of the scale, edge and relief with it."""
GROOVES: Final[tuple[tuple[Groove, float], ...]] = (
    ("plain", 0.2), ("rings", 0.24), ("spot", 0.12), ("rim", 0.13), ("dish", 0.1), ("crown", 0.1), ("turned", 0.11),
)  # fmt: skip
PRINTS: Final[tuple[tuple[Print, float], ...]] = (
    ("none", 0.3), ("ring", 0.12), ("spiral", 0.08), ("logo", 0.08), ("star", 0.07), ("letters", 0.09), ("two_tone", 0.06),
    ("halves", 0.06), ("flag", 0.05), ("gems", 0.05), ("flower", 0.04),
)  # fmt: skip


def hsv(rng: Generator, hue: tuple[float, float], saturation: tuple[float, float], value: tuple[float, float]) -> Bgr:
    """A random colour; hue in degrees, saturation and value 0 to 1."""
    r, g, b = colorsys.hsv_to_rgb((rng.uniform(*hue) % 360) / 360, rng.uniform(*saturation), rng.uniform(*value))
    return (255 * b, 255 * g, 255 * r)


def any_colour(rng: Generator) -> Bgr:
    """A random colour of any kind."""
    return hsv(rng, (0, 360), (0.0, 1.0), (0.08, 1.0))


def skin_colour(rng: Generator) -> Bgr:
    """A random colour of skin."""
    return hsv(rng, (8, 28), (0.25, 0.62), (0.25, 0.95))


def chance(rng: Generator, p: float) -> bool:
    """True with probability `p`."""
    return bool(rng.random() < p)


def _groove(rng: Generator) -> Groove:
    return GROOVES[int(rng.choice(len(GROOVES), p=[p for _, p in GROOVES]))][0]


def _print(rng: Generator) -> Print:
    return PRINTS[int(rng.choice(len(PRINTS), p=[p for _, p in PRINTS]))][0]


def _disc(rng: Generator, colour: Bgr, groove: Groove, scatter: float) -> DiscLook:
    if chance(rng, 0.6):
        f = float(rng.uniform(0.5, 1.4))
        second: Bgr = (min(255.0, colour[0] * f), min(255.0, colour[1] * f), min(255.0, colour[2] * f))
    else:
        second = hsv(rng, (0, 360), (0, 0.7), (0.05, 1))
    return DiscLook(
        colour=colour, second=second, groove=groove, relief=float(rng.uniform(0.1, 0.9)), scatter=scatter,
        gloss=float(rng.beta(1, 2)), height=float(rng.uniform(5.5, 9.5)), turned=float(rng.beta(1, 3)),
    )  # fmt: skip


def _white(rng: Generator) -> Bgr:
    k = rng.random()
    if k < 0.3:
        return hsv(rng, (20, 60), (0.0, 0.12), (0.88, 1.0))
    if k < 0.44:
        return hsv(rng, (195, 235), (0.03, 0.2), (0.85, 1.0))
    if k < 0.7:
        return hsv(rng, (28, 46), (0.15, 0.42), (0.7, 0.97))
    if k < 0.96:
        return hsv(rng, (8, 32), (0.25, 0.65), (0.36, 0.78))
    return hsv(rng, (20, 200), (0.3, 0.85), (0.7, 1.0))


def _black(rng: Generator) -> Bgr:
    k = rng.random()
    if k < 0.62:
        return hsv(rng, (0, 360), (0.0, 0.4), (0.05, 0.24))
    if k < 0.8:
        return hsv(rng, (200, 240), (0.1, 0.4), (0.14, 0.34))
    if k < 0.96:
        return hsv(rng, (5, 30), (0.3, 0.7), (0.1, 0.26))
    return hsv(rng, (0, 360), (0.4, 0.9), (0.15, 0.4))


def _queen(rng: Generator) -> Bgr:
    k = rng.random()
    if k < 0.76:
        return hsv(rng, (318, 372), (0.55, 1.0), (0.45, 0.98))
    if k < 0.88:
        return hsv(rng, (290, 365), (0.35, 0.9), (0.16, 0.45))
    if k < 0.94:
        return hsv(rng, (320, 370), (0.25, 0.55), (0.75, 1.0))
    return any_colour(rng)


def _burnt_out(look: DiscLook, rng: Generator) -> DiscLook:
    f = float(rng.uniform(0.72, 1.0))
    colour = (BURNT_OUT[0] * f, BURNT_OUT[1] * f, BURNT_OUT[2] * f)
    return replace(
        look, colour=colour, second=colour, groove="plain", relief=0.04, scatter=0.0, gloss=0.0, turned=0.0, printed="none", clear=0.0
    )


def _plastic(look: DiscLook, printed: Print, rng: Generator) -> DiscLook:
    return replace(look, shine=float(rng.uniform(0.3, 1.0)), turned=0.0, printed=printed, relief=float(rng.uniform(0.3, 1.0)))


def _striker(rng: Generator) -> DiscLook:
    k = rng.random()
    colour = (
        hsv(rng, (0, 360), (0, 0.15), (0.8, 1.0)) if k < 0.4 else hsv(rng, (15, 45), (0.1, 0.5), (0.6, 1)) if k < 0.55 else any_colour(rng)
    )
    look = replace(_disc(rng, colour, "plain" if chance(rng, 0.55) else _groove(rng), 2.0), printed=_print(rng))
    if chance(rng, 0.14):
        look = replace(look, clear=float(rng.uniform(0.25, 0.85)), shine=float(rng.uniform(0, 1)), relief=float(rng.uniform(0.4, 1.0)))
    return replace(look, shine=float(rng.uniform(0.2, 1.0))) if chance(rng, 0.2) else look


def sample_pieces(rng: Generator) -> dict[Piece, DiscLook]:
    """Looks of the four kinds of discs."""
    groove, scatter = _groove(rng), float(rng.uniform(1, 12))
    out: dict[Piece, DiscLook] = {
        "white": _disc(rng, _white(rng), groove, scatter),
        "black": _disc(rng, _black(rng), groove, scatter),
        "queen": _disc(rng, _queen(rng), groove, scatter),
        "striker": _striker(rng),
    }
    kind = rng.random()
    if kind < 0.14:
        printed: Print = ("none", "flower", "cross", "hole", "star")[int(rng.integers(5))]
        out |= {c: _plastic(out[c], printed, rng) for c in ("white", "black", "queen")}
    elif kind < 0.3:
        grain = float(rng.uniform(0.3, 1.0))
        out |= {c: replace(out[c], grain=grain) for c in ("white", "queen")}
    if chance(rng, 0.15):
        out["white"] = _burnt_out(out["white"], rng)
        if chance(rng, 0.6):
            out["striker"] = _burnt_out(out["striker"], rng)
    return out


def sample_striker_scale(rng: Generator) -> float:
    """A striker's radius over a piece's."""
    u = rng.random()
    low, high = (1.05, 1.22) if u < 0.14 else (1.22, 1.42) if u < 0.64 else (1.42, 1.75) if u < 0.85 else (1.75, 2.3)
    return float(rng.uniform(low, high))


def sample_piece_scale(rng: Generator) -> float:
    """A piece's radius over that of the laws, on a board that is drawn as large as theirs."""
    u = rng.random()
    return float(rng.normal(1.0, 0.02) if u < 0.5 else rng.uniform(0.98, 1.25) if u < 0.84 else rng.uniform(0.8, 1.0))
