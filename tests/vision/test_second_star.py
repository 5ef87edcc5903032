"""The second star of a home: told by its rim, by what the eyes answer and by what the set has left."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from simulated_eyes import SimulatedEyes

from training.choices import learnt_choice
from training.pairing import examples_in, learn_pairs
from training.score import matched
from training.virtual_scenes import photograph_with_truth
from vision.eyes import Eyes
from vision.eyes.chances import softmax
from vision.eyes.detections import Detections
from vision.eyes.halvings import Halvings
from vision.fusing.judging import KINDS
from vision.fusing.one_light import hues
from vision.fusing.second_star import PAIR_SIGNS, SecondStar, Surroundings, Way, places_beside, second_star
from vision.fusing.table_fit import TableFit, fit_table
from vision.fusing.whole_set import WholeSet
from vision.look_systems import look_systems
from vision.perceptron import perceptron_of
from vision.poses import Pose
from vision.sight import Role, Seat
from vision.solids import Array, Color, Posture, Size
from vision.virtual import Picture, View
from vision.virtual.layout import ShipSpec, SystemsLayout, SystemSpec

SEEDS = range(8)
EVERY = dict.fromkeys(KINDS, 3)


@cache
def homes(seed: int, stars: int) -> tuple[Picture, SimulatedEyes, Detections, TableFit]:
    """A virtual table of four stars, or pairs of one size and two colours, with a ship beside each."""
    rng = np.random.default_rng(seed)
    systems = []
    for color in Color:
        size = Size(int(rng.integers(1, 4)))
        other = list(Color)[(list(Color).index(color) + int(rng.integers(1, 4))) % 4]
        ship = ShipSpec(color, Size(int(rng.integers(1, 4))), Seat.SOUTH)
        systems.append(SystemSpec(((color, size), (other, size))[:stars], (ship,)))
    picture, truth = photograph_with_truth(SystemsLayout(tuple(systems)), seed)
    eyes = SimulatedEyes(truth, seed=seed)
    seen = eyes.look(eyes.lit(picture.image))
    fit = fit_table(seen, eyes.scene.size, View.random(seed).south)
    assert fit is not None
    return picture, eyes, seen, fit


def asked(seed: int, stars: int, star: int, room: Array | None = None) -> SecondStar | None:
    """What is told of the second star beside one, where all are told but the one beneath it."""
    picture, eyes, seen, fit = homes(seed, stars)
    room = np.ones(len(KINDS)) if room is None else room
    others = [index for index in range(len(seen)) if index != fit.below[star]]
    told = seen.only(others)
    again = fit_table(told, eyes.scene.size, View.random(seed).south)
    assert again is not None
    pose = again.poses[others.index(star)]
    assert pose is not None
    shades = hues(picture.image, list(told.corners))
    colors = told.colors[:, :4] / told.colors[:, :4].sum(1, keepdims=True)
    lit = eyes.lit(picture.image)
    whole = WholeSet(told.score, room, (room > 0).astype(np.float64), unseen=float(36 - len(told)))
    return second_star(
        seen.only([star]), pose, Surroundings(picture.image, lit, Eyes(), again.camera, shades, colors, whole)
    )


def uppers(seed: int) -> list[int]:
    _, _, _, fit = homes(seed, 2)
    return [index for index, below in enumerate(fit.below) if below >= 0]


def all_uppers() -> list[tuple[int, int]]:
    return [(seed, upper) for seed in SEEDS for upper in uppers(seed)]


def kind_of(told: SecondStar) -> tuple[int, int]:
    return int(told.told.colors[0].argmax()), int(told.sizes.argmax())


def test_a_star_of_one_size_beneath_another_is_told_by_its_rim() -> None:
    """Its colour, and mostly its size, by the picture alone: the set has all kinds left."""
    colors, sizes = [], []
    for seed, upper in all_uppers():
        _, _, seen, fit = homes(seed, 2)
        lower = fit.poses[fit.below[upper]]
        assert lower is not None
        told = asked(seed, 2, upper)
        assert told is not None
        color, size = kind_of(told)
        colors.append(color == seen.colors[fit.below[upper]].argmax())
        sizes.append(size == lower.size - 1)
        assert told.told.score[0] > 0.9
    assert len(colors) > 15
    assert np.mean(colors) > 0.9
    assert np.mean(sizes) > 0.85


def test_what_the_set_has_not_left_is_not_guessed() -> None:
    right = []
    for seed, upper in all_uppers():
        _, _, seen, fit = homes(seed, 2)
        lower = fit.poses[fit.below[upper]]
        assert lower is not None
        color, size = int(seen.colors[fit.below[upper]].argmax()), lower.size - 1
        told = asked(seed, 2, upper, np.where(np.arange(len(KINDS)) == color * len(Size) + size, 4.0, 0.01))
        right.append(told is not None and kind_of(told) == (color, size))
    assert np.mean(right) > 0.8


def test_a_star_alone_stays_alone_where_the_set_has_nothing_left() -> None:
    guessed = [
        asked(seed, 1, star, np.full(len(KINDS), 0.02)) is not None
        for seed in SEEDS
        for star, pose in enumerate(homes(seed, 1)[3].poses)
        if pose is not None and pose.posture is Posture.UPRIGHT
    ]
    assert len(guessed) > 20
    assert np.mean(guessed) < 0.1


@pytest.mark.parametrize(
    ("size", "upon", "beneath", "inside"), [(1, [1], [1, 2, 3], []), (3, [1, 2, 3], [3], [1, 2])]
)
def test_places_are_those_that_a_second_star_can_have(
    size: int, upon: list[int], beneath: list[int], inside: list[int]
) -> None:
    _, _, _, fit = homes(0, 2)
    places = places_beside(Pose(Size(size), Posture.UPRIGHT, 10.0, 20.0, 30.0), fit.camera)
    for way, sizes in ((Way.UPON, upon), (Way.BENEATH, beneath), (Way.INSIDE, inside)):
        assert [place.pose.size for place in places if place.way is way] == sizes
    assert all(place.pose.z > 0 for place in places if place.way is Way.UPON)


@pytest.mark.parametrize("seed", [2, 5, 6, 7, 8, 11, 13, 16])  # seen from aside
def test_a_home_is_told_with_both_stars_though_one_was_overlooked(seed: int) -> None:
    home = ((Color.RED, Size.MEDIUM), (Color.BLUE, Size.MEDIUM)), (ShipSpec(Color.GREEN, Size.LARGE, Seat.SOUTH),)
    others = [
        SystemSpec(((color, Size.LARGE),), (ShipSpec(color, Size.SMALL, seat), ShipSpec(color, Size.MEDIUM, seat)))
        for color, seat in zip(Color, (Seat.NORTH, Seat.SOUTH, Seat.NORTH, Seat.NORTH), strict=True)
    ]
    picture, truth = photograph_with_truth(SystemsLayout((SystemSpec(*home, Seat.SOUTH), *others)), seed)
    eyes = SimulatedEyes(truth, seed=seed)
    lower = [index for index, piece in enumerate(eyes.scene.pieces) if piece.under]
    sight = look_systems(picture.image, WithoutThose(eyes, lower), south=View.random(seed).south, kit=EVERY)
    south = next(system for system in sight.systems if system.home is Seat.SOUTH)
    stars = [sight.pieces[index] for index in south.stars]
    assert [star.role for star in stars] == [Role.STAR, Role.STAR]
    assert {(star.color, star.size) for star in stars} == {(Color.RED, Size.MEDIUM), (Color.BLUE, Size.MEDIUM)}


class WithoutThose(SimulatedEyes):
    """Eyes that overlook some pieces at a glance; asked about a place, they look at the picture as all do."""

    look_for = Eyes.look_for

    def __init__(self, eyes: SimulatedEyes, overlooked: list[int]) -> None:
        self.__dict__ = dict(eyes.__dict__)
        self.overlooked = overlooked

    def look(self, lit: Halvings) -> Detections:
        seen = super().look(lit)
        of = {detection: piece for piece, detection in matched(self.scene, seen)}
        return seen.only([index for index in range(len(seen)) if of.get(index) not in self.overlooked])


def test_scenes_tell_what_second_stars_are_known_by(tmp_path: Path) -> None:
    """Of a small star swallowed by a large one nothing is told but the large one; a lone star has none beside it."""
    home = ((Color.YELLOW, Size.SMALL), (Color.BLUE, Size.LARGE)), (ShipSpec(Color.GREEN, Size.LARGE, Seat.SOUTH),)
    other = SystemSpec(((Color.RED, Size.LARGE),), (ShipSpec(Color.RED, Size.SMALL, Seat.NORTH),))
    for seed in range(4):
        picture, truth = photograph_with_truth(SystemsLayout((SystemSpec(*home), other)), seed)
        for piece in truth["pieces"]:
            piece["system"] = int(piece["color"] == "red")
        truth["settings"]["kind"] = "binaries"
        cv2.imwrite(str(tmp_path / f"scene_{seed}.jpg"), picture.image)
        (tmp_path / f"scene_{seed}.json").write_text(json.dumps(truth), encoding="utf-8")
    told = [example for file in sorted(tmp_path.glob("*.json")) for example in examples_in(file)]
    assert {example.signs.shape[1] for example in told} == {len(PAIR_SIGNS)}
    alone = [example for example in told if not example.right]
    swallowed = [bool(example.signs[example.right, PAIR_SIGNS.index("inside, 2 apart")]) for example in told]
    assert alone
    assert sum(swallowed) + len(alone) == len(told)
    kept = json.loads(learn_pairs(told, tmp_path).read_text())
    assert kept["homes"] == len(told)
    learnt = perceptron_of(kept, PAIR_SIGNS)
    chances = [softmax(learnt.logits(example.signs)[:, 0])[example.right] for example in told]
    assert np.mean(chances) > 0.3


def test_choices_are_learnt_as_they_were_made() -> None:
    """Of those made by known weights the learnt ones give nearly the same chances."""
    rng = np.random.default_rng(0)
    true = np.array([1.5, -1.0, 0.0])
    choices = [rng.normal(size=(5, 3)) for _ in range(600)]
    right = [int(rng.choice(5, p=softmax(signs @ true))) for signs in choices]
    learnt = learnt_choice(("a", "b", "c"), choices, right)
    asked_later = rng.normal(size=(5, 3))
    chances, wanted = softmax(learnt.logits(asked_later)[:, 0]), softmax(asked_later @ true)
    np.testing.assert_allclose(chances, wanted, atol=0.08)
