"""One question about Homeworlds: what happened between a position and what was read, with what answers it."""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from typing import Final

from companion_app.inferring.bank_seen import BankSeen
from companion_app.inferring.contents import content_of, differences, look_of, table_print, units
from companion_app.inferring.corrections import Correction, Corrections
from companion_app.inferring.nearness import Nearness
from companion_app.inferring.observation import Observation
from companion_app.inferring.walk import Effort
from rules import full_set
from rules.homeworlds import Options, Position
from rules.homeworlds.packed import UNIT, Packed
from rules.homeworlds.table import Table

MOST_NODES: Final = 3000
"""What a search may cost in all: about a second."""
WIDEST: Final = 800
"""What of that may go into turns of the same length."""
OTHER_HOME: Final = log(0.1)
"""For each piece by which a home differs from what was read as that home, once its misread pieces are put right."""


class SystemsCase:
    """The position *before*, in the engine's form, and every table that was perhaps meant.

    Attributes:
        before: the last agreed position.
        table: the same in the engine's form.
        corrections: the tables that the reading may stand for.
        ended: whether somebody said that the turn is over.
        effort: how much may still be searched; once it is spent, nothing is sure.
    """

    def __init__(self, before: Position, options: Options, observation: Observation, ended: bool = True) -> None:
        self.before = before
        self.options = options
        self.observation = observation
        self.ended = ended
        self.effort = Effort(MOST_NODES, WIDEST)
        self.table = Table.of(before)
        self.seats = self.table.seats
        self.corrections = Corrections(observation, self.seats)
        self._bank = BankSeen(observation, before.bank)
        self._nearness: dict[tuple[int, int, int], Nearness] = {}
        self._homes = [
            (self.seats.index(group.home), number)
            for number, group in enumerate(observation.groups)
            if group.home in self.seats
        ]

    @property
    def is_stirred(self) -> bool:
        """Whether most of the table and of the bank is known to be as it was, but some of it is not."""
        return self.observation.is_stirred or self._bank.is_stirred

    def with_to_move(self, seat: int) -> Table:
        """The table with somebody else to move."""
        return Table(self.table.systems, self.table.bank, seat, self.table.players)

    def nearness(self, mover: int, most: int = 2, apart: int = 3) -> Nearness:
        """What is near to the tables that may be meant, for *mover*'s turns and no more than so many misreadings."""
        return self.near(mover, min(most, self.corrections.most), min(apart, self.corrections.apart))

    def near(self, mover: int, most: int, apart: int) -> Nearness:
        """As :meth:`nearness`, whether or not so much can have been misread."""
        asked = mover, most, apart
        if asked not in self._nearness:
            self._nearness[asked] = Nearness(self.corrections.contents, *asked)
        return self._nearness[asked]

    def correction(self, table: Table) -> Correction | None:
        """How *table* would have to have been misread; ``None`` where that is too unlikely."""
        return self.corrections.get(table_print(map(content_of, table.systems.values())))

    def fit(self, systems: Iterable[Packed | None], bank: int, correction: Correction) -> float:
        """How well the bank and the homes that were read go with a table that was misread so, as a logarithm."""
        weight = self.fit_of_bank(bank)
        if self._homes:
            homes = {system.home: content_of(system) for system in systems if system and system.home >= 0}
            meant = self.corrections.meant(correction)
            for seat, group in self._homes:
                weight += OTHER_HOME * max(differences(homes.get(seat, 0), meant[group]))
        return weight

    def fit_of(self, table: Table, correction: Correction) -> float:
        """As :meth:`fit`."""
        return self.fit(table.systems.values(), table.bank, correction)

    def fit_of_bank(self, bank: int) -> float:
        """How well the bank alone goes with what it should hold."""
        return self._bank.weight(_held(bank))

    def slips(self, bank: int, correction: Correction) -> int:
        """How many things went amiss if a table was misread so, on it and in its bank."""
        return sum(change.slips for change in correction.changes) + self._bank.slips(_held(bank))

    def fit_as_read(self, correction: Correction) -> float:
        """How well the bank goes with the table that a correction means, whether or not any turn leads to it."""
        held = list(full_set(self.before.players).values())
        for unit in units(sum(self.corrections.meant(correction))):
            held[look_of(unit, self.seats).piece.kind] -= 1
        return self._bank.weight([max(0, number) for number in held])


def _held(bank: int) -> list[int]:
    """How many pieces of each kind a bank of the engine's form holds."""
    return [bank // unit & 7 for unit in UNIT]
