"""Texts gone wrong, in ways that people, keyboards and files have, and in some that nobody would expect."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Final

Mutator = Callable[[Random, str, str], str]
"""Spoils a text, for which it may use another one."""

_ODD: Final[tuple[str, ...]] = (
    *"٣１③³𝟛",  # digits that are not 0 to 9
    *"ıſKﬁßİ",  # letters that change when their case does, one of them into two
    *"\u0301\u20dd\u200b\u200d\ufeff",  # marks that combine, and letters that cannot be seen
    *"\u202e\u200f\u2066",  # right to left
    *"\0\x01\x0b\x0c\x1c\x85\u2028\u00a0\r\n\t",  # ends of lines and other spaces
    *"\ud800\udfff\U0010ffff\ue000",  # nothing that could be sent or shown
    *"–—−→⇒“”*()[]{}<>;,/:=+^-#'\"\\%",
    "👩‍🚀",
)
_NUMBERS: Final = ("-1", "0", "1e9", "0x1f", "1_000", "+3", "007", "4", "9" * 19, "9" * 5000, "٣٣", "NaN", "1.5")
_LENGTHS: Final = (10, 50, 300, 2100, 20_000)


def _place(dice: Random, text: str) -> int:
    return dice.randint(0, len(text))


def _span(dice: Random, text: str) -> tuple[int, int]:
    start = _place(dice, text)
    return start, min(len(text), start + dice.choice((1, 1, 2, 5, 40)))


def put_in(dice: Random, text: str, other: str) -> str:
    """With a letter more."""
    place = _place(dice, text)
    return text[:place] + dice.choice(other or " ") + text[place:]


def put_in_odd(dice: Random, text: str, _: str) -> str:
    """With a letter more that nobody would expect."""
    place = _place(dice, text)
    return text[:place] + dice.choice(_ODD) + text[place:]


def taken_out(dice: Random, text: str, _: str) -> str:
    """Without some letters."""
    start, end = _span(dice, text)
    return text[:start] + text[end:]


def replaced(dice: Random, text: str, other: str) -> str:
    """With one letter for another, odd or not."""
    start = _place(dice, text)
    letters: list[str] = [*other[:40], *_ODD]
    return text[:start] + dice.choice(letters) + text[start + 1 :]


def run_on(dice: Random, text: str, _: str) -> str:
    """With some letters many times over."""
    start, end = _span(dice, text)
    times = dice.choice(_LENGTHS) // max(1, end - start)
    return text[:start] + text[start:end] * times + text[end:]


def cased(dice: Random, text: str, _: str) -> str:
    """With letters in the other case."""
    start, end = sorted((_place(dice, text), _place(dice, text)))
    change: Callable[[str], str] = dice.choice((str.upper, str.lower, str.swapcase, str.title))
    return text[:start] + change(text[start:end]) + text[end:]


def cut(dice: Random, text: str, _: str) -> str:
    """The beginning or the end alone."""
    place = _place(dice, text)
    return dice.choice((text[:place], text[place:]))


def joined(dice: Random, text: str, other: str) -> str:
    """The beginning of one and the end of another."""
    return text[: _place(dice, text)] + dice.choice(("", " ", "\n", ";")) + other[_place(dice, other) :]


def doubled(dice: Random, text: str, _: str) -> str:
    """Some times over."""
    return dice.choice(("", " ", "\n", "\n\n", ";", "-")).join([text] * dice.choice((2, 2, 3, 50)))


_PARTS: Final = re.compile(r"\w+|\s+|.", re.DOTALL)


def _words(text: str) -> list[str]:
    return _PARTS.findall(text) or [""]


def words_swapped(dice: Random, text: str, _: str) -> str:
    """With two words or marks in each other's place."""
    words = _words(text)
    one, two = dice.randrange(len(words)), dice.randrange(len(words))
    words[one], words[two] = words[two], words[one]
    return "".join(words)


def word_doubled(dice: Random, text: str, _: str) -> str:
    """With a word or mark twice."""
    words = _words(text)
    place = dice.randrange(len(words))
    words.insert(place, words[place])
    return "".join(words)


def word_dropped(dice: Random, text: str, _: str) -> str:
    """Without a word or mark."""
    words = _words(text)
    del words[dice.randrange(len(words))]
    return "".join(words)


def word_replaced(dice: Random, text: str, other: str) -> str:
    """With a word or mark of another text."""
    words = _words(text)
    words[dice.randrange(len(words))] = dice.choice(_words(other))
    return "".join(words)


def renumbered(dice: Random, text: str, _: str) -> str:
    """With a number that is another, or none."""
    numbers = list(re.finditer("[0-9]+", text))
    start, end = dice.choice(numbers).span() if numbers else (0, 0)
    return text[:start] + dice.choice(_NUMBERS) + text[end:]


MUTATORS: Final[tuple[Mutator, ...]] = (
    put_in,
    put_in_odd,
    taken_out,
    replaced,
    run_on,
    cased,
    cut,
    joined,
    doubled,
    words_swapped,
    word_doubled,
    word_dropped,
    word_replaced,
    renumbered,
)
_LONGEST: Final = 100_000


def spoilt(dice: Random, text: str, other: str) -> str:
    """*text* gone wrong in one way or in several."""
    for _ in range(dice.choice((1, 1, 1, 2, 2, 3, 6))):
        text = dice.choice(MUTATORS)(dice, text, other)[:_LONGEST]
    return text
