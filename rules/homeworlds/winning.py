"""Turns that win at once, found by looking only where a win can come from.

The search goes through the steps of a turn like :mod:`rules.homeworlds.successors`, but leaves out every node from
which more actions are *needed* than are left. What is needed is counted too low rather than too high: ships to be
captured at the target's home, or pieces to be brought, built or traded there until its ships or its stars
are overpopulated; for pieces to be brought, the jumps from where they are, were the bank to hold any star.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rules.errors import RulesError
from rules.homeworlds.endings import goals
from rules.homeworlds.options import Options
from rules.homeworlds.packed import ALIVE, BLUE, COLOR_OF, GREEN, RED, SIZE_OF, YELLOW, Packed
from rules.homeworlds.position import Position
from rules.homeworlds.search import ACTIONS, Link, Node, catastrophes, sacrifices, turn_of
from rules.homeworlds.status import OVERPOPULATION
from rules.homeworlds.steps import Turn
from rules.homeworlds.table import Table
from rules.homeworlds.turns import PartialTurn, begin_at
from rules.seats import Seat

_NEVER: Final = 99
_ALL_SIZES: Final = 0b1110


@dataclass(frozen=True)
class Threat:
    """Someone who wins at once if it is their turn (Red Alert).

    Attributes:
        seat: who.
        turn: how, with no step too many; its steps can be played in this position if it is that seat's turn.
    """

    seat: Seat
    turn: Turn


def winning_turns(position: Position, options: Options | None = None) -> Iterator[Turn]:
    """The turns of the player to move that win the game at once, none of which has won before its last step.

    A :class:`rules.RulesError` for an impossible position.

    >>> position = Position.parse("<0>; South(0,b1r2)g3-; North(1,b3y1)y3-g3; Vega(g2)r1-")
    >>> [type(step).__name__ for step in next(winning_turns(position))]
    ['Sacrifice', 'Capture']
    """
    return winning_from(Table.of(position), options or Options())


def winning_from(table: Table, options: Options) -> Iterator[Turn]:
    """As :func:`winning_turns`, from the engine's form."""
    homes = {system.home for system in table.systems.values() if system.home >= 0}
    mover = table.to_move
    if mover not in homes:
        return
    given = set()
    for targets in goals(mover, tuple(sorted(homes)), table.seats, options):
        for turn in _reaching(table, options, targets):
            if turn not in given:
                given.add(turn)
                yield turn


def _reaching(table: Table, options: Options, targets: Collection[int]) -> Iterator[Turn]:
    """Turns after which none of *targets* has a ship at home, but the player to move has; some may come twice."""
    search = _Search(table.to_move, table.players, sorted(targets))
    names = tuple(table.systems)
    begun = begin_at(table, options)
    for node in search.wins(Node.of(table)):
        yield _without_idle_steps(begun, turn_of(node.links(), names, table.seats), search)


def threats(position: Position, options: Options | None = None) -> tuple[Threat, ...]:
    """Who could win at once if it were their turn now, the player to move first; a turn of each.

    What the player to move could do is no threat but a chance; everybody else's is what "Red Alert" warns of.
    Before all homes are set up there are none.
    """
    return threats_at(Table.of(position), options or Options())


def threats_at(table: Table, options: Options) -> tuple[Threat, ...]:
    """As :func:`threats`, from the engine's form."""
    if table.to_move not in table.homes():
        return ()  # the homes are still being set up
    order = [(table.to_move + step) % table.players for step in range(table.players)]
    found = []
    for seat in order:
        turn = next(winning_from(Table(table.systems, table.bank, seat, table.players), options), None)
        if turn is not None:
            found.append(Threat(table.seats[seat], turn))
    return tuple(found)


@dataclass(frozen=True)
class Danger(Threat):
    """Someone who could put *victim* out of the game if it is their turn, whether or not they win by it."""

    victim: Seat


def dangers_at(table: Table, victims: Sequence[Seat], options: Options) -> tuple[Danger, ...]:
    """Who could put one of *victims* out with one turn, the player to move first; a turn of each against each.

    Before all homes are set up there are none.
    """
    homes = table.homes()
    if table.to_move not in homes:
        return ()
    found = []
    for step in range(table.players):
        seat = (table.to_move + step) % table.players
        theirs = Table(table.systems, table.bank, seat, table.players)
        for victim in victims:
            target = table.seats.index(victim) if victim in table.seats else seat
            if seat in homes and target in homes and target != seat:
                turn = next(_reaching(theirs, options, {target}), None)
                if turn is not None:
                    found.append(Danger(table.seats[seat], turn, victim))
    return tuple(found)


def _without_idle_steps(begun: PartialTurn, turn: Turn, search: _Search) -> Turn:
    """A winning turn less every step without which it is still legal and wins."""
    for place in reversed(range(len(turn))):
        shorter = turn[:place] + turn[place + 1 :]
        try:
            wins = search.is_won(begun.play(shorter).table.key)
        except RulesError:
            continue
        if wins:
            return _without_idle_steps(begun, shorter, search)
    return turn


class _Search:
    """The search for turns of *mover* after which none of *targets* has a ship at home."""

    def __init__(self, mover: int, players: int, targets: list[int]) -> None:
        self.mover = mover
        self.players = players
        self.targets = targets
        self.target_bits = sum(ALIVE[seat] for seat in targets)
        self.seen: set[tuple[int, int, int]] = set()
        self.won: set[int] = set()

    def is_won(self, key: int) -> bool:
        """Whether the turn may end as a win where the position has this key."""
        return not key & self.target_bits and bool(key & ALIVE[self.mover])

    def wins(self, node: Node) -> Iterator[Node]:
        """The nearest nodes from *node* on at which the game is won."""
        if self.is_won(node.key):
            if node.key not in self.won:
                self.won.add(node.key)
                yield node
            return
        mode = (node.key, node.sacrificed, node.left)
        if mode in self.seen:
            return
        self.seen.add(mode)
        for link in catastrophes(node):
            yield from self.wins(node.child(link))
        if node.left > 0 and node.sacrificed >= 0:
            yield from self._by_actions(node, node.sacrificed, self._where_present(node))
        elif node.left > 0:
            for color in (RED, GREEN, BLUE, YELLOW):
                if self.needed(node, color, 1) <= 1:
                    yield from self._by_actions(node, color, self._where_able(node, color))
            for link in sacrifices(node, self.mover):
                child = node.child(link)
                if self.needed(child, child.sacrificed, child.left) <= child.left:
                    yield from self.wins(child)

    def _by_actions(self, node: Node, color: int, slots: list[int]) -> Iterator[Node]:
        """Wins by one action of a colour and what follows; the actions that bring a win nearer come first."""
        needed = self.needed(node, color, node.left)
        if needed > node.left:
            return
        detours = []
        for link in ACTIONS[color](node, self.mover, self.players, slots):
            if self._is_aimed(node, link, color):
                child = node.child(link)
                if self.needed(child, color, child.left) <= child.left:
                    yield from self.wins(child)
            elif needed < node.left:
                detours.append(link)
        for link in detours:
            child = node.child(link)
            if self.needed(child, color, child.left) <= child.left:
                yield from self.wins(child)

    def _is_aimed(self, node: Node, link: Link, color: int) -> bool:
        """Whether an action may be one of those that were counted as needed."""
        slot = link.second if color == YELLOW else link.first
        if slot == len(node.systems):
            return True
        place = node.systems[slot]
        assert place
        return (color == YELLOW and place.home < 0) or place.home in self.targets or place.home == self.mover

    def _where_present(self, node: Node) -> list[int]:
        return [slot for slot, system in enumerate(node.systems) if system and system.ships[self.mover]]

    def _where_able(self, node: Node, color: int) -> list[int]:
        powers = ((slot, system) for slot, system in enumerate(node.systems) if system and system.ships[self.mover])
        return [slot for slot, system in powers if system.powers[self.mover] >> color & 1]

    def needed(self, node: Node, color: int, left: int) -> int:
        """No fewer actions of a colour than these can win from here, of those *left*."""
        mover = self.mover
        total = 0
        if not node.key & ALIVE[mover]:
            if color != YELLOW:
                return _NEVER
            total = 1  # somebody has to come home
        for system in node.systems:
            if system and system.home >= 0 and system.home in self.targets and system.ships[system.home]:
                total += _NEEDED[color](system, mover, node, left)
        return total


def _lacking(home: Packed, color: int) -> int:
    """How many pieces of a colour a home lacks for a catastrophe."""
    return max(0, OVERPOPULATION - home.count_of_color(color))


def _plans(home: Packed) -> tuple[set[int], set[int]]:
    """The colours whose catastrophes together take all the owner's ships, or all stars, of a home."""
    return {COLOR_OF[kind] for kind in home.kinds[home.home]}, {COLOR_OF[kind] for kind in home.stars}


def _captures_needed(home: Packed, mover: int, node: Node, left: int) -> int:
    del mover, node, left
    _, stars = _plans(home)
    if not any(_lacking(home, color) for color in stars):
        return 0
    return sum(1 for kind in home.ships[home.home] if _lacking(home, COLOR_OF[kind]))


def _builds_needed(home: Packed, mover: int, node: Node, left: int) -> int:
    del node, left
    own = {COLOR_OF[kind] for kind in home.kinds[mover]}
    best = _NEVER
    for plan in _plans(home):
        lacking = {color: _lacking(home, color) for color in plan}
        if all(color in own for color, number in lacking.items() if number):
            best = min(best, sum(lacking.values()))
    return best


def _trades_needed(home: Packed, mover: int, node: Node, left: int) -> int:
    del node, left
    best = min(sum(_lacking(home, color) for color in plan) for plan in _plans(home))
    return best if best <= len(home.ships[mover]) else _NEVER


def _moves_needed(home: Packed, mover: int, node: Node, left: int) -> int:
    best = _NEVER
    jumps: dict[int, list[int]] | None = None
    for plan in _plans(home):
        lacking = {color: number for color in plan if (number := _lacking(home, color))}
        total = sum(lacking.values())
        if total > left:
            continue
        if lacking and jumps is None:
            jumps = _jumps(home, mover, node, left)
        for color, number in lacking.items():
            near = jumps[color] if jumps else []
            total = total - number + sum(near[:number]) if len(near) >= number else _NEVER
        best = min(best, total)
    return best


_NEEDED: Final = {RED: _captures_needed, GREEN: _builds_needed, BLUE: _trades_needed, YELLOW: _moves_needed}


def _jumps(home: Packed, mover: int, node: Node, left: int) -> dict[int, list[int]]:
    """By colour, the least numbers of jumps that the mover's ships elsewhere are away from *home*, nearest first."""
    jumps: dict[int, list[int]] = {color: [] for color in range(4)}
    goal = _possible_sizes(home, left)
    for system in node.systems:
        if system and system is not home and system.ships[mover]:
            distance = min(_distance(here, there) for here in _possible_sizes(system, left) for there in goal)
            for kind in system.ships[mover]:
                jumps[COLOR_OF[kind]].append(distance)
    for distances in jumps.values():
        distances.sort()
    return jumps


def _possible_sizes(system: Packed, left: int) -> list[int]:
    """The sets of star sizes that a system may have within the turn: a catastrophe may take one star of two."""
    sizes = [system.sizes]
    if len(system.stars) == 2:
        for star, other in (system.stars, system.stars[::-1]):
            if _lacking(system, COLOR_OF[star]) <= left and COLOR_OF[star] != COLOR_OF[other]:
                sizes.append(1 << SIZE_OF[other])
    return sizes


def _distance(sizes: int, goal: int) -> int:
    """The least number of jumps between two systems of these sizes of stars, any star between them allowed."""
    if not sizes & goal:
        return 1
    return 2 if sizes | goal != _ALL_SIZES else 3
