"""Both readers behind eyes that know the truth, give or take a pixel: only geometry and sense can still go wrong."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated_eyes import SEEN, SimulatedEyes

from companion_app.samples import layout_of, random_homeworlds, random_settlers
from training.virtual_scenes import photograph_with_truth
from vision.eyes.detections import Detections
from vision.eyes.halvings import Halvings
from vision.fusing.judging import KINDS, judge
from vision.fusing.table_fit import fit_table
from vision.look_board import BAD_CORNERS, NO_BOARD, look_board
from vision.look_systems import NOTHING_FOUND, grouped, look_systems
from vision.sight import ImageSide, Role, Seat, SeenPiece, Sight
from vision.solids import Color, Size
from vision.virtual import BoardLayout, Picture, ShipSpec, View
from vision.virtual.layout import SystemsLayout, SystemSpec

KIT = {(color, size): 3 for color in Color for size in Size}
NEAR = 12.0  # px


@cache
def homeworlds(seed: int) -> tuple[Picture, SimulatedEyes, ImageSide]:
    picture, truth = photograph_with_truth(layout_of(random_homeworlds(seed)), seed)
    return picture, SimulatedEyes(truth, seed=seed), View.random(seed).south


@cache
def settlers(seed: int) -> tuple[Picture, SimulatedEyes, ImageSide]:
    picture, truth = photograph_with_truth(layout_of(random_settlers(seed)), seed)
    return picture, SimulatedEyes(truth, seed=seed), View.random(seed).south


def near(piece: SeenPiece, sight: Sight) -> SeenPiece | None:
    """The piece of a sight at the same place."""
    found = min(sight.pieces, key=lambda other: apart(other, piece), default=None)
    return found if found and apart(found, piece) < NEAR else None


def apart(one: SeenPiece, other: SeenPiece) -> float:
    """px between the middles of two outlines."""
    low, high = (np.subtract(end(one.outline, axis=0), end(other.outline, axis=0)) for end in (np.min, np.max))
    return float(np.hypot(*(low + high)) / 2)


def fields(sight: Sight) -> set[tuple[object, ...]]:
    """What lies on each field that is not empty."""
    return {(piece.cell, piece.color, piece.size, piece.owner) for piece in sight.pieces if piece.cell}


@pytest.mark.parametrize("seed", range(8))
def test_a_free_table(seed: int) -> None:
    picture, eyes, south = homeworlds(seed)
    sight = look_systems(picture.image, eyes, south=south, kit=KIT)
    assert sight.trouble is None
    for piece, visible in zip(picture.truth.pieces, picture.visible, strict=True):
        if piece.role is Role.BANK or visible < SEEN:
            continue
        seen = near(piece, sight)
        assert seen is not None
        assert (seen.color, seen.posture, seen.owner) == (piece.color, piece.posture, piece.owner)
        assert seen.size is piece.size or any(other.size is piece.size for other in seen.alternatives)


def test_the_centre_of_what_is_half_hidden_is_where_it_shows() -> None:
    off, whole = [], []
    for seed in range(8):
        picture, eyes, south = homeworlds(seed)
        sight = look_systems(picture.image, eyes, south=south, kit=KIT)
        for piece, visible in zip(picture.truth.pieces, picture.visible, strict=True):
            seen = near(piece, sight)
            if piece.role is not Role.BANK and SEEN <= visible < 0.7 and seen is not None:
                outline = np.array(piece.outline)
                off.append(np.hypot(*np.subtract(seen.center, piece.center)))
                whole.append(np.hypot(*((outline.min(0) + outline.max(0)) / 2 - piece.center)))
    assert len(off) >= 8
    assert np.mean(off) < np.mean(whole) / 2


@pytest.mark.parametrize("seed", range(8))
def test_a_board(seed: int) -> None:
    picture, eyes, south = settlers(seed)
    sight = look_board(picture.image, eyes, south=south, kit=KIT)
    assert sight.trouble is None
    seen = {
        piece.cell for piece, visible in zip(picture.truth.pieces, picture.visible, strict=True) if visible >= SEEN
    }
    assert fields(sight) == {field for field in fields(picture.truth) if field[0] in seen}


@pytest.mark.parametrize("seed", range(3))
def test_a_board_turned_to_the_wrong_players_is_turned_back_by_its_ships(seed: int) -> None:
    picture, eyes, south = settlers(seed)
    sides = list(ImageSide)
    beside = sides[(sides.index(south) + 1) % 4]
    sight = look_board(picture.image, eyes, south=beside, kit=KIT)
    straight = [p.heading_deg for p in sight.pieces if p.cell and p.heading_deg is not None]
    assert np.cos(2 * np.radians(np.array(straight) - 90)).sum() > 0


def test_headings_and_places_are_read() -> None:
    """Headings in the players' frame; distances between pieces in mm, whatever the table's origin."""
    turns: list[float] = []
    for seed in range(4):
        picture, eyes, south = homeworlds(seed)
        sight = look_systems(picture.image, eyes, south=south, kit=KIT)
        pairs = [(piece, seen) for piece in picture.truth.pieces if (seen := near(piece, sight)) is not None]
        true, told = (np.array([piece.place for piece in pieces]) for pieces in zip(*pairs, strict=True))
        assert np.ptp(told, axis=0).max() == pytest.approx(np.ptp(true, axis=0).max(), rel=0.05)
        for want, got in pairs:
            if want.heading_deg is not None and got.heading_deg is not None:
                turns.append(abs((want.heading_deg - got.heading_deg + 180) % 360 - 180))
    assert np.median(turns) < 5
    assert np.quantile(turns, 0.95) < 15


@pytest.mark.parametrize("seed", range(4))
def test_systems_name_their_own_pieces(seed: int) -> None:
    picture, eyes, south = homeworlds(seed)
    sight = look_systems(picture.image, eyes, south=south, kit=KIT)
    assert sight.systems
    for number, system in enumerate(sight.systems):
        assert {sight.pieces[index].role for index in system.stars} == {Role.STAR}
        assert {sight.pieces[index].role for index in system.ships} == {Role.SHIP}
        assert {sight.pieces[index].system for index in (*system.stars, *system.ships)} == {number}
    assert all(system.home is not None for system in sight.systems if len(system.stars) == 2)
    homes = [system.home for system in sight.systems if system.home is not None]
    assert len(homes) == len(set(homes))


def test_corners_by_hand_lead_to_the_same_fields() -> None:
    picture, eyes, south = settlers(4)
    assert picture.truth.board is not None
    marks = picture.truth.board.corners[[2, 0, 3, 1]] + 2.0
    sight = look_board(picture.image, eyes, south=south, kit=KIT, corners=marks)
    assert fields(sight) == fields(look_board(picture.image, eyes, south=south, kit=KIT))
    assert look_board(picture.image, eyes, south=south, kit=KIT, corners=np.zeros((4, 2))).trouble == BAD_CORNERS


def test_turning_the_table_turns_the_owners() -> None:
    layout = BoardLayout({(1, 1): ShipSpec(Color.RED, Size.MEDIUM, Seat.SOUTH)})
    picture, truth = photograph_with_truth(layout, 1)
    sides = list(ImageSide)
    opposite = sides[(sides.index(View.random(1).south) + 2) % 4]
    sight = look_board(picture.image, SimulatedEyes(truth, seed=1), south=opposite, kit=KIT)
    assert fields(sight) == {((4, 4), Color.RED, Size.MEDIUM, Seat.NORTH)}


def test_an_empty_board_is_empty() -> None:
    picture, truth = photograph_with_truth(BoardLayout({}), 4)
    eyes = SimulatedEyes({**truth, "pieces": []})
    sight = look_board(picture.image, eyes, south=View.random(4).south, kit=KIT)
    assert (sight.pieces, sight.trouble) == ((), None)
    assert sight.board is not None


def test_things_that_are_no_pyramids_are_left_out() -> None:
    picture, truth = photograph_with_truth(layout_of(random_homeworlds(1)), 1)
    clean = look_systems(picture.image, SimulatedEyes(truth, seed=1), south=View.random(1).south, kit=KIT)
    cluttered = SimulatedEyes(truth, clutter=6, seed=1)
    sight = look_systems(picture.image, cluttered, south=View.random(1).south, kit=KIT)
    assert len(clean.pieces) <= len(sight.pieces) <= len(clean.pieces) + 2


def test_an_empty_table_is_told_so() -> None:
    picture, truth = photograph_with_truth(layout_of(random_homeworlds(1)), 1)
    eyes = SimulatedEyes({**truth, "pieces": []})
    assert look_systems(picture.image, eyes, south=ImageSide.BOTTOM, kit=KIT).trouble == NOTHING_FOUND
    flat = np.full_like(picture.image, 128)
    assert look_board(flat, eyes, south=ImageSide.BOTTOM, kit=KIT).trouble == NO_BOARD


@settings(max_examples=100)
@given(st.integers(0, 10_000), st.floats(0, 1), st.floats(0, 1))
def test_confidence_and_alternatives_share_one_whole(seed: int, lying: float, southern: float) -> None:
    kinds = np.random.default_rng(seed).dirichlet(np.full(len(KINDS), 0.3))
    judged = judge(kinds, int(kinds.argmax()), lying, southern)
    shares = [judged.confidence, *(other.probability for other in judged.alternatives)]
    assert sum(shares) <= 1 + 1e-9
    assert min(shares) >= 0
    assert [other.probability for other in judged.alternatives] == sorted(shares[1:], reverse=True)
    itself = (judged.color, judged.size, judged.posture, judged.owner)
    assert itself not in [(o.color, o.size, o.posture, o.owner) for o in judged.alternatives]


class SeeingDouble(SimulatedEyes):
    """Eyes that report some free-standing pieces a second time, less clearly and a little beside."""

    def look(self, lit: Halvings) -> Detections:
        seen = super().look(lit)
        lying = np.flatnonzero(seen.lying > 0.5)[:4]
        twice = seen.only([*range(len(seen)), *lying])
        score, corners = twice.score.copy(), twice.corners.copy()
        score[len(seen) :] -= 0.2
        corners[len(seen) :] += 4.0
        return replace(twice, score=score, corners=corners)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_seen_twice_is_there_once(seed: int) -> None:
    picture, truth = photograph_with_truth(layout_of(random_homeworlds(seed)), seed)
    south = View.random(seed).south
    once = look_systems(picture.image, SimulatedEyes(truth, seed=seed), south=south, kit=KIT)
    twice = look_systems(picture.image, SeeingDouble(truth, seed=seed), south=south, kit=KIT)
    assert len(twice.pieces) == len(once.pieces)


@pytest.mark.parametrize("seed", range(6))
def test_of_three_stars_of_a_system_the_least_likely_is_not_told(seed: int) -> None:
    """No system has three: where something else seems to stand in a stack of two, it is left out."""
    stars = zip((Color.RED, Color.BLUE, Color.YELLOW), (Size.LARGE, Size.MEDIUM, Size.SMALL), strict=True)
    home = SystemSpec(tuple(stars), (ShipSpec(Color.GREEN, Size.LARGE, Seat.SOUTH),))
    picture, truth = photograph_with_truth(SystemsLayout((home,)), seed)
    eyes, south = SimulatedEyes(truth, seed=seed), View.random(seed).south
    seen = eyes.look(eyes.lit(picture.image))
    fit = fit_table(seen, eyes.scene.size, south)
    assert fit is not None
    assert (seen.lying < 0.5).sum() == 3
    doubtful = int(np.flatnonzero(seen.lying < 0.5)[seed % 3])
    doubted = replace(seen, score=np.where(np.arange(len(seen)) == doubtful, 0.8, seen.score))
    told = grouped(doubted, fit, picture.image, KIT)
    assert [len(system.stars) for system in told.grouping.systems] == [2]
    assert len(told.placed.poses) == len(seen) - 1
    assert not (told.placed.detections.corners == seen.corners[doubtful]).all(axis=(1, 2)).any()
