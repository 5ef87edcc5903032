"""The virtual camera: a layout goes in, a picture comes out with the exact truth beside it. Seeded throughout."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.camera import Camera
from vision.in_sight import NOBODY, middles_in_sight, painted
from vision.sight import ImageSide, Role, Seat, SeenBoard, SeenPiece, SeenSystem, Sight
from vision.solids import Array, Color, Posture
from vision.virtual.arrange import FIELD, PlacedPiece, arrange_board, arrange_systems, board_corners
from vision.virtual.draw import (
    SHARP,
    Image,
    Light,
    Plastic,
    cast_shadows,
    far_to_near,
    paint_board,
    paint_piece,
    paint_table,
)
from vision.virtual.layout import BoardLayout, Layout
from vision.virtual.tables import BOARDS, TABLES, board_top, table_top, texture_to_mm

BOARD_MARGIN = 8.0  # mm around the fields
AZIMUTH = {ImageSide.BOTTOM: 270.0, ImageSide.RIGHT: 180.0, ImageSide.TOP: 90.0, ImageSide.LEFT: 0.0}
HUES = {Color.RED: (353, 362), Color.YELLOW: (42, 56), Color.GREEN: (105, 140), Color.BLUE: (218, 238)}
DEPTHS = {
    Color.RED: (0.82, 0.80),
    Color.YELLOW: (0.88, 0.95),
    Color.GREEN: (0.85, 0.55),
    Color.BLUE: (0.85, 0.66),
}


@dataclass(frozen=True)
class View:
    """How a virtual picture is taken.

    Attributes:
        elevation_deg: of the camera over the table, 90 straight down.
        south: the image side nearest to South; ``swing_deg`` is how far the camera sits beside that.
        hfov_deg: horizontal field of view. ``width``, ``height``: px.
        table, board: names from ``TABLES`` and ``BOARDS``.
        opacity: 1 for opaque plastic, about 0.75 for clear plastic.
        sloppiness: 0 lays every piece exactly, 1 as carelessly as people do (headings ±25°).
    """

    elevation_deg: float = 60.0
    south: ImageSide = ImageSide.BOTTOM
    swing_deg: float = 0.0
    roll_deg: float = 0.0
    hfov_deg: float = 62.0
    width: int = 1280
    height: int = 960
    table: str = "linen"
    board: str = "printed"
    opacity: float = 0.85
    light_azimuth_deg: float = 120.0
    light_elevation_deg: float = 55.0
    warmth: float = 0.0
    noise: float = 2.0
    sloppiness: float = 1.0

    @classmethod
    def random(cls, seed: int, elevation_deg: tuple[float, float] = (35.0, 90.0)) -> View:
        """A view as varied as people take them, repeatable by its seed."""
        rng = np.random.default_rng([seed, 0x51E4])
        return cls(
            elevation_deg=float(rng.uniform(*elevation_deg)),
            south=list(ImageSide)[int(rng.integers(4))],
            swing_deg=float(rng.uniform(-18, 18)),
            roll_deg=float(rng.uniform(-4, 4)),
            hfov_deg=float(rng.uniform(52, 72)),
            table=str(rng.choice(list(TABLES))),
            board=str(rng.choice(list(BOARDS))),
            opacity=float(rng.choice((1.0, rng.uniform(0.72, 0.9)))),
            light_azimuth_deg=float(rng.uniform(0, 360)),
            light_elevation_deg=float(rng.uniform(35, 80)),
            warmth=float(rng.uniform(-0.6, 1.0)),
            noise=float(rng.uniform(1, 4)),
        )


@dataclass(frozen=True)
class Picture:
    """A virtual photograph.

    Attributes:
        image: (H, W, 3) uint8 BGR.
        truth: what a perfect reader would see.
        camera: which took it.
        visible: (N,) share of each piece's outline that nothing in front hides, in the order of ``truth.pieces``.
    """

    image: Image
    truth: Sight
    camera: Camera
    visible: Array


def photograph(layout: Layout, *, seed: int = 0, view: View | None = None) -> Picture:
    """Sets *layout* out on a table and takes its picture; everything not fixed by *view* follows from the seed."""
    view = view or View.random(seed)
    rng = np.random.default_rng([seed, 0xA11])
    on_board = isinstance(layout, BoardLayout)
    pieces = (
        arrange_board(layout, rng, view.sloppiness)
        if isinstance(layout, BoardLayout)
        else arrange_systems(layout, rng, view.sloppiness)
    )
    camera = _aim(pieces, view, on_board)
    image = _develop(_paint(pieces, camera, view, on_board, rng), view, rng)
    visible = _visible_shares(pieces, camera)
    truth = _truth(pieces, camera, view, on_board)
    return Picture(image, truth, camera, visible)


def _aim(pieces: Sequence[PlacedPiece], view: View, on_board: bool) -> Camera:
    """A camera that has everything in its frame."""
    points = [piece.pose.vertices() for piece in pieces] + ([board_corners() * 1.08] if on_board else [])
    cloud = np.concatenate(points) if points else board_corners()
    middle = (cloud[:, :2].min(0) + cloud[:, :2].max(0)) / 2
    focal = view.width / 2 / math.tan(math.radians(view.hfov_deg) / 2)
    size = (view.width, view.height)

    def at(distance: float, target: Array) -> Camera:
        return Camera.looking_at(
            (float(target[0]), float(target[1])),
            azimuth_deg=AZIMUTH[view.south] + view.swing_deg,
            elevation_deg=view.elevation_deg,
            distance=distance,
            focal=focal,
            size=size,
            roll_deg=view.roll_deg,
        )

    center = (np.array(size) - 1) / 2
    room = np.array(size) * 0.47
    distance, target = 400.0, middle
    for _ in range(30):
        camera = at(distance, target)
        seen = camera.project(cloud)
        low, high = seen.min(0), seen.max(0)
        target = camera.to_plane(((low + high) / 2)[None])[0]
        overflow = float(np.max((high - low) / 2 / room))
        distance *= 1 + (overflow - 1) * 0.7
        if abs(overflow - 1) < 0.01 and float(np.abs((low + high) / 2 - center).max()) < 5:
            break
    return at(distance, target)


def _paint(
    pieces: Sequence[PlacedPiece], camera: Camera, view: View, on_board: bool, rng: np.random.Generator
) -> Image:
    """The scene: what is flat at the picture's own pixels, then the pieces on ``SHARP`` times as many."""
    light, plastic = light_of(view), _plastic(view, rng)
    canvas = paint_table(table_top(view.table, rng), texture_to_mm(), camera)
    if on_board:
        corners = board_corners() * (1 + BOARD_MARGIN / (3 * FIELD))
        paint_board(canvas, board_top(view.board, FIELD, BOARD_MARGIN, rng), corners, camera)
    canvas = cast_shadows(canvas, pieces, camera, light, plastic)
    fine = finer(camera, SHARP)
    canvas = np.asarray(cv2.resize(canvas, fine.size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    for index in far_to_near(pieces, camera):
        paint_piece(canvas, pieces[index], fine, light, plastic)
    return canvas


def finer(camera: Camera, factor: int) -> Camera:
    """The same camera with *factor* times the pixels each way, for painting what is made smaller afterwards."""
    K = camera.K.copy()
    K[:2] *= factor
    K[:2, 2] += (factor - 1) / 2
    return replace(camera, K=K, size=(camera.size[0] * factor, camera.size[1] * factor))


def light_of(view: View) -> Light:
    """The one light of a view: its direction in the table frame, and its tint as shares of blue, green and red."""
    azimuth, elevation = math.radians(view.light_azimuth_deg), math.radians(view.light_elevation_deg)
    direction = np.array(
        [
            math.cos(elevation) * math.cos(azimuth),
            math.cos(elevation) * math.sin(azimuth),
            math.sin(elevation),
        ]
    )
    tint = np.array([1 - 0.10 * view.warmth, 1.0, 1 + 0.06 * view.warmth])
    return Light(direction, 0.55, tint, 2.5)


def _plastic(view: View, rng: np.random.Generator) -> Plastic:
    colors = {}
    for color in Color:
        hue = float(rng.uniform(*HUES[color])) / 360 % 1
        depth, bright = DEPTHS[color]
        red, green, blue = colorsys.hsv_to_rgb(hue, depth, bright * float(rng.uniform(0.92, 1.05)))
        colors[color] = np.array([blue, green, red])
    return Plastic(colors, view.opacity)


def _develop(canvas: Image, view: View, rng: np.random.Generator) -> Image:
    """Down to the picture's pixels, under the light's tint, a little dark in the corners, a little noisy."""
    size = (view.width, view.height)
    image = cv2.resize(canvas, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    x = np.linspace(-1, 1, view.width, dtype=np.float32)
    y = np.linspace(-1, 1, view.height, dtype=np.float32)
    vignette = 1 - 0.09 * (x[None, :] ** 2 + y[:, None] ** 2)
    gain = cv2.merge([vignette * np.float32(tint) for tint in light_of(view).tint])
    grain = rng.standard_normal((view.height, view.width), dtype=np.float32) * view.noise
    noise = cv2.merge([np.roll(grain, 131 * channel, axis=(0, 1)) for channel in range(3)])
    return np.asarray(np.clip(image * gain + noise, 0, 255), dtype=np.uint8)


def _visible_shares(pieces: Sequence[PlacedPiece], camera: Camera) -> Array:
    """(N,) share of each outline that stays in sight and in the frame."""
    outlines = [piece.pose.outline(camera) for piece in pieces]
    owners = painted(outlines, far_to_near(pieces, camera), camera.size)
    whole = np.array([cv2.contourArea(np.round(outline).astype(np.float32)) for outline in outlines])
    left = np.bincount(owners[owners != NOBODY], minlength=len(pieces))
    return np.asarray(np.minimum(1.0, left / np.maximum(whole, 1.0)))


def _truth(pieces: Sequence[PlacedPiece], camera: Camera, view: View, on_board: bool) -> Sight:
    outlines = [piece.pose.outline(camera) for piece in pieces]
    middles = middles_in_sight(outlines, far_to_near(pieces, camera), camera.size)
    seen = tuple(_seen(*one, camera) for one in zip(pieces, outlines, middles, strict=True))
    numbers = sorted({piece.system for piece in pieces if piece.system is not None})
    systems = tuple(
        SeenSystem(
            stars=tuple(i for i, p in enumerate(pieces) if p.system == n and p.role is Role.STAR),
            ships=tuple(i for i, p in enumerate(pieces) if p.system == n and p.role is Role.SHIP),
            home=_home_seat([p for p in pieces if p.system == n]),
        )
        for n in numbers
    )
    board = SeenBoard(camera.project(board_corners()), FIELD, 1.0) if on_board else None
    return Sight((view.width, view.height), seen, systems, board)


def _home_seat(pieces: Sequence[PlacedPiece]) -> Seat | None:
    """A binary star is a home: of the player on whose side of the table it stands."""
    stars = [piece for piece in pieces if piece.role is Role.STAR]
    if len(stars) < 2:
        return None
    return Seat.SOUTH if stars[0].pose.y < 0 else Seat.NORTH


def _seen(piece: PlacedPiece, outline: Array, center: Array, camera: Camera) -> SeenPiece:
    pose = piece.pose
    tip = pose.keypoints(camera)[0]
    return SeenPiece(
        color=piece.color,
        size=pose.size,
        posture=pose.posture,
        role=piece.role,
        owner=piece.owner,
        center=(float(center[0]), float(center[1])),
        tip=(float(tip[0]), float(tip[1])),
        outline=tuple((float(x), float(y)) for x, y in outline),
        heading_deg=pose.heading_deg % 360 if pose.posture is Posture.LYING else None,
        place=(pose.x, pose.y),
        system=piece.system,
        cell=piece.cell,
    )
