"""Heaps of pieces stand free of each other and of the play, hold what they should, and are true to what was asked."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from scenes.arrangement import Standing, apart, other_binaries, stood
from scenes.banks import HEAPS, AnyKind, kept, laid_beside, nested, strewn
from scenes.looks import OtherColor
from scenes.positions import some_pieces, whole_bank
from scenes.scene import planned
from vision.poses import Pose
from vision.sight import Role
from vision.solids import Color, Posture, Size, nesting_step

GAMES = ("homeworlds", "settlers", "set-up", "bank")
BUILDERS = [build for build, _ in HEAPS]


def kinds_of(pieces: Sequence[Standing]) -> Counter[AnyKind]:
    """What is there, counted."""
    return Counter((piece.color, piece.size) for piece in pieces)


def free(pieces: Sequence[Standing], among: Sequence[Standing]) -> bool:
    """Whether the pieces are apart, seen from above, from all others that do not stand over the same spot."""
    return all(
        apart(one.vertices[:, :2], other.vertices[:, :2], -0.05)
        for one in pieces
        for other in among
        if abs(one.x - other.x) + abs(one.y - other.y) > 1e-6
    )


@pytest.mark.parametrize("build", BUILDERS, ids=[build.__name__ for build in BUILDERS])
@pytest.mark.parametrize("seed", range(6))
def test_a_heap_holds_the_bank(build: Callable[..., list[Standing]], seed: int) -> None:
    bank = whole_bank() if seed == 0 else Counter(some_pieces(random.Random(seed), 5 * seed))
    pieces = build(bank, Role.BANK, np.random.default_rng(seed))
    assert kinds_of(pieces) == Counter(bank)
    assert {piece.role for piece in pieces} == {Role.BANK}
    assert min(piece.vertices[:, 2].min() for piece in pieces) > -1e-6
    assert free(pieces, pieces)


@pytest.mark.parametrize("seed", range(8))
def test_banks_lie_beside_the_play(seed: int) -> None:
    rng = np.random.default_rng(seed)
    play = rng.uniform(-150, 150, (20, 2))
    pieces = kept(Counter(whole_bank()).elements(), play, rng)
    assert kinds_of(pieces) == Counter(whole_bank())
    assert all(apart_from(piece, play) for piece in pieces)
    assert free(pieces, pieces)


def apart_from(piece: Standing, play: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> bool:
    """Whether a straight line in one of many directions separates a piece from the play."""
    turns = np.radians(np.arange(0, 360, 2))
    ways = np.column_stack([np.cos(turns), np.sin(turns)])
    return bool(((piece.vertices[:, :2] @ ways.T).min(0) > (play @ ways.T).max(0)).any())


def test_a_heap_is_turned_as_one() -> None:
    pair = nested([(Color.RED, Size.LARGE), (Color.RED, Size.SMALL)], (3.0, 4.0), 20.0, Role.BANK, _rng())
    far = stood(Pose(Size.SMALL, Posture.LYING, 50.0, 0.0, 90.0), Color.BLUE, Role.BANK)
    laid = laid_beside([*pair, far], np.zeros((1, 2)), _rng())
    assert (laid[0].x, laid[0].y) == (laid[1].x, laid[1].y)
    before, after = far.vertices - pair[0].vertices[0], laid[2].vertices - laid[0].vertices[0]
    assert np.linalg.norm(before, axis=1) == pytest.approx(np.linalg.norm(after, axis=1))


@pytest.mark.parametrize(("lower", "upper"), [(one, other) for one in Size for other in Size])
def test_nests_rest_on_each_other(lower: Size, upper: Size) -> None:
    below, above = nested([(Color.RED, lower), (Color.BLUE, upper)], (0.0, 0.0), 0.0, Role.BANK, _rng())
    assert above.z - below.z == pytest.approx(nesting_step(lower, upper))
    assert (above.z == 0) == (upper > lower)


def test_strewn_pieces_lie_free() -> None:
    play = kept(some_pieces(random.Random(1), 12), np.zeros((0, 2)), _rng())
    strangers = strewn([(color, Size.MEDIUM) for color in OtherColor], play, _rng())
    assert strangers
    assert free(strangers, [*play, *strangers])


@pytest.mark.parametrize("sizes", [(Size.LARGE, Size.SMALL), (Size.MEDIUM, Size.MEDIUM)])
def test_binaries_are_rebuilt_but_stay_what_they_are(sizes: tuple[Size, Size]) -> None:
    pair = [
        stood(Pose(sizes[0], Posture.UPRIGHT, 5.0, 5.0, 0.0), Color.RED, Role.STAR, None, 0),
        stood(Pose(sizes[1], Posture.UPRIGHT, 5.0, 5.0, 0.0, nesting_step(*sizes)), Color.BLUE, Role.STAR, None, 0),
    ]
    ways = set()
    for seed in range(60):
        stars = other_binaries(pair, np.random.default_rng(seed))
        assert kinds_of(stars) == kinds_of(pair)
        assert {star.system for star in stars} == {0}
        beside = abs(stars[0].x - stars[1].x) + abs(stars[0].y - stars[1].y) > 1e-6
        assert beside == apart(stars[0].vertices[:, :2], stars[1].vertices[:, :2], 0.0)
        top = max(stars, key=lambda star: (star.z, star.size))
        ways.add("beside" if beside else ("large over small" if top.z == 0 else "small over large"))
    expected = {"beside", "small over large"} | ({"large over small"} if sizes[0] != sizes[1] else set())
    assert ways == expected


def test_plans_hold_one_set_and_strangers() -> None:
    plans = [planned(random.Random(seed), np.random.default_rng(seed)) for seed in range(50)]
    for plan in plans:
        counts = kinds_of([piece for piece in plan.pieces if piece.color in {*Color}])
        assert max(counts.values(), default=0) <= 3
        aside = [piece for piece in plan.pieces if piece.role in (Role.BANK, Role.LOOSE) and plan.kind in GAMES]
        assert free(aside, plan.pieces)
    strangers = [piece for plan in plans for piece in plan.pieces if piece.color not in {*Color}]
    assert strangers
    assert {piece.role for piece in strangers} == {Role.LOOSE}
    assert any(plan.cut for plan in plans)


def _rng() -> np.random.Generator:
    return np.random.default_rng(7)
