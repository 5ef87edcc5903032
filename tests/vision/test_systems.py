"""A free table read from pixels alone, and pictures that nothing can be read from."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from corner_scenes import KIT, homeworlds_picture

from companion_app.samples import layout_of, random_homeworlds
from vision.camera import Camera
from vision.poses import Pose
from vision.see_systems import see_systems
from vision.sight import ImageSide, Role, SeenPiece, Sight
from vision.solids import Color, Posture, Size
from vision.virtual import Picture, SystemsLayout, View, photograph

SEEDS = range(6)
SEEN = 0.25  # share of a piece that must be visible before it counts


@cache
def read(seed: int) -> Sight:
    """What is seen in a virtual photograph."""
    return see_systems(homeworlds_picture(seed).image, south=View.random(seed).south, kit=KIT)


def matched(picture: Picture, sight: Sight) -> list[tuple[SeenPiece, SeenPiece | None]]:
    """Every piece in play that can be seen, with the nearest one read."""
    left = list(sight.pieces)
    pairs: list[tuple[SeenPiece, SeenPiece | None]] = []
    for piece, share in zip(picture.truth.pieces, picture.visible, strict=True):
        if piece.role is Role.BANK or share < SEEN:
            continue
        reach = np.ptp(np.array(piece.outline), axis=0).max() * 0.5
        near = min(left, key=lambda other: _unlike(piece, other), default=None)
        if near is None or math.dist(piece.center, near.center) > reach:
            pairs.append((piece, None))
        else:
            left.remove(near)
            pairs.append((piece, near))
    return pairs


def _unlike(piece: SeenPiece, other: SeenPiece) -> float:
    return math.dist(piece.center, other.center) + 12 * (piece.color is not other.color)


def test_games_are_read() -> None:
    pairs = [pair for seed in SEEDS for pair in matched(homeworlds_picture(seed), read(seed))]
    found = [(want, got) for want, got in pairs if got is not None]
    ships = [(want, got) for want, got in found if want.role is Role.SHIP]
    assert len(pairs) > 120
    assert len(found) >= 0.97 * len(pairs)
    assert sum(want.color is got.color for want, got in found) >= 0.99 * len(found)
    assert sum(want.posture is got.posture for want, got in found) >= 0.97 * len(found)
    assert sum(want.size is got.size for want, got in found) >= 0.96 * len(found)
    assert sum(want.owner is got.owner for want, got in ships) >= 0.97 * len(ships)
    assert sum(want.role is got.role for want, got in found) >= 0.94 * len(found)


def test_headings_and_places_are_read() -> None:
    """Headings in the players' frame; distances between pieces in mm, whatever the table's origin."""
    turns: list[float] = []
    ratios: list[float] = []
    for seed in SEEDS:
        found = [(want, got) for want, got in matched(homeworlds_picture(seed), read(seed)) if got is not None]
        for want, got in found:
            if want.heading_deg is not None and got.heading_deg is not None:
                turns.append(abs((want.heading_deg - got.heading_deg + 180) % 360 - 180))
        true = np.array([want.place for want, _ in found])
        seen = np.array([got.place for _, got in found])
        ratios.append(float(np.ptp(seen, axis=0).max() / np.ptp(true, axis=0).max()))
    assert np.median(turns) < 10
    assert np.quantile(turns, 0.95) < 25
    assert np.median(np.abs(np.array(ratios) - 1)) < 0.05


def test_systems_name_their_own_pieces() -> None:
    for seed in SEEDS:
        sight = read(seed)
        assert sight.systems
        assert sight.trouble is None
        for number, system in enumerate(sight.systems):
            assert {sight.pieces[index].role for index in system.stars} == {Role.STAR}
            assert {sight.pieces[index].role for index in system.ships} == {Role.SHIP}
            assert {sight.pieces[index].system for index in (*system.stars, *system.ships)} == {number}
        assert all(len(system.stars) == 2 for system in sight.systems if system.home is not None)


def test_every_stage_tells_its_seconds() -> None:
    assert {"colors", "viewpoint", "pieces", "systems"} <= set(read(0).seconds)
    assert all(0 <= seconds < 60 for seconds in read(0).seconds.values())


def test_confidences_are_probabilities() -> None:
    for seed in SEEDS:
        for piece in read(seed).pieces:
            assert 0 < piece.confidence <= 1
            assert all(0 <= other.probability <= 1 for other in piece.alternatives)


def test_the_same_picture_reads_the_same() -> None:
    picture = homeworlds_picture(0)
    again = see_systems(picture.image, south=View.random(0).south, kit=KIT)
    assert again.pieces == read(0).pieces
    assert again.systems == read(0).systems


def test_large_pictures_are_told_in_their_own_pixels() -> None:
    view = replace(View.random(2), width=2560, height=1920)
    picture = photograph(layout_of(random_homeworlds(2)), seed=2, view=view)
    sight = see_systems(picture.image, south=view.south, kit=KIT)
    assert sight.size == (2560, 1920)
    pairs = matched(picture, sight)
    found = [(want, got) for want, got in pairs if got is not None]
    assert len(found) >= 0.95 * len(pairs)
    offs = [np.subtract(want.tip, got.tip) for want, got in found]
    assert np.median(np.linalg.norm(offs, axis=1)) < 6
    assert np.abs(np.median(offs, axis=0)).max() < 3


@pytest.mark.parametrize("table", ["white", "oak", "black"])
def test_an_empty_table_is_trouble_told_in_a_sentence(table: str) -> None:
    picture = photograph(SystemsLayout((), {}), seed=1, view=View(table=table, width=640, height=480))
    _is_trouble(see_systems(picture.image, kit=KIT), (640, 480))


@pytest.mark.parametrize("shape", [(48, 64), (480, 640), (1, 1), (3, 900)])
@pytest.mark.parametrize("grey", [0, 127, 255])
def test_a_plain_picture_is_trouble(shape: tuple[int, int], grey: int) -> None:
    image = np.full((*shape, 3), grey, np.uint8)
    _is_trouble(see_systems(image, kit=KIT), (shape[1], shape[0]))


def test_one_piece_alone_shows_no_viewpoint() -> None:
    camera = Camera.looking_at((0, 0), azimuth_deg=270, elevation_deg=60, distance=400, focal=800, size=(640, 480))
    image = np.full((480, 640, 3), 190, np.uint8)
    outline = Pose(Size.LARGE, Posture.LYING, 0, 0, 90).outline(camera)
    cv2.fillConvexPoly(image, np.round(outline).astype(np.int32), (40, 30, 200))
    _is_trouble(see_systems(image, kit=KIT), (640, 480))


def test_small_pictures_are_read_or_refused() -> None:
    picture = homeworlds_picture(0)
    tiny = np.asarray(cv2.resize(picture.image, (64, 48), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    _is_sound(see_systems(tiny, kit=KIT), (64, 48))


@pytest.mark.parametrize(("seed", "south"), list(zip((2, 1, 10, 11), ImageSide, strict=True)))
def test_noise_raises_nothing(seed: int, south: ImageSide) -> None:
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 256, (3, 4, 3), dtype=np.uint8)
    pictures = [
        rng.integers(0, 256, (48, 64, 3), dtype=np.uint8),
        rng.integers(0, 256, (120, 160, 3), dtype=np.uint8),
        np.asarray(cv2.resize(coarse, (160, 120), interpolation=cv2.INTER_NEAREST), dtype=np.uint8),
        np.asarray(cv2.resize(coarse, (128, 96), interpolation=cv2.INTER_CUBIC), dtype=np.uint8),
    ]
    for image in pictures:
        _is_sound(see_systems(image, south=south, kit=KIT), (image.shape[1], image.shape[0]))


def test_patches_that_are_no_pieces_raise_nothing() -> None:
    image = np.full((240, 320, 3), 190, np.uint8)
    for y in (40, 120, 200):
        cv2.rectangle(image, (20, y), (300, y + 6), (40, 30, 200), -1)
    _is_sound(see_systems(image, kit=KIT), (320, 240))


def test_one_colour_only_raises_nothing() -> None:
    for bgr in ((40, 30, 200), (20, 190, 220), (60, 140, 30), (180, 60, 30)):
        _is_sound(see_systems(np.full((120, 160, 3), bgr, np.uint8), kit=KIT), (160, 120))


def _is_trouble(sight: Sight, size: tuple[int, int]) -> None:
    assert (sight.size, sight.pieces, sight.systems, sight.board) == (size, (), (), None)
    assert sight.trouble is not None
    assert sight.trouble.endswith(".")
    assert ":" in sight.trouble  # what is wrong, then what to do


def _is_sound(sight: Sight, size: tuple[int, int]) -> None:
    """Whatever was seen in a picture without pyramids, it is well formed."""
    assert sight.size == size
    for piece in sight.pieces:
        assert len(piece.outline) >= 3
        assert np.isfinite(np.array(piece.outline)).all()
        assert isinstance(piece.color, Color)
        assert 0 <= piece.confidence <= 1
    assert sight.trouble is None or sight.trouble.endswith(".")
