"""What the tracer traces: arrays that the compiled code reads, and the builder that fills them.

Table frame in mm, z up. A thing has a local frame: ``axes`` (rows are its axes in the table frame) and ``origin``.
Axes need not be of unit length: things can be stretched and pressed flat.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.solids import Array

PYRAMID, BOX, ELLIPSOID, CAPSULE, CYLINDER = range(5)
CELL: Final = 16.0  # mm, side of a cell of the grid in which rays look for things
MIP_LEVELS: Final = 7


class World(NamedTuple):
    """The arrays themselves; N things, P plates (flat slabs such as table, mat and board), L lamps, T textures.

    kind (N,), axes (N, 3, 3), origin (N, 3), dims (N, 4) mm, center (N, 3) and radius (N,) of bounding spheres,
    substance (N,) row of ``substances``; substances: see :class:`Substance`; cells in compressed rows with the
    height of the highest thing in each; grid: x0, y0, columns, rows, top; plates: x, y, cos, sin, half width, half
    depth, top z, thickness, substance, corner radius; lamps: position, two half axes, colour, specular size,
    patch of sun (x, y, cos, sin, half width, half depth, softness); room: see :class:`Room`;
    texels with (offset, width, height) of each level, and texels per mm with the origin of each texture.
    """

    kind: NDArray[np.int64]
    axes: Array
    origin: Array
    dims: Array
    center: Array
    radius: Array
    substance: NDArray[np.int64]
    substances: Array
    cell_start: NDArray[np.int64]
    cell_things: NDArray[np.int64]
    cell_top: Array
    grid: Array
    plates: Array
    lamps: Array
    room: Array
    texels: NDArray[np.uint8]
    levels: NDArray[np.int64]
    scales: Array
    means: Array


@dataclass(frozen=True)
class Substance:
    """How a surface looks.

    Attributes:
        color: linear RGB reflectance; ``absorption``: RGB per mm, for what lets light through.
        gloss: strength of highlights; ``sharpness``: their Blinn exponent; ``mirror``: 1 reflects things too.
        milk: how much of the plastic's own colour a translucent surface scatters.
        texture: row of the textures or -1; ``pips``: radius in mm, 0 for none; ``pip_tone``: their linear tone,
            below 0 darkens; ``pip_at``: from 0, at the left corner, to 1, in the middle of the edge.
        focus: how strongly a translucent pyramid gathers light in the middle of its shadow, 0 to 1.
    """

    color: tuple[float, float, float]
    gloss: float = 0.04
    sharpness: float = 30.0
    translucent: bool = False
    absorption: tuple[float, float, float] = (0.0, 0.0, 0.0)
    milk: float = 0.1
    texture: int = -1
    mirror: float = 0.0
    pips: float = 0.0
    pip_tone: float = 0.9
    pip_at: float = 1.0
    focus: float = 0.0

    def row(self) -> list[float]:
        """The numbers in the order in which the compiled code reads them."""
        return [
            *self.color,
            self.gloss,
            self.sharpness,
            float(self.translucent),
            *self.absorption,
            self.milk,
            float(self.texture),
            self.mirror,
            self.pips,
            self.pip_tone,
            self.pip_at,
            self.focus,
        ]


@dataclass(frozen=True)
class Room:
    """What surrounds the table: linear radiances, and a window at an azimuth (radians) with its half width."""

    zenith: tuple[float, float, float]
    horizon: tuple[float, float, float]
    ground: tuple[float, float, float]
    window: tuple[float, float, float]
    window_azimuth: float
    window_half_width: float
    window_low: float
    window_high: float

    def row(self) -> list[float]:
        """The numbers in the order in which the compiled code reads them."""
        return [
            *self.zenith,
            *self.horizon,
            *self.ground,
            *self.window,
            self.window_azimuth,
            self.window_half_width,
            self.window_low,
            self.window_high,
        ]


@dataclass(frozen=True)
class Lamp:
    """A disk of light: ``position`` mm, ``radius`` mm, ``color`` = irradiance it gives the table's middle.

    ``patch``: where alone its light falls on the table (a sunny spot): x, y, angle, half width, half depth mm.
    """

    position: tuple[float, float, float]
    radius: float
    color: tuple[float, float, float]
    stretch: float = 1.0
    patch: tuple[float, float, float, float, float] | None = None

    def row(self) -> list[float]:
        """The numbers in the order in which the compiled code reads them."""
        place = np.array(self.position)
        aim = place / np.linalg.norm(place)
        u = np.cross(aim, [0.0, 0.0, 1.0] if abs(aim[2]) < 0.95 else [1.0, 0.0, 0.0])
        u *= self.radius * self.stretch / np.linalg.norm(u)
        v = np.cross(aim, u)
        v *= self.radius / np.linalg.norm(v)
        strength = float(place @ place) / max(0.15, aim[2])
        x, y, turn, w, d = self.patch or (0.0, 0.0, 0.0, 0.0, 0.0)
        return [
            *self.position,
            *u,
            *v,
            *(strength * c for c in self.color),
            x,
            y,
            math.cos(turn),
            math.sin(turn),
            w,
            d,
            self.radius / float(np.linalg.norm(place)),
        ]


def turned(angle: float) -> Array:
    """(3, 3) axes of a thing turned by *angle* radians around z."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])


@dataclass
class Builder:
    """Collects things, plates, lamps and textures, then builds the :class:`World`."""

    room: Room
    lamps: list[Lamp]
    _things: list[tuple[int, Array, Array, tuple[float, ...], Array, float, int]] = field(default_factory=list)
    _substances: list[list[float]] = field(default_factory=list)
    _plates: list[list[float]] = field(default_factory=list)
    _pictures: list[tuple[NDArray[np.uint8], float, tuple[float, float]]] = field(default_factory=list)

    def substance(self, substance: Substance) -> int:
        """The row under which *substance* is known from now on."""
        self._substances.append(substance.row())
        return len(self._substances) - 1

    def texture(self, picture: NDArray[np.uint8], mm_per_texel: float, origin: tuple[float, float] = (0, 0)) -> int:
        """The row of an (H, W, 3) sRGB picture; its middle lies at *origin*, and it is mirrored beyond its ends."""
        self._pictures.append((np.ascontiguousarray(picture), mm_per_texel, origin))
        return len(self._pictures) - 1

    def thing(
        self,
        kind: int,
        origin: Array,
        axes: Array,
        dims: Sequence[float],
        substance: int,
        middle: float,
        reach: float,
    ) -> int:
        """One more thing; its bounding sphere is *middle* mm up its own z axis with radius *reach*."""
        center = np.asarray(origin) + middle * np.asarray(axes)[2]
        four = tuple(float(d) for d in dims) + (0.0,) * (4 - len(dims))
        self._things.append((kind, np.asarray(axes), np.asarray(origin), four, center, reach, substance))
        return len(self._things) - 1

    def plate(
        self,
        place: tuple[float, float],
        turn: float,
        half: tuple[float, float],
        top: float,
        thickness: float,
        substance: int,
        corner: float = 0.0,
    ) -> None:
        """A flat slab, *turn* radians around z; plates may lie on each other."""
        row = [*place, math.cos(turn), math.sin(turn), *half, top, thickness, float(substance), corner]
        self._plates.append(row)

    def build(self) -> World:
        """The arrays."""
        n = len(self._things)
        center = np.array([thing[4] for thing in self._things]).reshape(n, 3)
        radius = np.array([thing[5] for thing in self._things], dtype=float)
        grid, start, items, tops = _grid(center, radius)
        texels, levels = _mipmaps([picture for picture, _, _ in self._pictures])
        return World(
            np.array([thing[0] for thing in self._things], dtype=np.int64),
            np.array([thing[1] for thing in self._things], dtype=float).reshape(n, 3, 3),
            np.array([thing[2] for thing in self._things], dtype=float).reshape(n, 3),
            np.array([thing[3] for thing in self._things], dtype=float).reshape(n, 4),
            center,
            radius,
            np.array([thing[6] for thing in self._things], dtype=np.int64),
            np.array(self._substances),
            start,
            items,
            tops,
            grid,
            np.array(self._plates).reshape(len(self._plates), 10),
            np.array([lamp.row() for lamp in self.lamps]).reshape(len(self.lamps), 19),
            np.array(self.room.row()),
            texels,
            levels,
            np.array([[1 / mm, x, y] for _, mm, (x, y) in self._pictures]).reshape(len(self._pictures), 3),
            np.array([_linear(picture.reshape(-1, 3).mean(0)) for picture, _, _ in self._pictures]).reshape(-1, 3),
        )


def _linear(srgb: Array) -> Array:
    return np.asarray((srgb / 255.0) ** 2.2)


def _grid(center: Array, radius: Array) -> tuple[Array, NDArray[np.int64], NDArray[np.int64], Array]:
    """Which things reach into which cell, in compressed rows."""
    if not len(center):
        return np.array([0.0, 0.0, 1.0, 1.0, 0.0]), np.zeros(2, np.int64), np.zeros(0, np.int64), np.zeros(1)
    low = (center[:, :2] - radius[:, None]).min(0)
    high = (center[:, :2] + radius[:, None]).max(0)
    columns, rows = (np.floor((high - low) / CELL).astype(int) + 1).tolist()
    inside: list[list[int]] = [[] for _ in range(columns * rows)]
    tops = np.full(columns * rows, -1e9)
    for thing, (middle, reach) in enumerate(zip(center, radius, strict=True)):
        first = np.floor((middle[:2] - reach - low) / CELL).astype(int).clip(0)
        last = np.floor((middle[:2] + reach - low) / CELL).astype(int).clip(0, (columns - 1, rows - 1))
        for row in range(first[1], last[1] + 1):
            for column in range(first[0], last[0] + 1):
                cell = row * columns + column
                near = np.clip(
                    middle[:2], low + CELL * np.array([column, row]), low + CELL * np.array([column + 1, row + 1])
                )
                if np.linalg.norm(near - middle[:2]) <= reach:
                    inside[cell].append(thing)
                    tops[cell] = max(tops[cell], middle[2] + reach)
    start = np.concatenate([[0], np.cumsum([len(things) for things in inside])]).astype(np.int64)
    items = np.array([thing for things in inside for thing in things], dtype=np.int64)
    return np.array([low[0], low[1], columns, rows, tops.max()]), start, items, tops


def _mipmaps(pictures: Sequence[NDArray[np.uint8]]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """All levels of all pictures in one flat array, and where each begins."""
    flat: list[NDArray[np.uint8]] = [np.zeros(3, np.uint8)]
    levels = np.zeros((len(pictures), MIP_LEVELS, 3), dtype=np.int64)
    offset = 3
    for row, full in enumerate(pictures):
        picture = full
        for level in range(MIP_LEVELS):
            height, width = picture.shape[:2]
            levels[row, level] = offset, width, height
            flat.append(picture.ravel())
            offset += picture.size
            smaller = cv2.resize(picture, (max(1, width // 2), max(1, height // 2)), interpolation=cv2.INTER_AREA)
            picture = np.asarray(smaller, dtype=np.uint8)
    return np.concatenate(flat), levels
