"""Photos that somebody hands over one by one: a phone through the page."""

from __future__ import annotations

import threading

from companion_app.photos import Photo

LOOK_S = 0.5


class Uploads:
    """A slot for the newest photo: any thread puts one in, the camera's thread takes it out."""

    name = "The slot for uploads"
    live = False
    lens: float | None = None

    def __init__(self) -> None:
        self._photo: Photo | None = None
        self._filled = threading.Event()

    def put(self, photo: Photo) -> None:
        """Hand over a photo; one that still waits there is too old now and goes."""
        self._photo = photo
        self._filled.set()

    def open(self) -> None:
        """See :meth:`Source.open`."""

    def read(self) -> Photo | None:
        """See :meth:`Source.read`."""
        if not self._filled.wait(LOOK_S):
            return None
        self._filled.clear()
        photo, self._photo = self._photo, None
        return photo

    def close(self) -> None:
        """See :meth:`Source.close`."""
