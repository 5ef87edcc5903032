"""Walking through turns: nodes, and every step that leads from one to the next.

A :class:`Node` keeps its systems in slots, so that a step is a few whole numbers until somebody wants to read it:
existing systems keep their slot, a system that goes leaves ``None``, a discovered one is appended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, product
from typing import Final, NamedTuple

from rules.homeworlds.options import Options
from rules.homeworlds.packed import (
    BLUE,
    COLOR_OF,
    COLORS,
    GREEN,
    RED,
    SHIP,
    SIZE_OF,
    STAR,
    UNIT,
    YELLOW,
    Packed,
    packed,
    smallest,
)
from rules.homeworlds.star_names import free_name
from rules.homeworlds.steps import (
    Build,
    Capture,
    Catastrophe,
    Discover,
    Homeworld,
    Move,
    Pass,
    Sacrifice,
    Step,
    Trade,
    Turn,
)
from rules.homeworlds.table import Table
from rules.pieces import KINDS, Piece, Size
from rules.seats import Seat

BUILD, TRADE, MOVE, DISCOVER, CAPTURE, SACRIFICE, CATASTROPHE = range(7)


class Link(NamedTuple):
    """One step from a node: the slots it changes and what stands there then.

    ``key`` is the position's key after it. ``second`` is -1 when only one slot changes. ``other`` is the kind
    traded for, the kind of the star discovered, the seat captured from, or the colour of the catastrophe.
    """

    key: int
    first: int
    at_first: Packed | None
    second: int
    at_second: Packed | None
    action: int
    kind: int
    other: int


class Node:
    """A position within a turn, and how it was reached.

    Attributes:
        systems: packed systems by slot.
        bank: count of the pieces in the bank.
        key: sum of the systems' keys.
        sacrificed: index of the colour whose actions a sacrifice has bought, or -1.
        left: how many actions may still be done.
    """

    __slots__ = ("bank", "key", "left", "link", "parent", "sacrificed", "systems")

    def __init__(
        self,
        systems: list[Packed | None],
        bank: int,
        key: int,
        sacrificed: int,
        left: int,
        parent: Node | None = None,
        link: Link | None = None,
    ) -> None:
        self.systems = systems
        self.bank = bank
        self.key = key
        self.sacrificed = sacrificed
        self.left = left
        self.parent = parent
        self.link = link

    @classmethod
    def of(cls, table: Table, sacrificed: int = -1, left: int = 1) -> Node:
        """The node of a table; its slots are in the order of the table's systems."""
        return cls(list(table.systems.values()), table.bank, table.key, sacrificed, left)

    def child(self, link: Link) -> Node:
        """The node that a link leads to."""
        systems = self.systems.copy()
        bank = self.bank
        for slot, new in ((link.first, link.at_first), (link.second, link.at_second)):
            if slot < 0:
                continue
            if slot == len(systems):
                systems.append(None)
            old = systems[slot]
            bank += (old.pieces if old else 0) - (new.pieces if new else 0)
            systems[slot] = new
        if link.action == SACRIFICE:
            return Node(systems, bank, link.key, COLOR_OF[link.kind], SIZE_OF[link.kind], self, link)
        left = self.left if link.action == CATASTROPHE else self.left - 1
        return Node(systems, bank, link.key, self.sacrificed, left, self, link)

    def links(self) -> list[Link]:
        """The links from the first node to this one."""
        links: list[Link] = []
        node = self
        while node.parent is not None and node.link is not None:
            links.append(node.link)
            node = node.parent
        return links[::-1]


def links_from(node: Node, mover: int, players: int) -> Iterator[Link]:
    """Every step that *mover* may take next, but for a pass."""
    yield from catastrophes(node)
    if node.left <= 0:
        return
    if node.sacrificed >= 0:
        yield from ACTIONS[node.sacrificed](node, mover, players, _where_present(node, mover))
        return
    for color in (GREEN, BLUE, RED, YELLOW):
        yield from ACTIONS[color](node, mover, players, _where_able(node, mover, color))
    yield from sacrifices(node, mover)


def _where_present(node: Node, mover: int) -> list[int]:
    return [slot for slot, system in enumerate(node.systems) if system and system.ships[mover]]


def _where_able(node: Node, mover: int, color: int) -> list[int]:
    return [
        slot
        for slot, system in enumerate(node.systems)
        if system and system.ships[mover] and system.powers[mover] >> color & 1
    ]


def catastrophes(node: Node) -> Iterator[Link]:
    """All catastrophes that can be declared."""
    for slot, system in enumerate(node.systems):
        if system and system.overpopulated:
            for color in system.overpopulated:
                left = system.after_catastrophe(color)
                key = node.key - system.key + (left.key if left else 0)
                yield Link(key, slot, left, -1, None, CATASTROPHE, -1, color)


def sacrifices(node: Node, mover: int) -> Iterator[Link]:
    """All sacrifices."""
    for slot in _where_present(node, mover):
        system = node.systems[slot]
        assert system
        for kind in system.kinds[mover]:
            left = system.without(mover, kind)
            key = node.key - system.key + (left.key if left else 0)
            yield Link(key, slot, left, -1, None, SACRIFICE, kind, -1)


def builds(node: Node, mover: int, players: int, slots: Iterable[int]) -> Iterator[Link]:
    """All builds at the systems in *slots*."""
    del players
    units = SHIP[mover]
    for slot in slots:
        system = node.systems[slot]
        assert system
        base = node.key - system.key
        for color in {COLOR_OF[kind] for kind in system.kinds[mover]}:
            kind = smallest(node.bank, color)
            if kind >= 0:
                new = packed(system.code + units[kind])
                yield Link(base + new.key, slot, new, -1, None, BUILD, kind, -1)


def trades(node: Node, mover: int, players: int, slots: Iterable[int]) -> Iterator[Link]:
    """All trades at the systems in *slots*."""
    del players
    units = SHIP[mover]
    for slot in slots:
        system = node.systems[slot]
        assert system
        base = node.key - system.key
        for kind in system.kinds[mover]:
            for wanted in range(kind % 3, 12, 3):
                if wanted != kind and node.bank & 7 * UNIT[wanted]:
                    new = packed(system.code - units[kind] + units[wanted])
                    yield Link(base + new.key, slot, new, -1, None, TRADE, kind, wanted)


def captures(node: Node, mover: int, players: int, slots: Iterable[int]) -> Iterator[Link]:
    """All captures at the systems in *slots*."""
    units = SHIP[mover]
    for slot in slots:
        system = node.systems[slot]
        assert system
        base = node.key - system.key
        biggest = system.biggest[mover]
        for owner in range(players):
            if owner != mover:
                for kind in system.kinds[owner]:
                    if SIZE_OF[kind] <= biggest:
                        new = packed(system.code - SHIP[owner][kind] + units[kind])
                        yield Link(base + new.key, slot, new, -1, None, CAPTURE, kind, owner)


def moves(node: Node, mover: int, players: int, slots: Iterable[int]) -> Iterator[Link]:
    """All moves and discoveries from the systems in *slots*."""
    del players
    units = SHIP[mover]
    systems = node.systems
    fresh = len(systems)
    stars = [star for star in range(12) if node.bank & 7 * UNIT[star]]
    for slot in slots:
        system = systems[slot]
        assert system
        sizes = system.sizes
        near = [(at, other) for at, other in enumerate(systems) if other and not other.sizes & sizes]
        new_stars = [star for star in stars if not sizes >> SIZE_OF[star] & 1]
        for kind in system.kinds[mover]:
            left = system.without(mover, kind)
            base = node.key - system.key + (left.key if left else 0)
            unit = units[kind]
            for at, other in near:
                new = packed(other.code + unit)
                yield Link(base - other.key + new.key, slot, left, at, new, MOVE, kind, -1)
            for star in new_stars:
                new = packed(STAR[star] + unit)
                yield Link(base + new.key, slot, left, fresh, new, DISCOVER, kind, star)


ACTIONS: Final = {RED: captures, YELLOW: moves, GREEN: builds, BLUE: trades}
"""The steps that each colour's power allows."""


# From links back to steps with names


def turn_of(links: Iterable[Link], names: Iterable[str], seats: tuple[Seat, ...]) -> Turn:
    """The steps of *links* that start at a node whose slots are called *names*."""
    called = list(names)
    steps = []
    for link in links:
        if link.second == len(called):
            called.append(free_name(called))
        steps.append(_step(link, called, seats))
    return tuple(steps)


def _step(link: Link, names: list[str], seats: tuple[Seat, ...]) -> Step:
    here = names[link.first]
    if link.action == CATASTROPHE:
        return Catastrophe(here, COLORS[link.other])
    piece = KINDS[link.kind]
    if link.action == BUILD:
        return Build(piece, here)
    if link.action == TRADE:
        return Trade(piece, here, KINDS[link.other].color)
    if link.action == MOVE:
        return Move(piece, here, names[link.second])
    if link.action == DISCOVER:
        return Discover(piece, here, KINDS[link.other], names[link.second])
    if link.action == CAPTURE:
        return Capture(piece, seats[link.other], here)
    return Sacrifice(piece, here)


def steps_from(table: Table, sacrificed: int, left: int) -> Iterator[Step]:
    """Every legal next step of the player to move, with so many actions *left* of the *sacrificed* colour."""
    names = tuple(table.systems)
    for link in links_from(Node.of(table, sacrificed, left), table.to_move, table.players):
        yield from turn_of([link], names, table.seats)
    if left > 0:
        yield Pass()


def set_ups(table: Table, options: Options, extra: tuple[Size, ...] = ()) -> Iterator[Homeworld]:
    """Every home that can be set up, called after its seat or, where that name is taken, otherwise.

    *extra* are the sizes of the ships besides the first.
    """
    name = table.seats[table.to_move].word
    if table.exact_name(name) is not None:
        name = free_name(table.systems)
    held = {piece: table.bank // UNIT[piece.kind] & 7 for piece in KINDS}
    ships = [piece for piece in KINDS if piece.size in options.first_ship_sizes]
    for number in options.home_stars:
        for stars in combinations_with_replacement(KINDS, number):
            for ship, further in product(ships, _fleets(extra)):
                if _are_held(held, (*stars, ship, *further)):
                    yield Homeworld(stars, ship, name, further)


def _fleets(sizes: tuple[Size, ...]) -> list[tuple[Piece, ...]]:
    """Every choice of colours for ships of these sizes, whatever their order."""
    choices = product(*([piece for piece in KINDS if piece.size is size] for size in sizes))
    return list(dict.fromkeys(tuple(sorted(ships)) for ships in choices))


def _are_held(held: dict[Piece, int], pieces: tuple[Piece, ...]) -> bool:
    return all(pieces.count(piece) <= held[piece] for piece in pieces)
