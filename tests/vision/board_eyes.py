"""Eyes that look at a board of which all is known, as good ones would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes import Detections, Eyes
from vision.eyes.halvings import Halvings
from vision.finding.board_camera import fields_to_mm
from vision.finding.board_lattice import apply
from vision.poses import Pose
from vision.solids import Array, Color, Posture, Size

KIT = {(color, size): 3 for color in Color for size in Size}
SIZE = (1280, 960)
GREY = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
ALL_FIELDS = [(file, rank) for file in range(6) for rank in range(6)]
KINDS = [kind for kind, count in KIT.items() for _ in range(count)]
Ship = tuple[tuple[int, int], Color, Size]
NEAR = 25.0  # px; who asks so near is told
SWING = 12.0  # degrees by which players lay their ships askew
BLURRED = 40.0  # px; corners that hardly tell a posture


class BoardEyes(Eyes):
    """Eyes that tell of ships on a board what a good net would: all in sight, and the crossings that they leave free.

    Args:
        strays: (M, 2) points beyond the board, in fields, at which lines cross, too.
        pips: by how much pips speak for the size of each ship, as a log-likelihood.
        overlooked: fields whose ships are told only to who asks there.
        on_checks: whether the table has checks like the board's, so that no area tells where the board ends.
        standing: fields on which a piece stands; ``blurred``: fields whose ships are so blurred that they seem to.
    """

    def __init__(
        self,
        ships: Sequence[Ship],
        camera: Camera,
        field_mm: float,
        strays: Sequence[tuple[float, float]] = (),
        pips: float = 0.0,
        overlooked: Sequence[tuple[int, int]] = (),
        on_checks: bool = False,
        standing: Sequence[tuple[int, int]] = (),
        blurred: Sequence[tuple[int, int]] = (),
    ) -> None:
        super().__init__()
        self.ships, self.camera, self.field_mm, self.strays = ships, camera, field_mm, strays
        self.pips, self.overlooked, self.standing, self.blurred = pips, overlooked, standing, blurred
        around = (-12.0, 18.0) if on_checks else (0.0, 6.0)
        self.area = np.array([[around[u], around[v]] for u, v in ((0, 0), (1, 0), (1, 1), (0, 1))])

    def look(self, lit: Halvings) -> Detections:
        """What is there and not overlooked, give or take half a pixel."""
        assert lit.image.shape[1::-1] == SIZE
        return self._all().only([index for index, ship in enumerate(self.ships) if ship[0] not in self.overlooked])

    def _all(self) -> Detections:
        rng = np.random.default_rng(len(self.ships))
        poses = [self._pose(cell, size, rng) for cell, _, size in self.ships]
        outlines = [pose.outline(self.camera) for pose in poses]
        count = len(poses)
        corners = np.array([pose.keypoints(self.camera) for pose in poses]).reshape(count, 5, 2)
        blurred = np.array([cell in self.blurred for cell, _, _ in self.ships], dtype=bool)
        lying = np.array([pose.posture is Posture.LYING for pose in poses], dtype=bool) & ~blurred
        return Detections(
            score=np.full(count, 0.9),
            glance=np.full(count, 0.9),
            closer=np.full(count, 0.9),
            speaks=np.ones(count, dtype=bool),
            centers=corners.mean(1),
            corners=corners + rng.normal(0, 0.5, corners.shape),
            corner_blur=np.where(blurred, BLURRED, 0.7)[:, None].repeat(5, axis=1),
            lying=np.where(lying, 0.98, 0.1),
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
            board=_area([self._seen(self.area)]),
            cell=4.0,
        )

    def look_again(self, seen: Detections, expected: Array, lit: Halvings) -> Detections:
        """Of each piece that is expected, what is really nearest to it."""
        assert len(seen) == len(expected)
        assert lit.image.shape[1::-1] == SIZE
        return self._all().only(np.unique(self._apart(expected).argmin(axis=1)))

    def look_for(self, like: Detections, corners: Array, lit: Halvings, *, under: bool = False) -> Detections:
        """What is really there, or no piece. On this board nothing is under others."""
        assert len(like) == len(corners)
        assert lit.image.shape[1::-1] == SIZE
        if not len(corners):
            return like
        assert not under
        apart = self._apart(corners)
        answers = self._all().only(apart.argmin(axis=1))
        return replace(answers, score=np.where(apart.min(axis=1) < NEAR, 0.9, 0.02))

    def _apart(self, corners: Array) -> Array:
        """(M, N) px from the middles of each of (M, 5, 2) corners to those of the ships."""
        return np.asarray(np.linalg.norm(corners.mean(1)[:, None] - self._all().corners.mean(1), axis=-1))

    def count_pips(self, seen: Detections, expected: Array, lying: NDArray[np.bool_], lit: Halvings) -> Detections:
        """None can be seen on grey; what was told of them stays."""
        assert len(seen) == len(expected) == len(lying)
        assert lit.image.shape[1::-1] == SIZE
        return seen

    def _pose(self, cell: tuple[int, int], size: Size, rng: np.random.Generator) -> Pose:
        heading = 90.0 + float(rng.uniform(-SWING, SWING)) + 180.0 * (sum(cell) % 2)
        posture = Posture.UPRIGHT if cell in self.standing else Posture.LYING
        pose = Pose(size, posture, 0.0, 0.0, heading)
        x, y = apply(fields_to_mm(self.field_mm), np.array([cell]) + 0.5)[0] - pose.footprint().mean(0)
        return Pose(size, posture, float(x), float(y), heading)

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
