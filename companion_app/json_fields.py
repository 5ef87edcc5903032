"""JSON from outside, taken apart field by field: what is missing or wrong is said in one sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from enum import Enum
from typing import NoReturn, TypeVar

from companion_app.errors import AppError
from companion_app.plain_text import check_text
from rules.errors import quoted

E = TypeVar("E", bound=Enum)
T = TypeVar("T")

MAX_LENGTH = 1000  # of any list or text: a table holds 36 pieces
MAX_DEPTH = 32  # objects and lists in each other: a game has eight


def decoded(data: bytes, errors: str = "strict") -> str:
    """The text in some bytes: UTF-8, UTF-16 or UTF-32, with or without a byte order mark, which is skipped."""
    return data.decode(json.detect_encoding(data), errors).removeprefix("\ufeff")


def read_json(data: bytes | str, what: str) -> object:
    """What JSON from outside says, with or without a byte order mark; no text in it has a spoiling character.

    ``ValueError`` where it is no JSON or nested too deeply, ``BadText`` for a text; its sentence begins with *what*.

    >>> read_json(b'\\xef\\xbb\\xbf{"size": 3}', "This file")
    {'size': 3}
    """
    try:
        value: object = json.loads(
            data.removeprefix("\ufeff") if isinstance(data, str) else data, parse_constant=_refuse_constant
        )
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    check_texts(value, what)
    return value


def check_texts(value: object, what: str) -> None:
    """Raise BadText for a spoiling character in any text of a JSON value, ``ValueError`` where it is too deep."""
    level = [value]
    for _ in range(MAX_DEPTH):
        below: list[object] = []
        for item in level:
            if isinstance(item, str):
                check_text(item, f"A text in {what}", lines=True)
            elif isinstance(item, Mapping):
                below += [*item, *item.values()]
            elif isinstance(item, list):
                below += item
        if not below:
            return
        level = below
    raise ValueError("nested too deeply")


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


class BadReading(AppError):
    """JSON that is no reading; its code is always ``bad_reading``."""

    def __init__(self, sentence: str) -> None:
        super().__init__("bad_reading", sentence)


class Fields:
    """A JSON object, read by asking for one field after the other.

    >>> Fields({"size": 3}, "piece 7").integer("size")
    3
    """

    def __init__(self, data: object, name: str) -> None:
        if not isinstance(data, Mapping):
            raise BadReading(f"The {name} should be a JSON object with named fields.")
        self._data: Mapping[str, object] = data
        self._name = name

    def has(self, key: str) -> bool:
        """Whether the field is there and not null."""
        return self._data.get(key) is not None

    def optional(self, key: str, read: Callable[[str], T]) -> T | None:
        """What *read* makes of the field; ``None`` where it is null or missing."""
        return read(key) if self.has(key) else None

    def text(self, key: str) -> str:
        """A text of reasonable length."""
        value = self._data.get(key)
        if not isinstance(value, str) or len(value) > MAX_LENGTH:
            raise self._wrong(key, "a short text")
        return value

    def number(self, key: str) -> float:
        """A finite number."""
        return self._finite(self._data.get(key), key)

    def integer(self, key: str) -> int:
        """A whole number."""
        value = self._data.get(key)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong(key, "a whole number")
        return value

    def yes(self, key: str) -> bool:
        """Whether the field says yes; an absent one says no. 1 and 0 are read as ``true`` and ``false``.

        >>> Fields({"asked": True}, "turn").yes("asked"), Fields({}, "turn").yes("asked")
        (True, False)
        """
        value = self._data.get(key)
        if value not in (None, True, False):
            raise self._wrong(key, "true or false")
        return bool(value)

    def word(self, key: str, words: Mapping[str, T]) -> T:
        """What the field's word stands for, of the few that are allowed."""
        value = self._data.get(key)
        if not isinstance(value, str) or value not in words:
            raise self._wrong(key, "one of " + ", ".join(words))
        return words[value]

    def point(self, key: str) -> tuple[float, float]:
        """A pair ``[x, y]``."""
        return self._point(self._data.get(key), key)

    def points(self, key: str) -> tuple[tuple[float, float], ...]:
        """A list of pairs ``[x, y]``; an absent one is empty."""
        return tuple(self._point(item, key) for item in self._list(key))

    def quadrangle(self, key: str) -> tuple[tuple[float, float], ...]:
        """A list of four pairs, or an empty one."""
        points = self.points(key)
        if len(points) not in (0, 4):
            raise self._wrong(key, "made of four pairs [x, y]")
        return points

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; an absent one is empty."""
        items = self._list(key)
        if not all(isinstance(item, str) for item in items):
            raise self._wrong(key, "a list of texts")
        return tuple(str(item) for item in items)

    def integers(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers; an absent one is empty."""
        items = self._list(key)
        if not all(isinstance(item, int) and not isinstance(item, bool) for item in items):
            raise self._wrong(key, "a list of whole numbers")
        return tuple(item for item in items if isinstance(item, int))

    def counts(self, key: str) -> dict[str, int]:
        """An object of whole numbers by name."""
        inner = self.inner(key)
        return {name: inner.integer(name) for name in inner._data}

    def inner(self, key: str) -> Fields:
        """An object inside this one."""
        return Fields(self._data.get(key), f"{key} of the {self._name}")

    def inners(self, key: str) -> tuple[Fields, ...]:
        """A list of objects; an absent one is empty."""
        return tuple(Fields(item, f"{key} {i} of the {self._name}") for i, item in enumerate(self._list(key)))

    def _list(self, key: str) -> list[object]:
        value = self._data.get(key)
        if value is None:
            return []
        if not isinstance(value, list) or len(value) > MAX_LENGTH:
            raise self._wrong(key, "a list")
        return value

    def _point(self, value: object, key: str) -> tuple[float, float]:
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise self._wrong(key, "made of pairs [x, y]")
        return self._finite(value[0], key), self._finite(value[1], key)

    def _finite(self, value: object, key: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._wrong(key, "a number")
        try:
            number = float(value)
        except OverflowError:  # a whole number of hundreds of digits
            number = math.inf
        if not math.isfinite(number):
            raise self._wrong(key, "a number")
        return number

    def _wrong(self, key: str, wanted: str) -> BadReading:
        return BadReading(f"The field {quoted(key)} of the {self._name} should be {wanted}.")


def words_of(kind: type[E]) -> dict[str, E]:
    """The members of a word enum by their words."""
    return {str(member.value): member for member in kind}
