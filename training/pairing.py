"""What tells the second star of a home, learnt on scenes. Needs no torch.

Each scene is read as far as its systems; of every home of which one star was told, the signs of all that its second
star may be are kept, and what it is. On tables full of binary stars every system counts as a home.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from training.choices import learnt_choice
from training.looking import eyes, seen_twice
from training.score import matched
from training.truth import Scene, TruePiece, read_scene
from vision.finding.grouping import Grouping
from vision.fusing import second_star
from vision.fusing.presence import gathered, weighed
from vision.fusing.second_star import PAIR_SIGNS, Place, Way, pair_signs, places_beside
from vision.look_systems import grouped, surroundings
from vision.solids import Array, Color, Size

KIT = dict.fromkeys(product(Color, Size), 3)
ONE_AXIS = 8.0  # mm: stars whose axes are nearer are nested
HIGHER = 1.0  # mm
FULL_OF_BINARIES = "binaries"  # the kind of such scenes


@dataclass(frozen=True, eq=False)
class Example:
    """One home: the signs (M, K) of each thing that its second star may be, and the index of what it is."""

    signs: Array
    right: int


def learn_pairs(examples: Sequence[Example], folder: Path) -> Path:
    """Learns from *examples* and writes the weights to a file in a *folder*."""
    learnt = learnt_choice(PAIR_SIGNS, [each.signs for each in examples], [each.right for each in examples])
    file = folder / second_star.FILE
    file.write_text(json.dumps({"homes": len(examples)} | learnt.told()) + "\n", encoding="utf-8")
    return file


def examples_in(file: Path) -> list[Example]:
    """The homes of which one star was told in the scene with its truth in *file*; none of a star that is none."""
    scene = read_scene(file)
    image = scene.image()
    seen = seen_twice(scene, image) if scene.settings["game"] == "homeworlds" else None
    if seen is None:
        return []
    told, fit, _ = seen
    first = grouped(weighed(gathered(told, fit, image)), fit, image, KIT)
    placed = first.placed
    of = {detection: index for index, detection in matched(scene, placed.detections)}
    around = surroundings(first, image, eyes().lit(image), eyes())
    found = []
    for star in _lone(first.grouping, every=scene.settings.get("kind") == FULL_OF_BINARIES):
        true = None if star not in of else scene.pieces[of[star]]
        if true is None or true.star_of is None:
            continue
        pose = placed.poses[star]
        places = places_beside(pose, placed.camera)
        signs = pair_signs(placed.detections.only([star]), pose, places, around)
        found.append(Example(signs, _right(true, scene, places)))
    return found


def _lone(grouping: Grouping, *, every: bool) -> list[int]:
    """Indices of the stars that stand alone at their homes, or in *every* system."""
    return [system.stars[0] for system in grouping.systems if len(system.stars) == 1 and (every or system.home)]


def _right(true: TruePiece, scene: Scene, places: Sequence[Place]) -> int:
    """The row of what the second star is; that of none where it is none of those, such as one that stands beside."""
    for other in scene.pieces:
        nested = math.dist(other.foot[:2], true.foot[:2]) < ONE_AXIS
        if other is true or other.star_of != true.star_of or not nested or other.color >= len(Color):
            continue
        for index, place in enumerate(places):
            if place.way is _way(true, other) and place.pose.size == other.size + 1:
                return 1 + index * len(Color) + other.color
    return 0


def _way(true: TruePiece, other: TruePiece) -> Way:
    if other.foot[2] > true.foot[2] + HIGHER:
        return Way.UPON
    return Way.BENEATH if other.foot[2] < true.foot[2] - HIGHER else Way.INSIDE
