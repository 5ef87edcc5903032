"""What a person should look at in a reading, and how far it may be trusted without."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from companion_app.reading_types import (
    Ask,
    Game,
    Inventory,
    Question,
    ReadAlternative,
    ReadPiece,
    ReadSystem,
    Verdict,
)
from companion_app.star_names import names_of
from rules import Finding, Piece
from vision.sight import Role, Seat

ASK_FROM = 0.1  # probability from which on another reading of a piece is asked about
DOUBTFUL = 0.7  # confidence below which a piece is asked about even if nothing else is likely
SURE = 0.98  # confidence from which on a piece needs no look

_VALUES: Mapping[Ask, Callable[[ReadPiece | ReadAlternative], str | None]] = {
    Ask.COLOR: lambda piece: piece.color.value,
    Ask.SIZE: lambda piece: piece.size.word,
    Ask.POSTURE: lambda piece: piece.posture.value,
    Ask.OWNER: lambda piece: piece.owner and piece.owner.value,
}


def questions_about(
    game: Game,
    pieces: Sequence[ReadPiece],
    systems: Iterable[ReadSystem],
    inventory: Inventory,
    findings: Iterable[Finding],
) -> tuple[Question, ...]:
    """All questions: what contradicts the rules first, then piece by piece, then what is missing."""
    if not pieces:
        return (
            Question(
                None,
                Ask.PHOTO,
                (),
                "No pieces were found: take the photo from higher up, nearer, and in even light.",
            ),
        )
    systems, findings = tuple(systems), tuple(findings)
    names = names_of(systems)
    return (
        *(Question(None, Ask.POSITION, (), finding.sentence) for finding in findings),
        *_about_surplus(inventory, {str(finding.parameters.get("piece")) for finding in findings}),
        *(question for i, piece in enumerate(pieces) for question in _about_piece(game, i, piece, names)),
        *_about_what_is_missing(pieces, systems, inventory),
    )


def verdict_on(
    pieces: Sequence[ReadPiece], inventory: Inventory, questions: Sequence[Question], position: str | None
) -> Verdict:
    """Certain only when every piece of the set is accounted for, all on the table are sure, and nothing is asked."""
    if not pieces:
        return Verdict.UNREADABLE
    complete = not inventory.unseen and not inventory.surplus
    sure = all(piece.confidence >= SURE for piece in pieces if piece.on_table)
    return Verdict.CERTAIN if complete and sure and not questions and position else Verdict.CHECK


def described(piece: ReadPiece, names: Mapping[int, str]) -> str:
    """The piece in words and where it is: ``"the large red ship on c4"``."""
    role = {Role.LOOSE: "piece", Role.BANK: "piece in the bank"}.get(piece.role, piece.role.value)
    place = f" on {piece.field}" if piece.field else ""
    if piece.system is not None and piece.system in names:
        place = f" at {names[piece.system]}"
    return f"the {piece.size.word} {piece.color.value} {role}{place}"


def _about_piece(game: Game, index: int, piece: ReadPiece, names: Mapping[int, str]) -> Iterator[Question]:
    thing = described(piece, names)
    if piece.role is Role.LOOSE:
        yield Question(index, Ask.ROLE, ("ship", "star", "bank", "loose"), f"What is {thing} doing: is it in play?")
    if not piece.on_table:
        return
    if game is Game.HOMEWORLDS and piece.system is None:
        yield Question(index, Ask.PLACE, tuple(map(str, names)), f"Which star does {thing} belong to?")
    if game is Game.SETTLERS and piece.field is None:
        yield Question(index, Ask.PLACE, (), f"Which field is {thing} on?")
    asked = [ask for ask in _VALUES if (choices := _choices(piece, ask))]
    for ask in asked:
        choices = _choices(piece, ask)
        yield Question(index, ask, choices, _sentence(ask, thing, choices))
    if not asked and piece.confidence < DOUBTFUL:
        yield Question(index, Ask.PIECE, (), f"Is {thing} right?")


def _choices(piece: ReadPiece, ask: Ask) -> tuple[str, ...]:
    """The values that the property may have, the likeliest first; empty where there is no doubt."""
    value_of = _VALUES[ask]
    weights: dict[str, float] = defaultdict(float)
    candidates: list[tuple[ReadPiece | ReadAlternative, float]] = [(piece, piece.confidence)]
    candidates += [(other, other.probability) for other in piece.alternatives]
    for candidate, probability in candidates:
        value = value_of(candidate)
        if value is not None:
            weights[value] += probability
    ranked = [value for value in sorted(weights, key=weights.__getitem__, reverse=True) if weights[value] >= ASK_FROM]
    if ask is Ask.OWNER and piece.role is Role.SHIP and piece.owner is None:
        ranked += [seat.value for seat in Seat if seat.value not in ranked]
    return tuple(ranked) if len(ranked) > 1 else ()


def _sentence(ask: Ask, thing: str, choices: Sequence[str]) -> str:
    if ask is Ask.OWNER:
        return f"Whose is {thing}: {' or '.join(choice.title() for choice in choices)}?"
    what = {Ask.COLOR: "colour", Ask.SIZE: "size", Ask.POSTURE: "posture"}[ask]
    return f"Which {what} has {thing}: {' or '.join(choices)}?"


def _about_surplus(inventory: Inventory, told: set[str]) -> Iterator[Question]:
    for code, count in Counter(inventory.surplus).items():
        if code not in told:
            piece = Piece.parse(code)
            yield Question(
                None,
                Ask.INVENTORY,
                (),
                f"The picture shows {count} {piece.words} ({code}) more than the set holds: "
                "check the colour and size of each.",
            )


def _about_what_is_missing(
    pieces: Sequence[ReadPiece], systems: Sequence[ReadSystem], inventory: Inventory
) -> Iterator[Question]:
    if not inventory.unseen:
        return
    lone = [f"{system.home.value.title()}'s" for system in systems if system.home and len(system.stars) == 1]
    beneath = f" One may be hidden beneath the star of {' or '.join(lone)} home." if lone else ""
    if any(piece.role is Role.BANK for piece in pieces):
        missing = ", ".join(inventory.unseen)
        sentence = (
            f"{inventory.seen} of {inventory.set} pieces were seen. Not seen: {missing}. "
            f"Look for them on the table; if they are in the bank, all is well.{beneath}"
        )
    else:
        sentence = (
            "No bank was seen, so nothing confirms that every piece on the table was found: "
            f"look for pieces without an outline.{beneath}"
        )
    yield Question(None, Ask.INVENTORY, (), sentence)
