"""The position that both players agree to play on from: what stands on the table, in the record's own names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion_app.errors import AppError
from companion_app.notation import Position
from companion_app.star_names import STARS
from rules import Seat, homeworlds, settlers

_STAR = 100
"""A star in common says more of two systems being the same than all their ships."""


def continued(before: Position, table: Position, to_move: Seat) -> Position:
    """*table* as the position after *before* in which *to_move* is next; an AppError for tables of another game."""
    if isinstance(before, homeworlds.Position) and isinstance(table, homeworlds.Position):
        return homeworlds.Position(_named(before, table), to_move, before.players)
    if isinstance(before, settlers.Position) and isinstance(table, settlers.Position):
        conquered = any(
            ship.piece == before.board[field].piece and ship.owner is not before.board[field].owner
            for field, ship in table.board.items()
            if field in before.board
        )
        quiet = 0 if conquered else before.quiet_turns + 1
        return settlers.Position(table.board, to_move, quiet, before.redless)
    raise AppError("another_game", "On the table is another game than the one that is recorded.")


def check_playable(before: Position, after: Position, standing: tuple[Seat, ...]) -> None:
    """An AppError where a player still in the game had a home *before*, but has none with a ship *after*."""
    if not isinstance(before, homeworlds.Position) or not isinstance(after, homeworlds.Position):
        return
    for seat in standing:
        if before.homes(seat) and not any(home.ships[seat] for home in after.homes(seat)):
            raise AppError(
                "home_lost",
                f"{seat.word} would have no home with a ship in it: correct the picture, or let {seat.word} resign.",
            )


def _named(before: homeworlds.Position, table: homeworlds.Position) -> Iterator[homeworlds.System]:
    """The systems of *table*: who has been there before keeps name and home, the others get names that are free."""
    same = _matched(before.systems, table.systems)
    taken = {system.name.casefold() for system in same.values()}
    free = (name for name in STARS if name.casefold() not in taken)
    for new, system in enumerate(table.systems):
        if new in same:
            yield homeworlds.System(same[new].name, same[new].home, system.stars, system.ships)
            continue
        name = system.name if system.name.casefold() not in taken else next(free)
        taken.add(name.casefold())
        yield homeworlds.System(name, system.home, system.stars, system.ships)


def _matched(
    before: tuple[homeworlds.System, ...], table: tuple[homeworlds.System, ...]
) -> dict[int, homeworlds.System]:
    """For systems of the table, by their place there, those that they were; the most alike find each other first."""
    pairs = [(_likeness(old, new), i, j) for i, old in enumerate(before) for j, new in enumerate(table)]
    matched: dict[int, int] = {}
    for likeness, i, j in sorted(pairs, key=lambda pair: (-pair[0], pair[1:])):
        if likeness >= _STAR and i not in matched.values() and j not in matched:
            matched[j] = i
    return {j: before[i] for j, i in matched.items()}


def _likeness(old: homeworlds.System, new: homeworlds.System) -> int:
    """How much two systems have in common; nothing where they are homes of different players."""
    if old.home and new.home and old.home is not new.home:
        return 0
    stars = (Counter(old.stars) & Counter(new.stars)).total()
    ships = sum((Counter(old.ships[seat]) & Counter(new.ships[seat])).total() for seat in Seat)
    return _STAR * stars + ships + (old.home is new.home)
