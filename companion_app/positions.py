"""From the pieces of a reading to a position of the game, and back to what the rules say about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion_app.reading_types import Game, ReadPiece, ReadSystem
from companion_app.star_names import names_of
from rules import Finding, Piece, Seat, homeworlds, settlers
from vision import sight
from vision.sight import Role


@dataclass(frozen=True)
class PositionRead:
    """What the rules make of some pieces.

    Attributes:
        line: the position line, or ``None`` where it cannot be written.
        score: pips by seat, in Settlers.
        findings: reasons to doubt the position, and why it cannot be written.
    """

    line: str | None
    score: Mapping[sight.Seat, int] | None = None
    findings: tuple[Finding, ...] = ()


def kinds(pieces: Iterable[ReadPiece]) -> list[Piece]:
    """The kind of each piece in the rules' own terms."""
    return [Piece.parse(piece.code) for piece in pieces]


def position_of(
    game: Game, pieces: Sequence[ReadPiece], systems: Sequence[ReadSystem], *, redless: bool
) -> PositionRead:
    """The position that the pieces make; what keeps it from being written is among the findings."""
    if game is Game.HOMEWORLDS:
        return _homeworlds(pieces, systems)
    return _settlers(pieces, redless)


def _homeworlds(pieces: Sequence[ReadPiece], systems: Sequence[ReadSystem]) -> PositionRead:
    """Every table whose ships have owners and stars to be at can be written, possible or not."""
    names = names_of(systems)
    position = homeworlds.Position(
        homeworlds.System(
            names[system.id],
            Seat(system.home.value) if system.home else None,
            [Piece.parse(code) for code in system.stars],
            {Seat(seat.value): [Piece.parse(code) for code in codes] for seat, codes in system.ships.items()},
        )
        for system in systems
    )
    adrift = any(
        piece.on_table and (piece.system is None or (piece.role is Role.SHIP and piece.owner is None))
        for piece in pieces
    )
    return PositionRead(None if adrift else position.line, findings=position.status())


def _settlers(pieces: Sequence[ReadPiece], redless: bool) -> PositionRead:
    """Every board whose pieces lie on a field of their own and have owners can be written, and scored."""
    ships = [piece for piece in pieces if piece.on_table]
    placements = [
        settlers.Placement(piece.field, Piece.parse(piece.code), Seat(piece.owner.value))
        for piece in ships
        if piece.field and piece.owner
    ]
    findings = settlers.status_of(placements, redless=redless)
    fields = {placement.field for placement in placements}
    if len(fields) < len(ships):
        return PositionRead(None, findings=findings)
    position = settlers.Position.of(placements, redless=redless)
    points = settlers.score(position)
    score = {sight.Seat.SOUTH: points.south, sight.Seat.NORTH: points.north}
    return PositionRead(position.line, score, findings)
