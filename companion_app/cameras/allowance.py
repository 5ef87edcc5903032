"""How long, and how much, a camera in the network may send before what it sends must be whole.

A time-out of a socket only limits its silence: a camera that sends a byte a second, or headers without end, would
never reach it.
"""

from __future__ import annotations

import http.client
import io
import socket
import time
from typing import Any, cast

LEAST_WAIT_S = 0.001  # a time-out of 0 would mean not to wait at all


class Exhausted(OSError):
    """More was sent than was allowed."""


class TooSlow(TimeoutError):
    """Something came, but not all of it in time."""


class Allowance:
    """What may still be spent on the answer that is being read; one thread uses it."""

    def __init__(self) -> None:
        self._end = 0.0
        self._silence_s = 0.0
        self._left = 0

    def renew(self, *, seconds: float, silence_s: float, size: int) -> None:
        """From now on so many seconds and bytes, and so many seconds at a time in which nothing comes."""
        self._end = time.monotonic() + seconds
        self._silence_s = silence_s
        self._left = size

    @property
    def is_over(self) -> bool:
        """Whether all of the time is over."""
        return time.monotonic() >= self._end

    @property
    def patience_s(self) -> float:
        """How long to wait for the next bytes; raises TooSlow where the time is over."""
        if self.is_over:
            raise TooSlow("it took too long")
        return max(LEAST_WAIT_S, min(self._silence_s, self._end - time.monotonic()))

    def spend(self, size: int) -> None:
        """So many bytes have come; raises Exhausted where they were too many."""
        self._left -= size
        if self._left < 0:
            raise Exhausted("it sent too much")


class _LimitedReader(io.RawIOBase):
    """Reads a socket within an allowance, also when only its files are still open."""

    def __init__(self, sock: socket.socket, allowance: Allowance) -> None:
        self._socket = sock
        self._file = sock.makefile("rb", buffering=0)
        self._allowance = allowance

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._socket.settimeout(self._allowance.patience_s)
        try:
            size = self._file.readinto(buffer) or 0
        except TimeoutError:
            if self._allowance.is_over:
                raise TooSlow("it took too long") from None
            raise
        self._allowance.spend(size)
        return size

    def close(self) -> None:
        self._file.close()
        super().close()


class _LimitedSocket:
    """As much of a socket as ``http.client`` needs."""

    def __init__(self, sock: socket.socket, allowance: Allowance) -> None:
        self._socket = sock
        self._allowance = allowance

    def sendall(self, data: Any) -> None:
        self._socket.settimeout(self._allowance.patience_s)
        self._socket.sendall(data)

    def makefile(self, *_: object) -> io.BufferedReader:
        return io.BufferedReader(_LimitedReader(self._socket, self._allowance))

    def close(self) -> None:
        self._socket.close()


class _Limited(http.client.HTTPConnection):
    """What both kinds of connections do within an allowance: connect and read."""

    def __init__(self, host: str, *, allowance: Allowance, **options: Any) -> None:
        super().__init__(host, **options)
        self._allowance = allowance

    def connect(self) -> None:
        """See ``http.client``."""
        self.timeout = self._allowance.patience_s
        super().connect()
        self.sock = cast(socket.socket, _LimitedSocket(self.sock, self._allowance))


class LimitedConnection(_Limited):
    """An HTTP connection within an allowance."""


class LimitedSecureConnection(_Limited, http.client.HTTPSConnection):
    """The same through TLS."""
