"""How well a piece that was seen fits the one that a step asks for, and what to say where it does not."""

from __future__ import annotations

from companion_app.questions import ASK_FROM, DOUBTFUL
from companion_app.reading_types import ReadAlternative, ReadPiece
from companion_app.restoring.steps import Step
from rules import Piece
from vision.solids import Posture

LIKELY_MISFIT = 0.5
"""Up to this a piece is as it should be, or may well be."""


def misfit(step: Step, seen: ReadPiece) -> float:
    """0 where *seen* is what *step* asks for, and the more the less it is.

    1 is a piece to be turned or exchanged, 2.5 another one altogether: to take it away and lay the right one costs 2.
    """
    if _is(step, seen):
        return 0.0 if seen.confidence >= DOUBTFUL else 0.1
    if any(_is(step, other) and other.probability >= ASK_FROM for other in seen.alternatives):
        return 0.3
    kind = _kind_of(seen)
    same = (kind.color is step.piece.color) + (kind.size is step.piece.size) if step.piece else 0
    changes = 2 - same + (not _stands_or_lies(step, seen))
    return 1.0 if changes == 1 else 2.5


def doubt_about(seen: ReadPiece) -> str:
    """What to say of a piece that may well be right."""
    return f"Looks right? The picture does not show it clearly: it may be a {described(seen)}."


def advice(step: Step, seen: ReadPiece) -> str:
    """What to do with a piece that lies in the place of the one that *step* asks for."""
    assert step.piece is not None
    wanted = step.piece
    if _kind_of(seen) != wanted:
        return f"There is a {described(seen)}: exchange it for a {wanted.words}."
    if step.owner is None:
        return f"The {wanted.words} lies: stand it up, it is a star."
    if seen.posture is Posture.UPRIGHT:
        return f"The {wanted.words} stands: lay it down, pointing away from {step.owner.word}."
    return f"The {wanted.words} points the wrong way: turn it, so that it points away from {step.owner.word}."


def described(seen: ReadPiece) -> str:
    """Such as ``"medium green star"`` or ``"large red ship of South"``."""
    if seen.posture is Posture.UPRIGHT:
        return f"{seen.size.word} {seen.color.value} star"
    owner = f" of {seen.owner.value.title()}" if seen.owner else ""
    return f"{seen.size.word} {seen.color.value} ship{owner}"


def _is(step: Step, seen: ReadPiece | ReadAlternative) -> bool:
    return _kind_of(seen) == step.piece and _stands_or_lies(step, seen)


def _stands_or_lies(step: Step, seen: ReadPiece | ReadAlternative) -> bool:
    """Whether the posture is right and, of a ship, whose it is."""
    if step.owner is None:
        return seen.posture is Posture.UPRIGHT
    return seen.posture is Posture.LYING and seen.owner is not None and seen.owner.value == step.owner.value


def _kind_of(seen: ReadPiece | ReadAlternative) -> Piece:
    return Piece.parse(f"{seen.color.value[0]}{int(seen.size)}")
