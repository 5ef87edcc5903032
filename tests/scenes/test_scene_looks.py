"""Every texture, light, board and thing can be drawn, and the two looks share nothing that tells them apart."""

from __future__ import annotations

import numpy as np
import pytest

from scenes.boards import board_picture
from scenes.clutter import CLUTTER, token
from scenes.lens import Development, developed
from scenes.lighting import lit
from scenes.lookalikes import paper_triangles
from scenes.looks import LOOKS, TRAINING, VALIDATION, Look
from scenes.textures import TEXTURES
from scenes.tracer.picture import first_met
from scenes.tracer.world import Builder


def every(field: str) -> list[tuple[Look, str]]:
    """Each name in a field of each look."""
    return [(look, name) for look in LOOKS.values() for name in sorted(set(getattr(look, field)))]


@pytest.mark.parametrize("name", sorted(TEXTURES))
@pytest.mark.parametrize("mm", [0.3, 0.8])
def test_textures(name: str, mm: float) -> None:
    picture = TEXTURES[name](np.random.default_rng(1), mm)
    assert picture.dtype == np.uint8
    assert picture.shape[0] == picture.shape[1]
    assert picture.mean() > 5


@pytest.mark.parametrize("field", ["tables", "mats", "lights", "sharpening", "boards"])
def test_looks_are_apart(field: str) -> None:
    assert not set(getattr(TRAINING, field)) & set(getattr(VALIDATION, field))


@pytest.mark.parametrize("field", ["kelvin", "view_deg"])
def test_ranges_of_looks_are_apart(field: str) -> None:
    for low, high in getattr(TRAINING, field):
        for other_low, other_high in getattr(VALIDATION, field):
            assert high <= other_low or other_high <= low


@pytest.mark.parametrize(("look", "name"), every("lights"))
def test_lights(look: Look, name: str) -> None:
    lamps, room, kelvin, color = lit(name, look, (0.4, 0.3, 0.2), (0, -300, 400), np.random.default_rng(1))
    assert all(lamp.position[2] > 0 for lamp in lamps)
    assert min(room.zenith) > 0
    assert 2300 < kelvin < 7600
    assert min(color) > 0


@pytest.mark.parametrize(("look", "name"), every("boards"))
def test_boards_have_a_dark_first_field(look: Look, name: str) -> None:
    board = board_picture(name, 34.3, 10.0, np.random.default_rng(3)).astype(float)
    side = board.shape[0]
    field = 34.3 / 0.4
    first = board[
        int(side - 25 - 0.8 * field) : int(side - 25 - 0.2 * field), int(25 + 0.2 * field) : int(25 + 0.8 * field)
    ]
    second = board[
        int(side - 25 - 0.8 * field) : int(side - 25 - 0.2 * field), int(25 + 1.2 * field) : int(25 + 1.8 * field)
    ]
    assert look.boards.count(name) == 1
    assert first.mean() < second.mean() - 10


@pytest.mark.parametrize("name", sorted(CLUTTER))
def test_clutter_stands_on_the_table(name: str) -> None:
    rng = np.random.default_rng(2)
    _, room, _, _ = lit("lamp", TRAINING, (0.4, 0.3, 0.2), (0, -300, 400), rng)
    builder = Builder(room, [])
    CLUTTER[name][0](builder, (60.0, 40.0), rng)
    token(builder, (0.0, 0.0), 0.0, rng)
    world = builder.build()
    assert len(world.kind) >= 2
    assert (world.center[:, 2] > 0).all()


def test_paper_triangles_are_flat_and_seen() -> None:
    _, room, _, _ = lit("lamp", TRAINING, (0.4, 0.3, 0.2), (0, -300, 400), np.random.default_rng(1))
    builder = Builder(room, [])
    paper_triangles(builder, (0.0, 0.0), np.random.default_rng(5))
    world = builder.build()
    heights = []
    for x, y in np.random.default_rng(1).uniform(-60, 60, (400, 2)):
        thing, reach = first_met(world, np.array([x, y, 100.0]), np.array([0.0, 0.0, -1.0]))
        if thing >= 0:
            heights.append(100.0 - reach)
    assert len(heights) > 10
    assert 0 < max(heights) < 1.0


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS.keys())
def test_development(look: Look) -> None:
    light = np.full((60, 80, 3), 0.2, np.float32)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        how = Development.drawn(look, (1.2, 1.0, 0.7), rng)
        assert 50 <= how.jpeg <= 95
        assert 8 < developed(light, how, rng).mean() < 250
