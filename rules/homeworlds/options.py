"""What players may agree on before a game: every default is this project's ruling of that number."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.errors import RulesError
from rules.pieces import Size
from rules.seats import Seat

_HOME_STARS = frozenset((1, 2))
_MOST_EXTRA_SHIPS = 2


class SelfElimination(StrEnum):
    """Whether one may give up one's own home (ruling 7)."""

    ALLOWED = "allowed"
    CONFIRMED = "confirmed"
    FORBIDDEN = "forbidden"


class Victory(StrEnum):
    """Who wins among three and four (ruling 23)."""

    LAST_STANDING = "last standing"
    LEFT_NEIGHBOUR = "left neighbour"
    GOOD_AND_EVIL = "good and evil"


@dataclass(frozen=True)
class Options:
    """The named options of a game.

    Attributes:
        self_elimination: legal; where a turn is read from text, only with a ``*`` behind it unless ``ALLOWED`` (7).
        first_ship_sizes: sizes of ship that a player may set up with (18).
        home_stars: numbers of stars that a home may be set up with (19).
        repetition_claim: whether a draw can be claimed when a position stands for the third time (21).
        victory: how a game of three or four is won (23).
        evil: the seats that are evil, where :attr:`victory` is ``GOOD_AND_EVIL``; known to the referee only (23).
        junior: who has the head start, if anybody (25).
        extra_ships: sizes of the ships that the junior sets up with besides the first, at most two (25).
        timewarp: extra turns that the junior has right after the set-up (25).
        red_alert: who is to be told when somebody could put them out with one turn (25).
        brain_transference: whether the junior may once change places with the opponent (25).
        tactical_computer: how often the junior may ask what the opponent would do (25).

    Who changes places takes along what is said to a person: advice and warnings. Ships and extra turns stay.
    """

    self_elimination: SelfElimination = SelfElimination.CONFIRMED
    first_ship_sizes: tuple[Size, ...] = (Size.LARGE,)
    home_stars: tuple[int, ...] = (2,)
    repetition_claim: bool = False
    victory: Victory = Victory.LAST_STANDING
    evil: tuple[Seat, ...] = ()
    junior: Seat | None = None
    extra_ships: tuple[Size, ...] = ()
    timewarp: int = 0
    red_alert: tuple[Seat, ...] = ()
    brain_transference: bool = False
    tactical_computer: int = 0

    def __post_init__(self) -> None:
        """A :class:`rules.RulesError` for homes that cannot be, a head start that nobody has, or too many ships."""
        if not self.first_ship_sizes:
            raise RulesError(
                "first_ship_sizes_missing", "Everybody sets up with a ship: name at least one size.", rule="18"
            )
        if not self.home_stars or not set(self.home_stars) <= _HOME_STARS:
            raise RulesError("home_stars_unusable", "A home has one star or two: write 1, 2 or both.", rule="19")
        if self.victory is Victory.GOOD_AND_EVIL and not self.evil:
            raise RulesError(
                "evil_missing", "Good and evil takes at least one evil player: say who is evil.", rule="23"
            )
        if self.junior is None and (self.extra_ships or self.timewarp):
            raise RulesError(
                "junior_missing", "Extra ships and extra turns are for the junior: say who that is.", rule="25"
            )
        if len(self.extra_ships) > _MOST_EXTRA_SHIPS:
            raise RulesError("extra_ships_too_many", "The junior can set up with at most two extra ships.", rule="25")

    def check_seats(self, seats: tuple[Seat, ...]) -> None:
        """A :class:`rules.RulesError` where somebody has a head start, or is evil, who has none of these *seats*."""
        for seat in (self.junior, *self.evil):
            if seat is not None and seat not in seats:
                what, rule = ("The head start", "25") if seat is self.junior else ("The side of evil", "23")
                raise RulesError(
                    "seat_empty",
                    f"{what} cannot be {seat.word}'s, where nobody sits: give it to "
                    f"{' or '.join(other.word for other in seats)}.",
                    rule=rule,
                    seat=seat.value,
                    players=len(seats),
                )


HANDICAP = Options(first_ship_sizes=tuple(Size), home_stars=(1, 2))
"""Any first ship, and a home of one star or two: what old transcripts are read with."""
