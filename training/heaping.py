"""Learns what tells a system from part of a heap, on planned tables, none of which needs to be drawn.

Eyes read tables less well than they are planned: so pieces are missing, and lie a little beside where they do. And
not all people lay ships in rows behind their stars, and systems as far from each other, as planned ones lie: so some
are taken all around them, and some systems moved together, for neither shall tell anything.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scenes.arrangement import Standing, apart, shifted
from scenes.looks import OtherColor
from scenes.scene import planned
from training.perceptrons import learnt
from vision.finding import heaps
from vision.finding.crews import seeming
from vision.finding.heaps import HEAP_SIGNS, heap_signs, in_heaps
from vision.finding.strewn import Strewn
from vision.poses import Pose
from vision.sight import Role
from vision.solids import Array, Posture

KINDS = {"homeworlds": 0.44, "set-up": 0.04, "bank": 0.02, "knocked over": 0.04}  # and how common they are
MISSED, MISSED_BENEATH = 0.03, 0.25  # share of pieces that eyes do not see, and of those that another stands upon
ALL_AROUND = 0.6  # share of tables on which ships are taken around their stars
FARTHER = 1.4  # times as far from their star as planned, at the most
CROWDED = 0.6  # share of tables on which systems are moved together
WHOLE_WAY = 0.75  # of the way to the middle of all, at the most
BETWEEN = (6.0, 25.0)  # mm that are bare between such a system and everything else, least and most
TRIES, ROOM = 12, 1.0  # places that are tried for such a ship; mm that are bare around it
OFF_MM, OFF_DEG = 2.0, 3.0  # spreads of how far off they tell the others
SCALE_OFF = 0.05  # spread of the logarithm of the scale in which they tell a whole table
SPARED = 0.5  # share of the wrong crews that are struck out before the next look at the others


@dataclass(frozen=True, eq=False)
class Example:
    """How C crews of a table lie: ``signs`` (C, K), and whether each is a ``system``, (C,)."""

    signs: Array
    system: NDArray[np.bool_]


def examples_of(seed: int) -> list[Example]:
    """A planned table, as it seems at first and after some of the wrong crews were struck out."""
    chance, rng = random.Random(seed), np.random.default_rng(seed)
    kind = chance.choices(list(KINDS), list(KINDS.values()))[0]
    pieces = planned(chance, rng, kind).pieces
    pieces = all_around(pieces, rng) if rng.random() < ALL_AROUND else pieces
    told = _told(crowded(pieces, rng) if rng.random() < CROWDED else pieces, rng)
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
    """Learns from those crews of *examples* that may be of a heap, and writes the weights to a file in a *folder*."""
    every = np.concatenate([each.signs for each in examples])
    asked = in_heaps(every)
    signs, system = every[asked], np.concatenate([each.system for each in examples])[asked]
    net = learnt(HEAP_SIGNS, signs, system.astype(np.intp), np.ones(len(system)), hidden=0)
    file = folder / heaps.FILE
    file.write_text(json.dumps({"crews": len(system)} | net.told()) + "\n", encoding="utf-8")
    return file


def all_around(pieces: Sequence[Standing], rng: np.random.Generator) -> list[Standing]:
    """The ships taken around their stars to any side where there is room, pointing as before."""
    moved = list(pieces)
    for index, ship in enumerate(moved):
        star = next((other for other in moved if other.role is Role.STAR and other.system == ship.system), None)
        if ship.role is not Role.SHIP or ship.system is None or star is None:
            continue
        others = [other.vertices[:, :2] for number, other in enumerate(moved) if number != index]
        planned_away = float(np.hypot(ship.x - star.x, ship.y - star.y))
        for turn in rng.uniform(0, 2 * np.pi, TRIES):
            away = planned_away * rng.uniform(1.0, FARTHER)
            x, y = star.x + away * np.cos(turn), star.y + away * np.sin(turn)
            there = shifted(ship, float(x) - ship.x, float(y) - ship.y)
            if all(apart(there.vertices[:, :2], other, ROOM) for other in others):
                moved[index] = there
                break
    return moved


def crowded(pieces: Sequence[Standing], rng: np.random.Generator) -> list[Standing]:
    """The systems moved towards the middle of all of them, each as it is, as far as there is room."""
    moved, between = list(pieces), float(rng.uniform(*BETWEEN))
    systems = sorted({piece.system for piece in pieces if piece.system is not None})
    if not systems:
        return moved
    middle = np.mean([(piece.x, piece.y) for piece in pieces if piece.system is not None], axis=0)
    for system in rng.permutation(systems).tolist():
        own = [number for number, piece in enumerate(moved) if piece.system == system]
        others = [piece.vertices[:, :2] for piece in moved if piece.system != system]
        way = middle - np.mean([(moved[number].x, moved[number].y) for number in own], axis=0)
        for share in np.linspace(rng.uniform(0, WHOLE_WAY), 0, 4, endpoint=False):
            there = [shifted(moved[number], *(share * way).tolist()) for number in own]
            if all(apart(piece.vertices[:, :2], other, between) for piece in there for other in others):
                for number, piece in zip(own, there, strict=True):
                    moved[number] = piece
                break
    return moved


def pose_of(piece: Standing) -> Pose:
    """How it lies or stands; what leans lies."""
    posture = Posture.UPRIGHT if piece.posture == Posture.UPRIGHT.value else Posture.LYING
    return Pose(piece.size, posture, piece.x, piece.y, piece.heading_deg, piece.z)


def _told(pieces: Sequence[Standing], rng: np.random.Generator) -> list[Standing]:
    """What eyes tell of them: of the four colours, some missed, the others a little off."""
    ours = [piece for piece in pieces if not isinstance(piece.color, OtherColor)]
    told, scale = [], float(np.exp(rng.normal(0.0, SCALE_OFF)))
    for piece in ours:
        beneath = any(other.z > piece.z and abs(other.x - piece.x) + abs(other.y - piece.y) < 6 for other in ours)
        if rng.random() < MISSED or (beneath and rng.random() < MISSED_BENEATH):
            continue
        x, y = rng.normal((piece.x * scale, piece.y * scale), OFF_MM)
        told.append(replace(piece, x=float(x), y=float(y), heading_deg=float(rng.normal(piece.heading_deg, OFF_DEG))))
    return told
