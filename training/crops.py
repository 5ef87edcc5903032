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
ON_STACKS = 0.5  # share of the crops around a piece that are around one under another, if there is one
RIM = 4  # px around a window that are kept, so that nothing at its edge is lost


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
    """A crop around some piece, or every fourth time (and when there are none) around any place.

    Stacks are harder than what stands alone and rarer on the table: half of the crops show one on purpose.
    """
    scale = float(np.exp(rng.uniform(*np.log(SCALES))))
    turn = float(rng.uniform(-180, 180) if rng.random() < ANY_TURN else rng.uniform(-LEANING_DEG, LEANING_DEG))
    middle = rng.uniform(0, 1, 2) * scene.size
    if scene.pieces and rng.random() < 0.75:
        stacked = [piece for piece in scene.pieces if piece.under] if rng.random() < ON_STACKS else []
        shown = stacked or scene.pieces
        middle = shown[int(rng.integers(len(shown)))].corners.mean(0)
        middle = middle + rng.uniform(-0.4, 0.4, 2) * size / scale
    moved = np.array(cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), turn, scale), dtype=np.float64)
    moved[:, 2] += (np.array(size) - 1) / 2 - middle
    return cut(image, scene, moved, size)


def whole(image: Image, scene: Scene) -> Crop:
    """All of a picture."""
    return cut(image, scene, np.eye(2, 3), scene.size)


def cut(image: Image, scene: Scene, moved: Array, size: tuple[int, int]) -> Crop:
    """What the affine map (2, 3) *moved* shows in a window of *size* px; the picture's edge is drawn out.

    The truth keeps the pieces of which something may be in the window.
    """

    def there(points: Array) -> Array:
        return np.asarray(points @ moved[:, :2].T + moved[:, 2])

    all_corners = there(np.array([piece.corners for piece in scene.pieces]).reshape(-1, 5, 2))
    beyond = (all_corners.max(1) < -RIM).any(1) | (all_corners.min(1) > np.array(size) + RIM).any(1)
    truth = replace(
        scene,
        size=size,
        pieces=tuple(
            _piece_there(piece, corners, there(piece.outline), scene.size, size)
            for piece, corners, out in zip(scene.pieces, all_corners, beyond, strict=True)
            if not out
        ),
        crossings=there(scene.crossings),
        board=None if scene.board is None else there(scene.board),
        token=None if scene.token is None else there(scene.token),
    )
    inside = np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(inside, np.round(there(_frame(scene.size)) * 16).astype(np.int32), 1, shift=4)
    return Crop(_warped(image, moved, size), truth, inside)


def _piece_there(
    piece: TruePiece, corners: Array, outline: Array, before: tuple[int, int], size: tuple[int, int]
) -> TruePiece:
    """A piece of a picture of the size *before* at its place in a window; what is beyond it is no longer seen."""
    beyond = np.any((corners < -0.5) | (corners > np.array(size) - 0.5), axis=1)
    if not beyond.any():
        return replace(piece, corners=corners, outline=outline)
    left = share_inside(outline, size) / max(share_inside(piece.outline, before), 1e-6)
    return replace(
        piece,
        corners=corners,
        corners_seen=piece.corners_seen & ~beyond,
        outline=outline,
        visible=piece.visible * min(1.0, left),
    )


def _warped(image: Image, moved: Array, size: tuple[int, int]) -> Image:
    """The picture through an affine map, without the jagged lines that shrinking in one step would give."""
    image, moved = _part_shown(image, moved, size)
    shrinking = 1 / float(np.sqrt(abs(np.linalg.det(moved[:, :2]))))
    if shrinking > 1.1:  # a bell as wide as the mean over so many pixels
        image = np.asarray(cv2.GaussianBlur(image, (3, 3), float(np.sqrt((shrinking**2 - 1) / 12))), dtype=np.uint8)
    shown = cv2.warpAffine(image, moved, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shown, dtype=np.uint8)


def _part_shown(image: Image, moved: Array, size: tuple[int, int]) -> tuple[Image, Array]:
    """The part of a picture that is needed to show a window of *size* px, and the map from there."""
    back = cv2.invertAffineTransform(moved)
    needed = _frame(size) @ back[:, :2].T + back[:, 2]
    sides = np.array(image.shape[1::-1])
    left, top = np.clip(np.floor(needed.min(0)).astype(int) - RIM, 0, sides - 1)
    right, bottom = np.clip(np.ceil(needed.max(0)).astype(int) + RIM, (left + 1, top + 1), sides)
    return image[top:bottom, left:right], np.column_stack([moved[:, :2], moved @ (left, top, 1)])


def _frame(size: tuple[int, int]) -> Array:
    """(4, 2) the centres of the corner pixels of a picture of *size* px."""
    right, down = size[0] - 1, size[1] - 1
    return np.array([[0, 0], [right, 0], [right, down], [0, down]], dtype=np.float64)


def share_inside(outline: Array, size: tuple[int, int]) -> float:
    """How much of an outline (M, 2) lies in a picture of *size* px."""
    window = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], dtype=np.float32) - np.float32(0.5)
    convex = hull(outline).astype(np.float32)
    return float(cv2.intersectConvexConvex(convex, window)[0] / max(cv2.contourArea(convex), 1.0))
