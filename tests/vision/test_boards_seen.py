"""Boards that are hard to see: full ones from a low seat, lines that go on beside them, fields of any width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes import Detections, Eyes
from vision.finding.board_camera import fields_to_mm
from vision.finding.board_lattice import apply
from vision.fusing.field_width import OFFICIAL_FIELD
from vision.fusing.presence import gathered, weighed
from vision.fusing.table_fit import fit_table
from vision.look_board import look_board
from vision.poses import Pose
from vision.sight import ImageSide, Sight
from vision.solids import Array, Color, Posture, Size

KIT = {(color, size): 3 for color in Color for size in Size}
SIZE = (1280, 960)
GREY = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
ALL_FIELDS = [(file, rank) for file in range(6) for rank in range(6)]
KINDS = [kind for kind, count in KIT.items() for _ in range(count)]
Ship = tuple[tuple[int, int], Color, Size]
SWING = 12.0  # degrees by which players lay their ships askew


class BoardEyes(Eyes):
    """Eyes that tell of ships on a board what a good net would: all in sight, and the crossings that they leave free.

    Args:
        strays: (M, 2) lattice points beyond the board at which lines seem to cross, too.
        pips: by how much pips speak for the size of each ship, as a log-likelihood.
    """

    def __init__(
        self,
        ships: Sequence[Ship],
        camera: Camera,
        field_mm: float,
        strays: Sequence[tuple[int, int]] = (),
        pips: float = 0.0,
    ) -> None:
        super().__init__()
        self.ships, self.camera, self.field_mm, self.strays = ships, camera, field_mm, strays
        self.pips = pips

    def look(self, image: NDArray[np.uint8]) -> Detections:
        """What is there, give or take half a pixel."""
        assert image.shape[1::-1] == SIZE
        rng = np.random.default_rng(len(self.ships))
        poses = [self._pose(cell, size, rng) for cell, _, size in self.ships]
        outlines = [pose.outline(self.camera) for pose in poses]
        count = len(poses)
        corners = np.array([pose.keypoints(self.camera) for pose in poses]).reshape(count, 5, 2)
        return Detections(
            score=np.full(count, 0.9),
            glance=np.full(count, 0.9),
            closer=np.full(count, 0.9),
            speaks=np.ones(count, dtype=bool),
            centers=corners.mean(1),
            corners=corners + rng.normal(0, 0.5, corners.shape),
            corner_blur=np.full((count, 5), 0.7),
            lying=np.full(count, 0.98),
            colors=np.array([[0.97 if color is ship[1] else 0.01 for color in Color] + [0.0] for ship in self.ships]),
            sizes=np.full((count, 3), 1 / 3),
            pips=self.pips * np.array([[float(size == ship[2]) for size in Size] for ship in self.ships]),
            edges=np.zeros((count, 3)),
            visible=np.full(count, 0.9),
            under=np.zeros(count, dtype=bool),
            above=np.zeros(count),
            crossings=self._crossings(outlines, rng),
            token=None,
            plastic=_area(outlines),
            board=_area([self._seen(np.array([[0, 0], [6, 0], [6, 6], [0, 6]], dtype=np.float64))]),
            cell=4.0,
        )

    def look_again(self, seen: Detections, expected: Array, lit: NDArray[np.uint8]) -> Detections:
        """The same as at first."""
        assert len(seen) == len(expected)
        return self.look(lit)

    def look_for(
        self, like: Detections, corners: Array, lit: NDArray[np.uint8], *, under: bool = False
    ) -> Detections:
        """Nobody asks: on this board nothing stands."""
        assert not len(like), under
        assert not len(corners)
        assert lit.size
        return like

    def count_pips(
        self, seen: Detections, expected: Array, lying: NDArray[np.bool_], lit: NDArray[np.uint8]
    ) -> Detections:
        """None can be seen on grey; what was told of them stays."""
        assert len(seen) == len(expected) == len(lying)
        assert lit.size
        return seen

    def _pose(self, cell: tuple[int, int], size: Size, rng: np.random.Generator) -> Pose:
        heading = 90.0 + float(rng.uniform(-SWING, SWING)) + 180.0 * (sum(cell) % 2)
        pose = Pose(size, Posture.LYING, 0.0, 0.0, heading)
        x, y = apply(fields_to_mm(self.field_mm), np.array([cell]) + 0.5)[0] - pose.footprint().mean(0)
        return Pose(size, Posture.LYING, float(x), float(y), heading)

    def _seen(self, fields: Array) -> Array:
        ground = apply(fields_to_mm(self.field_mm), fields)
        return self.camera.project(np.column_stack([ground, np.zeros(len(ground))]))

    def _crossings(self, outlines: Sequence[Array], rng: np.random.Generator) -> Array:
        lines = np.array([(u, v) for u in range(7) for v in range(7)] + list(self.strays), dtype=np.float64)
        there = self._seen(lines)
        hidden = [
            any(
                cv2.pointPolygonTest(outline.astype(np.float32), (float(x), float(y)), False) >= 0
                for outline in outlines
            )
            for x, y in there
        ]
        free = there[~np.array(hidden)]
        return np.column_stack([free + rng.normal(0, 0.5, free.shape), np.full(len(free), 0.8)])


def _area(rings: Sequence[Array]) -> NDArray[np.float32]:
    area = np.zeros((SIZE[1] // 4, SIZE[0] // 4), np.float32)
    for ring in rings:
        cv2.fillConvexPoly(area, np.round(ring / 4).astype(np.int32), 0.9)
    return area


def camera(elevation_deg: float, distance: float = 480.0) -> Camera:
    return Camera.looking_at(
        (0, 0), azimuth_deg=272, elevation_deg=elevation_deg, distance=distance, focal=1050, size=SIZE
    )


def ships_on(fields: Sequence[tuple[int, int]]) -> list[Ship]:
    """One of each kind after the other, mixed."""
    order = np.random.default_rng(5).permutation(len(KINDS))
    return [(field, *KINDS[order[index]]) for index, field in enumerate(fields)]


def read(eyes: BoardEyes) -> Sight:
    sight = look_board(GREY, eyes, south=ImageSide.BOTTOM, kit=KIT)
    assert sight.trouble is None
    return sight


def placed(sight: Sight) -> set[Ship]:
    """What was read on each field; the grey picture does not tell which end is whose."""
    return {(piece.cell, piece.color, piece.size) for piece in sight.pieces if piece.cell is not None}


def turned(ships: Sequence[Ship]) -> list[set[Ship]]:
    """The ships as either player sees them."""
    return [set(ships), {((5 - file, 5 - rank), color, size) for (file, rank), color, size in ships}]


@pytest.mark.parametrize("elevation", [26, 34, 50])
def test_a_full_board_is_found_by_its_ships_where_they_hide_its_lines(elevation: float) -> None:
    ships = ships_on(ALL_FIELDS)
    assert placed(read(BoardEyes(ships, camera(elevation), OFFICIAL_FIELD))) in turned(ships)


@pytest.mark.parametrize("along", [-1, 7])
def test_lines_that_go_on_beside_the_board_do_not_shift_it(along: int) -> None:
    ships = ships_on(ALL_FIELDS[::2])
    strays = [(along, v) for v in range(7)]
    assert placed(read(BoardEyes(ships, camera(60), OFFICIAL_FIELD, strays))) in turned(ships)


@pytest.mark.parametrize("field_mm", [30.0, 34.29, 38.5, 44.0])
@pytest.mark.parametrize("elevation", [35, 80])
def test_boards_made_at_home_have_fields_of_any_width(field_mm: float, elevation: float) -> None:
    ships = ships_on(ALL_FIELDS[::3])
    sight = read(BoardEyes(ships, camera(elevation, 560.0), field_mm))
    assert sight.board is not None
    assert sight.board.field_mm == pytest.approx(field_mm, rel=0.05)
    assert placed(sight) in turned(ships)


def test_pips_tell_how_wide_fields_are_where_all_ships_are_of_one_size() -> None:
    """By their scale alone large ships on fields as wide as these are medium ones on official fields."""
    field_mm = OFFICIAL_FIELD * Size.LARGE.base / Size.MEDIUM.base
    ships = [(field, color, Size.LARGE) for field, color in zip(ALL_FIELDS[::4], list(Color) * 3, strict=False)]
    by_scale, by_pips = (read(BoardEyes(ships, camera(50, 560.0), field_mm, pips=pips)) for pips in (0.0, 6.0))
    assert by_scale.board is not None
    assert by_scale.board.field_mm == pytest.approx(OFFICIAL_FIELD, rel=0.05)
    assert by_pips.board is not None
    assert by_pips.board.field_mm == pytest.approx(field_mm, rel=0.05)
    assert placed(by_pips) in turned(ships)


def test_a_ship_in_the_middle_of_a_field_is_likelier_than_one_between_fields() -> None:
    """Of ships of which the eyes are not sure: where they are, fields need not say anything."""
    eyes = BoardEyes(ships_on(ALL_FIELDS[::4]), camera(50), OFFICIAL_FIELD)
    hardly = np.full(9, 0.3)
    seen = replace(eyes.look(GREY), score=hardly, glance=hardly, closer=hardly)
    fit = fit_table(seen, SIZE, ImageSide.BOTTOM, camera=eyes.camera)
    assert fit is not None
    between = OFFICIAL_FIELD / np.sqrt(2)  # half a field along and half a field across
    beside = replace(fit, poses=tuple(pose and replace(pose, y=pose.y + between) for pose in fit.poses))
    there, less = (weighed(gathered(seen, each, GREY, OFFICIAL_FIELD)).score for each in (fit, beside))
    assert (there > less).all()
    one, same = (weighed(gathered(seen, each, GREY)).score for each in (fit, beside))
    np.testing.assert_allclose(one, same, atol=1e-6)  # without a board
