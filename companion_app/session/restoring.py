"""A position to be put on the table: what to do, in the order in which it is best done, and what is done already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion_app.notation import Position
from companion_app.positions import kinds
from companion_app.reading_types import Reading
from rules import Bank, Piece, Seat, homeworlds, settlers
from vision.sight import Role

BANK, MARKER = "bank", "turn token"


@dataclass(frozen=True)
class Step:
    """One thing to do, in one sentence, and where: a system, a field, ``BANK`` or ``MARKER``, the turn token."""

    place: str
    sentence: str


def steps_to(position: Position) -> tuple[Step, ...]:
    """How to put *position* on an empty table; at the end the bank is compared and the turn token laid down."""
    there = _systems(position) if isinstance(position, homeworlds.Position) else _fields(position)
    return (
        *there,
        Step(BANK, f"Compare the bank: {_counted(position.bank.pieces)}."),
        Step(MARKER, f"Lay the turn token before {position.to_move.word}."),
    )


def laid(position: Position, reading: Reading) -> frozenset[int]:
    """The numbers of the steps towards *position* that a reading shows to be done.

    Systems count by what is in them, wherever they stand and whatever they are called.
    """
    done = _places_laid(position, reading)
    if Bank(kinds(piece for piece in reading.pieces if piece.role is Role.BANK)) == position.bank:
        done.add(BANK)
    if reading.turn_token and reading.turn_token.value == position.to_move.value:
        done.add(MARKER)
    return frozenset(number for number, step in enumerate(steps_to(position)) if step.place in done)


def missing(position: Position, reading: Reading) -> tuple[str, ...] | None:
    """The systems or fields of *position* that a reading does not show; ``None`` if it shows just that position."""
    laid_there = _places_laid(position, reading)
    places = position.board if isinstance(position, settlers.Position) else [one.name for one in position.systems]
    left = tuple(place for place in places if place not in laid_there)
    whole = sum(piece.on_table for piece in reading.pieces) == len(position.pieces)
    return None if whole and not left else left


def _places_laid(position: Position, reading: Reading) -> set[str]:
    if isinstance(position, homeworlds.Position):
        return _systems_laid(position, reading)
    return _fields_laid(position, reading)


def _systems(position: homeworlds.Position) -> Iterator[Step]:
    for system in position.systems:
        stars = f"stand up {_counted(system.stars)}"
        ships = [f"{_counted(ships)} for {seat.word}" for seat, ships in system.ships.items() if ships]
        lying = f", and lay {' and '.join(ships)}" if ships else ""
        home = f", {system.home.word}’s home" if system.home else ""
        yield Step(system.name, f"{system.name}{home}: {stars}{lying}.")


def _fields(position: settlers.Position) -> Iterator[Step]:
    for field, ship in position.board.items():
        yield Step(field, f"{field}: lay a {ship.piece.words} for {ship.owner.word}.")


def _systems_laid(position: homeworlds.Position, reading: Reading) -> set[str]:
    seen = Counter(
        _content(system.stars, {Seat(seat.value): codes for seat, codes in system.ships.items()})
        for system in reading.systems
    )
    done = set()
    for system in position.systems:
        fleets = {seat: [piece.code for piece in fleet] for seat, fleet in system.ships.items()}
        content = _content((star.code for star in system.stars), fleets)
        if seen[content]:
            seen[content] -= 1
            done.add(system.name)
    return done


def _content(stars: Iterable[str], ships: Mapping[Seat, Iterable[str]]) -> tuple[tuple[str, ...], ...]:
    return (tuple(sorted(stars)), *(tuple(sorted(ships.get(seat, ()))) for seat in Seat))


def _fields_laid(position: settlers.Position, reading: Reading) -> set[str]:
    seen = {(piece.field, piece.code, piece.owner and piece.owner.value) for piece in reading.pieces}
    return {field for field, ship in position.board.items() if (field, ship.piece.code, ship.owner.value) in seen}


def _counted(pieces: Iterable[Piece]) -> str:
    """Some pieces in words, each kind once."""
    counts = Counter(pieces)
    words = [f"{count} {piece.words}" if count > 1 else f"a {piece.words}" for piece, count in sorted(counts.items())]
    return ", ".join(words) or "nothing"
