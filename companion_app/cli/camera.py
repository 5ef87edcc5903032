"""``--camera``: the camera over the table, named by whoever starts the program and by nobody in the network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion_app.bounded_files import is_folder
from companion_app.cli.options import SIDES
from companion_app.errors import AppError

if TYPE_CHECKING:
    from companion_app.web.overhead import Mounted

VIRTUAL = "virtual"

camera_option = click.option(
    "--camera",
    metavar="CAMERA",
    help="The camera over the table: 0 for the first one that is plugged in, the http:// (MJPEG, or a snapshot) or "
    "rtsp:// address of a network camera, a folder that photos come into, or virtual.",
)
camera_south_option = click.option(
    "--south",
    type=click.Choice(SIDES),
    default="bottom",
    show_default=True,
    help="With --camera: the side of its pictures that South sits at.",
)


def mounted_at(text: str, south: str) -> Mounted:
    """The camera that *text* names; ``AppError`` where it names none."""
    from companion_app.cameras import source_at
    from companion_app.web.overhead import Mounted
    from vision.sight import ImageSide

    camera = Mounted(address_of(text), ImageSide(south))
    source_at(camera.address)
    return camera


def address_of(text: str) -> str:
    """The address that cameras are opened by.

    >>> address_of("0"), address_of("rtsp://192.168.1.9/live"), address_of("192.168.1.7:8080/video")
    ('usb:0', 'rtsp://192.168.1.9/live', 'http://192.168.1.7:8080/video')
    """
    if text.isascii() and text.isdecimal():
        return f"usb:{text}"
    if text and is_folder(folder := _at_home(text)):
        return f"folder:{folder.resolve()}"
    from companion_app.cameras.addresses import shown, with_scheme

    in_network = with_scheme(text)
    if in_network:
        return in_network
    if text.lower() == "upload" or (":" not in text and not text.startswith("/dev/")):
        raise AppError(
            "camera_address",
            f"“{shown(text)}” is no camera: write 0, 1 or /dev/video0, the http:// or rtsp:// address of a network "
            "camera, the path of a folder that photos come into, or virtual.",
        )
    return text


def _at_home(text: str) -> Path:
    """The path, with ``~`` as the user's folder where there is one."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)
