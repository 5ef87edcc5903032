"""Photographs of the virtual table as scenes to train on: another renderer's view of the same pieces, and quick."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from training.targets import painted
from training.truth import scene_of
from vision.camera import Camera
from vision.sight import Seat
from vision.solids import Color, Posture, Size
from vision.virtual import BoardLayout, Kind, Layout, Picture, ShipSpec, SystemsLayout, SystemSpec, View, photograph
from vision.virtual.arrange import PlacedPiece, arrange_board, arrange_systems

KIT: tuple[Kind, ...] = tuple((color, size) for color in Color for size in Size for _ in range(3))
EDGE = 2.0  # px by which a corner may lie inside the outline and still be on it


def write_scenes(folder: Path, seeds: Sequence[int]) -> None:
    """A picture and its truth for each seed; those that are there already stay."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        file = folder / f"virtual_{seed:05}.json"
        if file.exists():
            continue
        picture, truth = photograph_with_truth(random_layout(np.random.default_rng([seed, 0x7A81E])), seed)
        cv2.imwrite(str(file.with_suffix(".jpg")), picture.image, [cv2.IMWRITE_JPEG_QUALITY, 90])
        file.write_text(json.dumps(truth), encoding="utf-8")


def random_layout(rng: np.random.Generator) -> Layout:
    """Pieces of one kit on a board or in two to nine systems, the rest of them in the bank."""
    kit = [KIT[int(index)] for index in rng.permutation(len(KIT))]
    if rng.random() < 0.4:
        fields = rng.choice(36, size=int(rng.integers(0, 31)), replace=False)
        ships = [_ship(kit.pop(), rng) for _ in fields]
        cells = {(int(field) % 6, int(field) // 6): ship for field, ship in zip(fields, ships, strict=True)}
        return BoardLayout(cells, Counter(kit))
    systems = []
    for number in range(int(rng.integers(2, 10))):
        if len(kit) < 7:
            break
        home = (Seat.SOUTH, Seat.NORTH)[number] if number < 2 else None
        stars = tuple(kit.pop() for _ in range(2 if home else 1))
        ships = [_ship(kit.pop(), rng) for _ in range(int(rng.integers(1, 5)))]
        systems.append(SystemSpec(stars, tuple(ships), home))
    return SystemsLayout(tuple(systems), Counter(kit))


def _ship(kind: Kind, rng: np.random.Generator) -> ShipSpec:
    return ShipSpec(*kind, Seat.SOUTH if rng.random() < 0.5 else Seat.NORTH)


def photograph_with_truth(layout: Layout, seed: int) -> tuple[Picture, dict[str, Any]]:
    """The virtual photograph number *seed* of a layout, and its truth as a dictionary for JSON."""
    view = View.random(seed)
    picture = photograph(layout, seed=seed, view=view)
    again = np.random.default_rng([seed, 0xA11])  # as photograph() lays the pieces out
    placed = (
        arrange_board(layout, again, view.sloppiness)
        if isinstance(layout, BoardLayout)
        else arrange_systems(layout, again, view.sloppiness)
    )
    camera, board = picture.camera, picture.truth.board
    truth = {
        "seed": seed,
        "game": "homeworlds" if board is None else "settlers",
        "image": {"width": camera.size[0], "height": camera.size[1]},
        "camera": {name: np.asarray(getattr(camera, name)).tolist() for name in ("K", "R", "t", "dist")},
        "settings": {"table": view.table, "elevation_deg": camera.elevation_deg},
        "pieces": [_piece(piece, float(share), camera) for piece, share in zip(placed, picture.visible, strict=True)],
        "board": None if board is None else board.corners.tolist(),
        "token": None,
    }
    _hide_corners(truth)
    return picture, truth


def _piece(piece: PlacedPiece, visible: float, camera: Camera) -> dict[str, Any]:
    pose = piece.pose
    return {
        "color": piece.color.value,
        "size": pose.size.word,
        "posture": pose.posture.value,
        "role": piece.role.value,
        "x": pose.x,
        "y": pose.y,
        "z": pose.z,
        "heading_deg": pose.heading_deg,
        "corners": pose.keypoints(camera).tolist(),
        "corners_visible": [True] * 5,
        "outline": pose.outline(camera).tolist(),
        "visible": visible,
    }


def _hide_corners(truth: dict[str, Any]) -> None:
    """Corners behind another piece, or on the table behind their own, are not visible."""
    scene = scene_of(truth, Path("virtual.jpg"))
    seen_by = painted(scene, scene.size)
    for index, piece in enumerate(scene.pieces):
        outline = piece.outline.astype(np.float32)
        below = (1, 2) if piece.posture == Posture.LYING.value else (1, 2, 3, 4)
        for number, (x, y) in enumerate(piece.corners):
            rows, columns = (slice(max(0, round(value) - 2), max(0, round(value) + 3)) for value in (y, x))
            inside = cv2.pointPolygonTest(outline, (float(x), float(y)), measureDist=True) > EDGE
            in_sight = bool((seen_by[rows, columns] == index).any()) and not (inside and number in below)
            truth["pieces"][index]["corners_visible"][number] = in_sight
