"""Serving the page, to this computer's own browser or to a network."""

from __future__ import annotations

import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from flask import Flask
from waitress import wasyncore
from waitress.server import BaseWSGIServer, create_server

from companion_app.errors import AppError
from companion_app.web.freeing import give_back
from companion_app.web.gate import Gate
from companion_app.web.lan import is_loopback
from companion_app.web.streams import Streams

EVERYWHERE = "0.0.0.0"  # noqa: S104  # only --lan listens to all networks, and only with keys
THREADS = 64  # an event stream holds one; see ``streams.MOST``
CONNECTIONS = 256  # 40 browsers with a stream and five other connections each
LOOK_S = 1.0  # how long it waits for something to come
IDLE_S = 30  # then a connection on which nothing comes is closed, such as that of a phone stalled in an upload
MOST_BYTES = 256 * 1024 * 1024  # beyond this the connection is closed; up to it a page says what is wrong
MOST_BYTES_OF_STRANGERS = 32 * 1024 * 1024  # what comes is kept in a file before anybody asks whose it is


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
    if _hears_interrupts():  # but a shell that starts a program in the background makes it deaf to them
        signal.signal(signal.SIGINT, signal.default_int_handler)
    logging.getLogger("waitress").setLevel(logging.ERROR)  # it warns of its threads and queues, at the end above all
    give_back()
    connections: dict[int, socket.socket] = {}
    streams: Streams = app.extensions["streams"]
    gate: Gate = app.extensions["gate"]
    with suppress(KeyboardInterrupt), listen(host, port) as listener:
        server = create_server(
            app,
            map=connections,
            sockets=[listener],
            threads=THREADS,
            connection_limit=CONNECTIONS,
            channel_timeout=IDLE_S,
            cleanup_interval=IDLE_S // 3,
            channel_request_lookahead=1,  # so that a stream hears when its browser goes
            max_request_body_size=MOST_BYTES if is_loopback(host) else MOST_BYTES_OF_STRANGERS,
            ident=None,
        )
        assert isinstance(server, BaseWSGIServer)  # as of every single socket
        try:
            if ready:
                ready(f"http://{_name(host)}:{listener.getsockname()[1]}/")
            with _interrupts(server.pull_trigger) as interrupted:
                while not interrupted():
                    wasyncore.loop(timeout=LOOK_S, map=connections, count=1)
        finally:
            streams.close()  # the server waits for its threads
            server.task_dispatcher.shutdown()
            gate.close()
            server.close()


@contextmanager
def _interrupts(wake: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Whether there was an interrupt is what it gives; *wake* is called at once when there is one.

    An interrupt is not raised: amid the server's own work it could leave a lock held, and a thread waiting for it.
    """
    if not _hears_interrupts():
        yield lambda: False
        return
    heard: list[int] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        heard.append(number)
        wake()

    raising = signal.signal(signal.SIGINT, hear)
    try:
        yield lambda: bool(heard)
    finally:
        signal.signal(signal.SIGINT, raising)  # whoever cannot wait for the end need not


def _hears_interrupts() -> bool:
    return threading.current_thread() is threading.main_thread()


def _name(host: str) -> str:
    """*host* as an address of the page for this computer's own browser names it."""
    if host == EVERYWHERE:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
