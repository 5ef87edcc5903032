"""Ten thousand requests that nobody at the table would send: none breaks the page, and none changes anything."""

from __future__ import annotations

import random
import socket
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from conftest import MakeApp, served
from flask import Flask
from flask.testing import FlaskClient
from test_uploads import HEIC, picture, png_bomb
from visitors import FAR, KEYS, NAME, NEAR, OPEN, PAGE, one_of_each, routes, what_is_kept

from benchmarks.odd_requests import DICED as ANYWHERE
from benchmarks.odd_requests import FORM, ODD_PATHS, TYPES, as_form
from companion_app.web.keys import Role
from companion_app.web.lan import COOKIE, SAFE_METHODS
from firmware_bridge.states import LightState, Pattern

COUNT = 10_000
EVIL = "http://evil.example"
LOCAL = "http://localhost"
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "x")
SLOW = ("diagram.png", "annotated.jpg")
CLUMSY = ("/readings", "/virtual", "/lights/press")  # what a referee posts that needs something in it
PICTURE = picture("JPEG", (300, 200))
BODIES = (
    as_form(png_bomb()),
    as_form(HEIC),
    as_form(b"<svg/>", file="../../../etc/passwd"),
    as_form(b"a" * 900, end=b""),
    as_form(b"", name="photo\r\nX: y"),
    b'--x\r\nContent-Disposition: form-data; name="game"\r\n\r\n' + b"s" * 600_000 + b"\r\n--x--\r\n",
    *(b"null", b"[]", b"{}", b"Infinity", b'"x"', b'{"base": -1, "do": {}}', b'{"seat": []}', b'{"seat": "\\ud800"}'),
)
DICED: tuple[Callable[[random.Random], bytes], ...] = (
    *ANYWHERE,
    lambda dice: as_form(PICTURE[: dice.randrange(600)]),
)


@dataclass(frozen=True)
class Request:
    """A request: from which address, by which method, for what, with what in it."""

    address: str
    base: str
    method: str
    path: str
    headers: dict[str, str]
    body: bytes = b""
    environ: dict[str, Any] = field(default_factory=dict)

    @property
    def from_outside(self) -> bool:
        """Whether it does not come from a referee's browser."""
        return self.address != NEAR and KEYS.referee not in self.headers.get("Cookie", "")

    def send(self, client: FlaskClient) -> int:
        """The status of the answer."""
        environ = {"REMOTE_ADDR": self.address, **self.environ}
        with client.open(
            self.path, method=self.method, base_url=self.base, headers=self.headers, data=self.body,
            environ_overrides=environ,
        ) as answer:  # fmt: skip
            assert not answer.headers.get("Location", "").startswith((EVIL, "//", "/\\"))
            if self.from_outside and answer.mimetype != "text/event-stream":
                assert KEYS.referee.encode() not in answer.data
            return answer.status_code


class Attackers:
    """An endless row of requests, the same for every seed."""

    def __init__(self, seed: int, paths: list[str]) -> None:
        self._dice = random.Random(seed)
        self._quick = [path for path in paths if not path.endswith(SLOW)]
        self._slow = [path for path in paths if path.endswith(SLOW)]

    def request(self) -> Request:
        """The next request."""
        return self._dice.choice([self._stranger, self._spectator, self._other_site, self._clumsy_referee])()

    def _stranger(self) -> Request:
        """Somebody without a key, who tries some, by every name."""
        dice = self._dice
        key = dice.choice(["", "?key=", "?key=" + KEYS.referee[:-1], f"?key={dice.random()}", "?key=%00%ff"])
        headers = self._headers() | self._maybe("Cookie", f"{COOKIE}={dice.choice(['', 'x', dice.random()])}")
        headers |= self._maybe("X-Forwarded-For", NEAR) | self._maybe("Forwarded", f"for={NEAR}")
        base = dice.choice([PAGE, PAGE, PAGE, LOCAL, EVIL])
        return Request(
            f"10.0.0.{dice.randrange(20)}", base, self._method(), self._path() + key, headers, self._body()
        )

    def _spectator(self) -> Request:
        """Somebody who may look."""
        headers = self._headers() | {"Cookie": f"{COOKIE}={KEYS.of(Role.SPECTATOR)}"}
        headers |= self._maybe("X-HTTP-Method-Override", "POST") | self._maybe("Origin", PAGE)
        return Request(FAR, PAGE, self._method(), self._path(slow=0.005), headers, self._body())

    def _other_site(self) -> Request:
        """A page of another site in the browser of this computer, or of the referee."""
        near = self._dice.random() < 0.5
        headers = self._headers() | self._dice.choice(
            [{"Origin": EVIL}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}]
        )
        headers |= {} if near else {"Cookie": f"{COOKIE}={KEYS.of(Role.REFEREE)}"}
        base = EVIL if self._dice.random() < 0.1 else LOCAL if near else PAGE
        return Request(NEAR if near else FAR, base, self._method(), self._path(), headers, self._body())

    def _clumsy_referee(self) -> Request:
        """A program on this computer that sends what makes no sense."""
        path = self._dice.choice(CLUMSY) if self._dice.random() < 0.7 else self._dice.choice(ODD_PATHS)
        environ: dict[str, Any] = {}
        if self._dice.random() < 0.05:
            environ = {"CONTENT_LENGTH": self._dice.choice(["-1", "x", "30000000", "99999999999999999999", ""])}
        return Request(NEAR, LOCAL, "POST", path, self._headers(), self._body(), environ)

    def _method(self) -> str:
        return self._dice.choice(METHODS)

    def _path(self, slow: float = 0) -> str:
        if self._dice.random() < slow:
            return self._dice.choice(self._slow)
        return self._dice.choice(self._quick if self._dice.random() < 0.6 else ODD_PATHS)

    def _body(self) -> bytes:
        number = self._dice.randrange(len(BODIES) + 2 * len(DICED))
        return BODIES[number] if number < len(BODIES) else self._dice.choice(DICED)(self._dice)

    def _headers(self) -> dict[str, str]:
        kind = self._dice.choice((*TYPES, *[FORM] * 5))
        headers = {"Content-Type": kind} if kind else {}
        headers |= self._maybe("Accept", self._dice.choice(["application/json", "text/html", "*/*;q=x", "\xe9"]))
        headers |= self._maybe("Last-Event-ID", "-1") | self._maybe("Range", "bytes=9-1,-")
        return headers | self._maybe("If-Modified-Since", "never") | self._maybe("If-None-Match", '"')

    def _maybe(self, name: str, value: str) -> dict[str, str]:
        return {name: value} if self._dice.random() < 0.2 else {}


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    """The page with its door open, virtual lights, and the demo's reading in it."""
    return make_app(**OPEN, LIGHTS="virtual")


def test_ten_thousand_requests_break_nothing_and_change_nothing(
    app: Flask, record_property: Callable[[str, object], None]
) -> None:
    attackers = Attackers(6, sorted({path for _, path in routes(app, one_of_each(app))}))
    home = app.test_client()
    home.get(home.get("/demo/photo").headers["Location"])
    client = app.test_client(use_cookies=False)
    *before, light, presses = what_is_kept(app)
    statuses: Counter[int] = Counter()
    for number in range(COUNT):
        request = attackers.request()
        status = request.send(client)
        statuses[status] += 1
        assert status < 500, f"request {number}: {request}"
        if request.method not in SAFE_METHODS:
            assert status >= 400, f"request {number}: {request}"
        if number % 1000 == 999:
            *now, shown, pressed = what_is_kept(app)
            assert (now, pressed) == (before, presses)
            assert shown in (light, LightState(Pattern.SETUP)), "lights show what a referee has opened, and no more"
    record_property("statuses", sorted(statuses.items()))
    assert {200, 400, 401, 403, 404, 405, 413, 415, 422, 429} <= set(statuses)


RAW: dict[str, bytes] = {
    "nothing": b"\r\n\r\n",
    "no request": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "no name": b"GET / HTTP/1.1\r\n\r\n",
    "two names": f"GET / HTTP/1.1\r\nHost: localhost\r\nHost: {NAME}\r\n\r\n".encode(),
    "two lengths": b"POST /virtual HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
    b"Content-Length: 6\r\n\r\nabcdef",
    "length and chunks": b"POST /virtual HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /demo HTTP/1.1\r\n\r\n",
    "chunks of no size": b"POST /virtual HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
    "a long line": b"GET /" + b"a" * 300_000 + b" HTTP/1.1\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 60_000 + b"\r\n",
    "a header with a zero": b"GET / HTTP/1.1\r\nHost: local\x00host\r\n\r\n",
    "an address for another server": b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "a path with a line end": b"GET /\rX: y HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "100 GB to come": b"POST /readings HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n",
}


@pytest.mark.parametrize("name", RAW)
def test_what_is_no_request_at_all_is_refused(app: Flask, name: str) -> None:
    before = what_is_kept(app)
    port = int(served(app).rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        try:
            connection.sendall(RAW[name])
            connection.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: connection.recv(65536), b""))
        except ConnectionError:
            answer = b""
    assert answer[9:12] in (b"", b"400", b"413", b"431"), answer[:200]
    assert what_is_kept(app) == before
