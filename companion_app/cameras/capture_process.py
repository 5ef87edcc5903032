"""The process that OpenCV runs in: it opens one camera and sends its pictures, until nobody wants them any more.

A driver or a stream that hangs holds up this process only, which can be ended from outside; and a program that ends
has no thread in OpenCV, for which it would be aborted ("terminate called").

It is given one line of JSON: ``{"kind": "usb", "which": "0"}`` or ``{"kind": "network", "which": "rtsp://…"}``;
passwords come this way, where no list of processes shows them. It answers by messages, each a byte and two numbers
that are 0 except for pictures: ``r`` ready, ``o`` open, ``f`` could not be opened, ``p`` a picture with its height
and width and then its pixels.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import threading
import time
from collections.abc import Iterator
from typing import BinaryIO

READ_WITHIN_S = 2.0
OPEN_WITHIN_S = 3.0
RELEASE_WITHIN_S = 0.5
FRAMES_PER_SECOND = 12.0
WANTED = (1920, 1080)  # px; a camera that is plugged in gives what comes nearest
HEAD = struct.Struct("!cII")
READY, OPEN, FAILED, PICTURE = b"r", b"o", b"f", b"p"

# Read once, at the first capture of a process: OpenCV's own waiting, and what FFmpeg would print about every frame.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", str(round(READ_WITHIN_S)))
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from cv2.utils import logging  # noqa: E402

from companion_app.photos import Photo  # noqa: E402


def main() -> None:
    """Serve whoever has started this process, by its pipes; returns when the camera has stopped."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what drivers print is no picture
    logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    job = json.loads(sys.stdin.buffer.readline())
    is_over = threading.Event()
    threading.Thread(target=_end_with, args=(sys.stdin.buffer, is_over), daemon=True).start()
    try:
        _send(out, READY)
        capture = _connected(job["kind"], job["which"])
        _send(out, OPEN if capture.isOpened() else FAILED)
        for picture in _pictures(capture):
            _send(out, PICTURE, picture)
            if is_over.is_set():
                break
        capture.release()
    except OSError:  # nobody listens any more
        pass
    os._exit(0)


def _end_with(orders: BinaryIO, is_over: threading.Event) -> None:
    """End this process, whatever it is doing, soon after the one that has started it closes its pipe or ends."""
    orders.read()
    is_over.set()
    time.sleep(RELEASE_WITHIN_S)
    os._exit(0)


def _connected(kind: str, which: str) -> cv2.VideoCapture:
    if kind == "network":
        patience = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, round(OPEN_WITHIN_S * 1000)]
        patience += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, round(READ_WITHIN_S * 1000)]
        return cv2.VideoCapture(which, cv2.CAP_FFMPEG, patience)
    capture = cv2.VideoCapture(int(which)) if which.isdecimal() else cv2.VideoCapture(which, cv2.CAP_V4L2)
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # raw pictures this large come too slowly
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, WANTED[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, WANTED[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _pictures(capture: cv2.VideoCapture) -> Iterator[Photo]:
    """Reads all the time, so that nothing old queues up, and unpacks only as often as needed."""
    due = 0.0
    while capture.grab():
        if time.monotonic() >= due:
            due = time.monotonic() + 1 / FRAMES_PER_SECOND
            try:
                whole, image = capture.retrieve()
            except cv2.error:  # a frame that cannot be unpacked: as bad as none
                return
            if not whole or image.ndim != 3:
                return
            yield np.asarray(image, dtype=np.uint8)


def _send(out: BinaryIO, kind: bytes, picture: Photo | None = None) -> None:
    height, width = (0, 0) if picture is None else picture.shape[:2]
    out.write(HEAD.pack(kind, height, width))
    left = memoryview(b"" if picture is None else picture.tobytes())
    while left:
        left = left[out.write(left) :]


if __name__ == "__main__":
    main()
