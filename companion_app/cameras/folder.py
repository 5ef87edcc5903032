"""A folder that photos are put into, by a cable, a cloud or a camera program: what was not there before counts."""

from __future__ import annotations

import time
from pathlib import Path

from companion_app.cameras.states import CameraError
from companion_app.errors import AppError
from companion_app.lens import lens_of
from companion_app.photo_folder import ARRIVING_S, CUT_OFF, photos_in
from companion_app.photos import BadPhoto, Photo, decode_photo, photo_bytes

LOOK_S = 0.5

Look = tuple[Path, int, int]
"""A photo, its size in bytes and the time of its last change in ns: what tells one state of a file from another."""


class PhotoFolder:
    """The newest photo of a folder, then each state of a photo that was not there before, whatever its date.

    A photo is whole once two looks found it unchanged and it can be opened. Of several that arrive at once the last
    one by date counts.
    """

    live = False

    def __init__(self, folder: Path) -> None:
        self.name = f"The folder {folder}"
        self.lens: float | None = None
        self._folder = folder
        self._seen: set[Look] = set()
        self._has_looked = False
        self._before: dict[Path, Look] = {}
        self._cut_off: dict[Look, float] = {}  # those that were not whole yet, and since when

    def open(self) -> None:
        """See :meth:`Source.open`."""
        self._looks()

    def read(self) -> Photo | None:
        """See :meth:`Source.read`; raises BadPhoto, code ``photo_arriving``, as long as a photo is not whole yet."""
        fresh = self._fresh()
        before, self._before = self._before, {look[0]: look for look in fresh}
        overdue = time.monotonic() - ARRIVING_S
        resting = [
            look for look in fresh if before.get(look[0]) == look and self._cut_off.get(look, overdue) <= overdue
        ]
        if resting:
            return self._open(max(resting, key=lambda look: look[2]), resting)
        time.sleep(LOOK_S)
        for look in fresh:
            was = before.get(look[0], look)
            if (was != look and was not in self._seen) or look in self._cut_off:
                raise _arriving(look)
        return None

    def close(self) -> None:
        """See :meth:`Source.close`."""

    def _open(self, newest: Look, resting: list[Look]) -> Photo | None:
        """The *newest* of those that rest, by which the others are past; or what is wrong with it."""
        try:
            data = photo_bytes(newest[0])
            photo = decode_photo(data, name=newest[0].name)
        except BadPhoto as error:
            if error.code in CUT_OFF and newest not in self._cut_off:
                self._cut_off[newest] = time.monotonic()
                raise _arriving(newest) from None
            if not newest[0].exists():  # it was renamed, or taken away again
                return None
            self._seen.add(newest)
            raise
        self._seen.update(resting)
        self.lens = lens_of(data)
        return photo

    def _fresh(self) -> list[Look]:
        """What has not been seen; at the first look, of what is there the newest only."""
        looks = self._looks()
        if not self._has_looked:
            self._has_looked = True
            newest = max(looks, key=lambda look: look[2], default=None)
            self._seen = {look for look in looks if look != newest}
        return [look for look in looks if look not in self._seen]

    def _looks(self) -> list[Look]:
        try:
            return [look for path in photos_in(self._folder) if (look := _look(path)) is not None]
        except AppError as error:
            raise CameraError(error.code, error.sentence) from error


def _look(path: Path) -> Look | None:
    try:
        state = path.stat()
    except OSError:  # it went just then
        return None
    return path, state.st_size, state.st_mtime_ns


def _arriving(look: Look) -> BadPhoto:
    return BadPhoto("photo_arriving", f"{look[0].name} is still arriving.")
