"""Does the position stand? What a look at the table comes to while a game goes on, where nobody keeps marks.

Only the pieces count: the bank and the turn token are for people to look after.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from companion_app.errors import AppError
from companion_app.reading_types import Reading
from companion_app.restoring.comparing import Found, Mark, compare
from companion_app.restoring.steps import Plan, Step

_RATHER: Final = 0.5


def laid(plan: Plan, reading: Reading) -> frozenset[int]:
    """The numbers of the steps that *reading* shows to be done; none where it cannot be compared with *plan*."""
    try:
        found = compare(plan, reading).found
    except AppError:
        return frozenset()
    return frozenset(number for number, one in enumerate(found) if one and one.mark is Mark.DONE)


def stands(plan: Plan, reading: Reading, *, likely: bool = False) -> bool:
    """Whether *reading* shows every piece of *plan* where it should be, and no other.

    Without any doubt, unless it is enough that each piece is rather what it was read as than not: *likely*.
    """
    try:
        comparison = compare(plan, _as_read(reading) if likely else reading)
    except AppError:
        return False
    return not comparison.surplus and all(
        found is not None and found.mark is Mark.DONE
        for step, found in zip(plan.steps, comparison.found, strict=True)
        if step.piece
    )


def _as_read(reading: Reading) -> Reading:
    """A *reading* without the doubts that are the lesser part."""
    pieces = (replace(piece, confidence=1.0) if piece.confidence > _RATHER else piece for piece in reading.pieces)
    return replace(reading, pieces=tuple(pieces))


def still_wanted(plan: Plan, reading: Reading) -> str:
    """What has still to be done before *plan* stands, in a sentence; empty where it stands as far as can be seen.

    ``AppError`` where that cannot be told: see :func:`compare`.
    """
    comparison = compare(plan, reading)
    for step, found in zip(plan.steps, comparison.found, strict=True):
        if step.piece and found and found.mark in (Mark.OPEN, Mark.WRONG):
            return _told(step, found)
    return next((surplus.sentence for surplus in comparison.surplus if surplus.sure), "")


def _told(step: Step, found: Found) -> str:
    words = found.sentence or step.words
    return f"{step.where}: {words[0].lower()}{words[1:]}"
