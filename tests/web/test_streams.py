"""Event streams: everybody hears everything once and in order, and whoever comes back goes on where they were."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from conftest import MakeApp, served
from flask import Flask, Response
from hypothesis import given
from hypothesis import strategies as st
from visitors import KEYS, NAME, OPEN

from companion_app.web import streams
from companion_app.web.keys import Role
from companion_app.web.lan import COOKIE
from companion_app.web.streams import MOST, Feed, News, Streams, written

SPECTATOR = {"Host": NAME, "Cookie": f"{COOKIE}={KEYS.spectator}"}
PATIENCE_S = 60

Event = tuple[int, str, str]


class Listener:
    """A browser that listens at */news*, and may say what it has seen."""

    def __init__(self, port: int, path: str = "/news", headers: dict[str, str] | None = None) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self._connection.request("GET", path, headers=headers or {})
        self.answer = self._connection.getresponse()
        self.comments: list[str] = []

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_: object) -> None:
        self.answer.close()
        self._connection.close()

    def events(self) -> Iterator[Event]:
        """Number, kind and text of each event as it comes."""
        fields: dict[str, list[str]] = {}
        while line := self.answer.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if line == "\n" and "id" in fields:
                yield int(fields["id"][0]), fields["event"][0], "\n".join(fields["data"])
            if line == "\n":
                fields = {}
            elif line.startswith(":"):
                self.comments.append(line.strip())
            else:
                fields.setdefault(name, []).append(value)

    def hear(self, count: int) -> list[Event]:
        """The next *count* events."""
        events = self.events()
        return [next(events) for _ in range(count)]


class Stage:
    """A served page with an address, ``/news``, that streams a feed."""

    def __init__(self, app: Flask) -> None:
        self.feed = Feed()
        self.streams: Streams = app.extensions["streams"]

        def news() -> Response:
            return self.streams.answer(self.feed)

        app.add_url_rule("/news", view_func=news)
        self.port = int(served(app).rpartition(":")[2])

    def listener(self, path: str = "/news", **headers: str) -> Listener:
        """This computer's own browser."""
        return Listener(self.port, path, headers)

    def spectator(self) -> Listener:
        """A spectator's browser."""
        return Listener(self.port, headers=SPECTATOR)


@pytest.fixture
def stage(make_app: MakeApp) -> Iterator[Stage]:
    """The page with its feed; its streams end with the test."""
    stage = Stage(make_app(**OPEN))
    yield stage
    stage.streams.close()


# A feed


def test_a_feed_tells_what_came_after_a_number_oldest_first() -> None:
    feed = Feed(most=3)
    before = feed.newest
    numbers = [feed.tell(text) for text in "abcd"]
    assert numbers == [before + 1, before + 2, before + 3, before + 4]
    assert [news.data for news in feed.wait_for(numbers[2], 0)] == ["d"]
    assert [news.data for news in feed.wait_for(0, 0)] == ["b", "c", "d"], "the oldest was let go"
    assert list(feed.wait_for(numbers[3], 0)) == []


def test_numbers_go_up_over_a_restart() -> None:
    earlier = Feed()
    last = [earlier.tell("x") for _ in range(3)][-1]
    time.sleep(0.01)
    assert Feed().newest > last


def test_who_waits_is_woken() -> None:
    feed = Feed()
    before = feed.newest
    heard: list[str] = []
    waiting = threading.Thread(target=lambda: heard.extend(news.data for news in feed.wait_for(before, PATIENCE_S)))
    waiting.start()
    feed.tell("now")
    waiting.join(PATIENCE_S / 2)
    assert heard == ["now"]


@given(st.text(), st.integers(1, 10**15))
def test_no_text_breaks_out_of_its_event(text: str, seq: int) -> None:
    lines = re.split("\r\n|\r|\n", written(News(seq, text, "view")))
    assert lines[:2] == [f"id: {seq}", "event: view"]
    assert lines[-2:] == ["", ""]
    assert all(line.startswith("data: ") for line in lines[2:-2])
    assert "\n".join(line[6:] for line in lines[2:-2]) == re.sub("\r\n|\r", "\n", text)


# Streams


def test_forty_spectators_hear_two_hundred_events_while_uploads_stall(stage: Stage) -> None:
    with ExitStack() as crowd:
        listeners = [crowd.enter_context(stage.spectator()) for _ in range(40)]
        heard: list[list[Event]] = [[] for _ in listeners]

        def listen(number: int) -> None:
            heard[number] = listeners[number].hear(200)

        threads = [threading.Thread(target=listen, args=(number,)) for number in range(40)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            stalled = http.client.HTTPConnection("127.0.0.1", stage.port)
            stalled.putrequest("POST", "/readings")
            stalled.putheader("Content-Length", "9000000")
            stalled.endheaders(b"the first bytes of a photo")
            crowd.callback(stalled.close)
        told = [(stage.feed.tell(f"turn {number}", "view"), "view", f"turn {number}") for number in range(200)]
        for thread in threads:
            thread.join(PATIENCE_S)
        assert [events == told for events in heard] == [True] * 40


def test_who_comes_back_hears_what_was_missed(stage: Stage) -> None:
    numbers = [stage.feed.tell(text) for text in ("a", "b", "c")]
    with stage.listener(**{"Last-Event-ID": str(numbers[0])}) as back:
        assert [text for _, _, text in back.hear(2)] == ["b", "c"]
    with stage.listener(f"/news?since={numbers[1]}") as fresh:
        assert fresh.hear(1) == [(numbers[2], "message", "c")]
    with stage.listener(f"/news?since={numbers[2]}", **{"Last-Event-ID": str(numbers[1])}) as both:
        assert fresh.answer.getheader("Content-Type") == "text/event-stream; charset=utf-8"
        assert both.hear(1) == [(numbers[2], "message", "c")], "what the browser says later counts"


@pytest.mark.parametrize("number", ["", "-1", "x", "1e3", "99999999999999999", "9" * 400, "٣"])
def test_who_names_no_number_of_ours_hears_all_that_is_kept(stage: Stage, number: str) -> None:
    stage.feed.tell("a")
    with stage.listener(**{"Last-Event-ID": number.encode().decode("latin-1")}) as listener:
        assert [text for _, _, text in listener.hear(1)] == ["a"]


def test_more_than_forty_are_asked_to_wait_and_the_referee_still_hears(stage: Stage) -> None:
    stage.feed.tell("a")
    with ExitStack() as crowd:
        listeners = [crowd.enter_context(stage.spectator()) for _ in range(MOST[Role.SPECTATOR])]
        assert {one.answer.status for one in listeners} == {200}
        with stage.spectator() as late:
            assert (late.answer.status, late.answer.getheader("Retry-After")) == (503, "15")
            assert "too_many_streams" in late.answer.read().decode()
        with stage.listener() as referee:
            assert len(referee.hear(1)) == 1
        listeners[0].__exit__()
        assert _comes_in(stage), "a place is free once its browser has gone"


def _comes_in(stage: Stage) -> bool:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        with stage.spectator() as next_one:
            if next_one.answer.status == 200:
                return True
        time.sleep(0.2)
    return False


def test_a_stream_that_is_asked_for_and_never_read_gives_its_place_back(make_app: MakeApp) -> None:
    app = make_app()
    streams_ = Streams({Role.REFEREE: 1, Role.SPECTATOR: 0})
    app.add_url_rule("/news", view_func=lambda: streams_.answer(Feed()))
    client = app.test_client()
    for _ in range(3):
        for method in ("HEAD", "GET"):
            answer = client.open("/news", method=method)
            assert answer.status_code == 200
            answer.close()


def test_a_quiet_stream_says_that_it_is_there_and_ends_after_a_while(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in (("LOOK_S", 0.01), ("QUIET_S", 0.02), ("LIFE_S", 1.0)):
        monkeypatch.setattr(streams, name, seconds)
    with stage.listener() as listener:
        assert list(listener.events()) == []
        assert set(listener.comments) == {": still here"}


SERVER = """
from companion_app.web import create_app, run
from companion_app.web.streams import Feed
app = create_app()
feed = Feed()
feed.tell("a")
app.add_url_rule("/news", view_func=lambda: app.extensions["streams"].answer(feed))
run(app, ready=lambda url: print(url, flush=True))
"""


def test_an_interrupt_ends_open_streams_too(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"PYRAMIDS_DATA": str(tmp_path)},
    ) as program:  # fmt: skip
        assert program.stdout is not None
        port = int(program.stdout.readline().strip("/\n").rpartition(":")[2])
        with Listener(port) as listener:
            assert len(listener.hear(1)) == 1
            program.send_signal(signal.SIGINT)
            _, complaints = program.communicate(timeout=20)
            assert list(listener.events()) == []
    assert complaints == ""
