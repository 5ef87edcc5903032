"""What the form for a new game says: which game, who plays and begins, and on what terms."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeVar

from companion_app.notation import parse_position
from companion_app.session import Terms
from companion_app.session.terms import Options
from companion_app.web.forms import BadForm, line_in, name_in, redless_of
from rules import Seat, Size, homeworlds, seats_for, settlers
from rules.homeworlds import HANDICAP, SelfElimination, Victory
from rules.records import GameKind
from rules.settlers import SEATS
from rules.settlers.status import QUIET_TURNS

E = TypeVar("E", bound=Enum)

EXTRA_SHIPS: Final[Mapping[str, tuple[Size, ...]]] = {
    "": (),
    "small": (Size.SMALL,),
    "medium": (Size.MEDIUM,),
    "large": (Size.LARGE,),
    "small and medium": (Size.SMALL, Size.MEDIUM),
    "two small": (Size.SMALL, Size.SMALL),
}
MOST_EXTRA_TURNS: Final = 3
MOST_ADVICE: Final = 9
MOST_PLAYERS: Final = 4
MOST_QUIET: Final = 999


def terms_of_form(form: Mapping[str, str]) -> Terms:
    """The terms of a new game; a RulesError or AppError where they cannot be."""
    kind, names = _one(form, "game", GameKind), names_of_form(form)
    line = line_in(form, "position", "This position line")
    if line:
        position = parse_position(line, redless=redless_of(form))
        if isinstance(position, homeworlds.Position) is not (kind is GameKind.HOMEWORLDS):
            raise BadForm("This position line is of the other game: choose that game, or leave the line empty.")
        options = options_of_form(form, position.seats if isinstance(position, homeworlds.Position) else SEATS)
        return Terms.of_position(position, options, names=names, lay_out="lay_out" in form)
    seats = seats_of_form(form)
    return Terms.of_nothing(options_of_form(form, seats), seats, beginner_of_form(form) or Seat.SOUTH, names=names)


def seats_of_form(form: Mapping[str, str]) -> tuple[Seat, ...]:
    """Who sits at the table: two in Settlers and where nothing is said, else up to four."""
    if _one(form, "game", GameKind) is GameKind.SETTLERS:
        return SEATS
    return seats_for(_number(form, "players", MOST_PLAYERS) or len(SEATS))


def options_of_form(form: Mapping[str, str], seats: tuple[Seat, ...]) -> Options:
    """The options that were chosen for those who have these *seats*."""
    junior = _maybe(form, "junior", Seat)
    if _one(form, "game", GameKind) is GameKind.SETTLERS:
        return settlers.Options(
            yellow_moves_any="yellow_moves_any" in form,
            redless=redless_of(form),
            handicap=junior,
            handicap_size=Size.LARGE if "large_landing" in form else Size.MEDIUM,
            quiet_limit=_number(form, "quiet_limit", MOST_QUIET) if form.get("quiet_limit") else QUIET_TURNS,
        )
    extra = form.get("extra_ships", "")
    if extra not in EXTRA_SHIPS:
        raise BadForm("The extra ships of a head start are chosen from the list: choose again.")
    victory = _maybe(form, "victory", Victory) if len(seats) > len(SEATS) else None
    evil = tuple(seat for seat in seats if f"evil_{seat.value}" in form)
    usual = homeworlds.Options()
    return homeworlds.Options(
        self_elimination=_maybe(form, "self_elimination", SelfElimination) or usual.self_elimination,
        first_ship_sizes=HANDICAP.first_ship_sizes if "any_first_ship" in form else usual.first_ship_sizes,
        home_stars=HANDICAP.home_stars if "one_star" in form else usual.home_stars,
        repetition_claim="repetition_claim" in form,
        victory=victory or Victory.LAST_STANDING,
        evil=evil if victory is Victory.GOOD_AND_EVIL else (),
        junior=junior,
        extra_ships=EXTRA_SHIPS[extra],
        timewarp=_number(form, "timewarp", MOST_EXTRA_TURNS),
        red_alert=tuple(seat for seat in seats if _is_warned(form, seat, junior)),
        brain_transference=junior is not None and len(seats) == len(SEATS) and "brain_transference" in form,
        tactical_computer=_number(form, "tactical_computer", MOST_ADVICE) if junior else 0,
    )


def _is_warned(form: Mapping[str, str], seat: Seat, junior: Seat | None) -> bool:
    """Whether a player is warned of danger: ticked by seat, or as the one with the head start."""
    return f"red_alert_{seat.value}" in form or (seat is junior and "red_alert" in form)


def names_of_form(form: Mapping[str, str]) -> Mapping[Seat, str]:
    """What the players are called; who gives no name is left out."""
    names = {seat: name_in(form, seat.value, "A player’s name") for seat in Seat}
    return {seat: name for seat, name in names.items() if name}


def beginner_of_form(form: Mapping[str, str]) -> Seat | None:
    """Who begins, or is to move; ``None`` where nothing is said."""
    return _maybe(form, "beginner", Seat)


def seat_of_form(form: Mapping[str, str]) -> Seat:
    """The seat that a form is about."""
    return _one(form, "seat", Seat)


def _maybe(form: Mapping[str, str], key: str, kind: type[E]) -> E | None:
    return _one(form, key, kind) if form.get(key) else None


def _one(form: Mapping[str, str], key: str, kind: type[E]) -> E:
    try:
        return kind(form.get(key, ""))
    except ValueError:
        words = ", ".join(str(member.value) for member in kind)
        raise BadForm(f"The field “{key}” should be one of {words}: choose one and send again.") from None


def _number(form: Mapping[str, str], key: str, most: int) -> int:
    text = form.get(key) or "0"
    if not (text.isascii() and text.isdecimal() and len(text) < 4 and int(text) <= most):
        raise BadForm(f"The field “{key}” should be a number from 0 to {most}.")
    return int(text)
