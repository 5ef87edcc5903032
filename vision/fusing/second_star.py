"""The second star of a home of which one star was told: what it most likely is, by what shows and by what is left.

Homes begin with two stars and seldom lose one, but of two that are nested little shows of the lower one, or
nothing. So everything that it may be is weighed: upon the star that was told, beneath it, or swallowed by it; of
each size that stands so, and of each colour; and that there is none. The eyes are asked about each place, the set
tells which kinds have room, and how much all that counts was learnt on scenes by ``python -m training pair``; it is
kept in ``second_star.json`` beside this module. The form is that of a choice among several (D. McFadden,
"Conditional logit analysis of qualitative choice behavior", 1974).
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
from vision.fusing.orders import least_apart
from vision.fusing.perceptron import Perceptron, perceptron_of
from vision.fusing.star_pairs import beneath, upon
from vision.poses import Pose
from vision.solids import Array, Color, Size

FILE = "second_star.json"
FAINTEST = 0.02  # probability, and room in the set: less counts as that
ANY = 1 / len(Color)  # probability of a colour of which nothing is known
FARTHEST = 0.3  # of its diameter: so far an answer's corners may be from where they were guessed


class Way(StrEnum):
    """How the second star stands to the one that was told."""

    UPON = "upon"
    BENEATH = "beneath"
    INSIDE = "inside"  # beneath a larger one, which swallows it


ASKED = (Way.UPON, Way.BENEATH)  # of what is inside another nothing can be seen
_STEPS = {Way.UPON: (0, 1, 2), Way.BENEATH: (0, 1, 2), Way.INSIDE: (1, 2)}  # sizes apart
_ANSWERED = ("there", "colour", "raised", "off", "visible", "star raised")
PAIR_SIGNS = (
    *(f"{way}, {step} apart" for way, steps in _STEPS.items() for step in steps),
    "room",
    *(f"own colour {way}" for way in Way),
    *(f"{sign} {way}" for way in ASKED for sign in _ANSWERED),
)


@dataclass(frozen=True)
class Place:
    """Where a second star may be."""

    way: Way
    pose: Pose


@dataclass(frozen=True, eq=False)
class SecondStar:
    """What a home's second star most likely is.

    Attributes:
        way: how it stands to the first. told: the piece itself, alone, with the probability that it is there.
        pose: of it. sizes: (3,) probability of each size.
    """

    way: Way
    told: Detections
    pose: Pose
    sizes: Array


def places_beside(star: Pose, camera: Camera) -> list[Place]:
    """All places that a second star may have, for a *star* that seems to stand alone."""
    swallowed = [replace(star, size=size) for size in Size if size < star.size]
    return [
        *(Place(Way.UPON, pose) for pose in upon(star)),
        *(Place(Way.BENEATH, pose) for pose in beneath(star, camera)),
        *(Place(Way.INSIDE, pose) for pose in swallowed),
    ]


def asked_about(
    star: Detections, places: Sequence[Place], camera: Camera, lit: NDArray[np.uint8], eyes: Eyes
) -> Array:
    """(M, 6 + 4) what the eyes answer about M *places*, and of which colour that is; 0 where nothing can be seen.

    Args:
        star: the one that was told, alone. lit: the picture as :meth:`Eyes.lit` shows it.
    """
    said = np.zeros((len(places), len(_ANSWERED) + len(Color)))
    for way in ASKED:
        those = [index for index, place in enumerate(places) if place.way is way]
        guessed = np.array([places[index].pose.keypoints(camera) for index in those]).reshape(-1, 5, 2)
        answers = eyes.look_for(star.only([0] * len(those)), guessed, lit, under=way is Way.BENEATH)
        diameters = np.linalg.norm(np.ptp(guessed, axis=1), axis=1)
        colors = answers.colors[:, : len(Color)]
        said[those] = np.column_stack(
            [
                logit(answers.score),
                np.zeros(len(those)),
                logit(answers.above),
                np.minimum(least_apart(answers.corners, guessed) / diameters, FARTHEST),
                logit(answers.visible),
                np.full(len(those), logit(star.above)),
                np.log(np.maximum(colors, FAINTEST) / ANY),
            ]
        )
    return said


def pair_signs(star: Detections, size: Size, places: Sequence[Place], said: Array, room: Array) -> Array:
    """(1 + 4M, K) what speaks for there being no second star, all 0, and for one of each colour in each place.

    Args:
        star: the one that was told, alone, of this *size*. said: as :func:`asked_about` tells it.
        room: (12,) as in :class:`vision.fusing.whole_set.WholeSet`.
    """
    own = star.colors[0, : len(Color)] / star.colors[0, : len(Color)].sum()
    alike = np.log(np.maximum(own, FAINTEST) / ANY)
    left = np.log(np.maximum(room, FAINTEST)).reshape(len(Color), len(Size))
    signs = np.zeros((1 + len(places) * len(Color), len(PAIR_SIGNS)))
    for index, place in enumerate(places):
        rows = signs[1 + index * len(Color) : 1 + (index + 1) * len(Color)]
        rows[:, PAIR_SIGNS.index(f"{place.way}, {abs(place.pose.size - size)} apart")] = 1.0
        rows[:, PAIR_SIGNS.index("room")] = left[:, place.pose.size - 1]
        rows[:, PAIR_SIGNS.index(f"own colour {place.way}")] = alike
        if place.way in ASKED:
            begin = PAIR_SIGNS.index(f"{_ANSWERED[0]} {place.way}")
            rows[:, begin : begin + len(_ANSWERED)] = said[index, : len(_ANSWERED)]
            rows[:, begin + _ANSWERED.index("colour")] = said[index, len(_ANSWERED) :]
    return signs


def second_star(
    star: Detections, pose: Pose, camera: Camera, room: Array, lit: NDArray[np.uint8], eyes: Eyes
) -> SecondStar | None:
    """The likeliest second star beside one that was told, alone, where it has this *pose*; ``None`` if there is none.

    Args:
        room, lit: as for :func:`pair_signs` and :func:`asked_about`.
    """
    places = places_beside(pose, camera)
    said = asked_about(star, places, camera, lit, eyes)
    chances = softmax(_learnt().logits(pair_signs(star, pose.size, places, said, room))[:, 0])
    each = chances[1:].reshape(len(places), len(Color))
    of_sizes = np.array([[place.pose.size == size for place in places] for size in Size], dtype=np.float64)
    kinds = of_sizes @ each
    if kinds.max() < chances[0]:
        return None
    likely = each.sum(axis=1) * of_sizes[kinds.max(axis=1).argmax()]
    best, there = places[int(likely.argmax())], float(each.sum())
    corners = best.pose.keypoints(camera)
    told = replace(
        star,
        score=np.array([there]),
        corners=corners[None],
        centers=corners.mean(axis=0)[None],
        colors=np.append(kinds.sum(axis=0) / there, 0.0)[None],
        under=np.array([best.way is not Way.UPON]),
    )
    return SecondStar(best.way, told, best.pose, kinds.sum(axis=1) / there)


@cache
def _learnt() -> Perceptron:
    """By ``python -m training pair``; one logit."""
    return perceptron_of(json.loads((files("vision.fusing") / FILE).read_text(encoding="utf-8")), PAIR_SIGNS)
