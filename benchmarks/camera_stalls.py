"""Streams that stall and go on at random times: python -m benchmarks.camera_stalls

A camera program on this machine sends MJPEG, then stalls for some seconds while it accepts every connection, and goes
on: on the connections that it has, or only on those that come afterwards, as programs of either kind do; meanwhile it
may answer the head of what it has accepted, or not even that. Measured is the time from the moment when pictures are
sent again to the first one that the companion has.
"""

from __future__ import annotations

import platform
import statistics
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random

import cv2
import numpy as np

from benchmarks.fuzzing import RESULTS
from companion_app.cameras import Camera, source_at

TRIES = 50
SEED = 1
AT_ONCE = 5  # each mostly waits
LONGEST_S = 5.0
GIVE_UP_S = 30.0
FRAME_S = 0.05


@dataclass(frozen=True)
class Stall:
    """How one try stalls.

    Attributes:
        after_s: since the first picture.
        lasts_s: the stall itself.
        answers: whether the head of an answer is sent meanwhile.
        resumes: whether the connections that are held go on, or only new ones have pictures.
    """

    after_s: float
    lasts_s: float
    answers: bool
    resumes: bool

    @property
    def kind(self) -> str:
        """For the table."""
        head = "answered" if self.answers else "held"
        return f"calls are {head}, {'then go on' if self.resumes else 'and stay silent'}"


class Phone:
    """A camera program; ``stalled`` may be changed while it runs."""

    def __init__(self, stall: Stall) -> None:
        self.stalled = threading.Event()
        self.over = threading.Event()
        self.number = 0
        self._stall = stall

    def is_held(self) -> bool:
        """Waits as long as a stall lasts; whether the connection is good for nothing afterwards."""
        held = self.stalled.is_set()
        while self.stalled.is_set() and not self.over.is_set():
            time.sleep(FRAME_S / 5)
        if held and not self._stall.resumes:
            self.over.wait(GIVE_UP_S)
        return self.over.is_set()

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        """One call."""
        if not self._stall.answers and self.is_held():
            return
        handler.send_response(200)
        handler.send_header("Content-Type", "multipart/x-mixed-replace; boundary=cut")
        handler.end_headers()
        while not self.is_held():
            self.number += 1
            image = np.full((240, 320, 3), self.number % 200, np.uint8)
            data = cv2.imencode(".jpg", image)[1].tobytes()
            handler.wfile.write(b"--cut\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data))
            handler.wfile.write(data + b"\r\n")
            self.over.wait(FRAME_S)


@contextmanager
def serving(phone: Phone) -> Iterator[str]:
    """The address of the phone."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with suppress(OSError):
                phone.serve(self)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/video"
    finally:
        phone.over.set()
        server.shutdown()
        server.server_close()


def back_after(stall: Stall) -> float | None:
    """Seconds from the return of the pictures to the first one seen; ``None`` if there was none in time."""
    phone = Phone(stall)
    with serving(phone) as address, Camera(source_at(address)) as camera:
        if camera.wait(0, GIVE_UP_S) is None:
            return None
        time.sleep(stall.after_s)
        phone.stalled.set()
        time.sleep(stall.lasts_s)
        before = camera.frame.number if camera.frame else 0
        back = time.monotonic()
        phone.stalled.clear()
        frame = camera.wait(before, GIVE_UP_S)
        return None if frame is None else frame.at - back


def stalls(random: Random) -> list[Stall]:
    """The tries: 9 s as it was reported, and anything from a moment to twice as long."""
    return [
        Stall(
            after_s=random.uniform(0.2, 2.0),
            lasts_s=9.0 if number % 2 else random.uniform(1.0, 18.0),
            answers=bool(number // 2 % 2),
            resumes=bool(number // 4 % 2),
        )
        for number in range(TRIES)
    ]


def main() -> None:
    """Write ``results/camera_stalls.md``; exits with 1 unless all came back in time."""
    tries = stalls(Random(SEED))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(back_after, tries))
    text = table(tries, results)
    print(text, end="")
    (RESULTS / "camera_stalls.md").write_text(text)
    sys.exit(0 if all(result is not None and result <= LONGEST_S for result in results) else 1)


def table(tries: Sequence[Stall], results: Sequence[float | None]) -> str:
    """The page of results."""
    in_time = sum(result is not None and result <= LONGEST_S for result in results)
    rows = ""
    for kind in sorted({stall.kind for stall in tries}):
        rows += row(kind, [result for stall, result in zip(tries, results, strict=True) if stall.kind == kind])
    return (
        "# Cameras that stall\n\n"
        f"`python -m benchmarks.camera_stalls`, seed {SEED}, Python {platform.python_version()}.\n\n"
        f"A stream of {1 / FRAME_S:.0f} pictures a second stalls with its connections accepted, in half of\n"
        "the tries for 9 s, in the others for 1 to 18 s, and goes on, in half of the tries only on new connections.\n"
        "Time from the return of the pictures to the first one that the companion has:\n"
        f"within {LONGEST_S:g} s in {in_time} of {len(results)} tries.\n\n"
        "| while it stalls | tries | median, s | longest, s | never back |\n|---|--:|--:|--:|--:|\n"
        + rows
        + row("**all**", results)
    )


def row(name: str, results: Sequence[float | None]) -> str:
    """One line of the table."""
    back = [result for result in results if result is not None]
    figures = f"{statistics.median(back):.2f} | {max(back):.2f}" if back else "– | –"
    return f"| {name} | {len(results)} | {figures} | {len(results) - len(back)} |\n"


if __name__ == "__main__":
    main()
