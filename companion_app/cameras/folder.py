"""A folder that photos are put into, by a cable, a cloud or a camera program: the newest one counts."""

from __future__ import annotations

import time
from pathlib import Path

from companion_app.cameras.states import CameraError
from companion_app.errors import AppError
from companion_app.lens import lens_of
from companion_app.photo_folder import photos_in
from companion_app.photos import Photo, decode_photo, photo_bytes

LOOK_S = 0.5

Look = tuple[Path, int, int]
"""A photo, its size in bytes and the time of its last change in ns: what tells one state of a file from another."""


class PhotoFolder:
    """The newest photo of a folder, whenever there is another; it is whole once two looks found it unchanged."""

    live = False

    def __init__(self, folder: Path) -> None:
        self.name = f"The folder {folder}"
        self.lens: float | None = None
        self._folder = folder
        self._before: Look | None = None
        self._given: Look | None = None

    def open(self) -> None:
        """See :meth:`Source.open`."""
        self._newest()

    def read(self) -> Photo | None:
        """See :meth:`Source.read`."""
        newest = self._newest()
        if newest is None or newest == self._given or newest != self._before:
            self._before = newest
            time.sleep(LOOK_S)
            return None
        self._given = newest
        data = photo_bytes(newest[0])
        self.lens = lens_of(data)
        return decode_photo(data, name=newest[0].name)

    def close(self) -> None:
        """See :meth:`Source.close`."""

    def _newest(self) -> Look | None:
        try:
            looks = [look for path in photos_in(self._folder) if (look := _look(path)) is not None]
        except AppError as error:
            raise CameraError(error.code, error.sentence) from error
        return max(looks, key=lambda look: look[2], default=None)


def _look(path: Path) -> Look | None:
    try:
        state = path.stat()
    except OSError:  # it went just then
        return None
    return path, state.st_size, state.st_mtime_ns
