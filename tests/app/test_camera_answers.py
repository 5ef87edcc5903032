"""What cameras in the network answer when they do not send pictures, or send what nobody should take."""

from __future__ import annotations

import hashlib
import logging
import re
import socket
import time
from base64 import b64encode
from itertools import count

import cv2
import numpy as np
import pytest
from camera_fakes import eventually, until
from camera_servers import Answer, answering, jpeg, said, snapshot

from companion_app.cameras import Camera, Condition, camera, http_camera, source_at
from companion_app.cameras.states import CameraState


def hang_up(connection: socket.socket, _request: str) -> None:
    """As a camera does that has time for one only."""


def say_nothing(connection: socket.socket, _request: str) -> None:
    connection.settimeout(60)
    connection.recv(1)


def heads_without_end(connection: socket.socket, _request: str) -> None:
    for _ in range(1000):
        connection.sendall(b"X: " + b"x" * 60_000 + b"\r\n")


def redirect_without_end(connection: socket.socket, _request: str) -> None:
    connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n")
    for _ in range(100):
        connection.sendall(bytes(10**6))


def moving(kind: str = "image/jpeg") -> Answer:
    """Another picture each time."""
    numbers = count(1)

    def answer(connection: socket.socket, request: str) -> None:
        snapshot(jpeg(next(numbers)), kind)(connection, request)

    return answer


LOGIN = 'WWW-Authenticate: Basic realm="camera"'
PAGE = b"<!doctype html><title>IP camera</title><img src=/video>"

# How a camera answers; the condition, the code, and what the sentence says.
TROUBLES: dict[str, tuple[Answer, Condition, str, str]] = {
    "401": (
        said("401 Unauthorized", LOGIN),
        Condition.REFUSED,
        "camera_password",
        r"asks for a name and password: write them into the address, http://NAME:PASSWORD@127\.0\.0\.1:\d+/…$",
    ),
    "401 of another kind": (said("401 No", "WWW-Authenticate: Odd"), Condition.REFUSED, "camera_password", "asks"),
    "401 without a word": (said("401 No"), Condition.REFUSED, "camera_password", "asks for a name and password"),
    "403": (said("403 Forbidden"), Condition.REFUSED, "camera_not_permitted", "does not let this computer in"),
    "a page": (
        said("200 OK", "Content-Type: text/html; charset=utf-8", body=PAGE),
        Condition.REFUSED,
        "camera_page",
        r"^That address is a page: cameras often answer at /video, as http://127\.0\.0\.1:\d+/video\.$",
    ),
    "a page that is not called one": (said("200 OK", body=PAGE), Condition.REFUSED, "camera_page", "is a page"),
    "404": (said("404 Not Found", body=PAGE), Condition.REFUSED, "camera_path", "has no pictures at that address"),
    "503": (said("503 Service Unavailable"), Condition.REFUSED, "camera_busy", "is busy: close the other program"),
    "429": (said("429 Too Many Requests"), Condition.REFUSED, "camera_busy", "is busy"),
    "hung up": (hang_up, Condition.REFUSED, "camera_busy", "is busy: close the other program"),
    "silence": (say_nothing, Condition.LOST, "camera_silent", "takes the call, but sends nothing"),
    "500": (said("500 Oops"), Condition.REFUSED, "camera_answer", "answers 500 instead of pictures"),
    "206": (said("206 Partial Content"), Condition.REFUSED, "camera_answer", "answers 206 instead of pictures"),
    "another protocol": (
        lambda connection, _: connection.sendall(b"RTSP/1.0 400 Bad Request\r\n\r\n"),
        Condition.REFUSED,
        "camera_answer",
        "answers as no camera does at http://",
    ),
    "a film": (said("200 OK", "Content-Type: video/mp4"), Condition.REFUSED, "camera_format", "neither a picture"),
    "nothing": (said("200 OK", "Content-Length: 0"), Condition.REFUSED, "camera_format", "neither a picture nor"),
    "compressed": (
        said("200 OK", "Content-Type: image/jpeg", "Content-Encoding: gzip", body=bytes(99)),
        Condition.REFUSED,
        "camera_format",
        "neither a picture nor MJPEG",
    ),
    "a redirect to a file": (
        said("302 Found", "Location: file:///etc/passwd"),
        Condition.REFUSED,
        "camera_answer",
        "answers 302",
    ),
    "a redirect to elsewhere": (
        said("302 Found", "Location: ftp://127.0.0.1/x"),
        Condition.REFUSED,
        "camera_answer",
        "answers as no camera does",
    ),
    "a redirect to nowhere": (said("302 Gone", "Location: http://[/"), Condition.REFUSED, "camera_answer", "answers"),
    "redirects without end": (said("302 Found", "Location: /x"), Condition.REFUSED, "camera_answer", "answers 302"),
    "heads without end": (
        heads_without_end,
        Condition.REFUSED,
        "camera_answer",
        "answers as no camera does",
    ),
    "a body of a redirect without end": (
        redirect_without_end,
        Condition.REFUSED,
        "camera_answer",
        "answers as no camera does",
    ),
}  # fmt: skip


@pytest.mark.parametrize("trouble", TROUBLES)
def test_each_trouble_has_a_sentence_of_its_own(trouble: str) -> None:
    answer, condition, code, sentence = TROUBLES[trouble]
    with answering(answer) as server:
        state = first_state(server.address())
        assert (state.condition, state.code) == (condition, code), state.sentence
        assert re.search(sentence, state.sentence), state.sentence


def first_state(address: str) -> CameraState:
    """How a camera is once its first call is over."""
    with Camera(source_at(address)) as opened:
        return eventually(lambda: opened.state, lambda state: state.condition is not Condition.STARTING)


@pytest.mark.parametrize("scheme", ["http", "rtsp"])
def test_nobody_there_is_said_by_what_is_missing(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    state = first_state(f"{scheme}://127.0.0.1:{port}/video")
    assert (state.condition, state.code) == (Condition.MISSING, "camera_unreachable")
    assert f"is on, but nothing answers at port {port}: start its camera program" in state.sentence

    state = first_state(f"{scheme}://nobody.invalid/video")
    assert state.code == "camera_unreachable"
    assert state.sentence == "Nobody in this network is called nobody.invalid: write the camera's IP address instead."

    def time_out(*_: object, **__: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", time_out)
    state = first_state(f"{scheme}://192.0.2.1/video")
    assert state.code == "camera_unreachable"
    assert "does not answer: is it on, in the same network, and the address right?" in state.sentence


def test_https_that_is_http_is_told() -> None:
    with answering(hang_up) as server:
        state = first_state(server.address(scheme="https"))
    assert state.code in ("camera_unreachable", "camera_busy")


# Names and passwords


def basic(connection: socket.socket, request: str) -> None:
    """Lets anna in."""
    login = b64encode(b"anna:s@cret").decode()
    (snapshot(jpeg(1)) if f"Authorization: Basic {login}\r\n" in request else said("401 No", LOGIN))(
        connection, request
    )


def digest(connection: socket.socket, request: str) -> None:
    """Lets anna in, by RFC 2617."""
    given = dict(re.findall(r'(\w+)="?([^",\r]*)"?', request.partition("Authorization: Digest ")[2]))
    first, second = (
        hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
        for text in ("anna:camera:s@cret", f"GET:{given.get('uri')}")
    )
    proof = f"{first}:{given.get('nonce')}:{given.get('nc')}:{given.get('cnonce')}:auth:{second}"
    if given.get("response") == hashlib.md5(proof.encode(), usedforsecurity=False).hexdigest():
        snapshot(jpeg(1))(connection, request)
    else:
        said("401 No", 'WWW-Authenticate: Digest realm="camera", nonce="abc", qop="auth"')(connection, request)


@pytest.mark.parametrize("lock", [basic, digest])
def test_a_name_and_password_in_the_address_open_the_camera(lock: Answer) -> None:
    with answering(lock) as server, Camera(source_at(server.address("/shot.jpg", login="anna:s%40cret@"))) as opened:
        until(opened, Condition.LIVE)


@pytest.mark.parametrize("lock", [basic, digest])
def test_a_wrong_password_is_tried_once_and_never_shown(lock: Answer, caplog: pytest.LogCaptureFixture) -> None:
    """Cameras lock out who is wrong too often."""
    caplog.set_level(logging.DEBUG)
    with answering(lock) as server, Camera(source_at(server.address(login="anna:wr0ng@")), first_rest=0.02) as opened:
        state = until(opened, Condition.REFUSED, "camera_password")
        assert "asks for another name and password" in state.sentence
        assert "wr0ng" not in state.sentence + caplog.text
        time.sleep(1.0)
        assert sum("Authorization" in request for request in server.requests) == 1
    assert camera.PASSWORD_REST_S >= 30


def test_a_password_goes_to_no_other_camera_by_a_redirect() -> None:
    with answering(said("401 No", LOGIN)) as other:
        moved = said("302 Found", f"Location: {other.address('/theirs')}")
        with answering(moved) as server:
            state = first_state(server.address(login="anna:secret@"))
            assert state.code == "camera_password"
            assert other.requests
            assert "Authorization" not in "".join(other.requests)


def test_a_redirect_is_followed_with_the_password() -> None:
    def lead(connection: socket.socket, request: str) -> None:
        moved = said("302 Found", "Location: /shot jpg")
        (basic if request.startswith("GET /shot%20jpg ") else moved)(connection, request)

    with answering(lead) as server, Camera(source_at(server.address(login="anna:s%40cret@"))) as opened:
        until(opened, Condition.LIVE)


# Snapshots


@pytest.mark.parametrize("kind", ["image/jpeg", "IMAGE/JPG", "application/octet-stream"])
def test_a_snapshot_is_asked_for_again_and_again(kind: str) -> None:
    with answering(moving(kind)) as server:
        with Camera(source_at(server.address("/shot.jpg?high=1"))) as opened:
            eventually(lambda: opened.frame, lambda frame: frame is not None and frame.number >= 4)
            assert opened.state.condition is Condition.LIVE
        assert {request.splitlines()[0] for request in server.requests} == {"GET /shot.jpg?high=1 HTTP/1.1"}


def test_a_snapshot_that_stays_the_same_is_frozen() -> None:
    with answering(snapshot(jpeg(1))) as server, Camera(source_at(server.address()), stale_after=0.8) as opened:
        until(opened, Condition.LIVE)
        until(opened, Condition.STALE, "camera_frozen")
        assert opened.frame is not None
        assert opened.frame.number == 1


def test_a_snapshot_cut_in_half_is_no_picture() -> None:
    with (
        answering(snapshot(jpeg(1)[:2000])) as server,
        Camera(source_at(server.address()), first_rest=0.02) as opened,
    ):
        until(opened, Condition.LOST, "camera_damaged")
        assert opened.frame is None


def test_a_snapshot_of_which_less_comes_than_was_said_is_no_picture() -> None:
    whole = jpeg(1)
    half = said("200 OK", "Content-Type: image/jpeg", f"Content-Length: {len(whole)}", body=whole[:2000])
    with answering(half) as server, Camera(source_at(server.address()), first_rest=0.02) as opened:
        state = until(opened, Condition.LOST)
        assert state.code in ("camera_damaged", "camera_silent")
        assert opened.frame is None


def test_a_snapshot_camera_that_turns_busy_is_asked_until_it_is_not() -> None:
    with answering(moving()) as server, Camera(source_at(server.address()), first_rest=0.02) as opened:
        until(opened, Condition.LIVE)
        server.answer = said("503 Busy")
        until(opened, Condition.REFUSED, "camera_busy")
        server.answer = moving()
        until(opened, Condition.LIVE)


# What nobody should take


def heavy(connection: socket.socket, _request: str) -> None:
    """A frame of a gigabyte."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=cut\r\n\r\n")
    connection.sendall(b"--cut\r\nContent-Type: image/jpeg\r\nContent-Length: 1000000000\r\n\r\n\xff\xd8")
    for _ in range(1000):
        connection.sendall(bytes(10**6))


def a_byte_at_a_time(connection: socket.socket, _request: str) -> None:
    """As slowly as no time-out of a socket notices."""
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=cut\r\n\r\n--cut\r\n\r\n"
    )
    for byte in jpeg(1):
        connection.sendall(bytes([byte]))
        time.sleep(0.1)


def half_pictures(connection: socket.socket, _request: str) -> None:
    """As over a connection that is too slow for them."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=cut\r\n\r\n")
    for number in count():
        connection.sendall(b"--cut\r\nContent-Type: image/jpeg\r\n\r\n" + jpeg(number)[:2000] + b"\r\n")
        time.sleep(0.1)


@pytest.mark.parametrize("answer", [heavy, a_byte_at_a_time, half_pictures])
def test_pictures_that_are_never_whole_are_given_up(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_camera, "WHOLE_WITHIN_S", 2.0)
    with answering(answer) as server, Camera(source_at(server.address()), first_rest=0.02) as opened:
        state = until(opened, Condition.LOST)
        assert state.code == "camera_damaged"
        assert "sends no whole picture" in state.sentence
        eventually(lambda: len(server.requests), lambda calls: calls >= 2)
        assert opened.frame is None


def test_a_snapshot_that_is_too_heavy_or_too_large_is_refused() -> None:
    endless = said("200 OK", "Content-Type: image/jpeg", body=jpeg(1) + bytes(26 * 2**20))
    with answering(endless) as server, Camera(source_at(server.address())) as opened:
        until(opened, Condition.REFUSED, "photo_too_heavy")
    huge = cv2.imencode(".jpg", np.zeros((9000, 9000), np.uint8))[1].tobytes()
    with answering(snapshot(huge)) as server, Camera(source_at(server.address())) as opened:
        state = until(opened, Condition.REFUSED, "photo_too_large")
        assert state.sentence.startswith("The camera at 127.0.0.1:")
