"""A scene as a smaller picture cut out of it, larger or smaller and a little turned, truth and all."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from training.truth import Scene, TruePiece
from vision.poses import hull
from vision.solids import Array

Image = NDArray[np.uint8]

CROP = (512, 384)  # width, height in px
SCALES = (0.55, 1.6)
LEANING_DEG = 15.0  # how far people hold a camera askew
ANY_TURN = 0.15  # share of crops turned by any angle: a phone held over the table has no "up"


@dataclass(frozen=True, eq=False)
class Crop:
    """A part of a picture.

    Attributes:
        image: (H, W, 3) BGR. scene: the truth in its pixels.
        inside: (H, W) uint8, 1 where the picture was, 0 beyond its edge.
    """

    image: Image
    scene: Scene
    inside: Image


def random_crop(image: Image, scene: Scene, rng: np.random.Generator, size: tuple[int, int] = CROP) -> Crop:
    """A crop around some piece, or every fourth time (and when there are none) around any place."""
    scale = float(np.exp(rng.uniform(*np.log(SCALES))))
    turn = float(rng.uniform(-180, 180) if rng.random() < ANY_TURN else rng.uniform(-LEANING_DEG, LEANING_DEG))
    middle = rng.uniform(0, 1, 2) * scene.size
    if scene.pieces and rng.random() < 0.75:
        middle = scene.pieces[int(rng.integers(len(scene.pieces)))].corners.mean(0)
        middle = middle + rng.uniform(-0.4, 0.4, 2) * size / scale
    moved = np.array(cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), turn, scale), dtype=np.float64)
    moved[:, 2] += (np.array(size) - 1) / 2 - middle
    return cut(image, scene, moved, size)


def whole(image: Image, scene: Scene) -> Crop:
    """All of a picture."""
    return cut(image, scene, np.eye(2, 3), scene.size)


def cut(image: Image, scene: Scene, moved: Array, size: tuple[int, int]) -> Crop:
    """What the affine map (2, 3) *moved* shows in a window of *size* px; the picture's edge is drawn out."""
    shown = _warped(image, moved, size)
    inside = cv2.warpAffine(np.ones(image.shape[:2], np.uint8), moved, size, flags=cv2.INTER_NEAREST)

    def there(points: Array) -> Array:
        return np.asarray(points @ moved[:, :2].T + moved[:, 2])

    def piece_there(piece: TruePiece) -> TruePiece:
        outline = there(piece.outline)
        left = share_inside(outline, size) / max(share_inside(piece.outline, scene.size), 1e-6)
        return replace(piece, corners=there(piece.corners), outline=outline, visible=piece.visible * min(1.0, left))

    truth = replace(
        scene,
        size=size,
        pieces=tuple(map(piece_there, scene.pieces)),
        crossings=there(scene.crossings),
        board=None if scene.board is None else there(scene.board),
        token=None if scene.token is None else there(scene.token),
    )
    return Crop(shown, truth, np.asarray(inside, dtype=np.uint8))


def _warped(image: Image, moved: Array, size: tuple[int, int]) -> Image:
    """The picture through an affine map, without the jagged lines that shrinking in one step would give."""
    scale = float(np.sqrt(abs(np.linalg.det(moved[:, :2]))))
    if scale < 0.9:
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        ahead = np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2]])
        turn = moved[:, :2] / scale
        moved = np.column_stack([turn, moved[:, 2] - turn @ ahead[:, 2]])
    shown = cv2.warpAffine(image, moved, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shown, dtype=np.uint8)


def share_inside(outline: Array, size: tuple[int, int]) -> float:
    """How much of an outline (M, 2) lies in a picture of *size* px."""
    window = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], dtype=np.float32) - np.float32(0.5)
    convex = hull(outline).astype(np.float32)
    return float(cv2.intersectConvexConvex(convex, window)[0] / max(cv2.contourArea(convex), 1.0))
