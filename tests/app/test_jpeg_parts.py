"""MJPEG taken apart: however cameras write it, in whatever pieces it comes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from camera_servers import jpeg

from companion_app.cameras import jpeg_parts
from companion_app.cameras.jpeg_parts import JpegParts, is_whole

PICTURES = [jpeg(number) for number in range(6)]

Length = Callable[[bytes], int | None]


def stream(
    pictures: list[bytes], length: Length = len, mark: bytes = b"--cut", line: bytes = b"\r\n", gap: bytes = b"\r\n"
) -> bytes:
    """The pictures as parts, whose heads announce this length."""
    parts = b""
    for picture in pictures:
        said = length(picture)
        head = [
            mark,
            b"Content-Type: image/jpeg",
            *([] if said is None else [b"Content-Length: %d" % said]),
            b"",
            b"",
        ]
        parts += line.join(head) + picture + gap
    return parts + mark + b"--\r\n"


# How cameras write it, and the boundary that they announce.
WRITTEN = {
    "as it should be": (stream(PICTURES), "cut"),
    "a boundary with its dashes": (stream(PICTURES), "--cut"),
    "a boundary in quotes": (stream(PICTURES), '"cut"'),
    "no boundary announced": (stream(PICTURES), None),
    "no length": (stream(PICTURES, lambda _: None), "cut"),
    "lengths too short": (stream(PICTURES, lambda picture: len(picture) // 2), "cut"),
    "lengths too long": (stream(PICTURES, lambda picture: len(picture) + 500), "cut"),
    "lengths of gigabytes": (stream(PICTURES, lambda _: 10**10), "cut"),
    "lengths of nothing": (stream(PICTURES, lambda _: 0), "cut"),
    "nothing between picture and boundary": (stream(PICTURES, lambda _: None, gap=b""), "cut"),
    "plain line ends": (stream(PICTURES, line=b"\n", gap=b"\n"), "cut"),
    "zeros behind each picture": (stream(PICTURES, lambda _: None, gap=bytes(100)), "cut"),
}


def taken_apart(data: bytes, boundary: str | None, most: int) -> list[bytes]:
    """The pictures, where up to *most* bytes come at a time."""
    parts, random, pictures, at = JpegParts(boundary), Random(most), [], 0
    while at < len(data):
        size = random.randint(1, most)
        pictures += parts.feed(data[at : at + size])
        at += size
    return pictures


@pytest.mark.parametrize("most", [1, 50, 5000, 10**6])
@pytest.mark.parametrize("how", WRITTEN)
def test_all_pictures_are_found(how: str, most: int) -> None:
    data, boundary = WRITTEN[how]
    found = taken_apart(data, boundary, most)
    assert [picture.rstrip(b"\r\n\0") for picture in found] == PICTURES


@pytest.mark.parametrize("most", [50, 10**6])
@pytest.mark.parametrize("length", [len, lambda _: None, lambda picture: 2 * len(picture)])
def test_pictures_cut_in_half_are_left_out_and_spoil_no_other(length: Length, most: int) -> None:
    cut = [picture[: len(picture) // 2] if number % 2 else picture for number, picture in enumerate(PICTURES)]
    found = taken_apart(stream(cut, length), "cut", most)
    assert [picture.rstrip(b"\r\n") for picture in found] == PICTURES[::2]


def test_a_picture_with_its_length_is_there_before_the_next_boundary() -> None:
    data = stream(PICTURES[:1])
    assert JpegParts("cut").feed(data[: data.rindex(b"\r\n--cut")]) == PICTURES[:1]


def test_a_thumbnail_is_not_the_end_of_its_picture() -> None:
    thumbnail, picture = jpeg(1), jpeg(2)
    exif = b"\xff\xe1" + (len(thumbnail) + 2).to_bytes(2, "big") + thumbnail
    whole = picture[:2] + exif + picture[2:]
    assert is_whole(whole)
    assert not is_whole(whole[:-2])
    assert not is_whole(whole[: len(exif) + 200])


@pytest.mark.parametrize("data", [b"", b"\xff\xd8", b"\xff\xd8\xff\xd9", b"?" * 500, b"\xff\xda\xff\xd9"])
def test_what_is_no_picture_is_not_whole(data: bytes) -> None:
    assert not is_whole(data)


def test_what_never_ends_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jpeg_parts, "MAX_BYTES", 100_000)
    for endless in (
        b"--cut\r\n\r\n\xff\xd8",
        b"--cut\r\nX: ",
        b"--c",
        b"",
        b"--cut\r\nContent-Length: 99000\r\n\r\n",
    ):
        parts = JpegParts("cut")
        assert parts.feed(endless) == []
        for _ in range(100):
            assert parts.feed(b"x" * 10_000) == []
        assert len(parts._buffer) <= 110_000
        found = parts.feed(b"\r\n" + stream(PICTURES))
        assert [picture.rstrip(b"\r\n") for picture in found] == PICTURES
