"""Tables for the tests of restoring: any position as it would be read, and a person who does what the steps say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from companion_app.derivation import with_pieces
from companion_app.notation import Position
from companion_app.reading_types import Game, Reading, ReadPiece
from companion_app.restoring import Comparison, Mark, Plan
from companion_app.restoring.steps import TOKEN
from rules import Piece, Seat, full_set, homeworlds, settlers
from vision import sight
from vision.sight import Role
from vision.solids import Color, Posture, Size

PLAYERS = (Seat.SOUTH, Seat.NORTH)


def read_piece(piece: Piece, owner: Seat | None = None, **where: Any) -> ReadPiece:
    """A star, or a ship of *owner*, as it is read without a fault."""
    return ReadPiece(
        Color(piece.color.value),
        Size(int(piece.size)),
        Posture.LYING if owner else Posture.UPRIGHT,
        Role.SHIP if owner else Role.STAR,
        sight.Seat(owner.value) if owner else None,
        **where,
    )


def in_bank(piece: Piece) -> ReadPiece:
    """The same in the bank."""
    return replace(read_piece(piece), role=Role.BANK)


def reading_of_table(position: Position, *, bank: bool = True, order: Sequence[int] = ()) -> Reading:
    """What a faultless reader sees of *position*; *order* shuffles its systems."""
    homes: dict[int, sight.Seat | None] = {}
    if isinstance(position, homeworlds.Position):
        game, redless, pieces = Game.HOMEWORLDS, False, []
        systems = [position.systems[n] for n in order] if order else position.systems
        for number, system in enumerate(systems, 1):
            homes[number] = sight.Seat(system.home.value) if system.home else None
            pieces += [read_piece(star, system=number) for star in system.stars]
            pieces += [
                read_piece(ship, seat, system=number) for seat, ships in system.ships.items() for ship in ships
            ]
    else:
        game, redless = Game.SETTLERS, position.redless
        pieces = [read_piece(ship.piece, ship.owner, field=field) for field, ship in position.board.items()]
    pieces += map(in_bank, position.bank.pieces if bank else ())
    table = Reading(game, (800, 600), turn_token=sight.Seat(position.to_move.value))
    return with_pieces(table, pieces, homes, redless=redless)


def carried_out(plan: Plan, table: Reading, comparison: Comparison) -> Reading:
    """The table after a person did all that *comparison* asks for."""
    gone = {surplus.piece for surplus in comparison.surplus}
    places, fresh = dict(comparison.places), 1 + max((system.id for system in table.systems), default=0)
    laid: list[ReadPiece] = []
    for step, found in zip(plan.steps, comparison.found, strict=True):
        if step.piece is None or (found and found.mark is Mark.DONE):
            continue
        if found and found.piece is not None:
            gone.add(found.piece)
        if isinstance(plan.position, homeworlds.Position):
            if step.place not in places:
                places[step.place], fresh = fresh, fresh + 1
            laid.append(read_piece(step.piece, step.owner, system=places[step.place]))
        else:
            laid.append(read_piece(step.piece, step.owner, field=step.place))
    stays = [piece for index, piece in enumerate(table.pieces) if index not in gone and piece.role is not Role.BANK]
    rest, _ = full_set(redless=table.redless).take([Piece.parse(piece.code) for piece in (*stays, *laid)])
    homes = {system.id: system.home for system in table.systems}
    if isinstance(plan.position, homeworlds.Position):
        for system in plan.position.systems:
            homes[places[system.name]] = sight.Seat(system.home.value) if system.home else None
    token = sight.Seat(plan.position.to_move.value) if plan.steps[-2].place == TOKEN else None
    after = replace(table, turn_token=token)
    return with_pieces(after, [*stays, *laid, *map(in_bank, rest.pieces)], homes, redless=table.redless)


def contents(position: Position) -> object:
    """What two positions share when they look alike on a table: names of systems are not on it."""
    if isinstance(position, settlers.Position):
        return position.board, position.to_move
    systems = Counter((system.home, system.stars, tuple(system.ships.items())) for system in position.systems)
    return frozenset(systems.items()), position.to_move


@st.composite
def homeworlds_tables(draw: st.DrawFn) -> homeworlds.Position:
    """Positions of two players with a home each, from few of the pieces, so that much of two of them is alike."""
    left = draw(st.permutations(full_set().pieces))[: draw(st.integers(2, 24))]
    homes: list[Seat | None] = [*PLAYERS, *[None] * draw(st.integers(0, 5))]
    systems = []
    for number, home in enumerate(homes):
        if not left:
            break
        stars = [left.pop() for _ in range(min(len(left), 2 if home and draw(st.booleans()) else 1))]
        ships = {seat: [left.pop() for _ in range(min(len(left), draw(st.integers(0, 2))))] for seat in PLAYERS}
        systems.append(homeworlds.System(f"Star{number}", home, stars, ships))
    return homeworlds.Position(systems, draw(st.sampled_from(PLAYERS)))


@st.composite
def settlers_tables(draw: st.DrawFn) -> settlers.Position:
    """Positions on few fields, so that much of two of them is alike."""
    fields = draw(st.lists(st.sampled_from(settlers.FIELDS[:12]), unique=True, min_size=1))
    pieces = draw(st.permutations(full_set().pieces))
    owners = st.sampled_from(PLAYERS)
    board = {field: settlers.Ship(piece, draw(owners)) for field, piece in zip(fields, pieces, strict=False)}
    return settlers.Position(board, draw(owners))


@st.composite
def near(draw: st.DrawFn, position: homeworlds.Position) -> homeworlds.Position:
    """The same with a few ships gone to the other player: a table that is almost right."""
    systems = list(position.systems)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(systems) - 1))
        one = systems[at]
        systems[at] = homeworlds.System(
            one.name,
            one.home,
            one.stars,
            dict(zip(PLAYERS, _swapped(one.ships[seat] for seat in PLAYERS), strict=True)),
        )
    return homeworlds.Position(systems, position.to_move)


def _swapped(fleets: Iterable[tuple[Piece, ...]]) -> list[tuple[Piece, ...]]:
    return list(fleets)[::-1]
