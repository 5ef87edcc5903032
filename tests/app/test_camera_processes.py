"""Cameras that OpenCV opens, in a process of their own: what hangs in there is ended from outside."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from camera_fakes import PATIENCE_S, eventually, until
from camera_servers import answering
from rtsp_server import RtspPhone

from companion_app.cameras import Camera, CameraError, Condition, capture, source_at
from companion_app.cameras.capture import Capture

RTSP = {
    "RTSP/1.0 401 Unauthorized": (Condition.REFUSED, "camera_password", "rtsp://NAME:PASSWORD@127.0.0.1:"),
    "RTSP/1.0 404 Not Found": (Condition.REFUSED, "camera_path", "look in its manual for the path of its stream"),
    "RTSP/1.0 453 Not Enough Bandwidth": (Condition.REFUSED, "camera_busy", "is busy: close the other program"),
    "RTSP/1.0 503 Service Unavailable": (Condition.REFUSED, "camera_busy", "is busy"),
}

SAYS_READY = "import sys, time; out = sys.stdout.buffer; out.write(b'r' + bytes(8)); out.flush();"
SAYS_OPEN = SAYS_READY + "out.write(b'o' + bytes(8)); out.flush();"
SENDS_ONE = SAYS_OPEN + "out.write(b'p' + bytes([0, 0, 0, 64] * 2) + bytes(64 * 64 * 3)); out.flush();"
HANGS = "time.sleep(600)"


def trouble() -> CameraError:
    return CameraError("camera_busy", "It does not open.", Condition.REFUSED)


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """The processes that were begun; all have ended at the end of the test."""
    processes: list[subprocess.Popen[bytes]] = []
    begin = subprocess.Popen

    def noted(*args: object, **options: object) -> subprocess.Popen[bytes]:
        processes.append(begin(*args, **options))  # type: ignore[call-overload]
        return processes[-1]

    monkeypatch.setattr(subprocess, "Popen", noted)
    yield processes
    for process in processes:
        eventually(process.poll, lambda status: status is not None)


def doing(script: str, monkeypatch: pytest.MonkeyPatch) -> Capture:
    """A capture whose process does this instead."""
    monkeypatch.setattr(capture, "COMMAND", [sys.executable, "-c", script])
    monkeypatch.setattr(capture, "MARGIN_S", -1.5)
    monkeypatch.setattr(capture, "START_WITHIN_S", 3.0)
    return Capture("The camera", "usb", "0", trouble)


def open_and_read(source: Capture, times: int = 1) -> None:
    source.open()
    for _ in range(times):
        source.read()


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("import time;" + HANGS, "camera_failed"),
        ("", "camera_failed"),
        (SAYS_READY + HANGS, "camera_busy"),
        (SAYS_READY + "out.write(b'f' + bytes(8))", "camera_busy"),
        (SAYS_OPEN + HANGS, "camera_silent"),
        (SAYS_OPEN, "camera_silent"),
        (SAYS_OPEN + "out.write(b'p' + bytes([0, 0, 0, 64] * 2) + bytes(99))", "camera_silent"),
    ],
)
def test_whatever_hangs_is_ended_and_told(
    script: str, code: str, begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = doing(script, monkeypatch)
    with pytest.raises(CameraError) as caught:
        open_and_read(source)
    assert caught.value.code == code
    source.close()
    assert [process.poll() is None for process in begun] == [False]


def test_a_driver_that_hangs_amid_pictures_is_ended_and_the_camera_opened_again(
    begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Camera(doing(SENDS_ONE + HANGS, monkeypatch), first_rest=0.02) as camera:
        until(camera, Condition.LIVE)
        until(camera, Condition.LOST, "camera_silent")
        eventually(lambda: len(begun), lambda count: count >= 2)
        monkeypatch.setattr(
            capture, "COMMAND", [sys.executable, "-c", SENDS_ONE.replace("bytes(64 *", "b'x' * (64 *")]
        )
        frame = eventually(lambda: camera.frame, lambda frame: frame is not None and frame.number >= 2)
        assert frame is not None
        assert (frame.image == ord("x")).all()


def test_processes_that_cannot_be_ended_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with a driver that hangs in the system itself, where no signal reaches it."""
    monkeypatch.setattr(capture, "END_WITHIN_S", 0.1)
    monkeypatch.setattr(capture, "_left", [])
    source = doing(SAYS_OPEN + HANGS, monkeypatch)
    kill = subprocess.Popen.kill
    monkeypatch.setattr(subprocess.Popen, "kill", lambda _self: None)
    for _ in range(capture.MOST_LEFT):
        source.open()
        source.close()
    with pytest.raises(CameraError) as caught:
        source.open()
    assert caught.value.code == "camera_hangs"
    assert "unplug it" in caught.value.sentence
    for process in capture._left:
        kill(process)
        process.wait(10)
    source.open()
    monkeypatch.setattr(subprocess.Popen, "kill", kill)
    source.close()


def test_a_film_is_played_through_a_process(tmp_path: Path, begun: list[subprocess.Popen[bytes]]) -> None:
    """The real process with the real OpenCV, on what needs no camera."""
    path = str(tmp_path / "film.avi")
    writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    for _ in range(30):
        writer.write(np.full((240, 320, 3), (10, 20, 200), np.uint8))
    writer.release()
    source = Capture("The film", "network", path, trouble)
    source.open()
    picture = source.read()
    assert picture.shape == (240, 320, 3)
    assert abs(picture.mean(axis=(0, 1)) - (10, 20, 200)).max() < 8
    source.close()
    with pytest.raises(CameraError, match="has stopped sending pictures"):
        open_and_read(source, times=100)
    source.close()
    assert len(begun) == 2


HANGING_PROCESS = """
import os, threading
from pathlib import Path
from companion_app.cameras import capture_process
def hang(*_):
    Path("NOTE").write_text(str(os.getpid()))
    threading.Event().wait()
capture_process._connected = hang
capture_process.main()
"""

PROGRAM = """
import sys
from companion_app.cameras import capture
capture.COMMAND = [sys.executable, "-c", sys.argv[1]]
capture.MARGIN_S = 600
capture.Capture("It", "usb", "0", Exception).open()
"""


def test_a_process_ends_with_the_program_that_began_it_even_where_that_is_killed_and_the_driver_hangs(
    tmp_path: Path,
) -> None:
    note = tmp_path / "process"
    child = HANGING_PROCESS.replace("NOTE", str(note))
    program = subprocess.Popen([sys.executable, "-c", PROGRAM, child])
    process = int(eventually(lambda: note.read_text() if note.exists() else "", bool))
    assert _state(process) != "Z"
    program.kill()
    program.wait(10)
    eventually(lambda: _state(process), lambda state: state == "Z")


def _state(process: int) -> str:
    """As Linux has it: Z for one that has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


@pytest.mark.parametrize("status", RTSP)
def test_an_rtsp_camera_says_why_it_does_not_open(status: str) -> None:
    condition, code, sentence = RTSP[status]

    def answer(connection: socket.socket, request: str) -> None:
        assert request.startswith("DESCRIBE rtsp://127.0.0.1:")
        connection.sendall(f"{status}\r\nCSeq: 1\r\n\r\n".encode())

    with answering(answer) as server, Camera(source_at(server.address("/live", "rtsp"))) as camera:
        state = until(camera, condition, code)
        assert sentence in state.sentence


def test_a_wrong_password_of_an_rtsp_camera_is_told_and_not_shown() -> None:
    def answer(connection: socket.socket, _request: str) -> None:
        connection.sendall(b"RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\nWWW-Authenticate: Basic realm=x\r\n\r\n")

    with answering(answer) as server, Camera(source_at(server.address("/", "rtsp", "anna:wr0ng@"))) as camera:
        state = until(camera, Condition.REFUSED, "camera_password")
        assert "asks for another name and password" in state.sentence
        assert "wr0ng" not in state.sentence


def test_an_rtsp_camera_that_is_silent_is_told() -> None:
    def answer(connection: socket.socket, _request: str) -> None:
        connection.recv(1)

    with answering(answer) as server, Camera(source_at(server.address("/", "rtsp"))) as camera:
        assert "takes the call, but sends nothing" in until(camera, Condition.LOST, "camera_silent").sentence


def test_an_rtsp_camera_sends_pictures_stalls_and_is_seen_again() -> None:
    phone = RtspPhone()
    with answering(phone) as server, Camera(source_at(server.address("/live", "RTSP")), first_rest=0.02) as camera:
        frame = eventually(lambda: camera.frame, lambda frame: frame is not None and frame.number >= 3)
        assert frame is not None
        assert frame.image.shape == (120, 160, 3)
        phone.stalled.set()
        until(camera, Condition.LOST, "camera_silent")
        before = camera.frame.number if camera.frame else 0
        phone.stalled.clear()
        assert camera.wait(before, PATIENCE_S)
        assert phone.plays >= 2
        phone.over.set()


def test_an_address_with_a_password_is_in_no_list_of_processes(begun: list[subprocess.Popen[bytes]]) -> None:
    def answer(connection: socket.socket, _request: str) -> None:
        connection.sendall(b"RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n")
        time.sleep(1.0)

    with answering(answer) as server, Camera(source_at(server.address("/", "rtsp", "anna:s3cret@"))):
        process = eventually(lambda: begun, bool)[0]
        for what in ("cmdline", "environ"):
            path = Path(f"/proc/{process.pid}/{what}")
            if os.access(path, os.R_OK):
                assert b"s3cret" not in path.read_bytes()
