"""Sets a layout out on a table as people would: roughly in place, roughly straight, each with room of its own.

Table frame in mm, its origin in the middle of the play; South sits at negative y.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.finding.footprints import clearance, footprint_of
from vision.poses import Pose
from vision.sight import Role, Seat
from vision.solids import Array, Color, Posture, Size, nesting_step
from vision.virtual.layout import BoardLayout, Kind, ShipSpec, SystemsLayout, SystemSpec

FIELD = 34.29  # mm, side of an official field: 1.35 in
HEADING_SPREAD = 25.0  # degrees, how far off people lay their ships
BETWEEN_SYSTEMS = 34.0  # mm of bare table between two systems
BANK_PITCH = 33.0  # mm between the stacks of the bank
STRAIGHT_AHEAD = {Seat.SOUTH: 90.0, Seat.NORTH: 270.0}
BOARD_DIAGONAL = 6 * FIELD * math.sqrt(2)


@dataclass(frozen=True)
class PlacedPiece:
    """A piece on the virtual table; ``level`` counts the pieces below it in its stack."""

    pose: Pose
    color: Color
    role: Role
    owner: Seat | None = None
    system: int | None = None
    cell: tuple[int, int] | None = None
    level: int = 0


def arrange_systems(layout: SystemsLayout, rng: np.random.Generator, sloppiness: float) -> list[PlacedPiece]:
    """Every piece of *layout* on the table: homes before their players, the bank at one side."""
    clusters = [_set_out_system(system, index, rng, sloppiness) for index, system in enumerate(layout.systems)]
    places, half_width = _spread_systems(layout.systems, [_radius(cluster) for cluster in clusters], rng)
    pieces = [
        replace(piece, pose=replace(piece.pose, x=piece.pose.x + x, y=piece.pose.y + y))
        for cluster, (x, y) in zip(clusters, places, strict=True)
        for piece in cluster
    ]
    side = float(rng.choice((-1, 1))) * (half_width + 4 * BANK_PITCH / 2 + 25)
    return pieces + _set_out_bank(layout.bank, (side, float(rng.uniform(-60, 60))), rng, sloppiness)


def arrange_board(layout: BoardLayout, rng: np.random.Generator, sloppiness: float) -> list[PlacedPiece]:
    """Every piece of *layout* on its field, the bank beside the board."""
    pieces: list[PlacedPiece] = []
    for cell, ship in sorted(layout.cells.items()):
        pose = _on_field(cell, ship, pieces, rng, sloppiness)
        pieces.append(PlacedPiece(pose, ship.color, Role.SHIP, ship.owner, cell=cell))
    side = float(rng.choice((-1, 1)))
    return pieces + _set_out_bank(layout.bank, (side * 160.0, side * -95.0), rng, sloppiness)


def _on_field(
    cell: tuple[int, int], ship: ShipSpec, lying: Sequence[PlacedPiece], rng: np.random.Generator, sloppiness: float
) -> Pose:
    """A ship somewhere on its field, laid again, and more carefully each time, while it runs into another."""
    x, y = cell_center(cell)
    for care in np.linspace(1.0, 0.0, 30):
        dx, dy = rng.uniform(-3.5, 3.5, 2) * sloppiness * care
        heading = _heading(ship.owner, rng, sloppiness * float(care))
        pose = Pose(ship.size, Posture.LYING, x + float(dx), y + float(dy), heading)
        if all(_apart(pose, other.pose, 0.0) for other in lying):
            break
    return pose


def cell_center(cell: tuple[int, int]) -> tuple[float, float]:
    """(x, y) mm of a field's centre: files run up-right, ranks up-left, seen from South."""
    across, along = (cell[0] - 2.5) * FIELD, (cell[1] - 2.5) * FIELD
    return (across - along) / math.sqrt(2), (across + along) / math.sqrt(2)


def board_corners() -> Array:
    """(4, 3) mm: the outer corners of the fields a1, f1, f6 and a6 on the table."""
    half = BOARD_DIAGONAL / 2
    return np.array([[0, -half, 0], [half, 0, 0], [0, half, 0], [-half, 0, 0]], dtype=np.float64)


def _heading(owner: Seat, rng: np.random.Generator, sloppiness: float) -> float:
    return STRAIGHT_AHEAD[owner] + float(rng.uniform(-HEADING_SPREAD, HEADING_SPREAD)) * sloppiness


def _set_out_system(system: SystemSpec, index: int, rng: np.random.Generator, sloppiness: float) -> list[PlacedPiece]:
    """A system around the origin: stars in the middle, each player's ships in a row on their own side."""
    pieces = [
        PlacedPiece(pose, color, Role.STAR, None, index, level=level)
        for pose, color, level in _set_out_stars(system.stars, rng)
    ]
    for owner in (Seat.SOUTH, Seat.NORTH):
        row = [ship for ship in system.ships if ship.owner is owner]
        pieces += _set_out_row(row, pieces, index, rng, sloppiness)
    return pieces


def _set_out_stars(stars: Sequence[Kind], rng: np.random.Generator) -> list[tuple[Pose, Color, int]]:
    turn = float(rng.uniform(-45, 45))
    if len(stars) < 2:
        return [(Pose(size, Posture.UPRIGHT, 0, 0, turn), color, 0) for color, size in stars]
    ordered = sorted(stars, key=lambda star: -star[1])
    if rng.random() < 0.7:
        return _stack(ordered, 0.0, 0.0, turn, rng)
    (left_color, left), (right_color, right) = ordered[0], ordered[1]
    shift = (left.base + right.base) / 4 + 1.5
    straight = float(rng.uniform(-6, 6))
    return [
        (Pose(left, Posture.UPRIGHT, -shift, 0, straight), left_color, 0),
        (Pose(right, Posture.UPRIGHT, shift, 0, straight + float(rng.uniform(-5, 5))), right_color, 0),
    ]


def _stack(
    kinds: Sequence[Kind], x: float, y: float, turn: float, rng: np.random.Generator
) -> list[tuple[Pose, Color, int]]:
    """Pieces over each other, the first at the bottom."""
    stack: list[tuple[Pose, Color, int]] = []
    z = 0.0
    for level, (color, size) in enumerate(kinds):
        if level:
            z += nesting_step(kinds[level - 1][1], size)
        wobble = float(rng.uniform(-4, 4))
        stack.append((Pose(size, Posture.UPRIGHT, x, y, turn + wobble, z), color, level))
    return stack


def _set_out_row(
    ships: Sequence[ShipSpec],
    standing: Sequence[PlacedPiece],
    index: int,
    rng: np.random.Generator,
    sloppiness: float,
) -> list[PlacedPiece]:
    """Ships of one owner side by side, pushed away from the stars until nothing touches."""
    row: list[PlacedPiece] = []
    order = [ships[i] for i in rng.permutation(len(ships))]
    width = sum(ship.size.base + 9 for ship in order)
    x = -width / 2 + float(rng.uniform(-8, 8))
    for ship in order:
        outward = -1.0 if ship.owner is Seat.SOUTH else 1.0
        x += (ship.size.base + 9) / 2
        y, heading = outward * (ship.size.slant / 2 + 4), _heading(ship.owner, rng, sloppiness)
        for _ in range(60):
            pose = Pose(ship.size, Posture.LYING, x, y, heading)
            if all(_apart(pose, other.pose, 2.0) for other in (*standing, *row)):
                break
            x, y = x + 0.6, y + outward * 1.5
        row.append(PlacedPiece(pose, ship.color, Role.SHIP, ship.owner, index))
        x = pose.x + (ship.size.base + 9) / 2
    return row


def come_to(
    ship: ShipSpec, standing: Sequence[PlacedPiece], index: int, rng: np.random.Generator, sloppiness: float
) -> PlacedPiece:
    """A ship that comes to a system around the origin, where there is room for it beside what is *standing* there."""
    heading = _heading(ship.owner, rng, sloppiness)
    outward = -1.0 if ship.owner is Seat.SOUTH else 1.0
    near = ship.size.slant / 2 + 4
    spots = [(x, outward * (near + y)) for x in np.arange(-90, 91, 5.0) for y in np.arange(0, 41, 5.0)]
    wobble = rng.uniform(-2, 2, 2)
    for x, y in sorted(spots, key=lambda spot: math.hypot(*spot)):
        pose = Pose(ship.size, Posture.LYING, x + float(wobble[0]), y + float(wobble[1]), heading)
        if all(_apart(pose, other.pose, 2.0) for other in standing):
            break
    return PlacedPiece(pose, ship.color, Role.SHIP, ship.owner, index)


def _apart(one: Pose, other: Pose, gap: float) -> bool:
    """Whether a straight line separates two footprints by *gap* mm."""
    return clearance(footprint_of(one), footprint_of(other)) >= gap


def _radius(cluster: Iterable[PlacedPiece]) -> float:
    return max((float(np.linalg.norm(piece.pose.footprint(), axis=1).max()) for piece in cluster), default=10.0)


def _spread_systems(
    systems: Sequence[SystemSpec], radii: Sequence[float], rng: np.random.Generator
) -> tuple[list[tuple[float, float]], float]:
    """A place for each system and half the width of the area: homes first, the others between them."""
    half_width, half_height = 150.0, 130.0
    order = sorted(range(len(systems)), key=lambda i: (systems[i].home is None, -radii[i]))
    while True:
        places: dict[int, tuple[float, float]] = {}
        for index in order:
            place = _free_place(systems[index], radii[index], places, radii, (half_width, half_height), rng)
            if place is None:
                break
            places[index] = place
        if len(places) == len(systems):
            return [places[index] for index in range(len(systems))], half_width
        half_width, half_height = half_width * 1.06, half_height * 1.06


def _free_place(
    system: SystemSpec,
    radius: float,
    places: Mapping[int, tuple[float, float]],
    radii: Sequence[float],
    half: tuple[float, float],
    rng: np.random.Generator,
) -> tuple[float, float] | None:
    """A spot with bare table around it, or ``None`` after forty tries."""
    reach_x, reach_y = max(1.0, half[0] - radius), max(1.0, half[1] - radius)
    for _ in range(40):
        x, y = float(rng.uniform(-reach_x, reach_x)), float(rng.uniform(-reach_y, reach_y))
        if system.home is not None:
            x, y = x * 0.6, reach_y * float(rng.uniform(0.9, 1.0)) * (-1 if system.home is Seat.SOUTH else 1)
        if all(math.dist((x, y), place) > radius + radii[other] + BETWEEN_SYSTEMS for other, place in places.items()):
            return x, y
    return None


def _set_out_bank(
    bank: Mapping[Kind, int], center: tuple[float, float], rng: np.random.Generator, sloppiness: float
) -> list[PlacedPiece]:
    """Stacks of a kind: colours from left to right, large to small from back to front as South sees them."""
    pieces: list[PlacedPiece] = []
    for column, color in enumerate(Color):
        for row, size in enumerate(Size):
            x = center[0] + (column - 1.5) * BANK_PITCH + float(rng.uniform(-2.5, 2.5)) * sloppiness
            y = center[1] + (row - 1.0) * BANK_PITCH + float(rng.uniform(-2.5, 2.5)) * sloppiness
            turn = float(rng.uniform(-12, 12)) * sloppiness
            stack = _stack([(color, size)] * bank.get((color, size), 0), x, y, turn, rng)
            pieces += [PlacedPiece(pose, color, Role.BANK, level=level) for pose, _, level in stack]
    return pieces
