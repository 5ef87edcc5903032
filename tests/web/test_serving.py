"""The server itself: where it listens, and what it answers to those who send too much."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion_app.errors import AppError
from companion_app.web import create_app, listen, run
from companion_app.web.serving import THREADS

SERVER = "from companion_app.web import create_app, run; run(create_app(), ready=lambda url: print(url, flush=True))"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server as a program of its own, and its address."""
    environment = os.environ | {"PYRAMIDS_DATA": str(tmp_path)}
    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as program:
        assert program.stdout is not None
        yield program, program.stdout.readline().strip()
        program.kill()


def test_it_listens_on_this_computer_only_at_a_free_port() -> None:
    one, other = listen(), listen()
    with one, other:
        assert one.getsockname()[0] == "127.0.0.1"
        assert one.getsockname()[1] != other.getsockname()[1]


def test_a_taken_port_is_refused_in_one_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(AppError, match="choose another port") as error:
            listen(port=taken.getsockname()[1])
    assert error.value.code == "port_taken"


@pytest.mark.parametrize("megabytes", [21, 60])
def test_too_large_an_upload_is_answered_and_the_server_lives_on(
    server: tuple[subprocess.Popen[str], str], megabytes: int
) -> None:
    _, address = server
    kind = {"Content-Type": "multipart/form-data; boundary=x", "Accept": "application/json"}
    request = urllib.request.Request(address + "readings", bytes(megabytes << 20), kind)
    with pytest.raises(urllib.error.HTTPError) as error:
        urllib.request.urlopen(request, timeout=30)
    assert error.value.code == 413
    assert json.load(error.value)["error"] == "photo_too_heavy"
    with urllib.request.urlopen(address + "health", timeout=10) as answer:
        assert json.load(answer) == {"ok": True}


def test_an_interrupt_before_the_first_request_ends_it_quietly(tmp_path: Path) -> None:
    interrupted = []

    def ready(address: str) -> None:
        interrupted.append(address)
        signal.raise_signal(signal.SIGINT)

    run(create_app({"DATA": tmp_path}), ready=ready)
    assert len(interrupted) == 1


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_when_it_is_told_to(server: tuple[subprocess.Popen[str], str], ending: signal.Signals) -> None:
    program, _ = server
    program.send_signal(ending)
    _, complaints = program.communicate(timeout=20)
    assert "Traceback" not in complaints


def test_it_ends_quietly_while_more_is_asked_than_it_has_threads_for(tmp_path: Path) -> None:
    slow = "import time\nfrom companion_app.web import create_app, run\napp = create_app()\n"
    slow += "app.add_url_rule('/slow', view_func=lambda: time.sleep(2) or '')\n"
    slow += "run(app, ready=lambda url: print(url, flush=True))"
    with subprocess.Popen(
        [sys.executable, "-c", slow],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYRAMIDS_DATA": str(tmp_path)},
    ) as program:
        assert program.stdout
        host, port = program.stdout.readline().strip().removeprefix("http://").rstrip("/").split(":")
        askers = [socket.create_connection((host, int(port))) for _ in range(THREADS + 4)]
        for asker in askers:
            asker.sendall(f"GET /slow HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        time.sleep(1)
        program.send_signal(signal.SIGINT)
        _, complaints = program.communicate(timeout=20)
        for asker in askers:
            asker.close()
    assert (program.returncode, complaints) == (0, "")
