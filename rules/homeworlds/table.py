"""The engine's own form of a position: named packed systems and a bank that is kept up to date."""

from __future__ import annotations

from rules.bank import full_set
from rules.errors import RulesError
from rules.findings import Severity
from rules.homeworlds.packed import Packed, count_of, pack
from rules.homeworlds.position import Position
from rules.seats import Seat, seats_for

_FULL = {players: count_of(full_set(players).pieces) for players in (2, 3, 4)}


class Table:
    """A possible position of Homeworlds. Never changed once made.

    Attributes:
        systems: packed systems by name.
        bank: count of the pieces in the bank.
        to_move: index of the seat whose turn it is.
        players: how many play.
    """

    __slots__ = ("bank", "players", "systems", "to_move")

    def __init__(self, systems: dict[str, Packed], bank: int, to_move: int, players: int) -> None:
        self.systems = systems
        self.bank = bank
        self.to_move = to_move
        self.players = players

    @classmethod
    def of(cls, position: Position) -> Table:
        """The table of a public position; a :class:`RulesError` when nobody can play on from it."""
        if not _is_playable(position):
            for finding in position.status():
                if finding.severity is Severity.IMPOSSIBLE or finding.code == "name_used_twice":
                    raise RulesError(finding.code, finding.sentence, rule="", **finding.parameters)
        systems = {system.name: pack(system, position.seats) for system in position.systems}
        bank = _FULL[position.players] - sum(system.pieces for system in systems.values())
        return cls(systems, bank, position.seats.index(position.to_move), position.players)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats taken, in turn order."""
        return seats_for(self.players)

    def position(self) -> Position:
        """The same as a public position."""
        seats = self.seats
        systems = [packed.system(name, seats) for name, packed in self.systems.items()]
        return Position(systems, seats[self.to_move], self.players)

    def exchanged(self, changes: dict[str, Packed | None]) -> Table:
        """The table with some systems exchanged, added, or taken away (``None``); the bank follows."""
        systems = self.systems.copy()
        bank = self.bank
        for name, packed in changes.items():
            old = systems.get(name)
            if old is not None:
                bank += old.pieces
            if packed is None:
                systems.pop(name, None)
            else:
                bank -= packed.pieces
                systems[name] = packed
        return Table(systems, bank, self.to_move, self.players)

    def homes(self) -> dict[int, str]:
        """The names of all homes by the index of their owner."""
        return {packed.home: name for name, packed in self.systems.items() if packed.home >= 0}

    def exact_name(self, name: str) -> str | None:
        """How a system is written here that may be given in other case."""
        if name in self.systems:
            return name
        folded = name.casefold()
        return next((known for known in self.systems if known.casefold() == folded), None)

    @property
    def key(self) -> int:
        """Equal for equal positions whatever their systems are called; see :class:`Packed`."""
        return sum(packed.key for packed in self.systems.values())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        mine = {name: packed.code for name, packed in self.systems.items()}
        theirs = {name: packed.code for name, packed in other.systems.items()}
        return mine == theirs and (self.to_move, self.players) == (other.to_move, other.players)

    def __hash__(self) -> int:
        return hash((self.key, self.to_move, self.players))


def _is_playable(position: Position) -> bool:
    """Whether nothing speaks against the position: the same as its status tells in words, but fast."""
    counts = [0] * 12
    homes = []
    for system in position.systems:
        stars = len(system.stars)
        if stars not in (1, 2) or (system.home is None and (stars == 2 or system.is_abandoned)):
            return False
        if system.home:
            homes.append(system.home)
        for piece in system.pieces:
            counts[piece.kind] += 1
    names = {system.name.casefold() for system in position.systems}
    return (
        max(counts) <= position.players + 1 and len(set(homes)) == len(homes) and len(names) == len(position.systems)
    )
