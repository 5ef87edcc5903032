"""A camera in the network that answers each call by a function: rightly, wrongly, slowly or without end."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import cv2
import numpy as np

Answer = Callable[[socket.socket, str], object]
"""Is given the connection and the head of the request; it is hung up when this returns."""


def jpeg(number: int) -> bytes:
    """A picture of soft noise whose top left corner tells its number."""
    image = cv2.GaussianBlur(np.random.default_rng(1).integers(0, 255, (120, 160, 3)).astype(np.uint8), (0, 0), 3)
    image[:32, :32] = number * 12 % 240
    return cv2.imencode(".jpg", image)[1].tobytes()


@dataclass
class Server:
    """One that runs; ``answer`` may be changed meanwhile.

    Attributes:
        requests: the heads of all requests so far.
        over: set when the server ends; for answers that wait.
    """

    port: int
    answer: Answer
    requests: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def address(self, path: str = "/video", scheme: str = "http", login: str = "") -> str:
        return f"{scheme}://{login}127.0.0.1:{self.port}{path}"


@contextmanager
def answering(answer: Answer) -> Iterator[Server]:
    """A server on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Server(listener.getsockname()[1], answer)
        threading.Thread(target=_accept, args=(listener, server), daemon=True).start()
        try:
            yield server
        finally:
            server.over.set()
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)


def _accept(listener: socket.socket, server: Server) -> None:
    with suppress(OSError):
        while not server.over.is_set():
            connection, _ = listener.accept()
            threading.Thread(target=_serve, args=(connection, server), daemon=True).start()


def _serve(connection: socket.socket, server: Server) -> None:
    with connection, suppress(OSError):
        head = b""
        while b"\r\n\r\n" not in head:
            chunk = connection.recv(4096)
            if not chunk:
                return
            head += chunk
        server.requests.append(head.decode("latin-1"))
        server.answer(connection, server.requests[-1])
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):  # or what was sent last could be lost by a reset
            pass


def said(status: str, *headers: str, body: bytes = b"") -> Answer:
    """Answers always this."""

    def answer(connection: socket.socket, _request: str) -> None:
        connection.sendall("\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode("latin-1") + body)

    return answer


def snapshot(data: bytes, kind: str = "image/jpeg") -> Answer:
    """Answers this picture."""
    return said("200 OK", f"Content-Type: {kind}", f"Content-Length: {len(data)}", body=data)
