"""Where every piece lies: the layout set out by :mod:`vision.virtual.arrange`, then disturbed as people do.

Pieces here have a full pose, since tilted ones lean on others. Table frame in mm, z up, South at negative y.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.poses import Pose
from vision.sight import Role, Seat
from vision.solids import Array, Color, Posture, Size, solid
from vision.virtual.arrange import FIELD, PlacedPiece, arrange_board, arrange_systems, cell_center
from vision.virtual.layout import BoardLayout, Kind, SystemsLayout


@dataclass(frozen=True)
class Standing:
    """A piece on the table.

    Attributes:
        posture: ``"upright"``, ``"lying"`` or ``"tilted"``.
        vertices: (5, 3) mm, the tip, then the base corners as :func:`vision.solids.solid` orders them, for lying
            pieces as :func:`vision.solids.lying` does.
    """

    color: Color
    size: Size
    posture: str
    role: Role
    owner: Seat | None
    system: int | None
    cell: tuple[int, int] | None
    x: float
    y: float
    z: float
    heading_deg: float
    vertices: Array

    @property
    def frame(self) -> tuple[Array, Array]:
        """Middle of the base (3,), and (3, 3) body axes as rows."""
        middle = self.vertices[1:].mean(0)
        z = (self.vertices[0] - middle) / self.size.height
        x = (self.vertices[2] - self.vertices[1]) / self.size.base
        return middle, np.array([x, np.cross(z, x), z])


def systems_on_table(layout: SystemsLayout, rng: np.random.Generator) -> list[Standing]:
    """A game of Homeworlds, set out with its owners' sloppiness."""
    return [_standing(piece) for piece in arrange_systems(layout, rng, float(rng.uniform(0.3, 1.1)))]


def board_on_table(layout: BoardLayout, pitch: float, top: float, rng: np.random.Generator) -> list[Standing]:
    """A game of Settlers on a board with fields of *pitch* mm whose surface lies *top* mm above the table."""
    pieces = []
    for piece in arrange_board(layout, rng, float(rng.uniform(0.3, 1.1))):
        pose = piece.pose
        if piece.cell is not None:
            x, y = cell_center(piece.cell)
            grow = pitch / FIELD - 1
            pose = replace(pose, x=pose.x + grow * x, y=pose.y + grow * y, z=pose.z + top)
        pieces.append(_standing(replace(piece, pose=pose)))
    return pieces


def scattered(kinds: Sequence[Kind], rng: np.random.Generator) -> list[Standing]:
    """Pieces knocked over or poured out: lying anyhow, some still standing, some tilted on others."""
    pieces: list[Standing] = []
    spread = 14.0 * math.sqrt(len(kinds)) + 25
    for color, size in kinds:
        for _ in range(40):
            x, y = rng.normal(0, spread, 2)
            posture = Posture.UPRIGHT if rng.random() < 0.25 else Posture.LYING
            pose = Pose(size, posture, float(x), float(y), float(rng.uniform(0, 360)))
            if all(apart(pose.footprint(), piece.vertices[:, :2], 0.5) for piece in pieces):
                piece = _standing(PlacedPiece(pose, color, Role.LOOSE))
                pieces.append(_leaning(piece, rng) if rng.random() < 0.18 else piece)
                break
    return pieces


def touching(pieces: Sequence[Standing], rng: np.random.Generator) -> list[Standing]:
    """Some ships pushed towards the middle of their system until they nearly touch something."""
    moved = list(pieces)
    for index, piece in enumerate(moved):
        stars = [other for other in moved if other.role is Role.STAR and other.system == piece.system]
        if piece.role is not Role.SHIP or not stars or piece.system is None or rng.random() < 0.6:
            continue
        step = np.array([stars[0].x - piece.x, stars[0].y - piece.y])
        step = step / (np.linalg.norm(step) + 1e-9) * 0.4
        for _ in range(60):
            nearer = shifted(moved[index], step[0], step[1])
            others = moved[:index] + moved[index + 1 :]
            if not all(apart(nearer.vertices[:, :2], other.vertices[:, :2], 0.1) for other in others):
                break
            moved[index] = nearer
    return moved


def shifted(piece: Standing, dx: float, dy: float) -> Standing:
    """The piece somewhere else on the table."""
    return replace(piece, x=piece.x + dx, y=piece.y + dy, vertices=piece.vertices + np.array([dx, dy, 0.0]))


def apart(one: Array, other: Array, gap: float) -> bool:
    """Whether an axis through corners of *one* or *other* ((N, 2) mm) separates them by *gap* mm."""
    if np.linalg.norm(one.mean(0) - other.mean(0)) > 70:
        return True
    for polygon in (one, other):
        edges = (polygon[:, None] - polygon[None]).reshape(-1, 2)
        edges = edges[np.linalg.norm(edges, axis=1) > 1e-6]
        normals = np.column_stack([edges[:, 1], -edges[:, 0]]) / np.linalg.norm(edges, axis=1, keepdims=True)
        a, b = one @ normals.T, other @ normals.T
        if np.maximum(a.min(0) - b.max(0), b.min(0) - a.max(0)).max() >= gap:
            return True
    return False


def _standing(piece: PlacedPiece) -> Standing:
    pose = piece.pose
    return Standing(
        piece.color,
        pose.size,
        pose.posture.value,
        piece.role,
        piece.owner,
        piece.system,
        piece.cell,
        pose.x,
        pose.y,
        pose.z,
        pose.heading_deg % 360,
        pose.vertices(),
    )


def _leaning(piece: Standing, rng: np.random.Generator) -> Standing:
    """The same piece as if something under its rim held it up: its lowest corner on the table."""
    tilt, turn = math.radians(float(rng.uniform(12, 75))), math.radians(float(rng.uniform(0, 360)))
    spin = math.radians(float(rng.uniform(0, 360)))
    body = solid(piece.size) @ _about_z(spin).T
    c, s = math.cos(tilt), math.sin(tilt)
    body = body @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]]) @ _about_z(turn).T
    body += np.array([piece.x, piece.y, -body[:, 2].min()]) - np.array([*body[:, :2].mean(0), 0.0])
    lean = body[0] - body[1:].mean(0)
    heading = math.degrees(math.atan2(lean[1], lean[0])) % 360
    return replace(piece, posture="tilted", heading_deg=heading, vertices=body)


def _about_z(angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
