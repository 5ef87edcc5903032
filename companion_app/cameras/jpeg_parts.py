"""The pictures in an MJPEG stream (multipart/x-mixed-replace), found by what separates them.

Pure: bytes go in as they come, whole pictures come out. Cameras announce wrong lengths, or none, and boundaries with
or without their dashes; a picture that was cut off is left out.
"""

from __future__ import annotations

import re

from companion_app.photos import MAX_BYTES

LONGEST_HEAD = 16 * 1024  # bytes, of the head of one part
LONGEST_BOUNDARY = 200

_START, _SCAN, _END = b"\xff\xd8", b"\xff\xda", b"\xff\xd9"
_LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,12})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_HEAD_END = re.compile(rb"\r?\n\r?\n")


def is_whole(data: bytes) -> bool:
    """Whether a JPEG is there to its end: behind its segments, which may hold a thumbnail, come a scan and an end."""
    at = len(_START) if data.startswith(_START) else len(data)
    while data[at : at + 1] == b"\xff":
        if data.startswith(_SCAN, at):
            return data.rfind(_END) > at
        is_fill = data.startswith(b"\xff\xff", at)
        at += 1 if is_fill else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return False


class JpegParts:
    """Takes a stream apart. A part that is longer than a photo may be is no picture, and is not kept."""

    def __init__(self, boundary: str | None) -> None:
        """*boundary* is that of the answer's head; without one, the first line of the stream is it."""
        name = (boundary or "").strip().strip('"').lstrip("-").encode("latin-1", "replace")[:LONGEST_BOUNDARY]
        self._delimiter = b"--" + name if name else b""
        self._buffer = bytearray()
        self._searched = 0  # of the buffer, up to here there is no delimiter
        self._in_part = False  # whether the buffer begins within a part's picture
        self._is_skipping = True  # whether what comes up to the next delimiter is of no use
        self._length: int | None = None

    def feed(self, data: bytes) -> list[bytes]:
        """The whole pictures that end with this *data*; mostly none or one."""
        self._buffer += data
        if not self._delimiter and not self._find_delimiter():
            return []
        pictures = []
        while (step := self._step()) is not None:
            pictures += step
        return pictures

    def _step(self) -> list[bytes] | None:
        """Use up the next delimiter, head or picture; ``None`` where more must come first."""
        if not self._in_part and not self._is_skipping:
            return self._head()
        at = self._buffer.find(self._delimiter, self._searched)
        length = self._length
        if length is not None and not self._is_skipping and (at < 0 or at >= length) and len(self._buffer) >= length:
            self._length = None
            if is_whole(picture := bytes(self._buffer[:length])):
                self._drop(length)
                self._is_skipping = True
                return [picture]
            return []  # a wrong length: the delimiter tells
        if at < 0:
            self._searched = max(0, len(self._buffer) - len(self._delimiter) + 1)
            if self._is_skipping or len(self._buffer) > MAX_BYTES:
                self._drop(self._searched)
                self._is_skipping = True
            return None
        picture = b"" if self._is_skipping else bytes(self._buffer[:at])
        self._drop(at + len(self._delimiter))
        self._in_part = self._is_skipping = False
        return [picture] if is_whole(picture) and len(picture) <= MAX_BYTES else []

    def _head(self) -> list[bytes] | None:
        """Use up the head of a part, which tells at most how long its picture is."""
        end = _HEAD_END.search(self._buffer, 0, LONGEST_HEAD)
        if end is None:
            self._is_skipping = len(self._buffer) >= LONGEST_HEAD
            return [] if self._is_skipping else None
        length = _LENGTH.search(self._buffer, 0, end.end())
        self._length = int(length[1]) if length and int(length[1]) <= MAX_BYTES else None
        self._drop(end.end())
        self._in_part = True
        return []

    def _find_delimiter(self) -> bool:
        """Take the first line that has one for the delimiter."""
        start = self._buffer.find(b"--")
        end = self._buffer.find(b"\n", start)
        if start < 0 or end < 0:
            del self._buffer[:-LONGEST_HEAD]
            return False
        self._delimiter = bytes(self._buffer[start:end]).strip()[:LONGEST_BOUNDARY]
        return True

    def _drop(self, size: int) -> None:
        del self._buffer[:size]
        self._searched = 0
