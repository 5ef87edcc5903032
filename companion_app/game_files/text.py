"""The text of a file, whatever it was written by."""

from __future__ import annotations

import codecs
from typing import Final

from companion_app.errors import AppError

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark begins alike
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LOOKED_AT: Final = 200  # bytes
_MOSTLY: Final = 0.9


def text_of(content: bytes, called: str = "This file") -> str:
    """The text of some bytes with plain line breaks; an AppError, which begins with *called*, where they are none.

    In UTF-8 or, where a mark or the bytes tell so, in UTF-16 or UTF-32; whatever is neither is read as cp1252.

    >>> text_of("Ödön\\r\\n".encode("utf-16")), text_of("Ödön\\r".encode("cp1252"))
    ('Ödön\\n', 'Ödön\\n')
    """
    encoding = _encoding(content)
    if encoding == "utf-8" and b"\0" in content:
        raise AppError("not_text", f"{called} is not a text file: save the game as text in UTF-8.")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode("cp1252" if encoding == "utf-8" else encoding, errors="replace")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _encoding(content: bytes) -> str:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding
    start = content[:_LOOKED_AT]
    half = len(start) // 2
    if half and start[1::2].count(0) >= _MOSTLY * half and not start[::2].count(0):
        return "utf-16-le"
    if half and start[::2].count(0) >= _MOSTLY * half and not start[1::2].count(0):
        return "utf-16-be"
    return "utf-8"
