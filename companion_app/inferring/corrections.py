"""The tables that a reading of Homeworlds may stand for: as it was read, or with a piece or two read amiss.

Each is found again by its print, so that any number of positions can be held against all of them in a moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import log
from operator import attrgetter
from typing import Final, NamedTuple

from companion_app.inferring.contents import SHIPS, STARS, look_of, print_of, unit_of
from companion_app.inferring.observation import Observation, ObservedPiece
from rules import Seat

MISSED: Final = log(8e-3)
"""The chance, as a logarithm, that a reader does not see a piece that is there."""
MOVED_AND_MISSED: Final = log(5e-4)
"""The same of a piece that stood there and is known to have gone from its place: it was moved, and not seen again.

Of 13,108 ships that stayed in their systems in simulated games on the virtual table, 6 were neither read nor known.
"""
SHOWS_HERE: Final = log(100)
"""How much likelier it is to have missed one of a colour in a system if something of it shows there.

In 20 simulated games nothing showed where none was. Not more, for a second one explains nothing besides.
"""
SHOWS_ELSEWHERE: Final = log(5e-4)
"""How much less likely it is where nothing shows if something does in another system.

It would have to be hidden as a whole, and what shows to be none.
"""
IN_PLAY: Final = 9.0
"""How much likelier a piece lying about is part of a system than nothing at all."""
_LEAST_OF_TWO: Final = log(1e-4)
_FARTHEST: Final = 3  # two pieces in wrong systems at once would let nearly every turn come near


class Change(NamedTuple):
    """One misreading: a piece *removed* from the group *first*, and one *added* to the group *second*.

    Attributes:
        weight: how likely it is, as a logarithm, against the piece being as it was read.
        piece: index into the reading's pieces; -1 for a piece not seen at all.
        removed, added: what the pieces add to a content, 0 for none.
        slips: how many things must have gone amiss for it.
    """

    weight: float
    piece: int
    first: int
    removed: int
    second: int
    added: int
    slips: int = 1

    @property
    def apart(self) -> int:
        """In how many systems a piece is amiss."""
        return 1 if self.first == self.second else 2


@dataclass(frozen=True)
class Correction:
    """A table that may be meant.

    Attributes:
        weight: how likely, as a logarithm; 0 for the table as it was read.
        changes: the misreadings.
    """

    weight: float
    changes: tuple[Change, ...]

    @property
    def pieces(self) -> tuple[int, ...]:
        """The indices of the pieces misread."""
        return tuple(change.piece for change in self.changes if change.piece >= 0)


class Corrections:
    """All tables that an observation may stand for, by their prints.

    Attributes:
        contents: what was read, group by group.
        most: how many pieces may be misread at once.
        apart: in how many systems a piece may be amiss at once.
    """

    def __init__(self, observation: Observation, seats: tuple[Seat, ...]) -> None:
        self._seats = seats
        self._every = (*STARS, *(unit for seat in range(len(seats)) for unit in SHIPS[seat]))
        self.contents = [sum(unit_of(piece.read, seats) for piece in group.pieces) for group in observation.groups]
        self._prints = [print_of(content) for content in self.contents]
        self._print = sum(self._prints)
        self._tables: dict[int, tuple[float, tuple[Change, ...]]] = {self._print: (0.0, ())}
        single = list(self._changes(observation))
        for change in single:
            self._keep(self._table_with(change), change.weight, (change,))
        self.most, self.apart = 1, max((change.apart for change in single), default=1)
        self._keep_pairs(single)

    def get(self, table_print: int) -> Correction | None:
        """How a table of this print would have been misread; ``None`` where that is too unlikely."""
        known = self._tables.get(table_print)
        return known and Correction(*known)

    def likely(self, least: float) -> Iterator[tuple[Correction, list[int]]]:
        """The tables of at least this weight, the likeliest first, with their contents group by group."""
        ranked = sorted(self._tables.values(), key=lambda known: -known[0])
        for weight, changes in ranked:
            if weight < least:
                return
            correction = Correction(weight, changes)
            yield correction, self.meant(correction)

    def meant(self, correction: Correction) -> list[int]:
        """The contents of the table that a correction stands for, group by group."""
        contents = self.contents.copy()
        for change in correction.changes:
            contents[change.first] -= change.removed
            contents[change.second] += change.added
        return contents

    def _keep(self, table: int, weight: float, changes: tuple[Change, ...]) -> None:
        known = self._tables.get(table)
        if known is None or known[0] < weight:
            self._tables[table] = weight, changes

    def _keep_pairs(self, single: list[Change]) -> None:
        """Two misreadings at once, where they are not all too unlikely."""
        ranked = sorted(single, key=attrgetter("weight"), reverse=True)
        for number, one in enumerate(ranked, 1):
            for other in ranked[number:]:
                weight = one.weight + other.weight
                if weight < _LEAST_OF_TWO:
                    break
                apart = one.apart + other.apart
                if apart <= _FARTHEST and (one.piece != other.piece or one.piece < 0):
                    self._keep(self._table_with_both(one, other), weight, (one, other))
                    self.most, self.apart = 2, max(self.apart, apart)

    def _table_with(self, change: Change) -> int:
        """The print of the table with a change."""
        first, second = change.first, change.second
        if first == second:
            return self._print - self._prints[first] + print_of(self.contents[first] - change.removed + change.added)
        left = print_of(self.contents[first] - change.removed) - self._prints[first]
        return self._print + left + print_of(self.contents[second] + change.added) - self._prints[second]

    def _table_with_both(self, one: Change, other: Change) -> int:
        """The print of the table with two changes."""
        places = {one.first, one.second, other.first, other.second}
        contents = {place: self.contents[place] for place in places}
        for change in (one, other):
            contents[change.first] -= change.removed
            contents[change.second] += change.added
        return self._print + sum(print_of(content) - self._prints[place] for place, content in contents.items())

    def _changes(self, observation: Observation) -> Iterator[Change]:
        """Every single misreading that is thought of."""
        places = {group.place: number for number, group in enumerate(observation.groups)}
        for number, group in enumerate(observation.groups):
            for piece in group.pieces:
                yield from self._changes_of(piece, number, places)
            yield from self._missed(observation, number, group.place)
        for piece in observation.adrift:
            for look, probability in piece.beliefs.items():
                unit = unit_of(look, self._seats)
                for number in range(len(self.contents)):
                    if unit and probability > 0:
                        weight = log(IN_PLAY / len(self.contents) * probability)
                        yield Change(weight, piece.index, number, 0, number, unit)

    def _missed(self, observation: Observation, number: int, place: str) -> Iterator[Change]:
        """Any piece that is in a group though nobody saw it."""
        here = {color for where, color in observation.noticed if where == place}
        elsewhere = {color for _, color in observation.noticed} - here
        for unit in self._every:
            look = look_of(unit, self._seats)
            weight, slips = (MOVED_AND_MISSED, 2) if (place, look) in observation.gone else (MISSED, 1)
            color = look.piece.color
            weight += SHOWS_HERE if color in here else SHOWS_ELSEWHERE if color in elsewhere else 0.0
            yield Change(weight, -1, number, 0, number, unit, slips)

    def _changes_of(self, piece: ObservedPiece, here: int, places: Mapping[str, int]) -> Iterator[Change]:
        """Another kind or owner, nothing at all, another system."""
        read = unit_of(piece.read, self._seats)
        base = log(piece.beliefs[piece.read])
        weights = dict.fromkeys(self._every, log(piece.other) - base)
        for look, probability in piece.beliefs.items():
            weights[unit_of(look, self._seats)] = log(max(probability, piece.other)) - base
        for unit, weight in weights.items():
            if unit != read and unit:
                yield Change(weight, piece.index, here, read, here, unit)
        yield Change(log(piece.nothing) - base, piece.index, here, read, here, 0)
        for place, probability in piece.elsewhere.items():
            if place in places and probability > 0:
                for unit, weight in self._as_ship(piece, read, weights):
                    yield Change(log(probability) + weight, piece.index, here, read, places[place], unit)

    def _as_ship(self, piece: ObservedPiece, read: int, weights: Mapping[int, float]) -> Iterator[tuple[int, float]]:
        """What a piece is in another system, and how likely: a ship as it was read; of a star, any ship it may be."""
        if piece.read.owner:
            yield read, 0.0
            return
        for look in piece.beliefs:
            if look.owner and (unit := unit_of(look, self._seats)):
                yield unit, weights[unit]
