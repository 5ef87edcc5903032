"""What tells systems from heaps: learnt on planned tables, kept in a file, asked of others."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes.looks import OtherColor
from scenes.scene import planned
from training.heaping import examples_of, learn_heaps, pose_of
from vision.finding.crews import seeming
from vision.finding.grouping import group
from vision.finding.heaps import HEAP_SIGNS, heap_signs, in_heaps
from vision.finding.strewn import Strewn
from vision.perceptron import perceptron_of
from vision.poses import Pose
from vision.solids import Posture, Size

SEEDS = range(9_000_000, 9_000_040)  # none of those learnt from

Systems = list[tuple[tuple[int, ...], tuple[int, ...]]]


def star(x: float, y: float) -> Pose:
    return Pose(Size.MEDIUM, Posture.UPRIGHT, x, y, 10.0)


def ship(x: float, y: float, heading: float = 90.0) -> Pose:
    return Pose(Size.SMALL, Posture.LYING, x, y, heading)


def sign(name: str, poses: list[Pose]) -> list[float]:
    """What it is of each crew of a table."""
    return list(heap_signs(seeming(Strewn.of(poses)))[:, HEAP_SIGNS.index(name)])


def planned_tables(kind: str) -> Iterator[tuple[list[Pose], Systems]]:
    """Planned tables of a kind: how the pieces lie, and the true systems."""
    for seed in SEEDS:
        plan = planned(random.Random(seed), np.random.default_rng(seed), kind)
        pieces = [piece for piece in plan.pieces if not isinstance(piece.color, OtherColor)]
        members: dict[int, tuple[list[int], list[int]]] = {}
        for index, piece in enumerate(pieces):
            if piece.system is not None:
                members.setdefault(piece.system, ([], []))[0 if piece.role == "star" else 1].append(index)
        systems = [(tuple(sorted(stars)), tuple(sorted(ships))) for stars, ships in members.values()]
        yield [pose_of(piece) for piece in pieces], sorted(systems)


def told_of(poses: list[Pose]) -> Systems:
    return sorted((tuple(sorted(system.stars)), tuple(sorted(system.ships))) for system in group(poses).systems)


def test_of_planned_games_nearly_all_systems_are_told_whatever_bank_lies_around() -> None:
    told = [(told_of(poses), systems) for poses, systems in planned_tables("homeworlds")]
    every = sum(max(len(found), len(systems)) for found, systems in told)
    assert every > 100
    assert sum(len(set(found) & set(systems)) for found, systems in told) / every > 0.96


@pytest.mark.parametrize(("kind", "share"), [("bank", 0.1), ("knocked over", 0.4)])
def test_in_heaps_alone_systems_are_rarely_seen(kind: str, share: float) -> None:
    """In what was knocked over a few pieces may well stand and lie as a system does."""
    assert np.mean([bool(told_of(poses)) for poses, _ in planned_tables(kind)]) < share


@given(seed=st.integers(0, 2**32 - 1), away=st.floats(80.0, 170.0))
def test_ships_may_lie_on_any_side_of_their_star_and_systems_near_each_other(seed: int, away: float) -> None:
    """Of no heap, a star with ships is a system, wherever around it they are, and whatever flies beyond."""
    rng = np.random.default_rng(seed)
    poses, systems = list[Pose](), Systems()
    for x, y in ((-away, -away), (away, -away), (-away, away), (away, away)):
        around = rng.uniform(0, 360) + np.arange(int(rng.integers(1, 4))) * 120
        systems.append(((len(poses),), tuple(range(len(poses) + 1, len(poses) + 1 + len(around)))))
        poses.append(star(x, y))
        for turn in np.radians(around):
            reach, heading = rng.uniform(30, 42), rng.choice((90.0, 270.0)) + rng.normal(0, 8)
            poses.append(ship(x + reach * np.cos(turn), y + reach * np.sin(turn), float(heading)))
    assert told_of(poses) == systems


def test_what_lies_around_counts_and_what_hangs_together_with_it() -> None:
    """Of a star with its ship, two more that touch the star, and one that touches them."""
    alone = [star(0, 0), ship(0, -33)]
    chain = [*alone, star(28, 0), star(56, 0), star(150, 0)]
    assert [sign(name, alone) for name in ("standing beside", "heap", "outside", "ships")] == [[0], [0], [0], [0]]
    assert sign("standing beside", chain) == pytest.approx([np.log(2)])
    assert sign("heap", chain) == pytest.approx([np.log(3)])
    assert sign("outside", chain) == pytest.approx([np.log(4)])


def test_how_ships_lie_about_their_star_counts() -> None:
    straight, across = [star(0, 0), ship(0, -33)], [star(0, 0), ship(0, -33), ship(0, 33, 150.0)]
    assert sign("most turned", straight)[0] < 0.05
    assert sign("most turned", across)[0] > 0.2
    assert sign("nearest ship", across)[0] <= sign("farthest ship", across)[0] < 40


@given(dx=st.floats(-300, 300), dy=st.floats(-300, 300), seed=st.integers(0, 30))
def test_where_on_the_table_all_of_it_lies_does_not_matter(dx: float, dy: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = rng.uniform(-120, 120, (8, 2))
    table = [star(x, y) if index % 3 == 0 else ship(x, y) for index, (x, y) in enumerate(places)]
    moved = [Pose(pose.size, pose.posture, pose.x + dx, pose.y + dy, pose.heading_deg) for pose in table]
    here, there = (heap_signs(seeming(Strewn.of(poses))) for poses in (table, moved))
    np.testing.assert_allclose(here, there, atol=1e-6)


def test_planned_tables_tell_what_heaps_are_known_by(tmp_path: Path) -> None:
    told = [example for seed in range(60) for example in examples_of(seed)]
    signs, system = (np.concatenate([getattr(each, name) for each in told]) for name in ("signs", "system"))
    asked = in_heaps(signs)
    assert 0.1 < system[asked].mean() < 0.9
    kept = json.loads(learn_heaps(told, tmp_path).read_text())
    assert kept["crews"] == asked.sum()
    right = (perceptron_of(kept, HEAP_SIGNS).logits(signs[asked])[:, 0] > 0) == system[asked]
    assert right.mean() > 0.9
