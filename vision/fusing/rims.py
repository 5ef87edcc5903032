"""What shows of a piece beneath another: a rim around its base; whether it is of plastic, and of which colour."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.fusing.one_light import deep_shade_of, shade_of, suited
from vision.poses import Pose
from vision.solids import Array, Color

FEWEST = 8  # px that tell anything
BESIDE = (3, 8)  # px: the table is looked at from as far to as far from both outlines
LEAST = 0.01  # probability of a colour
ANY = 1 / len(Color)  # probability of a colour of which nothing is known
MOST_APART = 2.0  # of shades; more counts as that
MOST_BRIGHTER = 1.5  # of logarithms of brightness, either way
DARK = 3.0  # of 255, added to all: darker pixels are mostly noise

RIM_SIGNS = ("rim contrast", "rim brightness", "rim size", "no rim")
Image = NDArray[np.uint8]


def rim_of(
    lower: Pose, upper: Pose, camera: Camera, image: Image, shades: Array, chances: Array
) -> tuple[Array, Array]:
    """(4,) what speaks for each colour of a rim, and (4,) ``RIM_SIGNS``: what speaks for its being one.

    Args:
        lower: of which a rim may show beneath the *upper*. image: (H, W, 3) BGR.
        shades, chances: (N, 2) deep ones and (N, 4) of pieces that are seen under the same light, as for
            :func:`vision.fusing.one_light.suited`.
    """
    rim, beside = _pixels(lower, upper, camera, image)
    if min(len(rim), len(beside)) < FEWEST:
        return np.zeros(len(Color)), np.array([0.0, 0.0, 0.0, 1.0])
    told = suited(np.vstack([shades, deep_shade_of(rim)]), np.vstack([chances, np.full(len(Color), ANY)]))[-1]
    contrast = min(float(np.linalg.norm(shade_of(rim) - shade_of(beside))), MOST_APART)
    brighter = abs(_brightness(rim) - _brightness(beside))
    signs = np.array([contrast, min(brighter, MOST_BRIGHTER), np.log(len(rim)), 0.0])
    return np.log(np.maximum(told, LEAST) / ANY), signs


def _pixels(lower: Pose, upper: Pose, camera: Camera, image: Image) -> tuple[Image, Image]:
    """(M, 3) and (L, 3) BGR: what is inside the outline of the lower one alone, and what is beside both."""
    hulls = [cv2.convexHull(pose.outline(camera).astype(np.float32))[:, 0] for pose in (lower, upper)]
    corners = np.concatenate(hulls)
    size = np.array(image.shape[1::-1])
    low = np.clip(np.floor(corners.min(0)).astype(int) - BESIDE[1] - 1, 0, size)
    high = np.clip(np.ceil(corners.max(0)).astype(int) + BESIDE[1] + 2, 0, size)
    part = image[low[1] : high[1], low[0] : high[0]]
    if not part.size:
        return part.reshape(-1, 3), part.reshape(-1, 3)
    own, above = (_filled(part.shape[:2], hull - low) for hull in hulls)
    both = np.maximum(own, above)
    beside = _grown(both, BESIDE[1]) - _grown(both, BESIDE[0])
    rim = cv2.erode(own, np.ones((3, 3), np.uint8)) > _grown(above, 1)
    return part[rim], part[beside > 0]


def _filled(shape: tuple[int, ...], hull: Array) -> Image:
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 1)
    return mask


def _grown(mask: Image, by: int) -> Image:
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8), iterations=by), dtype=np.uint8)


def _brightness(pixels: Image) -> float:
    return float(np.log(np.median(pixels.mean(axis=1)) + DARK))
