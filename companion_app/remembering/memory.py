"""The table as it was when people last agreed about it, to read the next picture by."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from companion_app.photos import Photo
from companion_app.reading_types import Reading, ReadPiece, Verdict
from companion_app.remembering.agreed import Agreed
from companion_app.remembering.recollection import Recollection
from companion_app.remembering.registering import bending, bent_points
from companion_app.remembering.shown import Shown
from companion_app.remembering.unchanged import smoothed

SLACK_PX: Final = 6
"""By how much pieces lie beside where a bumped camera should show them."""


class Memory:
    """What is known of a table in one picture of it.

    Attributes:
        known: what was agreed on.
        whole: whether nothing else stood there for certain.
    """

    def __init__(self, photo: Photo, known: Agreed, *, whole: bool = True, slack_px: int = 0) -> None:
        """*slack_px* is by how much pieces may seem to have moved, though only the camera has."""
        self.known = known
        self._slack = slack_px
        self.whole = whole and not known.unplaced
        self._photo = photo
        self._picture = smoothed(photo)

    def recalled(self, photo: Photo, reading: Reading) -> Reading:
        """The *reading* of a new *photo* from the same place, with what has not changed as it was agreed on.

        Pieces where nothing has changed are those that stood there, whether or not the reader saw them again, and
        nothing else is there. All the others are as they were read. In the bank a kind is as sure as can be where
        nothing of it has changed: as many are there as there were. Where most of it looks otherwise the camera was
        moved and nobody noticed, by a pixel or two perhaps.
        """
        comparable = self.known.pieces and photo.shape == self._picture.shape
        if not comparable or reading.verdict is Verdict.UNREADABLE:
            return reading
        shown = Shown(self._picture, smoothed(photo), self._slack)
        recollection = Recollection(self.known, shown, reading, whole=self.whole)
        moved = self.moved_to(photo) if recollection.is_elsewhere and not self._slack else None
        return moved.recalled(photo, reading) if moved else recollection.reading()

    def moved_to(self, photo: Photo) -> Memory | None:
        """The same table in a *photo* taken after the camera was bumped; ``None`` where the two do not match."""
        homography = bending(self._photo, photo)
        if homography is None:
            return None

        def moved(piece: ReadPiece) -> ReadPiece:
            return piece.moved(lambda points: bent_points(points, homography))

        known = replace(
            self.known,
            pieces=tuple(map(moved, self.known.pieces)),
            dismissed=tuple(map(moved, self.known.dismissed)),
        )
        height, width = photo.shape[:2]
        shown = cv2.warpPerspective(self._photo, homography, (width, height), borderMode=cv2.BORDER_REPLICATE)
        return Memory(np.asarray(shown, dtype=np.uint8), known, whole=self.whole, slack_px=SLACK_PX)
