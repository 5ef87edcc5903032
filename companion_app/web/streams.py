"""Event streams: the page hears at once what happens. Server-Sent Events, from anything that numbers its news.

::

    whatever happens ── Feed.tell ──> News 41, 42, 43 … ── Streams.answer(feed) ──> 40 browsers
                                         (a browser that was away says: 41 was my last, and gets 42, 43)
"""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from flask import Response, request

from companion_app.errors import AppError
from companion_app.web.keys import Role
from companion_app.web.lan import may_write

MOST: Mapping[Role, int] = {Role.SPECTATOR: 40, Role.REFEREE: 8}
"""Each stream holds a thread of the server: some are left for those who must be able to write."""

QUIET_S = 15.0  # after this a comment goes out, so that nobody in between takes the connection for dead
LOOK_S = 1.0  # how often a stream looks whether its browser has gone
LIFE_S = 600.0  # then the browser comes anew; the stream of a phone that fell asleep is free again
RETRY_MS = 2000


class TooManyStreams(AppError):
    """All places are taken; code ``too_many_streams``."""

    def __init__(self) -> None:
        super().__init__(
            "too_many_streams", "As many are watching as this computer can serve: reload the page to see what is new."
        )


@dataclass(frozen=True)
class News:
    """One event: its number, its text (HTML or JSON), and its kind, by which a page listens to it."""

    seq: int
    data: str
    kind: str = "message"


class Source(Protocol):
    """Something whose news are numbered upwards. Any thread may call."""

    @property
    def newest(self) -> int:
        """The number of the newest event; 0 before the first."""

    def wait_for(self, seq: int, timeout: float) -> Sequence[News]:
        """What came after event *seq*, oldest first, as soon as there is any; nothing after *timeout* seconds."""


class Feed:
    """The newest events, in memory.

    The first number is the time of day, so that a browser that comes back after a restart has only seen smaller ones.

    >>> feed = Feed()
    >>> before = feed.newest
    >>> feed.tell("South to move") == feed.newest == before + 1
    True
    >>> [news.data for news in feed.wait_for(before, timeout=0)]
    ['South to move']
    """

    def __init__(self, most: int = 256) -> None:
        """Keep the *most* newest; who was away for longer goes on from the oldest of these."""
        self._changed = threading.Condition()
        self._kept: deque[News] = deque(maxlen=most)
        self._newest = int(time.time() * 1000)

    @property
    def newest(self) -> int:
        """The number of the newest event."""
        return self._newest

    def tell(self, data: str, kind: str = "message") -> int:
        """One more event; its number."""
        with self._changed:
            self._newest += 1
            self._kept.append(News(self._newest, data, kind))
            self._changed.notify_all()
            return self._newest

    def wait_for(self, seq: int, timeout: float) -> Sequence[News]:
        """What is kept of all that came after event *seq*, as soon as there is any."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest > seq, timeout)
            return [news for news in self._kept if news.seq > seq]


class Streams:
    """All event streams of one server."""

    def __init__(self, most: Mapping[Role, int] = MOST) -> None:
        self._places = {role: threading.BoundedSemaphore(count) for role, count in most.items()}
        self._closed = threading.Event()

    def answer(self, source: Source) -> Response:
        """Stream what comes from *source* to the browser of this request; ``TooManyStreams`` where all are taken.

        It begins behind the event that the browser has seen last, as it says itself when it comes back, or as the
        page said with ``?since=``; without either, or with a number that is still to come, with all that is kept.
        """
        place = self._places[Role.REFEREE if may_write() else Role.SPECTATOR]
        if not place.acquire(blocking=False):
            raise TooManyStreams
        seq = _seen()
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        response = Response(
            self._lines(source, seq if seq <= source.newest else 0, gone), mimetype="text/event-stream"
        )
        response.call_on_close(place.release)
        response.headers["Cache-Control"] = "no-store"
        return response

    def close(self) -> None:
        """End all streams."""
        self._closed.set()

    def _lines(self, source: Source, seq: int, gone: Callable[[], bool]) -> Iterator[str]:
        yield f"retry: {RETRY_MS}\n\n"
        began = said = time.monotonic()
        while not gone() and not self._closed.is_set() and time.monotonic() - began < LIFE_S:
            for news in source.wait_for(seq, LOOK_S):
                yield written(news)
                seq, said = news.seq, time.monotonic()
            if time.monotonic() - said >= QUIET_S:
                yield ": still here\n\n"
                said = time.monotonic()


def written(news: News) -> str:
    """An event as it goes over the line."""
    lines = re.split(r"\r\n|\r|\n", news.data)
    return "".join([f"id: {news.seq}\nevent: {news.kind}\n", *(f"data: {line}\n" for line in lines), "\n"])


def _seen() -> int:
    """The number of the last event that the browser has seen; 0 where it names none."""
    text = request.headers.get("Last-Event-ID") or request.args.get("since", "")
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text) else 0
