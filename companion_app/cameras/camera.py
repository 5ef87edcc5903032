"""Keeps a camera going: a thread opens it, reads the newest picture, and after any trouble opens it again."""

from __future__ import annotations

import atexit
import logging
import random
import threading
import time

import numpy as np

from companion_app.cameras.sources import Source
from companion_app.cameras.states import CameraError, CameraState, Condition, Frame
from companion_app.errors import AppError
from companion_app.photos import BadPhoto, Photo

STALE_AFTER_S = 3.0
FIRST_REST_S = 0.5
LONGEST_REST_S = 1.0  # a picture that is there again is seen within this time and that of one call
LONGEST_BUSY_REST_S = 3.0
PASSWORD_REST_S = 30.0  # cameras lock out who is wrong too often
JOIN_WITHIN_S = 3.0
ARRIVING = "photo_arriving"


class Camera:
    """The newest picture of a source that may come and go. Any thread may call.

    A picture that repeats the one before, to the last pixel, is no news: an unplugged camera may send such pictures
    for ever. It does not make the newest frame younger, and one that is older than *stale_after* seconds is stale.
    """

    def __init__(
        self, source: Source, *, stale_after: float = STALE_AFTER_S, first_rest: float = FIRST_REST_S
    ) -> None:
        """Start reading; returns at once, ``state`` tells how it goes."""
        self.source = source
        self._stale_after = stale_after
        self._first_rest = self._rest = first_rest
        self._news = threading.Condition()
        self._frame: Frame | None = None
        self._count = 0
        self._trouble: CameraState | None = CameraState(
            Condition.STARTING, "camera_starting", f"{source.name} is being opened."
        )
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()
        # A thread that still unpacks a picture while Python comes down would abort the program.
        atexit.register(self.close)

    def __enter__(self) -> Camera:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def frame(self) -> Frame | None:
        """The newest frame, however old."""
        return self._frame

    @property
    def state(self) -> CameraState:
        """How the camera is at this moment."""
        with self._news:
            if self._trouble is not None:
                return self._trouble
            name, frame = self.source.name, self._frame
            if frame is None:
                return CameraState(Condition.WAITING, "camera_waiting", f"{name} has no photo yet.")
            if self.source.live and self._is_old(frame):
                return CameraState(
                    Condition.STALE, "camera_stale", f"{name} sends nothing new: the picture is some seconds old."
                )
            return CameraState(
                Condition.LIVE, "camera_live", f"{name} is live." if self.source.live else f"{name} has a photo."
            )

    def wait(self, after: int = 0, patience: float = 1.0) -> Frame | None:
        """The newest frame as soon as its number is above *after*; ``None`` if *patience* seconds bring none."""
        with self._news:
            self._news.wait_for(lambda: self._stop.is_set() or self._count > after, patience)
            return self._frame if self._count > after else None

    def close(self) -> None:
        """Stop. Returns after some seconds at most, even where a driver hangs: its thread then ends when it can."""
        self._stop.set()
        with self._news:
            self._news.notify_all()
        self._thread.join(JOIN_WITHIN_S)
        atexit.unregister(self.close)
        self._tell(CameraState(Condition.CLOSED, "camera_closed", f"{self.source.name} is closed."))

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self.source.open()
                if not self.source.live:
                    self._tell(None)
                self._serve()
            except CameraError as error:
                had = error.condition is Condition.MISSING and self._frame is not None
                self._tell_of(error, Condition.LOST if had else error.condition)
            except Exception:  # whatever it is: the next opening may go better
                self._tell_of_failure()
            finally:
                self.source.close()
            self._have_a_rest(self._trouble.code if self._trouble else "")

    def _have_a_rest(self, trouble: str) -> None:
        """Before the next opening, after a trouble of this code."""
        self._stop.wait(PASSWORD_REST_S if trouble == "camera_password" else self._rest * random.uniform(0.75, 1.0))
        self._rest = min(2 * self._rest, LONGEST_BUSY_REST_S if trouble == "camera_busy" else LONGEST_REST_S)

    def _tell_of_failure(self) -> None:
        if self._trouble is None or self._trouble.code != "camera_failed":  # not again and again
            logging.getLogger(__name__).exception("a camera failed")
        sentence = f"{self.source.name} has failed and is opened again: if that goes on, name another one."
        self._tell(CameraState(Condition.LOST, "camera_failed", sentence))

    def _tell_of(self, error: AppError, condition: Condition) -> None:
        self._tell(CameraState(condition, error.code, error.sentence))

    def _serve(self) -> None:
        """Reads until something raises, or somebody stops it."""
        opened = time.monotonic()
        while not self._stop.is_set():
            try:
                image = self.source.read()
            except BadPhoto as error:
                self._tell_of(error, Condition.WAITING if error.code == ARRIVING else Condition.REFUSED)
                continue
            if image is None and self._trouble is not None and self._trouble.code == ARRIVING:
                self._tell(None)  # what was arriving has been taken away again
            if image is not None and self._is_news(image):
                self._take(image)
            elif self.source.live and time.monotonic() - opened > self._stale_after and self._is_old(self._frame):
                raise CameraError(
                    "camera_frozen",
                    f"{self.source.name} sends the same picture again and again: "
                    "start it again, or plug it in again.",
                    Condition.STALE,
                )

    def _take(self, image: Photo) -> None:
        image.flags.writeable = False
        with self._news:
            self._count += 1
            self._frame = Frame(image, self._count, time.monotonic(), self.source.lens)
            self._trouble = None
            self._rest = self._first_rest
            self._news.notify_all()

    def _tell(self, trouble: CameraState | None) -> None:
        with self._news:
            if self._trouble is None or self._trouble.condition is not Condition.CLOSED:
                self._trouble = trouble

    def _is_news(self, image: Photo) -> bool:
        if self._frame is None or not self.source.live:
            return True
        before = self._frame.image
        same = np.array_equal(image[::16], before[::16]) and np.array_equal(image, before)  # a few rows mostly tell
        return not same

    def _is_old(self, frame: Frame | None) -> bool:
        return frame is None or time.monotonic() - frame.at > self._stale_after
