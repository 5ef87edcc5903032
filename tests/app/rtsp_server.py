"""A camera that speaks RTSP: JPEG over RTP (RFC 2435), through the connection itself."""

from __future__ import annotations

import re
import socket
import threading
from dataclasses import dataclass, field
from itertools import count

from camera_fakes import PATIENCE_S
from camera_servers import jpeg

FRAME_S = 0.05
FRAGMENT = 1200  # bytes of a scan in one packet
SDP = (
    "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 0.0.0.0\r\nt=0 0\r\nm=video 0 RTP/AVP 26\r\na=control:one\r\n"
)


@dataclass
class RtspPhone:
    """Answers one connection after the other, see :class:`camera_servers.Server`.

    Attributes:
        stalled: while it is set connections are accepted, and nothing is sent, even afterwards.
        over: set at the end.
        plays: how many connections have had pictures.
    """

    stalled: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    plays: int = 0

    def __call__(self, connection: socket.socket, request: str) -> None:
        while not self.stalled.is_set():
            method, number = request.split()[0], re.search(r"CSeq: *(\d+)", request)
            assert number is not None
            if method == "SETUP" and "TCP" not in request:
                reply = "RTSP/1.0 461 Unsupported Transport"
            else:
                reply = "RTSP/1.0 200 OK"
            lines = [reply, f"CSeq: {number[1]}", "Session: 1", *HEADERS.get(method, ())]
            connection.sendall("\r\n".join([*lines, "", SDP if method == "DESCRIBE" else ""]).encode())
            if method == "PLAY":
                self.plays += 1
                self._play(connection)
            request = connection.recv(4096).decode()
            if not request:
                return
        self.over.wait(PATIENCE_S)

    def _play(self, connection: socket.socket) -> None:
        sequence = count()
        for number in count():
            if self.stalled.is_set():
                self.over.wait(PATIENCE_S)
                return
            packets = _packets(jpeg(number))
            for index, payload in enumerate(packets):
                last = 0x80 if index == len(packets) - 1 else 0
                head = bytes([0x80, last | 26]) + (next(sequence) % 2**16).to_bytes(2, "big")
                packet = head + (number * 4500).to_bytes(4, "big") + bytes(4) + payload
                connection.sendall(b"$\0" + len(packet).to_bytes(2, "big") + packet)
            self.over.wait(FRAME_S)


HEADERS = {
    "OPTIONS": ("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN",),
    "DESCRIBE": ("Content-Type: application/sdp", f"Content-Length: {len(SDP)}"),
    "SETUP": ("Transport: RTP/AVP/TCP;unicast;interleaved=0-1",),
}


def _packets(picture: bytes) -> list[bytes]:
    """The payloads for one picture: its scan in pieces, each with a head, the first one with the tables too."""
    tables, at = b"", 2
    while picture[at + 1] != 0xDA:
        size = int.from_bytes(picture[at + 2 : at + 4], "big")
        if picture[at + 1] == 0xDB:
            tables += picture[at + 5 : at + 2 + size]
        if picture[at + 1] == 0xC0:
            height, width = picture[at + 5 : at + 7], picture[at + 7 : at + 9]
        at += 2 + size
    scan = picture[at + 2 + int.from_bytes(picture[at + 2 : at + 4], "big") : -2]
    sides = bytes([int.from_bytes(width, "big") // 8, int.from_bytes(height, "big") // 8])
    packets = []
    for start in range(0, len(scan), FRAGMENT):
        head = bytes(1) + start.to_bytes(3, "big") + bytes([1, 255]) + sides
        quantization = b"" if start else bytes(2) + len(tables).to_bytes(2, "big") + tables
        packets.append(head + quantization + scan[start : start + FRAGMENT])
    return packets
