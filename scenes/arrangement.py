"""Where every piece lies: the layout set out by :mod:`vision.virtual.arrange`, then disturbed as people do.

Pieces here have a full pose, since tilted ones lean on others. Table frame in mm, z up, South at negative y.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scenes.looks import AnyColor
from vision.poses import Pose
from vision.sight import Role, Seat
from vision.solids import Array, Posture, Size, nesting_step, solid
from vision.virtual.arrange import FIELD, arrange_board, arrange_systems, cell_center
from vision.virtual.layout import BoardLayout, Kind, SystemsLayout


@dataclass(frozen=True)
class Standing:
    """A piece on the table.

    Attributes:
        posture: ``"upright"``, ``"lying"`` or ``"tilted"``.
        vertices: (5, 3) mm, the tip, then the base corners as :func:`vision.solids.solid` orders them, for lying
            pieces as :func:`vision.solids.lying` does.
    """

    color: AnyColor
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
    """The systems of a game of Homeworlds, without its bank, set out with their owners' sloppiness."""
    placed = arrange_systems(SystemsLayout(layout.systems), rng, float(rng.uniform(0.3, 1.1)))
    pieces = [stood(piece.pose, piece.color, piece.role, piece.owner, piece.system) for piece in placed]
    return touching(other_binaries(pieces, rng), rng)


def board_on_table(layout: BoardLayout, pitch: float, top: float, rng: np.random.Generator) -> list[Standing]:
    """A game of Settlers, without its bank, on fields of *pitch* mm whose surface lies *top* mm above the table."""
    pieces = []
    for piece in arrange_board(BoardLayout(layout.cells), rng, float(rng.uniform(0.3, 1.1))):
        assert piece.cell is not None
        pose, (x, y) = piece.pose, cell_center(piece.cell)
        grow = pitch / FIELD - 1
        pose = replace(pose, x=pose.x + grow * x, y=pose.y + grow * y, z=pose.z + top)
        pieces.append(stood(pose, piece.color, piece.role, piece.owner, cell=piece.cell))
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
                piece = stood(pose, color, Role.LOOSE)
                pieces.append(leaning(piece, rng) if rng.random() < 0.18 else piece)
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


def other_binaries(pieces: Sequence[Standing], rng: np.random.Generator) -> list[Standing]:
    """Some binary stars as others build them: the larger over the smaller, or side by side in any direction."""
    rebuilt = list(pieces)
    for system in sorted({piece.system for piece in pieces if piece.system is not None}):
        pair = [k for k, piece in enumerate(rebuilt) if piece.system == system and piece.role is Role.STAR]
        if len(pair) != 2:
            continue
        way = rng.random()
        others = [piece for k, piece in enumerate(rebuilt) if k not in pair]
        low, high = sorted((rebuilt[k] for k in pair), key=lambda star: star.size)
        if way < 0.1 and rebuilt[pair[0]].x == rebuilt[pair[1]].x:
            stars = _over(high, low)
        elif way < 0.4:
            stars = _side_by_side(low, high, rng)
        else:
            continue
        if all(apart(star.vertices[:, :2], other.vertices[:, :2], 0.3) for star in stars for other in others):
            rebuilt[pair[0]], rebuilt[pair[1]] = stars
    return rebuilt


def _over(upper: Standing, lower: Standing) -> tuple[Standing, Standing]:
    """A stack of two, the first one on top; a larger piece swallows a smaller one."""
    step = nesting_step(lower.size, upper.size)
    bottom = Pose(lower.size, Posture.UPRIGHT, lower.x, lower.y, lower.heading_deg)
    top = Pose(upper.size, Posture.UPRIGHT, lower.x, lower.y, upper.heading_deg, step)
    return _stars((bottom, lower), (top, upper))


def _side_by_side(one: Standing, other: Standing, rng: np.random.Generator) -> tuple[Standing, Standing]:
    """Two stars face to face around where they were, nearly straight, with a small gap or none."""
    turn, gap = float(rng.uniform(0, 180)), float(rng.choice((0.3, 1.5, 5.0)))
    reach = (one.size.base + other.size.base) / 4 + gap / 2
    dx, dy = reach * math.cos(math.radians(turn)), reach * math.sin(math.radians(turn))
    x, y = (one.x + other.x) / 2, (one.y + other.y) / 2
    askew = rng.uniform(-1, 1, 2) * min(6.0, 2 * gap)
    return _stars(
        (Pose(one.size, Posture.UPRIGHT, x - dx, y - dy, turn + float(askew[0])), one),
        (Pose(other.size, Posture.UPRIGHT, x + dx, y + dy, turn + float(askew[1])), other),
    )


def _stars(*stars: tuple[Pose, Standing]) -> tuple[Standing, Standing]:
    first, second = (stood(pose, star.color, star.role, star.owner, star.system) for pose, star in stars)
    return first, second


def shifted(piece: Standing, dx: float, dy: float) -> Standing:
    """The piece somewhere else on the table."""
    return moved(piece, 0.0, (dx, dy))


def moved(piece: Standing, turn_deg: float, shift: tuple[float, float] = (0.0, 0.0)) -> Standing:
    """The piece turned around the table's origin, then shifted by (x, y) mm."""
    turn = about_z(math.radians(turn_deg))
    vertices = piece.vertices @ turn.T + np.array([*shift, 0.0])
    x, y, _ = (turn @ np.array([piece.x, piece.y, 0.0]) + np.array([*shift, 0.0])).tolist()
    return replace(piece, x=x, y=y, heading_deg=(piece.heading_deg + turn_deg) % 360, vertices=vertices)


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


def stood(
    pose: Pose,
    color: AnyColor,
    role: Role,
    owner: Seat | None = None,
    system: int | None = None,
    cell: tuple[int, int] | None = None,
) -> Standing:
    """A piece in one of the two usual postures."""
    heading, vertices = pose.heading_deg % 360, pose.vertices()
    place = (pose.x, pose.y, pose.z, heading, vertices)
    return Standing(color, pose.size, pose.posture.value, role, owner, system, cell, *place)


def leaning(piece: Standing, rng: np.random.Generator) -> Standing:
    """The same piece as if something under its rim held it up: its lowest corner on the table."""
    tilt, turn = math.radians(float(rng.uniform(12, 75))), math.radians(float(rng.uniform(0, 360)))
    spin = math.radians(float(rng.uniform(0, 360)))
    body = solid(piece.size) @ about_z(spin).T
    c, s = math.cos(tilt), math.sin(tilt)
    body = body @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]]) @ about_z(turn).T
    body += np.array([piece.x, piece.y, -body[:, 2].min()]) - np.array([*body[:, :2].mean(0), 0.0])
    lean = body[0] - body[1:].mean(0)
    heading = math.degrees(math.atan2(lean[1], lean[0])) % 360
    return replace(piece, posture="tilted", heading_deg=heading, vertices=body)


def about_z(angle: float) -> Array:
    """The rotation by *angle* radians, for columns."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
