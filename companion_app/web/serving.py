"""Serving the page to this computer's own browser."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress

from flask import Flask
from waitress.server import create_server

from companion_app.errors import AppError

THREADS = 64  # a phone that stalls in the middle of an upload holds one
MOST_BYTES = 256 * 1024 * 1024  # beyond this the connection is closed; up to it a page says what is wrong


def listen(host: str = "127.0.0.1", port: int | None = None) -> socket.socket:
    """A socket bound to *host* at *port*, or at any free port where none is given; ``AppError`` if taken."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port or 0, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        raise AppError(
            "port_taken",
            f"Nothing can be served at {host} port {port or 'any'} ({error.strerror or error}): choose another port.",
        ) from error
    return listener


def run(
    app: Flask,
    host: str = "127.0.0.1",
    port: int | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve *app* until it is interrupted; *ready* is called with the page's address once it answers."""
    with suppress(KeyboardInterrupt), listen(host, port) as listener:
        if threading.current_thread() is threading.main_thread():
            # A shell that starts a program in the background makes it deaf to interrupts.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        server = create_server(app, sockets=[listener], threads=THREADS, max_request_body_size=MOST_BYTES, ident=None)
        try:
            if ready:
                name = f"[{host}]" if ":" in host else host
                ready(f"http://{name}:{listener.getsockname()[1]}/")
            server.run()
        finally:
            server.close()
