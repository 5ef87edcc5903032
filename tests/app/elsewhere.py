"""What must not happen to the process of the tests — a full disk, another user — happens in one of its own."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

NOBODY = 65534


def elsewhere(doing: Callable[[], Any]) -> Any:
    """What *doing* answers in a process of its own."""
    hears, tells = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(tells, json.dumps(doing()).encode())
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(tells)
    with os.fdopen(hears, "rb") as heard:
        answer = heard.read()
    os.waitpid(child, 0)
    return json.loads(answer)


def as_nobody() -> None:
    """Root may write anywhere; go on as somebody who may not."""
    if os.getuid() == 0:
        os.setuid(NOBODY)


def given_away(folder: Path) -> None:
    """Let nobody have the folder with all that is in it."""
    if os.getuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
