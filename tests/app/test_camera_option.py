"""What --camera takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion_app.cli.camera import address_of, mounted_at
from companion_app.errors import AppError
from vision.sight import ImageSide

ADDRESSES = [
    ("0", "usb:0"),
    ("12", "usb:12"),
    ("usb:1", "usb:1"),
    ("/dev/video2", "/dev/video2"),
    ("http://192.168.1.20:8080/video", "http://192.168.1.20:8080/video"),
    ("rtsp://user:word@camera/stream", "rtsp://user:word@camera/stream"),
    ("folder:snaps", "folder:snaps"),
]


@pytest.mark.parametrize(("text", "address"), ADDRESSES)
def test_an_address(text: str, address: str) -> None:
    camera = mounted_at(text, "left")
    assert (camera.address, camera.south) == (address, ImageSide.LEFT)


def test_a_folder_is_named_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "snaps").mkdir()
    monkeypatch.chdir(tmp_path)
    assert address_of("snaps") == address_of("./snaps/") == f"folder:{tmp_path / 'snaps'}"


@pytest.mark.parametrize("text", ["", "upload", "nowhere", "ftp://camera/x", "the moon", "usb:", "usb:-1", "-1", "٣"])
def test_what_is_no_camera_is_said_before_anything_is_served(text: str) -> None:
    with pytest.raises(AppError) as error:
        mounted_at(text, "bottom")
    assert error.value.code == "camera_address"
