"""Learns what tells a system from part of a heap, on planned tables, none of which needs to be drawn.

Eyes read tables less well than they are planned: so pieces are missing, and lie a little beside where they do.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scenes.arrangement import Standing
from scenes.looks import OtherColor
from scenes.scene import planned
from training.perceptrons import learnt
from vision.finding import heaps
from vision.finding.crews import seeming
from vision.finding.heaps import HEAP_SIGNS, heap_signs
from vision.finding.strewn import Strewn
from vision.poses import Pose
from vision.solids import Array, Posture

KINDS = {"homeworlds": 0.44, "set-up": 0.04, "bank": 0.02, "knocked over": 0.04}  # and how common they are
MISSED, MISSED_BENEATH = 0.03, 0.25  # share of pieces that eyes do not see, and of those that another stands upon
OFF_MM, OFF_DEG = 2.0, 3.0  # spreads of how far off they tell the others
SPARED = 0.5  # share of the wrong crews that are struck out before the next look at the others
DISTRUST = 2.0  # a heap that is told for a system is so much worse than a system for a heap
HIDDEN_UNITS = 12


@dataclass(frozen=True, eq=False)
class Example:
    """How C crews of a table lie: ``signs`` (C, K), and whether each is a ``system``, (C,)."""

    signs: Array
    system: NDArray[np.bool_]


def examples_of(seed: int) -> list[Example]:
    """A planned table, as it seems at first and after some of the wrong crews were struck out."""
    chance, rng = random.Random(seed), np.random.default_rng(seed)
    kind = chance.choices(list(KINDS), list(KINDS.values()))[0]
    told = _told(planned(chance, rng, kind).pieces, rng)
    table = seeming(Strewn.of([pose_of(piece) for piece in told]))
    found = []
    while table.crews:
        system = np.array([told[crew.stars[0]].system is not None for crew in table.crews])
        found.append(Example(heap_signs(table), system))
        if system.all():
            break
        wrong = [crew.stars for crew, right in zip(table.crews, system, strict=True) if not right]
        struck = [stars for stars in wrong if rng.random() > SPARED] or wrong[:1]
        for stars in struck:
            table = table.without(stars)
    return found


def learn_heaps(examples: Sequence[Example], folder: Path) -> Path:
    """Learns from *examples* and writes the weights to a file in a *folder*."""
    signs = np.concatenate([each.signs for each in examples])
    system = np.concatenate([each.system for each in examples])
    importance = np.where(system, 1.0, DISTRUST)
    net = learnt(HEAP_SIGNS, signs, system.astype(np.intp), importance, hidden=HIDDEN_UNITS)
    file = folder / heaps.FILE
    file.write_text(json.dumps({"crews": len(system)} | net.told()) + "\n", encoding="utf-8")
    return file


def pose_of(piece: Standing) -> Pose:
    """How it lies or stands; what leans lies."""
    posture = Posture.UPRIGHT if piece.posture == Posture.UPRIGHT.value else Posture.LYING
    return Pose(piece.size, posture, piece.x, piece.y, piece.heading_deg, piece.z)


def _told(pieces: Sequence[Standing], rng: np.random.Generator) -> list[Standing]:
    """What eyes tell of them: of the four colours, some missed, the others a little off."""
    ours = [piece for piece in pieces if not isinstance(piece.color, OtherColor)]
    told = []
    for piece in ours:
        beneath = any(other.z > piece.z and abs(other.x - piece.x) + abs(other.y - piece.y) < 6 for other in ours)
        if rng.random() < MISSED or (beneath and rng.random() < MISSED_BENEATH):
            continue
        x, y = rng.normal((piece.x, piece.y), OFF_MM)
        told.append(replace(piece, x=float(x), y=float(y), heading_deg=float(rng.normal(piece.heading_deg, OFF_DEG))))
    return told
