"""What is true of one scene, read from the JSON beside its picture and told in what the net shall learn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera, distort
from vision.eyes.maps import COLORS
from vision.sight import Role
from vision.solids import Array, Size

BOARD_SIDE = 6  # fields
STACKED = 3.0  # mm by which a piece is higher at least than the one it stands on
COLOR_NUMBERS = {color.value: number for number, color in enumerate(COLORS) if color is not None}


@dataclass(frozen=True, eq=False)
class TruePiece:
    """One piece in a picture.

    Attributes:
        color: index into ``COLORS``. size: index from 0.
        posture: "upright", "lying" or "tilted".
        corners: (5, 2) px, tip first, then the base corners in the order of the body.
        corners_seen: (5,) bool.
        outline: (M, 2) px of the whole silhouette.
        visible: share of it that is seen, 0 to 1.
        under, above: whether another piece stands on it, and whether it stands on another.
        distance: mm from the camera, to know what hides what.
        banked: whether it is in the bank.
        foot: (3,) mm, the middle of its base on the table, and how high that is.
        star_of: index of the system that it is a star of, if it is one.
    """

    color: int
    size: int
    posture: str
    corners: Array
    corners_seen: NDArray[np.bool_]
    outline: Array
    visible: float
    under: bool
    above: bool
    distance: float
    banked: bool = False
    foot: tuple[float, float, float] = (0.0, 0.0, 0.0)
    star_of: int | None = None

    @property
    def square(self) -> bool:
        """Whether the order of its base corners is arbitrary."""
        return self.posture != "lying"


@dataclass(frozen=True, eq=False)
class Scene:
    """One picture and what is true of it.

    Attributes:
        picture: the file. name: of the scene.
        settings: by which results are split.
        crossings: (M, 2) px where lines of the board cross, its edge included. board: (4, 2) px, or ``None``.
        token: (2,) px of the turn token's centre, or ``None``.
    """

    picture: Path
    size: tuple[int, int]
    settings: Mapping[str, Any]
    pieces: tuple[TruePiece, ...]
    crossings: Array
    board: Array | None
    token: Array | None

    @property
    def name(self) -> str:
        return self.picture.stem

    def image(self) -> Any:
        """(H, W, 3) uint8 BGR."""
        image = cv2.imread(str(self.picture), cv2.IMREAD_COLOR)
        if image is None:
            raise OSError(f"{self.picture} cannot be read.")
        return image


def scene_files(folder: Path) -> list[Path]:
    """The truth files of all scenes in a folder whose pictures are there as well, by name."""
    return [file for file in sorted(folder.rglob("*.json")) if file.with_suffix(".jpg").exists()]


def scenes_in(folder: Path) -> Iterator[Scene]:
    """All scenes of a folder, one after the other."""
    return map(read_scene, scene_files(folder))


def read_scene(file: Path) -> Scene:
    """The scene whose truth is in *file*."""
    return scene_of(json.loads(file.read_text(encoding="utf-8")), file.with_suffix(".jpg"))


def scene_of(truth: Mapping[str, Any], picture: Path) -> Scene:
    """What the net shall learn of a scene, from its truth."""
    camera = _camera(truth)
    board = None if truth.get("board") is None else np.array(truth["board"], dtype=np.float64)
    token = truth.get("token")
    return Scene(
        picture=picture,
        size=camera.size,
        settings={"game": truth.get("game"), **truth.get("settings", {})},
        pieces=_pieces(truth["pieces"], camera),
        crossings=np.zeros((0, 2)) if board is None else crossings(board, camera),
        board=board,
        token=None if token is None else np.array(token["center"], dtype=np.float64),
    )


def _camera(truth: Mapping[str, Any]) -> Camera:
    told, image = truth["camera"], truth["image"]
    K, R, t, dist = (np.array(told[name], dtype=np.float64) for name in ("K", "R", "t", "dist"))
    return Camera(K, R, t.reshape(3), (image["width"], image["height"]), dist)


def _pieces(told: Sequence[Mapping[str, Any]], camera: Camera) -> tuple[TruePiece, ...]:
    sizes = [Size.of_word(piece["size"]) for piece in told]
    feet = np.array([[piece["x"], piece["y"], piece["z"]] for piece in told], dtype=np.float64).reshape(-1, 3)
    middles = feet + np.array([[0, 0, 0.4 * size.height] for size in sizes]).reshape(-1, 3)
    distances = np.linalg.norm(middles - camera.position, axis=1)
    upright = np.array([piece["posture"] == "upright" for piece in told], dtype=bool)
    standing_on = _standing_on(feet, np.array([size.base for size in sizes]), upright)
    return tuple(
        TruePiece(
            color=COLOR_NUMBERS.get(piece["color"], COLORS.index(None)),
            size=size - 1,
            posture=piece["posture"],
            corners=np.array(piece["corners"], dtype=np.float64),
            corners_seen=np.array(piece["corners_visible"], dtype=bool),
            outline=np.array(piece["outline"], dtype=np.float64).reshape(-1, 2),
            visible=float(piece["visible"]),
            under=bool(stood_on.any()),
            above=bool(stands_on.any()),
            distance=float(distance),
            banked=piece["role"] == Role.BANK.value,
            foot=(piece["x"], piece["y"], piece["z"]),
            star_of=piece.get("system") if piece["role"] == Role.STAR.value else None,
        )
        for piece, size, stands_on, stood_on, distance in zip(
            told, sizes, standing_on, standing_on.T, distances, strict=True
        )
    )


def _standing_on(feet: Array, bases: Array, upright: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(N, N) whether the first stands on the second, from feet (N, 3) in mm, base lengths and who is upright."""
    higher = feet[:, None, 2] > feet[:, 2] + STACKED
    apart = np.linalg.norm(feet[:, None, :2] - feet[:, :2], axis=2)
    return np.asarray(higher & (apart < bases / 2) & upright[:, None] & upright)


def crossings(board: Array, camera: Camera) -> Array:
    """(49, 2) px where the lines of a board cross, from its four corners a1, f1, f6, a6."""
    normal = cv2.undistortPoints(board[:, None], camera.K, camera.dist)[:, 0]
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32) * BOARD_SIDE
    flat = cv2.getPerspectiveTransform(square, normal.astype(np.float32))
    steps = np.arange(BOARD_SIDE + 1, dtype=np.float64)
    lattice = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(1, -1, 2)
    bent = distort(cv2.perspectiveTransform(lattice, flat)[0].astype(np.float64), camera.dist)
    return np.asarray(bent * np.diag(camera.K)[:2] + camera.K[:2, 2])
