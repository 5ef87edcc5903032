"""Paints a virtual table: table top, board, soft shadows tinted by the plastic, and hollow lit pyramids.

Painter's algorithm on twice the pixels: far pieces first, stacks from below, and within a piece the inner sides
before the outer ones, so that translucent faces show what is behind them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.poses import hull
from vision.solids import BASE, FACES, WALL, Array, Color
from vision.virtual.arrange import PlacedPiece

Image = NDArray[np.uint8]

SHARP = 2  # drawn pixels for one pixel of the picture
PIP_RADIUS = 1.05  # mm
CONTACT = 1.2  # mm, dark line where a shell rests on the piece below


@dataclass(frozen=True)
class Light:
    """A lamp or a window.

    Attributes:
        direction: (3,) unit vector from the table towards it.
        ambient: share of the light that comes from everywhere, 0–1.
        tint: (3,) gains for blue, green, red.
        softness: mm over which the edge of a shadow fades at the tip of a large piece.
    """

    direction: Array
    ambient: float
    tint: Array
    softness: float


@dataclass(frozen=True)
class Plastic:
    """What the pieces are made of: (3,) BGR 0–1 for each colour, and how much a face hides what is behind it."""

    colors: dict[Color, Array]
    opacity: float


def far_to_near(pieces: Sequence[PlacedPiece], camera: Camera) -> list[int]:
    """Indices of the pieces in the order of painting."""
    ground = np.array([[p.pose.x, p.pose.y, 0.0] for p in pieces]).reshape(-1, 3)
    distance = np.linalg.norm(ground - camera.position, axis=1)
    return sorted(range(len(pieces)), key=lambda i: (-round(float(distance[i]), 0), pieces[i].level))


def paint_table(texture: Image, texture_to_mm: Array, camera: Camera) -> Image:
    """The picture of an endless table: a *texture* repeated in mirror image.

    ``texture_to_mm``: (3, 3) from texture pixels to (x, y) mm on the table.
    """
    H = camera.homography() @ texture_to_mm
    laid = cv2.warpPerspective(texture, H, camera.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(laid, dtype=np.uint8)


def paint_board(canvas: Image, texture: Image, corners_mm: Array, camera: Camera) -> None:
    """Lays a board's *texture* whose corners (4, 3) lie on the table into the picture, in place."""
    height, width = texture.shape[:2]
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    seen = camera.project(corners_mm).astype(np.float32)
    H = cv2.getPerspectiveTransform(flat - 0.5, seen)
    laid = cv2.warpPerspective(texture, H, camera.size, flags=cv2.INTER_AREA)
    region = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillConvexPoly(region, np.round(seen * 16).astype(np.int32), 255, cv2.LINE_AA, shift=4)
    alpha = cv2.merge([region] * 3)
    canvas[:] = cv2.add(cv2.multiply(canvas, 255 - alpha, scale=1 / 255), cv2.multiply(laid, alpha, scale=1 / 255))


def cast_shadows(
    canvas: Image, pieces: Sequence[PlacedPiece], camera: Camera, light: Light, plastic: Plastic
) -> Image:
    """The table with the light that the pieces keep from it taken away; clear plastic leaves some of its colour."""
    passing = np.full(canvas.shape, 255, np.uint8)
    slope = light.direction[:2] / light.direction[2]
    scale = camera.focal / float(np.linalg.norm(camera.position))
    for piece in pieces:
        vertices = piece.pose.vertices()
        ground = np.column_stack([vertices[:, :2] - vertices[:, 2:] * slope, np.zeros(5)])
        seen = hull(camera.project(ground))
        through = (1 - plastic.opacity) * 1.6 * plastic.colors[piece.color] ** 0.7
        shade = light.ambient + (1 - light.ambient) * np.clip(through, 0, 1)
        _darken(passing, seen, shade)
    blur = max(0.6, light.softness * scale)
    passing = np.asarray(cv2.GaussianBlur(passing, (0, 0), blur), dtype=np.uint8)
    return np.asarray(cv2.multiply(canvas, passing, scale=1 / 255), dtype=np.uint8)


def _darken(passing: Image, polygon: Array, shade: Array) -> None:
    patch, mask = _cut_out(passing, polygon)
    if patch is not None and mask is not None:
        level = np.round(np.clip(shade, 0, 1) * 255).astype(np.uint8)
        inside = mask > 127
        patch[inside] = np.minimum(patch[inside], level)


def paint_piece(canvas: Image, piece: PlacedPiece, camera: Camera, light: Light, plastic: Plastic) -> None:
    """Paints one hollow pyramid in place."""
    vertices = piece.pose.vertices()
    pixels = camera.project(vertices)
    color = plastic.colors[piece.color]
    middle = vertices.mean(0)
    if piece.level:
        _blend(canvas, camera.project(_around(vertices[list(BASE)], CONTACT)), color * 0.15, 0.45)
    near: list[tuple[tuple[int, ...], Array]] = []
    for face in FACES:
        normal = _outward_normal(vertices[list(face)], middle)
        towards = float(normal @ (camera.position - vertices[face[1]]))
        lit = max(0.0, float(normal @ light.direction))
        unlit = max(0.0, float(-normal @ light.direction))
        glow = light.ambient + (1 - light.ambient) * (0.95 * lit + 0.45 * (1 - plastic.opacity) * 2.2 * unlit)
        if towards > 0:
            near.append((face, color * (0.30 + 0.78 * glow)))
        else:
            _blend(canvas, pixels[list(face)], color * (0.22 + 0.42 * glow), 0.45 + 0.5 * plastic.opacity)
    base_normal = _outward_normal(vertices[list(BASE)], middle)
    open_end = float(base_normal @ (camera.position - vertices[1])) > 0
    for face, shade in near:
        _blend(canvas, pixels[list(face)], shade, plastic.opacity)
        _paint_pips(canvas, vertices[list(face)], piece.pose.size.value, camera, shade, plastic.opacity)
    for face, shade in near:
        _edge(canvas, pixels[list(face)], np.clip(shade * 1.12 + 0.05, 0, 1))
    if open_end:
        _paint_rim(canvas, vertices[list(BASE)], camera, np.clip(color * 0.95 + 0.08, 0, 1))


def _around(corners: Array, margin: float) -> Array:
    """A square's (4, 3) corners moved *margin* mm outward."""
    middle = corners.mean(0)
    half = float(np.linalg.norm(corners[1] - corners[0])) / 2
    return np.asarray(middle + (corners - middle) * (1 + margin / half))


def _outward_normal(corners: Array, middle: Array) -> Array:
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    normal = normal / np.linalg.norm(normal)
    return np.asarray(normal if normal @ (corners[0] - middle) > 0 else -normal)


def _paint_pips(canvas: Image, face: Array, count: int, camera: Camera, shade: Array, opacity: float) -> None:
    """Sunken dots along the base edge of a face (tip, corner, corner)."""
    tip, left, right = face
    along = (right - left) / np.linalg.norm(right - left)
    up = tip - (left + right) / 2
    up = up / np.linalg.norm(up)
    angles = np.linspace(0, 2 * np.pi, 9)[:-1]
    disc = PIP_RADIUS * (np.outer(np.cos(angles), along) + np.outer(np.sin(angles), up))
    for k in range(count):
        center = (left + right) / 2 + along * (k - (count - 1) / 2) * 4.2 + up * 3.4
        _blend(canvas, camera.project(center + disc), shade * 0.62, 0.5 + 0.4 * opacity)


def _paint_rim(canvas: Image, base: Array, camera: Camera, shade: Array) -> None:
    """The wall's thickness around the open base, as a lighter frame."""
    middle = base.mean(0)
    half = np.linalg.norm(base[1] - base[0]) / 2
    inner = middle + (base - middle) * (1 - WALL / half)
    outer_px, inner_px = camera.project(base), camera.project(inner)
    for k in range(4):
        j = (k + 1) % 4
        _blend(canvas, np.array([outer_px[k], outer_px[j], inner_px[j], inner_px[k]]), shade, 0.9)


def _edge(canvas: Image, polygon: Array, shade: Array) -> None:
    color = [float(c) for c in np.round(shade * 255)]
    points = np.round(polygon * 16).astype(np.int32)
    patch = np.asarray(canvas)
    cv2.polylines(patch, [points], True, color, 1, cv2.LINE_AA, shift=4)


def _blend(canvas: Image, polygon: Array, color: Array, alpha: float) -> None:
    """Mixes a flat colour (BGR 0–1) into a polygon of the picture, in place."""
    patch, mask = _cut_out(canvas, polygon)
    if patch is None or mask is None:
        return
    weight = (mask.astype(np.float32) * (alpha / 255))[..., None]
    ink = (np.clip(color, 0, 1) * 255).astype(np.float32)
    patch[:] = (patch + (ink - patch) * weight + 0.5).astype(np.uint8)


def _cut_out(canvas: Image, polygon: Array) -> tuple[Image | None, Image | None]:
    """The part of the picture around a polygon, and the polygon's mask in it; nothing when out of the frame."""
    height, width = canvas.shape[:2]
    low = np.floor(polygon.min(0)).astype(int) - 1
    high = np.ceil(polygon.max(0)).astype(int) + 2
    x0, y0 = max(0, low[0]), max(0, low[1])
    x1, y1 = min(width, high[0]), min(height, high[1])
    if x0 >= x1 or y0 >= y1:
        return None, None
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    local = hull(polygon) - (x0, y0)
    cv2.fillConvexPoly(mask, np.round(local * 16).astype(np.int32), 255, cv2.LINE_AA, shift=4)
    return canvas[y0:y1, x0:x1], mask
