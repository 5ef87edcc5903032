"""A position line of either game: its notation tells which."""

from __future__ import annotations

from companion_app.errors import AppError
from rules import homeworlds, settlers
from rules.errors import quoted

Position = homeworlds.Position | settlers.Position


def parse_position(line: str, *, redless: bool = False) -> Position:
    """The position that *line* writes down; *redless* is for Settlers without the red pieces.

    Raises:
        AppError: ``position_unknown``, when it is in the notation of neither game.
        RulesError: when it is in one of them, but wrong.
    """
    if "(" in line or "<" in line:
        return homeworlds.Position.parse(line)
    if "/" in line:
        return settlers.Position.parse(line, redless)
    raise AppError(
        "position_unknown",
        f"{quoted(line)} is not a position: write one of Homeworlds, such as "
        "“<0>; South(0,b3y2)g3-; North(1,g1r2)-g3”, or one of Settlers, such as “6/6/2g13/6/6/6 S 0”.",
    )
