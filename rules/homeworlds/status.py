"""Why a photographed position cannot be, or is worth a second look.

Codes that are impossible: ``too_many_of_a_kind``, ``no_star``, ``too_many_stars``, ``binary_without_owner`` (only
worth a look where somebody has no home), ``star_without_ship``, ``two_homes``. Codes worth a look: ``no_home``,
``home_without_ship``, ``overpopulated``, ``name_used_twice``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rules.bank import Bank, full_set
from rules.findings import Finding, impossible, too_many_of_a_kind, worth_a_look
from rules.homeworlds.system import System
from rules.seats import Seat

OVERPOPULATION = 4
"""This many pieces of one colour in one system allow a catastrophe."""


def findings(systems: tuple[System, ...], seats: tuple[Seat, ...]) -> Iterator[Finding]:
    """All that speaks against these *systems*, the whole table first, then one system after another."""
    on_table = Bank(piece for system in systems for piece in system.pieces)
    yield from too_many_of_a_kind(full_set(len(seats)), on_table)
    for seat in seats:
        yield from _about_homes_of(seat, [system for system in systems if system.home is seat])
    yield from _about_names(systems)
    homes = {system.home for system in systems}
    for system in systems:
        yield from _about_stars(system, someone_is_out=not all(seat in homes for seat in seats))
        yield from _about_ships(system)
        yield from _about_crowds(system)


def _about_homes_of(seat: Seat, homes: list[System]) -> Iterator[Finding]:
    if len(homes) > 1:
        yield impossible(
            "two_homes",
            f"{seat.word} has {len(homes)} homes ({', '.join(home.name for home in homes)}): a player has only one.",
            seat=seat.value,
            count=len(homes),
        )
    elif not homes:
        yield worth_a_look(
            "no_home",
            f"{seat.word} has no home: unless {seat.word} has yet to set up or is out of the game, "
            "one system should be marked as that home.",
            seat=seat.value,
        )


def _about_names(systems: tuple[System, ...]) -> Iterator[Finding]:
    """Names that differ only in case are the same when a move is written."""
    alike = Counter(system.name.casefold() for system in systems)
    for name in {system.name.casefold(): system.name for system in systems}.values():
        count = alike[name.casefold()]
        if count > 1:
            yield worth_a_look(
                "name_used_twice",
                f"{count} systems are called {name}: give each a name of its own, so that a move can say which.",
                name=name,
                count=count,
            )


def _about_stars(system: System, someone_is_out: bool) -> Iterator[Finding]:
    """The stars of the home of a player who is out may still stand, as long as ships are there."""
    stars = len(system.stars)
    if stars == 0:
        yield impossible(
            "no_star", f"{system.name} has no star: an upright piece is missing there.", system=system.name
        )
    elif stars > 2:
        yield impossible(
            "too_many_stars",
            f"{system.name} has {stars} stars: a home has at most two, any other system one.",
            system=system.name,
            count=stars,
        )
    elif stars == 2 and system.home is None:
        finding = worth_a_look if someone_is_out else impossible
        yield finding(
            "binary_without_owner",
            f"{system.name} has two stars but is nobody's home: mark whose home it is, or take one star away.",
            system=system.name,
        )


def _about_ships(system: System) -> Iterator[Finding]:
    if system.home is None and system.is_abandoned and system.stars:
        yield impossible(
            "star_without_ship",
            f"{system.name} has no ship: a star without ships goes back to the bank.",
            system=system.name,
        )
    elif system.home and not system.ships[system.home]:
        yield worth_a_look(
            "home_without_ship",
            f"{system.home.word} has no ship at home in {system.name}: at the end of a turn that player is out.",
            system=system.name,
            seat=system.home.value,
        )


def _about_crowds(system: System) -> Iterator[Finding]:
    for color, count in Counter(piece.color for piece in system.pieces).items():
        if count >= OVERPOPULATION:
            yield worth_a_look(
                "overpopulated",
                f"{system.name} holds {count} {color.value} pieces: a catastrophe may be declared there.",
                system=system.name,
                color=color.value,
                count=count,
            )
