"""Cameras in the network: MJPEG over HTTP as phones send it, or RTSP."""

from __future__ import annotations

from urllib.parse import urlsplit

import cv2

from companion_app.cameras.capture import OPEN_WITHIN_S, READ_WITHIN_S, Capture
from companion_app.cameras.states import CameraError, Condition


class NetworkCamera(Capture):
    """The camera at an ``http``, ``https``, ``rtsp`` or ``rtsps`` address."""

    def __init__(self, address: str) -> None:
        """Raises CameraError, code ``camera_address``, for an address without a host."""
        super().__init__(f"The camera at {host_of(address)}", self._called)
        self._address = address

    def _called(self) -> cv2.VideoCapture:
        patience = [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
            round(OPEN_WITHIN_S * 1000),
            cv2.CAP_PROP_READ_TIMEOUT_MSEC,
            round(READ_WITHIN_S * 1000),
        ]
        capture = cv2.VideoCapture(self._address, cv2.CAP_FFMPEG, patience)
        if not capture.isOpened():
            raise CameraError(
                "camera_unreachable",
                f"{self.name} does not answer with pictures: is it on, in the same network, and the address right?",
            )
        return capture


def host_of(address: str) -> str:
    """Host and port of an address, without names and passwords.

    >>> host_of("rtsp://anna:secret@192.168.0.7:554/live")
    '192.168.0.7:554'
    """
    try:
        parts = urlsplit(address)
        if parts.hostname:
            host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
            return f"{host}:{parts.port}" if parts.port else host
    except ValueError:  # a port that is no number, brackets that do not close
        pass
    raise CameraError(
        "camera_address", "The address of the camera has no host, or one that cannot be read.", Condition.REFUSED
    )
