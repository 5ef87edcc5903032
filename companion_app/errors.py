"""What can go wrong, said to a person: one clear sentence, and one stable code for programs."""

from __future__ import annotations


class AppError(Exception):
    """Input that cannot be used.

    Attributes:
        code: stable and short, for programs and tests.
        sentence: what was wrong and what to do, for people.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
