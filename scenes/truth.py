"""What is in a picture, exactly: the JSON beside it. Pixels as in :mod:`vision.camera`; see README.md."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from scenes.arrangement import Standing
from scenes.tracer.picture import Numbers, first_met
from scenes.tracer.world import World
from vision.camera import Camera
from vision.poses import hull
from vision.solids import Array

TOLERANCE = 2.0  # px within which a corner must be seen


def piece_truth(index: int, piece: Standing, world: World, camera: Camera, first: Numbers) -> dict[str, object]:
    """One piece; it is thing number *index* of the world."""
    corners = camera.project(piece.vertices)
    outline = hull(corners)
    area = polygon_area(outline)
    mine = first == index
    seen = int(mine.sum())
    x, y, width, height = cv2.boundingRect(mine.astype(np.uint8))
    return {
        "color": piece.color.value,
        "size": piece.size.word,
        "posture": piece.posture,
        "role": piece.role.value,
        "owner": piece.owner.value if piece.owner else None,
        "system": piece.system,
        "field": None if piece.cell is None else "abcdef"[piece.cell[0]] + str(piece.cell[1] + 1),
        "x": round(piece.x, 2),
        "y": round(piece.y, 2),
        "z": round(piece.z, 2),
        "heading_deg": round(piece.heading_deg, 2),
        "corners": rounded(corners),
        "corners_visible": [corner_seen(index, corner, world, camera) for corner in piece.vertices],
        "outline": rounded(outline),
        "visible": round(min(1.0, seen / max(1.0, area)), 4),
        "in_sight": [x, y, x + width - 1, y + height - 1] if seen else None,
    }


def corner_seen(index: int, corner: Array, world: World, camera: Camera) -> bool:
    """Whether a ray within :data:`TOLERANCE` px of the corner meets its piece there first, inside the picture."""
    pixel = camera.project(corner)
    width, height = camera.size
    if not (-0.5 <= pixel[0] <= width - 0.5 and -0.5 <= pixel[1] <= height - 0.5):
        return False
    eye = camera.position
    away = float(np.linalg.norm(corner - eye))
    near = max(1.0, 2.5 * TOLERANCE * away / camera.focal)
    around = [(0.0, 0.0)] + [
        (r * np.cos(a), r * np.sin(a)) for r in (0.8, TOLERANCE) for a in np.arange(8) * np.pi / 4
    ]
    for ray in camera.rays(pixel + np.array(around)):
        who, reach = first_met(world, eye, ray)
        if who == index and float(np.linalg.norm(eye + reach * ray - corner)) < near:
            return True
    return False


def camera_truth(camera: Camera) -> dict[str, object]:
    """The camera in OpenCV's model."""
    return {"K": camera.K.tolist(), "R": camera.R.tolist(), "t": camera.t.tolist(), "dist": camera.dist.tolist()}


def systems_truth(pieces: Sequence[Standing], homes: Sequence[str | None]) -> list[dict[str, object]]:
    """Each system's home, stars and ships, as indices into ``pieces``."""
    return [
        {
            "home": home,
            "stars": [k for k, piece in enumerate(pieces) if piece.system == system and piece.role == "star"],
            "ships": [k for k, piece in enumerate(pieces) if piece.system == system and piece.role == "ship"],
        }
        for system, home in enumerate(homes)
    ]


def polygon_area(polygon: Array) -> float:
    """Area of an (N, 2) polygon."""
    x, y = polygon[:, 0], polygon[:, 1]
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)


def rounded(points: Array) -> list[list[float]]:
    """(N, 2) px for JSON."""
    rounded: list[list[float]] = np.round(np.atleast_2d(points), 2).tolist()
    return rounded
