"""The errors of this package: a stable code, one sentence for people, and the values it speaks of."""

from __future__ import annotations


class RulesError(ValueError):
    """Something that the rules, or their notation, do not allow.

    Attributes:
        code: stable and for programs, such as ``"piece_unreadable"``.
        sentence: what is wrong and what to do, for people.
        rule: the number of the ruling that it rests on, such as ``"13"`` or ``"S9"``; empty for mere notation.
        parameters: the values that the sentence speaks of.
    """

    def __init__(self, code: str, sentence: str, *, rule: str = "", **parameters: object) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.rule = rule
        self.parameters = parameters


class InvalidTurn(RulesError):
    """A text that is no turn in any position."""


class IllegalTurn(RulesError):
    """A turn or step that this position does not allow."""


class AmbiguousTurn(RulesError):
    """A text that says several legal turns; ``parameters["choices"]`` lists them in strict notation."""


def quoted(text: str, longest: int = 30) -> str:
    """*text* in quotes for use in a sentence: on one line, printable, and cut where it is long.

    >>> print(quoted("g4"), quoted("a" * 99, longest=5), quoted("two\\nlines"))
    “g4” “aaaaa…” “two lines”
    """
    line = "".join(letter if letter.isprintable() else " " for letter in text.strip())
    return f"“{line[:longest]}…”" if len(line) > longest else f"“{line}”"
