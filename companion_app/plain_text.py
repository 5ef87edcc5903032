"""Text from outside: a character that spoils what stands around it is refused where it comes in, by its name."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from companion_app.errors import AppError

LONGEST_NAME: Final = 80
"""Letters of a player's name, or of a title."""

# Control characters, separators of lines, what turns the direction of writing, and lone surrogates, which no encoding
# holds. Joiners are none of them: Persian names and many emoji are written with them.
_SPOILING: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_KNOWN: Final = {"\0": "a null", "\t": "a tab", "\n": "a line break", "\r": "a line break"}


class BadText(AppError):
    """A text with a character that cannot be in it; code ``bad_text``."""

    def __init__(self, sentence: str) -> None:
        super().__init__("bad_text", sentence)


def check_text(text: str, what: str, *, lines: bool = False) -> None:
    """Raise BadText, whose sentence begins with *what*, for a spoiling character; *lines* allows line breaks.

    >>> check_text("Zoë", "This name")
    >>> check_text("Ann\\t", "This name")
    Traceback (most recent call last):
    companion_app.plain_text.BadText: This name has a tab (U+0009) in it: take that out and try again.
    """
    found = _SPOILING.search(text.replace("\n", "") if lines else text)
    if found:
        raise BadText(f"{what} has {_called(found[0])} in it: take that out and try again.")


def name_of(text: str, what: str) -> str:
    """*text* as a name: on one line, single spaces between its words; it may be empty.

    Raises BadText, whose sentence begins with *what*, where it is too long or has a spoiling character.
    """
    check_text(text.strip(), what)
    name = " ".join(text.split())
    if len(name) > LONGEST_NAME:
        raise BadText(f"{what} may have up to {LONGEST_NAME} letters: shorten it.")
    return name


def _called(letter: str) -> str:
    code = f"U+{ord(letter):04X}"
    match unicodedata.category(letter):
        case "Cs":
            return f"half a character (the lone surrogate {code})"
        case "Cc":
            return f"{_KNOWN.get(letter, 'a control character')} ({code})"
    return f"the invisible character {code} ({unicodedata.name(letter).lower()})"
