"""Network cameras, against a real server on this machine that stalls, hangs up and sends damaged pictures."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice

import cv2
import numpy as np
import pytest
from camera_fakes import PATIENCE_S, eventually, until

from companion_app.cameras import Camera, Condition, source_at
from companion_app.cameras.looking import table_states
from companion_app.cameras.watching import Stale


def jpeg(number: int) -> bytes:
    """A picture of soft noise whose top left corner tells its number."""
    image = cv2.GaussianBlur(np.random.default_rng(1).integers(0, 255, (120, 160, 3)).astype(np.uint8), (0, 0), 3)
    image[:32, :32] = number * 12 % 240
    return cv2.imencode(".jpg", image)[1].tobytes()


@dataclass
class Phone:
    """A camera app that sends MJPEG; ``how`` may be changed while it runs."""

    how: str = "well"
    calls: int = 0
    sent: int = 0
    over: threading.Event = field(default_factory=threading.Event)
    address: str = ""

    def parts(self) -> Iterator[bytes]:
        """What one caller is sent."""
        self.calls += 1
        number = 0
        while not self.over.wait(0.04):
            number += 1
            self.sent += 1
            data = jpeg(self.sent)
            if self.how == "stalled":
                self.over.wait(PATIENCE_S)
                return
            if self.how == "hanging up" and number > 4:
                return
            if self.how == "cut" and number % 3 == 0:
                data = data[: len(data) // 2]
            if self.how == "garbage" and number % 3 == 0:
                data = b"?" * 500
            if self.how == "frozen":
                data = jpeg(1)
            head = b"--cut\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data)
            yield head + data + b"\r\n"


@contextmanager
def serving(phone: Phone) -> Iterator[Phone]:
    """The phone on a free port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != "/video":
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=cut")
            self.end_headers()
            with suppress(OSError):
                for part in phone.parts():
                    self.wfile.write(part)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    phone.address = f"http://127.0.0.1:{server.server_port}/video"
    try:
        yield phone
    finally:
        phone.over.set()
        server.shutdown()
        server.server_close()


@pytest.fixture
def phone() -> Iterator[Phone]:
    with serving(Phone()) as phone:
        yield phone


def frames_beyond(camera: Camera, count: int) -> int:
    """The number of a frame that came *count* frames later than now."""
    now = camera.frame.number if camera.frame else 0
    frame = eventually(lambda: camera.frame, lambda frame: frame is not None and frame.number >= now + count)
    assert frame is not None
    return frame.number


def test_pictures_come_as_they_were_sent(phone: Phone) -> None:
    with Camera(source_at(phone.address)) as camera:
        frames_beyond(camera, 5)
        assert camera.state.condition is Condition.LIVE
        assert camera.frame is not None
        assert camera.frame.image.shape == (120, 160, 3)
        tone = int(camera.frame.image[10, 10, 0])
        assert min(tone % 12, 12 - tone % 12) <= 2


@pytest.mark.parametrize("how", ["cut", "garbage", "hanging up"])
def test_damaged_pictures_and_broken_connections_are_survived(phone: Phone, how: str) -> None:
    phone.how = how
    with Camera(source_at(phone.address), first_rest=0.02) as camera:
        frames_beyond(camera, 6)


def test_a_stalled_camera_is_lost_then_called_again(phone: Phone) -> None:
    with Camera(source_at(phone.address), first_rest=0.02) as camera:
        frames_beyond(camera, 2)
        phone.how = "stalled"
        assert until(camera, Condition.LOST).code == "camera_silent"
        assert any(isinstance(state, Stale) for state in islice(table_states(camera), 50))
        phone.how = "well"
        frames_beyond(camera, 2)
        assert phone.calls >= 2
        assert camera.state.condition is Condition.LIVE


def test_a_frozen_camera_is_stale_although_it_sends(phone: Phone) -> None:
    phone.how = "frozen"
    with Camera(source_at(phone.address), stale_after=0.5, first_rest=0.02) as camera:
        until(camera, Condition.STALE, "camera_frozen")


def test_a_camera_that_is_switched_off_is_lost() -> None:
    with serving(Phone()) as phone:
        camera = Camera(source_at(phone.address), first_rest=0.02)
        frames_beyond(camera, 2)
    with camera:
        assert until(camera, Condition.LOST).sentence.startswith("The camera at 127.0.0.1:")
