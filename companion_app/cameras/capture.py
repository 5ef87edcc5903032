"""Cameras that OpenCV opens: read all the time so that nothing old queues up, unpacked only as often as needed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import cv2
import numpy as np
from cv2.utils import logging

from companion_app.cameras.states import CameraError, Condition
from companion_app.photos import Photo

OPEN_WITHIN_S = 3.0
READ_WITHIN_S = 2.0
FRAMES_PER_SECOND = 12.0

# Read once, at the first capture of the process: OpenCV's own waiting, and what FFmpeg would print about every frame.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", str(round(READ_WITHIN_S)))
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


class Capture:
    """An OpenCV capture as a source; *connect* opens it, and returns ``None`` or raises where that fails."""

    live = True
    lens: float | None = None

    def __init__(self, name: str, connect: Callable[[], cv2.VideoCapture]) -> None:
        self.name = name
        self._connect = connect
        self._capture: cv2.VideoCapture | None = None
        self._due = 0.0

    def open(self) -> None:
        """See :meth:`Source.open`."""
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)  # what goes wrong is told in our own words
        self._capture = self._connect()

    def read(self) -> Photo:
        """See :meth:`Source.read`."""
        assert self._capture is not None, "open() comes first"
        try:
            while self._capture.grab():
                if time.monotonic() >= self._due:
                    self._due = time.monotonic() + 1 / FRAMES_PER_SECOND
                    whole, image = self._capture.retrieve()
                    if whole and image.ndim == 3:
                        return np.asarray(image, dtype=np.uint8)
        except cv2.error:
            pass  # a frame that cannot be unpacked: as bad as none
        raise CameraError("camera_silent", f"{self.name} has stopped sending pictures.", Condition.LOST)

    def close(self) -> None:
        """See :meth:`Source.close`."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None
