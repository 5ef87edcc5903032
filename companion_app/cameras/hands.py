"""A drawn arm with its hand, to be laid over pictures of a virtual table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion_app.photos import Photo

Point = tuple[float, float]

ARM = 0.075  # half its width; all lengths are shares of the picture's width
PALM = (0.085, 0.065)
FINGER = (0.075, 0.017)
FINGERS_DEG = (-38.0, -13.0, 6.0, 25.0, 62.0)
SHADOW = (0.012, 0.018)
SKINS = ((150, 180, 224), (120, 156, 205), (92, 125, 176), (58, 84, 128), (40, 56, 90))
SLEEVES = (None, None, (60, 50, 44), (150, 110, 60), (90, 96, 190), (196, 200, 204))
"""Blue, green, red; no sleeve shows the bare arm."""


@dataclass(frozen=True)
class Arm:
    """Somebody's arm.

    Attributes:
        shoulder: where it comes from, outside the picture, in shares of its width and height.
        skin: BGR. sleeve: BGR of the cloth down to the wrist, or ``None``.
    """

    shoulder: Point
    skin: tuple[int, int, int]
    sleeve: tuple[int, int, int] | None

    @classmethod
    def random(cls, rng: np.random.Generator) -> Arm:
        """An arm of some colour from one of the four sides."""
        along, out = float(rng.uniform(0.2, 0.8)), float(rng.choice((-0.35, 1.35)))
        shoulder = (along, out) if rng.random() < 0.7 else (out, along)
        return cls(shoulder, SKINS[rng.integers(len(SKINS))], SLEEVES[rng.integers(len(SLEEVES))])

    def over(self, picture: Photo, at: Point) -> Photo:
        """*picture* with the arm and its palm *at* a place, in px."""
        height, width = picture.shape[:2]
        start = np.array([self.shoulder[0] * width, self.shoulder[1] * height])
        palm = np.array(at)
        if np.linalg.norm(palm - start) < 1:
            return picture
        drawn = picture.copy()
        self._shade(drawn, start, palm, width)
        self._paint(drawn, start, palm, width, self.skin, self.sleeve)
        return drawn

    def _shade(self, drawn: Photo, start: NDArray[np.float64], palm: NDArray[np.float64], width: int) -> None:
        """Its shadow, softly."""
        small = (max(2, drawn.shape[1] // 4), max(2, drawn.shape[0] // 4))
        light = np.full((small[1], small[0], 3), 255, np.uint8)
        aside = np.array(SHADOW) * width
        dark = (165, 165, 165)
        self._paint(light, (start + aside) / 4, (palm + aside) / 4, width / 4, dark, dark)
        soft = cv2.resize(cv2.GaussianBlur(light, (0, 0), max(1.0, width / 400)), drawn.shape[1::-1])
        cv2.multiply(drawn, soft, dst=drawn, scale=1 / 255)

    @staticmethod
    def _paint(
        drawn: Photo,
        start: NDArray[np.float64],
        palm: NDArray[np.float64],
        width: float,
        skin: tuple[int, int, int],
        sleeve: tuple[int, int, int] | None,
    ) -> None:
        forward = (palm - start) / np.linalg.norm(palm - start)
        aside = np.array([-forward[1], forward[0]]) * ARM * width
        wrist = palm - forward * PALM[0] * width * 0.6
        limb = np.array([start + aside * 1.3, start - aside * 1.3, wrist - aside * 0.6, wrist + aside * 0.6])
        _fill(drawn, limb, sleeve or skin)
        angle = float(np.degrees(np.arctan2(forward[1], forward[0])))
        _oval(drawn, palm, (PALM[0] * width, PALM[1] * width), angle, skin)
        for spread in FINGERS_DEG:
            turn = np.radians(angle + spread)
            middle = palm + np.array([np.cos(turn), np.sin(turn)]) * (PALM[0] + FINGER[0] * 0.55) * width
            _oval(drawn, middle, (FINGER[0] * width, FINGER[1] * width), angle + spread, skin)


def _fill(drawn: Photo, corners: NDArray[np.float64], color: tuple[int, int, int]) -> None:
    cv2.fillConvexPoly(drawn, np.round(corners * 16).astype(np.int32), color, cv2.LINE_AA, shift=4)


def _oval(drawn: Photo, middle: NDArray[np.float64], half: Point, angle: float, color: tuple[int, int, int]) -> None:
    """A filled ellipse with a darker rim, as something round has."""
    center, axes = (round(middle[0]), round(middle[1])), (max(1, round(half[0])), max(1, round(half[1])))
    rim = tuple(round(channel * 0.82) for channel in color)
    cv2.ellipse(drawn, center, axes, angle, 0, 360, rim, -1, cv2.LINE_AA)
    inner = (max(1, round(half[0] * 0.85)), max(1, round(half[1] * 0.85)))
    cv2.ellipse(drawn, center, inner, angle, 0, 360, color, -1, cv2.LINE_AA)
