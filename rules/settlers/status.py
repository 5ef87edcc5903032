"""Why a photographed position cannot be, or is worth a second look.

Codes that are impossible: ``too_many_of_a_kind``, ``red_in_redless``, ``field_twice``, ``quiet_too_long``.
Code worth a look: ``side_without_pieces``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from rules.bank import Bank, full_set
from rules.findings import Finding, impossible, too_many_of_a_kind, worth_a_look
from rules.pieces import Color
from rules.settlers.board import SEATS, Placement, field_of

QUIET_TURNS = 36
"""The game ends after this many turns in a row without a conquest (S19)."""

_OPENING = 2  # pieces that one side may own before the other has any: a landing, and a handicap's second turn


def status_of(placements: Iterable[Placement], quiet_turns: int = 0, redless: bool = False) -> tuple[Finding, ...]:
    """What speaks against pieces seen one by one, a field with two pieces included.

    A :class:`rules.RulesError` for a field that the board does not have.
    """
    seen = [placed._replace(field=field_of(placed.field)) for placed in placements]
    return tuple(_findings(seen, quiet_turns, redless))


def _findings(seen: Sequence[Placement], quiet_turns: int, redless: bool) -> Iterator[Finding]:
    yield from too_many_of_a_kind(full_set(redless=redless), Bank(placed.piece for placed in seen))
    if redless:
        yield from _about_reds(seen)
    yield from _about_fields(seen)
    yield from _about_sides(seen)
    if quiet_turns > QUIET_TURNS:
        yield impossible(
            "quiet_too_long",
            f"{quiet_turns} turns without a conquest cannot be: the game ends after {QUIET_TURNS}.",
            quiet_turns=quiet_turns,
        )


def _about_reds(seen: Sequence[Placement]) -> Iterator[Finding]:
    for field, piece, _ in seen:
        if piece.color is Color.RED:
            yield impossible(
                "red_in_redless",
                f"The {piece.words} on {field} has no place in a game without reds: check its colour.",
                field=field,
                piece=piece.code,
            )


def _about_fields(seen: Sequence[Placement]) -> Iterator[Finding]:
    on_field = defaultdict(list)
    for field, piece, _ in seen:
        on_field[field].append(piece)
    for field, pieces in on_field.items():
        if len(pieces) > 1:
            yield impossible(
                "field_twice",
                f"{len(pieces)} pieces are on {field} ({', '.join(piece.words for piece in pieces)}): "
                "a field holds only one.",
                field=field,
                count=len(pieces),
            )


def _about_sides(seen: Sequence[Placement]) -> Iterator[Finding]:
    for seat in SEATS:
        owned = sum(placed.owner is seat for placed in seen)
        if owned == 0 and len(seen) > _OPENING:
            yield worth_a_look(
                "side_without_pieces",
                f"{seat.word} has no piece on the board and {seat.opposite.word} has {len(seen)}: check which way "
                "the pieces point.",
                seat=seat.value,
                count=len(seen),
            )
