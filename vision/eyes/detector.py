"""The net at work: a picture goes in, detections come out."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.eyes.decode import Thresholds, decode
from vision.eyes.detections import Detections
from vision.eyes.maps import MULTIPLE, WORDS, Floor, Map, Maps
from vision.eyes.nets import Installed, Net

Image = NDArray[np.uint8]

LONG_SIDE = 1280
"""Pixels of the longer side to which larger pictures are shrunk."""

CLOSER = 1.25  # times as large as at first: from there on a second look is worth its time
EASY = 75.0  # px, diagonal of the box around the usual piece: larger ones are not seen better
TOO_LARGE, EASIER = 140.0, 105.0  # px of it from which on smaller ones are seen better, and how large they are made
LARGER = 1.5  # than its own pixels a picture is not shown
FINEST = 2048  # px of the longer side that are looked at
AROUND = 1.5  # usual pieces around the pieces that are looked at again
CLEAR = 0.4  # score of pieces whose place tells where to look
SHORTEST = 64  # px; smaller pictures are filled up to this


class Detector(Installed):
    """Finds pieces in pictures.

    Attributes:
        thresholds: from what heat on a point is believed.
    """

    def __init__(self, threads: int = 1, name: str = "detector.onnx", thresholds: Thresholds | None = None) -> None:
        super().__init__(threads, name)
        self.thresholds = thresholds or Thresholds()

    def look(self, image: Image, long_side: int = LONG_SIDE) -> Detections:
        """What is seen in an (H, W, 3) BGR or (H, W) grey picture, shrunk to *long_side* px if it is larger.

        Where the pieces fill only a part of a large picture, or are small, that part is looked at again, larger;
        where they are very large, everything from farther away.
        """
        picture = in_color(image)
        now = min(1.0, long_side / max(picture.shape[:2]))
        seen = self._look_once(picture, now)
        part = worth_another_look(seen, picture.shape[:2], long_side, now)
        if part is None:
            return seen
        again = self._look_once(np.ascontiguousarray(picture[part.rows, part.columns]), part.scale)
        return again.moved((part.columns.start, part.rows.start), seen) if len(again) else seen

    def _look_once(self, image: Image, scale: float) -> Detections:
        shown, scale = scaled(image, scale)
        return decode(answer(self.session, shown), scale, self.thresholds)


@dataclass(frozen=True)
class Part:
    """Rows and columns of a picture, and how many times as large they shall be shown."""

    rows: slice
    columns: slice
    scale: float


def worth_another_look(seen: Detections, shape: tuple[int, int], long_side: int, now: float) -> Part | None:
    """The part with all that is *seen*, if it can be shown ``CLOSER`` times as large as *now*, or more.

    It is shown as large as its pixels allow within *long_side* px; where pieces are small, larger, within ``FINEST``.
    Where they are too large, all of the picture, smaller.
    """
    clear = seen.only(np.flatnonzero(seen.score >= CLEAR))
    if not len(clear):
        return None
    usual = float(np.median(np.linalg.norm(np.ptp(clear.corners, axis=1), axis=1)))
    if usual * now > TOO_LARGE:
        return Part(slice(0, shape[0]), slice(0, shape[1]), EASIER / usual)
    points = np.concatenate([clear.corners.reshape(-1, 2), seen.crossings[:, :2]])
    low = np.clip(points.min(0) - AROUND * usual, 0, None).astype(int)
    high = np.ceil(np.minimum(points.max(0) + AROUND * usual, shape[::-1])).astype(int)
    part = max(int((high - low).max()), 1)
    wanted = min(EASY / usual, LARGER, FINEST / part)
    then = min(max(min(1.0, long_side / part), wanted), TOO_LARGE / usual)
    if then < CLOSER * now:
        return None
    return Part(slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0])), then)


def answer(session: Net, image: Image) -> Maps:
    """The net's maps for an (H, W, 3) BGR picture of any size."""
    dense, words = session.run(["dense", "words"], {"image": filled_up(image)[None]})
    return maps_of(np.asarray(dense[0]), np.asarray(words[0]))


def maps_of(dense: Map, words: Map) -> Maps:
    """The two outputs of the net as maps, the words floor by floor."""
    return Maps(dense, words.reshape(len(Floor), WORDS, *words.shape[1:]))


def filled_up(image: Image) -> Image:
    """The picture with its right and lower edge repeated up to a size that the net can take."""
    height, width = image.shape[:2]
    down, right = (max(side, SHORTEST) + -max(side, SHORTEST) % MULTIPLE - side for side in (height, width))
    return np.asarray(cv2.copyMakeBorder(image, 0, down, 0, right, cv2.BORDER_REPLICATE), dtype=np.uint8)


def in_color(image: Image) -> Image:
    """Grey pictures get three equal channels."""
    if image.ndim == 2 or image.shape[2] == 1:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    return image


def shrunk(image: Image, long_side: int) -> tuple[Image, float]:
    """The picture with its longer side at most *long_side* px, and by what factor its pixels were scaled."""
    return scaled(image, min(1.0, long_side / max(image.shape[:2])))


def scaled(image: Image, scale: float) -> tuple[Image, float]:
    """The picture *scale* times as large, as far as whole pixels go, and the scale."""
    if scale == 1:
        return image, 1.0
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    finer = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, size, interpolation=finer), dtype=np.uint8), scale
