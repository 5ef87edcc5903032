"""Gives every reader of the rules texts that have gone wrong, and counts what it makes of them.

The texts begin as valid ones, from random games written by the strict writers, and are then spoilt a little. The same
seed gives the same texts.

From the root of the project, ``python tests/rules/fuzzing.py 200000`` spoils so many texts.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

import valid_texts
from spoiling import spoilt
from valid_texts import Read, Sample

from rules import RulesError

SECONDS_ALLOWED: Final = 5
"""For one text: far more than any takes, and far less than what hangs."""

READERS: Final[dict[str, tuple[int, Callable[[], list[Sample]]]]] = {
    "pieces": (5, valid_texts.pieces),
    "fields": (5, valid_texts.fields),
    "options": (10, valid_texts.options),
    "homeworlds_lines": (15, valid_texts.homeworlds_lines),
    "settlers_lines": (15, valid_texts.settlers_lines),
    "homeworlds_turns": (20, valid_texts.homeworlds_turns),
    "settlers_turns": (20, valid_texts.settlers_turns),
    "transcripts": (5, valid_texts.transcripts),
    "records": (5, valid_texts.records),
}
"""Each reader's share of a hundred texts, and what its texts are made of."""


@dataclass
class Account:
    """What a reader made of the texts it got.

    Attributes:
        broken: texts that raised anything but a RulesError, with what they raised.
        slowest: seconds for the text that took longest.
    """

    reader: str
    accepted: int = 0
    refused: int = 0
    slowest: float = 0.0
    broken: list[tuple[str, BaseException]] = field(default_factory=list)

    def __str__(self) -> str:
        inputs = self.accepted + self.refused + len(self.broken)
        return (
            f"{self.reader:17} {inputs:7} inputs {self.accepted:7} accepted {self.refused:7} refused "
            f"{len(self.broken):3} broken, slowest {1000 * self.slowest:.0f} ms"
        )


def fuzz(reader: str, inputs: int, seed: int = 0) -> Account:
    """What *reader* makes of so many texts."""
    dice = Random(f"{reader} {seed}")
    account = Account(reader)
    samples = READERS[reader][1]()
    for _ in range(inputs):
        sample = dice.choice(samples)
        text = spoilt(dice, sample.text, dice.choice(samples).text)
        started = time.perf_counter()
        try:
            with_fence(sample.read, text)
        except RulesError as refusal:
            if refusal.sentence and refusal.sentence.isprintable():
                account.refused += 1
            else:
                account.broken.append((text, refusal))
        except Exception as error:
            account.broken.append((text, error))
        else:
            account.accepted += 1
        account.slowest = max(account.slowest, time.perf_counter() - started)
    return account


def with_fence(read: Read, text: str) -> None:
    """Read *text*; a TimeoutError where that takes too long."""
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(SECONDS_ALLOWED)
    try:
        read(text)
    finally:
        signal.alarm(0)


def _stop(*_: object) -> None:
    raise TimeoutError(f"not read after {SECONDS_ALLOWED} s")


def shares(inputs: int) -> list[tuple[str, int]]:
    """Each reader, and how many of so many texts it gets."""
    return [(reader, inputs * share // 100) for reader, (share, _) in READERS.items()]


def main(inputs: int, seed: int = 0) -> int:
    """Spoil so many texts for all readers and print what became of them; the number of those that broke a reader."""
    broken = 0
    for reader, share in shares(inputs):
        print(f"{reader}: {share} texts …", end="\r", flush=True)
        account = fuzz(reader, share, seed)
        broken += len(account.broken)
        print(account)
        for text, error in account.broken[:5]:
            print(f"    {text[:300]!a}: {error!r}")
    return broken


if __name__ == "__main__":
    sys.exit(bool(main(*map(int, sys.argv[1:]))))
