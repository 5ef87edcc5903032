"""Who plays in a transcript of SuperDuperGames: seats, or names with a seat each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from rules.errors import RulesError, quoted
from rules.frozen import FrozenMap
from rules.seats import Seat, seats_for

SEATS: Final = {seat.value: seat for seat in Seat}
_LETTERS: Final = {**SEATS, **{seat.letter.lower(): seat for seat in Seat}}
_NUMBERS: Final = (2, 3, 4)
_SEAT_AFTER_NAME: Final = re.compile(r"\(\s*(\w+)\s*\)\s*(?:,|$)")


@dataclass(frozen=True)
class Players:
    """The players of a transcript.

    Attributes:
        seats: the seats taken, in the order of the table.
        names: what the transcript calls each player; empty where it calls them by their seats.
    """

    seats: tuple[Seat, ...] = ()
    names: FrozenMap[Seat, str] = field(default_factory=lambda: FrozenMap({}))

    def find(self, name: str) -> Seat | None:
        """The seat of the player of this *name*, in any case of letters where only one can be meant."""
        name = name.strip()
        if not self.names:
            return SEATS.get(name.lower())
        exact = [seat for seat, known in self.names.items() if known == name]
        alike = [seat for seat, known in self.names.items() if known.casefold() == name.casefold()]
        found = exact or alike
        return found[0] if len(found) == 1 else None

    def seat(self, name: str, line: int) -> Seat:
        """The same; a :class:`rules.RulesError` with the number of the *line* where nobody has this name."""
        seat = self.find(name)
        if seat is not None:
            return seat
        if not self.names:
            raise _unknown_seat(name, line)
        known = ", ".join(map(quoted, self.names.values()))
        raise RulesError(
            "player_unknown",
            f"Line {line}: {quoted(name)} does not play: the participants are {known}.",
            line=line,
            text=name,
        )


def read_players(text: str, line: int, *, named: bool = False) -> Players:
    """The players of a heading: seats, or names with their seats in brackets.

    Where *named* is set, names need no seats: they then sit in the order of the table.
    """
    *parts, rest = _SEAT_AFTER_NAME.split(text)
    if parts and not rest.strip():
        return _of_names([name.strip() for name in parts[::2]], [_seat(seat, line) for seat in parts[1::2]], line)
    words = [name.strip() for name in text.split(",")]
    if named and not all(word.lower() in SEATS for word in words):
        seats = seats_for(len(words)) if len(words) in _NUMBERS else ()
        return _of_names(words, list(seats), line)
    return Players(_possible([_seat_word(word, line) for word in words], line))


def _of_names(names: list[str], seats: list[Seat], line: int) -> Players:
    in_order = _possible(seats, line)
    if len(set(names)) < len(names) or not all(names):
        raise RulesError(
            "players_wrong",
            f"Line {line}: each player needs a name of their own, such as ann (S), bert (N).",
            line=line,
        )
    return Players(in_order, FrozenMap(dict(zip(seats, names, strict=True))))


def _possible(seats: list[Seat], line: int) -> tuple[Seat, ...]:
    """The *seats*, which have to be those that two, three or four players take."""
    if len(seats) not in _NUMBERS or set(seats) != set(seats_for(len(seats))):
        raise RulesError(
            "players_wrong",
            f"Line {line}: the players are two to four: North and South, North, East and South, or all seats.",
            line=line,
        )
    return tuple(seats)


def _seat(word: str, line: int) -> Seat:
    seat = _LETTERS.get(word.lower())
    if seat is None:
        raise _unknown_seat(word, line)
    return seat


def _seat_word(word: str, line: int) -> Seat:
    seat = SEATS.get(word.lower())
    if seat is None:
        raise _unknown_seat(word, line)
    return seat


def _unknown_seat(word: str, line: int) -> RulesError:
    return RulesError(
        "seat_unknown",
        f"Line {line}: {quoted(word)} is not a seat: write North, East, South or West.",
        line=line,
        text=word,
    )
