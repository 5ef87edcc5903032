"""Cameras that answer by RTSP: asked in our own words who is there, then opened by OpenCV."""

from __future__ import annotations

import re
import socket
import ssl

from companion_app.cameras.addresses import NetworkAddress
from companion_app.cameras.allowance import Allowance
from companion_app.cameras.capture import Capture
from companion_app.cameras.http_calls import busy, no_path, port_of, unreachable, wrong_password
from companion_app.cameras.states import CameraError

ASK_WITHIN_S = 2.0
LONGEST_ANSWER = 4096  # bytes, of which the first line counts

_STATUS = re.compile(rb"RTSP/\d\.\d (\d{3})")
_BUSY = frozenset({453, 503})  # not enough bandwidth, service unavailable
_NOT_THERE = frozenset({404, 454})


class RtspCamera(Capture):
    """The camera at an ``rtsp`` or ``rtsps`` address, which OpenCV gets as it was written.

    OpenCV does not tell why a camera does not open; so the camera is asked first, which also finds out at little cost
    that nobody is there.
    """

    def __init__(self, address: NetworkAddress, text: str) -> None:
        super().__init__(f"The camera at {address.place}", "network", text, self._not_opened)
        self._address = address

    def open(self) -> None:
        """See :meth:`Source.open`."""
        status = self._asked()
        if status == 401 and self._address.user is None:
            raise wrong_password(self.name, self._address)
        if status in _BUSY:
            raise busy(self.name)
        if status in _NOT_THERE:
            raise no_path(self.name, "look in its manual for the path of its stream.")
        super().open()

    def _not_opened(self) -> CameraError:
        if self._address.user is not None and self._asked() == 401:
            return wrong_password(self.name, self._address)
        return CameraError(
            "camera_unreachable",
            f"{self.name} does not answer with pictures: is the path of its stream right?",
        )

    def _asked(self) -> int | None:
        """The status that the camera answers to who has no password; ``None`` for an answer that is not RTSP.

        Raises CameraError where nobody answers.
        """
        request = f"DESCRIBE {self._address.bare} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n".encode()
        allowance = Allowance()
        allowance.renew(seconds=ASK_WITHIN_S, silence_s=ASK_WITHIN_S, size=LONGEST_ANSWER)
        called, answer = False, b""
        try:
            with socket.create_connection((self._address.host, port_of(self._address)), ASK_WITHIN_S) as sock:
                called = True
                with self._secured(sock) as line:
                    line.sendall(request)
                    while b"\n" not in answer:
                        line.settimeout(allowance.patience_s)
                        chunk = line.recv(LONGEST_ANSWER)
                        if not chunk:
                            raise ConnectionResetError
                        allowance.spend(len(chunk))
                        answer += chunk
        except OSError as error:
            raise unreachable(self.name, self._address, error, called=called) from None
        status = _STATUS.match(answer)
        return int(status[1]) if status else None

    def _secured(self, sock: socket.socket) -> socket.socket:
        if self._address.scheme == "rtsp":
            return sock
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context.wrap_socket(sock, server_hostname=self._address.host)
