"""Where the camera stands: phones and webcams, from a player's seat to straight down."""

from __future__ import annotations

import math

import numpy as np

from scenes.looks import Look
from vision.camera import Camera
from vision.solids import Array

Rng = np.random.Generator
SIZES = ((1280, 960),) * 7 + ((960, 1280),) * 2 + ((1280, 720), (1200, 900), (1024, 768))
MEDIUM_BASE = 19.84  # mm


def viewpoint(framed: Array, everything: Array, look: Look, rng: Rng) -> Camera:
    """A camera that has the (N, 3) points *framed* in view, some of them cut off now and then.

    *everything* else may lie outside the picture, but in front of the camera.
    """
    size = SIZES[int(rng.integers(0, len(SIZES)))]
    low, high = look.view_deg[int(rng.integers(0, len(look.view_deg)))]
    focal = max(size) / 2 / math.tan(math.radians(float(rng.uniform(low, high))) / 2)
    from_above = bool(rng.random() < 0.25)
    elevation = float(rng.uniform(80, 90)) if from_above else float(rng.uniform(25, 82))
    azimuth = float(rng.normal(270, 14)) if rng.random() < 0.7 else float(rng.uniform(0, 360))
    low_xy, high_xy = framed[:, :2].min(0), framed[:, :2].max(0)
    middle = (low_xy + high_xy) / 2 + rng.normal(0, 12, 2)
    k1 = float(rng.uniform(*look.radial))
    dist = np.array([k1, -0.3 * k1 * float(rng.random()), *rng.normal(0, 0.0008, 2), 0.0])
    roll, fill = (
        float(rng.normal(0, 16 if from_above or rng.random() < 0.1 else 4.5)),
        float(rng.choice((rng.uniform(0.4, 0.8), rng.uniform(0.75, 0.98), 1.1), p=(0.3, 0.62, 0.08))),
    )
    distance = 500.0
    for _ in range(12):
        camera = Camera.looking_at(
            (float(middle[0]), float(middle[1])),
            azimuth_deg=azimuth,
            elevation_deg=elevation,
            distance=distance,
            focal=focal,
            size=size,
            roll_deg=roll,
            dist=dist,
        )
        if (camera.depths(everything) < 40).any():
            distance *= 1.4
            continue
        seen = (camera.project(framed) - camera.K[:2, 2]) / (np.array(size) / 2)
        distance *= 0.4 + 0.6 * float(np.abs(seen).max()) / fill
        nearest, farthest = MEDIUM_BASE * focal / 110, MEDIUM_BASE * focal / 12
        distance = min(max(distance, nearest), farthest)
    return camera
