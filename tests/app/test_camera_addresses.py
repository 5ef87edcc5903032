"""Addresses of cameras as people write them, and that their passwords stay where they are."""

from __future__ import annotations

import pytest

from companion_app.cameras import CameraError, source_at
from companion_app.cameras.addresses import network_address, with_scheme
from companion_app.cli.camera import address_of, mounted_at
from companion_app.errors import AppError

UNDERSTOOD = {
    "192.168.1.7:8080/video": "http://192.168.1.7:8080/video",
    "192.168.1.7": "http://192.168.1.7",
    "192.168.1.7/shot.jpg?size=2": "http://192.168.1.7/shot.jpg?size=2",
    "phone:8080": "http://phone:8080",
    "Phone.local/Video": "http://Phone.local/Video",
    "[fe80::1]:8080/video": "http://[fe80::1]:8080/video",
    "anna:secret@192.168.1.7/video": "http://anna:secret@192.168.1.7/video",
    "HTTP://192.168.1.7:8080/Video": "http://192.168.1.7:8080/Video",
    "Https://Phone/": "https://Phone/",
    "RTSP://camera/Live": "rtsp://camera/Live",
    "  http://phone/video ": "http://phone/video",
}

NO_NETWORK = (
    "", "snaps", "video.mp4", "photos/today", "./snaps", "../a.b/c", "~/a.b/c", "usb:0", "USB:12", "folder:a",
    "file:///etc/passwd", "ftp://host/video", "concat:a|b", "the moon", "three words.x/y", "http:/192.168.1.7",
)  # fmt: skip

CAPITALS = {"USB:0": "The camera usb:0", "Folder:Snaps": "The folder Snaps", "UPLOAD": "The slot for uploads"}

SECRETS = (
    "http://anna:s3cret@phone:99999/",
    "http://anna:s3cret@/video",
    "htp://anna:s3cret@phone/video",
    "http//anna:s3cret@phone/video",
    "http://anna:s3/cret@phone/video",
    "anna:s3cret@phone",
)


@pytest.mark.parametrize("text", UNDERSTOOD)
def test_an_address_without_scheme_or_in_capitals_is_understood(text: str) -> None:
    assert with_scheme(text) == UNDERSTOOD[text]
    assert address_of(text) == UNDERSTOOD[text]
    source_at(text)


@pytest.mark.parametrize("text", NO_NETWORK)
def test_what_is_rather_a_file_or_a_device_is_no_address_in_the_network(text: str) -> None:
    assert with_scheme(text) is None


@pytest.mark.parametrize("text", CAPITALS)
def test_the_other_kinds_are_understood_in_capitals(text: str) -> None:
    assert source_at(text).name == CAPITALS[text]


@pytest.mark.parametrize(
    "text", ["http://a..b/", "http://" + "a" * 64 + ".b/", "http://a:0/", "http://a b/", "http://[/"]
)
def test_a_host_that_no_network_could_have_is_refused(text: str) -> None:
    with pytest.raises(CameraError) as caught:
        source_at(text)
    assert caught.value.code == "camera_address"


@pytest.mark.parametrize("text", SECRETS)
def test_a_password_is_not_repeated_in_a_refusal(text: str) -> None:
    for refuse in (source_at, lambda text: mounted_at(text, "bottom")):
        with pytest.raises(AppError) as caught:
            refuse(text)
        assert "cret" not in caught.value.sentence
        assert "anna" not in caught.value.sentence


def test_a_password_is_in_no_name_and_in_nothing_that_is_printed() -> None:
    text = "http://anna:s%40cret@phone/video"
    address = network_address(text)
    assert (address.user, address.password, address.bare) == ("anna", "s@cret", "http://phone/video")
    for printed in (repr(address), source_at(text).name, repr(mounted_at(text, "bottom"))):
        assert "cret" not in printed
        assert "anna" not in printed


def test_a_target_is_fit_for_a_request_line() -> None:
    assert network_address("http://phone/my video/ä?a=b c").target == "/my%20video/%C3%A4?a=b%20c"
    assert network_address("http://phone").target == "/"
