"""What the fuzzing commands share: a fixed seed, a limit a case and for the run, counted outcomes, and their table.

A command makes its cases from ``Run.random``, tries each inside ``Run.case`` and names what came of it::

    run = Run("Imports", seed=1, cases=500, case_limit_s=10, run_limit_s=600)
    for number in run.numbers():
        with run.case(f"zip {number}"):
            run.count(outcome_of(import_it(make_case(run.random))))
    run.finish(RESULTS / "fuzz_imports.md", "python -m benchmarks.fuzz_imports")
"""

from __future__ import annotations

import faulthandler
import platform
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType
from typing import Final, NoReturn

RESULTS: Final = Path(__file__).parents[1] / "results"
MAX_LISTED_FAULTS: Final = 20
HARD_LIMIT_FACTOR: Final = 5  # code that no signal interrupts ends the process after that many limits


class Hang(BaseException):
    """A case took longer than its limit; no ``Exception``, so that no handler of the program swallows it."""


class Run:
    """One fuzzing run; main thread only, since its limit is a signal.

    Attributes:
        random: the only source of chance, seeded.
        outcomes: how many cases ended how, in words such as ``accepted`` or ``refused: not_a_game``.
        faults: cases that raised, each with its traceback.
        hangs: cases that took longer than their limit.
    """

    def __init__(self, title: str, *, seed: int, cases: int, case_limit_s: float, run_limit_s: float) -> None:
        self.title, self.seed, self.cases = title, seed, cases
        self.random = Random(seed)
        self.outcomes: Counter[str] = Counter()
        self.faults: list[str] = []
        self.hangs: list[str] = []
        self._case_limit_s, self._run_limit_s = case_limit_s, run_limit_s
        self._began = time.monotonic()
        self._done = 0

    def numbers(self) -> Iterator[int]:
        """The numbers of the cases, from 0, until all are done or the run has reached its limit."""
        for number in range(self.cases):
            if time.monotonic() - self._began > self._run_limit_s:
                return
            self._done += 1
            if number % max(1, self.cases // 20) == 0:
                print(f"{self.title}: {number:,} of {self.cases:,}", file=sys.stderr, flush=True)
            yield number

    @contextmanager
    def case(self, label: str) -> Iterator[None]:
        """Try one case: what it raises is a fault, what takes longer than the limit is a hang."""
        faulthandler.dump_traceback_later(HARD_LIMIT_FACTOR * self._case_limit_s, exit=True)
        before = signal.signal(signal.SIGALRM, _interrupt)
        signal.setitimer(signal.ITIMER_REAL, self._case_limit_s)
        try:
            yield
        except Hang:
            self.hangs.append(label)
        except Exception:  # every one of them is what we are looking for
            self.faults.append(f"{label}\n{traceback.format_exc()}")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            faulthandler.cancel_dump_traceback_later()

    def count(self, outcome: str) -> None:
        """Count what came of a case."""
        self.outcomes[outcome] += 1

    def fault(self, label: str) -> None:
        """Note a case that went wrong without raising, such as an answer 500."""
        self.faults.append(label)

    @property
    def is_clean(self) -> bool:
        """Whether all cases were tried, and none raised or hung."""
        return self._done == self.cases and not self.faults and not self.hangs

    def finish(self, path: Path, command: str, notes: str = "") -> NoReturn:
        """Print and write the table; exits with 1 unless the run is clean."""
        text = self._table(command, notes)
        print(text, end="")
        path.write_text(text)
        for fault in self.faults[:MAX_LISTED_FAULTS]:
            print(f"FAULT {fault}", file=sys.stderr)
        sys.exit(0 if self.is_clean else 1)

    def _table(self, command: str, notes: str) -> str:
        seconds = time.monotonic() - self._began
        rows = "".join(f"| {outcome} | {count:,} |\n" for outcome, count in self.outcomes.most_common())
        return (
            f"# Fuzzing: {self.title}\n\n"
            f"`{command}`, seed {self.seed}, Python {platform.python_version()}, {seconds:.0f} s.\n\n"
            f"Cases: {self._done:,} of {self.cases:,}. Faults (exceptions, answers 500): {len(self.faults)}. "
            f"Hangs (over {self._case_limit_s:g} s): {len(self.hangs)}.\n\n"
            f"| outcome | cases |\n|---|--:|\n{rows}" + (f"\n{notes}\n" if notes else "")
        )


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise Hang
