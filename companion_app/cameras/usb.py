"""Cameras that are plugged in."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from companion_app.cameras.capture import Capture
from companion_app.cameras.states import CameraError, Condition
from rules.errors import quoted


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
        self._device = Path(which if which.startswith("/") else f"/dev/video{which}")
        name = f"The camera {which if which.startswith('/') else 'usb:' + which}"
        super().__init__(name, "usb", str(self._device) if sys.platform == "linux" else which, self._busy)

    def open(self) -> None:
        """See :meth:`Source.open`."""
        if sys.platform == "linux":
            self._look_at_device()
        super().open()

    def _busy(self) -> CameraError:
        return CameraError(
            "camera_busy",
            f"{self.name} does not open: close the other program that may be using it, or plug it in again.",
            Condition.REFUSED,
        )

    def _look_at_device(self) -> None:
        if not _is_there(self._device):
            raise CameraError("camera_missing", f"{self.name} is not there: plug it in, or name another one.")
        if not os.access(self._device, os.R_OK | os.W_OK):
            raise CameraError(
                "camera_not_permitted",
                f"{self.name} may not be opened by you: add yourself to the group “video” and log in again.",
                Condition.REFUSED,
            )


def _is_there(device: Path) -> bool:
    try:
        return device.exists()
    except OSError:  # a name that is too long for any file
        return False
