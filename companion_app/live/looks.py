"""Looks at the table: a picture of it at rest, and what was read from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import cv2

from companion_app.cameras import Still
from companion_app.photos import Photo
from companion_app.reading import Corners, read_photo
from companion_app.reading_types import Ask, Game, Point, Reading, Verdict
from vision.sight import ImageSide

_QUALITY = 90


class Reader(Protocol):
    """Reads pictures of one table."""

    def read(self, picture: Photo, view: int, lens: float | None = None) -> Reading:
        """What stands on the table in *picture*; *view* is another number after each bump of the camera.

        *lens* is the focal length as a share of the picture's diagonal, where it is known.
        """

    def read_kept(self, picture: Photo) -> Reading | None:
        """What stood on the table in a *picture* of earlier on; ``None`` from a reader that cannot tell."""


class Eyes:
    """The reader of real pictures; it keeps what it has found out about a board until the camera moves."""

    def __init__(
        self,
        game: Game,
        south: ImageSide = ImageSide.BOTTOM,
        *,
        redless: bool = False,
        corners: Corners | None = None,
    ) -> None:
        """For tables with South at the image's side *south*; *corners* are those of the board, given by hand."""
        self._game = game
        self._south = south
        self._redless = redless
        self._by_hand = corners
        self._view: int | None = None
        self._found: Sequence[Point] = ()

    def calibrate(self, corners: Corners) -> None:
        """The board's corners, given by hand for as long as the camera stays where it is."""
        self._by_hand = corners

    def read(self, picture: Photo, view: int, lens: float | None = None) -> Reading:
        """See :meth:`Reader.read`."""
        if view != self._view:
            if self._view is not None:
                self._by_hand = None
            self._view, self._found = view, ()
        corners = self._by_hand or self._found or None
        reading = read_photo(picture, self._game, self._south, redless=self._redless, corners=corners, lens=lens)
        if reading.verdict is Verdict.CERTAIN:
            self._found = reading.board
        return reading

    def read_kept(self, picture: Photo) -> Reading:
        """See :meth:`Reader.read_kept`."""
        return read_photo(picture, self._game, self._south, redless=self._redless)


@dataclass(frozen=True, eq=False)
class Look:
    """One look at the table.

    Attributes:
        number: counts from 1.
        still: the table at rest.
        reading: what was read from ``picture``.
        seconds: how long the reading took.
    """

    number: int
    still: Still
    reading: Reading
    seconds: float

    @property
    def picture(self) -> Photo:
        """What was read, (H, W, 3) BGR."""
        return self.still.picture

    @property
    def rest(self) -> tuple[float, int]:
        """Which rest of the table it shows."""
        return rest_of(self.still)

    @property
    def trouble(self) -> str:
        """Why nothing at all can be made of the picture, in one sentence; empty where something can."""
        if self.reading.verdict is not Verdict.UNREADABLE or self.reading.board:
            return ""
        return next((one.sentence for one in self.reading.questions if one.ask is Ask.PHOTO), "")

    @cached_property
    def photo(self) -> bytes:
        """The picture as a JPEG file."""
        _, data = cv2.imencode(".jpg", self.picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        return data.tobytes()


def rest_of(still: Still) -> tuple[float, int]:
    """What tells one rest of the table from another: when it began, and from where it is seen."""
    return still.since, still.view
