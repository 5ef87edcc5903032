"""Where pictures come from, and how a source is named.

An address may make this machine open devices, folders and connections: it is taken from the command line, or from
somebody who sits at this machine, never from the network.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from companion_app.cameras.addresses import network_address, shown, with_scheme
from companion_app.cameras.states import CameraError, Condition
from companion_app.photos import Photo
from rules.errors import quoted


class Source(Protocol):
    """Gives one picture after the other. One thread calls open, read and close, in this order, again and again.

    Attributes:
        name: what it is called in a sentence, without passwords: "The camera usb:0".
        live: whether pictures flow by themselves; otherwise each is a photo that somebody took on purpose.
        lens: the focal length of the newest picture as a share of its diagonal, where that tells it.
    """

    name: str
    live: bool
    lens: float | None

    def open(self) -> None:
        """Connects, within some seconds; raises CameraError."""

    def read(self) -> Photo | None:
        """The next picture, a new array each time; raises CameraError if a live source has none in time.

        A source that is not live answers ``None`` after a while without a new photo, and raises BadPhoto for one
        that cannot be opened, once.
        """

    def close(self) -> None:
        """Lets go; never raises, and may be called when nothing is open."""


def source_at(address: str, table: Callable[[], Photo] | None = None) -> Source:
    """The source at an address, not opened yet.

    Args:
        address: ``usb:0`` or ``/dev/video0``; ``http://…`` or ``https://…`` (MJPEG, or a snapshot that is asked for
            again and again), ``rtsp://…`` or ``rtsps://…``; without its scheme an address in the network is
            ``http://``; ``folder:PATH`` (the newest photo in it); ``upload`` (photos handed over by the page);
            ``virtual`` (what *table* gives). Capitals count as small letters, except in paths.

    Raises CameraError, code ``camera_address``, for anything else.
    """
    address = address.strip()
    kind, _, rest = address.partition(":")
    if address.lower() == "upload":
        from companion_app.cameras.uploads import Uploads

        return Uploads()
    if address.lower() == "virtual" and table is not None:
        from companion_app.cameras.given import GivenPictures

        return GivenPictures(table)
    if kind.lower() == "folder" and rest:
        from companion_app.cameras.folder import PhotoFolder

        with suppress(RuntimeError):  # ~somebody, whom this computer does not know: then it is the name of a folder
            return PhotoFolder(Path(rest).expanduser())
        return PhotoFolder(Path(rest))
    if (kind.lower() == "usb" and rest) or address.startswith("/dev/"):
        from companion_app.cameras.usb import UsbCamera

        return UsbCamera(rest if kind.lower() == "usb" else address)
    in_network = with_scheme(address)
    if in_network:
        return _network_source(in_network)
    raise CameraError(
        "camera_address",
        f"{quoted(shown(address), longest=80)} is no camera: write usb:0, the http:// or rtsp:// address of a "
        "network camera, folder:PATH, or upload.",
        Condition.REFUSED,
    )


def _network_source(text: str) -> Source:
    address = network_address(text)
    if address.scheme.startswith("rtsp"):
        from companion_app.cameras.rtsp_camera import RtspCamera

        return RtspCamera(address, text)
    from companion_app.cameras.http_camera import HttpCamera

    return HttpCamera(address)
