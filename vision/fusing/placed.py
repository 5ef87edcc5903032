"""A table on which every piece has its place, ready to be told: what the readers of both games end with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.camera import Camera
from vision.eyes.detections import Detections, together
from vision.fusing.judging import KINDS, Judged, judge, kind_probabilities
from vision.fusing.kinds import best_readings, marginals
from vision.fusing.trust import trusted
from vision.in_sight import middles_in_sight
from vision.poses import Pose, hull, keypoints_of
from vision.sight import Role, SeenPiece
from vision.solids import Array, Color, Posture, Size

READINGS = 24  # likeliest readings of all pieces together that are weighed against each other
SLOPPY_DEG = 7.0  # how gradually a ship's owner comes into doubt as it turns across
LEAST = 1e-3  # no owner and no posture is surer than this


@dataclass(frozen=True, eq=False)
class Placed:
    """N pieces on a table.

    Attributes:
        detections: what was seen of them. camera: that saw them, in the detections' px.
        poses: (N,) in the camera's table frame.
        sizes: (N, 3) probability of each size. lying: (N,) that a piece lies.
        axis_deg: where South's ships point, on the whole.
        roles, systems, cells: (N,) as in :class:`vision.sight.SeenPiece`.
    """

    detections: Detections
    camera: Camera
    poses: tuple[Pose, ...]
    sizes: Array
    lying: Array
    axis_deg: float
    roles: tuple[Role, ...]
    systems: tuple[int | None, ...]
    cells: tuple[tuple[int, int] | None, ...]

    def with_star(self, seen: Detections, pose: Pose, sizes: Array, system: int) -> Placed:
        """The same with one piece more, the last: another star of a system, *seen* alone, of *sizes* (3,)."""
        return replace(
            self,
            detections=together([self.detections, seen]),
            poses=(*self.poses, pose),
            sizes=np.vstack([self.sizes, sizes]),
            lying=np.append(self.lying, 0.0),
            roles=(*self.roles, Role.STAR),
            systems=(*self.systems, system),
            cells=(*self.cells, None),
        )


def told(placed: Placed, kit: Mapping[tuple[Color, Size], int]) -> tuple[SeenPiece, ...]:
    """The pieces with colour, size and owner as they are likeliest all together, each with its doubts."""
    kinds, chosen = _kinds(placed, kit)
    corners = keypoints_of(placed.poses, placed.camera)
    outlines = [hull(those) for those in corners]
    seen = placed.detections
    shows_more = np.lexsort((seen.score, seen.visible)).tolist()  # the more of a piece shows, the nearer it stands
    middles = middles_in_sight(outlines, shows_more, placed.camera.size)
    return tuple(
        _piece(placed, index, corners[index, 0], outlines[index], middles[index], kinds[index], chosen[index])
        for index in range(len(corners))
    )


def southern(headings_deg: Array, axis_deg: float) -> Array:
    """(N,) probability that ships with these headings are South's."""
    off = np.abs((headings_deg - axis_deg + 180) % 360 - 180)
    return np.asarray(LEAST + (1 - 2 * LEAST) / (1 + np.exp((off - 90) / SLOPPY_DEG)))


def _kinds(placed: Placed, kit: Mapping[tuple[Color, Size], int]) -> tuple[Array, Sequence[int]]:
    """(N, 12) probability of each kind under the kit, and each piece's kind in the likeliest reading."""
    each = kind_probabilities(placed.detections.our_colors, placed.sizes)
    readings = best_readings(each, [kit.get(kind, 0) for kind in KINDS], READINGS)
    shares = marginals(readings, len(KINDS))
    first = [kind if kind >= 0 else int(each[index].argmax()) for index, kind in enumerate(readings[0].kinds)]
    beyond = shares.sum(1) < 0.5  # more pieces than the set has: what it looks like, and not sure
    shares[beyond] = each[beyond] / 2
    return shares, first


def _piece(
    placed: Placed, index: int, tip: Array, outline: Array, center: Array, kinds: Array, chosen: int
) -> SeenPiece:
    pose, role = placed.poses[index], placed.roles[index]
    judged = _judged(placed, index, kinds, chosen)
    turn = math.radians(90 - placed.axis_deg)
    c, s = math.cos(turn), math.sin(turn)
    lying = pose.posture is Posture.LYING
    return SeenPiece(
        color=judged.color,
        size=judged.size,
        posture=pose.posture,
        role=role,
        owner=judged.owner if role is not Role.BANK else None,
        center=(float(center[0]), float(center[1])),
        tip=(float(tip[0]), float(tip[1])),
        outline=tuple((float(x), float(y)) for x, y in outline),
        heading_deg=(pose.heading_deg + math.degrees(turn)) % 360 if lying else None,
        place=(pose.x * c - pose.y * s, pose.x * s + pose.y * c),
        system=placed.systems[index],
        cell=placed.cells[index],
        confidence=judged.confidence,
        alternatives=judged.alternatives,
    )


def _judged(placed: Placed, index: int, kinds: Array, chosen: int) -> Judged:
    pose = placed.poses[index]
    lying = float(np.clip(placed.lying[index], LEAST, 1 - LEAST))
    sure_side = max(lying, 0.501) if pose.posture is Posture.LYING else min(lying, 0.499)
    south = float(southern(np.array([pose.heading_deg]), placed.axis_deg)[0])
    return trusted(judge(kinds, chosen, sure_side, south, there=float(placed.detections.score[index])))
