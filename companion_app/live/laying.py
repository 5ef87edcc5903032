"""Positions laid on a virtual table as people do: what does not change stays where it lies."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from companion_app.cameras.tabletop import Tabletop
from companion_app.derivation import with_pieces
from companion_app.notation import Position
from companion_app.photos import Photo
from companion_app.reading_types import Game, Point, Reading, ReadPiece
from companion_app.samples import layout_of
from rules import Piece, Seat, full_set, homeworlds, settlers
from vision import sight
from vision.camera import Camera
from vision.poses import hull
from vision.sight import Role
from vision.solids import Color, Posture, Size
from vision.virtual import BoardLayout, ShipSpec, SystemsLayout, SystemSpec, View
from vision.virtual.arrange import (
    BETWEEN_SYSTEMS,
    PlacedPiece,
    arrange_board,
    arrange_systems,
    board_corners,
    come_to,
)

ROOM = 8
"""So many systems a table of Homeworlds is large enough for, more or less."""
_TRIES = 60


@dataclass(frozen=True, eq=False)
class Laid:
    """What lies on the table.

    Attributes:
        reading: what a reader without fault says of a picture.
        picture: without noise, (H, W, 3) BGR.
    """

    position: Position
    top: Tabletop
    reading: Reading
    picture: Photo

    def middle_of(self, other: Laid) -> Point:
        """Where, in px, a hand is that makes this table the other."""
        changed = set(self.top.pieces) ^ set(other.top.pieces)
        places = [self.top.camera.project(piece.pose.vertices()).mean(0) for piece in changed]
        width, height = self.top.camera.size
        across, down = np.mean(places, axis=0) if places else (width / 2, height / 2)
        return float(across), float(down)


class Layer:
    """Lays one position after the other on the same table."""

    def __init__(self, game: Game, seed: int, view: View) -> None:
        """An empty table with the whole set in the bank; everything else follows from the *seed*."""
        self._game = game
        self._rng = np.random.default_rng([seed, 0x1A1D])
        self._sloppiness = view.sloppiness
        bank = {_kind(piece): count for piece, count in full_set().items()}
        whole = SystemsLayout(_full_house(), bank) if game is Game.HOMEWORLDS else BoardLayout({}, bank)
        top = Tabletop.of(whole, seed=seed, view=view)
        self._bank = [piece for piece in top.pieces if piece.role is Role.BANK]
        self._area = _area([piece for piece in top.pieces if piece.role is not Role.BANK])
        self._top = replace(top, pieces=())
        self._clusters: dict[str, _Cluster] = {}
        self._ships: dict[str, PlacedPiece] = {}

    def lay(self, position: Position, token: Seat | None = None) -> Laid:
        """The table when *position* stands on it, with the turn token before *token*."""
        if isinstance(position, homeworlds.Position):
            pieces, homes = self._systems(position)
        else:
            pieces, homes = self._fields(position), {}
        top = replace(self._top, pieces=(*pieces, *self._left(position)))
        return Laid(position, top, _reading(self._game, top, homes, token), top.picture())

    def shove(self, name: str) -> None:
        """Somebody pushes a system to another place, with everything in it."""
        cluster = self._clusters.pop(name)
        self._clusters[name] = self._settled(replace(cluster, place=None))

    # How it is done

    def _systems(self, position: homeworlds.Position) -> tuple[list[PlacedPiece], dict[int, sight.Seat | None]]:
        layout = layout_of(position)
        assert isinstance(layout, SystemsLayout)
        known, self._clusters = self._clusters, {}
        there = dict(zip((one.name for one in position.systems), layout.systems, strict=True))
        fresh = [name for name in there if name not in known or known[name].spec != there[name]]
        self._clusters = {name: known[name] for name in there if name not in fresh}
        for name in fresh:
            before = known.get(name)
            around = self._changed(before, there[name]) if before else self._set_out(there[name])
            self._clusters[name] = self._settled(_Cluster(there[name], around, before.place if before else None))
        pieces = [
            replace(piece, system=number)
            for number, name in enumerate(there, 1)
            for piece in self._clusters[name].pieces
        ]
        return pieces, {number: spec.home for number, spec in enumerate(layout.systems, 1)}

    def _set_out(self, spec: SystemSpec) -> tuple[PlacedPiece, ...]:
        """A system around the origin."""
        pieces = arrange_systems(SystemsLayout((spec,)), self._rng, self._sloppiness)
        stars = [piece.pose for piece in pieces if piece.role is Role.STAR]
        x, y = np.mean([(pose.x, pose.y) for pose in stars], axis=0)
        return tuple(_moved(piece, -float(x), -float(y)) for piece in pieces)

    def _changed(self, before: _Cluster, spec: SystemSpec) -> tuple[PlacedPiece, ...]:
        """A system in which ships have gone or come, all others as they lay *before*; with other stars it is new."""
        if Counter(before.spec.stars) != Counter(spec.stars):
            return self._set_out(spec)
        wanted = Counter(spec.ships)
        standing = []
        for piece in before.around:
            if piece.role is Role.SHIP and piece.owner:
                ship = ShipSpec(piece.color, piece.pose.size, piece.owner)
                if not wanted[ship]:
                    continue
                wanted[ship] -= 1
            standing.append(piece)
        for ship in wanted.elements():
            standing.append(come_to(ship, standing, 0, self._rng, self._sloppiness))
        return tuple(standing)

    def _settled(self, cluster: _Cluster) -> _Cluster:
        """The cluster in a place of its own: its old one if that still has room."""
        left, right, near, far = self._area
        for gap in (BETWEEN_SYSTEMS, BETWEEN_SYSTEMS, 20.0, 10.0):
            for _ in range(_TRIES):
                place = cluster.place or (
                    float(self._rng.uniform(left, right)),
                    float(self._rng.uniform(near, far)) if cluster.spec.home is None else self._edge(cluster),
                )
                if all(
                    math.dist(place, other.place or place) > cluster.radius + other.radius + gap
                    for other in self._clusters.values()
                ):
                    return replace(cluster, place=place)
                cluster = replace(cluster, place=None)
            left, right = left - 20, right + 20
        return replace(cluster, place=place)

    def _edge(self, cluster: _Cluster) -> float:
        """How far from South a home stands."""
        return self._area[2] if cluster.spec.home is sight.Seat.SOUTH else self._area[3]

    def _fields(self, position: settlers.Position) -> list[PlacedPiece]:
        layout = layout_of(position)
        assert isinstance(layout, BoardLayout)
        cells = dict(layout.cells)
        lying = {piece.cell: piece for piece in self._ships.values()}
        kept = [
            piece
            for cell, piece in lying.items()
            if cell in cells
            and (piece.color, piece.pose.size, piece.owner)
            == (cells[cell].color, cells[cell].size, cells[cell].owner)
        ]
        fresh = {cell: ship for cell, ship in cells.items() if cell not in {piece.cell for piece in kept}}
        laid = [*kept, *arrange_board(BoardLayout(fresh), self._rng, self._sloppiness / 2)]
        self._ships = {_field(piece): piece for piece in laid}
        return list(self._ships.values())

    def _left(self, position: Position) -> Iterator[PlacedPiece]:
        """What is left in the bank, the tops of its stacks gone."""
        for piece in self._bank:
            if piece.level < position.bank[Piece.parse(f"{piece.color.value[0]}{int(piece.pose.size)}")]:
                yield piece


@dataclass(frozen=True)
class _Cluster:
    """A system set out around the origin, and where it stands."""

    spec: SystemSpec
    around: tuple[PlacedPiece, ...]
    place: Point | None

    @property
    def radius(self) -> float:
        """mm that it takes up around its star."""
        return max(float(np.linalg.norm(piece.pose.footprint(), axis=1).max()) for piece in self.around)

    @property
    def pieces(self) -> Iterable[PlacedPiece]:
        """Where they lie."""
        x, y = self.place or (0.0, 0.0)
        return (_moved(piece, x, y) for piece in self.around)


def _full_house() -> tuple[SystemSpec, ...]:
    """Two homes and as many other systems as a table should have room for."""
    star, ship = Piece.parse("g2"), Piece.parse("g3")
    fleet = {Seat.SOUTH: [ship, ship]}
    others = [homeworlds.System(f"System{number}", None, [star], fleet) for number in range(ROOM - 2)]
    homes = [
        homeworlds.System(seat.word, seat, [star, ship], {seat: [ship] * 3}) for seat in (Seat.SOUTH, Seat.NORTH)
    ]
    layout = layout_of(homeworlds.Position([*homes, *others]))
    assert isinstance(layout, SystemsLayout)
    return layout.systems


def _area(pieces: list[PlacedPiece]) -> tuple[float, float, float, float]:
    """mm: the least and most of x and y of the stars."""
    stars = [(piece.pose.x, piece.pose.y) for piece in pieces if piece.role is Role.STAR] or [(0.0, 0.0)]
    across, along = zip(*stars, strict=True)
    return min(across), max(across), min(along), max(along)


def _moved(piece: PlacedPiece, across: float, along: float) -> PlacedPiece:
    return replace(piece, pose=replace(piece.pose, x=piece.pose.x + across, y=piece.pose.y + along))


def _kind(piece: Piece) -> tuple[Color, Size]:
    return Color(piece.color.value), Size(int(piece.size))


def _field(piece: PlacedPiece) -> str:
    assert piece.cell
    return settlers.FILES[piece.cell[0]] + settlers.RANKS[piece.cell[1]]


def _reading(game: Game, top: Tabletop, homes: dict[int, sight.Seat | None], token: Seat | None) -> Reading:
    """What a reader without fault says of this table."""
    corners = top.camera.project(board_corners()) if top.board else ()
    board = tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)
    marker = sight.Seat(token.value) if token in (Seat.SOUTH, Seat.NORTH) else None
    draft = Reading(game, top.camera.size, board=board, turn_token=marker)
    return with_pieces(draft, [_read(piece, top.camera) for piece in top.pieces], homes, redless=False)


def _read(piece: PlacedPiece, camera: Camera) -> ReadPiece:
    pose = piece.pose
    pixels = pose.keypoints(camera).round(1)
    outline = hull(pixels)
    across, down = (outline.min(0) + outline.max(0)) / 2
    return ReadPiece(
        color=piece.color,
        size=pose.size,
        posture=pose.posture,
        role=piece.role,
        owner=piece.owner,
        system=piece.system,
        field=_field(piece) if piece.cell else None,
        center=(float(across), float(down)),
        tip=(float(pixels[0, 0]), float(pixels[0, 1])),
        outline=tuple((float(x), float(y)) for x, y in outline),
        heading_deg=pose.heading_deg % 360 if pose.posture is Posture.LYING else None,
        confidence=1.0,
    )
