"""The program ends with a camera open, whatever the camera is doing: with its exit status, and without a word."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from camera_fakes import eventually
from camera_servers import Answer, answering, jpeg

from companion_app.session import GameLog, GameSession, Terms
from companion_app.session.ruling import by_inference
from rules import Seat, settlers
from rules.records import GameKind

MULTIPART = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=cut\r\n\r\n"
ALWAYS_IN_OPENCV = """
import numpy as np, cv2
from itertools import count
from companion_app.cameras import Camera
from companion_app.cameras.given import GivenPictures
numbers, noise = count(), np.random.default_rng(0).integers(0, 255, (300, 400, 3)).astype(np.uint8)
def open_cameras():
    pictures = lambda: cv2.GaussianBlur(np.roll(noise, next(numbers)), (0, 0), 3)
    cameras = [Camera(GivenPictures(pictures, 10_000)) for _ in range(3)]
    assert all(camera.wait(0, 20) for camera in cameras)
    return cameras
"""


def streaming(connection: socket.socket, _request: str) -> None:
    connection.sendall(MULTIPART)
    for number in count():
        picture = jpeg(number)
        connection.sendall(b"--cut\r\nContent-Length: %d\r\n\r\n" % len(picture) + picture + b"\r\n")
        time.sleep(0.03)


def stalled(connection: socket.socket, _request: str) -> None:
    picture = jpeg(1)
    connection.sendall(MULTIPART + b"--cut\r\nContent-Length: %d\r\n\r\n" % len(picture) + picture)
    connection.recv(1)


def silent(connection: socket.socket, _request: str) -> None:
    connection.recv(1)


def interrupted(program: subprocess.Popen[str]) -> None:
    program.send_signal(signal.SIGINT)


def interrupted_twice(program: subprocess.Popen[str]) -> None:
    interrupted(program)
    time.sleep(0.3)
    if program.poll() is None:
        interrupted(program)


def program_that_looks(data: Path, address: str) -> subprocess.Popen[str]:
    """``pyramids serve`` on a game that goes on, with a camera at this address."""
    GameSession.begin(
        GameLog(data), Terms(GameKind.SETTLERS, (Seat.SOUTH, Seat.NORTH), settlers.Options()), by_inference
    )
    program = subprocess.Popen(
        [sys.executable, "-u", "-c", "from companion_app.cli import main; main()", "serve", "--camera", address],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYRAMIDS_DATA": str(data)},
    )
    assert program.stdout
    assert "http://" in program.stdout.readline()
    return program


@pytest.mark.parametrize(
    ("scheme", "answer", "end"),
    [
        ("http", streaming, interrupted),
        ("http", stalled, interrupted),
        ("http", silent, interrupted_twice),
        ("rtsp", silent, interrupted),
    ],
)
def test_the_program_ends_with_its_camera_open(
    tmp_path: Path, scheme: str, answer: Answer, end: Callable[[subprocess.Popen[str]], None]
) -> None:
    with answering(answer) as server:
        program = program_that_looks(tmp_path, server.address(scheme=scheme))
        eventually(lambda: server.requests, bool)
        time.sleep(0.5)
        end(program)
        _, complaints = program.communicate(timeout=30)
    assert program.returncode in ((0,) if end is interrupted else (0, 130, -signal.SIGINT))
    assert complaints == ""


def test_a_script_that_ends_with_cameras_open_is_not_aborted() -> None:
    """Python stops a daemon thread as it comes back from OpenCV, by which the whole process would be aborted."""
    script = ALWAYS_IN_OPENCV + "cameras = open_cameras()"
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_whoever_interrupts_the_end_of_the_program_is_not_told_of_an_abort() -> None:
    script = ALWAYS_IN_OPENCV + (
        "from companion_app.cameras import camera\n"
        "camera.JOIN_WITHIN_S = 0\n"
        "from companion_app.cli.serve import _left_at_once\n"
        "with _left_at_once():\n"
        "    cameras = open_cameras()\n"
        "    raise KeyboardInterrupt\n"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, "")
