"""The open door: who gets in from the network, and what they may do there."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from conftest import MakeApp, served
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, expect
from scanned_codes import picture_of_text, scanned, seen
from visitors import DOOR, KEYS, NAME, OPEN, PAGE, Device, one_of_each, open_to_all, own_address, routes, what_is_kept

from companion_app.cli import main
from companion_app.cli.door import show_codes
from companion_app.web import lan
from companion_app.web.gate import Busy, Gate
from companion_app.web.keys import Role
from companion_app.web.knocks import Knocks
from companion_app.web.streams import Feed

JSON = {"Accept": "application/json"}


class WhatWrites(HTMLParser):
    """Everything on a page that can be pressed, chosen or typed into, and would be sent to change something."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._posts = False

    @classmethod
    def on(cls, answer: Any) -> list[str]:
        """What the page of an answer has of it."""
        reader = cls()
        if answer.mimetype == "text/html":
            reader.feed(answer.text)
        answer.close()
        return reader.found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One more element."""
        has = dict(attrs)
        if tag == "form":
            self._posts = has.get("method") == "post"
        sends = self._posts and tag in ("button", "input", "select", "textarea") and has.get("type") != "hidden"
        if (sends or "data-edit" in has or "data-press" in has) and "disabled" not in has:
            self.found.append(self.get_starttag_text() or tag)

    def handle_endtag(self, tag: str) -> None:
        """The end of an element."""
        self._posts = self._posts and tag != "form"


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    """The application with its door open, and virtual lights."""
    return make_app(**OPEN, LIGHTS="virtual")


@pytest.fixture
def stranger(app: Flask) -> Device:
    """Somebody without a key."""
    return Device(app)


@pytest.fixture
def spectator(app: Flask) -> Device:
    """Somebody with the spectators' key."""
    device = Device(app)
    device.scan(Role.SPECTATOR)
    return device


@pytest.fixture
def referee(app: Flask) -> Device:
    """Somebody with the referees' key."""
    device = Device(app)
    device.scan(Role.REFEREE)
    return device


@pytest.fixture
def opened(app: Flask) -> str:
    """The path of a reading."""
    return app.test_client().post("/virtual", data={"game": "settlers", "table": "7"}).headers["Location"]


# Who gets in


def test_without_a_key_nothing_is_open(app: Flask, stranger: Device) -> None:
    for method, path in routes(app, one_of_each(app)):
        answer = stranger.ask(path, method)
        assert answer.status_code == 401, f"{method} {path}"
        assert "South" not in answer.text
        assert "card" not in answer.text
    assert "scan the code" in stranger.ask("/").text
    assert stranger.ask("/", headers=JSON).json["error"] == "key_wanted"


@pytest.mark.parametrize("address", ["192.168.1.77", "10.0.0.1", "8.8.8.8", "::ffff:127.0.0.1", "fe80::1", ""])
def test_without_a_door_only_this_computer_gets_in(make_app: MakeApp, address: str) -> None:
    device = Device(make_app(**OPEN | {"DOOR": None}), address)
    assert device.ask("/").status_code == 401
    assert device.scan(Role.REFEREE).status_code == 401


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.1.1", "::1"])
def test_this_computer_needs_no_key(app: Flask, address: str) -> None:
    device = Device(app, address)
    posted = device.ask("/virtual", "POST", base_url="http://localhost", data={"game": "settlers", "table": "1"})
    assert posted.status_code == 303


def test_a_program_that_passes_requests_on_does_not_make_everybody_the_referee(app: Flask) -> None:
    assert Device(app, "127.0.0.1").ask("/").status_code == 401


@pytest.mark.parametrize("role", Role)
def test_a_key_in_the_address_becomes_a_cookie_and_goes_from_the_address(stranger: Device, role: Role) -> None:
    answer = stranger.ask(f"/demo?a=1&key={KEYS.of(role)}&a=2%26")
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"{PAGE}/demo?a=1&a=2%26"
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert KEYS.of(role) not in answer.text
    assert stranger.ask("/").status_code == 200


def test_the_way_on_never_leads_to_another_site(stranger: Device) -> None:
    answer = stranger.ask(f"//evil.example/?key={KEYS.spectator}")
    assert answer.headers["Location"].startswith(f"{PAGE}/")
    assert 'href="//' not in Device(stranger.client.application).ask("//evil.example/").text


def test_the_referees_code_makes_a_spectator_a_referee(spectator: Device) -> None:
    wish = {"game": "settlers", "table": "1"}
    assert spectator.ask("/virtual", "POST", data=wish).status_code == 403
    spectator.scan(Role.REFEREE)
    assert spectator.ask("/virtual", "POST", data=wish).status_code == 303


def test_a_key_is_taken_from_no_form_and_no_posts_address(app: Flask) -> None:
    wish = {"game": "settlers", "table": "1", "key": KEYS.referee}
    device = Device(app)
    assert device.ask(f"/virtual?key={KEYS.referee}", "POST", data=wish).status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "192.168.1.5.evil.example", "192.168.1.6", "", "a b", "[::1"])
def test_by_names_that_are_not_ours_nobody_is_answered(app: Flask, referee: Device, host: str) -> None:
    for device in (referee, Device(app, "127.0.0.1")):
        answer = device.ask("/", headers={"Host": host})
        assert answer.status_code == 400
        assert answer.text.endswith("Code: unknown_host\n")


# Wrong keys


def test_who_tries_many_keys_is_not_listened_to(app: Flask, stranger: Device, spectator: Device) -> None:
    statuses = [stranger.ask(f"/?key=guess{number}").status_code for number in range(12)]
    assert statuses == [401] * 9 + [429] * 3
    refused = stranger.scan(Role.REFEREE)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "60")
    assert spectator.ask("/").status_code == 200, "who is in stays in"
    assert Device(app, "192.168.1.78").scan(Role.SPECTATOR).status_code == 303, "others come in"


def test_a_phone_with_an_old_key_is_not_taken_for_a_thief(stranger: Device) -> None:
    stranger.client.set_cookie(lan.COOKIE, "last-week-this-was-right", domain=NAME)
    assert {stranger.ask("/lights").status_code for _ in range(30)} == {401}
    assert stranger.scan(Role.SPECTATOR).status_code == 303


def test_wrong_keys_are_forgotten_after_a_while() -> None:
    now = [0.0]
    knocks = Knocks(most=2, within_s=60, clock=lambda: now[0])
    for at, key in ((0, "a"), (30, "b")):
        now[0] = at
        knocks.wrong("x", key)
    assert knocks.too_many("x")
    now[0] = 61
    assert not knocks.too_many("x")


@given(st.text())
def test_only_the_keys_are_right(key: str) -> None:
    assert KEYS.role_of(key) is None
    assert KEYS.role_of(KEYS.referee + key) is (None if key else Role.REFEREE)


# What spectators may do


def test_spectators_change_nothing_on_any_route(app: Flask, spectator: Device) -> None:
    every_route = routes(app, one_of_each(app))
    before = what_is_kept(app)
    for method, path in every_route:
        with spectator.ask(path, method, headers=JSON) as answer:
            if method in lan.SAFE_METHODS:
                assert answer.status_code in (200, 302, 303, 403, 404), f"{method} {path}"
            else:
                assert answer.status_code == 403, f"{method} {path}"
                assert answer.json["error"] == "only_looking"
                assert answer.json["sentence"].count(".") == 1
        assert what_is_kept(app) == before, f"{method} {path}"


def test_spectators_are_shown_nothing_that_they_could_press_in_vain(
    app: Flask, spectator: Device, referee: Device
) -> None:
    pages = [path for method, path in routes(app, one_of_each(app)) if method == "GET" and "/join" not in path]
    shown = {path: WhatWrites.on(referee.ask(path)) for path in pages}
    assert sum(map(len, shown.values())) > 100
    for path in pages:
        assert WhatWrites.on(spectator.ask(path)) == [], path


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "BREW", "post"])
def test_no_method_is_a_way_around_that(app: Flask, spectator: Device, method: str, opened: str) -> None:
    before = what_is_kept(app)
    assert "Spectators only look" in spectator.ask(opened + "/delete", "POST").text
    disguise = {"X-HTTP-Method-Override": "POST", "Origin": PAGE, "Sec-Fetch-Site": "same-origin"}
    answer = spectator.ask(opened + "/delete", method, headers=disguise, data={"_method": "POST"})
    assert answer.status_code == 403
    assert what_is_kept(app) == before


def test_a_spectator_sees_the_reading_and_the_referee_corrects_it(
    spectator: Device, referee: Device, opened: str
) -> None:
    assert spectator.ask(opened).status_code == 200
    wish = {"base": 1, "do": "change", "piece": 0, "set": {"size": "large"}}
    assert spectator.ask(opened + "/edits", "POST", json=wish).status_code == 403
    assert referee.ask(opened + "/edits", "POST", json=wish).status_code == 200


def test_other_sites_cannot_use_the_referees_cookie(referee: Device, opened: str) -> None:
    answer = referee.ask(opened + "/delete", "POST", headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403
    assert referee.ask(opened).status_code == 200


def test_guests_never_fill_the_queue_of_those_who_work() -> None:
    gate = Gate(waiting=1, patience_s=20)
    inside, leave = threading.Event(), threading.Event()

    def look() -> bool:
        inside.set()
        return leave.wait(20)

    with closing(gate), ThreadPoolExecutor(2) as people:
        guest = people.submit(gate.do, look, guest=True)
        assert inside.wait(20)
        with pytest.raises(Busy):
            gate.do(lambda: pytest.fail("two guests"), guest=True)
        worker = people.submit(gate.do, lambda: "worked")
        assert not worker.done()
        leave.set()
        assert (guest.result(20), worker.result(20)) == (True, "worked")


# Codes to scan


def test_referees_invite_both_and_spectators_spectators(app: Flask, referee: Device, spectator: Device) -> None:
    both = [DOOR.invitation(role) for role in (Role.REFEREE, Role.SPECTATOR)]
    assert scanned(referee.ask("/join").text) == both
    assert scanned(app.test_client().get("/join").text) == both
    assert scanned(spectator.ask("/join").text) == both[1:]
    assert KEYS.referee not in spectator.ask("/join").text


def test_without_a_door_the_page_says_how_to_open_it(client: FlaskClient, make_app: MakeApp) -> None:
    assert "serve --lan" in make_app().test_client().get("/join").text
    assert client.get("/join").status_code == 200


# The commands


def test_listening_to_the_network_takes_saying_so() -> None:
    refused = CliRunner().invoke(main, ["serve", "--host", "192.168.1.5"])
    assert refused.exit_code == 2
    assert "say --lan too" in refused.output
    assert CliRunner().invoke(main, ["serve", "--new-keys"]).exit_code == 2


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[str]:
    """What ``pyramids serve --lan`` writes on a terminal; it runs meanwhile."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["serve", "--lan", "--host", NAME, "--port", str(port)]
    ours, its = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", "from companion_app.cli import main; main()", *words],
        stdin=its, stdout=its, stderr=its, env=os.environ | {"PYRAMIDS_DATA": str(tmp_path), "TERM": "xterm"},
    ) as program:  # fmt: skip
        os.close(its)
        written = b""
        while b"--new-keys." not in written:
            written += os.read(ours, 4096)
        yield written.decode()
        program.send_signal(signal.SIGINT)
        assert program.wait(20) == 0
    os.close(ours)


def test_the_command_shows_codes_to_scan(terminal: str) -> None:
    plain = re.sub(r"\x1b\[[0-9;]*[mK]", "", terminal).replace("\r\n", "\n")
    assert re.search(r"The page is at http://127\.0\.0\.1:\d+/", plain)
    referee, spectator = re.findall(rf"(http://{NAME}:\d+/\?key=[\w-]{{24}})\n((?:  [ ▀▄█]+\n)+)", plain)
    assert referee[0] != spectator[0]
    for address, blocks in (referee, spectator):
        assert seen(picture_of_text("\n".join(line[2:] for line in blocks.splitlines()))) == address


def test_what_is_written_to_a_file_has_no_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    show_codes(DOOR)
    written = capsys.readouterr().out
    assert [DOOR.invitation(role) in written for role in Role] == [True, True]
    assert "█" not in written


def test_this_computers_addresses_are_not_its_own_names_for_itself() -> None:
    assert not [one for one in lan.own_addresses() if lan.is_loopback(one)]
    assert set(lan.own_addresses()) <= set(lan.own_names())


def test_uploads_that_stall_hold_nobody_up(app: Flask) -> None:
    address = served(app)
    port = int(address.rpartition(":")[2])
    head = f"POST /readings HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Length: 9000000\r\n\r\n".encode()
    stalled = [socket.create_connection(("127.0.0.1", port)) for _ in range(80)]
    for connection in stalled:
        connection.sendall(head + bytes(1000))
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(f"GET /health HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 200")
    for connection in stalled:
        connection.close()


@pytest.mark.browser
def test_in_a_browser_a_spectator_scans_listens_and_cannot_delete(browser: Browser, make_app: MakeApp) -> None:
    address = own_address()
    app, feed = make_app(**OPEN | {"TRUSTED_HOSTS": ["localhost", address]}), Feed()
    app.add_url_rule("/news", view_func=lambda: app.extensions["streams"].answer(feed))
    reading = app.test_client().get("/demo/photo").headers["Location"]
    home = open_to_all(app, address)
    page = browser.new_page()
    closed = page.goto(home + reading)
    assert closed is not None
    assert closed.status == 401
    page.goto(f"{home}{reading}?key={KEYS.spectator}")
    assert page.url == home + reading
    assert page.evaluate("document.cookie") == ""
    feed.tell("<b>North to move</b>", "view")
    listen = "new Promise((heard) => new EventSource('/news').addEventListener('view', (news) => heard(news.data)))"
    assert page.evaluate(listen) == "<b>North to move</b>"
    page.goto(f"{home}{reading}/delete")
    expect(page.locator("main")).to_contain_text("Spectators only look")
    post = "(path) => fetch(path, {method: 'POST'}).then((answer) => answer.text())"
    assert "Spectators only look" in page.evaluate(post, f"{reading}/delete")
    assert app.test_client().get(reading).status_code == 200
    app.extensions["streams"].close()
    page.close()
