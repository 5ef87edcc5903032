"""Single keys from a terminal, without Enter and without waiting."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

NextKey = Callable[[float], str]
"""The key that is pressed within so many seconds, or an empty string; ``KeyboardInterrupt`` on Ctrl-C."""

if sys.platform == "win32":
    import msvcrt

    @contextmanager
    def keys() -> Iterator[NextKey]:
        """Key by key from the console."""

        def next_key(patience_s: float) -> str:
            until = time.monotonic() + patience_s
            while not msvcrt.kbhit():
                if time.monotonic() >= until:
                    return ""
                time.sleep(0.01)
            key = msvcrt.getwch()
            if key == "\x03":
                raise KeyboardInterrupt
            return key

        yield next_key

else:
    import os
    import select
    import termios
    import tty

    @contextmanager
    def keys() -> Iterator[NextKey]:
        """Key by key from the terminal, which is left as it was found."""
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)

        def next_key(patience_s: float) -> str:
            ready, _, _ = select.select([terminal], [], [], patience_s)
            return os.read(terminal, 1).decode(errors="replace") if ready else ""

        try:
            tty.setcbreak(terminal)
            yield next_key
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)
