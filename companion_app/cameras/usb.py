"""Cameras that are plugged in."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import cv2

from companion_app.cameras.capture import Capture
from companion_app.cameras.states import CameraError, Condition
from rules.errors import quoted

WANTED = (1920, 1080)  # px; a camera gives what comes nearest


class UsbCamera(Capture):
    """The camera of that number, or a device file of Linux."""

    def __init__(self, which: str) -> None:
        """*which* is ``"0"`` or ``"/dev/video0"``; raises CameraError, code ``camera_address``, for other words."""
        if not (which.isascii() and which.isdecimal()) and not which.startswith("/dev/"):
            raise CameraError(
                "camera_address",
                f"{quoted('usb:' + which)} is no camera: write usb:0, usb:1 or /dev/video0.",
                Condition.REFUSED,
            )
        super().__init__(f"The camera {which if which.startswith('/') else 'usb:' + which}", self._plugged)
        self._which = which

    def _plugged(self) -> cv2.VideoCapture:
        capture = self._on_linux() if sys.platform == "linux" else cv2.VideoCapture(int(self._which))
        if not capture.isOpened():
            raise CameraError(
                "camera_busy",
                f"{self.name} does not open: close the other program that may be using it, or plug it in again.",
                Condition.REFUSED,
            )
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # raw pictures this large come too slowly
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, WANTED[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, WANTED[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return capture

    def _on_linux(self) -> cv2.VideoCapture:
        device = Path(self._which if self._which.startswith("/") else f"/dev/video{self._which}")
        if not _is_there(device):
            raise CameraError("camera_missing", f"{self.name} is not there: plug it in, or name another one.")
        if not os.access(device, os.R_OK | os.W_OK):
            raise CameraError(
                "camera_not_permitted",
                f"{self.name} may not be opened by you: add yourself to the group “video” and log in again.",
                Condition.REFUSED,
            )
        return cv2.VideoCapture(str(device), cv2.CAP_V4L2)


def _is_there(device: Path) -> bool:
    try:
        return device.exists()
    except OSError:  # a name that is too long for any file
        return False
