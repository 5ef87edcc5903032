"""The second star of a home of which one star was told: what it most likely is, by what shows and by what is left.

Homes begin with two stars and seldom lose one, but of two that are nested little shows of the lower one, or
nothing. So everything that it may be is weighed: upon the star that was told, beneath it, or swallowed by it; of
each size that stands so, and of each colour; and that there is none. The eyes are asked about each place, rims are
held against the colours of the other pieces, the set tells which kinds have room, and how much all that counts was
learnt on scenes by ``python -m training pair``; it is kept in ``second_star.json`` beside this module. The form is
that of a choice among several (D. McFadden, "Conditional logit analysis of qualitative choice behavior", 1974).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes import Eyes
from vision.eyes.chances import logit, softmax
from vision.eyes.detections import Detections
from vision.eyes.halvings import Halvings
from vision.fusing.orders import least_apart
from vision.fusing.rims import ANY, RIM_SIGNS, rim_of
from vision.fusing.star_pairs import beneath, upon
from vision.fusing.whole_set import WholeSet
from vision.perceptron import Perceptron, perceptron_of
from vision.poses import Pose
from vision.solids import Array, Color, Size

FILE = "second_star.json"
FAINTEST = 0.02  # probability of a colour, and what is left in the set: less counts as that
FARTHEST = 0.3  # of its diameter: so far an answer's corners may be from where they were guessed
COLORS = len(Color)


class Way(StrEnum):
    """How the second star stands to the one that was told."""

    UPON = "upon"
    BENEATH = "beneath"
    INSIDE = "inside"  # beneath a larger one, which swallows it


ASKED = (Way.UPON, Way.BENEATH)  # of what is inside another nothing can be seen
_STEPS = {Way.UPON: (0, 1, 2), Way.BENEATH: (0, 1, 2), Way.INSIDE: (1, 2)}  # sizes apart
_ANSWERS = ("there", "raised", "off", "visible", "star raised")
PAIR_SIGNS = (
    *(f"{way}, {step} apart" for way, steps in _STEPS.items() for step in steps),
    "room",
    "missing",
    "few unseen",
    "missing of few unseen",
    *(f"own colour {way}" for way in Way),
    *(f"{answer} {way}" for way in ASKED for answer in (*_ANSWERS, "colour")),
    *RIM_SIGNS,
    "rim colour",
    "rim of own colour",
)
_AT = {name: index for index, name in enumerate(PAIR_SIGNS)}


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What a home is seen among.

    Attributes:
        image: (H, W, 3) BGR. lit: the same as :meth:`Eyes.lit` shows it.
        shades: (N, 2) and colors: (N, 4) of all pieces, as for :func:`vision.fusing.one_light.suited`.
        whole: what the set says of them, and of what else there is.
    """

    image: NDArray[np.uint8]
    lit: Halvings
    eyes: Eyes
    camera: Camera
    shades: Array
    colors: Array
    whole: WholeSet


@dataclass(frozen=True)
class Place:
    """Where a second star may be."""

    way: Way
    pose: Pose


@dataclass(frozen=True, eq=False)
class SecondStar:
    """What a home's second star most likely is.

    Attributes:
        told: the piece, alone, with the probability that it is there. pose: of it. sizes: (3,) of each size.
    """

    told: Detections
    pose: Pose
    sizes: Array


def second_star(star: Detections, pose: Pose, around: Surroundings) -> SecondStar | None:
    """The likeliest second star beside one told alone, in a *pose*; ``None`` if most likely there is none."""
    places = places_beside(pose, around.camera)
    chances = softmax(_learnt().logits(pair_signs(star, pose, places, around))[:, 0])
    each = chances[1:].reshape(len(places), COLORS)
    of_sizes = np.array([[place.pose.size == size for place in places] for size in Size], dtype=np.float64)
    kinds = of_sizes @ each
    if kinds.max() < chances[0]:
        return None
    likely = each.sum(axis=1) * of_sizes[kinds.max(axis=1).argmax()]
    best, there = places[int(likely.argmax())], float(each.sum())
    corners = best.pose.keypoints(around.camera)
    told = replace(
        star,
        score=np.array([there]),
        corners=corners[None],
        centers=corners.mean(axis=0)[None],
        colors=np.append(kinds.sum(axis=0) / there, 0.0)[None],
        under=np.array([best.way is not Way.UPON]),
    )
    return SecondStar(told, best.pose, kinds.sum(axis=1) / there)


def places_beside(star: Pose, camera: Camera) -> list[Place]:
    """All places that a second star may have, for a *star* that seems to stand alone."""
    swallowed = [replace(star, size=size) for size in Size if size < star.size]
    return [
        *(Place(Way.UPON, pose) for pose in upon(star)),
        *(Place(Way.BENEATH, pose) for pose in beneath(star, camera)),
        *(Place(Way.INSIDE, pose) for pose in swallowed),
    ]


def pair_signs(star: Detections, pose: Pose, places: Sequence[Place], around: Surroundings) -> Array:
    """(1 + 4M, K) ``PAIR_SIGNS`` of there being no second star, all 0, and of one in M places, of each colour.

    Args:
        star: the one that was told, alone, in a *pose*.
    """
    own = star.our_colors[0]
    room, missing = (_by_color(left) for left in (around.whole.room, around.whole.missing))
    few = 1 / (1 + around.whole.unseen)
    signs = np.zeros((1 + len(places) * COLORS, len(PAIR_SIGNS)))
    each = signs[1:].reshape(len(places), COLORS, len(PAIR_SIGNS))
    for place, rows in zip(places, each, strict=True):
        rows[:, _AT[f"{place.way}, {abs(place.pose.size - pose.size)} apart"]] = 1.0
        rows[:, _AT["room"]] = room[:, place.pose.size - 1]
        rows[:, _AT["missing"]] = missing[:, place.pose.size - 1]
        rows[:, _AT["few unseen"]] = few
        rows[:, _AT["missing of few unseen"]] = few * missing[:, place.pose.size - 1]
        rows[:, _AT[f"own colour {place.way}"]] = np.log(np.maximum(own, FAINTEST) / ANY)
        if place.way is Way.BENEATH:
            _add_rim(rows, place.pose, pose, int(own.argmax()), around)
    for way in ASKED:
        those = [index for index, place in enumerate(places) if place.way is way]
        said, colors = _answers(star, [places[index].pose for index in those], way, around)
        for answer, values in zip(_ANSWERS, said.T, strict=True):
            each[those, :, _AT[f"{answer} {way}"]] = values[:, None]
        each[those, :, _AT[f"colour {way}"]] = colors
    return signs


def _by_color(left: Array) -> Array:
    """(4, 3) logarithms of what is *left* of each kind, (12,)."""
    return np.asarray(np.log(np.maximum(left, FAINTEST)).reshape(COLORS, len(Size)))


def _add_rim(rows: Array, lower: Pose, upper: Pose, own: int, around: Surroundings) -> None:
    """Adds to the rows (4, K) of one place what its rim says; *own* is the colour of the upper one."""
    colors, signs = rim_of(lower, upper, around.camera, around.image, around.shades, around.colors)
    rows[:, [_AT[name] for name in RIM_SIGNS]] = signs
    rows[:, _AT["rim colour"]] = colors
    rows[own, _AT["rim of own colour"]] = colors[own]


def _answers(star: Detections, poses: Sequence[Pose], way: Way, around: Surroundings) -> tuple[Array, Array]:
    """(M, 5) ``_ANSWERS`` of the eyes about a second star in M poses, and (M, 4) what speaks for each colour."""
    guessed = np.array([pose.keypoints(around.camera) for pose in poses]).reshape(-1, 5, 2)
    said = around.eyes.look_for(star.only([0] * len(poses)), guessed, around.lit, under=way is Way.BENEATH)
    diameters = np.linalg.norm(np.ptp(guessed, axis=1), axis=1)
    off = np.minimum(least_apart(said.corners, guessed) / diameters, FARTHEST)
    raised = np.full(len(poses), logit(star.above)[0])
    colors = np.log(np.maximum(said.colors[:, :COLORS], FAINTEST) / ANY)
    return np.column_stack([logit(said.score), logit(said.above), off, logit(said.visible), raised]), colors


@cache
def _learnt() -> Perceptron:
    """By ``python -m training pair``; one logit."""
    return perceptron_of(json.loads((files("vision.fusing") / FILE).read_text(encoding="utf-8")), PAIR_SIGNS)
