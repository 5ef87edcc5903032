"""Cameras that answer over HTTP: with a stream of pictures (MJPEG), or with one picture each time they are asked."""

from __future__ import annotations

import http.client
import time

from companion_app.cameras.addresses import NetworkAddress
from companion_app.cameras.http_calls import HttpCaller
from companion_app.cameras.jpeg_parts import JpegParts, is_whole
from companion_app.cameras.states import CameraError
from companion_app.photos import MAX_BYTES, BadPhoto, Photo, decode_photo

FRAMES_PER_SECOND = 12.0  # of a stream, that are unpacked
SNAPSHOTS_PER_SECOND = 5.0
SILENT_AFTER_S = 2.0
WHOLE_WITHIN_S = 10.0  # a picture that comes slowly
CHUNK = 64 * 1024

_JPEG = b"\xff\xd8"


class HttpCamera:
    """The camera at an ``http`` or ``https`` address."""

    live = True
    lens: float | None = None

    def __init__(self, address: NetworkAddress) -> None:
        self.name = f"The camera at {address.place}"
        self._caller = HttpCaller(address, self.name)
        self._response: http.client.HTTPResponse | None = None
        self._parts: JpegParts | None = None
        self._due = 0.0

    def open(self) -> None:
        """See :meth:`Source.open`."""
        self._response = self._caller.ask()
        self._parts = self._parts_of(self._response)

    def read(self) -> Photo:
        """See :meth:`Source.read`; raises BadPhoto for a picture that is whole, but too large or too small."""
        self._caller.allowance.renew(seconds=WHOLE_WITHIN_S, silence_s=SILENT_AFTER_S, size=2 * MAX_BYTES)
        try:
            return self._from_stream(self._parts) if self._parts else self._snapshot()
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise self._caller.broken_off(error) from None

    def close(self) -> None:
        """See :meth:`Source.close`."""
        if self._response is not None:
            self._response.close()
        self._response = self._parts = None

    def _parts_of(self, response: http.client.HTTPResponse) -> JpegParts | None:
        """What takes the answer apart, if it is a stream; raises CameraError where it is no picture either."""
        headers = response.headers
        if headers.get_content_maintype() == "multipart":
            return JpegParts(headers.get_boundary())
        if headers.get_content_maintype() == "image":
            return None
        try:
            start = response.peek(CHUNK).lstrip()[:2]
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise self._caller.broken_off(error) from None
        if headers.get_content_type() in ("text/html", "application/xhtml+xml") or start.startswith(b"<"):
            raise self._caller.page()
        if start == b"--":
            return JpegParts(None)
        if start == _JPEG:
            return None
        raise self._caller.no_picture()

    def _from_stream(self, parts: JpegParts) -> Photo:
        """The next picture that is whole and due; all others are passed over, so that nothing old queues up."""
        assert self._response is not None, "open() comes first"
        while chunk := self._response.read1(CHUNK):
            pictures = parts.feed(chunk)
            if pictures and time.monotonic() >= self._due:
                self._due = time.monotonic() + 1 / FRAMES_PER_SECOND
                photo = self._unpacked(pictures[-1])
                if photo is not None:
                    return photo
        raise ConnectionError("the stream is over")

    def _snapshot(self) -> Photo:
        """The next snapshot; the first is in the answer that :meth:`open` has got."""
        time.sleep(max(0.0, self._due - time.monotonic()))
        self._due = time.monotonic() + 1 / SNAPSHOTS_PER_SECOND
        if self._response is None:
            self._response = self._caller.ask()
            if self._parts_of(self._response):
                raise CameraError("camera_silent", f"{self.name} sends a stream now: it is called again.")
            self._caller.allowance.renew(seconds=WHOLE_WITHIN_S, silence_s=SILENT_AFTER_S, size=2 * MAX_BYTES)
        data = self._response.read(MAX_BYTES + 1)
        self._response.close()
        self._response = None
        photo = self._unpacked(data) if is_whole(data) or not data.startswith(_JPEG) else None
        if photo is None:
            raise self._caller.damaged()
        return photo

    def _unpacked(self, data: bytes) -> Photo | None:
        """The picture; ``None`` where it is damaged."""
        try:
            return decode_photo(data, self.name)
        except BadPhoto as error:
            if error.code in ("photo_too_heavy", "photo_too_large", "photo_too_small"):
                raise
            return None
