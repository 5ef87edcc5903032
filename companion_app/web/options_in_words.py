"""What was agreed on before a game, in a few words each; the defaults need none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from companion_app.session.terms import Options
from rules import Seat, homeworlds, settlers

VICTORIES: Final = {
    homeworlds.Victory.LAST_STANDING: "The last one with a home wins",
    homeworlds.Victory.LEFT_NEIGHBOUR: "Who puts out the left neighbour wins",
    homeworlds.Victory.GOOD_AND_EVIL: "Good and evil, in secret",
}
"""Who wins among three and four."""

GIVING_UP: Final = {
    homeworlds.SelfElimination.CONFIRMED: "is legal; in a typed turn it takes a * behind it",
    homeworlds.SelfElimination.ALLOWED: "is legal",
    homeworlds.SelfElimination.FORBIDDEN: "is not legal",
}
"""What follows “To leave one’s own home empty”."""


def options_in_words(options: Options, *, swapped: bool = False) -> Iterator[str]:
    """The options that differ from the rulings; who is evil is told nobody.

    What is said to a person is said at the other seat where the players have *swapped* places.
    """
    if isinstance(options, settlers.Options):
        return _of_settlers(options)
    if swapped:
        junior = options.junior.opposite if options.junior else None
        options = replace(options, junior=junior, red_alert=tuple(seat.opposite for seat in options.red_alert))
    return _of_homeworlds(options)


def _of_settlers(options: settlers.Options) -> Iterator[str]:
    if options.redless:
        yield "redless"
    if options.yellow_moves_any:
        yield "Yellow moves any piece"
    if options.handicap:
        yield f"{options.handicap.word} lands a {options.handicap_size.word} first"
    if options.landing_size:
        yield f"every landing is a {options.landing_size.word} one"
    if options.quiet_limit != settlers.Options().quiet_limit:
        yield f"{options.quiet_limit} turns without a conquest end it"


def _of_homeworlds(options: homeworlds.Options) -> Iterator[str]:
    usual = homeworlds.Options()
    if options.self_elimination is not usual.self_elimination:
        yield f"to leave one’s own home empty {GIVING_UP[options.self_elimination]}"
    if options.first_ship_sizes != usual.first_ship_sizes:
        yield f"the first ship is {' or '.join(size.word for size in options.first_ship_sizes)}"
    if options.home_stars != usual.home_stars:
        yield f"homes have {' or '.join('one star' if one == 1 else 'two' for one in options.home_stars)}"
    if options.repetition_claim:
        yield "the third time of a position may be claimed as a draw"
    if options.victory is not usual.victory:
        yield VICTORIES[options.victory]
    if options.junior:
        yield f"{options.junior.word} has a head start{_head_start(options)}"
    if options.red_alert:
        yield f"{_seats(options.red_alert)} {'is' if len(options.red_alert) == 1 else 'are'} warned of danger"


def _head_start(options: homeworlds.Options) -> str:
    """The parts of a head start behind a colon; nothing where it has none."""
    parts = []
    if options.extra_ships:
        sizes = " and ".join(size.word for size in options.extra_ships)
        parts.append(f"{sizes} extra ship{'s' if len(options.extra_ships) > 1 else ''}")
    if options.timewarp:
        parts.append(f"{options.timewarp} extra turn{'s' if options.timewarp > 1 else ''}")
    if options.tactical_computer:
        parts.append(f"advice ({options.tactical_computer})")
    if options.brain_transference:
        parts.append("may change places once")
    return f": {', '.join(parts)}" if parts else ""


def _seats(seats: tuple[Seat, ...]) -> str:
    return " and ".join(seat.word for seat in seats)
