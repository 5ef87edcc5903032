"""Commands as a person types them, and what they print."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from companion_app.cli import main

GAMES = Path(__file__).parent / "data" / "games"
SHARED = Path(__file__).parents[2].parent / "shared" / "games"

OPENING = "<0>; South(0,b1r2)g3-; North(1,b3y1)-g3"
WINNING = "<0>; South(0,r2b1)g3-; North(1,y1b3)y3-g3; Vega(g2)r1-"
BOARD = "6/6/2g13/6/6/6 S 0"
CONQUEST = "6/6/2r13/3B12/6/6 S 7"
HUGE = (
    "<0>; South(0,y3b3)y3y3y2g3g3g2b2-; North(1,g2b3)-r3r3r2; Ay(y1)y1y2-; By(b1)g1b1-r1; Cy(r1)r1g1-; "
    "Dy(g3)b2y2-; Ey(r2)b2g2-"
)
"""A position with some 350,000 turns."""


def pyramids(*words: object, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], input=given)


def objects(done: Result) -> list[dict[str, Any]]:
    """What was printed with --json, one object a line."""
    return [json.loads(line) for line in done.stdout.splitlines()]


def refused(done: Result) -> str:
    """The one sentence of a command that cannot do what it was given."""
    assert done.exit_code == 2
    assert done.stderr.startswith("pyramids: ")
    assert done.stderr.count("\n") == 1
    return done.stderr
