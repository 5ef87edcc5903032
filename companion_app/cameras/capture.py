"""Cameras that OpenCV opens, each in a process of its own that is ended where it hangs."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import cast

import numpy as np

from companion_app.cameras import capture_process as child
from companion_app.cameras.states import CameraError, Condition
from companion_app.photos import Photo

START_WITHIN_S = 20.0  # a slow computer with much to do loads OpenCV
MARGIN_S = 1.0  # beyond what OpenCV itself should take to open or to read
END_WITHIN_S = 1.0
MOST_LEFT = 3  # processes that could not be ended: a driver hangs in the system itself

COMMAND = [sys.executable, "-P", "-m", child.__name__]

_left: list[subprocess.Popen[bytes]] = []


class Capture:
    """A capture as a source. *kind* and *which* say what to open; *trouble* is raised where that fails."""

    live = True
    lens: float | None = None

    def __init__(self, name: str, kind: str, which: str, trouble: Callable[[], CameraError]) -> None:
        self.name = name
        self._job = {"kind": kind, "which": which}
        self._trouble = trouble
        self._process: _Process | None = None

    def open(self) -> None:
        """See :meth:`Source.open`."""
        _left[:] = [process for process in _left if process.poll() is None]
        if len(_left) >= MOST_LEFT:
            sentence = f"{self.name} hangs and cannot be ended: unplug it, and plug it in again."
            raise CameraError("camera_hangs", sentence, Condition.LOST)
        self._process = _Process(self._job)
        if not self._process.has_said(child.READY, START_WITHIN_S):
            sentence = f"{self.name} could not be opened in time: is this computer very busy?"
            raise CameraError("camera_failed", sentence, Condition.REFUSED)
        if not self._process.has_said(child.OPEN, child.OPEN_WITHIN_S + MARGIN_S):
            raise self._trouble()

    def read(self) -> Photo:
        """See :meth:`Source.read`."""
        assert self._process is not None, "open() comes first"
        picture = self._process.picture(child.READ_WITHIN_S + MARGIN_S)
        if picture is None:
            raise CameraError("camera_silent", f"{self.name} has stopped sending pictures.", Condition.LOST)
        return picture

    def close(self) -> None:
        """See :meth:`Source.close`."""
        if self._process is not None:
            self._process.end()
            self._process = None


class _Process:
    """The process with OpenCV, and the thread that takes what it sends: the newest picture, and what else it said."""

    def __init__(self, job: dict[str, str]) -> None:
        self._popen = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,  # Ctrl-C is for the program: it ends this process too
        )
        self._news = threading.Condition()
        self._said = b""
        self._is_over = False
        self._picture: Photo | None = None
        threading.Thread(target=self._hear, name="pictures", daemon=True).start()
        assert self._popen.stdin is not None
        with suppress(OSError):  # it has ended already: whoever waits for a word hears so
            self._popen.stdin.write(json.dumps(job).encode() + b"\n")
            self._popen.stdin.flush()

    def has_said(self, word: bytes, patience: float) -> bool:
        """Whether it says this within *patience* seconds; ends waiting when it says that it has failed, or ends."""
        with self._news:
            self._news.wait_for(lambda: word in self._said or child.FAILED in self._said or self._is_over, patience)
            return word in self._said

    def picture(self, patience: float) -> Photo | None:
        """The newest picture that was not asked for yet; ``None`` if *patience* seconds bring none."""
        with self._news:
            self._news.wait_for(lambda: self._picture is not None or self._is_over, patience)
            picture, self._picture = self._picture, None
            return picture

    def end(self) -> None:
        """End it: it is asked to, so that it hangs up in good order, then made to. Never waits for long."""
        assert self._popen.stdin is not None
        with suppress(OSError):
            self._popen.stdin.close()
        if not self._has_ended():
            self._popen.kill()
            if not self._has_ended():
                _left.append(self._popen)

    def _has_ended(self) -> bool:
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(END_WITHIN_S)
        return self._popen.returncode is not None

    def _hear(self) -> None:
        with cast(io.BufferedReader, self._popen.stdout) as pipe:
            while (head := _exactly(pipe, child.HEAD.size)) is not None:
                kind, height, width = child.HEAD.unpack(head)
                picture = None
                if kind == child.PICTURE:
                    pixels = _exactly(pipe, height * width * 3)
                    if pixels is None:
                        break
                    picture = np.frombuffer(pixels, np.uint8).reshape(height, width, 3)
                with self._news:
                    self._picture = picture
                    self._said += b"" if kind == child.PICTURE else kind
                    self._news.notify_all()
        with self._news:
            self._is_over = True
            self._news.notify_all()


def _exactly(pipe: io.BufferedReader, size: int) -> bytearray | None:
    """So many bytes; ``None`` where the pipe ends before."""
    data = bytearray(size)
    view = memoryview(data)
    while view:
        count = pipe.readinto(view)
        if not count:
            return None
        view = view[count:]
    return data
