"""What spoils the zip of a game: pictures that are none, other members, odd headers, and bytes changed anywhere."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable
from random import Random
from typing import Final

Spoil = Callable[[Random, bytes], bytes]
Members = list[tuple[str, bytes]]

METHODS: Final = (
    zipfile.ZIP_STORED,
    zipfile.ZIP_DEFLATED,
    zipfile.ZIP_DEFLATED,
    zipfile.ZIP_BZIP2,
    zipfile.ZIP_LZMA,
)

# Bytes


def flipped(random: Random, data: bytes) -> bytes:
    spoiled = bytearray(data)
    for _ in range(random.choice((1, 1, 3, 20))):
        if spoiled:
            spoiled[random.randrange(len(spoiled))] = random.randrange(256)
    return bytes(spoiled)


def cut(random: Random, data: bytes) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def hole(random: Random, data: bytes) -> bytes:
    start = random.randrange(len(data) + 1)
    return data[:start] + random.randbytes(random.choice((0, 0, 7, 500))) + data[start + random.randrange(300) :]


# Photos: what is called a JPEG


def _bmp_of(side: int) -> bytes:
    """A bitmap of *side* × *side* pixels, all black."""
    row = (side * 3 + 3) // 4 * 4
    header = b"BM" + struct.pack("<IHHI", 54 + row * side, 0, 0, 54)
    return header + struct.pack("<IiiHHIIiiII", 40, side, side, 1, 24, 0, row * side, 0, 0, 0, 0) + bytes(row * side)


def _png_of(side: int) -> bytes:
    """A PNG that says it has *side* × *side* pixels, and has hardly any."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(bytes(999))) + chunk(b"IEND", b"")


PHOTO_SPOILS: Final[tuple[Spoil, ...]] = (
    lambda _random, _photo: b"",
    lambda random, _photo: random.randbytes(random.randrange(1, 3000)),
    lambda random, photo: photo[: random.randrange(len(photo))],
    flipped,
    flipped,
    lambda random, photo: photo[:2] + flipped(random, photo[2:200]) + photo[200:],
    lambda _random, _photo: b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    lambda random, _photo: b"\0\0\0\x18ftypheic" + random.randbytes(99),
    lambda random, _photo: _bmp_of(random.choice((9, 300, 2900, 2960))),
    lambda random, _photo: _png_of(random.choice((9, 300, 8000, 30_000))),
    lambda random, photo: photo + bytes(random.choice((1, 3_000_000, 26_000_000))),
)


# Members and headers


def packed(members: Members, method: int) -> bytes:
    target = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(target, "w", method) as archive:
        warnings.simplefilter("ignore")  # of names that come twice
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content, method)  # dated 1980: the same seed gives the same bytes
    return target.getvalue()


def _members_too_many(random: Random, members: Members) -> None:
    members += [(f"x{number}", b"") for number in range(random.choice((10, 6000)))]


def _photo_again(random: Random, members: Members) -> None:
    members.append((random.choice(members)[0], random.choice(members)[1]))


def _member_lost(random: Random, members: Members) -> None:
    del members[random.randrange(len(members))]


def _member_renamed(random: Random, members: Members) -> None:
    number = random.randrange(len(members))
    names = ("../game.json", "/game.json", "GAME.JSON", "game.json/", "photos/", "ä" * 300, "game.json\0.txt")
    members[number] = (random.choice(names), members[number][1])


def _json_replaced(random: Random, members: Members) -> None:
    others = (b"{" + b" " * 5_000_000, packed(members, zipfile.ZIP_DEFLATED), bytes(99), b"[]", b"\xef\xbb\xbf")
    members[1] = ("game.json", random.choice((*others, b"\xef\xbb\xbf" + members[1][1])))


MEMBER_SPOILS: Final[tuple[Callable[[Random, Members], object], ...]] = (
    lambda _random, _members: None,  # another way of packing is enough
    lambda random, members: random.shuffle(members),
    _members_too_many,
    _photo_again,
    _member_lost,
    _member_renamed,
    _json_replaced,
)
_LIST, _LOCAL, _END = b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06"
# Where a line of the list keeps what, and in how many bytes: flags, method, checksum, sizes, lengths, offset
_FIELDS: Final = ((8, 2), (10, 2), (16, 4), (20, 4), (24, 4), (28, 2), (30, 2), (32, 2), (34, 2), (42, 4))
_LOCAL_FIELDS: Final = ((6, 2), (8, 2), (14, 4), (18, 4), (22, 4), (26, 2), (28, 2))
_END_FIELDS: Final = ((4, 2), (8, 2), (10, 2), (12, 4), (16, 4), (20, 2))


def _poked(sign: bytes, fields: tuple[tuple[int, int], ...]) -> Spoil:
    """Another number in a header that begins with *sign*."""

    def poke(random: Random, data: bytes) -> bytes:
        starts = [at for at in range(len(data)) if data.startswith(sign, at)] if len(data) < 200_000 else []
        if not starts:
            return data
        place, width = random.choice(fields)
        start = random.choice(starts) + place
        odd = (0, 1, 8, 9, 12, 14, 95, 97, 99, 0x800, 0x8000, 0xFFFF, 1 << 24, 0x7FFFFFFF, 0xFFFFFFFF, len(data))
        number = random.choice((*odd, random.randrange(1 << 32))) % (1 << 8 * width)
        return data[:start] + number.to_bytes(width, "little") + data[start + width :]

    return poke


def _encrypted(random: Random, data: bytes) -> bytes:
    flag = random.choice((1, 0x41, 0x20, 0x2000))
    for sign, place in ((_LOCAL, 6), (_LIST, 8)):
        start = data.find(sign) + place
        data = data[:start] + flag.to_bytes(2, "little") + data[start + 2 :]
    return data


def _name_of_no_language(random: Random, data: bytes) -> bytes:
    """A name that is said to be UTF-8 and is not."""
    start = data.rfind(_LIST)
    data = data[: start + 8] + b"\0\x08" + data[start + 10 :]
    return data[: start + 46] + random.choice((b"\xff\xfe", b"\xed\xa0\x80", b"\xc3\x28")) + data[start + 48 :]


def _larger_zip(random: Random, data: bytes) -> bytes:
    """The record and the locator of a zip64 before its end, with odd numbers in them."""
    numbers = [random.choice((0, 1, len(data), 2**32, 2**63, 2**64 - 1)) for _ in range(5)]
    record = b"PK\x06\x06" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, *numbers[:4])
    locator = b"PK\x06\x07" + struct.pack("<IQI", 0, random.choice((numbers[4], data.rfind(_END))), 1)
    end = data.rfind(_END)
    return data[:end] + record + locator + data[end : end + 8] + b"\xff" * 12 + data[end + 20 :]


HEADER_SPOILS: Final[tuple[Spoil, ...]] = (
    _poked(_LIST, _FIELDS),
    _poked(_LIST, _FIELDS),
    _poked(_LOCAL, _LOCAL_FIELDS),
    _poked(_END, _END_FIELDS),
    _poked(_LIST, ((10, 2),)),  # the method alone
    _encrypted,
    _name_of_no_language,
    _larger_zip,
)


BYTE_SPOILS: Final[tuple[Spoil, ...]] = (flipped, flipped, cut, hole, lambda _random, data: data + data)
