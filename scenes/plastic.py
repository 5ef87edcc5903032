"""The plastic of the pieces: one set is all opaque or all translucent, with pips or without."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scenes.arrangement import Standing
from scenes.looks import DYE, OPAQUE, AnyColor, Look, OtherColor, turned
from scenes.surfaces import Rng
from scenes.tracer.world import PYRAMID, Builder, Substance
from vision.solids import Color


def add_pieces(world: Builder, pieces: Sequence[Standing], look: Look, rng: Rng) -> str:
    """Adds the pieces as the first things of the world; says what kind of plastic it is."""
    clear = bool(rng.random() < 0.6)
    wall, dyed = float(rng.uniform(*look.wall)), float(rng.uniform(*look.absorption))
    common = _common(clear, rng)
    colors: tuple[AnyColor, ...] = (*Color, *OtherColor)
    substances = {color: world.substance(_dyed(common, color, dyed, look, rng)) for color in colors}
    for piece in pieces:
        origin, axes = piece.frame
        size = piece.size
        dims = (size.base / 2, size.height, wall, float(size))
        reach = max(math.hypot(size.base / math.sqrt(2), 0.36 * size.height), 0.64 * size.height) + 0.01
        world.thing(PYRAMID, origin, axes, dims, substances[piece.color], 0.36 * size.height, reach)
    return "translucent" if clear else "opaque"


def _common(clear: bool, rng: Rng) -> Substance:
    """What the colours of one set share: gloss, milkiness, pips."""
    painted = bool(rng.random() < (0.05 if clear else 0.55))
    return Substance(
        (0.5, 0.5, 0.5),
        gloss=float(rng.uniform(0.02, 0.09)),
        sharpness=float(np.exp(rng.uniform(np.log(90 if clear else 30), np.log(1200)))),
        translucent=clear,
        milk=float(rng.uniform(0.02, 0.3)),
        pips=float(rng.uniform(0.75, 1.25)) if rng.random() < 0.92 else 0.0,
        pip_tone=float(rng.uniform(0.6, 0.9)) if painted else -float(rng.uniform(0.3, 0.6)),
        pip_at=float(rng.choice((0.0, 1.0))),
        focus=float(rng.uniform(0.0, 1.0)) if rng.random() < 0.75 else 0.0,
    )


def _dyed(common: Substance, color: AnyColor, dyed: float, look: Look, rng: Rng) -> Substance:
    """The set's plastic in one colour; black, grey and white are always opaque, clear never is."""
    shift, bright = float(rng.uniform(*look.hue_shift)), float(rng.uniform(0.75, 1.25))
    r, g, b = turned(OPAQUE[color], shift)
    own = replace(common, color=(min(0.9, r * bright), min(0.9, g * bright), min(0.9, b * bright)))
    if color not in DYE:
        return replace(own, translucent=False)
    dye = [dyed * a * float(np.exp(0.05 * rng.uniform(*look.hue_shift))) for a in DYE[color]]
    clear = own.translucent or color is OtherColor.CLEAR
    return replace(own, translucent=clear, absorption=(dye[0], dye[1], dye[2]))
