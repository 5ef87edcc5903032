"""Ways to damage a photo: its bytes, its length, the pieces that its format is made of, and its EXIF."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from random import Random

from PIL import ExifTags

Damage = Callable[[bytes, Sequence[bytes], Random], bytes]
"""Damages a photo; the others lend parts of theirs."""

EXTREMES = (0, 1, 2, 3, 7, 8, 12, 127, 128, 255, 256, 32_767, 32_768, 65_535, 65_536, 2**31 - 1, 2**31, 2**32 - 1)


def damaged(data: bytes, others: Sequence[bytes], dice: Random) -> tuple[str, bytes]:
    """How a photo was damaged, and what came of it; one to three ways, one after the other."""
    names = []
    for _time in range(dice.choice((1, 1, 1, 2, 3))):
        names.append(dice.choice([name for name in DAMAGES if _fits(name, data)]))
        data = DAMAGES[names[-1]](data, others, dice) or data[:1]
    return " + ".join(names), data


def _fits(name: str, data: bytes) -> bool:
    kind = name.partition(": ")[0]
    begins: Mapping[str, bytes] = {"jpeg": b"\xff\xd8", "png": b"\x89PNG", "riff": b"RIFF", "bmp": b"BM"}
    return _exif_at(data) is not None if kind == "exif" else data.startswith(begins.get(kind, b""))


# Bytes


def _flip(data: bytes, _: Sequence[bytes], dice: Random) -> bytes:
    found = bytearray(data)
    for _number in range(dice.choice((1, 1, 2, 5, 20))):
        found[dice.randrange(_region(data, dice))] ^= 1 << dice.randrange(8)
    return bytes(found)


def _overwrite(data: bytes, _: Sequence[bytes], dice: Random) -> bytes:
    at = dice.randrange(_region(data, dice))
    noise = dice.choice((dice.randbytes(dice.randint(1, 16)), bytes(8), b"\xff" * 8))
    return data[:at] + noise + data[at + len(noise) :]


def _cut_off(data: bytes, _: Sequence[bytes], dice: Random) -> bytes:
    return data[: dice.randrange(1, len(data))]


def _cut_out(data: bytes, _: Sequence[bytes], dice: Random) -> bytes:
    begin = dice.randrange(_region(data, dice))
    return data[:begin] + data[begin + dice.choice((1, 2, 4, 100, 5000)) :]


def _repeat(data: bytes, _: Sequence[bytes], dice: Random) -> bytes:
    begin, length = dice.randrange(_region(data, dice)), dice.choice((1, 4, 100, 5000))
    return data[: begin + length] + data[begin:]


def _splice(data: bytes, others: Sequence[bytes], dice: Random) -> bytes:
    other = dice.choice(others)
    return data[: dice.randrange(len(data))] + other[dice.randrange(len(other)) :]


def _region(data: bytes, dice: Random) -> int:
    """How far in: half the time the beginning, where all that describes the picture is."""
    return max(1, min(len(data), dice.choice((64, 1500, len(data), len(data)))))


# EXIF


def _exif_at(data: bytes) -> int | None:
    """Where the first block of EXIF begins."""
    found = [at for order in (b"II*\x00", b"MM\x00*") if (at := data.find(order)) >= 0]
    return min(found, default=None)


def _exif_entry(data: bytes, _: Sequence[bytes], dice: Random) -> bytes:
    """Another tag, type, count or value in a directory, or another offset of the next one, such as its own."""
    begin = _exif_at(data)
    assert begin is not None
    order = "<" if data[begin : begin + 2] == b"II" else ">"
    found = bytearray(data)
    directories = _directories(data, begin, order)
    if not directories:
        return _flip(data, (), dice)
    at, count = dice.choice(directories)
    inside = [one - begin for one, _count in directories]
    offset = dice.choice((*inside, *EXTREMES, at - begin + 2))
    entry = at + 2 + 12 * dice.randrange(max(1, count))
    place, form, value = dice.choice(
        (
            (entry, "H", dice.choice((0x0112, 0x8769, 0x8825, 0xA005, 0x927C, dice.randrange(65_536)))),
            (entry + 2, "H", dice.choice((*range(20), dice.randrange(65_536)))),
            (entry + 4, "I", dice.choice(EXTREMES)),
            (entry + 8, "I", offset),
            (at, "H", dice.choice((0, 1, 255, 65_535))),
            (at + 2 + 12 * count, "I", offset),
            (begin + 4, "I", offset),
        )
    )
    if place + struct.calcsize(form) <= len(found):
        struct.pack_into(order + form, found, place, value)
    return _checked(bytes(found))


def _directories(data: bytes, begin: int, order: str) -> list[tuple[int, int]]:
    """Where each directory begins, and how many entries it has: the first, and those it leads to."""
    found: list[tuple[int, int]] = []
    waiting = [begin + struct.unpack_from(order + "I", data, begin + 4)[0]] if begin + 8 <= len(data) else []
    while waiting and len(found) < 4:
        at = waiting.pop()
        if at + 2 > len(data):
            continue
        (count,) = struct.unpack_from(order + "H", data, at)
        found.append((at, min(count, 50)))
        for entry in range(at + 2, min(at + 2 + 12 * min(count, 50), len(data) - 11), 12):
            tag, _kind, _values, value = struct.unpack_from(order + "HHII", data, entry)
            if tag in (ExifTags.IFD.Exif, ExifTags.IFD.GPSInfo):
                waiting.append(begin + value)
    return found


# The pieces of a format


def _jpeg_segments(data: bytes, others: Sequence[bytes], dice: Random) -> bytes:
    """Segments of which one has another length, marker or content, goes, comes twice, or comes from elsewhere."""
    pieces, at = [], 2
    while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] != 0xDA:
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4])
        pieces.append(data[at:end])
        at = end
    if not pieces:
        return _flip(data, others, dice)
    which = dice.randrange(len(pieces))
    piece = pieces[which]
    marker, length, content = piece[:2], piece[2:4], piece[4:]
    another = bytes((0xFF, dice.choice((0xC0, 0xC2, 0xC4, 0xDB, 0xDD, 0xE0, 0xE1, 0xE2, 0xED, 0xEE, 0xFE))))
    changed = dice.choice(
        (
            [marker + (dice.choice(EXTREMES) & 0xFFFF).to_bytes(2) + content],
            [another + length + content],
            [marker + length + _mangled(content, dice)],
            [marker + (len(short := content[: dice.randrange(len(content) + 1)]) + 2).to_bytes(2) + short],
            [],
            [piece, piece],
        )
    )
    pieces[which : which + 1] = changed
    if dice.random() < 0.2:
        dice.shuffle(pieces)
    return data[:2] + b"".join(pieces) + data[at:]


def _png_chunks(data: bytes, others: Sequence[bytes], dice: Random) -> bytes:
    """Chunks of which one has another length, name or content, mostly with the right sum of checks."""
    pieces = _chunks(data)
    if not pieces:
        return _flip(data, others, dice)
    which = dice.randrange(len(pieces))
    name, content = pieces[which]
    names = (
        b"IHDR",
        b"PLTE",
        b"tRNS",
        b"IDAT",
        b"IEND",
        b"iCCP",
        b"zTXt",
        b"iTXt",
        b"tEXt",
        b"eXIf",
        b"acTL",
        b"fcTL",
    )
    bomb = (b"zTXt", b"Comment\x00\x00" + zlib.compress(bytes(3_000_000), 9))
    pieces[which : which + 1] = dice.choice(
        (
            [(name, _mangled(content, dice))],
            [(name, content[: dice.randrange(len(content) + 1)])],
            [(dice.choice(names), content)],
            [],
            [(name, content), (name, content)],
            [(name, content), bomb],
        )
    )
    if dice.random() < 0.1:
        dice.shuffle(pieces)
    written = [_chunk(*piece) for piece in pieces]
    if written and dice.random() < 0.2:
        where = dice.randrange(len(written))
        written[where] = struct.pack(">I", dice.choice(EXTREMES)) + written[where][4:]
    return data[:8] + b"".join(written)


def _riff_chunks(data: bytes, others: Sequence[bytes], dice: Random) -> bytes:
    """Chunks of which one has another size, name or content, goes, or comes twice."""
    pieces, at = [], 12
    while at + 8 <= len(data):
        end = at + 8 + (int.from_bytes(data[at + 4 : at + 8], "little") + 1 & ~1)
        pieces.append(data[at:end])
        at = end
    if not pieces:
        return _flip(data, others, dice)
    which = dice.randrange(len(pieces))
    piece = pieces[which]
    size = dice.choice((*EXTREMES, len(piece) - 9, len(piece) - 7)).to_bytes(4, "little", signed=False)
    name = dice.choice((b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"EXIF", b"ICCP", b"XMP "))
    pieces[which : which + 1] = dice.choice(
        (
            [piece[:4] + size + piece[8:]],
            [name + piece[4:]],
            [piece[:8] + _mangled(piece[8:], dice)],
            [],
            [piece, piece],
        )
    )
    body = b"".join(pieces)
    whole = dice.choice((len(body) + 4,) * 4 + (dice.choice(EXTREMES),))
    return data[:4] + whole.to_bytes(4, "little") + data[8:12] + body


def _bmp_header(data: bytes, _: Sequence[bytes], dice: Random) -> bytes:
    """Another number in the header: sizes, planes, bits, the way of packing, the palette."""
    found = bytearray(data)
    at = dice.choice((2, 10, 14, 18, 22, 26, 28, 30, 34, 46, 50))
    value = dice.choice((*EXTREMES, *range(1, 33), -dice.randrange(1, 500) % 2**32))
    if at + 4 <= len(found):
        struct.pack_into("<I", found, at, value)
    return bytes(found)


def _mangled(content: bytes, dice: Random) -> bytes:
    if not content:
        return dice.randbytes(4)
    found = bytearray(content)
    for _number in range(dice.choice((1, 2, 8))):
        at = dice.randrange(min(len(found), dice.choice((16, 64, len(found)))))
        found[at] = dice.choice((0, 1, 127, 128, 255, dice.randrange(256)))
    return bytes(found)


def _checked(data: bytes) -> bytes:
    """A PNG with the right sums of its chunks, any other file as it is."""
    if not data.startswith(b"\x89PNG"):
        return data
    return data[:8] + b"".join(_chunk(*piece) for piece in _chunks(data))


def _chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    found, at = [], 8
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4])
        found.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    return found


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


DAMAGES: Mapping[str, Damage] = {
    "flipped": _flip,
    "overwritten": _overwrite,
    "cut off": _cut_off,
    "cut out": _cut_out,
    "repeated": _repeat,
    "spliced": _splice,
    "exif: entry": _exif_entry,
    "jpeg: segments": _jpeg_segments,
    "png: chunks": _png_chunks,
    "riff: chunks": _riff_chunks,
    "bmp: header": _bmp_header,
}
